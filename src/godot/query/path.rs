//! Paths: the keys, indices and names that lead to a value inside another value.
//!
//! ```
//! use gamewire::godot::{Dialect, Reader, Vector2, Writer};
//!
//! let mut packet = Vec::new();
//! let mut writer = Writer::new(&mut packet, Dialect::Godot4);
//! let mut state = writer.dictionary(1)?;
//! state.put("players")?;
//! let mut players = state.array(1)?;
//! let mut player = players.dictionary(1)?;
//! player.entry("position", Vector2 { x: 1.0_f32, y: 2.5 })?;
//! player.finish()?;
//! players.finish()?;
//! state.finish()?;
//!
//! let state = Reader::new(&packet, Dialect::Godot4).read()?;
//! let position = state.at("players/0/position").unwrap();
//! assert_eq!(position.as_vector2(), Some(Vector2 { x: 1.0, y: 2.5 }));
//! assert_eq!(state.at("players/0/position/y").unwrap().as_f64(), Some(2.5));
//! assert!(state.at("players/1").is_none());
//! # Ok::<(), gamewire::godot::Error>(())
//! ```
//!
//! A `/` separates segments. The empty path selects the value itself.
//!
//! | segment | in a dictionary | in an array or packed array | in a full object | in a vector, matrix or similar type |
//! |---|---|---|---|---|
//! | `name` | the String or StringName key | | the property | a component: `x`, `origin/y` |
//! | `3`, `-1` | the int key; if there is none, the text key | the index, counted from 0; a negative index counts from the end | the property | |
//! | `"name"` | the String or StringName key | | the property | |
//! | `[TEXT]` | the key that Godot's text notation prints as TEXT: `[Vector2(1, 2)]`, `[true]`, `[&"name"]` | | | |
//! | `[#3]` | the value of pair 3, counted from 0 | | property 3 | |
//! | `[#3 key]` | the key of that pair | | | |
//!
//! A name must be quoted if it is empty, contains a `/`, looks like a number, or starts with a
//! quote or bracket. Inside quotes, `\"` is a quote, `\\` a backslash and `\xff` the byte 0xFF.
//! Bytes are needed because text in a packet need not be UTF-8.
//!
//! If a dictionary contains a key more than once, the path selects the last pair with this key. An
//! engine also keeps the value of this pair; see
//! [`DictionaryRef::get_last`](crate::godot::DictionaryRef::get_last). If an object contains a
//! property more than once, the path selects the last one. An engine sets the properties in order,
//! so the last one wins there as well. The number of a pair or property (`[#3]`) can also select an
//! earlier pair or property.
//!
//! [`Path`] does the reverse: it finds the path of the value at an offset.

mod at_offset;
mod key;
mod lazy;
mod not_found;
#[cfg(feature = "alloc")]
mod owned;
mod resolve;
mod segment;

pub use at_offset::Path;
pub use not_found::NotFound;
pub use segment::Segment;

use crate::godot::{Encoded, TypeRef, VariantRef};
pub(crate) use segment::SegmentQuery;

/// A value found by its path. Components of a vector and elements of a packed array have no
/// header; all other values have one.
///
/// ```
/// use gamewire::godot::{Dialect, Reader};
///
/// let packet = [5, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40]; // Vector2(1, 2)
/// let vector = Reader::new(&packet, Dialect::Godot4).read_encoded()?;
/// let y = vector.find("y").unwrap();
/// assert_eq!(y.value().as_f64(), Some(2.0));
/// assert_eq!(y.bytes(), [0, 0, 0, 0x40]);
/// assert!(y.encoded().is_none());
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    value: VariantRef<'a>,
    encoded: Option<Encoded<'a>>,
    bytes: &'a [u8],
    stated: TypeRef<'a>,
}

impl<'a> Found<'a> {
    /// Creates the result for a value with a header.
    pub(crate) fn whole(encoded: Encoded<'a>) -> Self {
        let (value, bytes) = (encoded.decode(), encoded.as_bytes());
        Self { value, encoded: Some(encoded), bytes, stated: TypeRef::Untyped }
    }

    /// Creates the result for a component or element, which has no header.
    pub(crate) fn part(value: VariantRef<'a>, bytes: &'a [u8]) -> Self {
        Self { value, encoded: None, bytes, stated: TypeRef::Untyped }
    }

    /// Returns the value. A component of a vector is a Float or an Int. An element of a packed
    /// array has the type that a script gets when it reads the element.
    pub fn value(&self) -> VariantRef<'a> {
        self.value
    }

    /// Returns the encoded value, or `None` if the value has no header.
    pub fn encoded(&self) -> Option<Encoded<'a>> {
        self.encoded
    }

    /// Returns the bytes of the value, including its header if it has one. The bytes of a string in
    /// a packed array include its length prefix and padding.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the type that the enclosing array or dictionary declares for the value. A
    /// replacement must also have [this type](TypeRef::accepts).
    pub fn stated(&self) -> TypeRef<'a> {
        self.stated
    }

    /// Returns the bytes of the value without the header.
    pub(crate) fn payload(&self) -> &'a [u8] {
        match self.encoded {
            Some(_) => self.bytes.get(size_of::<u32>()..).unwrap_or_default(),
            None => self.bytes,
        }
    }
}

impl<'a> VariantRef<'a> {
    /// Returns the value at `path`; see [`path`](self::super::path). Each segment costs one walk
    /// over the container that it selects from.
    pub fn at(&self, path: &str) -> Option<VariantRef<'a>> {
        self.find(path).ok()
    }

    /// Returns the value at `path`, or the segment that cannot be resolved.
    ///
    /// ```
    /// use gamewire::godot::{Dialect, Reader};
    ///
    /// // {"a": 1}
    /// let packet = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x01\0\0\0a\0\0\0\x02\0\0\0\x01\0\0\0";
    /// let value = Reader::new(packet, Dialect::Godot4).read()?;
    /// assert_eq!(value.find("a").unwrap().as_i64(), Some(1));
    /// let missing = value.find("b").unwrap_err();
    /// assert_eq!(missing.to_string(), "no key `b` at the top (keys: a)");
    /// # Ok::<(), gamewire::godot::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if there is no such value, or if `path` is malformed.
    pub fn find<'p>(&self, path: &'p str) -> Result<VariantRef<'a>, NotFound<'a, 'p>> {
        // The view of a leaf does not store its bytes, and the result does not need them.
        find(Found::part(*self, &[]), path).map(|found| found.value)
    }
}

impl<'a> Encoded<'a> {
    /// Returns the value at `path` if it has a header; see [`path`](super::path).
    /// [`find`](Self::find) also returns components of vectors and elements of packed arrays.
    ///
    /// ```
    /// use gamewire::godot::{Dialect, Reader};
    ///
    /// let packet = [28, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0]; // [5]
    /// let array = Reader::new(&packet, Dialect::Godot4).read_encoded()?;
    /// assert_eq!(array.at("0").unwrap().as_bytes(), [2, 0, 0, 0, 5, 0, 0, 0]);
    /// # Ok::<(), gamewire::godot::Error>(())
    /// ```
    pub fn at(&self, path: &str) -> Option<Encoded<'a>> {
        self.find(path).ok()?.encoded
    }

    /// Returns the value at `path` with its bytes, or the segment that cannot be resolved.
    ///
    /// # Errors
    /// Returns an error if there is no such value, or if `path` is malformed.
    pub fn find<'p>(&self, path: &'p str) -> Result<Found<'a>, NotFound<'a, 'p>> {
        find(Found::whole(*self), path)
    }
}

fn find<'a, 'p>(start: Found<'a>, path: &'p str) -> Result<Found<'a>, NotFound<'a, 'p>> {
    let mut at = start;
    let mut left = Some(path).filter(|path| !path.is_empty());
    while let Some(text) = left {
        let failed = |fault| NotFound::new(path, text, at, fault);
        // The name of a component may contain a separator: `origin/x`.
        if let Some((component, after)) = resolve::component(&at, text) {
            (at, left) = (component, after);
            continue;
        }
        let (query, after) = SegmentQuery::split(text).map_err(|fault| failed(Some(fault)))?;
        at = resolve::segment(&at, query).ok_or_else(|| failed(None))?;
        left = after;
    }
    Ok(at)
}
