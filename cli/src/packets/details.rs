//! What `--stats` tells beside the sums by kind.

use super::kind::{self, Kind};
use super::object::Seconds;
use super::totals::{Sum, table};
use crate::methods::Methods;
use crate::ui::style::{DIM, Styled};
use crate::ui::text::Escaped;
use gamewire::traffic::{Content, Reason, Record};
use std::collections::HashMap;
use std::io::{self, Write};

/// How many paths and methods are told apart, and how many reasons; the rest counts as one.
const MOST_NAMES: usize = 4096;
const MOST_REASONS: usize = 64;

/// How many bytes of a name are kept.
const LONGEST: usize = 256;

/// How many packets are the largest.
const LARGEST: usize = 10;

#[derive(Debug, Default)]
pub struct Details {
    /// By kind, path and method.
    names: HashMap<Box<[u8]>, (Kind, Sum)>,
    other_names: Sum,
    /// The name that is looked up.
    name: Vec<u8>,
    reasons: HashMap<String, u64>,
    other_reasons: u64,
    /// The largest first.
    largest: Vec<Large>,
    leaks: Leaks,
}

/// A packet that is among the largest.
#[derive(Debug)]
struct Large {
    bytes: usize,
    time: Option<i64>,
    from_to: String,
    kind: Kind,
    name: Box<[u8]>,
}

/// Memory of the engine in pads.
#[derive(Debug, Default)]
struct Leaks {
    packets: u64,
    bytes: u64,
}

impl Details {
    pub fn add(&mut self, kind: Kind, record: &Record<'_>, methods: &Methods) {
        match record.content {
            Content::Control(_) => return,
            Content::Malformed { reason, .. } => self.malformed(without_numbers(&reason)),
            _ => self.leaks.add(kind::leaked(record)),
        }
        self.name.clear();
        self.name.push(kind as u8);
        // (Writing into a `Vec` does not fail.)
        let named = kind::write_name(record, methods, &mut self.name).unwrap_or(false);
        // (A name may be as long as a packet.)
        self.name.truncate(LONGEST);
        if named {
            self.named(kind, record.bytes.len());
        }
        self.large(kind, record);
    }

    fn malformed(&mut self, reason: String) {
        let room = self.reasons.len() < MOST_REASONS;
        let count = match self.reasons.get_mut(&reason) {
            Some(count) => count,
            None if room => self.reasons.entry(reason).or_default(),
            None => &mut self.other_reasons,
        };
        *count = count.saturating_add(1);
    }

    fn named(&mut self, kind: Kind, bytes: usize) {
        let room = self.names.len() < MOST_NAMES;
        let sum = if let Some((_, sum)) = self.names.get_mut(&*self.name) {
            sum
        } else if room {
            let name = self.name.as_slice().into();
            &mut self.names.entry(name).or_insert((kind, Sum::default())).1
        } else {
            &mut self.other_names
        };
        sum.add(bytes);
    }

    fn large(&mut self, kind: Kind, record: &Record<'_>) {
        let bytes = record.bytes.len();
        let smallest = self.largest.last().map_or(0, |large| large.bytes);
        if self.largest.len() >= LARGEST {
            if bytes <= smallest {
                return;
            }
            self.largest.pop();
        }
        let place = self.largest.partition_point(|large| large.bytes >= bytes);
        let large = Large {
            bytes,
            time: record.time,
            from_to: format!("{} → {}", record.source, record.destination),
            kind,
            name: self.name.get(1..).unwrap_or_default().into(),
        };
        self.largest.insert(place, large);
    }

    pub fn print(&self, seconds: Option<f64>, out: &mut impl Write) -> io::Result<()> {
        let mut names: Vec<_> = self.names.iter().map(|(name, row)| (&**name, row)).collect();
        names.sort_by_key(|(name, (_, sum))| (std::cmp::Reverse(sum.bytes), *name));
        let row = |(name, (kind, sum)): (&[u8], &(Kind, Sum))| {
            let name = Escaped(name.get(1..).unwrap_or_default());
            (format!("{:<13}  {name}", kind.name()), *sum)
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
            let memory = "of the engines' memory in pads";
            writeln!(out, "\n  leaked: {bytes} bytes {memory} (packets: {packets})")?;
        }
        Ok(())
    }

    fn print_reasons(&self, out: &mut impl Write) -> io::Result<()> {
        let mut reasons: Vec<_> = self.reasons.iter().map(|(reason, n)| (*n, &**reason)).collect();
        reasons.sort_by_key(|(count, reason)| (std::cmp::Reverse(*count), *reason));
        if self.other_reasons > 0 {
            reasons.push((self.other_reasons, "other reasons"));
        }
        if !reasons.is_empty() {
            writeln!(out, "\n  {}", Styled(DIM, "malformed"))?;
        }
        reasons.iter().try_for_each(|(count, reason)| writeln!(out, "  {count:>10}  {reason}"))
    }

    fn print_largest(&self, out: &mut impl Write) -> io::Result<()> {
        if !self.largest.is_empty() {
            writeln!(out, "\n  {}", Styled(DIM, "the largest"))?;
        }
        self.largest.iter().try_for_each(|Large { bytes, time, from_to, kind, name }| {
            let time = Seconds(time.unwrap_or_default());
            write!(out, "  {bytes:>10} bytes  {time}  {from_to:<33}  ")?;
            writeln!(out, "{:<13}  {}", kind.name(), Escaped(name))
        })
    }
}

/// The reason with a `#` for each number, of which there are too many.
fn without_numbers(reason: &Reason) -> String {
    let mut text = reason.to_string();
    text = text.replace(|c: char| c.is_ascii_digit(), "#");
    while text.contains("##") {
        text = text.replace("##", "#");
    }
    text
}

impl Leaks {
    fn add(&mut self, bytes: u64) {
        self.bytes = self.bytes.saturating_add(bytes);
        self.packets = self.packets.saturating_add(u64::from(bytes > 0));
    }
}
