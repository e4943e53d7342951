//! Tests commands on asset registries.

use crate::command::{empty_folder, root, run, run_on, shown, write_file};
use serde_json::{Value, json};
use std::fs;

fn registry(version: u8) -> String {
    format!("corpus/unreal-registry/v{version}.bin")
}

fn rows(text: &str) -> Vec<Vec<&str>> {
    text.lines().map(|line| line.split_whitespace().collect()).collect()
}

#[test]
fn every_version_is_shown() {
    for version in [1, 6, 8, 16, 24] {
        let text = shown(run(&["show", &registry(version)]));
        assert!(text.starts_with(&format!("asset registry\n  version           {version}\n")));
        let rows = rows(&text);
        let class = if version >= 14 { "/Script/Engine.World" } else { "World" };
        assert!(rows.contains(&vec!["/Game/Maps/Start", "Start", class, "5"]), "{text}");
        let node = vec!["/Game/Maps/Start", "2", "0", "1", "0"];
        assert_eq!(rows.contains(&node), version >= 4, "{text}");
        let package = |row: &Vec<&str>| row.len() > 2 && row.ends_with(&["4711"]);
        assert_eq!(rows.iter().any(package), version >= 4, "{text}");

        let text = shown(run(&["check", &registry(version)]));
        let parts = if version >= 4 { "3 nodes, 1 package" } else { "0 nodes, 0 packages" };
        let end = format!("asset registry version {version}, 2 assets, {parts}\n");
        assert!(text.starts_with("ok ") && text.ends_with(&end), "{text}");
    }
    let file = fs::read(root(&registry(16))).unwrap();
    assert_eq!(shown(run_on(&["show", "-"], &file)), shown(run(&["show", &registry(16)])));
}

/// A registry is read from an archive, like any other file.
#[test]
fn registries_are_read_from_paks() {
    let folder = empty_folder("unreal_registry/paks");
    let mut pak = fs::read(root("corpus/unreal-paks/v3.pak")).unwrap();
    let package = fs::read(root(PACKAGE)).unwrap();
    let at = pak.windows(package.len()).position(|bytes| bytes == package).unwrap();
    let file = fs::read(root(&registry(8))).unwrap();
    pak[at..at + file.len()].copy_from_slice(&file);
    let path = format!("{}:Content/Tiny.uasset", write_file(&folder, "game.pak", &pak));
    for command in ["show", "json"] {
        assert_eq!(shown(run(&[command, &path])), shown(run(&[command, &registry(8)])));
    }
    // The registry is shorter than the package, whose last bytes remain after it.
    let left = package.len() - file.len();
    let ran = run(&["check", &path]);
    assert!(ran.out.contains(&format!("bytes that belong to no table: {left}")), "{}", ran.out);
}

const PACKAGE: &str = "corpus/unreal/ue5.8-cooked-tagged-DT_AllProperties.uasset";

fn document(version: u8) -> Value {
    serde_json::from_str(&shown(run(&["json", &registry(version)]))).unwrap()
}

#[test]
fn documents() {
    let json = document(24);
    assert_eq!(json["type"], "asset_registry");
    assert_eq!((&json["version"], &json["editor_data"]), (&json!(24), &json!(false)));
    let start = &json["assets"][0];
    assert_eq!(start["package"], "/Game/Maps/Start");
    assert_eq!(start["path"], "/Game/Maps");
    assert_eq!(start["name"], "Start");
    assert_eq!(start["class"], "/Script/Engine.World");
    let texture = "/Script/Engine.Texture2D'/Game/Textures/Wall_3.Wall_3'";
    let tags = json!({
        "Title": "A long way",
        "Place": "Überall",
        "PrimaryAssetType": "Map",
        "Preview": texture,
        "Greeting": "NSLOCTEXT(\"Menu\", \"Hello\", \"Hello\")",
    });
    assert_eq!(start["tags"], tags);
    let bundle = json!([{"name": "Client", "paths": ["/Game/Textures/Wall_3.Wall_3"]}]);
    assert_eq!(start["bundles"], bundle);
    assert_eq!((&start["chunks"], &start["flags"]), (&json!([0]), &json!(0x20000)));
    let node = json!({
        "node": "/Game/Maps/Start",
        "packages": [
            {"node": "/Game/Textures/Wall_3", "properties": [["hard", "game", "build"]]},
            {"node": "/Script/Engine", "properties": [["hard", "game"]]},
        ],
        "names": [],
        "managed": [
            {"node": "/Game/Textures/Wall_3", "properties": [["direct", "cook_rule"]]},
        ],
        "referencers": [],
    });
    assert_eq!(json["dependencies"][0], node);
    let package = json!({
        "package": "/Game/Maps/Start",
        "size": 4711,
        "saved_hash": "ab".repeat(20),
        "cooked_hash": "cd".repeat(16),
        "chunk_hashes": [{"chunk": "01".repeat(12), "hash": "02".repeat(20)}],
        "versions": {
            "ue4": 522,
            "ue5": 1009,
            "licensee": 0,
            "flags": 0,
            "custom": {"11111111111111111111111111111111": 42},
        },
        "imported_classes": ["World"],
        "extension": ".umap",
    });
    assert_eq!(json["packages"], json!([package]));

    let json = document(6);
    assert_eq!(json["assets"][0]["object_path"], "/Game/Maps/Start.Start");
    let path = "Texture2D'/Game/Textures/Wall_3.Wall_3'";
    assert_eq!(json["assets"][0]["tags"]["Preview"], path);
    assert_eq!(json["packages"][0]["guid"], "AB".repeat(16));
    assert!(json["packages"][0].get("versions").is_none() && json.get("editor_data").is_none());
    let json = document(1);
    assert_eq!((&json["dependencies"], &json["packages"]), (&json!([]), &json!([])));
}

#[test]
fn problems_are_reported() {
    let folder = empty_folder("unreal_registry");
    let file = fs::read(root(&registry(8))).unwrap();
    let end = file.windows(4).position(|bytes| bytes == [0x21, 0x43, 0x65, 0x87]).unwrap();

    // The key of the first tag refers to a name that does not exist.
    let mut changed = file.clone();
    changed[end - 48] = 99;
    let changed = &*write_file(&folder, "changed.bin", &changed);
    let ran = run(&["check", changed]);
    assert_eq!((ran.code, &*ran.err), (Some(1), ""));
    assert!(ran.out.starts_with("refused "), "{}", ran.out);
    assert!(ran.out.contains("name index 99 is out of range"), "{}", ran.out);
    let ran = run(&["json", changed]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("name index 99 is out of range"), "{}", ran.err);
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(json["assets"][0]["tags"], json!({}));
    assert_eq!(json["assets"][1]["tags"], json!({"Dimensions": "512x512"}));

    // Two assets with more tags than the file can hold.
    let mut shared = file.clone();
    for (tags, at) in [(1u64 << 63 | 5 << 32, 0), (1u64 << 63 | 1 << 32 | 5, 0)] {
        let tags = tags.to_le_bytes();
        let at = at + shared.windows(8).position(|bytes| bytes == tags).unwrap();
        shared[at..at + 8].copy_from_slice(&(1u64 << 63 | 0xFFFF << 32).to_le_bytes());
    }
    let shared = &*write_file(&folder, "shared.bin", &shared);
    let ran = run(&["json", shared]);
    assert_eq!((ran.code, &*ran.out), (Some(1), ""));
    assert!(ran.err.contains("the assets of this registry share tags"), "{}", ran.err);
    assert!(run(&["check", shared]).out.contains("tag 65534 is out of range"));

    let mut newer = file;
    newer[16] = 99;
    let newer = &*write_file(&folder, "newer.bin", &newer);
    for command in ["show", "json"] {
        let ran = run(&[command, newer]);
        assert_eq!((ran.code, &*ran.out), (Some(1), ""));
        assert!(ran.err.contains("unknown version of an asset registry: 99\n"), "{}", ran.err);
    }
    let ran = run(&["check", newer]);
    assert!(ran.code == Some(1) && ran.out.contains("unknown version of an asset registry: 99"));
    let ran = run(&["get", "Title", &registry(8)]);
    assert!(ran.code == Some(1) && ran.err.contains("whose values have no paths"), "{}", ran.err);
    let ran = run(&["text", &registry(8)]);
    assert!(ran.err.contains("this is an asset registry of Unreal Engine"), "{}", ran.err);
}
