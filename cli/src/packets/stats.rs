//! The statistics of `--stats`, in addition to the totals by kind.

use super::seconds::Seconds;
use super::stats_table::Table;
use crate::ui::style::{DIM, Styled};
use crate::ui::text::Escaped;
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Content, Ledger, Reason, Record, RecordKind};
use gamewire::transport::Sum;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::{self, Write};
use std::net::SocketAddr;

/// Maximum length of the name of a packet, in bytes.
const MAX_NAME_LEN: usize = 256;

/// Number of rows in the table of the largest packets.
const LARGEST: usize = 10;

#[derive(Debug, Default)]
pub struct Stats {
    pub ledger: Ledger,
    /// The reasons why packets were malformed, and how often each occurred. Numbers in the reasons
    /// are replaced, so there are at most as many different reasons as the library has messages.
    reasons: HashMap<String, u64>,
    /// The largest packets, in descending order of size.
    largest: Vec<Large>,
}

/// One of the largest packets.
#[derive(Debug)]
pub struct Large {
    pub bytes: usize,
    pub time: Option<i64>,
    pub source: SocketAddr,
    pub destination: SocketAddr,
    pub kind: RecordKind,
    /// Path of the node and name of the method, or their numbers if these are unknown.
    pub name: Box<[u8]>,
}

impl Stats {
    pub fn add(&mut self, kind: RecordKind, record: &Record<'_>, names: &MethodNames) {
        self.ledger.record(record, names);
        match record.content {
            Content::Control(_) => return,
            Content::Malformed { reason, .. } => {
                let count = self.reasons.entry(without_numbers(&reason)).or_default();
                *count = count.saturating_add(1);
            }
            _ => {}
        }
        let smallest = self.largest.last().map_or(0, |large| large.bytes);
        if self.largest.len() < LARGEST || record.bytes.len() > smallest {
            self.large(kind, record, names);
        }
    }

    #[cold]
    fn large(&mut self, kind: RecordKind, record: &Record<'_>, names: &MethodNames) {
        let bytes = record.bytes.len();
        self.largest.truncate(LARGEST.saturating_sub(1));
        let index = self.largest.partition_point(|large| large.bytes >= bytes);
        let mut name = Vec::new();
        write_name(record, names, &mut name);
        name.truncate(MAX_NAME_LEN);
        let large = Large {
            bytes,
            time: record.time,
            source: record.source,
            destination: record.destination,
            kind,
            name: name.into(),
        };
        self.largest.insert(index, large);
    }

    /// Prints the given table of the ledger, and then the other tables.
    pub fn print(&self, rows: &Table, out: &mut dyn Write) -> io::Result<()> {
        rows.print(out)?;
        let missing = self.ledger.not_captured();
        if missing > 0 {
            writeln!(out, "\n  not captured: {missing} bytes of packets that were cut short")?;
        }
        self.print_reasons(out)?;
        self.print_largest(out)?;
        let Sum { count: packets, bytes } = self.ledger.leaked();
        if packets > 0 {
            let memory = "of engine memory in padding";
            writeln!(out, "\n  leaked: {bytes} bytes {memory} (packets: {packets})")?;
        }
        Ok(())
    }

    /// Returns the reasons why packets were malformed, with their counts, the most frequent first.
    pub fn malformed(&self) -> Vec<(u64, &str)> {
        let mut reasons: Vec<_> = self.reasons.iter().map(|(reason, n)| (*n, &**reason)).collect();
        reasons.sort_by_key(|(count, reason)| (Reverse(*count), *reason));
        reasons
    }

    /// Returns the largest packets in descending order of size.
    pub fn largest(&self) -> &[Large] {
        &self.largest
    }

    fn print_reasons(&self, out: &mut dyn Write) -> io::Result<()> {
        let reasons = self.malformed();
        if !reasons.is_empty() {
            writeln!(out, "\n  {}", Styled(DIM, "malformed"))?;
        }
        reasons.iter().try_for_each(|(count, reason)| writeln!(out, "  {count:>10}  {reason}"))
    }

    fn print_largest(&self, out: &mut dyn Write) -> io::Result<()> {
        if !self.largest.is_empty() {
            writeln!(out, "\n  {}", Styled(DIM, "largest packets"))?;
        }
        self.largest.iter().try_for_each(
            |Large { bytes, time, source, destination, kind, name }| {
                let from_to = format!("{source} → {destination}");
                let time = Seconds(time.unwrap_or_default());
                write!(out, "  {bytes:>10} bytes  {time}  {from_to:<33}  ")?;
                match name.is_empty() {
                    true => writeln!(out, "{kind}"),
                    false => writeln!(out, "{kind:<13}  {}", Escaped(name)),
                }
            },
        )
    }
}

/// Appends the path of the node, and the called method or the property that is set. If the path is
/// unknown, appends the node's number and the sender instead. The sender is needed because each
/// sender numbers nodes in its own way.
fn write_name(record: &Record<'_>, names: &MethodNames, out: &mut Vec<u8>) {
    let path = record.node.and_then(|node| node.path);
    let id = record.node.and_then(|node| node.id).filter(|_| path.is_none());
    let member = record.member(names);
    if let Some(path) = path {
        extend(out, path.as_bytes());
    }
    // Writing to a vector cannot fail.
    if let Some(id) = id {
        let _ = write!(out, "#{id}");
    }
    if let Some(member) = &member {
        out.push(b'.');
        extend(out, member.as_bytes());
    }
    if id.is_some() {
        let _ = write!(out, " from {}", record.source);
        // The header of a packet that the server relays contains the original sender.
        if let Some(sender) = record.relay.filter(|_| record.peer.is_none_or(|peer| peer == SERVER))
        {
            let _ = write!(out, ", by {sender}");
        }
    }
}

/// Multiplayer id of the server.
const SERVER: i32 = 1;

/// Appends at most [`MAX_NAME_LEN`] bytes of a name, since a name can be as long as a packet.
fn extend(out: &mut Vec<u8>, name: &[u8]) {
    out.extend_from_slice(name.get(..MAX_NAME_LEN).unwrap_or(name));
}

/// Replaces each number in a reason by `#`, so that reasons that differ only in numbers are
/// counted together.
fn without_numbers(reason: &Reason) -> String {
    let text = reason.to_string();
    let mut words = String::with_capacity(text.len());
    let mut in_number = false;
    for char in text.chars() {
        // Hexadecimal numbers start with `0x`, so each number starts with a decimal digit.
        in_number = char.is_ascii_digit() || in_number && char.is_ascii_alphanumeric();
        match in_number {
            true if words.ends_with('#') => {}
            true => words.push('#'),
            false => words.push(char),
        }
    }
    words
}
