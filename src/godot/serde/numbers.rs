//! Deserializers for the elements of packed arrays.

use super::leaf::wrong_count;
use super::names::KnownName;
use super::raw::Raw;
use super::{Error, Result};
use crate::buffer::Cursor;
use crate::godot::VariantRef;
use crate::godot::table::layouts::U32;
use crate::godot::table::payload::Number;
use serde::de::{DeserializeSeed, Deserializer, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

/// A run of numbers of one type.
#[derive(Clone, Copy)]
struct Row<'de> {
    bytes: &'de [u8],
    number: Number,
}

impl<'de> Row<'de> {
    /// Passes the first number to `visitor`.
    #[inline]
    fn visit_value<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let cut_off = || Error::message("too few bytes for a number");
        let narrow = self.bytes.first_chunk::<4>().copied();
        let wide = self.bytes.first_chunk::<8>().copied();
        match self.number {
            Number::U8 => visitor.visit_u8(*self.bytes.first().ok_or_else(cut_off)?),
            Number::I32 => visitor.visit_i32(i32::from_le_bytes(narrow.ok_or_else(cut_off)?)),
            Number::F32 => visitor.visit_f32(f32::from_le_bytes(narrow.ok_or_else(cut_off)?)),
            Number::I64 => visitor.visit_i64(i64::from_le_bytes(wide.ok_or_else(cut_off)?)),
            Number::F64 | Number::Real { .. } => {
                visitor.visit_f64(f64::from_le_bytes(wide.ok_or_else(cut_off)?))
            }
        }
    }
}

/// The elements of a packed array.
#[derive(Clone, Copy)]
pub(super) struct Packed<'de> {
    pub bytes: &'de [u8],
    number: Number,
    /// Numbers per element.
    each: usize,
    /// Position of the first element.
    pos: usize,
}

impl<'de> Packed<'de> {
    /// Returns the elements of `value`, which is at `start`, if they are numbers.
    pub(super) fn new(value: VariantRef<'de>, start: Cursor<'de>) -> Option<Self> {
        let numbers = VariantRef::numbers(value.kind()).filter(|numbers| numbers.counted)?;
        let number = match numbers.number {
            Number::Real { .. } if value.is_double() => Number::F64,
            Number::Real { .. } => Number::F32,
            number => number,
        };
        let mut at = start;
        let [_, count] = at.read::<[U32; 2]>().ok()?;
        let len = (count.get() as usize).checked_mul(numbers.each)?.checked_mul(number.size())?;
        let bytes = at.rest().get(..len)?;
        Some(Self { bytes, number, each: numbers.each, pos: at.pos() })
    }

    #[inline]
    pub(super) fn visit_value<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let row = Row { bytes: self.bytes, number: self.number };
        let mut elements = Elements::new(row, self.each);
        let len = elements.left();
        let value = visitor.visit_seq(&mut elements);
        let done = self.bytes.len().saturating_sub(elements.row.bytes.len());
        match value {
            Ok(value) if elements.left() == 0 => Ok(value),
            Ok(_) => Err(wrong_count(len, self.pos.saturating_sub(8))),
            Err(error) => Err(error.or_at(self.pos.saturating_add(done) as u64)),
        }
    }
}

/// The unread elements.
struct Elements<'de> {
    row: Row<'de>,
    /// Numbers per element.
    each: usize,
    /// Bytes per element.
    size: usize,
}

impl<'de> Elements<'de> {
    fn new(row: Row<'de>, each: usize) -> Self {
        Self { row, each, size: each.saturating_mul(row.number.size()) }
    }

    fn left(&self) -> usize {
        self.row.bytes.len().checked_div(self.size).unwrap_or_default()
    }
}

impl<'de> SeqAccess<'de> for Elements<'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some((bytes, rest)) = self.row.bytes.split_at_checked(self.size) else {
            return Ok(None);
        };
        let row = Row { bytes, ..self.row };
        let value = seed.deserialize(Element { row, each: self.each })?;
        self.row.bytes = rest;
        Ok(Some(value))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left())
    }
}

/// A deserializer of one element, which consists of one or more numbers.
struct Element<'de> {
    row: Row<'de>,
    each: usize,
}

impl<'de> Deserializer<'de> for Element<'de> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.each == 1 {
            return self.row.visit_value(visitor);
        }
        let mut numbers = Elements::new(self.row, 1);
        let value = visitor.visit_seq(&mut numbers)?;
        match numbers.left() {
            0 => Ok(value),
            _ => Err(Error::message("too many components in an element of a packed array")),
        }
    }

    /// Reads a vector directly from its bytes.
    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if let Some(KnownName::Value { kind, .. }) = KnownName::named(name)
            && let Some(numbers) = VariantRef::numbers(kind)
            && numbers.each == self.each
            && matches!(numbers.number, Number::Real { .. })
            && matches!(self.row.number, Number::F32 | Number::F64)
        {
            return visitor.visit_newtype_struct(Raw::new(0, self.row.bytes));
        }
        self.deserialize_any(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
