//! Values behind a length: what `FileAccess.store_var`, `StreamPeer.put_var`,
//! `PacketPeerStream` and the debugger write.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 4 | n, little-endian |
//! | 4 | n | one value |

use super::wire::U32;
use super::{Error, Result};
use crate::base::Cursor;
use core::iter::FusedIterator;

/// One frame of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// What the length says is one value.
    pub bytes: &'a [u8],
    /// Where it starts (behind the length), from the start of the stream.
    pub offset: u64,
}

/// Iterator over the frames of a stream; ends after an error.
///
/// ```
/// use gamewire::godot::frame::Frames;
///
/// let stream = [4, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 2, 0]; // nil, and an int cut off
/// let mut frames = Frames::new(&stream);
/// assert_eq!(frames.next().unwrap()?.bytes, [0; 4]);
/// assert_eq!(frames.next().unwrap().unwrap_err().missing(), Some(6));
/// assert!(frames.next().is_none());
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Frames<'a> {
    at: Cursor<'a>,
    failed: bool,
}

impl<'a> Frames<'a> {
    /// The frames of `stream`.
    pub fn new(stream: &'a [u8]) -> Self {
        Self { at: Cursor::new(stream), failed: false }
    }

    /// Where the next frame's length stands; after an error, that of the frame that is
    /// cut off.
    pub fn offset(&self) -> u64 {
        self.at.pos() as u64
    }

    fn frame(&mut self) -> Result<Frame<'a>> {
        let mut at = self.at;
        let len = at.read::<U32>()?.get();
        let offset = at.pos() as u64;
        let bytes = at.slice(len)?;
        self.at = at;
        Ok(Frame { bytes, offset })
    }
}

impl<'a> Iterator for Frames<'a> {
    type Item = core::result::Result<Frame<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed || self.at.is_empty() {
            return None;
        }
        let frame = self.frame();
        self.failed = frame.is_err();
        Some(frame)
    }
}

impl FusedIterator for Frames<'_> {}
