//! Tests `gamewire unreal types` and `--types`.

use crate::command::{root, run};
use crate::unreal::has;
use std::fs;

const MAP: &str = "corpus/unreal-small/guid_keys_map.sav";

/// Checks that the inferred types are printed, and can be given to other commands.
#[test]
fn inferred_types_are_printed_and_read() {
    let ran = run(&["unreal", "types", MAP, "corpus/unreal-small/guid_set.sav"]);
    let line = "properties.Owned = MapProperty(StructProperty(Guid),StructProperty)\n";
    has(&ran.out, &[line, "properties.Seen = SetProperty(StructProperty(Guid))\n"]);
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    let folder = std::env::temp_dir().join(format!("gamewire-types-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let types = folder.join("types.txt");
    let types_path = types.to_str().unwrap();
    fs::write(&types, &ran.out).unwrap();
    let plain = run(&["json", MAP]);
    let typed = run(&["json", "--types", types_path, MAP]);
    has(&plain.out, &["\"inferred\""]);
    // A type from the file is not marked as inferred.
    let value = |text: &str| {
        let json: serde_json::Value = serde_json::from_str(text).unwrap();
        json["properties"][0]["value"].clone()
    };
    assert!(!typed.out.contains("\"inferred\"") && value(&typed.out) == value(&plain.out));
    has(&run(&["get", "--types", types_path, "properties.Owned", MAP]).out, &["14131211181716"]);

    // A wrong type is reported.
    fs::write(&types, "# comment\n\n.Owned = MapProperty(StructProperty(Vector),X)\n").unwrap();
    let ran = run(&["check", "--strict", "--types", types_path, MAP]);
    assert_eq!(ran.code, Some(1));
    has(&ran.out, &["not decoded: MapProperty(StructProperty,StructProperty)"]);
    for (text, message) in [
        ("x", "line 1: expected PATH = TYPE"),
        ("\nA = IntProperty", "line 2: expected MapProperty"),
        ("properties = SetProperty(A)", "line 1: the path names no property"),
        ("A. = SetProperty(A)", "ends in a separator"),
    ] {
        fs::write(&types, text).unwrap();
        let ran = run(&["show", "--types", types_path, MAP]);
        assert_eq!(ran.code, Some(2), "{text}");
        has(&ran.err, &[message]);
    }
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(run(&["show", "--types", types_path, MAP]).code, Some(2));
}

/// Checks that a file that is neither a package nor a save is an error, and that help has an
/// example.
#[test]
fn other_files_and_help() {
    let ran = run(&["unreal", "types", "corpus/README.md"]);
    assert_eq!(ran.code, Some(1));
    has(&ran.err, &["neither a package nor a save"]);
    has(&run(&["unreal", "types", "--help"]).out, &["gamewire unreal types Slot1.sav > types.txt"]);
    assert!(root(MAP).exists());
}
