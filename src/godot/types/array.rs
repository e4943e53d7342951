//! Views of an Array, and iterators over the values of a checked container.

use super::container::Container;
use crate::buffer::Cursor;
use crate::godot::read::trusted::{decode_checked, encoded_checked};
use crate::godot::table::dialect::Rules;
use crate::godot::table::layouts::U32;
use crate::godot::table::payload::{ContainerKind, Head, Header, LeafHandler};
use crate::godot::{Dialect, Encoded, Result, TypeRef, VariantRef};
use core::iter::FusedIterator;

/// An Array: a sequence of values, whose type may be declared.
///
/// ```
/// use gamewire::godot::{Dialect, Reader};
///
/// // [1, "x"], from Godot 4.6.3
/// let packet = b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\0\0\x04\0\0\0\x01\0\0\0x\0\0\0";
/// let array = Reader::new(packet, Dialect::Godot4).read()?.as_array().unwrap();
/// assert_eq!(array.len(), 2);
/// assert!(array.iter().nth(1).unwrap().as_str().unwrap() == "x");
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct ArrayRef<'a> {
    /// The bytes of the array, including its header.
    pub(crate) bytes: &'a [u8],
    pub(crate) len: u32,
    pub(crate) dialect: Dialect,
}

impl<'a> ArrayRef<'a> {
    /// Returns the number of elements.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Returns `true` if there are no elements.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Reads the start of the array and returns it with a cursor at the first element.
    pub(crate) fn open(&self) -> (Option<Container<'a>>, Cursor<'a>) {
        open(self.bytes, self.dialect, Container::array)
    }

    /// Returns the declared type of the elements (Godot 4.3 and later).
    pub fn element_type(&self) -> TypeRef<'a> {
        match self.open().0 {
            Some(Container::Array { element, .. }) => element,
            _ => TypeRef::Untyped,
        }
    }

    /// Returns `true` if bit 31 of the count is set. Godot 2 sets it for arrays in shared mode.
    pub fn is_shared(&self) -> bool {
        matches!(self.open().0, Some(Container::Array { shared: true, .. }))
    }

    /// Iterates over the elements. A step over a leaf takes constant time, except for a NodePath or
    /// PackedStringArray, whose strings are skipped one by one. A step over a container walks it to
    /// find its end.
    pub fn iter(&self) -> Values<'a> {
        Values { at: self.open().1, left: self.len(), dialect: self.dialect }
    }

    /// Returns the element at `index`. Takes time linear in the bytes before it.
    pub fn get(&self, index: usize) -> Option<VariantRef<'a>> {
        self.iter().nth(index)
    }

    /// Returns the bytes of this array.
    pub const fn encoded(&self) -> Encoded<'a> {
        Encoded::trusted(self.bytes, self.dialect)
    }
}

/// Reads the start of a container that was checked before, up to its first item.
pub(crate) fn open<'a>(
    bytes: &'a [u8],
    dialect: Dialect,
    read: impl FnOnce(&mut Cursor<'a>, Header, &Rules) -> Result<Container<'a>>,
) -> (Option<Container<'a>>, Cursor<'a>) {
    let mut at = Cursor::new(bytes);
    let header = Header(at.read::<U32>().map_or(0, |header| header.get()));
    let container = read(&mut at, header, dialect.rules());
    debug_assert!(container.is_ok(), "checked when the view was made");
    (container.ok(), at)
}

impl<'a> IntoIterator for ArrayRef<'a> {
    type Item = VariantRef<'a>;
    type IntoIter = Values<'a>;

    fn into_iter(self) -> Values<'a> {
        self.iter()
    }
}

/// Iterator over values of a checked container.
#[derive(Clone, Debug)]
pub struct Values<'a> {
    pub(crate) at: Cursor<'a>,
    pub(crate) left: usize,
    pub(crate) dialect: Dialect,
}

impl<'a> Values<'a> {
    /// Iterates over the bytes of the remaining values.
    pub fn encoded(self) -> EncodedValues<'a> {
        EncodedValues(self)
    }
}

impl<'a> Iterator for Values<'a> {
    type Item = VariantRef<'a>;

    #[inline]
    fn next(&mut self) -> Option<VariantRef<'a>> {
        self.left = self.left.checked_sub(1)?;
        decode_checked(&mut self.at, self.dialect)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Values<'_> {}
impl FusedIterator for Values<'_> {}

/// Iterator over the bytes of the values of a checked container.
#[derive(Clone, Debug)]
pub struct EncodedValues<'a>(Values<'a>);

impl<'a> Iterator for EncodedValues<'a> {
    type Item = Encoded<'a>;

    fn next(&mut self) -> Option<Encoded<'a>> {
        self.0.left = self.0.left.checked_sub(1)?;
        encoded_checked(&mut self.0.at, self.0.dialect)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for EncodedValues<'_> {}
impl FusedIterator for EncodedValues<'_> {}

/// Reports that an array opens. The walk reads its items.
#[inline(always)]
pub(crate) fn head<'a, T: LeafHandler<'a>>(
    _: &mut Cursor<'a>,
    _: Header,
    _: &Rules,
    _: T,
) -> Result<Head<T::Output>> {
    Ok(Head::Open(ContainerKind::Array))
}
