//! Passes encoded values of this crate through serde, whose data model cannot express them.
//!
//! The values present themselves as newtypes with one of [this crate's names](super::names). The
//! content of such a newtype has two forms. Any format can represent the first one. The second one
//! is raw bytes with a tag, which only this crate's serializer and deserializer may see. To
//! recognise these two, the newtype calls `is_human_readable` twice. Every other format gives the
//! same answer both times; this crate's serializer and deserializer give opposite answers.

use super::Error;
use core::cell::Cell;
use core::fmt;
use serde::de::value::BorrowedBytesDeserializer;
use serde::de::{
    self, DeserializeSeed, Deserializer, IntoDeserializer, SeqAccess, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;

/// An answer that alternates from call to call: `false`, `true`, `false` …
#[derive(Default)]
pub(super) struct AlternatingAnswer(Cell<bool>);

impl AlternatingAnswer {
    #[inline(always)]
    pub(super) fn answer(&self) -> bool {
        self.0.replace(!self.0.get())
    }
}

/// Returns `true` if the (de)serializer is one of this crate's.
#[inline(always)]
pub(super) fn is_ours(is_human_readable: impl Fn() -> bool) -> bool {
    is_human_readable() != is_human_readable()
}

/// Bytes with a tag that says how to interpret them.
pub(super) struct Raw<'de> {
    tag: u8,
    bytes: &'de [u8],
    alternating: AlternatingAnswer,
}

impl<'de> Raw<'de> {
    #[inline(always)]
    pub(super) fn new(tag: u8, bytes: &'de [u8]) -> Self {
        Self { tag, bytes, alternating: AlternatingAnswer::default() }
    }
}

/// Reads the tag and the bytes from one of this crate's deserializers.
#[inline(always)]
pub(super) fn from_ours<'de, D: Deserializer<'de>>(from: D) -> Result<(u8, &'de [u8]), D::Error> {
    if !is_ours(|| from.is_human_readable()) {
        return Err(de::Error::invalid_type(Unexpected::NewtypeStruct, &TaggedBytesVisitor));
    }
    from.deserialize_tuple(2, TaggedBytesVisitor)
}

struct TaggedBytesVisitor;

impl<'de> Visitor<'de> for TaggedBytesVisitor {
    type Value = (u8, &'de [u8]);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of a packet")
    }

    #[inline(always)]
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        match (seq.next_element()?, seq.next_element()?) {
            (Some(tag), Some(bytes)) => Ok((tag, bytes)),
            _ => Err(de::Error::invalid_length(0, &self)),
        }
    }
}

impl<'de> Deserializer<'de> for Raw<'de> {
    type Error = Error;

    #[inline(always)]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(Pair { raw: self, given: 0 })
    }

    #[inline(always)]
    fn is_human_readable(&self) -> bool {
        self.alternating.answer()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        option unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

struct Pair<'de> {
    raw: Raw<'de>,
    given: u8,
}

impl<'de> SeqAccess<'de> for Pair<'de> {
    type Error = Error;

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        self.given = self.given.saturating_add(1);
        match self.given {
            1 => seed.deserialize(self.raw.tag.into_deserializer()).map(Some),
            2 => seed.deserialize(BorrowedBytesDeserializer::new(self.raw.bytes)).map(Some),
            _ => Ok(None),
        }
    }
}
