//! Eight bytes at once, in one number: the first one is the lowest.

/// The bytes from there on, if there are as many.
#[inline(always)]
pub(super) fn word(bytes: &[u8], at: usize) -> Option<u64> {
    let word = bytes.get(at..)?.first_chunk::<8>()?;
    Some(u64::from_le_bytes(*word))
}

/// That byte eight times.
#[inline(always)]
pub(super) const fn each(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}
