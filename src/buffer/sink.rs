//! Where writers append.

#[cfg(feature = "bytes")]
mod buf;
mod inline_bytes;
#[cfg(feature = "alloc")]
mod vec;

#[cfg(feature = "bytes")]
pub use buf::BufSink;
pub(crate) use inline_bytes::Short;

use core::fmt;
use zerocopy::{Immutable, IntoBytes, Unaligned};

/// The sink has no room for what was to be written; nothing of it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Full {
    /// How many more bytes it would have to hold.
    pub missing: u32,
}

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no room left (bytes missing: {})", self.missing)
    }
}

impl core::error::Error for Full {}

impl Full {
    #[cold]
    #[inline(never)]
    pub(crate) fn short_of(wanted: usize, room: usize) -> Self {
        let missing = wanted.saturating_sub(room);
        Self { missing: u32::try_from(missing).unwrap_or(u32::MAX) }
    }
}

/// Where a writer appends: `Vec<u8>`, a fixed slice ([`SliceSink`]), and with the
/// feature `bytes` any `BufMut` (`BufSink`).
///
/// A writer calls [`reserve`](Self::reserve) before the first byte of a value, so
/// that what follows cannot fail half-way.
pub trait Sink {
    /// Whether [`rewind`](Self::rewind) works.
    const REWINDS: bool;

    /// Makes room for `n` more bytes, or says that there is none.
    fn reserve(&mut self, n: usize) -> Result<(), Full>;

    /// Appends `bytes`; room for them was reserved.
    fn put(&mut self, bytes: &[u8]);

    /// Reserves and appends the bytes of `value`.
    #[inline(always)]
    fn append<T: IntoBytes + Immutable>(&mut self, value: T) -> Result<(), Full> {
        self.append_here(value.as_bytes())
    }

    /// Appends `n` zero bytes, at most 3; room for them was reserved.
    #[inline]
    fn pad(&mut self, n: usize) {
        self.put([0; 4].get(..n).unwrap_or_default());
    }

    /// Reserves and appends `head`, `bytes` and `pad` zeros, at most 3: a header, a
    /// length and text, mostly.
    #[inline]
    fn append_padded(&mut self, head: [u8; 8], bytes: &[u8], pad: usize) -> Result<(), Full> {
        self.reserve(bytes.len().saturating_add(pad).saturating_add(head.len()))?;
        self.put(&head);
        self.put(bytes);
        self.pad(pad);
        Ok(())
    }

    /// Runs code that writes much on the sink itself, where this is a reference to one.
    #[doc(hidden)]
    #[inline(always)]
    fn run<J: SinkJob>(&mut self, job: J) -> J::Output
    where
        Self: Sized,
    {
        job.run(self)
    }

    /// [`append`](Self::append) as code of the caller's: for a caller that has all of what is
    /// written in one function, in which the sink's length then stays in a register.
    #[doc(hidden)]
    #[inline(always)]
    fn append_here(&mut self, bytes: &[u8]) -> Result<(), Full> {
        self.reserve(bytes.len())?;
        self.put(bytes);
        Ok(())
    }

    /// The same of [`append_padded`](Self::append_padded).
    #[doc(hidden)]
    #[inline(always)]
    fn append_padded_here(&mut self, head: [u8; 8], bytes: &[u8], pad: usize) -> Result<(), Full> {
        self.append_padded(head, bytes, pad)
    }

    /// Reserves and appends a header and what follows it.
    #[doc(hidden)]
    #[inline(always)]
    fn append_headed<T>(&mut self, header: [u8; 4], payload: T) -> Result<(), Full>
    where
        T: IntoBytes + Immutable + Unaligned,
    {
        self.append(Headed { header, payload })
    }

    /// Appends a length, text, as many NULs as belong to it (one, if any) and a pad; room for
    /// them was reserved.
    #[doc(hidden)]
    #[inline]
    fn put_text(&mut self, len: [u8; 4], text: &[u8], nul: usize, pad: usize) {
        self.put(&len);
        self.put(text);
        self.pad(nul); // not with the pad: a sink may treat that as what does not count
        self.pad(pad);
    }

    /// Reserves and appends the first `len` bytes of four little-endian words.
    #[doc(hidden)]
    #[inline(always)]
    fn append_words(&mut self, words: [u64; 4], len: usize) -> Result<(), Full> {
        let bytes = words.map(u64::to_le_bytes);
        self.append_here(bytes.as_flattened().get(..len).unwrap_or_default())
    }

    /// How many bytes were appended so far (what was there before counts too,
    /// where the sink can tell).
    fn position(&self) -> usize;

    /// Takes back all that was appended after `position`, where the sink can.
    fn rewind(&mut self, position: usize);
}

/// Code that is compiled for each sink, see [`Sink::run`].
#[doc(hidden)]
pub trait SinkJob {
    type Output;
    fn run<S: Sink>(self, sink: &mut S) -> Self::Output;
}

/// A header and what follows it, written in one piece.
#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Headed<T> {
    header: [u8; 4],
    payload: T,
}

/// A sink whose bytes can be changed afterwards: needed for containers whose
/// count is not known when they begin.
pub trait PatchSink: Sink {
    /// Overwrites the 4 bytes at `position` (as [`Sink::position`] counts).
    fn patch(&mut self, position: usize, bytes: [u8; 4]);
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
    fn append_padded(&mut self, head: [u8; 8], bytes: &[u8], pad: usize) -> Result<(), Full> {
        S::append_padded(self, head, bytes, pad)
    }

    #[inline(always)]
    fn run<J: SinkJob>(&mut self, job: J) -> J::Output {
        S::run(self, job)
    }

    #[inline(always)]
    fn append_headed<T>(&mut self, header: [u8; 4], payload: T) -> Result<(), Full>
    where
        T: IntoBytes + Immutable + Unaligned,
    {
        S::append_headed(self, header, payload)
    }

    #[inline(always)]
    fn put_text(&mut self, len: [u8; 4], text: &[u8], nul: usize, pad: usize) {
        S::put_text(self, len, text, nul, pad);
    }

    #[inline(always)]
    fn append_words(&mut self, words: [u64; 4], len: usize) -> Result<(), Full> {
        S::append_words(self, words, len)
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
}

#[inline]
fn patch(bytes: &mut [u8], position: usize, with: [u8; 4]) {
    if let Some(place) = bytes.get_mut(position..).and_then(<[u8]>::first_chunk_mut) {
        *place = with;
    }
}

/// Counts, and keeps nothing.
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

/// A fixed slice, filled from its start; what does not fit is an error.
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
    /// Nothing written yet.
    pub fn new(memory: &'m mut [u8]) -> Self {
        Self { memory, used: 0 }
    }

    /// What was written.
    pub fn written(&self) -> &[u8] {
        self.memory.get(..self.used).unwrap_or_default()
    }

    /// What was written, for as long as the memory lives.
    pub fn into_written(self) -> &'m [u8] {
        let Self { memory, used } = self;
        memory.get(..used).unwrap_or_default()
    }
}

impl Sink for SliceSink<'_> {
    const REWINDS: bool = true;

    #[inline]
    fn reserve(&mut self, n: usize) -> Result<(), Full> {
        let room = self.memory.len().saturating_sub(self.used);
        if n <= room { Ok(()) } else { Err(Full::short_of(n, room)) }
    }

    #[inline]
    #[allow(clippy::disallowed_methods, reason = "the place is as long as the bytes")]
    fn put(&mut self, bytes: &[u8]) {
        let free = self.memory.get_mut(self.used..).unwrap_or_default();
        if let Some(place) = free.get_mut(..bytes.len()) {
            place.copy_from_slice(bytes);
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
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::{Count, Sink};
    use alloc::vec::Vec;

    /// That there is room shows in nothing but what is allocated when.
    #[test]
    fn room_is_made_where_it_is_asked_for() {
        fn ask(mut sink: impl Sink) {
            sink.reserve(1000).unwrap();
        }
        let mut bytes = Vec::new();
        ask(&mut bytes);
        assert!(bytes.capacity() >= 1000);
        #[cfg(feature = "bytes")]
        {
            let mut bytes = bytes::BytesMut::new();
            ask(&mut bytes);
            assert!(bytes.capacity() >= 1000);
        }
    }

    #[test]
    fn a_count_takes_back() {
        let mut count = Count(0);
        count.put(b"abc");
        count.rewind(2);
        assert_eq!(count.position(), 2);
        count.rewind(5);
        assert_eq!(count.position(), 2);
    }

    /// Text of every length that takes a way of its own, with room to spare and without.
    #[test]
    fn short_text_is_put_as_long_text_is() {
        let text: Vec<u8> = (1..=40).collect();
        let with_pads = (0..=text.len()).flat_map(|len| [0, 1, 2, 3].map(|pad| (len, pad)));
        for (len, pad) in with_pads {
            for capacity in [0, 31, 32, 64] {
                let (head, text) = ([7; 8], &text[..len]);
                let mut sink = Vec::with_capacity(capacity);
                sink.append_padded(head, text, pad).unwrap();
                let expected = [&head[..], text, &[0; 3][..pad]].concat();
                assert_eq!(sink, expected, "{len} bytes and {pad} into {capacity}");
            }
        }
    }

    #[test]
    fn text_with_its_length_is_put_as_its_pieces_are() {
        let text: Vec<u8> = (1..=40).collect();
        for len in 0..=text.len() {
            for (nul, pad) in [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 3)] {
                for capacity in [0, 64] {
                    let mut sink = Vec::with_capacity(capacity);
                    sink.put_text([7; 4], &text[..len], nul, pad);
                    let expected = [&[7; 4], &text[..len], &[0; 4][..nul + pad]].concat();
                    assert_eq!(sink, expected, "{len} bytes, {nul} and {pad} into {capacity}");
                }
            }
        }
    }
}
