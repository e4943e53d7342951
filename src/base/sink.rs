use core::fmt;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use zerocopy::{Immutable, IntoBytes};

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
    fn short_of(wanted: usize, room: usize) -> Self {
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
        let bytes = value.as_bytes();
        self.reserve(bytes.len())?;
        self.put(bytes);
        Ok(())
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

/// A sink that is written to by code of the caller's, see [`Sink::append_here`].
pub(crate) struct Here<'s, S>(pub &'s mut S);

impl<S: Sink> Sink for Here<'_, S> {
    const REWINDS: bool = S::REWINDS;

    #[inline(always)]
    fn reserve(&mut self, n: usize) -> Result<(), Full> {
        self.0.reserve(n)
    }

    #[inline(always)]
    fn put(&mut self, bytes: &[u8]) {
        self.0.put(bytes);
    }

    #[inline(always)]
    fn append<T: IntoBytes + Immutable>(&mut self, value: T) -> Result<(), Full> {
        self.0.append_here(value.as_bytes())
    }

    #[inline(always)]
    fn append_here(&mut self, bytes: &[u8]) -> Result<(), Full> {
        self.0.append_here(bytes)
    }

    #[inline(always)]
    fn run<J: SinkJob>(&mut self, job: J) -> J::Output {
        self.0.run(job)
    }

    #[inline(always)]
    fn pad(&mut self, n: usize) {
        self.0.pad(n);
    }

    #[inline(always)]
    fn append_padded(&mut self, head: [u8; 8], bytes: &[u8], pad: usize) -> Result<(), Full> {
        self.0.append_padded(head, bytes, pad)
    }

    #[inline(always)]
    fn position(&self) -> usize {
        self.0.position()
    }

    fn rewind(&mut self, position: usize) {
        self.0.rewind(position);
    }
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
    fn append_here(&mut self, bytes: &[u8]) -> Result<(), Full> {
        S::append_here(self, bytes)
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

#[cfg(feature = "alloc")]
impl Sink for Vec<u8> {
    const REWINDS: bool = true;

    #[inline(always)]
    fn reserve(&mut self, n: usize) -> Result<(), Full> {
        Vec::reserve(self, n);
        Ok(())
    }

    #[inline(always)]
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }

    #[inline(always)]
    fn append<T: IntoBytes + Immutable>(&mut self, value: T) -> Result<(), Full> {
        append_value(self, value);
        Ok(())
    }

    #[inline(always)]
    fn append_here(&mut self, bytes: &[u8]) -> Result<(), Full> {
        self.extend_from_slice(bytes);
        Ok(())
    }

    /// Four constant bytes and a shorter length: no call for 0 to 3 bytes.
    #[inline(always)]
    fn pad(&mut self, n: usize) {
        let end = self.len().saturating_add(n);
        self.extend_from_slice(&[0; 4]);
        self.truncate(end);
    }

    /// Short text goes through registers and is stored in one piece of constant
    /// size, of which the end is cut off again: three appends of unknown size cost
    /// three calls.
    #[inline(always)]
    fn append_padded(&mut self, head: [u8; 8], bytes: &[u8], pad: usize) -> Result<(), Full> {
        match short_words(bytes) {
            Some([a, b, c]) => {
                let len = bytes.len().wrapping_add(pad).wrapping_add(8);
                append_words(self, u64::from_le_bytes(head), a, b, c, len);
            }
            None => append_long(self, head, bytes, pad),
        }
        Ok(())
    }

    #[inline(always)]
    fn position(&self) -> usize {
        self.len()
    }

    fn rewind(&mut self, position: usize) {
        self.truncate(position);
    }
}

/// How much more fits without a new allocation.
#[cfg(feature = "alloc")]
#[inline(always)]
fn room(sink: &Vec<u8>) -> usize {
    sink.capacity().wrapping_sub(sink.len())
}

/// One function for each size, in which the copy is a few stores: inlined into every write it
/// would be a call of `memcpy` in a function for all sizes. And no more than that: what makes
/// room would take registers, which are saved and restored even where there is room.
#[cfg(feature = "alloc")]
#[inline(never)]
fn append_value<T: IntoBytes + Immutable>(sink: &mut Vec<u8>, value: T) {
    if room(sink) >= size_of::<T>() {
        sink.extend_from_slice(value.as_bytes());
    } else {
        append_slowly(sink, value, size_of::<T>());
    }
}

/// The first `len` bytes of `value`, and room for them.
#[cfg(feature = "alloc")]
#[cold]
#[inline(never)]
fn append_slowly<T: IntoBytes + Immutable>(sink: &mut Vec<u8>, value: T, len: usize) {
    sink.extend_from_slice(value.as_bytes().get(..len).unwrap_or_default());
}

/// Out of line: what is inlined into every write is to stay small.
#[cfg(feature = "alloc")]
#[inline(never)]
fn append_long(sink: &mut Vec<u8>, head: [u8; 8], bytes: &[u8], pad: usize) {
    sink.reserve(bytes.len().saturating_add(12));
    sink.extend_from_slice(&head);
    sink.extend_from_slice(bytes);
    sink.pad(pad);
}

/// The first `len` bytes of four words. (As arguments they stay in registers.)
#[cfg(feature = "alloc")]
#[inline(never)]
fn append_words(sink: &mut Vec<u8>, a: u64, b: u64, c: u64, d: u64, len: usize) {
    let end = sink.len().wrapping_add(len);
    let words = [a, b, c, d].map(u64::to_le_bytes);
    if room(sink) >= size_of_val(&words) {
        sink.extend_from_slice(words.as_flattened());
        sink.truncate(end);
    } else {
        append_slowly(sink, words, len);
    }
}

/// At most 24 bytes as little-endian words, with zeros behind.
#[inline(always)]
pub(crate) fn short_words(bytes: &[u8]) -> Option<[u64; 3]> {
    let len = bytes.len();
    // The last word holds bytes of the one before it, too: out they go.
    let tail = |last: &[u8; 8]| {
        let known = (len.wrapping_neg() & 7).wrapping_mul(8) as u32;
        u64::from_le_bytes(*last).wrapping_shr(known)
    };
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => {
            let first = u64::from_le_bytes(*first);
            match len {
                8 => Some([first, 0, 0]),
                9..=16 => Some([first, tail(last), 0]),
                17..=24 => {
                    let second = bytes.get(8..16)?.first_chunk()?;
                    Some([first, u64::from_le_bytes(*second), tail(last)])
                }
                _ => None,
            }
        }
        _ => Some([half_words(bytes), 0, 0]),
    }
}

/// Less than 8 bytes as a little-endian word, with zeros behind.
#[inline(always)]
fn half_words(bytes: &[u8]) -> u64 {
    match (bytes, bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (_, Some(first), Some(last)) => {
            let twice = (8_usize.wrapping_sub(bytes.len())).wrapping_mul(8) as u32;
            let last = u64::from(u32::from_le_bytes(*last)).wrapping_shl(32).wrapping_shr(twice);
            u64::from(u32::from_le_bytes(*first)) | last
        }
        (&[a, b, c], ..) => u64::from_le_bytes([a, b, c, 0, 0, 0, 0, 0]),
        (&[a, b], ..) => u64::from_le_bytes([a, b, 0, 0, 0, 0, 0, 0]),
        (&[a], ..) => u64::from(a),
        _ => 0,
    }
}

#[cfg(feature = "alloc")]
impl PatchSink for Vec<u8> {
    fn patch(&mut self, position: usize, bytes: [u8; 4]) {
        patch(self, position, bytes);
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

/// Any [`bytes::BufMut`]. It can only append: a container needs its count up
/// front, and one that is given up half-way stays behind half-written (the writer
/// then refuses to go on).
///
/// ```
/// use bytes::BytesMut;
/// use gamewire::BufSink;
/// use gamewire::godot::{Dialect, Writer};
///
/// let mut writer = Writer::new(BufSink::new(BytesMut::new()), Dialect::Godot4);
/// writer.put("hello")?;
/// assert_eq!(writer.into_sink().into_inner().len(), 16);
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[cfg(feature = "bytes")]
#[derive(Debug, Default)]
pub struct BufSink<B> {
    buf: B,
    written: usize,
}

#[cfg(feature = "bytes")]
impl<B: bytes::BufMut> BufSink<B> {
    /// Appends to what `buf` holds already.
    pub fn new(buf: B) -> Self {
        Self { buf, written: 0 }
    }

    /// The buffer back.
    pub fn into_inner(self) -> B {
        self.buf
    }
}

#[cfg(feature = "bytes")]
impl<B: bytes::BufMut> Sink for BufSink<B> {
    const REWINDS: bool = false;

    fn reserve(&mut self, n: usize) -> Result<(), Full> {
        let room = self.buf.remaining_mut();
        if n <= room { Ok(()) } else { Err(Full::short_of(n, room)) }
    }

    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.buf.put_slice(bytes);
        self.written = self.written.saturating_add(bytes.len());
    }

    fn position(&self) -> usize {
        self.written
    }

    fn rewind(&mut self, _position: usize) {}
}

/// Unlike `BufSink<BytesMut>` this one takes back and patches, too.
#[cfg(feature = "bytes")]
impl Sink for bytes::BytesMut {
    const REWINDS: bool = true;

    fn reserve(&mut self, n: usize) -> Result<(), Full> {
        bytes::BytesMut::reserve(self, n);
        Ok(())
    }

    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }

    fn position(&self) -> usize {
        self.len()
    }

    fn rewind(&mut self, position: usize) {
        self.truncate(position);
    }
}

#[cfg(feature = "bytes")]
impl PatchSink for bytes::BytesMut {
    fn patch(&mut self, position: usize, bytes: [u8; 4]) {
        patch(self, position, bytes);
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::Sink;
    use alloc::vec::Vec;

    /// Text of every length that takes a way of its own, with room to spare and without.
    #[test]
    fn short_text_is_put_as_long_text_is() {
        let text: Vec<u8> = (1..=40).collect();
        for len in 0..=text.len() {
            for capacity in [0, 31, 32, 64] {
                let (head, text, pad) = ([7; 8], &text[..len], len.wrapping_neg() & 3);
                let mut sink = Vec::with_capacity(capacity);
                sink.append_padded(head, text, pad).unwrap();
                let expected = [&head[..], text, &[0; 3][..pad]].concat();
                assert_eq!(sink, expected, "{len} bytes into {capacity}");
            }
        }
    }
}
