//! Damaged packets, and what engines said of them.

mod support;

use gamewire::godot::{Dialect, Kind, Limits, Reader};
use support::compare::matches_build;
use support::native_json::{self, Json};
use support::{is_true, number, oracle, to_oracle, unhex};

/// The crate's verdict, checked against the second opinion's: the size, if accepted.
fn verdict(packet: &[u8], dialect: Dialect, objects: bool) -> Option<usize> {
    let mut reader = Reader::new(packet, dialect).limits(Limits { objects, ..Limits::ENGINE });
    let read = reader.read();
    assert!(reader.offset() <= packet.len() as u64);
    if let Err(error) = read {
        assert!(error.offset() <= packet.len() as u64, "{error}");
    }
    let size = read.ok().map(|_| reader.offset() as usize);
    let level = oracle::Level::Engine;
    let second = oracle::decode(packet, to_oracle(dialect), level, objects);
    assert_eq!(size, second.ok().map(|(_, size)| size), "{packet:02x?} in {dialect}");
    size
}

/// One line of a `mutated.jsonl`.
fn line(line: &Json, dialect: Dialect, single: bool) {
    let hex = line.get("hex").and_then(Json::as_str).unwrap();
    let packet = unhex(hex);
    let size = verdict(&packet, dialect, is_true(line, "objects"));
    assert_eq!(size.is_some(), is_true(line, "ok"), "{hex}");
    let Some(size) = size else { return };
    if line.get("size").is_some() {
        // Where the pad of a byte array at the end is missing, the engine reports a
        // size past the end of the input.
        assert_eq!(size, number(line, "size").min(packet.len()), "{hex}");
    }
    let (value, _) = support::value_of(&packet, dialect).unwrap();
    let json = match line.get("value").unwrap() {
        Json::String(text) if dialect == Dialect::Godot4 => match native_json::parse(text) {
            Ok(json) => json,
            // The engine's JSON gives up at its own depth, with `...`.
            Err(_) if text.contains("...") => return,
            Err(error) => panic!("{error}: {text}"),
        },
        json => json.clone(),
    };
    if let Err(difference) = matches_build(&value, &json, to_oracle(dialect), single) {
        panic!("{hex}: {difference}");
    }
}

fn file(path: &str, dialect: Dialect, single: bool) {
    let lines = support::lines(path);
    assert!(lines.len() >= 500, "{path}");
    lines.iter().for_each(|text| line(text, dialect, single));
}

#[test]
fn godot4() {
    file("godot4/mutated.jsonl", Dialect::Godot4, true);
}

#[test]
fn godot4_double() {
    file("godot4-double/mutated.jsonl", Dialect::Godot4, false);
}

#[test]
fn godot3() {
    file("godot3/mutated.jsonl", Dialect::Godot3, true);
}

#[test]
fn hostile() {
    for line in support::lines("hostile/verdicts.jsonl") {
        let name = line.get("file").and_then(Json::as_str).unwrap();
        let packet = support::read(&format!("hostile/{name}"));
        let size = verdict(&packet, Dialect::Godot4, false);
        assert_eq!(size.is_some(), is_true(&line, "ok"), "{name}");
        if let Some(size) = size {
            assert_eq!(size, number(&line, "size").min(packet.len()), "{name}");
        }
        // With objects allowed two need the engine's own classes and scripts: a class
        // `A`, and a script that does not exist.
        let registry = ["x_obj.bin", "x_tarr_kind3.bin"].contains(&name);
        let with_objects = verdict(&packet, Dialect::Godot4, true).is_some();
        assert_eq!(with_objects, registry || is_true(&line, "ok_with_objects"), "{name}");
    }
}

/// Files like `mutated.jsonl` that are not part of the repository: their paths in
/// `GAMEWIRE_HELD_OUT`, as `godot4=FILE,godot3=FILE`.
#[test]
fn held_out() {
    let Ok(files) = std::env::var("GAMEWIRE_HELD_OUT") else { return };
    for entry in files.split(',') {
        let (dialect, path) = entry.split_once('=').unwrap();
        let dialect = dialect.parse().unwrap();
        let lines = support::lines(path);
        let failed = lines
            .iter()
            .filter(|text| std::panic::catch_unwind(|| line(text, dialect, true)).is_err());
        println!("{path}: {} of {} lines differ", failed.count(), lines.len());
    }
}

/// Text is looked at by words, together with what follows it: no byte there may matter.
#[test]
fn short_text_with_any_byte_anywhere() {
    for dialect in [Dialect::Godot4, Dialect::Godot3, Dialect::Godot2] {
        let header = |kind| u32::from(dialect.id(kind).unwrap()).to_le_bytes();
        let (string, array) = (header(Kind::String), header(Kind::Array));
        let (nil, ints) = (header(Kind::Nil).to_vec(), header(Kind::Int).repeat(9));
        for text in short_texts() {
            let pad = &[0xff; 3][..text.len().wrapping_neg() & 3];
            let text = [&string[..], &[text.len() as u8, 0, 0, 0], &text, pad].concat();
            for last in [&text, &nil, &ints] {
                verdict(&[&array[..], &[2, 0, 0, 0], &text, last].concat(), dialect, false);
            }
        }
    }
}

/// Of up to 20 letters, one of them another byte.
fn short_texts() -> impl Iterator<Item = Vec<u8>> {
    let places = (0..=20).flat_map(|len| (0..=len).map(move |at| (len, at)));
    places.flat_map(|(len, at)| {
        [0, 1, 0x80, 0xff].map(|byte| {
            let mut text = vec![b'a'; len];
            text.iter_mut().skip(at).take(1).for_each(|letter| *letter = byte);
            text
        })
    })
}
