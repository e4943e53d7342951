use crate::unreal::format::{
    BulkFlags, FieldEntries, Name, Record, Result, SerializeContext, SerializeIn,
};
use crate::unreal::properties::{NameRef, ObjectRef};
use crate::unreal::tables::{
    AssetPath, AssetRegistry, Bits, ChunkIds, CustomVersion, DataResources, EngineVersion, Magic,
    Metadata, Serial, SoftPackage, SubPath, TextMetadataValue, TileReal, Trailer,
};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Serializes the size and the offset as two fields.
impl<'a> SerializeIn<'a> for Serial {
    fn serialize_in<S: Serializer>(
        &self,
        context: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        self.serialize_field("serial", context, &mut map)?;
        map.end()
    }

    fn serialize_field<M: SerializeMap>(
        &self,
        _: &'static str,
        _: SerializeContext<'_, 'a>,
        map: &mut M,
    ) -> Result<(), M::Error> {
        map.serialize_entry("serial_size", &self.size)?;
        map.serialize_entry("serial_offset", &self.offset)
    }
}

/// Serialized as nothing, since the value is constant.
impl<'a, const MAGIC: u64> SerializeIn<'a> for Magic<MAGIC> {
    fn serialize_in<S: Serializer>(
        &self,
        _: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.serialize_unit()
    }

    fn serialize_field<M: SerializeMap>(
        &self,
        _: &'static str,
        _: SerializeContext<'_, 'a>,
        _: &mut M,
    ) -> Result<(), M::Error> {
        Ok(())
    }
}

impl<'a> SerializeIn<'a> for EngineVersion<'a> {
    fn serialize_in<S: Serializer>(
        &self,
        context: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("major", &self.major)?;
        map.serialize_entry("minor", &self.minor)?;
        map.serialize_entry("patch", &self.patch)?;
        map.serialize_entry("changelist", &(self.changelist & !0x8000_0000))?;
        map.serialize_entry("licensee", &self.is_licensee())?;
        self.branch.serialize_field("branch", context, &mut map)?;
        map.end()
    }
}

impl<'a> SerializeIn<'a> for CustomVersion<'a> {
    fn serialize_in<S: Serializer>(
        &self,
        context: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        self.guid.serialize_field("guid", context, &mut map)?;
        self.version.serialize_field("version", context, &mut map)?;
        if let Some(name) = self.name {
            name.serialize_field("name", context, &mut map)?;
        }
        map.end()
    }
}

impl<'a> SerializeIn<'a> for ChunkIds<'a> {
    fn serialize_in<S: Serializer>(
        &self,
        _: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter())
    }
}

/// Serialized as `Package.Asset`, as the package alone if there is no asset, and as an empty string
/// for `None`.
impl<'a> SerializeIn<'a> for AssetPath {
    fn serialize_in<S: Serializer>(
        &self,
        context: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let none = |name: Name| {
            let text = context.names.and_then(|names| names.name_text(name));
            text.is_some_and(|text| text == *"None")
        };
        let text = |name: Name| context.names.and_then(|names| names.name_text(name));
        match *self {
            Self::Whole(name) if none(name) => to.serialize_str(""),
            Self::Whole(name) => name.serialize_in(context, to),
            Self::Parts { package, asset } if none(asset) => {
                Self::Whole(package).serialize_in(context, to)
            }
            Self::Parts { package, asset } => match (text(package), text(asset)) {
                (Some(package), Some(asset)) => to.collect_str(&format_args!("{package}.{asset}")),
                (None, _) => package.serialize_in(context, to),
                _ => asset.serialize_in(context, to),
            },
        }
    }
}

impl<'a> SerializeIn<'a> for SubPath<'a> {
    fn serialize_in<S: Serializer>(
        &self,
        context: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => text.serialize_in(context, to),
            Self::Utf8(text) => text.serialize_in(context, to),
        }
    }
}

impl<'a> SerializeIn<'a> for SoftPackage<'a> {
    fn serialize_in<S: Serializer>(
        &self,
        context: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match self {
            Self::Name(name) => name.serialize_in(context, to),
            Self::Text(text) => text.serialize_in(context, to),
        }
    }
}

impl<'a> SerializeIn<'a> for NameRef<'a> {
    fn serialize_in<S: Serializer>(
        &self,
        context: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match self {
            Self::Index(name) => name.serialize_in(context, to),
            Self::Text(text) => text.serialize_in(context, to),
        }
    }
}

impl<'a> SerializeIn<'a> for ObjectRef<'a> {
    fn serialize_in<S: Serializer>(
        &self,
        _: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        self.serialize(to)
    }
}

impl<'a> SerializeIn<'a> for TextMetadataValue<'a> {
    fn serialize_in<S: Serializer>(
        &self,
        context: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match self {
            Self::None => to.serialize_unit(),
            Self::Bool(value) => value.serialize_in(context, to),
            Self::Text(text) => text.serialize_in(context, to),
            Self::Array(values) => values.serialize_in(context, to),
            Self::Object(pairs) => pairs.serialize_in(context, to),
        }
    }
}

impl<'a> SerializeIn<'a> for Bits<'a> {
    fn serialize_in<S: Serializer>(
        &self,
        _: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter())
    }
}

impl<'a> SerializeIn<'a> for TileReal {
    fn serialize_in<S: Serializer>(
        &self,
        context: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        self.0.serialize_in(context, to)
    }
}

impl<'a> SerializeIn<'a> for [TileReal; 3] {
    fn serialize_in<S: Serializer>(
        &self,
        context: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let (mut map, [x, y, z]) = (to.serialize_map(None)?, self);
        x.serialize_field("x", context, &mut map)?;
        y.serialize_field("y", context, &mut map)?;
        z.serialize_field("z", context, &mut map)?;
        map.end()
    }
}

impl<'a> SerializeIn<'a> for BulkFlags {
    fn serialize_in<S: Serializer>(
        &self,
        context: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        self.0.serialize_in(context, to)
    }
}

impl<'a> SerializeIn<'a> for DataResources<'a> {
    fn serialize_in<S: Serializer>(
        &self,
        context: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        self.version.serialize_field("version", context, &mut map)?;
        self.entries.serialize_field("entries", context, &mut map)?;
        map.end()
    }
}

impl<'a> SerializeIn<'a> for Trailer<'a> {
    fn serialize_in<S: Serializer>(
        &self,
        context: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        self.head.each(context.layout, &mut FieldEntries { map: &mut map, context })?;
        self.entries.serialize_field("entries", context, &mut map)?;
        map.end()
    }
}

impl<'a> SerializeIn<'a> for Metadata<'a> {
    fn serialize_in<S: Serializer>(
        &self,
        context: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        self.objects.serialize_field("objects", context, &mut map)?;
        self.root.serialize_field("root", context, &mut map)?;
        map.end()
    }
}

impl<'a> SerializeIn<'a> for AssetRegistry<'a> {
    fn serialize_in<S: Serializer>(
        &self,
        context: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        if let Some(offset) = self.dependency_data_offset {
            offset.serialize_field("dependency_data_offset", context, &mut map)?;
        }
        self.objects.serialize_field("objects", context, &mut map)?;
        map.end()
    }
}
