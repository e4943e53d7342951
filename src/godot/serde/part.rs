//! Values of ours part by part: numbers as they are on the wire, behind a header that is
//! written first.

use super::{Error, Result};
use crate::base::Sink;
use crate::godot::dialect::Width;
use crate::godot::encoder::Encoder;
use crate::godot::payload::Number;
use crate::godot::reals::width_flag;
use crate::godot::wire::{F32, F64, U32, widen};
use crate::godot::{Kind, VariantRef};
use serde::ser::{self, Impossible, Serialize};
use zerocopy::{Immutable, IntoBytes};

/// What the parts are on the wire.
#[derive(Clone, Copy)]
pub(super) enum Form {
    Number(Number),
    /// Texts of a packed array.
    Strings,
    /// Text and ids as they come.
    Plain,
}

/// What parts a value of that kind has for this target, and the header's flags.
#[inline(always)]
pub(super) fn form<S: Sink>(out: &Encoder<'_, S>, kind: Kind, double: bool) -> Result<(Form, u32)> {
    let Some(numbers) = VariantRef::numbers(kind) else { return Ok((Form::Plain, 0)) };
    let Number::Real { flagged } = numbers.number else {
        return Ok((Form::Number(numbers.number), 0));
    };
    let wide = double || out.rules().reals == Width::Double;
    let flag = width_flag(kind, flagged, wide, out)?;
    Ok((Form::Number(if wide { Number::F64 } else { Number::F32 }), flag))
}

/// Parts that are being written.
pub(super) struct Parts<'s, 'w, S> {
    out: &'s mut Encoder<'w, S>,
    form: Form,
}

impl<'s, 'w, S: Sink> Parts<'s, 'w, S> {
    #[inline(always)]
    pub(super) fn open(out: &'s mut Encoder<'w, S>, kind: Kind, double: bool) -> Result<Self> {
        let (form, flag) = form(out, kind, double)?;
        out.fixed(kind, flag, ())?;
        Ok(Self { out, form })
    }

    #[inline(always)]
    pub(super) fn part<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        value.serialize(Part { out: &mut *self.out, form: self.form })
    }
}

/// The elements of a packed array that are being written.
pub(super) struct Elements<'s, 'w, S> {
    parts: Parts<'s, 'w, S>,
    left: u32,
}

impl<'s, 'w, S: Sink> Elements<'s, 'w, S> {
    pub(super) fn open(
        out: &'s mut Encoder<'w, S>,
        kind: Kind,
        double: bool,
        len: Option<usize>,
    ) -> Result<Self> {
        let Some(len) = len else { return Err(miscounted()) };
        let left = out.count(len)?;
        let (form, flag) = match form(out, kind, double)? {
            (Form::Plain, _) => (Form::Strings, 0),
            form => form,
        };
        out.fixed(kind, flag, U32::new(left))?;
        Ok(Self { parts: Parts { out, form }, left })
    }
}

#[cold]
fn miscounted() -> Error {
    Error::message("a packed array with other than the number of elements that it announced")
}

impl<S: Sink> ser::SerializeSeq for Elements<'_, '_, S> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.left = self.left.checked_sub(1).ok_or_else(miscounted)?;
        self.parts.part(value)
    }

    fn end(self) -> Result<()> {
        if self.left == 0 { Ok(()) } else { Err(miscounted()) }
    }
}

/// Where a part is to be written.
pub(super) struct Part<'s, 'w, S> {
    out: &'s mut Encoder<'w, S>,
    form: Form,
}

impl<S: Sink> Part<'_, '_, S> {
    #[inline(always)]
    fn put<T: IntoBytes + Immutable>(self, part: T) -> Result<()> {
        match self.out.sink.append(part) {
            Ok(()) => Ok(()),
            Err(full) => Err(self.out.fail(full).into()),
        }
    }
}

#[cold]
fn no_part() -> Error {
    Error::message("a part that is not of the type that belongs there")
}

impl<'s, 'w, S: Sink> ser::Serializer for Part<'s, 'w, S> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = Parts<'s, 'w, S>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = Parts<'s, 'w, S>;
    type SerializeStructVariant = Impossible<(), Error>;

    #[inline(always)]
    fn serialize_f32(self, value: f32) -> Result<()> {
        match self.form {
            Form::Number(Number::F32) => self.put(value.to_le_bytes()),
            Form::Number(Number::F64) => self.put(F64::new(widen(F32::new(value)))),
            _ => Err(no_part()),
        }
    }

    #[inline(always)]
    fn serialize_f64(self, value: f64) -> Result<()> {
        match self.form {
            Form::Number(Number::F64) => self.put(value.to_le_bytes()),
            _ => Err(no_part()),
        }
    }

    #[inline(always)]
    fn serialize_i32(self, value: i32) -> Result<()> {
        match self.form {
            Form::Number(Number::I32) => self.put(value.to_le_bytes()),
            _ => Err(no_part()),
        }
    }

    #[inline(always)]
    fn serialize_i64(self, value: i64) -> Result<()> {
        match self.form {
            Form::Number(Number::I64) => self.put(value.to_le_bytes()),
            _ => Err(no_part()),
        }
    }

    fn serialize_u64(self, value: u64) -> Result<()> {
        match self.form {
            Form::Plain => self.put(value.to_le_bytes()),
            _ => Err(no_part()),
        }
    }

    fn serialize_str(self, value: &str) -> Result<()> {
        self.serialize_bytes(value.as_bytes())
    }

    /// Text that need not be UTF-8.
    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        match self.form {
            Form::Strings => Ok(self.out.string(value)?),
            Form::Plain => Ok(self.out.property(value)?),
            Form::Number(_) => Err(no_part()),
        }
    }

    #[inline(always)]
    fn serialize_tuple(self, _: usize) -> Result<Parts<'s, 'w, S>> {
        Ok(Parts { out: self.out, form: self.form })
    }

    #[inline(always)]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Parts<'s, 'w, S>> {
        Ok(Parts { out: self.out, form: self.form })
    }

    #[inline(always)]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<()> {
        value.serialize(self)
    }

    super::other_than_these! { Err(no_part());
        bool i8 i16 i128 u8 u16 u32 u128 char none some unit unit_struct unit_variant
        newtype_variant seq tuple_struct tuple_variant map struct_variant
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

impl<S: Sink> ser::SerializeStruct for Parts<'_, '_, S> {
    type Ok = ();
    type Error = Error;

    #[inline(always)]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, _: &'static str, value: &T) -> Result<()> {
        self.part(value)
    }

    fn end(self) -> Result<()> {
        Ok(())
    }
}

impl<S: Sink> ser::SerializeTuple for Parts<'_, '_, S> {
    type Ok = ();
    type Error = Error;

    #[inline(always)]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.part(value)
    }

    fn end(self) -> Result<()> {
        Ok(())
    }
}
