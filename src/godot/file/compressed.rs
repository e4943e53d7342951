use super::{Error, ErrorKind, Result};
use crate::buffer::Cursor;
use crate::compression::{Compression, Compressor, Decompressor};
use alloc::vec::Vec;
use zerocopy::byteorder::little_endian::U32;

pub(super) const SIGNATURE: &[u8; 4] = b"GCPF";

/// Block size of the files that engines write, in bytes.
pub const BLOCK_SIZE: u32 = 4096;

/// Maximum block size that [`Compressed::open`] accepts, in bytes. Engines write only blocks of
/// [`BLOCK_SIZE`], but read blocks of any size.
pub const MAX_BLOCK_SIZE: u32 = 1 << 20;

/// A view of a compressed file (`GCPF`) whose header has been read.
///
/// See [the module](super) for the bytes.
#[derive(Clone, Copy, Debug)]
pub struct Compressed<'a> {
    compression: Compression,
    block_size: u32,
    len: u32,
    sizes: &'a [U32],
    /// The bytes after the sizes.
    rest: &'a [u8],
    start: u64,
}

impl<'a> Compressed<'a> {
    /// Reads the header of a compressed file.
    ///
    /// # Errors
    /// Returns an error if the file does not begin with `GCPF`, if the compression is unknown, or
    /// if the file ends before the blocks. Also returns an error if the block size is 0 or exceeds
    /// [`MAX_BLOCK_SIZE`].
    pub fn open(file: &'a [u8]) -> Result<Self> {
        if !file.starts_with(SIGNATURE) {
            return Err(Error::new(ErrorKind::NoSignature("GCPF"), 0));
        }
        let mut cursor = Cursor::new(file);
        let [_, mode, block_size, len] = cursor.read::<[U32; 4]>()?.map(U32::get);
        let compression = Compression::from_mode(mode)
            .ok_or_else(|| Error::new(ErrorKind::UnknownCompression(mode), 4))?;
        let before_last = len
            .checked_div(block_size)
            .filter(|_| block_size <= MAX_BLOCK_SIZE)
            .ok_or_else(|| Error::new(ErrorKind::BadBlockSize(block_size), 8))?;
        let sizes = cursor.slice(before_last.saturating_add(1))?;
        let (rest, start) = (cursor.rest(), cursor.pos() as u64);
        Ok(Self { compression, block_size, len, sizes, rest, start })
    }

    /// Returns the compression of the blocks.
    pub fn compression(&self) -> Compression {
        self.compression
    }

    /// Returns the uncompressed size of each block except the last one, in bytes.
    pub fn block_size(&self) -> u32 {
        self.block_size
    }

    /// Returns the length of the content in bytes, according to the header.
    #[expect(clippy::len_without_is_empty, reason = "the length is that of the content")]
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Returns the blocks, without decompressing them.
    pub fn blocks(&self) -> Blocks<'a> {
        Blocks { file: *self, index: 0, rest: self.rest, offset: self.start }
    }

    /// Decompresses the content, which may have at most `limit` bytes. Memory grows only while
    /// blocks are decompressed, so a header that announces more bytes than the blocks contain does
    /// not cause a large allocation.
    ///
    /// # Errors
    /// Returns an error if a block is damaged, if a block does not have the length that the header
    /// announces, or if the content exceeds the limit.
    pub fn decompress(&self, limit: usize) -> Result<Vec<u8>> {
        self.check_len(limit)?;
        let mut content = Vec::new();
        let mut decompressor = Decompressor::new();
        for block in self.blocks() {
            let (block, start) = (block?, content.len());
            content.resize(start.saturating_add(block.len as usize), 0);
            let to = content.get_mut(start..).unwrap_or_default();
            block.decompress_into(to, &mut decompressor)?;
        }
        Ok(content)
    }

    /// Decompresses the content into `to`, and returns the part of `to` that contains it.
    ///
    /// # Errors
    /// Returns the errors of [`decompress`](Self::decompress). The limit is the length of `to`.
    pub fn decompress_into<'b>(&self, to: &'b mut [u8]) -> Result<&'b [u8]> {
        self.check_len(to.len())?;
        let mut decompressor = Decompressor::new();
        let mut rest = &mut *to;
        for block in self.blocks() {
            let block = block?;
            let Some((start, end)) = rest.split_at_mut_checked(block.len as usize) else { break };
            block.decompress_into(start, &mut decompressor)?;
            rest = end;
        }
        Ok(to.get(..self.len as usize).unwrap_or_default())
    }

    fn check_len(&self, limit: usize) -> Result<()> {
        let (len, limit) = (u64::from(self.len), limit as u64);
        match len <= limit {
            true => Ok(()),
            false => Err(Error::new(ErrorKind::TooLarge { len, limit }, 12)),
        }
    }
}

/// A block of a [`Compressed`] file.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// The compressed bytes.
    pub bytes: &'a [u8],
    /// Decompressed length of the block, in bytes.
    pub len: u32,
    /// Offset of the compressed bytes in the file.
    pub offset: u64,
    compression: Compression,
}

impl Block<'_> {
    /// Decompresses the block into `to`, which must have the length of the block.
    ///
    /// # Errors
    /// Returns an error if the block is damaged, or does not have the length that the header
    /// announces.
    pub fn decompress_into(&self, to: &mut [u8], decompressor: &mut Decompressor) -> Result<()> {
        let written = decompressor.decompress(self.compression, self.bytes, to);
        let found = written.map_err(|error| {
            Error::new(ErrorKind::Block(*error.kind()), self.offset.saturating_add(error.offset()))
        })?;
        let found = u32::try_from(found).unwrap_or(u32::MAX);
        match found == self.len {
            true => Ok(()),
            false => {
                let kind = ErrorKind::BlockLength { found, expected: self.len };
                Err(Error::new(kind, self.offset))
            }
        }
    }
}

/// The blocks of a [`Compressed`] file, in order. After an error, the iterator ends.
#[derive(Clone, Debug)]
pub struct Blocks<'a> {
    file: Compressed<'a>,
    /// Index of the next block.
    index: usize,
    rest: &'a [u8],
    offset: u64,
}

impl Blocks<'_> {
    /// Ends the iteration.
    pub(super) fn end(&mut self) {
        self.index = self.file.sizes.len();
    }
}

impl<'a> Iterator for Blocks<'a> {
    type Item = Result<Block<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let Compressed { compression, block_size, len, sizes, .. } = self.file;
        let size = sizes.get(self.index)?.get();
        let mut cursor = Cursor::new(self.rest);
        let offset = self.offset;
        let Some(bytes) = cursor.take(size.into()) else {
            self.end();
            return Some(Err(Error::from(cursor.unexpected_end(size.into())).shifted(offset)));
        };
        self.index = self.index.saturating_add(1);
        self.rest = cursor.rest();
        self.offset = offset.saturating_add(size.into());
        let is_last = self.index == sizes.len();
        let len = if is_last { len.checked_rem(block_size).unwrap_or(0) } else { block_size };
        Some(Ok(Block { bytes, len, offset, compression }))
    }
}

/// Compresses `content` in blocks of [`BLOCK_SIZE`] and returns a file in the form that
/// `open_compressed` writes.
///
/// # Errors
/// Returns an error if the content has 4 GiB or more. Also returns an error for Brotli, since no
/// engine writes it.
pub fn compress(content: &[u8], compression: Compression) -> Result<Vec<u8>> {
    let limit = u64::from(u32::MAX);
    let len = u32::try_from(content.len())
        .map_err(|_| Error::new(ErrorKind::TooLarge { len: content.len() as u64, limit }, 0))?;
    let (blocks, last) = content.as_chunks::<{ BLOCK_SIZE as usize }>();
    let blocks = || blocks.iter().map(<[u8; _]>::as_slice).chain([last]);
    let mut compressor = Compressor::new();
    let (mut sizes, mut compressed) = (Vec::new(), Vec::new());
    for block in blocks() {
        let start = compressed.len();
        compressor
            .compress(compression, block, &mut compressed)
            .map_err(|error| Error::new(ErrorKind::Block(*error.kind()), 0))?;
        let size = compressed.len().saturating_sub(start);
        sizes.extend(u32::try_from(size).unwrap_or(u32::MAX).to_le_bytes());
    }
    let header = [compression.mode(), BLOCK_SIZE, len].map(u32::to_le_bytes);
    Ok([SIGNATURE, header.as_flattened(), &sizes, &compressed, SIGNATURE].concat())
}
