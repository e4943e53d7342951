//! Checks that no packet costs much more per byte than a usual packet.

use super::callgrind::{Count, Counter};
use super::packets::{WAYS, Way};
use super::shapes::{self, Shape};
use std::hint::black_box;
use std::io::Result;

pub const CASES: &str = "bounds";

/// Name of the usual packet in the counts of the hot paths.
const USUAL: &str = "state_simple";

/// Upper bound on the instructions per byte, as a multiple of the instructions per byte for the
/// usual packet.
const TIMES: f64 = 20.0;
/// Number of additional instructions that each packet may take, regardless of its length.
const ALLOWANCE: f64 = 300.0;

/// Minimum number of shapes to print for each operation. All shapes that exceed the bound are
/// printed.
const SHOWN: usize = 6;

pub fn count(counter: &mut Counter) -> Result<()> {
    let shapes = [shapes::hostile()?, shapes::engine()?, shapes::made()].into_iter().flatten();
    for Shape { name, packet } in shapes {
        for (what, way) in ways() {
            let mut case = || {
                black_box(way(black_box(&packet)));
            };
            counter.count(&format!("{what}/{name}"), packet.len(), &mut case);
        }
    }
    Ok(())
}

/// Returns the operations that are counted. Each of the other two operations does no more work than
/// one of these.
fn ways() -> impl Iterator<Item = (&'static str, Way)> {
    WAYS.into_iter().filter(|(what, _)| ["skip", "validate", "traverse"].contains(what))
}

/// Prints the most expensive shapes. Returns `true` if all are within the bounds.
pub fn check(counts: &[Count], hot: &[Count]) -> bool {
    println!("\ninstructions per byte beyond the first {ALLOWANCE}, relative to the usual packet");
    let beyond = ways().filter(|(what, _)| !check_way(what, counts, hot)).count();
    if beyond > 0 {
        println!("\nsome shapes take more than {TIMES} times the usual instructions per byte");
    }
    beyond == 0
}

fn check_way(what: &str, counts: &[Count], hot: &[Count]) -> bool {
    let usual = hot.iter().find(|count| count.name == format!("{USUAL}/{what}"));
    let usual = usual.expect("counted").each_byte();
    let shapes = counts.iter().filter_map(|count| {
        let shape = count.name.strip_prefix(what)?.strip_prefix('/')?;
        Some((times(count, usual), shape, count))
    });
    let mut shapes: Vec<_> = shapes.collect();
    shapes.sort_by(|(a, ..), (b, ..)| b.total_cmp(a));
    println!(
        "{what}: {usual:.2} per byte are usual; the most expensive of {} shapes:",
        shapes.len()
    );
    let beyond = shapes.iter().take_while(|(times, ..)| *times > TIMES).count();
    for (times, shape, Count { bytes, instructions, .. }) in shapes.iter().take(beyond.max(SHOWN)) {
        let mark = if *times > TIMES { "  <--" } else { "" };
        println!("{times:8.1}  {shape:46} {instructions:>8} for {bytes:>6} bytes{mark}");
    }
    beyond == 0
}

fn times(count: &Count, usual: f64) -> f64 {
    (count.instructions as f64 - ALLOWANCE).max(0.0) / (count.bytes.max(1) as f64 * usual)
}
