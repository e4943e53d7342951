//! Members of gzip files (RFC 1952): a header, a deflate stream, a CRC-32 and the length.

use super::{Error, ErrorKind, Result, inflate};
use crate::buffer::Cursor;
use alloc::vec::Vec;
use miniz_oxide::inflate::core::DecompressorOxide;
use zerocopy::little_endian::{U16, U32};

/// The header that zlib writes by default on Unix: deflate, no flags, no time.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];

const HEADER_CRC: u8 = 1 << 1;
const EXTRA: u8 = 1 << 2;
const NAME: u8 = 1 << 3;
const COMMENT: u8 = 1 << 4;
const RESERVED: u8 = 0xe0;

/// Decompresses one member, and returns the number of bytes written.
pub(super) fn decompress(
    state: &mut DecompressorOxide,
    block: &[u8],
    out: &mut [u8],
) -> Result<usize> {
    let mut cursor = Cursor::new(block);
    header(&mut cursor)?;
    let start = cursor.pos();
    let (read, len) =
        inflate::raw(state, cursor.rest(), out).map_err(|error| error.shifted(start as u64))?;
    cursor = Cursor::new_at(block, start.saturating_add(read));
    let end = cursor.pos() as u64;
    let (crc, size) = (cursor.read::<U32>()?.get(), cursor.read::<U32>()?.get());
    let content = out.get(..len).unwrap_or_default();
    match crc == crc32(content) && size == len as u32 {
        true => Ok(len),
        false => Err(Error::new(ErrorKind::Mismatch, end)),
    }
}

/// Returns the CRC-32 of the bytes.
fn crc32(bytes: &[u8]) -> u32 {
    if !cfg!(gamewire_small) {
        return crc32fast::hash(bytes);
    }
    // A build for size avoids the tables of `crc32fast`, which take 16 KB.
    let bit = |crc: u32, _| (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), bit))
}

/// Appends a member. `deflate` appends the deflate stream of the member.
pub(super) fn compress(plain: &[u8], out: &mut Vec<u8>, deflate: impl FnOnce(&mut Vec<u8>)) {
    out.extend_from_slice(&HEADER);
    deflate(out);
    out.extend_from_slice(&crc32(plain).to_le_bytes());
    out.extend_from_slice(&(plain.len() as u32).to_le_bytes());
}

/// Reads the header with its optional fields.
fn header(cursor: &mut Cursor<'_>) -> Result<()> {
    let start = *cursor;
    let [one, two, method, flags, ..] = *cursor.read::<[u8; 10]>()?;
    if [one, two, method] != [0x1f, 0x8b, 8] || flags & RESERVED != 0 {
        return Err(Error::new(ErrorKind::Malformed, 0));
    }
    if flags & EXTRA != 0 {
        let len = cursor.read::<U16>()?.get();
        cursor.slice::<u8>(len.into())?;
    }
    for flag in [NAME, COMMENT] {
        if flags & flag != 0 {
            skip_text(cursor)?;
        }
    }
    if flags & HEADER_CRC != 0 {
        let (at, crc) = (cursor.pos(), crc32(cursor.since(&start)));
        let stored = cursor.read::<U16>()?.get();
        if stored != crc as u16 {
            return Err(Error::new(ErrorKind::Mismatch, at as u64));
        }
    }
    Ok(())
}

/// Skips a text that ends with a NUL.
fn skip_text(cursor: &mut Cursor<'_>) -> Result<()> {
    while *cursor.read::<u8>()? != 0 {}
    Ok(())
}
