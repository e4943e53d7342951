//! Tests `gamewire find`, which finds values in files of any format.

use crate::command::{empty_folder, root, run, run_on, shown, write_file};
use crate::support::godot::words::words;
use serde_json::Value;
use std::fs;

const MIXED: &str = "corpus/godot-files/4.6.3/mixed_primitives.dat";

#[test]
fn the_table_lists_offset_size_confidence_format_type_and_value() {
    let ran = run(&["find", MIXED]);
    let table = "12  32 bytes  certain   godot4 frame   Dictionary    {\"a\": Int 1}\n\
                 63  20 bytes  likely    godot4 frame   Array         [Int 1]\n";
    assert_eq!((ran.out.as_str(), ran.code), (table, Some(0)));
    let hint = format!(
        "hint: read a value with `gamewire show --as godot4-frames --skip 12 --count 1 {MIXED}`\n"
    );
    assert_eq!(ran.err, hint);
    let read = ["show", "--as", "godot4-frames", "--skip", "12", "--count", "1", MIXED];
    assert!(shown(run(&read)).contains("\"a\": int 1"));
}

#[test]
fn json_has_an_object_for_each_value() {
    for (file, big_endian) in [("plain.dat", false), ("plain_be.dat", true)] {
        let path = format!("corpus/godot-files/4.6.3/{file}");
        let lines = shown(run(&["find", "--json", &path]));
        let objects: Vec<Value> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(objects.len(), 6);
        let first = serde_json::json!({
            "file": path, "offset": 0, "size": 320, "as": "godot4-frames",
            "big_endian": big_endian, "type": "Dictionary", "confidence": "certain",
        });
        assert_eq!(objects[0], first);
        let sizes = objects.iter().map(|object| object["size"].as_u64().unwrap());
        assert_eq!(sizes.sum::<u64>(), 620, "the frames fill the file");
    }
}

/// Checks that the options that `find` names select exactly the value that it found, in every
/// format.
#[test]
fn what_is_found_can_be_read() {
    let folder = empty_folder("find/read");
    let value = fs::read(root("corpus/godot-files/4.6.3/var_to_bytes.bin")).unwrap();
    let len = value.len() as u32;
    let noise = [0xEE; 7];
    for (prefix, options) in [
        (vec![], vec!["--as", "godot4"]),
        (len.to_le_bytes().to_vec(), vec!["--as", "godot4-frames"]),
        (len.to_be_bytes().to_vec(), vec!["--as", "godot4-frames", "--big-endian"]),
    ] {
        let file = write_file(&folder, "file", &[&noise, &prefix[..], &value, &noise].concat());
        let found = run(&["find", &file]);
        let options = options.join(" ");
        let hint = format!("`gamewire show {options} --skip 7 --count 1 {file}`");
        assert!(found.err.contains(&hint), "{found:?}");
        let mut args = vec!["get", "--raw", ""];
        args.extend(options.split(' '));
        args.extend(["--skip", "7", "--count", "1", &file]);
        let raw = crate::command::output_on(&args, b"").stdout;
        assert_eq!(raw, value, "{options}");
    }
}

#[test]
fn possible_values_are_listed_on_request() {
    let file = [&[0xEE; 5][..], &words(&[8, 2, 5]), &[0xEE; 5]].concat();
    let without = run_on(&["find", "-"], &file);
    assert_eq!((without.code, without.out.as_str()), (Some(1), ""));
    assert_eq!(
        without.err,
        "warning: <stdin>: no Godot values found\n\
         hint: 1 possible value not listed, probably by chance (--all lists it)\n"
    );
    let all = run_on(&["find", "--all", "-"], &file);
    assert_eq!(all.out, " 5  12 bytes  possible  godot4 frame   int           5\n");
    assert_eq!(all.code, Some(0));
}

#[test]
fn one_engine_and_several_files() {
    let godot3 = "corpus/godot-files/3.6.2/g3_plain.dat";
    let ran = run(&["find", godot3, "corpus/captures/udp.pcap"]);
    assert!(
        ran.out.starts_with(&format!("==> {godot3} <==\n  0  204 bytes  certain   godot3 frame"))
    );
    assert!(ran.out.contains("\n\n==> corpus/captures/udp.pcap <==\n"), "{ran:?}");
    let only = run(&["find", "--as", "godot4", godot3]);
    assert!(!only.out.contains("godot3"), "{only:?}");
    let missing = run(&["find", "no_such_file", godot3]);
    assert_eq!(missing.code, Some(1));
    assert!(missing.out.contains("Dictionary"), "{missing:?}");
}

#[test]
fn control_characters_of_texts_are_escaped() {
    let text = b"\x04\0\0\0\x08\0\0\0tab\tline";
    let file = [&words(&[16])[..], text].concat();
    let ran = run_on(&["find", "--all", "-"], &file);
    assert!(!ran.out.contains('\t') && ran.out.contains("\\t"), "{ran:?}");
}
