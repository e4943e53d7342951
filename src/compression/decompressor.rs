#[cfg(not(gamewire_small))]
use super::brotli;
use super::{Compression, Error, ErrorKind, Result, fastlz, gzip, inflate, zstd};
use alloc::boxed::Box;
use core::fmt;
use miniz_oxide::inflate::core::DecompressorOxide;

/// Godot compresses FastLZ blocks of at least this many bytes, and pads shorter content with zeros.
pub(crate) const FASTLZ_MIN: usize = 16;

/// Decompresses blocks. Allocates its tables when it first needs them, and reuses them.
///
/// FastLZ never allocates, and deflate and gzip allocate only for the first block. Zstandard
/// allocates if a frame needs a larger window than all earlier frames. Brotli allocates all tables
/// for each block, because its library cannot reuse them.
///
/// | compression | memory | checked | bytes after the end |
/// |---|---|---|---|
/// | FastLZ | none | | none: a block has no end mark |
/// | deflate | 10 KiB | Adler-32 | ignored |
/// | gzip | 10 KiB | CRC-32, length | ignored |
/// | Zstandard | 300 KiB, and twice the window | checksum and length, if present | further frames are decompressed, other bytes refused |
/// | Brotli | 16 MiB at most, freed after each block | | ignored |
///
/// Godot treats bytes after the end in the same way.
#[derive(Default)]
pub struct Decompressor {
    inflate: Option<Box<DecompressorOxide>>,
    zstd: Option<Box<zstd::Decoder>>,
}

impl Decompressor {
    /// Creates a decompressor. Does not allocate.
    pub const fn new() -> Self {
        Self { inflate: None, zstd: None }
    }

    /// Decompresses one block into `out`, and returns the number of bytes written.
    ///
    /// Before Godot compresses content of less than 16 bytes with FastLZ, it pads the content with
    /// zeros to 16 bytes (`core/io/compression.cpp`). If `out` has less than 16 bytes, this
    /// function therefore decompresses a FastLZ block into 16 bytes, and copies as many of them as
    /// fit into `out`.
    ///
    /// ```
    /// use gamewire::compression::{Compression, Decompressor};
    ///
    /// let block = b"\x78\x9c\xf3\x48\xcd\xc9\xc9\xd7\x51\xa8\xca\xc9\x4c\x52\x04\x00\x1b\x65\x04\x13";
    /// let mut plain = [0; 64];
    /// let len = Decompressor::new().decompress(Compression::Deflate, block, &mut plain)?;
    /// assert_eq!(&plain[..len], b"Hello, zlib!");
    /// # Ok::<(), gamewire::compression::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the block is truncated, is damaged, or does not match its checksum, or
    /// if the content does not fit in `out`. Also returns an error if a Zstandard block needs a
    /// dictionary, or a window of more than 8 MiB. `out` then holds unspecified bytes.
    pub fn decompress(
        &mut self,
        compression: Compression,
        block: &[u8],
        out: &mut [u8],
    ) -> Result<usize> {
        if block.is_empty() {
            return Err(Error::new(ErrorKind::UnexpectedEnd, 0));
        }
        match compression {
            Compression::FastLz if out.len() < FASTLZ_MIN => short_fastlz(block, out),
            Compression::FastLz => fastlz::decompress(block, out),
            Compression::Deflate => inflate::zlib(self.inflate(), block, out),
            Compression::Gzip => gzip::decompress(self.inflate(), block, out),
            Compression::Zstd => {
                let decoder = self.zstd.get_or_insert_with(|| Box::new(zstd::Decoder::new()));
                zstd::decompress(decoder, block, out)
            }
            // No engine writes Brotli, and its dictionary is large.
            #[cfg(gamewire_small)]
            Compression::Brotli => Err(Error::new(ErrorKind::Unsupported, 0)),
            #[cfg(not(gamewire_small))]
            Compression::Brotli => brotli::decompress(block, out),
        }
    }

    fn inflate(&mut self) -> &mut DecompressorOxide {
        self.inflate.get_or_insert_with(Box::default)
    }
}

impl fmt::Debug for Decompressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decompressor").finish_non_exhaustive()
    }
}

/// Decompresses content that may be padded to 16 bytes.
fn short_fastlz(block: &[u8], out: &mut [u8]) -> Result<usize> {
    let mut padded = [0; FASTLZ_MIN];
    let len = fastlz::decompress(block, &mut padded)?;
    let content = padded.iter().take(len);
    Ok(out.iter_mut().zip(content).map(|(to, from)| *to = *from).count())
}
