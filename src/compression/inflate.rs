use super::{Error, ErrorKind, Result};
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

/// Decompresses a zlib stream, and returns the number of bytes written.
pub(super) fn zlib(state: &mut DecompressorOxide, block: &[u8], out: &mut [u8]) -> Result<usize> {
    let flags = inflate_flags::TINFL_FLAG_PARSE_ZLIB_HEADER;
    inflate(state, block, out, flags).map(|(_, written)| written)
}

/// Decompresses a deflate stream without a header. Returns the numbers of bytes read and written.
pub(super) fn raw(
    state: &mut DecompressorOxide,
    block: &[u8],
    out: &mut [u8],
) -> Result<(usize, usize)> {
    inflate(state, block, out, 0)
}

fn inflate(
    state: &mut DecompressorOxide,
    block: &[u8],
    out: &mut [u8],
    flags: u32,
) -> Result<(usize, usize)> {
    state.init();
    let flags = flags | inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let (status, read, written) = decompress(state, block, out, 0, flags);
    let kind = match status {
        TINFLStatus::Done => return Ok((read, written)),
        TINFLStatus::HasMoreOutput => ErrorKind::TooLong { limit: out.len() as u64 },
        TINFLStatus::FailedCannotMakeProgress | TINFLStatus::NeedsMoreInput => {
            ErrorKind::UnexpectedEnd
        }
        TINFLStatus::Adler32Mismatch => ErrorKind::Mismatch,
        _ => ErrorKind::Malformed,
    };
    Err(Error::new(kind, read as u64))
}
