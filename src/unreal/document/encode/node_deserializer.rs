//! Implements [`Deserializer`] for [`Node`]: code that writes a value while it parses a document
//! can then also read the value from a part of a document that was kept in memory.

use super::node::{Fault, Node};
use alloc::string::ToString;
use core::fmt::{self, Display};
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, Error, IntoDeserializer, StdError, Visitor};

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl StdError for Fault {}

impl Error for Fault {
    fn custom<T: Display>(text: T) -> Self {
        text.to_string().into()
    }
}

impl IntoDeserializer<'_, Fault> for &Node {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for &Node {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self {
            Node::Null => visitor.visit_unit(),
            Node::Bool(value) => visitor.visit_bool(*value),
            Node::Int(value) => visitor.visit_i64(*value),
            Node::UInt(value) => visitor.visit_u64(*value),
            Node::Float(value) => visitor.visit_f64(*value),
            Node::Text(text) => visitor.visit_str(text),
            Node::List(items) => visitor.visit_seq(SeqDeserializer::new(items.iter())),
            Node::Map(members) => {
                let members = members.iter().map(|(name, value)| (&**name, value));
                visitor.visit_map(MapDeserializer::new(members))
            }
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}
