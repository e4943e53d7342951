use super::method::Method;
use crate::unreal::format::CodecError;
use alloc::vec::Vec;

/// A function that compresses its second argument with the method in its first argument, and
/// appends the result to its third argument.
///
/// With the feature `unreal-compression`, `standard_encoder` is an encoder for zlib and LZ4.
pub trait Encoder: FnMut(Method<'_>, &[u8], &mut Vec<u8>) -> Result<(), CodecError> {}

impl<F: FnMut(Method<'_>, &[u8], &mut Vec<u8>) -> Result<(), CodecError>> Encoder for F {}

/// The compression level that the engine uses, which is the default of zlib.
#[cfg(feature = "unreal-compression")]
const ZLIB_LEVEL: u8 = 6;

/// Compresses bytes with zlib or LZ4, and appends the result to `to`. For [`Method::Stored`],
/// appends the bytes unchanged.
///
/// # Errors
/// If the method is one for which gamewire has no encoder, such as Oodle.
#[cfg(feature = "unreal-compression")]
pub fn standard_encoder(
    method: Method<'_>,
    from: &[u8],
    to: &mut Vec<u8>,
) -> Result<(), CodecError> {
    match method {
        Method::Stored => to.extend_from_slice(from),
        Method::Zlib => to.extend(miniz_oxide::deflate::compress_to_vec_zlib(from, ZLIB_LEVEL)),
        Method::Lz4 => to.extend(lz4_flex::block::compress(from)),
        _ => return Err(CodecError::Unsupported),
    }
    Ok(())
}
