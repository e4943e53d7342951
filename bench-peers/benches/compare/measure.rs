//! Measures rows in rotations: one for each content and operation, in which gamewire and all peers
//! take turns.

use crate::callgrind::Count;
use crate::counting;
use crate::rows::Row;
use gamewire_bench_peers::Asked;
use gamewire_bench_peers::interleaved::{Effort, Rotations, Work, interleave};
use gamewire_bench_peers::results::{Conditions, Figure, rounded};
use std::hint::black_box;

/// The operations. All rows of an operation are measured in one rotation, whether the result comes
/// as single values or as a struct. Ratios refer to gamewire's row of the first name.
const OPERATIONS: [&[&str]; 8] = [
    &["traverse", "fields_decode", "typed_decode"],
    &["traverse_bytes"],
    &["get", "get_after_read", "get_in_view"],
    &["validate"],
    &["skip"],
    &["encode", "fields_encode", "typed_encode", "copy"],
    &["sum", "sum_odd"],
    &["one_pass", "index", "over_index", "recursion"],
];

/// Returns the operation of a row.
pub fn operation(row: &Row) -> &'static str {
    let of = OPERATIONS.iter().find(|names| names.contains(&row.what));
    of.unwrap_or_else(|| panic!("{} belongs to no operation", row.what))[0]
}

/// Returns `true` if the ratios of other rows refer to this one.
pub fn is_base(row: &Row) -> bool {
    row.peer == "gamewire" && row.what == operation(row)
}

/// The rows of one content and one operation.
pub struct Rotation {
    pub content: &'static str,
    pub operation: &'static str,
    /// The first one is that of gamewire.
    pub rows: Vec<Row>,
}

/// Sorts rows into rotations. Keeps the requested rows, and the rows of gamewire to compare them with.
pub fn rotations(rows: Vec<Row>, asked: &Asked) -> Vec<Rotation> {
    let mut rotations: Vec<Rotation> = Vec::new();
    for row in rows {
        let (content, operation) = (row.content, operation(&row));
        let same = |of: &&mut Rotation| of.content == content && of.operation == operation;
        match rotations.iter_mut().find(same) {
            Some(rotation) => rotation.rows.push(row),
            None => rotations.push(Rotation { content, operation, rows: vec![row] }),
        }
    }
    for rotation in &mut rotations {
        rotation.rows.sort_by_key(|row| !is_base(row));
        assert!(is_base(&rotation.rows[0]), "{}: no row of gamewire", rotation.rows[0].name());
        rotation.keep(asked);
    }
    rotations.retain(|rotation| !rotation.rows.is_empty());
    rotations
}

impl Rotation {
    fn keep(&mut self, asked: &Asked) {
        let wanted =
            |row: &Row| asked.parts.is_empty() || asked.parts.iter().any(|part| row.is_named(part));
        if self.rows.iter().any(wanted) {
            self.rows.retain(|row| wanted(row) || is_base(row));
        } else {
            self.rows.clear();
        }
    }

    /// Measures the times of all rows.
    pub fn interleave(&mut self, effort: Effort) -> Rotations {
        let mut works: Vec<&mut Work<'_>> =
            self.rows.iter_mut().map(|row| &mut *row.run as &mut Work<'_>).collect();
        interleave(&mut works, effort)
    }

    /// Returns and prints the figures of all rows.
    pub fn figures(&mut self, rotations: &Rotations, counts: &[Count]) -> Vec<Figure> {
        let allocations: Vec<usize> = self.rows.iter_mut().map(allocations).collect();
        let conditions = Conditions {
            kept: rotations.len(),
            dropped: rotations.dropped,
            clock_ghz: rounded(rotations.clock().median),
        };
        let figure = |(at, row): (usize, &Row)| Figure {
            content: row.content.into(),
            peer: row.peer.into(),
            what: row.what.into(),
            bytes: row.bytes,
            ns: rounded(rotations.best(at)),
            ratio: (at > 0).then(|| rotations.ratio(at, 0).into()),
            instructions: count(row, counts),
            allocations: Some(allocations[at]),
            rotations: (at == 0).then(|| conditions.clone()),
        };
        let figures: Vec<Figure> = self.rows.iter().enumerate().map(figure).collect();
        self.print(&conditions, &figures);
        figures
    }

    fn print(&self, conditions: &Conditions, figures: &[Figure]) {
        let Conditions { kept, dropped, clock_ghz } = conditions;
        let name = format!("{}, {}", self.content, self.operation);
        println!("\n{name:42} {kept} rotations, {dropped} dropped, {clock_ghz:.2} GHz");
        for figure in figures {
            let name = match figure.what == self.operation {
                true => figure.peer.clone(),
                false => format!("{}, {}", figure.peer, figure.what),
            };
            let ratio = figure.ratio.map_or(String::new(), |[low, median, high]| {
                let digits = if median < 0.1 { 4 } else { 2 };
                format!("{median:>8.digits$} × ({low:.digits$}–{high:.digits$})")
            });
            let instructions = figure.instructions.map_or(String::new(), |of| of.to_string());
            let allocations = figure.allocations.unwrap_or_default();
            println!(
                "  {name:32} {:>12.1} ns {ratio:26} {instructions:>12} instr. {allocations:>7} alloc.",
                figure.ns
            );
        }
    }
}

/// Counts the allocations of the second call, when the reused buffers already exist.
fn allocations(row: &mut Row) -> usize {
    black_box((row.run)());
    let before = counting::asked();
    black_box((row.run)());
    counting::asked() - before
}

fn count(row: &Row, counts: &[Count]) -> Option<u64> {
    let name = row.name();
    counts.iter().find(|count| count.name == name).map(|count| count.instructions)
}
