//! Conversations between a few addresses: every reported packet can be decoded and does not depend
//! on other conversations, and memory stays within the limit.

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
const SERVER_PORTS: [u16; 4] = [7000, 4242, 9080, 6007];

/// ENet's limit for a datagram.
const MAX_DATAGRAM: usize = 4096;

/// Checks the laws. The first byte selects the options. The other bytes are a capture or
/// [steps](Step).
pub fn conversation(data: &[u8]) {
    let [first, data @ ..] = data else { return };
    let options = options(*first);
    if check_capture(data, options) {
        return;
    }
    let steps = Step::all(data);
    records_of(&segments(&steps, Damage::Kept, options), options);
    // The limit on the number of pairs is so high that no pair is dropped.
    let mut large = options;
    large.limits.flows = 64;
    check_independence(&segments(&steps, Damage::Kept, large), large);
    // The result does not depend on the division of a stream into segments.
    let unsplit = records_of(&segments(&steps, Damage::Removed, large), large);
    assert_eq!(unsplit, records_of(&segments(&steps, Damage::RemovedAndSplit, large), large));
}

pub(super) fn options(first: u8) -> Options {
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
    options.port = (first & 0x1C == 0x1C).then_some(SERVER_PORTS[0]);
    options
}

/// A packet to send.
///
/// | bits of the first byte | meaning |
/// |---|---|
/// | 0 | 1 for TCP, 0 for UDP |
/// | 1 | 1 if the server sends the packet |
/// | 2 and 3 | number of the client |
/// | 4 and 5 | number of the server |
///
/// The length of the payload follows in two bytes, then the damage of a TCP segment in one byte,
/// and then the payload.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    pub kind: u8,
    /// Damage of a TCP segment; 0 for none. The lower five bits are TCP flags. The upper three
    /// select the distance of the sequence number from the expected one, see `flags`.
    pub damage: u8,
    pub payload: &'a [u8],
}

impl<'a> Step<'a> {
    /// Creates a step that sends a captured payload between these addresses.
    pub fn from_payload(payload: &'a Payload, addresses: u8) -> Self {
        let kind = u8::from(payload.is_tcp) | u8::from(payload.from_server) << 1;
        Self { kind: kind | addresses << 2, damage: 0, payload: &payload.bytes }
    }

    pub(super) fn all(mut data: &'a [u8]) -> Vec<Self> {
        let mut steps = Vec::new();
        while let [kind, low, high, damage, rest @ ..] = data {
            let len = usize::from(u16::from_le_bytes([*low, *high])).min(rest.len());
            let payload;
            (payload, data) = rest.split_at(len);
            steps.push(Step { kind: *kind, damage: *damage, payload });
        }
        steps
    }

    /// Appends the step in the format that [`conversation`] reads.
    pub fn write(&self, into: &mut Vec<u8>) {
        into.push(self.kind);
        into.extend((self.payload.len() as u16).to_le_bytes());
        into.push(self.damage);
        into.extend(self.payload);
    }

    fn addresses(&self) -> [SocketAddr; 2] {
        let client = self.kind >> 2 & 3;
        let server = usize::from(self.kind >> 4 & 3);
        // Some clients have a lower address than the server, and some a higher one.
        let client = SocketAddr::from(([10, client, 0, 1], 50_000 + u16::from(client)));
        let server = SocketAddr::from(([10, 2, 0, 1], SERVER_PORTS[server]));
        if self.kind & 2 == 0 { [client, server] } else { [server, client] }
    }
}

/// How [`segments`] treats the damage in the steps.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Damage {
    Kept,
    /// Segments have no flags, and the expected sequence numbers.
    Removed,
    /// Like `Removed`, but payloads are split into two segments.
    RemovedAndSplit,
}

/// Sequence number of the first byte of a stream, shortly before the wrap-around.
const FIRST_SEQUENCE: u32 = u32::MAX - 500;

pub(super) fn segments<'a>(
    steps: &[Step<'a>],
    damage: Damage,
    options: Options,
) -> Vec<Segment<'a>> {
    let (mut next, mut identified) = (HashMap::new(), HashMap::new());
    let mut segments = Vec::new();
    for step in steps {
        let [source, destination] = step.addresses();
        let mut push = |transport| segments.push(Segment { source, destination, transport });
        if step.kind & 1 == 0 {
            push(Transport::Udp { payload: step.payload });
            continue;
        }
        let next = next.entry([source, destination]).or_insert(FIRST_SEQUENCE);
        // Only streams whose first segment identifies the protocol are split. For other streams,
        // the detection of the protocol depends on the segments.
        let identified = *identified
            .entry([source, destination])
            .or_insert_with(|| identifies_protocol(step, options));
        let cut = damage == Damage::RemovedAndSplit && identified && *next != FIRST_SEQUENCE;
        let at = if cut { step.payload.len() / 3 } else { 0 };
        let (front, back) = step.payload.split_at(at);
        let (flags, distance) = if damage == Damage::Kept { flags(step.damage) } else { (0, 0) };
        for payload in [front, back].into_iter().skip(usize::from(at == 0)) {
            let (sequence, flags) = (next.wrapping_add(distance), Flags(flags));
            push(Transport::Tcp(tcp::Segment { sequence, flags, payload, acknowledgement: 0 }));
            if distance == 0 {
                let syn = u32::from(flags.has(Flags::SYN));
                *next = next.wrapping_add(payload.len() as u32 + syn);
            }
        }
    }
    segments
}

/// Returns `true` if the first segment of a stream identifies its protocol.
fn identifies_protocol(step: &Step<'_>, options: Options) -> bool {
    let [source, destination] = step.addresses();
    let segment = tcp::Segment { payload: step.payload, ..tcp::Segment::default() };
    let segment = Segment { source, destination, transport: Transport::Tcp(segment) };
    let http = step.payload.starts_with(b"GET ") || step.payload.starts_with(b"HTTP/1.1 101");
    http || !records_of(&[segment], options).is_empty()
}

/// Returns the TCP flags, and the distance of the sequence number from the expected one.
fn flags(damage: u8) -> (u8, u32) {
    let distance = [0, 0, 1, 7, 300, 1 << 20, 1 << 25, -9_i32 as u32][usize::from(damage >> 5)];
    (damage & 0x1F, distance)
}

/// The hash of each record, with the addresses and the transport.
type Records = Vec<(Pair, u64)>;
type Pair = ([SocketAddr; 2], bool);

fn pair(segment: &Segment<'_>) -> Pair {
    let mut addresses = [segment.source, segment.destination];
    addresses.sort();
    (addresses, matches!(segment.transport, Transport::Tcp(_)))
}

/// Passes all segments to a listener, which checks each record and the memory. Returns the records.
fn records_of(segments: &[Segment<'_>], options: Options) -> Records {
    let mut listener = Listener::new(options);
    segments.iter().for_each(|segment| listener.receive(None, segment));
    listener.finish();
    listener.records
}

/// Returns `true` if the input is a capture. Asserts that a capture gives the same records when it
/// is read again.
fn check_capture(data: &[u8], options: Options) -> bool {
    let records_of_capture = || {
        let (mut reader, mut listener) = (capture::Reader::new(data), Listener::new(options));
        while let Ok(Some(packet)) = reader.next_packet() {
            if let Ok(segment) = packet.segment() {
                listener.receive(packet.time, &segment);
            }
        }
        listener.records
    };
    let is_capture = capture::Reader::new(data).next_packet().is_ok();
    assert!(!is_capture || records_of_capture() == records_of_capture(), "the same again");
    is_capture
}

/// Asserts that each conversation has the same records alone as among the others.
fn check_independence(segments: &[Segment<'_>], options: Options) {
    let all_records = records_of(segments, options);
    let mut pairs: Vec<_> = segments.iter().map(pair).collect();
    pairs.sort();
    pairs.dedup();
    for wanted in pairs {
        let own: Vec<_> = segments.iter().filter(|other| pair(other) == wanted).copied().collect();
        let expected = all_records.iter().filter(|(pair, _)| *pair == wanted);
        assert!(records_of(&own, options).iter().eq(expected), "{wanted:?}");
    }
}

struct Listener {
    options: Options,
    conversations: Conversations,
    max_memory: usize,
    /// The paths reported between two addresses.
    paths: HashMap<Pair, Vec<Vec<u8>>>,
    records: Records,
}

impl Listener {
    fn new(options: Options) -> Self {
        let conversations = Conversations::new(options);
        let (max_memory, paths) = (max_memory(options.limits), HashMap::new());
        Self { options, conversations, max_memory, paths, records: Vec::new() }
    }

    fn receive(&mut self, time: Option<i64>, segment: &Segment<'_>) {
        let Self { options, paths, records, .. } = self;
        self.conversations.segment(time, segment, &mut |record| {
            let ends = [record.source, record.destination];
            assert_eq!((record.time, ends), (time, [segment.source, segment.destination]));
            assert!(
                record.engine.is_none()
                    || options.engine.is_none_or(|engine| record.engine == Some(engine))
            );
            // The paths of both directions, because a path is confirmed in the other direction.
            let announced_paths = paths.entry(pair(segment)).or_default();
            records.push((pair(segment), check(record, segment, options.limits, announced_paths)));
        });
        self.check_memory();
    }

    /// Ends all conversations. Checks the values in the Godot 4 packets that were still waiting.
    fn finish(&mut self) {
        self.conversations.finish(&mut |record| {
            let mut print = PrintHasher::default();
            if let Content::Godot4(packet) = record.content {
                multiplayer::runs(packet)
                    .iter()
                    .for_each(|run| check_values(*run, record, &mut print));
            }
        });
        self.check_memory();
    }

    fn check_memory(&self) {
        let memory = self.conversations.memory();
        assert!(memory <= self.max_memory, "{memory} bytes, of {}", self.max_memory);
    }
}

/// Returns an upper bound on the memory of all conversations. Each pair has paths, and the state of
/// one transport.
fn max_memory(limits: Limits) -> usize {
    let head = 2 * websocket::Limits::default().head as usize;
    let buffer = head.max(2 * (limits.message as usize + 4)) + 300;
    let early = 2 * limits.tcp.ahead as usize + 32 * limits.tcp.runs as usize + 64;
    let enet = enet::max_memory(limits.enet);
    let flow = 2 * enet.max(buffer + early) + 2 * MAX_PATH_BYTES + 3000;
    limits.flows.max(2) * 2 * 300 + limits.flows.max(1) * flow + 1000
}

/// Maximum number of bytes that are kept until a stream is recognised: the longest header of a
/// WebSocket frame.
const MAX_UNRECOGNISED: usize = 14;

/// The documented limit for node paths.
const MAX_PATH_BYTES: usize = 256 << 10;

/// Checks that a record can be decoded and printed. Returns a hash of its contents.
fn check(
    record: &Record<'_>,
    segment: &Segment<'_>,
    limits: Limits,
    announced: &mut Vec<Vec<u8>>,
) -> u64 {
    let mut print = PrintHasher::default();
    let malformed = matches!(record.content, Content::Malformed { .. });
    let bytes = record.bytes;
    assert!(match segment.transport {
        Transport::Udp { payload } =>
            is_within(bytes, payload) || bytes.len() <= limits.enet.packet.max(MAX_DATAGRAM),
        // A malformed record contains a piece of the stream. The piece may have arrived early, or
        // may start with bytes of earlier segments.
        Transport::Tcp(tcp) if malformed =>
            is_within(bytes, tcp.payload)
                || bytes.len() <= 2 * limits.tcp.ahead as usize
                || bytes.len() <= tcp.payload.len() + MAX_UNRECOGNISED,
        Transport::Tcp(_) => bytes.len() <= limits.message as usize,
    });
    match record.content {
        Content::Godot4(packet) => {
            assert_eq!(record.engine, Some(Engine::Godot4));
            assert!(!matches!(packet, godot4::Packet::System(System::Relay(_))), "opened");
            multiplayer::runs(packet).iter().for_each(|run| check_values(*run, record, &mut print));
            if let godot4::Packet::SimplifyPath(path) = packet {
                announced.push(path.path.as_bytes().to_vec());
            }
            print.put(format_args!("{:?}", packet.message()));
        }
        Content::Godot3(packet) => {
            assert_eq!(record.engine, Some(Engine::Godot3));
            match packet {
                godot3::Packet::Call(call) => check_values(call.arguments, record, &mut print),
                godot3::Packet::Set(set) => check_values(set.value, record, &mut print),
                godot3::Packet::SimplifyPath { path, .. } => {
                    announced.push(path.as_bytes().to_vec())
                }
                _ => {}
            }
            print.put(format_args!("{:?}", packet.message()));
        }
        Content::Value(bytes) | Content::Debugger(bytes) => {
            let mut reader = Reader::new(bytes, record.engine.unwrap().dialect());
            reader.visit(&mut Printer::new(&mut print)).unwrap();
            assert!(is_within(bytes, record.bytes));
        }
        Content::Malformed { reason, offset } => {
            let stream = matches!(record.transport, traffic::Transport::WebSocket)
                || matches!(reason, Reason::Godot(godot::ErrorKind::FrameTooLong { .. }));
            assert!(stream || offset <= record.bytes.len().max(MAX_DATAGRAM) as u64);
            print.put(format_args!("{reason} {offset}"));
        }
        Content::Control(_) => assert_eq!(record.bytes, b""),
        Content::AddPeer(_) | Content::DelPeer(_) => {}
        ref other => panic!("{other:?}"),
    }
    let path = record.node.and_then(|node| node.path);
    for path in path.into_iter().chain((0..3).filter_map(|id| record.path(id))) {
        let bytes = path.as_bytes();
        assert!(is_within(bytes, record.bytes) || announced.iter().any(|other| other == bytes));
        print.put(format_args!("{path}"));
    }
    // The bytes of a malformed record depend on the division of the stream into segments.
    if !malformed {
        record.bytes.hash(&mut print.0);
    }
    let Record { transport, engine, guessed, channel, delivery, peer, relay, .. } = record;
    print.put(format_args!("{transport} {engine:?} {guessed} {channel:?} {delivery:?}"));
    print.put(format_args!("{peer:?} {relay:?}"));
    print.0.finish()
}

fn check_values(run: Run<'_>, record: &Record<'_>, print: &mut PrintHasher) {
    let start = run.offset() as usize;
    let place = &record.bytes[start..][..run.as_bytes().len()];
    assert!(place.is_empty() || place.as_ptr() == run.as_bytes().as_ptr());
    let mut reader = run.iter();
    while reader.visit(&mut Printer::new(&mut *print)).unwrap() {}
    assert!(run.iter().all(|value| value.is_ok()));
}

fn is_within(part: &[u8], whole: &[u8]) -> bool {
    let (part, whole) = (part.as_ptr_range(), whole.as_ptr_range());
    part.start == part.end || whole.start <= part.start && part.end <= whole.end
}

/// A hash of printed output.
#[derive(Default)]
struct PrintHasher(DefaultHasher);

impl PrintHasher {
    fn put(&mut self, text: fmt::Arguments<'_>) {
        self.write_fmt(text).unwrap();
    }
}

impl fmt::Write for PrintHasher {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}
