//! Reads containers from files on disk.

use super::chunk::Chunk;
use super::toc::Toc;
use crate::unreal::compression::Codec;
use crate::unreal::format::{Error, ErrorKind};
use crate::unreal::pak::{Key, Limits, ReadError, assemble, read_at, slice};
use alloc::vec::Vec;
use std::io::{self, Read, Seek};

/// A table of contents, read from a file on disk, with its directory index decrypted.
///
/// ```
/// use gamewire::unreal::compression::standard_codec;
/// use gamewire::unreal::iostore::TocBuf;
/// use std::fs::File;
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let buf = TocBuf::load(&mut File::open("corpus/unreal-iostore/v8.utoc")?, None)?;
/// let toc = buf.toc()?;
/// let chunk = toc.find("Content/Tiny.uasset").unwrap()?;
/// let open = |_| File::open("corpus/unreal-iostore/v8.ucas");
/// let bytes = chunk.read(open, None, 1 << 20, standard_codec)?;
/// assert_eq!(bytes.len() as u64, chunk.size);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TocBuf {
    bytes: Vec<u8>,
    /// The decrypted directory index.
    directory: Option<Vec<u8>>,
}

impl TocBuf {
    /// Reads a table of contents. Decrypts its directory index if it is encrypted.
    ///
    /// # Errors
    /// If the file cannot be read, the directory index is encrypted and the key is missing or
    /// wrong, or [`Toc::open`] fails.
    pub fn load(utoc: &mut impl Read, key: Option<&Key>) -> Result<Self, ReadError> {
        let mut bytes = Vec::new();
        utoc.read_to_end(&mut bytes)?;
        let toc = Toc::open(&bytes)?;
        let (offset, size) = toc.directory_region();
        let mut directory = None;
        if toc.is_encrypted() && size > 0 {
            let key = key.ok_or(Error::new(ErrorKind::NeedsKey, offset))?;
            let mut decrypted = slice(&bytes, offset, size)?.to_vec();
            key.decrypt(&mut decrypted);
            if toc.with_directory(&decrypted).is_err() {
                return Err(Error::new(ErrorKind::WrongKey, offset).into());
            }
            directory = Some(decrypted);
        }
        Ok(Self { bytes, directory })
    }

    /// Returns a view of the table of contents. Stores the offset of each name, as
    /// [`Toc::index_names`] does.
    ///
    /// # Errors
    /// Returns the errors of [`Toc::open`]. None is expected, because [`load`](Self::load) has
    /// already opened the table of contents.
    pub fn toc(&self) -> Result<Toc<'_>, Error> {
        let mut toc = Toc::open(&self.bytes)?;
        if let Some(directory) = &self.directory {
            toc = toc.with_directory(directory)?;
        }
        toc.index_names();
        Ok(toc)
    }
}

impl Chunk<'_> {
    /// Reads the blocks of the chunk, decrypts them if needed, and decompresses them. `open` must
    /// open the partition with the given index: the file named `….ucas` for 0, `…_s1.ucas` for 1,
    /// and so on.
    ///
    /// # Errors
    /// If a partition cannot be opened or read, the chunk is larger than `limit` bytes, the
    /// container is encrypted and there is no key, the blocks are malformed, or the codec fails. A
    /// wrong key is not noticed if the blocks are not compressed.
    pub fn read<F: Read + Seek>(
        &self,
        mut open: impl FnMut(u32) -> io::Result<F>,
        key: Option<&Key>,
        limit: usize,
        mut codec: impl Codec,
    ) -> Result<Vec<u8>, ReadError> {
        let limits = Limits { size: self.size, limit, is_encrypted: self.is_encrypted };
        let key = limits.key(key).map_err(|kind| self.error(kind))?;
        let mut blocks = self.blocks();
        let mut places = self.blocks();
        let mut opened = None;
        let blocks =
            core::iter::from_fn(|| Some(blocks.next()?.map(|part| (part.method, part.block))));
        let stored = |_: &_, size| {
            let Some(part) = places.next().transpose()? else { return Ok(Vec::new()) };
            let file = match opened.take() {
                Some((index, file)) if index == part.partition => file,
                _ => open(part.partition)?,
            };
            let (_, file) = opened.insert((part.partition, file));
            read_at(file, part.offset, size)
        };
        assemble(blocks, key, stored, &mut codec)
    }
}
