//! Tests the hints for files that are read with the wrong command or in the wrong format.

use crate::command::{empty_folder, root, run, write_file};
use std::fs;

const FOLDER: &str = "corpus/godot-files/4.6.3";

/// Asserts that each command prints a message that contains `hint`.
#[track_caller]
fn assert_hint(file: &str, commands: &[&[&str]], hint: &str) {
    for command in commands {
        let ran = run(&[command, &[file][..]].concat());
        let printed = format!("{}{}", ran.out, ran.err);
        assert!(printed.contains(hint), "{command:?} {file}: {ran:?}");
    }
}

const READING: &[&[&str]] = &[
    &["show"],
    &["show", "--as", "godot3"],
    &["json", "--as", "godot4"],
    &["get", "--as", "godot4-frames", ""],
    &["check", "--as", "godot3-frames"],
    &["text"],
    &["schema"],
];

#[test]
fn packets_as_text() {
    let folder = empty_folder("format_hints/text");
    let packet = fs::read(root(&format!("{FOLDER}/var_to_bytes.bin"))).unwrap();
    let hex: String = packet.iter().map(|byte| format!("{byte:02x}")).collect();
    let hex = write_file(&folder, "hex.txt", hex.as_bytes());
    let notation = format!("{FOLDER}/var_to_str.txt");
    let base64 = format!("{FOLDER}/base64.txt");
    for (file, hint) in [
        (&*notation, "`gamewire encode --text` makes a packet of it"),
        (&format!("{FOLDER}/var_to_str_full.txt"), "`gamewire encode --text`"),
        (&*base64, "--base64 decodes it"),
        ("corpus/godot-files/3.6.2/g3_base64.txt", "--base64 decodes it"),
        (&*hex, "`gamewire json --lines` and `gamewire check --lines` read each line"),
    ] {
        assert_hint(file, READING, hint);
    }
    assert_hint(&notation, &[&["encode"]], "--text reads it");
    let encode: &[&[&str]] = &[&["encode"], &["encode", "--text"]];
    assert_hint(&base64, encode, "--base64 decodes it");
    assert_hint(&hex, &encode[..1], "`gamewire json --lines`");
}

#[test]
fn text_in_another_encoding_than_the_option() {
    let folder = empty_folder("format_hints/encoding");
    let packet = fs::read(root(&format!("{FOLDER}/var_to_bytes.bin"))).unwrap();
    let hex: String = packet.iter().map(|byte| format!("{byte:02x}")).collect();
    let hex = write_file(&folder, "hex.txt", format!("{hex}\n{hex}\n").as_bytes());
    let notation = format!("{FOLDER}/var_to_str.txt");
    let base64 = format!("{FOLDER}/base64.txt");
    let lines: &[&[&str]] = &[&["json", "--lines"], &["check", "--lines"], &["schema", "--lines"]];
    assert_hint(&base64, lines, "this is text in base64: --base64 reads each line as a packet\n");
    assert_hint(&notation, lines, "`gamewire encode --text` makes a packet of it\n");
    // The hint appears once.
    let ran = run(&[&["json", "--lines"][..], &[&notation]].concat());
    assert_eq!(ran.err.matches("hint").count(), 1, "{ran:?}");
    let decoding: &[&[&str]] = &[
        &["show", "--base64"],
        &["json", "--base64"],
        &["check", "--base64"],
        &["get", "--base64", ""],
        &["text", "--base64"],
    ];
    let without = "this is text in hexadecimal: without --base64, `gamewire json --lines` and ";
    assert_hint(&hex, decoding, without);
    assert_hint(&notation, decoding, "the text is not base64");
    assert_hint(&notation, decoding, "`gamewire encode --text` makes a packet of it");
    // Base64 that consists of hexadecimal digits is read if it is a value.
    let value = write_file(&folder, "value.txt", b"BAAAAAAAAAAAAAAA");
    let ran = run(&["json", "--base64", &value]);
    assert!(!ran.err.contains("hexadecimal"), "{ran:?}");
}

/// Commands on other formats name the command that opens a compressed or encrypted file of Godot.
#[test]
fn containers_in_other_commands() {
    let output = empty_folder("format_hints/containers").join("out");
    for name in ["compressed_zstd.dat", "compressed_fastlz_be.dat", "encrypted_pass.dat"] {
        let file = format!("{FOLDER}/{name}");
        for args in [
            &["rems", "convert", "--to", "json", &file, output.to_str().unwrap()][..],
            &["unreal", "deps", &file],
            &["packets", &file],
        ] {
            let ran = run(args);
            assert_eq!(ran.code, Some(1), "{args:?}: {ran:?}");
            let kind = if name.starts_with("comp") { "a compressed" } else { "an encrypted" };
            for part in
                [&format!("this is {kind} file of Godot"), "`gamewire unpack` writes its content"]
            {
                assert!(ran.err.contains(part), "{args:?}: {ran:?}");
            }
        }
    }
    assert!(!output.exists());
}

/// A configuration file without entries.
#[test]
fn nothing_but_comments() {
    let folder = empty_folder("format_hints/comments");
    let file = write_file(&folder, "a.dat", b"; a comment\n\n; another\n");
    let ran = run(&["show", &file]);
    assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(0), "", ""), "{ran:?}");
    let ran = run(&["check", &file]);
    assert!(ran.out.contains("configuration file: 0 sections, 0 entries"), "{ran:?}");
    assert_eq!(run(&["json", &file]).out, "{}\n");
}

#[test]
fn frames_and_values() {
    let folder = empty_folder("format_hints/frames");
    let packet = format!("{FOLDER}/var_to_bytes.bin");
    let bytes = fs::read(root(&packet)).unwrap();
    let frame = [&(bytes.len() as u32).to_le_bytes()[..], &bytes].concat();
    let frame = write_file(&folder, "frame.bin", &frame);
    let plain: &[&[&str]] = &[
        &["show", "--as", "godot4"],
        &["json", "--as", "godot4"],
        &["check", "--as", "godot4"],
        &["get", "--as", "godot4", "hp"],
    ];
    assert_hint(&frame, plain, "frames of values in godot4 (--as godot4-frames)");
    let framed: &[&[&str]] =
        &[&["show", "--as", "godot4-frames"], &["check", "--as", "godot4-frames"]];
    assert_hint(&packet, framed, "one value in godot4 (--as godot4)");
}

#[test]
fn values_behind_other_data() {
    let folder = empty_folder("format_hints/behind");
    let bytes = fs::read(root(&format!("{FOLDER}/var_to_bytes.bin"))).unwrap();
    let value = write_file(&folder, "value.bin", &[b"SAVE\x01\x02", &bytes[..]].concat());
    let len = (bytes.len() as u32).to_le_bytes();
    let frame = write_file(&folder, "frame.bin", &[b"SAVEv01", &len[..], &bytes].concat());
    assert_hint(&value, READING, "--as godot4 --skip 6 --count 1 reads it");
    assert_hint(&frame, READING, "--as godot4-frames --skip 7 --count 1 reads it");
    let mixed = format!("{FOLDER}/mixed_primitives.dat");
    assert_hint(&mixed, READING, "--as godot4-frames --skip 12 --count 1 reads it");
    assert_hint(&mixed, &[&["get", "--skip", "44", ""]], "--skip 63 --count 1 reads it");
}

#[test]
fn raw_numbers() {
    let folder = empty_folder("format_hints/raw");
    let floats: Vec<u8> = (1..200_u16).flat_map(|n| (f32::from(n) * 0.37).to_le_bytes()).collect();
    let floats = write_file(&folder, "floats.raw", &floats);
    assert_hint(&floats, &[&["show"], &["check"], &["json"]], "`gamewire find` finds none in them");
    let given: &[&[&str]] = &[&["json", "--as", "godot4"], &["show", "--as", "godot4-frames"]];
    assert_hint(&floats, given, "`gamewire find` finds no values in these bytes");
}
