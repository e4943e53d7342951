//! Makes what the repository shows of the runs of `cargo bench --bench compare` (see `../../compare`): the
//! figures (`results.json`), the tables in the README and the plot (`docs/compare.svg`).

mod plot;
mod results;
mod tables;

use results::{Figure, Results};
use std::error::Error;
use std::fs;
use std::path::Path;

const BEGIN: &str = "<!-- compare:begin -->\n";
const END: &str = "<!-- compare:end -->";

fn main() -> Result<(), Box<dyn Error>> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let kept = package.join("results.json");
    let last = fs::read_to_string(&kept).ok().and_then(|text| serde_json::from_str(&text).ok());
    let results = Results::gather(last)?;
    fs::write(&kept, results.to_json()?)?;

    let repository = package.parent().expect("a folder in the repository");
    plot::draw(&results, &repository.join("docs/compare.svg"))?;
    let readme = repository.join("README.md");
    let text = fs::read_to_string(&readme)?;
    let (before, rest) = text.split_once(BEGIN).ok_or("no mark where the tables begin")?;
    let (_, after) = rest.split_once(END).ok_or("no mark where the tables end")?;
    fs::write(&readme, format!("{before}{BEGIN}\n{}\n{END}{after}", tables::of(&results)))?;
    println!("{} figures, a clock of {:.2} GHz", results.figures.len(), results.machine.clock_ghz);
    Ok(())
}

/// Rows that are shown: the peer, and what it is called.
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

/// The message with the most rows.
const STATE: &str = "state_simple";

/// As short as it is exact to three digits.
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
    // Nanoseconds are not known to a tenth.
    let digits = if unit == "ns" && value >= 9.995 { 0 } else { digits };
    format!("{value:.digits$} {unit}")
}
