//! The state of one channel of a peer, both directions.

use super::list::List;

/// Sequence numbers are divided into windows of this size.
pub(super) const WINDOW: u16 = 0x1000;
const WINDOWS: u16 = 16;
/// A receiver accepts reliable numbers of its current window and the next ones.
const FREE_WINDOWS: u16 = 8;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Channel {
    /// The last reliable sequence number that was delivered.
    pub(super) in_reliable: u16,
    /// The last unreliable number that was delivered after it.
    pub(super) in_unreliable: u16,
    /// The last reliable sequence number that was queued for sending.
    pub(super) out_reliable: u16,
    /// The last unreliable number that was queued after it.
    pub(super) out_unreliable: u16,
    /// For each window, the number of commands that were sent and not acknowledged.
    unacknowledged: [u16; WINDOWS as usize],
    /// Unreliable packets that are incomplete or wait for a reliable one, ordered by their numbers.
    pub(super) waiting: List,
    pub(super) waiting_count: u16,
}

impl Channel {
    /// Returns `true` if a command with this reliable number can be received now. Other numbers are
    /// old, or too far ahead.
    pub(super) fn is_in_window(&self, sequence: u16) -> bool {
        (0..FREE_WINDOWS.wrapping_sub(1)).contains(&self.windows_ahead(sequence))
    }

    /// Returns `true` if a command with this number may be acknowledged. ENet acknowledges old
    /// numbers too, and withholds the acknowledgement of those just beyond the window.
    pub(super) fn is_acknowledged(&self, sequence: u16) -> bool {
        let ahead = self.windows_ahead(sequence);
        ahead != FREE_WINDOWS.wrapping_sub(1) && ahead != FREE_WINDOWS
    }

    /// Returns how many windows a number is ahead. A number below the current one is taken for one
    /// after the next wrap-around.
    fn windows_ahead(&self, sequence: u16) -> u16 {
        let wrapped = if sequence < self.in_reliable { WINDOWS } else { 0 };
        (sequence / WINDOW).wrapping_add(wrapped).wrapping_sub(self.in_reliable / WINDOW)
    }

    /// Returns `true` if the first command of a window must wait until earlier windows are
    /// acknowledged, so that the receiver can tell old numbers from new ones.
    pub(super) fn is_blocked(&self, sequence: u16) -> bool {
        if !sequence.is_multiple_of(WINDOW) {
            return false;
        }
        let window = sequence / WINDOW;
        let count = |ahead: u16| {
            let index = window.wrapping_add(ahead) % WINDOWS;
            self.unacknowledged.get(usize::from(index)).copied().unwrap_or(0)
        };
        count(WINDOWS.wrapping_sub(1)) >= WINDOW
            || (0..FREE_WINDOWS.wrapping_add(2)).any(|ahead| count(ahead) > 0)
    }

    /// Counts a reliable command that is sent for the first time.
    pub(super) fn sent(&mut self, sequence: u16) {
        if let Some(count) = self.unacknowledged.get_mut(usize::from(sequence / WINDOW)) {
            *count = count.saturating_add(1);
        }
    }

    /// Counts an acknowledged command.
    pub(super) fn acknowledged(&mut self, sequence: u16) {
        if let Some(count) = self.unacknowledged.get_mut(usize::from(sequence / WINDOW)) {
            *count = count.saturating_sub(1);
        }
    }
}
