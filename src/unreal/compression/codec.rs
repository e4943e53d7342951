use super::method::Method;
#[cfg(feature = "compression")]
use crate::compression::{Compression, Decompressor, ErrorKind};
use crate::unreal::format::CodecError;
use miniz_oxide::inflate::decompress_slice_iter_to_slice;

/// Decompresses zlib and LZ4 data, with the feature `compression` also Zstandard data, and with the
/// feature `brotli` also Brotli data. Returns the number of decompressed bytes. A caller can add
/// other methods, such as [`Method::Oodle`]:
///
/// ```
/// use gamewire::unreal::compression::{CodecError, Method, standard_codec};
///
/// # fn oodle(_: &[u8], _: &mut [u8]) -> Result<usize, CodecError> { Ok(0) }
/// let codec = |method: Method<'_>, from: &[u8], to: &mut [u8]| match method {
///     Method::Oodle => oodle(from, to),
///     other => standard_codec(other, from, to),
/// };
/// # let _ = codec;
/// ```
///
/// # Errors
/// If the bytes are damaged, if they decompress to more bytes than `to` has, or if the method is
/// not supported. Also if a Zstandard frame needs a window of more than 8 MiB.
pub fn standard_codec(method: Method<'_>, from: &[u8], to: &mut [u8]) -> Result<usize, CodecError> {
    match method {
        Method::Zlib => decompress_slice_iter_to_slice(to, core::iter::once(from), true, false)
            .map_err(|_| CodecError::Damaged),
        Method::Lz4 => lz4_flex::block::decompress_into(from, to).map_err(|_| CodecError::Damaged),
        #[cfg(feature = "compression")]
        Method::Zstd => general(Compression::Zstd, from, to),
        #[cfg(feature = "compression")]
        Method::Brotli => general(Compression::Brotli, from, to),
        _ => Err(CodecError::Unsupported),
    }
}

#[cfg(feature = "compression")]
fn general(of: Compression, from: &[u8], to: &mut [u8]) -> Result<usize, CodecError> {
    Decompressor::new().decompress(of, from, to).map_err(|error| match error.kind() {
        ErrorKind::Unsupported | ErrorKind::WindowTooLarge { .. } => CodecError::Unsupported,
        _ => CodecError::Damaged,
    })
}
