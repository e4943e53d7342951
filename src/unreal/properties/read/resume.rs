//! Opens containers without reading their contents, for programs that show parts of a large file.

use super::containers::{Elements, Map, Set};
use super::decode::{Decode, ValuePosition};
use super::inference::Reading;
use super::list::{ListState, Properties};
use super::tag::{Origin, Tag};
use super::value::{OpaqueReason, PropertyValue};
use crate::unreal::format::{FileCursor, ue5};
use crate::unreal::properties::types::{NameRef, PropertyContext, PropertyKind, PropertyType};

/// The encoding of a container's contents, as far as the file does not state it. It is known only
/// after the whole container was read. With it, [`Tag::unchecked_container`] opens the container
/// again without reading its contents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContainerEncoding {
    readings: [u8; 2],
    bytes_are_names: bool,
    is_hinted: bool,
}

impl ContainerEncoding {
    /// Returns the encoding as a number.
    pub const fn to_bits(self) -> u32 {
        let flags = self.bytes_are_names as u8 | (self.is_hinted as u8) << 1;
        u32::from_le_bytes([self.readings[0], self.readings[1], flags, 0])
    }

    /// Returns the encoding for a number from [`to_bits`](Self::to_bits).
    pub const fn from_bits(bits: u32) -> Self {
        let [key, value, flags, _] = bits.to_le_bytes();
        let (bytes_are_names, is_hinted) = (flags & 1 != 0, flags & 2 != 0);
        Self { readings: [key, value], bytes_are_names, is_hinted }
    }

    fn of(decode: &Decode<'_>) -> Self {
        Self {
            readings: decode.readings.map(|reading| reading.0),
            bytes_are_names: decode.bytes_are_names,
            is_hinted: decode.hint.is_some(),
        }
    }
}

impl PropertyValue<'_> {
    /// Returns the encoding of the contents of an array, set or map. For other values, it has no
    /// meaning.
    pub fn container_encoding(&self) -> ContainerEncoding {
        match self {
            Self::Array(elements) => ContainerEncoding::of(elements.decode()),
            Self::Set(set) => ContainerEncoding::of(set.removed().decode()),
            Self::Map(map) => ContainerEncoding::of(map.removed().decode()),
            _ => ContainerEncoding::default(),
        }
    }
}

impl<'p> Properties<'p> {
    /// Returns the properties that begin at `offset`, which must be an offset that
    /// [`offset`](Self::offset) has returned for the same list. Returns `None` if the properties
    /// have no tags, because an offset does not determine their slots.
    pub fn resume(mut self, offset: u64) -> Option<Self> {
        let skipped = offset.checked_sub(self.offset())?;
        self.at.bytes(skipped).ok()?;
        (self.state == ListState::Tags).then_some(self)
    }
}

impl<'p> Tag<'p> {
    /// Returns the offset of the field in the tag that contains the size of the value. Returns
    /// `None` if the property has no tag.
    pub fn size_offset(&self) -> Option<u64> {
        match self.origin {
            Origin::Tag(start, _) => size_field(start, self.context).map(|at| at.offset()),
            Origin::Slot(_) => None,
        }
    }

    /// Returns the offset of the size in the [inner tag](Self::inner_tag), if the value has one.
    pub fn inner_size_offset(&self) -> Option<u64> {
        self.inner_tag()?;
        let mut start = self.payload;
        start.bytes(4).ok()?;
        size_field(start, self.context).map(|at| at.offset())
    }

    /// Returns the offset of the byte in the tag that contains the value of a bool. From 5:1012 on,
    /// it is the byte of the [flags](super::tag::tag_flags). Returns `None` for other types.
    pub fn bool_offset(&self) -> Option<u64> {
        let layout = &self.context.layout;
        let behind = if layout.has_ue5(ue5::PROPERTY_TAG_COMPLETE_TYPE_NAME) { 4 } else { 8 };
        let is_bool = self.kind() == PropertyKind::Bool;
        self.size_offset().filter(|_| is_bool).map(|at| at.saturating_add(behind))
    }

    /// Returns the value of an array, set or map without reading its contents. `encoding` must come
    /// from a [`value`](Self::value) of the same property. Otherwise, or if the file has changed,
    /// iterators over the contents can end early or yield wrong values. Reads all other values, and
    /// values of properties without tags, as `value` does.
    pub fn unchecked_container(&self, encoding: ContainerEncoding) -> PropertyValue<'p> {
        let opened = match self.slot() {
            None => self.open_container(encoding).ok().flatten(),
            Some(_) => None,
        };
        opened.unwrap_or_else(|| self.value())
    }

    fn open_container(
        &self,
        encoding: ContainerEncoding,
    ) -> Result<Option<PropertyValue<'p>>, OpaqueReason> {
        let (mut decode, of, mut from) = (self.decode(), self.of(), self.payload);
        decode.readings = encoding.readings.map(Reading);
        decode.bytes_are_names = encoding.bytes_are_names;
        if encoding.is_hinted {
            decode.hint = self.context.hint_of(self.kind(), self.name_ref(), decode.scope);
        }
        Ok(Some(match self.kind() {
            PropertyKind::Array => {
                let (count, of, inside) = decode.array_head(&mut from, &of)?;
                PropertyValue::Array(Elements::unchecked(from, count, of, inside))
            }
            PropertyKind::Set => {
                let inner = of.inner().ok_or(OpaqueReason::UnknownElements)?;
                let inside = decode.inside(&from)?.at(ValuePosition::Element);
                let (all, removed) = split(from, inner, inner, inside)?;
                PropertyValue::Set(Set::unchecked(all, removed))
            }
            PropertyKind::Map => {
                let key = of.inner().ok_or(OpaqueReason::UnknownElements)?;
                of.value().ok_or(OpaqueReason::UnknownElements)?;
                let inside = decode.inside(&from)?.at(ValuePosition::Key);
                let (all, removed) = split(from, key, of, inside)?;
                PropertyValue::Map(Map::unchecked(all, removed))
            }
            _ => return Ok(None),
        }))
    }
}

/// Returns a cursor at the size in the tag that begins at `at`.
fn size_field<'p>(
    mut at: FileCursor<'p>,
    context: &'p PropertyContext<'p>,
) -> Option<FileCursor<'p>> {
    let layout = &context.layout;
    at.read::<NameRef<'p>>(layout).ok()?;
    if layout.has_ue5(ue5::PROPERTY_TAG_COMPLETE_TYPE_NAME) {
        PropertyType::read_tree(&mut at, context).ok()?;
    } else {
        at.read::<NameRef<'p>>(layout).ok()?;
    }
    Some(at)
}

/// Reads the removed values or keys, and the number of the other values or entries. Returns a view
/// of all of them with the type `of`, and the number and the size of the removed ones.
fn split<'p>(
    mut from: FileCursor<'p>,
    removed: PropertyType<'p>,
    of: PropertyType<'p>,
    decode: Decode<'p>,
) -> Result<(Elements<'p>, (u32, usize)), OpaqueReason> {
    let layout = &decode.context.layout;
    let count = from.count(1, layout)?;
    let start = from;
    let removed = Elements::read(&mut from, count, removed, decode)?;
    let left = from.count(1, layout)?;
    Ok((Elements::unchecked(start, left, of, decode), (count, removed.bytes().len())))
}
