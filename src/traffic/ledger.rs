//! Attributes every captured byte to what it is spent on.

mod account;
mod peers;
mod records;
mod row;
mod rows;
mod series;

pub use account::{Account, Group};
pub use peers::Peer;
pub use row::Row;
pub use rows::{RowMember, RowNode};
pub use series::Series;

use super::RecordKind;
use super::hash::RandomState;
use crate::capture::{self, Packet, Segment, Skipped};
use crate::transport::{Breakdown, Sum};
use peers::Peers;
use rows::{KINDS, Rows};
use series::{GroupBytes, Timeline};
use std::collections::HashMap;
use std::vec::Vec;

/// Limits of a [`Ledger`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerLimits {
    /// Maximum number of rows for the packets of games: 4096 by default. Each row takes up to 700
    /// bytes of memory. Packets of the same kind that would need further rows are counted together.
    pub rows: usize,
    /// Maximum number of addresses: 4096 by default. All further addresses are counted together.
    pub peers: usize,
    /// Maximum number of buckets of the series. The default is 3600, which is enough for an hour if
    /// a bucket covers one second.
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
/// Nothing is allocated for a packet whose rows already exist.
///
/// ```
/// use gamewire::capture::{Reader, Reassembler};
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
/// let mut reassembler = Reassembler::default();
/// while let Some(packet) = reader.next_packet()? {
///     let segment = reassembler.segment(&packet);
///     ledger.packet(&packet, &segment, conversations.breakdown());
///     if let Ok(Some(segment)) = &segment {
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
    /// Number of bytes that the capture lacks because it has cut packets short.
    not_captured: u64,
    /// Number of bytes of capture files that belong to no packet.
    file_headers: u64,
    /// Number of captured bytes in all earlier captures.
    earlier_captured: u64,
    wire: Wire,
    /// The sum of the breakdowns of earlier captures.
    earlier: Breakdown,
    /// Headers that contain the sender and receiver of a packet.
    addressing: Sum,
    excluded: Sum,
    /// Packets of games by kind, without the headers that are counted in `addressing`.
    kinds: [Sum; KINDS],
    rows: Rows,
    peers: Peers,
    /// Index of the sender of the current packet.
    sender: Option<u32>,
    /// Packets whose padding contains leftover memory of the engine, and the number of these
    /// padding bytes.
    leaked: Sum,
    timeline: Timeline,
}

/// Totals of all parts of captured packets except the payloads of segments.
#[derive(Debug, Default)]
struct Wire {
    /// Number of packets with a UDP segment.
    udp: u64,
    /// Number of packets with a TCP segment.
    tcp: u64,
    /// Number of bytes of headers before IP in packets with a segment.
    link: u64,
    /// Number of bytes of IP headers in packets with a segment.
    ip: u64,
    /// Number of bytes of UDP headers.
    udp_headers: u64,
    /// Number of bytes of TCP headers.
    tcp_headers: u64,
    trailer: Sum,
    /// Fragments of IP packets, without the payloads of the packets that they complete.
    fragments: Sum,
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
    /// the current [breakdown](super::Conversations::breakdown) of the conversations.
    #[inline]
    pub fn packet(
        &mut self,
        packet: &Packet<'_>,
        segment: &Result<Option<Segment<'_>>, Skipped>,
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
            Ok(Some(segment)) => {
                self.wire.segment(packet, segment);
                let Segment { source, destination, .. } = segment;
                self.sender = Some(self.peers.captured(source, destination, len));
            }
            Ok(None) => self.wire.fragments.add(len),
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

    /// Ends a capture. `breakdown` is the breakdown of its conversations, and `file_len` is the
    /// length of the file, as returned by [`Reader::offset`](capture::Reader::offset).
    pub fn finish(&mut self, breakdown: &Breakdown, file_len: u64) {
        let totals = self.groups(breakdown);
        self.timeline.add_up_to(totals);
        self.earlier.add_all(breakdown);
        let captured = self.captured.bytes.wrapping_sub(self.earlier_captured);
        self.file_headers = self.file_headers.saturating_add(file_len.saturating_sub(captured));
        self.earlier_captured = self.captured.bytes;
        self.sender = None;
    }

    /// Returns the number of captured packets, and the total number of their captured bytes.
    pub fn captured(&self) -> Sum {
        self.captured
    }

    /// Returns the number of bytes that the captures lack because they have cut packets short.
    pub fn not_captured(&self) -> u64 {
        self.not_captured
    }

    /// Returns the number of bytes of all capture files that belong to no packet, such as headers.
    pub fn file_headers(&self) -> u64 {
        self.file_headers
    }

    /// Returns the number of packets with nonzero padding bytes, and the number of these bytes. See
    /// [`Record::leaked`](super::Record::leaked).
    pub fn leaked(&self) -> Sum {
        self.leaked
    }

    /// Returns all rows that are not empty, in the order of [`Account`]. The rows of the account
    /// [`Packets`](Account::Packets) are in the order of their first packets, and the rows of the
    /// properties of a node follow the row of the node. Call this after [`finish`](Self::finish).
    ///
    /// Their bytes add up to the bytes of [`captured`](Self::captured).
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
        merged(rows)
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

    /// Returns the totals of the groups. Incomplete packets are not included yet.
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

    /// Returns the count and the bytes of each account except [`Account::Packets`].
    fn accounts(&self, parts: &Breakdown) -> [(Account, u64, i64); 26] {
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
            of(Account::Fragments, wire.fragments),
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
            (Account::Compression, parts.compressed, gain),
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
        let Some(layers) = packet.layers(segment) else {
            return self.last_fragment(packet, segment);
        };
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

    /// Counts the fragment that completes a packet. Removes the payload of that packet from the
    /// account of the fragments, because the conversations count it.
    #[cold]
    fn last_fragment(&mut self, packet: &Packet<'_>, segment: &Segment<'_>) {
        self.fragments.add(packet.data.len());
        let payload = segment.transport.payload().len() as u64;
        self.fragments.bytes = self.fragments.bytes.wrapping_sub(payload);
    }
}

/// Merges rows for the same method of the same node. Such rows exist if senders announced different
/// checksums for the methods of the node.
fn merged(rows: Vec<Row<'_>>) -> Vec<Row<'_>> {
    let mut merged = Vec::<Row<'_>>::with_capacity(rows.len());
    let mut indices = HashMap::<_, usize, RandomState>::default();
    for row in rows {
        let key = (row.account, row.node, row.member);
        match indices.get(&key).and_then(|index| merged.get_mut(*index)) {
            Some(first) => {
                first.count = first.count.wrapping_add(row.count);
                first.bytes = first.bytes.wrapping_add(row.bytes);
            }
            None => {
                indices.insert(key, merged.len());
                merged.push(row);
            }
        }
    }
    merged
}
