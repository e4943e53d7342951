//! Checks the output of `gamewire packets --diagnose`. `tests/net/traffic/diagnosis.rs` compares the
//! problems with the messages of the engines.

use crate::command::{self, Ran, run_on};
use crate::support::strict_json;
use std::fs;

const PROJECT: [&str; 2] = ["--scripts", "corpus/captures-diagnosis/project"];

fn path(name: &str) -> String {
    format!("corpus/captures-diagnosis/{name}.pcap")
}

fn diagnose(args: &[&str], name: &str) -> Ran {
    command::run(&[&["packets", "--diagnose"], args, &[&path(name)]].concat())
}

#[track_caller]
fn problems(args: &[&str], name: &str) -> String {
    let Ran { code, out, err } = diagnose(args, name);
    assert_eq!((code, &err[..]), (Some(1), ""), "{out}");
    out
}

#[track_caller]
fn contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part} in {text}");
    }
}

/// Names of all captures of problems, with a part of the title of each problem.
const TITLES: [(&str, &[&str]); 15] = [
    ("renamed_method", &["error: the rpc node checksum failed for Main/Door: the sides have"]),
    ("renamed_method_one_way", &["error: the rpc node checksum failed for Main/Door"]),
    ("removed_method", &["error: the rpc node checksum failed for Main/Door"]),
    ("missing_node", &["error: the path Main/Extra was never confirmed"]),
    ("sync_after_despawn", &["notice: 1 SYNC for synchronizer 2, which was already despawned"]),
    ("spawn_lost", &["warning: 1 reliable packet sent again on channel 0", "not spawned yet"]),
    ("never_spawned", &["error: 1 DELTA", "warning: 1 SYNC for synchronizer 99, which was never"]),
    ("not_authority", &["error: 4 calls of Main/Door.open refused"]),
    ("over_mtu", &["warning: 5 unreliable packets over the MTU (Main/Door.scatter)"]),
    ("over_mtu_udp", &["warning: 4 datagrams larger than an Ethernet frame"]),
    ("ip_fragments", &["warning: 8 fragments of IP packets"]),
    ("godot3_over_mtu", &["warning: 5 unreliable packets over the MTU (Main/Door.scatter)"]),
    ("stall_at_receiver", &["warning: 1 reliable packet sent again on channel 0, which held up"]),
    ("godot3_stall", &["warning: 1 reliable packet sent again on channel 1, which held up"]),
    ("late", &["notice: 1 unreliable packet too late on channel 3 (Main/Door.swing)"]),
];

#[test]
fn each_problem_has_a_title_evidence_and_advice() {
    for (name, titles) in TITLES {
        let out = problems(&PROJECT, name);
        contains(&out, titles);
        let count = titles.len();
        let lines =
            |start: &'static str| out.lines().filter(move |it| it.trim_start().starts_with(start));
        assert_eq!(lines("evidence: ").count(), count, "{out}");
        assert_eq!(lines("to do: ").count(), count, "{out}");
        assert!(lines("evidence: ").all(|line| line.contains("(packet ")), "{out}");
    }
}

#[test]
fn nothing_found() {
    for name in ["good", "godot3_good", "good_udp", "acknowledgement_lost"] {
        let Ran { code, out, err } = diagnose(&PROJECT, name);
        assert_eq!((code, &err[..]), (Some(0), ""));
        assert!(out.starts_with("nothing found in ") && out.ends_with(" packets\n"), "{out}");
        let json = diagnose(&["--json"], name);
        assert_eq!((json.code, &json.out[..]), (Some(0), ""));
    }
}

/// Checks that the output names the folders and files of the scripts whose methods differ.
#[test]
fn differences_of_methods() {
    let client = "corpus/captures-diagnosis/client_removed";
    let out = problems(&[&PROJECT[..], &["--scripts", client]].concat(), "removed_method");
    contains(
        &out,
        &[
            "Only the sender (corpus/captures-diagnosis/project/door.gd) has `zap`.",
            "The receiver (corpus/captures-diagnosis/client_removed/door.gd) does not.",
            "9 calls of method 5 (zap) of Main/Door ignored",
        ],
    );
    let out = problems(&PROJECT, "removed_method");
    contains(&out, &["has `zap`", "(inferred from its checksum and the methods of door.gd)"]);
    let out = problems(&[], "removed_method");
    contains(&out, &["The names that differ are not known", "--scripts"]);
    let client = "corpus/captures-diagnosis/client_renamed";
    let out = problems(&[&PROJECT[..], &["--scripts", client]].concat(), "renamed_method_one_way");
    contains(&out, &["has `knock`", "door.gd, assumed because of its name) has `knoc` instead"]);
}

#[test]
fn json() {
    let mut kinds = Vec::new();
    for (name, _) in TITLES {
        let client = ["--scripts", "corpus/captures-diagnosis/client_removed"];
        let out = problems(&[&["--json"], &PROJECT[..], &client].concat(), name);
        for line in out.lines() {
            strict_json::check(line).unwrap_or_else(|at| panic!("byte {at}: {line}"));
            contains(
                line,
                &["\"severity\":", "\"src\":", "\"count\":", "\"evidence\":[{\"fact\":"],
            );
            kinds.push(line.split('"').nth(7).unwrap().to_owned());
        }
    }
    kinds.sort();
    kinds.dedup();
    let all = [
        "late",
        "not_authority",
        "over_mtu",
        "rpc_checksum",
        "stall",
        "unconfirmed_path",
        "unknown_method",
        "unknown_net_id",
    ];
    assert_eq!(kinds, all);
}

/// Checks how unusual inputs are reported. If a capture is cut off, an error follows the problems
/// that were found in it. If a file is not a capture, the exit status is 1. If there are several
/// captures, the output contains the name of each.
#[test]
fn inputs() {
    let file = fs::read(command::root(&path("late"))).unwrap();
    let ran = run_on(&["packets", "--diagnose", "-"], &file);
    assert_eq!((ran.code, &ran.err[..]), (Some(1), ""));
    contains(&ran.out, &["1 problem in ", "too late"]);
    let ran = run_on(&["packets", "--diagnose", "-"], &file[..file.len() - 1]);
    assert_eq!(ran.code, Some(1));
    contains(&ran.out, &["1 problem in "]);
    contains(&ran.err, &["error: "]);
    let (first, second) = (path("good"), path("late"));
    let ran = command::run(&["packets", "--diagnose", &first, &second]);
    assert_eq!(ran.code, Some(1));
    contains(&ran.out, &["good.pcap: nothing found in ", "late.pcap: 1 problem in "]);
    let ran = command::run(&["packets", "--diagnose", "corpus/godot4/aabb.bin", &first]);
    assert_eq!(ran.code, Some(1));
}

#[test]
fn options_that_print_packets_are_refused() {
    for option in ["--quiet", "--stats", "--tree", "--hex", "--all", "--filter=kind=rpc"] {
        let ran = diagnose(&[option], "good");
        assert_eq!(ran.code, Some(2), "{option}");
    }
}
