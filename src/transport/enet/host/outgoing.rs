//! Packets and control commands to send: their numbers, and their division into fragments.

use super::arena::Arena;
use super::blocks::{Position, blocks_of};
use super::commands::{CONTROL, Kind, Outgoing};
use super::connections::Connections;
use super::event::{PeerKey, SendError};
use super::peer::{Peer, State};
use crate::transport::enet::Delivery;

/// Lengths of the header of a datagram, of a fragment's fields, and of a checksum.
pub(super) const HEADER: u16 = 4;
const FRAGMENT: u16 = 24;
pub(super) const CHECKSUM: u16 = 4;

impl Arena {
    /// Queues a control command. Returns `false` if the peer's share is full.
    pub(super) fn queue_control(
        &mut self,
        peer: &mut Peer,
        kind: Kind,
        is_reliable: bool,
        offset: u32,
    ) -> bool {
        // ENet also numbers control commands that are not acknowledged.
        let sequence = peer.control_sequence.wrapping_add(1);
        let command = Outgoing {
            kind,
            channel: CONTROL,
            is_reliable,
            sequence,
            offset,
            ..Outgoing::default()
        };
        let is_queued = self.queue(peer, command);
        if is_queued {
            peer.control_sequence = sequence;
        }
        is_queued
    }

    /// Queues a stored packet, as one command or in fragments.
    pub(super) fn queue_packet(
        &mut self,
        peer: &mut Peer,
        channel: u8,
        delivery: Delivery,
        packet: u32,
        checksums: bool,
    ) -> Result<(), SendError> {
        let len = self.blocks.len(packet);
        let overhead = HEADER.wrapping_add(FRAGMENT);
        let overhead = overhead.wrapping_add(if checksums { CHECKSUM } else { 0 });
        let size = peer.mtu.saturating_sub(overhead).max(1);
        let fragments = len.div_ceil(size.into());
        let units = blocks_of(size.into()).saturating_mul(fragments.max(1) as u32);
        let units = if fragments > 1 { units } else { blocks_of(len) };
        if u16::from(channel) >= peer.channels {
            return Err(SendError::NoChannel);
        }
        if !self.has_space(peer, units) {
            return Err(SendError::PeerFull);
        }
        if fragments > 1 {
            self.queue_fragments(peer, channel, delivery, packet, size)
        } else {
            self.queue_whole(peer, channel, delivery, packet)
        }
    }

    fn queue_whole(
        &mut self,
        peer: &mut Peer,
        channel: u8,
        delivery: Delivery,
        packet: u32,
    ) -> Result<(), SendError> {
        let len = self.blocks.len(packet) as u16;
        let state = self.channel_mut(peer, channel).ok_or(SendError::PeerFull)?;
        let (kind, sequence, number) = match delivery {
            Delivery::Unsequenced => (Kind::Unsequenced, 0, peer.out_group.wrapping_add(1)),
            // As in ENet: when unreliable numbers run out, the next packet is sent reliably.
            Delivery::Unreliable if state.out_unreliable < u16::MAX => {
                (Kind::Unreliable, state.out_reliable, state.out_unreliable.wrapping_add(1))
            }
            _ => (Kind::Reliable, state.out_reliable.wrapping_add(1), 0),
        };
        let is_reliable = kind == Kind::Reliable;
        let position = Position { block: packet, skip: 0 };
        let command = Outgoing {
            kind,
            channel,
            is_reliable,
            sequence,
            number,
            packet,
            position,
            len,
            ..Outgoing::default()
        };
        self.queue_numbered(peer, command)
    }

    /// Queues a command, and records its number as used.
    fn queue_numbered(&mut self, peer: &mut Peer, command: Outgoing) -> Result<(), SendError> {
        if !self.queue(peer, command) {
            return Err(SendError::PeerFull);
        }
        if command.kind == Kind::Unsequenced {
            peer.out_group = command.number;
        } else if let Some(state) = self.channel_mut(peer, command.channel) {
            (state.out_reliable, state.out_unreliable) = (command.sequence, command.number);
        }
        let bytes = command.header_len().saturating_add(command.len);
        peer.outgoing_total = peer.outgoing_total.saturating_add(bytes.into());
        Ok(())
    }

    /// Queues a packet in fragments. ENet sends large unsequenced packets as unreliable ones.
    fn queue_fragments(
        &mut self,
        peer: &mut Peer,
        channel: u8,
        delivery: Delivery,
        packet: u32,
        size: u16,
    ) -> Result<(), SendError> {
        let total = self.blocks.len(packet);
        let state = *self.channel_mut(peer, channel).ok_or(SendError::PeerFull)?;
        let is_reliable = delivery == Delivery::Reliable || state.out_unreliable == u16::MAX;
        let (kind, start) = match is_reliable {
            true => (Kind::Fragment, state.out_reliable.wrapping_add(1)),
            false => (Kind::UnreliableFragment, state.out_unreliable.wrapping_add(1)),
        };
        let count = total.div_ceil(size.into()) as u32;
        let mut position = Position { block: packet, skip: 0 };
        let mut left = total;
        for index in 0..count {
            let len = left.min(size.into()) as u16;
            left = left.saturating_sub(len.into());
            let (sequence, number) = match is_reliable {
                true => (start.wrapping_add(index as u16), 0),
                false => (state.out_reliable, start),
            };
            let offset = index.wrapping_mul(size.into());
            let command = Outgoing {
                kind,
                channel,
                is_reliable,
                sequence,
                number,
                packet,
                position,
                len,
                start,
                count,
                index,
                offset,
                ..Outgoing::default()
            };
            self.queue_numbered(peer, command)?;
            position = self.blocks.read(position, len.into(), |_| {});
        }
        Ok(())
    }
}

impl Outgoing {
    /// Returns the length of the command on the wire without its payload.
    pub(super) fn header_len(&self) -> u16 {
        match self.kind {
            Kind::Connect => 48,
            Kind::VerifyConnect => 44,
            Kind::Disconnect | Kind::Unreliable | Kind::Unsequenced => 8,
            Kind::Ping => 4,
            Kind::BandwidthLimit => 12,
            Kind::Reliable => 6,
            Kind::Fragment | Kind::UnreliableFragment => FRAGMENT,
        }
    }
}

impl Connections {
    /// Stores a packet with one owner, the caller.
    pub(super) fn store(&mut self, payload: &[u8]) -> Result<u32, SendError> {
        self.arena.blocks.store(payload).ok_or(SendError::HostFull)
    }

    pub(super) fn is_connected(&self, key: PeerKey) -> Result<(), SendError> {
        let is_open = |peer: &&Peer| peer.state == State::Connected;
        self.known(key).filter(is_open).map(|_| ()).ok_or(SendError::NotConnected)
    }

    /// Queues a stored packet for a connected peer.
    pub(super) fn send(
        &mut self,
        key: PeerKey,
        channel: u8,
        delivery: Delivery,
        packet: u32,
    ) -> Result<(), SendError> {
        let checksums = self.config.checksums;
        let (peer, arena) = self.with_arena(key.slot).ok_or(SendError::NotConnected)?;
        arena.queue_packet(peer, channel, delivery, packet, checksums)?;
        self.set_ready(key.slot);
        Ok(())
    }
}
