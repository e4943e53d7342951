//! Figures about a capture, as `gamewire packets --stats` prints them.

use super::cursor::{Frame, Listener};
use super::filter::Filter;
use super::index::Content;
use super::line::Line;
use super::timeline::Timeline;
use gamewire::capture::{Packet, Reassembler, Segment, Skipped};
use gamewire::godot::json::Text;
use gamewire::traffic::{
    Account, Conversations, Ledger, Reason, Record, RecordKind, Row, RowMember,
};
use gamewire::transport::{Breakdown, Sum};
use std::fmt::{Display, Write};

/// Maximum number of different reasons in each list.
const MAX_REASONS: usize = 32;

/// Counts packets and bytes while a capture is read.
#[derive(Default)]
pub struct Summary {
    /// The filter of the list while the capture is read.
    pub filter: Filter,
    /// Number of packets that the filter accepts.
    pub rows: u64,
    pub timeline: Timeline,
    /// What was read since the last checkpoint.
    pub content: Content,
    pub line: Line,
    ledger: Ledger,
    kinds: [Sum; RecordKind::ALL.len()],
    /// Why captured packets contain no segment.
    skipped: Vec<(Skipped, u64)>,
    /// Why packets of the game are malformed.
    malformed: Vec<(Reason, u64)>,
    unknown_paths: u64,
    other_bytes: u64,
    last: Option<i64>,
}

impl Listener for Summary {
    fn packet(
        &mut self,
        packet: &Packet<'_>,
        segment: &Result<Option<Segment<'_>>, Skipped>,
        parts: &Breakdown,
    ) {
        self.timeline.start = self.timeline.start.or(packet.time);
        self.last = packet.time.or(self.last);
        self.ledger.packet(packet, segment, parts);
        if let Err(reason) = segment {
            count(&mut self.skipped, *reason, 1);
        }
    }

    fn record(&mut self, record: &Record<'_>, _: Option<&Frame<'_>>) {
        let kind = record.kind();
        self.kinds[kind as usize].add(record.bytes.len());
        self.ledger.record(record, &self.line.names);
        self.timeline.add(record);
        self.content.add(kind, record.time);
        if record.node.is_some_and(|node| node.path.is_none()) {
            self.unknown_paths += 1;
        }
        if let Some(reason) = record.error() {
            count(&mut self.malformed, reason, 1);
        }
        self.rows += u64::from(self.filter.accepts(record, &mut self.line));
    }
}

/// Counts a reason. Reasons beyond the limit are not counted.
fn count<T: PartialEq>(all: &mut Vec<(T, u64)>, reason: T, times: u64) {
    if let Some((_, count)) = all.iter_mut().find(|(known, _)| *known == reason) {
        *count += times;
    } else if all.len() < MAX_REASONS {
        all.push((reason, times));
    }
}

impl Summary {
    pub fn new(filter: Filter) -> Self {
        Self { filter, ..Self::default() }
    }

    /// Ends the capture, of which `len` bytes were read.
    pub fn finish(&mut self, conversations: &Conversations, reassembler: &Reassembler, len: u64) {
        self.ledger.finish(conversations.breakdown(), len);
        self.other_bytes = conversations.other_protocols().bytes;
        for (reason, times) in reassembler.skipped() {
            if times > 0 {
                count(&mut self.skipped, reason, times);
            }
        }
    }

    /// Returns the tables as JSON.
    pub fn json(&self) -> String {
        let captured = self.ledger.captured();
        let start = self.timeline.start.unwrap_or(0);
        let seconds = self.last.unwrap_or(start).saturating_sub(start) as f64 / 1e9;
        let mut out = format!(
            "{{\"packets\":{},\"bytes\":{},\"seconds\":{seconds},\"otherBytes\":{},\"unknownPaths\":{},\
             \"notCaptured\":{},\"leaked\":{},\"kinds\":",
            captured.count,
            captured.bytes,
            self.other_bytes,
            self.unknown_paths,
            self.ledger.not_captured(),
            self.ledger.leaked().bytes,
        );
        let mut kinds: Vec<_> = RecordKind::ALL.iter().zip(&self.kinds).collect();
        kinds.retain(|(_, sum)| sum.count > 0);
        let kind = |out: &mut String, (kind, sum): &(&RecordKind, &Sum)| {
            let _ = write!(out, "\"{}\",{},{}", kind.name(), sum.count, sum.bytes);
        };
        list(&mut out, kinds.iter(), kind);
        out.push_str(",\"skipped\":");
        reasons(&mut out, self.skipped.iter().map(|(reason, count)| (reason as _, *count)));
        out.push_str(",\"malformed\":");
        reasons(&mut out, self.malformed.iter().map(|(reason, count)| (reason as _, *count)));
        out.push_str(",\"rows\":");
        list(&mut out, self.ledger.rows().iter(), row);
        out.push_str(",\"peers\":");
        list(&mut out, self.ledger.peers(), |out, peer| {
            let address = peer.address.map_or("others".into(), |address| address.to_string());
            let id = peer.id.map_or("null".into(), |id| id.to_string());
            let _ = write!(out, "\"{address}\",{id}");
            for sum in [peer.sent, peer.received, peer.packets] {
                let _ = write!(out, ",{},{}", sum.count, sum.bytes);
            }
        });
        out.push('}');
        out
    }
}

fn reasons<'r>(out: &mut String, all: impl Iterator<Item = (&'r dyn Display, u64)>) {
    list(out, all, |out, (reason, count)| {
        let _ = write!(out, "{},{count}", Text(&reason.to_string()));
    });
}

/// Appends group, account, node, member, count and bytes of a row. The last item is `true` if the row
/// counts parts of packets, such as values.
fn row(out: &mut String, row: &Row<'_>) {
    let Row { account, node, member, count, bytes, .. } = row;
    let _ = write!(out, "\"{}\",\"{account}\"", account.group().name());
    for part in [node.map(|node| node.to_string()), member.map(|member| member.to_string())] {
        match part {
            Some(part) => {
                let _ = write!(out, ",{}", Text(&part));
            }
            None => out.push_str(",null"),
        }
    }
    let is_part = matches!(member, Some(RowMember::Property(_))) || *account == Account::Trailer;
    let _ = write!(out, ",{count},{bytes},{is_part}");
}

/// Appends a JSON array of arrays.
fn list<T>(out: &mut String, all: impl Iterator<Item = T>, each: impl Fn(&mut String, T)) {
    for (index, item) in all.enumerate() {
        out.push_str(if index == 0 { "[[" } else { "],[" });
        each(out, item);
    }
    let is_empty = out.ends_with(':');
    out.push_str(if is_empty { "[]" } else { "]]" });
}
