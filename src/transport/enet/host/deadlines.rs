//! When a peer must be served even if nothing happens.

use super::connections::{Connections, NEVER};
use super::peer::State;

impl Connections {
    /// Sets the time. It does not go back.
    pub(super) fn advance(&mut self, now: u64) {
        self.now = self.now.max(now);
    }

    /// Returns the time at which something is due.
    pub(super) fn next_timeout(&self) -> Option<u64> {
        if !self.ready.is_empty() {
            return Some(self.now);
        }
        let adjustment = self.bandwidth.next(self.config.outgoing_bandwidth);
        Some(self.next_deadline.min(adjustment)).filter(|time| *time != NEVER)
    }

    /// Sets the time at which a peer must be served even if nothing happens.
    pub(super) fn set_deadline(&mut self, slot: u16) {
        let ping_interval = u64::from(self.config.ping_interval);
        let Some(peer) = self.peer(slot) else { return };
        let mut due = NEVER;
        if let Some(first) = peer.sent.first().and_then(|id| self.arena.outgoing.get(id)) {
            due = first.sent_at.saturating_add(first.timeout.into());
        } else if peer.state == State::Connected {
            due = peer.last_receive.map_or(0, |last| last.saturating_add(ping_interval));
        }
        if peer.state == State::HalfOpen {
            let end = peer.half_open.opened.saturating_add(self.config.timeout_maximum.into());
            due = due.min(end);
        }
        if let Some(deadline) = self.deadlines.get_mut(usize::from(slot)) {
            *deadline = due;
        }
        self.next_deadline = self.next_deadline.min(due);
    }

    /// Lets the peers for which something is due be served.
    pub(super) fn wake(&mut self) {
        self.adjust_bandwidth();
        if self.now < self.next_deadline {
            return;
        }
        self.next_deadline = NEVER;
        for (slot, deadline) in (0..).zip(self.deadlines.iter_mut()) {
            if *deadline <= self.now {
                *deadline = NEVER;
                self.ready.push(slot);
            } else {
                self.next_deadline = self.next_deadline.min(*deadline);
            }
        }
    }
}
