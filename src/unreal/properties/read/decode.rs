//! Decodes the value of a tag, or of an element of a container. The kind of the value and, for a
//! struct, the encoding of the struct determine how it is decoded.

use super::containers::{Delegates, Elements, Map, Names, Set};
use super::inference::{self, Reading};
use super::list::MAX_DEPTH;
use super::tag::{Origin, Tag, TagHead};
use super::value::{Delegate, FieldPath, OpaqueReason, PropertyValue, SoftReference};
use crate::unreal::format::{Error, ErrorKind, FileCursor, StrRef};
use crate::unreal::format::{ue4, ue5};
use crate::unreal::properties::formatted::FormattedText;
use crate::unreal::properties::types::{
    HintScope, NameCode, NameRef, NativeForm, PropertyContext, PropertyKind, PropertyType,
    StructHint, size,
};
use crate::unreal::tables::AssetPath;

impl<'p> Tag<'p> {
    /// Returns the value. All of its bytes are checked here, so iterating over its contents
    /// succeeds. The values of properties in structs are an exception: they are skipped here, so
    /// one that cannot be decoded becomes [`Opaque`](PropertyValue::Opaque) later.
    pub fn value(&self) -> PropertyValue<'p> {
        let mut value = PropertyValue::Bool(self.bool_value);
        if let Err(reason) = self.read_value(&mut value) {
            value = PropertyValue::Opaque(self.bytes(), reason);
        }
        value
    }

    /// Returns the state for reading the value.
    #[inline(always)]
    pub(super) fn decode(&self) -> Decode<'p> {
        let mut decode = Decode::new(self);
        if !self.context.hints.is_empty() {
            decode.scope = self.context.inner_scope(self.scope, self.name_ref());
        }
        decode
    }

    fn read_value(&self, to: &mut PropertyValue<'p>) -> Result<(), OpaqueReason> {
        if let Origin::Slot(slot) = self.origin {
            return self.read_slot(slot, to);
        }
        let mut decode = self.decode();
        match self.kind() {
            // `to` already holds the value; a bool has no bytes.
            PropertyKind::Bool => match self.payload.remaining() {
                0 => Ok(()),
                left => Err(OpaqueReason::LeftOver(u32::try_from(left).unwrap_or(u32::MAX))),
            },
            PropertyKind::Struct => {
                let mut read = |decode: &Decode<'p>, to: &mut PropertyValue<'p>| {
                    decode.whole(self, |all, from| all.structure(from, self.code, None, to))
                };
                match read(&decode, to) {
                    Ok(()) => Ok(()),
                    Err(reason) => inference::of_struct(decode, self.code, reason, &mut read, to),
                }
            }
            kind @ (PropertyKind::Array
            | PropertyKind::Set
            | PropertyKind::Map
            | PropertyKind::Optional) => {
                let of = self.of();
                decode.hint = self.context.hint_of(kind, self.name_ref(), decode.scope);
                let mut read = |decode: &Decode<'p>, to: &mut PropertyValue<'p>| match kind {
                    PropertyKind::Array => decode.whole(self, |all, from| all.array(from, &of, to)),
                    _ => decode.whole(self, |all, from| all.container(from, kind, &of, to)),
                };
                match read(&decode, to) {
                    Ok(()) => Ok(()),
                    Err(reason) => {
                        inference::of_container(decode, &self.head().of, reason, &mut read, to)
                    }
                }
            }
            kind => decode.whole(self, |all, from| all.value(from, kind, None, to)),
        }
    }
}

/// The state of decoding a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decode<'p> {
    pub context: &'p PropertyContext<'p>,
    /// The struct types that the caller has supplied for the property.
    pub hint: Option<&'p StructHint<'p>>,
    /// `true` if enums of one byte are stored as names.
    pub bytes_are_names: bool,
    /// How structs are read: first those in keys, then all others.
    pub readings: [Reading; 2],
    /// The tag's flag for native serialization; `None` in an optional, and in files whose tags do
    /// not have the flag.
    pub native: Option<bool>,
    /// Position of the value: directly after its tag, or in a container.
    pub place: ValuePosition,
    /// Remaining nesting depth.
    pub depth_left: u8,
    /// The scope in which hints for the lists of properties in the value are found.
    pub scope: HintScope,
}

/// Reads a name, and checks that the file has it.
#[inline]
pub(super) fn read_name<'p>(
    from: &mut FileCursor<'p>,
    context: &PropertyContext<'p>,
) -> Result<NameRef<'p>, Error> {
    let at = *from;
    let name = from.read(&context.layout)?;
    context.check(name, &at)?;
    Ok(name)
}

/// The position of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValuePosition {
    /// Directly after the tag of a property.
    Tag,
    Key,
    Element,
}

impl<'p> Decode<'p> {
    fn new(tag: &Tag<'p>) -> Self {
        Self {
            context: tag.context,
            hint: None,
            bytes_are_names: false,
            readings: [Reading::USUAL; 2],
            native: tag.native,
            place: ValuePosition::Tag,
            depth_left: tag.depth_left,
            scope: HintScope::NONE,
        }
    }

    /// Creates the state for a value without a tag.
    pub(super) const fn with(
        context: &'p PropertyContext<'p>,
        place: ValuePosition,
        depth_left: u8,
    ) -> Self {
        Self {
            context,
            hint: None,
            bytes_are_names: false,
            readings: [Reading::USUAL; 2],
            native: None,
            place,
            depth_left,
            scope: HintScope::NONE,
        }
    }

    /// Returns the state for the contents of a value, one nesting level deeper. If this exceeds the
    /// limit, returns an error with the offset of `at`.
    pub(crate) fn inside(self, at: &FileCursor<'_>) -> Result<Self, Error> {
        match self.depth_left.checked_sub(1) {
            Some(depth_left) => Ok(Self { depth_left, ..self }),
            None => Err(at.error(ErrorKind::TooDeep { limit: MAX_DEPTH.into() })),
        }
    }

    /// Reads the value of a tag with `read`, and checks that no bytes remain.
    #[inline(always)]
    fn whole(
        &self,
        tag: &Tag<'p>,
        read: impl FnOnce(&Self, &mut FileCursor<'p>) -> Result<(), OpaqueReason>,
    ) -> Result<(), OpaqueReason> {
        let mut from = tag.payload;
        read(self, &mut from)?;
        match u32::try_from(from.remaining()) {
            Ok(0) => Ok(()),
            left => Err(OpaqueReason::LeftOver(left.unwrap_or(u32::MAX))),
        }
    }

    /// Reads an array, which may have an inner tag.
    fn array(
        self,
        from: &mut FileCursor<'p>,
        of: &PropertyType<'p>,
        to: &mut PropertyValue<'p>,
    ) -> Result<(), OpaqueReason> {
        let (count, of, inside) = self.array_head(from, of)?;
        *to = PropertyValue::Array(Elements::read(from, count, of, inside)?);
        Ok(())
    }

    /// Reads the number of elements of an array, and its inner tag. Returns the number, the type of
    /// the elements, and the state for reading them.
    #[inline(always)]
    pub(super) fn array_head(
        mut self,
        from: &mut FileCursor<'p>,
        of: &PropertyType<'p>,
    ) -> Result<(u32, PropertyType<'p>, Self), OpaqueReason> {
        let mut of = of.inner().ok_or(OpaqueReason::UnknownElements)?;
        let count = from.count(0, &self.context.layout)?;
        let mut behind = *from;
        if of.shares_tag()
            && let Ok(Some(head)) = TagHead::read(&mut behind, self.context)
        {
            *from = behind;
            head.of.struct_name().into_iter().for_each(|name| of.name_it(name));
        }
        let each = from.remaining().checked_div(count.into()).unwrap_or_default();
        self.bytes_are_names = of.kind() == PropertyKind::Byte && each > 1;
        let inside = self.inside(from)?.at(ValuePosition::Element);
        Ok((count, of, inside))
    }

    pub(crate) fn at(self, place: ValuePosition) -> Self {
        Self { place, ..self }
    }

    /// Reads a value of this kind into `to`. Values are large, and a returned value would be
    /// copied.
    pub(crate) fn value(
        &self,
        from: &mut FileCursor<'p>,
        kind: PropertyKind,
        of: Option<&PropertyType<'p>>,
        to: &mut PropertyValue<'p>,
    ) -> Result<(), OpaqueReason> {
        let layout = &self.context.layout;
        match kind {
            PropertyKind::Bool => *to = PropertyValue::Bool(from.read::<u8>(layout)? != 0),
            PropertyKind::Int8 => *to = PropertyValue::Int(from.read::<i8>(layout)?.into()),
            PropertyKind::Int16 => *to = PropertyValue::Int(from.read::<i16>(layout)?.into()),
            PropertyKind::Int => *to = PropertyValue::Int(from.read::<i32>(layout)?.into()),
            PropertyKind::Int64 => *to = PropertyValue::Int(from.read(layout)?),
            PropertyKind::UInt16 => *to = PropertyValue::UInt(from.read::<u16>(layout)?.into()),
            PropertyKind::UInt32 => *to = PropertyValue::UInt(from.read::<u32>(layout)?.into()),
            PropertyKind::UInt64 => *to = PropertyValue::UInt(from.read(layout)?),
            PropertyKind::Float => *to = PropertyValue::Float(from.read(layout)?),
            PropertyKind::Double => *to = PropertyValue::Double(from.read(layout)?),
            PropertyKind::Byte if !self.is_named_byte(from) => {
                *to = PropertyValue::UInt(from.read::<u8>(layout)?.into());
            }
            PropertyKind::Byte | PropertyKind::Enum | PropertyKind::Name => {
                *to = PropertyValue::Name(self.name(from)?)
            }
            PropertyKind::Str => *to = PropertyValue::Str(from.read(layout)?),
            PropertyKind::AnsiStr | PropertyKind::Utf8Str | PropertyKind::VerseString => {
                *to = PropertyValue::Utf8Str(from.read(layout)?);
            }
            PropertyKind::Object
            | PropertyKind::Class
            | PropertyKind::WeakObject
            | PropertyKind::Interface => {
                *to = PropertyValue::Object(from.read(layout)?);
            }
            PropertyKind::LazyObject => *to = PropertyValue::Guid(from.read(layout)?),
            PropertyKind::AssetObject | PropertyKind::AssetClass
                if !layout.has_ue4(ue4::ADDED_SOFT_OBJECT_PATH)
                    || layout.unversioned_properties =>
            {
                *to = PropertyValue::Str(from.read(layout)?);
            }
            PropertyKind::AssetObject
            | PropertyKind::AssetClass
            | PropertyKind::SoftObject
            | PropertyKind::SoftClass => {
                *to = PropertyValue::Soft(self.soft(from)?);
            }
            PropertyKind::Delegate => *to = PropertyValue::Delegate(self.delegate(from)?),
            PropertyKind::MulticastDelegate
            | PropertyKind::MulticastInlineDelegate
            | PropertyKind::MulticastSparseDelegate => {
                *to = PropertyValue::Delegates(Delegates::read(from, self)?);
            }
            PropertyKind::FieldPath => *to = PropertyValue::FieldPath(self.field_path(from)?),
            PropertyKind::Text => {
                *to = PropertyValue::Formatted(FormattedText::read(from, self.context)?)
            }
            PropertyKind::Unknown => return Err(OpaqueReason::UnknownKind),
            PropertyKind::Struct => {
                return self.structure(from, of.map_or(NameCode::UNKNOWN, |of| of.code), of, to);
            }
            PropertyKind::Optional
            | PropertyKind::Array
            | PropertyKind::Set
            | PropertyKind::Map => {
                return self.container(from, kind, of.ok_or(OpaqueReason::UnknownElements)?, to);
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn container(
        &self,
        from: &mut FileCursor<'p>,
        kind: PropertyKind,
        of: &PropertyType<'p>,
        to: &mut PropertyValue<'p>,
    ) -> Result<(), OpaqueReason> {
        *to = match kind {
            PropertyKind::Set => PropertyValue::Set(Set::read(from, of, self.inside(from)?)?),
            PropertyKind::Map => PropertyValue::Map(Map::read(from, of, self.inside(from)?)?),
            PropertyKind::Optional => PropertyValue::Optional(self.optional(from, of)?),
            _ => {
                let inner = of.inner().ok_or(OpaqueReason::UnknownElements)?;
                let count = from.count(self.least(), &self.context.layout)?;
                let inside = self.inside(from)?.at(self.place_in_array());
                PropertyValue::Array(Elements::read(from, count, inner, inside)?)
            }
        };
        Ok(())
    }

    /// Skips a value of this type.
    pub(crate) fn pass(
        &self,
        from: &mut FileCursor<'p>,
        of: &PropertyType<'p>,
    ) -> Result<(), OpaqueReason> {
        match of.kind() {
            PropertyKind::Str => from.read::<StrRef<'p>>(&self.context.layout).map(drop)?,
            PropertyKind::Enum | PropertyKind::Name => self.name(from).map(drop)?,
            PropertyKind::Struct => self.pass_struct(from, of)?,
            kind => self.value(from, kind, Some(of), &mut PropertyValue::Bool(false))?,
        }
        Ok(())
    }

    /// Returns `true` if a byte is stored as the name of an enum member.
    fn is_named_byte(&self, from: &FileCursor<'_>) -> bool {
        match self.place {
            ValuePosition::Tag => from.remaining() > 1,
            _ => self.bytes_are_names,
        }
    }

    /// Reads a name, and checks that the file has it.
    pub(crate) fn name(&self, from: &mut FileCursor<'p>) -> Result<NameRef<'p>, Error> {
        read_name(from, self.context)
    }

    pub(crate) fn soft(&self, from: &mut FileCursor<'p>) -> Result<SoftReference<'p>, Error> {
        let layout = &self.context.layout;
        if layout.soft_references_are_indices() {
            return self.listed(from);
        }
        let package = self.name(from)?;
        let asset = if layout.has_ue5(ue5::FSOFTOBJECTPATH_REMOVE_ASSET_PATH_FNAMES) {
            Some(self.name(from)?)
        } else {
            None
        };
        Ok(SoftReference { package, asset, sub_path: from.read(layout)?, index: None })
    }

    /// Reads a soft reference that is stored as an index into the package's list of soft object
    /// paths.
    fn listed(&self, from: &mut FileCursor<'p>) -> Result<SoftReference<'p>, Error> {
        let at = *from;
        let index: i32 = from.read(&self.context.layout)?;
        let PropertyContext { soft_paths, layout, .. } = self.context;
        soft_paths.prepare(layout, |_, _| ());
        let path = soft_paths.get(index, layout);
        let path = path.ok_or_else(|| at.error(ErrorKind::NoSuchObject(index)))?;
        let (package, asset) = match path.path {
            AssetPath::Whole(name) => (name, None),
            AssetPath::Parts { package, asset } => (package, Some(NameRef::Index(asset))),
        };
        let (package, sub_path) = (NameRef::Index(package), path.sub_path);
        Ok(SoftReference { package, asset, sub_path, index: Some(index) })
    }

    pub(crate) fn delegate(&self, from: &mut FileCursor<'p>) -> Result<Delegate<'p>, Error> {
        let object = from.read(&self.context.layout)?;
        Ok(Delegate { object, function: self.name(from)? })
    }

    fn field_path(&self, from: &mut FileCursor<'p>) -> Result<FieldPath<'p>, Error> {
        let layout = &self.context.layout;
        let path = Names::read(from, self.context)?;
        let owner = match layout.field_paths_have_owners() {
            true => Some(from.read(layout)?),
            false => None,
        };
        Ok(FieldPath { path, owner })
    }

    fn optional(
        &self,
        from: &mut FileCursor<'p>,
        of: &PropertyType<'p>,
    ) -> Result<Elements<'p>, OpaqueReason> {
        let inner = of.inner().ok_or(OpaqueReason::UnknownElements)?;
        let count = u32::from(from.read::<bool>(&self.context.layout)?);
        let inside = Self { native: None, ..self.inside(from)?.at(ValuePosition::Element) };
        Elements::read(from, count, inner, inside)
    }

    /// Returns the minimum size of an element of an array. Without tags, no element is empty.
    const fn least(&self) -> u64 {
        if self.context.layout.unversioned_properties { 1 } else { 0 }
    }

    /// Returns the position for the elements of an array that does not directly follow a tag.
    const fn place_in_array(&self) -> ValuePosition {
        match self.context.layout.unversioned_properties {
            true => ValuePosition::Element,
            false => self.place,
        }
    }

    /// Returns the size of each value of this type in a container, if the size is fixed and every
    /// bit pattern is valid.
    pub(crate) fn size(&self, of: &PropertyType<'p>) -> Option<u64> {
        let layout = &self.context.layout;
        Some(match of.kind() {
            PropertyKind::Bool | PropertyKind::Int8 => 1,
            PropertyKind::Byte if !self.bytes_are_names && self.place != ValuePosition::Tag => 1,
            PropertyKind::Int16 | PropertyKind::UInt16 => 2,
            PropertyKind::Int | PropertyKind::UInt32 | PropertyKind::Float => 4,
            PropertyKind::Int64 | PropertyKind::UInt64 | PropertyKind::Double => 8,
            PropertyKind::Object
            | PropertyKind::Class
            | PropertyKind::WeakObject
            | PropertyKind::Interface
                if !layout.names_as_text =>
            {
                4
            }
            PropertyKind::LazyObject => 16,
            PropertyKind::Struct => match self.native_struct(of.code)?.form {
                NativeForm::Fields(fields) => size(fields, layout)?,
                NativeForm::Scalar(part) => part.size(layout)?,
                _ => return None,
            },
            _ => return None,
        })
    }
}
