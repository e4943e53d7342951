//! The checksum of datagrams: CRC-32 (the one of zlib), as ENet's `enet_crc32`.

const TABLE: [u32; 256] = table();

#[allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "runs in the compiler, with indices below 256"
)]
const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let mut value = index as u32;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 0 { value >> 1 } else { value >> 1 ^ 0xEDB8_8320 };
            bit += 1;
        }
        table[index] = value;
        index += 1;
    }
    table
}

/// Returns the checksum of several pieces, one after the other.
pub(super) fn crc32(pieces: &[&[u8]]) -> u32 {
    let mut state = u32::MAX;
    for byte in pieces.iter().copied().flatten() {
        let index = usize::from(state as u8 ^ byte);
        state = state >> 8 ^ TABLE.get(index).copied().unwrap_or(0);
    }
    !state
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check value in the catalogue of CRC algorithms.
    #[test]
    fn the_check_value_is_right() {
        assert_eq!(crc32(&[b"123456789"]), 0xCBF4_3926);
        assert_eq!(crc32(&[b"1234", b"", b"56789"]), 0xCBF4_3926);
    }
}
