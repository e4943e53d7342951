//! Values that can be read and written: numbers, booleans, bytes.

use super::byte_order::ByteOrder;
use super::cursor::{FileCursor, cold};
use super::error::{ErrorKind, Result};
use super::layout::Layout;
use super::link::Link;
use super::serialize::SerializeIn;
use crate::buffer::{Count, Full, Sink};
use zerocopy::byteorder::{BE, LE};
use zerocopy::{F32, F64, I16, I32, I64, U16, U32, U64};

/// A type that the fields of records can have. Its encoding depends on the layout of the file.
pub trait Value<'a>: Copy + SerializeIn<'a> {
    /// Minimum size in bytes.
    #[doc(hidden)]
    const LEAST: u64;

    /// Returns the size in bytes, if the size is fixed in the layout and every bit pattern is
    /// valid.
    #[doc(hidden)]
    #[inline]
    fn size(_: &Layout) -> Option<u64> {
        None
    }

    /// `true` if the code that reads the type is compiled separately for each
    /// [`VersionRange`](super::version_ranges::VersionRange), which makes reading large tables
    /// faster.
    #[doc(hidden)]
    const IS_SPECIALIZED: bool = false;

    #[doc(hidden)]
    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self>;

    #[doc(hidden)]
    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full>;

    /// Reports the names and objects that the value refers to.
    #[doc(hidden)]
    fn links(&self, _: &Layout, _: &mut dyn FnMut(Link)) {}
}

/// Appends `bytes` to a sink.
#[inline]
pub(crate) fn put<S: Sink>(to: &mut S, bytes: &[u8]) -> Result<(), Full> {
    to.reserve(bytes.len())?;
    to.put(bytes);
    Ok(())
}

/// Returns the size of a value in bytes.
pub(crate) fn encoded_size<'a>(value: &impl Value<'a>, layout: &Layout) -> u64 {
    let mut count = Count(0);
    match value.write(&mut count, layout) {
        Ok(()) => count.0 as u64,
        Err(_) => 0,
    }
}

/// A number in the byte order of the file.
pub(crate) trait Number: Sized {
    fn row<const N: usize>(from: &mut FileCursor<'_>, order: ByteOrder) -> Result<[Self; N]>;
}

macro_rules! numbers {
    ($($T:ident $Wire:ident $(or $nan:ident)?;)*) => {$(
        impl<'a> Value<'a> for $T {
            const LEAST: u64 = size_of::<Self>() as u64;

            #[inline]
            fn size(_: &Layout) -> Option<u64> {
                Some(Self::LEAST)
            }

            #[inline(always)]
            fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
                let [number] = from.row(layout)?;
                Ok(number)
            }

            #[inline]
            fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
                $(
                    if layout.normalizes && self.is_nan() {
                        return $nan.write(to, &Layout { normalizes: false, ..*layout });
                    }
                )?
                match layout.order {
                    ByteOrder::Little => to.append($Wire::<LE>::new(*self)),
                    ByteOrder::Big => to.append($Wire::<BE>::new(*self)),
                }
            }
        }

        impl Number for $T {
            #[inline(always)]
            fn row<const N: usize>(from: &mut FileCursor<'_>, order: ByteOrder) -> Result<[Self; N]> {
                let wire = from.next::<[$Wire<LE>; N]>()?;
                Ok(match order {
                    ByteOrder::Little => wire.map(|wire| wire.get()),
                    ByteOrder::Big => {
                        cold();
                        wire.map(|wire| $Wire::<BE>::from_bytes(wire.to_bytes()).get())
                    }
                })
            }
        }
    )*};
}
numbers! {
    i16 I16; i32 I32; i64 I64; u16 U16; u32 U32; u64 U64; f32 F32 or NAN_32; f64 F64 or NAN_64;
}

/// The NaNs that are written for the text `NaN` in a document.
const NAN_32: f32 = f32::from_bits(0x7FC0_0000);
const NAN_64: f64 = f64::from_bits(0x7FF8_0000_0000_0000);

/// Bytes are not affected by the byte order.
impl<'a, const N: usize> Value<'a> for [u8; N] {
    const LEAST: u64 = N as u64;

    #[inline(always)]
    fn read(from: &mut FileCursor<'a>, _: &Layout) -> Result<Self> {
        from.next().copied()
    }

    #[inline]
    fn write<S: Sink>(&self, to: &mut S, _: &Layout) -> Result<(), Full> {
        put(to, self)
    }
}

impl<'a> Value<'a> for u8 {
    const LEAST: u64 = 1;

    #[inline(always)]
    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        let [byte] = from.read(layout)?;
        Ok(byte)
    }

    #[inline]
    fn write<S: Sink>(&self, to: &mut S, _: &Layout) -> Result<(), Full> {
        put(to, &[*self])
    }
}

impl<'a> Value<'a> for i8 {
    const LEAST: u64 = 1;

    #[inline(always)]
    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        Ok(u8::read(from, layout)?.cast_signed())
    }

    #[inline]
    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        self.cast_unsigned().write(to, layout)
    }
}

/// Stored in four bytes as 0 or 1. Engines treat other values as corruption.
impl<'a> Value<'a> for bool {
    const LEAST: u64 = 4;

    #[inline(always)]
    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        let start = *from;
        let word = from.read::<u32>(layout)?;
        if word > 1 {
            return Err(start.error(ErrorKind::BadBool(word)));
        }
        Ok(word != 0)
    }

    #[inline]
    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        u32::from(*self).write(to, layout)
    }
}
