//! Lazy views: values that are checked only as far as they are read.
//!
//! [`Reader::read`] checks a whole packet before it returns the first view. A program that needs
//! one field of each packet waits for this check every time. A lazy view checks only what it
//! passes: finding a key checks the pairs before it and the head of its value, and nothing after
//! it. Every step of a lazy view can therefore fail. The errors are those that `read` would return
//! for the same bytes, with the same offsets.
//!
//! ```
//! use gamewire::godot::{Dialect, Reader, Writer};
//!
//! let mut packet = Vec::new();
//! let mut writer = Writer::new(&mut packet, Dialect::Godot4);
//! let mut message = writer.dictionary(2)?;
//! message.entry("kind", "move")?;
//! message.entry("to", [1, 2, 3].as_slice())?;
//! message.finish()?;
//!
//! // The packet was cut off, but the bytes up to the answer are complete.
//! let packet = &packet[..packet.len() - 4];
//! let message = Reader::new(packet, Dialect::Godot4).lazy()?.as_dictionary().unwrap();
//! let kind = message.get("kind")?.unwrap().read()?;
//! assert!(kind.as_str().unwrap() == "move");
//! assert!(message.get("to").is_err());
//! # Ok::<(), gamewire::godot::Error>(())
//! ```
//!
//! A lazy view is the right choice for one or two lookups near the start of a packet. To read most
//! of a packet, [`Reader::read`] or [`Reader::visit`] is faster, because a lazy view walks a
//! container again each time it steps over it.

mod containers;
mod iterators;
mod place;

pub use containers::{LazyArray, LazyDictionary, LazyObject};
pub use iterators::{LazyItems, LazyPairs, LazyProperties};

use super::{Reader, Result, VariantRef};
pub(crate) use place::{Entered, Place};

/// A value whose items have not been checked yet.
#[derive(Clone, Copy, Debug)]
pub enum LazyRef<'a> {
    /// A value without items. All of its bytes were checked, except for the encoding of text.
    Leaf(VariantRef<'a>),
    /// An Array. Its elements were not checked.
    Array(LazyArray<'a>),
    /// A Dictionary. Its pairs were not checked.
    Dictionary(LazyDictionary<'a>),
    /// An Object with class and properties. Its properties were not checked.
    Object(LazyObject<'a>),
}

impl<'a> LazyRef<'a> {
    /// Checks the whole value and returns it. For a leaf, this costs nothing. For a container, it
    /// costs as much as [`Reader::skip`].
    ///
    /// # Errors
    /// Returns the errors of [`Reader::read`].
    pub fn read(&self) -> Result<VariantRef<'a>> {
        match self {
            Self::Leaf(leaf) => Ok(*leaf),
            Self::Array(array) => array.0.read(),
            Self::Dictionary(dictionary) => dictionary.0.read(),
            Self::Object(object) => object.0.read(),
        }
    }

    /// Returns the value if it is not a container.
    pub fn as_leaf(&self) -> Option<VariantRef<'a>> {
        match self {
            Self::Leaf(leaf) => Some(*leaf),
            _ => None,
        }
    }

    /// Returns the view of an Array.
    pub fn as_array(&self) -> Option<LazyArray<'a>> {
        match self {
            Self::Array(array) => Some(*array),
            _ => None,
        }
    }

    /// Returns the view of a Dictionary.
    pub fn as_dictionary(&self) -> Option<LazyDictionary<'a>> {
        match self {
            Self::Dictionary(dictionary) => Some(*dictionary),
            _ => None,
        }
    }

    /// Returns the view of an Object with class and properties.
    pub fn as_object(&self) -> Option<LazyObject<'a>> {
        match self {
            Self::Object(object) => Some(*object),
            _ => None,
        }
    }
}

impl<'a> Reader<'a, '_> {
    /// Returns the next value without checking its items. The reader keeps its position. Takes
    /// constant time for a container. See [`lazy`](self::super::lazy) for an example.
    ///
    /// The [level](super::Limits::level) of strictness is always
    /// [`Structure`](super::Level::Structure). The maximum depth is at most 1024, even if the
    /// caller provided a [stack](Self::with_stack).
    ///
    /// # Errors
    /// Returns an error if the next bytes are neither a leaf nor the head of a container, or if the
    /// limits reject the value.
    pub fn lazy(&self) -> Result<LazyRef<'a>> {
        Place::of(self).open()
    }
}
