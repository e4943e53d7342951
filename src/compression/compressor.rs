use super::decompressor::FASTLZ_MIN;
use super::{Compression, Error, ErrorKind, Result, fastlz, gzip};
use alloc::{boxed::Box, vec::Vec};
use core::fmt;
use core::mem::take;
use miniz_oxide::DataFormat;
use miniz_oxide::deflate::core::{CompressorOxide, TDEFLFlush, TDEFLStatus, compress_to_output};
use ruzstd::encoding::{CompressionLevel, FrameCompressor, MatchGeneratorDriver};
use ruzstd::io;

/// Level of deflate: Godot's default.
const DEFLATE_LEVEL: u8 = 6;

/// Compresses blocks. Allocates its tables when it first needs them, and reuses them.
///
/// FastLZ blocks are identical to those of Godot (see [`fastlz::compress`]). Blocks in the other
/// compressions differ from Godot's, because this module uses different libraries, but Godot can
/// read them.
///
/// FastLZ does not allocate anything but the block itself. The libraries of the other compressions
/// also allocate tables for each block, since they cannot reuse them: deflate and gzip 64 KiB,
/// Zstandard about 400 KiB.
#[derive(Default)]
pub struct Compressor {
    deflate: Option<Box<CompressorOxide>>,
    zstd: Option<Box<ZstdEncoder>>,
}

type ZstdEncoder = FrameCompressor<Source, Vec<u8>, MatchGeneratorDriver>;

impl Compressor {
    /// Creates a compressor. Does not allocate.
    pub const fn new() -> Self {
        Self { deflate: None, zstd: None }
    }

    /// Compresses `plain` into one block, and appends it to `out`.
    ///
    /// For FastLZ, content of less than 16 bytes is padded with zeros, as Godot expects; see
    /// [`Decompressor::decompress`](super::Decompressor::decompress).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unsupported`] for Brotli, which Godot does not write.
    pub fn compress(
        &mut self,
        compression: Compression,
        plain: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<()> {
        match compression {
            Compression::FastLz if plain.len() < FASTLZ_MIN => {
                let mut padded = [0; FASTLZ_MIN];
                padded.iter_mut().zip(plain).for_each(|(to, from)| *to = *from);
                fastlz::compress(&padded, out);
            }
            Compression::FastLz => fastlz::compress(plain, out),
            Compression::Deflate => self.deflate(DataFormat::Zlib, plain, out),
            Compression::Gzip => {
                gzip::compress(plain, out, |out| self.deflate(DataFormat::Raw, plain, out));
            }
            Compression::Zstd => self.zstd(plain, out),
            Compression::Brotli => return Err(Error::new(ErrorKind::Unsupported, 0)),
        }
        Ok(())
    }

    fn deflate(&mut self, format: DataFormat, plain: &[u8], out: &mut Vec<u8>) {
        let state = self.deflate.get_or_insert_with(Box::default);
        state.reset();
        state.set_format_and_level(format, DEFLATE_LEVEL);
        let mut rest = plain;
        loop {
            let (status, read) = compress_to_output(state, rest, TDEFLFlush::Finish, |bytes| {
                out.extend_from_slice(bytes);
                true
            });
            rest = rest.get(read..).unwrap_or_default();
            if status != TDEFLStatus::Okay {
                return;
            }
        }
    }

    fn zstd(&mut self, plain: &[u8], out: &mut Vec<u8>) {
        let encoder =
            self.zstd.get_or_insert_with(|| Box::new(ZstdEncoder::new(CompressionLevel::Fastest)));
        let mut source = encoder.take_source().unwrap_or_default();
        source.refill(plain);
        encoder.set_source(source);
        encoder.set_drain(take(out));
        encoder.compress();
        *out = encoder.take_drain().unwrap_or_default();
    }
}

impl fmt::Debug for Compressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compressor").finish_non_exhaustive()
    }
}

/// A copy of the content. The encoder is reused, so it cannot borrow the content.
#[derive(Default)]
struct Source {
    bytes: Vec<u8>,
    pos: usize,
}

impl Source {
    fn refill(&mut self, plain: &[u8]) {
        self.bytes.clear();
        self.bytes.extend_from_slice(plain);
        self.pos = 0;
    }
}

impl io::Read for Source {
    fn read(&mut self, buf: &mut [u8]) -> core::result::Result<usize, io::Error> {
        let rest = self.bytes.get(self.pos..).unwrap_or_default();
        let len = buf.iter_mut().zip(rest).map(|(to, from)| *to = *from).count();
        self.pos = self.pos.saturating_add(len);
        Ok(len)
    }
}
