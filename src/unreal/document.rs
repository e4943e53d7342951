//! A package as a document: what `serde` makes of it, JSON mostly.
//!
//! Records say their fields themselves ([`records!`](super::record)), and [`show`](super::show)
//! how values look. Here is what a document has beyond that.

use super::Result;
use super::bulk::BulkFlags;
use super::inventory::Tables;
use super::layout::Versions;
use super::list::{List, Records};
use super::names::Name;
use super::package::Package;
use super::properties::{NameRef, ObjectRef};
use super::record::Record;
use super::save::Save;
use super::show::{AsText, Context, Entries, Hex, Seq, Show, Shown};
use super::summary::{ChunkIds, CustomVersion, EngineVersion, FileVersions};
use super::tables::*;
use super::verify::Problem;
use super::wire::{ByteOrder, Value};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// All of the package, streamed: a map of its summary and tables, each a list of its records.
/// A field that the version does not have is not there. What cannot be read is left out, and
/// among `errors` stands why ([`Package::verify`]).
///
/// ```
/// # #[cfg(feature = "std")] {
/// use gamewire::unreal::Package;
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let file = &std::fs::read("corpus/unreal/ue4.27-TestActorBP.uasset")?;
/// let json = serde_json::to_value(Package::open(file)?).unwrap();
/// assert_eq!(json["summary"]["saved_by_engine"]["branch"], "++UE4+Release-4.27");
/// assert_eq!(json["exports"][0]["class_name"], "Blueprint");
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Serialize for Package<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let within = Context { layout: self.layout(), package: Some(self) };
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("kind", "package")?;
        map.serialize_entry("byte_order", &self.layout().order)?;
        map.serialize_entry("summary", &Head(within, self))?;
        let names = self.names().flatten();
        map.serialize_entry("names", &Seq(names.clone().map(|name| Shown(name, within))))?;
        if self.layout().ue4(504) {
            map.serialize_entry("name_hashes", &Seq(names.filter_map(|name| name.hashes)))?;
        }
        self.tables(&mut Body { map: &mut map, package: self, within })?;
        if !self.verify(|_| ()) {
            map.serialize_entry("errors", &Problems(self))?;
        }
        map.end()
    }
}

impl Serialize for ByteOrder {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(match self {
            Self::Little => "little",
            Self::Big => "big",
        })
    }
}

impl Package<'_> {
    /// An export as it is in the document: with the name of its class and its properties. Of
    /// the other exports nothing is read.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use gamewire::unreal::Package;
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = &std::fs::read("corpus/unreal/ue4.27-TestActorBP.uasset")?;
    /// let package = Package::open(file)?;
    /// let json = serde_json::to_value(package.export_document(&package.export(0)?)).unwrap();
    /// assert_eq!(json["class_name"], "Blueprint");
    /// assert_eq!(json["properties"][0]["name"], "ParentClass");
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn export_document(&self, export: &Export) -> impl Serialize {
        let within = Context { layout: self.layout(), package: Some(self) };
        WholeExport { export: *export, package: self, within, fits: true }
    }
}

/// The summary, before it the versions that hold: those supplied, if it does not say them.
struct Head<'c, 'a>(Context<'c, 'a>, &'c Package<'a>);

impl Serialize for Head<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(within, package) = *self;
        let mut map = to.serialize_map(None)?;
        package.versions().entries(package.layout().versions, &mut map)?;
        package.summary().each(within.layout, &mut Entries { map: &mut map, within })?;
        map.end()
    }
}

impl FileVersions {
    /// What it says, but for the versions that hold.
    pub(super) fn entries<M: SerializeMap>(
        &self,
        hold: Versions,
        map: &mut M,
    ) -> Result<(), M::Error> {
        map.serialize_entry("legacy_version", &self.legacy_version)?;
        if let Some(version) = self.ue3_version {
            map.serialize_entry("ue3_version", &version)?;
        }
        map.serialize_entry("unversioned", &self.is_unversioned())?;
        map.serialize_entry("ue4_version", &hold.ue4)?;
        map.serialize_entry("ue5_version", &hold.ue5)?;
        map.serialize_entry("licensee_version", &self.licensee_version)
    }
}

/// An entry for each table.
struct Body<'m, 'c, 'a, M> {
    map: &'m mut M,
    package: &'c Package<'a>,
    within: Context<'c, 'a>,
}

impl<'a, M: SerializeMap> Tables<'a> for Body<'_, '_, 'a, M> {
    type Error = M::Error;

    fn rows<T: Value<'a>>(
        &mut self,
        key: &'static str,
        rows: Records<'a, T>,
    ) -> Result<(), M::Error> {
        let within = self.within;
        self.map.serialize_entry(key, &Seq(rows.flatten().map(|row| Shown(row, within))))
    }

    fn single<T: Value<'a>>(
        &mut self,
        key: &'static str,
        value: Result<T>,
    ) -> Result<(), M::Error> {
        match value {
            Ok(value) => value.entry(key, self.within, self.map),
            Err(_) => Ok(()),
        }
    }

    fn exports(&mut self, key: &'static str, rows: Records<'a, Export>) -> Result<(), M::Error> {
        let Self { package, within, .. } = *self;
        // Exports have their own bytes each: what is printed of them is not more than there is.
        let exports = rows.flatten().scan(package.size(), move |left, export| {
            let size = package.export_bytes(&export).map_or(0, <[u8]>::len) as u64;
            let fits = left.checked_sub(size);
            *left = fits.unwrap_or(*left);
            Some(WholeExport { export, package, within, fits: fits.is_some() })
        });
        self.map.serialize_entry(key, &Seq(exports))
    }

    fn thumbnails(
        &mut self,
        key: &'static str,
        value: Result<List<'a, Thumbnail<'a>>>,
    ) -> Result<(), M::Error> {
        let (within, list) = (self.within, value.unwrap_or_default());
        self.map.serialize_entry(key, &Seq(list.iter().flatten().map(|row| Whole(row, within))))
    }
}

/// A record with what it stands for.
struct Whole<'c, 'a, T>(T, Context<'c, 'a>);

/// An export with its class, and with what its bytes are.
struct WholeExport<'c, 'a> {
    export: Export,
    package: &'c Package<'a>,
    within: Context<'c, 'a>,
    /// Whether its bytes can be others than those of the exports before.
    fits: bool,
}

impl Serialize for WholeExport<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { export, package, within, fits } = *self;
        let mut map = to.serialize_map(None)?;
        export.each(within.layout, &mut Entries { map: &mut map, within })?;
        if let Some(name) = package.class_name(&export) {
            map.serialize_entry("class_name", &Shown(name, within))?;
        }
        match fits {
            true => contents(package, &export, &mut map)?,
            false => map.serialize_entry("properties_error", "its bytes are those of others")?,
        }
        map.end()
    }
}

/// What is read from the bytes of an export; nothing, where they cannot be found.
fn contents<M: SerializeMap>(
    package: &Package<'_>,
    export: &Export,
    map: &mut M,
) -> Result<(), M::Error> {
    let Ok(Some(object)) = package.properties(export) else { return Ok(()) };
    if let Some(control) = object.control {
        map.serialize_entry("serialization_control", &control)?;
    }
    if let Some(operation) = object.operation {
        map.serialize_entry("override_operation", &operation)?;
    }
    map.serialize_entry("properties", &object.iter())?;
    match object.tail() {
        Ok(tail) => {
            let size = tail.offset.cast_signed().wrapping_sub(export.serial.offset);
            map.serialize_entry("properties_size", &size)?;
            if let Some(guid) = tail.guid {
                map.serialize_entry("object_guid", &AsText(guid))?;
            }
            map.serialize_entry("native_size", &tail.native.len())
        }
        Err(error) => map.serialize_entry("properties_error", &AsText(error)),
    }
}

/// A save, streamed: its versions and all properties.
impl Serialize for Save<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let within = Context { layout: self.layout(), package: None };
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("kind", "save")?;
        let mut entries = Entries { map: &mut map, within };
        self.versions().each(within.layout, &mut entries)?;
        self.header().each(within.layout, &mut entries)?;
        map.serialize_entry("custom_versions", &Shown(self.custom_versions(), within))?;
        self.class().each(within.layout, &mut Entries { map: &mut map, within })?;
        let properties = self.properties();
        map.serialize_entry("properties_offset", &properties.offset())?;
        map.serialize_entry("properties", &properties)?;
        match self.trailer() {
            Ok((end, trailer)) => {
                map.serialize_entry("properties_end", &end)?;
                map.serialize_entry("trailer", &Hex(trailer))?;
            }
            Err(error) => map.serialize_entry("properties_error", &AsText(error))?,
        }
        map.end()
    }
}

/// With the head of its picture.
impl Serialize for Whole<'_, '_, Thumbnail<'_>> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(thumbnail, within) = *self;
        let mut map = to.serialize_map(None)?;
        thumbnail.each(within.layout, &mut Entries { map: &mut map, within })?;
        if let Some(Ok((head, _))) = within.package.map(|package| package.thumbnail(&thumbnail)) {
            head.each(within.layout, &mut Entries { map: &mut map, within })?;
        }
        map.end()
    }
}

struct Problems<'p, 'a>(&'p Package<'a>);

impl Serialize for Problems<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeSeq;
        let (mut seq, mut result) = (to.serialize_seq(None)?, Ok(()));
        self.0.verify(|problem| {
            if result.is_ok() {
                result = seq.serialize_element(&problem);
            }
        });
        result?;
        seq.end()
    }
}

impl Serialize for Problem {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("table", self.table)?;
        map.serialize_entry("offset", &self.error.offset())?;
        map.serialize_entry("message", &AsText(self.error.kind()))?;
        map.end()
    }
}

/// Two fields.
impl<'a> Show<'a> for Serial {
    fn show<S: Serializer>(&self, within: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        self.entry("serial", within, &mut map)?;
        map.end()
    }

    fn entry<M: SerializeMap>(
        &self,
        _: &'static str,
        _: Context<'_, 'a>,
        map: &mut M,
    ) -> Result<(), M::Error> {
        map.serialize_entry("serial_size", &self.size)?;
        map.serialize_entry("serial_offset", &self.offset)
    }
}

/// No field: it says nothing.
impl<'a, const MARK: u64> Show<'a> for Mark<MARK> {
    fn show<S: Serializer>(&self, _: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_unit()
    }

    fn entry<M: SerializeMap>(
        &self,
        _: &'static str,
        _: Context<'_, 'a>,
        _: &mut M,
    ) -> Result<(), M::Error> {
        Ok(())
    }
}

impl<'a> Show<'a> for EngineVersion<'a> {
    fn show<S: Serializer>(&self, within: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("major", &self.major)?;
        map.serialize_entry("minor", &self.minor)?;
        map.serialize_entry("patch", &self.patch)?;
        map.serialize_entry("changelist", &(self.changelist & !0x8000_0000))?;
        map.serialize_entry("licensee", &self.is_licensee())?;
        self.branch.entry("branch", within, &mut map)?;
        map.end()
    }
}

impl<'a> Show<'a> for CustomVersion<'a> {
    fn show<S: Serializer>(&self, within: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        self.guid.entry("guid", within, &mut map)?;
        self.version.entry("version", within, &mut map)?;
        if let Some(name) = self.name {
            name.entry("name", within, &mut map)?;
        }
        map.end()
    }
}

impl<'a> Show<'a> for ChunkIds<'a> {
    fn show<S: Serializer>(&self, _: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter())
    }
}

/// `Package.Asset`, the package alone if that is meant; nothing for none.
impl<'a> Show<'a> for AssetPath {
    fn show<S: Serializer>(&self, within: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        let none = |name: Name| {
            let text = within.package.and_then(|package| package.name(name));
            text.is_some_and(|text| text == *"None")
        };
        let text = |name: Name| within.package.and_then(|package| package.name(name));
        match *self {
            Self::Whole(name) if none(name) => to.serialize_str(""),
            Self::Whole(name) => name.show(within, to),
            Self::Parts { package, asset } if none(asset) => Self::Whole(package).show(within, to),
            Self::Parts { package, asset } => match (text(package), text(asset)) {
                (Some(package), Some(asset)) => to.collect_str(&format_args!("{package}.{asset}")),
                (None, _) => package.show(within, to),
                _ => asset.show(within, to),
            },
        }
    }
}

impl<'a> Show<'a> for SubPath<'a> {
    fn show<S: Serializer>(&self, within: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => text.show(within, to),
            Self::Utf8(text) => text.show(within, to),
        }
    }
}

impl<'a> Show<'a> for SoftPackage<'a> {
    fn show<S: Serializer>(&self, within: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Name(name) => name.show(within, to),
            Self::Text(text) => text.show(within, to),
        }
    }
}

impl<'a> Show<'a> for NameRef<'a> {
    fn show<S: Serializer>(&self, within: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Index(name) => name.show(within, to),
            Self::Text(text) => text.show(within, to),
        }
    }
}

impl<'a> Show<'a> for ObjectRef<'a> {
    fn show<S: Serializer>(&self, _: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        self.serialize(to)
    }
}

impl<'a> Show<'a> for TextMetadataValue<'a> {
    fn show<S: Serializer>(&self, within: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::None => to.serialize_unit(),
            Self::Bool(value) => value.show(within, to),
            Self::Text(text) => text.show(within, to),
            Self::Array(values) => values.show(within, to),
            Self::Object(pairs) => pairs.show(within, to),
        }
    }
}

impl<'a> Show<'a> for Bits<'a> {
    fn show<S: Serializer>(&self, _: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter())
    }
}

impl<'a> Show<'a> for TileReal {
    fn show<S: Serializer>(&self, within: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        self.0.show(within, to)
    }
}

impl<'a> Show<'a> for [TileReal; 3] {
    fn show<S: Serializer>(&self, within: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        let (mut map, [x, y, z]) = (to.serialize_map(None)?, self);
        x.entry("x", within, &mut map)?;
        y.entry("y", within, &mut map)?;
        z.entry("z", within, &mut map)?;
        map.end()
    }
}

impl<'a> Show<'a> for BulkFlags {
    fn show<S: Serializer>(&self, within: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        self.0.show(within, to)
    }
}

impl<'a> Show<'a> for DataResources<'a> {
    fn show<S: Serializer>(&self, within: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        self.version.entry("version", within, &mut map)?;
        self.entries.entry("entries", within, &mut map)?;
        map.end()
    }
}

impl<'a> Show<'a> for Trailer<'a> {
    fn show<S: Serializer>(&self, within: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        self.head.each(within.layout, &mut Entries { map: &mut map, within })?;
        self.entries.entry("entries", within, &mut map)?;
        map.end()
    }
}

impl<'a> Show<'a> for Metadata<'a> {
    fn show<S: Serializer>(&self, within: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        self.objects.entry("objects", within, &mut map)?;
        self.root.entry("root", within, &mut map)?;
        map.end()
    }
}

impl<'a> Show<'a> for AssetRegistry<'a> {
    fn show<S: Serializer>(&self, within: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        if let Some(offset) = self.dependency_data_offset {
            offset.entry("dependency_data_offset", within, &mut map)?;
        }
        self.objects.entry("objects", within, &mut map)?;
        map.end()
    }
}
