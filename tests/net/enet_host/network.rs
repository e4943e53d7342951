//! Hosts joined by a network that loses, repeats, reorders and delays datagrams. There is no clock:
//! each step is a millisecond.

use crate::support::random::Random;
use gamewire::transport::enet::{Delivery, DisconnectReason, Host, HostEvent, PeerKey};
use std::collections::BTreeMap;
use std::net::SocketAddr;

/// The faults of a network.
#[derive(Clone, Copy, Debug)]
pub struct Faults {
    /// Datagrams in a thousand that are lost, and that arrive twice.
    pub lost: usize,
    pub repeated: usize,
    /// Milliseconds on the way: the least, and a random part on top, which reorders.
    pub delay: u64,
    pub jitter: usize,
}

pub const PERFECT: Faults = Faults { lost: 0, repeated: 0, delay: 1, jitter: 0 };
pub const BAD: Faults = Faults { lost: 150, repeated: 100, delay: 20, jitter: 30 };

/// An event with a payload of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    Connected(PeerKey, u32),
    Received(PeerKey, u8, Delivery, Vec<u8>),
    Disconnected(PeerKey, DisconnectReason),
}

impl Seen {
    pub fn of(event: HostEvent<'_>) -> Self {
        match event {
            HostEvent::Connected { peer, data } => Self::Connected(peer, data),
            HostEvent::Received { peer, channel, delivery, payload } => {
                Self::Received(peer, channel, delivery, payload.to_vec())
            }
            HostEvent::Disconnected { peer, reason } => Self::Disconnected(peer, reason),
            other => panic!("{other:?}"),
        }
    }
}

/// A datagram on its way.
pub struct Flying {
    pub from: SocketAddr,
    pub to: SocketAddr,
    pub bytes: Vec<u8>,
}

/// The lines between all hosts.
pub struct Lines {
    pub faults: Faults,
    /// Datagrams and bytes that were sent.
    pub sent: (usize, usize),
    random: Random,
    flying: BTreeMap<(u64, usize), Flying>,
}

impl Lines {
    pub fn new(seed: u64, faults: Faults) -> Self {
        Self { faults, sent: (0, 0), random: Random::new(seed), flying: BTreeMap::new() }
    }

    pub fn post(&mut self, now: u64, from: SocketAddr, to: SocketAddr, bytes: &[u8]) {
        self.sent = (self.sent.0 + 1, self.sent.1 + bytes.len());
        let Faults { lost, repeated, delay, jitter } = self.faults;
        if self.random.below(1000) < lost {
            return;
        }
        let copies = if self.random.below(1000) < repeated { 2 } else { 1 };
        for copy in 0..copies {
            let at = now + delay + self.random.below(jitter + 1) as u64;
            let flying = Flying { from, to, bytes: bytes.to_vec() };
            self.flying.insert((at, 2 * self.sent.0 + copy), flying);
        }
    }

    /// Returns the next datagram that arrives by now.
    pub fn arrived(&mut self, now: u64) -> Option<Flying> {
        let entry = self.flying.first_entry().filter(|entry| entry.key().0 <= now)?;
        Some(entry.remove())
    }
}

/// Hosts and the lines between them.
pub struct Network {
    pub now: u64,
    pub hosts: Vec<Host>,
    pub lines: Lines,
}

/// Returns the address of a host in the network.
pub fn address(host: usize) -> SocketAddr {
    SocketAddr::from(([10, 0, (host >> 8) as u8, host as u8], 4000 + host as u16))
}

impl Network {
    pub fn new(seed: u64, faults: Faults, hosts: Vec<Host>) -> Self {
        Self { now: 1000, hosts, lines: Lines::new(seed, faults) }
    }

    /// Lets a millisecond pass. Returns the events, with the host that saw them.
    pub fn step(&mut self) -> Vec<(usize, Seen)> {
        self.now += 1;
        while let Some(Flying { from, to, bytes }) = self.lines.arrived(self.now) {
            if let Some(host) = self.hosts.get_mut(usize::from(to.port() - 4000)) {
                host.receive(self.now, from, &bytes);
            }
        }
        let mut seen = Vec::new();
        for index in 0..self.hosts.len() {
            let host = &mut self.hosts[index];
            while let Some(event) = host.poll_event() {
                seen.push((index, Seen::of(event)));
            }
            let mtu = usize::from(host.config().mtu);
            while let Some(datagram) = host.poll_transmit(self.now) {
                assert!(datagram.bytes.len() <= mtu);
                self.lines.post(self.now, address(index), datagram.to, datagram.bytes);
            }
        }
        seen
    }

    /// Lets time pass, and returns all events.
    pub fn run(&mut self, milliseconds: u64) -> Vec<(usize, Seen)> {
        (0..milliseconds).flat_map(|_| self.step()).collect()
    }

    /// Connects all hosts but the first to the first. Returns for each of them its key for the
    /// server, and the server's key for it.
    pub fn join(&mut self, channels: u16) -> Vec<[PeerKey; 2]> {
        let clients = self.hosts.len() - 1;
        let mut keys = vec![[None; 2]; clients];
        for (client, keys) in keys.iter_mut().enumerate() {
            let now = self.now;
            let key = self.hosts[client + 1].connect(now, address(0), channels, client as u32);
            keys[0] = Some(key.unwrap());
        }
        let mut connected = 0;
        for _ in 0..60_000 {
            for (host, seen) in self.step() {
                let Seen::Connected(key, data) = seen else { panic!("{seen:?}") };
                connected += 1;
                if host == 0 {
                    keys[data as usize][1] = Some(key);
                }
            }
            if connected == 2 * clients {
                return keys.into_iter().map(|both| both.map(Option::unwrap)).collect();
            }
        }
        panic!("{connected} of {} connections are established", 2 * clients);
    }
}
