//! Where containers end, found in one pass and kept in the caller's memory.
//!
//! A container has no length on the wire, so an iterator over views walks through each one
//! inside to find what comes next: views of views cost more with every level. With an index
//! a container is stepped over in constant time, at any depth.

use super::array::ArrayRef;
use super::checked::everywhere;
use super::container::COUNT;
use super::dictionary::DictionaryRef;
use super::payload::Header;
use super::text;
use super::{
    Color, Dialect, F32, F64, I32, Kind, Layout, Quaternion, Real, StrRef, U32, VariantRef,
    Vector2, Vector3,
};
use crate::base::Cursor;
use core::fmt;
use core::iter::FusedIterator;
use seen::Seen;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

mod builder;
mod seen;

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
        IndexedItems { rest, entries, left: 1, dialect }.step()
    }

    /// The value. Views of containers know nothing of the index.
    #[inline(always)]
    pub fn value(&self) -> VariantRef<'a> {
        match self.seen {
            Seen::Nil => VariantRef::Nil,
            Seen::Bool => VariantRef::Bool(self.word() != 0),
            Seen::Int => VariantRef::Int((self.word() as i32).into()),
            Seen::Float => VariantRef::Float(f32::from_bits(self.word()).into()),
            Seen::WideFloat => {
                VariantRef::Float(self.payload::<F64>().map_or(0.0, |float| float.get()))
            }
            Seen::Text => VariantRef::String(self.text()),
            Seen::Name => VariantRef::StringName(self.text()),
            Seen::Int32s => VariantRef::PackedInt32Array(self.packed()),
            Seen::Float32s => VariantRef::PackedFloat32Array(self.packed()),
            Seen::Vector2 => self.real(VariantRef::Vector2),
            Seen::Vector3 => self.real(VariantRef::Vector3),
            Seen::Quaternion => self.real(VariantRef::Quaternion),
            Seen::Color => self.real(VariantRef::Color),
            Seen::Array => {
                let (bytes, len, dialect) = (self.container(), self.word() & COUNT, self.dialect);
                VariantRef::Array(ArrayRef { bytes, len, dialect })
            }
            Seen::Dictionary => {
                let (bytes, len, dialect) = (self.container(), self.word() & COUNT, self.dialect);
                VariantRef::Dictionary(DictionaryRef { bytes, len, dialect })
            }
            Seen::Other => self.other,
        }
    }

    /// What follows the header, seen with it. Should a bug make that miss, nothing.
    #[inline(always)]
    fn payload<T: FromBytes + KnownLayout + Immutable + Unaligned>(&self) -> Option<&'a T> {
        let (_, mut at) = Cursor::new(self.rest).ahead::<U32>()?;
        at.read().ok()
    }

    /// The first four bytes of it.
    #[inline(always)]
    fn word(&self) -> u32 {
        self.payload::<U32>().map_or(0, |word| word.get())
    }

    /// A value made of reals, in the width that no header has to say.
    #[inline(always)]
    fn real<L: Layout>(&self, of: impl FnOnce(Real<'a, L>) -> VariantRef<'a>) -> VariantRef<'a> {
        self.payload().map_or(VariantRef::Nil, |wire| of(Real::Single(wire)))
    }

    #[inline(always)]
    fn packed<T: FromBytes + Immutable + Unaligned>(&self) -> &'a [T] {
        let Some((&[_, len], mut after)) = Cursor::new(self.rest).ahead::<[U32; 2]>() else {
            return &[];
        };
        after.slice(len.get()).unwrap_or_default()
    }

    #[inline(always)]
    fn text(&self) -> StrRef<'a> {
        let Some((&[_, len], after)) = Cursor::new(self.rest).ahead::<[U32; 2]>() else {
            return StrRef::new(&[]);
        };
        // All of it is there, which the compiler does not see.
        let bytes = after.rest();
        StrRef::new(bytes.get(..len.get() as usize).unwrap_or(bytes))
    }

    /// The bytes of this, a container.
    #[inline(always)]
    fn container(&self) -> &'a [u8] {
        let Some(entry) = self.entries.first() else { return &[] };
        self.rest.get(..entry.len as usize).unwrap_or(self.rest)
    }

    /// The elements of an array, the keys and values of a dictionary in turns, or the values of
    /// an object's properties; of anything else, nothing. Each step is constant time, but over
    /// values that have any number of texts and are no containers: NodePaths, arrays of strings.
    #[inline(always)]
    pub fn items(&self) -> IndexedItems<'a, 'm> {
        let Self { rest, entries, dialect, .. } = *self;
        let (rest, left) = match self.seen {
            Seen::Array => (after_count(rest), (self.word() & COUNT) as isize),
            Seen::Dictionary => {
                (after_count(rest), ((self.word() & COUNT) as isize).saturating_mul(2))
            }
            Seen::Other => seen::items(&self.other),
            _ => (&[][..], 0),
        };
        let entries = match entries {
            [_, inside @ ..] => inside,
            [] => &[],
        };
        IndexedItems { rest, entries, left, dialect }
    }

    /// The value of a dictionary's first key that is this text, comparing bytes, or of an
    /// object's last property of that name, as [`DictionaryRef::get`](super::DictionaryRef::get)
    /// and [`FullObject::get`](super::FullObject::get). Containers on the way are stepped over.
    pub fn get(&self, key: &str) -> Option<Self> {
        let mut items = self.items();
        if items.left < 0 {
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

/// Iterator over what is in an [`IndexedRef`].
#[derive(Clone, Debug)]
pub struct IndexedItems<'a, 'm> {
    rest: &'a [u8],
    /// Of the containers to come.
    entries: &'m [IndexEntry],
    /// How many items are to come. Below zero, that many properties: a name stands in front of
    /// each. (One number, so that between items nobody has to ask for names.)
    left: isize,
    dialect: Dialect,
}

impl<'a, 'm> IndexedItems<'a, 'm> {
    /// An object's property: its name and its value.
    pub fn next_named(&mut self) -> Option<(StrRef<'a>, IndexedRef<'a, 'm>)> {
        if self.left >= 0 {
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
        const WIDE_FLOAT: u32 = everywhere(Kind::Float) | Header::WIDE;
        let Some(([header, _], _)) = Cursor::new(self.rest).ahead::<[U32; 2]>() else {
            return self.step_other();
        };
        // Text and ints, as most are, without the table.
        let seen = match header.get() {
            INT => Seen::Int,
            STRING => Seen::Text,
            WIDE_FLOAT => Seen::WideFloat,
            header => {
                seldom();
                Seen::at(header, self.dialect)
            }
        };
        // For each of them the caller's code is compiled on its own.
        match seen {
            Seen::Nil => self.step_fixed::<()>(Seen::Nil),
            Seen::Bool => self.step_fixed::<U32>(Seen::Bool),
            Seen::Int => self.step_fixed::<I32>(Seen::Int),
            Seen::Float => self.step_fixed::<F32>(Seen::Float),
            Seen::WideFloat => self.step_fixed::<F64>(Seen::WideFloat),
            Seen::Text => self.step_text(Seen::Text),
            Seen::Name => self.step_text(Seen::Name),
            Seen::Int32s => self.step_packed::<I32>(Seen::Int32s),
            Seen::Float32s => self.step_packed::<F32>(Seen::Float32s),
            Seen::Vector2 => self.step_fixed::<Vector2<F32>>(Seen::Vector2),
            Seen::Vector3 => self.step_fixed::<Vector3<F32>>(Seen::Vector3),
            Seen::Quaternion => self.step_fixed::<Quaternion<F32>>(Seen::Quaternion),
            Seen::Color => self.step_fixed::<Color<F32>>(Seen::Color),
            Seen::Array => self.step_container(Seen::Array),
            Seen::Dictionary => self.step_container(Seen::Dictionary),
            Seen::Other => self.step_other(),
        }
    }

    /// Past a header and one such.
    #[inline(always)]
    fn step_fixed<T>(&mut self, seen: Seen) -> IndexedRef<'a, 'm> {
        let Self { rest, entries, dialect, .. } = *self;
        let Some(after) = rest.get(4_usize.saturating_add(size_of::<T>())..) else {
            return self.step_other();
        };
        self.rest = after;
        IndexedRef { rest, entries, seen, other: VariantRef::Nil, dialect }
    }

    #[inline(always)]
    fn step_packed<T>(&mut self, seen: Seen) -> IndexedRef<'a, 'm> {
        let Self { rest, entries, dialect, .. } = *self;
        let Some((&[_, len], after)) = Cursor::new(self.rest).ahead::<[U32; 2]>() else {
            return self.step_other();
        };
        let bytes = (len.get() as usize).saturating_mul(size_of::<T>());
        let Some(after) = after.rest().get(bytes..) else {
            return self.step_other();
        };
        self.rest = after;
        IndexedRef { rest, entries, seen, other: VariantRef::Nil, dialect }
    }

    #[inline(always)]
    fn step_text(&mut self, seen: Seen) -> IndexedRef<'a, 'm> {
        let Self { rest, entries, dialect, .. } = *self;
        let Some((&[_, len], after)) = Cursor::new(rest).ahead::<[U32; 2]>() else {
            return self.step_other();
        };
        // It is there and has less than 2 GiB; but where a pad may be missing and is, this is
        // another one.
        let padded = len.get().wrapping_add(3) & !3;
        let Some(after) = after.rest().get(padded as usize..) else {
            return self.step_other();
        };
        self.rest = after;
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
        let mut other = VariantRef::Nil;
        let (bytes, inside) = seen::decode(rest, entries, dialect, &mut other);
        self.rest = rest.get(bytes..).unwrap_or_default();
        self.entries = entries.get(inside..).unwrap_or_default();
        IndexedRef { rest, entries, seen: Seen::Other, other, dialect }
    }
}

impl<'a, 'm> Iterator for IndexedItems<'a, 'm> {
    type Item = IndexedRef<'a, 'm>;

    #[inline(always)]
    fn next(&mut self) -> Option<IndexedRef<'a, 'm>> {
        if self.left > 0 {
            self.left = self.left.wrapping_sub(1);
        } else if self.left < 0 {
            self.left = self.left.wrapping_add(1);
            self.rest = past_name(self.rest, self.dialect);
        } else {
            return None;
        }
        Some(self.step())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.left.unsigned_abs();
        (left, Some(left))
    }
}

impl ExactSizeIterator for IndexedItems<'_, '_> {}
impl FusedIterator for IndexedItems<'_, '_> {}

/// Where this is called, the compiler keeps registers for what goes on elsewhere.
#[cold]
#[inline]
fn seldom() {}

/// Past a header and a count.
#[inline(always)]
fn after_count(rest: &[u8]) -> &[u8] {
    rest.get(8..).unwrap_or_default()
}

#[cold]
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
