//! The small table in the README: the state message, and the peers that readers know best.

use crate::STATE;
use crate::format::{allocations, bytes, median, ns};
use gamewire_bench_peers::results::{Machine, Results};
use std::fmt::Write;

/// A row: its label, the peer, and the names of its figures for reading and for writing.
type Row<'l> = (&'l str, &'static str, &'static str, &'static str);

/// Returns the table, which replaces the text between two marks in the README.
pub fn of(results: &Results) -> String {
    let godot = engine(&results.machine);
    let rows: [Row<'_>; 7] = [
        (
            "**gamewire**, structs that implement `FromFields`, `ToFields`",
            "gamewire",
            "fields_decode",
            "fields_encode",
        ),
        ("**gamewire**, structs through `serde`", "gamewire", "typed_decode", "typed_encode"),
        (&godot, "godot", "traverse", "encode"),
        (
            "`godot-binary-serialization`, the same packet",
            "godot-binary-serialization",
            "traverse",
            "encode",
        ),
        ("MessagePack, `rmp`", "rmp", "traverse", "encode"),
        ("CBOR, `minicbor`", "minicbor", "traverse", "encode"),
        ("JSON, `sonic-rs`", "sonic-rs", "traverse", "encode"),
    ];
    let get = |peer: &str, what: &str| results.get(STATE, peer, what);
    let [read, write] = ["traverse", "encode"].map(|what| get("gamewire", what));
    let mut text = format!(
        "The table compares formats that hold the same state of a game (25 keys, four players with 8 keys \
         each).\nIt shows the time to read every value, including the check that text is UTF-8, and the time \
         to write the\nmessage, as multiples of gamewire's time for any Godot value. All libraries took turns \
         in slices of less\nthan a millisecond, on one core of an {}, rustc {}\n(`bench-peers/compare`).\n\n\
         | | read | write | bytes | allocations, read / write |\n|---|--:|--:|--:|--:|\n\
         | **gamewire**, any Godot value | 1 × = {} | 1 × = {} | {} | {} |\n",
        results.machine.cpu_and_clock(),
        results.machine.rustc,
        ns(read),
        ns(write),
        bytes(read),
        allocations(read, write),
    );
    for (label, peer, read, write) in rows {
        let [read, write] = [read, write].map(|what| get(peer, what));
        let _ = writeln!(
            text,
            "| {label} | {} | {} | {} | {} |",
            median(read),
            median(write),
            bytes(read),
            allocations(read, write),
        );
    }
    text
}

/// Returns the label of the engine's row, with the first three numbers of its version.
fn engine(machine: &Machine) -> String {
    let version = machine.godot.as_deref().unwrap_or_default();
    let version: Vec<&str> = version.split('.').take(3).collect();
    format!("Godot {}, the same packet, from a script", version.join("."))
}
