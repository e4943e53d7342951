//! That no packet costs much more, byte for byte, than a usual one.

use super::callgrind::{Count, Counter};
use super::packets::{WAYS, Way};
use super::shapes::{self, Shape};
use std::hint::black_box;
use std::io::Result;

pub const CASES: &str = "bounds";

/// Of these `state_simple` is the usual packet.
const USUAL: &str = "state_simple";

/// How many times the instructions of a usual byte any byte may take, …
const TIMES: f64 = 20.0;
/// … and what a packet may take that has none.
const ALLOWANCE: f64 = 300.0;

/// How many shapes are printed, and those that are beyond.
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

/// (Of the other two, one does less than these, and one as much as the first.)
fn ways() -> impl Iterator<Item = (&'static str, Way)> {
    WAYS.into_iter().filter(|(what, _)| ["skip", "validate", "traverse"].contains(what))
}

/// Prints the dearest shapes: whether all are within bounds.
pub fn check(counts: &[Count], hot: &[Count]) -> bool {
    println!("\nbeyond {ALLOWANCE} instructions: times the usual ones a byte");
    let beyond = ways().filter(|(what, _)| !check_way(what, counts, hot)).count();
    if beyond > 0 {
        println!("\nmore than {TIMES} times the usual instructions");
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
    println!("{what}: {usual:.2} are usual; of {} shapes the dearest are", shapes.len());
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
