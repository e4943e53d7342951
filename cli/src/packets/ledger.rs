//! The tables of `--stats`: what the captured bytes are spent on.

use super::seconds::Seconds;
use super::stats_table::{Cell, Table};
use clap::ValueEnum;
use gamewire::traffic::{Account, Group, Ledger, Row, RowNode};
use std::cmp::Reverse;
use std::collections::HashMap;

/// Value of `--by`: what each row of the table is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum View {
    /// Each method, property, and kind of header
    #[default]
    Method,
    /// Each node, with all its packets
    Node,
    /// Each layer, from the link to the packets of the game
    Layer,
    /// Each address that sent or received packets
    Peer,
    /// Each second, or a longer time for a long capture
    Second,
}

/// Value of `--sort`: the order of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Sort {
    /// The most bytes first
    Bytes,
    /// The most packets first
    Packets,
    /// By name
    Name,
}

/// A row of the table: a name, a number of packets or other items, and their bytes.
#[derive(Clone, Debug)]
struct Line {
    name: String,
    count: u64,
    bytes: i64,
}

/// Makes the table for `--by` and `--sort`. `seconds` is the duration of the capture if it is
/// known.
pub fn table(ledger: &Ledger, view: View, sort: Option<Sort>, seconds: Option<f64>) -> Table {
    match view {
        View::Method => sums("name", methods(ledger), ledger, sort, seconds),
        View::Node => sums("name", nodes(ledger), ledger, sort, seconds),
        View::Layer => sums("layer", layers(ledger), ledger, sort, seconds),
        View::Peer => peers(ledger, sort),
        View::Second => times(ledger),
    }
}

fn methods(ledger: &Ledger) -> Vec<Line> {
    let line =
        |row: &Row<'_>| Line { name: row.name().to_string(), count: row.count, bytes: row.bytes };
    ledger.rows().iter().map(line).collect()
}

fn nodes(ledger: &Ledger) -> Vec<Line> {
    let rows = ledger.rows();
    let name = |row: &Row<'_>| match row.node {
        Some(RowNode::Others) => "other nodes".to_owned(),
        Some(node) => node.to_string(),
        None => row.account.to_string(),
    };
    grouped(rows.iter().map(|row| {
        // The values of properties are part of the packets that the node's own row counts.
        let count = if is_value(row) { 0 } else { row.count };
        Line { name: name(row), count, bytes: row.bytes }
    }))
}

fn is_value(row: &Row<'_>) -> bool {
    matches!(row.member, Some(gamewire::traffic::RowMember::Property(_)))
}

/// Adds up the rows of each layer. Does not count the properties and the trailers of packets,
/// because they are parts of items that are counted.
fn layers(ledger: &Ledger) -> Vec<Line> {
    let rows = ledger.rows();
    grouped(rows.iter().map(|row| {
        let count = if is_value(row) || row.account == Account::Trailer { 0 } else { row.count };
        Line { name: row.account.group().to_string(), count, bytes: row.bytes }
    }))
}

/// Adds up the lines that have the same name. Each sum takes the place of the first line with its
/// name.
fn grouped(lines: impl Iterator<Item = Line>) -> Vec<Line> {
    let (mut all, mut indices) = (Vec::<Line>::new(), HashMap::new());
    for line in lines {
        match indices.get(&line.name).and_then(|index: &usize| all.get_mut(*index)) {
            Some(sum) => {
                sum.count = sum.count.saturating_add(line.count);
                sum.bytes = sum.bytes.saturating_add(line.bytes);
            }
            None => {
                indices.insert(line.name.clone(), all.len());
                all.push(line);
            }
        }
    }
    all
}

fn sums(
    title: &'static str,
    mut lines: Vec<Line>,
    ledger: &Ledger,
    sort: Option<Sort>,
    seconds: Option<f64>,
) -> Table {
    lines.sort_by(|a, b| a.name.cmp(&b.name));
    match sort.unwrap_or(Sort::Bytes) {
        Sort::Bytes => lines.sort_by_key(|line| Reverse(line.bytes)),
        Sort::Packets => lines.sort_by_key(|line| Reverse((line.count, line.bytes))),
        Sort::Name => {}
    }
    let captured = ledger.captured();
    let seconds = seconds.filter(|seconds| *seconds > 0.0);
    let cells = |line: &Line| {
        let mut cells = vec![
            Cell::Text(line.name.clone()),
            Cell::Share(line.bytes as f64 / captured.bytes.max(1) as f64),
            Cell::Number(line.count.cast_signed()),
            Cell::Number(line.bytes),
            match line.count {
                0 => Cell::None,
                count => Cell::Rate(line.bytes as f64 / count as f64),
            },
        ];
        cells.extend(seconds.map(|seconds| Cell::Rate(line.bytes as f64 / seconds)));
        cells
    };
    let mut heads = vec![title, "share", "packets", "bytes", "bytes/packet"];
    heads.extend(seconds.map(|_| "bytes/s"));
    let bytes = captured.bytes.cast_signed();
    let total = Line { name: "captured".into(), count: captured.count, bytes };
    Table { heads, rows: lines.iter().map(cells).collect(), total: Some(cells(&total)) }
}

fn peers(ledger: &Ledger, sort: Option<Sort>) -> Table {
    let mut peers: Vec<_> = ledger.peers().collect();
    match sort.unwrap_or(Sort::Bytes) {
        Sort::Bytes => peers.sort_by_key(|peer| Reverse(peer.sent.bytes)),
        Sort::Packets => peers.sort_by_key(|peer| Reverse(peer.sent.count)),
        Sort::Name => peers.sort_by_key(|peer| peer.address),
    }
    let number = |number: u64| Cell::Number(number.cast_signed());
    let cells = |peer: &&gamewire::traffic::Peer| {
        let name = peer.address.map_or("others".into(), |address| address.to_string());
        vec![
            Cell::Text(name),
            peer.id.map_or(Cell::None, |id| Cell::Number(id.into())),
            number(peer.sent.count),
            number(peer.sent.bytes),
            number(peer.received.count),
            number(peer.received.bytes),
            number(peer.packets.count),
            number(peer.packets.bytes),
        ]
    };
    let heads = [
        "address",
        "peer",
        "sent",
        "bytes sent",
        "received",
        "bytes received",
        "game packets",
        "game bytes",
    ];
    Table { heads: heads.into(), rows: peers.iter().map(cells).collect(), total: None }
}

/// Makes the table of bytes over time. It has a row for each bucket of the series, which is a span
/// of time, and a column for each group of the ledger's rows. Empty groups have no column.
fn times(ledger: &Ledger) -> Table {
    let series = ledger.series();
    let is_used = |index: usize| {
        series.buckets().any(|bucket| bucket.get(index).is_some_and(|bytes| *bytes != 0))
    };
    let used: Vec<_> = Group::ALL.iter().enumerate().filter(|(index, _)| is_used(*index)).collect();
    let mut heads = vec!["time", "bytes"];
    heads.extend(used.iter().map(|(_, group)| group.name()));
    let mut rows = Vec::new();
    let mut time = series.start;
    for bucket in series.buckets() {
        let mut row =
            vec![Cell::Text(Seconds(time).to_string()), Cell::Number(bucket.iter().sum())];
        let bytes = used.iter().map(|(index, _)| bucket.get(*index).copied().unwrap_or_default());
        row.extend(bytes.map(Cell::Number));
        rows.push(row);
        time = time.saturating_add(series.width);
    }
    Table { heads, rows, total: None }
}
