//! Everything of a host but its codec: the peers, their places, and how connections begin and end.

use super::arena::Arena;
use super::bandwidth::Bandwidth;
use super::commands::Kind;
use super::config::{Config, MAX_MTU, MAX_PEERS};
use super::event::{ConnectError, PeerKey};
use super::index::Index;
use super::list::Queue;
use super::peer::{HalfOpen, Peer, State};
use super::slots::Slots;
use crate::transport::random::Random;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::net::{IpAddr, SocketAddr};

/// The time of a peer for which nothing is due.
pub(super) const NEVER: u64 = u64::MAX;

#[derive(Debug)]
pub(super) struct Connections {
    pub(super) config: Config,
    pub(super) max_packet: u32,
    random: Random,
    pub(super) now: u64,
    pub(super) peers: Box<[Peer]>,
    pub(super) arena: Arena,
    pub(super) free: Slots,
    /// Number of places of peers that are not half-open.
    pub(super) established: u16,
    /// Peers for which a datagram may be due.
    pub(super) ready: Queue,
    /// Peers with events for the application.
    pub(super) events: Queue,
    /// Half-open peers, the oldest first.
    half_open: Queue,
    half_open_count: u16,
    /// Peers by address and connect id.
    pub(super) endpoints: Index,
    /// Connected peers by IP address.
    pub(super) addresses: Index,
    /// For each peer, the time at which something is due.
    pub(super) deadlines: Box<[u64]>,
    /// A lower bound of these times.
    pub(super) next_deadline: u64,
    pub(super) bandwidth: Bandwidth,
    /// The datagram that is being written.
    pub(super) buffer: Vec<u8>,
}

impl Connections {
    pub(super) fn new(config: Config) -> Self {
        let config = config.in_range();
        let slots = config.slots();
        let mut random = Random::new(config.seed);
        let arena = Arena::new(&config, &mut random);
        let max_packet = config.max_packet.min(arena.max_packet()) as u32;
        let mut secret = || [random.next(), random.next()];
        let (endpoints, addresses) = (Index::new(slots, secret()), Index::new(slots, secret()));
        Self {
            max_packet,
            now: 0,
            peers: (0..slots as u16).map(|slot| Peer::new(slot, &config)).collect(),
            arena,
            free: Slots::new(slots),
            established: 0,
            ready: Queue::new(slots),
            events: Queue::new(slots),
            half_open: Queue::new(slots),
            half_open_count: 0,
            endpoints,
            addresses,
            deadlines: vec![NEVER; slots].into_boxed_slice(),
            next_deadline: NEVER,
            bandwidth: Bandwidth::default(),
            buffer: Vec::with_capacity(usize::from(MAX_MTU).saturating_mul(2)),
            random,
            config,
        }
    }

    pub(super) fn memory(&self) -> usize {
        [
            self.arena.memory(),
            size_of_val(&*self.peers),
            size_of_val(&*self.deadlines),
            self.ready.memory(),
            self.events.memory(),
            self.half_open.memory(),
            self.endpoints.memory(),
            self.addresses.memory(),
            self.buffer.capacity(),
        ]
        .into_iter()
        .fold(0, usize::saturating_add)
    }

    pub(super) fn peer(&self, slot: u16) -> Option<&Peer> {
        self.peers.get(usize::from(slot))
    }

    /// Returns the peer with this key, if the application may know it.
    pub(super) fn known(&self, key: PeerKey) -> Option<&Peer> {
        self.peer(key.slot).filter(|peer| peer.generation == key.generation && peer.is_known())
    }

    /// Returns a peer together with the memory of its queues.
    pub(super) fn with_arena(&mut self, slot: u16) -> Option<(&mut Peer, &mut Arena)> {
        Some((self.peers.get_mut(usize::from(slot))?, &mut self.arena))
    }

    /// Makes the peer the next one to be served.
    pub(super) fn set_ready(&mut self, slot: u16) {
        self.ready.push(slot);
    }

    /// Takes the lowest free place for a new peer.
    fn take_slot(&mut self, address: SocketAddr, connect_id: u32, state: State) -> Option<u16> {
        let slot = self.free.take()?;
        let key = self.endpoint_key(address, connect_id);
        let clock = self.random.next() as u16;
        let peer = self.peers.get_mut(usize::from(slot))?;
        (peer.address, peer.connect_id) = (address, connect_id);
        (peer.state, peer.clock) = (state, clock);
        peer.half_open = HalfOpen { opened: self.now, ..HalfOpen::default() };
        self.endpoints.insert(slot.into(), key);
        Some(slot)
    }

    /// Begins a connection to a server.
    pub(super) fn connect(
        &mut self,
        address: SocketAddr,
        channels: u16,
        data: u32,
    ) -> Result<PeerKey, ConnectError> {
        if channels == 0 || channels > self.config.channels {
            return Err(ConnectError::BadChannelCount);
        }
        if self.established >= self.config.peers {
            return Err(ConnectError::TooManyPeers);
        }
        let connect_id = self.random.next() as u32;
        let slot = self.take_slot(address, connect_id, State::Connecting);
        let slot = slot.ok_or(ConnectError::TooManyPeers)?;
        self.established = self.established.saturating_add(1);
        let window = self.window(0, self.config.outgoing_bandwidth);
        let (peer, arena) = self.with_arena(slot).ok_or(ConnectError::TooManyPeers)?;
        (peer.channels, peer.data, peer.window) = (channels, data, window);
        arena.queue_control(peer, Kind::Connect, true, 0);
        let key = peer.key();
        self.set_ready(slot);
        Ok(key)
    }

    /// Finds a place for a client that asks for a connection. Drops the oldest half-open peer if
    /// there are too many of them.
    pub(super) fn open(&mut self, address: SocketAddr, connect_id: u32) -> Option<u16> {
        if self.established >= self.config.peers || !self.has_place_for(address.ip()) {
            return None;
        }
        if self.half_open_count >= self.config.half_open {
            self.drop_oldest_half_open();
        }
        let slot = match self.take_slot(address, connect_id, State::HalfOpen) {
            Some(slot) => slot,
            None => {
                self.drop_oldest_half_open();
                self.take_slot(address, connect_id, State::HalfOpen)?
            }
        };
        self.half_open.push(slot);
        self.half_open_count = self.half_open_count.saturating_add(1);
        Some(slot)
    }

    fn drop_oldest_half_open(&mut self) {
        if let Some(slot) = self.half_open.first() {
            self.free_slot(slot);
        }
    }

    /// Returns the peer that has this address and connect id.
    pub(super) fn find(&self, address: SocketAddr, connect_id: u32) -> Option<u16> {
        let key = self.endpoint_key(address, connect_id);
        let mut slots = self.endpoints.matches(key).map(|slot| slot as u16);
        let is_same = |peer: &Peer| peer.address == address && peer.connect_id == connect_id;
        slots.find(|slot| self.peer(*slot).is_some_and(is_same))
    }

    /// Returns two session numbers, each other than the two given ones: the client's last one, and
    /// the last one in this place. ENet counts up instead; here nobody can guess the number.
    pub(super) fn next_session(&mut self, last: [u8; 2]) -> u8 {
        let random = self.random.next();
        let candidate = |shift: u8| (random as u8).wrapping_add(shift) & 3;
        (0..4).map(candidate).find(|session| !last.contains(session)).unwrap_or(0)
    }

    fn has_place_for(&self, ip: IpAddr) -> bool {
        let limit = usize::from(self.config.peers_per_address);
        let peers = self.addresses.matches(self.ip_key(ip));
        limit >= self.peers.len() || peers.take(limit).count() < limit
    }

    fn endpoint_key(&self, address: SocketAddr, connect_id: u32) -> u64 {
        let [high, low] = ip_words(address.ip());
        let port = u64::from(address.port()) << 32 | u64::from(connect_id);
        self.random.hash([high, low, port])
    }

    fn ip_key(&self, ip: IpAddr) -> u64 {
        let [high, low] = ip_words(ip);
        self.random.hash([high, low, u64::MAX])
    }

    /// The peer has proved its address, or is a server that has answered. If a client comes when
    /// all places are taken, it is sent away.
    pub(super) fn establish(&mut self, slot: u16) {
        let Some(peer) = self.peer(slot) else { return };
        let (ip, was_half_open) = (peer.address.ip(), peer.state == State::HalfOpen);
        if was_half_open {
            let is_full = self.established >= self.config.peers || !self.has_place_for(ip);
            self.leave_half_open(slot);
            self.established = self.established.saturating_add(1);
            if is_full {
                // The application does not know the peer, which gets a DISCONNECT.
                return self.close(slot);
            }
        }
        self.addresses.insert(slot.into(), self.ip_key(ip));
        let now_known = self.peers.get_mut(usize::from(slot));
        if let Some(peer) = now_known {
            peer.state = State::Connected;
            peer.announces_connection = true;
        }
        self.bandwidth.recalculate = true;
        self.events.push(slot);
        self.set_ready(slot);
    }

    pub(super) fn leave_half_open(&mut self, slot: u16) {
        self.half_open.remove(slot);
        self.half_open_count = self.half_open_count.saturating_sub(1);
    }

    /// Returns the window for reliable data in flight between two hosts with these bandwidths.
    pub(super) fn window(&self, one: u32, other: u32) -> u32 {
        super::bandwidth::window(one, other)
    }

    /// Returns `true` if a datagram from this address with this session number is from the peer.
    pub(super) fn is_from(&self, slot: u16, from: SocketAddr, session: u8) -> bool {
        self.peer(slot).is_some_and(|peer| {
            let is_open = !matches!(peer.state, State::Free | State::Closing | State::Ended);
            let is_numbered = peer.outgoing_peer < MAX_PEERS;
            is_open && peer.address == from && (!is_numbered || session == peer.incoming_session)
        })
    }
}

fn ip_words(ip: IpAddr) -> [u64; 2] {
    let bits = match ip {
        IpAddr::V4(ip) => u128::from(ip.to_bits()),
        IpAddr::V6(ip) => ip.to_bits(),
    };
    let kind = u64::from(ip.is_ipv4()) << 63;
    [(bits >> 64) as u64 ^ kind, bits as u64]
}
