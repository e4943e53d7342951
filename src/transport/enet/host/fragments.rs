//! Received fragments. Each is stored by itself, and the packet is put together when the application
//! takes it: so a fragment costs as much memory as it has bytes, whatever length its packet claims.

use super::arena::Arena;
use super::commands::{Incoming, Share, fragment_key, incoming_key};
use super::incoming::Outcome;
use super::list::NIL;
use super::peer::{Peer, State};
use crate::transport::enet::{Delivery, Fragment};

/// ENet's limit.
const MAX_FRAGMENTS: u32 = 1 << 20;

impl Arena {
    pub(super) fn receive_fragment(
        &mut self,
        peer: &mut Peer,
        channel: u8,
        sequence: u16,
        part: &Fragment<'_>,
        max_packet: u32,
    ) -> Outcome {
        let Some(state) = self.channel_mut(peer, channel).copied() else {
            return Outcome::Refused;
        };
        if peer.state == State::Draining || !state.is_in_window(part.start) {
            return Outcome::Done;
        }
        let own_sequence = part.start.wrapping_add(part.number as u16);
        let Some(size) = fragment_size(part, max_packet) else { return Outcome::Refused };
        if part.start == state.in_reliable || sequence != own_sequence {
            return Outcome::Refused;
        }
        let share = state.share(part.start);
        let packet = Incoming { channel, sequence: part.start, share, ..packet_of(part) };
        let key = incoming_key(peer.slot, Delivery::Reliable, channel, [part.start, 0]);
        let id = match self.incoming_index.find(key) {
            Some(id) => id,
            None => {
                let Some(id) = self.store(peer, &[], packet) else { return Outcome::Refused };
                self.incoming_index.insert(id, key);
                self.incoming.links.push_back(&mut peer.waiting, id);
                id
            }
        };
        let outcome = self.add_fragment(peer, id, part, size, share);
        if self.is_complete(id) {
            self.dispatch_reliable(peer, channel);
        }
        outcome
    }

    pub(super) fn receive_unreliable_fragment(
        &mut self,
        peer: &mut Peer,
        channel: u8,
        sequence: u16,
        part: &Fragment<'_>,
        max_packet: u32,
    ) -> Outcome {
        let Some(state) = self.channel_mut(peer, channel).copied() else {
            return Outcome::Refused;
        };
        if peer.state == State::Draining || !state.accepts_unreliable(sequence, part.start) {
            return Outcome::Done;
        }
        let Some(size) = fragment_size(part, max_packet) else { return Outcome::Refused };
        let (delivery, number) = (Delivery::Unreliable, part.start);
        let share = if sequence == state.in_reliable { Share::InOrder } else { Share::Ahead };
        let packet = Incoming { delivery, channel, sequence, number, share, ..packet_of(part) };
        let key = incoming_key(peer.slot, delivery, channel, [sequence, number]);
        let id = match self.incoming_index.find(key) {
            Some(id) => Some(id),
            None => self.store_waiting(peer, &state, &[], packet, key),
        };
        // There may be no space; such packets may be lost.
        let Some(id) = id else { return Outcome::Done };
        let outcome = self.add_fragment(peer, id, part, size, share);
        if self.is_complete(id) {
            self.dispatch_unreliable(peer, channel);
        }
        outcome
    }

    fn is_complete(&self, id: u32) -> bool {
        self.incoming.get(id).is_some_and(|packet| packet.missing == 0)
    }

    /// Stores a fragment of a packet, unless it is a repetition.
    fn add_fragment(
        &mut self,
        peer: &mut Peer,
        id: u32,
        part: &Fragment<'_>,
        size: u32,
        share: Share,
    ) -> Outcome {
        let Some(packet) = self.incoming.get(id).copied() else { return Outcome::Refused };
        let is_same = (packet.count, packet.total) == (part.count, part.total);
        if !is_same || !matches!(packet.size, 0).then_some(true).unwrap_or(packet.size == size) {
            return Outcome::Refused;
        }
        let key = fragment_key(id, part.number);
        if self.incoming_index.find(key).is_some() {
            return Outcome::Done;
        }
        let command = Incoming { share, ..Incoming::default() };
        let Some(fragment) = self.store(peer, part.payload, command) else {
            return Outcome::Refused;
        };
        self.incoming_index.insert(fragment, key);
        let Some(packet) = self.incoming.get_mut(id) else { return Outcome::Refused };
        let mut fragments = packet.fragments;
        self.incoming.links.push_back(&mut fragments, fragment);
        if let Some(packet) = self.incoming.get_mut(id) {
            packet.fragments = fragments;
            packet.size = size;
            packet.missing = packet.missing.saturating_sub(1);
        }
        Outcome::Done
    }

    /// Passes the bytes of a packet to `each`, piece by piece.
    pub(super) fn read_packet(&self, id: u32, mut each: impl FnMut(&[u8])) {
        let Some(packet) = self.incoming.get(id) else { return };
        if packet.count == 0 {
            return self.read_blocks(packet.packet, &mut each);
        }
        for index in 0..packet.count {
            let fragment = self.incoming_index.find(fragment_key(id, index));
            if let Some(fragment) = fragment.and_then(|fragment| self.incoming.get(fragment)) {
                self.read_blocks(fragment.packet, &mut each);
            }
        }
    }

    fn read_blocks(&self, packet: u32, each: &mut impl FnMut(&[u8])) {
        let start = super::blocks::Position { block: packet, skip: 0 };
        self.blocks.read(start, self.blocks.len(packet), each);
    }
}

fn packet_of(part: &Fragment<'_>) -> Incoming {
    let Fragment { count, total, .. } = *part;
    Incoming { packet: NIL, count, missing: count, total, ..Incoming::default() }
}

/// Checks the fields of a fragment, and returns the length of all fragments of its packet but the
/// last. ENet divides packets evenly, so fragments neither overlap nor leave gaps; others are
/// refused.
fn fragment_size(part: &Fragment<'_>, max_packet: u32) -> Option<u32> {
    let Fragment { count, number, total, offset, payload, .. } = *part;
    let len = payload.len() as u32;
    if len == 0 || count > MAX_FRAGMENTS || number >= count || total > max_packet || total < count {
        return None;
    }
    let last = count.wrapping_sub(1);
    let is_last = number == last;
    let size = match last {
        0 => total,
        _ if is_last => offset.checked_div(last)?,
        _ => len,
    };
    let [size, total, offset] = [size, total, offset].map(u64::from);
    let even = size.checked_mul(number.into())? == offset;
    let end = offset.checked_add(len.into())?;
    let is_whole = if is_last { end == total } else { end < total };
    let fits = size.checked_mul(count.into())? >= total && size.checked_mul(last.into())? < total;
    (even && is_whole && fits).then_some(size as u32)
}
