//! An encoder of zlib streams that makes the streams of zlib itself, from 1.2.5 on, for levels 1 to
//! 9 with the default window, memory and strategy, if all bytes were passed to zlib in one call.
//!
//! Games and tools for their saves use zlib. Other encoders find other matches or end blocks at
//! other places, so their streams are valid, but differ. The match finder of zlib is [`matches`];
//! its choice of blocks and codes is [`blocks`].

mod blocks;
mod huffman;
mod matches;

use blocks::Blocks;
use matches::Matches;

/// Writes the stream of `plain` at a level from 1 to 9, in pieces. Returns `false` if `write`
/// returned `false`, which stops the encoder.
pub(super) fn zlib(plain: &[u8], level: u8, mut write: impl FnMut(&[u8]) -> bool) -> bool {
    let flags: u8 = match level {
        ..=1 => 0x01,
        2..=5 => 0x5E,
        6 => 0x9C,
        7.. => 0xDA,
    };
    if !write(&[0x78, flags]) {
        return false;
    }
    let mut blocks = Blocks::new(write);
    Matches::new(plain, level).run(&mut blocks) && {
        let checksum = adler32(plain).to_be_bytes();
        blocks.finish(&checksum)
    }
}

/// Returns the checksum at the end of a stream (RFC 1950).
#[allow(clippy::disallowed_methods, reason = "the size of a chunk is not 0")]
fn adler32(bytes: &[u8]) -> u32 {
    const MODULUS: u32 = 65521;
    /// So many bytes can be added before a sum exceeds 32 bits.
    const CHUNK: usize = 5552;
    let (a, b) = bytes.chunks(CHUNK).fold((1u32, 0u32), |sums, chunk| {
        let (a, b) = chunk.iter().fold(sums, |(a, b), byte| {
            let a = a.wrapping_add(u32::from(*byte));
            (a, b.wrapping_add(a))
        });
        (a % MODULUS, b % MODULUS)
    });
    b << 16 | a
}
