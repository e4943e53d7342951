//! Entries of the index: where a file of the pak is, and how it is stored.

use super::blocks::{BlockTable, Blocks, Extent, are_relative};
use super::footer::slice;
use super::format::{BLOCKS, Format, LAYOUT};
use super::path::EntryPath;
use crate::unreal::compression::{Codec, Method};
use crate::unreal::format::{Error, ErrorKind, FileCursor, Result};

/// Bits of the flags of an entry.
const ENCRYPTED: u8 = 1;
const DELETED: u8 = 2;

/// A file in a pak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry<'a> {
    /// Path, relative to the mount point.
    pub path: EntryPath<'a>,
    /// Number of bytes from the start of the pak to the header before the data of the file.
    pub offset: u64,
    /// Size of the data in the pak, in bytes.
    pub stored_size: u64,
    /// Size of the file in bytes.
    pub size: u64,
    /// Compression method.
    pub method: Method<'a>,
    /// `true` if the data are encrypted.
    pub is_encrypted: bool,
    /// `true` if this pak is a patch that removes the file from an earlier pak. The entry has no
    /// data.
    pub is_deleted: bool,
    /// SHA-1 of the data as they are stored. From version 10 on, most entries do not state it, but
    /// the header before the data does.
    pub sha1: Option<[u8; 20]>,
    /// Time of the last change, in ticks of 100 ns since 0001-01-01; only in version 1.
    pub timestamp: Option<u64>,
    /// Size after decompression of each block except the last; 0 if the file is not compressed.
    pub block_size: u32,
    pub(super) blocks: BlockTable<'a>,
    pub(super) header_size: u64,
    has_relative_blocks: bool,
}

/// The fields of an entry as the index or the header of a file lists them.
struct Listed {
    offset: u64,
    stored_size: u64,
    size: u64,
    method: u32,
    timestamp: Option<u64>,
    sha1: [u8; 20],
}

impl Listed {
    fn read(from: &mut FileCursor<'_>, format: &Format<'_>) -> Result<Self> {
        let start = *from;
        let [offset, stored_size, size]: [i64; 3] = from.row(LAYOUT)?;
        let number =
            |value: i64| u64::try_from(value).map_err(|_| start.error(ErrorKind::BadSize(value)));
        Ok(Self {
            offset: number(offset)?,
            stored_size: number(stored_size)?,
            size: number(size)?,
            method: match format.has_narrow_methods {
                true => from.read::<u8>(LAYOUT)?.into(),
                false => from.read(LAYOUT)?,
            },
            timestamp: match format.version {
                1 => Some(from.read(LAYOUT)?),
                _ => None,
            },
            sha1: from.read(LAYOUT)?,
        })
    }
}

impl<'a> Entry<'a> {
    /// Reads an entry as the index lists it, and as the header before the data repeats it. If only
    /// the method is unknown, the inner result is the error, and the cursor is after the entry.
    pub(super) fn read_listed(
        from: &mut FileCursor<'a>,
        path: EntryPath<'a>,
        format: &Format<'a>,
    ) -> Result<Result<Self>> {
        let start = from.offset();
        let listed = Listed::read(from, format)?;
        let (mut blocks, mut flags, mut block_size) = (BlockTable::None, 0u8, 0);
        if format.version >= BLOCKS {
            if listed.method != 0 {
                let count = from.count(16, LAYOUT)?;
                let ranges = from.bytes(u64::from(count).saturating_mul(16))?;
                let (words, _) = ranges.as_chunks::<8>();
                blocks = BlockTable::Ranges(words.as_chunks::<2>().0);
            }
            (flags, block_size) = (from.read(LAYOUT)?, from.read(LAYOUT)?);
        }
        Ok(format.method(listed.method, start).map(|method| Self {
            path,
            offset: listed.offset,
            stored_size: listed.stored_size,
            size: listed.size,
            method,
            is_encrypted: flags & ENCRYPTED != 0,
            is_deleted: flags & DELETED != 0,
            sha1: Some(listed.sha1),
            timestamp: listed.timestamp,
            block_size,
            blocks,
            header_size: format.header_size(blocks.count()),
            has_relative_blocks: are_relative(format),
        }))
    }

    /// Reads an encoded entry. From version 10 on, most entries are encoded.
    ///
    /// The first word has, from its lowest bit: the size of a block in units of 2 KiB (6 bits; if
    /// all are set, the size follows the word), the number of blocks (16 bits), a flag for
    /// encryption, the method (6 bits), and three flags, for the stored size, the size and the
    /// offset. Such a flag is set if the number has 32 bits instead of 64. Then come the offset,
    /// the size, the stored size (only of compressed data), and the stored size of each block. The
    /// size of a block is missing if there is only one and it is not encrypted.
    pub(super) fn read_encoded(
        from: &mut FileCursor<'a>,
        path: EntryPath<'a>,
        format: &Format<'a>,
    ) -> Result<Self> {
        let start = from.offset();
        let bits: u32 = from.read(LAYOUT)?;
        let (method, count) = (bits >> 23 & 0x3F, bits >> 6 & 0xFFFF);
        let is_encrypted = bits & 1 << 22 != 0;
        let block_size = match bits & 0x3F {
            0x3F => from.read(LAYOUT)?,
            units => units << 11,
        };
        let offset = number(from, bits & 1 << 31 != 0)?;
        let size = number(from, bits & 1 << 30 != 0)?;
        let stored_size = match method {
            0 => size,
            _ => number(from, bits & 1 << 29 != 0)?,
        };
        let blocks = match count {
            0 => BlockTable::None,
            1 if !is_encrypted => BlockTable::One,
            _ => {
                let sizes = from.bytes(u64::from(count).saturating_mul(4))?;
                BlockTable::Sizes(sizes.as_chunks::<4>().0)
            }
        };
        // Older engines do not state the size of blocks for a file that is smaller than a block.
        let block_size = match count {
            0 => 0,
            1 => u32::try_from(size).unwrap_or(u32::MAX),
            _ if block_size == 0 => u32::try_from(size).unwrap_or(u32::MAX),
            _ => block_size,
        };
        let has_header_blocks = (method != 0).then(|| blocks.count().unwrap_or_default());
        Ok(Self {
            path,
            offset,
            stored_size,
            size,
            method: format.method(method, start)?,
            is_encrypted,
            is_deleted: false,
            sha1: None,
            timestamp: None,
            block_size,
            blocks,
            header_size: format.header_size(has_header_blocks),
            has_relative_blocks: true,
        })
    }

    /// Creates the entry of a file that a patch removes.
    pub(super) const fn deleted(path: EntryPath<'a>) -> Self {
        Self {
            path,
            offset: 0,
            stored_size: 0,
            size: 0,
            method: Method::Stored,
            is_encrypted: false,
            is_deleted: true,
            sha1: None,
            timestamp: None,
            block_size: 0,
            blocks: BlockTable::None,
            header_size: 0,
            has_relative_blocks: true,
        }
    }

    /// Returns the offset of the data, which follow the header.
    pub const fn data_offset(&self) -> u64 {
        self.offset.saturating_add(self.header_size)
    }

    /// Returns the blocks of data. Data without compression are one block.
    pub const fn blocks(&self) -> Blocks<'a> {
        let extent = Extent {
            entry: self.offset,
            data: self.data_offset(),
            stored_size: self.stored_size,
            size: self.size,
            block_size: self.block_size as u64,
            is_encrypted: self.is_encrypted,
            has_relative_blocks: self.has_relative_blocks,
        };
        Blocks::new(self.blocks, extent)
    }

    /// Decompresses the file into a slice of exactly [`size`](Self::size) bytes. `pak` has the
    /// bytes of the whole pak. If the file is not compressed, copies it.
    ///
    /// # Errors
    /// If the slice has a different size, the data are encrypted or not within the pak, the blocks
    /// are wrong (see [`Blocks`]), or the codec fails.
    pub fn decompress_into(&self, pak: &[u8], to: &mut [u8], mut codec: impl Codec) -> Result<()> {
        let (declared, found) = (self.size, to.len() as u64);
        if declared != found {
            return Err(self.error(ErrorKind::SizesDiffer { declared, found }));
        }
        if self.is_encrypted {
            return Err(self.error(ErrorKind::NeedsKey));
        }
        let mut rest = to;
        for block in self.blocks() {
            let block = block?;
            let (to, behind) = block.divide(rest)?;
            let from = slice(pak, block.offset, block.stored_size)?;
            block.decompress(self.method, from, to, &mut codec)?;
            rest = behind;
        }
        Ok(())
    }

    /// Creates an error at the entry.
    pub(super) fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.offset)
    }
}

/// Reads a number of 32 or 64 bits.
fn number(from: &mut FileCursor<'_>, is_narrow: bool) -> Result<u64> {
    match is_narrow {
        true => from.read::<u32>(LAYOUT).map(u64::from),
        false => from.read(LAYOUT),
    }
}
