//! Rules for counts that all contexts share.

/// Maximum total of the counts of a context. If a total exceeds it, all counts are halved. No
/// datagram is long enough to reach it.
pub(super) const MAX_TOTAL: u16 = 0xFF00;

/// Returns half of `count`, rounded up so that it does not become 0.
pub(super) fn half(count: u16) -> u16 {
    count.wrapping_sub(count >> 1)
}
