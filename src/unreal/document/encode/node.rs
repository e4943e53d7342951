//! Parts of a document that are small enough to be kept in memory: numbers, strings, and objects
//! with a few members.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use data_encoding::HEXLOWER_PERMISSIVE;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// The reason why no file can be written from a document.
#[derive(Debug)]
pub struct Fault(pub Cow<'static, str>);

impl From<&'static str> for Fault {
    fn from(text: &'static str) -> Self {
        Self(text.into())
    }
}

impl From<String> for Fault {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl From<crate::unreal::format::Error> for Fault {
    fn from(error: crate::unreal::format::Error) -> Self {
        Self(format!("{error}").into())
    }
}

impl From<crate::buffer::Full> for Fault {
    fn from(full: crate::buffer::Full) -> Self {
        Self(format!("{full}").into())
    }
}

impl Fault {
    pub fn of<E: Error>(self) -> E {
        E::custom(self.0)
    }
}

/// A value of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Null,
    Bool(bool),
    Int(i64),
    UInt(u64),
    Float(f64),
    Text(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

impl Node {
    /// Returns the member with this name, or an error if the object does not have it.
    pub fn member(&self, name: &str) -> Result<&Self, Fault> {
        self.get(name).ok_or_else(|| format!("`{name}` is missing").into())
    }

    pub fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Map(members) => {
                members.iter().find(|(other, _)| other == name).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    pub fn text(&self) -> Result<&str, Fault> {
        match self {
            Self::Text(text) => Ok(text),
            other => Err(other.unlike("a string")),
        }
    }

    pub fn list(&self) -> Result<&[Self], Fault> {
        match self {
            Self::List(items) => Ok(items),
            other => Err(other.unlike("a list")),
        }
    }

    pub fn bool(&self) -> Result<bool, Fault> {
        match self {
            Self::Bool(value) => Ok(*value),
            other => Err(other.unlike("true or false")),
        }
    }

    /// Returns the value as an integer, or an error if it is not an integer or is out of range.
    pub fn whole<T: TryFrom<i64> + TryFrom<u64>>(&self) -> Result<T, Fault> {
        let found = match *self {
            Self::Int(value) => T::try_from(value).ok(),
            Self::UInt(value) => T::try_from(value).ok(),
            _ => return Err(self.unlike("an integer")),
        };
        found.ok_or_else(|| "an integer is out of range".into())
    }

    /// Returns the value as a number. In a document, infinities and NaN are strings.
    pub fn real(&self) -> Result<f64, Fault> {
        match self {
            Self::Float(value) => Ok(*value),
            Self::Int(value) => Ok(*value as f64),
            Self::UInt(value) => Ok(*value as f64),
            Self::Text(text) => match &**text {
                "NaN" => Ok(f64::NAN),
                "inf" => Ok(f64::INFINITY),
                "-inf" => Ok(f64::NEG_INFINITY),
                _ => Err(self.unlike("a number")),
            },
            other => Err(other.unlike("a number")),
        }
    }

    /// Returns the bytes that a string of hexadecimal digits stands for.
    pub fn hex(&self) -> Result<Vec<u8>, Fault> {
        from_hex(self.text()?)
    }

    pub fn unlike(&self, expected: &str) -> Fault {
        let found = match self {
            Self::Null => "null",
            Self::Bool(_) => "a bool",
            Self::Int(_) | Self::UInt(_) | Self::Float(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Map(_) => "an object",
        };
        format!("expected {expected}, found {found}").into()
    }
}

/// Returns the bytes that hexadecimal digits stand for.
pub fn from_hex(digits: &str) -> Result<Vec<u8>, Fault> {
    let bytes = HEXLOWER_PERMISSIVE.decode(digits.as_bytes());
    bytes.map_err(|_| "the string is not hexadecimal".into())
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(NodeVisitor)
    }
}

pub struct NodeVisitor;

macro_rules! scalars {
    ($($method:ident($T:ty) => $make:expr;)*) => {$(
        fn $method<E: Error>(self, value: $T) -> Result<Node, E> {
            Ok($make(value))
        }
    )*};
}

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    scalars! {
        visit_bool(bool) => Node::Bool;
        visit_i64(i64) => Node::Int;
        visit_u64(u64) => Node::UInt;
        visit_f64(f64) => Node::Float;
        visit_str(&str) => |text: &str| Node::Text(text.into());
        visit_string(String) => Node::Text;
    }

    fn visit_unit<E: Error>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = from.next_element()? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Node, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = from.next_entry()? {
            members.push(member);
        }
        Ok(Node::Map(members))
    }
}

/// A string in UTF-8, in which unpaired surrogates are encoded like other characters (WTF-8).
#[derive(Clone, Debug)]
pub struct WideText(Vec<u8>);

impl WideText {
    /// Returns the string if it has no unpaired surrogates.
    pub fn as_str(&self) -> Option<&str> {
        core::str::from_utf8(&self.0).ok()
    }

    /// Returns the UTF-16 units.
    pub fn units(&self) -> Vec<u16> {
        let (mut units, mut rest) = (Vec::new(), &self.0[..]);
        while !rest.is_empty() {
            let valid = match core::str::from_utf8(rest) {
                Ok(text) => text,
                Err(error) => rest
                    .get(..error.valid_up_to())
                    .and_then(|valid| core::str::from_utf8(valid).ok())
                    .unwrap_or_default(),
            };
            units.extend(valid.encode_utf16());
            rest = match rest.get(valid.len()..).unwrap_or_default() {
                [0xED, high @ 0xA0..=0xBF, low @ 0x80..=0xBF, after @ ..] => {
                    let low = u16::from(*low & 0x3F);
                    units.push(0xD000 | u16::from(*high & 0x3F).wrapping_shl(6) | low);
                    after
                }
                [_, after @ ..] => {
                    units.push(0xFFFD);
                    after
                }
                [] => &[],
            };
        }
        units
    }
}

impl From<&str> for WideText {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

impl<'de> Deserialize<'de> for WideText {
    /// Requests bytes instead of a string, because JSON parsers accept unpaired surrogates in
    /// bytes.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct TextVisitor;

        impl Visitor<'_> for TextVisitor {
            type Value = WideText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<WideText, E> {
                Ok(text.into())
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<WideText, E> {
                Ok(WideText(bytes.to_vec()))
            }
        }

        from.deserialize_bytes(TextVisitor)
    }
}
