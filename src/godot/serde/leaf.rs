//! Deserializers for standalone text and for leaves that are read as the list of their parts.

use super::numbers::Packed;
use super::value::to_str;
use super::{Error, Result};
use crate::buffer::Cursor;
use crate::godot::types::parts::{Part, PartResult};
use crate::godot::{ErrorKind, ObjectRef, PackedStrings, VariantRef};
use alloc::string::ToString;
use alloc::vec::Vec;
use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

/// Passes the leaf at `start` to `visitor`.
pub(super) fn visit_value<'de, V: Visitor<'de>>(
    value: VariantRef<'de>,
    start: Cursor<'de>,
    visitor: V,
) -> Result<V::Value> {
    match value {
        VariantRef::Nil | VariantRef::Callable => visitor.visit_unit(),
        VariantRef::Bool(value) => visitor.visit_bool(value),
        VariantRef::Int(value) => visitor.visit_i64(value),
        VariantRef::Float(value) => visitor.visit_f64(value),
        VariantRef::String(text) | VariantRef::StringName(text) => {
            visitor.visit_borrowed_str(to_str(text, start)?)
        }
        VariantRef::NodePath(path) => visitor.visit_string(path.to_string()),
        VariantRef::Rid(id) => visitor.visit_u64(id.unwrap_or_default()),
        VariantRef::Object(ObjectRef::Id(id)) if id != 0 => visitor.visit_u64(id),
        VariantRef::Object(_) => visitor.visit_unit(),
        VariantRef::PackedStringArray(texts) => {
            all_of(Strings { texts: texts.iter(), start }, texts.len(), start, visitor)
        }
        _ => match Packed::new(value, start) {
            Some(elements) => elements.visit_value(visitor),
            None => {
                let list = List::new(value, start);
                let len = list.len;
                all_of(list, len, start, visitor)
            }
        },
    }
}

/// Passes a sequence to `visitor`, which must consume all of it.
fn all_of<'de, A, V: Visitor<'de>>(
    mut seq: A,
    len: usize,
    start: Cursor<'de>,
    visitor: V,
) -> Result<V::Value>
where
    A: SeqAccess<'de, Error = Error>,
{
    let value = visitor.visit_seq(&mut seq)?;
    match seq.size_hint() {
        Some(0) => Ok(value),
        _ => Err(wrong_count(len, start.pos())),
    }
}

/// Returns the error for a type that did not consume all `found` items.
#[cold]
pub(super) fn wrong_count(found: usize, pos: usize) -> Error {
    let found = u32::try_from(found).unwrap_or(u32::MAX);
    Error::new(ErrorKind::WrongCount { found }, pos)
}

/// A deserializer of text that is valid UTF-8.
pub(super) struct Text<'de>(pub &'de str);

impl<'de> Deserializer<'de> for Text<'de> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(self.0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_enum(BorrowedStrDeserializer::new(self.0))
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// The elements of a PackedStringArray.
struct Strings<'de> {
    texts: PackedStrings<'de>,
    start: Cursor<'de>,
}

impl<'de> SeqAccess<'de> for Strings<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(text) = self.texts.next() else { return Ok(None) };
        seed.deserialize(Text(to_str(text, self.start)?)).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.texts.len())
    }
}

/// The parts of a leaf. Leaves of a fixed size need no allocation.
struct List<'de> {
    few: [Part<'de>; FEW],
    /// The parts after the first [`FEW`].
    more: Vec<Part<'de>>,
    len: usize,
    next: usize,
    start: Cursor<'de>,
}

/// The number of parts of a Projection, the largest leaf of a fixed size.
const FEW: usize = 16;

impl<'de> List<'de> {
    fn new(value: VariantRef<'de>, start: Cursor<'de>) -> Self {
        let mut list = Self { few: [Part::Int(0); FEW], more: Vec::new(), len: 0, next: 0, start };
        let Ok(()) = value.parts(&mut |part| list.push(part));
        list
    }

    fn push(&mut self, part: Part<'de>) -> PartResult<core::convert::Infallible> {
        match self.few.get_mut(self.len) {
            Some(place) => *place = part,
            None => self.more.push(part),
        }
        self.len = self.len.saturating_add(1);
        Ok(())
    }

    fn get(&self, index: usize) -> Option<Part<'de>> {
        let few = self.few.get(..self.len.min(FEW))?;
        few.iter().chain(&self.more).nth(index).copied()
    }
}

impl<'de> SeqAccess<'de> for List<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(part) = self.get(self.next) else { return Ok(None) };
        self.next = self.next.saturating_add(1);
        seed.deserialize(Listed { part, start: self.start }).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.len.saturating_sub(self.next))
    }
}

/// A deserializer of one part of a leaf.
struct Listed<'de> {
    part: Part<'de>,
    start: Cursor<'de>,
}

impl<'de> Deserializer<'de> for Listed<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.part {
            Part::Bool(value) => visitor.visit_bool(value),
            Part::Int(value) => visitor.visit_i64(value),
            Part::Id(value) => visitor.visit_u64(value),
            Part::Real(value) => visitor.visit_f64(value),
            Part::Text(text) => visitor.visit_borrowed_str(to_str(text, self.start)?),
            Part::Path(path) => visitor.visit_string(path.to_string()),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
