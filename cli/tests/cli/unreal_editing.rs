//! Tests `set`, `encode --as unreal` and `diff` on packages and saves.

use crate::command::{empty_folder, root, run, run_on, shown};
use crate::unreal::{PACKAGE, has};
use std::fs;
use std::path::PathBuf;

const SAVE: &str = "corpus/unreal/gvas-ue4.27-Slot1.sav";
const TWO_FILES: &str = "corpus/unreal/ue5.8-cooked-tagged-DA_AllProperties.uasset";

/// Returns the path of a file in an empty folder that is named after the test.
fn temporary(test: &str, name: &str) -> PathBuf {
    empty_folder(&format!("unreal_editing_{test}")).join(name)
}

#[test]
fn documents_are_written_back() {
    for file in [SAVE, "corpus/unreal-small/lone_surrogate.sav", PACKAGE] {
        for form in ["hex", "base64"] {
            let json = shown(run(&["json", "--bytes", form, file]));
            let path = temporary("back", "file");
            let name = path.to_str().unwrap();
            let ran = run_on(&["encode", "--as", "unreal", "-o", name, "-"], json.as_bytes());
            assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{file}");
            assert!(fs::read(&path).unwrap() == fs::read(root(file)).unwrap(), "{file}");
        }
    }
}

#[test]
fn a_package_of_two_files() {
    let path = temporary("a_package_of_two_files", "Changed.uasset");
    let name = path.to_str().unwrap();
    let change = ["exports[1].properties.Integer64", "5"];
    shown(run(&["set", change[0], change[1], TWO_FILES, "-o", name]));
    assert_eq!(shown(run(&["get", change[0], name])), "5\n");
    let ran = run(&["diff", TWO_FILES, name]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.out, "~ exports[1].properties.Integer64: 1234605616436508552 → 5\n");
    assert_eq!(shown(run(&["check", name])).lines().count(), 1);

    let json = shown(run(&["json", name]));
    let ran = run_on(&["encode", "--as", "unreal", "-"], json.as_bytes());
    assert_eq!(ran.code, Some(1));
    has(&ran.err, &["the package has two files: name the first one with -o"]);
    let copy = temporary("a_package_of_two_files_copy", "Copy.uasset");
    let copied = copy.to_str().unwrap();
    run_on(&["encode", "--as", "unreal", "-o", copied, "-"], json.as_bytes());
    assert!(fs::read(&copy).unwrap() == fs::read(&path).unwrap());
    let uexp = |path: &PathBuf| fs::read(path.with_extension("uexp")).unwrap();
    assert!(uexp(&copy) == uexp(&path));
}

#[test]
fn names_of_objects() {
    let path = temporary("names_of_objects", "Changed.uasset");
    let name = path.to_str().unwrap();
    shown(run(&["set", "exports.EventGraph.object_name", "Graph_7", PACKAGE, "-o", name]));
    assert_eq!(shown(run(&["get", "exports.Graph_7.class_name", name])), "EdGraph\n");
    const TABLE: &str = "corpus/unreal/ue5.8-cooked-tagged-DT_AllProperties.uasset";
    shown(run(&["set", "exports.0.rows.Alpha.Number", "42", TABLE, "-o", name]));
    assert_eq!(shown(run(&["get", "exports.0.rows.Alpha.Number", name])), "42\n");
    shown(run(&["set", "exports.0.rows.Alpha", "null", TABLE, "-o", name]));
    assert!(!shown(run(&["get", "exports.0.rows", name])).contains("Alpha_CUE4Parse"));
    let ran = run(&["set", "summary.guid", "0", PACKAGE, "-o", name]);
    assert_eq!(ran.code, Some(1));
    has(&ran.err, &["of a package, `set` changes properties of exports"]);
}

#[test]
fn values_that_do_not_fit() {
    let path = temporary("values_that_do_not_fit", "Changed.sav");
    let name = path.to_str().unwrap();
    for (path, value, message) in [
        ("properties.u8_test", "300", "an integer is out of range"),
        ("properties.u8_test", "many", "VALUE must be a number"),
        ("properties.array_of_ints", "5", "VALUE must be a list in JSON"),
        ("properties.array_of_ints[9]", "5", "no index `9`"),
        ("properties.new", "{}", "--type TYPE adds one"),
        ("properties.no.such", "5", "no property `no`"),
        ("engine.major", "70000", "an integer is out of range"),
    ] {
        let ran = run(&["set", path, value, SAVE, "-o", name]);
        assert_eq!(ran.code, Some(1), "{path}");
        has(&ran.err, &[message]);
        assert!(!std::path::Path::new(name).exists());
    }
}

/// The keys of an empty map of bytes can be numbers or names of an enum.
#[test]
fn keys_of_maps() {
    let path = temporary("keys_of_maps", "Changed.sav");
    let name = path.to_str().unwrap();
    let empty = r#"{"removed":[],"entries":[]}"#;
    for (key, json) in [("5", "5"), ("EMode::A", "\"EMode::A\"")] {
        let of = "MapProperty(ByteProperty,IntProperty)";
        let map = ["--json", "--type", of, "properties.Modes", empty];
        let ran = run(&[&["set"], &map[..], &[SAVE, "-o", name]].concat());
        has(&ran.err, &["the property `Modes` is added"]);
        let entry = format!("properties.Modes.{key}");
        let ran = run(&["set", &entry, "7", name, "-o", name]);
        has(&ran.err, &["is added"]);
        assert_eq!(shown(run(&["get", &entry, name])), "7\n");
        let entries = shown(run(&["get", "properties.Modes.entries", name]));
        has(&entries, &[&format!("\"key\": {json}")]);
    }
    let ran = run(&["set", "properties.Modes.EMode::B", "8", name, "-o", name]);
    has(&ran.err, &["is added"]);
    assert_eq!(shown(run(&["get", "properties.Modes.EMode::B", name])), "8\n");
}

#[test]
fn documents_that_cannot_be_written() {
    for (document, message) in [
        ("{}", "this is not a document of a package or save"),
        ("[1", "line 1 column"),
        (r#"{"kind":"save"}"#, "`save_game_version` is missing"),
        (r#"{"kind":"package"}"#, "lacks the bytes of the package (`stored`)"),
    ] {
        let ran =
            run_on(&["encode", "--as", "unreal", "-o", "/nonexistent/x", "-"], document.as_bytes());
        assert_eq!(ran.code, Some(1), "{document}");
        has(&ran.err, &[message]);
    }
}
