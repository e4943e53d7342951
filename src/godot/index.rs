//! Where containers end, found in one pass and kept in the caller's memory.
//!
//! A container has no length on the wire, so an iterator over views walks through each one
//! inside to find what comes next: views of views cost more with every level. With an index
//! every step is constant time, at any depth.

use super::array::ArrayRef;
use super::checked::{decode_other, everywhere};
use super::container::COUNT;
use super::dialect::{Job, Spec};
use super::dictionary::DictionaryRef;
use super::payload::Header;
use super::text;
use super::wire::U32;
use super::{Dialect, Kind, ObjectRef, StrRef, VariantRef};
use crate::base::Cursor;
use core::fmt;
use core::iter::FusedIterator;

mod builder;

pub(super) use builder::Builder;

/// What an index has of one container: 8 bytes.
///
/// A packet has at most one for every 8 of its bytes. See [`Reader::index`](super::Reader::index).
#[derive(Clone, Copy, Debug, Default)]
pub struct IndexEntry {
    /// Its bytes. While it is open: where it starts.
    len: u32,
    /// How many containers are inside, at any depth; their entries follow this one. While it is
    /// open: the entry of the one around it.
    inside: u32,
}

/// A value, and where the containers in it end.
///
/// ```
/// use gamewire::godot::{Dialect, IndexEntry, Reader, VariantRef};
///
/// /// How deep the deepest leaf is.
/// fn depth(value: gamewire::godot::IndexedRef<'_, '_>) -> usize {
///     value.items().map(|item| 1 + depth(item)).max().unwrap_or(0)
/// }
///
/// let packet = b"\x1c\0\0\0\x01\0\0\0".repeat(500); // arrays of one array
/// let packet = [&packet[..], &[0; 4]].concat();
/// let mut memory = [IndexEntry::default(); 500];
/// let value = Reader::new(&packet, Dialect::Godot4).index(&mut memory)?;
/// assert_eq!(depth(value), 500);
/// assert!(matches!(value.value(), VariantRef::Array(array) if array.len() == 1));
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct IndexedRef<'a, 'm> {
    /// From its header on, what comes after it included.
    rest: &'a [u8],
    /// Its own, if it is a container, and those to come.
    entries: &'m [IndexEntry],
    seen: Seen,
    /// The value, if that is [`Seen::Other`].
    other: VariantRef<'a>,
    dialect: Dialect,
}

impl<'a, 'm> IndexedRef<'a, 'm> {
    /// The first value of checked bytes, whose entries these are.
    pub(super) fn first(rest: &'a [u8], dialect: Dialect, entries: &'m [IndexEntry]) -> Self {
        IndexedItems { rest, entries, left: 1, properties: 0, dialect }.step()
    }

    /// The value. Views of containers know nothing of the index.
    #[inline(always)]
    pub fn value(&self) -> VariantRef<'a> {
        match self.seen {
            Seen::Int => VariantRef::Int((self.word().0 as i32).into()),
            Seen::Text => {
                let (len, mut after) = self.word();
                VariantRef::String(StrRef::new(text::padded(&mut after, len).unwrap_or_default()))
            }
            Seen::Bool => VariantRef::Bool(self.word().0 != 0),
            Seen::Float => VariantRef::Float(f32::from_bits(self.word().0).into()),
            Seen::WideFloat => {
                let (low, mut after) = self.word();
                let high = after.read::<U32>().map_or(0, |high| high.get());
                VariantRef::Float(f64::from_bits(u64::from(high) << 32 | u64::from(low)))
            }
            Seen::Array => {
                let (bytes, len, dialect) = (self.container(), self.word().0 & COUNT, self.dialect);
                VariantRef::Array(ArrayRef { bytes, len, dialect })
            }
            Seen::Dictionary => {
                let (bytes, len, dialect) = (self.container(), self.word().0 & COUNT, self.dialect);
                VariantRef::Dictionary(DictionaryRef { bytes, len, dialect })
            }
            Seen::Other => self.other,
        }
    }

    /// What follows the header, seen with it, and what comes after that.
    #[inline(always)]
    fn word(&self) -> (u32, Cursor<'a>) {
        match Cursor::new(self.rest).ahead::<[U32; 2]>() {
            Some((&[_, word], after)) => (word.get(), after),
            None => (0, Cursor::new(&[])),
        }
    }

    /// The bytes of this, a container.
    #[inline(always)]
    fn container(&self) -> &'a [u8] {
        let Some(entry) = self.entries.first() else { return &[] };
        self.rest.get(..entry.len as usize).unwrap_or(self.rest)
    }

    /// The elements of an array, the keys and values of a dictionary in turns, or the values of
    /// an object's properties; of anything else, nothing. Each step is constant time.
    #[inline(always)]
    pub fn items(&self) -> IndexedItems<'a, 'm> {
        let (rest, left, properties) = match self.seen {
            Seen::Array | Seen::Dictionary => {
                let (count, items) = self.word();
                let each = if matches!(self.seen, Seen::Array) { 1 } else { 2 };
                (items.rest(), ((count & COUNT) as usize).saturating_mul(each), 0)
            }
            Seen::Other => items_of_other(&self.other),
            _ => (&[][..], 0, 0),
        };
        let entries = match self.entries {
            [_, inside @ ..] => inside,
            [] => &[],
        };
        IndexedItems { rest, entries, left, properties, dialect: self.dialect }
    }

    /// The value of a dictionary's first key that is this text, comparing bytes, or of an
    /// object's last property of that name, as [`DictionaryRef::get`](super::DictionaryRef::get)
    /// and [`FullObject::get`](super::FullObject::get). Containers on the way are stepped over.
    pub fn get(&self, key: &str) -> Option<Self> {
        let mut items = self.items();
        if items.properties > 0 {
            let mut found = None;
            while let Some((name, value)) = items.next_named() {
                found = if name == key { Some(value) } else { found };
            }
            return found;
        }
        self.value().as_dictionary()?;
        while let Some(found) = items.next() {
            let value = items.next()?;
            if found.value().as_str().is_some_and(|text| text == key) {
                return Some(value);
            }
        }
        None
    }

    /// The element of an array, after stepping over those before it.
    pub fn at(&self, index: usize) -> Option<Self> {
        self.value().as_array()?;
        self.items().nth(index)
    }
}

impl fmt::Debug for IndexedRef<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value().fmt(f)
    }
}

/// What a value is, seen at its header. What most values are is decoded where it is wanted, from
/// bytes at hand, and so nothing of it is kept in memory.
#[derive(Clone, Copy)]
enum Seen {
    Int,
    Text,
    Float,
    WideFloat,
    Bool,
    Array,
    Dictionary,
    Other,
}

/// Iterator over what is in an [`IndexedRef`].
#[derive(Clone, Debug)]
pub struct IndexedItems<'a, 'm> {
    rest: &'a [u8],
    /// Of the containers to come.
    entries: &'m [IndexEntry],
    left: usize,
    /// Or properties, a name in front of each value. (Of these and those one is 0, so that between
    /// the items of others nobody has to ask for names.)
    properties: usize,
    dialect: Dialect,
}

impl<'a, 'm> IndexedItems<'a, 'm> {
    /// An object's property: its name and its value.
    pub fn next_named(&mut self) -> Option<(StrRef<'a>, IndexedRef<'a, 'm>)> {
        if self.properties == 0 {
            return None;
        }
        let mut at = Cursor::new(self.rest);
        let name = StrRef::new(text::read(&mut at, self.dialect.rules()).ok()?);
        Some((name, self.next()?))
    }

    /// The next item.
    #[inline(always)]
    fn step(&mut self) -> IndexedRef<'a, 'm> {
        const STRING: u32 = everywhere(Kind::String);
        const INT: u32 = everywhere(Kind::Int);
        const BOOL: u32 = everywhere(Kind::Bool);
        const FLOAT: u32 = everywhere(Kind::Float);
        const WIDE_FLOAT: u32 = FLOAT | Header::WIDE;
        let Self { rest, entries, dialect, .. } = *self;
        let Some((&[header, word], mut after)) = Cursor::new(rest).ahead::<[U32; 2]>() else {
            return self.step_other();
        };
        let header = header.get();
        let seen = if header == INT {
            Seen::Int
        } else if header == STRING {
            // Where a pad may be missing and is, this is another one.
            if text::padded(&mut after, word.get()).is_err() {
                return self.step_other();
            }
            Seen::Text
        } else {
            match header.wrapping_sub(dialect.dictionary()) {
                0 => return self.step_container(Seen::Dictionary),
                1 => return self.step_container(Seen::Array),
                _ => {}
            }
            match header {
                BOOL => Seen::Bool,
                FLOAT => Seen::Float,
                WIDE_FLOAT if after.read::<U32>().is_ok() => Seen::WideFloat,
                _ => return self.step_other(),
            }
        };
        self.rest = after.rest();
        IndexedRef { rest, entries, seen, other: VariantRef::Nil, dialect }
    }

    #[inline(always)]
    fn step_container(&mut self, seen: Seen) -> IndexedRef<'a, 'm> {
        let Self { rest, entries, dialect, .. } = *self;
        (self.rest, self.entries) = after_container(rest, entries);
        IndexedRef { rest, entries, seen, other: VariantRef::Nil, dialect }
    }

    #[inline(always)]
    fn step_other(&mut self) -> IndexedRef<'a, 'm> {
        let Self { rest, entries, dialect, .. } = *self;
        let other = read_other(rest, entries, dialect);
        self.rest = other.rest;
        self.entries = other.entries;
        IndexedRef { rest, entries, seen: Seen::Other, other: other.value, dialect }
    }
}

impl<'a, 'm> Iterator for IndexedItems<'a, 'm> {
    type Item = IndexedRef<'a, 'm>;

    #[inline(always)]
    fn next(&mut self) -> Option<IndexedRef<'a, 'm>> {
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None => {
                self.properties = self.properties.checked_sub(1)?;
                self.rest = past_name(self.rest, self.dialect);
            }
        }
        Some(self.step())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.left.saturating_add(self.properties);
        (left, Some(left))
    }
}

impl ExactSizeIterator for IndexedItems<'_, '_> {}
impl FusedIterator for IndexedItems<'_, '_> {}

#[inline(never)]
fn past_name(rest: &[u8], dialect: Dialect) -> &[u8] {
    let mut at = Cursor::new(rest);
    let name = text::read(&mut at, dialect.rules());
    debug_assert!(name.is_ok(), "checked when the index was made");
    at.rest()
}

/// What comes after the container that starts there, and the entries of containers to come.
/// Should a bug make that miss, nothing.
#[inline(always)]
fn after_container<'a, 'm>(
    rest: &'a [u8],
    entries: &'m [IndexEntry],
) -> (&'a [u8], &'m [IndexEntry]) {
    if let Some((entry, entries)) = entries.split_first()
        && let Some((_, rest)) = rest.split_at_checked(entry.len as usize)
        && let Some((_, entries)) = entries.split_at_checked(entry.inside as usize)
    {
        return (rest, entries);
    }
    (&[], &[])
}

/// Where the items of a container start that says its types, or an object's properties; and how
/// many there are of the ones and the others.
#[inline(never)]
fn items_of_other<'a>(value: &VariantRef<'a>) -> (&'a [u8], usize, usize) {
    match value {
        VariantRef::Array(array) => (array.open().1.rest(), array.len(), 0),
        VariantRef::Dictionary(dictionary) => {
            (dictionary.open().1.rest(), dictionary.len().saturating_mul(2), 0)
        }
        VariantRef::Object(ObjectRef::Full(object)) => (object.open().1.rest(), 0, object.len()),
        _ => (&[], 0, 0),
    }
}

/// A value that is decoded at once, and what comes after it.
struct Other<'a, 'm> {
    value: VariantRef<'a>,
    rest: &'a [u8],
    entries: &'m [IndexEntry],
}

#[inline(never)]
fn read_other<'a, 'm>(
    rest: &'a [u8],
    entries: &'m [IndexEntry],
    dialect: Dialect,
) -> Other<'a, 'm> {
    dialect.run(ReadOther { rest, entries })
}

struct ReadOther<'a, 'm> {
    rest: &'a [u8],
    entries: &'m [IndexEntry],
}

impl<'a, 'm> Job for ReadOther<'a, 'm> {
    type Output = Other<'a, 'm>;

    #[inline(always)]
    fn run<D: Spec>(self) -> Self::Output {
        let Self { rest, mut entries } = self;
        let mut at = Cursor::new(rest);
        let value = decode_other::<D>(&mut at, |mut end| {
            let after;
            (after, entries) = after_container(rest, entries);
            end.go_to(after);
            Ok(end)
        });
        debug_assert!(value.is_ok(), "checked when the index was made");
        Other { value: value.unwrap_or(VariantRef::Nil), rest: at.rest(), entries }
    }
}
