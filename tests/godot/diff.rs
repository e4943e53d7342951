//! Tests the differences that are reported between two values.

use crate::support::corpus;
use crate::support::godot::words::words;
use gamewire::godot::compact::CompactReader;
use gamewire::godot::diff::{What, diff};
use gamewire::godot::notation::Reading;
use gamewire::godot::{Dialect, Encoded, Kind, Reader, Wide, Writer};
use std::convert::Infallible;

fn encoded(packet: &[u8], dialect: Dialect) -> Encoded<'_> {
    Reader::new(packet, dialect).read_encoded().unwrap()
}

fn packet(text: &str) -> Vec<u8> {
    Reading::default().read(text).unwrap().to_bytes(Dialect::Godot4).unwrap()
}

/// Returns a line for each change from one packet to another.
fn lines_of(old: &[u8], new: &[u8], dialect: Dialect) -> Vec<String> {
    lines(encoded(old, dialect), encoded(new, dialect))
}

/// Returns a line for each change from one value to another.
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
fn assert_differences(old: &str, new: &str, expected: &[&str]) {
    let [old, new] = [packet(old), packet(new)];
    assert_eq!(lines_of(&old, &new, Dialect::Godot4), expected);
}

#[test]
fn changed_values_are_reported() {
    assert_differences("5", "5", &[]);
    assert_differences("5", "6", &["~ : 5 → 6"]);
    assert_differences("5", "5.0", &["~ : 5 → 5.0"]);
    assert_differences("nan", "nan", &[]);
    assert_differences("nan", "0.5", &["~ : nan → 0.5"]);
    assert_differences("0.5", "nan", &["~ : 0.5 → nan"]);
    assert_differences("null", "false", &["~ : null → false"]);
    assert_differences("0.0", "0.5", &["~ : 0.0 → 0.5"]);
    assert_differences("Vector2(1, 2)", "Vector2(1, 3)", &["~ : Vector2(1, 2) → Vector2(1, 3)"]);
    assert_differences("\"a\"", "&\"a\"", &["~ : \"a\" → &\"a\""]);
    assert_differences("[]", "{}", &["~ : [] → {}"]);
}

#[test]
fn dictionaries_are_compared_by_key() {
    let old = r#"{"hp": 5, "name": "Ada", "at": {"x": 1, "y": 2}}"#;
    let new = r#"{"name": "Ada", "hp": 6, "at": {"x": 1, "z": 2}}"#;
    assert_differences(old, new, &["order ", "~ hp: 5 → 6", "+ at/z: 2", "- at/y: 2"]);
    assert_differences(r#"{"a": 1, "b": 2}"#, r#"{"b": 2}"#, &["- a: 1"]);
    assert_differences(
        r#"{1: 1, true: 2}"#,
        r#"{1: 2, null: 3}"#,
        &["~ 1: 1 → 2", "+ [null]: 3", "- [true]: 2"],
    );
    assert_differences(r#"{[1]: 1}"#, r#"{[1]: 2}"#, &["~ [#0]: 1 → 2"]);
    // An engine treats a String key and a StringName key with the same text as equal.
    assert_differences(r#"{&"a": 1}"#, r#"{"a": 1}"#, &["form [#0 key]"]);
}

#[test]
fn arrays_are_compared_by_common_items() {
    assert_differences("[1, 2, 3]", "[1, 3]", &["- 1: 2"]);
    let [old, new] = ["PackedInt32Array(1, 2, 3)", "PackedInt32Array(9, 2, 8)"];
    assert_differences(old, new, &["~ 0: 1 → 9", "~ 2: 3 → 8"]);
    assert_differences("[1, 3]", "[1, 2, 3]", &["+ 1: 2"]);
    assert_differences("[1, 2, 3, 4]", "[1, 5, [], 4]", &["~ 1: 2 → 5", "~ 2: 3 → []"]);
    assert_differences("[1, 2, 9]", "[5, 9]", &["~ 0: 1 → 5", "- 1: 2"]);
    assert_differences("[1, 1]", "[1, 1, 1]", &["+ 2: 1"]);
    assert_differences("PackedByteArray(1, 2, 3)", "PackedByteArray(1, 7, 3)", &["~ 1: 2 → 7"]);
    assert_differences("PackedInt32Array(1, 2, 3)", "PackedInt32Array(2, 3)", &["- 0: 1"]);
    let [old, new] = ["PackedStringArray(\"a\", \"b\")", "PackedStringArray(\"a\", \"c\", \"b\")"];
    assert_differences(old, new, &["+ 1: \"c\""]);
    let [old, new] = ["PackedVector2Array(1, 2, 3, 4)", "PackedVector2Array(1, 2, 3, 5)"];
    assert_differences(old, new, &["~ 1: Vector2(3, 4) → Vector2(3, 5)"]);
}

/// Values that are equal in different encodings are reported as `form` changes.
#[test]
fn different_encodings_are_form_changes() {
    let written = |write: &dyn Fn(&mut Writer<&mut Vec<u8>>)| {
        let mut bytes = Vec::new();
        write(&mut Writer::new(&mut bytes, Dialect::Godot4));
        bytes
    };
    let narrow = written(&|writer| writer.put(5).unwrap());
    let wide = written(&|writer| writer.put(Wide(5)).unwrap());
    let form = |old: &[u8], new: &[u8], expected: &[&str]| {
        assert_eq!(lines_of(old, new, Dialect::Godot4), expected);
    };
    form(&narrow, &wide, &["form "]);
    form(b"\x01\0\0\0\x01\0\0\0", b"\x01\0\0\0\x02\0\0\0", &["form "]);
    form(b"\x04\0\0\0\x01\0\0\0a\0\0\0", b"\x04\0\0\0\x01\0\0\0a\0\x01\0", &["form "]);
    form(b"\x1d\0\0\0\x01\0\0\0a\0\0\0", b"\x1d\0\0\0\x01\0\0\0a", &["form "]);
    form(&packet("[1]"), &packet("Array[int]([1])"), &["form "]);
    form(&packet("[1]"), &packet("Array[int]([2])"), &["form ", "~ 0: 1 → 2"]);
    // Arrays of vectors in single and in double precision.
    let single = words(&[35, 1, 0x3F80_0000, 0x4000_0000]);
    let double = words(&[35 | 1 << 16, 1, 0, 0x3FF0_0000, 0, 0x4000_0000]);
    form(&single, &double, &["form "]);
}

/// Between packets of different dialects, only the values are compared, not their encodings.
#[test]
fn equal_values_of_different_dialects_do_not_differ() {
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

/// Compares a deeply nested value with many items, and a dictionary with many equal keys. An
/// algorithm slower than n log n would take minutes.
#[test]
fn deep_values_and_repeated_keys_are_compared_quickly() {
    // The value has 1,024 levels, with many items and one difference in the innermost array.
    let deep = |last: u32| {
        let mut bytes = words(&[27, 2, 2, last, 0, 2, 7]).repeat(1023);
        bytes.extend(words(&[28, 20_000]));
        bytes.extend(words(&[2, 1]).repeat(19_999));
        bytes.extend(words(&[2, last]));
        bytes
    };
    let [old, new] = [deep(8), deep(9)];
    let last = ["7"; 1023].join("/");
    assert!(lines_of(&old, &new, Dialect::Godot4).contains(&format!("~ {last}/19999: 8 → 9")));

    let same_keys = |last: u32| {
        let mut bytes = words(&[27, 20_001]);
        bytes.extend(words(&[2, 1, 2, 5]).repeat(20_000));
        bytes.extend(words(&[2, 1, 2, last]));
        bytes
    };
    let [old, new] = [same_keys(8), same_keys(9)];
    assert_eq!(lines_of(&old, &new, Dialect::Godot4), ["~ 1: 8 → 9"]);
}

/// Godot 3 prints six digits of a number, so two different keys can print the same text. The path
/// of the first such key then contains the number of its pair.
#[test]
fn keys_that_print_the_same_have_different_paths() {
    let dictionary = |values: [u32; 2]| {
        let key = |last: u32| words(&[5, 0x3F80_0000, last]);
        let [one, other] = values.map(|value| words(&[2, value]));
        [words(&[18, 2]), key(0x4000_0000), one, key(0x4000_0001), other].concat()
    };
    let [old, new] = [dictionary([1, 2]), dictionary([3, 4])];
    assert_eq!(
        lines_of(&old, &new, Dialect::Godot3),
        ["~ [#0]: 1 → 3", "~ [Vector2( 1, 2 )]: 2 → 4"]
    );
}

/// The comparison does not descend below the depth that engines read.
#[test]
fn comparison_stops_at_the_engines_depth() {
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
fn diff_of_a_file_with_itself_is_empty() {
    let [one, other] = ["bench/state.bin", "bench/state_simple.bin"].map(corpus::read);
    let [one, other] = [&one, &other].map(|bytes| encoded(bytes, Dialect::Godot4));
    assert_eq!(lines(one, one), [""; 0]);
    assert!(!lines(one, other).is_empty());
}

/// Leaves are compared by meaning. If only their encodings differ, the change is a `form` change.
#[test]
fn leaves_are_compared_by_meaning() {
    let markers = |dialect, old: &[u32], new: &[u32]| -> Vec<String> {
        let [old, new] = [words(old), words(new)];
        let lines = lines(encoded(&old, dialect), encoded(&new, dialect));
        lines.iter().map(|line| line[..line.find(' ').unwrap()].to_owned()).collect()
    };
    // Bit 20 of a header is unused.
    let odd = 1 << 20;
    let four = |old: &[u32], new: &[u32]| markers(Dialect::Godot4, old, new);
    assert_eq!(four(&[23, 5, 1], &[23 | odd, 5, 1]), ["form"]);
    assert_eq!(four(&[23, 5, 1], &[23 | odd, 5, 2]), ["~"]);
    let id = 24 | 1 << 16;
    assert_eq!(four(&[id, 5, 1], &[id | odd, 5, 1]), ["form"]);
    assert_eq!(four(&[id, 5, 1], &[id | odd, 5, 2]), ["~"]);
    assert_eq!(four(&[id, 5, 1], &[0]), ["~"]);
    assert_eq!(four(&[0], &[id, 5, 1]), ["~"]);
    assert_eq!(four(&[0], &[odd]), ["form"]);
    let name = u32::from_le_bytes(*b"A\0\0\0");
    let object = [24, 1, name, 0];
    assert_eq!(four(&[id, 5, 1], &object), ["~"]);
    assert_eq!(four(&object, &[0]), ["~"]);
    let path = |header, letter: &[u8; 4], pad: u32| {
        let letter = u32::from_le_bytes(*letter);
        [header, 1 | 1 << 31, 0, 0, 1, letter | pad << 24]
    };
    assert_eq!(four(&path(22, b"a\0\0\0", 0), &path(22, b"a\0\0\0", 9)), ["form"]);
    assert_eq!(four(&path(22, b"a\0\0\0", 0), &path(22, b"b\0\0\0", 0)), ["~"]);
    assert_eq!(four(&path(22, b"a\0\0\0", 0), &path(22 | odd, b"b\0\0\0", 0)), ["~"]);
    assert_eq!(four(&[2, 0], &[3, 0]), ["~"]);
    assert_eq!(four(&[3, 0], &[3, 1 << 31]), ["~"]);
    assert_eq!(four(&[3, 0x7FC0_0000], &[3, 0x7FC0_0001]), ["form"]);
    // Arrays of numbers in single and in double precision.
    let (one, two) = ([0, 0x3FF0_0000], [0, 0x4000_0000]);
    let double =
        |items: [[u32; 2]; 3]| [&[35 | 1 << 16, 1][..], &items.as_flattened()[..4]].concat();
    assert_eq!(four(&[35, 1, 0x3F80_0000, 0x4000_0000], &double([one, two, one])), ["form"]);
    assert_eq!(four(&[35, 1, 0x3F80_0000, 0x4000_0000], &double([two, two, one])), ["~", "form"]);
    assert_eq!(four(&[32, 1, 1], &[33, 1, 1, 0]), ["~"]);
    assert_eq!(four(&[30, 2, 1, 2], &[30, 2, 1, 3]), ["~"]);
    assert_eq!(four(&[30, 2, 1, 2], &[30, 1, 1]), ["-"]);
    assert_eq!(four(&[30, 1, 2], &[30, 2, 1, 2]), ["+"]);
}

/// A difference in the header, the declared types or the shared bit of a container is a `form`
/// change. A different count or class is not.
#[test]
fn head_differences_are_form_changes() {
    let lines_between = |old: &[u32], new: &[u32]| {
        let [old, new] = [words(old), words(new)];
        lines(encoded(&old, Dialect::Godot4), encoded(&new, Dialect::Godot4))
    };
    let shared = 1 << 31;
    assert_eq!(lines_between(&[28, 1, 2, 5], &[28, 1 | shared, 2, 5]), ["form "]);
    assert_eq!(lines_between(&[28, 1 | shared, 2, 5], &[28, 1 | shared, 2, 6]), ["~ 0: 5 → 6"]);
    assert_eq!(lines_between(&[28, 1, 2, 5], &[28, 2, 2, 5, 2, 6]), ["+ 1: 6"]);
    assert_eq!(
        lines_between(&[28 | 1 << 16, 2, 1, 2, 5], &[28 | 1 << 16, 2, 2, 2, 5, 2, 6]),
        ["+ 1: 6"]
    );
    assert_eq!(lines_between(&[28 | 1 << 16, 2, 1, 2, 5], &[28, 1, 2, 5]), ["form "]);
    assert_eq!(
        lines_between(&[27, 1, 2, 5, 2, 6], &[27, 1 | shared, 2, 5, 2, 7]),
        ["form ", "~ 5: 6 → 7"]
    );
    let [a, b] = [*b"A\0\0\0", *b"B\0\0\0"].map(u32::from_le_bytes);
    let object = |class, value| [24, 1, class, 1, 1, a, 2, value];
    assert_eq!(lines_between(&object(a, 5), &object(a, 6)), ["~ A: 5 → 6"]);
    let other = lines_between(&object(a, 5), &object(b, 5));
    assert!(other.len() == 1 && other[0].starts_with("~ : "), "{other:?}");
}

/// The path to a change starts at the outermost container.
#[test]
fn paths_start_at_the_outermost_container() {
    let [old, new] = ["{\"a\": [1, {\"b\": 2}]}", "{\"a\": [1, {\"b\": 3}]}"].map(packet);
    let [old, new] = [&old, &new].map(|bytes| encoded(bytes, Dialect::Godot4));
    let mut seen = Vec::new();
    let Ok(()) = diff(old, new, |change| {
        seen.extend(change.path.segments().iter().map(ToString::to_string));
        Ok::<(), Infallible>(())
    });
    assert_eq!(seen, ["a", "1", "b"]);
}

/// The same bytes can be different values in two dialects.
#[test]
fn equal_bytes_of_different_dialects_are_compared_by_value() {
    let [three, four] = [words(&[19, 1, 21, 0]), words(&[28, 1, 21, 0])];
    let [three, four] = [encoded(&three, Dialect::Godot3), encoded(&four, Dialect::Godot4)];
    assert_eq!(lines(three, four), ["~ 0: PackedInt32Array() → &\"\""]);
    let listed = |dialect| {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes, dialect);
        let mut pairs = writer.dictionary(1).unwrap();
        pairs.entry(3.5, 7).unwrap();
        pairs.finish().unwrap();
        bytes
    };
    let [a, b] = [Dialect::Godot3, Dialect::Godot4].map(|dialect| (listed(dialect), dialect));
    assert_eq!(lines(encoded(&a.0, a.1), encoded(&b.0, b.1)), [""; 0]);
}

/// The bytes after an empty container are not items of this container.
#[test]
fn bytes_after_an_empty_container_are_not_items() {
    assert_differences("[[], 5]", "[[1], 5]", &["+ 0/0: 1"]);
    assert_differences("[[1], 5]", "[[], 5]", &["- 0/0: 1"]);
    assert_differences("[{}, 5, 6]", "[{5: 7}, 5, 6]", &["+ 0/5: 7"]);
}

/// A different "shared" bit is a `form` change, even if the lengths differ as well.
#[test]
fn shared_bit_is_a_form_change() {
    const SHARED: u32 = 1 << 31;
    let two = Dialect::Godot2;
    let [int, array] = [Kind::Int, Kind::Array].map(|kind| u32::from(two.id(kind).unwrap()));
    let of = |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|w| w.to_le_bytes()).collect() };
    let one = |shared: u32| of(&[array, 1 | shared, int, 5]);
    let more = |shared: u32| of(&[array, 2 | shared, int, 5, int, 6]);
    let lines_between = |old: &[u8], new: &[u8]| lines(encoded(old, two), encoded(new, two));
    assert_eq!(lines_between(&one(0), &more(0)), ["+ 1: 6"]);
    assert_eq!(lines_between(&one(SHARED), &more(SHARED)), ["+ 1: 6"]);
    assert_eq!(lines_between(&one(0), &more(SHARED)), ["form ", "+ 1: 6"]);
    assert_eq!(lines_between(&more(SHARED), &one(0)), ["form ", "- 1: 6"]);
}

/// If two equal elements have different padding, a `form` change is reported for the element.
#[test]
fn element_encodings_are_compared() {
    let texts = |pad: u8| {
        let mut bytes = b"\x22\0\0\0\x02\0\0\0\x02\0\0\0b\0\0\0\x02\0\0\0a\0\0".to_vec();
        bytes.push(pad);
        bytes
    };
    let [old, new] = [texts(0), texts(1)];
    assert_eq!(lines_of(&old, &new, Dialect::Godot4), ["form 1"]);
}

/// The pixels of images of different sizes are not compared one by one, because bytes at the same
/// offset belong to different pixels.
#[test]
fn images_are_compared_by_pixel_if_sizes_agree() {
    let two = Dialect::Godot2;
    let id = u32::from(two.id(Kind::Image).unwrap());
    let image = |width: u32, pixel: u32| -> Vec<u8> {
        let words = [id, 0, 0, width, 1, 4, pixel];
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    };
    let what = |old: &[u8], new: &[u8]| {
        let mut what = Vec::new();
        let Ok(()) = diff(encoded(old, two), encoded(new, two), |change| {
            let kind = matches!(change.what, What::Changed { .. });
            what.push((change.path.to_string(), kind));
            Ok::<(), Infallible>(())
        });
        what
    };
    assert_eq!(what(&image(4, 5), &image(4, 5)), []);
    assert_eq!(what(&image(4, 5), &image(4, 6)), [("0".to_owned(), true)]);
    assert_eq!(what(&image(4, 5), &image(2, 5)), [(String::new(), true)]);
    assert_eq!(what(&image(4, 5), &image(2, 6)), [(String::new(), true)]);
}

/// A change anywhere in a value in compact encoding is reported as a change of the whole value.
#[test]
fn compact_values_are_compared_as_a_whole() {
    let [old, new] = [&[2, 5], &[2, 6]];
    let [old, new] = [old, new].map(|bytes| CompactReader::new(bytes).read_encoded().unwrap());
    assert_eq!(lines(old, new), ["~ : 5 → 6"]);
}
