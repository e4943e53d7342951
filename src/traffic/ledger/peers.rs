//! Counts the traffic of each address.

use crate::traffic::flows::address_key;
use crate::traffic::hash::RandomState;
use crate::transport::Sum;
use core::net::SocketAddr;
use std::collections::HashMap;
use std::vec::Vec;

/// The traffic of an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Peer {
    /// The address. `None` for the peer that stands for all addresses beyond the limit.
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
pub(super) const OTHERS: u32 = 0;

const RECENT: usize = 64;

/// The source and the destination of a packet between two IPv4 addresses. Both addresses are stored
/// as a key and as an index in the table of peers.
#[derive(Clone, Copy, Debug)]
struct Pair {
    keys: [u64; 2],
    peers: [u32; 2],
}

/// A key that no address of IPv4 has.
const NO_KEY: u64 = u64::MAX;

#[derive(Debug)]
pub(super) struct Peers {
    limit: usize,
    by_address: HashMap<SocketAddr, u32, RandomState>,
    all: Vec<Peer>,
    /// A direct-mapped cache of the pairs that were used last.
    recent: [Pair; RECENT],
}

impl Peers {
    pub(super) fn new(limit: usize) -> Self {
        let all = [Peer::default()].into();
        let free = Pair { keys: [NO_KEY; 2], peers: [0; 2] };
        Self { limit, by_address: HashMap::default(), all, recent: [free; RECENT] }
    }

    /// Counts a captured packet. Returns the index of the sender.
    #[inline(always)]
    pub(super) fn captured(
        &mut self,
        source: &SocketAddr,
        destination: &SocketAddr,
        len: usize,
    ) -> u32 {
        let keys = [address_key(source), address_key(destination)];
        // The two directions have different slots.
        let slot = (keys[0] ^ keys[1].rotate_left(1)) as usize % RECENT;
        let [from, to] = match self.recent.get(slot) {
            Some(pair) if pair.keys == keys => pair.peers,
            _ => self.look_up(keys, slot, source, destination),
        };
        if let Some(peer) = self.all.get_mut(from as usize) {
            peer.sent.add(len);
        }
        if let Some(peer) = self.all.get_mut(to as usize) {
            peer.received.add(len);
        }
        from
    }

    /// Counts a packet of the game.
    #[inline(always)]
    pub(super) fn packet(&mut self, from: u32, id: Option<i32>, len: usize) {
        if let Some(peer) = self.all.get_mut(from as usize) {
            peer.packets.add(len);
            if id.is_some() && from != OTHERS {
                peer.id = id;
            }
        }
    }

    #[inline(never)]
    fn look_up(
        &mut self,
        keys: [u64; 2],
        slot: usize,
        source: &SocketAddr,
        destination: &SocketAddr,
    ) -> [u32; 2] {
        let peers = [source, destination].map(|address| self.find(address));
        // Only the keys of IPv4 addresses are unique.
        let is_exact = source.is_ipv4() && destination.is_ipv4();
        if let Some(recent) = self.recent.get_mut(slot).filter(|_| is_exact) {
            *recent = Pair { keys, peers };
        }
        peers
    }

    /// Returns the index of an address.
    pub(super) fn find(&mut self, address: &SocketAddr) -> u32 {
        if let Some(index) = self.by_address.get(address) {
            return *index;
        }
        if self.by_address.len() >= self.limit {
            return OTHERS;
        }
        let index = u32::try_from(self.all.len()).unwrap_or(0);
        self.all.push(Peer { address: Some(*address), ..Peer::default() });
        self.by_address.insert(*address, index);
        index
    }

    pub(super) fn get(&self, index: usize) -> Option<&Peer> {
        self.all.get(index)
    }

    /// Iterates over all peers with any traffic.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Peer> {
        self.all.iter().filter(|peer| peer.sent.count | peer.received.count > 0)
    }
}
