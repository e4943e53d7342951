//! Which commands a datagram gets: as many as fit, as far as windows and the throttle allow.

use super::arena::Arena;
use super::commands::Outgoing;
use super::config::Config;
use super::list::NIL;
use super::peer::{Peer, State};
use super::write::Batch;
use crate::transport::enet::{Acknowledge, Body, Command, Flags};

impl Arena {
    /// Writes acknowledgements. Returns `true` if one of them was that of a DISCONNECT.
    pub(super) fn write_acknowledgements(
        &mut self,
        peer: &mut Peer,
        batch: &mut Batch<'_>,
    ) -> bool {
        const LEN: usize = 8;
        let mut has_ended = false;
        while !peer.acknowledgements.is_empty() && batch.has_space(LEN) {
            let Some(item) = self.pop_acknowledgement(peer) else { break };
            let body = Body::Acknowledge(Acknowledge {
                sequence: item.sequence,
                sent_time: item.sent_time,
            });
            let (channel, sequence) = (item.channel, item.sequence);
            batch.write(&Command { flags: Flags::NONE, channel, sequence, body }, 0);
            has_ended |= item.is_disconnect;
        }
        has_ended
    }

    /// Writes commands as long as they fit, and the windows allow them.
    pub(super) fn write_commands(
        &mut self,
        peer: &mut Peer,
        now: u64,
        config: &Config,
        batch: &mut Batch<'_>,
    ) {
        let (mut next, mut next_reliable) = (peer.commands.first(), peer.reliable.first());
        loop {
            let order = |id: Option<u32>| {
                id.and_then(|id| self.outgoing.get(id)).map_or(u64::MAX, |command| command.order)
            };
            let is_reliable = order(next_reliable) < order(next);
            let Some(id) = (if is_reliable { next_reliable } else { next }) else { return };
            let Some(command) = self.outgoing.get(id).copied() else { return };
            let after = self.outgoing.links.next(id);
            if is_reliable && self.must_wait(peer, &command) {
                next_reliable = None;
                continue;
            }
            let len = command.header_len().saturating_add(command.len);
            if !batch.has_space(len.into()) {
                if peer.state == State::HalfOpen {
                    // VERIFY_CONNECT waits for more credit. The ping after it may fit.
                    next = after;
                    continue;
                }
                return;
            }
            if is_reliable {
                next_reliable = after;
            } else {
                next = after;
            }
            if command.is_reliable {
                self.send_reliable(peer, now, id, batch);
            } else if !self.send_unreliable(peer, id, &command) {
                next = self.drop_fragments(peer, next, &command);
                continue;
            }
            peer.loss.sent = peer.loss.sent.saturating_add(1);
            self.write_command(peer, &command, config, batch);
            if !command.is_reliable {
                self.release_outgoing(peer, id);
            }
        }
    }

    /// Returns `true` if a reliable packet must wait for acknowledgements, and those after it with
    /// it.
    fn must_wait(&self, peer: &Peer, command: &Outgoing) -> bool {
        let is_new = command.attempts == 0;
        let channel = self.channel(peer, command.channel);
        let window = peer.throttle.window(peer.window).max(peer.mtu.into());
        is_new && channel.is_some_and(|channel| channel.is_blocked(command.sequence))
            || peer.in_transit.saturating_add(command.len.into()) > window
    }

    /// Moves a reliable command to those that wait for acknowledgement.
    fn send_reliable(&mut self, peer: &mut Peer, now: u64, id: u32, batch: &mut Batch<'_>) {
        let timeout = peer.round_trip.timeout();
        let Some(command) = self.outgoing.get_mut(id) else { return };
        let is_first = command.attempts == 0;
        command.attempts = command.attempts.saturating_add(1);
        if command.timeout == 0 {
            command.timeout = timeout;
        }
        (command.sent_at, command.is_in_transit) = (now, true);
        let command = *command;
        let is_data = command.packet != NIL;
        let list = if is_data { &mut peer.reliable } else { &mut peer.commands };
        self.outgoing.links.remove(list, id);
        self.outgoing.links.push_back(&mut peer.sent, id);
        peer.in_transit = peer.in_transit.saturating_add(command.len.into());
        if is_data
            && is_first
            && let Some(channel) = self.channel_mut(peer, command.channel)
        {
            channel.sent(command.sequence);
        }
        batch.has_reliable = true;
    }

    /// Takes an unreliable command out of its queue. Returns `false` if the throttle drops it.
    fn send_unreliable(&mut self, peer: &mut Peer, id: u32, command: &Outgoing) -> bool {
        self.outgoing.links.remove(&mut peer.commands, id);
        let is_packet = command.packet != NIL && command.offset == 0;
        if is_packet && !peer.throttle.admits() {
            self.release_outgoing(peer, id);
            return false;
        }
        true
    }

    /// Drops the other fragments of a packet whose first one was dropped. (ENet also drops the
    /// unsequenced packets that follow an unsequenced one, since all have the number 0.)
    fn drop_fragments(
        &mut self,
        peer: &mut Peer,
        mut next: Option<u32>,
        first: &Outgoing,
    ) -> Option<u32> {
        while let Some(id) = next
            && let Some(command) = self.outgoing.get(id)
            && command.packet == first.packet
            && command.offset > 0
        {
            next = self.outgoing.links.next(id);
            self.outgoing.links.remove(&mut peer.commands, id);
            self.release_outgoing(peer, id);
        }
        next
    }
}
