//! Packages on the command line, run as a user would.

#![cfg(feature = "cli")]

#[path = "support/command.rs"]
mod command;

use command::{run, run_on, shown};
use serde_json::Value;
use std::fs;

const PACKAGE: &str = "corpus/unreal/ue5.6-SimpleRefsRoot.uasset";
const TAGGED: &str = "corpus/unreal/ue5.8-cooked-tagged-Empty.umap";
const UNVERSIONED: &str = "corpus/unreal/ue5.4-cooked-BP_CubePawn.uasset";

#[track_caller]
fn has(text: &str, pieces: &[&str]) {
    for piece in pieces {
        assert!(text.contains(piece), "no {piece:?} in\n{text}");
    }
}

#[test]
fn a_package_is_shown_by_its_tables() {
    has(
        &shown(run(&["show", PACKAGE])),
        &[
            "package /Game/SimpleRefs/SimpleRefsRoot\n",
            "  version           522/1017 (legacy -9)\n",
            "  flags             0x40000 REQUIRES_LOCALIZATION_GATHER\n",
            "\nimports 26\n  index  class                    path\n",
            "    -16  Function                 /Script/Engine.KismetSystemLibrary:PrintString\n",
            "      5  Function                  22064    63  \
             SimpleRefsRoot_C:TestEvent\n",
            "\nsoft references 2\n",
        ],
    );
}

#[test]
fn long_tables_are_cut_unless_all_is_asked_for() {
    let file = "corpus/unreal/ue4.07-MyoUtilityBPLibrary.uasset";
    let short = shown(run(&["show", file]));
    has(&short, &["  … and 26 more (--full)\n", "  … and 237 more (--full)\n"]);
    let full = shown(run(&["show", "--full", file]));
    assert!(!full.contains('…'), "{full}");
    assert_eq!(full.lines().count(), short.lines().count() + 26 + 237 - 2);
}

#[test]
fn a_document_for_programs() {
    let json: Value = serde_json::from_str(&shown(run(&["json", TAGGED]))).unwrap();
    assert_eq!((&json["kind"], &json["byte_order"]), (&"package".into(), &"little".into()));
    assert_eq!(json["exports"].as_array().unwrap().len(), 5);
    assert_eq!(json["errors"], Value::Null);
}

#[test]
fn a_package_without_its_exports() {
    let ran = run_on(&["json", "-"], &fs::read(TAGGED).unwrap());
    assert_eq!(ran.code, Some(1));
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(json["errors"][0]["table"], "exports");
    has(&ran.err, &["error: <stdin>: exports: offset ", "hint: its exports are in a .uexp"]);

    let ran = run_on(&["check", "-"], &fs::read(TAGGED).unwrap());
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    has(&ran.out, &["refused <stdin>", "  error: exports: ", "[UnexpectedEnd]\n", "  hint: "]);
}

#[test]
fn the_version_of_an_unversioned_package_is_supplied() {
    for command in ["show", "json"] {
        let ran = run(&[command, UNVERSIONED]);
        assert_eq!(ran.code, Some(1));
        has(&ran.err, &["the version of its engine has to be supplied", "--unreal-version 5.4"]);
        shown(run(&[command, "--unreal-version", "5.4", UNVERSIONED]));
    }
    let ran = run(&["check", "--unreal-version", "6.0", UNVERSIONED]);
    assert_eq!(ran.code, Some(2));
    has(&ran.err, &["engines are 4.0 to 4.27 and 5.0 to 5.8"]);
}

/// What can be read of it is there, and why it is not more.
#[test]
fn a_newer_version() {
    let mut bytes = fs::read(PACKAGE).unwrap();
    bytes[16..20].copy_from_slice(&1020i32.to_le_bytes());
    let ran = run_on(&["show", "-"], &bytes);
    assert_eq!(ran.code, Some(1));
    has(&ran.out, &["  legacy version    -9\n", "  UE5 version       1020\n"]);
    has(&ran.err, &["version 522/1020 is newer than what is known (522/1018, engine 5.8)"]);
    let ran = run_on(&["check", "-"], &bytes);
    has(&ran.out, &["refused <stdin>", "version 522/1020 is newer", "[NewerVersion]\n"]);
}

#[test]
fn a_damaged_table_is_named() {
    let mut bytes = fs::read(PACKAGE).unwrap();
    bytes[4422..4426].copy_from_slice(&99999i32.to_le_bytes()); // class package of an import
    let ran = run_on(&["check", "-"], &bytes);
    assert_eq!(ran.code, Some(1));
    let error = "  error: imports: offset 4422 (0x1146): 99999 is no index of the 158 names  \
                 [NoSuchName]\n";
    has(&ran.out, &[error]);
    let ran = run_on(&["show", "-"], &bytes);
    assert_eq!(ran.code, Some(1));
    has(&ran.out, &["\nexports 11\n"]);
    has(&ran.err, &["error: <stdin>: imports: offset 4422"]);
}

#[test]
fn either_byte_order_is_recognised() {
    let ran = run_on(&["check", "-"], &[0x9E, 0x2A, 0x83, 0xC1, 0xFF, 0xFF]);
    assert_eq!(ran.code, Some(1));
    has(&ran.out, &["offset 4 (0x4): the data end here (bytes missing: 2)  [UnexpectedEnd]"]);
}

#[test]
fn a_companion_is_not_a_package() {
    let ran = run(&["show", "corpus/unreal/ue5.8-cooked-tagged-Empty.uexp"]);
    assert_eq!(ran.code, Some(1));
    has(&ran.err, &["name the file beside it that ends in .uasset or .umap"]);
}

#[test]
fn packages_of_a_folder_come_in_order() {
    let ran = run(&["check", "--unreal-version", "5.8", "corpus/unreal"]);
    let names = ran.out.lines().filter_map(|line| line.split_whitespace().nth(1));
    let names: Vec<_> = names.filter(|name| name.starts_with("corpus")).collect();
    assert!(names.len() > 25 && names.is_sorted(), "{names:?}");
    let ran = run(&["check", "corpus/godot4"]);
    assert_eq!(ran.out, "");
    has(
        &ran.err,
        &["warning: corpus/godot4: no packages or saves (.uasset, .umap, .sav) in this folder"],
    );
}

#[test]
fn saves() {
    let file = "corpus/unreal/gvas-ue4.27-Slot1.sav";
    let json: Value = serde_json::from_str(&shown(run(&["json", file]))).unwrap();
    assert_eq!((&json["kind"], &json["trailer"]), (&"save".into(), &"00000000".into()));
    has(&shown(run(&["check", file])), &["ok      ", "save 522 by engine 4.27.2, /Script/"]);
    let lines = ["save /Script/UE4SaveFile.TestSaveGame\n", "ByteProperty", "u8_test\n"];
    has(&shown(run(&["show", file])), &lines);
    let bytes = fs::read(file).unwrap();
    let ran = run_on(&["check", "-"], &bytes[..1500]);
    assert_eq!(ran.code, Some(1));
    has(&ran.out, &["refused <stdin>"]);
}

#[test]
fn references() {
    assert_eq!(
        shown(run(&["unreal", "deps", "--no-code", PACKAGE])),
        "/Game/SimpleRefs/SimpleRefsRoot
  import  /Game/SimpleRefs/SimpleRefsDefaultsRef
  import  /Game/SimpleRefs/SimpleRefsGraphRef
  soft    /Game/SimpleRefs/SimpleRefsSoftRef
"
    );
    let json: Value =
        serde_json::from_str(&shown(run(&["unreal", "deps", "--json", PACKAGE]))).unwrap();
    assert_eq!(json["soft"], serde_json::json!(["/Game/SimpleRefs/SimpleRefsSoftRef"]));
    assert_eq!(json["imports"].as_array().unwrap().len(), 6);
    let dot = shown(run(&["unreal", "deps", "--dot", PACKAGE]));
    let edge = "  \"/Game/SimpleRefs/SimpleRefsRoot\" -> \"/Game/SimpleRefs/SimpleRefsSoftRef\" \
                [style=dashed];\n";
    has(&dot, &["digraph packages {\n", edge]);
    // Below 4:484 the object is named, too.
    let old = shown(run(&["unreal", "deps", "corpus/unreal/ue4.10-SimpleRefsRoot.uasset"]));
    has(&old, &["  soft    /Game/SimpleRefs/SimpleRefsSoftRef\n"]);
    let ran = run(&["unreal", "deps", "Cargo.toml"]);
    assert_eq!(ran.code, Some(1));
    has(&ran.err, &["error: Cargo.toml: not a package"]);
}

/// Engine 5.8 says of each import that it is in a package named like itself.
#[test]
fn what_a_cooked_package_refers_to() {
    let file = "corpus/unreal/ue5.8-cooked-tagged-DA_AllProperties.uasset";
    let printed = shown(run(&["unreal", "deps", "--no-code", file]));
    let packages: Vec<_> = printed.lines().skip(1).map(str::trim).collect();
    let expected = [
        "import  /Game/Fixtures/DataTables/DT_AllProperties",
        "import  /Game/Fixtures/StringTables/ST_Fixed",
        "import  /Game/Fixtures/Textures/T_BC7",
    ];
    assert_eq!(packages, expected);
}
