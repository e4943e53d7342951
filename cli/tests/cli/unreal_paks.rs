//! Tests commands on paks and on the files in them.

use crate::command::{empty_folder, root, run, run_on, shown, write_file};
use serde_json::Value;
use std::fs;

/// The key of `v11-encrypted.pak`.
const KEY: &str = "3031323334353637383961626364656630313233343536373839414243444546";
const KEY_IN_BASE64: &str = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlBQkNERUY=";

const PACKAGE: &str = "corpus/unreal/ue5.8-cooked-tagged-DT_AllProperties.uasset";

fn pak(name: &str) -> String {
    format!("corpus/unreal-paks/{name}.pak")
}

#[test]
fn show_lists_files() {
    let text = shown(run(&["show", &pak("v11")]));
    let expected = "\
pak ../../../Game/
  version           11
  size              2673 bytes
  index             not encrypted
  methods           Zlib, LZ4, Zstd, Oodle

files 3
  size  stored  method  encrypted  path
    19      25  Zlib    no         Config/Game.ini
  1513    1513  none    no         Content/Tiny.uasset
  1614     408  Zlib    no         Content/Tiny.uexp
";
    assert_eq!(text, expected);
    for key in [KEY, KEY_IN_BASE64, &format!("0x{KEY}")] {
        let text = shown(run(&["show", "--key", key, &pak("v11-encrypted")]));
        assert!(text.contains("  index             encrypted\n"), "{text}");
        assert!(text.contains("  1614    1632  Zstd    yes        Content/Tiny.uexp\n"), "{text}");
    }
    let text = shown(run(&["show", &pak("v11-hashes")]));
    assert!(text.contains("not encrypted, without paths\n"), "{text}");
    assert!(text.contains("  1614     408  Zlib    no         39fec1819b8f9857\n"), "{text}");
}

#[test]
fn check_verifies_checksums() {
    let text = shown(run(&["check", &pak("v3"), &pak("v11")]));
    assert!(text.contains("pak version 3, 3 files\n"), "{text}");
    assert!(text.contains("pak version 11, 3 files\n"), "{text}");
    let text = shown(run(&["check", "--key", KEY, &pak("v11-encrypted")]));
    assert!(text.contains("pak version 11, 3 files, 3 and the index encrypted\n"), "{text}");
    let folder = empty_folder("unreal_paks/check");
    let mut bytes = fs::read(root(&pak("v11"))).unwrap();
    bytes[100] ^= 1;
    let file = &*write_file(&folder, "changed.pak", &bytes);
    let ran = run(&["check", file]);
    assert_eq!((ran.code, &*ran.err), (Some(1), ""));
    assert!(ran.out.starts_with("refused ") && ran.out.contains("pak version 11, 3 files"));
    let error = "  error: Content/Tiny.uasset: offset 53 (0x35): the SHA-1 of the bytes is not the \
                 stored one  [HashDiffers]\n";
    assert!(ran.out.ends_with(error), "{}", ran.out);
    let end = bytes.len() - 204 + 4;
    bytes[end] = 12;
    let file = &*write_file(&folder, "newer.pak", &bytes);
    let ran = run(&["check", file]);
    let error = "pak, but its index cannot be read: ";
    assert!(ran.code == Some(1) && ran.out.contains(error), "{ran:?}");
    assert!(ran.out.contains("unknown version of a pak (newest supported: 11): 12\n"), "{ran:?}");
}

#[test]
fn json_lists_files() {
    let json: Value = serde_json::from_str(&shown(run(&["json", &pak("v3")]))).unwrap();
    assert_eq!(json["version"], 3);
    assert_eq!(json["mount_point"], "../../../Game/");
    let files = json["files"].as_array().unwrap();
    assert_eq!(files.len(), 3);
    assert_eq!(files[0]["path"], "Content/Tiny.uasset");
    assert_eq!(files[0]["size"], 1513);
    assert_eq!(files[0]["sha1"].as_str().unwrap().len(), 40);
    assert_eq!(files[1]["method"], "Zlib");
}

/// A package in a pak gives the same output as the same package in files.
#[test]
fn packages_are_read_from_paks() {
    let commands = [
        &["show", "--full"][..],
        &["json"],
        &["get", "exports/DT_AllProperties.class"],
        &["check"],
        &["unreal", "deps"],
        &["unreal", "types"],
    ];
    for args in commands {
        let output = |file: &str, key: &[&str]| {
            let ran = run(&[args, key, &[file]].concat());
            (ran.code, ran.out.replace(file, ""), ran.err.replace(file, ""))
        };
        let plain = output(PACKAGE, &[]);
        for name in ["v3", "v8", "v11", "v11-hashes"] {
            let file = pak(name) + ":Content/Tiny.uasset";
            let read = output(&file, &[]);
            match args {
                // The names of the files have different lengths, so the output differs.
                ["check"] => assert_eq!(read.0, plain.0, "{name}"),
                _ => assert_eq!(read, plain, "{args:?} {name}"),
            }
        }
        let file = pak("v11-encrypted") + ":content/TINY.uasset";
        assert_eq!(output(&file, &["--key", KEY]).0, plain.0, "{args:?}");
    }
    let same = ["diff", PACKAGE, "corpus/unreal-paks/v11.pak:Game/Content/Tiny.uasset"];
    assert_eq!(shown(run(&same)), "");
}

/// Files that are not packages are inputs, too.
#[test]
fn other_files_are_read_from_paks() {
    let text = shown(run(&["get", "Game/Name", "corpus/unreal-paks/v11.pak:Config/Game.ini"]));
    assert_eq!(text, "\"Tiny\"\n");
}

#[test]
fn extract() {
    let folder = empty_folder("unreal_paks/extract");
    let target = folder.join("all");
    let to = target.to_str().unwrap();
    let text = shown(run(&["unreal", "extract", "--key", KEY, &pak("v11-encrypted"), "-o", to]));
    assert_eq!(text, format!("3 files in {to}\n"));
    let same = |name: &str, original: &str| {
        assert!(
            fs::read(target.join(name)).unwrap() == fs::read(root(original)).unwrap(),
            "{name}"
        );
    };
    same("Content/Tiny.uasset", PACKAGE);
    same("Content/Tiny.uexp", "corpus/unreal/ue5.8-cooked-tagged-DT_AllProperties.uexp");

    let target = folder.join("some");
    let to = target.to_str().unwrap();
    let extract = ["unreal", "extract", &pak("v8"), "content/", "-o", to];
    assert_eq!(shown(run(&extract)), format!("2 files in {to}\n"));
    assert!(target.join("Content/Tiny.uexp").exists() && !target.join("Config").exists());
    let ran = run(&["unreal", "extract", &pak("v8"), "Conte", "Config/Game.ini", "-o", to]);
    assert_eq!((ran.code, &*ran.out), (Some(1), &*format!("1 file in {to}\n")));
    assert!(ran.err.contains("the pak has no file or folder Conte\n"), "{}", ran.err);
    let ran = run(&["unreal", "extract", PACKAGE, "-o", to]);
    assert!(
        ran.code == Some(1)
            && ran.err.ends_with("this is neither a pak nor the .utoc of a container\n"),
        "{}",
        ran.err
    );
}

/// A file whose path leads out of the folder is not written.
#[test]
fn extract_stays_in_the_folder() {
    let folder = empty_folder("unreal_paks/outside");
    let original = fs::read(root(&pak("v3"))).unwrap();
    let path = b"Config/Game.ini\0";
    let at = original.windows(path.len()).position(|bytes| bytes == path).unwrap();
    for other in [
        "../../../x.ini\0",
        "/onfig/Game.ini",
        "Config//ame.ini",
        "C:\\fig/Game.in",
        "Con/./Game.ini\0",
    ] {
        let mut bytes = original.clone();
        bytes[at..at + other.len()].copy_from_slice(other.as_bytes());
        let file = &*write_file(&folder, "bad.pak", &bytes);
        let to = folder.join("inside/inside/inside");
        let ran = run(&["unreal", "extract", file, "-o", to.to_str().unwrap()]);
        assert!(ran.out.starts_with("2 files in "), "{ran:?}");
        assert!(ran.err.contains("the path leads out of the output folder\n"), "{other:?} {ran:?}");
        assert_eq!(ran.code, Some(1));
    }
    assert!(!folder.join("x.ini").exists());
}

#[test]
fn errors_say_what_to_do() {
    let of = |args: &[&str]| {
        let ran = run(args);
        assert_ne!(ran.code, Some(0), "{args:?}");
        assert_eq!(ran.out, "", "{args:?}");
        ran.err
    };
    let (v11, encrypted, oodle) = (&*pak("v11"), &*pak("v11-encrypted"), &*pak("v11-oodle"));
    let inside = |pak: &str| format!("{pak}:Content/Tiny.uasset");
    for (args, error) in [
        (
            &["show", encrypted][..],
            "its index cannot be read: the data are encrypted: give the key of the game with --key\n",
        ),
        (
            &["show", &inside(encrypted)],
            "the data are encrypted: give the key of the game with --key\n",
        ),
        (
            &["show", "--key", &KEY.replace('3', "4"), encrypted],
            "the key does not decrypt this archive\n",
        ),
        (
            &["show", "--key", "12", encrypted],
            "expected 64 hexadecimal digits, or 32 bytes as base64",
        ),
        (
            &["json", &inside(oodle)],
            "the compression method of this file is not supported: Oodle\n",
        ),
        (&["get", "x", v11], "this is a pak of Unreal Engine: name a file in it"),
        (&["unreal", "deps", v11], "this is a pak of Unreal Engine: name a file in it"),
        (&["json", &format!("{v11}:No.uasset")], "the pak has no such file: `gamewire show --full"),
        (&["json", &format!("{PACKAGE}:No.uasset")], "No such file"),
        (&["encode", v11], "this is a pak of Unreal Engine"),
        (&["set", "a", "1", &inside(v11), "-o", &inside(v11)], ""),
    ] {
        let text = of(args);
        assert!(text.contains(error), "{args:?}: {text}");
    }
    let ran = run_on(&["show", "-"], &fs::read(root(v11)).unwrap());
    assert!(ran.err.contains("this is a pak of Unreal Engine"), "{}", ran.err);
    let ini = format!("{v11}:Config/Game.ini");
    let ran = run(&["set", "--in-place", "Game/Name", "\"New\"", &ini]);
    assert!(
        ran.err.contains("gamewire does not change archives: write to another file"),
        "{}",
        ran.err
    );
}
