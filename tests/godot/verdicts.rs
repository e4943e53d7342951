//! Checks on damaged packets that the crate accepts and rejects the same packets as engines.

use crate::support::corpus::{self, is_true, number};
use crate::support::godot::parity::{self, Difference, Engine, Outcome, What, outcome, verdict};
use crate::support::native_json::{self, Json};
use gamewire::godot::{Dialect, Kind};

/// Tests the comparison with engine results that `tests/parity.rs` uses.
#[test]
fn differences_are_reported() {
    let engine = Engine::named("godot4").unwrap();
    let of = |line: &str| outcome(&native_json::parse(line).unwrap(), engine);
    let differs = |line: &str| match of(line) {
        Outcome::Differs(Difference { in_what, .. }) => Some(in_what),
        _ => None,
    };
    let line = |tail: &str| format!(r#"{{"hex":"0200000005000000",{tail}}}"#);
    let (ok, cut) = (r#""ok":true,"size":8,"value":"\"i:5\"""#, r#""hex":"02000000050000""#);
    assert_eq!(of(&line(ok)), Outcome::Same);
    assert_eq!(of(&format!(r#"{{{cut},"ok":false}}"#)), Outcome::Refused);
    assert_eq!(differs(&format!(r#"{{{cut},"ok":true}}"#)), Some(What::Verdict));
    assert_eq!(differs(&line(r#""ok":false"#)), Some(What::Verdict));
    assert_eq!(differs(&line(r#""ok":true,"size":4"#)), Some(What::Size));
    assert_eq!(differs(&line(&ok.replace("i:5", "i:6"))), Some(What::Value));
}

/// An engine rejects objects of classes that it does not know. The crate does not know classes, so
/// this difference is not reported.
#[test]
fn unknown_classes_are_excepted() {
    let engine = Engine::named("godot4").unwrap();
    let line = |objects| {
        let class = "180000000100000041000000".to_owned() + "00000000";
        let line = format!(r#"{{"hex":"{class}","objects":{objects},"ok":false}}"#);
        outcome(&native_json::parse(&line).unwrap(), engine)
    };
    assert_eq!(line(true), Outcome::Excepted(parity::Exception::Registry));
    assert_eq!(line(false), Outcome::Refused);
}

#[test]
fn hostile_files_have_the_engines_verdicts() {
    for line in corpus::lines("hostile/verdicts.jsonl") {
        let name = line.get("file").and_then(Json::as_str).unwrap();
        let packet = corpus::read(&format!("hostile/{name}"));
        let size = verdict(&packet, Dialect::Godot4, false).ok();
        assert_eq!(size.is_some(), is_true(&line, "ok"), "{name}");
        if let Some(size) = size {
            assert_eq!(size, number(&line, "size").min(packet.len()), "{name}");
        }
        // If objects are allowed, the engine rejects two files that the crate accepts: one contains
        // an unknown class `A`, and the other a script that does not exist.
        let registry = ["x_obj.bin", "x_tarr_kind3.bin"].contains(&name);
        let with_objects = verdict(&packet, Dialect::Godot4, true).is_ok();
        assert_eq!(with_objects, registry || is_true(&line, "ok_with_objects"), "{name}");
    }
}

/// Short text is validated in words that can include the bytes after the text. These bytes must not
/// change the result.
#[test]
fn short_text_with_any_byte_is_checked_alone() {
    for dialect in [Dialect::Godot4, Dialect::Godot3, Dialect::Godot2] {
        let header = |kind| u32::from(dialect.id(kind).unwrap()).to_le_bytes();
        let (string, array) = (header(Kind::String), header(Kind::Array));
        let (nil, ints) = (header(Kind::Nil).to_vec(), header(Kind::Int).repeat(9));
        for text in short_texts() {
            let pad = &[0xff; 3][..text.len().wrapping_neg() & 3];
            let text = [&string[..], &[text.len() as u8, 0, 0, 0], &text, pad].concat();
            for last in [&text, &nil, &ints] {
                let packet = [&array[..], &[2, 0, 0, 0], &text, last].concat();
                drop(verdict(&packet, dialect, false));
            }
        }
    }
}

/// Returns texts of up to 20 letters, with one letter replaced by an unusual byte.
fn short_texts() -> impl Iterator<Item = Vec<u8>> {
    let positions = (0..=20).flat_map(|len| (0..=len).map(move |at| (len, at)));
    positions.flat_map(|(len, at)| {
        [0, 1, 0x80, 0xff].map(|byte| {
            let mut text = vec![b'a'; len];
            text.iter_mut().skip(at).take(1).for_each(|letter| *letter = byte);
            text
        })
    })
}
