//! Decompresses zlib streams within limits, and compresses data so that an existing stream is
//! reproduced.

use crate::unreal::format::{CodecError, Error, ErrorKind, Result};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use miniz_oxide::deflate::core::{
    CompressorOxide, TDEFLFlush, TDEFLStatus, compress_to_output, create_comp_flags_from_zip_params,
};
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_PARSE_ZLIB_HEADER, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

const FLAGS: u32 = TINFL_FLAG_PARSE_ZLIB_HEADER | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;

/// Upper bound of the ratio between the decompressed and the compressed size. The longest match of
/// deflate is 258 bytes, and takes at least 2 bits.
const MAX_RATIO: u64 = 1032;

/// Returns `true` if the bytes begin like the zlib streams that games write, which have a window of
/// 32 KiB and no dictionary.
pub(super) fn is_zlib(bytes: &[u8]) -> bool {
    matches!(bytes, [0x78, 0x01 | 0x5E | 0x9C | 0xDA, ..])
}

/// Number of decompressed bytes that show what a stream contains.
pub(super) const HEAD: usize = 320;

/// Decompresses the start of a stream. Returns a buffer, and the number of bytes in it that are
/// valid.
pub(super) fn peek(stream: &[u8]) -> ([u8; HEAD], usize) {
    let mut head = [0; HEAD];
    let (_, _, len) = decompress(&mut Box::default(), stream, &mut head, 0, FLAGS);
    (head, len)
}

/// Decompresses a stream that begins at `offset` of the file. Returns the content, and the length
/// of the stream. `size` is the declared size of the content. If it is `None`, the buffer grows
/// while the stream is decompressed.
pub(super) fn inflate(
    stream: &[u8],
    size: Option<u64>,
    limit: usize,
    offset: u64,
) -> Result<(Vec<u8>, usize)> {
    let most = (stream.len() as u64).saturating_mul(MAX_RATIO);
    let within = usize::try_from(most).unwrap_or(usize::MAX).min(limit);
    let mut content = match size {
        Some(size) => allocate(size, most, limit, offset)?,
        None => vec![0; stream.len().saturating_mul(4).min(within)],
    };
    let mut state: Box<DecompressorOxide> = Box::default();
    let (mut read, mut written) = (0, 0);
    loop {
        let rest = stream.get(read..).unwrap_or_default();
        let (status, more, new) = decompress(&mut state, rest, &mut content, written, FLAGS);
        (read, written) = (read.saturating_add(more), written.saturating_add(new));
        match status {
            TINFLStatus::Done => break,
            TINFLStatus::HasMoreOutput if size.is_none() && content.len() < within => {
                content.resize(content.len().saturating_mul(2).clamp(1024.min(within), within), 0);
            }
            other => {
                let kind = failure(other, size, written as u64, limit);
                return Err(Error::new(kind, offset.saturating_add(read as u64)));
            }
        }
    }
    if let Some(declared) = size.filter(|size| *size != written as u64) {
        return Err(Error::new(ErrorKind::SizesDiffer { declared, found: written as u64 }, offset));
    }
    content.truncate(written);
    Ok((content, read))
}

/// Returns the kind of error for a stream that could not be decompressed.
fn failure(status: TINFLStatus, size: Option<u64>, written: u64, limit: usize) -> ErrorKind {
    match (status, size) {
        (TINFLStatus::HasMoreOutput, Some(declared)) => {
            ErrorKind::SizesDiffer { declared, found: written.saturating_add(1) }
        }
        (TINFLStatus::HasMoreOutput, None) => {
            ErrorKind::TooLarge { size: written.saturating_add(1), limit: limit as u64 }
        }
        (TINFLStatus::NeedsMoreInput | TINFLStatus::FailedCannotMakeProgress, _) => {
            ErrorKind::UnexpectedEnd { missing: 1 }
        }
        _ => ErrorKind::Codec(CodecError::Damaged),
    }
}

/// Allocates memory for data of a declared size. Returns an error if the size is larger than
/// `limit`, or larger than `most`, the largest size to which the compressed bytes can expand.
pub(super) fn allocate(size: u64, most: u64, limit: usize, offset: u64) -> Result<Vec<u8>> {
    let kind = match usize::try_from(size) {
        _ if size > most => ErrorKind::BadSize(size.cast_signed()),
        Ok(len) if len <= limit => return Ok(vec![0; len]),
        _ => ErrorKind::TooLarge { size, limit: limit as u64 },
    };
    Err(Error::new(kind, offset))
}

/// A compressor of zlib streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Deflate {
    /// The implementation.
    pub encoder: DeflateEncoder,
    /// The compression level.
    pub level: u8,
}

/// An implementation of the compression method deflate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum DeflateEncoder {
    /// miniz, which has the levels 0 to 10.
    Miniz,
}

/// The default is level 6, the default level of zlib.
impl Default for Deflate {
    fn default() -> Self {
        Self { encoder: DeflateEncoder::Miniz, level: 6 }
    }
}

impl Deflate {
    /// Returns the compressors to try, beginning with the most common level.
    pub(super) fn candidates() -> impl Iterator<Item = Self> {
        let levels = [6, 9, 1, 10, 2, 3, 4, 5, 7, 8, 0];
        levels.into_iter().map(|level| Self { encoder: DeflateEncoder::Miniz, level })
    }

    /// Compresses `plain`, and appends the stream to `to`.
    pub(super) fn compress(self, plain: &[u8], to: &mut Vec<u8>) {
        self.run(plain, |bytes| {
            to.extend_from_slice(bytes);
            true
        });
    }

    /// Returns `true` if the compressor returns exactly `stream` for `plain`. Stops at the first
    /// difference, and does not store the compressed bytes.
    pub(super) fn reproduces(self, plain: &[u8], stream: &[u8]) -> bool {
        let mut rest = stream;
        let is_same = self.run(plain, |bytes| match rest.strip_prefix(bytes) {
            Some(behind) => {
                rest = behind;
                true
            }
            None => false,
        });
        is_same && rest.is_empty()
    }

    /// Compresses `plain`, and calls `write` with each piece of the stream. Stops and returns
    /// `false` as soon as `write` returns `false`.
    fn run(self, plain: &[u8], mut write: impl FnMut(&[u8]) -> bool) -> bool {
        let DeflateEncoder::Miniz = self.encoder;
        let level = self.level.min(10).into();
        let flags = create_comp_flags_from_zip_params(level, 15, 0);
        let mut state = Box::new(CompressorOxide::new(flags));
        let mut rest = plain;
        loop {
            let (status, read) =
                compress_to_output(&mut state, rest, TDEFLFlush::Finish, &mut write);
            rest = rest.get(read..).unwrap_or_default();
            match status {
                TDEFLStatus::Okay => {}
                TDEFLStatus::Done => return true,
                _ => return false,
            }
        }
    }
}
