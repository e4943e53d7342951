use super::{Frame, Framing};
use crate::godot::{Error, ErrorKind};
use alloc::vec::Vec;

/// Splits a stream that arrives in pieces, for example from a socket, into frames.
///
/// A frame that lies completely in a piece is borrowed from that piece. A split frame is assembled
/// in a buffer. The buffer holds at most one frame with its length prefix, so at most
/// [`max_len`](Framing::max_len) plus 4 bytes. It never holds more bytes than have arrived. The
/// boundaries of pieces affect neither frames nor errors.
///
/// ```
/// use gamewire::godot::frame::{Framer, Framing};
///
/// let mut framer = Framer::new(Framing::default());
/// let mut found = Vec::new();
/// for mut piece in [&b"\x03\0\0\0abc\x02"[..], b"\0\0\0d", b"e"] {
///     while let Some(frame) = framer.next(&mut piece)? {
///         found.push((frame.offset, frame.bytes.to_vec()));
///     }
/// }
/// assert_eq!(found, [(4, b"abc".to_vec()), (11, b"de".to_vec())]);
/// framer.finish()?;
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Framer {
    framing: Framing,
    /// A split frame, with its length prefix.
    buffer: Vec<u8>,
    /// `true` if the buffered frame was returned.
    returned: bool,
    /// Offset of the buffered frame in the stream, or of the next frame if none is buffered.
    offset: u64,
    failed: Option<Error>,
}

impl Framer {
    /// Creates a framer at the start of a stream.
    pub fn new(framing: Framing) -> Self {
        Self { framing, ..Self::default() }
    }

    /// Consumes `piece` up to the end of the next frame and returns the frame. Returns `None` if
    /// all of `piece` was consumed without completing a frame.
    ///
    /// # Errors
    /// Returns [`ErrorKind::FrameTooLong`] if a frame is too long. Every later call returns the
    /// same error, because the start of the next frame is unknown.
    pub fn next<'f, 'p: 'f>(
        &'f mut self,
        piece: &mut &'p [u8],
    ) -> Result<Option<Frame<'f>>, Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if self.returned {
            self.advance(self.buffer.len());
            self.buffer.clear();
            self.returned = false;
        }
        if self.buffer.is_empty()
            && let Ok(frame) = self.framing.first(piece, self.offset)
        {
            let len = frame.bytes.len().saturating_add(Framing::PREFIX);
            self.advance(len);
            *piece = piece.get(len..).unwrap_or_default();
            return Ok(Some(frame));
        }
        self.fill(piece, Framing::PREFIX);
        let Some(prefix) = self.buffer.first_chunk() else { return Ok(None) };
        let len = match self.framing.len(*prefix, self.offset) {
            Ok(len) => len,
            Err(error) => {
                self.failed = Some(error);
                return Err(error);
            }
        };
        let end = Framing::PREFIX.saturating_add(len as usize);
        self.fill(piece, end);
        if self.buffer.len() < end {
            return Ok(None);
        }
        self.returned = true;
        let bytes = self.buffer.get(Framing::PREFIX..).unwrap_or_default();
        Ok(Some(Frame { bytes, offset: self.start() }))
    }

    /// Returns the number of allocated bytes. It is at most twice the size of the longest frame
    /// that was split between pieces.
    pub fn memory(&self) -> usize {
        self.buffer.capacity()
    }

    /// Returns the offset of the length prefix of the incomplete frame, or of the next frame if
    /// none is incomplete.
    pub fn offset(&self) -> u64 {
        match self.returned {
            true => self.offset.saturating_add(self.buffer.len() as u64),
            false => self.offset,
        }
    }

    /// Returns the number of bytes that the incomplete frame still needs. If its length prefix is
    /// incomplete, these are the missing bytes of the prefix, otherwise those of the content.
    /// Returns 0 between frames.
    pub fn missing(&self) -> u32 {
        if self.returned || self.buffer.is_empty() {
            return 0;
        }
        // On 32-bit machines, the end of a frame may not fit in a `usize`.
        let prefix = Framing::PREFIX as u64;
        let end = match self.buffer.first_chunk() {
            Some(bytes) => match self.framing.len(*bytes, self.offset) {
                Ok(len) => prefix.saturating_add(len.into()),
                Err(_) => 0,
            },
            None => prefix,
        };
        u32::try_from(end.saturating_sub(self.buffer.len() as u64)).unwrap_or(u32::MAX)
    }

    /// Returns the bytes that have arrived of the incomplete frame, with its length prefix. After
    /// an error, returns the length prefix that caused it.
    pub fn incomplete(&self) -> &[u8] {
        if self.returned { &[] } else { &self.buffer }
    }

    /// If the last call to [`next`](Self::next) returned a frame that was split between pieces,
    /// returns this frame with its length prefix. Otherwise returns
    /// [`incomplete`](Self::incomplete).
    #[cfg(feature = "traffic")]
    pub(crate) fn split_frame(&self) -> &[u8] {
        &self.buffer
    }

    /// Restores a framer from the [offset](Self::offset) and the
    /// [incomplete frame](Self::incomplete) of an earlier one. Returns `None` if the bytes are not
    /// the start of a frame.
    #[cfg(all(feature = "serde", feature = "traffic"))]
    pub(crate) fn restore(framing: Framing, offset: u64, incomplete: Vec<u8>) -> Option<Self> {
        let framer = Self { framing, buffer: incomplete, offset, ..Self::default() };
        (framer.buffer.is_empty() || framer.missing() > 0).then_some(framer)
    }

    /// Returns the byte order and maximum length of frames.
    #[cfg(all(feature = "serde", feature = "traffic"))]
    pub(crate) fn framing(&self) -> Framing {
        self.framing
    }

    /// Checks that the stream does not end inside a frame.
    ///
    /// # Errors
    /// Returns [`ErrorKind::UnexpectedEnd`] if the stream ends inside a frame, or the error that
    /// [`next`](Self::next) has returned.
    pub fn finish(&self) -> Result<(), Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        match self.missing() {
            0 => Ok(()),
            missing => {
                let prefixed = self.buffer.len() >= Framing::PREFIX;
                let offset = if prefixed { self.start() } else { self.offset };
                Err(Error::new(ErrorKind::UnexpectedEnd { missing }, offset))
            }
        }
    }

    /// Moves bytes from `piece` to the buffer until the buffer has `len` bytes or `piece` is empty.
    fn fill(&mut self, piece: &mut &[u8], len: usize) {
        let count = len.saturating_sub(self.buffer.len()).min(piece.len());
        let (taken, rest) = piece.split_at_checked(count).unwrap_or_default();
        self.buffer.extend_from_slice(taken);
        *piece = rest;
    }

    /// Returns the offset of the buffered frame's content in the stream.
    fn start(&self) -> u64 {
        self.offset.saturating_add(Framing::PREFIX as u64)
    }

    fn advance(&mut self, len: usize) {
        self.offset = self.offset.saturating_add(len as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Splits frames of 0, 1 and 3 bytes into pieces of every size.
    #[test]
    fn piece_sizes_do_not_affect_frames() {
        let stream = b"\0\0\0\0\x01\0\0\0a\x03\0\0\0bcd\x05\0\0\0e";
        for size in 1..=stream.len() {
            let mut framer = Framer::new(Framing::default());
            let mut found = Vec::new();
            for mut piece in stream.chunks(size) {
                let whole = piece.as_ptr_range();
                while let Some(frame) = framer.next(&mut piece).unwrap() {
                    let borrowed = whole.contains(&frame.bytes.as_ptr());
                    assert!(!borrowed || size > 4);
                    found.push((frame.offset, frame.bytes.to_vec()));
                }
                assert!(piece.is_empty());
            }
            assert_eq!(found, [(4, b"".to_vec()), (8, b"a".to_vec()), (13, b"bcd".to_vec())]);
            assert_eq!((framer.missing(), framer.offset()), (4, 16));
            assert_eq!(framer.incomplete(), b"\x05\0\0\0e");
            let error = framer.finish().unwrap_err();
            assert_eq!((error.missing(), error.offset()), (Some(4), 20));
        }
    }

    #[test]
    fn missing_counts_the_bytes_of_an_incomplete_frame() {
        let mut framer = Framer::new(Framing { big_endian: true, ..Framing::default() });
        for (mut piece, missing, offset) in
            [(&b""[..], 0, 0), (b"\0", 3, 0), (b"\0\0", 1, 0), (b"\x02", 2, 0), (b"a", 1, 0)]
        {
            assert_eq!(framer.next(&mut piece), Ok(None));
            assert_eq!((framer.missing(), framer.offset()), (missing, offset));
            assert_eq!(framer.finish().is_ok(), missing == 0);
        }
        assert_eq!(framer.next(&mut &b"b"[..]).unwrap().unwrap().bytes, b"ab");
        assert_eq!((framer.missing(), framer.offset()), (0, 6));
        framer.finish().unwrap();
    }

    /// A frame that is too long ends the stream before any of its bytes are stored.
    #[test]
    fn too_long_frame_is_rejected_at_its_prefix() {
        let framing = Framing { max_len: 2, ..Framing::default() };
        for size in 1..=7 {
            let mut framer = Framer::new(framing);
            let mut failed = None;
            for mut piece in b"\x02\0\0\0ab\x03\0\0\0abc".chunks(size) {
                while failed.is_none()
                    && match framer.next(&mut piece) {
                        Ok(frame) => frame.is_some(),
                        Err(error) => {
                            failed = Some(error);
                            false
                        }
                    }
                {}
            }
            let error = Error::new(ErrorKind::FrameTooLong { len: 3 }, 6);
            assert_eq!((failed, framer.finish()), (Some(error), Err(error)));
            assert_eq!(framer.next(&mut &b"\0\0\0\0"[..]), Err(error));
            assert!(framer.buffer.len() <= 6);
        }
    }
}
