//! Sums over a capture.

use super::details::Details;
use super::kind::Kind;
use crate::methods::Methods;
use crate::ui::style::{DIM, Styled};
use gamewire::capture::Skipped;
use gamewire::traffic::Record;
use std::io::{self, Write};

/// How many reasons to leave a packet out are told apart.
const MOST_REASONS: usize = 32;

/// What a capture comes to.
#[derive(Debug, Default)]
pub struct Totals {
    captured: Sum,
    skipped: Vec<(Skipped, u64)>,
    kinds: [Sum; Kind::ALL.len()],
    first: Option<i64>,
    last: Option<i64>,
    /// What `--stats` asks for.
    details: Option<Box<Details>>,
}

/// Packets and their bytes.
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
    pub fn new(details: bool) -> Self {
        Self { details: details.then(Box::default), ..Self::default() }
    }

    /// A captured packet, whatever it is.
    #[inline]
    pub fn captured(&mut self, time: Option<i64>, bytes: usize) {
        self.captured.add(bytes);
        self.first = self.first.or(time);
        self.last = time.or(self.last);
    }

    /// A captured packet without a segment.
    #[cold]
    pub fn skipped(&mut self, reason: Skipped) {
        let place = self.skipped.iter().position(|(known, _)| *known == reason);
        let place = place.unwrap_or(self.skipped.len());
        // (There are few reasons; of numbers that nobody knows, a few are told apart.)
        if place == self.skipped.len() && place < MOST_REASONS {
            self.skipped.push((reason, 0));
        }
        if let Some((_, count)) = self.skipped.get_mut(place) {
            *count = count.saturating_add(1);
        }
    }

    #[inline]
    pub fn add(&mut self, record: &Record<'_>, methods: &Methods) {
        let kind = Kind::of(record);
        if let Some(sum) = self.kinds.get_mut(kind as usize) {
            sum.add(record.bytes.len());
        }
        if let Some(details) = &mut self.details {
            details.add(kind, record, methods);
        }
    }

    pub fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let Sum { packets, bytes } = self.captured;
        let nanoseconds = self.first.zip(self.last).map(|(first, last)| last.saturating_sub(first));
        let seconds = nanoseconds.unwrap_or_default().max(0) as f64 / 1e9;
        writeln!(out, "{packets} captured, {bytes} bytes, {seconds:.3} seconds")?;
        for (reason, count) in &self.skipped {
            writeln!(out, "{count} left out: {reason}")?;
        }
        let kinds = Kind::ALL.iter().zip(&self.kinds).filter(|(_, sum)| sum.packets > 0);
        let mut kinds: Vec<_> = kinds.map(|(kind, sum)| (kind.name(), *sum)).collect();
        kinds.sort();
        let seconds = self.details.is_some().then_some(seconds);
        table("kind", kinds, seconds, out)?;
        self.details.as_ref().map_or(Ok(()), |details| details.print(seconds, out))
    }
}

/// Rows of sums; with their rates, where it is known over how many seconds.
pub fn table(
    title: &str,
    rows: Vec<(impl AsRef<str>, Sum)>,
    seconds: Option<f64>,
    out: &mut impl Write,
) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let names = rows.iter().map(|(name, _)| name.as_ref()).chain([title]);
    let width = names.map(|name| name.chars().count()).max().unwrap_or(0);
    let rated = seconds.filter(|seconds| *seconds > 0.0);
    let heads = if rated.is_some() { "   packets/s        bytes/s" } else { "" };
    writeln!(
        out,
        "\n  {}",
        Styled(DIM, format_args!("{title:<width$}     packets         bytes{heads}"))
    )?;
    for (name, Sum { packets, bytes }) in rows {
        write!(out, "  {:<width$}  {packets:>10}  {bytes:>12}", name.as_ref())?;
        if let Some(seconds) = rated {
            let [packets, bytes] = [packets, bytes].map(|count| count as f64 / seconds);
            write!(out, "  {packets:>10.1}  {bytes:>13.1}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
