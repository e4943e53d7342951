//! Commands that are sent again, dead connections, and pings.

use super::arena::Arena;
use super::commands::{Kind, Outgoing};
use super::config::Config;
use super::list::NIL;
use super::peer::{Peer, State};

impl Arena {
    /// Queues the commands again whose time is over. Returns `true` if the connection is dead.
    pub(super) fn resend(&mut self, peer: &mut Peer, now: u64, config: &Config) -> bool {
        let is_over =
            |command: &Outgoing| now.saturating_sub(command.sent_at) >= command.timeout.into();
        let first = peer.sent.first().and_then(|id| self.outgoing.get(id));
        if peer.state == State::HalfOpen {
            let age = now.saturating_sub(peer.half_open.opened);
            if age >= config.timeout_maximum.into() {
                return true;
            }
        }
        // ENet looks at the first one only, to decide whether to look at all.
        if !first.is_some_and(is_over) {
            return false;
        }
        let (commands, reliable) = (peer.commands.first(), peer.reliable.first());
        let mut at = peer.sent.first();
        while let Some(id) = at {
            at = self.outgoing.links.next(id);
            let Some(command) = self.outgoing.get_mut(id) else { break };
            if !is_over(command) {
                continue;
            }
            let earliest = peer.earliest_timeout.unwrap_or(command.sent_at).min(command.sent_at);
            peer.earliest_timeout = Some(earliest);
            if is_dead(command, now.saturating_sub(earliest), config) {
                return true;
            }
            peer.loss.lost = peer.loss.lost.saturating_add(1);
            command.timeout = command.timeout.saturating_mul(2);
            command.is_in_transit = false;
            let is_data = command.packet != NIL;
            let len = u32::from(command.len);
            self.outgoing.links.remove(&mut peer.sent, id);
            if is_data {
                peer.in_transit = peer.in_transit.saturating_sub(len);
                self.outgoing.links.insert_before(&mut peer.reliable, reliable, id);
            } else {
                self.outgoing.links.insert_before(&mut peer.commands, commands, id);
            }
        }
        false
    }

    /// Queues a ping if nothing has been acknowledged for some time, and nothing reliable is under
    /// way.
    pub(super) fn ping(&mut self, peer: &mut Peer, now: u64, config: &Config) -> bool {
        let is_due = |last: u64| now.saturating_sub(last) >= config.ping_interval.into();
        peer.state == State::Connected
            && peer.sent.is_empty()
            && peer.last_receive.is_none_or(is_due)
            && self.queue_control(peer, Kind::Ping, true, 0)
    }
}

/// Returns `true` if a command has waited too long for its acknowledgement.
fn is_dead(command: &Outgoing, waited: u64, config: &Config) -> bool {
    let repetitions = u32::from(command.attempts.saturating_sub(1)).min(31);
    waited >= config.timeout_maximum.into()
        || 1_u32 << repetitions >= config.timeout_limit && waited >= config.timeout_minimum.into()
}
