//! Prints packets in Godot's text notation.

use crate::support::corpus::{self, corpus, unhex};
use crate::support::native_json::Json;
use gamewire::godot::{ArrayRef, Dialect, Kind, NodePath, ObjectRef, Reader, VariantRef, Writer};
use std::fs;

fn printed(packet: &[u8], dialect: Dialect) -> String {
    Reader::new(packet, dialect).read_encoded().unwrap().to_string()
}

/// Returns the text of the packet that `write` produces.
fn printed_of(write: impl FnOnce(&mut Writer<&mut Vec<u8>>)) -> String {
    let mut packet = Vec::new();
    write(&mut Writer::new(&mut packet, Dialect::Godot4));
    printed(&packet, Dialect::Godot4)
}

/// Each folder with output of `var_to_str` or `var2str`, its dialect, and the number of files in it
/// with such output.
const ENGINES: [(&str, Dialect, usize); 3] = [
    ("godot4", Dialect::Godot4, 213),
    ("godot4-double", Dialect::Godot4, 152),
    ("godot3", Dialect::Godot3, 136),
];

/// Packets for which the corpus has no text printed by the engine: the four largest packets, and
/// packets that refer to objects or scripts of the program that wrote them.
const WITHOUT_TEXT: [&str; 11] = [
    "array_int_10000",
    "callable_of_object",
    "game_state_500",
    "object_as_id",
    "object_as_id_in_array",
    "packed_float32_array_65536",
    "packed_string_array_5000",
    "signal_of_object",
    "typed_array_script",
    "typed_array_script_no_objects",
    "typed_dictionary_script_value",
];

#[test]
fn files_print_as_engines_print_them() {
    for (folder, dialect, count) in ENGINES {
        let (mut without, mut compared) = (Vec::new(), 0);
        for (name, packet) in corpus::packets(folder) {
            let Ok(text) = fs::read_to_string(corpus(&format!("{folder}/{name}.txt"))) else {
                without.push(name);
                continue;
            };
            // The text files end with an additional line feed.
            assert_eq!(printed(&packet, dialect) + "\n", text, "{folder}/{name}");
            compared += 1;
        }
        assert_eq!(compared, count, "{folder}");
        assert!(if folder == "godot4" { without == WITHOUT_TEXT } else { without.is_empty() });
    }
}

#[test]
fn generated_packets_print_as_engines_print_them() {
    for (file, dialect) in
        [("godot4/var_to_str.jsonl", Dialect::Godot4), ("godot3/var2str.jsonl", Dialect::Godot3)]
    {
        for line in corpus::lines(file) {
            let [hex, text] =
                ["hex", "text"].map(|name| line.get(name).and_then(Json::as_str).unwrap());
            assert_eq!(printed(&unhex(hex), dialect), text, "{hex}");
        }
    }
}

/// Dialects without an engine in the corpus are printed in the style of Godot 3 or 4, with the type
/// names of the dialect.
#[test]
fn dialects_without_an_engine_print_with_their_type_names() {
    let quaternion = b"\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80\x3f";
    assert_eq!(printed(quaternion, Dialect::Godot2), "Quat( 0, 0, 0, 1 )");
    assert_eq!(printed(quaternion, Dialect::Godot3), "Quat( 0, 0, 0, 1 )");
    assert_eq!(printed(quaternion, Dialect::Docs), "Quaternion(0, 0, 0, 1)");
    let matrix = [&b"\x08\0\0\0"[..], &[0; 24]].concat();
    assert_eq!(printed(&matrix, Dialect::Godot2), "Matrix32( 0, 0, 0, 0, 0, 0 )");
    let pixel = [15_u32, 0, 0, 1, 1, 1, 7].map(u32::to_le_bytes).concat();
    assert_eq!(printed(&pixel, Dialect::Godot2), "Image( 0, 0, 1, 1, 7 )");
}

/// `printed_as` selects the style and the type names. Without it, a leaf is printed in Godot 4's
/// style.
#[test]
fn printed_as_selects_style_and_type_names() {
    let packet = b"\x13\0\0\0\x01\0\0\0\x0b\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    let array = Reader::new(packet, Dialect::Godot3).read().unwrap();
    assert_eq!(array.to_string(), "[ AABB( 0, 0, 0, 0, 0, 0 ) ]");
    assert_eq!(array.printed_as(Dialect::Godot4).to_string(), "[AABB(0, 0, 0, 0, 0, 0)]");
    let leaf = array.as_array().and_then(|array: ArrayRef<'_>| array.get(0)).unwrap();
    assert_eq!(leaf.to_string(), "AABB(0, 0, 0, 0, 0, 0)");
    assert_eq!(leaf.printed_as(Dialect::Godot3).to_string(), "AABB( 0, 0, 0, 0, 0, 0 )");
    let path = VariantRef::Callable;
    assert_eq!(path.printed_as(Dialect::Godot2).to_string(), "Callable(  )");
}

#[test]
fn parts_print_like_the_whole() {
    let packet = b"\x18\0\0\0\x04\0\0\0Node\x01\0\0\0\x06\0\0\0script\0\0\
        \x04\0\0\0\x0a\0\0\0res://a.gd\0\0";
    let value = Reader::new(packet, Dialect::Godot4).read().unwrap();
    let Some(ObjectRef::Full(object)) = value.as_object() else { unreachable!() };
    let text = "Object(Node,\"script\":Resource(\"res://a.gd\"))\n";
    assert_eq!(object.to_string(), text);
    assert_eq!(ObjectRef::Full(object).to_string(), text);
    assert_eq!(ObjectRef::Null.to_string(), "null");
    let empty = printed_of(|writer| writer.dictionary(0).unwrap().finish().unwrap());
    assert_eq!(empty, "{}");
}

/// Printing a path takes linear time. With quadratic time, this path would take minutes.
#[test]
fn path_with_many_names_prints_in_linear_time() {
    let path = vec!["a"; 50_000].join("/");
    let text = printed_of(|writer| writer.put(NodePath(&path)).unwrap());
    assert_eq!(text, format!("NodePath(\"{path}\")"));
}

/// Invalid UTF-8 is printed as U+FFFD. The engines reject such text, so there is no engine output
/// to compare with.
#[test]
fn invalid_utf8_prints_as_replacement_characters() {
    let packet = b"\x04\0\0\0\x04\0\0\0a\xff\"\\";
    assert_eq!(printed(packet, Dialect::Godot4), "\"a\u{FFFD}\\\"\\\\\"");
    // Godot 3 encodes a character outside of the basic plane as a surrogate pair.
    let packet = b"\x04\0\0\0\x06\0\0\0\xED\xA0\xBC\xED\xB8\x80\0\0";
    assert_eq!(printed(packet, Dialect::Godot3), "\"\u{1F200}\"");
}

/// `{:?}` prints one line, and `{:#?}` prints a tree with offsets. Both formats print the types,
/// and all pairs in wire order, including repeated keys.
#[test]
fn debug_prints_one_line_or_a_tree() {
    let packet = b"\x1b\0\x01\0\x04\0\0\0\x03\0\0\0\
        \x04\0\0\0\x01\0\0\0b\0\0\0\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x05\0\0\0\0\0\0\0\
        \x1c\0\0\0\0\0\0\0\x18\0\0\0\x04\0\0\0Node\x01\0\0\0\x02\0\0\0hp\0\0\
        \x03\0\0\0\0\0\x80\x3f\
        \x04\0\0\0\x01\0\0\0b\0\0\0\x18\0\x01\0\x07\0\0\0\0\0\0\0";
    let encoded = Reader::new(packet, Dialect::Godot4).read_encoded().unwrap();
    let line = "Dictionary[String, Variant] {\"b\": Array [Int 5, Nil], \
                Array []: Object Node {\"hp\": Float 1.0}, \"b\": Object 7}";
    assert_eq!(format!("{encoded:?}"), line);
    assert_eq!(format!("{:?}", encoded.decode()), line);
    let tree = "\
0    Dictionary[String, Variant] (3 pairs)
12     \"b\": Array (2 elements)
32       Int 5
40       Nil
44     key: Array (0 elements)
52     value: Object Node (1 property)
68       \"hp\": Float 1.0
84     \"b\": Object 7";
    assert_eq!(format!("{encoded:#?}"), tree);
    assert_eq!(format!("{:#?}", encoded.decode().as_dictionary().unwrap()), tree);
}

#[test]
fn debug_prints_type_and_value_of_leaves() {
    let text = |value: VariantRef<'_>| format!("{value:?}");
    assert_eq!(text(VariantRef::Nil), "Nil");
    assert_eq!(text(VariantRef::Bool(true)), "Bool true");
    assert_eq!(text(VariantRef::Float(-0.5)), "Float -0.5");
    assert_eq!(text(VariantRef::String("a\"\n".into())), "String \"a\\\"\n\"");
    assert_eq!(text(VariantRef::StringName("a".into())), "StringName &\"a\"");
    assert_eq!(text(VariantRef::Rid(None)), "Rid");
    assert_eq!(text(VariantRef::Rid(Some(0))), "RID()");
    assert_eq!(text(VariantRef::Object(ObjectRef::Id(0))), "Object null");
    assert_eq!(text(VariantRef::PackedByteArray(&[1, 2])), "PackedByteArray(1, 2)");
    assert_eq!(text(VariantRef::Callable), "Callable()");
    let signal = gamewire::godot::Signal { name: "hit".into(), object: 7 };
    assert_eq!(text(VariantRef::Signal(signal)), "Signal(\"hit\", 7)");
    assert_eq!(format!("{:?}", ObjectRef::Id(7)), "Object 7");
    assert_eq!(VariantRef::Nil.kind(), Kind::Nil);
}

/// `Debug` prints only as many levels as the reader accepts without memory from the caller.
#[test]
fn debug_stops_at_the_depth_limit_of_the_walk() {
    let mut packet = b"\x1c\0\0\0\x01\0\0\0".repeat(2000);
    packet.extend([0; 4]);
    let mut stack = [0; 2000];
    let value = Reader::new(&packet, Dialect::Godot4).with_stack(&mut stack).read().unwrap();
    assert!(format!("{value:?}").ends_with("Array [Array [ …"));
    assert_eq!(value.to_string(), format!("{}[]{}", "[".repeat(101), "]".repeat(101)));
}
