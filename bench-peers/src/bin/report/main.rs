//! Publishes the newest file in `results/` (see `../../compare`): writes the tables in the README
//! and in `docs/performance.md`, and draws the plot `docs/compare.svg`. Prints the ratios of all
//! files side by side.
//!
//! ```text
//! cargo run --release --bin report
//! ```

mod format;
mod plot;
mod runs;
mod summary;
mod tables;

use gamewire_bench_peers::results::{Figure, Results};
use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let all = Results::all()?;
    let results = all.last().ok_or("no results yet: run `./compare` first")?;
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let repository = package.parent().expect("a folder in the repository");
    plot::draw(results, &repository.join("docs/compare.svg"))?;
    replace(&repository.join("README.md"), "summary", &summary::of(results))?;
    replace(&repository.join("docs/performance.md"), "compare", &tables::of(results, &all))?;
    runs::print(&all);
    println!("\n{} figures of {}", results.figures.len(), results.machine.date_and_cpu());
    Ok(())
}

/// Replaces the text between `<!-- NAME:begin -->` and `<!-- NAME:end -->` in a page.
fn replace(page: &Path, name: &str, text: &str) -> Result<(), Box<dyn Error>> {
    let (begin, end) = (format!("<!-- {name}:begin -->\n"), format!("<!-- {name}:end -->"));
    let missing = || format!("{}: no marks for `{name}`", page.display());
    let old = fs::read_to_string(page)?;
    let (before, rest) = old.split_once(&begin).ok_or_else(missing)?;
    let (_, after) = rest.split_once(&end).ok_or_else(missing)?;
    Ok(fs::write(page, format!("{before}{begin}\n{text}\n{end}{after}"))?)
}

/// Peers that have a row, each with the label of its row.
const PEERS: [(&str, &str); 14] = [
    ("godot-binary-serialization", "the same packet: `godot-binary-serialization`"),
    ("godot", "the same packet: Godot itself"),
    ("minicbor", "CBOR: `minicbor`"),
    ("rmp", "MessagePack: `rmp`, item by item"),
    ("rmpv", "MessagePack: `rmpv`, as a tree"),
    ("musli", "Müsli: `musli::descriptive`"),
    ("bson", "BSON: `bson`, raw"),
    ("flexbuffers", "FlexBuffers: `flexbuffers`"),
    ("ion-rs", "Ion: `ion-rs`"),
    ("parquet-variant", "Parquet's Variant: `parquet-variant`"),
    ("jsonb", "JSONB: `jsonb`, as a tree"),
    ("sonic-rs", "JSON: `sonic-rs`"),
    ("simd-json", "JSON: `simd-json`"),
    ("rkyv", "compiled schema: `rkyv`"),
];

/// Name of the message that most rows are about.
const STATE: &str = "state_simple";

/// The other contents, each with its label.
const CONTENTS: [(&str, &str); 9] = [
    ("world", "snapshot of a world, 500 players"),
    ("ints10k", "array of 10,000 ints"),
    ("str10k", "array of 10,000 strings"),
    ("pstr10k", "packed array of 10,000 strings"),
    ("f32_1m", "packed array of 262,144 floats"),
    ("deep100", "100 nested containers"),
    ("inventory", "inventory, 200 small dictionaries"),
    ("replay", "replay, packed ints and positions"),
    ("quests", "quest log, long Unicode texts"),
];

/// Names of the operations in which gamewire is compared with peers, each with its label.
const OPERATIONS: [(&str, &str); 6] = [
    ("traverse", "every leaf"),
    ("traverse_bytes", "… text as bytes"),
    ("get", "one key"),
    ("validate", "validated"),
    ("skip", "skipped"),
    ("encode", "encoded"),
];

/// Returns the fastest peer. Leaves out lower bounds,
/// and skipping in formats whose containers begin with their length in bytes.
fn closest<'r>(results: &'r Results, content: &str, what: &str) -> Option<&'r Figure> {
    let is_peer = |figure: &&Figure| {
        let known =
            PEERS.iter().any(|(peer, _)| *peer == figure.peer && !["godot", "rkyv"].contains(peer));
        let jumps = what == "skip" && ["bson", "ion-rs"].contains(&&*figure.peer);
        figure.content == content && figure.what == what && known && !jumps
    };
    let peers = results.figures.iter().filter(is_peer).filter(|figure| figure.ratio.is_some());
    let median = |figure: &Figure| figure.ratio.map_or(0.0, |[_, median, _]| median);
    peers.min_by(|a, b| median(a).total_cmp(&median(b)))
}
