//! Laws of conversations between a few addresses: every reported packet can be decoded and does not
//! depend on other conversations, and memory stays within the limit.

use super::enet;
use crate::laws::godot::multiplayer;
use crate::support::net::captures::Payload;
use gamewire::capture::{self, Segment, Skipped, Transport};
use gamewire::godot::json::Printer;
use gamewire::godot::multiplayer::godot4::System;
use gamewire::godot::multiplayer::{Run, godot3, godot4};
use gamewire::godot::{self, Reader};
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{
    self, Account, Content, Conversations, Encryption, Engine, Ledger, LedgerLimits, Limits,
    Options, Reason, Record,
};
use gamewire::transport::tcp::{self, Flags};
use gamewire::transport::{enet as wire, websocket};
use std::collections::HashMap;
use std::fmt::{self, Write};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::SocketAddr;

/// The ports of servers: the ports in Godot's documentation, and the debugger port of the editor.
const SERVER_PORTS: [u16; 4] = [7000, 4242, 9080, 6007];

/// Maximum size of an ENet datagram.
const MAX_DATAGRAM: usize = 4096;

/// Checks the laws on arbitrary bytes. The first byte selects the options. The other bytes are a
/// capture or [steps](Step).
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
    let in_order = segments(&steps, Damage::Removed, large);
    for other_protocols in [false, true] {
        let mut options = large;
        (options.other_protocols, options.port) = (other_protocols, None);
        check_bytes(&in_order, options);
    }
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
    /// select the distance of the sequence number from the expected one (see `flags`).
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
        // Some clients have a lower address than the server, and some have a higher one.
        let client = SocketAddr::from(([10, client, 0, 1], 50_000 + u16::from(client)));
        let server = SocketAddr::from(([10, 2, 0, 1], SERVER_PORTS[server]));
        if self.kind & 2 == 0 { [client, server] } else { [server, client] }
    }
}

/// How [`segments`] treats the damage in the steps.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Damage {
    Kept,
    /// Segments have no flags and have the expected sequence numbers.
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
        // the detection of the protocol depends on the division into segments.
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
    segments.iter().for_each(|segment| listener.receive(segment));
    listener.finish();
    listener.records
}

/// Returns `true` if the input is a capture. Asserts that a capture gives the same records when it
/// is read again.
fn check_capture(data: &[u8], options: Options) -> bool {
    let records_of_capture = || {
        let (mut reader, mut listener) = (capture::Reader::new(data), Listener::new(options));
        let mut reassembler = capture::Reassembler::default();
        while let Ok(Some(packet)) = reader.next_packet() {
            listener.receive_packet(&packet, &reassembler.segment(&packet));
        }
        listener.finish();
        listener.records
    };
    let is_capture = capture::Reader::new(data).next_packet().is_ok();
    assert!(!is_capture || records_of_capture() == records_of_capture(), "the same again");
    is_capture
}

/// Asserts that each conversation gives the same records alone as together with the others.
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
    /// Number of bytes in the payloads of all segments.
    payload_bytes: usize,
    ledger: Ledger,
    max_memory: usize,
    /// The node paths that were reported between each pair of addresses.
    paths: HashMap<Pair, Vec<Vec<u8>>>,
    records: Records,
}

impl Listener {
    fn new(options: Options) -> Self {
        let conversations = Conversations::new(options);
        let (max_memory, paths) = (max_memory(options.limits), HashMap::new());
        // The limits are low, so they are often reached.
        let ledger = Ledger::new(LedgerLimits { rows: 9, peers: 3, buckets: 2 });
        let (payload_bytes, records) = (0, Vec::new());
        Self { options, conversations, payload_bytes, ledger, max_memory, paths, records }
    }

    /// Processes a segment that is not from a capture. Passes the payload of the segment in place
    /// of the captured packet.
    fn receive(&mut self, segment: &Segment<'_>) {
        let data = segment.transport.payload();
        let (link_type, original_len) = (capture::LinkType::RAW, data.len() as u32);
        // The time depends on the segment, so that it is sometimes in a different bucket of the
        // series.
        let time = data.first().map(|first| i64::from(*first) << 28);
        let packet = capture::Packet { time, link_type, data, original_len, offset: 0 };
        self.receive_packet(&packet, &Ok(Some(*segment)));
    }

    fn receive_packet(
        &mut self,
        packet: &capture::Packet<'_>,
        segment: &Result<Option<Segment<'_>>, Skipped>,
    ) {
        self.ledger.packet(packet, segment, self.conversations.breakdown());
        let Ok(Some(segment)) = segment else { return };
        let Self { options, paths, records, ledger, .. } = self;
        let (time, names) = (packet.time, MethodNames::default());
        self.conversations.segment(time, segment, &mut |record| {
            match record.bytes.len() % 7 {
                0 => ledger.exclude(record),
                _ => ledger.record(record, &names),
            }
            let ends = [record.source, record.destination];
            assert_eq!((record.time, ends), (time, [segment.source, segment.destination]));
            assert!(
                record.engine.is_none()
                    || options.engine.is_none_or(|engine| record.engine == Some(engine))
            );
            // The paths of both directions, because a path is confirmed in the other direction.
            let announced_paths = paths.entry(pair(segment)).or_default();
            let hash = check(record, segment, options.limits, announced_paths);
            // Pieces of a stream with an unknown protocol are left out, because they depend on how
            // the stream is divided into segments.
            if !is_piece(record) {
                records.push((pair(segment), hash));
            }
        });
        self.payload_bytes += segment.transport.payload().len();
        assert_eq!(self.conversations.breakdown().total(), self.payload_bytes as i64);
        self.check_memory();
    }

    /// Ends all conversations. Checks the values in the Godot 4 packets that were still waiting.
    fn finish(&mut self) {
        let (ledger, names) = (&mut self.ledger, MethodNames::default());
        self.conversations.finish(&mut |record| {
            ledger.record(record, &names);
            let mut print = PrintHasher::default();
            if let Content::Godot4(packet) = record.content {
                multiplayer::runs(packet)
                    .iter()
                    .for_each(|run| check_values(*run, record, &mut print));
            }
        });
        self.check_memory();
        self.ledger.finish(self.conversations.breakdown(), 0);
        check_ledger(&self.ledger);
    }

    fn check_memory(&self) {
        let memory = self.conversations.memory();
        assert!(memory <= self.max_memory, "{memory} bytes, of {}", self.max_memory);
    }
}

/// Asserts that the rows of the ledger add up to all captured bytes, and that only the row for
/// compression may be negative.
fn check_ledger(ledger: &Ledger) {
    let captured = ledger.captured().bytes as i64;
    let rows = ledger.rows();
    assert_eq!(rows.iter().map(|row| row.bytes).sum::<i64>(), captured);
    for row in &rows {
        assert!(row.bytes >= 0 || row.account == Account::Compression, "{} {row:?}", row.name());
    }
    let waiting = rows.iter().find(|row| row.account == Account::Incomplete);
    let in_time: i64 = ledger.series().buckets().flatten().sum();
    assert_eq!(in_time + waiting.map_or(0, |row| row.bytes), captured);
    assert!(ledger.series().len() <= 2 && ledger.peers().count() <= 4);
    let sent: u64 = ledger.peers().map(|peer| peer.sent.bytes).sum();
    let received: u64 = ledger.peers().map(|peer| peer.received.bytes).sum();
    assert!(sent == received && sent <= captured as u64);
}

/// Returns `true` for a piece of a stream whose protocol is unknown or encrypted.
fn is_piece(record: &Record<'_>) -> bool {
    match record.content {
        Content::Bytes { offset } => offset.is_some(),
        Content::Encrypted(encryption) => encryption == Encryption::Tls,
        _ => false,
    }
}

/// Asserts that each byte that belongs to no known protocol is either reported or counted.
fn check_bytes(segments: &[Segment<'_>], options: Options) {
    let mut pairs: Vec<_> = segments.iter().map(pair).collect();
    pairs.sort();
    pairs.dedup();
    for wanted in pairs {
        let own = segments.iter().filter(|other| pair(other) == wanted);
        let mut conversations = Conversations::new(options);
        let (mut only_bytes, mut total) = (true, 0);
        let mut reported = HashMap::<SocketAddr, Vec<u8>>::new();
        let mut listener = |record: &Record<'_>| match record.content {
            Content::Bytes { offset } => {
                let bytes = reported.entry(record.source).or_default();
                assert!(offset.is_none_or(|offset| offset >= bytes.len() as u64), "again");
                bytes.extend(record.bytes);
            }
            _ => only_bytes = false,
        };
        for segment in own.clone() {
            total += payload(segment).len();
            conversations.segment(None, segment, &mut listener);
        }
        conversations.finish(&mut listener);
        let sum: usize = reported.values().map(Vec::len).sum();
        let other = conversations.other_protocols();
        assert_eq!(other.conversations, u64::from(other.bytes > 0));
        assert!(sum as u64 + other.bytes <= total as u64);
        if !only_bytes {
            continue;
        }
        assert_eq!(sum as u64 + other.bytes, total as u64, "{wanted:?}");
        if options.other_protocols {
            for (source, bytes) in reported {
                let sent = own.clone().filter(|segment| segment.source == source);
                assert_eq!(bytes, sent.flat_map(payload).copied().collect::<Vec<_>>());
            }
        }
    }
}

fn payload<'a>(segment: &Segment<'a>) -> &'a [u8] {
    segment.transport.payload()
}

/// Returns an upper bound on the memory of all conversations. For each pair of addresses, it covers
/// the paths of nodes, the state of one transport, and the bytes that are kept until a stream is
/// recognised.
pub(super) fn max_memory(limits: Limits) -> usize {
    let head = 2 * websocket::Limits::default().head as usize;
    let buffer = head.max(2 * (limits.message as usize + 4)) + 300;
    let early = 2 * limits.tcp.ahead as usize + 32 * limits.tcp.runs as usize + 64;
    let enet = enet::max_memory(limits.enet);
    let flow = 2 * enet.max(buffer + early) + 2 * MAX_PATH_BYTES + 3000;
    limits.flows.max(2) * 2 * 300 + limits.flows.max(1) * (flow + 2 * MAX_HELD) + 1000
}

/// Maximum number of bytes that are kept until a stream is recognised.
const MAX_HELD: usize = 4096;

/// The documented limit on the bytes of node paths.
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
        // A malformed record contains a piece of the stream. The piece may have arrived before
        // earlier bytes, or may start with bytes of earlier segments.
        Transport::Tcp(tcp) if malformed =>
            is_within(bytes, tcp.payload)
                || bytes.len() <= 2 * limits.tcp.ahead as usize
                || bytes.len() <= tcp.payload.len() + MAX_HELD,
        Transport::Tcp(tcp) if is_piece(record) =>
            is_within(bytes, tcp.payload)
                || bytes.len() <= (2 * limits.tcp.ahead as usize).max(MAX_HELD),
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
        Content::Text(text) => assert_eq!(record.bytes, text.as_bytes()),
        Content::Bytes { .. } => {
            record.values_inside().for_each(|found| {
                let end = (found.offset + found.len) as usize;
                assert!(record.bytes[..end].ends_with(found.value.as_bytes()));
            });
        }
        Content::Encrypted(encryption) => print.put(format_args!("{encryption}")),
        Content::Stun => assert!(record.bytes.len() >= 20),
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

/// A hasher for printed output.
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
