//! Tests commands on localized texts.

use crate::command::{empty_folder, root, run, run_on, shown, write_file};
use serde_json::Value;
use std::fs;

fn locres(version: u8) -> String {
    format!("corpus/unreal-locres/v{version}.locres")
}

#[test]
fn every_version_is_shown() {
    for version in 0..=3 {
        let text = shown(run(&["show", &locres(version)]));
        assert!(text.starts_with(&format!("localized texts\n  version           {version}\n")));
        assert!(text.contains("\ntexts 10\n  namespace  key "), "{text}");
        let rows: Vec<Vec<&str>> =
            text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert!(rows.contains(&vec!["Menu", "Start", "Spiel", "starten"]), "{text}");
        assert!(rows.contains(&vec!["Menu", "Überall", "Überall"]), "{text}");

        let json: Value = serde_json::from_str(&shown(run(&["json", &locres(version)]))).unwrap();
        assert_eq!(json["type"], "locres");
        assert_eq!(json["version"], version);
        let [first, second] = &json["namespaces"].as_array().unwrap()[..] else { panic!("{json}") };
        assert_eq!(first["texts"].as_array().unwrap().len(), 7);
        assert_eq!(second["namespace"], "Menu");
        assert_eq!(second["texts"][0]["key"], "Start");
        assert_eq!(second["texts"][0]["text"], "Spiel starten");
        assert_eq!(second["texts"][0]["source_hash"], 3351946155_u32);

        let text = shown(run(&["check", &locres(version)]));
        let end = format!("localized texts version {version}, 10 texts in 2 namespaces\n");
        assert!(text.starts_with("ok ") && text.ends_with(&end), "{text}");
    }
    // Only files of version 0 need the extension.
    let file = fs::read(root(&locres(3))).unwrap();
    assert_eq!(shown(run_on(&["show", "-"], &file)), shown(run(&["show", &locres(3)])));
}

#[test]
fn problems_are_reported() {
    let folder = empty_folder("unreal_locres");
    let mut file = fs::read(root(&locres(3))).unwrap();
    let at = file.windows(6).position(|bytes| bytes == b"Start\0").unwrap();
    file[at] = b's';
    let changed = &*write_file(&folder, "changed.locres", &file);
    let ran = run(&["check", changed]);
    assert_eq!((ran.code, &*ran.err), (Some(1), ""));
    assert!(ran.out.starts_with("refused "), "{}", ran.out);
    assert!(
        ran.out.contains(
            ": the file states the hash 0xdda230f6 for this key, but the key has the hash "
        )
    );
    // Texts can be shown although a hash is wrong.
    assert!(shown(run(&["show", changed])).contains("Spiel starten\n"));

    // No strings.
    file[17..25].fill(0xFF);
    let none = &*write_file(&folder, "none.locres", &file);
    let ran = run(&["json", none]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("string index 0 is out of range (strings: 0)\n"), "{}", ran.err);
    assert!(serde_json::from_str::<Value>(&ran.out).is_ok());
    file[16] = 9;
    let newer = &*write_file(&folder, "newer.locres", &file);
    for command in ["show", "json"] {
        let ran = run(&[command, newer]);
        assert_eq!((ran.code, &*ran.out), (Some(1), ""));
        assert!(ran.err.contains("unknown version of localized texts: 9\n"), "{}", ran.err);
    }
    let ran = run(&["check", newer]);
    assert!(ran.code == Some(1) && ran.out.contains("unknown version of localized texts: 9"));
    let ran = run(&["get", "Menu", &locres(3)]);
    assert!(ran.code == Some(1) && ran.err.contains("whose values have no paths"), "{}", ran.err);
    let ran = run(&["text", &locres(3)]);
    assert!(ran.err.contains("this is a file of localized texts of Unreal Engine"), "{}", ran.err);
}
