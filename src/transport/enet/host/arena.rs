//! The memory of all peers: the bytes of packets, the commands that refer to them, acknowledgements
//! and channels. All of it is allocated at the start.

use super::blocks::{BLOCK, Blocks, blocks_of};
use super::budget::Budget;
use super::channel::Channel;
use super::commands::{Acknowledgement, Incoming, Outgoing, Share, outgoing_key};
use super::config::Config;
use super::index::Index;
use super::list::NIL;
use super::peer::Peer;
use super::pool::Pool;
use crate::transport::random::Random;
use alloc::boxed::Box;
use alloc::vec;

#[derive(Debug)]
pub(super) struct Arena {
    pub(super) blocks: Blocks,
    pub(super) outgoing: Pool<Outgoing>,
    /// Reliable commands by peer, channel and sequence number.
    pub(super) outgoing_index: Index,
    outgoing_budget: Budget,
    pub(super) incoming: Pool<Incoming>,
    /// Received commands that wait, by peer, channel and numbers, and fragments by their packet.
    pub(super) incoming_index: Index,
    in_order_budget: Budget,
    ahead_budget: Budget,
    pub(super) acknowledgements: Pool<Acknowledgement>,
    acknowledgement_budget: Budget,
    channels: Pool<Channel>,
    channel_budget: Budget,
    /// For each peer and channel, the channel's place in the pool.
    channel_map: Box<[u16]>,
    channels_per_peer: usize,
    order: u64,
}

const NO_CHANNEL: u16 = u16::MAX;

/// Memory of a block with a node for a command that was received, and one to send, on average.
const BLOCK_COST: usize = BLOCK + 12 + (size_of::<Outgoing>() + size_of::<Incoming>()) / 2 + 32;

impl Arena {
    pub(super) fn new(config: &Config, random: &mut Random) -> Self {
        let slots = config.slots();
        let half = (config.memory / 2).checked_div(BLOCK_COST).unwrap_or(0).min(1 << 30);
        let half = half.max(slots.saturating_mul(4));
        let channels = slots.saturating_mul(config.channels_per_peer.into()).max(256);
        let channels = channels.min(NO_CHANNEL.into());
        let acknowledgements = slots.saturating_mul(32).saturating_add(1024);
        let mut secret = || [random.next(), random.next()];
        Self {
            blocks: Blocks::new(half.saturating_mul(2)),
            outgoing: Pool::new(half),
            outgoing_index: Index::new(half, secret()),
            outgoing_budget: Budget::new(half, slots),
            incoming: Pool::new(half),
            incoming_index: Index::new(half, secret()),
            in_order_budget: Budget::new(half.div_ceil(2), slots),
            ahead_budget: Budget::new(half / 2, slots),
            acknowledgements: Pool::new(acknowledgements),
            acknowledgement_budget: Budget::new(acknowledgements, slots),
            channels: Pool::new(channels),
            channel_budget: Budget::new(channels, slots),
            channel_map: vec![NO_CHANNEL; slots.saturating_mul(config.channels.into())]
                .into_boxed_slice(),
            channels_per_peer: config.channels.into(),
            order: 0,
        }
    }

    pub(super) fn memory(&self) -> usize {
        [
            self.blocks.memory(),
            self.outgoing.memory(),
            self.outgoing_index.memory(),
            self.incoming.memory(),
            self.incoming_index.memory(),
            self.acknowledgements.memory(),
            self.channels.memory(),
            size_of_val(&*self.channel_map),
        ]
        .into_iter()
        .fold(0, usize::saturating_add)
    }

    /// Returns the length of the longest packet that a peer's share has space for.
    pub(super) fn max_packet(&self) -> usize {
        let most = self.in_order_budget.most().min(self.outgoing_budget.most());
        // The fragments of a packet waste less than a quarter of their blocks.
        (most as usize).saturating_mul(BLOCK / 4 * 3)
    }

    // Channels.

    /// Returns a channel that the peer has used.
    pub(super) fn channel(&self, peer: &Peer, number: u8) -> Option<&Channel> {
        if u16::from(number) >= peer.channels {
            return None;
        }
        self.channels.get((*self.channel_map.get(self.map_index(peer, number))?).into())
    }

    /// Returns a channel for changes. Takes memory for it if it was not used before, or returns
    /// `None` if there is none left, or the connection has no such channel.
    pub(super) fn channel_mut(&mut self, peer: &mut Peer, number: u8) -> Option<&mut Channel> {
        if u16::from(number) >= peer.channels {
            return None;
        }
        let index = self.map_index(peer, number);
        let id = self.channel_map.get_mut(index)?;
        if *id == NO_CHANNEL {
            if !self.channel_budget.take(&mut peer.usage.channels, 1) {
                return None;
            }
            *id = self.channels.take(Channel::default())? as u16;
        }
        self.channels.get_mut((*id).into())
    }

    fn map_index(&self, peer: &Peer, number: u8) -> usize {
        let start = usize::from(peer.slot).saturating_mul(self.channels_per_peer);
        start.saturating_add(number.into())
    }

    /// Releases all channels of a peer. Their queues must be empty.
    pub(super) fn release_channels(&mut self, peer: &mut Peer) {
        let start = self.map_index(peer, 0);
        let map = self.channel_map.iter_mut().skip(start).take(self.channels_per_peer);
        for id in map.filter(|id| **id != NO_CHANNEL) {
            self.channels.put_back((*id).into());
            *id = NO_CHANNEL;
            self.channel_budget.give_back(&mut peer.usage.channels, 1);
        }
    }

    // Acknowledgements.

    pub(super) fn acknowledge(&mut self, peer: &mut Peer, acknowledgement: Acknowledgement) {
        if self.acknowledgement_budget.take(&mut peer.usage.acknowledgements, 1)
            && let Some(id) = self.acknowledgements.take(acknowledgement)
        {
            self.acknowledgements.links.push_back(&mut peer.acknowledgements, id);
        }
    }

    pub(super) fn pop_acknowledgement(&mut self, peer: &mut Peer) -> Option<Acknowledgement> {
        let id = self.acknowledgements.links.pop_front(&mut peer.acknowledgements)?;
        self.acknowledgement_budget.give_back(&mut peer.usage.acknowledgements, 1);
        self.acknowledgements.put_back(id);
        self.acknowledgements.get(id).copied()
    }

    // Commands to send.

    /// Queues a command. Returns `false` if the peer's share is full. The packet gets another
    /// owner.
    #[must_use]
    pub(super) fn queue(&mut self, peer: &mut Peer, command: Outgoing) -> bool {
        let units = blocks_of(command.len.into());
        if !self.outgoing_budget.take(&mut peer.usage.outgoing, units) {
            return false;
        }
        self.order = self.order.wrapping_add(1);
        let Some(id) = self.outgoing.take(Outgoing { order: self.order, ..command }) else {
            self.outgoing_budget.give_back(&mut peer.usage.outgoing, units);
            return false;
        };
        if command.packet != NIL {
            self.blocks.retain(command.packet);
        }
        if command.is_reliable {
            let key = outgoing_key(peer.slot, command.channel, command.sequence);
            self.outgoing_index.insert(id, key);
        }
        let is_data = command.is_reliable && command.packet != NIL;
        let list = if is_data { &mut peer.reliable } else { &mut peer.commands };
        self.outgoing.links.push_back(list, id);
        true
    }

    /// Returns `true` if the peer's share has space for a packet that takes `units` blocks.
    pub(super) fn has_space(&self, peer: &Peer, units: u32) -> bool {
        let mut budget = self.outgoing_budget;
        budget.take(&mut peer.usage.outgoing.clone(), units)
    }

    /// Releases a command, which must be in no list.
    pub(super) fn release_outgoing(&mut self, peer: &mut Peer, id: u32) {
        let Some(command) = self.outgoing.get(id).copied() else { return };
        self.outgoing_budget.give_back(&mut peer.usage.outgoing, blocks_of(command.len.into()));
        if command.is_reliable {
            self.outgoing_index.remove(id);
        }
        if command.packet != NIL {
            self.blocks.release(command.packet);
        }
        self.outgoing.put_back(id);
    }

    // Received commands.

    /// Stores received bytes. Returns `None` if the peer's share is full.
    pub(super) fn store(
        &mut self,
        peer: &mut Peer,
        payload: &[u8],
        command: Incoming,
    ) -> Option<u32> {
        let units = blocks_of(payload.len());
        let (budget, used) =
            Self::share(&mut self.in_order_budget, &mut self.ahead_budget, peer, command.share);
        if !budget.take(used, units) {
            return None;
        }
        let is_packet = command.count == 0;
        let packet = if is_packet { self.blocks.store(payload) } else { Some(NIL) };
        let id = packet.and_then(|packet| self.incoming.take(Incoming { packet, ..command }));
        if id.is_none() {
            let (budget, used) =
                Self::share(&mut self.in_order_budget, &mut self.ahead_budget, peer, command.share);
            budget.give_back(used, units);
            if let Some(packet) = packet.filter(|packet| *packet != NIL) {
                self.blocks.release(packet);
            }
        }
        id
    }

    fn share<'b>(
        in_order: &'b mut Budget,
        ahead: &'b mut Budget,
        peer: &'b mut Peer,
        share: Share,
    ) -> (&'b mut Budget, &'b mut u32) {
        match share {
            Share::InOrder => (in_order, &mut peer.usage.in_order),
            Share::Ahead => (ahead, &mut peer.usage.ahead),
        }
    }

    /// Releases a received command with all its fragments. It must be in no list.
    pub(super) fn release_incoming(&mut self, peer: &mut Peer, id: u32) {
        let Some(mut command) = self.incoming.get(id).copied() else { return };
        while let Some(fragment) = self.incoming.links.pop_front(&mut command.fragments) {
            self.release_one(peer, fragment);
        }
        self.release_one(peer, id);
    }

    fn release_one(&mut self, peer: &mut Peer, id: u32) {
        let Some(command) = self.incoming.get(id).copied() else { return };
        let units =
            blocks_of(if command.packet == NIL { 0 } else { self.blocks.len(command.packet) });
        let (budget, used) =
            Self::share(&mut self.in_order_budget, &mut self.ahead_budget, peer, command.share);
        budget.give_back(used, units);
        if command.packet != NIL {
            self.blocks.release(command.packet);
        }
        self.incoming_index.remove(id);
        self.incoming.put_back(id);
    }
}
