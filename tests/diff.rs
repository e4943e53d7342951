//! What has changed between two values.

mod support;

use gamewire::godot::diff::{What, diff};
use gamewire::godot::notation::Reading;
use gamewire::godot::{Dialect, Encoded, Reader, Wide, Writer};
use std::convert::Infallible;

fn encoded(packet: &[u8], dialect: Dialect) -> Encoded<'_> {
    Reader::new(packet, dialect).read_encoded().unwrap()
}

fn packet(text: &str) -> Vec<u8> {
    Reading::default().read(text).unwrap().to_bytes(Dialect::Godot4).unwrap()
}

/// A line for each change.
fn lines(old: Encoded<'_>, new: Encoded<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    let Ok(()) = diff(old, new, |change| {
        let path = change.path;
        lines.push(match change.what {
            What::Changed { old, new } => format!("~ {path}: {} → {}", old.value(), new.value()),
            What::Added(new) => format!("+ {path}: {}", new.value()),
            What::Removed(old) => format!("- {path}: {}", old.value()),
            What::Form { .. } => format!("form {path}"),
            What::Order => format!("order {path}"),
            _ => unreachable!(),
        });
        Ok::<(), Infallible>(())
    });
    lines
}

#[track_caller]
fn differ(old: &str, new: &str, expected: &[&str]) {
    let [old, new] = [packet(old), packet(new)];
    let [old, new] = [&old, &new].map(|bytes| encoded(bytes, Dialect::Godot4));
    assert_eq!(lines(old, new), expected);
}

#[test]
fn values() {
    differ("5", "5", &[]);
    differ("5", "6", &["~ : 5 → 6"]);
    differ("5", "5.0", &["~ : 5 → 5.0"]);
    differ("nan", "nan", &[]);
    differ("0.0", "0.5", &["~ : 0.0 → 0.5"]);
    differ("Vector2(1, 2)", "Vector2(1, 3)", &["~ : Vector2(1, 2) → Vector2(1, 3)"]);
    differ("\"a\"", "&\"a\"", &["~ : \"a\" → &\"a\""]);
    differ("[]", "{}", &["~ : [] → {}"]);
}

#[test]
fn dictionaries() {
    let old = r#"{"hp": 5, "name": "Ada", "at": {"x": 1, "y": 2}}"#;
    let new = r#"{"name": "Ada", "hp": 6, "at": {"x": 1, "z": 2}}"#;
    differ(old, new, &["order ", "~ hp: 5 → 6", "+ at/z: 2", "- at/y: 2"]);
    differ(r#"{"a": 1, "b": 2}"#, r#"{"b": 2}"#, &["- a: 1"]);
    differ(
        r#"{1: 1, true: 2}"#,
        r#"{1: 2, null: 3}"#,
        &["~ 1: 1 → 2", "+ [null]: 3", "- [true]: 2"],
    );
    differ(r#"{[1]: 1}"#, r#"{[1]: 2}"#, &["~ [#0]: 1 → 2"]);
    // As an engine sees it, the key is the same.
    differ(r#"{&"a": 1}"#, r#"{"a": 1}"#, &["form [#0 key]"]);
}

#[test]
fn arrays() {
    differ("[1, 2, 3]", "[1, 3]", &["- 1: 2"]);
    differ("[1, 3]", "[1, 2, 3]", &["+ 1: 2"]);
    differ("[1, 2, 3, 4]", "[1, 5, [], 4]", &["~ 1: 2 → 5", "~ 2: 3 → []"]);
    differ("[1, 2, 9]", "[5, 9]", &["~ 0: 1 → 5", "- 1: 2"]);
    differ("[1, 1]", "[1, 1, 1]", &["+ 2: 1"]);
    differ("PackedByteArray(1, 2, 3)", "PackedByteArray(1, 7, 3)", &["~ 1: 2 → 7"]);
    differ("PackedInt32Array(1, 2, 3)", "PackedInt32Array(2, 3)", &["- 0: 1"]);
    let [old, new] = ["PackedStringArray(\"a\", \"b\")", "PackedStringArray(\"a\", \"c\", \"b\")"];
    differ(old, new, &["+ 1: \"c\""]);
    let [old, new] = ["PackedVector2Array(1, 2, 3, 4)", "PackedVector2Array(1, 2, 3, 5)"];
    differ(old, new, &["~ 1: Vector2(3, 4) → Vector2(3, 5)"]);
}

/// The same values in other bytes.
#[test]
fn forms() {
    let written = |write: &dyn Fn(&mut Writer<&mut Vec<u8>>)| {
        let mut bytes = Vec::new();
        write(&mut Writer::new(&mut bytes, Dialect::Godot4));
        bytes
    };
    let narrow = written(&|writer| writer.put(5).unwrap());
    let wide = written(&|writer| writer.put(Wide(5)).unwrap());
    let form = |old: &[u8], new: &[u8], expected: &[&str]| {
        let [old, new] = [old, new].map(|bytes| encoded(bytes, Dialect::Godot4));
        assert_eq!(lines(old, new), expected);
    };
    form(&narrow, &wide, &["form "]);
    form(b"\x01\0\0\0\x01\0\0\0", b"\x01\0\0\0\x02\0\0\0", &["form "]);
    form(b"\x04\0\0\0\x01\0\0\0a\0\0\0", b"\x04\0\0\0\x01\0\0\0a\0\x01\0", &["form "]);
    form(b"\x1d\0\0\0\x01\0\0\0a\0\0\0", b"\x1d\0\0\0\x01\0\0\0a", &["form "]);
    form(&packet("[1]"), &packet("Array[int]([1])"), &["form "]);
    form(&packet("[1]"), &packet("Array[int]([2])"), &["form ", "~ 0: 1 → 2"]);
    // A vector in double precision, and an array of them.
    let words = |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|w| w.to_le_bytes()).collect() };
    let single = words(&[35, 1, 0x3F80_0000, 0x4000_0000]);
    let double = words(&[35 | 1 << 16, 1, 0, 0x3FF0_0000, 0, 0x4000_0000]);
    form(&single, &double, &["form "]);
}

/// Of different dialects, values are compared and forms are not.
#[test]
fn dialects() {
    let written = |dialect| {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes, dialect);
        let mut pairs = writer.dictionary(2).unwrap();
        pairs.entry("a", &[1_i32, 2][..]).unwrap();
        pairs.entry("b", 7).unwrap();
        pairs.finish().unwrap();
        bytes
    };
    let [three, four] =
        [Dialect::Godot3, Dialect::Godot4].map(|dialect| (written(dialect), dialect));
    assert_eq!(lines(encoded(&three.0, three.1), encoded(&four.0, four.1)), [""; 0]);
}

/// However values are nested, and however often a key stands there: what is not n log n takes
/// minutes here.
#[test]
fn hostile_values() {
    let words = |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|w| w.to_le_bytes()).collect() };
    // 1024 deep, with a lot at the bottom and a difference at its end.
    let deep = |last: u32| {
        let mut bytes = words(&[27, 2, 2, last, 0, 2, 7]).repeat(1023);
        bytes.extend(words(&[28, 20_000]));
        bytes.extend(words(&[2, 1]).repeat(19_999));
        bytes.extend(words(&[2, last]));
        bytes
    };
    let [old, new] = [deep(8), deep(9)];
    let [old, new] = [&old, &new].map(|bytes| encoded(bytes, Dialect::Godot4));
    let last = ["7"; 1023].join("/");
    assert!(lines(old, new).contains(&format!("~ {last}/19999: 8 → 9")));

    let same_keys = |last: u32| {
        let mut bytes = words(&[27, 20_001]);
        bytes.extend(words(&[2, 1, 2, 5]).repeat(20_000));
        bytes.extend(words(&[2, 1, 2, last]));
        bytes
    };
    let [old, new] = [same_keys(8), same_keys(9)];
    let [old, new] = [&old, &new].map(|bytes| encoded(bytes, Dialect::Godot4));
    assert_eq!(lines(old, new), ["~ 1: 8 → 9"]);
}

/// What is deeper than engines go is not looked into.
#[test]
fn deeper_than_engines() {
    let words = |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|w| w.to_le_bytes()).collect() };
    let deep = |last: u32| [words(&[28, 1]).repeat(2000), words(&[2, last])].concat();
    let [old, new] = [deep(1), deep(2)];
    let mut stack = vec![0; 4000];
    let (a, b) = stack.split_at_mut(2000);
    let old = Reader::new(&old, Dialect::Godot4).with_stack(a).read_encoded().unwrap();
    let new = Reader::new(&new, Dialect::Godot4).with_stack(b).read_encoded().unwrap();
    let mut count = 0;
    let Ok(()) = diff(old, new, |change| {
        count += 1;
        assert!(matches!(change.what, What::Changed { .. }) && change.path.segments().is_empty());
        Ok::<(), Infallible>(())
    });
    assert_eq!(count, 1);
}

#[test]
fn of_files() {
    let [one, other] = ["bench/state.bin", "bench/state_simple.bin"].map(support::read);
    let [one, other] = [&one, &other].map(|bytes| encoded(bytes, Dialect::Godot4));
    assert_eq!(lines(one, one), [""; 0]);
    assert!(!lines(one, other).is_empty());
}
