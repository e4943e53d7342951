use super::method::Method;
use crate::unreal::format::CodecError;
use miniz_oxide::inflate::decompress_slice_iter_to_slice;

/// Decompresses zlib and LZ4 data, and returns the number of decompressed bytes. A caller can add
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
/// neither zlib nor LZ4.
pub fn standard_codec(method: Method<'_>, from: &[u8], to: &mut [u8]) -> Result<usize, CodecError> {
    match method {
        Method::Zlib => decompress_slice_iter_to_slice(to, core::iter::once(from), true, false)
            .map_err(|_| CodecError::Damaged),
        Method::Lz4 => lz4_flex::block::decompress_into(from, to).map_err(|_| CodecError::Damaged),
        _ => Err(CodecError::Unsupported),
    }
}
