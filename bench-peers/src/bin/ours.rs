//! Runs gamewire alone: `ours [tables|properties|saves [FILE [RUNS]]]`. FILE selects the files
//! whose names contain it. Measures times. If RUNS is given, instead repeats each case RUNS times
//! without measuring, for a profiler.

use gamewire_bench_peers::interleaved::{Effort, interleave, work};
use gamewire_bench_peers::{corpus, larger, properties, save, tables};
use std::env::args;
use std::hint::black_box;

fn main() {
    let what = args().nth(1).unwrap_or_default();
    let only = args().nth(2).unwrap_or_default();
    let runs: Option<u32> = args().nth(3).and_then(|runs| runs.parse().ok());
    let measure = |name: &str, len: usize, run: &dyn Fn() -> usize| match runs {
        Some(runs) => (0..runs).for_each(|_| assert!(black_box(run()) < usize::MAX)),
        None => {
            let ns = interleave(&mut [&mut *work(run)], Effort::FULL).best(0);
            let rate = len as f64 * 1e3 / ns;
            println!("{name:50} {ns:>9.0} ns {rate:>8.0} MB/s {:>7} seen", run());
        }
    };
    let (all, wanted) = (what.is_empty(), |name: &str| name.contains(&only));
    for file in corpus("uasset").iter().filter(|file| wanted(&file.name)) {
        if (all || what == "tables") && file.engine.is_none() {
            measure(&format!("tables {}", file.name), file.len(), &|| tables(&file.bytes));
        }
        if all || what == "properties" {
            measure(&format!("properties {}", file.name), file.len(), &|| properties(file));
        }
    }
    for file in corpus("sav").iter().filter(|file| wanted(&file.name)) {
        if all || what == "saves" {
            for (elements, times) in [(1, 1), (1, 1000), (1000, 1)] {
                let bytes = larger(&file.bytes, elements, times);
                let name = format!("save {} {elements} x {times}", file.name);
                measure(&name, bytes.len(), &|| save(&bytes));
            }
        }
    }
}
