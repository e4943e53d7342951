//! The table of contents.

use super::chunk::Chunk;
use super::chunk_id::ChunkId;
use super::directory::{Directory, Files};
use super::header::{Header, MAGIC};
use super::table::{Methods, Table};
use crate::unreal::format::{FileCursor, Guid, Result, StrRef};
use crate::unreal::pak::{LAYOUT, relative, trimmed};

/// A view of the table of contents of a container (`.utoc`).
#[derive(Clone, Debug)]
pub struct Toc<'a> {
    pub(super) table: Table<'a>,
    ids: &'a [[u8; 12]],
    places: &'a [[u8; 10]],
    /// Offset of `places` in the `.utoc`, in bytes.
    places_offset: u64,
    /// The offset and the size of the directory index.
    directory_region: (u64, u64),
    pub(super) directory: Option<Directory<'a>>,
    metas: &'a [u8],
}

impl<'a> Toc<'a> {
    /// Returns `true` if a file begins with the magic number of a table of contents.
    ///
    /// ```
    /// use gamewire::unreal::iostore::Toc;
    ///
    /// assert!(Toc::is_toc(b"-==--==--==--==-\x08"));
    /// assert!(!Toc::is_toc(b"GVAS"));
    /// ```
    pub fn is_toc(head: &[u8]) -> bool {
        head.starts_with(MAGIC)
    }

    /// Reads a table of contents. If the container is encrypted, its paths are unknown until
    /// [`with_directory`](Self::with_directory) adds them. Takes linear time in the size of the
    /// directory index, or constant time if it is encrypted or missing.
    ///
    /// # Errors
    /// If the bytes are not a table of contents of versions 1 to 8, or are malformed or truncated.
    pub fn open(toc: &'a [u8]) -> Result<Self> {
        let from = &mut FileCursor::new(toc, 0);
        let header = Header::read(from)?;
        let ids = rows(from, header.chunks)?;
        let places_offset = from.offset();
        let places = rows(from, header.chunks)?;
        rows::<4>(from, header.seeds)?;
        rows::<4>(from, header.without_hash)?;
        let blocks = rows(from, header.blocks)?;
        let size = u64::from(header.methods).saturating_mul(header.method_size.into());
        let names = from.bytes(size)?;
        let methods = Methods { names, size: header.method_size as usize };
        if header.is_signed() {
            let size = from.read::<u32>(LAYOUT)?;
            from.bytes(u64::from(size).saturating_mul(2))?;
            rows::<20>(from, header.blocks)?;
        }
        let directory_region = (from.offset(), u64::from(header.directory_size));
        let bytes = from.bytes(header.directory_size.into())?;
        let (_, each) = header.meta_sizes();
        let metas = from.bytes(u64::from(header.chunks).saturating_mul(each as u64))?;
        let directory = None;
        let toc = Self {
            table: Table { header, blocks, methods },
            ids,
            places,
            places_offset,
            directory_region,
            directory,
            metas,
        };
        if bytes.is_empty() || header.is_encrypted() {
            return Ok(toc);
        }
        toc.with_directory(bytes)
    }

    /// Adds the paths of an encrypted container. `bytes` must be the decrypted bytes of the
    /// [`directory_region`](Self::directory_region). Takes linear time.
    ///
    /// # Errors
    /// If the directory index is truncated, or its mount point is malformed.
    pub fn with_directory(mut self, bytes: &'a [u8]) -> Result<Self> {
        self.directory = Some(Directory::read(bytes, self.directory_region.0)?);
        Ok(self)
    }

    /// Stores the offset of each name in the directory index, which makes [`files`](Self::files)
    /// and [`find`](Self::find) faster. The offsets take four bytes per name.
    #[cfg(feature = "alloc")]
    pub fn index_names(&mut self) {
        if let Some(directory) = &mut self.directory {
            directory.index_names();
        }
    }

    /// Returns the offset and the size of the directory index in the `.utoc`, in bytes. The size is
    /// 0 if there is no directory index.
    pub const fn directory_region(&self) -> (u64, u64) {
        self.directory_region
    }

    /// Returns the version, 1 to 8.
    pub const fn version(&self) -> u8 {
        self.table.header.version
    }

    /// Returns the identifier of the container.
    pub const fn container_id(&self) -> u64 {
        self.table.header.container_id
    }

    /// Returns the GUID that the engine uses to find the key.
    pub const fn key_guid(&self) -> Guid {
        self.table.header.key_guid
    }

    /// Returns `true` if the flags of the container say that its chunks are compressed.
    pub const fn is_compressed(&self) -> bool {
        self.table.header.is_compressed()
    }

    /// Returns `true` if the container is encrypted, including its directory index and all blocks.
    pub const fn is_encrypted(&self) -> bool {
        self.table.header.is_encrypted()
    }

    /// Returns `true` if the container is signed. The signatures are not verified.
    pub const fn is_signed(&self) -> bool {
        self.table.header.is_signed()
    }

    /// Returns the size of a block after decompression, in bytes. The last block of a chunk can be
    /// smaller.
    pub const fn block_size(&self) -> u32 {
        self.table.header.block_size
    }

    /// Returns the number of partitions. Each partition is one `.ucas` file.
    pub const fn partitions(&self) -> u32 {
        self.table.header.partitions
    }

    /// Returns the maximum size of a partition in bytes, or `u64::MAX` if there is no limit.
    pub const fn partition_size(&self) -> u64 {
        self.table.header.partition_size
    }

    /// Returns the names of the compression methods.
    pub fn methods(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        let methods = self.table.methods;
        let names = methods.names.chunks_exact(methods.size.max(1)).map(trimmed);
        names.filter_map(|name| core::str::from_utf8(name).ok().filter(|name| !name.is_empty()))
    }

    /// Returns the folder at which the game sees the files of the container, such as `../../../`.
    pub fn mount_point(&self) -> StrRef<'a> {
        self.directory.as_ref().map(|directory| directory.mount_point).unwrap_or_default()
    }

    /// Returns `true` if the paths of chunks are known.
    pub const fn has_paths(&self) -> bool {
        self.directory.is_some()
    }

    /// Returns the number of chunks.
    pub const fn count(&self) -> u32 {
        self.table.header.chunks
    }

    /// Returns the chunk with this index, or `None` if there are not that many chunks. Works in
    /// constant time. Returns an error if the blocks of the chunk are not in the table or overlap,
    /// or if its compression method is unknown.
    pub fn chunk(&self, index: u32) -> Option<Result<Chunk<'a>>> {
        let (id, place) = (self.ids.get(index as usize)?, self.places.get(index as usize)?);
        let (hash, each) = self.table.header.meta_sizes();
        let start = (index as usize).saturating_mul(each);
        let meta = self.metas.get(start..).unwrap_or_default();
        let (hash, flags) = meta.split_at_checked(hash)?;
        let offset = u64::from(index).saturating_mul(10).saturating_add(self.places_offset);
        Some(Chunk::of_row(&self.table, ChunkId(*id), place, offset, hash, *flags.first()?))
    }

    /// Returns the identifier of a chunk.
    pub(super) fn id(&self, index: u32) -> ChunkId {
        ChunkId(self.ids.get(index as usize).copied().unwrap_or_default())
    }

    /// Returns the chunks, in the order of the table. A malformed chunk is an error, after which
    /// the iterator continues.
    pub fn chunks(&self) -> impl Iterator<Item = Result<Chunk<'a>>> + '_ {
        (0..self.count()).filter_map(|index| self.chunk(index))
    }

    /// Returns the paths of chunks, each with the index of its chunk.
    pub fn files(&self) -> Files<'a, '_> {
        self.directory.as_ref().map_or_else(|| Files::of(None), Directory::files)
    }

    /// Finds a chunk by its path, or by its [`ChunkId`] as `Display` prints it. The path can be
    /// relative to the mount point or begin with it, with or without the leading `../../../`. An
    /// exact match is preferred to one that ignores ASCII case.
    ///
    /// Compares `path` with all paths. Returns an error if the chunk is malformed, or `None` if
    /// there is no such chunk.
    pub fn find(&self, path: &str) -> Option<Result<Chunk<'a>>> {
        let path = path.strip_prefix('/').unwrap_or(path);
        let names = [Some(path), relative(path, self.mount_point())];
        let names = || names.into_iter().flatten();
        let mut other = None;
        // Of several files with the path, some may have no chunk.
        for file in self.files().flatten().filter(|file| file.chunk < self.count()) {
            if names().any(|name| file.path.is(name)) {
                return self.chunk(file.chunk);
            }
            if other.is_none() && names().any(|name| file.path.is_ignoring_case(name)) {
                other = Some(file.chunk);
            }
        }
        match (other, id(path)) {
            (Some(index), _) => self.chunk(index),
            (None, Some(id)) => self.find_chunk(id),
            (None, None) => None,
        }
    }

    /// Finds a chunk by its identifier. Compares `id` with all identifiers.
    pub fn find_chunk(&self, id: ChunkId) -> Option<Result<Chunk<'a>>> {
        let index = self.ids.iter().position(|other| *other == id.0)?;
        self.chunk(u32::try_from(index).ok()?)
    }
}

/// Reads rows of `N` bytes.
fn rows<'a, const N: usize>(from: &mut FileCursor<'a>, count: u32) -> Result<&'a [[u8; N]]> {
    Ok(from.bytes(u64::from(count).saturating_mul(N as u64))?.as_chunks().0)
}

/// Reads an identifier in hexadecimal digits.
fn id(text: &str) -> Option<ChunkId> {
    let (digits, rest) = text.as_bytes().as_chunks::<2>();
    let digits: &[[u8; 2]; 12] = digits.try_into().ok().filter(|_| rest.is_empty())?;
    let mut id = [0; 12];
    for (byte, pair) in id.iter_mut().zip(digits) {
        let [high, low] = pair.map(|digit| char::from(digit).to_digit(16));
        *byte = u8::try_from(high?.checked_mul(16)?.checked_add(low?)?).ok()?;
    }
    Some(ChunkId(id))
}
