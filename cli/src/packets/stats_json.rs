//! The JSON document of `--stats --json`.

use super::json::Seconds;
use super::stats::Stats;
use super::totals::Totals;
use gamewire::godot::json::Text;
use gamewire::traffic::{Account, Group, Row, RowMember, RowNode};
use gamewire::transport::Sum;
use std::fmt::Display;
use std::io::{self, Write};

/// Prints the totals and the statistics as one object.
pub fn print(totals: &Totals, stats: &Stats, out: &mut dyn Write) -> io::Result<()> {
    let ledger = &stats.ledger;
    let captured = ledger.captured();
    writeln!(out, "{{\"captured\":{},", Sums(captured))?;
    writeln!(out, "\"not_captured\":{},", ledger.not_captured())?;
    writeln!(out, "\"file_headers\":{},", ledger.file_headers())?;
    writeln!(out, "\"seconds\":{:.6},", totals.seconds())?;
    list(out, "skipped", totals.skipped_reasons(), |out, (reason, count)| {
        write!(out, "{{\"reason\":{},\"packets\":{count}}}", Text(&reason))
    })?;
    writeln!(out, "\"unknown_paths\":{},", totals.unknown_paths())?;
    list(out, "kinds", totals.kinds(), |out, (kind, sum)| {
        write!(out, "{{\"kind\":\"{kind}\",\"packets\":{},\"bytes\":{}}}", sum.packets, sum.bytes)
    })?;
    list(out, "rows", ledger.rows(), |out, row| self::row(out, &row))?;
    list(out, "peers", ledger.peers(), |out, peer| {
        let address = peer.address.map(|address| Text(&address.to_string()).to_string());
        let address = address.as_deref().unwrap_or("null");
        write!(out, "{{\"address\":{address},\"peer\":{},", Nullable(peer.id))?;
        let (sent, received, packets) = (Sums(peer.sent), Sums(peer.received), Sums(peer.packets));
        write!(out, "\"sent\":{sent},\"received\":{received},\"packets\":{packets}}}")
    })?;
    series(out, stats)?;
    list(out, "malformed", stats.malformed(), |out, (count, reason)| {
        write!(out, "{{\"reason\":{},\"packets\":{count}}}", Text(reason))
    })?;
    list(out, "largest", stats.largest(), |out, large| {
        write!(out, "{{\"bytes\":{},", large.bytes)?;
        if let Some(time) = large.time {
            write!(out, "\"time\":{},", Seconds(time))?;
        }
        write!(out, "\"src\":\"{}\",\"dst\":\"{}\",", large.source, large.destination)?;
        write!(out, "\"kind\":\"{}\",\"name\":{}}}", large.kind, Lossy(&large.name))
    })?;
    writeln!(out, "\"leaked\":{}}}", Sums(ledger.leaked()))
}

/// Prints the member `name`, an array with one item on each line, followed by a comma.
fn list<T>(
    out: &mut dyn Write,
    name: &str,
    items: impl IntoIterator<Item = T>,
    mut item: impl FnMut(&mut dyn Write, T) -> io::Result<()>,
) -> io::Result<()> {
    write!(out, "\"{name}\":[")?;
    let mut separator = "\n";
    for each in items {
        write!(out, "{separator}  ")?;
        item(out, each)?;
        separator = ",\n";
    }
    writeln!(out, "{}],", if separator == "\n" { "" } else { "\n" })
}

fn row(out: &mut dyn Write, row: &Row<'_>) -> io::Result<()> {
    let name = row.name().to_string();
    write!(out, "{{\"name\":{},\"layer\":\"{}\"", Text(&name), row.account.group())?;
    if let Account::Packets(kind) = row.account {
        write!(out, ",\"kind\":\"{kind}\"")?;
    }
    match row.node {
        None => {}
        Some(RowNode::Path(path)) => write!(out, ",\"path\":{}", Lossy(path))?,
        Some(RowNode::Number { number, sender, relay }) => {
            write!(out, ",\"node_id\":{number},\"sender\":{}", Quoted(sender))?;
            relay.map_or(Ok(()), |peer| write!(out, ",\"relay\":{peer}"))?;
        }
        Some(RowNode::NetId { id, sender }) => {
            write!(out, ",\"net_id\":{id},\"sender\":{}", Quoted(sender))?;
        }
        Some(_) => write!(out, ",\"others\":true")?,
    }
    match row.member {
        None => {}
        Some(RowMember::Name(name)) => write!(out, ",\"method\":{}", Lossy(name))?,
        Some(RowMember::Property(index)) => write!(out, ",\"property\":{index}")?,
    }
    write!(out, ",\"packets\":{},\"bytes\":{}}}", row.count, row.bytes)
}

fn series(out: &mut dyn Write, stats: &Stats) -> io::Result<()> {
    let series = stats.ledger.series();
    let (start, width) = (Seconds(series.start), Seconds(series.width));
    write!(out, "\"series\":{{\"start\":{start},\"seconds\":{width},\"layers\":[")?;
    for (index, group) in Group::ALL.iter().enumerate() {
        write!(out, "{}\"{group}\"", if index == 0 { "" } else { "," })?;
    }
    write!(out, "],\"buckets\":[")?;
    for (index, bucket) in series.buckets().enumerate() {
        let numbers: Vec<_> = bucket.iter().map(i64::to_string).collect();
        write!(out, "{}[{}]", if index == 0 { "\n  " } else { ",\n  " }, numbers.join(","))?;
    }
    writeln!(out, "]}},")
}

/// Displays a number of packets and a number of bytes as a JSON object.
struct Sums(Sum);

impl Display for Sums {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{{\"packets\":{},\"bytes\":{}}}", self.0.count, self.0.bytes)
    }
}

/// Displays a number, or `null` if there is none.
struct Nullable<T>(Option<T>);

impl<T: Display> Display for Nullable<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            Some(value) => value.fmt(f),
            None => f.write_str("null"),
        }
    }
}

/// Displays a value in quotes, or `null` if there is none. The value must not contain characters
/// that JSON escapes.
struct Quoted<T>(Option<T>);

impl<T: Display> Display for Quoted<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            Some(value) => write!(f, "\"{value}\""),
            None => f.write_str("null"),
        }
    }
}

/// Displays bytes as a JSON string. Bytes that are not UTF-8 are replaced.
struct Lossy<'a>(&'a [u8]);

impl Display for Lossy<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Text(&String::from_utf8_lossy(self.0)).fmt(f)
    }
}
