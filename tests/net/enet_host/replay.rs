//! Replays captures of real engines: a host in the place of the engine's server gets the client's
//! datagrams at the times of capture, and sends the packets that the server's application sent. It
//! must answer with the server's commands.
//!
//! Two things are the host's own: session bits and times of sending. The client's datagrams are
//! changed to fit them. Pings depend on times, so they are left out of the comparison.

use crate::support::corpus;
use crate::support::net::pcap::{self, Udp};
use gamewire::transport::enet::{
    Acknowledge, Body, Command, Commands, CompressionMode, Config, Datagram, DatagramCodec,
    Delivery, Event, Fragment, Host, HostEvent, Limits, PeerKey, Session, VerifyConnect,
};
use std::collections::HashMap;
use std::net::SocketAddr;

const MODES: [(&str, CompressionMode); 13] = [
    ("captures/enet", CompressionMode::None),
    ("captures/enet_rle", CompressionMode::RangeCoder),
    ("captures/godot3_enet", CompressionMode::None),
    ("captures/godot3_enet_rle", CompressionMode::RangeCoder),
    ("captures/relay", CompressionMode::None),
    ("captures-2/enet_fastlz", CompressionMode::FastLz),
    ("captures-2/enet_objects", CompressionMode::None),
    ("captures-2/enet_zlib", CompressionMode::Zlib),
    ("captures-2/enet_zstd", CompressionMode::Zstd),
    ("captures-2/godot3_enet_objects", CompressionMode::FastLz),
    ("captures-2/lossy_dup", CompressionMode::None),
    ("captures-diagnosis/good", CompressionMode::None),
    ("captures-diagnosis/godot3_good", CompressionMode::None),
];

/// A command without its lifetime: what a side sent, and in which datagram.
#[derive(Clone, Debug, PartialEq)]
struct Sent {
    command: Vec<u8>,
    sent_time: Option<u16>,
}

fn commands_of(datagram: &[u8], mode: CompressionMode, codec: &mut DatagramCodec) -> Vec<Sent> {
    let datagram = Datagram::parse(datagram).unwrap();
    let body = match datagram.compressed {
        true => codec.decompress(mode, datagram.body, datagram.header_len()).unwrap().to_vec(),
        false => datagram.body.to_vec(),
    };
    let bytes = |command: Command<'_>| {
        let mut bytes = Vec::new();
        command.write(&mut bytes).unwrap();
        Sent { command: bytes, sent_time: datagram.sent_time }
    };
    Commands::new(&body, 0).map(|command| bytes(command.unwrap())).collect()
}

impl Sent {
    fn get(&self) -> Command<'_> {
        Commands::new(&self.command, 0).next().unwrap().unwrap()
    }
}

/// A packet that a server received: its channel, its delivery and its bytes.
type Received = (u8, Delivery, Vec<u8>);

/// What the server's application sent: at which datagram of the capture, on which channel.
struct Packet {
    at: usize,
    to: SocketAddr,
    channel: u8,
    delivery: Delivery,
    payload: Vec<u8>,
}

/// Returns the packets that the server's application sent. A fragmented packet is sent when its
/// first fragment was.
fn packets(sent: &[(usize, SocketAddr, Sent)]) -> Vec<Packet> {
    let mut packets: Vec<Packet> = Vec::new();
    let mut known = HashMap::new();
    for (at, to, sent) in sent {
        let command = sent.get();
        let (delivery, number) = match command.body {
            Body::Reliable { .. } => (Delivery::Reliable, 0),
            Body::Unreliable { number, .. } => (Delivery::Unreliable, number),
            Body::Unsequenced { group, .. } => (Delivery::Unsequenced, group),
            Body::Fragment(part) => (Delivery::Reliable, part.start),
            Body::UnreliableFragment(part) => (Delivery::Unreliable, part.start),
            _ => continue,
        };
        let part = match command.body {
            Body::Fragment(part) | Body::UnreliableFragment(part) => Some(part),
            _ => None,
        };
        let sequence = part.map_or(command.sequence, |_| 0);
        let key = (*to, command.channel, delivery, sequence, number, command.body.id());
        let total = part.map_or(0, |part| part.total as usize);
        let packet = *known.entry(key).or_insert_with(|| {
            let payload = vec![0; total];
            packets.push(Packet { at: *at, to: *to, channel: command.channel, delivery, payload });
            packets.len() - 1
        });
        let payload = command.body.payload();
        match part {
            Some(Fragment { offset, .. }) => {
                packets[packet].payload[offset as usize..][..payload.len()]
                    .copy_from_slice(payload);
            }
            None => packets[packet].payload = payload.to_vec(),
        }
    }
    packets
}

/// The host in the place of a server, and what it did.
struct Replay {
    host: Host,
    keys: HashMap<SocketAddr, PeerKey>,
    /// For each client, the answer with the session bits.
    answers: HashMap<SocketAddr, VerifyConnect>,
    /// The times at which reliable commands were last sent.
    times: HashMap<(SocketAddr, u8, u16), u16>,
    sent: Vec<(SocketAddr, Sent)>,
    received: Vec<(PeerKey, u8, Delivery, Vec<u8>)>,
    codec: DatagramCodec,
    mode: CompressionMode,
}

impl Replay {
    fn new(mode: CompressionMode) -> Self {
        let config = Config { compression: mode, seed: 99, ..Config::default() };
        Self {
            host: Host::new(config),
            keys: HashMap::new(),
            answers: HashMap::new(),
            times: HashMap::new(),
            sent: Vec::new(),
            received: Vec::new(),
            codec: DatagramCodec::new(),
            mode,
        }
    }

    /// Takes all events, and notes all datagrams.
    fn poll(&mut self, now: u64, connecting: Option<SocketAddr>) {
        while let Some(event) = self.host.poll_event() {
            match event {
                HostEvent::Connected { peer, .. } => {
                    self.keys.insert(connecting.unwrap(), peer);
                }
                HostEvent::Received { peer, channel, delivery, payload } => {
                    self.received.push((peer, channel, delivery, payload.to_vec()));
                }
                _ => {}
            }
        }
        while let Some(datagram) = self.host.poll_transmit(now) {
            for sent in commands_of(datagram.bytes, self.mode, &mut self.codec) {
                let command = sent.get();
                if let Body::VerifyConnect(answer) = command.body {
                    self.answers.insert(datagram.to, answer);
                }
                if let Some(time) = sent.sent_time {
                    self.times.insert((datagram.to, command.channel, command.sequence), time);
                }
                self.sent.push((datagram.to, sent));
            }
        }
    }

    /// Passes a client's datagram to the host, with the host's session bits and times.
    fn receive(&mut self, now: u64, from: SocketAddr, bytes: &[u8]) {
        let datagram = Datagram::parse(bytes).unwrap();
        let session = match self.answers.get(&from) {
            Some(answer) if datagram.peer != Datagram::NO_PEER => answer.outgoing_session,
            _ => datagram.session,
        };
        let mut body = Vec::new();
        for sent in commands_of(bytes, self.mode, &mut self.codec) {
            let mut command = sent.get();
            if let Body::Acknowledge(Acknowledge { sequence, .. }) = command.body {
                let time = self.times.get(&(from, command.channel, sequence)).copied();
                // The host did not send what the server sent: a ping.
                let Some(sent_time) = time else { continue };
                command.body = Body::Acknowledge(Acknowledge { sequence, sent_time });
            }
            command.write(&mut body).unwrap();
        }
        let mut changed = Vec::new();
        let datagram = Datagram { session, compressed: false, body: &body, ..datagram };
        datagram.write(&mut changed).unwrap();
        self.host.receive(now, from, &changed);
    }
}

/// Returns what is compared of a command: everything but session bits, times of sending, and the
/// numbers of control commands, which also count pings.
fn comparable(sent: &Sent) -> Option<Vec<u8>> {
    let mut command = sent.get();
    match &mut command.body {
        Body::Ping => return None,
        Body::VerifyConnect(answer) => (answer.incoming_session, answer.outgoing_session) = (0, 0),
        _ => {}
    }
    if command.channel == 255 && !matches!(command.body, Body::Acknowledge(_)) {
        command.sequence = 0;
    }
    let mut bytes = Vec::new();
    command.write(&mut bytes).unwrap();
    Some(bytes)
}

/// Commands of one kind, in order, without repetitions of reliable ones.
fn select(sent: &[&Sent], wanted: impl Fn(&Body<'_>) -> bool) -> Vec<Vec<u8>> {
    let mut selected: Vec<Vec<u8>> = Vec::new();
    for sent in sent.iter().filter(|sent| wanted(&sent.get().body)) {
        let Some(bytes) = comparable(sent) else { continue };
        let is_reliable = sent.get().flags.acknowledge();
        if !is_reliable || !selected.contains(&bytes) {
            selected.push(bytes);
        }
    }
    selected
}

fn replay(name: &str, mode: CompressionMode) {
    let capture = pcap::udp(&corpus::read(&format!("{name}.pcap")));
    let mut codec = DatagramCodec::new();
    let is_connect =
        |udp: &&Udp| Datagram::parse(&udp.payload).is_ok_and(|it| it.peer == Datagram::NO_PEER);
    let server = capture.iter().find(is_connect).unwrap().to;
    let mut engine: Vec<(usize, SocketAddr, Sent)> = Vec::new();
    for (at, udp) in capture.iter().enumerate().filter(|(_, udp)| udp.from == server) {
        let sent = commands_of(&udp.payload, mode, &mut codec);
        engine.extend(sent.into_iter().map(|sent| (at, udp.to.into(), sent)));
    }
    let mut packets = packets(&engine).into_iter().peekable();
    let mut replay = Replay::new(mode);
    let mut sessions: HashMap<SocketAddr, (Session, Vec<Received>)> = HashMap::new();
    for (at, udp) in capture.iter().enumerate() {
        let client = SocketAddr::from(if udp.from == server { udp.to } else { udp.from });
        while let Some(packet) = packets.next_if(|packet| packet.at <= at) {
            let Packet { to, channel, delivery, payload, .. } = packet;
            replay.host.send(replay.keys[&to], channel, delivery, &payload).unwrap();
        }
        if udp.to == server {
            replay.receive(udp.time, client, &udp.payload);
            let session = sessions.entry(client);
            let (session, passive) =
                session.or_insert_with(|| (Session::new(Limits::default()), Vec::new()));
            session.feed(&udp.payload, &mut codec, |event| {
                if let Event::Packet(it) = event {
                    passive.push((it.channel, it.delivery, it.payload.to_vec()));
                }
            });
        }
        replay.poll(udp.time, Some(client));
    }
    for (client, (_, passive)) in &sessions {
        let ours: Vec<&Sent> =
            replay.sent.iter().filter(|(to, _)| to == client).map(|(_, sent)| sent).collect();
        let theirs: Vec<&Sent> =
            engine.iter().filter(|(_, to, _)| to == client).map(|(.., sent)| sent).collect();
        for (kind, wanted) in KINDS {
            let [ours, theirs] = [&ours, &theirs].map(|sent| select(sent, wanted));
            let both = ours.iter().zip(&theirs).enumerate();
            for (at, (ours, theirs)) in both {
                assert_eq!(ours, theirs, "{name}, {client}: {kind}, number {at}");
            }
            // Some captures end before the server's last answer.
            let last = if kind == "acknowledgements" { 2 } else { 0 };
            let more = ours.len().checked_sub(theirs.len());
            assert!(more.is_some_and(|more| more <= last), "{name}, {client}: {kind}, {more:?}");
        }
        let key = replay.keys[client];
        let received = replay.received.iter().filter(|(from, ..)| *from == key);
        let received: Vec<_> = received
            .map(|(_, channel, delivery, bytes)| (*channel, *delivery, bytes.clone()))
            .collect();
        assert_eq!(&received, passive, "{name}, {client}: packets received");
    }
}

type Wanted = fn(&Body<'_>) -> bool;

const KINDS: [(&str, Wanted); 5] = [
    ("answers", |body| matches!(body, Body::VerifyConnect(_))),
    ("acknowledgements", |body| matches!(body, Body::Acknowledge(_))),
    ("bandwidth limits", |body| matches!(body, Body::BandwidthLimit(_))),
    ("reliable packets", |body| matches!(body, Body::Reliable { .. } | Body::Fragment(_))),
    ("other packets", |body| {
        matches!(
            body,
            Body::Unreliable { .. } | Body::Unsequenced { .. } | Body::UnreliableFragment(_)
        )
    }),
];

#[test]
fn hosts_answer_as_the_engines_do() {
    for (name, mode) in MODES {
        println!("{name}");
        replay(name, mode);
    }
}
