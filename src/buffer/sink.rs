//! Destinations that writers append to.

#[cfg(feature = "bytes")]
mod buf;
mod inline_bytes;
#[cfg(feature = "alloc")]
mod vec;

#[cfg(feature = "bytes")]
pub use buf::BufSink;
pub use inline_bytes::InlineBytes;

use core::fmt;
use zerocopy::{Immutable, IntoBytes};

/// The error for a write that does not fit in a sink. Nothing has been appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Full {
    /// Number of bytes that did not fit, or a lower bound of this number.
    pub missing: u32,
}

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the sink is full (bytes missing: {})", self.missing)
    }
}

impl core::error::Error for Full {}

impl Full {
    #[cold]
    #[inline(never)]
    pub(crate) fn short_of(wanted: usize, capacity: usize) -> Self {
        let missing = wanted.saturating_sub(capacity);
        Self { missing: u32::try_from(missing).unwrap_or(u32::MAX) }
    }
}

/// A destination that writers append to: `Vec<u8>`, a fixed slice ([`SliceSink`]) or, with the
/// feature `bytes`, any `BufMut` (`BufSink`).
///
/// A writer first reserves space for a complete value, and then puts the bytes of the value. If the
/// sink has too little space, the writer writes no part of the value. An implementation needs only
/// [`REWINDS`](Self::REWINDS), [`reserve`](Self::reserve), [`put`](Self::put),
/// [`position`](Self::position) and [`rewind`](Self::rewind).
pub trait Sink {
    /// `true` if [`rewind`](Self::rewind) is supported.
    const REWINDS: bool;

    /// Ensures that `n` more bytes fit.
    ///
    /// # Errors
    /// Returns [`Full`] if they do not fit.
    fn reserve(&mut self, n: usize) -> Result<(), Full>;

    /// Appends `bytes`. The caller must have reserved space for them.
    fn put(&mut self, bytes: &[u8]);

    /// Appends `n` zero bytes of padding, at most 3. The caller must have reserved space for them.
    #[inline]
    fn pad(&mut self, n: usize) {
        self.put([0; 4].get(..n).unwrap_or_default());
    }

    /// Reserves space for the bytes of `value` and appends them.
    ///
    /// # Errors
    /// Returns [`Full`] if they do not fit.
    #[inline(always)]
    fn append<T: IntoBytes + Immutable>(&mut self, value: T) -> Result<(), Full> {
        self.append_here(value.as_bytes())
    }

    /// Reserves space for `head`, `bytes` and `pad` zero bytes (at most 3), and appends them.
    ///
    /// # Errors
    /// Returns [`Full`] if they do not fit.
    #[inline(always)]
    fn append_padded<const N: usize>(
        &mut self,
        head: [u8; N],
        bytes: &[u8],
        pad: usize,
    ) -> Result<(), Full> {
        self.append_terminated(head, bytes, false, pad)
    }

    /// Appends like [`append_padded`](Self::append_padded). If `nul` is `true`, a NUL comes between
    /// `bytes` and the padding. It is content and not padding, which some sinks distinguish.
    ///
    /// # Errors
    /// Returns [`Full`] if they do not fit.
    #[doc(hidden)]
    #[inline]
    fn append_terminated<const N: usize>(
        &mut self,
        head: [u8; N],
        bytes: &[u8],
        nul: bool,
        pad: usize,
    ) -> Result<(), Full> {
        let zeros = usize::from(nul).saturating_add(pad);
        self.reserve(bytes.len().saturating_add(zeros).saturating_add(head.len()))?;
        self.put(&head);
        self.put(bytes);
        if nul {
            self.put(&[0]);
        }
        self.pad(pad);
        Ok(())
    }

    /// Reserves space for up to 32 bytes that are in registers, and appends them.
    #[doc(hidden)]
    #[inline(always)]
    fn append_inline(&mut self, bytes: InlineBytes) -> Result<(), Full> {
        let words = bytes.words().map(u64::to_le_bytes);
        self.append_here(words.as_flattened().get(..bytes.len).unwrap_or_default())
    }

    /// Appends `bytes` like [`append`](Self::append), but is inlined into the caller. A function
    /// that appends all fields of a struct then keeps the length of the sink in a register.
    #[doc(hidden)]
    #[inline(always)]
    fn append_here(&mut self, bytes: &[u8]) -> Result<(), Full> {
        self.reserve(bytes.len())?;
        self.put(bytes);
        Ok(())
    }

    /// Appends like [`append_padded`](Self::append_padded), but is inlined into the caller.
    #[doc(hidden)]
    #[inline(always)]
    fn append_padded_here<const N: usize>(
        &mut self,
        head: [u8; N],
        bytes: &[u8],
        pad: usize,
    ) -> Result<(), Full> {
        self.append_padded(head, bytes, pad)
    }

    /// Runs `job` on the innermost sink: for `&mut &mut S`, on the `S` itself. The job is then
    /// compiled once per sink, not once per level of references.
    #[doc(hidden)]
    #[inline(always)]
    fn run<J: SinkJob>(&mut self, job: J) -> J::Output
    where
        Self: Sized,
    {
        job.run(self)
    }

    /// Returns the number of bytes appended so far. For a `Vec<u8>` or a `BytesMut`, this includes
    /// the bytes that it already contained.
    fn position(&self) -> usize;

    /// Removes all bytes after `position`, if the sink [supports](Self::REWINDS) this.
    fn rewind(&mut self, position: usize);
}

/// A function that is generic over sinks; see [`Sink::run`].
#[doc(hidden)]
pub trait SinkJob {
    type Output;
    fn run<S: Sink>(self, sink: &mut S) -> Self::Output;
}

/// A sink in which written bytes can be overwritten later. A writer needs such a sink for a
/// container if it does not know the number of items at the start.
pub trait PatchSink: Sink {
    /// Overwrites the 4 bytes at `position`, as counted by [`Sink::position`].
    fn patch(&mut self, position: usize, bytes: [u8; 4]);

    /// Inserts `bytes` at `position`, as counted by [`Sink::position`], and moves the bytes that
    /// follow it towards the end.
    ///
    /// # Errors
    /// Returns [`Full`] if `bytes` do not fit.
    fn insert(&mut self, position: usize, bytes: &[u8]) -> Result<(), Full>;
}

impl<S: Sink> Sink for &mut S {
    const REWINDS: bool = S::REWINDS;

    #[inline(always)]
    fn reserve(&mut self, n: usize) -> Result<(), Full> {
        S::reserve(self, n)
    }

    #[inline(always)]
    fn put(&mut self, bytes: &[u8]) {
        S::put(self, bytes);
    }

    #[inline(always)]
    fn append<T: IntoBytes + Immutable>(&mut self, value: T) -> Result<(), Full> {
        S::append(self, value)
    }

    #[inline(always)]
    fn pad(&mut self, n: usize) {
        S::pad(self, n);
    }

    #[inline(always)]
    fn append_padded<const N: usize>(
        &mut self,
        head: [u8; N],
        bytes: &[u8],
        pad: usize,
    ) -> Result<(), Full> {
        S::append_padded(self, head, bytes, pad)
    }

    #[inline(always)]
    fn append_terminated<const N: usize>(
        &mut self,
        head: [u8; N],
        bytes: &[u8],
        nul: bool,
        pad: usize,
    ) -> Result<(), Full> {
        S::append_terminated(self, head, bytes, nul, pad)
    }

    #[inline(always)]
    fn run<J: SinkJob>(&mut self, job: J) -> J::Output {
        S::run(self, job)
    }

    #[inline(always)]
    fn append_inline(&mut self, bytes: InlineBytes) -> Result<(), Full> {
        S::append_inline(self, bytes)
    }

    #[inline(always)]
    fn position(&self) -> usize {
        S::position(self)
    }

    fn rewind(&mut self, position: usize) {
        S::rewind(self, position);
    }
}

impl<S: PatchSink> PatchSink for &mut S {
    fn patch(&mut self, position: usize, bytes: [u8; 4]) {
        S::patch(self, position, bytes);
    }

    fn insert(&mut self, position: usize, bytes: &[u8]) -> Result<(), Full> {
        S::insert(self, position, bytes)
    }
}

/// Moves the last `len` bytes to `position`.
#[allow(clippy::disallowed_methods, reason = "the bytes after the position are long enough")]
fn move_end_to(bytes: &mut [u8], position: usize, len: usize) {
    match bytes.get_mut(position..) {
        Some(behind) if len <= behind.len() => behind.rotate_right(len),
        _ => {}
    }
}

#[inline]
fn patch(bytes: &mut [u8], position: usize, with: [u8; 4]) {
    if let Some(target) = bytes.get_mut(position..).and_then(<[u8]>::first_chunk_mut) {
        *target = with;
    }
}

/// A sink that counts bytes and discards them.
pub(crate) struct Count(pub usize);

impl Sink for Count {
    const REWINDS: bool = true;

    fn reserve(&mut self, _: usize) -> Result<(), Full> {
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) {
        self.0 = self.0.saturating_add(bytes.len());
    }

    fn position(&self) -> usize {
        self.0
    }

    fn rewind(&mut self, position: usize) {
        self.0 = self.0.min(position);
    }
}

/// A fixed slice that is filled from its start. Writing a value that does not fit is an error.
///
/// ```
/// use gamewire::{Sink, SliceSink};
///
/// let mut memory = [0; 8];
/// let mut sink = SliceSink::new(&mut memory);
/// sink.reserve(3)?;
/// sink.put(b"abc");
/// assert_eq!(sink.written(), b"abc");
/// assert_eq!(sink.reserve(6).unwrap_err().missing, 1);
/// # Ok::<(), gamewire::Full>(())
/// ```
#[derive(Debug)]
pub struct SliceSink<'m> {
    memory: &'m mut [u8],
    used: usize,
}

impl<'m> SliceSink<'m> {
    /// Creates an empty sink over `memory`.
    pub fn new(memory: &'m mut [u8]) -> Self {
        Self { memory, used: 0 }
    }

    /// Returns the bytes written so far.
    pub fn written(&self) -> &[u8] {
        self.memory.get(..self.used).unwrap_or_default()
    }

    /// Returns the written bytes with the lifetime of the memory.
    pub fn into_written(self) -> &'m [u8] {
        let Self { memory, used } = self;
        memory.get(..used).unwrap_or_default()
    }
}

impl Sink for SliceSink<'_> {
    const REWINDS: bool = true;

    #[inline]
    fn reserve(&mut self, n: usize) -> Result<(), Full> {
        let free = self.memory.len().saturating_sub(self.used);
        if n <= free { Ok(()) } else { Err(Full::short_of(n, free)) }
    }

    #[inline]
    #[allow(clippy::disallowed_methods, reason = "both slices have the same length")]
    fn put(&mut self, bytes: &[u8]) {
        let free = self.memory.get_mut(self.used..).unwrap_or_default();
        if let Some(target) = free.get_mut(..bytes.len()) {
            target.copy_from_slice(bytes);
            self.used = self.used.saturating_add(bytes.len());
        }
    }

    #[inline]
    fn position(&self) -> usize {
        self.used
    }

    fn rewind(&mut self, position: usize) {
        self.used = self.used.min(position);
    }
}

impl PatchSink for SliceSink<'_> {
    fn patch(&mut self, position: usize, bytes: [u8; 4]) {
        patch(self.memory, position, bytes);
    }

    fn insert(&mut self, position: usize, bytes: &[u8]) -> Result<(), Full> {
        self.reserve(bytes.len())?;
        self.put(bytes);
        let written = self.memory.get_mut(..self.used).unwrap_or_default();
        move_end_to(written, position, bytes.len());
        Ok(())
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::{Count, Sink};
    use alloc::vec::Vec;

    /// The capacity is the only visible effect of `reserve`.
    #[test]
    fn reserve_allocates() {
        fn reserve(mut sink: impl Sink) {
            sink.reserve(1000).unwrap();
        }
        let mut bytes = Vec::new();
        reserve(&mut bytes);
        assert!(bytes.capacity() >= 1000);
        #[cfg(feature = "bytes")]
        {
            let mut bytes = bytes::BytesMut::new();
            reserve(&mut bytes);
            assert!(bytes.capacity() >= 1000);
        }
    }

    #[test]
    fn count_rewinds() {
        let mut count = Count(0);
        count.put(b"abc");
        count.rewind(2);
        assert_eq!(count.position(), 2);
        count.rewind(5);
        assert_eq!(count.position(), 2);
    }

    /// Tests the fast path of `Vec<u8>` for short text. Every length that the fast path accepts is
    /// tested with and without spare capacity.
    #[test]
    fn padded_text_of_any_length_equals_its_pieces() {
        fn check<const N: usize>(text: &[u8], pad: usize) {
            for capacity in [0, 31, 32, 64] {
                let mut sink = Vec::with_capacity(capacity);
                sink.append_padded([7; N], text, pad).unwrap();
                let expected = [&[7; N], text, &[0; 3][..pad]].concat();
                let len = text.len();
                assert_eq!(sink, expected, "{len} bytes and {pad} into {capacity}");
            }
        }
        let text: Vec<u8> = (1..=40).collect();
        for len in 0..=text.len() {
            for pad in 0..=3 {
                check::<4>(&text[..len], pad);
                check::<8>(&text[..len], pad);
            }
        }
    }
}
