//! The container of binary streams: `RemsEngineZZ`, followed by a zlib stream.

#[cfg(feature = "rems-container")]
use super::{Error, ErrorKind, Result, error::fail};
#[cfg(feature = "rems-container")]
use alloc::{boxed::Box, vec, vec::Vec};
#[cfg(feature = "rems-container")]
use miniz_oxide::inflate::core::{DecompressorOxide, decompress as inflate, inflate_flags};
#[cfg(feature = "rems-container")]
use miniz_oxide::inflate::{TINFLStatus, decompress_slice_iter_to_slice};

const MARK: &[u8] = b"RemsEngineZZ";

/// Returns `true` if a file is a compressed container, the format of binary files since September
/// 2024.
///
/// ```
/// assert!(gamewire::rems::is_container(b"RemsEngineZZ\x78\x9C"));
/// ```
pub fn is_container(bytes: &[u8]) -> bool {
    bytes.starts_with(MARK)
}

/// Decompresses a container to at most `limit` bytes.
///
/// # Errors
/// If `bytes` is not a container, if its data is damaged, or if the content exceeds the limit.
#[cfg(feature = "rems-container")]
pub fn decompress(bytes: &[u8], limit: usize) -> Result<Vec<u8>> {
    decompress_prefix(bytes, limit).map(|(content, _)| content)
}

/// Decompresses a container to at most `limit` bytes. Returns the content, and the bytes after the
/// compressed data, which engines ignore.
///
/// ```
/// use gamewire::rems::{compress, decompress_prefix};
///
/// let file = [&compress(b"a stream", 6)[..], b"rest"].concat();
/// assert_eq!(decompress_prefix(&file, 100)?, (b"a stream".to_vec(), &b"rest"[..]));
/// # Ok::<(), gamewire::rems::Error>(())
/// ```
///
/// # Errors
/// See [`decompress`].
#[cfg(feature = "rems-container")]
pub fn decompress_prefix(bytes: &[u8], limit: usize) -> Result<(Vec<u8>, &[u8])> {
    const FLAGS: u32 = inflate_flags::TINFL_FLAG_PARSE_ZLIB_HEADER
        | inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let mut rest = zlib(bytes)?;
    let mut content = vec![0; rest.len().saturating_mul(2).max(64).min(limit)];
    let mut state = Box::<DecompressorOxide>::default();
    let mut len = 0usize;
    loop {
        let (status, read, written) = inflate(&mut state, rest, &mut content, len, FLAGS);
        rest = rest.get(read..).unwrap_or_default();
        len = len.saturating_add(written);
        match status {
            TINFLStatus::Done => {
                content.truncate(len);
                return Ok((content, rest));
            }
            TINFLStatus::HasMoreOutput if content.len() < limit => {
                content.resize(content.len().saturating_mul(2).min(limit), 0);
            }
            status => return Err(failed(status, limit)),
        }
    }
}

/// Decompresses a container into `to`. Returns the length of the content in bytes.
///
/// # Errors
/// If `bytes` is not a container, if its data is damaged, or if the content does not fit in `to`.
#[cfg(feature = "rems-container")]
pub fn decompress_into(bytes: &[u8], to: &mut [u8]) -> Result<usize> {
    let (zlib, limit) = (core::iter::once(zlib(bytes)?), to.len());
    decompress_slice_iter_to_slice(to, zlib, true, false).map_err(|status| failed(status, limit))
}

/// Compresses a stream into a container. `level` is 0 to 9; the engine uses 6.
///
/// The engine can read the result, but its own zlib would produce different bytes.
///
/// ```
/// use gamewire::rems::{compress, decompress};
///
/// let container = compress(b"a stream", 6);
/// assert!(container.starts_with(b"RemsEngineZZ\x78\x9C"));
/// assert_eq!(decompress(&container, 100)?, b"a stream");
/// # Ok::<(), gamewire::rems::Error>(())
/// ```
#[cfg(feature = "rems-container")]
pub fn compress(stream: &[u8], level: u8) -> Vec<u8> {
    let zlib = miniz_oxide::deflate::compress_to_vec_zlib(stream, level.min(9));
    [MARK, &zlib].concat()
}

#[cfg(feature = "rems-container")]
fn zlib(bytes: &[u8]) -> Result<&[u8]> {
    bytes.strip_prefix(MARK).ok_or_else(|| fail(ErrorKind::NotAContainer, 0))
}

#[cfg(feature = "rems-container")]
#[cold]
fn failed(status: TINFLStatus, limit: usize) -> Error {
    let kind = match status {
        TINFLStatus::HasMoreOutput => ErrorKind::TooLarge { limit: limit as u64 },
        _ => ErrorKind::Damaged,
    };
    fail(kind, MARK.len() as u64)
}
