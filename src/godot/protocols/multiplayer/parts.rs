//! Parts of packets that both engines share: nodes, text, and values that are written whole.

use super::{Fault, Message, ToVariants};
use crate::buffer::{Count, Cursor, Sink};
use crate::godot::compact::CompactWriter;
use crate::godot::{Error, ErrorKind, Result, StrRef};

/// The node that a packet refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeRef<'a> {
    /// A node that is identified by the number that the sender has assigned to its path with a
    /// SIMPLIFY_PATH packet.
    Cached(u32),
    /// A node that is identified by its path from the multiplayer root. The engines read the path
    /// up to the first NUL.
    Path(StrRef<'a>),
}

/// Bit 31 of the id of a node. If it is set, the other bits have a different meaning: in a call,
/// they are the offset of the node's path in the packet; in a record of replication, they are the
/// number that was assigned to a path.
pub(super) const HIGH_BIT: u32 = 1 << 31;

/// The packet being read, and its offset in the input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input<'a> {
    pub bytes: &'a [u8],
    pub origin: u64,
}

impl<'a> Input<'a> {
    /// Returns a cursor after the first byte, if the packet has at least `least` bytes.
    pub(super) fn at_least(&self, least: u8, message: Message) -> Result<Cursor<'a>> {
        if self.bytes.len() < usize::from(least) {
            return Err(self.fail(Fault::TooShort { message, least }, self.bytes.len()));
        }
        Ok(Cursor::new_at(self.bytes, 1))
    }

    /// Checks that the packet has at most `most` bytes.
    pub(super) fn at_most(&self, most: usize, message: Message) -> Result<()> {
        if self.bytes.len() <= most {
            return Ok(());
        }
        Err(self.fail(Fault::TooLong(message), most))
    }

    #[cold]
    pub(super) fn fail(&self, fault: Fault, pos: usize) -> Error {
        Error::new(fault.into(), pos as u64)
    }

    pub(super) fn offset(&self, pos: usize) -> u64 {
        self.origin.saturating_add(pos as u64)
    }

    /// Returns the node with this id. If the id contains the offset of the node's path in the
    /// packet, also returns this offset, which is where the arguments end. `pos` is the offset of
    /// the id and becomes the offset of an error.
    pub(super) fn node(&self, id: u32, pos: usize) -> Result<(NodeRef<'a>, Option<usize>)> {
        if id & HIGH_BIT == 0 {
            return Ok((NodeRef::Cached(id), None));
        }
        let at = id & !HIGH_BIT;
        match self.bytes.get(at as usize..) {
            None | Some([]) => Err(self.fail(Fault::PathOutside { at }, pos)),
            Some(path) => Ok((NodeRef::Path(text(path)), Some(at as usize))),
        }
    }
}

/// Returns the text that the engine reads: all bytes up to the first NUL, or to the end.
pub(super) fn text(bytes: &[u8]) -> StrRef<'_> {
    let end = memchr::memchr(0, bytes).unwrap_or(bytes.len());
    StrRef::new(bytes.get(..end).unwrap_or_default())
}

/// A packet or a part of one, which is appended completely or not at all.
pub(super) trait Piece {
    fn write<S: Sink>(&self, out: &mut CompactWriter<S>) -> Result<()>;

    /// Returns the encoded size in bytes.
    fn len<S: Sink>(&self, out: &CompactWriter<S>) -> Result<usize> {
        let mut count = CompactWriter::new(Count(0), out.target());
        self.write(&mut count)?;
        Ok(count.sink().position())
    }
}

/// Values alone, without a preceding count or size.
pub(super) struct Values<'v, A>(pub &'v A);

impl<A: ToVariants> Piece for Values<'_, A> {
    fn write<S: Sink>(&self, out: &mut CompactWriter<S>) -> Result<()> {
        self.0.put_all(out)
    }
}

/// Appends a piece completely, or leaves the sink unchanged if an error occurs.
pub(super) fn put_whole<S: Sink>(out: &mut CompactWriter<S>, piece: &impl Piece) -> Result<()> {
    let start = out.sink().position();
    if !S::REWINDS {
        // The sink cannot be rewound, so a dry run into a counting sink comes first.
        let len = piece.len(out)?;
        let reserved = out.sink_mut().reserve(len);
        reserved.map_err(|full| Error::new(full.into(), start as u64))?;
    }
    let written = piece.write(out);
    if written.is_err() {
        out.sink_mut().rewind(start);
    }
    written
}

/// Writes text and a terminating NUL. Text after an inner NUL is dropped, since no engine would
/// read it.
pub(super) fn put_text<S: Sink>(out: &mut CompactWriter<S>, path: StrRef<'_>) -> Result<()> {
    out.put_bytes(text(path.as_bytes()).as_bytes())?;
    out.put_bytes(&[0])
}

/// Returns the number of bytes that [`put_text`] writes for `path`.
pub(super) fn text_len(path: StrRef<'_>) -> usize {
    text(path.as_bytes()).as_bytes().len().saturating_add(1)
}

/// Converts a length or an offset to a `u32`. Returns an error if it does not fit in 31 bits.
pub(super) fn length<S: Sink>(out: &CompactWriter<S>, len: usize) -> Result<u32> {
    match i32::try_from(len) {
        Ok(len) => Ok(len.unsigned_abs()),
        Err(_) => Err(fail(out, ErrorKind::TooLong)),
    }
}

/// Returns the id, or an error if its bit 31 is set.
pub(super) fn id<S: Sink>(out: &CompactWriter<S>, id: u32) -> Result<u32> {
    if id & HIGH_BIT == 0 { Ok(id) } else { Err(fail(out, Fault::NoId(id))) }
}

#[cold]
pub(super) fn fail<S: Sink>(out: &CompactWriter<S>, kind: impl Into<ErrorKind>) -> Error {
    Error::new(kind.into(), out.sink().position() as u64)
}
