//! Values with a length prefix, as written by `FileAccess.store_var`, `StreamPeer.put_var`,
//! `PacketPeerStream` and the debugger.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 4 | n, little-endian |
//! | 4 | n | one value |
//!
//! If the property `big_endian` of a file or stream is set, the length is big-endian. The value is
//! still little-endian.
#![cfg_attr(
    feature = "alloc",
    doc = "\n[`Frames`] iterates over a complete stream, [`Framer`] over one that arrives in pieces."
)]

#[cfg(feature = "tokio-codec")]
mod codec;
#[cfg(feature = "alloc")]
mod framer;

#[cfg(feature = "tokio-codec")]
pub use codec::FrameCodec;
#[cfg(feature = "alloc")]
pub use framer::Framer;

use crate::buffer::Cursor;
use crate::godot::{Error, ErrorKind, Result};
use core::iter::FusedIterator;

/// Byte order and maximum length of frames.
///
/// ```
/// use gamewire::godot::frame::{Frames, Framing};
///
/// let stream = [0, 0, 0, 4, 0, 0, 0, 0]; // the length big-endian
/// let swapped = Framing { big_endian: true, ..Framing::default() };
/// assert_eq!(Frames::with(&stream, swapped).next().unwrap()?.bytes, [0; 4]);
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Framing {
    /// `true` if lengths are big-endian.
    pub big_endian: bool,
    /// The maximum number of bytes in a frame. The default is 8 MiB, as in the debugger and in the
    /// buffer of a `PacketPeer`. A `PacketPeerStream` accepts 65,532 bytes by default.
    pub max_len: u32,
}

impl Default for Framing {
    fn default() -> Self {
        Self { big_endian: false, max_len: 8 << 20 }
    }
}

impl Framing {
    /// Size of the length prefix in bytes.
    pub(crate) const PREFIX: usize = 4;

    /// Returns the prefix of a frame of `len` bytes.
    ///
    /// # Errors
    /// Returns [`ErrorKind::FrameTooLong`] at offset 0 if `len` exceeds [`max_len`](Self::max_len).
    pub fn prefix(&self, len: usize) -> Result<[u8; 4]> {
        let wanted = u32::try_from(len).unwrap_or(u32::MAX);
        if wanted > self.max_len || wanted as usize != len {
            return Err(Error::new(ErrorKind::FrameTooLong { len: wanted }, 0));
        }
        Ok(if self.big_endian { wanted.to_be_bytes() } else { wanted.to_le_bytes() })
    }

    /// Decodes the length in a prefix. `offset` is the prefix's offset in the stream and becomes
    /// the offset of an error.
    fn len(&self, prefix: [u8; 4], offset: u64) -> Result<u32> {
        let len = match self.big_endian {
            true => u32::from_be_bytes(prefix),
            false => u32::from_le_bytes(prefix),
        };
        match len <= self.max_len {
            true => Ok(len),
            false => Err(Error::new(ErrorKind::FrameTooLong { len }, offset)),
        }
    }

    /// Returns the first frame of `bytes`. `offset` is the offset of `bytes` in the stream.
    fn first<'a>(&self, bytes: &'a [u8], offset: u64) -> Result<Frame<'a>> {
        let mut cursor = Cursor::new(bytes);
        let shifted = |error: Error| error.shifted(offset);
        let prefix = *cursor.read::<[u8; 4]>().map_err(|end| shifted(end.into()))?;
        let len = self.len(prefix, offset)?;
        let start = offset.saturating_add(cursor.pos() as u64);
        let bytes = cursor.slice(len).map_err(|end| shifted(end.into()))?;
        Ok(Frame { bytes, offset: start })
    }
}

/// One frame of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// The content: one value.
    pub bytes: &'a [u8],
    /// The offset of the content in the stream. The length prefix precedes it.
    pub offset: u64,
}

/// Iterator over the frames of a stream. It ends after an error.
///
/// ```
/// use gamewire::godot::frame::Frames;
///
/// let stream = [4, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 2, 0]; // nil, and a truncated int
/// let mut frames = Frames::new(&stream);
/// assert_eq!(frames.next().unwrap()?.bytes, [0; 4]);
/// assert_eq!(frames.next().unwrap().unwrap_err().missing(), Some(6));
/// assert!(frames.next().is_none());
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Frames<'a> {
    cursor: Cursor<'a>,
    framing: Framing,
    failed: bool,
}

impl<'a> Frames<'a> {
    /// Iterates over the frames of `stream`. Their length is not limited, since they are not
    /// copied.
    pub fn new(stream: &'a [u8]) -> Self {
        Self::with(stream, Framing { max_len: u32::MAX, ..Framing::default() })
    }

    /// Iterates over the frames of `stream` with the given framing.
    pub fn with(stream: &'a [u8], framing: Framing) -> Self {
        Self { cursor: Cursor::new(stream), framing, failed: false }
    }

    /// Returns the offset of the length prefix of the next frame. After an error, returns the
    /// offset of the malformed frame.
    pub fn offset(&self) -> u64 {
        self.cursor.pos() as u64
    }
}

impl<'a> Iterator for Frames<'a> {
    type Item = core::result::Result<Frame<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed || self.cursor.is_empty() {
            return None;
        }
        let frame = self.framing.first(self.cursor.rest(), self.offset());
        match &frame {
            Ok(frame) => self.cursor.skip(Framing::PREFIX.saturating_add(frame.bytes.len())),
            Err(_) => self.failed = true,
        }
        Some(frame)
    }
}

impl FusedIterator for Frames<'_> {}
