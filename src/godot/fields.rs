//! Reads and writes Rust structs as Dictionaries, without serde. Use this module for packets whose
//! Dictionaries always have the same keys in the same order, such as the messages of one game.
//!
//! A struct lists its fields once for reading ([`FromFields`]) and once for writing ([`ToFields`]).
//! Each list compiles to code that is specific to the struct. The reader expects each key to be a
//! certain constant. It therefore knows where the value after the key begins, without reading the
//! length of the key. The writer copies each encoded key from a constant to the output.
//!
//! ```
//! use gamewire::godot::{
//!     Dialect, FieldError, Fields, FromFields, PutFields, Reader, ToFields, Vector2, Writer,
//! };
//!
//! #[derive(Debug, PartialEq)]
//! struct Input<'a> {
//!     player: &'a str,
//!     direction: Vector2<f32>,
//!     jump: bool,
//! }
//!
//! impl<'a> FromFields<'a> for Input<'a> {
//!     fn from_fields<F: Fields<'a>>(fields: &mut F) -> Result<Self, FieldError> {
//!         Ok(Self {
//!             player: fields.get("player")?,
//!             direction: fields.get("direction")?,
//!             jump: fields.get("jump")?,
//!         })
//!     }
//! }
//!
//! impl ToFields for Input<'_> {
//!     fn to_fields<F: PutFields>(&self, fields: &mut F) -> Result<(), F::Error> {
//!         fields.put("player", self.player)?;
//!         fields.put("direction", self.direction)?;
//!         fields.put("jump", self.jump)
//!     }
//! }
//!
//! let input = Input { player: "Ada", direction: Vector2 { x: 1.0, y: 0.0 }, jump: true };
//! let mut packet = Vec::new();
//! Writer::new(&mut packet, Dialect::Godot4).put(&input)?; // var_to_bytes({"player": "Ada", …})
//! assert_eq!(Reader::new(&packet, Dialect::Godot4).read_fields::<Input<'_>>(), Ok(input));
//! # Ok::<(), gamewire::godot::Error>(())
//! ```

mod by_name;
mod field;
mod in_order;
mod put;
mod read;

pub(crate) use by_name::from_argument;
pub use field::Field;

use super::ErrorKind;
use crate::buffer;
use crate::godot::types::convert::ConversionError;

/// A type that is read from the fields of a Dictionary; see [the module](self).
///
/// The struct is first read on the assumption that the keys are Strings in the order of the calls
/// to [`Fields::get`]. This fails if a key is a StringName, is missing or is at a different
/// position, or if the dictionary has additional keys. The struct is then read a second time. In
/// this second attempt, each field is looked up by its name, with one pass over the dictionary for
/// each field. If several keys have the same name, the value of the last one is used, as in the
/// engine. Structs may nest up to 128 levels deep.
pub trait FromFields<'a>: Sized {
    /// Gets each field.
    ///
    /// # Errors
    /// Returns the errors of [`Fields::get`].
    fn from_fields<F: Fields<'a>>(fields: &mut F) -> Result<Self, FieldError>;
}

/// The fields of a Dictionary that is being read.
pub trait Fields<'a> {
    /// Returns the value of the key `name`. `T` can be an `Option`. The result is then `None` if
    /// there is no such key, or if its value is null.
    ///
    /// # Errors
    /// Returns an error if the field is missing, if its value cannot be converted to `T`, or if
    /// structs nest too deeply. The first attempt, which reads the fields in order, also returns an
    /// error if the next key is not `name`. The struct is then read again, and each field is looked
    /// up by its name.
    fn get<T: Field<'a>>(&mut self, name: &'static str) -> Result<T, FieldError>;
}

/// A type that is written as a Dictionary. The keys have the order of the calls to
/// [`PutFields::put`]. [`Writer::put`](super::Writer::put) and every other method that takes a
/// value accept such a type.
pub trait ToFields {
    /// Puts each field. This method is called twice: once to count the fields, and once to write
    /// them.
    ///
    /// # Errors
    /// Returns the errors of [`PutFields::put`].
    fn to_fields<F: PutFields>(&self, fields: &mut F) -> Result<(), F::Error>;
}

/// The fields of a Dictionary that is being written.
pub trait PutFields {
    /// The error of writing a field.
    type Error;

    /// Appends a key and its value.
    ///
    /// # Errors
    /// Returns an error if the target cannot represent the value, if containers nest too deeply, or
    /// if the sink is full. Also returns an error if the second of the two calls to
    /// [`ToFields::to_fields`] puts more fields than the first.
    fn put<V: super::ToVariant>(&mut self, name: &'static str, value: V)
    -> Result<(), Self::Error>;
}

/// The error of reading a struct: a [`FieldFault`] and its offset.
///
/// ```
/// use gamewire::godot::{Dialect, FieldError, FieldFault, Fields, FromFields, Reader};
///
/// #[derive(Debug)]
/// struct Health(u8);
///
/// impl<'a> FromFields<'a> for Health {
///     fn from_fields<F: Fields<'a>>(fields: &mut F) -> Result<Self, FieldError> {
///         fields.get("hp").map(Self)
///     }
/// }
///
/// // {"hp": 300}
/// let packet = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x2c\x01\0\0";
/// let error = Reader::new(packet, Dialect::Godot4).read_fields::<Health>().unwrap_err();
/// assert_eq!(error.to_string(), "`hp`: cannot convert this Int to u8 at offset 20 (0x14)");
/// assert!(matches!(error.kind(), FieldFault::Type { name: "hp", .. }));
/// ```
pub type FieldError = buffer::Error<FieldFault>;

/// Kind of a [`FieldError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum FieldFault {
    /// The bytes are malformed, are not a Dictionary, or exceed the limits.
    #[error(transparent)]
    Packet(ErrorKind),
    /// The Dictionary has no such key. The offset is that of the Dictionary.
    #[error("no key `{name}` in the Dictionary")]
    Missing {
        /// The key.
        name: &'static str,
    },
    /// The value of a key cannot be converted to the requested type. The offset is that of the
    /// value.
    #[error("`{name}`: {error}")]
    Type {
        /// The key.
        name: &'static str,
        /// The requested type and the kind of the value.
        error: ConversionError,
    },
}

impl From<super::Error> for FieldError {
    fn from(error: super::Error) -> Self {
        Self::new(FieldFault::Packet(*error.kind()), error.offset())
    }
}
