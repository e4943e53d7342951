//! Packed arrays of bytes and of numbers: a `u32` count and that many elements.
//!
//! Engines treat the count, and the size in bytes, as signed numbers. Byte arrays are padded to a
//! multiple of 4.

use super::components::{Elements, SubValues};
#[cfg(feature = "alloc")]
use super::parts::{BuildResult, PartSource};
use super::parts::{Part, PartResult};
use super::text;
use crate::buffer::{Cursor, Sink};
use crate::godot::table::dialect::Rules;
use crate::godot::table::layouts::{F32, F64, I32, I64, U32, Wire};
use crate::godot::table::payload::{Header, Number, Numbers, Payload};
use crate::godot::write::encoder::Encoder;
use crate::godot::{Error, ErrorKind, Kind, Result};
use zerocopy::{FromBytes, IntoBytes};

/// Reads a count and that many elements.
#[inline(always)]
pub(crate) fn counted<'a, T: Wire>(at: &mut Cursor<'a>) -> Result<&'a [T]> {
    let count = at.read::<U32>()?.get();
    at.slice(count).map_err(|end| too_long(count, size_of::<T>(), end.into()))
}

/// Returns the error for a count or length that reaches past the end of the input. Either the count
/// is negative or too large, or the input is truncated.
#[cold]
#[inline(never)]
pub(crate) fn too_long(count: u32, size: usize, end: Error) -> Error {
    let kind = if i32::try_from(count).is_err() {
        ErrorKind::NegativeLength(count)
    } else if (size as u64).saturating_mul(u64::from(count)) > i32::MAX as u64 {
        ErrorKind::TooLarge
    } else {
        return end;
    };
    Error::new(kind, end.offset().saturating_sub(4))
}

/// Reads a count and that many bytes.
#[inline(always)]
pub(crate) fn bytes<'a>(at: &mut Cursor<'a>) -> Result<&'a [u8]> {
    let len = at.read::<U32>()?.get();
    text::unpadded(at, len)
}

impl<'a> Payload<'a> for &'a [u8] {
    const NUMBERS: Option<Numbers> = Some(Numbers { number: Number::U8, each: 1, counted: true });

    #[inline(always)]
    fn read(at: &mut Cursor<'a>, _: Header, _: &'static Rules) -> Result<Self> {
        bytes(at)
    }

    fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()> {
        out.counted(kind, 0, self, self.len())
    }

    fn parts<E>(&self, to: &mut impl FnMut(Part<'a>) -> PartResult<E>) -> PartResult<E> {
        self.iter().try_for_each(|byte| to(Part::Int(i64::from(*byte))))
    }

    #[cfg(feature = "alloc")]
    fn build<'t, S: Sink, E: From<Error>>(
        kind: Kind,
        from: &mut PartSource<'_, 't, E>,
        out: &mut Encoder<'_, S>,
    ) -> BuildResult<E> {
        let bytes = from.all(|from| from.int::<u8>())?;
        Ok(bytes.as_slice().encode(kind, out)?)
    }

    fn sub_values(&self) -> SubValues<'a> {
        SubValues::Elements(Elements::row(self, |byte| {
            byte.first().map(|byte| Part::Int(i64::from(*byte)).value())
        }))
    }
}

macro_rules! packed_numbers {
    ($($T:ident: $Part:ident, |$from:ident| $read:expr;)*) => {$(
        impl<'a> Payload<'a> for &'a [$T] {
            const NUMBERS: Option<Numbers> =
                Some(Numbers { number: Number::$T, each: 1, counted: true });

            #[inline(always)]
            fn read(at: &mut Cursor<'a>, _: Header, _: &'static Rules) -> Result<Self> {
                counted(at)
            }

            fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()> {
                out.counted(kind, 0, self.as_bytes(), self.len())
            }

            fn parts<E>(&self, to: &mut impl FnMut(Part<'a>) -> PartResult<E>) -> PartResult<E> {
                self.iter().try_for_each(|part| to(Part::$Part(part.get().into())))
            }

            #[cfg(feature = "alloc")]
            fn build<'t, S: Sink, E: From<Error>>(
                kind: Kind,
                from: &mut PartSource<'_, 't, E>,
                out: &mut Encoder<'_, S>,
            ) -> BuildResult<E> {
                // If the elements are `f32`, each part is rounded to the nearest `f32`.
                let parts = from.all(|$from| Ok(<$T>::new($read)))?;
                Ok(parts.as_slice().encode(kind, out)?)
            }

            fn sub_values(&self) -> SubValues<'a> {
                SubValues::Elements(Elements::row(self, |bytes| {
                    let part = <$T>::ref_from_bytes(bytes).ok()?;
                    Some(Part::$Part(part.get().into()).value())
                }))
            }
        }
    )*};
}
packed_numbers! {
    I32: Int, |from| from.int()?;
    I64: Int, |from| from.int()?;
    F32: Real, |from| from.single()? as f32;
    F64: Real, |from| from.real()?;
}
