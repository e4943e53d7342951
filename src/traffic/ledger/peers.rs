//! Totals by address.

use crate::traffic::flows::address_key;
use crate::transport::Sum;
use core::net::SocketAddr;
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::vec::Vec;

/// The traffic of an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Peer {
    /// The address. `None` for all addresses beyond the limit together.
    pub address: Option<SocketAddr>,
    /// The multiplayer id that the address had last, if it is known.
    pub id: Option<i32>,
    /// Captured packets that the address sent, with all their headers.
    pub sent: Sum,
    /// Captured packets that the address received, with all their headers.
    pub received: Sum,
    /// Packets of the game that the address sent, without headers of transports.
    pub packets: Sum,
}

/// The slot in the table of peers for all addresses beyond the limit.
const OTHERS: usize = 0;

const RECENT: usize = 64;

#[derive(Debug)]
pub(super) struct Peers {
    limit: usize,
    by_address: HashMap<SocketAddr, u32, RandomState>,
    all: Vec<Peer>,
    /// A direct-mapped cache: keys and indices of the peers that were used last.
    recent: [(u64, u32); RECENT],
}

impl Peers {
    pub(super) fn new(limit: usize) -> Self {
        let all = [Peer::default()].into();
        Self { limit, by_address: HashMap::default(), all, recent: [(u64::MAX, 0); RECENT] }
    }

    /// Counts a captured packet. Returns the index of the sender.
    #[inline(always)]
    pub(super) fn captured(
        &mut self,
        source: &SocketAddr,
        destination: &SocketAddr,
        len: usize,
    ) -> usize {
        let to = self.find(destination);
        if let Some(peer) = self.all.get_mut(to) {
            peer.received.add(len);
        }
        let from = self.find(source);
        if let Some(peer) = self.all.get_mut(from) {
            peer.sent.add(len);
        }
        from
    }

    /// Counts a packet of the game.
    #[inline(always)]
    pub(super) fn packet(&mut self, from: usize, id: Option<i32>, len: usize) {
        if let Some(peer) = self.all.get_mut(from) {
            peer.packets.add(len);
            if id.is_some() && from != OTHERS {
                peer.id = id;
            }
        }
    }

    /// Returns the index of the address.
    #[inline(always)]
    pub(super) fn find(&mut self, address: &SocketAddr) -> usize {
        let key = address_key(address);
        let slot = (key ^ key >> 32) as usize % RECENT;
        match self.recent.get(slot) {
            Some((known, index)) if *known == key && address.is_ipv4() => *index as usize,
            _ => self.look_up(key, slot, address),
        }
    }

    #[inline(never)]
    fn look_up(&mut self, key: u64, slot: usize, address: &SocketAddr) -> usize {
        let index = match self.by_address.get(address) {
            Some(index) => *index,
            None if self.by_address.len() < self.limit => {
                let index = u32::try_from(self.all.len()).unwrap_or(0);
                self.all.push(Peer { address: Some(*address), ..Peer::default() });
                self.by_address.insert(*address, index);
                index
            }
            None => OTHERS as u32,
        };
        if let Some(recent) = self.recent.get_mut(slot) {
            *recent = (key, index);
        }
        index as usize
    }

    pub(super) fn get(&self, index: usize) -> Option<&Peer> {
        self.all.get(index)
    }

    /// Iterates over all peers with any traffic.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Peer> {
        self.all.iter().filter(|peer| peer.sent.count | peer.received.count > 0)
    }
}
