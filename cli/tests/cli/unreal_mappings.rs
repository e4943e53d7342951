//! Reads packages whose properties have no tags, with mappings that are named on the command line
//! or found near the package.

use crate::command::{root, run, run_on, shown};
use crate::unreal::has;
use std::fs;

const PACKAGE: &str = "corpus/unreal-mappings/tiny.uasset";
const MAPPINGS: &str = "corpus/unreal-mappings/tiny.v4.usmap";

#[test]
fn named_mappings() {
    let with = ["--unreal-version", "5.3", "--mappings", MAPPINGS, PACKAGE];
    let get = |path| shown(run(&[&["get", path][..], &with].concat()));
    assert_eq!(get("exports[0].properties.KByte"), "EKind::Two\n");
    assert_eq!(get("exports[0].properties.AStruct[0].B"), "one\n");
    assert_eq!(get("exports[0].properties.MNameInt.Two"), "22\n");
    assert_eq!(get("exports[0].object_guid"), "00000011000000220000003300000044\n");
    let json = shown(run(&[&["json"][..], &with].concat()));
    assert!(json.contains(r#""name": "BaseKind""#) && !json.contains("properties_error"));
    let raw = run(&[&["get", "--raw", "exports[0].properties.S"][..], &with].concat());
    assert_eq!(raw.out, "\u{5}\0\0\0text\0");
    let check = run(&[&["check"][..], &with].concat());
    assert!(check.out.starts_with("ok "), "{}", check.out);
    assert!(!check.out.contains("untagged"), "{}", check.out);
}

/// Mappings are found in the folder of a package and in folders above it, unless one folder has
/// several.
#[test]
fn mappings_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("Game/Content");
    fs::create_dir_all(&below).unwrap();
    for name in ["tiny.uasset", "tiny.uexp"] {
        fs::copy(root("corpus/unreal-mappings").join(name), below.join(name)).unwrap();
    }
    let package = below.join("tiny.uasset");
    let package = package.to_str().unwrap();
    let args = ["get", "exports[0].properties.Last", "--unreal-version", "5.3", package];
    has(&run(&args).err, &["the names and types of its properties are not in the package"]);
    let mappings = folder.path().join("Game/tiny.usmap");
    fs::copy(root(MAPPINGS), &mappings).unwrap();
    let ran = run(&args);
    assert_eq!(ran.out, "1234\n", "{}", ran.err);
    has(&ran.err, &["note: ", "tiny.usmap: properties are read with these mappings"]);
    fs::copy(root(MAPPINGS), folder.path().join("Game/other.usmap")).unwrap();
    has(&run(&args).err, &["has several .usmap files: name one with --mappings"]);
    fs::remove_file(folder.path().join("Game/other.usmap")).unwrap();
    fs::write(&mappings, b"something else").unwrap();
    has(&run(&args).err, &["warning: ", "not mappings"]);
}

#[test]
fn mappings_that_cannot_be_read() {
    let with = |path| run(&["check", "--unreal-version", "5.3", "--mappings", path, PACKAGE]);
    has(&with("missing.usmap").err, &["missing.usmap: "]);
    has(&with(PACKAGE).err, &["not mappings: the file does not begin with the bytes c4 30"]);
}

/// The message names a class that the mappings do not have.
#[test]
fn missing_classes() {
    let file = "corpus/unreal/ue5.4-cooked-BP_CubePawn.uasset";
    let ran = run(&["check", "--unreal-version", "5.4", "--mappings", MAPPINGS, file]);
    has(&ran.out, &["the mappings have no class BlueprintGeneratedClass"]);
}

/// An unchanged document is written back. Changes made in a document or with `set` are read back.
#[test]
fn editing() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("tiny.uasset");
    let to = to.to_str().unwrap();
    let with = ["--unreal-version", "5.3", "--mappings", MAPPINGS, PACKAGE];
    let json = shown(run(&[&["json"][..], &with].concat()));
    let encode = ["encode", "--as", "unreal", "--mappings", MAPPINGS, "-o", to];
    let ran = run_on(&encode, json.as_bytes());
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    for name in ["tiny.uasset", "tiny.uexp"] {
        let original = fs::read(root("corpus/unreal-mappings").join(name)).unwrap();
        assert!(fs::read(folder.path().join(name)).unwrap() == original, "{name}");
    }
    let ran = run_on(&["encode", "--as", "unreal", "-o", to], json.as_bytes());
    has(&ran.err, &["writing the document needs the mappings"]);
    let changed = json.replace(r#""value": 1234"#, r#""value": 4321"#);
    let ran = run_on(&encode, changed.as_bytes());
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    let get = |path: &str| shown(run(&[&["get", path][..], &with[..4], &[to]].concat()));
    assert_eq!(get("exports[0].properties.Last"), "4321\n");

    let [_, _, _, _, file] = with;
    let set = |path: &str, value: &str| {
        let path = format!("exports[0].properties.{path}");
        let ran = run(&[&["set", &path, value, file, "-o", to][..], &with[..4]].concat());
        (ran.code, ran.err)
    };
    let done = (Some(0), String::new());
    for (path, value) in [("Last", "7"), ("AStruct[1].A", "9"), ("BaseKind", "EKind::Two")] {
        assert_eq!(set(path, value), done);
        assert_eq!(get(&format!("exports[0].properties.{path}")), format!("{value}\n"));
    }
    let (code, added) = set("Fixed[#1]", "5");
    assert!(code == Some(0) && added.contains("the property `Fixed` is added"), "{added}");
    assert_eq!(get("exports[0].properties.Fixed[#1]"), "5\n");
    assert_eq!(set("F", "null"), done);
    assert!(!get("exports[0].properties").contains(r#""F""#));
    let (code, fault) = set("Nothing", "5");
    assert_ne!(code, Some(0));
    has(&fault, &["`Thing` has no property `Nothing` in the mappings"]);
}

/// Commands read objects whose classes the package itself declares, and `encode` writes such a
/// package back from its document.
#[test]
fn declared_classes() {
    const PACKAGE: &str = "corpus/unreal-mappings/declared.uasset";
    const MAPPINGS: &str = "corpus/unreal-mappings/declared.usmap";
    let with = ["--unreal-version", "5.3", "--mappings", MAPPINGS, PACKAGE];
    let get = |path| shown(run(&[&["get", path][..], &with].concat()));
    assert_eq!(get("exports[0].properties.ScriptStructP0"), "77\n");
    assert_eq!(get("exports[3].properties.ThingP0.path"), "\n");
    let check = run(&[&["check"][..], &with].concat());
    assert!(check.out.starts_with("ok ") && !check.out.contains("no class"), "{}", check.out);
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("declared.uasset");
    let to = to.to_str().unwrap();
    let json = shown(run(&[&["json"][..], &with].concat()));
    assert!(!json.contains("properties_error"));
    let encode = ["encode", "--as", "unreal", "--mappings", MAPPINGS, "-o", to];
    let ran = run_on(&encode, json.as_bytes());
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    for name in ["declared.uasset", "declared.uexp"] {
        let original = fs::read(root("corpus/unreal-mappings").join(name)).unwrap();
        assert!(fs::read(folder.path().join(name)).unwrap() == original, "{name}");
    }
}
