//! Bytes that wait to be written to a stream.

use crate::buffer::{Full, Sink};
use alloc::collections::VecDeque;

/// A queue of bytes with a limit. All its memory is allocated at once.
#[derive(Clone, Debug, Default)]
pub(super) struct Output {
    bytes: VecDeque<u8>,
    limit: usize,
}

impl Output {
    pub(super) fn new(limit: usize) -> Self {
        Self { bytes: VecDeque::with_capacity(limit), limit }
    }

    /// Removes all bytes. Keeps the memory.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the waiting bytes up to the end of the queue's memory.
    pub(super) fn first_part(&self) -> &[u8] {
        self.bytes.as_slices().0
    }

    /// Returns how many more bytes fit.
    pub(super) fn free(&self) -> usize {
        self.limit.saturating_sub(self.bytes.len())
    }

    pub(super) fn memory(&self) -> usize {
        self.bytes.capacity()
    }

    /// Removes the first `n` bytes, or all if there are fewer.
    #[allow(clippy::disallowed_methods, reason = "the range is within the bytes")]
    pub(super) fn remove(&mut self, n: usize) {
        self.bytes.drain(..n.min(self.bytes.len()));
    }
}

impl Sink for Output {
    const REWINDS: bool = false;

    fn reserve(&mut self, n: usize) -> Result<(), Full> {
        let free = self.free();
        if n <= free { Ok(()) } else { Err(Full::short_of(n, free)) }
    }

    fn put(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
    }

    fn position(&self) -> usize {
        self.bytes.len()
    }

    fn rewind(&mut self, _position: usize) {}
}
