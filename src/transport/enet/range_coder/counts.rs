//! Rules for counts that all contexts share.

/// Counts with a larger total are halved. No datagram reaches it.
pub(super) const MAX_TOTAL: u16 = 0xFF00;

/// Returns half of `count`, rounded up so that it does not become 0.
pub(super) fn half(count: u16) -> u16 {
    count.wrapping_sub(count >> 1)
}
