//! Deflate with fixed codes (RFC 1951, section 3.2.6) in a zlib stream (RFC 1950).

use super::bits::BitWriter;
use crate::compression::fastlz::{Level, find_all};
use alloc::vec::Vec;

/// Deflate, a window of 32 KiB, the default level.
const HEADER: [u8; 2] = [0x78, 0x9c];
const LONGEST: usize = 258;
const SHORTEST: usize = 3;
const END_OF_BLOCK: u32 = 256;

pub(super) fn zlib(plain: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&HEADER);
    let mut bits = BitWriter::new(out);
    bits.put(0b011, 3); // the last block, with fixed codes
    find_all(Level::One, plain, |literals, found| {
        literals.iter().for_each(|literal| symbol(&mut bits, (*literal).into()));
        if let Some(found) = found {
            repetition(&mut bits, found.distance as u32, found.len);
        }
    });
    symbol(&mut bits, END_OF_BLOCK);
    bits.finish();
    out.extend_from_slice(&adler32(plain).to_be_bytes());
}

/// Writes the code of a literal, a length or the end of the block.
fn symbol(bits: &mut BitWriter<'_>, symbol: u32) {
    let (code, len) = match symbol {
        0..144 => (symbol.wrapping_add(0x30), 8),
        144..256 => (symbol.wrapping_add(0x190 - 144), 9),
        256..280 => (symbol.wrapping_sub(256), 7),
        _ => (symbol.wrapping_add(0xc0).wrapping_sub(280), 8),
    };
    code_bits(bits, code, len);
}

/// Writes a code, starting with its high bit.
fn code_bits(bits: &mut BitWriter<'_>, code: u32, len: u32) {
    bits.put(code.reverse_bits() >> 32_u32.wrapping_sub(len), len);
}

/// Writes a repetition of any length.
fn repetition(bits: &mut BitWriter<'_>, distance: u32, mut len: usize) {
    while len > 0 {
        // The rest must not be shorter than the shortest repetition.
        let part = match len {
            0..=LONGEST => len,
            _ => LONGEST.min(len.wrapping_sub(SHORTEST)),
        };
        length(bits, part.wrapping_sub(SHORTEST) as u32);
        self::distance(bits, distance.wrapping_sub(1));
        len = len.wrapping_sub(part);
    }
}

/// Writes a length. `number` is the length minus the shortest length.
fn length(bits: &mut BitWriter<'_>, number: u32) {
    const FIRST: u32 = 257;
    match number {
        0..8 => symbol(bits, FIRST.wrapping_add(number)),
        255 => symbol(bits, 285),
        _ => {
            // There are four symbols for each number of extra bits. The two bits after the highest
            // set bit of `number` select the symbol.
            let extra = number.ilog2().wrapping_sub(2);
            let step = extra.wrapping_add(1).wrapping_mul(4);
            symbol(bits, FIRST.wrapping_add(step).wrapping_add(number >> extra & 3));
            bits.put(number & low_mask(extra), extra);
        }
    }
}

/// Writes a distance. `number` is the distance minus 1.
fn distance(bits: &mut BitWriter<'_>, number: u32) {
    match number {
        0..4 => code_bits(bits, number, 5),
        _ => {
            // There are two symbols for each number of extra bits. The bit after the highest set
            // bit of `number` selects the symbol.
            let extra = number.ilog2().wrapping_sub(1);
            let code = extra.wrapping_add(1).wrapping_mul(2) | (number >> extra & 1);
            code_bits(bits, code, 5);
            bits.put(number & low_mask(extra), extra);
        }
    }
}

const fn low_mask(bits: u32) -> u32 {
    (1_u32 << bits).wrapping_sub(1)
}

/// Returns the checksum that a zlib stream with this content ends with.
fn adler32(bytes: &[u8]) -> u32 {
    const MODULUS: u32 = 65_521;
    let (mut low, mut high) = (1_u32, 0_u32);
    for byte in bytes {
        low = low.wrapping_add((*byte).into()) % MODULUS;
        high = high.wrapping_add(low) % MODULUS;
    }
    high << 16 | low
}
