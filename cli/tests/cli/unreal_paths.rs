//! Tests paths of `get` into packages and saves: messages about missing values, names in quotes,
//! and values that are printed as bytes.

use crate::command::{output_on, root, run, run_on, shown};
use crate::unreal::{ALL, PACKAGE, SAVE, UNVERSIONED, gets, gets_not, has};
use std::fs;

#[test]
fn what_is_not_there() {
    for (path, file, said) in [
        ("exports[11]", PACKAGE, "no index `11` in `exports` (elements: 11)\n"),
        ("exports[11].x", PACKAGE, "no index `11` in `exports` (elements: 11)\n"),
        ("exports[-12]", PACKAGE, "no index `-12` in `exports` (elements: 11)\n"),
        ("name_hashes[0][2]", PACKAGE, "no index `2` in `name_hashes[0]` (elements: 2)\n"),
        (
            "exports.Foo",
            ALL,
            "no export `Foo` in `exports` (exports: DA_AllProperties:InlineFixture, \
             DA_AllProperties)\n",
        ),
        // An index does not select an entry of a map.
        (
            "exports[1].properties.IntegerMap.1",
            ALL,
            "no key `1` in `exports[1].properties.IntegerMap` (keys: Minimum, Answer, Marker)\n",
        ),
        (
            "exports[1].properties.StructMap.Left.Nope",
            ALL,
            "no property `Nope` in `exports[1].properties.StructMap.Left` (properties: Marker, \
             Label, Position, Samples, bEnabled)\n",
        ),
        (
            "data_resources.foo",
            "corpus/unreal/ue5.8-cooked-tagged-T_Streaming.uasset",
            "no key `foo` in `data_resources` (keys: version, entries)\n",
        ),
        (
            "nonsense",
            SAVE,
            "no key `nonsense` at the top (keys: engine, properties, save_game_class, \
             properties_end, custom_versions, save_game_version, properties_offset, \
             custom_version_format and 3 more)\n",
        ),
    ] {
        gets_not(path, file, &format!("error: FILE: {said}"));
    }
    let ran = run(&["get", "imports.Foo", ALL]);
    has(&ran.err, &["no import `Foo` in `imports` (imports: ", " and 7 more)\n"]);
    // The hint about properties without tags is only for properties of exports.
    for path in ["exports[0].foo.bar", "imports[0].properties.bar", "exports[0].foo"] {
        let ran = run(&["get", "--unreal-version", "5.4", path, UNVERSIONED]);
        assert_eq!((ran.code, ran.err.lines().count()), (Some(1), 1), "{path}: {}", ran.err);
    }
}

#[test]
fn names_and_values_of_bytes() {
    gets("imports.\"/Script/BlueprintGraph.EdGraphSchema_K2\".outer", PACKAGE, "-21");
    gets(
        "data_resources.entries[0].outer",
        "corpus/unreal/ue5.8-cooked-tagged-T_Streaming.uasset",
        "1",
    );
    gets("properties.T", "corpus/unreal-small/text_history_0x41.sav", "000000004161626364");
    let pin_type = "exports[10].properties.PinType.category";
    gets(pin_type, "corpus/unreal/ue4.10-SimpleRefsRoot.uasset", "exec");
}

/// Checks that `--raw` refuses paths that only resemble those of exports, properties and pictures.
#[test]
fn no_bytes_by_another_path() {
    let thumbnails = "corpus/unreal/ue4.08-Gaussian.uasset";
    for (path, file) in [
        ("kind", SAVE),
        ("exports[1].foo.Vector", ALL),
        ("exports[1].properties.ScalarInstancedStruct.foo.Value", ALL),
        ("imports[0]", thumbnails),
    ] {
        let output = output_on(&["get", "--raw", path, file], b"");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{path}");
    }
}

/// Returns a package whose summary states this offset for the table of names.
fn with_table_at(offset: i32) -> Vec<u8> {
    let mut bytes = fs::read(root(PACKAGE)).unwrap();
    let pair = [158_i32, 541].map(i32::to_le_bytes).concat(); // number and offset of names
    let at = bytes.windows(8).position(|bytes| bytes == pair).unwrap();
    bytes[at + 4..at + 8].copy_from_slice(&offset.to_le_bytes());
    bytes
}

/// Checks that an error about the offset of a table names this offset, and does not claim that the
/// error is at offset 0.
#[test]
fn an_offset_outside_of_the_file() {
    for offset in [i32::MAX, -5] {
        let ran = run_on(&["get", "names[0]", "-"], &with_table_at(offset));
        let error = format!("error: <stdin>: offset {offset} is outside of the file\n");
        assert_eq!((ran.code, ran.err), (Some(1), error));
    }
    let ran = run_on(&["json", "-"], &with_table_at(3));
    has(&ran.err, &["error: <stdin>: ", "offset 4316 (0x10dc): unexpected end of data"]);
}

/// Checks that a reference is printed with the number of its name.
#[test]
fn references_with_numbers() {
    let bytes = fs::read(root(PACKAGE)).unwrap();
    // Name 1 is `/Game/SimpleRefs/SimpleRefsSoftRef`. The stored number is one more than the
    // printed one.
    let [old, new] = [[1_i32, 0], [1, 3]].map(|name| name.map(i32::to_le_bytes).concat());
    let mut changed = bytes.clone();
    for at in 0..bytes.len() - 8 {
        if bytes[at..].starts_with(&old) {
            changed[at..at + 8].copy_from_slice(&new);
        }
    }
    let out = shown(run_on(&["unreal", "deps", "-"], &changed));
    has(&out, &["\n  soft    /Game/SimpleRefs/SimpleRefsSoftRef_2\n"]);
    let out = shown(run(&["show", PACKAGE]));
    has(&out, &["\n  saved by          5.6.0-43139311+++UE5+Release-5.6\n"]);
}
