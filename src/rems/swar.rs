//! SWAR (SIMD within a register): eight bytes in one little-endian `u64`.

/// Loads the eight bytes from index `at` on. Returns `None` if fewer bytes remain.
#[inline(always)]
pub(super) fn load_u64(bytes: &[u8], at: usize) -> Option<u64> {
    let word = bytes.get(at..)?.first_chunk::<8>()?;
    Some(u64::from_le_bytes(*word))
}

/// Returns a word with this byte in all eight lanes.
#[inline(always)]
pub(super) const fn broadcast(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}
