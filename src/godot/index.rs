//! Where containers end, found in one pass and kept in the caller's memory.
//!
//! A container has no length on the wire, so an iterator over views walks through each one
//! inside to find what comes next: views of views cost more with every level. With an index
//! a container is stepped over in constant time, at any depth.
//!
//! A recursion hands what it goes on with from call to call in memory: so a value is four words,
//! without what all of them share, and without what it decodes to. What the caller's own code
//! has no arm for is decoded behind a call, once to step over it and again where it is wanted.

use super::{
    Color, Dialect, Error, F32, F64, I32, Kind, Level, Quaternion, Reader, Real, RealLayout,
    Result, StrRef, U32, VariantRef, Vector2, Vector3,
};
use crate::buffer::Cursor;
use crate::godot::read::trusted::everywhere;
use crate::godot::table::payload::Header;
use crate::godot::types::array::ArrayRef;
use crate::godot::types::container::COUNT;
use crate::godot::types::dictionary::DictionaryRef;
use crate::godot::types::node_path::NodePathRef;
use crate::godot::types::text;
use builder::Builder;
use core::fmt;
use core::iter::FusedIterator;
use value_shape::Seen;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

mod builder;
mod value_shape;

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

/// A value with all that is in it, and where the containers in it end.
///
/// ```
/// use gamewire::godot::{Dialect, IndexEntry, IndexedItems, Reader, VariantRef};
///
/// /// How deep the deepest leaf is.
/// fn depth(items: IndexedItems<'_, '_>) -> usize {
///     items.map(|item| 1 + depth(item.items())).max().unwrap_or(0)
/// }
///
/// let packet = b"\x1c\0\0\0\x01\0\0\0".repeat(500); // arrays of one array
/// let packet = [&packet[..], &[0; 4]].concat();
/// let mut memory = [IndexEntry::default(); 500];
/// let index = Reader::new(&packet, Dialect::Godot4).index(&mut memory)?;
/// assert_eq!(depth(index.root().items()), 500);
/// assert!(matches!(index.root().value(), VariantRef::Array(array) if array.len() == 1));
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Index<'a, 'm> {
    /// Of the value, less than 2 GiB.
    bytes: &'a [u8],
    /// In the order in which containers open.
    entries: &'m [IndexEntry],
    dialect: Dialect,
}

impl<'a> Reader<'a, '_> {
    /// Reads the next value, and notes where the containers in it end, in the caller's `memory`:
    /// what is looked at more than once, or deeper than a few levels, is then gone through at
    /// the same small cost for each value. Takes little more than [`skip`](Self::skip).
    ///
    /// ```
    /// use gamewire::godot::{Dialect, IndexEntry, Reader};
    ///
    /// // {"a": [1, 2], "b": 3}
    /// let packet = b"\x1b\0\0\0\x02\0\0\0\x04\0\0\0\x01\0\0\0a\0\0\0\
    ///     \x1c\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\0\0\x02\0\0\0\x02\0\0\0\
    ///     \x04\0\0\0\x01\0\0\0b\0\0\0\x02\0\0\0\x03\0\0\0";
    /// let mut memory = [IndexEntry::default(); 64];
    /// let index = Reader::new(packet, Dialect::Godot4).index(&mut memory)?;
    /// let value = index.root();
    /// assert_eq!(value.get("a").unwrap().at(1).unwrap().value().as_i64(), Some(2));
    /// assert_eq!(value.get("b").unwrap().value().as_i64(), Some(3)); // `a` is stepped over
    /// # Ok::<(), gamewire::godot::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`read`](Self::read), and [`BufferFull`](super::ErrorKind::BufferFull) where there are more
    /// containers than entries in `memory`. The reader then stays where it was.
    pub fn index<'m>(&mut self, memory: &'m mut [IndexEntry]) -> Result<Index<'a, 'm>> {
        let mark = self.mark();
        if self.level() != Level::Structure {
            self.skip()?;
            self.go_back(mark.clone());
        }
        let mut builder = Builder::new(memory, self.offset());
        self.visit(&mut builder)?;
        match builder.finish() {
            Ok(entries) => Ok(Index::new(self.last(), self.dialect(), entries)),
            Err(full) => {
                self.go_back(mark);
                Err(Error::new(full.into(), self.offset()))
            }
        }
    }
}

impl<'a, 'm> Index<'a, 'm> {
    /// Of checked bytes, one value, whose entries these are.
    fn new(bytes: &'a [u8], dialect: Dialect, entries: &'m [IndexEntry]) -> Self {
        Self { bytes, entries, dialect }
    }

    /// The value itself.
    #[inline]
    pub fn root(&self) -> IndexedRef<'a, '_> {
        IndexedItems { rest: self.bytes, index: self, entry: 0, left: 1 }.item()
    }

    /// Of the container that stands there among those that have opened.
    #[inline(always)]
    fn entry(&self, entry: u32) -> IndexEntry {
        self.entries.get(entry as usize).copied().unwrap_or_default()
    }
}

impl fmt::Debug for Index<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root().fmt(f)
    }
}

/// A value in an [`Index`].
#[derive(Clone, Copy)]
pub struct IndexedRef<'a, 'i> {
    /// From its header on, what comes after it included, but where its length took a while to find.
    rest: &'a [u8],
    index: &'i Index<'a, 'i>,
    /// Its own, if it is a container, else that of the next one.
    entry: u32,
    seen: Seen,
}

impl<'a, 'i> IndexedRef<'a, 'i> {
    /// The value. Views of containers know nothing of the index.
    #[inline(always)]
    pub fn value(&self) -> VariantRef<'a> {
        let dialect = self.index.dialect;
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
                let (bytes, len) = (self.container(), self.count());
                VariantRef::Array(ArrayRef { bytes, len, dialect })
            }
            Seen::Dictionary => {
                let (bytes, len) = (self.container(), self.count());
                VariantRef::Dictionary(DictionaryRef { bytes, len, dialect })
            }
            Seen::NodePath => {
                let payload = self.rest.get(4..).unwrap_or_default();
                VariantRef::NodePath(NodePathRef::trusted(payload, dialect))
            }
            Seen::Other => self.other(),
        }
    }

    /// What follows the header, seen with it. Should a bug make that miss, nothing.
    #[inline(always)]
    fn payload<T: FromBytes + KnownLayout + Immutable + Unaligned>(&self) -> Option<&'a T> {
        let (_, mut at) = Cursor::new(self.rest).peek::<U32>()?;
        at.read().ok()
    }

    /// The first four bytes of it.
    #[inline(always)]
    fn word(&self) -> u32 {
        self.payload::<U32>().map_or(0, |word| word.get())
    }

    /// How many items a container has that does not say its types.
    #[inline(always)]
    fn count(&self) -> u32 {
        self.word() & COUNT
    }

    /// A value made of reals, in the width that no header has to say.
    #[inline(always)]
    fn real<L: RealLayout>(
        &self,
        of: impl FnOnce(Real<'a, L>) -> VariantRef<'a>,
    ) -> VariantRef<'a> {
        self.payload().map_or(VariantRef::Nil, |wire| of(Real::Single(wire)))
    }

    #[inline(always)]
    fn packed<T: FromBytes + Immutable + Unaligned>(&self) -> &'a [T] {
        let Some((&[_, len], mut after)) = Cursor::new(self.rest).peek::<[U32; 2]>() else {
            return &[];
        };
        after.slice(len.get()).unwrap_or_default()
    }

    #[inline(always)]
    fn text(&self) -> StrRef<'a> {
        let Some((&[_, len], after)) = Cursor::new(self.rest).peek::<[U32; 2]>() else {
            return StrRef::new(&[]);
        };
        // All of it is there, which the compiler does not see.
        let bytes = after.rest();
        StrRef::new(bytes.get(..len.get() as usize).unwrap_or(bytes))
    }

    /// The bytes of this, a container.
    #[inline(always)]
    fn container(&self) -> &'a [u8] {
        let len = self.index.entry(self.entry).len;
        self.rest.get(..len as usize).unwrap_or(self.rest)
    }

    #[inline(always)]
    fn other(&self) -> VariantRef<'a> {
        let mut value = VariantRef::Nil;
        value_shape::decode(self.rest, self.index, self.entry, &mut value);
        value
    }

    /// The elements of an array, the keys and values of a dictionary in turns, or the values of
    /// an object's properties; of anything else, nothing. Each step is constant time, but over
    /// values that have any number of texts and are no containers: NodePaths, arrays of strings.
    ///
    /// A recursion is quickest where it is handed these, and not the value to ask for them.
    #[inline(always)]
    pub fn items(&self) -> IndexedItems<'a, 'i> {
        let Self { rest, index, entry, seen } = *self;
        let (rest, left) = match seen {
            Seen::Array => (after_count(rest), self.count() as i32),
            Seen::Dictionary => (after_count(rest), (self.count() as i32).wrapping_mul(2)),
            Seen::Other => value_shape::items(&self.other()),
            _ => (&[][..], 0),
        };
        IndexedItems { rest, index, entry: entry.wrapping_add(1), left }
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
pub struct IndexedItems<'a, 'i> {
    rest: &'a [u8],
    index: &'i Index<'a, 'i>,
    /// Of the next container to come.
    entry: u32,
    /// How many items are to come. Below zero, that many properties: a name stands in front of
    /// each. (One number, so that between items nobody has to ask for names. Less than 2 GiB has
    /// less than 2^29 items of four bytes.)
    left: i32,
}

impl<'a, 'i> IndexedItems<'a, 'i> {
    /// An object's property: its name and its value.
    pub fn next_named(&mut self) -> Option<(StrRef<'a>, IndexedRef<'a, 'i>)> {
        if self.left >= 0 {
            return None;
        }
        let mut at = Cursor::new(self.rest);
        let name = StrRef::new(text::read(&mut at, self.index.dialect.rules()).ok()?);
        Some((name, self.next()?))
    }

    /// The next item.
    #[inline(always)]
    fn item(&mut self) -> IndexedRef<'a, 'i> {
        const STRING: u32 = everywhere(Kind::String);
        const INT: u32 = everywhere(Kind::Int);
        const WIDE_FLOAT: u32 = everywhere(Kind::Float) | Header::WIDE;
        let Some((&[header, len], _)) = Cursor::new(self.rest).peek::<[U32; 2]>() else {
            return self.step_other();
        };
        // Ints and text, as most are, without the table. An int first, with all else out of the
        // way: processors fetch code in pieces of 64 bytes, one a cycle, and with something to
        // jump over an int took three pieces or four, by where the linker had put them.
        if header.get() == INT {
            return self.step_fixed::<I32>(Seen::Int);
        }
        seldom();
        if header.get() == STRING {
            return self.step_text(Seen::Text, len.get());
        }
        seldom();
        let seen = match header.get() {
            WIDE_FLOAT => Seen::WideFloat,
            header => Seen::at(header, self.index.dialect),
        };
        // For each of them the caller's code is compiled on its own.
        match seen {
            Seen::Nil => self.step_fixed::<()>(Seen::Nil),
            Seen::Bool => self.step_fixed::<U32>(Seen::Bool),
            Seen::Int => self.step_fixed::<I32>(Seen::Int),
            Seen::Float => self.step_fixed::<F32>(Seen::Float),
            Seen::WideFloat => self.step_fixed::<F64>(Seen::WideFloat),
            Seen::Text => self.step_text(Seen::Text, len.get()),
            Seen::Name => self.step_text(Seen::Name, len.get()),
            Seen::Int32s => self.step_packed::<I32>(Seen::Int32s, len.get()),
            Seen::Float32s => self.step_packed::<F32>(Seen::Float32s, len.get()),
            Seen::Vector2 => self.step_fixed::<Vector2<F32>>(Seen::Vector2),
            Seen::Vector3 => self.step_fixed::<Vector3<F32>>(Seen::Vector3),
            Seen::Quaternion => self.step_fixed::<Quaternion<F32>>(Seen::Quaternion),
            Seen::Color => self.step_fixed::<Color<F32>>(Seen::Color),
            Seen::Array => self.step_container(Seen::Array),
            Seen::Dictionary => self.step_container(Seen::Dictionary),
            Seen::NodePath => self.step_node_path(),
            Seen::Other => self.step_other(),
        }
    }

    /// Past a header and so many bytes.
    #[inline(always)]
    fn step(&mut self, seen: Seen, payload: usize) -> IndexedRef<'a, 'i> {
        let Self { rest, index, entry, .. } = *self;
        let Some((_, after)) = rest.split_at_checked(payload.saturating_add(4)) else {
            return self.step_other();
        };
        self.rest = after;
        IndexedRef { rest, index, entry, seen }
    }

    #[inline(always)]
    fn step_fixed<T>(&mut self, seen: Seen) -> IndexedRef<'a, 'i> {
        self.step(seen, size_of::<T>())
    }

    #[inline(always)]
    fn step_packed<T>(&mut self, seen: Seen, len: u32) -> IndexedRef<'a, 'i> {
        self.step(seen, (len as usize).saturating_mul(size_of::<T>()).saturating_add(4))
    }

    /// Text is there and has less than 2 GiB; but where a pad may be missing and is, this is
    /// another value.
    #[inline(always)]
    fn step_text(&mut self, seen: Seen, len: u32) -> IndexedRef<'a, 'i> {
        let padded = len.wrapping_add(3) & !3;
        self.step(seen, (padded as usize).saturating_add(4))
    }

    #[inline(always)]
    fn step_container(&mut self, seen: Seen) -> IndexedRef<'a, 'i> {
        let Self { rest, index, entry, .. } = *self;
        let Some(IndexEntry { len, inside }) = index.entries.get(entry as usize) else {
            return self.step_other();
        };
        let Some(after) = rest.get(*len as usize..) else {
            return self.step_other();
        };
        self.rest = after;
        self.entry = entry.wrapping_add(*inside).wrapping_add(1);
        IndexedRef { rest, index, entry, seen }
    }

    #[inline(always)]
    fn step_node_path(&mut self) -> IndexedRef<'a, 'i> {
        let len = value_shape::node_path(self.rest, self.index.dialect);
        self.alone(Seen::NodePath, len)
    }

    #[inline(always)]
    fn step_other(&mut self) -> IndexedRef<'a, 'i> {
        let Self { rest, index, entry, .. } = *self;
        let (len, entries) = value_shape::decode(rest, index, entry, &mut VariantRef::Nil);
        self.entry = entry.wrapping_add(entries);
        IndexedRef { entry, ..self.alone(Seen::Other, len) }
    }

    /// Past so many bytes, of which the value knows.
    #[inline(always)]
    fn alone(&mut self, seen: Seen, len: u32) -> IndexedRef<'a, 'i> {
        let Self { rest, index, entry, .. } = *self;
        let (rest, after) = rest.split_at_checked(len as usize).unwrap_or_default();
        self.rest = after;
        IndexedRef { rest, index, entry, seen }
    }
}

impl<'a, 'i> Iterator for IndexedItems<'a, 'i> {
    type Item = IndexedRef<'a, 'i>;

    #[inline(always)]
    fn next(&mut self) -> Option<IndexedRef<'a, 'i>> {
        if self.left > 0 {
            self.left = self.left.wrapping_sub(1);
        } else if self.left < 0 {
            self.left = self.left.wrapping_add(1);
            self.rest = past_name(self.rest, self.index.dialect);
        } else {
            return None;
        }
        Some(self.item())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.left.unsigned_abs() as usize;
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
