//! Strings as Unreal Engine writes them, based on a description of the format.

/// Returns a text in little-endian UTF-16.
pub fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// Returns a string: its length in units, the units, and a NUL. The length includes the NUL, and is
/// negative for UTF-16. An empty string is only the length 0.
pub fn string(text: &str) -> Vec<u8> {
    if text.is_empty() {
        return vec![0; 4];
    }
    if text.is_ascii() {
        return [&(text.len() as u32 + 1).to_le_bytes()[..], text.as_bytes(), &[0]].concat();
    }
    let units = [utf16(text), vec![0; 2]].concat();
    [&(-(units.len() as i32 / 2)).to_le_bytes()[..], &units].concat()
}
