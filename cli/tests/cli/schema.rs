//! Tests `gamewire schema`, run as a user would run it.

use crate::command::{run, run_on, shown};

#[test]
fn a_line_for_each_place() {
    let packets = "1b00000001000000040000000200000068700000020000005d000000
1b00000002000000040000000200000068700000020000006400000004000000010000006100000000000000";
    let out = shown(run_on(&["schema", "--lines"], packets.as_bytes()));
    assert_eq!(
        out,
        "(packet)  2 packets  Dictionary  1 to 2 keys
hp                   int         93 to 100
a         1 of 2     Nil
"
    );
}

#[test]
fn the_order_of_files_makes_no_difference() {
    let mut files = [1, 16, 500].map(|n| format!("corpus/godot4/game_state_{n}.bin"));
    let run = |files: &[String; 3]| {
        shown(run(&[&["schema"][..], &files.each_ref().map(|file| &**file)].concat()))
    };
    let out = run(&files);
    assert_eq!(out.lines().next().unwrap().split_whitespace().last(), Some("keys"), "{out}");
    assert!(out.lines().all(|line| line.trim_end() == line), "{out}");
    files.reverse();
    assert_eq!(run(&files), out);
}

#[test]
fn frames_of_a_file() {
    let args = ["schema", "--as", "godot4-frames", "corpus/frames/store_var.dat"];
    let out = shown(run(&args));
    let kinds = "5 Nil, 5 int, 5 float, 5 String, 5 Transform3D, 5 Dictionary, 5 Array, \
                 5 PackedByteArray";
    assert!(out.starts_with(&format!("(packet)  40 packets  {kinds}")), "{out}");
    assert!(out.contains("; float -17.0 to -1.0; "), "{out}");
}

#[test]
fn types_have_the_names_of_their_engine() {
    let out = shown(run(&["schema", "--as", "godot3", "corpus/godot3/quat.bin"]));
    assert_eq!(out, "(packet)  1 packet  Quat  (0.5, 0.5, 0.5, 0.5)\n");
}

#[test]
fn json_for_programs() {
    let packets = "1b000000020000000400000001000000610000000300000000000040040000000100000062000000
        0400000001000000780000001b0000000000000000000000"
        .replace(char::is_whitespace, "");
    let out = shown(run_on(&["schema", "--json", "--lines"], packets.as_bytes()));
    let objects = [
        r#"{"path":"","seen":1,"of":1,"kinds":[{"type":"Dictionary","seen":1,"form":"record","len":[2,2]}]}"#,
        r#"{"path":"a","seen":1,"of":1,"kinds":[{"type":"float","seen":1,"reals":[[2.0,2.0]]}]}"#,
        r#"{"path":"b","seen":1,"of":1,"kinds":[{"type":"String","seen":1,"len":[1,1],"texts":["x"]}]}"#,
    ];
    assert_eq!(out.lines().collect::<Vec<_>>(), objects);

    let map = "1b000000010000000200000005000000 02000100ffffffffffffff7f";
    let out = shown(run_on(&["schema", "--json", "--lines"], map.as_bytes()));
    let objects = [
        r#"{"path":"","seen":1,"of":1,"kinds":[{"type":"Dictionary","seen":1,"form":"map","len":[1,1],"keys":[{"type":"int","seen":1,"ints":[[5,5]]}]}]}"#,
        r#"{"path":"{}","seen":1,"of":1,"kinds":[{"type":"int","seen":1,"wide":1,"ints":[[9223372036854775807,9223372036854775807]]}]}"#,
    ];
    assert_eq!(out.lines().collect::<Vec<_>>(), objects);
}

/// Checks the JSON members that are printed only for some kinds of values. Also checks that the
/// type of an array's elements is printed only if it is the same in all packets.
#[test]
fn json_of_lists_and_extremes() {
    let file = |name: &str| format!("corpus/godot4/{name}.bin");
    let schema = |args: &[&str], names: &[&str]| {
        let files: Vec<_> = names.iter().map(|name| file(name)).collect();
        let files: Vec<_> = files.iter().map(String::as_str).collect();
        shown(run(&[&["schema"], args, &files[..]].concat()))
    };
    let out = schema(&["--json"], &["array_mixed"]);
    let first = r#"{"path":"","seen":1,"of":1,"kinds":[{"type":"Array","seen":1,"form":"tuple","len":[11,11]}]}"#;
    assert_eq!(out.lines().next(), Some(first));
    let infinities = r#"{"path":"","seen":2,"of":2,"kinds":[{"type":"float","seen":2,"reals":[[-1e99999,1e99999]]}]}"#;
    let out = schema(&["--json"], &["float_inf", "float_neg_inf"]);
    assert_eq!(out, format!("{infinities}\n"));
    assert_eq!(
        schema(&["--json"], &["typed_array_int"]),
        r#"{"path":"","seen":1,"of":1,"kinds":[{"type":"Array","seen":1,"form":"list","len":[3,3],"types":["[int]"]}]}
{"path":"[]","seen":3,"of":3,"kinds":[{"type":"int","seen":3,"wide":1,"ints":[[-2,4294967296]]}]}
"#
    );
    let stated = schema(&[], &["typed_array_int"]);
    assert!(stated.starts_with("(packet)  1 packet  Array[int]  3 elements\n"), "{stated}");
    let differ = schema(&[], &["typed_array_int", "typed_array_string"]);
    assert!(differ.starts_with("(packet)  2 packets  Array"), "{differ}");
    assert!(differ.contains("  [String] or [int], 2 to 3 elements\n"), "{differ}");
}

#[test]
fn rust_for_compilers() {
    let out = shown(run(&["schema", "--rust", "corpus/bench/state_simple.bin"]));
    let state = include_str!("../../../tests/godot_types/schema/state.rs");
    assert_eq!(out, state.replace("State<'a>", "Packet<'a>"));
}

#[test]
fn malformed_parts_are_reported_and_skipped() {
    let lines = "0200000005000000\n\nxyz\n02000000\n0200000007000000";
    let ran = run_on(&["schema", "--lines"], lines.as_bytes());
    assert_eq!((ran.code, &*ran.out), (Some(1), "(packet)  2 packets  int  5 to 7\n"), "{ran:?}");
    let errors = [
        "error: <stdin>: line 3: the text is not hexadecimal: a character that has no meaning there",
        "error: <stdin>: offset 4 (0x4): line 4: the packet ends inside a value (bytes missing: 4)",
    ];
    assert_eq!(ran.err.lines().collect::<Vec<_>>(), errors);

    let ran = run(&["schema", "corpus/bench/ints10k.bin", "nowhere", "corpus/README.md"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.starts_with("(packet)  1 packet  Array  "), "{ran:?}");
    assert!(ran.err.contains("error: nowhere: ") && ran.err.contains("README.md: this is text, "));

    let ran = run(&["schema", "corpus/godot3/quat.bin", "--as", "godot2-frames"]);
    assert_eq!((ran.code, &*ran.out), (Some(1), ""));
    assert!(ran.err.contains("hint: these bytes are one value in "), "{}", ran.err);

    let frames = [12, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0];
    let ran = run_on(&["schema", "--as", "godot4-frames", "-"], &frames);
    assert_eq!((ran.code, &*ran.out), (Some(0), "(packet)  1 packet  int  5\n"));
    assert!(ran.err.starts_with("warning: <stdin>: frame 0: 4 bytes after the value, "));
}

#[test]
fn usage() {
    assert_eq!(run(&["schema"]).code, Some(2));
    assert_eq!(run(&["schema", "--json", "--rust", "x"]).code, Some(2));
    assert_eq!(run(&["schema", "--lines", "--as", "godot4-frames"]).code, Some(2));
    let ran = run_on(&["schema", "--lines"], b"");
    assert_eq!(
        (ran.code, &*ran.out, &*ran.err),
        (Some(0), "", "warning: the input has no packets\n")
    );
}
