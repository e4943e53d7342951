//! Reads containers of binary streams: a signature, and a zlib stream (RFC 1950).

use super::inflate::inflate;
use super::{Refused, Result};

/// Reads the contents of a container, which have at most `limit` bytes. Bytes after the container
/// are ignored.
pub fn read_container(bytes: &[u8], limit: usize) -> Result<Vec<u8>> {
    let Some(zlib) = bytes.strip_prefix(b"RemsEngineZZ") else {
        return Err(Refused { at: 0, why: "no container" });
    };
    let refuse = |why| Err(Refused { at: 12, why });
    let [method, flags, deflated @ ..] = zlib else {
        return refuse("the end");
    };
    let check = u32::from(*method) << 8 | u32::from(*flags);
    let (deflate, window) = (method & 15 == 8, method >> 4);
    if !deflate || window > 7 || check % 31 != 0 || flags & 0x20 != 0 {
        return refuse("no header of a zlib stream");
    }
    let (stream, len) = inflate(deflated, limit)?;
    match deflated[len..].first_chunk() {
        Some(sum) if u32::from_be_bytes(*sum) == adler32(&stream) => Ok(stream),
        _ => refuse("another checksum"),
    }
}

/// Wraps compressed bytes in a container, if they can be decompressed.
pub fn sealed(deflated: &[u8], limit: usize) -> Option<Vec<u8>> {
    let (stream, len) = inflate(deflated, limit).ok()?;
    let sum = adler32(&stream).to_be_bytes();
    Some([b"RemsEngineZZ\x78\x9C", &deflated[..len], &sum].concat())
}

fn adler32(bytes: &[u8]) -> u32 {
    const MODULUS: u32 = 65521;
    let (low, high) = bytes.iter().fold((1, 0), |(low, high), byte| {
        let low = (low + u32::from(*byte)) % MODULUS;
        (low, (high + low) % MODULUS)
    });
    high << 16 | low
}
