use core::fmt;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
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
        let bytes = bytes.as_flattened().get(..len).unwrap_or_default();
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

    /// Where it takes two registers; of one word and of many bytes `append` makes as much.
    #[inline(always)]
    fn append_headed<T>(&mut self, header: [u8; 4], payload: T) -> Result<(), Full>
    where
        T: IntoBytes + Immutable + Unaligned,
    {
        match Short::headed(header, &payload) {
            Some(short) if (9..=16).contains(&short.len) => {
                self.append_words(short.words(), short.len)
            }
            _ => Sink::append(self, Headed { header, payload }),
        }
    }

    #[inline(always)]
    fn put_text(&mut self, len: [u8; 4], text: &[u8], nul: usize, pad: usize) {
        let zeros = nul.wrapping_add(pad);
        let head = Short { low: u32::from_le_bytes(len).into(), high: 0, len: 4 };
        match Short::text(text, zeros).and_then(|text| text.behind(head)) {
            Some(short) => {
                let [a, b, c, d] = short.words();
                append_words(self, a, b, c, d, short.len);
            }
            None => put_long(self, len, text, zeros),
        }
    }

    #[inline(always)]
    fn append_words(&mut self, [a, b, c, d]: [u64; 4], len: usize) -> Result<(), Full> {
        append_words(self, a, b, c, d, len);
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

#[cfg(feature = "alloc")]
#[inline(never)]
fn put_long(sink: &mut Vec<u8>, len: [u8; 4], text: &[u8], zeros: usize) {
    sink.put(&len);
    sink.put(text);
    sink.pad(zeros);
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
    let words = [a, b, c, d].map(u64::to_le_bytes);
    if len <= size_of_val(&words) && room(sink) >= size_of_val(&words) {
        let start = sink.len();
        sink.extend_from_slice(words.as_flattened());
        sink.truncate(start.wrapping_add(len));
    } else {
        append_slowly(sink, words, len);
    }
}

/// At most 24 bytes as little-endian words, with zeros behind.
#[inline(always)]
fn short_words(bytes: &[u8]) -> Option<[u64; 3]> {
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

/// At most 32 bytes as a little-endian number, which stays in registers.
#[derive(Clone, Copy, Default)]
pub(crate) struct Short {
    low: u128,
    high: u128,
    len: usize,
}

impl Short {
    /// A header and what follows it, at most 16 bytes.
    #[inline(always)]
    fn headed<T: IntoBytes + Immutable>(header: [u8; 4], payload: &T) -> Option<Self> {
        let mut bytes = [0; 16];
        bytes.get_mut(..size_of::<T>())?.copy_from_slice(payload.as_bytes());
        let payload = u128::from_le_bytes(bytes);
        let low = u128::from(u32::from_le_bytes(header)) | payload.wrapping_shl(32);
        let high = payload.wrapping_shr(96);
        Some(Self { low, high, len: size_of::<T>().wrapping_add(4) })
    }

    /// Text of at most 24 bytes, and zeros behind it.
    #[inline(always)]
    fn text(text: &[u8], zeros: usize) -> Option<Self> {
        let [a, b, c] = short_words(text)?.map(u128::from);
        let low = a | b.wrapping_shl(64);
        Some(Self { low, high: c, len: text.len().wrapping_add(zeros) })
    }

    /// The same behind a header and a length.
    #[inline(always)]
    fn padded(head: [u8; 8], text: &[u8], pad: usize) -> Option<Self> {
        let head = Self { low: u64::from_le_bytes(head).into(), high: 0, len: 8 };
        Self::text(text, pad)?.behind(head)
    }

    /// This one behind `key`, if both together are short. Of a constant key, all that is
    /// computed here is a shift or two.
    #[inline(always)]
    fn behind(self, key: Self) -> Option<Self> {
        let len = key.len.checked_add(self.len).filter(|len| *len <= 32)?;
        let by = (key.len as u32).wrapping_mul(8);
        let low = self.low.checked_shl(by).unwrap_or_default();
        let high = match by.checked_sub(128) {
            Some(by) => self.low.wrapping_shl(by),
            None => {
                let over = self.low.checked_shr(128_u32.wrapping_sub(by)).unwrap_or_default();
                self.high.wrapping_shl(by) | over
            }
        };
        Some(Self { low: key.low | low, high: key.high | high, len })
    }

    #[inline(always)]
    const fn words(self) -> [u64; 4] {
        let Self { low, high, .. } = self;
        [low as u64, (low >> 64) as u64, high as u64, (high >> 64) as u64]
    }
}

/// Takes the one append with which a key is written; nothing if that is a long one, or if it
/// comes piece by piece.
#[derive(Default)]
pub(crate) struct Key(pub Option<Short>);

impl Sink for Key {
    const REWINDS: bool = true;

    fn reserve(&mut self, _: usize) -> Result<(), Full> {
        self.0 = None;
        Ok(())
    }

    fn put(&mut self, _: &[u8]) {}

    #[inline(always)]
    fn append_headed<T>(&mut self, header: [u8; 4], payload: T) -> Result<(), Full>
    where
        T: IntoBytes + Immutable + Unaligned,
    {
        self.0 = Short::headed(header, &payload);
        Ok(())
    }

    #[inline(always)]
    fn append_padded(&mut self, head: [u8; 8], bytes: &[u8], pad: usize) -> Result<(), Full> {
        self.0 = Short::padded(head, bytes, pad);
        Ok(())
    }

    fn position(&self) -> usize {
        0
    }

    fn rewind(&mut self, _: usize) {}
}

/// Puts a key in front of the value that follows, which comes in one append: a single one for
/// both where they are short. Both are appended, or nothing.
pub(crate) struct Behind<'s, S> {
    pub key: Short,
    pub sink: &'s mut S,
}

impl<S: Sink> Behind<'_, S> {
    #[inline(always)]
    fn short(&mut self, value: Option<Short>) -> Option<Result<(), Full>> {
        let both = value?.behind(self.key)?;
        Some(self.sink.append_words(both.words(), both.len))
    }
}

/// A key that is known, with room for `n` bytes behind it.
#[inline(always)]
fn append_key<S: Sink>(sink: &mut S, key: [u64; 4], len: usize, n: usize) -> Result<(), Full> {
    sink.reserve(len.saturating_add(n))?;
    sink.append_words(key, len)
}

/// Not with the sink that has the key: it would have to lie in memory.
#[inline(never)]
fn append_number_behind<S: Sink, T>(
    sink: &mut S,
    key: [u64; 4],
    len: usize,
    header: [u8; 4],
    payload: T,
) -> Result<(), Full>
where
    T: IntoBytes + Immutable + Unaligned,
{
    append_key(sink, key, len, size_of::<T>().saturating_add(4))?;
    sink.append_headed(header, payload)
}

#[inline(never)]
fn append_text_behind<S: Sink>(
    sink: &mut S,
    key: [u64; 4],
    len: usize,
    head: [u8; 8],
    bytes: &[u8],
    pad: usize,
) -> Result<(), Full> {
    append_key(sink, key, len, bytes.len().saturating_add(pad).saturating_add(8))?;
    sink.append_padded(head, bytes, pad)
}

impl<S: Sink> Sink for Behind<'_, S> {
    const REWINDS: bool = S::REWINDS;

    /// No value of one append asks for this.
    fn reserve(&mut self, n: usize) -> Result<(), Full> {
        Err(Full::short_of(n, 0))
    }

    fn put(&mut self, _: &[u8]) {}

    #[inline(always)]
    fn append_headed<T>(&mut self, header: [u8; 4], payload: T) -> Result<(), Full>
    where
        T: IntoBytes + Immutable + Unaligned,
    {
        match self.short(Short::headed(header, &payload)) {
            Some(appended) => appended,
            None => {
                append_number_behind(self.sink, self.key.words(), self.key.len, header, payload)
            }
        }
    }

    #[inline(always)]
    fn append_padded(&mut self, head: [u8; 8], bytes: &[u8], pad: usize) -> Result<(), Full> {
        match self.short(Short::padded(head, bytes, pad)) {
            Some(appended) => appended,
            None => append_text_behind(self.sink, self.key.words(), self.key.len, head, bytes, pad),
        }
    }

    #[inline(always)]
    fn position(&self) -> usize {
        self.sink.position()
    }

    fn rewind(&mut self, position: usize) {
        self.sink.rewind(position);
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
