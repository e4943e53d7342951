//! The tables in `docs/performance.md`.

use crate::format::{NONE, allocations, bytes, instructions, ns, ratio, time};
use crate::{CONTENTS, OPERATIONS, PEERS, STATE, closest, runs};
use gamewire_bench_peers::results::{Figure, Results};
use std::fmt::Write;

/// Returns the tables, which replace the text between two marks in the page.
pub fn of(results: &Results, all: &[Results]) -> String {
    let mut text = String::new();
    head(results, &mut text);
    state(results, &mut text);
    single(results, &mut text);
    others(results, &mut text);
    text += "\nRatio to the closest peer in the latest runs:\n\n";
    text += &runs::of(all);
    sums(results, &mut text);
    recursion(results, &mut text);
    text.trim_end().to_owned() + "\n"
}

fn head(results: &Results, to: &mut String) {
    let [before, after] = results.machine.clock_ghz;
    let _ = write!(
        to,
        "{}, one core. The clock was at {before:.2} GHz before the run and {after:.2} GHz after it. \
         rustc {}, baseline x86-64. A time is that of the fastest slice, a ratio the median over all \
         rotations, with the 10th and the 90th percentile in parentheses.\n\n\
         ![Times of every peer for the state message](compare.svg)\n\n",
        results.machine.date_and_cpu(),
        results.machine.rustc
    );
}

/// A way to use gamewire on the state message: its label, and the names of its figures for each
/// operation.
type Form = (&'static str, [Option<&'static str>; OPERATIONS.len()]);

const FORMS: [Form; 4] = [
    ("… after a check of the whole packet", [None, None, Some("get_after_read"), None, None, None]),
    ("… in an existing view", [None, None, Some("get_in_view"), None, None, None]),
    (
        "… as structs with `FromFields`, `ToFields`",
        [Some("fields_decode"), None, None, None, None, Some("fields_encode")],
    ),
    (
        "… as structs through `serde`",
        [Some("typed_decode"), None, None, None, None, Some("typed_encode")],
    ),
];

/// Writes the tables of the state message: ratios, then instructions.
fn state(results: &Results, to: &mut String) {
    let columns = OPERATIONS.map(|(_, label)| label).join(" | ");
    let line = "--:|".repeat(OPERATIONS.len());
    let own = OPERATIONS.map(|(what, _)| results.get(STATE, "gamewire", what));
    let [read, .., encoded] = own;
    let _ = writeln!(to, "| state of a game | {columns} | bytes | allocations, read / encoded |");
    let _ = writeln!(to, "|---|{line}--:|--:|");
    let times = own.map(|of| format!("**{}**", ns(of))).join(" | ");
    let allocated = allocations(read, encoded);
    let _ = writeln!(to, "| **gamewire** | {times} | {} | {allocated} |", bytes(read));
    for (label, figures) in rows(results) {
        let [read, .., encoded] = figures;
        let size = read.or(encoded).map_or(String::new(), |of| bytes(Some(of)));
        let allocated = allocations(read, encoded);
        let _ =
            writeln!(to, "| {label} | {} | {size} | {allocated} |", figures.map(ratio).join(" | "));
    }
    let _ = write!(
        to,
        "\n`–`: the peer has no such operation. *One key* is found by `Reader::find`, which checks \
         what lies before the key and its value, but nothing behind; neither do other formats check what \
         they do not read. *Skipped* includes \
         checking text in `minicbor` and in both JSON crates. `jsonb` never checks text. Godot runs a \
         script that calls `bytes_to_var` and `var_to_bytes`, in a process of its own.\n\n\
         Instructions of the same calls, counted by callgrind. They are nearly the same on each \
         machine with the same compiler.\n\n| state of a game | {columns} |\n|---|{line}\n"
    );
    let _ = writeln!(to, "| **gamewire** | {} |", own.map(instructions).join(" | "));
    for (label, figures) in rows(results) {
        if figures.iter().flatten().any(|figure| figure.instructions.is_some()) {
            let _ = writeln!(to, "| {label} | {} |", figures.map(instructions).join(" | "));
        }
    }
}

type Cells<'r> = [Option<&'r Figure>; OPERATIONS.len()];

/// Returns the figures of gamewire's other forms and of all peers for the state message.
fn rows(results: &Results) -> impl Iterator<Item = (&'static str, Cells<'_>)> {
    let form =
        |(label, names): Form| (label, names.map(|name| results.get(STATE, "gamewire", name?)));
    let peer = |(peer, label): (&str, &'static str)| {
        let cells = OPERATIONS.map(|(what, _)| match (peer, what) {
            ("rkyv", "traverse") => results.get(STATE, peer, "typed_decode"),
            ("rkyv", "encode") => results.get(STATE, peer, "typed_encode"),
            _ => results.get(STATE, peer, what),
        });
        (label, cells)
    };
    let all = FORMS.into_iter().map(form).chain(PEERS.into_iter().map(peer));
    all.filter(|(_, cells)| cells.iter().any(Option::is_some))
}

/// Writes the table that compares loops with single calls.
fn single(results: &Results, to: &mut String) {
    to.push_str(
        "\nThese figures come from loops over one message, for which the branch predictor of the \
         processor is soon trained. A single call takes longer, both after other work (60,000 \
         unpredictable branches) and after other packets (the same code reads 100 values of random \
         types). Its times are medians, and its ratios refer to the loop:\n\n\
         | | in a loop | after other work | after other packets |\n\
         |---|--:|--:|--:|\n",
    );
    let rows = [
        ("gamewire", "traverse", "every leaf"),
        ("gamewire", "traverse_bytes", "every leaf, text as bytes"),
        ("gamewire", "get", "one key"),
        ("gamewire", "get_after_read", "one key, after a check of the whole packet"),
        ("gamewire", "get_in_view", "one key of an existing view"),
        ("gamewire", "validate", "validated"),
        ("gamewire", "skip", "skipped"),
        ("gamewire", "fields_decode", "as structs with `FromFields`"),
        ("gamewire", "typed_decode", "as structs through `serde`"),
        ("rkyv", "typed_decode", "as structs through `rkyv`"),
    ];
    for (peer, what, name) in rows {
        let warm = ns(results.get(STATE, peer, what));
        let cell = |after: &str| {
            let figure = results.get(STATE, peer, &format!("{what}_{after}"));
            figure.map_or(NONE.into(), |of| format!("{}, {}", time(of.ns), ratio(Some(of))))
        };
        let (work, packets) = (cell("after_work"), cell("after_packets"));
        let _ = writeln!(to, "| {name} | {warm} | {work} | {packets} |");
    }
    to.push('\n');
    bounds(results, to);
}

/// Writes lower bounds on the time that any reader needs for the state message.
fn bounds(results: &Results, to: &mut String) {
    let get = |peer: &str, what: &str| ns(results.get(STATE, peer, what));
    let _ = writeln!(
        to,
        "Any reader of this packet must follow the lengths of the texts, because the position of a \
         value depends on the length of each text before it. Following these lengths without checking \
         anything takes {} for the whole packet, and {} up to the key that *one key* looks up. \
         Checking every text with `str::from_utf8` takes {}. These times are lower bounds.\n",
        get("lengths", "skip"),
        get("lengths", "get_in_view"),
        get("from_utf8", "traverse"),
    );
}

/// The operations that have a column in the table of other contents.
const COLUMNS: [&str; 5] = ["traverse", "traverse_bytes", "validate", "skip", "encode"];

/// Writes the table of the other contents, each with its closest peer.
fn others(results: &Results, to: &mut String) {
    to.push_str(
        "| gamewire, then the closest peer | every leaf | … text as bytes | validated | skipped \
         | encoded | bytes, time to copy them | Godot reads, writes |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for (content, name) in CONTENTS {
        let own = |what: &str| results.get(content, "gamewire", what);
        let _ = write!(to, "| {name} |");
        for what in COLUMNS {
            let of = closest(results, content, what);
            let peer = of.map_or(String::new(), |of| format!(" {} `{}`", ratio(Some(of)), of.peer));
            let _ = write!(to, " **{}**{peer} |", ns(own(what)));
        }
        let copied = ns(results.get(content, "memcpy", "copy"));
        let godot = |what: &str| ratio(results.get(content, "godot", what));
        let _ = writeln!(
            to,
            " {}, {copied} | {}, {} |",
            bytes(own("traverse")),
            godot("traverse"),
            godot("encode")
        );
    }
}

/// Writes the sentences about sums, and about the skipping of BSON.
fn sums(results: &Results, to: &mut String) {
    let get = |peer: &str, what: &str| ns(results.get("f32_1m", peer, what));
    let _ = writeln!(
        to,
        "\nSumming the 262,144 floats takes {} if they are borrowed from the packet, {} if they are a \
         native slice in the same memory, and {} if they are borrowed from a packet at an odd \
         address. Containers of BSON and Ion begin with their length in bytes, so `bson` skips a \
         document in {} without looking at its contents. The columns and rows *skipped* of the last two \
         tables therefore leave `bson` and `ion-rs` out.",
        get("gamewire", "sum"),
        get("native slice", "sum"),
        get("gamewire", "sum_odd"),
        get("bson", "skip"),
    );
}

/// Writes the table of recursion over the views of an index.
fn recursion(results: &Results, to: &mut String) {
    const PACKETS: [(&str, &str); 8] = [
        (STATE, "state of a game, 3 containers deep"),
        ("world", "snapshot of a world, 4 deep"),
        ("ints_2_deep", "4,096 ints, 2 deep"),
        ("ints_4_deep", "… 4 deep"),
        ("ints_16_deep", "… 16 deep"),
        ("ints_64_deep", "… 64 deep"),
        ("ints_256_deep", "… 256 deep"),
        ("ints_1024_deep", "… 1,024 deep"),
    ];
    to.push_str(
        "\nThe following table compares two recursive functions that read every leaf, with text as \
         bytes. One uses the views of an index. The other is written by hand, knows only the types in \
         these packets, and uses no index. Ratios are relative to one pass of `Reader::visit`.\n\n\
         | | one pass | making the index | recursion over the index | hand-written recursion |\n\
         |---|--:|--:|--:|--:|\n",
    );
    for (content, name) in PACKETS {
        let get = |what: &str| results.get(content, "gamewire", what);
        let _ = writeln!(
            to,
            "| {name} | {} | {} | {} | {} |",
            ns(get("one_pass")),
            ratio(get("index")),
            ratio(get("over_index")),
            ratio(results.get(content, "by hand", "recursion")),
        );
    }
    to.push_str("\n`benches/instructions` counts the instructions of the same operations.\n");
}
