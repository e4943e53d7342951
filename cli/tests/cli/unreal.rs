//! Tests commands on Unreal packages and saves, run as a user would run them.

use crate::command::{output_on, root, run, run_on, shown};
use serde_json::Value;
use std::fs;

pub const PACKAGE: &str = "corpus/unreal/ue5.6-SimpleRefsRoot.uasset";
const TAGGED: &str = "corpus/unreal/ue5.8-cooked-tagged-Empty.umap";
pub const UNVERSIONED: &str = "corpus/unreal/ue5.4-cooked-BP_CubePawn.uasset";

#[track_caller]
pub fn has(text: &str, pieces: &[&str]) {
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
fn long_tables_are_truncated_without_full() {
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
    let ran = run_on(&["json", "-"], &fs::read(root(TAGGED)).unwrap());
    assert_eq!(ran.code, Some(1));
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(json["errors"][0]["table"], "exports");
    has(&ran.err, &["error: <stdin>: exports: offset ", "hint: its exports are in a .uexp"]);

    let ran = run_on(&["check", "-"], &fs::read(root(TAGGED)).unwrap());
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    has(&ran.out, &["refused <stdin>", "  error: exports: ", "[UnexpectedEnd]\n", "  hint: "]);
}

#[test]
fn the_version_of_an_unversioned_package_is_supplied() {
    for command in ["show", "json"] {
        let ran = run(&[command, UNVERSIONED]);
        assert_eq!(ran.code, Some(1));
        has(&ran.err, &["supply the version of its engine", "--unreal-version 5.4"]);
        shown(run(&[command, "--unreal-version", "5.4", UNVERSIONED]));
    }
    let ran = run(&["check", "--unreal-version", "6.0", UNVERSIONED]);
    assert_eq!(ran.code, Some(2));
    has(&ran.err, &["engines are 4.0 to 4.27 and 5.0 to 5.8"]);
}

/// Checks that the readable part of a package with a newer version is printed, then the error.
#[test]
fn a_newer_version() {
    let mut bytes = fs::read(root(PACKAGE)).unwrap();
    bytes[16..20].copy_from_slice(&1020i32.to_le_bytes());
    let ran = run_on(&["show", "-"], &bytes);
    assert_eq!(ran.code, Some(1));
    has(&ran.out, &["  legacy version    -9\n", "  UE5 version       1020\n"]);
    has(
        &ran.err,
        &["version 522/1020 is newer than the newest supported one (522/1018, engine 5.8)"],
    );
    let ran = run_on(&["check", "-"], &bytes);
    has(&ran.out, &["refused <stdin>", "version 522/1020 is newer", "[NewerVersion]\n"]);
    let ran = run_on(&["json", "-"], &bytes);
    assert_eq!(ran.code, Some(1));
    has(&ran.err, &["error: <stdin>: offset 4 (0x4): version 522/1020 is newer"]);
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&json["kind"], &json["byte_order"]), (&"package".into(), &"little".into()));
    let versions = serde_json::json!({
        "legacy_version": -9, "ue3_version": 864, "ue4_version": 522, "ue5_version": 1020,
        "licensee_version": 0,
    });
    assert_eq!(json["summary"], versions);
    assert_eq!(json["error"]["offset"], 4);
    has(json["error"]["message"].as_str().unwrap(), &["version 522/1020 is newer"]);
    let ran = run_on(&["get", "summary.ue5_version", "-"], &bytes);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), "1020\n"));
    has(&ran.err, &["version 522/1020 is newer"]);
}

/// Checks that `json` prints all fields of a truncated summary before the truncation, and none
/// after it.
#[test]
fn a_package_that_is_cut_off_in_its_summary() {
    let whole: Value = serde_json::from_str(&shown(run(&["json", PACKAGE]))).unwrap();
    let bytes = fs::read(root(PACKAGE)).unwrap();
    let (mut fields, mut whole_summaries) = (0, 0);
    for len in (6..1400).step_by(7) {
        let ran = run_on(&["json", "-"], &bytes[..len]);
        assert_eq!(ran.code, Some(1), "{len}");
        let json: Value = serde_json::from_str(&ran.out).unwrap();
        match json["errors"].as_array() {
            None => assert!(json["error"]["offset"].is_u64(), "{len}"),
            Some(errors) => {
                assert_eq!(errors[0]["table"], "names", "{len}");
                let names = json["names"].as_array().unwrap();
                assert!(whole["names"].as_array().unwrap().starts_with(names), "{len}");
                whole_summaries += 1;
            }
        }
        let summary = json["summary"].as_object().unwrap();
        for (name, value) in summary {
            assert_eq!(*value, whole["summary"][name], "{len}: {name}");
        }
        assert!(summary.len() >= fields, "{len}");
        fields = summary.len();
    }
    assert!(fields > 20 && whole_summaries > 10);
    let save = fs::read(root("corpus/unreal/gvas-ue4.27-Slot1.sav")).unwrap();
    let ran = run_on(&["json", "-"], &save[..14]);
    assert_eq!(ran.code, Some(1));
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&json["kind"], &json["save_game_version"]), (&"save".into(), &2.into()));
    assert_eq!((&json["ue4_version"], &json["error"]["offset"]), (&522.into(), &14.into()));
}

#[test]
fn a_damaged_table_is_named() {
    let mut bytes = fs::read(root(PACKAGE)).unwrap();
    bytes[4422..4426].copy_from_slice(&99999i32.to_le_bytes()); // class package of an import
    let ran = run_on(&["check", "-"], &bytes);
    assert_eq!(ran.code, Some(1));
    let error = "  error: imports: offset 4422 (0x1146): name index 99999 is out of range (names: 158)  \
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
    has(&ran.out, &["offset 4 (0x4): unexpected end of data (bytes missing: 2)  [UnexpectedEnd]"]);
}

#[test]
fn companion_file_is_not_opened_as_a_package() {
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
        &[
            "warning: corpus/godot4: no packages or saves (.uasset, .umap, .sav), or saves of Rem's \
            Engine (.rem, .json) in this folder",
        ],
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
    let bytes = fs::read(root(file)).unwrap();
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
    // In versions below 4:484, the reference contains the name of the object as well. Only the
    // package is printed.
    let old = shown(run(&["unreal", "deps", "corpus/unreal/ue4.10-SimpleRefsRoot.uasset"]));
    has(&old, &["  soft    /Game/SimpleRefs/SimpleRefsSoftRef\n"]);
    let ran = run(&["unreal", "deps", "Cargo.toml"]);
    assert_eq!(ran.code, Some(1));
    has(&ran.err, &["error: Cargo.toml: not a package"]);
}

/// Checks the references of a package from engine 5.8, which stores the package of each import next
/// to the import.
#[test]
fn references_of_a_cooked_package() {
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

pub const ALL: &str = "corpus/unreal/ue5.8-cooked-tagged-DA_AllProperties.uasset";
pub const SAVE: &str = "corpus/unreal/gvas-ue4.27-Slot1.sav";

#[track_caller]
pub fn gets(path: &str, file: &str, printed: &str) {
    assert_eq!(shown(run(&["get", path, file])), format!("{printed}\n"), "{path}");
}

#[track_caller]
pub fn gets_not(path: &str, file: &str, said: &str) {
    let ran = run(&["get", path, file]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{path}");
    assert_eq!(ran.err.replace(file, "FILE"), said, "{path}");
}

#[test]
fn values_of_the_header() {
    gets("summary.package_flags", PACKAGE, "262144");
    gets("summary/package_flags", PACKAGE, "262144");
    gets(".summary.saved_by_engine.branch", PACKAGE, "++UE5+Release-5.6");
    gets("names[3]", PACKAGE, "/Script/CoreUObject");
    gets("names.-1", PACKAGE, "SimpleRefsGraphRef_C");
    gets("name_hashes[0][1]", PACKAGE, "49330");
    gets("imports[0].object_name", PACKAGE, "SimpleRefsDefaultsRef_C");
    gets("imports[/Script/BlueprintGraph.EdGraphSchema_K2].outer", PACKAGE, "-21");
    gets("asset_registry.objects[0].tags.BlueprintType", PACKAGE, "BPTYPE_Normal");
    gets("package_trailer.version", PACKAGE, "2");
    gets("custom_versions[0].version", SAVE, "43");
    gets("kind", SAVE, "save");
}

#[test]
fn exports_by_index_path_and_name() {
    gets("exports[2].object_name", PACKAGE, "EventGraph");
    gets("exports.-9.object_name", PACKAGE, "EventGraph");
    gets("exports.SimpleRefsRoot:EventGraph.class_name", PACKAGE, "EdGraph");
    gets("exports.EventGraph.class_name", PACKAGE, "EdGraph");
    gets(
        "exports[/Game/SimpleRefs/SimpleRefsRoot.SimpleRefsRoot].class_name",
        PACKAGE,
        "Blueprint",
    );
    gets_not(
        "exports.EventGrahp.class",
        PACKAGE,
        "error: FILE: no export `EventGrahp` in `exports` (exports: \
         SimpleRefsRoot:EventGraph, SimpleRefsRoot_C:ExecuteUbergraph_SimpleRefsRoot, \
         \"SimpleRefsRoot:EventGraph.K2Node_IfThenElse_3\", \
         \"SimpleRefsRoot:EventGraph.K2Node_CustomEvent_1\", \
         \"SimpleRefsRoot:EventGraph.K2Node_CallFunction_2300\", \
         \"SimpleRefsRoot:EventGraph.K2Node_GetClassDefaults_1\", \
         SimpleRefsRoot_C:TestEvent, SimpleRefsRoot:SceneThumbnailInfo_1 and 3 \
         more)\nhint: did you mean `SimpleRefsRoot:EventGraph`?\n",
    );
}

#[test]
fn properties_of_all_kinds() {
    for (path, printed) in [
        ("Integer64", "1234605616436508552"),
        ("integer64", "1234605616436508552"),
        ("bBoolean", "true"),
        ("Enum", "EFixtureEnum::Beta"),
        ("String", "CUE4Parse_日本語_äöü"),
        ("Vector.y", "-2.5"),
        ("Box.max.z", "60.25"),
        ("Text.source", "Localized-ish fixture text Ω"),
        ("TextHistories[1].arguments.Count", "7"),
        ("SoftClassReference.path", "/Script/Engine.Texture2D"),
        ("FixedIntegerArray", "-2147483648"),
        ("FixedIntegerArray[#0]", "-2147483648"),
        ("FixedIntegerArray[#2]", "2147483647"),
        ("IntegerArray[3]", "44"),
        ("IntegerArray[-4]", "11"),
        ("StructArray[1].Marker", "2"),
        ("Nested.Marker", "777"),
        ("IntegerMap.Answer", "42"),
        ("IntegerMap.answer", "42"),
        ("IntegerMap[\"Answer\"]", "42"),
        ("IntegerMap.entries[1].key", "Answer"),
        ("StructMap.Left.Marker", "314"),
        ("StructMap.entries[0].value.Marker", "314"),
        ("StructMap.removed", "[]"),
        ("NameSet.values[2]", "Set_日本語"),
        ("PresentOptional.set", "true"),
        ("InstancedStructMap.Scalar.value.Value", "-7654321"),
        ("DynamicMulticastDelegate[0].function", "HandleFixtureDelegate"),
        ("[3].type", "Int64Property"),
        ("[3].value", "1234605616436508552"),
    ] {
        let separator = if path.starts_with('[') { "" } else { "." };
        gets(&format!("exports.DA_AllProperties.properties{separator}{path}"), ALL, printed);
    }
    gets("properties.struct_property.test_field", SAVE, "12345");
    gets("properties.array_of_strings[1]", SAVE, "Hello world from array");
}

/// Checks that `get` prints the value that the document contains, and prints it on one line with
/// `--json`.
#[test]
fn lists_and_records_are_as_in_the_document() {
    let mut document: Value = serde_json::from_str(&shown(run(&["json", ALL]))).unwrap();
    // Only `json` prints the bytes of the package.
    assert!(document.as_object_mut().unwrap().remove("stored").is_some());
    for (path, pointer) in [
        ("", ""),
        ("summary", "/summary"),
        ("exports", "/exports"),
        ("exports[1]", "/exports/1"),
        ("exports[1].properties", "/exports/1/properties"),
        ("exports[1].properties[-1]", "/exports/1/properties/61"),
        ("preload_dependencies[2]", "/preload_dependencies/2"),
    ] {
        let expected = document.pointer(pointer).unwrap();
        let line = shown(run(&["get", "--json", path, ALL]));
        assert_eq!(line.lines().count(), 1);
        assert_eq!(serde_json::from_str::<Value>(&line).unwrap(), *expected, "{path}");
        let lines = shown(run(&["get", path, ALL]));
        assert_eq!(serde_json::from_str::<Value>(&lines).unwrap(), *expected, "{path}");
    }
}

/// Checks that `get` finds every property of some packages by its name.
#[test]
fn every_property_is_found_by_its_name() {
    let quoted = |name: &str| format!("\"{name}\"");
    for file in ["ue4.27-TestActorBP.uasset", "ue5.6-SimpleRefsRoot.uasset", "ue4.09-PS_X.uasset"] {
        let file = format!("corpus/unreal/{file}");
        let document: Value = serde_json::from_str(&shown(run(&["json", &file]))).unwrap();
        let mut paths = Vec::new();
        for (index, export) in document["exports"].as_array().unwrap().iter().enumerate() {
            for entry in export["properties"].as_array().unwrap() {
                let (name, at) = (entry["name"].as_str().unwrap(), &entry["array_index"]);
                let path = format!("exports[{index}].properties.{}[#{at}]", quoted(name));
                paths.push((path, entry.get("value").or(entry.get("raw")).unwrap()));
            }
        }
        let mut args = vec!["get", "--json", "kind", &file];
        args.extend(paths.iter().flat_map(|(path, _)| ["--also", path]));
        let printed = shown(run(&args));
        let lines: Vec<_> = printed.lines().skip(1).collect();
        assert_eq!(lines.len(), paths.len());
        for (line, (path, value)) in lines.iter().zip(&paths) {
            assert_eq!(serde_json::from_str::<Value>(line).unwrap(), **value, "{path}");
        }
    }
}

#[test]
fn several_paths_and_files() {
    let ran = run(&["get", "kind", "--also", "names[0]", PACKAGE, SAVE, "Cargo.toml"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.out, "package\n/Game/SimpleRefs/SimpleRefsRoot\nsave\n");
}

#[test]
fn missing_values() {
    gets_not(
        "summry.guid",
        PACKAGE,
        "error: FILE: no key `summry` at the top (keys: summary, imports, \
         asset_registry_dependencies, thumbnails, asset_registry, searchable_names, \
         soft_package_references, names and 9 more)\nhint: did you mean `summary`?\n",
    );
    gets_not("names[999]", PACKAGE, "error: FILE: no index `999` in `names` (elements: 158)\n");
    gets_not(
        "summary.package_flags.x",
        PACKAGE,
        "error: FILE: no `x` in `summary.package_flags` (there is nothing inside it)\n",
    );
    gets_not(
        "exports[1].properties.Intger",
        ALL,
        "error: FILE: no property `Intger` in `exports[1].properties` (properties: \
         Integer, Integer8, Integer64, Integer16, IntegerMap, IntVector, \
         IntegerArray, InterfaceReference and 54 more)\nhint: did you mean `Integer`?\n",
    );
    gets_not(
        "exports[1].properties.FixedIntegerArray[2]",
        ALL,
        "error: FILE: no `2` in `exports[1].properties.FixedIntegerArray` (there is \
         nothing inside it)\nhint: [#2] leads to an element of an array of fixed size\n",
    );
    gets_not(
        "exports[1].properties.FixedIntegerArray[#1]",
        ALL,
        "error: FILE: no property `FixedIntegerArray[#1]` in `exports[1].properties` \
         (properties: FixedIntegerArray[#2], FixedIntegerArray, IntegerArray, \
         StructArray, FieldPathReference, Integer, InstancedStructArray, \
         UnsignedInteger16 and 54 more)\nhint: did you mean `FixedIntegerArray[#2]`?\n",
    );
    gets_not(
        "exports[1].properties.StructMap.Lft.Marker",
        ALL,
        "error: FILE: no key `Lft` in `exports[1].properties.StructMap` (keys: Left, \
         Right)\nhint: did you mean `Left`?\n",
    );
    gets_not(
        "exports[0].properties.PointSizeTextureOffsets",
        "corpus/unreal/ue4.09-PS_X.uasset",
        "error: FILE: no property `PointSizeTextureOffsets` in \
         `exports[0].properties` (properties: DataPointTexture, \
         PointSizeTextureOffsets[#1], PointSizeTextureOffsets[#2])\nhint: did you mean \
         `PointSizeTextureOffsets[#2]`?\n",
    );
    gets_not(
        "exports[10].properties.ExtraPinType",
        "corpus/unreal/ue4.10-SimpleRefsRoot.uasset",
        "error: FILE: no property `ExtraPinType` in `exports[10].properties` \
         (properties: PinName, PinToolTip, PinType, LinkedTo)\nhint: did you mean `PinType`?\n",
    );
    gets_not(
        "exports.CallFunc_Add_IntInt_ReturnValue.class",
        "corpus/unreal/ue4.06-MyoUtilityBPLibrary.uasset",
        "error: FILE: several objects are called `CallFunc_Add_IntInt_ReturnValue` in \
         `exports`: \"MyoUtilityBPLibrary_C:Print Myo \
         Emg.CallFunc_Add_IntInt_ReturnValue\", \"MyoUtilityBPLibrary_C:Draw Myo Emg \
         Arrows.CallFunc_Add_IntInt_ReturnValue\"\n",
    );
    gets_not(
        "imports[99].outer",
        PACKAGE,
        "error: FILE: no index `99` in `imports` (elements: 26)\n",
    );
    gets_not(
        "names[",
        PACKAGE,
        "error: FILE: cannot read the path at `[`: the bracket is not closed\n",
    );
    gets_not(
        "names.",
        PACKAGE,
        "error: FILE: the path `names.` ends in a separator; remove it or add a segment\n",
    );
    gets_not(
        "[#1]",
        PACKAGE,
        "error: FILE: cannot read the path at `[#1]`: [#] must follow a name\n",
    );
    gets_not("names[1]x", PACKAGE, "error: FILE: the path lacks a dot before `x`\n");
    gets_not(
        "properties.T.X",
        "corpus/unreal-small/text_history_0x41.sav",
        "error: FILE: no `X` in `properties.T` (its value is only known as bytes)\n",
    );
    let without = fs::read(root(ALL)).unwrap();
    let ran = run_on(&["get", "exports[1].properties.Integer", "-"], &without);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    has(&ran.err, &["no key `properties` in `exports[1]`", "hint: its exports are in a .uexp"]);
    let args = ["get", "--unreal-version", "5.4", "exports[0].properties.X", UNVERSIONED];
    has(&run(&args).err, &["hint: the names and types of its properties are not in the package"]);
    let save = fs::read(root(SAVE)).unwrap();
    let ran = run_on(&["get", "properties.f_property", "-"], &save[..1500]);
    assert_eq!(ran.code, Some(1));
    has(
        &ran.err,
        &["no property `f_property` in `properties`", "hint: the properties break off: "],
    );
    let ran = run(&["get", "u8_test", SAVE]);
    has(&ran.err, &["no key `u8_test` at the top", "hint: did you mean `properties.u8_test`?"]);
    let ran = run(&["get", PACKAGE, "names[1]"]);
    assert_eq!(ran.code, Some(1));
    has(&ran.err, &["hint: PATH comes before FILE: gamewire get PATH FILE\n"]);
    let ran = run(&["get", "--frame", "0", "kind", PACKAGE]);
    assert_eq!(ran.code, Some(1));
    has(&ran.err, &["packages and saves have no frames"]);
}

/// Checks that `get` reads only existing records if the counts in the summary are larger than the
/// file.
#[test]
fn counts_larger_than_the_input() {
    let json: Value = serde_json::from_str(&shown(run(&["json", PACKAGE]))).unwrap();
    let mut bytes = fs::read(root(PACKAGE)).unwrap();
    for table in ["export", "import"] {
        let number = |field: &str| json["summary"][format!("{table}_{field}")].as_i64().unwrap();
        let [count, offset] = ["count", "offset"].map(|field| (number(field) as i32).to_le_bytes());
        let pair = [count, offset].concat();
        let at = bytes.windows(8).position(|bytes| bytes == pair).unwrap();
        bytes[at..at + 4].copy_from_slice(&i32::MAX.to_le_bytes());
    }
    for path in ["exports.Nobody", "imports.Nobody", "exports[-1]", "exports[12]"] {
        let ran = run_on(&["get", path, "-"], &bytes);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{path}");
    }
    let ran = run_on(&["get", "exports.EventGraph.class_name", "-"], &bytes);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "EdGraph\n"), "{}", ran.err);
}

#[test]
fn bytes() {
    let raw = |path: &str, file: &str| {
        let output = output_on(&["get", "--raw", path, file], &[]);
        assert!(output.status.success() && output.stderr.is_empty(), "{path}: {output:?}");
        output.stdout
    };
    let properties = "exports.DA_AllProperties.properties";
    let bytes = raw(&format!("{properties}.Vector"), ALL);
    let vector = [1.25, -2.5, 3.75f64].map(f64::to_le_bytes).concat();
    assert_eq!(bytes, vector);
    for (path, number) in [
        ("FixedIntegerArray[#2]", i32::MAX),
        ("StructMap.Left.Marker", 314),
        ("StructArray[1].Marker", 2),
        ("ScalarInstancedStruct.value.Value", -7_654_321),
    ] {
        assert_eq!(raw(&format!("{properties}.{path}"), ALL), number.to_le_bytes(), "{path}");
    }
    assert_eq!(raw("exports[1]", ALL).len(), 7445);
    assert_eq!(raw("properties.long_test", SAVE).len(), 8);
    assert_eq!(raw("trailer", SAVE), [0; 4]);
    let picture = raw("thumbnails[0]", "corpus/unreal/ue4.08-Gaussian.uasset");
    assert_eq!((picture.len(), &picture[1..4]), (63610, &b"PNG"[..]));
    let ran = run(&["get", "--raw", "exports[1].properties.Nested.Mark", ALL]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    has(&ran.err, &["no property `Mark` in `exports[1].properties.Nested` (properties: Marker"]);
    for path in ["summary", "names[0]", "exports[1].class"] {
        let ran = run(&["get", "--raw", path, ALL]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{path}");
        has(&ran.err, &["--raw writes the bytes of exports, of properties"]);
    }
}
