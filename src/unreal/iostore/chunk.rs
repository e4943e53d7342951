//! Chunks, and the blocks that they consist of.

use super::chunk_id::{ChunkId, ChunkType};
use super::table::{Methods, Table};
use crate::unreal::compression::{Codec, Method};
use crate::unreal::format::{Error, ErrorKind, Result};
use crate::unreal::pak::{Block, aligned, slice};

/// A chunk of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Chunk<'a> {
    /// The identifier.
    pub id: ChunkId,
    /// The type.
    pub kind: ChunkType,
    /// Number of bytes from the start of the first partition to the first block; 0 for an empty
    /// chunk.
    pub offset: u64,
    /// Number of bytes in the container from the start of the first block to the end of the last one.
    pub stored_size: u64,
    /// Size after decompression, in bytes.
    pub size: u64,
    /// Compression method of the first block. Other blocks can have other methods.
    pub method: Method<'a>,
    /// `true` if the container is encrypted.
    pub is_encrypted: bool,
    /// `true` if the flags of the chunk say that it is compressed.
    pub is_compressed: bool,
    /// `true` if the engine maps the chunk into memory.
    pub is_memory_mapped: bool,
    /// Hash of the chunk, as stored: 20 bytes from version 8 on, 32 bytes before. It is not verified.
    pub hash: &'a [u8],
    blocks: &'a [[u8; 12]],
    methods: Methods<'a>,
    block_size: u32,
    partition_size: u64,
    partitions: u32,
    /// The offset that errors state: number of bytes from the start of the `.utoc`.
    at: u64,
}

/// Bits of the flags of a chunk.
const COMPRESSED: u8 = 1;
const MEMORY_MAPPED: u8 = 2;

/// A block of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChunkBlock<'a> {
    /// The block. Its offset counts from the start of the first partition, as if each partition had
    /// the [maximum size](super::Toc::partition_size).
    pub block: Block,
    /// Compression method.
    pub method: Method<'a>,
    /// Index of the partition.
    pub partition: u32,
    /// Number of bytes from the start of the partition.
    pub offset: u64,
}

/// The place of a block: a row in the table of blocks.
struct Place {
    offset: u64,
    stored_size: u64,
    size: u64,
    method: u8,
}

impl Place {
    fn of(row: &[u8; 12]) -> Self {
        let [a, b, c, d, e, f, g, h, i, j, k, method] = *row;
        Self {
            offset: u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]),
            stored_size: u32::from_le_bytes([f, g, h, 0]).into(),
            size: u32::from_le_bytes([i, j, k, 0]).into(),
            method,
        }
    }
}

impl<'a> Chunk<'a> {
    pub(super) fn of_row(
        table: &Table<'a>,
        id: ChunkId,
        place: &[u8; 10],
        at: u64,
        hash: &'a [u8],
        flags: u8,
    ) -> Result<Self> {
        let [a, b, c, d, e, f, g, h, i, j] = *place;
        let start = u64::from_be_bytes([0, 0, 0, a, b, c, d, e]);
        let size = u64::from_be_bytes([0, 0, 0, f, g, h, i, j]);
        let blocks = table.blocks_of(start, size, at)?;
        let (mut offset, mut stored_size, mut method) = (0, 0, Method::Stored);
        if let (Some(first), Some(last)) = (blocks.first(), blocks.last()) {
            let (first, last) = (Place::of(first), Place::of(last));
            offset = first.offset;
            let len = last.offset.saturating_add(last.stored_size).checked_sub(first.offset);
            stored_size = len.ok_or(Error::new(ErrorKind::BlocksOverlap, at))?;
            method = table.methods.method(first.method, at)?;
        }
        Ok(Self {
            id,
            kind: id.kind(table.header.version),
            offset,
            stored_size,
            size,
            method,
            is_encrypted: table.header.is_encrypted(),
            is_compressed: flags & COMPRESSED != 0,
            is_memory_mapped: flags & MEMORY_MAPPED != 0,
            hash,
            blocks,
            methods: table.methods,
            block_size: table.header.block_size,
            partition_size: table.header.partition_size,
            partitions: table.header.partitions,
            at,
        })
    }

    /// Returns the blocks of the chunk.
    pub const fn blocks(&self) -> ChunkBlocks<'a> {
        ChunkBlocks { chunk: *self, index: 0, end: 0, left: self.size }
    }

    /// Decompresses the chunk into a slice of exactly [`size`](Self::size) bytes. `partitions` must
    /// contain the bytes of each `.ucas`, in order. If the chunk is not compressed, copies it.
    ///
    /// # Errors
    /// If the slice has a different size, the container is encrypted, the blocks are not within the
    /// partitions, or the codec fails.
    pub fn decompress_into(
        &self,
        partitions: &[&[u8]],
        to: &mut [u8],
        mut codec: impl Codec,
    ) -> Result<()> {
        let (declared, found) = (self.size, to.len() as u64);
        if self.is_encrypted {
            return Err(self.error(ErrorKind::NeedsKey));
        }
        if declared != found {
            return Err(self.error(ErrorKind::SizesDiffer { declared, found }));
        }
        let mut rest = to;
        for part in self.blocks() {
            let ChunkBlock { block, method, partition, offset } = part?;
            let (to, behind) = block.divide(rest)?;
            let bytes = partitions.get(partition as usize).copied().unwrap_or_default();
            block.decompress(method, slice(bytes, offset, block.stored_size)?, to, &mut codec)?;
            rest = behind;
        }
        Ok(())
    }

    /// Creates an error at the place of the chunk in the `.utoc`.
    pub(super) const fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.at)
    }
}

/// An iterator over the blocks of a chunk, in order.
///
/// A block is an error if it overlaps the one before it, is in a partition that does not exist, has
/// the wrong size, or has an unknown compression method. After an error, the iterator ends.
#[derive(Clone, Copy, Debug)]
pub struct ChunkBlocks<'a> {
    chunk: Chunk<'a>,
    index: usize,
    /// End of the previous block.
    end: u64,
    /// Number of decompressed bytes that are still to come.
    left: u64,
}

impl<'a> ChunkBlocks<'a> {
    fn read(&mut self, row: &[u8; 12]) -> Result<ChunkBlock<'a>> {
        let (chunk, place) = (&self.chunk, Place::of(row));
        if place.offset < self.end {
            return Err(chunk.error(ErrorKind::BlocksOverlap));
        }
        let on_disk =
            if chunk.is_encrypted { aligned(place.stored_size) } else { place.stored_size };
        self.end = place.offset.saturating_add(on_disk);
        let (declared, found) = (self.left.min(chunk.block_size.into()), place.size);
        if declared != found {
            return Err(chunk.error(ErrorKind::SizesDiffer { declared, found }));
        }
        self.left = self.left.saturating_sub(found);
        let wrong = || chunk.error(ErrorKind::BadOffset(place.offset.cast_signed()));
        let partition = place.offset.checked_div(chunk.partition_size).unwrap_or_default();
        let partition = u32::try_from(partition).ok().filter(|index| *index < chunk.partitions);
        Ok(ChunkBlock {
            block: Block { offset: place.offset, stored_size: place.stored_size, size: place.size },
            method: chunk.methods.method(place.method, chunk.at)?,
            partition: partition.ok_or_else(wrong)?,
            offset: place.offset.checked_rem(chunk.partition_size).unwrap_or_default(),
        })
    }
}

impl<'a> Iterator for ChunkBlocks<'a> {
    type Item = Result<ChunkBlock<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.chunk.blocks.get(self.index)?;
        let next = self.read(row);
        self.index = if next.is_ok() { self.index.saturating_add(1) } else { usize::MAX };
        Some(next)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.chunk.blocks.len().saturating_sub(self.index)))
    }
}

impl core::iter::FusedIterator for ChunkBlocks<'_> {}
