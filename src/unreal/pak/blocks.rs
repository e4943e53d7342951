//! The blocks in which the data of a file are stored. Each can be decompressed on its own.

use super::format::{Format, aligned};
use crate::unreal::compression::{Codec, Method};
use crate::unreal::format::{Error, ErrorKind, Result};

/// A block of data of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Block {
    /// Number of bytes from the start of the pak.
    pub offset: u64,
    /// Size in the pak, in bytes. An encrypted block is followed by padding up to a multiple of 16.
    pub stored_size: u64,
    /// Size after decompression, in bytes.
    pub size: u64,
}

impl Block {
    /// Creates the error for data whose size is not that of the block.
    fn differs(&self, found: usize) -> Error {
        let (declared, found) = (self.size, found as u64);
        Error::new(ErrorKind::SizesDiffer { declared, found }, self.offset)
    }

    /// Divides the output into the part for the block and the rest.
    pub(in crate::unreal) fn divide<'t>(
        &self,
        to: &'t mut [u8],
    ) -> Result<(&'t mut [u8], &'t mut [u8])> {
        let (size, found) = (usize::try_from(self.size).unwrap_or(usize::MAX), to.len());
        to.split_at_mut_checked(size).ok_or_else(|| self.differs(found))
    }

    /// Decompresses the block. `to` must have the size of the block.
    pub(in crate::unreal) fn decompress(
        &self,
        method: Method<'_>,
        from: &[u8],
        to: &mut [u8],
        codec: &mut impl Codec,
    ) -> Result<()> {
        if method == Method::Stored {
            let to = to.get_mut(..from.len()).filter(|_| from.len() as u64 == self.size);
            let to = to.ok_or_else(|| self.differs(from.len()))?;
            to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
            return Ok(());
        }
        match codec(method, from, to) {
            Ok(size) if size as u64 == self.size => Ok(()),
            Ok(size) => Err(self.differs(size)),
            Err(error) => Err(Error::new(ErrorKind::Codec(error), self.offset)),
        }
    }
}

/// How an entry states its blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockTable<'a> {
    /// The data are not compressed.
    None,
    /// The data are one block.
    One,
    /// The start and the end of each block, from the start of the pak or of the entry.
    Ranges(&'a [[[u8; 8]; 2]]),
    /// The sizes of the blocks, which follow each other.
    Sizes(&'a [[u8; 4]]),
}

impl BlockTable<'_> {
    /// Returns the number of blocks, or `None` for data that are not compressed.
    pub(super) fn count(&self) -> Option<u32> {
        let count = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
        match self {
            Self::None => None,
            Self::One => Some(1),
            Self::Ranges(ranges) => Some(count(ranges.len())),
            Self::Sizes(sizes) => Some(count(sizes.len())),
        }
    }
}

/// The facts about an entry that determine where its blocks are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// Number of bytes from the start of the pak to that of the entry.
    pub entry: u64,
    /// Number of bytes from the start of the pak to the data after the header.
    pub data: u64,
    pub stored_size: u64,
    pub size: u64,
    /// Size after decompression of each block except the last.
    pub block_size: u64,
    pub is_encrypted: bool,
    pub has_relative_blocks: bool,
}

/// An iterator over the blocks of a file, in order.
///
/// The iterator yields an error for a block that overlaps the header or the previous block. It also
/// yields an error after the last block if the blocks together are smaller than the file. After an
/// error, it ends.
#[derive(Clone, Copy, Debug)]
pub struct Blocks<'a> {
    table: BlockTable<'a>,
    extent: Extent,
    index: u32,
    /// End of the previous block.
    end: u64,
    /// Size of the rest of the file, after the previous block.
    left: u64,
}

impl<'a> Blocks<'a> {
    pub(super) const fn new(table: BlockTable<'a>, extent: Extent) -> Self {
        Self { table, extent, index: 0, end: extent.data, left: extent.size }
    }

    /// Returns the number of blocks. Data without compression are one block.
    pub fn total(&self) -> u32 {
        self.table.count().unwrap_or(1)
    }

    fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.extent.entry)
    }

    /// Returns the start and the size of the next block, or `None` after the last one.
    fn range(&self) -> Result<Option<(u64, u64)>> {
        let (extent, index) = (&self.extent, self.index as usize);
        Ok(match self.table {
            BlockTable::None | BlockTable::One => {
                (index == 0).then_some((extent.data, extent.stored_size))
            }
            BlockTable::Sizes(sizes) => {
                sizes.get(index).map(|size| (self.end, u32::from_le_bytes(*size).into()))
            }
            BlockTable::Ranges(ranges) => {
                let Some(range) = ranges.get(index) else { return Ok(None) };
                let base = if extent.has_relative_blocks { extent.entry } else { 0 };
                let [start, end] = range.map(|at| base.saturating_add(u64::from_le_bytes(at)));
                let size = end.checked_sub(start).filter(|_| start >= self.end);
                Some((start, size.ok_or_else(|| self.error(ErrorKind::BlocksOverlap))?))
            }
        })
    }

    fn advance(&mut self) -> Result<Option<Block>> {
        let Some((offset, stored_size)) = self.range()? else {
            let (declared, found) = (self.extent.size, self.extent.size.wrapping_sub(self.left));
            return match self.left {
                0 => Ok(None),
                _ => Err(self.error(ErrorKind::SizesDiffer { declared, found })),
            };
        };
        self.index = self.index.saturating_add(1);
        let on_disk = if self.extent.is_encrypted { aligned(stored_size) } else { stored_size };
        self.end = offset.saturating_add(on_disk);
        let size = match self.table {
            BlockTable::None | BlockTable::One => self.left,
            _ => self.left.min(self.extent.block_size),
        };
        self.left = self.left.saturating_sub(size);
        Ok(Some(Block { offset, stored_size, size }))
    }
}

impl Iterator for Blocks<'_> {
    type Item = Result<Block>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.advance().transpose();
        if let Some(Err(_)) = next {
            self.index = u32::MAX;
            self.left = 0;
        }
        next
    }
}

impl core::iter::FusedIterator for Blocks<'_> {}

/// Returns `true` if the offsets of blocks are relative to their entry.
pub(super) const fn are_relative(format: &Format<'_>) -> bool {
    format.version >= super::format::RELATIVE_BLOCKS
}
