//! The small table in the README: the state message, and the peers that readers know best.

use crate::results::Machine;
use crate::tables::{allocations, bytes, ns};
use crate::{Results, STATE};
use std::fmt::Write;

/// A row: its label, the peer, and the names of its figures for reading and for writing.
type Row<'l> = (&'l str, &'static str, &'static str, &'static str);

/// Returns the table, which replaces the text between two marks in the README.
pub fn of(results: &Results) -> String {
    let godot = engine(&results.machine);
    let rows: [Row<'_>; 8] = [
        ("**gamewire**, any Godot value", "gamewire", "traverse", "encode"),
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
    let mut text = format!(
        "The table compares formats that hold the same state of a game (25 keys, four players with 8 keys \
         each).\nIt shows the time to read every value, including the check that text is UTF-8, and the time \
         to write the\nmessage. Measured by `bench-peers/compare` on one core of an {}, rustc {}.\n\n\
         | | bytes | read | write | allocations, read / write |\n|---|--:|--:|--:|--:|\n",
        results.machine.cpu_and_clock(),
        results.machine.rustc,
    );
    for (label, peer, read, write) in rows {
        let [read, write] = [read, write].map(|what| results.get(STATE, peer, what));
        let _ = writeln!(
            text,
            "| {label} | {} | {} | {} | {} |",
            bytes(read),
            ns(read),
            ns(write),
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
