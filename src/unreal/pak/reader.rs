//! Reads paks from files on disk, without reading the whole pak.

use super::blocks::Block;
use super::entry::Entry;
use super::footer::{Footer, Region};
use super::format::aligned;
use super::index::Index;
use super::key::{Key, sha1};
use crate::unreal::compression::{Codec, Method};
use crate::unreal::format::{Error, ErrorKind};
use alloc::vec::Vec;
use std::io::{self, Read, Seek, SeekFrom};

/// An error that occurred while reading an archive from a file on disk.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The archive is malformed, encrypted with another key, or not supported.
    #[error(transparent)]
    Pak(#[from] Error),
}

/// The index of a pak, read from a file on disk and decrypted.
///
/// ```
/// use gamewire::unreal::compression::standard_codec;
/// use gamewire::unreal::pak::IndexBuf;
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let mut file = std::fs::File::open("corpus/unreal-paks/v11.pak")?;
/// let parts = IndexBuf::load(&mut file, None)?;
/// let index = parts.index()?;
/// let entry = index.find("Content/Tiny.uexp").unwrap()?;
/// let bytes = entry.read(&mut file, None, 1 << 20, standard_codec)?;
/// assert_eq!(bytes.len() as u64, entry.size);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct IndexBuf {
    tail: Vec<u8>,
    pub(super) len: u64,
    pub(super) first: Vec<u8>,
    pub(super) folders: Vec<u8>,
    pub(super) path_hashes: Vec<u8>,
}

impl IndexBuf {
    /// Reads the footer and the index of a pak. Decrypts the index if it is encrypted. The memory
    /// that is used depends on the bytes that the file has, not on the sizes that it states.
    ///
    /// # Errors
    /// If the file cannot be read, the index is encrypted and `key` is `None`, or the SHA-1 of the
    /// decrypted index is not the stored one: the key is wrong, or the index is damaged. The other
    /// errors of [`Index::open`] apply, too.
    pub fn load(pak: &mut (impl Read + Seek), key: Option<&Key>) -> Result<Self, ReadError> {
        let len = pak.seek(SeekFrom::End(0))?;
        let start = len.saturating_sub(Footer::MAX_SIZE as u64);
        let tail = read_at(pak, start, len.saturating_sub(start))?;
        let footer = Footer::read(&tail, len)?;
        if footer.is_index_frozen() {
            return Err(Error::new(ErrorKind::FrozenIndex, footer.index().offset).into());
        }
        let key = match (footer.is_index_encrypted(), key) {
            (false, _) => None,
            (true, Some(key)) => Some(key),
            (true, None) => {
                return Err(Error::new(ErrorKind::NeedsKey, footer.index().offset).into());
            }
        };
        let first = region(pak, footer.index(), key)?;
        let index = Index::of_part(footer, &first)?;
        let mut more = |part: Option<Region>| match part {
            Some(part) => region(pak, part, key),
            None => Ok(Vec::new()),
        };
        let folders = more(index.folders_region())?;
        let path_hashes = more(index.path_hashes_region())?;
        Ok(Self { tail, len, first, folders, path_hashes })
    }

    /// Returns a view of the index. Reads entries that are not encoded, as [`Index::open`] does.
    ///
    /// # Errors
    /// See [`Index::of_part`]. No error is expected: [`load`](Self::load) has read the same bytes
    /// without an error.
    pub fn index(&self) -> Result<Index<'_>, Error> {
        let index = Index::of_part(Footer::read(&self.tail, self.len)?, &self.first)?;
        Ok(index.with_folders(&self.folders).with_path_hashes(&self.path_hashes))
    }
}

/// Reads a region, and decrypts it if there is a key.
fn region(
    pak: &mut (impl Read + Seek),
    region: Region,
    key: Option<&Key>,
) -> Result<Vec<u8>, ReadError> {
    let mut bytes = read_at(pak, region.offset, region.size)?;
    if let Some(key) = key {
        key.decrypt(&mut bytes);
        if sha1(&bytes) != region.sha1 {
            return Err(Error::new(ErrorKind::WrongKey, region.offset).into());
        }
    }
    Ok(bytes)
}

/// Reads bytes at an offset. Allocates only for bytes that the file has, not for those that `size`
/// states.
pub(in crate::unreal) fn read_at(
    pak: &mut (impl Read + Seek),
    offset: u64,
    size: u64,
) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    pak.seek(SeekFrom::Start(offset))?;
    pak.take(size).read_to_end(&mut bytes)?;
    let missing = size.saturating_sub(bytes.len() as u64);
    match u32::try_from(missing).unwrap_or(u32::MAX) {
        0 => Ok(bytes),
        missing => {
            let end = offset.saturating_add(bytes.len() as u64);
            Err(Error::new(ErrorKind::UnexpectedEnd { missing }, end).into())
        }
    }
}

impl Entry<'_> {
    /// Reads the file from a pak: decrypts and decompresses its data.
    ///
    /// # Errors
    /// If the pak cannot be read, the file is larger than `limit` bytes, its data are encrypted and
    /// there is no key, its data are malformed, or the codec fails. A wrong key is no error for
    /// data that are not compressed: the bytes are then wrong.
    pub fn read(
        &self,
        pak: &mut (impl Read + Seek),
        key: Option<&Key>,
        limit: usize,
        mut codec: impl Codec,
    ) -> Result<Vec<u8>, ReadError> {
        let limits = Limits { size: self.size, limit, is_encrypted: self.is_encrypted };
        let key = limits.key(key).map_err(|kind| self.error(kind))?;
        let blocks = self.blocks().map(|block| Ok((self.method, block?)));
        assemble(blocks, key, |block, size| read_at(pak, block.offset, size), &mut codec)
    }
}

/// The properties that decide whether a file can be read.
pub(in crate::unreal) struct Limits {
    pub size: u64,
    pub limit: usize,
    pub is_encrypted: bool,
}

impl Limits {
    /// Returns the key if the file is encrypted, and `None` otherwise. Returns an error if the file
    /// is too large or its key is missing.
    pub(in crate::unreal) fn key<'k>(
        &self,
        key: Option<&'k Key>,
    ) -> Result<Option<&'k Key>, ErrorKind> {
        let (size, limit) = (self.size, self.limit as u64);
        match (self.is_encrypted, key) {
            _ if size > limit => Err(ErrorKind::TooLarge { size, limit }),
            (true, None) => Err(ErrorKind::NeedsKey),
            (true, key) => Ok(key),
            (false, _) => Ok(None),
        }
    }
}

/// Reads the blocks of a file, decrypts them if there is a key, and decompresses them. `stored`
/// reads the given number of bytes from the start of a block.
pub(in crate::unreal) fn assemble<'a>(
    blocks: impl Iterator<Item = Result<(Method<'a>, Block), Error>>,
    key: Option<&Key>,
    mut stored: impl FnMut(&Block, u64) -> Result<Vec<u8>, ReadError>,
    codec: &mut impl Codec,
) -> Result<Vec<u8>, ReadError> {
    let mut file = Vec::new();
    for block in blocks {
        let (method, block) = block?;
        let on_disk = if key.is_some() { aligned(block.stored_size) } else { block.stored_size };
        let mut bytes = stored(&block, on_disk)?;
        if let Some(key) = key {
            key.decrypt(&mut bytes);
        }
        bytes.truncate(usize::try_from(block.stored_size).unwrap_or(usize::MAX));
        match method {
            Method::Stored if file.is_empty() && bytes.len() as u64 == block.size => file = bytes,
            _ => append(&mut file, method, &block, &bytes, codec)?,
        }
    }
    Ok(file)
}

/// Decompresses a block and appends it to `file`. For zlib, gzip and LZ4, allocates no more than
/// the stored bytes of the block can decompress to.
fn append(
    file: &mut Vec<u8>,
    method: Method<'_>,
    block: &Block,
    stored: &[u8],
    codec: &mut impl Codec,
) -> Result<(), ReadError> {
    let most = method.most(stored.len() as u64);
    if block.size > most {
        let (declared, found) = (block.size, most);
        return Err(Error::new(ErrorKind::SizesDiffer { declared, found }, block.offset).into());
    }
    let start = file.len();
    let size = usize::try_from(block.size).unwrap_or(usize::MAX);
    file.resize(start.saturating_add(size), 0);
    let to = file.get_mut(start..).unwrap_or_default();
    Ok(block.decompress(method, stored, to, codec)?)
}
