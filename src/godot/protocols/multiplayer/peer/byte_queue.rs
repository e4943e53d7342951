//! A queue of bytes in one block of memory.

use alloc::vec::Vec;
use core::ops::Range;

/// A queue of bytes. The queued bytes are contiguous, so each message in it can be borrowed as a
/// slice. Its memory is at most twice the largest number of bytes that it has held.
#[derive(Debug, Default)]
pub(super) struct ByteQueue {
    bytes: Vec<u8>,
    /// Index of the first byte.
    head: usize,
}

impl ByteQueue {
    /// Returns the number of bytes in the queue.
    pub(super) fn len(&self) -> usize {
        self.bytes.len().saturating_sub(self.head)
    }

    /// Appends bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        if self.head > self.bytes.len() / 2 {
            self.compact();
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Moves the queued bytes to the start of the memory. At least as many bytes were removed since
    /// the last move, so each byte is moved once on average.
    #[expect(clippy::disallowed_methods, reason = "the head is at most the length")]
    fn compact(&mut self) {
        self.head = self.head.min(self.bytes.len());
        let len = self.len();
        self.bytes.copy_within(self.head.., 0);
        self.bytes.truncate(len);
        self.head = 0;
    }

    /// Removes the first `len` bytes. Their memory is reused by the next [`push`](Self::push).
    pub(super) fn pop(&mut self, len: usize) -> &[u8] {
        let start = self.head;
        self.head = start.saturating_add(len).min(self.bytes.len());
        self.bytes.get(start..self.head).unwrap_or_default()
    }

    /// Returns bytes at the front of the queue.
    pub(super) fn get(&self, range: Range<usize>) -> &[u8] {
        let range = range.start.saturating_add(self.head)..range.end.saturating_add(self.head);
        self.bytes.get(range).unwrap_or_default()
    }

    /// Returns all bytes, for changing them.
    pub(super) fn as_mut(&mut self) -> &mut [u8] {
        self.bytes.get_mut(self.head..).unwrap_or_default()
    }
}
