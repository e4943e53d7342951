//! Totals over all captures.

use super::ledger;
use super::stats::Stats;
use super::stats_json;
use crate::args::Packets;
use crate::ui::style::{DIM, Styled};
use crate::ui::text::Count;
use gamewire::capture::Skipped;
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{OtherProtocols, Record, RecordKind};
use std::io::{self, Write};

/// Maximum number of distinct reasons for skipped packets. Reasons contain protocol numbers, so
/// there can be many. Further reasons are counted together.
const MAX_REASONS: usize = 32;

/// Counters of packets and their bytes.
#[derive(Debug, Default)]
pub struct Totals {
    captured: Sum,
    skipped: Vec<(Skipped, u64)>,
    /// Number of packets that were skipped for a reason that is not in `skipped`.
    otherwise_skipped: u64,
    other_protocols: OtherProtocols,
    /// Number of packets that contain the number of a node whose path is not known.
    unknown_paths: u64,
    kinds: [Sum; RecordKind::ALL.len()],
    first: Option<i64>,
    last: Option<i64>,
    /// Detailed statistics; present with `--stats`.
    pub stats: Option<Box<Stats>>,
}

/// A number of packets, and the total number of bytes in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sum {
    pub packets: u64,
    pub bytes: u64,
}

impl Sum {
    #[inline]
    pub fn add(&mut self, bytes: usize) {
        self.packets = self.packets.saturating_add(1);
        self.bytes = self.bytes.saturating_add(bytes as u64);
    }
}

impl Totals {
    pub fn new(stats: bool) -> Self {
        Self { stats: stats.then(Box::default), ..Self::default() }
    }

    /// Counts a captured packet of any protocol.
    #[inline]
    pub fn captured(&mut self, time: Option<i64>, bytes: usize) {
        self.captured.add(bytes);
        self.first = self.first.or(time);
        self.last = time.or(self.last);
    }

    /// Counts captured packets that contain no segment of UDP or TCP.
    #[cold]
    pub fn skipped(&mut self, reason: Skipped, packets: u64) {
        if packets == 0 {
            return;
        }
        let has_space = self.skipped.len() < MAX_REASONS;
        match self.skipped.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, count)) => *count = count.saturating_add(packets),
            None if has_space => self.skipped.push((reason, packets)),
            None => self.otherwise_skipped = self.otherwise_skipped.saturating_add(packets),
        }
    }

    /// Counts the bytes of a capture that are in no record.
    pub fn other_protocols(&mut self, other: OtherProtocols) {
        let OtherProtocols { bytes, conversations } = &mut self.other_protocols;
        *bytes = bytes.saturating_add(other.bytes);
        *conversations = conversations.saturating_add(other.conversations);
    }

    #[inline]
    pub fn add(&mut self, record: &Record<'_>, names: &MethodNames) {
        let kind = record.kind();
        if let Some(sum) = self.kinds.get_mut(kind as usize) {
            sum.add(record.bytes.len());
        }
        if record.node.is_some_and(|node| node.path.is_none()) {
            self.unknown_paths = self.unknown_paths.saturating_add(1);
        }
        if let Some(stats) = &mut self.stats {
            stats.add(kind, record, names);
        }
    }

    /// Returns the number of packets that contain the number of a node whose path is not known.
    pub fn unknown_paths(&self) -> u64 {
        self.unknown_paths
    }

    /// Counts a record that the filters reject.
    #[cold]
    pub fn exclude(&mut self, record: &Record<'_>) {
        if let Some(stats) = &mut self.stats {
            stats.ledger.exclude(record);
        }
    }

    /// Returns the time from the first to the last captured packet.
    pub fn seconds(&self) -> f64 {
        let nanoseconds = self.first.zip(self.last).map(|(first, last)| last.saturating_sub(first));
        nanoseconds.unwrap_or_default().max(0) as f64 / 1e9
    }

    /// Returns the reasons for which packets were skipped, and their counts.
    pub fn skipped_reasons(&self) -> Vec<(String, u64)> {
        let mut all: Vec<_> =
            self.skipped.iter().map(|(reason, count)| (reason.to_string(), *count)).collect();
        if self.otherwise_skipped > 0 {
            all.push(("other reasons".to_owned(), self.otherwise_skipped));
        }
        all
    }

    /// Returns the names and totals of all kinds that occurred.
    pub fn kinds(&self) -> Vec<(&'static str, Sum)> {
        let kinds = RecordKind::ALL.iter().zip(&self.kinds).filter(|(_, sum)| sum.packets > 0);
        let mut kinds: Vec<_> = kinds.map(|(kind, sum)| (kind.name(), *sum)).collect();
        kinds.sort();
        kinds
    }

    /// Prints the totals in the form that the arguments select.
    pub fn print(&self, args: &Packets, out: &mut dyn Write) -> io::Result<()> {
        let (view, sort) = (args.by.unwrap_or_default(), args.sort);
        match &self.stats {
            Some(stats) if args.json => stats_json::print(self, stats, out),
            Some(stats) => {
                let rows = ledger::table(&stats.ledger, view, sort, Some(self.seconds()));
                if args.csv {
                    return rows.csv(out);
                }
                self.print_kinds(out)?;
                stats.print(&rows, out)
            }
            None => self.print_kinds(out),
        }
    }

    fn print_kinds(&self, out: &mut dyn Write) -> io::Result<()> {
        let Sum { packets, bytes } = self.captured;
        let seconds = self.seconds();
        writeln!(out, "{packets} captured, {bytes} bytes, {seconds:.3} seconds")?;
        for (reason, count) in self.skipped_reasons() {
            writeln!(out, "{count} skipped: {reason}")?;
        }
        let OtherProtocols { bytes, conversations } = self.other_protocols;
        if bytes > 0 {
            let (bytes, conversations) =
                (Count(bytes, "byte"), Count(conversations, "conversation"));
            writeln!(out, "{bytes} of other protocols, in {conversations}")?;
        }
        if self.unknown_paths > 0 {
            let packets = Count(self.unknown_paths, "packet");
            writeln!(out, "{packets} for nodes whose paths are unknown")?;
        }
        table("kind", &self.kinds(), out)
    }
}

/// Prints a table of sums, or nothing if it has no rows.
fn table(title: &str, rows: &[(&str, Sum)], out: &mut dyn Write) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let names = rows.iter().map(|(name, _)| *name).chain([title]);
    let width = names.map(|name| name.chars().count()).max().unwrap_or(0);
    let heads = format_args!("{title:<width$}     packets         bytes");
    writeln!(out, "\n  {}", Styled(DIM, heads))?;
    rows.iter().try_for_each(|(name, Sum { packets, bytes })| {
        writeln!(out, "  {name:<width$}  {packets:>10}  {bytes:>12}")
    })
}
