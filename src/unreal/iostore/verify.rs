//! Checks a table of contents.

use super::chunk::Chunk;
use super::chunk_id::ChunkId;
use super::toc::Toc;
use crate::unreal::format::{Error, ErrorKind, Result};
use crate::unreal::pak::aligned;
use core::fmt;

/// The part of a container that has a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Part {
    /// The directory index.
    Directory,
    /// A chunk, or its place in the table.
    Chunk(ChunkId),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory => f.write_str("directory index"),
            Self::Chunk(id) => id.fmt(f),
        }
    }
}

/// A problem of a container, which [`Toc::verify`] reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The part with the problem.
    pub part: Part,
    /// The problem, with its offset in the `.utoc`.
    pub error: Error,
}

/// All chunks together can have at most this many times the number of blocks in the table. If they
/// have more, they share blocks, and checking all of them could take quadratic time.
const MOST_SHARED: u64 = 16;

impl Toc<'_> {
    /// Checks that the blocks of each chunk add up to its size and are within the partitions, and
    /// that each path leads to a chunk. Passes each problem to `report`. `len` must return the size
    /// of a partition in bytes, or `None` if the partition does not exist. Reads only the table of
    /// contents; hashes and signatures are not verified.
    pub fn verify(&self, mut len: impl FnMut(u32) -> Option<u64>, mut report: impl FnMut(Problem)) {
        let mut left = (self.table.blocks.len() as u64).saturating_mul(MOST_SHARED);
        // The blocks of a chunk follow each other, so the partition rarely changes.
        let mut known = (u32::MAX, None);
        let mut cached = |partition: u32| {
            if known.0 != partition {
                known = (partition, len(partition));
            }
            known.1
        };
        for index in 0..self.count() {
            let part = Part::Chunk(self.id(index));
            let outcome = match self.chunk(index) {
                Some(Ok(chunk)) => match left
                    .checked_sub(chunk.blocks().size_hint().1.unwrap_or_default() as u64)
                {
                    Some(rest) => {
                        left = rest;
                        verify_chunk(&chunk, &mut cached)
                    }
                    None => {
                        report(Problem { part, error: chunk.error(ErrorKind::FilesShareBytes) });
                        break;
                    }
                },
                Some(Err(error)) => Err(error),
                None => Ok(()),
            };
            if let Err(error) = outcome {
                report(Problem { part, error });
            }
        }
        for file in self.files() {
            let outcome = file.and_then(|file| match file.chunk < self.count() {
                true => Ok(()),
                false => {
                    let kind = ErrorKind::BadOffset(file.chunk.into());
                    Err(Error::new(kind, self.directory_region().0))
                }
            });
            if let Err(error) = outcome {
                report(Problem { part: Part::Directory, error });
            }
        }
    }
}

fn verify_chunk(chunk: &Chunk<'_>, len: &mut impl FnMut(u32) -> Option<u64>) -> Result<()> {
    for part in chunk.blocks() {
        let part = part?;
        let on_disk = match chunk.is_encrypted {
            true => aligned(part.block.stored_size),
            false => part.block.stored_size,
        };
        let end = part.offset.saturating_add(on_disk);
        if len(part.partition).is_none_or(|len| end > len) {
            return Err(chunk.error(ErrorKind::BadOffset(part.block.offset.cast_signed())));
        }
    }
    Ok(())
}
