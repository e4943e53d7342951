#![allow(clippy::unwrap_used)]

use super::{Extras, Opened, Session, open};
use crate::place::{Part, Role};
use crate::search::Field;
use std::path::{Path, PathBuf};

fn session(name: &str, bytes: Vec<u8>) -> Option<Session> {
    match open(name, bytes, &mut Extras::default(), None) {
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
        session.start_search(needle, field);
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
