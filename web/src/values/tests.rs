#![allow(clippy::unwrap_used)]

use crate::file::open::{Extras, Opened, open};
use crate::file::place::{Part, Role};
use crate::file::search::{Field, Needle};
use crate::file::session::Session;
use std::path::{Path, PathBuf};

fn session(name: &str, bytes: Vec<u8>) -> Option<Session> {
    match open(name, bytes, &mut Extras::default()) {
        Ok(Opened::Session(session)) => Some(*session),
        _ => None,
    }
}

/// Returns the small binary files of the corpus, with their paths.
fn corpus() -> Vec<(PathBuf, Vec<u8>)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus");
    let mut folders = vec![corpus];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension().and_then(|extension| extension.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("bin" | "dat") if entry_len(&path) < 4096 => {
                    found.push((path.clone(), std::fs::read(path).unwrap()));
                }
                _ => {}
            }
        }
    }
    found
}

fn entry_len(path: &Path) -> u64 {
    std::fs::metadata(path).unwrap().len()
}

/// Opens all containers in the first `limit` rows.
fn open_all(session: &mut Session, limit: u64) {
    let mut row = 0;
    while row < session.tree.len().min(limit) {
        let rows = session.rows(row, 1);
        if rows[0].row.can_open && !rows[0].shown.is_open {
            session.toggle(row, true);
        }
        row += 1;
    }
}

#[test]
fn rows_chains_and_offsets_agree() {
    let mut opened = 0;
    for (path, bytes) in corpus() {
        let Some(mut session) = session("file", bytes) else { continue };
        open_all(&mut session, 60);
        let all = session.rows(0, 60);
        for (row, shown) in (0..).zip(&all) {
            let chain = session.tree.chain(row).unwrap();
            assert_eq!(session.tree.row_of(&chain), row, "{}", path.display());
            let one = &session.rows(row, 1)[0];
            assert_eq!(one.shown.place, shown.shown.place, "{}: row {row}", path.display());
        }
        for shown in all.iter().filter(|shown| !shown.row.can_open) {
            let place = &shown.shown.place;
            if place.value.is_empty() || place.role == Role::Root {
                continue;
            }
            let row = session.at_offset(place.value.start).unwrap();
            let found = &session.rows(row, 1)[0];
            assert_eq!(found.shown.place.value, place.value, "{}", path.display());
        }
        opened += 1;
    }
    assert!(opened > 300, "{opened}");
}

#[test]
fn values_change_only_where_their_text_does() {
    let (mut kept, mut changed) = (0, 0);
    for (path, bytes) in corpus() {
        let Some(mut session) = session("file", bytes) else { continue };
        // The files in these folders are unusual on purpose.
        let made = ["hostile", "derived", "refused"];
        if made.iter().any(|folder| path.iter().any(|part| part == *folder)) {
            continue;
        }
        let original = session.content.clone();
        open_all(&mut session, 60);
        for row in 0..session.tree.len().min(60) {
            let shown = session.rows(row, 1);
            for (part, can_edit) in
                [(Part::Value, shown[0].row.can_edit), (Part::Key, shown[0].row.can_edit_key)]
            {
                let text = session.text(row, part);
                if !can_edit || session.edit(row, part, &format!("{text} ")).is_err() {
                    continue;
                }
                if session.content == original {
                    kept += 1;
                } else {
                    // Text does not express all bytes, such as the bits of a NaN.
                    changed += 1;
                    session.step_back(false);
                    open_all(&mut session, 60);
                    assert_eq!(session.content, original, "{}: row {row}", path.display());
                }
            }
        }
    }
    assert!(kept > 2000 && changed * 10 < kept, "{kept} kept, {changed} changed");
}

/// An array of `[number, "text"]`.
fn numbers(count: u32) -> Vec<u8> {
    let word = |number: u32| number.to_le_bytes();
    let mut bytes = [word(28), word(count)].concat();
    for number in 0..count {
        bytes.extend([word(28), word(2), word(2), word(number), word(4), word(4)].concat());
        bytes.extend(b"text");
    }
    bytes
}

#[test]
fn an_edit_moves_what_comes_after_it() {
    let mut session = session("file", numbers(500)).unwrap();
    open_all(&mut session, 5000);
    assert_eq!(session.tree.len(), 1 + 500 * 3);
    let texts = |session: &Session| -> Vec<String> {
        session.rows(0, 2000).iter().map(|shown| shown.row.text.clone()).collect()
    };
    let mut expected = texts(&session);
    let row = 1 + 3 * 70 + 2;
    session.edit(row, Part::Value, "\"a much longer text\"").unwrap();
    expected[row as usize] = "\"a much longer text\"".into();
    assert_eq!(texts(&session), expected);
    let (content, len) = (session.content.clone(), session.tree.len());
    session.step_back(false);
    assert_eq!(session.content, numbers(500));
    session.step_back(true);
    assert_eq!((&session.content, session.tree.len()), (&content, len));
    assert_eq!(texts(&session), expected);
    // A leaf that becomes a container can be opened.
    session.edit(2, Part::Value, "[1, 2]").unwrap();
    session.toggle(2, true);
    assert_eq!(session.rows(2, 3)[2].row.text, "2");
    let error = session.edit(3, Part::Value, "text").unwrap_err();
    assert!(error.text.contains("byte 1 of the text"), "{}", error.text);
}

#[test]
fn searches_end_and_can_be_revealed() {
    let mut session = session("file", numbers(500)).unwrap();
    let mut search = |needle: &str, field| {
        session.start_search(Needle::new(&needle.to_lowercase(), &needle.to_uppercase()), field);
        let mut hits = Vec::new();
        loop {
            let (found, _, done) = session.search(7);
            hits.extend(found);
            if done {
                break;
            }
        }
        let rows: Vec<u64> = hits.iter().map(|hit| session.reveal(&hit.chain)).collect();
        let paths: Vec<_> = hits.iter().map(|hit| hit.path.clone()).collect();
        assert_eq!(rows.last().map(|row| session.path(*row)), paths.last().cloned());
        paths
    };
    assert_eq!(search("499", Field::Value), ["0/499/0"]);
    assert_eq!(search("499", Field::Key), ["0/499"]);
    assert_eq!(search("499/1", Field::Path), ["0/499/1"]);
    assert_eq!(search("TEXT", Field::Any).len(), 500);
    assert!(search("nothing", Field::Any).is_empty());
}

fn differences(left: &Session, right: &Session) -> Vec<(String, [Option<String>; 2])> {
    let mut diff = left.compare(right);
    let mut found = Vec::new();
    while !diff.run([left.side(), right.side()], 3, &mut |difference| found.push(difference)).1 {}
    found.into_iter().map(|difference| (difference.path, difference.texts)).collect()
}

fn written(text: &str) -> Session {
    let value: gamewire::godot::Variant = text.parse().unwrap();
    session("file", value.to_bytes(gamewire::godot::Dialect::Godot4).unwrap()).unwrap()
}

#[test]
fn differences_of_two_files() {
    let left = written(r#"{"a": 1, "list": [1, 2, 3, 4], "gone": {"x": 1}, "same": [5]}"#);
    let right = written(r#"{"list": [1, 9, 3, 4, 5], "a": 2.0, "same": [5], "new": "text"}"#);
    let text = |text: &str| Some(text.to_owned());
    let mut found = differences(&left, &right);
    found.sort();
    let expected = [
        ("0/a", [text("1"), text("2.0")]),
        ("0/gone", [text("Dictionary (1)"), None]),
        ("0/list/1", [text("2"), text("9")]),
        ("0/list/4", [None, text("5")]),
        ("0/new", [None, text("\"text\"")]),
    ];
    assert_eq!(found, expected.map(|(path, texts)| (path.to_owned(), texts)));
}

#[test]
fn an_inserted_element_is_one_difference() {
    let (left, right) = (written("[1, 2, 3, 4, 5]"), written("[1, 2, 7, 3, 4, 5]"));
    assert_eq!(differences(&left, &right), [("0/2".to_owned(), [None, Some("7".to_owned())])]);
}

#[test]
fn one_edit_is_one_difference() {
    let mut count = 0;
    for (path, bytes) in corpus() {
        let Some(mut edited) = session(path.to_str().unwrap(), bytes.clone()) else { continue };
        let original = session(path.to_str().unwrap(), bytes).unwrap();
        assert_eq!(differences(&original, &edited), [], "{}", path.display());
        let row = (0..edited.tree.len()).find(|row| {
            let rows = edited.rows(*row, 1);
            rows[0].row.can_edit && rows[0].row.kind == "int"
        });
        let Some(row) = row else { continue };
        let new = if edited.text(row, Part::Value) == "3" { "4" } else { "3" };
        // The page opens malformed files, too, but does not change them.
        if edited.edit(row, Part::Value, new).is_err() {
            continue;
        }
        count += 1;
        let found = differences(&original, &edited);
        assert_eq!(found.len(), 1, "{}: {found:?}", path.display());
        assert_eq!(found[0].1[1].as_deref(), Some(new));
    }
    assert!(count > 50, "{count}");
}

#[test]
fn values_as_a_table() {
    let mut session =
        written(r#"{"a": "x, \"y\"", "list": [1, 2.5], "ids": PackedInt32Array(1, 2)}"#);
    session.start_csv();
    let mut text = String::new();
    while !session.csv(1, &mut text).1 {}
    let expected = "path,type,value,offset,length\r\n\
        0/a,String,\"\"\"x, \\\"\"y\\\"\"\"\"\",20,16\r\n\
        0/list/0,int,1,56,8\r\n\
        0/list/1,float,2.5,64,8\r\n\
        0/ids,PackedInt32Array,\"PackedInt32Array(1, 2)\",84,16\r\n";
    assert_eq!(text, expected);
}
