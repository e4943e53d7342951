//! An index of a value: the end of each container in it. The reader finds the ends in one pass, and
//! stores them in memory that the caller provides.
//!
//! The wire format does not state how many bytes a container takes, so an iterator over views has
//! to walk each child to find the next one. If views are nested, every level walks the same bytes
//! again. With an index, stepping over a container takes constant time at any depth.
//!
//! A recursive traversal passes its state from call to call in memory. To keep this state small, an
//! [`IndexedRef`] takes only four words. It contains neither the data that all values share nor the
//! decoded value. Values of rare encodings are decoded out of line: once to step over them, and
//! again when the caller asks for them.

use super::{
    Color, Dialect, Error, F32, F64, I32, Level, Quaternion, Reader, Real, Result, StrRef, U32,
    VariantRef, Vector2, Vector3,
};
use crate::buffer::Cursor;
use crate::godot::read::fast_path::{INT, STRING, Start, WIDE_FLOAT};
use crate::godot::types::array::ArrayRef;
use crate::godot::types::container::COUNT;
use crate::godot::types::dictionary::DictionaryRef;
use crate::godot::types::node_path::NodePathRef;
use crate::godot::types::text;
use builder::Builder;
use core::fmt;
use core::iter::FusedIterator;
use value_shape::ValueShape;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// Calls a macro with two lists of the numeric kinds that are decoded inline: kinds that consist of
/// reals, and packed arrays with their element types. The lists contain only kinds that are common
/// in messages. With all 23 numeric kinds, traversals took 7 to 22 % more instructions.
macro_rules! numeric_kinds {
    ($then:ident) => {
        $then! {
            reals Vector2 Vector3 Quaternion Color;
            packed PackedInt32Array I32, PackedFloat32Array F32;
        }
    };
}

mod builder;
mod value_shape;

/// An entry of an index, which describes one container. It takes 8 bytes.
///
/// A packet needs at most one entry for every 8 of its bytes. See
/// [`Reader::index`](super::Reader::index).
#[derive(Clone, Copy, Debug, Default)]
pub struct IndexEntry {
    /// Size of the container in bytes. While the container is open, this is the offset of its start
    /// instead.
    len: u32,
    /// Number of containers in this container, at any depth. Their entries follow this entry. While
    /// the container is open, this is the index of its parent's entry instead.
    nested: u32,
}

/// A value and the ends of all containers in it.
///
/// ```
/// use gamewire::godot::{Dialect, IndexEntry, IndexedItems, Reader, VariantRef};
///
/// /// Returns the depth of the deepest leaf.
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
    /// The bytes of the whole value, which is smaller than 2 GiB.
    bytes: &'a [u8],
    /// The entries, in the order in which the containers open.
    entries: &'m [IndexEntry],
    dialect: Dialect,
}

impl<'a> Reader<'a, '_> {
    /// Reads the next value, and records in `memory` where the containers in the value end. A
    /// traversal of the index spends the same time on each nested value, whatever its depth. An
    /// index therefore pays off if the whole value is traversed more than once, or if it has more
    /// than a few levels. Building an index costs little more than [`skip`](Self::skip).
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
    /// assert_eq!(value.get("b").unwrap().value().as_i64(), Some(3)); // steps over `a`
    /// # Ok::<(), gamewire::godot::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`read`](Self::read), and
    /// [`BufferFull`](super::ErrorKind::BufferFull) if there are more containers than entries in
    /// `memory`. The reader then keeps its position.
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
    /// Creates the index of one trusted value from its entries.
    fn new(bytes: &'a [u8], dialect: Dialect, entries: &'m [IndexEntry]) -> Self {
        Self { bytes, entries, dialect }
    }

    /// Returns the value.
    #[inline]
    pub fn root(&self) -> IndexedRef<'a, '_> {
        IndexedItems { rest: self.bytes, index: self, entry: 0, left: 1 }.item()
    }

    /// Returns the entry with the index `entry`, or an empty entry if there is none.
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
    /// The bytes of the input from the value's header on. If the value is decoded out of line, they
    /// end with the value.
    rest: &'a [u8],
    index: &'i Index<'a, 'i>,
    /// Index of the value's own entry if it is a container, otherwise of the next container's
    /// entry.
    entry: u32,
    shape: ValueShape,
}

impl<'a, 'i> IndexedRef<'a, 'i> {
    /// Returns the value. Views of containers do not use the index.
    #[inline(always)]
    pub fn value(&self) -> VariantRef<'a> {
        let dialect = self.index.dialect;
        macro_rules! value {
            (
                reals $($Real:ident)*; packed $($Packed:ident $T:ty),*;
            ) => {
                match self.shape {
                    ValueShape::Nil => VariantRef::Nil,
                    ValueShape::Bool => VariantRef::Bool(self.word() != 0),
                    ValueShape::Int => VariantRef::Int((self.word() as i32).into()),
                    ValueShape::Float => VariantRef::Float(f32::from_bits(self.word()).into()),
                    ValueShape::WideFloat => {
                        VariantRef::Float(self.payload::<F64>().map_or(0.0, |float| float.get()))
                    }
                    ValueShape::String => VariantRef::String(self.text()),
                    ValueShape::StringName => VariantRef::StringName(self.text()),
                    ValueShape::Array => {
                        let (bytes, len) = (self.container(), self.count());
                        VariantRef::Array(ArrayRef { bytes, len, dialect })
                    }
                    ValueShape::Dictionary => {
                        let (bytes, len) = (self.container(), self.count());
                        VariantRef::Dictionary(DictionaryRef { bytes, len, dialect })
                    }
                    ValueShape::NodePath => {
                        let payload = self.rest.get(4..).unwrap_or_default();
                        VariantRef::NodePath(NodePathRef::trusted(payload, dialect))
                    }
                    ValueShape::Other => self.other(),
                    $(ValueShape::$Real => {
                        self.payload().map_or(VariantRef::Nil, |wire| {
                            VariantRef::$Real(Real::Single(wire))
                        })
                    })*
                    $(ValueShape::$Packed => VariantRef::$Packed(self.packed()),)*
                }
            };
        }
        numeric_kinds!(value)
    }

    /// Returns the payload, or `None` if it is truncated, which would be a bug in this crate.
    #[inline(always)]
    fn payload<T: FromBytes + KnownLayout + Immutable + Unaligned>(&self) -> Option<&'a T> {
        let (_, mut at) = Cursor::new(self.rest).peek::<U32>()?;
        at.read().ok()
    }

    /// Returns the first four bytes of the payload.
    #[inline(always)]
    fn word(&self) -> u32 {
        self.payload::<U32>().map_or(0, |word| word.get())
    }

    /// Returns the number of elements or pairs of a container that declares no types.
    #[inline(always)]
    fn count(&self) -> u32 {
        self.word() & COUNT
    }

    #[inline(always)]
    fn packed<T: FromBytes + Immutable + Unaligned>(&self) -> &'a [T] {
        let Some((&[_, len], mut after)) = Cursor::new(self.rest).peek::<Start>() else {
            return &[];
        };
        after.slice(len.get()).unwrap_or_default()
    }

    #[inline(always)]
    fn text(&self) -> StrRef<'a> {
        let Some((&[_, len], after)) = Cursor::new(self.rest).peek::<Start>() else {
            return StrRef::new(&[]);
        };
        // The length is always in range, but the compiler cannot know that.
        let bytes = after.rest();
        StrRef::new(bytes.get(..len.get() as usize).unwrap_or(bytes))
    }

    /// Returns the bytes of a container.
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

    /// Returns an iterator over the elements of an array, the alternating keys and values of a
    /// dictionary, or the property values of an object. It is empty for any other value. Each step
    /// takes constant time, except over NodePaths and PackedStringArrays, which contain any number
    /// of strings.
    ///
    /// A recursive function is fastest if it takes this iterator instead of the value.
    #[inline(always)]
    pub fn items(&self) -> IndexedItems<'a, 'i> {
        let Self { rest, index, entry, shape } = *self;
        let (rest, left) = match shape {
            ValueShape::Array => (after_count(rest), self.count() as i32),
            ValueShape::Dictionary => (after_count(rest), (self.count() as i32).wrapping_mul(2)),
            ValueShape::Other => value_shape::items(&self.other()),
            _ => (&[][..], 0),
        };
        IndexedItems { rest, index, entry: entry.wrapping_add(1), left }
    }

    /// Returns the value for `key`, as [`DictionaryRef::get`](super::DictionaryRef::get) and
    /// [`FullObject::get`](super::FullObject::get) do. In a dictionary, this is the value of the
    /// first String or StringName key that equals `key`; in an object, it is the value of the last
    /// property with this name. A step over a container takes constant time.
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

    /// Returns the element of an array at `index`, after stepping over the elements before it.
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

/// Iterator over the items of an [`IndexedRef`].
#[derive(Clone, Debug)]
pub struct IndexedItems<'a, 'i> {
    rest: &'a [u8],
    index: &'i Index<'a, 'i>,
    /// Index of the next container's entry.
    entry: u32,
    /// Number of remaining items. For the properties of an object it is negative. The iterator can
    /// then detect with one comparison that no items are left or that a name precedes the next
    /// value. The number fits: a value is smaller than 2 GiB, and each item takes at least four
    /// bytes.
    left: i32,
}

impl<'a, 'i> IndexedItems<'a, 'i> {
    /// Returns the name and the value of the next property of an object.
    pub fn next_named(&mut self) -> Option<(StrRef<'a>, IndexedRef<'a, 'i>)> {
        if self.left >= 0 {
            return None;
        }
        let mut at = Cursor::new(self.rest);
        let name = StrRef::new(text::read(&mut at, self.index.dialect.rules()).ok()?);
        Some((name, self.next()?))
    }

    #[inline(always)]
    fn item(&mut self) -> IndexedRef<'a, 'i> {
        let Some((&[header, word], _)) = Cursor::new(self.rest).peek::<Start>() else {
            return self.step_other();
        };
        // Most values are Ints or Strings and need no table. Ints come first, so that no jump is
        // taken for them. With a jump over other code, the processor fetched one or two additional
        // blocks of 64 bytes of instructions for each Int.
        if header.get() == INT {
            return self.step_fixed::<I32>(ValueShape::Int);
        }
        unlikely_path();
        if header.get() == STRING {
            return self.step_text(ValueShape::String, word.get());
        }
        unlikely_path();
        let shape = match header.get() {
            WIDE_FLOAT => ValueShape::WideFloat,
            header => ValueShape::of_header(header, self.index.dialect),
        };
        macro_rules! step {
            (
                reals $($Real:ident)*; packed $($Packed:ident $T:ty),*;
            ) => {
                // The compiler duplicates the caller's code into each of these arms.
                match shape {
                    ValueShape::Nil => self.step_fixed::<()>(ValueShape::Nil),
                    ValueShape::Bool => self.step_fixed::<U32>(ValueShape::Bool),
                    ValueShape::Int => self.step_fixed::<I32>(ValueShape::Int),
                    ValueShape::Float => self.step_fixed::<F32>(ValueShape::Float),
                    ValueShape::WideFloat => self.step_fixed::<F64>(ValueShape::WideFloat),
                    ValueShape::String => self.step_text(ValueShape::String, word.get()),
                    ValueShape::StringName => self.step_text(ValueShape::StringName, word.get()),
                    ValueShape::Array => self.step_container(ValueShape::Array),
                    ValueShape::Dictionary => self.step_container(ValueShape::Dictionary),
                    ValueShape::NodePath => self.step_node_path(),
                    ValueShape::Other => self.step_other(),
                    $(ValueShape::$Real => self.step_fixed::<$Real<F32>>(ValueShape::$Real),)*
                    $(ValueShape::$Packed => {
                        self.step_packed::<$T>(ValueShape::$Packed, word.get())
                    })*
                }
            };
        }
        numeric_kinds!(step)
    }

    #[inline(always)]
    fn step_fixed<T>(&mut self, shape: ValueShape) -> IndexedRef<'a, 'i> {
        self.step(shape, size_of::<T>())
    }

    #[inline(always)]
    fn step_packed<T>(&mut self, shape: ValueShape, len: u32) -> IndexedRef<'a, 'i> {
        self.step(shape, (len as usize).saturating_mul(size_of::<T>()).saturating_add(4))
    }

    /// Steps over a header and `payload` bytes.
    #[inline(always)]
    fn step(&mut self, shape: ValueShape, payload: usize) -> IndexedRef<'a, 'i> {
        let Self { rest, index, entry, .. } = *self;
        let Some((_, after)) = rest.split_at_checked(payload.saturating_add(4)) else {
            return self.step_other();
        };
        self.rest = after;
        IndexedRef { rest, index, entry, shape }
    }

    /// Steps over a String or StringName of `len` bytes. If the padding is missing, which some
    /// dialects allow at the end of the input, the text is decoded out of line.
    #[inline(always)]
    fn step_text(&mut self, shape: ValueShape, len: u32) -> IndexedRef<'a, 'i> {
        let padded = len.wrapping_add(3) & !3;
        self.step(shape, (padded as usize).saturating_add(4))
    }

    #[inline(always)]
    fn step_container(&mut self, shape: ValueShape) -> IndexedRef<'a, 'i> {
        let Self { rest, index, entry, .. } = *self;
        let Some(IndexEntry { len, nested }) = index.entries.get(entry as usize) else {
            return self.step_other();
        };
        let Some(after) = rest.get(*len as usize..) else {
            return self.step_other();
        };
        self.entry = entry.wrapping_add(*nested).wrapping_add(1);
        self.rest = after;
        IndexedRef { rest, index, entry, shape }
    }

    #[inline(always)]
    fn step_other(&mut self) -> IndexedRef<'a, 'i> {
        let Self { rest, index, entry, .. } = *self;
        let (len, entries) = value_shape::decode(rest, index, entry, &mut VariantRef::Nil);
        self.entry = entry.wrapping_add(entries);
        IndexedRef { entry, ..self.step_alone(ValueShape::Other, len) }
    }

    #[inline(always)]
    fn step_node_path(&mut self) -> IndexedRef<'a, 'i> {
        let len = value_shape::node_path(self.rest, self.index.dialect);
        self.step_alone(ValueShape::NodePath, len)
    }

    /// Steps over a value of `len` bytes. The returned value borrows exactly these bytes.
    #[inline(always)]
    fn step_alone(&mut self, shape: ValueShape, len: u32) -> IndexedRef<'a, 'i> {
        let Self { rest, index, entry, .. } = *self;
        let (rest, after) = rest.split_at_checked(len as usize).unwrap_or_default();
        self.rest = after;
        IndexedRef { rest, index, entry, shape }
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
            self.rest = after_name(self.rest, self.index.dialect);
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

/// Marks the code that follows a call to this function as unlikely, so that the compiler keeps the
/// registers for the likely code.
#[cold]
#[inline]
fn unlikely_path() {}

/// Returns the bytes after a header and a count.
#[inline(always)]
fn after_count(rest: &[u8]) -> &[u8] {
    rest.get(8..).unwrap_or_default()
}

#[cold]
#[inline(never)]
fn after_name(rest: &[u8], dialect: Dialect) -> &[u8] {
    let mut at = Cursor::new(rest);
    let name = text::read(&mut at, dialect.rules());
    debug_assert!(name.is_ok(), "checked when the index was made");
    at.rest()
}
