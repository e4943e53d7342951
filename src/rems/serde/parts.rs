//! Deserializer of numbers, vectors, matrices and boxes.

use super::error::{Error, Result, too_many, unexpected};
use super::hint::{Hint, forward_to_visit};
use crate::rems::{self, Kind, Part, Parts, Scalar, Value};
use core::iter::Zip;
use core::slice::Iter;
use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

/// Visits a value that is neither text nor an array.
pub(super) fn visit<'de, V: Visitor<'de>>(
    value: &Value<'de>,
    hint: Hint,
    visitor: V,
) -> Result<V::Value> {
    let kind = value.kind();
    match kind.scalar() {
        _ if kind.parts() > 1 => {
            Group { numbers: Components::of(value)?.as_slice(), kind }.visit_with(hint, visitor)
        }
        Scalar::Bool => visitor.visit_bool(get(value)?),
        Scalar::I8 => visitor.visit_i8(get(value)?),
        Scalar::Char => visit_unit(get(value)?, hint, visitor),
        Scalar::I16 => visitor.visit_i16(get(value)?),
        Scalar::I32 => visitor.visit_i32(get(value)?),
        Scalar::I64 => visitor.visit_i64(get(value)?),
        Scalar::F32 => visitor.visit_f32(get(value)?),
        Scalar::F64 => visitor.visit_f64(get(value)?),
        Scalar::Text => Err(unexpected(value.offset())), // excluded by the caller
    }
}

/// Calls [`Value::get`]. That method is always inlined, but this function is compiled only once for
/// all visitors.
#[inline]
fn get<T: Part>(value: &Value<'_>) -> rems::Result<T> {
    value.get()
}

/// Visits a UTF-16 code unit as a `char`, unless it is a surrogate or a number is requested.
fn visit_unit<'de, V: Visitor<'de>>(unit: u16, hint: Hint, visitor: V) -> Result<V::Value> {
    match (hint, char::from_u32(unit.into())) {
        (Hint::Number, _) | (_, None) => visitor.visit_u16(unit),
        (_, Some(char)) => visitor.visit_char(char),
    }
}

/// The components of a vector, matrix or box. This is an enum and not a type parameter, so that the
/// compiler does not make three copies of the deserializer for each visitor.
enum Components {
    I32(Parts<i32>),
    F32(Parts<f32>),
    F64(Parts<f64>),
}

impl Components {
    #[inline]
    fn of(value: &Value<'_>) -> Result<Self> {
        Ok(match value.kind().scalar() {
            Scalar::F32 => Self::F32(value.parts()?),
            Scalar::F64 => Self::F64(value.parts()?),
            _ => Self::I32(value.parts()?),
        })
    }

    #[inline]
    fn as_slice(&self) -> Slice<'_> {
        match self {
            Self::I32(parts) => Slice::I32(parts),
            Self::F32(parts) => Slice::F32(parts),
            Self::F64(parts) => Slice::F64(parts),
        }
    }
}

/// A slice of [`Components`].
#[derive(Clone, Copy)]
enum Slice<'p> {
    I32(&'p [i32]),
    F32(&'p [f32]),
    F64(&'p [f64]),
}

impl Slice<'_> {
    #[inline]
    const fn len(self) -> usize {
        match self {
            Self::I32(parts) => parts.len(),
            Self::F32(parts) => parts.len(),
            Self::F64(parts) => parts.len(),
        }
    }

    /// Removes the first `len` components and returns them. Returns `None` if there are fewer.
    #[inline]
    fn split_off(&mut self, len: usize) -> Option<Self> {
        match self {
            Self::I32(parts) => parts.split_off(..len).map(Self::I32),
            Self::F32(parts) => parts.split_off(..len).map(Self::F32),
            Self::F64(parts) => parts.split_off(..len).map(Self::F64),
        }
    }
}

/// A component, a column, or all columns of a value.
#[derive(Clone, Copy)]
struct Group<'p> {
    numbers: Slice<'p>,
    kind: Kind,
}

impl<'p> Group<'p> {
    /// Returns the number of components of each element.
    fn each(&self) -> usize {
        if self.numbers.len() > self.kind.rows() { self.kind.rows() } else { 1 }
    }

    /// Returns the names of the elements, if they have names.
    fn names(&self) -> &'static [&'static str] {
        match (self.each(), self.kind) {
            (1, _) => &["x", "y", "z", "w"],
            (_, Kind::Aabb | Kind::Aabbd) => &["min", "max"],
            _ => &[],
        }
    }

    fn visit_with<'de, V: Visitor<'de>>(self, hint: Hint, visitor: V) -> Result<V::Value> {
        match self.numbers {
            Slice::I32(&[part]) => return visitor.visit_i32(part),
            Slice::F32(&[part]) => return visitor.visit_f32(part),
            Slice::F64(&[part]) => return visitor.visit_f64(part),
            _ => {}
        }
        let names = self.names();
        if names.first().is_some_and(|name| hint.has_field(name)) {
            let elements = Elements { left: self, each: self.each() };
            let mut named = Named { names: names.iter().zip(elements), next: None };
            return visitor.visit_map(&mut named);
        }
        // The target type can be an array of columns or a flat array of numbers.
        let each = match hint {
            Hint::Tuple(len) if len == self.numbers.len() => 1,
            _ => self.each(),
        };
        let mut elements = Elements { left: self, each };
        let len = elements.len();
        let value = visitor.visit_seq(&mut elements)?;
        match elements.len() {
            0 => Ok(value),
            left => Err(too_many(len, len.saturating_sub(left))),
        }
    }

    fn newtype<'de, V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }
}

impl<'de> Deserializer<'de> for Group<'_> {
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

/// The elements as a sequence. Each element has `each` components.
struct Elements<'p> {
    left: Group<'p>,
    each: usize,
}

impl Elements<'_> {
    fn len(&self) -> usize {
        self.left.numbers.len().checked_div(self.each).unwrap_or_default()
    }
}

impl<'p> Iterator for Elements<'p> {
    type Item = Group<'p>;

    #[inline]
    fn next(&mut self) -> Option<Group<'p>> {
        Some(Group { numbers: self.left.numbers.split_off(self.each)?, kind: self.left.kind })
    }
}

impl<'de> SeqAccess<'de> for &mut Elements<'_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some(element) = self.next() else { return Ok(None) };
        seed.deserialize(element).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.len())
    }
}

/// The elements as a map.
struct Named<'p> {
    names: Zip<Iter<'static, &'static str>, Elements<'p>>,
    next: Option<Group<'p>>,
}

impl<'de> MapAccess<'de> for &mut Named<'_> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some((name, element)) = self.names.next() else { return Ok(None) };
        self.next = Some(element);
        seed.deserialize(BorrowedStrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        let element = self.next.take().ok_or_else(|| unexpected(0))?;
        seed.deserialize(element)
    }
}
