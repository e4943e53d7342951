//! Received packets: which are new, which must wait, and which the application can take.

use super::arena::Arena;
use super::channel::Channel;
use super::commands::{Incoming, Share, incoming_key};
use super::peer::{Peer, State};
use crate::transport::enet::Delivery;

/// What becomes of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The command was processed, or is ignored because it is old. It is acknowledged if the sender
    /// asks for it.
    Done,
    /// The command is wrong, or there is no space for it. It is not acknowledged, and the rest of
    /// the datagram is skipped.
    Refused,
}

/// Maximum number of unreliable packets of a channel that wait. Each insertion passes over those
/// after it, so this limits the work.
const MAX_WAITING: u16 = 128;

impl Arena {
    pub(super) fn receive_reliable(
        &mut self,
        peer: &mut Peer,
        channel: u8,
        sequence: u16,
        payload: &[u8],
    ) -> Outcome {
        let Some(state) = self.channel_mut(peer, channel).copied() else {
            return Outcome::Refused;
        };
        let key = incoming_key(peer.slot, Delivery::Reliable, channel, [sequence, 0]);
        if peer.state == State::Draining
            || !state.is_in_window(sequence)
            || sequence == state.in_reliable
            || self.incoming_index.find(key).is_some()
        {
            return Outcome::Done;
        }
        let command =
            Incoming { channel, sequence, share: state.share(sequence), ..Incoming::default() };
        let Some(id) = self.store(peer, payload, command) else { return Outcome::Refused };
        self.incoming_index.insert(id, key);
        self.incoming.links.push_back(&mut peer.waiting, id);
        if state.share(sequence) == Share::InOrder {
            self.dispatch_reliable(peer, channel);
        }
        Outcome::Done
    }

    /// Moves the packets whose turn has come to those that the application can take.
    pub(super) fn dispatch_reliable(&mut self, peer: &mut Peer, channel: u8) {
        let Some(mut state) = self.channel(peer, channel).copied() else { return };
        let before = state.in_reliable;
        loop {
            let next = state.in_reliable.wrapping_add(1);
            let key = incoming_key(peer.slot, Delivery::Reliable, channel, [next, 0]);
            let Some(id) = self.incoming_index.find(key) else { break };
            let Some(command) = self.incoming.get(id).copied().filter(|it| it.missing == 0) else {
                break;
            };
            self.incoming.links.remove(&mut peer.waiting, id);
            self.dispatch(peer, id);
            let more = (command.count as u16).saturating_sub(1);
            state.in_reliable = next.wrapping_add(more);
        }
        if state.in_reliable != before {
            state.in_unreliable = 0;
            if let Some(channel) = self.channel_mut(peer, channel) {
                *channel = state;
            }
            self.dispatch_unreliable(peer, channel);
        }
    }

    /// Adds a packet, which is in no list, to those that the application can take.
    fn dispatch(&mut self, peer: &mut Peer, id: u32) {
        self.incoming_index.remove(id);
        self.incoming.links.push_back(&mut peer.dispatched, id);
    }

    pub(super) fn receive_unsequenced(
        &mut self,
        peer: &mut Peer,
        channel: u8,
        group: u16,
        payload: &[u8],
    ) -> Outcome {
        if peer.state != State::Draining && peer.groups.insert(group) {
            let command =
                Incoming { delivery: Delivery::Unsequenced, channel, ..Incoming::default() };
            // There may be no space; such packets may be lost.
            if let Some(id) = self.store(peer, payload, command) {
                self.dispatch(peer, id);
            }
        }
        Outcome::Done
    }

    pub(super) fn receive_unreliable(
        &mut self,
        peer: &mut Peer,
        channel: u8,
        [sequence, number]: [u16; 2],
        payload: &[u8],
    ) -> Outcome {
        let Some(state) = self.channel_mut(peer, channel).copied() else {
            return Outcome::Refused;
        };
        let key = incoming_key(peer.slot, Delivery::Unreliable, channel, [sequence, number]);
        if peer.state == State::Draining
            || !state.accepts_unreliable(sequence, number)
            || self.incoming_index.find(key).is_some()
        {
            return Outcome::Done;
        }
        let share = if sequence == state.in_reliable { Share::InOrder } else { Share::Ahead };
        let delivery = Delivery::Unreliable;
        let command =
            Incoming { delivery, channel, sequence, number, share, ..Incoming::default() };
        if let Some(id) = self.store_waiting(peer, &state, payload, command, key)
            && sequence == state.in_reliable
        {
            debug_assert!(self.incoming.links.is_linked(id));
            self.dispatch_unreliable(peer, channel);
        }
        Outcome::Done
    }

    /// Stores an unreliable packet among those of its channel that wait, in the order of their
    /// numbers.
    pub(super) fn store_waiting(
        &mut self,
        peer: &mut Peer,
        state: &Channel,
        payload: &[u8],
        command: Incoming,
        key: u64,
    ) -> Option<u32> {
        if state.waiting_count >= MAX_WAITING {
            return None;
        }
        let id = self.store(peer, payload, command)?;
        self.incoming_index.insert(id, key);
        let order = |it: &Incoming| (it.sequence.wrapping_sub(state.in_reliable), it.number);
        let mut waiting = state.waiting;
        let mut before = None;
        let mut at = waiting.last();
        while let Some(other) = at
            && self.incoming.get(other).is_some_and(|other| order(other) > order(&command))
        {
            (before, at) = (at, self.incoming.links.previous(other));
        }
        self.incoming.links.insert_before(&mut waiting, before, id);
        let channel = self.channel_mut(peer, command.channel)?;
        (channel.waiting, channel.waiting_count) = (waiting, state.waiting_count.saturating_add(1));
        Some(id)
    }

    /// Moves the complete packets that follow the last reliable packet to those that the application
    /// can take. Drops those that are no longer in order: older ones, and incomplete ones before a
    /// complete one.
    pub(super) fn dispatch_unreliable(&mut self, peer: &mut Peer, channel: u8) {
        let Some(mut state) = self.channel(peer, channel).copied() else { return };
        let mut at = state.waiting.first();
        while let Some(id) = at
            && let Some(command) = self.incoming.get(id).copied()
        {
            let is_due = command.sequence == state.in_reliable;
            if !is_due && state.is_in_window(command.sequence) {
                break;
            }
            at = self.incoming.links.next(id);
            if is_due && command.missing > 0 {
                continue;
            }
            self.drop_before(peer, &mut state, id);
            self.incoming.links.remove(&mut state.waiting, id);
            state.waiting_count = state.waiting_count.saturating_sub(1);
            if is_due {
                state.in_unreliable = command.number;
                self.dispatch(peer, id);
            } else {
                self.release_incoming(peer, id);
            }
        }
        if let Some(channel) = self.channel_mut(peer, channel) {
            *channel = state;
        }
    }

    /// Drops the packets that wait before a given one.
    fn drop_before(&mut self, peer: &mut Peer, state: &mut Channel, id: u32) {
        while let Some(first) = state.waiting.first().filter(|first| *first != id) {
            self.incoming.links.remove(&mut state.waiting, first);
            state.waiting_count = state.waiting_count.saturating_sub(1);
            self.release_incoming(peer, first);
        }
    }
}

impl Channel {
    /// Returns the share of the memory for a reliable command.
    pub(super) fn share(&self, sequence: u16) -> Share {
        if sequence == self.in_reliable.wrapping_add(1) { Share::InOrder } else { Share::Ahead }
    }

    pub(super) fn accepts_unreliable(&self, sequence: u16, number: u16) -> bool {
        let is_old = sequence == self.in_reliable && number <= self.in_unreliable;
        self.is_in_window(sequence) && !is_old
    }
}
