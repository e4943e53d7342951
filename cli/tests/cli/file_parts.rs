//! Tests commands on files that scripts write with `FileAccess`. In such files, frames can have
//! either byte order, and values can be mixed with other data. The engines recorded what they read
//! from these files.

use crate::command::{empty_folder, output_on, root, run, run_on, shown, write_file};
use crate::support::godot::words::words;
use serde_json::Value;
use std::fs;

const GODOT4: &str = "corpus/godot-files/4.6.3";
const GODOT3: &str = "corpus/godot-files/3.6.2";

const NOTE: &str = "read as frames with big-endian lengths (--as godot4-frames --big-endian)\n";

/// Returns the JSON object that an engine recorded about a file.
fn record(log: &str, file: &str) -> Value {
    let log = fs::read_to_string(root(log)).unwrap();
    let objects = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    objects.into_iter().find(|object| object["file"] == file).unwrap()
}

/// Returns the values that Godot 4 read from a file, each as JSON.
fn engine_values(file: &str) -> Vec<Value> {
    let record = record(&format!("{GODOT4}/engine.jsonl"), file);
    let texts = record["values"].as_array().unwrap();
    texts.iter().map(|text| serde_json::from_str(text.as_str().unwrap()).unwrap()).collect()
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn lengths_in_both_byte_orders_are_read_as_the_engine_reads_them() {
    for (file, note, options) in [
        ("plain.dat", false, &["--as", "godot4-frames"][..]),
        ("plain_be.dat", true, &["--as", "godot4-frames"]),
        ("plain_be.dat", true, &[]),
        ("plain_be.dat", false, &["--big-endian"]),
    ] {
        let path = format!("{GODOT4}/{file}");
        let ran = run(&[&["json", &path], options].concat());
        assert_eq!(json_lines(&ran.out), engine_values(file), "{file} {options:?}");
        let expected = if note { format!("note: {path}: {NOTE}") } else { String::new() };
        assert_eq!((ran.err, ran.code), (expected, Some(0)), "{file} {options:?}");
        for command in ["show", "check", "text", "schema"] {
            let ran = run(&[&[command, &path], options].concat());
            assert_eq!(ran.code, Some(0), "{command} {file} {options:?}: {ran:?}");
            assert_eq!(ran.err.lines().count(), usize::from(note), "{command} {file} {options:?}");
        }
        let ran = run(&[&["get", "--json", "", &path], options].concat());
        assert_eq!(json_lines(&ran.out), engine_values(file), "{file} {options:?}");
    }
    let [plain, swapped] = ["plain.dat", "plain_be.dat"].map(|file| format!("{GODOT4}/{file}"));
    let diff = run(&["diff", "--as", "godot4-frames", &plain, &swapped]);
    assert_eq!((diff.code, diff.out.as_str()), (Some(0), ""), "{diff:?}");
}

#[test]
fn files_of_godot_3_in_both_byte_orders() {
    for (file, options) in [
        ("g3_plain.dat", &["--as", "godot3-frames"][..]),
        ("g3_plain_be.dat", &["--as", "godot3-frames"]),
        ("g3_plain_be.dat", &["--as", "godot3", "--big-endian"]),
    ] {
        let list = record(&format!("{GODOT3}/engine3.jsonl"), file);
        let list = list["hex"].as_str().unwrap();
        let listed = shown(run_on(&["json", "--lines", "--as", "godot3"], list.as_bytes()));
        let listed: Value = serde_json::from_str(&listed).unwrap();
        let path = format!("{GODOT3}/{file}");
        let read = run(&[&["json", &path], options].concat());
        assert_eq!(Value::from(json_lines(&read.out)), listed["value"], "{file} {options:?}");
    }
    // Without --as, the engine is not guessed.
    let guessed = run(&["show", &format!("{GODOT3}/g3_plain_be.dat")]);
    let hint = "hint: these bytes are frames of values in godot3 or godot4-docs \
                (--as FORMAT-frames --big-endian)";
    assert!(guessed.err.contains(hint), "{guessed:?}");
}

#[test]
fn set_writes_lengths_in_the_same_byte_order() {
    let folder = empty_folder("file_parts/set");
    for (file, prefix) in
        [("plain.dat", u32::to_le_bytes as fn(u32) -> _), ("plain_be.dat", u32::to_be_bytes)]
    {
        let path = format!("{GODOT4}/{file}");
        let same = folder.join(file);
        let same = same.to_str().unwrap();
        let args = ["--as", "godot4-frames", "level", "12", &path, "-o", same];
        assert_eq!(run(&[&["set"], &args[..]].concat()).code, Some(0));
        assert_eq!(fs::read(same).unwrap(), fs::read(root(&path)).unwrap(), "{file}");
        let longer =
            run(&["set", "--as", "godot4-frames", "--in-place", "name", "\"Ada L.\"", same]);
        assert_eq!(longer.code, Some(0), "{longer:?}");
        assert_eq!(fs::read(same).unwrap()[..4], prefix(316 + 4), "{file}");
        let read = run(&["json", "--as", "godot4-frames", same]);
        assert_eq!(json_lines(&read.out)[1..], engine_values(file)[1..], "{file}");
    }
}

#[test]
fn encode_writes_big_endian_lengths() {
    let path = format!("{GODOT4}/plain_be.dat");
    let json = shown(run(&["json", "--exact", "--big-endian", &path]));
    let encoded = output_on(&["encode", "--big-endian"], json.as_bytes()).stdout;
    assert_eq!(encoded, fs::read(root(&path)).unwrap());
}

/// A file that contains a `u32`, a Pascal string, `{"a": 1}`, a float, a byte, a `u64`, a line, and
/// `[1]`.
const MIXED: &str = "corpus/godot-files/4.6.3/mixed_primitives.dat";

#[test]
fn values_among_other_data() {
    let frame = ["--as", "godot4-frames", "--skip", "12", "--count", "1", MIXED];
    let value = ["--skip", "0x10", "--count", "1", MIXED];
    let last = ["--as", "godot4-frames", "--skip", "63", MIXED];
    let of = |command: &[&str], part: &[&str]| shown(run(&[command, part].concat()));
    for (part, json, text) in [
        (&frame[..], "{\"type\":\"Dictionary\",\"args\":[\"s:a\",\"i:1\"]}\n", "{\n\"a\": 1\n}\n"),
        (&value[..], "{\"type\":\"Dictionary\",\"args\":[\"s:a\",\"i:1\"]}\n", "{\n\"a\": 1\n}\n"),
        (&last[..], "[\"i:1\"]\n", "[1]\n"),
    ] {
        assert_eq!(of(&["json"], part), json);
        assert_eq!(of(&["get", "--json", ""], part), json);
        assert_eq!(of(&["text"], part), text);
        assert!(of(&["check"], part).starts_with("ok "));
        assert!(of(&["schema"], part).contains("int"));
    }
    assert_eq!(
        of(&["show"], &frame),
        "12  frame 0, 28 bytes\n16    Dictionary, 1 pair\n36      \"a\": int 1\n"
    );
    assert_eq!(of(&["show"], &value), "16  Dictionary, 1 pair\n36    \"a\": int 1\n");
    let checked = "ok      corpus/godot-files/4.6.3/mixed_primitives.dat  83 bytes  1 frame\n  \
                   ok      frame 0  at 16  28 bytes  Dictionary\n";
    assert_eq!(of(&["check"], &frame), checked);
    assert_eq!(of(&["check"], &value), checked.replace("frame", "value"));
}

#[test]
fn set_keeps_the_bytes_around_the_part() {
    let old = fs::read(root(MIXED)).unwrap();
    let set = |args: &[&str]| output_on(&[&["set"], args, &[MIXED]].concat(), b"").stdout;
    let vector = words(&[5, 0x3F80_0000, 0x4000_0000]); // Vector2(1, 2)
    let dictionary = [&old[16..36], &vector].concat();
    let frame = [&words(&[32])[..], &dictionary].concat();
    let part = ["--skip", "12", "--count", "1", "--as", "godot4-frames", "a", "Vector2(1, 2)"];
    assert_eq!(set(&part), [&old[..12], &frame, &old[44..]].concat());
    let part = ["--skip", "16", "--count", "1", "a", "Vector2(1, 2)"];
    assert_eq!(set(&part), [&old[..16], &dictionary, &old[44..]].concat());
    let part = ["--skip", "63", "--as", "godot4-frames", "0", "7"];
    assert_eq!(set(&part), [&old[..79], &[7, 0, 0, 0]].concat());
}

#[test]
fn differences_in_a_part() {
    let folder = empty_folder("file_parts/diff");
    let mut new = fs::read(root(MIXED)).unwrap();
    new[0] = 99; // before the part
    new[40] = 5; // the value of `a`
    new[50] = 99; // after the part
    let new = write_file(&folder, "new.dat", &new);
    let diff = run(&["diff", "--skip", "16", "--count", "1", MIXED, &new]);
    assert_eq!((diff.code, diff.out.as_str()), (Some(1), "~ a: 1 → 5\n"));
}

#[test]
fn offsets_in_messages_are_offsets_in_the_file() {
    for (args, error) in [
        (&["json", "--skip", "57"][..], "offset 57 (0x39): 104 is not a type id of this dialect"),
        (
            &["json", "--as", "godot4-frames", "--skip", "59"],
            "offset 63 (0x3f): frame 0: the packet ends",
        ),
        (
            &["show", "--as", "godot4-frames", "--skip", "59"],
            "offset 63 (0x3f): frame 0: the packet ends",
        ),
        (&["text", "--skip", "12"], "offset 20 (0x14): the packet ends"),
        (
            &["get", "", "--skip", "84"],
            "--skip 84 is after the end of the file, which has 83 bytes",
        ),
    ] {
        let ran = run(&[args, &[MIXED]].concat());
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.err.contains(error), "{ran:?}");
    }
    let checked = run(&["check", "--skip", "57", "--count", "2", MIXED]);
    assert!(
        checked.out.contains("refused value 0  at 57  26 bytes  offset 57 (0x39)"),
        "{checked:?}"
    );
}

#[test]
fn several_values_of_a_run() {
    let folder = empty_folder("file_parts/count");
    let run_of_ints = words(&[2, 5, 2, 6, 2, 7, 255]);
    let file = write_file(&folder, "ints.bin", &run_of_ints);
    for (count, json) in [("0", ""), ("1", "\"i:5\"\n"), ("3", "\"i:5\"\n\"i:6\"\n\"i:7\"\n")] {
        assert_eq!(shown(run(&["json", "--count", count, &file])), json);
        assert_eq!(
            shown(run(&["show", "--count", count, &file])).lines().count(),
            json.lines().count()
        );
    }
    let set = output_on(&["set", "--skip", "8", "--count", "1", "", "9", &file], b"").stdout;
    assert_eq!(set, words(&[2, 5, 2, 9, 2, 7, 255]));
    let conflict = run_on(&["json", "--lines", "--skip", "4"], b"");
    assert_eq!(conflict.code, Some(2));
    assert!(conflict.err.contains("--lines reads one packet per line, so --skip"), "{conflict:?}");
}
