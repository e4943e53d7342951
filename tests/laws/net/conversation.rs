//! Conversations between a few addresses: every reported packet can be decoded, does not depend on
//! other conversations, and memory stays within the limit.

use super::enet;
use crate::laws::godot::multiplayer;
use crate::support::net::captures::Payload;
use gamewire::capture::{self, Segment, Transport};
use gamewire::godot::json::Printer;
use gamewire::godot::multiplayer::godot4::System;
use gamewire::godot::multiplayer::{Run, godot3, godot4};
use gamewire::godot::{self, Reader};
use gamewire::traffic::{self, Content, Conversations, Engine, Limits, Options, Reason, Record};
use gamewire::transport::tcp::{self, Flags};
use gamewire::transport::{enet as wire, websocket};
use std::collections::HashMap;
use std::fmt::{self, Write};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::SocketAddr;

/// Server ports: those of Godot's documentation, and the editor's.
const SERVERS: [u16; 4] = [7000, 4242, 9080, 6007];

/// ENet's limit for a datagram.
const DATAGRAM: usize = 4096;

/// The first byte selects the known facts; a capture or [steps](Step) follow.
pub fn conversation(data: &[u8]) {
    let [first, data @ ..] = data else { return };
    let options = options(*first);
    if captured(data, options) {
        return;
    }
    let steps = Step::all(data);
    heard(&segments(&steps, Odd::Kept, options), options);
    // The memory limit is so high that no pair is dropped.
    let mut large = options;
    large.limits.flows = 64;
    alone(&segments(&steps, Odd::Kept, large), large);
    // The result does not depend on the segments of a stream.
    let whole = heard(&segments(&steps, Odd::Left, large), large);
    assert_eq!(whole, heard(&segments(&steps, Odd::Cut, large), large));
}

fn options(first: u8) -> Options {
    let mut options = Options::default();
    options.limits.flows = usize::from(first >> 5);
    options.limits.enet = wire::Limits { buffered: 2000, waiting: 5, packet: 1500 };
    options.limits.tcp = tcp::Limits { ahead: 600, runs: 3 };
    options.limits.message = 700;
    options.engine = match first & 3 {
        1 => Some(Engine::Godot3),
        2 => Some(Engine::Godot4),
        _ => None,
    };
    options.port = (first & 0x1C == 0x1C).then_some(SERVERS[0]);
    options
}

/// A packet to send.
///
/// | bits of the first byte | |
/// |---|---|
/// | 0 | TCP |
/// | 1 | from the server |
/// | 2 and 3, 4 and 5 | client, server |
///
/// The length of the payload follows in two bytes, then the damage of a TCP segment.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    pub what: u8,
    /// Zero for no damage, or flags; the upper three bits are the distance to the right position.
    pub odd: u8,
    pub payload: &'a [u8],
}

impl<'a> Step<'a> {
    /// Sends a captured payload between other addresses.
    pub fn of(payload: &'a Payload, addresses: u8) -> Self {
        let what = u8::from(payload.is_tcp) | u8::from(payload.from_server) << 1;
        Self { what: what | addresses << 2, odd: 0, payload: &payload.bytes }
    }

    fn all(mut data: &'a [u8]) -> Vec<Self> {
        let mut steps = Vec::new();
        while let [what, low, high, odd, rest @ ..] = data {
            let len = usize::from(u16::from_le_bytes([*low, *high])).min(rest.len());
            let payload;
            (payload, data) = rest.split_at(len);
            steps.push(Step { what: *what, odd: *odd, payload });
        }
        steps
    }

    /// Parses steps like [`conversation`], after the first byte.
    pub fn write(&self, into: &mut Vec<u8>) {
        into.push(self.what);
        into.extend((self.payload.len() as u16).to_le_bytes());
        into.push(self.odd);
        into.extend(self.payload);
    }

    fn addresses(&self) -> [SocketAddr; 2] {
        let client = self.what >> 2 & 3;
        let server = usize::from(self.what >> 4 & 3);
        // One of the clients has the higher address.
        let client = SocketAddr::from(([10, client, 0, 1], 50_000 + u16::from(client)));
        let server = SocketAddr::from(([10, 2, 0, 1], SERVERS[server]));
        if self.what & 2 == 0 { [client, server] } else { [server, client] }
    }
}

/// Treatment of malformed input.
#[derive(Clone, Copy, PartialEq)]
enum Odd {
    Kept,
    /// Everything is in order.
    Left,
    /// Everything is in order, in two pieces.
    Cut,
}

/// Sequence number of the first byte of a stream, shortly before the wrap-around.
const FIRST: u32 = u32::MAX - 500;

fn segments<'a>(steps: &[Step<'a>], odd: Odd, options: Options) -> Vec<Segment<'a>> {
    let (mut next, mut told) = (HashMap::new(), HashMap::new());
    let mut segments = Vec::new();
    for step in steps {
        let [source, destination] = step.addresses();
        let mut push = |transport| segments.push(Segment { source, destination, transport });
        if step.what & 1 == 0 {
            push(Transport::Udp { payload: step.payload });
            continue;
        }
        let next = next.entry([source, destination]).or_insert(FIRST);
        // If the first segment of a stream does not identify it, the next ones are used.
        let told = *told.entry([source, destination]).or_insert_with(|| tells(step, options));
        let cut = odd == Odd::Cut && told && *next != FIRST;
        let at = if cut { step.payload.len() / 3 } else { 0 };
        let (front, back) = step.payload.split_at(at);
        let (flags, off) = if odd == Odd::Kept { flags(step.odd) } else { (0, 0) };
        for payload in [front, back].into_iter().skip(usize::from(at == 0)) {
            let (sequence, flags) = (next.wrapping_add(off), Flags(flags));
            push(Transport::Tcp(tcp::Segment { sequence, flags, payload, acknowledgement: 0 }));
            if off == 0 {
                let syn = u32::from(flags.has(Flags::SYN));
                *next = next.wrapping_add(payload.len() as u32 + syn);
            }
        }
    }
    segments
}

/// `true` if the first segment of a stream identifies its protocol.
fn tells(step: &Step<'_>, options: Options) -> bool {
    let [source, destination] = step.addresses();
    let segment = tcp::Segment { payload: step.payload, ..tcp::Segment::default() };
    let segment = Segment { source, destination, transport: Transport::Tcp(segment) };
    let http = step.payload.starts_with(b"GET ") || step.payload.starts_with(b"HTTP/1.1 101");
    http || !heard(&[segment], options).is_empty()
}

/// Flags, and the distance to the expected position.
fn flags(odd: u8) -> (u8, u32) {
    let off = [0, 0, 1, 7, 300, 1 << 20, 1 << 25, -9_i32 as u32][usize::from(odd >> 5)];
    (odd & 0x1F, off)
}

/// Records by pair of addresses.
type Told = Vec<(Pair, u64)>;
type Pair = ([SocketAddr; 2], bool);

fn pair(segment: &Segment<'_>) -> Pair {
    let mut addresses = [segment.source, segment.destination];
    addresses.sort();
    (addresses, matches!(segment.transport, Transport::Tcp(_)))
}

/// Passes all packets to a listener, which checks the other laws.
fn heard(segments: &[Segment<'_>], options: Options) -> Told {
    let mut listener = Listener::new(options);
    segments.iter().for_each(|segment| listener.hear(None, segment));
    listener.finish();
    listener.told
}

/// If the input is a capture, it is passed twice.
fn captured(data: &[u8], options: Options) -> bool {
    let hear = || {
        let (mut reader, mut listener) = (capture::Reader::new(data), Listener::new(options));
        while let Ok(Some(packet)) = reader.next_packet() {
            if let Ok(segment) = packet.segment() {
                listener.hear(packet.time, &segment);
            }
        }
        listener.told
    };
    let is_one = capture::Reader::new(data).next_packet().is_ok();
    assert!(!is_one || hear() == hear(), "the same again");
    is_one
}

/// A conversation alone has the same records as among others.
fn alone(segments: &[Segment<'_>], options: Options) {
    let among = heard(segments, options);
    let mut pairs: Vec<_> = segments.iter().map(pair).collect();
    pairs.sort();
    pairs.dedup();
    for wanted in pairs {
        let own: Vec<_> = segments.iter().filter(|other| pair(other) == wanted).copied().collect();
        let told = among.iter().filter(|(pair, _)| *pair == wanted);
        assert!(heard(&own, options).iter().eq(told), "{wanted:?}");
    }
}

struct Listener {
    options: Options,
    conversations: Conversations,
    most: usize,
    /// The paths reported between two addresses.
    paths: HashMap<Pair, Vec<Vec<u8>>>,
    told: Told,
}

impl Listener {
    fn new(options: Options) -> Self {
        let conversations = Conversations::new(options);
        let (most, paths) = (most(options.limits), HashMap::new());
        Self { options, conversations, most, paths, told: Vec::new() }
    }

    fn hear(&mut self, time: Option<i64>, segment: &Segment<'_>) {
        let Self { options, paths, told, .. } = self;
        self.conversations.segment(time, segment, &mut |record| {
            let ends = [record.source, record.destination];
            assert_eq!((record.time, ends), (time, [segment.source, segment.destination]));
            assert!(
                record.engine.is_none()
                    || options.engine.is_none_or(|engine| record.engine == Some(engine))
            );
            // Of both directions: a path is confirmed in the other one.
            let told_paths = paths.entry(pair(segment)).or_default();
            told.push((pair(segment), check(record, segment, options.limits, told_paths)));
        });
        self.check_memory();
    }

    /// Checks that payloads that were still waiting can be read as well.
    fn finish(&mut self) {
        self.conversations.finish(&mut |record| {
            let mut print = Print::default();
            if let Content::Godot4(packet) = record.content {
                multiplayer::runs(packet).iter().for_each(|run| values(*run, record, &mut print));
            }
        });
        self.check_memory();
    }

    fn check_memory(&self) {
        let memory = self.conversations.memory();
        assert!(memory <= self.most, "{memory} bytes, of {}", self.most);
    }
}

/// Upper bound on the memory kept: paths for each pair, and the state of one transport.
fn most(limits: Limits) -> usize {
    let head = 2 * websocket::Limits::default().head as usize;
    let buffer = head.max(2 * (limits.message as usize + 4)) + 300;
    let early = 2 * limits.tcp.ahead as usize + 32 * limits.tcp.runs as usize + 64;
    let enet = enet::most(limits.enet);
    let flow = 2 * enet.max(buffer + early) + 2 * PATHS + 3000;
    limits.flows.max(2) * 2 * 300 + limits.flows.max(1) * flow + 1000
}

/// Number of bytes too small to recognise a stream: up to a WebSocket frame header.
const ALONE: usize = 14;

/// The documented limit for node paths.
const PATHS: usize = 256 << 10;

/// Checks that a record can be decoded and printed. Returns a number that stands for its contents.
fn check(
    record: &Record<'_>,
    segment: &Segment<'_>,
    limits: Limits,
    told: &mut Vec<Vec<u8>>,
) -> u64 {
    let mut print = Print::default();
    let malformed = matches!(record.content, Content::Malformed { .. });
    let bytes = record.bytes;
    assert!(match segment.transport {
        Transport::Udp { payload } =>
            inside(bytes, payload) || bytes.len() <= limits.enet.packet.max(DATAGRAM),
        // Outside of frames, a record contains a piece of the stream, which may have arrived early,
        // or start with bytes that arrived alone.
        Transport::Tcp(tcp) if malformed =>
            inside(bytes, tcp.payload)
                || bytes.len() <= 2 * limits.tcp.ahead as usize
                || bytes.len() <= tcp.payload.len() + ALONE,
        Transport::Tcp(_) => bytes.len() <= limits.message as usize,
    });
    match record.content {
        Content::Godot4(packet) => {
            assert_eq!(record.engine, Some(Engine::Godot4));
            assert!(!matches!(packet, godot4::Packet::System(System::Relay(_))), "opened");
            multiplayer::runs(packet).iter().for_each(|run| values(*run, record, &mut print));
            if let godot4::Packet::SimplifyPath(path) = packet {
                told.push(path.path.as_bytes().to_vec());
            }
            print.put(format_args!("{:?}", packet.message()));
        }
        Content::Godot3(packet) => {
            assert_eq!(record.engine, Some(Engine::Godot3));
            match packet {
                godot3::Packet::Call(call) => values(call.arguments, record, &mut print),
                godot3::Packet::Set(set) => values(set.value, record, &mut print),
                godot3::Packet::SimplifyPath { path, .. } => told.push(path.as_bytes().to_vec()),
                _ => {}
            }
            print.put(format_args!("{:?}", packet.message()));
        }
        Content::Value(bytes) | Content::Debugger(bytes) => {
            let mut reader = Reader::new(bytes, record.engine.unwrap().dialect());
            reader.visit(&mut Printer::new(&mut print)).unwrap();
            assert!(inside(bytes, record.bytes));
        }
        Content::Malformed { reason, offset } => {
            let stream = matches!(record.transport, traffic::Transport::WebSocket)
                || matches!(reason, Reason::Godot(godot::ErrorKind::FrameTooLong { .. }));
            assert!(stream || offset <= record.bytes.len().max(DATAGRAM) as u64);
            print.put(format_args!("{reason} {offset}"));
        }
        Content::Control(_) => assert_eq!(record.bytes, b""),
        Content::AddPeer(_) | Content::DelPeer(_) => {}
        ref other => panic!("{other:?}"),
    }
    let path = record.node.and_then(|node| node.path);
    for path in path.into_iter().chain((0..3).filter_map(|id| record.path(id))) {
        let bytes = path.as_bytes();
        assert!(inside(bytes, record.bytes) || told.iter().any(|told| told == bytes));
        print.put(format_args!("{path}"));
    }
    // Outside of frames, a record contains only the current segment.
    if !malformed {
        record.bytes.hash(&mut print.0);
    }
    let Record { transport, engine, guessed, channel, delivery, peer, relay, .. } = record;
    print.put(format_args!("{transport} {engine:?} {guessed} {channel:?} {delivery:?}"));
    print.put(format_args!("{peer:?} {relay:?}"));
    print.0.finish()
}

fn values(run: Run<'_>, record: &Record<'_>, print: &mut Print) {
    let start = run.offset() as usize;
    let place = &record.bytes[start..][..run.as_bytes().len()];
    assert!(place.is_empty() || place.as_ptr() == run.as_bytes().as_ptr());
    let mut reader = run.iter();
    while reader.visit(&mut Printer::new(&mut *print)).unwrap() {}
    assert!(run.iter().all(|value| value.is_ok()));
}

fn inside(part: &[u8], whole: &[u8]) -> bool {
    let (part, whole) = (part.as_ptr_range(), whole.as_ptr_range());
    part.start == part.end || whole.start <= part.start && part.end <= whole.end
}

/// Hashes printed output.
#[derive(Default)]
struct Print(DefaultHasher);

impl Print {
    fn put(&mut self, text: fmt::Arguments<'_>) {
        self.write_fmt(text).unwrap();
    }
}

impl fmt::Write for Print {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}
