//! Measures a server with many peers in one process, without sockets: the time that the server takes
//! for each packet in and out, beside `rusty_enet`, a translation of ENet's code.
//!
//! ```sh
//! cargo run --release --features host --example enet_load -- 1000 10
//! ```
//!
//! The arguments are the number of peers and of seconds. Each peer sends 60 packets of 100 bytes a
//! second and gets as many. The time of the clients is not counted. One client's datagrams pass
//! through memory, so there is no cost of sockets either.

use gamewire::transport::enet::{Config, Delivery, Host, HostEvent, PeerKey};
use rusty_enet::{HostSettings, MTU_MAX, Packet, PacketReceived, PeerID, Socket};
use std::cell::Cell;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

const PAYLOAD: [u8; 100] = [0x5A; 100];
const TICKS_PER_SECOND: u64 = 60;

fn address(index: usize) -> SocketAddr {
    SocketAddr::from(([10, 0, (index >> 8) as u8, index as u8], 4000))
}

type Datagrams = Vec<(SocketAddr, Vec<u8>)>;

/// A server of either implementation.
trait Server {
    /// Takes datagrams, and returns how many packets they contained.
    fn receive(&mut self, now: u64, datagrams: &Datagrams) -> usize;
    /// Sends a packet to each peer, if `packets` is `true`, and collects the datagrams.
    fn send(&mut self, now: u64, delivery: Option<Delivery>, datagrams: &mut Datagrams);
    /// Number of connected peers.
    fn peers(&self) -> usize;
}

struct Ours {
    host: Host,
    peers: Vec<PeerKey>,
}

impl Server for Ours {
    fn receive(&mut self, now: u64, datagrams: &Datagrams) -> usize {
        let mut packets = 0;
        for (from, bytes) in datagrams {
            self.host.receive(now, *from, bytes);
            while let Some(event) = self.host.poll_event() {
                match event {
                    HostEvent::Connected { peer, .. } => self.peers.push(peer),
                    HostEvent::Received { .. } => packets += 1,
                    other => panic!("{other:?}"),
                }
            }
        }
        packets
    }

    fn send(&mut self, now: u64, delivery: Option<Delivery>, datagrams: &mut Datagrams) {
        if let Some(delivery) = delivery {
            for peer in &self.peers {
                self.host.send(*peer, 0, delivery, &PAYLOAD).expect("there is space");
            }
        }
        while let Some(datagram) = self.host.poll_transmit(now) {
            datagrams.push((datagram.to, datagram.bytes.to_vec()));
        }
    }

    fn peers(&self) -> usize {
        self.peers.len()
    }
}

#[derive(Default)]
struct Wire {
    arrived: VecDeque<(SocketAddr, Vec<u8>)>,
    sent: Datagrams,
}

impl Socket for Wire {
    type Address = SocketAddr;
    type Error = Infallible;

    fn send(&mut self, address: SocketAddr, bytes: &[u8]) -> Result<usize, Infallible> {
        self.sent.push((address, bytes.to_vec()));
        Ok(bytes.len())
    }

    fn receive(
        &mut self,
        buffer: &mut [u8; MTU_MAX],
    ) -> Result<Option<(SocketAddr, PacketReceived)>, Infallible> {
        let Some((from, bytes)) = self.arrived.pop_front() else { return Ok(None) };
        buffer[..bytes.len()].copy_from_slice(&bytes);
        Ok(Some((from, PacketReceived::Complete(bytes.len()))))
    }
}

struct Theirs {
    host: rusty_enet::Host<Wire>,
    clock: Rc<Cell<u64>>,
    peers: Vec<PeerID>,
}

impl Server for Theirs {
    fn receive(&mut self, now: u64, datagrams: &Datagrams) -> usize {
        self.clock.set(now);
        self.host.socket_mut().arrived.extend(datagrams.iter().cloned());
        let mut packets = 0;
        while let Ok(Some(event)) = self.host.service() {
            match event {
                rusty_enet::Event::Connect { peer, .. } => self.peers.push(peer.id()),
                rusty_enet::Event::Receive { .. } => packets += 1,
                rusty_enet::Event::Disconnect { .. } => panic!("a peer is gone"),
            }
        }
        packets
    }

    fn send(&mut self, now: u64, delivery: Option<Delivery>, datagrams: &mut Datagrams) {
        self.clock.set(now);
        for peer in self.peers.iter().filter(|_| delivery.is_some()) {
            let packet = match delivery {
                Some(Delivery::Reliable) => Packet::reliable(&PAYLOAD[..]),
                _ => Packet::unreliable_unsequenced(&PAYLOAD[..]),
            };
            self.host.peer_mut(*peer).send(0, &packet).expect("it is connected");
        }
        self.host.flush();
        datagrams.append(&mut self.host.socket_mut().sent);
    }

    fn peers(&self) -> usize {
        self.peers.len()
    }
}

/// Clients with a connection each, which send a packet at each tick.
struct Clients {
    hosts: Vec<(Host, PeerKey)>,
}

impl Clients {
    fn new(count: usize) -> Self {
        let client = |index| {
            let seed = index as u64;
            let mut host = Host::new(Config {
                peers: 1,
                half_open: 1,
                memory: 64 << 10,
                seed,
                ..Config::default()
            });
            let key = host.connect(0, address(0xFFFF), 1, 0).expect("there is a place");
            (host, key)
        };
        Self { hosts: (0..count).map(client).collect() }
    }

    fn tick(&mut self, now: u64, delivery: Option<Delivery>, datagrams: &mut Datagrams) {
        for (index, (host, key)) in self.hosts.iter_mut().enumerate() {
            if let Some(delivery) = delivery {
                host.send(*key, 0, delivery, &PAYLOAD).expect("it is connected");
            }
            while let Some(datagram) = host.poll_transmit(now) {
                datagrams.push((address(index), datagram.bytes.to_vec()));
            }
        }
    }

    fn receive(&mut self, now: u64, datagrams: &Datagrams) -> usize {
        let mut packets = 0;
        for (to, bytes) in datagrams {
            let SocketAddr::V4(to) = to else { continue };
            let [.., high, low] = to.ip().octets();
            let (host, _) = &mut self.hosts[usize::from(high) << 8 | usize::from(low)];
            host.receive(now, address(0xFFFF), bytes);
            while let Some(event) = host.poll_event() {
                packets += usize::from(matches!(event, HostEvent::Received { .. }));
            }
        }
        packets
    }
}

fn measure(name: &str, server: &mut dyn Server, peers: usize, seconds: u64, delivery: Delivery) {
    let mut clients = Clients::new(peers);
    let (mut up, mut down) = (Datagrams::new(), Datagrams::new());
    let (mut time_in, mut time_out) = (Duration::ZERO, Duration::ZERO);
    let (mut packets_in, mut packets_out, mut slowest) = (0, 0, Duration::ZERO);
    let warm_up = 60;
    for tick in 0..warm_up + seconds * TICKS_PER_SECOND {
        let now = tick * 1000 / TICKS_PER_SECOND;
        let delivery = Some(delivery).filter(|_| server.peers() == peers && tick >= 30);
        up.clear();
        clients.tick(now, delivery, &mut up);
        let start = Instant::now();
        let received = server.receive(now, &up);
        let between = Instant::now();
        down.clear();
        server.send(now, delivery, &mut down);
        let end = Instant::now();
        let sent = clients.receive(now, &down);
        if tick >= warm_up {
            time_in += between - start;
            time_out += end - between;
            slowest = slowest.max(end - start);
            packets_in += received;
            packets_out += sent;
        }
    }
    assert_eq!(server.peers(), peers, "all clients are connected");
    let nanoseconds = |time: Duration, packets: usize| time.as_nanos() as usize / packets.max(1);
    let share = 100.0 * (time_in + time_out).as_secs_f64() / seconds as f64;
    println!(
        "{name:>10}, {delivery:<11}: {packets_in} packets in, {} ns each; {packets_out} out, {} ns each; \
         {share:.1} % of a core; slowest tick {slowest:.1?}",
        nanoseconds(time_in, packets_in),
        nanoseconds(time_out, packets_out),
    );
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default| arguments.next().and_then(|it| it.parse().ok()).unwrap_or(default);
    compare(number(1000) as usize, number(10));
}

/// Measures both implementations, one after the other.
pub fn compare(peers: usize, seconds: u64) {
    for delivery in [Delivery::Unsequenced, Delivery::Reliable] {
        let config = Config {
            peers: peers as u16,
            // All clients ask for a connection at once.
            half_open: peers as u16,
            memory: peers * (48 << 10),
            max_packet: 64 << 10,
            seed: 1,
            ..Config::default()
        };
        let host = Host::new(config);
        let memory = host.memory();
        measure("gamewire", &mut Ours { host, peers: Vec::new() }, peers, seconds, delivery);
        println!("{:>10}  {} bytes of memory, {} for each peer", "", memory, memory / peers);
        let clock = Rc::new(Cell::new(0));
        let time = Rc::clone(&clock);
        let settings = HostSettings {
            peer_limit: peers,
            time: Box::new(move || Duration::from_millis(time.get())),
            seed: Some(1),
            ..HostSettings::default()
        };
        let host = rusty_enet::Host::new(Wire::default(), settings).expect("no socket can fail");
        let mut theirs = Theirs { host, clock, peers: Vec::new() };
        measure("rusty_enet", &mut theirs, peers, seconds, delivery);
    }
}
