//! Reads packages whose classes, structs and enums other packages declare.

use crate::command::{Ran, root, run, run_on};
use crate::unreal::has;
use std::fs;
use tempfile::TempDir;

const FOLDER: &str = "corpus/unreal-declared";
const MAPPINGS: &str = "corpus/unreal-declared/declared.usmap";
const ROOM: &str = "corpus/unreal-declared/Content/Doors/Room.uasset";

/// A property whose type is an enum that another package declares.
const STATE: &str = "exports[0].properties.State";

/// Copies packages of the samples to a new folder. Each pair has the path of a sample and the path
/// of the copy, without extensions.
fn copied(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (from, to) in files {
        let (from, to) = (root(FOLDER).join("Content").join(from), folder.path().join(to));
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        for extension in ["uasset", "uexp"] {
            fs::copy(from.with_extension(extension), to.with_extension(extension)).unwrap();
        }
    }
    folder
}

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().into()
}

/// The packages of all types that `Doors/Room` needs.
const NEEDED: [&str; 4] = ["Doors/Door", "Base/Wall", "Base/E_State", "Base/S_Size"];

const WITH: [&str; 4] = ["--unreal-version", "5.3", "--mappings", MAPPINGS];

fn get(value: &str, file: &str) -> Ran {
    run(&[&["get", value][..], &WITH, &[file]].concat())
}

/// The packages are found in the folders of the game. A note names each file once.
#[test]
fn packages_are_found_in_the_folders_of_the_game() {
    let ran = get(STATE, ROOM);
    assert_eq!((&*ran.out, ran.code), ("E_State::NewEnumerator3\n", Some(0)), "{}", ran.err);
    for name in NEEDED {
        has(&ran.err, &[&format!("{name}.uasset: properties are read with the types")]);
    }
    assert_eq!(ran.err.lines().count(), 4, "{}", ran.err);
    for (value, printed) in [
        ("exports[0].properties.Open", "7\n"),
        ("exports[0].properties.Height", "300\n"),
        ("exports[0].properties.Size.Width", "90\n"),
        ("exports[0].properties.Health", "100\n"),
        ("exports[0].native_size", "0\n"),
    ] {
        assert_eq!(get(value, ROOM).out, printed);
    }
    let check = run(&[&["check"][..], &WITH, &[ROOM]].concat());
    assert!(check.out.starts_with("ok ") && check.out.lines().count() == 1, "{}", check.out);
    let twice = run(&[&["check"][..], &WITH, &[ROOM, ROOM]].concat());
    assert_eq!(twice.err.lines().count(), 4, "{}", twice.err);
    for command in ["show", "json"] {
        let ran = run(&[&[command][..], &WITH, &[ROOM]].concat());
        assert_eq!((ran.code, ran.err.lines().count()), (Some(0), 4), "{command}");
    }
}

/// The packages are also found beside the file and under other roots.
#[test]
fn packages_are_found_elsewhere() {
    let beside = NEEDED.map(|name| (name, name.rsplit_once('/').unwrap().1));
    let folder = copied(&[&beside[..], &[("Doors/Room", "Room")]].concat());
    let ran = get(STATE, &path(&folder, "Room.uasset"));
    assert_eq!(ran.out, "E_State::NewEnumerator3\n", "{}", ran.err);

    let here = [("Doors/Door", "Game/Doors/Door"), ("Base/Wall", "Game/Base/Wall")];
    let there = [("Base/E_State", "Game/Base/E_State"), ("Base/S_Size", "Game/Base/S_Size")];
    let folder = copied(&[&here[..], &there, &[("Doors/Room", "Game/Doors/Room")]].concat());
    let ran = get(STATE, &path(&folder, "Game/Doors/Room.uasset"));
    assert_eq!(ran.out, "E_State::NewEnumerator3\n", "{}", ran.err);
}

/// A file in the right place that contains another package is not used.
#[test]
fn other_packages_are_not_used() {
    let folder = copied(&[
        ("Doors/Room", "Content/Doors/Room"),
        ("Base/Wall", "Content/Doors/Door"),
        ("Doors/Door", "Doors/Door"),
        ("Base/Wall", "Base/Wall"),
    ]);
    let ran = get("exports[0].properties.Open", &path(&folder, "Content/Doors/Room.uasset"));
    assert_eq!(ran.out, "7\n", "{}", ran.err);
    has(&ran.err, &["Doors/Door.uasset: properties are read with the types", "Base/Wall.uasset: "]);
    assert!(!ran.err.contains("Content/Doors/Door.uasset"), "{}", ran.err);
    let hint = "Content/Doors/Room.uasset refers to types that are not known: \
                /Game/Base/E_State.E_State, /Game/Base/S_Size.S_Size; if its properties cannot be \
                read, give the files of these packages with --declarations FILE";
    has(&ran.err, &["hint: ", hint]);
}

/// Without the other packages, messages name the class and its package.
#[test]
fn missing_packages() {
    let folder = copied(&[("Doors/Room", "Room"), ("Doors/Door", "other/Door")]);
    let file = path(&folder, "Room.uasset");
    let check = run(&[&["check"][..], &WITH, &[&file]].concat());
    has(&check.err, &["Room.uasset refers to types that are not known: /Game/Doors/Door.Door_C;"]);
    let hint = "the mappings have no class /Game/Doors/Door.Door_C: give the file of \
                /Game/Doors/Door with --declarations FILE";
    has(&check.out, &[hint]);
    let json = run(&[&["json"][..], &WITH, &[&file]].concat()).out;
    has(&json, &["properties_error", ": /Game/Doors/Door.Door_C\""]);

    // The class is known, but not its super class.
    let door = path(&folder, "other/Door.uasset");
    let with = [&WITH[..], &["--declarations", &door]].concat();
    let check = run(&[&["check"][..], &with, &[&file]].concat());
    has(&check.err, &["types that are not known: /Game/Base/Wall.Wall_C;"]);
    has(&check.out, &["the mappings have no class Wall_C"]);
    let check = run(&[&["check"][..], &WITH, &[&door]].concat());
    has(&check.out, &["the mappings have no class /Game/Base/Wall.Wall_C: give the file of"]);
    let json = run(&[&["json"][..], &WITH, &[&door]].concat()).out;
    has(&json, &["properties_error", ": Wall_C\""]);
}

/// `--declarations` names packages that are not near the file.
#[test]
fn given_packages() {
    let folder = copied(&[("Doors/Room", "Room")]);
    let file = path(&folder, "Room.uasset");
    let files = NEEDED.map(|name| format!("{FOLDER}/Content/{name}.uasset"));
    let given = files.iter().flat_map(|file| ["--declarations", file]);
    let given: Vec<_> = given.collect();
    let ran = run(&[&["get", STATE][..], &WITH, &given, &[&file]].concat());
    assert_eq!(ran.out, "E_State::NewEnumerator3\n", "{}", ran.err);
    // Packages are not looked for near the given one.
    let ran = run(&[&["get", STATE][..], &WITH, &given[..2], &[&file]].concat());
    has(&ran.err, &["/Game/Base/Wall.Wall_C"]);
    let wrong = |wrong| {
        let ran = run(&[&["check"][..], &WITH, &["--declarations", wrong, &file]].concat());
        assert_eq!(ran.code, Some(1));
        ran.err + &ran.out
    };
    has(&wrong("missing.uasset"), &["missing.uasset: "]);
    has(&wrong(MAPPINGS), &["declared.usmap: not a package that can be read"]);
}

/// Packages in an archive are found in the same archive.
#[test]
fn packages_in_archives() {
    for archive in ["declared.pak", "declared.utoc"] {
        let folder = tempfile::tempdir().unwrap();
        for name in ["declared.pak", "declared.utoc", "declared.ucas"] {
            fs::copy(root(FOLDER).join(name), folder.path().join(name)).unwrap();
        }
        let file = path(&folder, &format!("{archive}:Content/Doors/Room.uasset"));
        let ran = get(STATE, &file);
        assert_eq!(ran.out, "E_State::NewEnumerator3\n", "{archive} {}", ran.err);
        let note = format!("{archive}:Content/Base/Wall.uasset: properties are read with");
        has(&ran.err, &[&note]);
        assert_eq!(get("exports[0].properties.Size.Width", &file).out, "90\n");
    }
}

/// Classes that are super classes of each other do not make the program loop forever.
#[test]
fn super_classes_in_a_circle() {
    let file = format!("{FOLDER}/Content/Loops/A.uasset");
    let check = run(&[&["check"][..], &WITH, &[&file]].concat());
    has(&check.err, &["Loops/B.uasset: properties are read with the types"]);
    assert!(check.out.starts_with("ok "), "{}", check.out);
}

/// A document is written back. Other packages are looked for near the output file.
#[test]
fn documents_are_written_back() {
    let json = run(&[&["json"][..], &WITH, &[ROOM]].concat()).out;
    let needed = NEEDED.map(|name| (name, name));
    let folder = copied(&needed);
    let to = path(&folder, "Doors/Room.uasset");
    let encode = ["encode", "--as", "unreal", "--mappings", MAPPINGS, "-o", &to];
    let ran = run_on(&encode, json.as_bytes());
    assert_eq!((ran.code, ran.err.lines().count()), (Some(0), 4), "{}", ran.err);
    for name in ["Room.uasset", "Room.uexp"] {
        let original = fs::read(root(FOLDER).join("Content/Doors").join(name)).unwrap();
        assert!(fs::read(folder.path().join("Doors").join(name)).unwrap() == original, "{name}");
    }
    let changed = json.replace(r#""value": 300"#, r#""value": 301"#);
    let ran = run_on(&encode, changed.as_bytes());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let get = ["json", "--unreal-version", "5.3", "--mappings", MAPPINGS, &to];
    assert!(run(&get).out.contains(r#""value": 301"#));
}
