//! Compares Godot's Variant packets with other self-describing formats that hold the same content,
//! and with a compiled schema as the lower bound.
//!
//! ```text
//! ./compare                                             # measures, writes tables and plot
//! GODOT=path/to/godot ./compare                         # measures the engine, too
//! cargo bench --bench compare -- state_simple/gamewire  # some rows
//! ```

#![deny(unsafe_code)]

mod contents;
mod engine;
mod eye;
mod floors;
mod flushed;
mod formats;
mod recursion;
mod rows;
mod state;
mod value;

// Counts allocations per thread. This costs every peer a nanosecond per allocation.
#[path = "../../../tests/support/counting.rs"]
#[expect(unsafe_code, reason = "an allocator is")]
mod counting;

use contents::{Content, STATE};
use criterion::{BenchmarkId, Criterion, SamplingMode};
use flushed::{Before, Noise};
use gamewire_bench_peers::figures::{Counted, output};
use rows::Row;
use std::env;
use std::fs::{self, File};
use std::time::Duration;

fn main() {
    let contents: &'static [Content] = contents::all().leak();
    let mut rows: Vec<Row> = contents.iter().flat_map(formats::rows).collect();
    rows.extend(floors::rows(contents));
    rows.extend(recursion::rows(contents));
    count_allocations(&mut rows);
    if let Ok(godot) = env::var("GODOT") {
        engine::run(godot.as_ref(), contents);
    }
    // The report uses the raw samples, so criterion's own analysis is kept short.
    let mut criterion = Criterion::default().nresamples(1001).configure_from_args();
    for row in &mut rows {
        warm(&mut criterion, row);
    }
    let mut noise = Noise::new();
    for row in rows.iter_mut().filter(|row| row.content == STATE) {
        for before in row.also_after {
            after(&mut criterion, row, *before, &mut noise);
        }
    }
    criterion.final_summary();
}

/// Counts the allocations of the second run, when the reused buffers already exist.
fn count_allocations(rows: &mut [Row]) {
    let count = |row: &mut Row| {
        (row.run)();
        let before = counting::asked();
        (row.run)();
        let allocations = counting::asked() - before;
        Counted {
            content: row.content.into(),
            peer: row.peer.into(),
            what: row.what.into(),
            bytes: row.bytes,
            allocations,
        }
    };
    let counted: Vec<Counted> = rows.iter_mut().map(count).collect();
    fs::create_dir_all(output()).unwrap();
    let file = File::create(output().join("allocations.json")).unwrap();
    serde_json::to_writer(file, &counted).unwrap();
}

/// Measures one run after another in many short samples. The report uses the best sample. On a
/// shared machine, samples that last several milliseconds would all contain disturbances.
fn warm(criterion: &mut Criterion, row: &mut Row) {
    let (samples, time) = if row.content == STATE { (1500, 400) } else { (200, 250) };
    let mut group = criterion.benchmark_group(row.content);
    group.sample_size(samples).measurement_time(Duration::from_millis(time));
    group.sampling_mode(SamplingMode::Flat);
    group.warm_up_time(Duration::from_millis(100));
    group.bench_function(BenchmarkId::new(row.peer, row.what), |b| b.iter(&mut row.run));
}

/// Measures single runs, each after other work.
fn after(criterion: &mut Criterion, row: &mut Row, before: Before, noise: &mut Noise) {
    let mut group = criterion.benchmark_group(row.content);
    group.sample_size(10).measurement_time(Duration::from_millis(700));
    group.warm_up_time(Duration::from_millis(100));
    let before_it = match before {
        Before::OtherWork => "after_work",
        Before::OtherPackets => "after_packets",
    };
    let id = BenchmarkId::new(row.peer, format!("{}_{before_it}", row.what));
    group.bench_function(id, |b| b.iter_custom(|runs| noise.time(before, runs, &mut row.run)));
}
