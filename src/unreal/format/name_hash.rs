//! The hashes that follow the names of a package.

use super::str_ref::StrRef;

/// Table of the standard CRC-32, which processes the low bit first.
static LOW_FIRST: [u32; 256] = table(true);

/// Table of the same polynomial that processes the high bit first.
static HIGH_FIRST: [u32; 256] = table(false);

#[allow(clippy::indexing_slicing, reason = "at compile time")]
const fn table(low_first: bool) -> [u32; 256] {
    let mut table = [0; 256];
    let mut byte = 0u32;
    while byte < 256 {
        let mut crc = if low_first { byte } else { byte << 24 };
        let mut bit = 0u32;
        while bit < 8 {
            crc = match (low_first, crc & 1, crc >> 31) {
                (true, 1, _) => (crc >> 1) ^ 0xEDB8_8320,
                (true, ..) => crc >> 1,
                (false, _, 1) => (crc << 1) ^ 0x04C1_1DB7,
                (false, ..) => crc << 1,
            };
            bit = bit.wrapping_add(1);
        }
        table[byte as usize] = crc;
        byte = byte.wrapping_add(1);
    }
    table
}

fn step(table: &[u32; 256], crc: u32, byte: u16) -> u32 {
    let [low, ..] = (crc ^ u32::from(byte)).to_le_bytes();
    crc.wrapping_shr(8) ^ table.get(usize::from(low)).copied().unwrap_or_default()
}

/// Returns two hashes of a name: one that ignores case, and one of the exact text.
pub(crate) fn hashes(text: &StrRef<'_>) -> [u16; 2] {
    let low = |crc: u32| (crc & 0xFFFF) as u16;
    [low(without_case(text)), low(with_case(text))]
}

/// Returns the CRC that ignores ASCII case. Like engines, it combines the non-reflected table with
/// right shifts.
fn without_case(text: &StrRef<'_>) -> u32 {
    text.units().fold(0, |crc, unit| {
        let unit = match u8::try_from(unit) {
            Ok(narrow) => narrow.to_ascii_uppercase().into(),
            Err(_) => unit,
        };
        let crc = step(&HIGH_FIRST, crc, unit & 0xFF);
        if text.is_wide() { step(&HIGH_FIRST, crc, unit.wrapping_shr(8)) } else { crc }
    })
}

/// Returns the CRC-32 of the units, each extended to 32 bits.
pub(crate) fn with_case(text: &StrRef<'_>) -> u32 {
    let crc = text.units().fold(u32::MAX, |crc, unit| {
        let bytes = [unit & 0xFF, unit.wrapping_shr(8), 0, 0];
        bytes.iter().fold(crc, |crc, byte| step(&LOW_FIRST, crc, *byte))
    });
    !crc
}
