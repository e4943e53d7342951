//! Sums over a capture.

use super::kind;
use crate::methods::Methods;
use crate::text::Plain;
use gamewire::net::conversation::{Content, Record};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// How many methods are told apart; the rest counts as one.
const MOST_METHODS: usize = 4096;

/// What a capture comes to.
#[derive(Debug, Default)]
pub struct Totals {
    frames: u64,
    frame_bytes: u64,
    skipped: u64,
    kinds: BTreeMap<String, Sum>,
    methods: BTreeMap<String, Sum>,
    first: Option<i64>,
    last: Option<i64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    packets: u64,
    bytes: u64,
}

impl Sum {
    fn add(&mut self, bytes: usize) {
        self.packets = self.packets.saturating_add(1);
        self.bytes = self.bytes.saturating_add(bytes as u64);
    }
}

impl Totals {
    pub fn captured(&mut self, bytes: usize) {
        self.frames = self.frames.saturating_add(1);
        self.frame_bytes = self.frame_bytes.saturating_add(bytes as u64);
    }

    /// A captured packet without a segment.
    pub fn skipped(&mut self) {
        self.skipped = self.skipped.saturating_add(1);
    }

    pub fn add(&mut self, record: &Record<'_>, methods: &Methods) {
        self.first = self.first.or(record.time);
        self.last = record.time.or(self.last);
        let name = kind::name(record);
        match self.kinds.get_mut(&*name) {
            Some(sum) => sum.add(record.bytes.len()),
            None => self.kinds.entry(name.into_owned()).or_default().add(record.bytes.len()),
        }
        if matches!(record.content, Content::Control(_)) {
            return;
        }
        let Some(method) = kind::method(record, methods) else { return };
        let path = kind::path(record).map(|path| path.to_string()).unwrap_or_default();
        let mut name = format!("{path}.{method}");
        if self.methods.len() >= MOST_METHODS && !self.methods.contains_key(&name) {
            name = "others".into();
        }
        self.methods.entry(name).or_default().add(record.bytes.len());
    }

    pub fn print(&self, all: bool, out: &mut impl Write) -> io::Result<()> {
        let Self { frames, frame_bytes, skipped, .. } = self;
        writeln!(out, "{frames} captured, {frame_bytes} bytes, {skipped} not of a transport")?;
        if let (Some(first), Some(last)) = (self.first, self.last) {
            let seconds = last.saturating_sub(first) as f64 / 1e9;
            writeln!(out, "{seconds:.3} seconds")?;
        }
        table(&self.kinds, out)?;
        if all {
            table(&self.methods, out)?;
        }
        Ok(())
    }
}

fn table(rows: &BTreeMap<String, Sum>, out: &mut impl Write) -> io::Result<()> {
    let rows = rows.iter().map(|(name, sum)| (Plain(name.as_bytes()).to_string(), sum));
    let width = rows.clone().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, Sum { packets, bytes }) in rows {
        writeln!(out, "  {name:<width$}  {packets:>10}  {bytes:>12} bytes")?;
    }
    Ok(())
}
