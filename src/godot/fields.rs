//! Rust structs that are Dictionaries, without serde: for messages that have the same keys in
//! the same order each time, as those of a game have.
//!
//! A struct says its fields once to be read ([`FromFields`]) and once to be written
//! ([`ToFields`]). What it says is compiled into code for this one message: each key is
//! compared with a constant of its whole length, so that nothing waits for a length on the
//! wire, and each is written as one.
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

pub use field::Field;

use super::ErrorKind;
use crate::buffer;
use crate::godot::types::convert::ConversionError;

/// A type that is read from the fields of a Dictionary, see [the module](self).
///
/// All keys are Strings or StringNames. They are looked for where the order in which the type
/// asks for them says that they are. Where any is not there, or the dictionary has more than
/// these, the whole value is read again with each of them looked up by name (the last one of
/// that name, as an engine would keep it): one pass over the dictionary for each field of it.
/// Structs may stand inside each other 128 deep.
pub trait FromFields<'a>: Sized {
    /// Asks for each field.
    ///
    /// # Errors
    /// Where a field is not there or not what it should be.
    fn from_fields<F: Fields<'a>>(fields: &mut F) -> Result<Self, FieldError>;
}

/// The fields of a Dictionary that is being read.
pub trait Fields<'a> {
    /// The value of the key `name`. An `Option` is `None` where there is no such key, or null.
    ///
    /// # Errors
    /// Where it is not there or not what it should be.
    fn get<T: Field<'a>>(&mut self, name: &'static str) -> Result<T, FieldError>;
}

/// A type that is written as the fields of a Dictionary, in the order in which it puts them, by
/// [`Writer::put`](super::Writer::put) and wherever else a value can be put.
pub trait ToFields {
    /// Puts each field. It is asked twice: once for how many there are, and once for what they
    /// are.
    ///
    /// # Errors
    /// Where the target cannot say a value, or has no room.
    fn to_fields<F: PutFields>(&self, fields: &mut F) -> Result<(), F::Error>;
}

/// The fields of a Dictionary that is being written.
pub trait PutFields {
    /// Why a field cannot be written.
    type Error;

    /// Appends a key and its value.
    ///
    /// # Errors
    /// Where the target cannot say the value, or has no room.
    fn put<V: super::ToVariant>(&mut self, name: &'static str, value: V)
    -> Result<(), Self::Error>;
}

/// Why a value is not the struct that was asked for, and where.
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

/// What is wrong with a field; the [`FieldError`] around it says where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum FieldFault {
    /// The bytes are no value, no Dictionary, or more than the limits allow.
    #[error(transparent)]
    Packet(ErrorKind),
    /// The Dictionary has no such key; the offset is its own.
    #[error("no `{name}`")]
    Missing {
        /// The key.
        name: &'static str,
    },
    /// The value of a key is not what was asked for; the offset is the value's.
    #[error("`{name}`: {error}")]
    Type {
        /// The key.
        name: &'static str,
        /// What was asked for, and what is there.
        error: ConversionError,
    },
}

impl From<super::Error> for FieldError {
    fn from(error: super::Error) -> Self {
        Self::new(FieldFault::Packet(*error.kind()), error.offset())
    }
}
