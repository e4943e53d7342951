use super::encrypted::Decryptor;
use super::{BLOCK_SIZE, Blocks, Compressed, Encrypted, Key, Result};
use crate::compression::Decompressor;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use md5::{Digest, Md5};
#[cfg(feature = "std")]
use std::io;

/// A reader that returns the content of a compressed or encrypted file one block at a time. It
/// needs memory for one block.
///
/// With the feature `std` it implements [`std::io::Read`] and [`std::io::BufRead`].
///
/// ```
/// use gamewire::compression::Compression;
/// use gamewire::godot::file::{Compressed, compress};
///
/// let file = compress(&[7; 10_000], Compression::FastLz)?;
/// let mut reader = Compressed::open(&file)?.reader();
/// let mut lengths = Vec::new();
/// loop {
///     match reader.next_block()? {
///         [] => break,
///         block => lengths.push(block.len()),
///     }
/// }
/// assert_eq!(lengths, [4096, 4096, 1808]);
/// # Ok::<(), gamewire::godot::file::Error>(())
/// ```
pub struct BlockReader<'a> {
    source: Source<'a>,
    block: Vec<u8>,
    /// Number of bytes of `block` that [`std::io::Read`] has consumed.
    #[cfg(feature = "std")]
    consumed: usize,
}

enum Source<'a> {
    Compressed(Blocks<'a>, Decompressor),
    Encrypted(Box<Decryptor<'a>>),
}

impl<'a> Compressed<'a> {
    /// Returns a reader of the content. The reader needs memory for one block.
    pub fn reader(&self) -> BlockReader<'a> {
        BlockReader::new(Source::Compressed(self.blocks(), Decompressor::new()))
    }
}

impl<'a> Encrypted<'a> {
    /// Returns a reader of the content. The reader needs memory for 4096 bytes. Before it is
    /// returned, the whole content is decrypted once to check the MD5.
    ///
    /// # Errors
    /// Returns the errors of [`decrypt`](Self::decrypt).
    pub fn reader(&self, key: &Key) -> Result<BlockReader<'a>> {
        let reader = || BlockReader::new(Source::Encrypted(Box::new(self.decryptor(key))));
        let (mut first, mut md5) = (reader(), Md5::new());
        loop {
            match first.next_block()? {
                [] => break,
                block => md5.update(block),
            }
        }
        self.check(&md5.finalize().into())?;
        Ok(reader())
    }
}

impl<'a> BlockReader<'a> {
    fn new(source: Source<'a>) -> Self {
        Self {
            source,
            block: Vec::new(),
            #[cfg(feature = "std")]
            consumed: 0,
        }
    }

    /// Reads the next bytes of the content: one block of a compressed file, or up to 4096 bytes of
    /// an encrypted file. Returns an empty slice at the end.
    ///
    /// # Errors
    /// Returns an error if a block is damaged or does not have the announced length. After such an
    /// error, the reader is at its end.
    pub fn next_block(&mut self) -> Result<&[u8]> {
        let read = match &mut self.source {
            Source::Compressed(blocks, decompressor) => {
                next_compressed(blocks, decompressor, &mut self.block)
            }
            Source::Encrypted(decryptor) => {
                decryptor.next_block(&mut self.block, BLOCK_SIZE as usize);
                Ok(())
            }
        };
        if let Err(error) = read {
            self.block.clear();
            return Err(error);
        }
        Ok(&self.block)
    }
}

/// Decompresses the next block into `to`. The last block can be empty.
fn next_compressed(
    blocks: &mut Blocks<'_>,
    decompressor: &mut Decompressor,
    to: &mut Vec<u8>,
) -> Result<()> {
    to.clear();
    let Some(block) = blocks.next() else { return Ok(()) };
    let block = block?;
    to.resize(block.len as usize, 0);
    let result = block.decompress_into(to, decompressor);
    if result.is_err() {
        blocks.end();
    }
    result
}

#[cfg(feature = "std")]
impl io::BufRead for BlockReader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.consumed >= self.block.len() {
            self.consumed = 0;
            let invalid = |error| io::Error::new(io::ErrorKind::InvalidData, error);
            self.next_block().map_err(invalid)?;
        }
        Ok(self.block.get(self.consumed..).unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        self.consumed = self.consumed.saturating_add(amount);
    }
}

#[cfg(feature = "std")]
impl io::Read for BlockReader<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = io::Read::read(&mut io::BufRead::fill_buf(self)?, to)?;
        io::BufRead::consume(self, read);
        Ok(read)
    }
}

impl fmt::Debug for BlockReader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockReader").finish_non_exhaustive()
    }
}
