//! Compares Godot's Variant packets with other self-describing formats that hold the same content,
//! and with a compiled schema as the lower bound.
//!
//! ```text
//! ./compare                             # measures everything, writes results, tables and plot
//! GODOT=path/to/godot ./compare         # measures the engine, too
//! ./compare --quick                     # measures everything in a minute, writes nothing
//! ./compare state_simple/encode rmp     # measures rows whose names contain one of these
//! ```

#![deny(unsafe_code)]

mod contents;
mod engine;
mod eye;
mod floors;
mod flushed;
mod formats;
mod games;
mod measure;
mod recursion;
mod rows;
mod state;
mod value;

#[path = "../../../benches/instructions/callgrind.rs"]
mod callgrind;

// Counts allocations per thread. This costs every peer a nanosecond per allocation.
#[path = "../../../tests/support/counting.rs"]
#[expect(unsafe_code, reason = "an allocator is")]
mod counting;

use callgrind::Count;
use contents::Content;
use gamewire_bench_peers::Asked;
use gamewire_bench_peers::interleaved::clock;
use gamewire_bench_peers::results::{Machine, Results, rounded};
use measure::Rotation;
use rows::Row;
use std::env;
use std::hint::black_box;

/// Separates the parts of names for the process under callgrind. They must not contain a slash,
/// since they become part of a file name.
const SEPARATOR: &str = ",";
const SLASH: &str = "--";
/// Stands for all rows.
const ALL: &str = "all";

fn main() {
    let contents: &'static [Content] = contents::all().leak();
    let mut rows: Vec<Row> = contents.iter().flat_map(formats::rows).collect();
    rows.extend(floors::rows(contents));
    rows.extend(recursion::rows(contents));
    if let Some((parts, mut counter)) = callgrind::watched() {
        for row in rows.iter_mut().filter(|row| is_among(row, &parts)) {
            let (name, bytes) = (row.name(), row.bytes);
            counter.count(&name, bytes, &mut || _ = black_box((row.run)()));
        }
        return;
    }
    let asked = Asked::of_arguments();
    let mut rotations = measure::rotations(rows, &asked);
    let counts = if asked.is_quick { Vec::new() } else { instructions(&asked.parts) };
    let mut machine = Machine::this(steady_clock()).expect("programs that tell about the machine");
    let mut figures = Vec::new();
    for rotation in &mut rotations {
        figures.extend(rotation.measure(asked.effort, &counts));
    }
    if let Ok(godot) = env::var("GODOT") {
        let (version, of_engine) = engine::run(godot.as_ref(), contents, &figures);
        machine.godot = Some(version);
        figures.extend(of_engine);
    }
    let rows: Vec<&mut Row> = rotations.iter_mut().flat_map(|Rotation { rows, .. }| rows).collect();
    figures.extend(flushed::measure(rows, asked.is_quick));
    machine.clock_ghz[1] = rounded(steady_clock());
    let [before, after] = machine.clock_ghz;
    println!("clock: {before:.2} GHz before, {after:.2} GHz after");
    if !asked.is_quick && asked.parts.is_empty() {
        let file = Results { machine, figures }.save().expect("a place for the results");
        println!("written: {}", file.display());
    }
}

/// Returns the highest of some clock rates. The others were disturbed.
fn steady_clock() -> f64 {
    (0..200).map(|_| clock()).fold(0.0, f64::max)
}

/// Counts the instructions of all rows whose names contain one of these parts.
fn instructions(parts: &[String]) -> Vec<Count> {
    let parts = if parts.is_empty() { ALL.into() } else { parts.join(SEPARATOR) };
    match callgrind::watch(&parts.replace('/', SLASH)) {
        Ok(Some(counts)) => counts,
        Ok(None) => {
            println!("valgrind is not installed: instructions are not counted");
            Vec::new()
        }
        Err(error) => panic!("callgrind: {error}"),
    }
}

/// Returns whether the process under callgrind must count the row.
fn is_among(row: &Row, parts: &str) -> bool {
    let parts = parts.replace(SLASH, "/");
    parts == ALL || parts.split(SEPARATOR).any(|part| row.is_named(part)) || measure::is_base(row)
}
