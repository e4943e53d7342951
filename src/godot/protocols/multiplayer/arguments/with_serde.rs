//! Arguments of a call as any Rust types, with serde.

use crate::godot::multiplayer::{Run, RunReader};
use crate::godot::serde::{Deserializer, Error, Result};
use crate::godot::{Dialect, ErrorKind, VariantRef};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{self, Deserialize, DeserializeSeed, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

impl<'a> Run<'a> {
    /// Converts the values to a tuple or a list of Rust types, with serde. There must be exactly as
    /// many values as the tuple has elements.
    ///
    /// An element that can be any value, such as a [`Variant`](crate::godot::Variant), cannot be
    /// deserialized from a compact bool or int; use [`parse`](Self::parse) or [`iter`](Self::iter)
    /// for it.
    ///
    /// ```
    /// use gamewire::godot::multiplayer::Run;
    ///
    /// let run = Run::compact(b"\x81\x02\x05\x04\0\0\0\x02\0\0\0hi\0\0");
    /// assert_eq!(run.deserialize::<(bool, Option<u8>, &str)>()?, (true, Some(5), "hi"));
    /// # Ok::<(), gamewire::godot::serde::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if a value is malformed, if it does not match its type, or if there are
    /// fewer or more values.
    pub fn deserialize<T: Deserialize<'a>>(&self) -> Result<T> {
        let mut arguments = Arguments { values: self.iter(), dialect: self.dialect() };
        let value = T::deserialize(SeqAccessDeserializer::new(&mut arguments))?;
        match arguments.values.has_next() {
            true => {
                let offset = arguments.values.offset();
                Err(crate::godot::Error::new(ErrorKind::TooManyItems, offset).into())
            }
            false => Ok(value),
        }
    }
}

struct Arguments<'a> {
    values: RunReader<'a>,
    dialect: Dialect,
}

impl<'a> SeqAccess<'a> for &mut Arguments<'a> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let offset = self.values.offset();
        let Some(value) = self.values.read_encoded()? else { return Ok(None) };
        match value.decode() {
            VariantRef::Bool(value) => seed.deserialize(Leaf::Bool(value)).map(Some),
            VariantRef::Int(value) => seed.deserialize(Leaf::Int(value)).map(Some),
            // The only value of a raw call has neither a header nor a length.
            VariantRef::PackedByteArray(bytes) => seed.deserialize(Leaf::Bytes(bytes)).map(Some),
            _ => {
                let mut values = Deserializer::new(value.as_bytes(), self.dialect).origin(offset);
                values.read_seed(seed).map(Some)
            }
        }
    }
}

/// A value whose bytes in a call are not those of a whole value.
#[derive(Clone, Copy)]
enum Leaf<'a> {
    Bool(bool),
    Int(i64),
    Bytes(&'a [u8]),
}

impl<'de> de::Deserializer<'de> for Leaf<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self {
            Self::Bool(value) => visitor.visit_bool(value),
            Self::Int(value) => visitor.visit_i64(value),
            Self::Bytes(bytes) => visitor.visit_borrowed_bytes(bytes),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self {
            Self::Bytes(bytes) => {
                let bytes = bytes.iter().copied();
                visitor.visit_seq(de::value::SeqDeserializer::new(bytes))
            }
            _ => self.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct tuple tuple_struct map struct enum identifier ignored_any
    }
}
