//! Publishes the figures that `cargo bench --bench compare` has measured (see `../../compare`).
//! First, the program collects the figures in `results.json`. Then it writes the tables in the
//! README and in `docs/performance.md`, and draws the plot `docs/compare.svg`.
//!
//! ```text
//! cargo run --release --bin report              # after a run of the bench
//! cargo run --release --bin report -- --kept    # rewrites the pages from results.json
//! ```

mod plot;
mod results;
mod summary;
mod tables;

use results::{Figure, Results};
use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = package.join("results.json");
    let kept = fs::read_to_string(&file).ok().and_then(|text| serde_json::from_str(&text).ok());
    let results = if std::env::args().any(|argument| argument == "--kept") {
        kept.ok_or("results.json is missing or cannot be read")?
    } else {
        let results = Results::gather(kept)?;
        fs::write(&file, results.to_json()?)?;
        results
    };

    let repository = package.parent().expect("a folder in the repository");
    plot::draw(&results, &repository.join("docs/compare.svg"))?;
    replace(&repository.join("README.md"), "summary", &summary::of(&results))?;
    replace(&repository.join("docs/performance.md"), "compare", &tables::of(&results))?;
    println!("{} figures, a clock of {:.2} GHz", results.figures.len(), results.machine.clock_ghz);
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
const PEERS: [(&str, &str); 10] = [
    ("godot-binary-serialization", "the same packet: `godot-binary-serialization`"),
    ("godot", "the same packet: Godot itself"),
    ("minicbor", "CBOR: `minicbor`"),
    ("rmp", "MessagePack: `rmp`, item by item"),
    ("rmpv", "MessagePack: `rmpv`, as a tree"),
    ("bson", "BSON: `bson`, raw"),
    ("flexbuffers", "FlexBuffers: `flexbuffers`"),
    ("sonic-rs", "JSON: `sonic-rs`"),
    ("simd-json", "JSON: `simd-json`"),
    ("rkyv", "compiled schema: `rkyv`"),
];

/// Name of the message that most rows are about.
const STATE: &str = "state_simple";

/// Formats a time with three significant digits.
fn time(ns: f64) -> String {
    let (value, unit) = match ns {
        ns if ns < 1e3 => (ns, "ns"),
        ns if ns < 1e6 => (ns / 1e3, "µs"),
        ns => (ns / 1e6, "ms"),
    };
    let digits = if value < 9.995 {
        2
    } else if value < 99.95 {
        1
    } else {
        0
    };
    // The clock does not resolve tenths of nanoseconds.
    let digits = if unit == "ns" && value >= 9.995 { 0 } else { digits };
    format!("{value:.digits$} {unit}")
}
