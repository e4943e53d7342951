//! Hosts beside `rusty_enet`, a translation of ENet's code, over good and bad networks, in both
//! roles.

use super::network::{BAD, Faults, Flying, Lines, PERFECT, Seen, address};
use crate::support::random::Random;
use gamewire::transport::enet::{
    CompressionMode, Config, Delivery, DisconnectReason, Host, PeerKey,
};
use rusty_enet::{
    EventNoRef, HostSettings, MTU_MAX, Packet, PacketKind, PacketReceived, PeerID, RangeCoder,
    Socket, crc32,
};
use std::cell::Cell;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

/// The socket of the other implementation: datagrams that have arrived, and those to send.
#[derive(Default)]
struct Wire {
    arrived: VecDeque<(SocketAddr, Vec<u8>)>,
    sent: Vec<(SocketAddr, Vec<u8>)>,
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

/// Both hosts. Host 0 is ours.
struct Pair {
    now: u64,
    clock: Rc<Cell<u64>>,
    lines: Lines,
    ours: Host,
    theirs: rusty_enet::Host<Wire>,
}

type Received = Vec<(u8, Vec<u8>)>;

#[derive(Default)]
struct Events {
    ours: Vec<Seen>,
    theirs: Vec<EventNoRef>,
}

impl Pair {
    fn new(seed: u64, faults: Faults, config: Config) -> Self {
        let clock = Rc::new(Cell::new(1000));
        let time = Rc::clone(&clock);
        let settings = HostSettings {
            peer_limit: 8,
            channel_limit: 255,
            compressor: match config.compression {
                CompressionMode::RangeCoder => Some(Box::new(RangeCoder::new())),
                _ => None,
            },
            checksum: config.checksums.then(|| Box::new(crc32) as Box<dyn Fn(&[&[u8]]) -> u32>),
            time: Box::new(move || Duration::from_millis(time.get())),
            seed: Some(seed as u32 + 1),
            ..HostSettings::default()
        };
        let theirs = rusty_enet::Host::new(Wire::default(), settings).unwrap();
        let ours = Host::new(Config { seed, ..config });
        Self { now: 1000, clock, lines: Lines::new(seed, faults), ours, theirs }
    }

    fn step(&mut self, events: &mut Events) {
        self.now += 1;
        self.clock.set(self.now);
        while let Some(Flying { from, to, bytes }) = self.lines.arrived(self.now) {
            if to == address(0) {
                self.ours.receive(self.now, from, &bytes);
            } else {
                self.theirs.socket_mut().arrived.push_back((from, bytes));
            }
        }
        while let Some(event) = self.ours.poll_event() {
            events.ours.push(Seen::of(event));
        }
        while let Some(datagram) = self.ours.poll_transmit(self.now) {
            self.lines.post(self.now, address(0), datagram.to, datagram.bytes);
        }
        while let Some(event) = self.theirs.service().unwrap() {
            events.theirs.push(event.no_ref());
        }
        for (to, bytes) in self.theirs.socket_mut().sent.drain(..) {
            self.lines.post(self.now, address(1), to, &bytes);
        }
    }

    fn run(&mut self, milliseconds: u64) -> Events {
        let mut events = Events::default();
        (0..milliseconds).for_each(|_| self.step(&mut events));
        events
    }

    /// Connects the hosts, and returns our key for them and their key for us.
    fn join(&mut self, we_begin: bool) -> (PeerKey, PeerID) {
        if we_begin {
            self.ours.connect(self.now, address(1), 4, 33).unwrap();
        } else {
            self.theirs.connect(address(0), 4, 33).unwrap();
        }
        let mut events = Events::default();
        for _ in 0..30_000 {
            self.step(&mut events);
            if let ([Seen::Connected(key, ours)], [EventNoRef::Connect { peer, data }]) =
                (&events.ours[..], &events.theirs[..])
            {
                assert_eq!([*ours, *data], if we_begin { [0, 33] } else { [33, 0] });
                return (*key, *peer);
            }
        }
        panic!("{:?} {:?}", events.ours, events.theirs);
    }
}

const KINDS: [(Delivery, PacketKind); 3] = [
    (Delivery::Reliable, PacketKind::Reliable),
    (Delivery::Unreliable, PacketKind::AlwaysUnreliable { sequenced: true }),
    (Delivery::Unsequenced, PacketKind::AlwaysUnreliable { sequenced: false }),
];

fn length(random: &mut Random) -> usize {
    4 + match random.below(20) {
        0 => random.below(12_000),
        _ => random.below(200),
    }
}

/// Both hosts send packets of all kinds; each kind has a channel of its own.
fn exchange(seed: u64, we_begin: bool, faults: Faults, config: Config) {
    let mut pair = Pair::new(seed, faults, config);
    let (key, id) = pair.join(we_begin);
    pair.theirs.peer_mut(id).set_timeout(1 << 20, 60_000, 60_000);
    let mut random = Random::new(seed);
    let mut sent: [Received; 2] = Default::default();
    let mut received: [Received; 2] = Default::default();
    let mut take = |events: Events| {
        for event in events.ours {
            let Seen::Received(_, channel, _, bytes) = event else { panic!("{event:?}") };
            received[0].push((channel, bytes));
        }
        for event in events.theirs {
            let EventNoRef::Receive { channel_id, packet, .. } = event else { panic!("{event:?}") };
            received[1].push((channel_id, packet.data().to_vec()));
        }
    };
    for number in 0..400_u32 {
        for to in [0, 1] {
            let channel = random.below(3);
            let mut bytes = number.to_be_bytes().to_vec();
            bytes.resize(length(&mut random), number as u8);
            let (delivery, kind) = KINDS[channel];
            if to == 1 {
                pair.ours.send(key, channel as u8, delivery, &bytes).unwrap();
            } else {
                let packet = Packet::new(&bytes[..], kind);
                pair.theirs.peer_mut(id).send(channel as u8, &packet).unwrap();
            }
            sent[to].push((channel as u8, bytes));
        }
        take(pair.run(16));
    }
    take(pair.run(30_000));
    for (sent, received) in sent.iter().zip(&received) {
        let on = |all: &Received, wanted: u8| -> Received {
            all.iter().filter(|(channel, _)| *channel == wanted).cloned().collect()
        };
        assert_eq!(on(received, 0), on(sent, 0), "all reliable packets, in order");
        let [ordered, any] = [1, 2].map(|channel| on(received, channel));
        assert!(ordered.is_sorted_by(|(_, a), (_, b)| a[..4] < b[..4]));
        for part in [&ordered, &any] {
            assert!(part.iter().all(|packet| sent.contains(packet)), "no packet is damaged");
            assert!(faults.lost > 0 || part.len() == on(sent, part[0].0).len());
            assert!(part.len() > 50, "most arrive");
        }
    }
}

fn config() -> Config {
    // On bad networks, ENet's limits would end a connection once in a while.
    Config { timeout_limit: 1 << 20, timeout_maximum: 60_000, ..Config::default() }
}

#[test]
fn hosts_of_both_kinds_understand_each_other() {
    for seed in 0..6 {
        for we_begin in [true, false] {
            for faults in [PERFECT, BAD] {
                exchange(seed, we_begin, faults, config());
            }
        }
    }
}

#[test]
fn checksums_and_compression_are_the_same() {
    for we_begin in [true, false] {
        for (checksums, compression) in [
            (true, CompressionMode::None),
            (false, CompressionMode::RangeCoder),
            (true, CompressionMode::RangeCoder),
        ] {
            exchange(9, we_begin, BAD, Config { checksums, compression, ..config() });
        }
    }
}

#[test]
fn either_kind_can_end_a_connection() {
    for we_begin in [true, false] {
        let mut pair = Pair::new(4, PERFECT, config());
        let (key, id) = pair.join(we_begin);
        pair.theirs.peer_mut(id).disconnect(71);
        let events = pair.run(100);
        let reason = DisconnectReason::Remote { data: 71 };
        assert_eq!(events.ours, [Seen::Disconnected(key, reason)]);
        assert!(matches!(events.theirs[..], [EventNoRef::Disconnect { .. }]));
        let (key, _) = pair.join(we_begin);
        pair.ours.disconnect(key, 72);
        let events = pair.run(100);
        assert_eq!(events.ours, [Seen::Disconnected(key, DisconnectReason::Local)]);
        assert!(matches!(events.theirs[..], [EventNoRef::Disconnect { data: 72, .. }]));
        let (key, _) = pair.join(we_begin);
        pair.ours.disconnect_now(key, 73);
        let events = pair.run(100);
        assert!(matches!(events.theirs[..], [EventNoRef::Disconnect { data: 73, .. }]));
    }
}

/// The client limits what it receives, so the server drops unreliable packets. (ENet ignores this
/// limit if the sender states none of its own.)
#[test]
fn bandwidth_limits_are_kept() {
    let mut pair = Pair::new(5, PERFECT, Config { outgoing_bandwidth: 50_000, ..config() });
    pair.theirs.set_bandwidth_limit(Some(20_000), None).unwrap();
    let (key, _) = pair.join(false);
    let mut received = 0;
    for _ in 0..20_000 / 16 {
        pair.ours.send(key, 1, Delivery::Unreliable, &[7; 1000]).unwrap();
        received += pair.run(16).theirs.len();
    }
    // Without the limit, 1,250 packets would arrive, of which the limit allows 400.
    assert!((300..600).contains(&received), "{received}");
}
