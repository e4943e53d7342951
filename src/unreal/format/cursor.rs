//! A cursor over the bytes of a file, with the offset in the file.

use super::error::{Error, ErrorKind, Result};
use super::layout::Layout;
use super::value::{Number, Value};
use crate::buffer::Cursor;
use core::fmt;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// A cursor over a window of a file. Offsets count from the start of the file. Offsets in a `.uexp`
/// continue from the end of the file with the tables.
#[derive(Clone, Copy)]
pub struct FileCursor<'a>(Cursor<'a>);

/// Maximum depth of nested lists. Only the metadata of gatherable texts has a recursive format.
const MAX_NESTED_LISTS: u8 = 32;

impl<'a> FileCursor<'a> {
    /// Creates a cursor over `window`, which begins at the offset `base` of the file.
    #[inline]
    pub(crate) const fn new(window: &'a [u8], base: u64) -> Self {
        // Both files are in memory, so an offset in them fits in `usize`.
        Self(Cursor::with_base(window, base as usize))
    }

    /// Returns the number of bytes from the start of the file.
    #[inline]
    pub(crate) const fn offset(&self) -> u64 {
        self.0.pos() as u64
    }

    #[inline]
    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.0.rest()
    }

    #[inline]
    pub(crate) const fn remaining(&self) -> u64 {
        self.0.remaining() as u64
    }

    #[inline]
    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads `len` bytes.
    #[inline(always)]
    pub(crate) fn bytes(&mut self, len: u64) -> Result<&'a [u8]> {
        self.0.take(len).ok_or_else(|| self.missing(len))
    }

    /// Reads a `T`, a type for which all bit patterns are valid.
    #[inline(always)]
    pub(crate) fn next<T: FromBytes + KnownLayout + Immutable + Unaligned>(
        &mut self,
    ) -> Result<&'a T> {
        match self.0.peek() {
            Some((value, behind)) => {
                self.0 = behind;
                Ok(value)
            }
            None => Err(self.missing(size_of::<T>() as u64)),
        }
    }

    /// Returns the next `T` and the position after it, or `None` if fewer bytes remain.
    #[inline(always)]
    pub(crate) fn peek<T: FromBytes + KnownLayout + Immutable + Unaligned>(
        self,
    ) -> Option<(&'a T, Self)> {
        let (value, behind) = self.0.peek()?;
        Some((value, Self(behind)))
    }

    /// Returns the next `len` bytes and the position after them, or `None` if fewer bytes remain.
    #[inline(always)]
    pub(crate) fn split(mut self, len: u64) -> Option<(&'a [u8], Self)> {
        Some((self.0.take(len)?, self))
    }

    /// Returns a cursor over the next `len` bytes and the position after them, or `None` if fewer
    /// bytes remain.
    #[inline(always)]
    pub(crate) fn split_window(self, len: u64) -> Option<(Self, Self)> {
        let (bytes, behind) = self.split(len)?;
        Some((Self::new(bytes, self.offset()), behind))
    }

    /// Reads `len` bytes, and returns a cursor over them.
    #[inline(always)]
    pub(crate) fn window(&mut self, len: u64) -> Result<Self> {
        let base = self.offset();
        Ok(Self::new(self.bytes(len)?, base))
    }

    /// Returns a cursor over the bytes from this position to that of `end`.
    #[inline]
    pub(crate) fn until(&self, end: &Self) -> Self {
        Self::new(end.since(self), self.offset())
    }

    /// Returns the bytes between the position of `start` and that of this cursor.
    #[inline]
    pub(crate) fn since(&self, start: &Self) -> &'a [u8] {
        self.0.since(&start.0)
    }

    #[inline(always)]
    pub(crate) fn read<T: Value<'a>>(&mut self, layout: &Layout) -> Result<T> {
        T::read(self, layout)
    }

    /// Reads an array of numbers. If the bytes end within the array, reads no number.
    #[inline(always)]
    pub(crate) fn row<T: Number, const N: usize>(&mut self, layout: &Layout) -> Result<[T; N]> {
        T::row(self, layout.order)
    }

    /// Reads a value of a recursive type. Values that are nested too deeply are an error.
    pub(crate) fn nested<T: Value<'a>>(&mut self, layout: &Layout) -> Result<T> {
        match layout.depth.checked_add(1).filter(|depth| *depth <= MAX_NESTED_LISTS) {
            Some(depth) => self.read(&Layout { depth, ..*layout }),
            None => Err(self.error(ErrorKind::TooDeep { limit: MAX_NESTED_LISTS.into() })),
        }
    }

    /// Reads the number of items, each of at least `each` bytes, and checks that the remaining
    /// bytes can hold them.
    #[inline]
    pub(crate) fn count(&mut self, each: u64, layout: &Layout) -> Result<u32> {
        let start = *self;
        let count = self.read::<i32>(layout)?;
        match u32::try_from(count) {
            Ok(n) if u64::from(n).saturating_mul(each) <= self.remaining() => Ok(n),
            _ => Err(start.error(ErrorKind::BadCount(count))),
        }
    }

    /// Creates an error at the current offset. This function is inlined, and only calls [`cold`] to
    /// mark the branch as unlikely. If a function that is not inlined wrote the error through a
    /// pointer, the compiler could not keep the result in registers when there is no error.
    #[inline(always)]
    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
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

/// Marks a branch as unlikely. It is used for errors, and for the conversion of big-endian numbers,
/// which the compiler would otherwise do for all numbers.
#[cold]
#[inline(never)]
pub(crate) fn cold() {}

/// Prints the offset and the number of remaining bytes, but not the bytes.
impl fmt::Debug for FileCursor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.offset(), self.remaining())
    }
}
