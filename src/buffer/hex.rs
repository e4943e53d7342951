/// Returns the hexadecimal digits of an MD5 hash or a GUID, in lower case.
pub(crate) fn hex_digits(bytes: [u8; 16]) -> [u8; 32] {
    let mut digits = [0; 32];
    write_hex(&bytes, &mut digits);
    digits
}

/// Writes the hexadecimal digits of bytes, in lower case, to the start of `digits`. Returns them.
pub(crate) fn write_hex<'d>(bytes: &[u8], digits: &'d mut [u8]) -> &'d [u8] {
    for (pair, byte) in digits.as_chunks_mut().0.iter_mut().zip(bytes) {
        *pair = [byte >> 4, byte & 15].map(hex_digit);
    }
    digits.get(..bytes.len().saturating_mul(2)).unwrap_or_default()
}

fn hex_digit(nibble: u8) -> u8 {
    b"0123456789abcdef".get(usize::from(nibble)).copied().unwrap_or_default()
}
