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
mod workers;

#[path = "../../../benches/instructions/callgrind.rs"]
mod callgrind;

// Counts allocations per thread. This costs every peer a nanosecond per allocation.
#[path = "../../../tests/support/counting.rs"]
#[expect(unsafe_code, reason = "an allocator is")]
mod counting;

use callgrind::{Count, Counter};
use contents::Content;
use gamewire_bench_peers::Asked;
use gamewire_bench_peers::interleaved::clock;
use gamewire_bench_peers::results::{Machine, Results, rounded};
use measure::Rotation;
use rows::Row;
use std::env;
use std::hint::black_box;
use std::process::Command;
use workers::Workers;

/// Separates the parts of names for the process under callgrind. They must not contain a slash,
/// since they become part of a file name.
const SEPARATOR: &str = ",";
const SLASH: &str = "--";
/// The request for all rows.
const ALL: &str = "all";

fn main() {
    let is_worker = workers::is_worker(); // before anything else is allocated
    let contents: &'static [Content] = contents::all().leak();
    let mut rows: Vec<Row> = contents.iter().flat_map(formats::rows).collect();
    rows.extend(floors::rows(contents));
    rows.extend(recursion::rows(contents));
    let asked = Asked::of_arguments();
    if let Some((parts, counter)) = callgrind::watched() {
        count(&mut rows, &parts, counter);
    } else if is_worker {
        let mut rotations = measure::rotations(rows, &asked);
        workers::serve(&mut rotations, asked.effort).expect("a main process that reads");
    } else {
        run(measure::rotations(rows, &asked), contents, &asked);
    }
}

/// Measures, prints and, if everything was measured, saves.
fn run(mut rotations: Vec<Rotation>, contents: &[Content], asked: &Asked) {
    let mut workers = Workers::start().expect("more processes");
    let counts = if asked.is_quick { Vec::new() } else { instructions(&asked.parts) };
    let mut machine = Machine::this(steady_clock()).expect("programs that tell about the machine");
    let mut figures = Vec::new();
    for (index, rotation) in rotations.iter_mut().enumerate() {
        let times = workers.measure(index).expect("workers that answer");
        figures.extend(rotation.figures(&times, &counts));
    }
    drop(workers);
    if let Ok(godot) = env::var("GODOT") {
        let (version, of_engine) = engine::run(godot.as_ref(), contents, &figures);
        machine.godot = Some(version);
        figures.extend(of_engine);
    }
    let rows: Vec<&mut Row> = rotations.iter_mut().flat_map(|of| &mut of.rows).collect();
    figures.extend(flushed::measure(rows, asked.is_quick));
    machine.clock_ghz[1] = rounded(steady_clock());
    let [before, after] = machine.clock_ghz;
    println!("clock: {before:.2} GHz before, {after:.2} GHz after");
    if !asked.is_quick && asked.parts.is_empty() {
        let file = Results { machine, figures }.save().expect("a place for the results");
        println!("written: {}", file.display());
        let report = Command::new(env!("CARGO_BIN_EXE_report")).status();
        assert!(report.is_ok_and(|status| status.success()), "the report failed");
    }
}

/// Returns the highest of some clock rates. Lower ones were measured while other programs ran.
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

/// Runs rows in the process under callgrind.
fn count(rows: &mut [Row], parts: &str, mut counter: Counter) {
    for row in rows.iter_mut().filter(|row| is_among(row, parts)) {
        let (name, bytes) = (row.name(), row.bytes);
        counter.count(&name, bytes, &mut || _ = black_box((row.run)()));
    }
}

/// Returns `true` if the process under callgrind must count the row.
fn is_among(row: &Row, parts: &str) -> bool {
    let parts = parts.replace(SLASH, "/");
    parts == ALL || parts.split(SEPARATOR).any(|part| row.is_named(part)) || measure::is_base(row)
}
