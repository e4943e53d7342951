//! Serializes a document into a tree in memory, which can be compared with a document that was
//! parsed.

use super::node::Node;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use serde::ser::{
    Error, Impossible, Serialize, SerializeMap, SerializeSeq, SerializeTuple, Serializer,
};

/// Serializes a document into a tree. Members with the names in `skipped` are left out.
pub fn to_node(of: &impl Serialize, skipped: &'static [&'static str]) -> Result<Node, Unsupported> {
    of.serialize(ToNode { skipped })
}

/// The error for a value of a type that no document contains.
#[derive(Debug)]
pub struct Unsupported;

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value that no document contains")
    }
}

impl core::error::Error for Unsupported {}

impl Error for Unsupported {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

#[derive(Clone, Copy)]
struct ToNode {
    skipped: &'static [&'static str],
}

struct Items(ToNode, Vec<Node>);

impl SerializeSeq for Items {
    type Ok = Node;
    type Error = Unsupported;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unsupported> {
        self.1.push(value.serialize(self.0)?);
        Ok(())
    }

    fn end(self) -> Result<Node, Unsupported> {
        Ok(Node::List(self.1))
    }
}

impl SerializeTuple for Items {
    type Ok = Node;
    type Error = Unsupported;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unsupported> {
        SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<Node, Unsupported> {
        SerializeSeq::end(self)
    }
}

struct Members(ToNode, Vec<(String, Node)>, String);

impl SerializeMap for Members {
    type Ok = Node;
    type Error = Unsupported;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unsupported> {
        match key.serialize(self.0)? {
            Node::Text(key) => self.2 = key,
            _ => return Err(Unsupported),
        }
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unsupported> {
        let key = core::mem::take(&mut self.2);
        if !self.0.skipped.contains(&&*key) {
            self.1.push((key, value.serialize(self.0)?));
        }
        Ok(())
    }

    fn end(self) -> Result<Node, Unsupported> {
        Ok(Node::Map(self.1))
    }
}

macro_rules! scalars {
    ($($method:ident($T:ty) => $make:expr;)*) => {$(
        fn $method(self, value: $T) -> Result<Node, Unsupported> {
            Ok($make(value))
        }
    )*};
}

/// Returns an integer as parsers return it: unsigned, unless it is negative.
fn signed(value: i64) -> Node {
    u64::try_from(value).map_or(Node::Int(value), Node::UInt)
}

/// Returns the `f64` that a parser reads from the shortest decimal form of `value`.
fn decimal(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}

type No = Impossible<Node, Unsupported>;

impl Serializer for ToNode {
    type Ok = Node;
    type Error = Unsupported;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = No;
    type SerializeTupleVariant = No;
    type SerializeMap = Members;
    type SerializeStruct = No;
    type SerializeStructVariant = No;

    scalars! {
        serialize_bool(bool) => Node::Bool;
        serialize_i8(i8) => |value| signed(i64::from(value));
        serialize_i16(i16) => |value| signed(i64::from(value));
        serialize_i32(i32) => |value| signed(i64::from(value));
        serialize_i64(i64) => signed;
        serialize_u8(u8) => |value| Node::UInt(u64::from(value));
        serialize_u16(u16) => |value| Node::UInt(u64::from(value));
        serialize_u32(u32) => |value| Node::UInt(u64::from(value));
        serialize_u64(u64) => Node::UInt;
        serialize_f32(f32) => |value| Node::Float(decimal(value));
        serialize_f64(f64) => Node::Float;
        serialize_char(char) => |value: char| Node::Text(value.to_string());
        serialize_str(&str) => |text: &str| Node::Text(text.into());
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<Node, Unsupported> {
        Err(Unsupported)
    }

    fn serialize_none(self) -> Result<Node, Unsupported> {
        Ok(Node::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Node, Unsupported> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Node, Unsupported> {
        Ok(Node::Null)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Node, Unsupported> {
        Err(Unsupported)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
    ) -> Result<Node, Unsupported> {
        self.serialize_str(name)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Node, Unsupported> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Node, Unsupported> {
        Err(Unsupported)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items, Unsupported> {
        Ok(Items(self, Vec::new()))
    }

    fn serialize_tuple(self, _: usize) -> Result<Items, Unsupported> {
        Ok(Items(self, Vec::new()))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<No, Unsupported> {
        Err(Unsupported)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<No, Unsupported> {
        Err(Unsupported)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members, Unsupported> {
        Ok(Members(self, Vec::new(), String::new()))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<No, Unsupported> {
        Err(Unsupported)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<No, Unsupported> {
        Err(Unsupported)
    }
}
