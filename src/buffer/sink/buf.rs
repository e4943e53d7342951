//! Into what the crate `bytes` has.

use super::{Full, PatchSink, Sink, patch};

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
#[derive(Debug, Default)]
pub struct BufSink<B> {
    buf: B,
    written: usize,
}

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

impl PatchSink for bytes::BytesMut {
    fn patch(&mut self, position: usize, bytes: [u8; 4]) {
        patch(self, position, bytes);
    }
}
