//! Reads JSON that the printer never writes. Some of it is accepted, and some is rejected with an
//! error at the right offset.

use crate::laws::{print_json, write_json};
use crate::support::corpus::unhex;
use gamewire::godot::json::{Document, Error, ErrorKind};
use gamewire::godot::{self, Dialect, Kind, Unrepresentable, Writer};
use gamewire::{Sink, SliceSink};

fn hex(text: &str) -> Vec<u8> {
    unhex(&text.replace(' ', ""))
}

fn reads(text: &str, dialect: Dialect, packet: &str) {
    let written = write_json(text, dialect).unwrap_or_else(|error| panic!("{error}: {text:?}"));
    assert_eq!(written, hex(packet), "{text:?}");
}

fn unwritable(kind: Kind, what: Unrepresentable) -> ErrorKind {
    ErrorKind::Unwritable(godot::ErrorKind::Unrepresentable(kind, what))
}

/// Returns JSON texts that are rejected, each with the dialect, the error and the offset of the
/// error. The offset of an error in a string is usually after the opening quote; for a bad escape,
/// it is the offset of the backslash.
#[rustfmt::skip]
fn rejected_texts() -> Vec<(&'static str, Dialect, ErrorKind, u64)> {
    use Dialect::{Docs, Godot2, Godot3, Godot4};
    use ErrorKind::*;
    vec![
        // Not JSON.
        ("", Godot4, Expected("a value"), 0),
        ("  ", Godot4, Expected("a value"), 2),
        ("[", Godot4, Expected("a value"), 1),
        ("[null", Godot4, Expected("`,` or `]`"), 5),
        ("[null,", Godot4, Expected("a value"), 6),
        ("[null,]", Godot4, Expected("a value"), 6),
        ("[,null]", Godot4, Expected("a value"), 1),
        ("[null}", Godot4, Expected("`,` or `]`"), 5),
        ("{", Godot4, Expected("the name of a member"), 1),
        ("{5:6}", Godot4, Expected("the name of a member"), 1),
        (r#"{"a""#, Godot4, Expected("`:`"), 4),
        (r#"{"a":"#, Godot4, Expected("a value"), 5),
        (r#"{"a":1"#, Godot4, Expected("`,` or `}`"), 6),
        (r#"{"a":1,}"#, Godot4, Expected("the name of a member"), 7),
        (r#""s:a"#, Godot4, Expected("a closing quote"), 4),
        (r#""s:a\""#, Godot4, Expected("a closing quote"), 6),
        (r#""s:a\"#, Godot4, Expected("a closing quote"), 5),
        ("nul", Godot4, Expected("a value"), 0),
        ("+1", Godot4, Expected("a value"), 0),
        ("nan", Godot4, Expected("a value"), 0),
        ("\u{A0}null", Godot4, Expected("a value"), 0),
        ("null null", Godot4, TrailingText, 5),
        ("nulls", Godot4, TrailingText, 4),
        ("[]]", Godot4, TrailingText, 2),

        // Escapes.
        (r#""s:\q""#, Godot4, BadEscape, 3),
        (r#"["s:a\u12g4"]"#, Godot4, BadEscape, 5),
        (r#""s:\u12""#, Godot4, BadEscape, 3),
        (r#""s:\ud83d""#, Godot4, BadEscape, 3),
        (r#""s:\ude00""#, Godot4, BadEscape, 3),
        (r#""s:\ud83d\u0041""#, Godot4, BadEscape, 3),
        (r#""s:\ud83d\ud83d""#, Godot4, BadEscape, 3),
        (r#""s:\ud83d\ue000""#, Godot4, BadEscape, 3),

        // Values without a type.
        ("5", Godot4, BareNumber, 0),
        ("[null, -5.5]", Godot4, BareNumber, 7),
        (r#""abc""#, Godot4, NoPrefix, 1),
        (r#"["i:1", ""]"#, Godot4, NoPrefix, 9),
        (r#""x:0000000000000000""#, Godot4, NoPrefix, 1),
        (r#"{"type":"String","args":["abc"]}"#, Godot4, NoPrefix, 26),
        ("{}", Godot4, MissingMember("type"), 0),
        (r#"[{"args":[]}]"#, Godot4, MissingMember("type"), 1),
        (r#"{"type":"Vector2"}"#, Godot4, MissingMember("args"), 0),
        (r#"{"type":"Dictionary"}"#, Godot4, MissingMember("args"), 0),
        (r#"{"type":"EncodedObjectAsID","props":["script",null]}"#, Godot4, MissingMember("object_id"), 36),
        (r#"{"type":"A","props":[{"name":"p"},null]}"#, Godot4, MissingMember("wire"), 21),
        (r#"{"type":5}"#, Godot4, Expected("a string"), 8),
        (r#"{"type":"Vector5","args":[]}"#, Godot4, UnknownType, 9),
        (r#"{"type":"Signal","object":5}"#, Godot4, MissingMember("name"), 0),
        (r#"{"type":"RID","id":-1}"#, Godot4, OutOfRange, 19),
        (r#"{"type":"RID","id":1.5}"#, Godot4, BadNumber, 19),
        (r#"{"type":"EncodedObjectAsID","props":5}"#, Godot4, Expected("a list"), 36),
        (r#"{"type":"Array","args":{}}"#, Godot4, Expected("a list"), 23),
        (r#"{"type":"Vector2","args":null}"#, Godot4, Expected("a list"), 25),
        (r#"{"type":"A","props":"s:a"}"#, Godot4, Expected("a list"), 21),
        (r#"{"type":"Array","elem_type":5,"args":[]}"#, Godot4, Expected("a string"), 28),

        // Numbers.
        (r#""i:""#, Godot4, BadNumber, 1),
        (r#""i: 1""#, Godot4, BadNumber, 1),
        (r#""i:1.5""#, Godot4, BadNumber, 1),
        (r#""i:nan""#, Godot4, OutOfRange, 1),
        (r#""f:""#, Godot4, BadNumber, 1),
        (r#""f:0x10""#, Godot4, BadNumber, 1),
        (r#""i:9223372036854775808""#, Godot4, OutOfRange, 1),
        (r#""i:-9223372036854775809""#, Godot4, OutOfRange, 1),
        (r#""i:1e19""#, Godot4, OutOfRange, 1),
        (r#"{"type":"Vector2i","args":[0.5,0]}"#, Godot4, BadNumber, 27),
        (r#"{"type":"Vector2i","args":[2147483647,2147483648]}"#, Godot4, OutOfRange, 38),
        (r#"{"type":"Vector2i","args":[-2147483649,0]}"#, Godot4, OutOfRange, 27),
        (r#"{"type":"Vector2i","args":[null,0]}"#, Godot4, Expected("a number"), 27),
        (r#"{"type":"Vector2","args":[--1,0]}"#, Godot4, BadNumber, 26),
        (r#"{"type":"Vector2","args":[1e,0]}"#, Godot4, BadNumber, 26),
        (r#"{"type":"Vector2","args":[[],0]}"#, Godot4, Expected("a number"), 26),
        (r#"{"type":"PackedByteArray","args":[255,256]}"#, Godot4, OutOfRange, 38),
        (r#"{"type":"PackedByteArray","args":[-1]}"#, Godot4, OutOfRange, 34),
        (r#"{"type":"PackedStringArray","args":[1]}"#, Godot4, Expected("a string"), 36),
        (r#"{"type":"bool","args":[1]}"#, Godot4, Expected("true or false"), 23),
        (r#"{"type":"RID","id":18446744073709551616}"#, Godot4, OutOfRange, 19),
        (r#"{"type":"RID","id":-1}"#, Godot4, OutOfRange, 19),
        (r#"{"type":"EncodedObjectAsID","props":["object_id","i:x"]}"#, Godot4, Expected("\"i:\" and an id"), 50),
        (r#"{"type":"Image","args":[4294967296,0,0,0]}"#, Godot2, OutOfRange, 24),

        // Counts.
        (r#"{"type":"Vector2","args":[1]}"#, Godot4, PartCount(1), 0),
        (r#"{"type":"Vector2","args":[1,2,3,4]}"#, Godot4, PartCount(2), 0),
        (r#"["i:1",{"type":"PackedVector3Array","args":[1,2,3,4]}]"#, Godot4, PartCount(1), 7),
        (r#"{"type":"int","args":[]}"#, Godot4, PartCount(1), 0),
        (r#"{"type":"InputEvent","args":[1,0,5]}"#, Godot2, PartCount(1), 0),
        (r#"{"type":"InputEvent","args":[2,0,5]}"#, Godot2, PartCount(1), 0),
        (r#"{"type":"Dictionary","args":["i:1"]}"#, Godot4, NoPartner, 28),
        (r#"{"type":"A","props":["p",null,"q"]}"#, Godot4, NoPartner, 20),

        // Bytes.
        (r#"{"type":"int","wire":"0"}"#, Godot4, BadHex, 22),
        (r#"{"type":"int","wire":"0g"}"#, Godot4, BadHex, 22),
        (r#"{"type":"int","wire":"é"}"#, Godot4, BadHex, 22),
        (r#"{"type":"int","wire":""}"#, Godot4, BadWire, 22),
        (r#"{"type":"int","wire":"02000000"}"#, Godot4, BadWire, 22),
        (r#"{"type":"int","wire":"020000000000000000"}"#, Godot4, BadWire, 22),
        (r#"{"type":"int","wire":"0300000000000000"}"#, Godot4, BadWire, 22),
        (r#"{"type":"Array","wire":"1c00000000000000"}"#, Godot4, BadWire, 24),
        (r#"{"type":"Array","head":"1c00000001000000","args":[]}"#, Godot4, BadWire, 24),
        (r#"{"type":"Array","head":"1b00000000000000","args":[]}"#, Godot4, BadWire, 24),
        (r#"{"type":"Array","head":"1c0000000000000000","args":[]}"#, Godot4, BadWire, 24),
        (r#"{"type":"Array","head":"1c","args":[]}"#, Godot4, BadWire, 24),
        (r#"{"type":"A","head":"180000000000000000000000","props":[]}"#, Godot4, BadWire, 20),
        (r#"{"type":"A","props":[{"name":"p","wire":"6"},null]}"#, Godot4, BadHex, 41),

        // Values that the packet cannot express.
        (r#"["i:5000000000"]"#, Godot2, unwritable(Kind::Int, Unrepresentable::WideInt), 2),
        (r#"[null, "sn:a"]"#, Godot3, Unwritable(godot::ErrorKind::NoSuchType(Kind::StringName)), 8),
        (r#"{"type":"PackedInt64Array","args":[]}"#, Godot3, Unwritable(godot::ErrorKind::NoSuchType(Kind::PackedInt64Array)), 0),
        (r#"{"type":"Image","args":[0,0,0,0]}"#, Godot4, Unwritable(godot::ErrorKind::NoSuchType(Kind::Image)), 0),
        (r#"[{"type":"RID","id":1}]"#, Godot3, unwritable(Kind::Rid, Unrepresentable::RidId), 1),
        (r#"{"type":"Vector2","args":[1,2],"wide":true}"#, Godot3, unwritable(Kind::Vector2, Unrepresentable::DoubleReal), 0),
        (r#"{"type":"Array","elem_type":"int","args":[]}"#, Docs, unwritable(Kind::Array, Unrepresentable::TypedContainer), 0),
        (r#"{"type":"A","props":[]}"#, Godot2, unwritable(Kind::Object, Unrepresentable::Object), 0),
        (r#"{"type":"EncodedObjectAsID","props":["object_id","i:5"]}"#, Godot2, unwritable(Kind::Object, Unrepresentable::Object), 0),
    ]
}

#[test]
fn rejected_texts_have_error_and_offset() {
    for (text, dialect, kind, offset) in rejected_texts() {
        let error = write_json(text, dialect).unwrap_err();
        assert_eq!((*error.kind(), error.offset()), (kind, offset), "{text}");
    }
}

fn put<S: Sink>(text: &str, writer: &mut Writer<S>) -> Result<(), Error> {
    Document::parse(text)?.write(writer)
}

const SEVEN: &str = "0200000007000000";

/// Regardless of where the error in a rejected text is, the sink is left unchanged and then accepts
/// a further value.
#[test]
fn rejected_input_leaves_no_output() {
    for (text, dialect, ..) in rejected_texts() {
        let late = format!(r#"[null, ["s:abcdefgh", {text}]]"#);
        for text in [text, &late] {
            let mut writer = Writer::new(Vec::new(), dialect);
            write_between_valid_values(text, &mut writer);
            assert_eq!(writer.into_sink(), hex(&SEVEN.repeat(2)), "{text}");

            let mut memory = [0; 300];
            let mut writer = Writer::new(SliceSink::new(&mut memory), dialect);
            write_between_valid_values(text, &mut writer);
            assert_eq!(writer.into_sink().written(), hex(&SEVEN.repeat(2)), "{text}");

            #[cfg(feature = "bytes")]
            {
                use gamewire::BufSink;
                let mut writer = Writer::new(BufSink::new(Vec::new()), dialect);
                write_between_valid_values(text, &mut writer);
                let sink = writer.into_sink().into_inner();
                assert_eq!(sink, hex(&SEVEN.repeat(2)), "{text}");
            }
        }
    }
}

fn write_between_valid_values<S: Sink>(text: &str, writer: &mut Writer<S>) {
    put(r#""i:7""#, writer).unwrap();
    put(text, writer).unwrap_err();
    put(r#""i:7""#, writer).unwrap();
}

/// A sink that is too small receives no bytes.
#[test]
fn sink_that_is_too_small_receives_no_bytes() {
    let text =
        r#"["s:abc",{"type":"A","props":["p",{"type":"Vector2","args":[1,2],"wide":true}]}]"#;
    let whole = write_json(text, Dialect::Godot4).unwrap();
    for capacity in 0..=whole.len() {
        let mut memory = vec![0xAA; capacity];
        let mut writer = Writer::new(SliceSink::new(&mut memory), Dialect::Godot4);
        let written = put(text, &mut writer);
        let sink = writer.into_sink();
        match written {
            Ok(()) => assert_eq!((capacity, sink.written()), (whole.len(), &whole[..])),
            Err(error) => {
                let ErrorKind::Unwritable(godot::ErrorKind::BufferFull { missing }) = *error.kind()
                else {
                    panic!("{error}")
                };
                assert!((1..=whole.len() - capacity).contains(&(missing as usize)));
                assert_eq!(sink.position(), 0);
            }
        }
    }
}

/// A JSON document can be written as an item of an open container.
#[test]
fn documents_are_written_inside_containers() {
    let mut writer = Writer::new(Vec::new(), Dialect::Godot4);
    let text = Document::parse(r#"["i:7"]"#).unwrap();
    let mut array = writer.array(1).unwrap();
    text.write(&mut array).unwrap();
    assert!(text.write(&mut array).is_err());
    array.finish().unwrap();
    assert_eq!(print_json(writer.sink(), Dialect::Godot4, false), r#"[["i:7"]]"#);
}

#[test]
fn unusual_texts_are_accepted() {
    let reads = |text: &str, packet: &str| reads(text, Dialect::Godot4, packet);
    // White space, escapes and raw control characters are accepted.
    reads(" \t\r\n[ \n ] ", "1c000000 00000000");
    reads(" { \"type\" : \"Vector2i\" , \"args\" : [ 1 , 2 ] } ", "06000000 01000000 02000000");
    reads(r#""s:\v\b\f\/""#, "04000000 04000000 0b080c2f");
    reads("\"s:\u{1}\n\t\u{7f}\"", "04000000 04000000 010a097f");
    reads(r#""s:\u00e9\ud83d\ude00""#, "04000000 06000000 c3a9f09f98800000");
    reads(r#""\u0069:1""#, "02000000 01000000");
    reads(r#"{"\u0074ype":"RID"}"#, "17000000 0000000000000000");
    reads(r#""s:a\u0000b""#, "04000000 03000000 61006200");
    // Infinity and NaN.
    let vector = |args: &str| format!(r#"{{"type":"Vector2","args":[{args}]}}"#);
    reads(&vector("1e99999,-1e99999"), "05000000 0000807f 000080ff");
    reads(&vector("1e300,-1e300"), "05000000 0000807f 000080ff");
    reads(&vector(r#"null,"nan""#), "05000000 0000c07f 0000c07f");
    reads(&vector("-0,-0.0"), "05000000 00000080 00000080");
    reads(&vector("1e-99999,1E+0"), "05000000 00000000 0000803f");
    reads(
        r#"{"type":"Vector2","args":[null,1e99999],"wide":true}"#,
        "05000100 000000000000f87f 000000000000f07f",
    );
    reads(r#""f:1e99999""#, "03000000 0000807f");
    reads(r#""f:5""#, "03000000 0000a040");
    reads(r#"{"type":"float","args":[null]}"#, "03000100 000000000000f87f");
    // Integers from writers that have only floats.
    reads(r#""i:1.0""#, "02000000 01000000");
    reads(r#""i:1e3""#, "02000000 e8030000");
    reads(r#""i:-0""#, "02000000 00000000");
    reads(r#""i:-9.223372036854775808e18""#, "02000100 0000000000000080");
    reads(r#"{"type":"Vector2i","args":[1.0,-1e3]}"#, "06000000 01000000 18fcffff");
    // If the name of a member occurs several times, the last value is used.
    reads(
        r#"{"type":"Vector2i","args":[1,2],"args":[3,4],"type":"Rect2i","type":"Vector2i"}"#,
        "06000000 03000000 04000000",
    );
    // Values in the general form are accepted, although the printer uses a special form for them.
    reads(r#"{"type":"Array","args":[null]}"#, "1c000000 01000000 00000000");
    reads(r#"{"type":"int","args":["i:1"]}"#, "02000000 01000000");
    reads(r#"{"type":"bool","args":[true],"wide":true}"#, "01000000 01000000");
    reads(r#"{"type":"bool","args":[false]}"#, "01000000 00000000");
    reads(r#"{"type":"Object"}"#, "00000000");
    // Objects that represent object ids, in the form that the engines write.
    let id = "18000100 ffffffffffffffff";
    reads(r#"{"type":"EncodedObjectAsID","props":["object_id","i:-1","script",null]}"#, id);
    reads(r#"{"type":"EncodedObjectAsID","props":["script",null,"object_id","i:-1"]}"#, id);
    reads(r#"{"type":"EncodedObjectAsID","args":["i:-1"]}"#, id);
    // Unknown members of any type.
    let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
    for unknown in [&deep, "5", r#"{"args":[9],"type":"x"}"#, r#""no prefix""#] {
        let text = format!(r#"{{"more":{unknown},"type":"Vector2i","x":{unknown},"args":[1,2]}}"#);
        reads(&text, "06000000 01000000 02000000");
    }
}

/// Every dialect accepts the type names of all other dialects.
#[test]
fn type_names_of_all_dialects_are_accepted() {
    reads(
        r#"{"type":"Quat","args":[0,0,0,0]}"#,
        Dialect::Godot4,
        "0f000000 00000000000000000000000000000000",
    );
    reads(
        r#"{"type":"Quaternion","args":[0,0,0,0]}"#,
        Dialect::Godot2,
        "0a000000 00000000000000000000000000000000",
    );
    for name in ["RawArray", "PoolByteArray", "PackedByteArray"] {
        let text = format!(r#"{{"type":"{name}","args":[7]}}"#);
        reads(&text, Dialect::Godot2, "16000000 01000000 07000000");
        reads(&text, Dialect::Godot3, "14000000 01000000 07000000");
        reads(&text, Dialect::Godot4, "1d000000 01000000 07000000");
        reads(&text, Dialect::Docs, "14000000 01000000 07000000");
    }
    for kind in Kind::ALL {
        for from in Dialect::ALL {
            let (Some(name), Some(_)) = (from.type_name(*kind), Dialect::Godot4.id(*kind)) else {
                continue;
            };
            let text = format!(r#"{{"type":"{name}","args":["no part of anything"]}}"#);
            let error = write_json(&text, Dialect::Godot4).err().map(|error| *error.kind());
            assert_ne!(error, Some(ErrorKind::UnknownType), "{name}");
        }
    }
}

/// A function that nests a JSON text in this many containers.
type Nest<'n> = &'n dyn Fn(usize, &str) -> String;

/// The maximum depth is the engine's; an empty container may be one level deeper.
#[test]
fn depth_is_limited_to_the_engines() {
    let arrays =
        |levels: usize, inner: &str| format!("{}{inner}{}", "[".repeat(levels), "]".repeat(levels));
    let dictionaries = |levels: usize, inner: &str| {
        let open = r#"{"type":"Dictionary","args":["i:1","#.repeat(levels);
        format!("{open}{inner}{}", "]}".repeat(levels))
    };
    let objects = |levels: usize, inner: &str| {
        let open = r#"{"type":"A","props":["p","#.repeat(levels);
        format!("{open}{inner}{}", "]}".repeat(levels))
    };
    let (arrays, dictionaries, objects): (Nest, Nest, Nest) = (&arrays, &dictionaries, &objects);
    for nest in [arrays, dictionaries, objects] {
        for inner in ["null", "[]", r#"{"type":"Dictionary","args":[]}"#] {
            let text = nest(1024, inner);
            let packet = write_json(&text, Dialect::Godot4).unwrap();
            assert!(print_json(&packet, Dialect::Godot4, false) == text);
            let error = write_json(&nest(1025, inner), Dialect::Godot4).unwrap_err();
            let kind = ErrorKind::Unwritable(godot::ErrorKind::TooDeep { limit: 1024 });
            assert_eq!(*error.kind(), kind);
            let open = nest(1024, "").len() / 2;
            assert!(error.offset() > open as u64 / 2, "{error}");
        }
        // Parsing does not recurse, so deeply nested text is rejected without a stack overflow.
        assert!(write_json(&nest(100_000, "null"), Dialect::Godot4).is_err());
    }
    assert!(Document::parse(&"[".repeat(100_000)).is_err());
}
