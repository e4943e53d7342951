//! Paths in owned values. A lookup finds the same value as in a view, and the value can be changed.

use crate::support::corpus;
use gamewire::godot::{
    Array, Dialect, Dictionary, Encoded, Object, ObjectRef, Reader, StringName, Variant,
    VariantRef, Vector2, path::Path,
};

fn read(bytes: &[u8], dialect: Dialect) -> Encoded<'_> {
    Reader::new(bytes, dialect).read_encoded().unwrap()
}

/// Collects the offsets of the values inside a value. Collects at most eight offsets for each
/// container, and leaves out keys. The offset of a container precedes the offsets of its items.
fn value_offsets(encoded: Encoded<'_>, start: *const u8, to: &mut Vec<u64>) {
    let inside: Vec<_> = match encoded.decode() {
        VariantRef::Array(array) => array.iter().encoded().collect(),
        VariantRef::Dictionary(dictionary) => {
            dictionary.iter().encoded().map(|(_, value)| value).collect()
        }
        VariantRef::Object(ObjectRef::Full(object)) => {
            object.properties().encoded().map(|(_, value)| value).collect()
        }
        _ => return,
    };
    for item in inside.into_iter().take(8) {
        to.push((item.as_bytes().as_ptr().addr() - start.addr()) as u64);
        value_offsets(item, start, to);
    }
}

/// A path that is printed for an offset in a packet leads to the same value in the packet and in
/// the owned value.
#[test]
fn paths_find_the_same_value_in_views_and_owned_values() {
    let mut compared = 0;
    for (folder, dialect) in corpus::WRITTEN.into_iter().chain([("bench", Dialect::Godot4)]) {
        for (name, bytes) in corpus::packets(folder) {
            let encoded = read(&bytes, dialect);
            let mut owned = encoded.to_variant().unwrap();
            let mut offsets = Vec::new();
            value_offsets(encoded, bytes.as_ptr(), &mut offsets);
            for offset in offsets.into_iter().take(60) {
                let path = Path::new(&bytes, dialect, offset).to_string();
                let expected = encoded.find(&path).unwrap().encoded().unwrap();
                let expected = expected.to_variant().unwrap();
                assert_eq!(owned.at(&path), Some(&expected), "{folder}/{name}: {path}");
                assert_eq!(owned.at_mut(&path), Some(&mut expected.clone()), "{name}: {path}");
                compared += 1;
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

fn object() -> Object {
    let mut object = Object::new("Node");
    for (name, value) in [("hp", 1), ("5", 2), ("hp", 3)] {
        object.properties.push((name.as_bytes().to_vec(), value.into()));
    }
    object
}

/// Returns a dictionary with keys of each type, repeated keys, a text key that looks like an int, a
/// list and an object.
fn state() -> Variant {
    let mut state = Dictionary::new();
    state.pairs = vec![
        ("name".into(), 0.into()),
        (StringName("name").into(), 1.into()),
        (5.into(), 2.into()),
        ("5".into(), 3.into()),
        ("a/b".into(), 4.into()),
        (Vector2 { x: 1, y: 2 }.into(), 5.into()),
        ("list".into(), Array::from_iter([10, 11, 12]).into()),
        ("node".into(), object().into()),
        ("point".into(), Vector2 { x: 7, y: 8 }.into()),
        (Array::new().into(), 6.into()),
        (5.into(), 7.into()),
    ];
    state.into()
}

#[test]
fn segments_select_the_same_values_as_in_views() {
    let mut state = state();
    for (path, expected) in [
        ("name", Some(1)),
        ("5", Some(7)),
        ("\"5\"", Some(3)),
        ("\"a/b\"", Some(4)),
        ("[Vector2i(1, 2)]", Some(5)),
        ("[#2]", Some(2)),
        ("[#9]", Some(6)),
        ("[#11]", None),
        ("list/0", Some(10)),
        ("list/2", Some(12)),
        ("list/-1", Some(12)),
        ("list/-3", Some(10)),
        ("list/-4", None),
        ("list/3", None),
        ("list/\"0\"", None),
        ("list/[#0]", None),
        ("list/name", None),
        ("node/hp", Some(3)),
        ("node/[#0]", Some(1)),
        ("node/[#3]", None),
        ("node/5", Some(2)),
        ("node/none", None),
        ("none", None),
        ("[]", None),
        ("a/b", None),
        ("name/", None),
        ("/name", None),
        ("\"name", None),
        ("list/0/0", None),
        // In an owned value, a path can lead to a value, but not to a component or a key.
        ("point/x", None),
        ("[#0 key]", None),
    ] {
        assert_eq!(state.at(path).and_then(Variant::as_i64), expected, "{path}");
        assert_eq!(state.at_mut(path).and_then(|found| found.as_i64()), expected, "{path}");
    }
    assert_eq!(state.at(""), Some(&state.clone()));
    assert_eq!(state.at("list").map(Variant::kind), Some(gamewire::godot::Kind::Array));

    // A view returns the same values for these paths.
    let packet = state.to_bytes(Dialect::Godot4).unwrap();
    let view = read(&packet, Dialect::Godot4).decode();
    for path in ["name", "5", "\"5\"", "[#2]", "list/-1", "list/3", "node/hp", "node/5", "[#11]"] {
        let found = view.at(path).and_then(|found| found.as_i64());
        assert_eq!(found, state.at(path).and_then(Variant::as_i64), "{path}");
    }
}

#[test]
fn set_changes_only_the_value_at_the_path() {
    for path in ["5", "list/1", "node/hp", "[#9]", "\"a/b\""] {
        let (before, mut after) = (state(), state());
        *after.at_mut(path).unwrap() = "changed".into();
        assert_eq!(after.at(path), Some(&"changed".into()));
        assert_ne!(before, after);
        *after.at_mut(path).unwrap() = before.at(path).unwrap().clone();
        assert_eq!(before, after, "{path}");
    }
    let mut whole = state();
    *whole.at_mut("").unwrap() = Variant::NIL;
    assert_eq!(whole, Variant::default());
}
