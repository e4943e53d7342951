//! Serializes sequences: as an Array, or as a PackedByteArray if all elements are `u8`.

use super::names::KnownName;
use super::ser::{Container, To};
use super::{Error, Result};
use crate::buffer::Sink;
use crate::godot::Kind;
use alloc::vec::Vec;
use core::fmt;
use serde::ser::{self, Impossible, Serialize};

/// A sequence that is collected as bytes until an element is not a `u8`.
pub(super) enum Seq<'s, 'w, S> {
    Bytes {
        to: To<'s, 'w, S>,
        len: Option<usize>,
        bytes: Vec<u8>,
    },
    Items(Container<'s, 'w, S>),
    /// The state while a sequence changes from bytes to items, and after an error.
    Over,
}

impl<S: Sink> Seq<'_, '_, S> {
    /// Switches to an Array after an element that is not a `u8`. The bytes collected so far
    /// become ints.
    #[inline]
    fn items(&mut self) -> Result<()> {
        let before = core::mem::replace(self, Self::Over);
        if let Self::Bytes { to, len, bytes } = before {
            let mut items = to.open(Kind::Array, len)?;
            bytes.iter().try_for_each(|byte| items.item(byte))?;
            *self = Self::Items(items);
        }
        Ok(())
    }
}

impl<S: Sink> ser::SerializeSeq for Seq<'_, '_, S> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        if let Self::Bytes { bytes, .. } = self {
            match value.serialize(Byte) {
                Ok(byte) => {
                    bytes.push(byte);
                    return Ok(());
                }
                Err(NoByte) => self.items()?,
            }
        }
        match self {
            Self::Items(items) => items.item(value),
            _ => {
                Err(Error::message("the sequence is incomplete because an earlier element failed"))
            }
        }
    }

    #[inline]
    fn end(self) -> Result<()> {
        match self {
            Self::Items(items) => items.close(),
            Self::Bytes { to, bytes, .. } if bytes.is_empty() => {
                to.open(Kind::Array, Some(0))?.close()
            }
            Self::Bytes { to, bytes, .. } => ser::Serializer::serialize_bytes(to, &bytes),
            Self::Over => {
                Err(Error::message("the sequence is incomplete because an earlier element failed"))
            }
        }
    }
}

/// A serializer that accepts a `u8` only.
struct Byte;

/// The error for a value that is not a `u8`.
#[derive(Debug)]
struct NoByte;

impl fmt::Display for NoByte {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no byte")
    }
}

impl core::error::Error for NoByte {}

impl ser::Error for NoByte {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

impl ser::Serializer for Byte {
    type Ok = u8;
    type Error = NoByte;
    type SerializeSeq = Impossible<u8, NoByte>;
    type SerializeTuple = Impossible<u8, NoByte>;
    type SerializeTupleStruct = Impossible<u8, NoByte>;
    type SerializeTupleVariant = Impossible<u8, NoByte>;
    type SerializeMap = Impossible<u8, NoByte>;
    type SerializeStruct = Impossible<u8, NoByte>;
    type SerializeStructVariant = Impossible<u8, NoByte>;

    #[inline]
    fn serialize_u8(self, value: u8) -> core::result::Result<u8, NoByte> {
        Ok(value)
    }

    super::unsupported_methods! { Err(NoByte);
        bool i8 i16 i32 i64 i128 u16 u32 u64 u128 f32 f64 char str bytes none some unit
        unit_struct unit_variant newtype_variant seq tuple tuple_struct tuple_variant map struct
        struct_variant
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> core::result::Result<u8, NoByte> {
        if KnownName::named(name).is_some() { Err(NoByte) } else { value.serialize(self) }
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn only_a_u8_is_a_byte() {
        assert_eq!(true.serialize(Byte).unwrap_err().to_string(), "no byte");
        assert_eq!(5_u8.serialize(Byte).unwrap(), 5);
    }
}
