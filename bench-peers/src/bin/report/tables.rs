//! The tables in `docs/performance.md`.

use crate::{Figure, PEERS, Results, STATE, time};
use std::fmt::Write;

const NONE: &str = "–";

/// Returns the tables, which replace the text between two marks in the page.
pub fn of(results: &Results) -> String {
    let mut text = String::new();
    head(results, &mut text);
    state(results, &mut text);
    others(results, &mut text);
    sums(results, &mut text);
    recursion(results, &mut text);
    text.trim_end().to_owned() + "\n"
}

fn head(results: &Results, to: &mut String) {
    let _ = write!(
        to,
        "One core of an {}, rustc {}, baseline x86-64; best of all samples.\n\n\
         ![Times of every peer for the state message](compare.svg)\n\n",
        results.machine.cpu_and_clock(),
        results.machine.rustc
    );
}

/// Writes the table of the state message.
fn state(results: &Results, to: &mut String) {
    let get = |peer: &str, what: &str| results.get(STATE, peer, what);
    let cell = |peer: &str, what: &str| ns(get(peer, what));
    to.push_str(
        "| state of a game | bytes | every leaf, text as `&str` | one key | validated | skipped \
         | encoded | allocations, read / encoded |\n|---|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let own = "gamewire";
    let _ = writeln!(
        to,
        "| **gamewire** | {} | **{}** | {} | {} | {} | **{}** | {} |",
        bytes(get(own, "traverse")),
        cell(own, "traverse"),
        cell(own, "get"),
        cell(own, "validate"),
        cell(own, "skip"),
        cell(own, "encode"),
        allocations(get(own, "traverse"), get(own, "encode")),
    );
    let _ = writeln!(to, "| … text as bytes | | {} | | | | | |", cell(own, "traverse_bytes"));
    let _ = writeln!(to, "| … in an existing view | | | {} | | | | |", cell(own, "get_in_view"));
    for (name, decode, encode) in [
        ("as structs with `FromFields`, `ToFields`", "fields_decode", "fields_encode"),
        ("as structs through `serde`", "typed_decode", "typed_encode"),
    ] {
        let _ = writeln!(
            to,
            "| … {name} | | {} | | | | {} | {} |",
            cell(own, decode),
            cell(own, encode),
            allocations(get(own, decode), get(own, encode)),
        );
    }
    for (peer, name) in PEERS {
        let typed = |what: &str| get(peer, &format!("typed_{what}"));
        let read = get(peer, "traverse").or_else(|| typed("decode"));
        let encode = get(peer, "encode").or_else(|| typed("encode"));
        let Some(of) = read else { continue };
        let ratio = match get(own, "traverse") {
            Some(own) if get(peer, "traverse").is_some() => format!(" ({:.1} ×)", of.ns / own.ns),
            _ => String::new(),
        };
        let _ = writeln!(
            to,
            "| {name} | {} | {}{ratio} | {} | {} | {} | {} | {} |",
            bytes(read),
            ns(read),
            cell(peer, "get"),
            cell(peer, "validate"),
            cell(peer, "skip"),
            ns(encode),
            allocations(read, encode),
        );
    }
    single(results, to);
}

/// Writes the table that compares loops with single runs.
fn single(results: &Results, to: &mut String) {
    to.push_str(
        "\n`–`: the peer has no such operation. *One key* of gamewire includes checking the structure \
         of the whole packet; other formats do not check what they do not read. *Skipped* includes \
         checking text in `minicbor` and in both JSON crates. Godot runs a script that calls \
         `bytes_to_var` and `var_to_bytes`.\n\n\
         These figures come from loops over one message, for which the branch predictor of the \
         processor is soon trained. A single run takes longer, both after other work (60,000 \
         unpredictable branches) and after other packets (the same code reads 100 values of random \
         types):\n\n\
         | | in a loop | after other work, median | after other packets, median |\n\
         |---|--:|--:|--:|\n",
    );
    let rows = [
        ("gamewire", "traverse", "every leaf"),
        ("gamewire", "traverse_bytes", "every leaf, text as bytes"),
        ("gamewire", "get", "one key"),
        ("gamewire", "get_in_view", "one key of an existing view"),
        ("gamewire", "validate", "validated"),
        ("gamewire", "skip", "skipped"),
        ("gamewire", "fields_decode", "as structs with `FromFields`"),
        ("gamewire", "typed_decode", "as structs through `serde`"),
        ("rkyv", "typed_decode", "as structs through `rkyv`"),
    ];
    for (peer, what, name) in rows {
        let cell = |after: &str| ns(results.get(STATE, peer, &format!("{what}{after}")));
        let (warm, work, packets) = (cell(""), cell("_after_work"), cell("_after_packets"));
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

const CONTENTS: [(&str, &str); 6] = [
    ("world", "snapshot of a world, 500 players"),
    ("ints10k", "array of 10,000 ints"),
    ("str10k", "array of 10,000 strings"),
    ("pstr10k", "packed array of 10,000 strings"),
    ("f32_1m", "packed array of 262,144 floats"),
    ("deep100", "100 nested containers"),
];

/// The operations that have a column.
const COLUMNS: [&str; 4] = ["traverse", "validate", "skip", "encode"];

/// Writes the table of the other contents, each with its fastest peer.
fn others(results: &Results, to: &mut String) {
    to.push_str(
        "| gamewire, then the fastest peer | bytes, time to copy them | every leaf | validated | skipped \
         | encoded | Godot reads, writes |\n|---|--:|--:|--:|--:|--:|--:|\n",
    );
    for (content, name) in CONTENTS {
        let own = |what: &str| results.get(content, "gamewire", what);
        let copied = ns(results.get(content, "memcpy", "copy"));
        let _ = write!(to, "| {name} | {}, {copied} |", bytes(own("traverse")));
        for what in COLUMNS {
            let _ = write!(to, " **{}**", ns(own(what)));
            match best(results, content, what) {
                Some(best) => write!(to, " {} `{}` |", ns(Some(best)), best.peer),
                None => write!(to, " |"),
            }
            .expect("writing to a String does not fail");
        }
        let godot = |what: &str| ns(results.get(content, "godot", what));
        let _ = writeln!(to, " {}, {} |", godot("traverse"), godot("encode"));
    }
    to.push('\n');
}

fn best<'r>(results: &'r Results, content: &str, what: &str) -> Option<&'r Figure> {
    // A BSON document begins with its length, so skipping it takes no work.
    let is_work = |peer: &str| peer != "godot" && (peer, what) != ("bson", "skip");
    let peers = PEERS.iter().filter(|(peer, _)| is_work(peer));
    let figures = peers.filter_map(|(peer, _)| results.get(content, peer, what));
    figures.min_by(|a, b| a.ns.total_cmp(&b.ns))
}

fn sums(results: &Results, to: &mut String) {
    let get = |peer: &str, what: &str| ns(results.get("f32_1m", peer, what));
    let _ = writeln!(
        to,
        "Summing the 262,144 floats takes {} if they are borrowed from the packet, {} if they are a \
         native slice in the same memory, and {} if they are borrowed from a packet at an odd \
         address. A BSON document begins with its length, so `bson` skips a document in {} without \
         looking at its contents; the column *skipped* therefore leaves `bson` out.",
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
         | | making the index | one pass | recursion over the index | hand-written recursion |\n\
         |---|--:|--:|--:|--:|\n",
    );
    for (content, name) in PACKETS {
        let get = |what: &str| results.get(content, "gamewire", what);
        let by_hand = results.get(content, "by hand", "recursion");
        let times = |of: Option<&Figure>| match (of, get("one_pass")) {
            (Some(of), Some(one)) => format!("{} ({:.2} ×)", ns(Some(of)), of.ns / one.ns),
            _ => NONE.into(),
        };
        let _ = writeln!(
            to,
            "| {name} | {} | {} | {} | {} |",
            ns(get("index")),
            ns(get("one_pass")),
            times(get("over_index")),
            times(by_hand),
        );
    }
    to.push_str("\n`benches/instructions` counts the instructions of the same operations.\n");
}

pub fn ns(figure: Option<&Figure>) -> String {
    figure.map_or(NONE.into(), |figure| time(figure.ns))
}

pub fn bytes(figure: Option<&Figure>) -> String {
    let digits = figure.map_or(0, |figure| figure.bytes).to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().flat_map(str::from_utf8).collect();
    groups.join(",")
}

pub fn allocations(read: Option<&Figure>, encoded: Option<&Figure>) -> String {
    let count = |of: Option<&Figure>| of.and_then(|of| of.allocations);
    let shown = |of| count(of).map_or(NONE.into(), |count| count.to_string());
    match (count(read), count(encoded)) {
        (None, None) => NONE.into(),
        _ => format!("{} / {}", shown(read), shown(encoded)),
    }
}
