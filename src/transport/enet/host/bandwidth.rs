//! When bandwidth is divided among the peers, and the windows that follow from it.

use super::peer::{MAX_WINDOW, MIN_WINDOW};

/// Milliseconds between two adjustments.
pub(super) const INTERVAL: u64 = 1000;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bandwidth {
    /// Time of the last adjustment.
    pub(super) epoch: u64,
    /// `true` if peers came or went, so that their parts of the incoming bandwidth change.
    pub(super) recalculate: bool,
    /// `true` if the peers have limits of their own.
    pub(super) has_limits: bool,
}

impl Bandwidth {
    /// Returns the time of the next adjustment, if one is needed.
    pub(super) fn next(&self, outgoing_bandwidth: u32) -> u64 {
        let is_needed = self.recalculate || self.has_limits || outgoing_bandwidth != 0;
        if is_needed { self.epoch.saturating_add(INTERVAL) } else { u64::MAX }
    }
}

/// Returns the window for reliable data in flight between two hosts with these bandwidths, of which
/// 0 is unlimited.
pub(super) fn window(one: u32, other: u32) -> u32 {
    const SCALE: u32 = 0x1_0000;
    let bandwidth = match (one, other) {
        (0, 0) => return MAX_WINDOW,
        (0, limit) | (limit, 0) => limit,
        _ => one.min(other),
    };
    (bandwidth / SCALE).saturating_mul(MIN_WINDOW).clamp(MIN_WINDOW, MAX_WINDOW)
}
