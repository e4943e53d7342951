//! Where containers end, found in one pass and kept in the caller's memory.
//!
//! A container has no length on the wire, so an iterator over views walks through each one
//! inside to find what comes next: views of views cost more with every level. With an index
//! every step is constant time, at any depth.

use super::checked::{decode_other, decode_quick};
use super::dialect::{Job, Spec};
use super::text;
use super::walk::{Leaf, Open, Property, Visitor};
use super::{Dialect, Error, Kind, ObjectRef, Result, StrRef, VariantRef};
use crate::base::{Cursor, Full};
use core::fmt;
use core::iter::FusedIterator;

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

/// No container is around this one.
const OUTERMOST: u32 = u32::MAX;

/// Makes the entries, in the order in which containers open.
pub(super) struct Builder<'m> {
    entries: &'m mut [IndexEntry],
    /// How many there are, those without room included.
    len: usize,
    /// The entry of the container that was opened last and is not closed.
    innermost: u32,
    base: u64,
}

impl<'m> Builder<'m> {
    pub(super) fn new(entries: &'m mut [IndexEntry], base: u64) -> Self {
        Self { entries, len: 0, innermost: OUTERMOST, base }
    }

    /// The entries, if there was room for all.
    pub(super) fn finish(self) -> core::result::Result<&'m [IndexEntry], Full> {
        let Self { entries, len, .. } = self;
        let missing = len.saturating_sub(entries.len()).saturating_mul(size_of::<IndexEntry>());
        let missing = u32::try_from(missing).unwrap_or(u32::MAX);
        entries.get(..len).ok_or(Full { missing })
    }

    /// Where that is in the window, which has less than 2 GiB.
    #[inline(always)]
    fn place(&self, offset: u64) -> u32 {
        offset.wrapping_sub(self.base) as u32
    }
}

impl<'a> Visitor<'a> for Builder<'_> {
    type Error = Error;
    const SILENT: bool = true;

    #[inline(always)]
    fn leaf(&mut self, _: Leaf<'a>) -> Result<()> {
        Ok(())
    }

    #[inline(always)]
    fn open(&mut self, open: Open<'a>) -> Result<()> {
        let start = self.place(open.offset);
        if let Some(entry) = self.entries.get_mut(self.len) {
            *entry = IndexEntry { len: start, inside: self.innermost };
            self.innermost = self.len as u32;
        }
        self.len = self.len.wrapping_add(1);
        Ok(())
    }

    fn property(&mut self, _: Property<'a>) -> Result<()> {
        Ok(())
    }

    #[inline(always)]
    fn close(&mut self, _: Kind) -> Result<()> {
        Ok(()) // see below
    }

    #[inline(always)]
    fn close_at(&mut self, _: Kind, end: u64) -> Result<()> {
        let end = self.place(end);
        let own = self.innermost;
        // Once there is no room, entries are only counted.
        if self.len <= self.entries.len()
            && let Some(entry) = self.entries.get_mut(own as usize)
        {
            self.innermost = entry.inside;
            entry.len = end.wrapping_sub(entry.len);
            entry.inside = (self.len as u32).wrapping_sub(own).wrapping_sub(1);
        }
        Ok(())
    }
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
    value: VariantRef<'a>,
    /// The entries of the containers inside.
    inside: &'m [IndexEntry],
}

impl<'a, 'm> IndexedRef<'a, 'm> {
    /// The first value of checked bytes, whose entries these are.
    pub(super) fn first(bytes: &'a [u8], dialect: Dialect, entries: &'m [IndexEntry]) -> Self {
        let at = Cursor::new(bytes);
        let first = IndexedItems { at, left: 1, named: false, entries, dialect }.next();
        first.unwrap_or(Self { value: VariantRef::Nil, inside: &[] })
    }

    /// The value. Views of containers know nothing of the index.
    #[inline(always)]
    pub const fn value(&self) -> VariantRef<'a> {
        self.value
    }

    /// The elements of an array, the keys and values of a dictionary in turns, or the values of
    /// an object's properties; of anything else, nothing. Each step is constant time.
    #[inline]
    pub fn items(&self) -> IndexedItems<'a, 'm> {
        let (at, left, named, dialect) = match self.value {
            VariantRef::Array(array) => (array.open().1, array.len(), false, array.dialect),
            VariantRef::Dictionary(dictionary) => {
                let left = dictionary.len().saturating_mul(2);
                (dictionary.open().1, left, false, dictionary.dialect)
            }
            VariantRef::Object(ObjectRef::Full(object)) => {
                (object.open().1, object.len(), true, object.dialect)
            }
            _ => (Cursor::new(&[]), 0, false, Dialect::Godot4),
        };
        IndexedItems { at, left, named, entries: self.inside, dialect }
    }

    /// The value of a dictionary's first key that is this text, comparing bytes, or of an
    /// object's last property of that name, as [`DictionaryRef::get`](super::DictionaryRef::get)
    /// and [`FullObject::get`](super::FullObject::get). Containers on the way are stepped over.
    pub fn get(&self, key: &str) -> Option<Self> {
        let mut items = self.items();
        if items.named {
            let mut found = None;
            while let Some((name, value)) = items.next_named() {
                found = if name == key { Some(value) } else { found };
            }
            return found;
        }
        self.value.as_dictionary()?;
        while let Some(found) = items.next() {
            let value = items.next()?;
            if found.value.as_str().is_some_and(|text| text == key) {
                return Some(value);
            }
        }
        None
    }

    /// The element of an array, after stepping over those before it.
    pub fn at(&self, index: usize) -> Option<Self> {
        self.value.as_array()?;
        self.items().nth(index)
    }
}

impl fmt::Debug for IndexedRef<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// Iterator over what is in an [`IndexedRef`].
#[derive(Clone, Debug)]
pub struct IndexedItems<'a, 'm> {
    at: Cursor<'a>,
    left: usize,
    /// Whether each value has a name in front.
    named: bool,
    /// Of the containers to come.
    entries: &'m [IndexEntry],
    dialect: Dialect,
}

impl<'a, 'm> IndexedItems<'a, 'm> {
    /// An object's property: its name and its value.
    pub fn next_named(&mut self) -> Option<(StrRef<'a>, IndexedRef<'a, 'm>)> {
        if !self.named || self.left == 0 {
            return None;
        }
        let mut at = self.at;
        let name = StrRef::new(text::read(&mut at, self.dialect.rules()).ok()?);
        Some((name, self.next()?))
    }
}

impl<'a, 'm> Iterator for IndexedItems<'a, 'm> {
    type Item = IndexedRef<'a, 'm>;

    #[inline]
    fn next(&mut self) -> Option<IndexedRef<'a, 'm>> {
        self.left = self.left.checked_sub(1)?;
        if self.named {
            self.at.go_to(past_name(self.at.rest(), self.dialect)?);
        }
        if let Some(value) = decode_quick(&mut self.at) {
            return Some(IndexedRef { value, inside: &[] });
        }
        // As slices, so that all this stays in registers.
        let other = other(self.at.rest(), self.entries, self.dialect);
        self.at.go_to(other.rest);
        self.entries = other.entries;
        other.item
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for IndexedItems<'_, '_> {}
impl FusedIterator for IndexedItems<'_, '_> {}

#[inline(never)]
fn past_name(rest: &[u8], dialect: Dialect) -> Option<&[u8]> {
    let mut at = Cursor::new(rest);
    text::read(&mut at, dialect.rules()).ok()?;
    Some(at.rest())
}

/// A value that is neither text nor a small int, and what comes after it.
struct Other<'a, 'm> {
    item: Option<IndexedRef<'a, 'm>>,
    rest: &'a [u8],
    entries: &'m [IndexEntry],
}

#[inline(never)]
fn other<'a, 'm>(rest: &'a [u8], entries: &'m [IndexEntry], dialect: Dialect) -> Other<'a, 'm> {
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
        let (mut at, mut inside) = (Cursor::new(rest), Default::default());
        let value = decode_other::<D>(&mut at, |start| {
            let end;
            (end, inside) = container(&mut entries, start);
            Ok(end)
        });
        debug_assert!(value.is_ok(), "checked when the index was made");
        let item = value.ok().map(|value| IndexedRef { value, inside });
        Other { item, rest: at.rest(), entries }
    }
}

/// The container that starts there: where it ends, and the entries of those inside.
#[inline(always)]
fn container<'a, 'm>(
    entries: &mut &'m [IndexEntry],
    start: Cursor<'a>,
) -> (Cursor<'a>, &'m [IndexEntry]) {
    // Missing, but for a bug: then the container ends where all does.
    const NOTHING: IndexEntry = IndexEntry { len: u32::MAX, inside: 0 };
    let (entry, rest) = entries.split_first().unwrap_or((&NOTHING, &[]));
    let (inside, after) = rest.split_at_checked(entry.inside as usize).unwrap_or((rest, &[]));
    *entries = after;
    let mut end = start;
    end.skip(entry.len as usize);
    (end, inside)
}
