//! What everything in packages and saves is made of: a cursor over the file, and the values
//! that are read and written as the layout of the file has them.

use super::layout::Layout;
use super::show::Show;
use super::verify::Link;
use super::{Error, ErrorKind, Result};
use crate::buffer::{Full, Sink, take};
use core::fmt;
use zerocopy::byteorder::{BE, LE};
use zerocopy::{
    F32, F64, FromBytes, I16, I32, I64, Immutable, KnownLayout, U16, U32, U64, Unaligned,
};

/// The order of the bytes of numbers: of all in a package, which its tag tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// The tag is `C1 83 2A 9E`; nearly all files.
    #[default]
    Little,
    /// The tag is `9E 2A 83 C1`: made for machines that are big-endian.
    Big,
}

/// Where to read from: what is left of a window of the file.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    rest: &'a [u8],
    /// Offset in the file (header and `.uexp` in a row) of the window's end.
    end: u64,
}

/// Lists inside each other, of which only remarks about texts can have any number.
const DEPTH: u8 = 32;

impl<'a> Input<'a> {
    #[inline]
    pub(super) const fn new(window: &'a [u8], base: u64) -> Self {
        Self { rest: window, end: base.wrapping_add(window.len() as u64) }
    }

    /// Bytes from the start of the file.
    #[inline]
    pub(super) const fn offset(&self) -> u64 {
        self.end.wrapping_sub(self.rest.len() as u64)
    }

    #[inline]
    pub(super) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    #[inline]
    pub(super) const fn remaining(&self) -> u64 {
        self.rest.len() as u64
    }

    #[inline]
    pub(super) const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next `len` bytes.
    #[inline(always)]
    pub(super) fn bytes(&mut self, len: u64) -> Result<&'a [u8]> {
        take(&mut self.rest, len).ok_or_else(|| self.missing(len))
    }

    /// The next bytes as a `T`, which they may be whatever they are.
    #[inline(always)]
    fn next<T: FromBytes + KnownLayout + Immutable + Unaligned>(&mut self) -> Result<&'a T> {
        match T::ref_from_prefix(self.rest) {
            Ok((value, rest)) => {
                self.rest = rest;
                Ok(value)
            }
            Err(_) => Err(self.missing(size_of::<T>() as u64)),
        }
    }

    /// The next `len` bytes, as a window of their own.
    #[inline(always)]
    pub(super) fn window(&mut self, len: u64) -> Result<Self> {
        let base = self.offset();
        Ok(Self::new(self.bytes(len)?, base))
    }

    /// This, up to where `end` is.
    #[inline]
    pub(super) fn until(&self, end: &Self) -> Self {
        Self { rest: end.since(self), end: end.offset() }
    }

    /// What was read since this was `start`.
    #[inline]
    pub(super) fn since(&self, start: &Self) -> &'a [u8] {
        let len = start.rest.len().wrapping_sub(self.rest.len());
        start.rest.get(..len).unwrap_or_default()
    }

    #[inline(always)]
    pub(super) fn read<T: Value<'a>>(&mut self, layout: &Layout) -> Result<T> {
        T::read(self, layout)
    }

    /// Numbers in a row, all of which are there or none.
    #[inline(always)]
    pub(super) fn row<T: Number, const N: usize>(&mut self, layout: &Layout) -> Result<[T; N]> {
        T::row(self, layout.order)
    }

    /// A value inside of one that could be inside of it again.
    pub(super) fn nested<T: Value<'a>>(&mut self, layout: &Layout) -> Result<T> {
        match layout.depth.checked_add(1).filter(|depth| *depth <= DEPTH) {
            Some(depth) => self.read(&Layout { depth, ..*layout }),
            None => Err(self.error(ErrorKind::TooDeep { limit: DEPTH.into() })),
        }
    }

    /// A count of what takes at least `each` bytes.
    #[inline]
    pub(super) fn count(&mut self, each: u64, layout: &Layout) -> Result<u32> {
        let start = *self;
        let count = self.read::<i32>(layout)?;
        match u32::try_from(count) {
            Ok(n) if u64::from(n).saturating_mul(each) <= self.remaining() => Ok(n),
            _ => Err(start.error(ErrorKind::BadCount(count))),
        }
    }

    /// An error here. (What is written through a pointer cannot stay in registers: where no
    /// error is, neither can the value beside it. So only the branch is cold.)
    #[inline(always)]
    pub(super) fn error(&self, kind: ErrorKind) -> Error {
        cold();
        Error::inline(kind, self.offset())
    }

    #[inline(always)]
    fn missing(&self, wanted: u64) -> Error {
        let missing = wanted.saturating_sub(self.remaining());
        let missing = u32::try_from(missing).unwrap_or(u32::MAX);
        self.error(ErrorKind::UnexpectedEnd { missing })
    }
}

/// Called where hardly anyone comes: errors, and the other byte order, which otherwise would
/// be computed for each number and then not taken.
#[cold]
#[inline(never)]
fn cold() {}

/// Where it is, and how much is left: the bytes would be most of the file, for each value.
impl fmt::Debug for Input<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.offset(), self.remaining())
    }
}

/// What a field can be: read from and written to the bytes of a file of some layout.
pub trait Value<'a>: Copy + Show<'a> {
    /// Bytes that it takes at the least.
    #[doc(hidden)]
    const LEAST: u64;

    /// Bytes that each takes in a file of that layout, if it is as many and they can be any.
    #[doc(hidden)]
    #[inline]
    fn size(_: &Layout) -> Option<u64> {
        None
    }

    /// Whether files have so many that reading one is compiled for each
    /// [`Step`](super::steps::Step).
    #[doc(hidden)]
    const IS_MANY: bool = false;

    #[doc(hidden)]
    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self>;

    #[doc(hidden)]
    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full>;

    /// Tells the names and objects in it.
    #[doc(hidden)]
    fn links(&self, _: &Layout, _: &mut dyn FnMut(Link)) {}
}

/// Appends `bytes`.
#[inline]
pub(super) fn put<S: Sink>(to: &mut S, bytes: &[u8]) -> Result<(), Full> {
    to.reserve(bytes.len())?;
    to.put(bytes);
    Ok(())
}

/// What lies in the byte order of the file.
pub(super) trait Number: Sized {
    fn row<const N: usize>(from: &mut Input<'_>, order: ByteOrder) -> Result<[Self; N]>;
}

macro_rules! numbers {
    ($($T:ident $Wire:ident)*) => {$(
        impl<'a> Value<'a> for $T {
            const LEAST: u64 = size_of::<Self>() as u64;

            #[inline]
            fn size(_: &Layout) -> Option<u64> {
                Some(Self::LEAST)
            }

            #[inline(always)]
            fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
                let [number] = from.row(layout)?;
                Ok(number)
            }

            #[inline]
            fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
                match layout.order {
                    ByteOrder::Little => to.append($Wire::<LE>::new(*self)),
                    ByteOrder::Big => to.append($Wire::<BE>::new(*self)),
                }
            }
        }

        impl Number for $T {
            #[inline(always)]
            fn row<const N: usize>(from: &mut Input<'_>, order: ByteOrder) -> Result<[Self; N]> {
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
numbers! { i16 I16 i32 I32 i64 I64 u16 U16 u32 U32 u64 U64 f32 F32 f64 F64 }

/// As they are, in either byte order.
impl<'a, const N: usize> Value<'a> for [u8; N] {
    const LEAST: u64 = N as u64;

    #[inline(always)]
    fn read(from: &mut Input<'a>, _: &Layout) -> Result<Self> {
        from.next().copied()
    }

    #[inline]
    fn write<S: Sink>(&self, to: &mut S, _: &Layout) -> Result<(), Full> {
        put(to, self)
    }
}

/// A GUID: four words, which a package in the other byte order has swapped each.
///
/// ```
/// use gamewire::unreal::Guid;
///
/// let guid = Guid([0x375EC13C, 0x06E448FB, 0xB50084F0, 0x262A717E]);
/// assert_eq!(guid.to_string(), "375EC13C06E448FBB50084F0262A717E");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Guid(pub [u32; 4]);

impl<'a> Value<'a> for Guid {
    const LEAST: u64 = 16;

    #[inline]
    fn size(_: &Layout) -> Option<u64> {
        Some(Self::LEAST)
    }

    #[inline(always)]
    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
        from.row(layout).map(Self)
    }

    #[inline]
    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        self.0.iter().try_for_each(|word| word.write(to, layout))
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|word| write!(f, "{word:08X}"))
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<'a> Value<'a> for u8 {
    const LEAST: u64 = 1;

    #[inline(always)]
    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
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
    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
        Ok(u8::read(from, layout)?.cast_signed())
    }

    #[inline]
    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        self.cast_unsigned().write(to, layout)
    }
}

/// Four bytes, 0 or 1; engines take anything else for a sign of damage.
impl<'a> Value<'a> for bool {
    const LEAST: u64 = 4;

    #[inline(always)]
    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
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
