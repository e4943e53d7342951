//! Paths: one value out of many, by the keys, indices and names that lead to it.
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
//! Segments are separated by `/`; a path without any is the value itself.
//!
//! | segment | in a dictionary | in an array, also a packed one | in a full object | in a vector or the like |
//! |---|---|---|---|---|
//! | `name` | the String or StringName key | | the property | a number of it: `x`, `origin/y` |
//! | `3`, `-1` | the int key; if there is none, the text | the index, from 0; from the end | the property | |
//! | `"name"` | the String or StringName key | | the property | |
//! | `[TEXT]` | the key that Godot's text notation prints as TEXT: `[Vector2(1, 2)]`, `[true]`, `[&"name"]` | | | |
//! | `[#3]` | the value of the pair number 3, from 0 | | the property number 3 | |
//! | `[#3 key]` | the key of that pair | | | |
//!
//! A name that has a `/` in it, looks like a number, is empty or starts with a quote or
//! bracket is given in quotes. In these `\"` is a quote, `\\` a backslash and `\xff` a byte,
//! since text of a packet need not be UTF-8.
//!
//! Where a key stands more than once, the last one counts, as for
//! [`DictionaryRef::get_last`](crate::godot::DictionaryRef::get_last): that is what an engine keeps. Of an object's property, too:
//! an engine sets one after the other. Those before can be had by their number.
//!
//! [`Path`] goes the other way, from an offset to the path of the value there.

mod key;
mod missing;
#[cfg(feature = "alloc")]
mod owned;
mod place;
mod segment;
mod step;

pub use missing::NotFound;
pub use place::Path;
pub use segment::Segment;

use crate::godot::{Encoded, TypeRef, VariantRef};
pub(crate) use segment::Asked;

/// A value found by its path. Components of a vector and elements of a packed array have no
/// header; everything else is a value in full.
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
    /// A value in full.
    pub(crate) fn whole(encoded: Encoded<'a>) -> Self {
        let (value, bytes) = (encoded.decode(), encoded.as_bytes());
        Self { value, encoded: Some(encoded), bytes, stated: TypeRef::Untyped }
    }

    /// A part of a value.
    pub(crate) fn part(value: VariantRef<'a>, bytes: &'a [u8]) -> Self {
        Self { value, encoded: None, bytes, stated: TypeRef::Untyped }
    }

    /// The value. A number of a vector is a Float or an Int, an element of a packed array
    /// what a script gets for it.
    pub fn value(&self) -> VariantRef<'a> {
        self.value
    }

    /// The value in full, where it has a header of its own.
    pub fn encoded(&self) -> Option<Encoded<'a>> {
        self.encoded
    }

    /// Its bytes, with the header where it has one; of a packed array's text, with length
    /// and pad.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// What the array or dictionary around it says that it is: whatever is put there instead
    /// has to be [that](TypeRef::accepts), too.
    pub fn stated(&self) -> TypeRef<'a> {
        self.stated
    }

    /// Its bytes without the header.
    pub(crate) fn payload(&self) -> &'a [u8] {
        match self.encoded {
            Some(_) => self.bytes.get(size_of::<u32>()..).unwrap_or_default(),
            None => self.bytes,
        }
    }
}

impl<'a> VariantRef<'a> {
    /// The value at `path`, see [`path`](self::super::path). Each segment costs one
    /// walk over the container that it selects from.
    pub fn at(&self, path: &str) -> Option<VariantRef<'a>> {
        self.find(path).ok()
    }

    /// The value at `path`, or which segment of it leads nowhere.
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
        // A leaf's view does not know its bytes, and nobody asks for them here.
        find(Found::part(*self, &[]), path).map(|found| found.value)
    }
}

impl<'a> Encoded<'a> {
    /// The value at `path`, see [`path`](super::path), where it is a value in full:
    /// [`find`](Self::find) also gives numbers of vectors and elements of packed arrays.
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
        // The names of numbers may have a separator inside.
        if let Some((number, after)) = step::number(&at, text) {
            (at, left) = (number, after);
            continue;
        }
        let (asked, after) = Asked::split(text).map_err(|fault| failed(Some(fault)))?;
        at = step::step(&at, asked).ok_or_else(|| failed(None))?;
        left = after;
    }
    Ok(at)
}
