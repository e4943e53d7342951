//! Compares gamewire with a lower bound (see the module `floor` of the library) on the corpus's
//! Unreal packages and saves: `floor [--quick] [PART OF A ROW'S NAME ...]`.

use gamewire_bench_peers::interleaved::work;
use gamewire_bench_peers::{Asked, corpus, floor, larger, properties, save, tables};

fn main() {
    let asked = Asked::of_arguments();
    println!("{:50} {:>9} {:>9}  ratio, spread", "", "floor ns", "ours ns");
    for file in corpus("uasset").iter().filter(|file| file.is_read_by("uasset ")) {
        let steps = floor::tables(&file.bytes);
        let floor = || floor::run(&file.bytes, &steps);
        row(&asked, &format!("tables {}", file.name), floor, || tables(&file.bytes));
    }
    for file in corpus("uasset").iter().filter(|file| file.is_read_by("unreal_asset")) {
        let Some(steps) = floor::properties(&file.bytes) else {
            continue; // there are no tags
        };
        let floor = || floor::run(&file.bytes, &steps);
        row(&asked, &format!("properties {}", file.name), floor, || properties(file));
    }
    for file in &corpus("sav") {
        for (elements, times) in [(1, 1), (1, 1000), (1000, 1)] {
            let bytes = larger(&file.bytes, elements, times);
            let steps = floor::save(&bytes);
            let name = format!("save {} {elements}x{times}", file.name);
            row(&asked, &name, || floor::run(&bytes, &steps), || save(&bytes));
        }
    }
}

fn row(asked: &Asked, name: &str, floor: impl FnMut() -> u64, ours: impl FnMut() -> usize) {
    let Some(rotations) = asked.measure(name, &mut [work(floor), work(ours)]) else { return };
    let (floor, ours) = (rotations.best(0), rotations.best(1));
    println!("{name:50} {floor:>9.0} {ours:>9.0}  {}", rotations.ratio(1, 0));
}
