//! Attributes every captured byte to what it is spent on.

mod account;
mod peers;
mod row;
mod rows;
mod series;

pub use account::{Account, Group};
pub use peers::Peer;
pub use row::Row;
pub use rows::{RowMember, RowNode};
pub use series::Series;

use super::methods::MethodNames;
use super::record::{Content, Control, Reason, Record, Transport};
use super::{Node as RecordNode, RecordKind};
use crate::capture::{self, Packet, Segment, Skipped};
use crate::godot::multiplayer::Run;
use crate::godot::multiplayer::godot4::{self, NetId};
use crate::godot::multiplayer::{godot3, transport};
use crate::transport::{Breakdown, Sum, websocket};
use peers::{OTHERS, Peers};
use rows::{KINDS, Key, Node, Numbers, Rows};
use series::{GroupBytes, Timeline};
use std::vec::Vec;

/// Multiplayer id of the server.
const SERVER: i32 = 1;
/// Length of the header of a state in a SYNC packet: synchronizer and size.
const SYNC_HEADER: usize = 8;
/// Length of the header of a state in a DELTA packet: synchronizer, changed properties and size.
const DELTA_HEADER: usize = 16;

/// Limits of a [`Ledger`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerLimits {
    /// Number of rows for the packets of games: 4096 by default. Each takes up to 700 bytes of
    /// memory. All further rows of the same kind are counted together.
    pub rows: usize,
    /// Number of addresses: 4096 by default. All further addresses are counted together.
    pub peers: usize,
    /// Number of buckets of the series: 3600 by default, an hour in seconds.
    pub buckets: usize,
}

impl Default for LedgerLimits {
    fn default() -> Self {
        Self { rows: 1 << 12, peers: 1 << 12, buckets: 3600 }
    }
}

/// Attributes each captured byte to exactly one [`Account`]: the sum of all [rows](Self::rows) is
/// the number of captured bytes.
///
/// For each packet of a capture, call [`packet`](Self::packet), pass the packet's segment to
/// [`Conversations`](super::Conversations), and pass each of their records to
/// [`record`](Self::record) or [`exclude`](Self::exclude). After [`finish`](Self::finish), the next
/// capture can follow.
///
/// Nothing is allocated for a packet whose rows exist.
///
/// ```
/// use gamewire::capture::Reader;
/// use gamewire::traffic::methods::MethodNames;
/// use gamewire::traffic::{Conversations, Ledger};
///
/// // One packet: Ethernet, IPv4, UDP, and the value 5 as `put_var` sends it.
/// let file = b"\xd4\xc3\xb2\xa1\x02\0\x04\0\0\0\0\0\0\0\0\0\0\0\x04\0\x01\0\0\0\
///     \x05\0\0\0\x07\0\0\0\x32\0\0\0\x32\0\0\0\
///     \0\0\0\0\0\0\0\0\0\0\0\0\x08\0\
///     \x45\0\0\x24\0\0\0\0\x40\x11\0\0\x7f\0\0\x01\x7f\0\0\x02\
///     \x30\x39\x1f\x90\0\x10\0\0\x02\0\0\0\x05\0\0\0";
/// let (mut reader, names) = (Reader::new(&file[..]), MethodNames::default());
/// let (mut conversations, mut ledger) = (Conversations::default(), Ledger::default());
/// while let Some(packet) = reader.next_packet()? {
///     let segment = packet.segment();
///     ledger.packet(&packet, segment.as_ref(), conversations.breakdown());
///     if let Ok(segment) = &segment {
///         conversations.segment(packet.time, segment, &mut |record| ledger.record(record, &names));
///     }
/// }
/// conversations.finish(&mut |record| ledger.record(record, &names));
/// ledger.finish(conversations.breakdown(), reader.offset());
///
/// let rows: Vec<_> = ledger.rows().iter().map(|row| (row.name().to_string(), row.bytes)).collect();
/// let [link, ip, udp, value] = &rows[..] else { panic!("{rows:?}") };
/// assert_eq!((&*link.0, link.1), ("link headers", 14));
/// assert_eq!((&*value.0, value.1), ("var", 8));
/// assert_eq!(link.1 + ip.1 + udp.1 + value.1, 50);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Ledger {
    /// All captured packets.
    captured: Sum,
    /// Bytes of captured packets that are not in the capture.
    not_captured: u64,
    /// Bytes of capture files besides the packets.
    file_headers: u64,
    /// Captured bytes when the current capture began.
    earlier_captured: u64,
    wire: Wire,
    /// What the payloads of earlier captures consist of.
    earlier: Breakdown,
    /// Headers of packets with their sender and receiver.
    addressing: Sum,
    excluded: Sum,
    /// Packets of games by kind, without these headers.
    kinds: [Sum; KINDS],
    rows: Rows,
    peers: Peers,
    /// Index of the sender of the current packet.
    sender: Option<u32>,
    /// Packets with memory of the engine in their padding, and the number of such bytes.
    leaked: Sum,
    timeline: Timeline,
}

/// What captured packets consist of besides the payloads of segments.
#[derive(Debug, Default)]
struct Wire {
    /// Number of packets with a segment.
    udp: u64,
    tcp: u64,
    link: u64,
    ip: u64,
    udp_headers: u64,
    tcp_headers: u64,
    trailer: Sum,
    other_packets: Sum,
    cut_short: Sum,
}

impl Default for Ledger {
    fn default() -> Self {
        Self::new(LedgerLimits::default())
    }
}

impl Ledger {
    /// Creates an empty ledger.
    pub fn new(limits: LedgerLimits) -> Self {
        Self {
            captured: Sum::default(),
            not_captured: 0,
            file_headers: 0,
            earlier_captured: 0,
            wire: Wire::default(),
            earlier: Breakdown::default(),
            addressing: Sum::default(),
            excluded: Sum::default(),
            kinds: [Sum::default(); KINDS],
            rows: Rows::new(limits.rows),
            peers: Peers::new(limits.peers),
            sender: None,
            leaked: Sum::default(),
            timeline: Timeline::new(limits.buckets),
        }
    }

    /// Counts a captured packet. Call this before the packet's segment is processed. `breakdown` is
    /// that of the [conversations](super::Conversations::breakdown) until now.
    #[inline]
    pub fn packet(
        &mut self,
        packet: &Packet<'_>,
        segment: Result<&Segment<'_>, &Skipped>,
        breakdown: &Breakdown,
    ) {
        let len = packet.data.len();
        if let Some(time) = packet.time
            && !self.timeline.is_current(time)
        {
            self.turn(time, breakdown);
        }
        self.captured.add(len);
        let missing = u64::from(packet.original_len).saturating_sub(len as u64);
        self.not_captured = self.not_captured.wrapping_add(missing);
        match segment {
            Ok(segment) => {
                self.wire.segment(packet, segment);
                let Segment { source, destination, .. } = segment;
                self.sender = Some(self.peers.captured(source, destination, len));
            }
            Err(Skipped::CutShort) => self.wire.cut_short.add(len),
            Err(_) => self.wire.other_packets.add(len),
        }
    }

    #[cold]
    fn turn(&mut self, time: i64, breakdown: &Breakdown) {
        let totals = self.groups(breakdown);
        self.timeline.add_up_to(totals);
        self.timeline.turn(time);
    }

    /// Counts a packet of a game. `names` has the names of its methods.
    #[inline]
    pub fn record(&mut self, record: &Record<'_>, names: &MethodNames) {
        let Some(len) = record.payload_len() else {
            if let Content::Control(Control::Connect | Control::Accept) = record.content {
                self.rows.forget_numbers();
            }
            return;
        };
        let sender = self.sender.unwrap_or_else(|| self.peers.find(&record.source));
        self.peers.packet(sender, record.peer, len);
        let kind = record.kind();
        let mut bytes = len;
        if record.relay.is_some() || matches!(record.content, Content::Godot3(_)) {
            let header = addressing_len(record).min(len);
            self.addressing.add(header);
            bytes = len.wrapping_sub(header);
        }
        if let Some(sum) = self.kinds.get_mut(kind as usize) {
            sum.add(bytes);
        }
        match record.content {
            Content::Godot4(godot4::Packet::Sync(sync)) => {
                let mut states = States::new(self, record, kind, sender, bytes);
                sync.records.for_each_state(|node, state| states.add(node, None, state));
                states.finish();
            }
            Content::Godot4(godot4::Packet::Delta(delta)) => {
                let mut states = States::new(self, record, kind, sender, bytes);
                let add = |node, changed, state: Run<'_>| states.add(node, Some(changed), state);
                delta.records.for_each_state(add);
                states.finish();
            }
            Content::Godot4(godot4::Packet::Spawn(spawn)) => {
                self.spawn(record, sender, bytes, spawn)
            }
            _ => self.whole(record, sender, kind, bytes, names),
        }
    }

    /// Counts a packet of a game that the caller excludes, for example because a filter rejects it.
    pub fn exclude(&mut self, record: &Record<'_>) {
        if let Some(len) = record.payload_len() {
            self.excluded.add(len);
        }
    }

    fn spawn(&mut self, record: &Record<'_>, sender: u32, bytes: usize, spawn: &godot4::Spawn<'_>) {
        let key = Key { node: node_of(record.node, sender), ..Key::new(RecordKind::Spawn) };
        let header = bytes.saturating_sub(spawn.state.as_bytes().len());
        let row = self.rows.add(&key, header, || None);
        self.properties(row, RecordKind::Spawn, bytes.wrapping_sub(header), None, spawn.state);
        self.leak(record.leaked());
    }

    /// Adds the values of properties to their rows: `len` bytes in all. Each value belongs to a set
    /// bit of `changed`, or without it to the next property. Returns `true` if a value can have
    /// padding.
    #[inline(always)]
    fn properties(
        &mut self,
        row: Option<usize>,
        kind: RecordKind,
        len: usize,
        changed: Option<u64>,
        state: Run<'_>,
    ) -> bool {
        let mut rest = len;
        let mut left = changed.unwrap_or(u64::MAX);
        let mut property = 0_usize;
        let is_padded = state.for_each_len(|value| {
            let value = value.min(rest);
            rest = rest.wrapping_sub(value);
            if changed.is_some() {
                property = left.trailing_zeros() as usize;
                left &= left.wrapping_sub(1);
            }
            self.rows.add_property(row, kind, property, value);
            property = property.wrapping_add(1);
        });
        // No value accounts for these bytes.
        if rest > 0 {
            self.rows.add_bytes(row, kind, rest);
        }
        is_padded
    }

    /// Adds a packet to one row.
    #[inline(always)]
    fn whole(
        &mut self,
        record: &Record<'_>,
        sender: u32,
        kind: RecordKind,
        bytes: usize,
        names: &MethodNames,
    ) {
        let mut key = Key::new(kind);
        let numbers = match (&record.content, record.node.and_then(|node| node.id)) {
            (Content::Godot4(godot4::Packet::Call(call)), Some(id))
                if has_own_numbers(record, sender) =>
            {
                key.method = call.method.0;
                Some(Numbers::new(kind, Node::Number(id, sender), key.method))
            }
            (Content::Godot3(_), _) => None,
            (_, None) if record.node.is_none() => Some(Numbers::new(kind, Node::None, 0)),
            _ => None,
        };
        let known = numbers.and_then(|numbers| self.rows.add_recent(numbers, bytes));
        if known.is_none() {
            self.new_whole(record, sender, key, bytes, numbers, names);
        }
        if can_leak(&record.content) {
            self.leak(record.leaked());
        }
    }

    #[inline(never)]
    fn new_whole(
        &mut self,
        record: &Record<'_>,
        sender: u32,
        key: Key<'_>,
        bytes: usize,
        numbers: Option<Numbers>,
        names: &MethodNames,
    ) {
        if let Content::Godot4(godot4::Packet::SimplifyPath(_)) = record.content {
            self.rows.forget_numbers();
        }
        let mut key = Key { node: node_of(record.node, sender), ..key };
        match &record.content {
            Content::Godot4(godot4::Packet::Call(call)) => {
                key.method = call.method.0;
                let checksum = record.node.and_then(|node| node.checksum?.first_chunk::<8>());
                key.checksum = checksum.map_or(0, |first| u64::from_le_bytes(*first));
            }
            Content::Godot3(godot3::Packet::Call(call)) => key.name = call.method.as_bytes(),
            Content::Godot3(godot3::Packet::Set(set)) => key.name = set.property.as_bytes(),
            _ => {}
        }
        key = key.relayed_by(original_sender(record));
        let label = || record.member(names).map(|name| name.as_bytes().into());
        let row = self.rows.add(&key, bytes, label);
        if let Some(numbers) = numbers {
            self.rows.remember(numbers, row);
        }
    }

    #[inline(always)]
    fn leak(&mut self, bytes: u64) {
        if bytes > 0 {
            self.leaked.count = self.leaked.count.wrapping_add(1);
            self.leaked.bytes = self.leaked.bytes.wrapping_add(bytes);
        }
    }

    /// Ends a capture. `breakdown` is that of its conversations, and `file_len` the length of the
    /// file, see [`Reader::offset`](capture::Reader::offset).
    pub fn finish(&mut self, breakdown: &Breakdown, file_len: u64) {
        let totals = self.groups(breakdown);
        self.timeline.add_up_to(totals);
        self.earlier.add_all(breakdown);
        let captured = self.captured.bytes.wrapping_sub(self.earlier_captured);
        self.file_headers = self.file_headers.saturating_add(file_len.saturating_sub(captured));
        self.earlier_captured = self.captured.bytes;
        self.sender = None;
    }

    /// Returns the number of captured packets and of their captured bytes.
    pub fn captured(&self) -> Sum {
        self.captured
    }

    /// Returns the number of bytes of captured packets that are not in the capture.
    pub fn not_captured(&self) -> u64 {
        self.not_captured
    }

    /// Returns the number of bytes of all capture files besides captured packets: their own headers.
    pub fn file_headers(&self) -> u64 {
        self.file_headers
    }

    /// Returns the number of packets with nonzero padding bytes, and the number of these bytes. See
    /// [`Record::leaked`].
    pub fn leaked(&self) -> Sum {
        self.leaked
    }

    /// Returns all rows that are not empty, in the order of [`Account`], and the rows of one kind of
    /// packet in the order of their first packets. Call this after [`finish`](Self::finish).
    ///
    /// The sum of their bytes is that of [`captured`](Self::captured).
    pub fn rows(&self) -> Vec<Row<'_>> {
        let accounts = self.accounts(&self.earlier).map(Row::of_account);
        let accounts = accounts.iter().filter(|row| row.bytes != 0);
        let first = Account::Packets(RecordKind::Rpc);
        let before = accounts.clone().filter(|row| row.account < first);
        let after = accounts.filter(|row| row.account > first);
        let mut rows: Vec<_> = before.copied().collect();
        for entry in self.rows.entries() {
            let address = |peer| self.peers.get(peer).and_then(|peer| peer.address);
            let account = Account::Packets(entry.kind);
            let node = entry.node(address);
            let member = entry.label.as_deref().map(RowMember::Name);
            rows.push(Row::new(account, node, member, entry.sum));
            let properties = entry.properties.iter().enumerate();
            rows.extend(properties.filter(|(_, sum)| sum.count > 0).map(|(index, sum)| {
                Row::new(account, node, Some(RowMember::Property(index)), *sum)
            }));
        }
        for (kind, sum) in RecordKind::ALL.iter().zip(self.rows.others()) {
            if sum.count > 0 {
                rows.push(Row::new(Account::Packets(*kind), Some(RowNode::Others), None, *sum));
            }
        }
        rows.extend(after.copied());
        rows
    }

    /// Returns the bytes of each group over time.
    pub fn series(&self) -> Series<'_> {
        Series::new(&self.timeline)
    }

    /// Iterates over the addresses that sent or received packets, in the order of their first
    /// packets.
    pub fn peers(&self) -> impl Iterator<Item = &Peer> {
        self.peers.iter()
    }

    /// Returns an estimate of the allocated memory in bytes.
    pub fn memory(&self) -> usize {
        self.rows.memory()
    }

    /// Returns the totals of the groups. Packets that are not complete do not count yet.
    fn groups(&self, breakdown: &Breakdown) -> GroupBytes {
        let mut groups = [0; Group::ALL.len()];
        let mut add = |account: Account, bytes: i64| {
            if let Some(sum) = groups.get_mut(account.group() as usize) {
                *sum = bytes.wrapping_add(*sum);
            }
        };
        let mut all = self.earlier;
        all.add_all(breakdown);
        for (account, _, bytes) in self.accounts(&all) {
            if account != Account::Incomplete {
                add(account, bytes);
            }
        }
        for (kind, sum) in RecordKind::ALL.iter().zip(&self.kinds) {
            add(Account::Packets(*kind), sum.bytes.cast_signed());
        }
        groups
    }

    /// Returns the count and the bytes of all accounts but those of packets.
    fn accounts(&self, parts: &Breakdown) -> [(Account, u64, i64); 25] {
        let wire = &self.wire;
        let claimed = self.kinds.iter().fold(0_u64, |all, sum| all.wrapping_add(sum.bytes));
        let claimed = claimed.wrapping_add(self.addressing.bytes).wrapping_add(self.excluded.bytes);
        let incomplete = parts.accepted.bytes.wrapping_sub(claimed);
        let segments = wire.udp.wrapping_add(wire.tcp);
        let is_incomplete = u64::from(incomplete > 0);
        let gain = parts.inflation.wrapping_neg();
        let plain = |account, count, bytes: u64| (account, count, bytes.cast_signed());
        let of = |account, sum: Sum| plain(account, sum.count, sum.bytes);
        [
            plain(Account::Link, segments, wire.link),
            plain(Account::Ip, segments, wire.ip),
            plain(Account::Udp, wire.udp, wire.udp_headers),
            plain(Account::Tcp, wire.tcp, wire.tcp_headers),
            of(Account::Trailer, wire.trailer),
            of(Account::OtherPackets, wire.other_packets),
            of(Account::CutShort, wire.cut_short),
            of(Account::EnetDatagrams, parts.datagram_headers),
            of(Account::EnetCommands, parts.command_headers),
            of(Account::Acknowledgements, parts.acknowledgements),
            of(Account::Pings, parts.pings),
            of(Account::Connection, parts.control),
            of(Account::HttpHeads, parts.http_heads),
            of(Account::WebSocketFrames, parts.frame_headers),
            of(Account::LengthPrefixes, parts.length_prefixes),
            of(Account::Repeated, parts.repeated),
            of(Account::Late, parts.late),
            of(Account::OutsideStream, parts.outside),
            (Account::Compression, u64::from(gain != 0), gain),
            of(Account::Addressing, self.addressing),
            of(Account::BadTransport, parts.malformed),
            of(Account::OtherProtocols, parts.unrecognised),
            of(Account::OtherPorts, parts.excluded),
            of(Account::Excluded, self.excluded),
            plain(Account::Incomplete, is_incomplete, incomplete),
        ]
    }
}

impl Wire {
    #[inline(always)]
    fn segment(&mut self, packet: &Packet<'_>, segment: &Segment<'_>) {
        let layers = packet.layers(segment);
        self.link = self.link.wrapping_add(layers.link as u64);
        self.ip = self.ip.wrapping_add(layers.network as u64);
        let (count, headers) = match segment.transport {
            capture::Transport::Udp { .. } => (&mut self.udp, &mut self.udp_headers),
            capture::Transport::Tcp(_) => (&mut self.tcp, &mut self.tcp_headers),
        };
        *count = count.wrapping_add(1);
        *headers = headers.wrapping_add(layers.transport as u64);
        if layers.trailer > 0 {
            self.trailer.add(layers.trailer);
        }
    }
}

/// The states of nodes in a SYNC or DELTA packet while they are added to their rows.
struct States<'l, 'r> {
    ledger: &'l mut Ledger,
    record: &'r Record<'r>,
    kind: RecordKind,
    sender: u32,
    /// Bytes of the packet that were not added yet.
    rest: usize,
    /// The row of the last state.
    row: Option<usize>,
    is_padded: bool,
}

impl<'l, 'r> States<'l, 'r> {
    fn new(
        ledger: &'l mut Ledger,
        record: &'r Record<'r>,
        kind: RecordKind,
        sender: u32,
        rest: usize,
    ) -> Self {
        Self { ledger, record, kind, sender, rest, row: None, is_padded: false }
    }

    /// Adds the header of a state to the row of its node, and the values to those of the properties.
    #[inline(always)]
    fn add(&mut self, node: NetId, changed: Option<u64>, state: Run<'_>) {
        let header = if changed.is_some() { DELTA_HEADER } else { SYNC_HEADER }.min(self.rest);
        let values = state.as_bytes().len().min(self.rest.wrapping_sub(header));
        self.rest = self.rest.wrapping_sub(header).wrapping_sub(values);
        let node = match node {
            NetId::Synchronizer(id) => Node::NetId(id, self.sender),
            NetId::Cached(id) => Node::Number(id, self.sender),
        };
        let numbers = Numbers::new(self.kind, node, 0);
        let known = match has_own_numbers(self.record, self.sender) {
            true => self.ledger.rows.add_recent(numbers, header),
            false => None,
        };
        self.row = known.or_else(|| self.new_row(node, numbers, header));
        self.is_padded |= self.ledger.properties(self.row, self.kind, values, changed, state);
    }

    #[inline(never)]
    fn new_row(&mut self, node: Node<'_>, numbers: Numbers, header: usize) -> Option<usize> {
        let path = match node {
            Node::Number(id, _) => self.record.path(id),
            _ => None,
        };
        let node = path.map_or(node, |path| Node::Path(path.as_bytes()));
        let key = Key { node, ..Key::new(self.kind) }.relayed_by(original_sender(self.record));
        let row = self.ledger.rows.add(&key, header, || None);
        if has_own_numbers(self.record, self.sender) {
            self.ledger.rows.remember(numbers, row);
        }
        row
    }

    /// Adds the header of the packet to the row of the last node.
    #[inline(always)]
    fn finish(self) {
        self.ledger.rows.add_bytes(self.row, self.kind, self.rest);
        if self.is_padded {
            self.ledger.leak(self.record.leaked());
        }
    }
}

impl Record<'_> {
    /// Returns the number of payload bytes that the record accounts for. Returns `None` for messages
    /// and errors of the transport.
    #[inline(always)]
    pub(super) fn payload_len(&self) -> Option<usize> {
        match self.content {
            Content::Control(_) | Content::Malformed { reason: Reason::Enet(_), .. } => None,
            Content::Malformed { reason: Reason::WebSocket(kind), .. }
                if kind != websocket::ErrorKind::NotUtf8 =>
            {
                None
            }
            _ => Some(self.bytes.len()),
        }
    }
}

/// Returns the peer that sent a packet which the server relays. In packets from clients, the header
/// contains the receiver instead.
fn original_sender(record: &Record<'_>) -> Option<i32> {
    record.relay.filter(|_| record.peer.is_none_or(|peer| peer == SERVER))
}

/// Returns `true` if the sender itself has assigned the numbers of nodes in the packet, and is not
/// one of those that are counted together.
#[inline(always)]
fn has_own_numbers(record: &Record<'_>, sender: u32) -> bool {
    record.relay.is_none() && sender != OTHERS
}

/// Returns `true` for packets whose values can have padding, apart from replicated state.
#[inline(always)]
fn can_leak(content: &Content<'_>) -> bool {
    match content {
        Content::Godot4(packet) => matches!(packet, godot4::Packet::Call(_)),
        Content::Godot3(packet) => {
            matches!(packet, godot3::Packet::Call(_) | godot3::Packet::Set(_))
        }
        Content::Value(_) | Content::Debugger(_) => true,
        _ => false,
    }
}

/// Returns the length of the header with the sender and the receiver of a packet.
fn addressing_len(record: &Record<'_>) -> usize {
    match record.content {
        Content::Godot4(_) if record.relay.is_some() => godot4::relay_head(0).len(),
        Content::Godot3(_) if record.transport == Transport::WebSocket => {
            super::websocket::GODOT3_HEADER as usize
        }
        Content::Godot3(_) => size_of::<transport::EnetPrefix>(),
        _ => 0,
    }
}

#[inline(always)]
fn node_of(node: Option<RecordNode<'_>>, sender: u32) -> Node<'_> {
    match node {
        None => Node::None,
        Some(node) => match (node.path, node.id) {
            (Some(path), _) => Node::Path(path.as_bytes()),
            (None, Some(id)) => Node::Number(id, sender),
            (None, None) => Node::None,
        },
    }
}
