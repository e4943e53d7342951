//! Tests of the formats other than values of Godot, with files of the corpus.

#![allow(clippy::unwrap_used)]

use crate::file::open::{Extras, Opened, open};
use crate::file::place::{Part, Role};
use crate::file::session::Session;
use std::path::{Path, PathBuf};

/// Number of rows of a file that are tested.
const ROWS: u64 = 150;

fn corpus(extensions: &[&str]) -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus");
    let (mut folders, mut found) = (vec![corpus], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if extensions.iter().any(|end| path.to_str().unwrap().ends_with(end)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Opens all containers in the first rows, except long tables of packages.
fn open_all(session: &mut Session, limit: u64) {
    let mut row = 0;
    while row < session.tree.len().min(limit) {
        let shown = session.rows(row, 1).remove(0);
        let is_table = ["names", "imports"].contains(&&*shown.row.label) && shown.shown.depth == 0;
        if shown.row.can_open && !shown.shown.is_open && (!is_table || shown.row.count < Some(10)) {
            session.toggle(row, true);
        }
        row += 1;
    }
}

/// Opens a file with the files that belong to it.
fn session(path: &Path) -> Result<Session, String> {
    let mut extras = Extras::default();
    let uexp = path.with_extension("uexp");
    if let (true, Ok(exports)) = (uexp != path, std::fs::read(&uexp)) {
        extras.add(uexp.file_name().unwrap().to_str().unwrap(), exports).unwrap();
    }
    let beside = ["declared.usmap", "tiny.v4.usmap"];
    let folder = path.parent().unwrap();
    let is_of = |name: &&&str| name.starts_with(path.file_stem().unwrap().to_str().unwrap());
    if let Some(name) = beside.iter().find(is_of)
        && let Ok(mappings) = std::fs::read(folder.join(name))
    {
        extras.add(name, mappings).unwrap();
    }
    bytes_session(path, std::fs::read(path).unwrap(), extras)
}

fn bytes_session(path: &Path, bytes: Vec<u8>, mut extras: Extras) -> Result<Session, String> {
    let name = path.file_name().unwrap().to_str().unwrap();
    match open(name, bytes, &mut extras) {
        Ok(Opened::Session(session)) => Ok(*session),
        Ok(Opened::NeedsPassword(_)) => Err("needs a password".into()),
        Err(fault) => Err(fault.text),
    }
}

/// Returns the depths, labels, kinds, texts and counts of the first rows.
fn texts(session: &Session) -> Vec<String> {
    let rows = session.rows(0, ROWS);
    rows.iter()
        .map(|shown| {
            let (depth, row) = (shown.shown.depth, &shown.row);
            format!("{depth} {} {} {} {:?}", row.label, row.kind, row.text, row.count)
        })
        .collect()
}

/// Opens values, and compares rows, chains and offsets. Returns the number of rows.
fn shows(path: &Path, session: &mut Session) -> u64 {
    open_all(session, ROWS);
    let all = session.rows(0, ROWS);
    for (row, shown) in (0..).zip(&all) {
        let chain = session.tree.chain(row).unwrap();
        assert_eq!(session.tree.row_of(&chain), row, "{}", path.display());
        let one = &session.rows(row, 1)[0];
        assert_eq!(one.shown.place, shown.shown.place, "{}: row {row}", path.display());
        assert_eq!(one.row, shown.row, "{}: row {row}", path.display());
        let place = &shown.shown.place;
        assert!(place.value.end <= session.content.len(), "{}: {place:?}", path.display());
    }
    all.len() as u64
}

/// Returns another text for a value.
fn other_text(kind: &str, text: &str) -> String {
    match text {
        "true" => "false".into(),
        "false" => "true".into(),
        _ if kind == "Guid" => "0123456789ABCDEF0123456789ABCDEF".into(),
        _ if text.starts_with('"') && text.ends_with('"') => "\"länger, als [es] war\"".into(),
        _ if text.parse::<f64>().is_ok() => if text == "7" { "8" } else { "7" }.into(),
        _ => format!("{text} länger"),
    }
}

/// Changes some values of each kind, and checks that no other row changes. Returns the number of
/// changed values.
fn edits(path: &Path, session: &mut Session, limit: usize) -> usize {
    let original = session.content.clone();
    let before = texts(session);
    let (mut kinds, mut done) = (Vec::<String>::new(), 0);
    let rows = session.tree.len();
    for row in 0..session.tree.len().min(ROWS) {
        let shown = session.rows(row, 1).remove(0);
        for (part, can_edit) in
            [(Part::Value, shown.row.can_edit), (Part::Key, shown.row.can_edit_key)]
        {
            let kind = format!("{part:?} {}", shown.row.kind);
            if !can_edit || kinds.iter().filter(|other| **other == kind).count() >= limit {
                continue;
            }
            let text = session.text(row, part);
            session.edit(row, part, &text).unwrap();
            assert!(session.content == original, "{}: row {row}", path.display());
            let new = other_text(&shown.row.kind, &text);
            if session.edit(row, part, &new).is_err() {
                continue;
            }
            kinds.push(kind);
            done += 1;
            assert_eq!(session.text(row, part), new, "{}: row {row}", path.display());
            if session.tree.len() != rows {
                open_all(session, ROWS);
            }
            let after = texts(session);
            let depth = shown.shown.depth;
            for (index, (old, new)) in (0..).zip(before.iter().zip(&after)) {
                // The rows of containers around the value can show it, too.
                let is_around = index <= row && index_depth(old) <= depth;
                let is_inside = index > row && index_depth(old) > depth;
                if !is_around && !is_inside {
                    assert_eq!(old, new, "{}: row {row} changed row {index}", path.display());
                }
            }
            assert_eq!(before.len(), after.len(), "{}: row {row}", path.display());
            session.step_back(false);
            assert!(session.content == original, "{}: row {row}", path.display());
            if session.tree.len() != rows {
                open_all(session, ROWS);
            }
        }
    }
    done
}

fn index_depth(text: &str) -> usize {
    text.split(' ').next().unwrap().parse().unwrap()
}

/// Exports and checks all values.
fn exports(session: &mut Session) -> (String, bool) {
    let mut json = String::new();
    session.rewind();
    while let Ok((_, false)) = session.export(1 << 16, &mut json) {}
    session.rewind();
    let is_fine = loop {
        match session.check(1 << 16) {
            Ok((_, true)) => break true,
            Ok(_) => {}
            Err(_) => break false,
        }
    };
    (json, is_fine)
}

fn all_of(extensions: &[&str], expected: usize, changed: usize) {
    let (mut opened, mut done) = (0, 0);
    for path in corpus(extensions) {
        // Large files take too long without optimization.
        if std::fs::metadata(&path).unwrap().len() > 40_000 {
            continue;
        }
        let mut session = match session(&path) {
            Ok(session) => session,
            Err(text) => {
                println!("{}: {text}", path.display());
                continue;
            }
        };
        opened += 1;
        let rows = shows(&path, &mut session);
        let edited = edits(&path, &mut session, 1);
        let (json, is_fine) = exports(&mut session);
        let fault = session.tree.listing().fault.clone();
        println!(
            "{}: {rows} rows, {edited} edits, {} bytes of JSON, {is_fine} {fault:?}",
            path.display(),
            json.len()
        );
        let file = std::fs::read(&path).unwrap();
        let saved = session.save_files([0; 16]).unwrap();
        assert!(saved[0].1 == file, "{}", path.display());
        if let Some((name, bytes)) = saved.get(1) {
            assert!(
                *bytes == std::fs::read(path.with_file_name(name)).unwrap(),
                "{}",
                path.display()
            );
        }
        done += edited;
    }
    assert!(opened >= expected && done >= changed, "{opened} opened, {done} changed");
}

/// Changes each byte of a file, and cuts the file off at every third byte. Nothing may panic.
fn damaged(extensions: &[&str], max: u64) {
    for path in corpus(extensions) {
        let bytes = std::fs::read(&path).unwrap();
        if bytes.len() as u64 > max {
            continue;
        }
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            other[at] ^= if at % 2 == 0 { 0xFF } else { 1 };
            survives(&path, other);
            if at % 3 == 0 {
                survives(&path, bytes[..at].to_vec());
            }
        }
    }
}

fn survives(path: &Path, bytes: Vec<u8>) {
    let Ok(mut session) = bytes_session(path, bytes, Extras::default()) else { return };
    open_all(&mut session, 30);
    let rows = session.rows(0, 30);
    for (row, shown) in (0..).zip(&rows) {
        if shown.row.can_edit && session.edit(row, Part::Value, "7").is_ok() {
            session.step_back(false);
            break;
        }
    }
    let end = session.content.len();
    session.at_offset(end / 2);
    let _ = exports(&mut session);
}

#[test]
fn saves_of_unreal_engine() {
    all_of(&[".sav"], 40, 50);
}

#[test]
fn damaged_saves_of_unreal_engine() {
    damaged(&["guid_int_map.sav", "struct_FontData.sav", "text_history_0x41.sav"], 3000);
}

#[test]
fn packages_of_unreal_engine() {
    all_of(
        &["ue4.09-PS_X.uasset", "ue4.13-SimpleRefsRoot.uasset", "ue5.6-SimpleRefsRoot.uasset"],
        3,
        20,
    );
}

#[test]
fn cooked_packages_of_unreal_engine() {
    all_of(
        &["AllProperties.uasset", "NewDataTable.uasset", "Empty.umap", "T_Streaming.uasset"],
        5,
        20,
    );
}

#[test]
fn packages_without_names_of_properties() {
    all_of(&["unreal-mappings/tiny.uasset", "declared.uasset", "unreal-zen/tiny.uasset"], 3, 4);
}

#[test]
fn saves_of_rems_engine() {
    let extensions = [
        ".text.json",
        ".pretty.json",
        ".binary.bin",
        ".container.rem",
        "engine-prefab-handformatted.json",
    ];
    all_of(&extensions, 100, 240);
}

#[test]
fn damaged_saves_of_rems_engine() {
    damaged(
        &[
            "2021/01_scalars.text.json",
            "07_arrays_1d.binary.bin",
            "31_shared_child.text.json",
            "37_homogeneous_array.binary.bin",
        ],
        3000,
    );
}

#[test]
fn configuration_files_of_godot() {
    all_of(&["project.godot", "export_presets.cfg", ".import"], 3, 10);
    let text = "; first\na=1\n[one]\nb = \"x, \\\"y\" ; c\nlist=[1, \"a,]\", {\"k\": Vector2(1, 2)}]\n\n[two]\nempty=[]\nd=Array[int]([3, 4])\n";
    let path = Path::new("settings.cfg");
    let mut session = bytes_session(path, text.into(), Extras::default()).unwrap();
    open_all(&mut session, 100);
    let rows = texts(&session);
    assert!(
        rows.iter().any(|row| row == "4 1 float 2 None" || row == "4 1 int 2 None"),
        "{rows:#?}"
    );
    assert!(rows.iter().any(|row| row.contains("2 1 String \"a,]\"")), "{rows:#?}");
    assert!(edits(path, &mut session, 5) >= 8);
    let row = rows.iter().position(|row| row.contains(" d ")).unwrap() as u64;
    assert!(session.edit(row, Part::Value, "1\nx=2").is_err());
    assert!(session.edit(row, Part::Value, "nothing").is_err());
    session.edit(row, Part::Value, "Array[int]([5])").unwrap();
    assert_eq!(session.content, text.replace("3, 4", "5").into_bytes());
}

#[test]
fn damaged_configuration_files() {
    damaged(&["config/project.godot"], 3000);
}

#[test]
fn files_that_are_only_listed() {
    all_of(&[".pak", ".utoc", ".locres", ".usmap", "unreal-registry/v16.bin", "v24.bin"], 10, 0);
    let path = corpus(&["unreal-paks/v11.pak"]).remove(0);
    let session = session(&path).unwrap();
    let row = session.rows(0, 50).iter().position(|shown| shown.row.can_extract).unwrap() as u64;
    let (name, file) = session.extract(row).unwrap().unwrap();
    assert!(!name.is_empty() && !file.is_empty());
}

#[test]
fn bytes_are_found_in_the_tree() {
    for path in corpus(&[".sav"]) {
        let Ok(mut session) = session(&path) else { continue };
        open_all(&mut session, ROWS);
        for shown in session.rows(0, ROWS) {
            let place = &shown.shown.place;
            if shown.row.can_open || place.value.is_empty() || place.role == Role::Root {
                continue;
            }
            let row = session.at_offset(place.value.start).unwrap();
            let found = &session.rows(row, 1)[0];
            assert!(found.shown.place.value.contains(&place.value.start), "{}", path.display());
        }
    }
}

fn corpus_session(path: &str) -> Session {
    session(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus").join(path)).unwrap()
}

#[test]
fn tables_have_elements_of_arrays() {
    let mut save = corpus_session("unreal/gvas-ue4.27-Slot1.sav");
    save.start_csv();
    let mut table = String::new();
    while !save.csv(5, &mut table).1 {}
    let cells = |path: &str| {
        let line = table.lines().find(|line| line.split(',').next() == Some(path)).unwrap();
        line.split(',').nth(2).unwrap().to_owned()
    };
    assert_eq!((cells("u8_test"), cells("array_of_ints/0")), ("129".into(), "12".into()));
    assert!(table.lines().all(|line| !line.contains("Int,,")), "{table}");
}

#[test]
fn undo_leads_to_the_changed_value() {
    let mut package = corpus_session("unreal/ue5.8-cooked-tagged-DA_AllProperties.uasset");
    open_all(&mut package, 2000);
    let row = (0..package.tree.len()).find(|row| {
        let shown = package.rows(*row, 1).remove(0);
        shown.row.label == "Label" && shown.row.can_edit
    });
    let row = row.unwrap();
    package.edit(row, Part::Value, "a text that is longer than the one before").unwrap();
    let at = package.step_back(false).unwrap();
    assert_eq!(package.rows(row, 1)[0].shown.place.value.start, at);
}

#[test]
fn plain_json() {
    use crate::file::json::is_plain;
    for text in ["0", "-1", "1.5", "-0.25e-7", "1e3", "true", "null"] {
        assert!(is_plain(text), "{text}");
    }
    for text in ["", "-", "007", "+7", "1.", ".5", "1e", "inf", "nan", "1 ", "0x1"] {
        assert!(!is_plain(text), "{text}");
    }
}
