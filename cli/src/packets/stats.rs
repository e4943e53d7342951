//! The tables that `--stats` prints after the totals by kind.

use super::json::Seconds;
use super::totals::{Sum, table};
use crate::ui::style::{DIM, Styled};
use crate::ui::text::Escaped;
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Content, Reason, Record, RecordKind};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::{self, Write};

/// Maximum number of rows for paths and methods. All further paths and methods share a row.
const MAX_NAMES: usize = 4096;

/// Maximum length of [`Stats::key`] in bytes.
const MAX_NAME_LEN: usize = 256;

/// Number of rows in the table of the largest packets.
const LARGEST: usize = 10;

#[derive(Debug, Default)]
pub struct Stats {
    /// Sums for each combination of kind, path and method.
    names: HashMap<Box<[u8]>, (RecordKind, Sum)>,
    other_names: Sum,
    /// The key of the current record in `names`: a byte for the kind, then the path and the method,
    /// truncated to [`MAX_NAME_LEN`] bytes.
    key: Vec<u8>,
    /// The reasons why packets were malformed, and how often each occurred. Without their numbers,
    /// there are only as many different reasons as the library has messages.
    reasons: HashMap<String, u64>,
    /// The largest packets, in descending order of size.
    largest: Vec<Large>,
    leaks: Leaks,
}

/// One of the largest packets.
#[derive(Debug)]
struct Large {
    bytes: usize,
    time: Option<i64>,
    from_to: String,
    kind: RecordKind,
    name: Box<[u8]>,
}

/// Number of padding bytes that are not zero, and number of packets that contain such bytes.
#[derive(Debug, Default)]
struct Leaks {
    packets: u64,
    bytes: u64,
}

impl Stats {
    pub fn add(&mut self, kind: RecordKind, record: &Record<'_>, names: &MethodNames) {
        match record.content {
            Content::Control(_) => return,
            Content::Malformed { reason, .. } => {
                let count = self.reasons.entry(without_numbers(&reason)).or_default();
                *count = count.saturating_add(1);
            }
            _ => self.leaks.add(record.leaked()),
        }
        self.key.clear();
        self.key.push(kind as u8);
        let named = write_name(record, names, &mut self.key);
        self.key.truncate(MAX_NAME_LEN);
        if named {
            self.named(kind, record.bytes.len());
        }
        self.large(kind, record);
    }

    fn named(&mut self, kind: RecordKind, bytes: usize) {
        let has_space = self.names.len() < MAX_NAMES;
        let sum = if let Some((_, sum)) = self.names.get_mut(&*self.key) {
            sum
        } else if has_space {
            let key = self.key.as_slice().into();
            &mut self.names.entry(key).or_insert((kind, Sum::default())).1
        } else {
            &mut self.other_names
        };
        sum.add(bytes);
    }

    fn large(&mut self, kind: RecordKind, record: &Record<'_>) {
        let bytes = record.bytes.len();
        let smallest = self.largest.last().map_or(0, |large| large.bytes);
        if self.largest.len() >= LARGEST {
            if bytes <= smallest {
                return;
            }
            self.largest.pop();
        }
        let index = self.largest.partition_point(|large| large.bytes >= bytes);
        let large = Large {
            bytes,
            time: record.time,
            from_to: format!("{} → {}", record.source, record.destination),
            kind,
            name: self.key.get(1..).unwrap_or_default().into(),
        };
        self.largest.insert(index, large);
    }

    /// Prints the tables. If `seconds`, the duration of the capture, is known, the rows contain
    /// rates.
    pub fn print(&self, seconds: Option<f64>, out: &mut dyn Write) -> io::Result<()> {
        let mut names: Vec<_> = self.names.iter().map(|(key, row)| (&**key, row)).collect();
        names.sort_by_key(|(key, (_, sum))| (Reverse(sum.bytes), *key));
        let row = |(key, (kind, sum)): (&[u8], &(RecordKind, Sum))| {
            let name = Escaped(key.get(1..).unwrap_or_default());
            (format!("{kind:<13}  {name}"), *sum)
        };
        let mut rows: Vec<_> = names.into_iter().map(row).collect();
        if self.other_names.packets > 0 {
            rows.push(("others".to_owned(), self.other_names));
        }
        table("kind           path and method", rows, seconds, out)?;
        self.print_reasons(out)?;
        self.print_largest(out)?;
        let Leaks { packets, bytes } = self.leaks;
        if packets > 0 {
            let memory = "of engine memory in padding";
            writeln!(out, "\n  leaked: {bytes} bytes {memory} (packets: {packets})")?;
        }
        Ok(())
    }

    fn print_reasons(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut reasons: Vec<_> = self.reasons.iter().map(|(reason, n)| (*n, &**reason)).collect();
        reasons.sort_by_key(|(count, reason)| (Reverse(*count), *reason));
        if !reasons.is_empty() {
            writeln!(out, "\n  {}", Styled(DIM, "malformed"))?;
        }
        reasons.iter().try_for_each(|(count, reason)| writeln!(out, "  {count:>10}  {reason}"))
    }

    fn print_largest(&self, out: &mut dyn Write) -> io::Result<()> {
        if !self.largest.is_empty() {
            writeln!(out, "\n  {}", Styled(DIM, "largest packets"))?;
        }
        self.largest.iter().try_for_each(|Large { bytes, time, from_to, kind, name }| {
            let time = Seconds(time.unwrap_or_default());
            write!(out, "  {bytes:>10} bytes  {time}  {from_to:<33}  ")?;
            match name.is_empty() {
                true => writeln!(out, "{kind}"),
                false => writeln!(out, "{kind:<13}  {}", Escaped(name)),
            }
        })
    }
}

/// Appends the path of the node, and the called method or the property that is set. If the path is
/// unknown, appends the node's number, and the sender, because each sender assigns numbers of its
/// own. Returns `false` if the record has none of these.
fn write_name(record: &Record<'_>, names: &MethodNames, out: &mut Vec<u8>) -> bool {
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
    path.is_some() || id.is_some() || member.is_some()
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

impl Leaks {
    fn add(&mut self, bytes: u64) {
        self.bytes = self.bytes.saturating_add(bytes);
        self.packets = self.packets.saturating_add(u64::from(bytes > 0));
    }
}
