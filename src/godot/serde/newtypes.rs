//! Serde support for the engine's types that consist of one part: text, an id or nothing.

use super::names::KnownName;
use crate::godot::{Callable, Kind, NodePath, ObjectId, Rid, Signal, StrRef, StringName};
use core::fmt;
use core::marker::PhantomData;
use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeStruct, Serializer};

const fn name(kind: Kind) -> &'static str {
    KnownName::Value { kind, double: false }.name()
}

/// A visitor that reads the content of a newtype as a `T`.
struct Newtype<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Newtype<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the content of a newtype")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<T, D::Error> {
        T::deserialize(from)
    }

    /// Reads the content from a sequence, because some formats represent newtypes as sequences.
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<T, A::Error> {
        seq.next_element()?.ok_or_else(|| de::Error::invalid_length(0, &self))
    }
}

fn content<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    kind: Kind,
    from: D,
) -> Result<T, D::Error> {
    from.deserialize_newtype_struct(name(kind), Newtype(PhantomData))
}

macro_rules! texts {
    ($($Name:ident)*) => {$(
        impl<T: Serialize> Serialize for $Name<T> {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_newtype_struct(const { name(Kind::$Name) }, &self.0)
            }
        }

        impl<'de, T: Deserialize<'de>> Deserialize<'de> for $Name<T> {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                content(Kind::$Name, from).map(Self)
            }
        }
    )*};
}
texts!(StringName NodePath);

macro_rules! ids {
    ($($Name:ident $Kind:ident)*) => {$(
        impl Serialize for $Name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_newtype_struct(const { name(Kind::$Kind) }, &self.0)
            }
        }

        /// Null becomes 0.
        impl<'de> Deserialize<'de> for $Name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let id: Option<u64> = content(Kind::$Kind, from)?;
                Ok(Self(id.unwrap_or_default()))
            }
        }
    )*};
}
ids!(ObjectId Object Rid Rid);

impl Serialize for Callable {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_unit_struct(const { name(Kind::Callable) })
    }
}

impl<'de> Deserialize<'de> for Callable {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        <()>::deserialize(from).map(|()| Self)
    }
}

impl<N: Serialize> Serialize for Signal<N> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut fields = to.serialize_struct(const { name(Kind::Signal) }, SIGNAL.len())?;
        fields.serialize_field("name", &self.name)?;
        fields.serialize_field("object", &self.object)?;
        fields.end()
    }
}

const SIGNAL: &[&str] = &["name", "object"];

impl<'de, N: Deserialize<'de>> Deserialize<'de> for Signal<N> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let fields = SignalFields { name: PhantomData, _size: 0 };
        from.deserialize_struct(const { name(Kind::Signal) }, SIGNAL, fields)
    }
}

/// A visitor that reads a Signal. It is not zero-sized, for the reason given in
/// `Value::deserialize_struct`.
struct SignalFields<N> {
    name: PhantomData<N>,
    _size: u8,
}

impl<'de, N: Deserialize<'de>> Visitor<'de> for SignalFields<N> {
    type Value = Signal<N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a Signal")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        match (seq.next_element()?, seq.next_element()?) {
            (Some(name), Some(object)) => Ok(Signal { name, object }),
            _ => Err(de::Error::invalid_length(1, &self)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut name, mut object) = (None, None);
        while let Some(field) = map.next_key_seed(super::structs::OneOf(SIGNAL))? {
            match field {
                Some("name") => name = Some(map.next_value()?),
                Some("object") => object = Some(map.next_value()?),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(Signal {
            name: name.ok_or_else(|| de::Error::missing_field("name"))?,
            object: object.ok_or_else(|| de::Error::missing_field("object"))?,
        })
    }
}

/// Serialized as the text that a script sees, with U+FFFD for invalid UTF-8.
impl Serialize for StrRef<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.to_str() {
            Ok(text) => to.serialize_str(text),
            Err(_) => to.collect_str(self),
        }
    }
}
