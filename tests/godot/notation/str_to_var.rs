//! Parses Godot's text notation. The tests use text that engines print, unusual text for which the
//! result of the engine is known, and text that engines reject.

use crate::laws;
use crate::laws::sorted;
use crate::support::corpus;
use crate::support::native_json::Json;
use gamewire::godot::notation::{Error, ErrorKind, Reading};
use gamewire::godot::{Dialect, Kind, Reader, TypeRef, Variant, Vector2};
use std::collections::BTreeSet;
use std::fs;

fn read(text: &str) -> Result<Variant, Error> {
    text.parse()
}

fn value(text: &str) -> Variant {
    read(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn kind(text: &str) -> ErrorKind {
    *read(text).expect_err(text).kind()
}

/// Packets that lose more than the order of keys when Godot 4 prints them as text. For example, if
/// an `f64` equals an `f32`, Godot prints the digits of the `f32`, and reads these digits as a
/// different `f64`.
const LOST: [&str; 11] = [
    "godot4/float_denormal", // printed as 0.0
    "godot4/float_neg_zero",
    "godot4/packed_float32_array", // has -0.0
    "godot4/random_0022",          // `f64`s that equal an `f32`, printed with its digits
    "godot4/random_0023",
    "godot4/random_0041",
    "godot4/random_0043",
    "godot4/random_0082",
    "godot4-double/float_denormal",
    "godot4-double/float_neg_zero",
    "godot4-double/packed_float32_array",
];

/// Returns the name, the engine's text and the packet of each file in a folder.
fn printed(folder: &str) -> Vec<(String, String, Vec<u8>)> {
    let text = |name: &str| fs::read_to_string(corpus::corpus(&format!("{folder}/{name}.txt")));
    let packets = corpus::packets(folder).into_iter();
    let printed: Vec<_> = packets
        .filter_map(|(name, packet)| Some((format!("{folder}/{name}"), text(&name).ok()?, packet)))
        .collect();
    assert!(printed.len() > 100);
    printed
}

#[test]
fn godot4_output_is_read_back() {
    let mut lost = BTreeSet::new();
    let double = Reading::default().double();
    for (folder, how) in [("godot4", Reading::default()), ("godot4-double", double)] {
        for (name, text, packet) in printed(folder) {
            let value = how.read(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            let original = Reader::new(&packet, Dialect::Godot4).read_encoded().unwrap();
            if sorted(value) != sorted(original.to_variant().unwrap()) {
                lost.insert(name);
            }
        }
    }
    let listed = LOST.into_iter().map(String::from).collect();
    assert!(lost == listed, "{:#?}", lost.symmetric_difference(&listed));
}

/// Godot 3 prints only six digits of each float, so the test compares the printed text and not the
/// value. Godot 3 prints nothing for a RID, so its output for a RID is rejected.
#[test]
fn godot3_output_is_read_back() {
    for (name, text, _) in printed("godot3") {
        let value = Reading::of(Dialect::Godot3).read(&text);
        if name.ends_with("/rid") {
            assert_eq!(*value.unwrap_err().kind(), ErrorKind::Expected("a value"));
            continue;
        }
        let bytes = value.unwrap().to_bytes(Dialect::Godot3).unwrap();
        let again = Reader::new(&bytes, Dialect::Godot3).read_encoded().unwrap();
        assert_eq!(format!("{again}\n"), text, "{name}");
    }
}

/// Compares the results for random and damaged text with the packets that Godot 4.6.3 and 3.6.2
/// made from the same text. If the engine rejected the text, the packet is null.
#[test]
fn odd_texts_are_read_as_the_engines_read_them() {
    for (engine, dialect) in [("godot4", Dialect::Godot4), ("godot3", Dialect::Godot3)] {
        for line in corpus::lines(&format!("notation/{engine}.jsonl")) {
            let (Some(Json::String(text)), Some(packet)) = (line.get("text"), line.get("packet"))
            else {
                panic!("{line:?}")
            };
            laws::godot_notation_read(text.as_bytes());
            let read = Reading::of(dialect).as_the_engine().read(text);
            match packet {
                Json::String(hex) => {
                    let value = read.unwrap_or_else(|error| panic!("{engine}: {text}: {error}"));
                    let packet = corpus::unhex(hex);
                    assert!(value.to_bytes(dialect).unwrap() == packet, "{engine}: {text}");
                }
                // Godot 4 returns null for a rejected text and for the text `null`.
                _ => assert!(read.map_or(true, |value| value.is_nil()), "{engine}: {text}"),
            }
        }
    }
}

#[test]
fn numbers_are_rounded_correctly_or_like_the_engine() {
    for text in ["5e-324", "2.2250738585072014e-308", "0.1", "123456789012345678901234.0"] {
        assert_eq!(value(text).as_f64(), text.parse().ok());
    }
    assert_eq!(value("5.").as_f64(), Some(5.0));
    assert_eq!(value("9223372036854775807").as_i64(), Some(i64::MAX));
    assert_eq!(kind("9223372036854775808"), ErrorKind::OutOfRange);
    assert_eq!(kind("1e"), ErrorKind::BadNumber);
    assert_eq!(kind("PackedByteArray(256)"), ErrorKind::OutOfRange);
    assert_eq!(kind("Vector2i(1.5, 2)"), ErrorKind::BadNumber);
    assert_eq!(value("Vector2i(1.0, 2)"), Vector2 { x: 1, y: 2 }.into());
    // The text is slightly above the midpoint of two `f32`s; its nearest `f64` is the midpoint.
    let text = "Vector2(1.00000005960464477539062501, 0)";
    assert_eq!(value(text), Vector2 { x: 1.000_000_1_f32, y: 0.0 }.into());

    let engine = Reading::default().as_the_engine();
    for (text, infinite) in [("1e400", f64::INFINITY), ("-1e400", f64::NEG_INFINITY)] {
        assert_eq!(value(text).as_f64(), Some(infinite));
        assert_eq!(engine.read(text).unwrap().as_f64(), Some(infinite));
    }
    assert_eq!(engine.read("5e-324").unwrap().as_f64(), Some(0.0));
    assert_eq!(engine.read("9223372036854775808").unwrap().as_i64(), Some(i64::MIN));
    assert_eq!(engine.read("PackedByteArray(300)").unwrap(), (&[44_u8][..]).into());
}

#[test]
fn bytes_that_engines_ignore_are_errors() {
    for text in ["1 2", "[1]]", "5-3", "1abc", "0x10", "1 ;x\n2"] {
        assert_eq!(kind(text), ErrorKind::TrailingText, "{text}");
        assert!(Reading::default().as_the_engine().read(text).is_ok(), "{text}");
    }
    assert_eq!(value(" ;comment\n 1 ; and so on").as_i64(), Some(1));
    assert_eq!(kind("[1, 2"), ErrorKind::Expected("`,` or `]`"));
    assert_eq!(kind("{1: 2, }]"), ErrorKind::TrailingText);
    assert_eq!(kind("{1 2}"), ErrorKind::Expected("`:`"));
    assert_eq!(kind("Vector2(1)"), ErrorKind::PartCount(1));
    assert_eq!(kind("Vector2(1, 2, 3)"), ErrorKind::PartCount(1));
    assert_eq!(kind("PackedVector2Array(1, 2, 3)"), ErrorKind::PartCount(1));
    assert_eq!(kind("Vector9(1)"), ErrorKind::UnknownName);
    assert_eq!(kind("\"abc"), ErrorKind::BadString);
    assert_eq!(kind("\"\\ud83d\""), ErrorKind::BadString);
    assert_eq!(kind("#12345"), ErrorKind::BadColor);
    assert_eq!(kind("PackedByteArray(\"AQI\")"), ErrorKind::BadBase64);
    assert_eq!(kind("Resource(\"res://a.tres\")"), ErrorKind::Resource);
    assert_eq!(kind("Array[int]([\"a\"])"), ErrorKind::ElementType);
    assert_eq!(kind("Array[int]([1.5])"), ErrorKind::ElementType);
    assert_eq!(kind("5\0"), ErrorKind::BadCharacter);
    for run_together in ["5-3 2", "1true", "\"a\"\"b\""] {
        let error = Reading::default().read_first(run_together).unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::TrailingText, "{run_together}");
    }
    assert!(matches!(Reading::default().read_first("5;c\n3"), Ok(Some((_, ";c\n3")))));
    assert_eq!(kind(""), ErrorKind::Expected("a value"));
    assert_eq!(kind("\u{FEFF}1"), ErrorKind::BadCharacter);
}

#[test]
fn typed_containers_and_objects_are_read() {
    let typed = value("Array[float]([1, 2.5, true])");
    let typed = typed.as_array().unwrap();
    assert_eq!(typed.element_type(), TypeRef::Builtin(Kind::Float));
    assert_eq!(typed.items, [1.0, 2.5, 1.0].map(Variant::from));
    let path = "Array[Resource(\"uid://abc\", \"res://a.gd\")]([null])";
    let script = value(path);
    assert_eq!(script.as_array().unwrap().element_type(), TypeRef::Script("res://a.gd".into()));
    let pairs = value("Dictionary[StringName, Variant]({\"a\": 1})");
    let pairs = pairs.as_dictionary().unwrap();
    assert_eq!(pairs.key_type(), TypeRef::Builtin(Kind::StringName));
    assert_eq!(pairs.value_type(), TypeRef::Untyped);
    assert_eq!(pairs.pairs[0].0.kind(), Kind::StringName);

    let object = value("Object(Node,\"script\":Resource(\"res://a.gd\"),\"hp\":5)");
    let object = object.as_object().unwrap();
    assert!(object.class() == "Node");
    assert_eq!(object.get("script"), Some(&"res://a.gd".into()));
    let id = value("Object(EncodedObjectAsID,\"object_id\":-7,\"script\":null)");
    let id = id.to_bytes(Dialect::Godot4).unwrap();
    assert_eq!(id, b"\x18\0\x01\0\xf9\xff\xff\xff\xff\xff\xff\xff");
}

/// Keys of a typed dictionary are converted to the key type before they are compared.
#[test]
fn equal_typed_keys_are_merged() {
    let value = value("Dictionary[int, int]({1: 1, 2: 5, 1.0: 2})");
    let pairs = &value.as_dictionary().unwrap().pairs;
    assert_eq!(*pairs, [(1, 2), (2, 5)].map(|(key, value)| (key.into(), value.into())));
}

/// Of several equal keys, the first one determines the position and the type, and the last one
/// determines the value.
#[test]
fn equal_keys_are_merged() {
    let value = value("{\"a\": 1, 0.0: 2, &\"a\": 3, -0.0: 4, 0: 5}");
    let pairs = &value.as_dictionary().unwrap().pairs;
    let keys = [Variant::from("a"), 0.0.into(), 0.into()];
    let expected: Vec<_> = keys.into_iter().zip([3, 4, 5].map(Variant::from)).collect();
    assert_eq!(*pairs, expected);
}

#[test]
fn nesting_is_limited_and_takes_no_stack() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(read(&nested(1024)).is_ok());
    assert!(matches!(kind(&nested(1025)), ErrorKind::Unwritable(_)));
    assert!(matches!(kind(&"[".repeat(1_000_000)), ErrorKind::Unwritable(_)));
}
