//! Iterators over the contents of containers.

use super::decode::{Decode, ValuePosition};
use super::value::{Delegate, OpaqueReason, PropertyValue};
use crate::unreal::format::{FileCursor, Result, Value};
#[cfg(feature = "serde")]
use crate::unreal::properties::types::PropertyKind;
use crate::unreal::properties::types::{NameRef, PropertyContext, PropertyType};
use core::iter::FusedIterator;

/// An iterator over the values of an array, a set or an optional, or over the removed keys of a
/// map. The values were checked when the container was read, so their number is exact.
#[derive(Clone, Copy, Debug)]
pub struct Elements<'p> {
    pub(super) from: FileCursor<'p>,
    pub(super) left: u32,
    of: PropertyType<'p>,
    decode: Decode<'p>,
}

impl<'p> Elements<'p> {
    /// Reads `count` values, and moves `from` past them.
    pub(crate) fn read(
        from: &mut FileCursor<'p>,
        count: u32,
        of: PropertyType<'p>,
        decode: Decode<'p>,
    ) -> core::result::Result<Self, OpaqueReason> {
        let start = *from;
        // Values of fixed size without invalid bit patterns need not be read.
        let size = decode.size(&of).and_then(|each| each.checked_mul(count.into()));
        if let Some(from) = size.and_then(|size| from.window(size).ok()) {
            // If elements take no bytes, nothing bounds their number.
            if size == Some(0) && count > 0 {
                return Err(OpaqueReason::UnknownElements);
            }
            return Ok(Self { from, left: count, of, decode });
        }
        for _ in 0..count {
            decode.pass(from, &of)?;
        }
        Ok(Self { from: start.until(from), left: count, of, decode })
    }

    /// Returns the state with which the values are decoded.
    pub(crate) const fn decode(&self) -> &Decode<'p> {
        &self.decode
    }

    /// Returns the type of the values.
    pub const fn of(&self) -> PropertyType<'p> {
        self.of
    }

    /// Returns the bytes of the remaining values.
    pub fn bytes(&self) -> &'p [u8] {
        self.from.rest()
    }

    /// Returns the bytes, if the elements are stored as one byte each.
    #[cfg(feature = "serde")]
    pub(crate) fn as_byte_array(&self) -> Option<&'p [u8]> {
        let is_byte = matches!(self.of.kind(), PropertyKind::Byte | PropertyKind::Int8);
        (is_byte && self.decode.size(&self.of) == Some(1)).then(|| self.bytes())
    }

    /// Returns the values that begin at `from`, without reading them.
    pub(super) const fn unchecked(
        from: FileCursor<'p>,
        left: u32,
        of: PropertyType<'p>,
        decode: Decode<'p>,
    ) -> Self {
        Self { from, left, of, decode }
    }

    /// Returns the offset of the next value in the file.
    pub fn offset(&self) -> u64 {
        self.from.offset()
    }

    /// Returns the last `left` values. The first of them begins at `offset`, which must be an
    /// offset that [`offset`](Self::offset) has returned for the same values. For any other offset,
    /// the iterator can yield fewer or other values.
    #[must_use]
    pub fn resume(mut self, offset: u64, left: u32) -> Self {
        let skipped = offset.saturating_sub(self.from.offset());
        let skipped = self.from.bytes(skipped);
        Self { left: if skipped.is_ok() { left.min(self.left) } else { 0 }, ..self }
    }

    /// Returns the first `left` values, which take `size` bytes.
    fn before(self, (left, size): (u32, usize)) -> Self {
        let front = { self.from }.window(size as u64);
        Self { from: front.unwrap_or(self.from), left, ..self }
    }

    /// Returns the values that follow a prefix of `size` bytes and a count.
    fn behind(self, (_, size): (u32, usize)) -> Self {
        let mut from = self.from;
        let _ = from.bytes((size as u64).saturating_add(4)); // these bytes exist
        Self { from, ..self }
    }
}

impl<'p> Iterator for Elements<'p> {
    type Item = PropertyValue<'p>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let mut value = PropertyValue::Bool(false);
        let Self { from, of, decode, .. } = self;
        decode.value(from, of.kind(), Some(of), &mut value).ok()?;
        Some(value)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Elements<'_> {}
impl FusedIterator for Elements<'_> {}

/// A set.
#[derive(Clone, Copy, Debug)]
pub struct Set<'p> {
    /// The bytes of the removed values, followed by a count and the other values.
    all: Elements<'p>,
    /// Number of removed values, and their size in bytes.
    removed: (u32, usize),
}

impl<'p> Set<'p> {
    /// Creates a set without reading its values. `all` begins with the removed values, and
    /// `removed` is their number and their size in bytes.
    pub(super) const fn unchecked(all: Elements<'p>, removed: (u32, usize)) -> Self {
        Self { all, removed }
    }

    pub(crate) fn read(
        from: &mut FileCursor<'p>,
        of: &PropertyType<'p>,
        decode: Decode<'p>,
    ) -> core::result::Result<Self, OpaqueReason> {
        let of = of.inner().ok_or(OpaqueReason::UnknownElements)?;
        let (layout, decode) = (&decode.context.layout, decode.at(ValuePosition::Element));
        let count = from.count(1, layout)?;
        let start = *from;
        let removed = Elements::read(from, count, of, decode)?;
        let left = from.count(1, layout)?;
        Elements::read(from, left, of, decode)?;
        let all = Elements { from: start.until(from), left, of, decode };
        Ok(Self { all, removed: (count, removed.bytes().len()) })
    }

    /// Returns the removed values: those that the set of the object's template contains but this
    /// set does not.
    pub fn removed(&self) -> Elements<'p> {
        self.all.before(self.removed)
    }

    /// Returns the added values: those that this set contains but the set of the object's template
    /// does not.
    pub fn values(&self) -> Elements<'p> {
        self.all.behind(self.removed)
    }
}

/// A map.
#[derive(Clone, Copy, Debug)]
pub struct Map<'p> {
    /// The bytes of the removed keys, followed by a count and the entries. `of` is the map type.
    all: Elements<'p>,
    removed: (u32, usize),
}

/// The entries of a map.
#[derive(Clone, Copy, Debug)]
pub struct Entries<'p> {
    keys: Elements<'p>,
    value: PropertyType<'p>,
}

impl<'p> Map<'p> {
    /// Creates a map without reading its entries. `all` begins with the removed keys, and `removed`
    /// is their number and their size in bytes.
    pub(super) const fn unchecked(all: Elements<'p>, removed: (u32, usize)) -> Self {
        Self { all, removed }
    }

    pub(crate) fn read(
        from: &mut FileCursor<'p>,
        of: &PropertyType<'p>,
        decode: Decode<'p>,
    ) -> core::result::Result<Self, OpaqueReason> {
        let types = of.inner().zip(of.value());
        let (key, value) = types.ok_or(OpaqueReason::UnknownElements)?;
        let (layout, decode) = (&decode.context.layout, decode.at(ValuePosition::Key));
        let count = from.count(1, layout)?;
        let start = *from;
        let removed = Elements::read(from, count, key, decode)?;
        let left = from.count(1, layout)?;
        let start_of_entries = *from;
        for _ in 0..left {
            decode.pass(from, &key)?;
            decode.at(ValuePosition::Element).pass(from, &value)?;
            // If entries take no bytes, nothing bounds their number.
            if from.offset() == start_of_entries.offset() {
                return Err(OpaqueReason::UnknownElements);
            }
        }
        let all = Elements { from: start.until(from), left, of: *of, decode };
        Ok(Self { all, removed: (count, removed.bytes().len()) })
    }

    /// Returns the removed keys: those that the map of the object's template contains but this map
    /// does not.
    pub fn removed(&self) -> Elements<'p> {
        Elements { of: self.types().0, ..self.all.before(self.removed) }
    }

    /// Returns the entries.
    pub fn entries(&self) -> Entries<'p> {
        let (key, value) = self.types();
        Entries { keys: Elements { of: key, ..self.all.behind(self.removed) }, value }
    }

    /// Returns the types of keys and values. Both are known, because this was checked when the map
    /// was read.
    fn types(&self) -> (PropertyType<'p>, PropertyType<'p>) {
        let of = &self.all.of;
        of.inner().zip(of.value()).unwrap_or((*of, *of))
    }
}

impl<'p> Entries<'p> {
    /// Returns the offset of the next entry in the file.
    pub fn offset(&self) -> u64 {
        self.keys.offset()
    }

    /// Returns the last `left` entries. The first of them begins at `offset`. See
    /// [`Elements::resume`].
    #[must_use]
    pub fn resume(self, offset: u64, left: u32) -> Self {
        Self { keys: self.keys.resume(offset, left), ..self }
    }

    /// Returns the key of the next entry, and the offset of its value.
    pub fn peek_key(&self) -> Option<(PropertyValue<'p>, u64)> {
        let mut keys = self.keys;
        let key = keys.next()?;
        Some((key, keys.offset()))
    }

    /// Returns the type of the values.
    pub const fn value(&self) -> PropertyType<'p> {
        self.value
    }

    /// Returns the type of the keys.
    pub const fn key(&self) -> PropertyType<'p> {
        self.keys.of
    }

    /// Returns the names that a hint or inference gives to the structs in keys and in values.
    #[cfg(feature = "serde")]
    pub(crate) fn struct_names(&self) -> [Option<&'p str>; 2] {
        let decode = &self.keys.decode;
        [decode.struct_name(), decode.at(ValuePosition::Element).struct_name()]
    }
}

impl<'p> Iterator for Entries<'p> {
    type Item = (PropertyValue<'p>, PropertyValue<'p>);

    fn next(&mut self) -> Option<Self::Item> {
        let Elements { from, left, of, decode } = &mut self.keys;
        *left = left.checked_sub(1)?;
        let (mut key, mut value) = (PropertyValue::Bool(false), PropertyValue::Bool(false));
        decode.value(from, of.kind(), Some(of), &mut key).ok()?;
        let (decode, of) = (decode.at(ValuePosition::Element), &self.value);
        decode.value(from, of.kind(), Some(of), &mut value).ok()?;
        Some((key, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.keys.size_hint()
    }
}

impl ExactSizeIterator for Entries<'_> {}

/// The functions that a multicast delegate calls.
#[derive(Clone, Copy, Debug)]
pub struct Delegates<'p> {
    from: FileCursor<'p>,
    left: u32,
    decode: Decode<'p>,
}

impl<'p> Delegates<'p> {
    /// Returns the offset of the next delegate in the file.
    pub fn offset(&self) -> u64 {
        self.from.offset()
    }

    pub(crate) fn read(from: &mut FileCursor<'p>, decode: &Decode<'p>) -> Result<Self> {
        let left = from.count(8, &decode.context.layout)?;
        let start = *from;
        for _ in 0..left {
            decode.delegate(from)?;
        }
        Ok(Self { from: start.until(from), left, decode: *decode })
    }
}

impl<'p> Iterator for Delegates<'p> {
    type Item = Delegate<'p>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        self.decode.delegate(&mut self.from).ok()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Delegates<'_> {}

/// A sequence of names.
#[derive(Clone, Copy, Debug)]
pub struct Names<'p> {
    from: FileCursor<'p>,
    left: u32,
    context: &'p PropertyContext<'p>,
}

impl<'p> Names<'p> {
    /// Returns the offset of the next name in the file.
    pub fn offset(&self) -> u64 {
        self.from.offset()
    }

    /// Returns the text of a name of this sequence, or an empty text if the file does not contain
    /// it.
    pub fn name(&self, name: NameRef<'p>) -> crate::unreal::format::NameText<'p> {
        self.context.text(name).unwrap_or_default()
    }

    pub(crate) fn read(
        from: &mut FileCursor<'p>,
        context: &'p PropertyContext<'p>,
    ) -> Result<Self> {
        let left = from.count(NameRef::LEAST, &context.layout)?;
        let start = *from;
        for _ in 0..left {
            let at = *from;
            let name = from.read(&context.layout)?;
            context.check(name, &at)?;
        }
        Ok(Self { from: start.until(from), left, context })
    }
}

impl<'p> Iterator for Names<'p> {
    type Item = NameRef<'p>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        self.from.read(&self.context.layout).ok()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Names<'_> {}
