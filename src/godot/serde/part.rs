//! Serializers for the engine's structs. A struct is written either as a value with a header or as
//! an element of a packed array.

use super::raw::AlternatingAnswer;
use super::{Error, Result};
use crate::buffer::Sink;
use crate::godot::table::dialect::Width;
use crate::godot::table::layouts::{F32, F64, widen};
use crate::godot::table::payload::Number;
use crate::godot::types::reals::width_flag;
use crate::godot::write::encoder::{Encoder, counting};
use crate::godot::{Kind, VariantRef};
use serde::ser::{self, Impossible, Serialize};
use zerocopy::FromBytes;

/// The encoding of a value.
#[derive(Clone, Copy)]
pub(super) struct Encoding {
    /// Header with the type and flags.
    pub header: [u8; 4],
    /// Type of the numbers and their count per value or element, if the value consists of numbers.
    pub numbers: Option<(Number, usize)>,
    /// `true` if the numbers are given in single precision and written in double precision.
    pub widened: bool,
}

impl Encoding {
    /// Returns the encoding of `kind` for the target.
    #[inline(always)]
    pub(super) fn new<S: Sink>(out: &Encoder<'_, S>, kind: Kind, double: bool) -> Result<Self> {
        let Some(numbers) = VariantRef::numbers(kind) else {
            return Ok(Self { header: out.header(kind, 0)?, numbers: None, widened: false });
        };
        let Number::Real { flagged } = numbers.number else {
            let numbers = Some((numbers.number, numbers.each));
            return Ok(Self { header: out.header(kind, 0)?, numbers, widened: false });
        };
        let always = out.rules().reals == Width::Double;
        let flag = width_flag(kind, flagged, double || always, out)?;
        let number = if double { Number::F64 } else { Number::F32 };
        let (numbers, widened) = (Some((number, numbers.each)), always && !double);
        Ok(Self { header: out.header(kind, flag)?, numbers, widened })
    }

    /// Appends `head` and then the numbers.
    #[inline(always)]
    pub(super) fn put<S: Sink>(
        self,
        out: &mut Encoder<'_, S>,
        head: &[u8],
        numbers: &[u8],
    ) -> Result<()> {
        if self.widened {
            return widened(out, head, numbers);
        }
        // Copying two slices of unknown length would take two calls.
        let (first, second, third) =
            (numbers.first_chunk::<8>(), numbers.first_chunk::<12>(), numbers.first_chunk::<16>());
        match (head.first_chunk::<4>(), numbers.len(), first, second, third) {
            (Some(head), 8, Some(numbers), ..) => return Ok(out.headed(*head, *numbers)?),
            (Some(head), 12, _, Some(numbers), _) => return Ok(out.headed(*head, *numbers)?),
            (Some(head), 16, .., Some(numbers)) => return Ok(out.headed(*head, *numbers)?),
            _ => {}
        }
        out.reserve(head.len().saturating_add(numbers.len()))?;
        out.put(head);
        out.put(numbers);
        Ok(())
    }
}

#[cold]
#[inline(never)]
fn widened<S: Sink>(out: &mut Encoder<'_, S>, head: &[u8], numbers: &[u8]) -> Result<()> {
    let (numbers, _) = <[F32]>::ref_from_prefix(numbers).unwrap_or_default();
    out.reserve(numbers.len().saturating_mul(8).saturating_add(head.len()))?;
    out.put(head);
    numbers.iter().for_each(|number| out.put(&F64::new(widen(*number)).to_bytes()));
    Ok(())
}

/// A serializer of one of the engine's structs.
pub(super) struct StructWriter<'s, 'w, S> {
    out: &'s mut Encoder<'w, S>,
    form: Encoding,
    /// `true` if the first field also writes the header. This is the case for a value that consists
    /// of numbers, but not for an element of a packed array.
    header: bool,
}

impl<'s, 'w, S: Sink> StructWriter<'s, 'w, S> {
    #[inline(always)]
    pub(super) fn open(out: &'s mut Encoder<'w, S>, kind: Kind, double: bool) -> Result<Self> {
        let form = Encoding::new(out, kind, double)?;
        let header = form.numbers.is_some();
        if !header {
            // Other kinds are written field by field.
            out.reserve(form.header.len())?;
            out.put(&form.header);
        }
        Ok(Self { out, form, header })
    }

    #[inline(always)]
    pub(super) fn field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let Self { form, header, .. } = *self;
        value.serialize(Part {
            out: &mut *self.out,
            form,
            header,
            alternating: AlternatingAnswer::default(),
        })
    }
}

impl<S: Sink> ser::SerializeStruct for StructWriter<'_, '_, S> {
    type Ok = ();
    type Error = Error;

    #[inline(always)]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, _: &'static str, value: &T) -> Result<()> {
        self.field(value)
    }

    #[inline(always)]
    fn end(self) -> Result<()> {
        Ok(())
    }
}

/// A serializer of the elements of a packed array.
pub(super) struct Elements<'s, 'w, S> {
    out: &'s mut Encoder<'w, S>,
    form: Encoding,
    left: u32,
}

impl<'s, 'w, S: Sink> Elements<'s, 'w, S> {
    pub(super) fn open(
        out: &'s mut Encoder<'w, S>,
        form: Encoding,
        len: Option<usize>,
    ) -> Result<Self> {
        let Some(len) = len else { return Err(miscounted()) };
        let left = out.count(len)?;
        match out.sink.append(counting(form.header, left)) {
            Ok(()) => Ok(Self { out, form, left }),
            Err(full) => Err(out.fail(full).into()),
        }
    }
}

#[cold]
fn miscounted() -> Error {
    Error::message("the number of elements of a packed array differs from the announced one")
}

impl<S: Sink> ser::SerializeSeq for Elements<'_, '_, S> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.left = self.left.checked_sub(1).ok_or_else(miscounted)?;
        value.serialize(Element { out: &mut *self.out, form: self.form })
    }

    fn end(self) -> Result<()> {
        if self.left == 0 { Ok(()) } else { Err(miscounted()) }
    }
}

/// A serializer of one element of a packed array.
struct Element<'s, 'w, S> {
    out: &'s mut Encoder<'w, S>,
    form: Encoding,
}

impl<S: Sink> Element<'_, '_, S> {
    #[inline(always)]
    fn number(self, number: Number, bytes: &[u8]) -> Result<()> {
        match self.form.numbers {
            Some((wanted, 1)) if wanted == number => self.form.put(self.out, &[], bytes),
            _ => Err(no_part()),
        }
    }
}

#[cold]
fn no_part() -> Error {
    Error::message("a component has the wrong type")
}

impl<'s, 'w, S: Sink> ser::Serializer for Element<'s, 'w, S> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = StructWriter<'s, 'w, S>;
    type SerializeStructVariant = Impossible<(), Error>;

    #[inline(always)]
    fn serialize_f32(self, value: f32) -> Result<()> {
        self.number(Number::F32, &value.to_le_bytes())
    }

    #[inline(always)]
    fn serialize_f64(self, value: f64) -> Result<()> {
        self.number(Number::F64, &value.to_le_bytes())
    }

    #[inline(always)]
    fn serialize_i32(self, value: i32) -> Result<()> {
        self.number(Number::I32, &value.to_le_bytes())
    }

    #[inline(always)]
    fn serialize_i64(self, value: i64) -> Result<()> {
        self.number(Number::I64, &value.to_le_bytes())
    }

    fn serialize_str(self, value: &str) -> Result<()> {
        Ok(self.out.string(value.as_bytes())?)
    }

    #[inline(always)]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<StructWriter<'s, 'w, S>> {
        Ok(StructWriter { out: self.out, form: self.form, header: false })
    }

    super::unsupported_methods! { Err(no_part());
        bool i8 i16 i128 u8 u16 u32 u64 u128 char bytes none some unit unit_struct unit_variant
        newtype_struct newtype_variant seq tuple tuple_struct tuple_variant map struct_variant
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// A serializer of one field of the engine's structs. If the fields are numbers, the first one
/// passes all numbers of the struct in one piece, and the others pass nothing. Fields that are not
/// numbers are written one by one. This type never serializes its content recursively, so the
/// compiler can rule out recursion.
struct Part<'s, 'w, S> {
    out: &'s mut Encoder<'w, S>,
    form: Encoding,
    header: bool,
    alternating: AlternatingAnswer,
}

impl<S: Sink> ser::Serializer for Part<'_, '_, S> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = Impossible<(), Error>;
    type SerializeStructVariant = Impossible<(), Error>;

    #[inline(always)]
    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        match self.form.numbers {
            Some(_) if self.header => self.form.put(self.out, &self.form.header, value),
            Some(_) => self.form.put(self.out, &[], value),
            None => Err(no_part()),
        }
    }

    #[inline(always)]
    fn serialize_unit(self) -> Result<()> {
        Ok(())
    }

    /// Writes an id.
    fn serialize_u64(self, value: u64) -> Result<()> {
        if self.form.numbers.is_some() {
            return Err(no_part());
        }
        self.out.reserve(8)?;
        self.out.put(&value.to_le_bytes());
        Ok(())
    }

    /// Writes the name of a signal.
    fn serialize_str(self, value: &str) -> Result<()> {
        if self.form.numbers.is_some() {
            return Err(no_part());
        }
        Ok(self.out.property(value.as_bytes())?)
    }

    super::unsupported_methods! { Err(no_part());
        bool i8 i16 i32 i64 i128 u8 u16 u32 u128 f32 f64 char none some unit_struct unit_variant
        newtype_struct newtype_variant seq tuple tuple_struct tuple_variant map struct
        struct_variant
    }

    #[inline(always)]
    fn is_human_readable(&self) -> bool {
        self.alternating.answer()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::godot::table::dialect::Dialect;
    use crate::godot::write::entry_sink::KeyCapture;

    /// The header and the numbers of a vector (8 to 16 bytes) are written in one piece. Numbers of
    /// any other length take the general path.
    #[test]
    fn a_header_and_a_few_numbers_are_one_piece() {
        for (len, is_one) in [(4, false), (8, true), (12, true), (16, true), (20, false)] {
            let mut sink = KeyCapture::default();
            let out = &mut Encoder::new(&mut sink, Dialect::Godot4.into(), 0);
            let form = Encoding { header: [5, 0, 0, 0], numbers: None, widened: false };
            form.put(out, &form.header, &[7; 20][..len]).unwrap();
            assert_eq!(sink.0.map(|bytes| bytes.len), is_one.then_some(4 + len), "{len}");
        }
    }

    #[test]
    fn elements_are_not_for_humans() {
        let mut sink = alloc::vec::Vec::new();
        let out = &mut Encoder::new(&mut sink, Dialect::Godot4.into(), 0);
        let form = Encoding::new(out, Kind::PackedStringArray, false).unwrap();
        let element = Element { out, form };
        assert!(!ser::Serializer::is_human_readable(&element));
    }
}
