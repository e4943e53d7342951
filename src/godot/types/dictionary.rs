//! Views of a Dictionary, and iterators over its pairs.

use super::array::{Values, open};
use super::container::Container;
use crate::buffer::Cursor;
use crate::godot::read::trusted::{
    decode_as, decode_checked, encoded_checked, skip_container, value_of_key,
};
use crate::godot::table::dialect::{Job, Rules, Spec};
use crate::godot::table::layouts::U32;
use crate::godot::table::payload::{ContainerKind, Head, Header, LeafHandler};
use crate::godot::{Dialect, Encoded, Result, TypeRef, VariantRef};
use core::iter::FusedIterator;

/// A Dictionary: pairs of a key and a value, in the order of insertion. The types of keys and
/// values may be declared.
///
/// A packet can contain a key twice. An engine keeps the position of the first pair and the
/// value of the last. This view shows every pair: [`get`](Self::get) returns the first value, and
/// [`get_last`](Self::get_last) returns the value that an engine keeps.
#[derive(Clone, Copy)]
pub struct DictionaryRef<'a> {
    /// The bytes of the dictionary, including its header.
    pub(crate) bytes: &'a [u8],
    pub(crate) len: u32,
    pub(crate) dialect: Dialect,
}

impl<'a> DictionaryRef<'a> {
    /// Returns the number of pairs.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Returns `true` if there are no pairs.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(crate) fn open(&self) -> (Option<Container<'a>>, Cursor<'a>) {
        open(self.bytes, self.dialect, Container::dictionary)
    }

    /// Returns the declared type of the keys (Godot 4.4 and later).
    pub fn key_type(&self) -> TypeRef<'a> {
        match self.open().0 {
            Some(Container::Dictionary { key, .. }) => key,
            _ => TypeRef::Untyped,
        }
    }

    /// Returns the declared type of the values (Godot 4.4 and later).
    pub fn value_type(&self) -> TypeRef<'a> {
        match self.open().0 {
            Some(Container::Dictionary { value, .. }) => value,
            _ => TypeRef::Untyped,
        }
    }

    /// Returns `true` if bit 31 of the count is set. Godot 2 sets it for dictionaries in shared
    /// mode.
    pub fn is_shared(&self) -> bool {
        matches!(self.open().0, Some(Container::Dictionary { shared: true, .. }))
    }

    /// Iterates over the pairs. A step over a pair of leaves takes constant time, except for a
    /// NodePath or PackedStringArray, whose strings are skipped one by one. A step over a container
    /// walks it to find its end.
    pub fn iter(&self) -> Pairs<'a> {
        Pairs { at: self.open().1, left: self.len(), dialect: self.dialect }
    }

    /// Iterates over keys and values alternately, two items for each pair.
    pub fn flat(&self) -> Values<'a> {
        let left = self.len().saturating_mul(2);
        Values { at: self.open().1, left, dialect: self.dialect }
    }

    /// Returns the value of the first String or StringName key that equals `key`. Steps over all
    /// pairs before it. A step over a pair of leaves takes a few nanoseconds. A step over a pair
    /// that contains a container takes longer, because the container is walked.
    ///
    /// ```
    /// use gamewire::godot::{Dialect, Reader};
    ///
    /// // {"a": 1}, from Godot 4.6.3
    /// let packet = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x01\0\0\0a\0\0\0\x02\0\0\0\x01\0\0\0";
    /// let dictionary = Reader::new(packet, Dialect::Godot4).read()?.as_dictionary().unwrap();
    /// assert_eq!(dictionary.get("a").unwrap().as_i64(), Some(1));
    /// assert!(dictionary.get("b").is_none());
    /// # Ok::<(), gamewire::godot::Error>(())
    /// ```
    pub fn get(&self, key: &str) -> Option<VariantRef<'a>> {
        self.dialect.run(Get { dictionary: self, key: key.as_bytes() })
    }

    /// Returns the value of the last String or StringName key that equals `key`. This is the value
    /// that an engine keeps. Visits all pairs.
    pub fn get_last(&self, key: &str) -> Option<VariantRef<'a>> {
        let found = |key_found: &VariantRef<'a>| key_found.as_str().is_some_and(|text| text == key);
        self.iter().filter(|(key, _)| found(key)).last().map(|(_, value)| value)
    }

    /// Returns the value of the first key, of any type, for which `is_key` returns `true`.
    pub fn get_by(&self, mut is_key: impl FnMut(VariantRef<'a>) -> bool) -> Option<VariantRef<'a>> {
        self.iter().find(|(key, _)| is_key(*key)).map(|(_, value)| value)
    }

    /// Returns the bytes of this dictionary.
    pub const fn encoded(&self) -> Encoded<'a> {
        Encoded::trusted(self.bytes, self.dialect)
    }
}

struct Get<'a, 'k> {
    dictionary: &'k DictionaryRef<'a>,
    key: &'k [u8],
}

impl<'a> Job for Get<'a, '_> {
    type Output = Option<VariantRef<'a>>;

    #[inline(never)]
    fn run<D: Spec>(self) -> Self::Output {
        let mut open = Cursor::new(self.dictionary.bytes);
        let header = Header(open.read::<U32>().ok()?.get());
        Container::dictionary(&mut open, header, D::RULES).ok()?;
        let Self { dictionary, key } = self;
        let end = skip_container::<D>;
        let mut value = value_of_key::<D>(open, dictionary.len, key, end).ok()??;
        decode_as::<D>(&mut value, end).ok()
    }
}

impl<'a> IntoIterator for DictionaryRef<'a> {
    type Item = (VariantRef<'a>, VariantRef<'a>);
    type IntoIter = Pairs<'a>;

    fn into_iter(self) -> Pairs<'a> {
        self.iter()
    }
}

/// Iterator over the pairs of a [`DictionaryRef`].
#[derive(Clone, Debug)]
pub struct Pairs<'a> {
    at: Cursor<'a>,
    left: usize,
    dialect: Dialect,
}

impl<'a> Pairs<'a> {
    /// Iterates over the bytes of the remaining pairs.
    pub fn encoded(self) -> EncodedPairs<'a> {
        EncodedPairs(self)
    }
}

impl<'a> Iterator for Pairs<'a> {
    type Item = (VariantRef<'a>, VariantRef<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let key = decode_checked(&mut self.at, self.dialect)?;
        Some((key, decode_checked(&mut self.at, self.dialect)?))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Pairs<'_> {}
impl FusedIterator for Pairs<'_> {}

/// Iterator over the bytes of the pairs of a [`DictionaryRef`].
#[derive(Clone, Debug)]
pub struct EncodedPairs<'a>(Pairs<'a>);

impl EncodedPairs<'_> {
    /// Returns the offset of the next pair from the start of the dictionary.
    pub(crate) const fn pos(&self) -> usize {
        self.0.at.pos()
    }
}

impl<'a> Iterator for EncodedPairs<'a> {
    type Item = (Encoded<'a>, Encoded<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.left = self.0.left.checked_sub(1)?;
        let mut next = || encoded_checked(&mut self.0.at, self.0.dialect);
        Some((next()?, next()?))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for EncodedPairs<'_> {}
impl FusedIterator for EncodedPairs<'_> {}

/// Reports that a dictionary opens. The walk reads its items.
#[inline(always)]
pub(crate) fn head<'a, T: LeafHandler<'a>>(
    _: &mut Cursor<'a>,
    _: Header,
    _: &Rules,
    _: T,
) -> Result<Head<T::Output>> {
    Ok(Head::Open(ContainerKind::Dictionary))
}
