//! A small buffer for the bytes of items.

/// Buffer for the bytes of items.
#[derive(Clone, Copy, Debug)]
pub struct ItemBuffer {
    bytes: [u8; CAPACITY],
    len: usize,
}

const CAPACITY: usize = 512;

/// Space for a component and a comma. The longest numbers have 25 characters, but the fast path for
/// numbers overwrites more bytes.
pub(crate) const PART: usize = 40;

/// Space for a row of components with commas.
pub(crate) const ROW: usize = 160;

impl ItemBuffer {
    #[inline]
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; CAPACITY], len: 0 }
    }

    #[inline]
    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Removes all bytes.
    #[inline]
    pub(crate) const fn clear(&mut self) {
        self.len = 0;
    }

    /// Returns the bytes after the first `len` bytes.
    pub(crate) fn since(&mut self, len: usize) -> &mut [u8] {
        self.bytes.get_mut(len..self.len).unwrap_or_default()
    }

    /// Returns the number of bytes that can still be appended.
    #[inline]
    pub(crate) const fn free(&self) -> usize {
        CAPACITY.saturating_sub(self.len)
    }

    /// Calls `print` with the free space after the bytes, and appends as many bytes as it returns.
    /// Returns `false` if `print` returns `None`, or if there are fewer than `N` bytes of space.
    #[inline(always)]
    pub(crate) fn print<const N: usize>(
        &mut self,
        print: impl FnOnce(&mut [u8; N]) -> Option<usize>,
    ) -> bool {
        let space = self.bytes.get_mut(self.len..).and_then(|space| space.first_chunk_mut());
        match space.and_then(print) {
            Some(len) => {
                self.len = self.len.wrapping_add(len);
                true
            }
            None => false,
        }
    }

    /// Removes the first `len` bytes.
    #[allow(clippy::disallowed_methods, reason = "the range is in bounds")]
    pub(crate) fn remove_first(&mut self, len: usize) {
        if len <= self.len && self.len <= CAPACITY {
            self.bytes.copy_within(len..self.len, 0);
            self.len = self.len.wrapping_sub(len);
        }
    }

    /// Removes all bytes after the first `len` bytes.
    #[inline]
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Appends a byte if it fits.
    #[inline(always)]
    pub(crate) fn push_byte(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.len) {
            *place = byte;
            self.len = self.len.wrapping_add(1);
        }
    }

    /// Appends bytes if they fit.
    #[inline]
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        _ = self.fits(bytes);
    }

    /// Appends bytes and returns `true` if they fit; otherwise returns `false`. Copies short text
    /// as two overlapping chunks of constant size, which avoids a call to `memcpy`.
    #[inline]
    #[allow(clippy::disallowed_methods, reason = "both slices have the same length")]
    pub(crate) fn fits(&mut self, bytes: &[u8]) -> bool {
        let end = self.len.wrapping_add(bytes.len());
        let Some(place) = self.bytes.get_mut(self.len..end) else { return false };
        self.len = end;
        match bytes.len() {
            1 => copy_ends::<1>(bytes, place),
            2..=3 => copy_ends::<2>(bytes, place),
            4..=7 => copy_ends::<4>(bytes, place),
            8..=15 => copy_ends::<8>(bytes, place),
            16..=32 => copy_ends::<16>(bytes, place),
            _ => place.copy_from_slice(bytes),
        }
        true
    }
}

/// Copies the first `N` bytes and the last `N` bytes.
#[inline(always)]
fn copy_ends<const N: usize>(from: &[u8], to: &mut [u8]) {
    if let (Some(first), Some(place)) = (from.first_chunk::<N>(), to.first_chunk_mut::<N>()) {
        *place = *first;
    }
    if let (Some(last), Some(place)) = (from.last_chunk::<N>(), to.last_chunk_mut::<N>()) {
        *place = *last;
    }
}

impl core::fmt::Write for ItemBuffer {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        self.push(text.as_bytes());
        Ok(())
    }
}
