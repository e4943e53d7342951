//! Checks packets that engines wrote. The crate and the oracle must decode them to the values that
//! the engine reads, and the crate must encode these values to the same bytes.

use crate::support::corpus;
use crate::support::godot::{compare, oracle, values};
use gamewire::godot::frame::Frames;
use gamewire::godot::{
    Deviation, Dialect, Encoded, Kind, Level, Limits, Reader, VariantRef, Writer,
};
use std::collections::HashSet;

/// Checks the properties that every packet from an engine has, and returns its value.
fn check_packet(name: &str, bytes: &[u8], dialect: Dialect) -> oracle::Value {
    let (value, end) = values::value_of(bytes, dialect).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(end, bytes.len(), "{name}: bytes after the value");
    let level = oracle::Level::Engine;
    let second = oracle::decode(bytes, values::to_oracle(dialect), level, true);
    let (second, second_end) = second.unwrap_or_else(|reject| panic!("{name}: {reject:?}"));
    assert_eq!((&value, end), (&second, second_end), "{name}: the oracle");

    let mut reader = Reader::new(bytes, dialect);
    let encoded = reader.read_encoded().unwrap();
    assert_eq!(values::view_value(encoded), value, "{name}: views and visitor differ");
    assert_eq!(reader.range(), 0..bytes.len());

    let strict = Limits { level: Level::Strict, ..Limits::default() };
    Reader::new(bytes, dialect).limits(strict).skip().unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_round_trip(name, encoded);
    value
}

/// Asserts that the decoded value is encoded to the same bytes. The padding of NodePaths may
/// differ, because engines leave it uninitialised.
fn assert_round_trip(name: &str, encoded: Encoded<'_>) {
    let mut leaked = false;
    let report = |deviation, _| {
        assert_eq!(deviation, Deviation::NodePathPad, "{name}");
        leaked = true;
        Ok(())
    };
    Reader::new(encoded.as_bytes(), encoded.dialect()).deviations(report).unwrap();
    let mut again = Vec::new();
    Writer::new(&mut again, encoded.dialect()).put(encoded.decode()).unwrap();
    if leaked {
        let [a, b] = [encoded.as_bytes(), &again]
            .map(|bytes| values::value_of(bytes, encoded.dialect()).unwrap());
        assert_eq!(a, b, "{name}: written back, pads aside");
    } else {
        assert!(again == encoded.as_bytes(), "{name}: written back");
    }
    let mut copied = Vec::new();
    Writer::new(&mut copied, encoded.dialect()).put(encoded).unwrap();
    assert!(copied == encoded.as_bytes(), "{name}: copied");
}

fn check_folder(folder: &str, dialect: Dialect, single: bool) {
    for (name, bytes) in corpus::packets(folder) {
        let name = format!("{folder}/{name}");
        let value = check_packet(&name, &bytes, dialect);
        let json = corpus::json(&format!("{name}.json"));
        compare::matches_build(&value, &json, values::to_oracle(dialect), single)
            .unwrap_or_else(|difference| panic!("{name}: {difference}"));
    }
}

#[test]
fn godot4_files_have_the_engines_values() {
    check_folder("godot4", Dialect::Godot4, true);
}

#[test]
fn godot4_double_files_have_the_engines_values() {
    check_folder("godot4-double", Dialect::Godot4, false);
}

#[test]
fn godot3_files_have_the_engines_values() {
    check_folder("godot3", Dialect::Godot3, true);
}

#[test]
fn bench_packets_round_trip() {
    for (name, bytes) in corpus::packets("bench") {
        check_packet(&name, &bytes, Dialect::Godot4);
    }
}

/// The test vectors in `derived.rs` cover the dialects of engines that cannot be run here.
#[test]
fn derived_vectors_round_trip() {
    for dialect in [Dialect::Godot2, Dialect::Docs, Dialect::DocsDouble] {
        for (name, bytes) in corpus::packets(&format!("derived/{dialect}")) {
            check_packet(&format!("{dialect}/{name}"), &bytes, dialect);
        }
    }
}

#[test]
fn store_var_frames_have_the_engines_values() {
    let file = corpus::read("frames/store_var.dat");
    let lines = corpus::lines("frames/store_var.jsonl");
    let frames: Vec<_> = Frames::new(&file).map(Result::unwrap).collect();
    assert_eq!(frames.len(), lines.len());
    for (frame, line) in frames.iter().zip(lines) {
        let name = format!("the frame at {}", frame.offset);
        let value = check_packet(&name, frame.bytes, Dialect::Godot4);
        compare::matches_build(&value, &line, oracle::Dialect::Godot4, true)
            .unwrap_or_else(|difference| panic!("{name}: {difference}"));
    }
}

#[test]
fn debugger_frames_round_trip() {
    let file = corpus::read("frames/debugger4.bin");
    let mut names = HashSet::new();
    for frame in Frames::new(&file) {
        let frame = frame.unwrap();
        check_packet("debugger4", frame.bytes, Dialect::Godot4);
        let value = Reader::new(frame.bytes, Dialect::Godot4).read().unwrap();
        let name = value.as_array().unwrap().get(0).unwrap().as_str().unwrap();
        names.insert(name.to_string());
    }
    assert!(names.contains("output"), "{names:?}");
}

/// For every dialect, the corpus contains every type, and both widths of each type that has two
/// widths.
#[test]
fn corpus_contains_every_type() {
    let mut seen = HashSet::new();
    for (folder, dialect) in corpus::WRITTEN {
        for (_, bytes) in corpus::packets(folder) {
            collect_kinds(Reader::new(&bytes, dialect).read_encoded().unwrap(), &mut seen);
        }
    }
    for &dialect in Dialect::ALL {
        for kind in Kind::ALL.iter().copied().filter(|kind| dialect.id(*kind).is_some()) {
            for wide in [false, true] {
                let has = !wide || has_wide(kind, dialect);
                assert!(!has || seen.contains(&(dialect, kind, wide)), "{dialect} {kind:?} {wide}");
            }
        }
    }
}

/// Returns `true` if header bit 16 has a meaning for the kind.
fn has_wide(kind: Kind, dialect: Dialect) -> bool {
    use Kind::*;
    let scalar = matches!(kind, Int | Float | Object);
    let container = matches!(kind, Array | Dictionary);
    let reals = matches!(
        kind,
        Vector2 | Vector3 | Vector4 | Rect2 | Transform2D | Plane | Quaternion | Aabb | Basis
    ) || matches!(
        kind,
        Transform3D | Projection | PackedVector2Array | PackedVector3Array | PackedVector4Array
    );
    match dialect {
        Dialect::Godot2 => false,
        Dialect::Godot4 => scalar || container || reals,
        _ => scalar,
    }
}

fn collect_kinds(encoded: Encoded<'_>, seen: &mut HashSet<(Dialect, Kind, bool)>) {
    seen.insert((encoded.dialect(), encoded.kind(), encoded.is_wide()));
    match encoded.decode() {
        VariantRef::Array(array) => {
            array.iter().encoded().for_each(|item| collect_kinds(item, seen));
        }
        VariantRef::Dictionary(dictionary) => {
            dictionary.flat().encoded().for_each(|item| collect_kinds(item, seen));
        }
        VariantRef::Object(gamewire::godot::ObjectRef::Full(object)) => {
            object.properties().encoded().for_each(|(_, item)| collect_kinds(item, seen));
        }
        _ => {}
    }
}
