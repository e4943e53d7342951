//! Reads packages from `IoStore` containers.

use crate::command::{root, run, run_on, shown};
use crate::unreal::has;
use std::fs;

const PACKAGE: &str = "corpus/unreal-zen/tiny.uasset";
const MAPPINGS: &str = "corpus/unreal-mappings/tiny.v4.usmap";

#[test]
fn tables_and_properties_are_printed() {
    let with = ["--mappings", MAPPINGS, PACKAGE];
    let show = shown(run(&[&["show"][..], &with].concat()));
    has(&show, &["package /Game/Tiny", "IoStore, header of engine 5.3", "exports", "Thing"]);
    let get = |path| shown(run(&[&["get", path][..], &with].concat()));
    assert_eq!(get("exports[0].properties.KByte"), "EKind::Two\n");
    assert_eq!(get("exports[0].properties.MNameInt.Two"), "22\n");
    assert_eq!(get("kind"), "zen_package\n");
    let name = get("exports[0].path");
    assert_eq!(get(&format!("exports.{}.properties.KByte", name.trim())), "EKind::Two\n");
    let raw = run(&[&["get", "--raw", "exports[0].properties.S"][..], &with].concat());
    assert_eq!(raw.out, "\u{5}\0\0\0text\0");
    let json = shown(run(&[&["json"][..], &with].concat()));
    has(&json, &["\"kind\": \"zen_package\"", "\"path\": \"/Script/"]);
    assert!(!json.contains("errors") && !json.contains("properties_error"), "{json}");
    let check = run(&[&["check", "--strict"][..], &with].concat());
    has(&check.out, &["522/1009 from an IoStore container, header of engine 5.3"]);
    let diff = run(&["diff", "--mappings", MAPPINGS, PACKAGE, PACKAGE]);
    assert_eq!((diff.out, diff.err), (String::new(), String::new()));
}

/// Without names, classes are printed as hashes, and a hint tells where the names are.
#[test]
fn classes_without_names() {
    let show = run(&["show", PACKAGE]);
    has(&show.out, &["/Script/?."]);
    has(&show.err, &["the package states its classes as hashes", "--script-objects global.ucas"]);
    let check = run(&["check", PACKAGE]);
    has(&check.out, &["ok ", "needs --mappings", "the package states its classes as hashes"]);
    let bad = ["show", "--script-objects", MAPPINGS, PACKAGE];
    has(&run(&bad).err, &["tiny.v4.usmap: not a table of script objects"]);
}

/// Reads a table of script objects with one name and one class, which has no package.
#[test]
fn classes_named_by_script_objects() {
    let get = ["get", "--json", "exports[0].class", PACKAGE];
    let class = u64::from_str_radix(shown(run(&get)).trim().trim_matches('"'), 16).unwrap();
    let mut table = Vec::new();
    table.extend([1, 4].map(u32::to_le_bytes).concat());
    table.extend([0xC164_0000, 0].map(u64::to_le_bytes).concat());
    table.extend(b"\0\x04Hero");
    table.extend([1, 0x8000_0000, 0].map(u32::to_le_bytes).concat());
    table.extend([class, u64::MAX, u64::MAX].map(u64::to_le_bytes).concat());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("global.ucas");
    fs::write(&file, table).unwrap();
    let args =
        ["get", "exports[0].class_name", "--script-objects", file.to_str().unwrap(), PACKAGE];
    assert_eq!(shown(run(&args)), "Hero\n");
}

/// A supplied version whose engines write another form of the header is an error.
#[test]
fn wrong_versions() {
    let args = ["check", "--unreal-version", "5.6", "--mappings", MAPPINGS, PACKAGE];
    has(&run(&args).out, &["refused", "version 522/1017 does not fit the header"]);
    let file = fs::read(root(PACKAGE)).unwrap();
    let cut = run_on(&["check", "-"], &file[..200]);
    assert!(cut.out.starts_with("refused"), "{}", cut.out);
}

#[test]
fn packages_are_not_changed() {
    let set = run(&["set", "exports[0].object_flags", "1", PACKAGE]);
    has(&set.err, &["can be read, but not changed", "retoc to-legacy"]);
    let json = shown(run(&["json", "--mappings", MAPPINGS, PACKAGE]));
    let encode = run_on(&["encode", "--as", "unreal", "-"], json.as_bytes());
    has(&encode.err, &["can be read, but not changed"]);
    has(&run(&["unreal", "deps", PACKAGE]).err, &["states its references as hashes"]);
    let find = run(&["set", "hp", "5", PACKAGE]);
    assert!(!find.err.contains("Godot"), "{}", find.err);
}
