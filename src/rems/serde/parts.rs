//! Deserializer of numbers, vectors, matrices and boxes.

use super::error::{Error, Result, too_many, unexpected};
use super::hint::{Hint, forward_to_visit};
use crate::rems::{Kind, Part, Scalar, Value};
use core::iter::Zip;
use core::slice::{Chunks, Iter};
use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

/// Visits a component.
trait VisitPart: Part {
    fn visit<'de, V: Visitor<'de>>(self, hint: Hint, visitor: V) -> Result<V::Value>;
}

macro_rules! visit_part {
    ($($T:ident $visit:ident)*) => {$(
        impl VisitPart for $T {
            #[inline]
            fn visit<'de, V: Visitor<'de>>(self, _: Hint, visitor: V) -> Result<V::Value> {
                visitor.$visit(self)
            }
        }
    )*};
}
visit_part!(bool visit_bool i8 visit_i8 i16 visit_i16 i32 visit_i32 i64 visit_i64 f32 visit_f32 f64 visit_f64);

/// A UTF-16 code unit is visited as a `char`, unless it is a surrogate or a number is requested.
impl VisitPart for u16 {
    fn visit<'de, V: Visitor<'de>>(self, hint: Hint, visitor: V) -> Result<V::Value> {
        match (hint, char::from_u32(self.into())) {
            (Hint::Number, _) | (_, None) => visitor.visit_u16(self),
            (_, Some(char)) => visitor.visit_char(char),
        }
    }
}

/// Visits a value that is neither text nor an array.
pub(super) fn visit<'de, V: Visitor<'de>>(
    value: &Value<'de>,
    hint: Hint,
    visitor: V,
) -> Result<V::Value> {
    match value.kind().scalar() {
        Scalar::Bool => visit_as::<bool, V>(value, hint, visitor),
        Scalar::I8 => visit_as::<i8, V>(value, hint, visitor),
        Scalar::Char => visit_as::<u16, V>(value, hint, visitor),
        Scalar::I16 => visit_as::<i16, V>(value, hint, visitor),
        Scalar::I32 => visit_as::<i32, V>(value, hint, visitor),
        Scalar::I64 => visit_as::<i64, V>(value, hint, visitor),
        Scalar::F32 => visit_as::<f32, V>(value, hint, visitor),
        Scalar::F64 => visit_as::<f64, V>(value, hint, visitor),
        Scalar::Text => Err(unexpected(value.offset())), // excluded by the caller
    }
}

#[inline]
fn visit_as<'de, T: VisitPart, V: Visitor<'de>>(
    value: &Value<'de>,
    hint: Hint,
    visitor: V,
) -> Result<V::Value> {
    let kind = value.kind();
    if kind.parts() == 1 {
        return value.get::<T>()?.visit(hint, visitor);
    }
    let parts = value.parts::<T>()?;
    let is_box = matches!(kind, Kind::Aabb | Kind::Aabbd);
    Parts { parts: &parts, rows: kind.rows(), is_box }.visit_with(hint, visitor)
}

/// Components: one, a column, or columns of `rows` each.
#[derive(Clone, Copy)]
struct Parts<'p, T> {
    parts: &'p [T],
    rows: usize,
    is_box: bool,
}

impl<'p, T: VisitPart> Parts<'p, T> {
    /// Number of components of an element.
    fn each(&self) -> usize {
        if self.parts.len() > self.rows { self.rows } else { 1 }
    }

    /// Names of the elements, if they have names.
    fn names(&self) -> &'static [&'static str] {
        match (self.each(), self.is_box) {
            (1, _) => &["x", "y", "z", "w"],
            (_, true) => &["min", "max"],
            (_, false) => &[],
        }
    }

    #[allow(clippy::disallowed_methods, reason = "the chunk size is at least 1")]
    fn elements(&self, each: usize) -> Elements<'p, T> {
        Elements { elements: self.parts.chunks(each.max(1)), rows: self.rows }
    }

    fn visit_with<'de, V: Visitor<'de>>(self, hint: Hint, visitor: V) -> Result<V::Value> {
        if let [part] = self.parts {
            return part.visit(hint, visitor);
        }
        let names = self.names();
        if names.first().is_some_and(|name| hint.has_field(name)) {
            let elements = self.elements(self.each());
            let mut named =
                Named { names: names.iter().zip(elements.elements), rows: self.rows, next: None };
            return visitor.visit_map(&mut named);
        }
        // An array of columns, or a flat array of numbers.
        let each = match hint {
            Hint::Tuple(len) if len == self.parts.len() => 1,
            _ => self.each(),
        };
        let mut elements = self.elements(each);
        let len = elements.elements.len();
        let value = visitor.visit_seq(&mut elements)?;
        match elements.elements.len() {
            0 => Ok(value),
            left => Err(too_many(len, len.saturating_sub(left))),
        }
    }

    fn newtype<'de, V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }
}

impl<'de, T: VisitPart> Deserializer<'de> for Parts<'_, T> {
    type Error = Error;

    forward_to_visit!();
    forward_to_deserialize_any! { enum }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }
}

/// The elements as a sequence.
struct Elements<'p, T> {
    elements: Chunks<'p, T>,
    rows: usize,
}

impl<'de, T: VisitPart> SeqAccess<'de> for &mut Elements<'_, T> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some(parts) = self.elements.next() else { return Ok(None) };
        seed.deserialize(Parts { parts, rows: self.rows, is_box: false }).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.elements.len())
    }
}

/// The elements as a map.
struct Named<'p, T> {
    names: Zip<Iter<'static, &'static str>, Chunks<'p, T>>,
    rows: usize,
    next: Option<&'p [T]>,
}

impl<'de, T: VisitPart> MapAccess<'de> for &mut Named<'_, T> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some((name, parts)) = self.names.next() else { return Ok(None) };
        self.next = Some(parts);
        seed.deserialize(BorrowedStrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        let parts = self.next.take().unwrap_or_default();
        seed.deserialize(Parts { parts, rows: self.rows, is_box: false })
    }
}
