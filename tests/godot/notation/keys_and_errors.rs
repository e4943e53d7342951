//! Tests details of Godot's text notation: equal keys, the order of keys, the style in which a view
//! is printed, and the positions of errors.

use gamewire::godot::notation::{ErrorKind, Reading};
use gamewire::godot::{self, Dialect, Kind, ObjectRef, Reader, Variant, VariantRef};

const INT: &[u8] = b"\x02\0\0\0";

fn int(value: u32) -> Vec<u8> {
    [INT, &value.to_le_bytes()].concat()
}

/// Returns a container with this type id that contains `items`.
fn container(id: u8, items: &[&[u8]]) -> Vec<u8> {
    let len = items.len() as u32 / if id == ARRAY4 || id == ARRAY3 { 1 } else { 2 };
    [&[id, 0, 0, 0], &len.to_le_bytes()[..], &items.concat()].concat()
}

const DICTIONARY4: u8 = 27;
const ARRAY4: u8 = 28;
const DICTIONARY3: u8 = 18;
const ARRAY3: u8 = 19;

fn printed(packet: &[u8], dialect: Dialect) -> String {
    Reader::new(packet, dialect).read_encoded().unwrap().to_string()
}

/// Prints a dictionary with these keys. Returns the indices of the keys that are printed, in their
/// printed order.
#[track_caller]
fn values(dialect: Dialect, keys: &[&[u8]]) -> Vec<u32> {
    // The value of each key is at least this number, and no key contains a number this large.
    const FIRST: u32 = 1000;
    let id = if dialect == Dialect::Godot4 { DICTIONARY4 } else { DICTIONARY3 };
    let values: Vec<_> = (0..keys.len() as u32).map(|value| int(FIRST + value)).collect();
    let items: Vec<_> = keys.iter().zip(&values).flat_map(|(key, value)| [*key, value]).collect();
    let text = printed(&container(id, &items), dialect);
    let values = text.lines().filter_map(|line| line.rsplit_once(": "));
    let values = values.filter_map(|(_, value)| value.trim_matches(',').parse::<u32>().ok());
    values.filter_map(|value| value.checked_sub(FIRST)).collect()
}

/// A key that is a dictionary can contain a repeated key. In this case, only the last pair with the
/// repeated key is compared.
#[test]
fn repeated_keys_inside_a_dictionary_key_are_merged() {
    let twice = container(DICTIONARY4, &[&int(1), &int(1), &int(1), &int(2)]);
    let last = container(DICTIONARY4, &[&int(1), &int(2)]);
    let first = container(DICTIONARY4, &[&int(1), &int(1)]);
    assert_eq!(values(Dialect::Godot4, &[&twice, &last]), [1]);
    assert_eq!(values(Dialect::Godot4, &[&twice, &first]).len(), 2);
    // An array with the same items has no keys, so all of its items are compared.
    let twice = container(ARRAY4, &[&int(1), &int(1), &int(1), &int(2)]);
    let last = container(ARRAY4, &[&int(1), &int(2)]);
    assert_eq!(values(Dialect::Godot4, &[&twice, &last]).len(), 2);
}

/// The engine compares nested keys down to level 101. Keys that differ only at deeper levels are
/// equal.
#[test]
fn keys_are_compared_down_to_101_levels() {
    let deep = |levels: usize, inside: &[u8]| {
        [&b"\x1c\0\0\0\x01\0\0\0".repeat(levels)[..], inside].concat()
    };
    let [one, two] = [int(1), int(2)];
    let (empty, listed) = (container(ARRAY4, &[]), container(ARRAY4, &[&container(ARRAY4, &[])]));
    assert_eq!(values(Dialect::Godot4, &[&deep(102, &one), &deep(102, &two)]), [1]);
    assert_eq!(values(Dialect::Godot4, &[&deep(101, &one), &deep(101, &two)]).len(), 2);
    assert_eq!(values(Dialect::Godot4, &[&deep(102, &one), &deep(102, &empty)]), [1]);
    assert_eq!(values(Dialect::Godot4, &[&deep(102, &one), &deep(102, &listed)]), [1]);
    // An item after the deeply nested item is still compared.
    let beside = |last: &[u8]| container(ARRAY4, &[&deep(102, &listed), last]);
    assert_eq!(values(Dialect::Godot4, &[&beside(&one), &beside(&two)]).len(), 2);
}

/// In Godot 3, each of two different pool arrays is less than the other, so two such keys are
/// printed in reverse order. An array `a` is less than an array `b` of at least the same length if
/// any item of `a` is not less than the item of `b` at the same index.
#[test]
fn godot3_prints_different_pool_array_keys_in_reverse() {
    let pool = |values: &[u32]| -> Vec<u8> {
        let words = [21, values.len() as u32].into_iter().chain(values.iter().copied());
        words.flat_map(u32::to_le_bytes).collect()
    };
    let values = |keys: [&[u8]; 2]| values(Dialect::Godot3, &keys);
    for (first, second) in [
        (pool(&[1]), pool(&[2])),
        (pool(&[2]), pool(&[1])),
        (pool(&[1, 2]), pool(&[1, 3])),
        (pool(&[1]), pool(&[1, 3])),
        (pool(&[7; 4095]), pool(&[7; 4096])),
    ] {
        assert_eq!(values([&first, &second]), [1, 0]);
    }
    // Godot 3 compares at most the first 4,096 elements.
    assert_eq!(values([&pool(&[7; 4096]), &pool(&[7; 4097])]), [0, 1]);
    let mut long = [7; 4097];
    long[4096] = 8;
    assert_eq!(values([&pool(&[7; 4097]), &pool(&long)]), [0, 1]);
    long[4095] = 8;
    assert_eq!(values([&pool(&[7; 4097]), &pool(&long)]), [1, 0]);

    let texts = b"\x17\0\0\0\x01\0\0\0\x02\0\0\0a\0\0\0".to_vec();
    for pool in [pool(&[1]), texts] {
        let [one, two] = [int(1), int(2)].map(|int| container(ARRAY3, &[&pool, &int]));
        assert_eq!(values([&one, &two]), [1, 0]);
        assert_eq!(values([&two, &one]), [1, 0]);
    }
}

/// A view of a container is printed in the style of its own dialect.
#[test]
fn views_print_in_the_style_of_their_dialect() {
    let point = b"\x05\0\0\0\0\0\x80\x3f\0\0\0\x40";
    let pairs = container(DICTIONARY3, &[&int(1), point]);
    let read = |packet| Reader::new(packet, Dialect::Godot3).read().unwrap();
    let value = read(&pairs);
    assert_eq!(value.to_string(), "{\n1: Vector2( 1, 2 )\n}");
    assert_eq!(value.as_dictionary().unwrap().to_string(), value.to_string());
    let object = b"\x11\0\0\0\x01\0\0\0N\0\0\0\x01\0\0\0\x02\0\0\0at\0\0".to_vec();
    let object = [&object[..], point].concat();
    let value = read(&object);
    let text = "Object(N,\"at\":Vector2( 1, 2 ))\n";
    let VariantRef::Object(ObjectRef::Full(full)) = value else { panic!("{value:?}") };
    assert_eq!((value.to_string(), full.to_string()), (text.into(), text.into()));
    for shown in [format!("{value:?}"), format!("{full:?}")] {
        assert_eq!(shown, "Object N {\"at\": Vector2( 1, 2 )}");
    }
}

#[test]
fn debug_prints_singular_and_plural_counts() {
    let one = container(ARRAY4, &[&int(1)]);
    let pair = container(DICTIONARY4, &[&int(1), &one]);
    let shown = Reader::new(&pair, Dialect::Godot4).read_encoded().unwrap();
    let text = format!("{shown:#?}");
    assert!(
        text.contains("Dictionary (1 pair)\n") && text.contains("Array (1 element)\n"),
        "{text}"
    );
}

#[track_caller]
fn fails(how: Reading, text: &str, kind: ErrorKind, offset: u64) {
    let error = how.read(text).unwrap_err();
    assert_eq!((*error.kind(), error.offset()), (kind, offset), "{text}");
}

/// The position of an error is that of the first wrong token.
#[test]
fn errors_point_at_the_first_wrong_token() {
    let (four, three) = (Reading::default(), Reading::of(Dialect::Godot3));
    let number = ErrorKind::Expected("a number");
    fails(four, "Vector2(abc", number, 8);
    fails(four, "Vector2(1, ]", number, 11);
    fails(four, "Vector2(1, \"2\" 3", number, 11);
    fails(four, "Callable(1)", ErrorKind::Expected("`)`"), 9);
    fails(four, "Signal(1)", ErrorKind::Expected("`)`"), 7);
    fails(four, "[1, Array[SubResource(\"x\")]([])]", ErrorKind::Resource, 10);
    fails(four, "Dictionary[int, ExtResource(\"x\")]({})", ErrorKind::Resource, 16);
    fails(four, "NodePath()", ErrorKind::PartCount(1), 0);
    fails(three, "[RID()]", ErrorKind::PartCount(1), 1);
    assert!(four.read("RID()").is_ok());
    // The dialect lacks these types.
    let no_type = |kind| ErrorKind::Unwritable(godot::ErrorKind::NoSuchType(kind));
    let docs = Reading::of(Dialect::Docs);
    fails(docs, "[1, &\"a\"]", no_type(Kind::StringName), 4);
    fails(docs, "[1, PackedVector4Array()]", no_type(Kind::PackedVector4Array), 4);
    // Types with literals have no constructor.
    for name in ["String", "StringName", "int", "float", "bool", "Nil"] {
        fails(four, &format!("{name}(1)"), ErrorKind::UnknownName, 0);
        fails(four, &format!("{name}(\"x\")"), ErrorKind::UnknownName, 0);
    }
    assert_eq!(four.read("-inf").unwrap(), f64::NEG_INFINITY.into());
    assert!(three.read("-inf").is_err());
    assert_eq!(three.read("inf").unwrap(), f64::INFINITY.into());
}

/// After the string in `NodePath("…"`, the engine skips one token, even if it is not a parenthesis.
#[test]
fn missing_parenthesis_is_accepted_like_in_the_engine() {
    let engine = Reading::default().as_the_engine();
    let path = Reading::default().read("NodePath(\"a\")").unwrap();
    for text in ["NodePath(\"a\"", "NodePath(\"a\" \"b", "NodePath(\"a\" ?", "NodePath(\"a\" 5"] {
        assert_eq!(engine.read(text).unwrap(), path, "{text}");
        assert!(Reading::default().read(text).is_err(), "{text}");
    }
    assert!(engine.read("[NodePath(\"a\" ?]").is_err());
}

/// Only Godot 4 has escapes of six digits. In both engines, an escape for one half of a surrogate
/// pair must be followed by an escape for the other half.
#[test]
fn escapes_are_read_as_each_engine_reads_them() {
    let (four, three) = (Reading::default(), Reading::of(Dialect::Godot3));
    assert_eq!(four.read(r#""\U00004100""#).unwrap(), "A00".into());
    assert_eq!(three.read(r#""\U00004100""#).unwrap(), "U00004100".into());
    for how in [four, three] {
        assert_eq!(how.read(r#""\ud83d\ude00""#).unwrap(), "\u{1f600}".into());
        assert_eq!(how.read(r#""\udbff\udfff""#).unwrap(), "\u{10ffff}".into());
        for half in [r#""\ud83d""#, r#""\ud83dxxde00""#, r#""\ud83d\u0041""#, r#""\ude00""#] {
            assert_eq!(*how.read(half).unwrap_err().kind(), ErrorKind::BadString, "{half}");
        }
    }
}

#[test]
fn equal_keys_keep_the_first_position_and_last_value() {
    for (text, pairs) in [
        ("{1: \"a\", 1: \"b\"}", "{1: \"b\"}"),
        ("{\"a\": 1, &\"a\": 2}", "{\"a\": 2}"),
        ("{1: 1, 2: 2, 1: 3}", "{1: 3, 2: 2}"),
    ] {
        assert_eq!(text.parse::<Variant>().unwrap(), pairs.parse().unwrap(), "{text}");
    }
}

/// Elements that were converted have the same width as elements that needed no conversion.
#[test]
fn converted_elements_have_the_selected_width() {
    let text = "Array[Vector2]([Vector2i(1, 2), Vector2(1, 2)])";
    for how in [Reading::default(), Reading::default().double()] {
        let Variant::Array(array) = how.read(text).unwrap() else { panic!() };
        assert_eq!(array.items[0], array.items[1]);
    }
    let single = Reading::default().read(text).unwrap();
    assert_ne!(Reading::default().double().read(text).unwrap(), single);
}
