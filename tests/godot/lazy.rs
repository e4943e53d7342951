//! Tests lookups that check only the bytes before the answer.

use crate::support::corpus;
use crate::support::godot::words::words;
use gamewire::godot::{Dialect, Error, ErrorKind, LazyRef, Limits, Reader, VariantRef};

fn reader(packet: &[u8]) -> Reader<'_, '_> {
    Reader::new(packet, Dialect::Godot4)
}

fn found<'a>(packet: &'a [u8], path: &str) -> Option<VariantRef<'a>> {
    reader(packet).find(path).unwrap()
}

fn error(packet: &[u8], path: &str) -> Error {
    reader(packet).find(path).map(drop).unwrap_err()
}

#[test]
fn finds_the_values_of_a_game_state() {
    let packet = corpus::read("bench/state_simple.bin");
    let state = reader(&packet).read().unwrap();
    for path in ["match_id", "tick", "wind", "wind/z", "players/p0/vel/y", "players", "chat", ""] {
        let (lazy, checked) = (found(&packet, path).unwrap(), state.at(path).unwrap());
        assert_eq!(format!("{lazy:?}"), format!("{checked:?}"), "{path}");
    }
    for missing in ["ping", "wind/w", "tick/x", "players/p9", "0", "a//b", "\"", "[#25]"] {
        assert!(found(&packet, missing).is_none(), "{missing}");
    }
}

#[test]
fn every_cut_gives_the_answer_or_the_error_of_a_full_read() {
    let packet = corpus::read("bench/state_simple.bin");
    let end = |path: &str| {
        let state = reader(&packet).read_encoded().unwrap();
        let bytes = state.find(path).unwrap().bytes();
        reader(&packet).range_of(bytes).unwrap().end
    };
    for path in ["match_id", "wind", "ping_ms", "players/p1/aim", "players"] {
        for len in 0..packet.len() {
            let cut = &packet[..len];
            match reader(cut).find(path) {
                Ok(found) => assert!(found.is_some() && len >= end(path), "{path} {len}"),
                Err(error) => assert_eq!(Err(error), reader(cut).read().map(drop), "{path} {len}"),
            }
        }
    }
}

#[test]
fn bytes_after_the_answer_do_not_matter() {
    // {"a": [5, 6], 7: "x", "3": 8, 3: 9, "a": 1}, then an unknown type.
    let mut packet = words(&[27, 6, 4, 1, 0x61, 28, 2, 2, 5, 2, 6, 2, 7, 4, 1, 0x78]);
    packet.extend(words(&[4, 1, 0x33, 2, 8, 2, 3, 2, 9, 4, 1, 0x61, 2, 1]));
    packet.extend(words(&[99, 0, 0, 0]));
    assert_eq!(found(&packet, "a/1").unwrap().as_i64(), Some(6));
    assert_eq!(found(&packet, "a/-2").unwrap().as_i64(), Some(5));
    assert!(found(&packet, "7").unwrap().as_str().unwrap() == "x");
    // The first pair with the key. An engine would keep the last.
    assert!(found(&packet, "a").unwrap().as_array().is_some());
    // An int key has precedence over the text before it.
    assert_eq!(found(&packet, "3").unwrap().as_i64(), Some(9));
    assert_eq!(found(&packet, "\"3\"").unwrap().as_i64(), Some(8));
    assert_eq!(found(&packet, "[7]").unwrap().as_str().unwrap().to_str(), Ok("x"));
    assert_eq!(found(&packet, "[#3]").unwrap().as_i64(), Some(9));
    assert_eq!(found(&packet, "[#3 key]").unwrap().as_i64(), Some(3));
    let unknown = error(&packet, "b");
    assert_eq!((*unknown.kind(), unknown.offset()), (ErrorKind::UnknownType { id: 99 }, 120));
    assert_eq!(Err(unknown), reader(&packet).read().map(drop));
}

#[test]
fn properties_of_objects_are_found() {
    let packet = b"\x18\0\0\0\x08\0\0\0Resource\x02\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x05\0\0\0\
        \x02\0\0\0mp\0\0\x63\0\0\0";
    assert_eq!(found(packet, "hp").unwrap().as_i64(), Some(5));
    assert_eq!(found(packet, "[#0]").unwrap().as_i64(), Some(5));
    assert_eq!(error(packet, "mp").offset(), 44);
    let LazyRef::Object(object) = reader(packet).lazy().unwrap() else { panic!() };
    assert!(object.class() == "Resource");
    let no_objects = || reader(packet).limits(Limits { objects: false, ..Limits::default() });
    assert_eq!(no_objects().lazy().map(drop), no_objects().read().map(drop));
}

#[test]
fn depth_counts_the_containers_around_the_answer() {
    let deep = |levels: usize| [words(&[28, 1]).repeat(levels), words(&[0])].concat();
    let path = |levels: usize| vec!["0"; levels].join("/");
    assert!(found(&deep(1024), &path(1024)).unwrap().is_nil());
    let too_deep = error(&deep(1025), &path(1025));
    assert_eq!(*too_deep.kind(), ErrorKind::TooDeep { limit: 1024 });
    assert_eq!(Err(too_deep), reader(&deep(1025)).read().map(drop));
}

#[test]
fn an_iterator_that_ends_has_checked_every_item() {
    // [[5], [<unknown type>]]
    let packet = words(&[28, 2, 28, 1, 2, 5, 28, 1, 99]);
    let array = reader(&packet).lazy().unwrap().as_array().unwrap();
    let mut items = array.iter();
    assert!(items.next().unwrap().unwrap().as_array().is_some());
    assert!(items.next().unwrap().unwrap().as_array().is_some());
    assert_eq!(items.next().unwrap().map(drop), reader(&packet).read().map(drop));
    assert!(items.next().is_none());
}
