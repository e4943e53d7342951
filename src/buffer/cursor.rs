use super::{Error, UnexpectedEnd};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

type Result<T> = core::result::Result<T, Error<UnexpectedEnd>>;

/// A read position in a window of the input.
///
/// It stores the unread bytes instead of an index, so each read takes one comparison. The position
/// is computed on demand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    rest: &'a [u8],
    /// Position of the end of the window.
    end: usize,
}

impl<'a> Cursor<'a> {
    #[inline(always)]
    pub(crate) const fn new(window: &'a [u8]) -> Self {
        Self { rest: window, end: window.len() }
    }

    /// Creates a cursor over a window that begins at the position `base` of the input. Positions
    /// count from the start of the input.
    #[cfg(feature = "unreal")]
    #[inline(always)]
    pub(crate) const fn with_base(window: &'a [u8], base: usize) -> Self {
        Self { rest: window, end: base.wrapping_add(window.len()) }
    }

    /// Creates a cursor at `pos`. It is empty if `pos` is after the end of the window.
    #[inline(always)]
    pub(crate) fn new_at(window: &'a [u8], pos: usize) -> Self {
        Self { rest: window.get(pos..).unwrap_or_default(), end: window.len() }
    }

    /// Returns a cursor at `pos` of the same window. Reuses the length of the window, so a loop
    /// need not keep it in a second register.
    #[inline(always)]
    pub(crate) fn with_pos(self, window: &'a [u8], pos: usize) -> Self {
        Self { rest: window.get(pos..).unwrap_or_default(), ..self }
    }

    /// Moves to the start of `rest`, which must be a suffix of the same window.
    #[inline(always)]
    pub(crate) fn set_rest(&mut self, rest: &'a [u8]) {
        self.rest = rest;
    }

    /// Returns the offset of the next byte from the start of the window. If the cursor was created
    /// by `with_base`, the offset includes the `base`.
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

    /// Returns the bytes that have not been read yet.
    #[inline(always)]
    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Returns the bytes from `start` to this position. `start` is an earlier state of this cursor.
    #[inline(always)]
    pub(crate) fn since(&self, start: &Self) -> &'a [u8] {
        let len = start.rest.len().wrapping_sub(self.rest.len());
        start.rest.get(..len).unwrap_or_default()
    }

    /// Reads a `T`, a type of alignment 1 with an explicit byte order.
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
            Err(_) => Err(self.unexpected_end(size_of::<T>() as u64)),
        }
    }

    /// Returns the next `T` and a cursor positioned after it. Returns `None` if the window ends
    /// before the end of the `T`.
    #[inline(always)]
    pub(crate) fn peek<T>(self) -> Option<(&'a T, Self)>
    where
        T: FromBytes + KnownLayout + Immutable + Unaligned,
    {
        let (value, rest) = T::ref_from_prefix(self.rest).ok()?;
        Some((value, Self { rest, ..self }))
    }

    /// Reads a slice of `n` elements of alignment 1, in constant time.
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
            Err(_) => Err(self.unexpected_end(u64::from(n).saturating_mul(size_of::<T>() as u64))),
        }
    }

    /// Reads `padded` bytes, and returns the first `len` of them. The rest are padding.
    #[inline(always)]
    pub(crate) fn padded(&mut self, len: usize, padded: usize) -> Result<&'a [u8]> {
        if let Some((bytes, rest)) = self.rest.split_at_checked(padded) {
            self.rest = rest;
            // Always in range, as `len <= padded`. `unwrap_or(bytes)` avoids a branch that panics.
            return Ok(bytes.get(..len).unwrap_or(bytes));
        }
        Err(self.unexpected_end(padded as u64))
    }

    /// Reads `len` bytes. Returns `None` if fewer bytes remain.
    #[cfg(any(
        feature = "godot-file",
        feature = "unreal",
        all(feature = "rems", feature = "alloc")
    ))]
    #[inline(always)]
    pub(crate) fn take(&mut self, len: u64) -> Option<&'a [u8]> {
        let bytes;
        (bytes, self.rest) = self.rest.split_at_checked(usize::try_from(len).ok()?)?;
        Some(bytes)
    }

    /// Skips `n` bytes, or all remaining bytes if there are fewer.
    #[inline(always)]
    pub(crate) fn skip(&mut self, n: usize) {
        self.rest = match self.rest.get(n..) {
            Some(rest) => rest,
            None => &[],
        };
    }

    /// Returns the error for a read of `wanted` bytes when fewer remain.
    #[cold]
    #[inline(never)]
    pub(crate) fn unexpected_end(self, wanted: u64) -> Error<UnexpectedEnd> {
        let missing = wanted.saturating_sub(self.rest.len() as u64);
        let missing = u32::try_from(missing).unwrap_or(u32::MAX);
        Error::new(UnexpectedEnd { missing }, self.pos() as u64)
    }
}
