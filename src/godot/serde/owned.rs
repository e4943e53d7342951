//! Serde support for owned values. A packet preserves all details of a value. Any other format
//! stores a value of the nearest type that the format has.

use super::raw::{from_ours, is_ours};
use super::views::{ENCODED, of_ours};
use crate::godot::read::walk::ENGINE_DEPTH;
use crate::godot::write::writer::in_some_dialect;
use crate::godot::{Array, Dictionary, Encoded, ErrorKind, Variant};
use core::fmt;
use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{self, Serialize, Serializer};

impl Serialize for Variant {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match in_some_dialect(self, self.dialect()) {
            Ok((bytes, dialect)) => Encoded::trusted(&bytes, dialect).serialize(to),
            Err(error) => Err(ser::Error::custom(error)),
        }
    }
}

/// Packets are read without loss. In other formats, text becomes a String, a sequence becomes an
/// Array, and a map becomes a Dictionary. Values can be nested at most 1024 levels deep. Reading is
/// recursive if the format's deserializer is recursive. Unless the format has a lower limit, the
/// stack must then have room for 1024 levels.
impl<'de> Deserialize<'de> for Variant {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Any { levels: ENGINE_DEPTH }.deserialize(from)
    }
}

/// A visitor that accepts any value with at most this many levels of containers.
#[derive(Clone, Copy)]
struct Any {
    levels: u32,
}

impl Any {
    /// Returns the visitor for the items of a container.
    fn inner<E: de::Error>(self) -> Result<Self, E> {
        match self.levels.checked_sub(1) {
            Some(levels) => Ok(Self { levels }),
            None => Err(E::custom(ErrorKind::TooDeep { limit: ENGINE_DEPTH })),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Any {
    type Value = Variant;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Variant, D::Error> {
        from.deserialize_newtype_struct(ENCODED, self)
    }
}

impl<'de> Visitor<'de> for Any {
    type Value = Variant;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value that Godot has")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<Variant, D::Error> {
        if !is_ours(|| from.is_human_readable()) {
            return from.deserialize_any(self);
        }
        let encoded = of_ours(from_ours(from)?)?;
        encoded.to_variant().map_err(de::Error::custom)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Variant, E> {
        Ok(value.into())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Variant, E> {
        Ok(value.into())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Variant, E> {
        value.try_into().map_err(E::custom)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Variant, E> {
        Ok(value.into())
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Variant, E> {
        Ok(value.into())
    }

    fn visit_bytes<E: de::Error>(self, value: &[u8]) -> Result<Variant, E> {
        Ok(value.into())
    }

    fn visit_unit<E: de::Error>(self) -> Result<Variant, E> {
        Ok(Variant::NIL)
    }

    fn visit_none<E: de::Error>(self) -> Result<Variant, E> {
        Ok(Variant::NIL)
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Variant, D::Error> {
        self.inner()?.deserialize(from)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Variant, A::Error> {
        let (mut array, inner) = (Array::new(), self.inner()?);
        while let Some(item) = seq.next_element_seed(inner)? {
            array.items.push(item);
        }
        Ok(array.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Variant, A::Error> {
        let (mut dictionary, inner) = (Dictionary::new(), self.inner()?);
        while let Some(pair) = map.next_entry_seed(inner, inner)? {
            dictionary.pairs.push(pair);
        }
        Ok(dictionary.into())
    }
}
