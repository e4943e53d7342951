//! Tests how a schema merges several locations into one, and how it describes a location.

use super::has_rows;
use super::of_texts;
use super::rows;
use super::schema_of;
use gamewire::godot::schema::{Facts, Items, Shape};
use gamewire::godot::{Array, Dialect, Object, ObjectId, Variant};

fn of_values<const N: usize>(values: [Variant; N]) -> Shape {
    let packets = values.map(|value| value.to_bytes(Dialect::Godot4).unwrap());
    schema_of(&packets, Dialect::Godot4)
}

fn node(hp: i32) -> Variant {
    let mut object = Object::new("Node");
    object.properties.push((b"hp".to_vec(), hp.into()));
    object.into()
}

#[test]
fn properties_of_objects_are_recorded() {
    let all = of_values([node(5), node(7)]);
    assert_eq!(rows(&all), [": Object Node, 1 property", "hp: Int 5 to 7"]);
    let mixed = of_values([node(5), ObjectId(7).into(), ObjectId(8).into()]);
    assert_eq!(rows(&mixed), [": Object Node, 1 property, 2 by id", "hp: Int 5"]);
    let none = of_values([Object::new("Node").into()]);
    assert_eq!(rows(&none), [": Object Node, 0 properties"]);
    // No generated type covers both an object with properties and an object id.
    assert!(all.to_rust("P").contains("pub struct P {"));
    assert!(mixed.to_rust("P").contains("pub type P<'a> = godot::VariantRef<'a>;"));
}

#[test]
fn arrays_in_a_list_are_tuples_if_their_lengths_agree() {
    has_rows(
        &[r#"[[1, "a"], [2, "b"]]"#],
        &[
            ": Array 2 elements",
            "[]: Array 2 elements",
            "[]/0: Int 1 to 2",
            r#"[]/1: String 1 byte: "a", "b""#,
        ],
    );
    let others = &[
        ": Array 2 elements",
        "[]: Array 2 to 3 elements",
        r#"[]/[]: Int 1 to 2; Float 3.5; String 1 byte: "a", "b""#,
    ];
    has_rows(&[r#"[[1, "a"], [2, "b", 3.5]]"#], others);
    has_rows(&[r#"[[2, "b", 3.5], [1, "a"]]"#], others);
}

/// Returns a dictionary in text notation with `count` keys of three letters, starting with key
/// number `from`.
fn record(from: u32, count: u32) -> String {
    let letter = |n: u32| char::from(b'a' + (n % 26) as u8);
    let pair = |n: u32| format!("\"{}{}{}\": 1", letter(n / 26 / 26), letter(n / 26), letter(n));
    format!("{{{}}}", (from..from + count).map(pair).collect::<Vec<_>>().join(", "))
}

fn inner(shape: &Shape) -> &Facts {
    let [array] = shape.facts() else { panic!("{shape:?}") };
    let Items::Elements(any) = array.items() else { panic!("{shape:?}") };
    &any.facts()[0]
}

#[test]
fn records_in_a_list_have_at_most_256_fields() {
    for (first, second, fields) in [
        (record(0, 200), record(0, 200), Some(200)),
        (record(0, 200), record(56, 200), Some(256)),
        (record(0, 200), record(57, 200), None),
        (record(0, 128), record(128, 129), None),
    ] {
        let shape = of_texts(&[&format!("[{first}, {second}]"), &format!("[{first}]")]);
        match inner(&shape).items() {
            Items::Fields(all) => assert_eq!(Some(all.len()), fields),
            Items::Values(_) => assert_eq!(fields, None),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn fields_are_sorted_by_average_position() {
    has_rows(
        &[
            r#"{"x": 1, "a": 1}"#,
            r#"{"x": 1, "a": 1}"#,
            r#"{"x": 1, "a": 1}"#,
            r#"{"x": 1, "a": 1, "b": 1}"#,
        ],
        &[": Dictionary 2 to 3 keys", "x: Int 1", "a: Int 1", "b: 1 of 4 Int 1"],
    );
}

#[test]
fn one_numbered_key_is_a_field() {
    has_rows(&[r#"{"p0": 1}"#], &[": Dictionary 1 key", "p0: Int 1"]);
    has_rows(
        &[r#"{"p0": 1, "p1": 1}"#],
        &[r#": Dictionary 2 pairs, keys String 2 bytes: "p0", "p1""#, "{}: Int 1"],
    );
}

/// A dictionary whose keys are text without numbers is a map if it has at least eight different
/// keys, and a packet contains on average fewer than half of these keys. Otherwise it is a record.
#[test]
fn dictionary_is_a_map_if_most_keys_are_rare() {
    let half = [r#"{"a": 1, "b": 1, "c": 1, "d": 1}"#, r#"{"e": 1, "f": 1, "g": 1, "h": 1}"#];
    let is_map = |texts: &[&str]| {
        let shape = of_texts(texts);
        matches!(shape.facts()[0].items(), Items::Values(_))
    };
    assert!(!is_map(&half));
    assert!(is_map(&[half[0], half[1], r#"{"a": 1, "b": 1, "c": 1}"#]));
    let seven = r#"{"e": 1, "f": 1, "g": 1}"#;
    assert!(!is_map(&[half[0], seven, r#"{"a": 1}"#]));
}

/// When two locations are merged, the facts about their texts are kept: whether a text is not valid
/// UTF-8, and whether the list of texts is incomplete.
#[test]
fn merged_locations_keep_facts_about_texts() {
    let array = |items: Vec<Variant>| Variant::from(items.into_iter().collect::<Array>());
    let odd = b"\x1c\0\0\0\x02\0\0\0\x04\0\0\0\x01\0\0\0a\0\0\0\x04\0\0\0\x01\0\0\0\xff\0\0\0";
    let shape = schema_of(&[odd.to_vec()], Dialect::Godot4);
    assert!(!inner(&shape).texts().is_utf8());
    assert!(shape.to_rust("P").contains("Vec<godot::VariantRef<'a>>"));

    let all = |second: std::ops::Range<u8>, first: &str| {
        let letter = |n: u8| Variant::from(&*char::from(b'a' + n).to_string());
        let pairs = second.map(|n| array(vec![first.into(), letter(n)]));
        let packets = pairs.map(|pair| pair.to_bytes(Dialect::Godot4).unwrap());
        let shape = schema_of(&packets.collect::<Vec<_>>(), Dialect::Godot4);
        let texts = inner(&shape).texts().clone();
        (texts.iter().collect::<String>(), texts.is_all())
    };
    assert_eq!(all(0..8, "a"), ("abcdefgh".into(), true));
    assert_eq!(all(0..7, "h"), ("abcdefgh".into(), true));
    assert_eq!(all(0..9, "a"), ("abcdefgh".into(), false));
    assert_eq!(all(1..9, "a"), ("abcdefgh".into(), false));
    assert_eq!(all(0..8, "z"), ("abcdefgh".into(), false));
}

#[test]
fn container_keys_make_a_map() {
    has_rows(
        &["{[1]: 2.5, 5: \"x\"}"],
        &[": Dictionary 2 pairs, keys Int 5, keys Array 1 element", r#"{}: Float 2.5; String "x""#],
    );
}

/// Values nested below the deepest recorded level are not recorded as values of that level.
#[test]
fn too_deep_value_is_not_confused_with_its_parent() {
    let outside = b"\x1c\0\0\0\x01\0\0\0".repeat(63);
    let float = b"\x03\0\0\0\0\0\x80\x3f";
    let element = [&b"\x1c\0\0\0\x02\0\0\0\x1c\0\0\0\x01\0\0\0"[..], float, float].concat();
    let packet = [outside, b"\x1c\0\0\0\x11\0\0\0".to_vec(), element.repeat(17)].concat();
    let shape = schema_of(&[packet], Dialect::Godot4);
    let rows = shape.rows();
    assert_eq!(rows.len(), 65);
    let deepest = rows[64].shape;
    assert!(deepest.is_cut() && deepest.seen() == 17 && deepest.facts().len() == 1);
}
