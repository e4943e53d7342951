use super::{Error, UnexpectedEnd};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

type Result<T> = core::result::Result<T, Error<UnexpectedEnd>>;

/// What is left of a window of the input, and where the window ends.
///
/// A slice that shrinks from the front, rather than a slice and a position: each
/// read takes one comparison, and the position is computed where it is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    rest: &'a [u8],
    /// The window's length.
    end: usize,
}

impl<'a> Cursor<'a> {
    #[inline(always)]
    pub(crate) const fn new(window: &'a [u8]) -> Self {
        Self { rest: window, end: window.len() }
    }

    /// At `pos` of the window; past its end, nothing can be read.
    #[inline(always)]
    pub(crate) fn new_at(window: &'a [u8], pos: usize) -> Self {
        Self { rest: window.get(pos..).unwrap_or_default(), end: window.len() }
    }

    /// The same at `pos` of the window. (The end stays, and so need not be kept in a register
    /// of its own by a loop that calls this.)
    #[inline(always)]
    pub(crate) fn moved(self, window: &'a [u8], pos: usize) -> Self {
        Self { rest: window.get(pos..).unwrap_or_default(), ..self }
    }

    /// Goes to where `rest` begins, what is left of the same window there.
    #[inline(always)]
    pub(crate) fn go_to(&mut self, rest: &'a [u8]) {
        self.rest = rest;
    }

    /// Bytes from the start of the window.
    #[inline(always)]
    pub(crate) const fn pos(&self) -> usize {
        self.end.wrapping_sub(self.rest.len())
    }

    #[inline(always)]
    pub(crate) const fn remaining(&self) -> usize {
        self.rest.len()
    }

    #[inline(always)]
    pub(crate) const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// What has not been read yet.
    #[inline(always)]
    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// What was read since this cursor was at `start`.
    #[inline(always)]
    pub(crate) fn since(&self, start: &Self) -> &'a [u8] {
        let len = start.rest.len().wrapping_sub(self.rest.len());
        start.rest.get(..len).unwrap_or_default()
    }

    /// Reads one `T`, a type of alignment 1 that names its byte order.
    #[inline(always)]
    pub(crate) fn read<T>(&mut self) -> Result<&'a T>
    where
        T: FromBytes + KnownLayout + Immutable + Unaligned,
    {
        match T::ref_from_prefix(self.rest) {
            Ok((value, rest)) => {
                self.rest = rest;
                Ok(value)
            }
            Err(_) => Err(self.end(size_of::<T>() as u64)),
        }
    }

    /// The next `T`, and a cursor behind it; where it is cut off, nothing.
    #[inline(always)]
    pub(crate) fn ahead<T>(self) -> Option<(&'a T, Self)>
    where
        T: FromBytes + KnownLayout + Immutable + Unaligned,
    {
        let (value, rest) = T::ref_from_prefix(self.rest).ok()?;
        Some((value, Self { rest, ..self }))
    }

    /// Reads `n` elements of alignment 1 in a row, in constant time.
    #[inline(always)]
    pub(crate) fn slice<T>(&mut self, n: u32) -> Result<&'a [T]>
    where
        T: FromBytes + Immutable + Unaligned,
    {
        match <[T]>::ref_from_prefix_with_elems(self.rest, n as usize) {
            Ok((values, rest)) => {
                self.rest = rest;
                Ok(values)
            }
            Err(_) => Err(self.end(u64::from(n).saturating_mul(size_of::<T>() as u64))),
        }
    }

    /// Reads `padded` bytes, of which the first `len` count.
    #[inline(always)]
    pub(crate) fn padded(&mut self, len: usize, padded: usize) -> Result<&'a [u8]> {
        if let Some((bytes, rest)) = self.rest.split_at_checked(padded) {
            self.rest = rest;
            // `len` is not above `padded`, which the compiler does not see: so it is not
            // asked, where the bytes do not matter.
            return Ok(bytes.get(..len).unwrap_or(bytes));
        }
        Err(self.end(padded as u64))
    }

    /// Moves past `n` bytes, or to the end where there are fewer.
    #[inline(always)]
    pub(crate) fn skip(&mut self, n: usize) {
        self.rest = match self.rest.get(n..) {
            Some(rest) => rest,
            None => &[],
        };
    }

    /// That `wanted` bytes are not there.
    #[cold]
    #[inline(never)]
    pub(crate) fn end(self, wanted: u64) -> Error<UnexpectedEnd> {
        let missing = wanted.saturating_sub(self.rest.len() as u64);
        let missing = u32::try_from(missing).unwrap_or(u32::MAX);
        Error::new(UnexpectedEnd { missing }, self.pos() as u64)
    }
}

/// The next `len` bytes, if there are as many.
#[cfg(any(feature = "unreal", all(feature = "rems", feature = "alloc")))]
#[inline(always)]
pub(crate) fn take<'a>(rest: &mut &'a [u8], len: u64) -> Option<&'a [u8]> {
    let bytes;
    (bytes, *rest) = rest.split_at_checked(usize::try_from(len).ok()?)?;
    Some(bytes)
}
