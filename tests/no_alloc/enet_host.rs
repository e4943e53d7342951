//! Asserts that an ENet host allocates nothing after it has been created: not for connections, nor
//! for packets of any kind, nor for lost datagrams, nor for hostile ones.

use crate::counting::without_allocating;
use crate::support::random::Random;
use gamewire::transport::enet::{CompressionMode, Config, Delivery, Host, HostEvent, PeerKey};
use std::net::SocketAddr;

const CLIENTS: usize = 4;

fn address(host: usize) -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 4000 + host as u16))
}

/// A datagram on its way: when it arrives, from where, and to where.
struct Flying {
    at: u64,
    from: usize,
    to: usize,
    bytes: Vec<u8>,
}

struct World {
    hosts: Vec<Host>,
    keys: Vec<Vec<PeerKey>>,
    random: Random,
    flying: Vec<Flying>,
    payload: Vec<u8>,
    received: usize,
    ended: usize,
    /// `true` if some datagrams are damaged.
    damages: bool,
}

impl World {
    fn new(compression: CompressionMode, checksums: bool) -> Self {
        let config = Config { peers: 4, compression, checksums, ..Config::default() };
        let host = |seed| Host::new(Config { seed, ..config.clone() });
        Self {
            hosts: (0..=CLIENTS as u64).map(host).collect(),
            keys: (0..=CLIENTS).map(|_| Vec::with_capacity(8)).collect(),
            random: Random::new(31),
            flying: Vec::new(),
            payload: (0..20_000).map(|at| (at / 7) as u8).collect(),
            received: 0,
            ended: 0,
            // The library for Zstandard allocates tables when a frame first needs them.
            damages: compression != CompressionMode::Zstd,
        }
    }

    /// Sends a packet of a random kind and length to each peer.
    fn send(&mut self, from: usize) {
        let deliveries = [Delivery::Reliable, Delivery::Unreliable, Delivery::Unsequenced];
        let (delivery, random) = (self.random.one_of(&deliveries), &mut self.random);
        let longest = if random.below(10) == 0 { self.payload.len() } else { 200 };
        let len = random.below(longest);
        let channel = random.below(20) as u8;
        let (host, keys) = (&mut self.hosts[from], self.keys[from].iter().copied());
        let payload = &self.payload[..len];
        without_allocating("send_to_many", || {
            host.send_to_many(keys, channel, delivery, payload, |_, _| {});
        });
    }

    fn poll(&mut self, now: u64, number: usize) {
        let (host, keys) = (&mut self.hosts[number], &mut self.keys[number]);
        without_allocating("poll_event", || {
            while let Some(event) = host.poll_event() {
                match event {
                    HostEvent::Connected { peer, .. } => keys.push(peer),
                    HostEvent::Received { .. } => self.received += 1,
                    HostEvent::Disconnected { peer, .. } => {
                        keys.retain(|key| *key != peer);
                        self.ended += 1;
                    }
                    _ => {}
                }
            }
        });
        let mut buffer = [0; 4096];
        let mut next = || {
            let datagram = host.poll_transmit(now)?;
            buffer[..datagram.bytes.len()].copy_from_slice(datagram.bytes);
            Some((usize::from(datagram.to.port() - 4000), datagram.bytes.len(), buffer))
        };
        while let Some((to, len, bytes)) = without_allocating("poll_transmit", &mut next) {
            let copies = [0, 1, 1, 1, 1, 1, 1, 2][self.random.below(8)];
            for _ in 0..copies {
                let at = now + 1 + self.random.below(40) as u64;
                self.flying.push(Flying { at, from: number, to, bytes: bytes[..len].to_vec() });
            }
        }
    }

    /// Lets datagrams arrive. Some are damaged.
    fn arrive(&mut self, now: u64) {
        let due: Vec<_> = self.flying.extract_if(.., |flying| flying.at <= now).collect();
        for Flying { from, to, mut bytes, .. } in due {
            if self.damages && self.random.below(20) == 0 {
                let at = self.random.below(bytes.len());
                bytes[at] = self.random.next() as u8;
            }
            let host = &mut self.hosts[to];
            without_allocating("receive", || host.receive(now, address(from), &bytes));
        }
    }

    fn run(&mut self) {
        for now in 0..4000_u64 {
            self.arrive(now);
            for number in 0..=CLIENTS {
                let (host, keys) = (&mut self.hosts[number], &self.keys[number]);
                without_allocating("connect and disconnect", || match now % 2000 {
                    0 if number > 0 => drop(host.connect(now, address(0), 30, 1)),
                    1800 => keys.iter().for_each(|key| host.disconnect(*key, 0)),
                    _ => {}
                });
                if now % 4 == 0 {
                    self.send(number);
                }
                self.poll(now, number);
            }
        }
    }
}

#[test]
fn hosts_do_not_allocate() {
    for (compression, checksums) in CompressionMode::ALL.into_iter().zip([false, true].repeat(3)) {
        let supported = cfg!(feature = "compression");
        if !supported && !matches!(compression, CompressionMode::None | CompressionMode::RangeCoder)
        {
            continue;
        }
        let mut world = World::new(compression, checksums);
        let memory: Vec<usize> = world.hosts.iter().map(Host::memory).collect();
        world.run();
        assert!(world.received > 500 && world.ended >= 8, "{} {}", world.received, world.ended);
        assert!(world.hosts.iter().map(Host::memory).eq(memory));
    }
}
