//! Checks `gamewire packets --state-in` and `--state-out`: captures of a series give the same
//! packets as one capture.

use crate::command::{self, Ran, empty_folder, root, shown, write_file};
use crate::packets::{capture, enet, written};
use crate::support::net::captures::{self, Block, NAMES, ORDERS, OTHER_COMPRESSIONS, Pcap};
use crate::support::random::Random;
use gamewire::godot::multiplayer::NodeRef;
use gamewire::godot::multiplayer::godot4::{Packet, SimplifyPath};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn run(args: &[&str]) -> Ran {
    command::run(&[&["packets"], args].concat())
}

/// Writes a part of a capture.
fn write_part(folder: &Path, number: usize, packets: &[captures::Packet], pcapng: bool) -> String {
    let file = match pcapng {
        true => captures::pcapng(packets, Block::Enhanced, Some(9), ORDERS[0]),
        false => captures::pcap(packets, Pcap::Nanos, ORDERS[0]),
    };
    write_file(folder, &format!("part{number}.pcap"), &file)
}

/// Cuts a capture into `count` parts at random packets.
fn parts(
    folder: &Path,
    name: &str,
    count: usize,
    pcapng: bool,
    random: &mut Random,
) -> Vec<String> {
    let packets = captures::packets(name);
    let mut cuts: Vec<_> = (1..count).map(|_| random.below(packets.len())).collect();
    cuts.extend([0, packets.len()]);
    cuts.sort();
    let ranges = cuts.windows(2).map(|ends| &packets[ends[0]..ends[1]]);
    ranges.enumerate().map(|(number, part)| write_part(folder, number, part, pcapng)).collect()
}

/// Runs the program on each part, and passes the state from each part to the next. Returns the
/// output for each part.
fn one_by_one(folder: &Path, args: &[&str], parts: &[String]) -> Vec<String> {
    let state = write_file(folder, "state", b"");
    let (last, others) = parts.split_last().unwrap();
    let pass = ["--state-in", &state, "--state-out", &state];
    let mut printed: Vec<_> =
        others.iter().map(|part| shown_part(run(&[args, &pass, &[part]].concat()))).collect();
    printed.push(shown_part(run(&[args, &["--state-in", &state, last]].concat())));
    printed
}

/// Returns the output of a successful run. A part without packets causes a warning.
#[track_caller]
fn shown_part(ran: Ran) -> String {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.is_empty() || ran.err.contains("contains no packets"), "{}", ran.err);
    ran.out
}

#[test]
fn parts_give_the_same_packets_as_the_whole() {
    let folder = empty_folder("packet_series/parts");
    let mut random = Random(3);
    for name in NAMES.into_iter().chain(OTHER_COMPRESSIONS) {
        for (round, args) in [&["--json", "--all"][..], &["--tree", "--hex"]].iter().enumerate() {
            let parts = parts(&folder, name, 2 + round, round == 1, &mut random);
            let all = parts.iter().flat_map(|part| captures::of_file(&fs::read(part).unwrap()));
            let whole = write_part(&folder, 9, &all.collect::<Vec<_>>(), false);
            let expected = shown(run(&[*args, &[whole.as_str()]].concat()));
            assert!(!expected.is_empty());
            assert!(one_by_one(&folder, args, &parts).concat() == expected, "{name} {args:?}");
            // One run with all parts.
            let state = write_file(&folder, "none", b"");
            let files = parts.iter().map(String::as_str).collect::<Vec<_>>();
            let series = shown_part(run(&[*args, &["--state-in", &state], &files].concat()));
            assert!(series == expected, "{name} {args:?}");
        }
    }
}

/// Returns the number of bytes in each row of the statistics, and the other totals.
fn totals(documents: &[String]) -> (BTreeMap<String, i64>, BTreeMap<String, i64>) {
    let (mut rows, mut others) = (BTreeMap::new(), BTreeMap::new());
    for document in documents {
        let document: Value = serde_json::from_str(document).unwrap();
        for row in document["rows"].as_array().unwrap() {
            let name = row["name"].as_str().unwrap().to_owned();
            *rows.entry(name).or_default() += row["bytes"].as_i64().unwrap();
        }
        for (list, name, value) in [("kinds", "kind", "packets"), ("skipped", "reason", "packets")]
        {
            for item in document[list].as_array().unwrap() {
                let name = item[name].as_str().unwrap().to_owned();
                *others.entry(name).or_default() += item[value].as_i64().unwrap();
            }
        }
        *others.entry("unknown paths".into()).or_default() +=
            document["unknown_paths"].as_i64().unwrap();
    }
    rows.retain(|_, bytes| *bytes != 0);
    others.retain(|_, count| *count != 0);
    (rows, others)
}

#[test]
fn totals_of_the_parts_add_up_to_those_of_the_whole() {
    let folder = empty_folder("packet_series/totals");
    let mut random = Random(5);
    let others = ["captures-2/tcp_mixed", "captures-2/ws_raw", "captures-diagnosis/ip_fragments"];
    for name in ["enet", "godot3_enet", "ws", "tcp", "pps"].into_iter().chain(others) {
        let path = if name.contains('/') { name.into() } else { format!("captures/{name}") };
        let whole = root(&format!("corpus/{path}.pcap"));
        let packets = captures::of_file(&fs::read(&whole).unwrap());
        let args = ["--stats", "--json"];
        let expected = totals(&[shown(run(&[&args[..], &[whole.to_str().unwrap()]].concat()))]);
        for _ in 0..4 {
            let (first, second) = packets.split_at(random.below(packets.len()));
            let parts = [first, second].into_iter().enumerate();
            let parts: Vec<_> =
                parts.map(|(number, part)| write_part(&folder, number, part, false)).collect();
            assert_eq!(totals(&one_by_one(&folder, &args, &parts)), expected, "{name}");
        }
    }
}

/// Returns a capture of ENet packets from a server to a client.
fn call_capture(packets: &[(u16, Vec<u8>)]) -> Vec<u8> {
    let datagrams = packets.iter().map(|(sequence, packet)| (1, 2, enet(0, *sequence, packet)));
    capture("10.0.0.1", &datagrams.collect::<Vec<_>>())
}

fn announcement() -> Vec<u8> {
    let simplify = SimplifyPath { checksum: &[b'a'; 32], id: 1, path: "Main".into() };
    written(|out| out.put(&Packet::SimplifyPath(simplify)).unwrap())
}

fn call(argument: i32) -> Vec<u8> {
    written(|out| out.call(NodeRef::Cached(1), 2, (argument,)).unwrap())
}

#[test]
fn packets_without_a_known_path_are_counted() {
    let folder = empty_folder("packet_series/paths");
    let first = write_file(&folder, "first", &call_capture(&[(1, announcement())]));
    let second = write_file(&folder, "second", &call_capture(&[(2, call(5)), (3, call(6))]));
    let out = shown(run(&["--quiet", &second]));
    assert!(out.contains("\n2 packets for nodes whose paths are unknown\n"), "{out}");
    let state = folder.join("state").to_str().unwrap().to_owned();
    shown(run(&["--quiet", "--state-out", &state, &first]));
    let out = shown(run(&["--state-in", &state, &second]));
    assert!(out.contains("Main.#2(5)") && out.contains("Main.#2(6)"), "{out}");
    let out = shown(run(&["--quiet", "--state-in", &state, &second]));
    assert!(!out.contains("unknown"), "{out}");
}

#[test]
fn packets_that_wait_are_printed_when_they_are_complete() {
    let folder = empty_folder("packet_series/waiting");
    let early = call_capture(&[(1, announcement()), (3, call(6))]);
    let early = write_file(&folder, "early", &early);
    let late = write_file(&folder, "late", &call_capture(&[(2, call(5))]));
    let state = folder.join("state").to_str().unwrap().to_owned();
    // Without a next capture, the missing packet is given up at the end.
    assert!(shown(run(&[&early])).contains("Main.#2(6)"));
    assert!(!shown(run(&["--state-out", &state, &early])).contains("Main.#2(6)"));
    let out = shown(run(&["--state-in", &state, &late]));
    let [first, second] = [5, 6].map(|argument| out.find(&format!("Main.#2({argument})")).unwrap());
    assert!(first < second, "{out}");
    // The last capture may be empty.
    let empty = write_file(&folder, "empty", &call_capture(&[]));
    let ran = run(&["--state-in", &state, &empty]);
    assert!(ran.code == Some(0) && ran.out.contains("Main.#2(6)"), "{ran:?}");
}

#[test]
fn captures_for_wireshark_can_be_a_series() {
    let folder = empty_folder("packet_series/write");
    let early = call_capture(&[(1, announcement()), (3, call(6))]);
    let early = write_file(&folder, "early", &early);
    let late = write_file(&folder, "late", &call_capture(&[(2, call(5))]));
    let [state, out] = ["state", "out"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    let has = |text: &str| fs::read(&out).unwrap().windows(10).any(|part| part == text.as_bytes());
    shown(run(&["--write", &out, "--state-out", &state, &early]));
    assert!(!has("Main.#2(6)"));
    shown(run(&["--write", &out, "--state-in", &state, &late]));
    assert!(has("Main.#2(5)") && has("Main.#2(6)"));
    shown(run(&["--write", &out, "--state-out", &state, &early, &late]));
    assert!(has("Main.#2(5)") && has("Main.#2(6)"));
    let ran = run(&["--write", &out, "--state-out", &state, "missing"]);
    assert!(ran.code == Some(1) && ran.err.contains("not all captures were processed"), "{ran:?}");
}

#[test]
fn the_same_captures_give_the_same_state() {
    let folder = empty_folder("packet_series/deterministic");
    let states = ["a", "b"].map(|name| {
        let state = folder.join(name).to_str().unwrap().to_owned();
        shown(run(&["--quiet", "--state-out", &state, "corpus/captures/relay.pcap"]));
        fs::read(state).unwrap()
    });
    assert!(states[0] == states[1]);
    assert!(states[0].starts_with(b"gamewire state\nformat 1, gamewire "));
}

/// If this test fails because the encoding of states has changed, increase the number of the format
/// in `HEADER`, and correct both numbers here.
#[test]
fn the_number_of_the_format_stands_for_this_encoding() {
    let folder = empty_folder("packet_series/encoding");
    let state = folder.join("state").to_str().unwrap().to_owned();
    let mut all = Vec::new();
    for name in ["captures/enet", "captures/ws", "captures-2/tcp_mixed", "captures-2/lossy_dup"] {
        let file = root(&format!("corpus/{name}.pcap"));
        let packets = captures::of_file(&fs::read(file).unwrap());
        let half = write_part(&folder, 0, &packets[..packets.len() / 2], false);
        shown(run(&["--quiet", "--state-out", &state, &half]));
        let state = fs::read(&state).unwrap();
        assert!(state.starts_with(b"gamewire state\nformat 1, gamewire "));
        let lines = state.split_inclusive(|byte| *byte == b'\n');
        let header: usize = lines.take(2).map(<[u8]>::len).sum();
        all.extend_from_slice(&state[header..state.len() - 4]);
    }
    assert_eq!((all.len(), crc32fast::hash(&all)), (1361, 4_035_429_527));
}

#[test]
fn other_files_are_refused() {
    let folder = empty_folder("packet_series/refused");
    let state = folder.join("state").to_str().unwrap().to_owned();
    let capture = "corpus/captures/udp.pcap";
    shown(run(&["--quiet", "--state-out", &state, "corpus/captures/enet.pcap"]));
    let valid = fs::read(&state).unwrap();
    let mut flipped = valid.clone();
    flipped[60] ^= 4;
    let newer = b"gamewire state\nformat 2, gamewire 9.0.0\nrest".to_vec();
    for (content, problem) in [
        (flipped, "the state is damaged: its checksum is wrong"),
        (valid[..valid.len() - 1].to_vec(), "the state is damaged: its checksum is wrong"),
        (valid[..42].to_vec(), "the state is damaged: it is cut short"),
        (newer, "the state has format 2, gamewire 9.0.0, but this program reads only format 1"),
        (b"[1, 2]".to_vec(), "this is not a state of `gamewire packets` (--state-out writes one)"),
    ] {
        let file = write_file(&folder, "other", &content);
        let ran = run(&["--state-in", &file, capture]);
        assert!(ran.code == Some(1) && ran.out.is_empty(), "{ran:?}");
        assert!(ran.err.starts_with(&format!("error: {file}: {problem}")), "{}", ran.err);
    }
    let missing = folder.join("missing").to_str().unwrap().to_owned();
    let ran = run(&["--state-in", &missing, capture]);
    assert!(ran.code == Some(1) && ran.err.contains("missing: "), "{ran:?}");
}

#[test]
fn a_capture_that_is_cut_off_leaves_the_state_unchanged() {
    let folder = empty_folder("packet_series/cut_off");
    let state = folder.join("state").to_str().unwrap().to_owned();
    shown(run(&["--quiet", "--state-out", &state, "corpus/captures/enet.pcap"]));
    let before = fs::read(&state).unwrap();
    let file = captures::file("udp");
    let cut_off = write_file(&folder, "cut_off", &file[..file.len() - 1]);
    for capture in [cut_off, folder.join("missing").to_str().unwrap().to_owned()] {
        let ran = run(&["--quiet", "--state-in", &state, "--state-out", &state, &capture]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let expected = "state: not written, because not all captures were processed\n";
        assert!(ran.err.ends_with(expected), "{}", ran.err);
        assert!(fs::read(&state).unwrap() == before);
    }
    let folder = folder.to_str().unwrap();
    let ran = run(&["--state-out", folder, "corpus/captures/udp.pcap"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
}
