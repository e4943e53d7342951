//! Tests commands on `IoStore` containers and on the chunks in them.

use crate::command::{empty_folder, root, run, run_on, shown, write_file};
use serde_json::Value;
use std::fs;

/// The key of `v5-encrypted.utoc`.
const KEY: &str = "3031323334353637383961626364656630313233343536373839414243444546";

const PACKAGE: &str = "corpus/unreal-zen/tiny.uasset";

fn utoc(name: &str) -> String {
    format!("corpus/unreal-iostore/{name}.utoc")
}

#[test]
fn show_lists_chunks() {
    let text = shown(run(&["show", &utoc("v8")]));
    let expected = "\
container ../../../Game/
  version           8
  identifier        123456789abcdef0
  form              not encrypted
  partitions        1
  methods           Zlib, LZ4, Zstd, Oodle

chunks 3
  size  stored  method  type              path
  1334    1334  none    ExportBundleData  Content/Tiny.uasset
    19      25  Zlib    ExternalFile      Config/Game.ini
    25      33  Zlib    ContainerHeader   0200cdab0000000000000006
";
    assert_eq!(text, expected);
    let text = shown(run(&["show", "--key", KEY, &utoc("v5-encrypted")]));
    assert!(text.contains("  form              encrypted, signed\n"), "{text}");
    assert!(text.contains("Config/Game.ini\n"), "{text}");
    let text = shown(run(&["show", &utoc("v3")]));
    assert!(text.contains("  partitions        2\n"), "{text}");
    assert!(text.contains("ExportBundleData  Content/Tiny.uasset\n"), "{text}");
}

#[test]
fn check_finds_wrong_blocks() {
    let text =
        shown(run(&["check", &utoc("v3"), &utoc("v8"), "--key", KEY, &utoc("v5-encrypted")]));
    assert!(text.contains("container version 3, 3 chunks\n"), "{text}");
    assert!(text.contains("container version 8, 3 chunks\n"), "{text}");
    assert!(text.contains("container version 5, 3 chunks, encrypted\n"), "{text}");
    let folder = empty_folder("unreal_containers/check");
    let bytes = fs::read(root(&utoc("v8"))).unwrap();
    // Without the `.ucas`, all blocks are missing.
    let file = &*write_file(&folder, "alone.utoc", &bytes);
    let ran = run(&["check", file]);
    assert_eq!((ran.code, &*ran.err), (Some(1), ""));
    assert!(ran.out.starts_with("refused ") && ran.out.contains("container version 8, 3 chunks\n"));
    assert!(ran.out.contains("  error: 0000cdab0000000000000007: "), "{}", ran.out);
    assert!(ran.out.ends_with("[BadOffset]\n"), "{}", ran.out);
    let mut newer = bytes.clone();
    newer[16] = 9;
    let ran = run(&["check", &write_file(&folder, "newer.utoc", &newer)]);
    let error = "container, but its index cannot be read: ";
    assert!(ran.code == Some(1) && ran.out.contains(error), "{ran:?}");
    assert!(ran.out.contains("unknown version of a .utoc (newest supported: 8): 9\n"), "{ran:?}");
}

#[test]
fn json_lists_chunks() {
    let json: Value = serde_json::from_str(&shown(run(&["json", &utoc("v8")]))).unwrap();
    assert_eq!(json["type"], "container");
    assert_eq!(json["version"], 8);
    assert_eq!(json["mount_point"], "../../../Game/");
    let chunks = json["chunks"].as_array().unwrap();
    assert_eq!(chunks.len(), 3);
    assert_eq!(chunks[0]["path"], "Content/Tiny.uasset");
    assert_eq!(chunks[0]["type"], "ExportBundleData");
    assert_eq!(chunks[1]["method"], "Zlib");
    assert_eq!(chunks[1]["hash"].as_str().unwrap().len(), 40);
    assert_eq!(chunks[2]["id"], chunks[2]["path"]);
}

/// A package in a container gives the same output as the same package in a file.
#[test]
fn packages_are_read_from_containers() {
    let commands =
        [&["show", "--full"][..], &["json"], &["get", "kind"], &["check"], &["unreal", "types"]];
    for args in commands {
        let output = |file: &str, key: &[&str]| {
            let ran = run(&[args, key, &[file]].concat());
            (ran.code, ran.out.replace(file, ""), ran.err.replace(file, ""))
        };
        let plain = output(PACKAGE, &[]);
        for name in ["v3", "v8", "v8-oodle"] {
            let file = utoc(name) + ":Content/Tiny.uasset";
            let read = output(&file, &[]);
            match args {
                // The layout of the line can depend on the length of the file name.
                ["check"] => assert_eq!(read.0, plain.0, "{name}"),
                _ => assert_eq!(read, plain, "{args:?} {name}"),
            }
        }
        let file = utoc("v5-encrypted") + ":content/TINY.uasset";
        assert_eq!(output(&file, &["--key", KEY]).0, plain.0, "{args:?}");
    }
    let same = ["diff", PACKAGE, &(utoc("v8") + ":Game/Content/Tiny.uasset")];
    assert_eq!(shown(run(&same)), "");
    let id = utoc("v8") + ":0100cdab0000000000000001";
    assert_eq!(shown(run(&["get", "kind", &id])), shown(run(&["get", "kind", PACKAGE])));
    let ini = utoc("v3") + ":Config/Game.ini";
    assert_eq!(shown(run(&["get", "Game/Name", &ini])), "\"Tiny\"\n");
}

#[test]
fn extract() {
    let folder = empty_folder("unreal_containers/extract");
    let target = folder.join("all");
    let to = target.to_str().unwrap();
    let text = shown(run(&["unreal", "extract", "--key", KEY, &utoc("v5-encrypted"), "-o", to]));
    assert_eq!(text, format!("3 files in {to}\n"));
    let read = |name: &str| fs::read(target.join(name)).unwrap();
    assert!(read("Content/Tiny.uasset") == fs::read(root(PACKAGE)).unwrap());
    assert_eq!(read("0200cdab0000000000000006"), b"the header of a container");
    let target = folder.join("some");
    let to = target.to_str().unwrap();
    let second = "0200cdab000000000000000a"; // in the second partition
    let ran = run(&["unreal", "extract", &utoc("v3"), second, "No", "-o", to]);
    assert_eq!((ran.code, &*ran.out), (Some(1), &*format!("1 file in {to}\n")));
    assert!(ran.err.contains("the container has no file or folder No\n"), "{}", ran.err);
    // A file whose path leads out of the folder is not written.
    let mut bytes = fs::read(root(&utoc("v8"))).unwrap();
    let name = b"Config\0";
    let at = bytes.windows(name.len()).position(|bytes| bytes == name).unwrap();
    bytes[at..at + 6].copy_from_slice(b"../../");
    let file = &*write_file(&folder, "bad.utoc", &bytes);
    fs::copy(root("corpus/unreal-iostore/v8.ucas"), folder.join("bad.ucas")).unwrap();
    let ran = run(&["unreal", "extract", file, "-o", to]);
    assert!(ran.out.starts_with("2 files in "), "{ran:?}");
    assert!(ran.err.contains("the path leads out of the output folder\n"), "{ran:?}");
}

#[test]
fn errors_say_what_to_do() {
    let (v8, encrypted, oodle) = (&*utoc("v8"), &*utoc("v5-encrypted"), &*utoc("v8-oodle"));
    let inside = |utoc: &str, path: &str| format!("{utoc}:{path}");
    for (args, error) in [
        (
            &["show", encrypted][..],
            "its index cannot be read: the data are encrypted: give the key of the game with --key\n",
        ),
        (
            &["show", "--key", &KEY.replace('3', "4"), encrypted],
            "the key does not decrypt this archive\n",
        ),
        (
            &["json", &inside(oodle, "Config/Game.ini")],
            "the compression method of this file is not supported: Oodle\n",
        ),
        (
            &["get", "x", v8],
            "this is an IoStore container of Unreal Engine: name a file in it (as in game.utoc:",
        ),
        (
            &["json", &inside(v8, "No.uasset")],
            "the container has no such file: `gamewire show --full",
        ),
        (&["encode", v8], "this is the table of contents of an IoStore container"),
    ] {
        let ran = run(args);
        assert_ne!(ran.code, Some(0), "{args:?}");
        assert!(ran.err.contains(error), "{args:?}: {}", ran.err);
    }
    let ran = run_on(&["show", "-"], &fs::read(root(v8)).unwrap());
    assert!(ran.err.contains("this is the table of contents of an IoStore"), "{}", ran.err);
    let folder = empty_folder("unreal_containers/alone");
    let file = &*write_file(&folder, "alone.utoc", &fs::read(root(v8)).unwrap());
    let ran = run(&["json", &inside(file, "Content/Tiny.uasset")]);
    assert!(ran.err.contains("alone.ucas: "), "{}", ran.err);
}
