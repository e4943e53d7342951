//! Compares the checksums, headers and hashes of a pak with its bytes.

use super::entry::Entry;
use super::footer::Region;
use super::index::Index;
use super::key::sha1;
use super::path::EntryPath;
use super::reader::{IndexBuf, ReadError, read_at};
use super::walk::Place;
use crate::unreal::format::{Error, ErrorKind, FileCursor};
use alloc::vec::Vec;
use core::fmt;
use std::io::{Read, Seek, SeekFrom};

/// A part of a pak in which a problem was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part<'a> {
    /// The index, or its first part.
    Index,
    /// The list of folders.
    Folders,
    /// The list of hashes of paths.
    PathHashes,
    /// A file, or its entry.
    File(EntryPath<'a>),
}

impl fmt::Display for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index => f.write_str("index"),
            Self::Folders => f.write_str("list of folders"),
            Self::PathHashes => f.write_str("hashes of paths"),
            Self::File(path) => path.fmt(f),
        }
    }
}

/// A problem of a pak, which [`IndexBuf::verify`] reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem<'a> {
    /// The part with the problem.
    pub part: Part<'a>,
    /// The problem, with its offset in the pak.
    pub error: Error,
}

/// Limit on the data of all checked files together, as a multiple of the size of the pak. Beyond
/// this limit, files share bytes, and checking all of them could take quadratic time.
const MOST_SHARED: u64 = 16;

impl IndexBuf {
    /// Compares every checksum in the pak with the bytes, the header of each file with its entry, and
    /// the hashes of paths with the paths. Passes each problem to `report`. Reads the whole pak, one
    /// MiB at a time, but does not decompress or decrypt it.
    ///
    /// # Errors
    /// If the file cannot be read. Problems of the pak are only passed to `report`.
    pub fn verify(
        &self,
        pak: &mut (impl Read + Seek),
        mut report: impl FnMut(Problem<'_>),
    ) -> Result<(), std::io::Error> {
        let index = match self.index() {
            Ok(index) => index,
            Err(error) => {
                report(Problem { part: Part::Index, error });
                return Ok(());
            }
        };
        self.verify_regions(&index, &mut report);
        verify_path_hashes(&index, &mut report);
        let mut left = self.len.saturating_mul(MOST_SHARED);
        for entry in index.entries() {
            let entry = match entry {
                Ok(entry) if entry.is_deleted => continue,
                Ok(entry) => entry,
                Err(error) => {
                    report(Problem { part: Part::Index, error });
                    continue;
                }
            };
            let part = Part::File(entry.path);
            let cost = entry.stored_size.saturating_add(entry.header_size);
            let Some(rest) = left.checked_sub(cost) else {
                report(Problem { part, error: entry.error(ErrorKind::FilesShareBytes) });
                return Ok(());
            };
            left = rest;
            match entry.verify(pak, &index) {
                Ok(()) => {}
                Err(ReadError::Io(error)) => return Err(error),
                Err(ReadError::Pak(error)) => report(Problem { part, error }),
            }
        }
        Ok(())
    }

    fn verify_regions(&self, index: &Index<'_>, report: &mut impl FnMut(Problem<'_>)) {
        let parts = [
            (Part::Index, Some(index.footer().index()), &self.first),
            (Part::Folders, index.folders_region(), &self.folders),
            (Part::PathHashes, index.path_hashes_region(), &self.path_hashes),
        ];
        for (part, region, bytes) in parts {
            if let Some(Region { offset, sha1: stored, .. }) = region
                && sha1(bytes) != stored
            {
                report(Problem { part, error: Error::new(ErrorKind::HashDiffers, offset) });
            }
        }
    }
}

/// Checks that the hash of each path leads to the same entry as the path.
fn verify_path_hashes(index: &Index<'_>, report: &mut impl FnMut(Problem<'_>)) {
    let (Some(region), Some(seed)) = (index.path_hashes_region(), index.path_hash_seed()) else {
        return;
    };
    let format = &index.footer().format;
    let mut hashes = Vec::new();
    let mut list = index.path_hashes();
    loop {
        match list.advance(format) {
            Ok(None) => break,
            Ok(Some(located)) => {
                if let (EntryPath::Hash(hash), Place::At(location, _)) =
                    (located.path, located.place)
                {
                    hashes.push((hash, location));
                }
            }
            Err(error) => return report(Problem { part: Part::PathHashes, error }),
        }
    }
    hashes.sort_unstable();
    let mut folders = index.folders();
    // An error of the folders is reported with the entries.
    while let Ok(Some(located)) = folders.advance(format) {
        let Place::At(location, _) = located.place else { continue };
        let is_there = |is_correct| {
            let hash = located.path.hash(seed, is_correct);
            hashes.binary_search(&(hash, location)).is_ok()
        };
        if !is_there(index.has_correct_hashes()) && !is_there(true) {
            let error = Error::new(ErrorKind::PathHashDiffers, region.offset);
            report(Problem { part: Part::File(located.path), error });
        }
    }
}

impl Entry<'_> {
    /// Compares the header before the data with the entry, and the SHA-1 of the stored data with
    /// the stored one.
    fn verify(&self, pak: &mut (impl Read + Seek), index: &Index<'_>) -> Result<(), ReadError> {
        // Finds blocks that overlap, or are together smaller than the file.
        self.blocks().try_for_each(|block| block.map(|_| ()))?;
        let bytes = read_at(pak, self.offset, self.header_size)?;
        let mut from = FileCursor::new(&bytes, self.offset);
        let mut header = Entry::read_listed(&mut from, self.path, &index.footer().format)??;
        header.offset = self.offset; // the header itself states 0
        let is_same = header.stored_size == self.stored_size
            && header.size == self.size
            && header.method == self.method
            && (header.is_encrypted, header.is_deleted) == (self.is_encrypted, self.is_deleted)
            // An encoded entry does not always state the size of blocks.
            && (header.block_size == self.block_size || self.sha1.is_none())
            && self.sha1.is_none_or(|sha1| header.sha1 == Some(sha1))
            && from.is_empty()
            && header.blocks().eq(self.blocks());
        if !is_same {
            return Err(self.error(ErrorKind::HeaderDiffers).into());
        }
        let found = digest(pak, self.data_offset(), self.stored_size)?;
        match header.sha1 == Some(found) {
            true => Ok(()),
            false => Err(Error::new(ErrorKind::HashDiffers, self.data_offset()).into()),
        }
    }
}

/// Returns the SHA-1 of bytes of a pak.
fn digest(pak: &mut (impl Read + Seek), offset: u64, size: u64) -> Result<[u8; 20], ReadError> {
    use sha1::{Digest, Sha1};
    let (mut hash, mut left) = (Sha1::new(), size);
    let mut buffer = alloc::vec![0; usize::try_from(left.min(1 << 20)).unwrap_or_default()];
    pak.seek(SeekFrom::Start(offset))?;
    while left > 0 {
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        let read = pak.read(buffer.get_mut(..most).unwrap_or_default())?;
        if read == 0 {
            let missing = u32::try_from(left).unwrap_or(u32::MAX);
            let end = offset.saturating_add(size.saturating_sub(left));
            return Err(Error::new(ErrorKind::UnexpectedEnd { missing }, end).into());
        }
        hash.update(buffer.get(..read).unwrap_or_default());
        left = left.saturating_sub(read as u64);
    }
    Ok(hash.finalize().into())
}
