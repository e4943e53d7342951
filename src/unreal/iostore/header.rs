//! The header of a table of contents.

use crate::unreal::format::{ErrorKind, FileCursor, Guid, Result};
use crate::unreal::pak::LAYOUT;

pub(super) const MAGIC: &[u8; 16] = b"-==--==--==--==-";

/// Size of the header in bytes.
const SIZE: u32 = 144;
/// Size in bytes of a row in the table of blocks.
const BLOCK: u32 = 12;

const NEWEST: u8 = 8;
const DIRECTORY: u8 = 2;
const PARTITIONS: u8 = 3;
const PERFECT_HASH: u8 = 4;
const OVERFLOW: u8 = 5;

const COMPRESSED: u8 = 1;
const ENCRYPTED: u8 = 2;
const SIGNED: u8 = 4;

#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub version: u8,
    pub chunks: u32,
    pub blocks: u32,
    pub methods: u32,
    /// Size in bytes of each name in the list of compression methods.
    pub method_size: u32,
    pub block_size: u32,
    pub directory_size: u32,
    pub partitions: u32,
    pub container_id: u64,
    pub key_guid: Guid,
    flags: u8,
    pub seeds: u32,
    pub partition_size: u64,
    pub without_hash: u32,
}

impl Header {
    pub(super) fn read(from: &mut FileCursor<'_>) -> Result<Self> {
        let start = *from;
        if from.bytes(MAGIC.len() as u64).ok() != Some(MAGIC) {
            return Err(start.error(ErrorKind::NotAToc));
        }
        let unknown = |at: FileCursor<'_>, what, value: u32| {
            Err(at.error(ErrorKind::Unknown { what, value: value.into() }))
        };
        let at = *from;
        let version: u8 = from.read(LAYOUT)?;
        if !(1..=NEWEST).contains(&version) {
            return unknown(at, "version of a .utoc (newest supported: 8)", version.into());
        }
        from.bytes(3)?; // reserved
        let at = *from;
        let [size, chunks, blocks, each, methods, method_size, block_size, directory, partitions]: [u32; 9] =
            from.row(LAYOUT)?;
        if size != SIZE {
            return unknown(at, "size of the header of a .utoc", size);
        }
        if each != BLOCK {
            return unknown(at, "size of a block in a .utoc", each);
        }
        let (container_id, key_guid) = (from.read(LAYOUT)?, from.read(LAYOUT)?);
        let flags = from.read(LAYOUT)?;
        from.bytes(3)?; // reserved
        let (seeds, partition_size, without_hash): (u32, u64, u32) =
            (from.read(LAYOUT)?, from.read(LAYOUT)?, from.read(LAYOUT)?);
        from.bytes(44)?; // reserved
        // In older versions, the bytes of newer fields are reserved, too.
        let since = |first: u8, value: u32| if version >= first { value } else { 0 };
        Ok(Self {
            version,
            chunks,
            blocks,
            methods,
            method_size,
            block_size,
            directory_size: since(DIRECTORY, directory),
            partitions: since(PARTITIONS, partitions).max(1),
            container_id,
            key_guid,
            flags,
            seeds: since(PERFECT_HASH, seeds),
            partition_size: match partition_size {
                size if version >= PARTITIONS && size > 0 => size,
                _ => u64::MAX,
            },
            without_hash: since(OVERFLOW, without_hash),
        })
    }

    pub(super) const fn is_compressed(&self) -> bool {
        self.flags & COMPRESSED != 0
    }

    pub(super) const fn is_encrypted(&self) -> bool {
        self.flags & ENCRYPTED != 0
    }

    pub(super) const fn is_signed(&self) -> bool {
        self.flags & SIGNED != 0
    }

    /// Returns two sizes in bytes: that of a chunk's hash, and that of the hash together with the
    /// flags.
    pub(super) const fn meta_sizes(&self) -> (usize, usize) {
        if self.version >= 8 { (20, 24) } else { (32, 33) }
    }
}
