//! Serializes the content of this crate's newtypes.

use super::names::KnownName;
use super::part::{Elements, Encoding};
use super::raw::AlternatingAnswer;
use super::{Error, Result};
use crate::buffer::Sink;
use crate::godot::types::parts::ReadParts;
use crate::godot::write::encoder::{Encoder, counting};
use core::ops::RangeInclusive;

use crate::godot::{self, Encoded, ErrorKind, Kind, ObjectRef, VariantRef};
use alloc::borrow::Cow;
use serde::ser::{self, Impossible, Serialize};

/// A serializer for the content of a newtype that was recognised by its name.
pub(super) struct Content<'s, 'w, S> {
    out: &'s mut Encoder<'w, S>,
    own: KnownName,
    alternating: AlternatingAnswer,
}

impl<'s, 'w, S: Sink> Content<'s, 'w, S> {
    pub(super) fn new(out: &'s mut Encoder<'w, S>, own: KnownName) -> Self {
        Self { out, own, alternating: AlternatingAnswer::default() }
    }

    fn kind(&self) -> Result<Kind> {
        match self.own {
            KnownName::Value { kind, .. } => Ok(kind),
            _ => Err(unexpected()),
        }
    }

    /// Writes the leaf that consists of this part.
    fn part(self, part: SolePart<'_>) -> Result<()> {
        match (self.kind()?, &part) {
            // The table of types does not build containers, and an object can be one.
            (Kind::Object, SolePart::Id(id)) => Ok(self.out.object(&ObjectRef::Id(*id))?),
            (kind, _) => Ok(VariantRef::build(kind, &mut Some(part), self.out)?),
        }
    }
}

#[cold]
fn unexpected() -> Error {
    Error::message("unexpected content of a newtype of this crate")
}

impl<'s, 'w, S: Sink> ser::Serializer for Content<'s, 'w, S> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Elements<'s, 'w, S>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = Impossible<(), Error>;
    type SerializeStructVariant = Impossible<(), Error>;

    fn serialize_str(self, value: &str) -> Result<()> {
        self.part(SolePart::Text(value))
    }

    fn serialize_u64(self, value: u64) -> Result<()> {
        self.part(SolePart::Id(value))
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        match self.own {
            KnownName::Bytes { dialect, form } => {
                Ok(self.out.copy(Encoded::new(value, dialect, form))?)
            }
            KnownName::Value { kind, double } => {
                let form = Encoding::new(self.out, kind, double)?;
                let Some((number, each)) = form.numbers else { return Err(unexpected()) };
                let size = number.size().saturating_mul(each);
                let count = value.len().checked_div(size).unwrap_or_default();
                if !form.widened {
                    let [_, _, flags, _] = form.header;
                    let flags = u32::from(flags) << 16;
                    return Ok(self.out.counted(kind, flags, value, count)?);
                }
                let head = counting(form.header, self.out.count(count)?);
                form.put(self.out, &head, value)
            }
            _ => Err(unexpected()),
        }
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Elements<'s, 'w, S>> {
        let KnownName::Value { kind, double } = self.own else { return Err(unexpected()) };
        let form = Encoding::new(self.out, kind, double)?;
        Elements::open(self.out, form, len)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        match KnownName::named(name) {
            Some(own @ KnownName::Bytes { .. }) => value.serialize(Self::new(self.out, own)),
            _ => value.serialize(self),
        }
    }

    super::unsupported_methods! { Err(unexpected());
        bool i8 i16 i32 i64 i128 u8 u16 u32 u128 f32 f64 char none some unit unit_struct
        unit_variant newtype_variant tuple tuple_struct tuple_variant map struct struct_variant
    }

    fn is_human_readable(&self) -> bool {
        self.alternating.answer()
    }
}

/// The only part of a leaf.
enum SolePart<'t> {
    Text(&'t str),
    Id(u64),
}

impl<'t> ReadParts<'t> for Option<SolePart<'t>> {
    type Error = godot::Error;

    fn left(&self) -> usize {
        usize::from(self.is_some())
    }

    fn is_double(&self) -> bool {
        false
    }

    fn bool(&mut self) -> godot::Result<bool> {
        Err(self.wrong_count(1))
    }

    fn int_in(&mut self, _: RangeInclusive<i64>) -> godot::Result<i64> {
        Err(self.wrong_count(1))
    }

    fn id(&mut self) -> godot::Result<u64> {
        match self.take() {
            Some(SolePart::Id(id)) => Ok(id),
            _ => Err(self.wrong_count(1)),
        }
    }

    fn real(&mut self) -> godot::Result<f64> {
        Err(self.wrong_count(1))
    }

    fn text(&mut self) -> godot::Result<Cow<'t, [u8]>> {
        match self.take() {
            Some(SolePart::Text(text)) => Ok(Cow::Borrowed(text.as_bytes())),
            _ => Err(self.wrong_count(1)),
        }
    }

    fn wrong_count(&self, _: usize) -> godot::Error {
        godot::Error::new(ErrorKind::OutOfTurn, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If a leaf has only one part, this part can be taken only once, and only as what it is: text
    /// or an id. No leaf asks for anything else, because the newtype's name determines the kind of
    /// the leaf.
    #[test]
    fn one_part_that_is_taken_once() {
        let mut text = Some(SolePart::Text("x"));
        assert_eq!((text.left(), text.is_double()), (1, false));
        assert_eq!(text.text().unwrap(), &b"x"[..]);
        assert_eq!(text.left(), 0);
        assert!(text.text().is_err());
        let id = || Some(SolePart::Id(5));
        assert_eq!(id().id().unwrap(), 5);
        assert!(id().text().is_err() && id().bool().is_err() && id().real().is_err());
        assert!(id().int_in(0..=9).is_err());
    }
}
