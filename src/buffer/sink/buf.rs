//! Sinks for the types of the `bytes` crate.

use super::{Full, PatchSink, Sink, move_end_to, patch};

/// A sink for any [`bytes::BufMut`].
///
/// It can only append, so the length of a container must be known in advance. If the caller drops a
/// container before it is finished, the bytes written so far remain in the buffer, and the writer
/// returns errors from then on.
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
    /// Creates a sink that appends to `buf`.
    pub fn new(buf: B) -> Self {
        Self { buf, written: 0 }
    }

    /// Returns the buffer.
    pub fn into_inner(self) -> B {
        self.buf
    }
}

impl<B: bytes::BufMut> Sink for BufSink<B> {
    const REWINDS: bool = false;

    fn reserve(&mut self, n: usize) -> Result<(), Full> {
        let remaining = self.buf.remaining_mut();
        if n <= remaining { Ok(()) } else { Err(Full::short_of(n, remaining)) }
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

/// Unlike `BufSink<BytesMut>`, this implementation also supports rewinding and patching.
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

    fn insert(&mut self, position: usize, bytes: &[u8]) -> Result<(), Full> {
        self.extend_from_slice(bytes);
        move_end_to(self, position, bytes.len());
        Ok(())
    }
}
