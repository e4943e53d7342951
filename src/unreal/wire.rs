//! What everything in packages and saves is made of: a cursor over the file, and the values
//! that are read and written as the layout of the file has them.

use super::layout::Layout;
use super::show::Show;
use super::verify::Link;
use super::{Error, ErrorKind, Result};
use crate::base::{Cursor, Full, Sink};
use core::fmt;
use zerocopy::byteorder::{BE, LE};
use zerocopy::{F32, F64, I16, I32, I64, U16, U32, U64};

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
    at: Cursor<'a>,
    /// Offset of the window in the file (header and `.uexp` in a row).
    base: u64,
    /// How many lists may still be inside each other.
    room: u8,
}

/// Lists inside each other, of which only remarks about texts can have any number.
const ROOM: u8 = 32;

impl<'a> Input<'a> {
    pub(super) const fn new(window: &'a [u8], base: u64) -> Self {
        Self { at: Cursor::new(window), base, room: ROOM }
    }

    /// Bytes from the start of the file.
    #[inline]
    pub(super) fn offset(&self) -> u64 {
        self.base.wrapping_add(self.at.pos() as u64)
    }

    #[inline]
    pub(super) fn rest(&self) -> &'a [u8] {
        self.at.rest()
    }

    #[inline]
    pub(super) fn remaining(&self) -> u64 {
        self.at.remaining() as u64
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.at.is_empty()
    }

    /// The next `len` bytes.
    #[inline]
    pub(super) fn bytes(&mut self, len: u64) -> Result<&'a [u8]> {
        match u32::try_from(len).map(|len| self.at.slice::<u8>(len)) {
            Ok(Ok(bytes)) => Ok(bytes),
            _ => Err(self.end(len)),
        }
    }

    /// The next `len` bytes, as a window of their own.
    #[inline]
    pub(super) fn window(&mut self, len: u64) -> Result<Self> {
        let base = self.offset();
        Ok(Self::new(self.bytes(len)?, base))
    }

    /// This, up to where `end` is.
    pub(super) fn until(&self, end: &Self) -> Self {
        Self { room: self.room, ..Self::new(end.since(self), self.offset()) }
    }

    /// What was read since this was `start`.
    #[inline]
    pub(super) fn since(&self, start: &Self) -> &'a [u8] {
        self.at.since(&start.at)
    }

    #[inline]
    pub(super) fn read<T: Value<'a>>(&mut self, layout: &Layout) -> Result<T> {
        T::read(self, layout)
    }

    /// A value inside of one that could be inside of it again.
    pub(super) fn nested<T: Value<'a>>(&mut self, layout: &Layout) -> Result<T> {
        let Some(room) = self.room.checked_sub(1) else {
            return Err(self.error(ErrorKind::TooDeep { limit: ROOM.into() }));
        };
        let outside = core::mem::replace(&mut self.room, room);
        let value = self.read(layout);
        self.room = outside;
        value
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

    /// An error here.
    #[cold]
    #[inline(never)]
    pub(super) fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.offset())
    }

    #[cold]
    #[inline(never)]
    fn end(&self, wanted: u64) -> Error {
        let missing = wanted.saturating_sub(self.remaining());
        let missing = u32::try_from(missing).unwrap_or(u32::MAX);
        self.error(ErrorKind::UnexpectedEnd { missing })
    }
}

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

macro_rules! numbers {
    ($($T:ident $Wire:ident)*) => {$(
        impl<'a> Value<'a> for $T {
            const LEAST: u64 = size_of::<Self>() as u64;

            #[inline]
            fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
                let Ok(&wire) = from.at.read::<$Wire<LE>>() else {
                    return Err(from.end(Self::LEAST));
                };
                Ok(match layout.order {
                    ByteOrder::Little => wire.get(),
                    ByteOrder::Big => $Wire::<BE>::from_bytes(wire.to_bytes()).get(),
                })
            }

            #[inline]
            fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
                match layout.order {
                    ByteOrder::Little => to.append($Wire::<LE>::new(*self)),
                    ByteOrder::Big => to.append($Wire::<BE>::new(*self)),
                }
            }
        }
    )*};
}
numbers! { i16 I16 i32 I32 i64 I64 u16 U16 u32 U32 u64 U64 f32 F32 f64 F64 }

/// As they are, in either byte order.
impl<'a, const N: usize> Value<'a> for [u8; N] {
    const LEAST: u64 = N as u64;

    #[inline]
    fn read(from: &mut Input<'a>, _: &Layout) -> Result<Self> {
        match from.at.read::<[u8; N]>() {
            Ok(bytes) => Ok(*bytes),
            Err(_) => Err(from.end(Self::LEAST)),
        }
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
    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
        let mut words = [0; 4];
        for word in &mut words {
            *word = from.read(layout)?;
        }
        Ok(Self(words))
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

    #[inline]
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

    #[inline]
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

    #[inline]
    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
        let start = *from;
        match from.read::<u32>(layout)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(start.error(ErrorKind::BadBool(other))),
        }
    }

    #[inline]
    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        u32::from(*self).write(to, layout)
    }
}
