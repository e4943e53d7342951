//! Regression tests for bugs that the laws found.

use gamewire::godot::frame::Frames;
use gamewire::godot::json::{self, Document, Printer};
use gamewire::godot::patch::Patch;
use gamewire::godot::{
    Dialect, Encoded, Error, ErrorKind, Kind, Level, Limits, Reader, Unrepresentable, Writer,
};

fn encoded(packet: &[u8], dialect: Dialect) -> Encoded<'_> {
    Reader::new(packet, dialect).read_encoded().unwrap()
}

fn again(packet: &[u8], dialect: Dialect) -> Vec<u8> {
    let mut bytes = Vec::new();
    Writer::new(&mut bytes, dialect).put(encoded(packet, dialect).decode()).unwrap();
    bytes
}

fn printed(packet: &[u8], dialect: Dialect) -> String {
    let mut text = String::new();
    Reader::new(packet, dialect).visit(&mut Printer::new(&mut text)).unwrap();
    text
}

fn written(text: &str, dialect: Dialect) -> Result<Vec<u8>, json::Error> {
    let mut packet = Vec::new();
    Document::parse(text)?.write(&mut Writer::new(&mut packet, dialect)).map(|()| packet)
}

/// A RawArray of one byte without its pad, and a 7 behind it.
#[test]
fn godot2_copies_get_their_pad() -> Result<(), Error> {
    let packet = b"\x16\0\0\0\x01\0\0\0x";
    let mut copy = Vec::new();
    let mut writer = Writer::new(&mut copy, Dialect::Godot2);
    writer.put(encoded(packet, Dialect::Godot2))?;
    writer.put(7)?;
    let mut reader = Reader::new(&copy, Dialect::Godot2);
    assert_eq!(reader.read()?.as_bytes(), Some(&b"x"[..]));
    assert_eq!(reader.read()?.as_i64(), Some(7));
    Ok(())
}

#[test]
fn frames_know_where_they_failed() {
    let stream = b"\x04\0\0\0\0\0\0\0\x08\0\0\0\x02\0";
    let mut frames = Frames::new(stream);
    assert!(frames.next().unwrap().is_ok());
    assert!(frames.next().unwrap().is_err());
    assert_eq!(frames.offset(), 8);
}

/// 5 in 64 bits.
#[test]
fn rejected_input_is_not_consumed() {
    let packet = b"\x02\0\x01\0\x05\0\0\0\0\0\0\0";
    let strict = Limits { level: Level::Strict, ..Limits::default() };
    let mut reader = Reader::new(packet, Dialect::Godot4).limits(strict);
    assert!(reader.skip().is_err());
    assert_eq!((reader.offset(), reader.range()), (0, 0..0));
}

/// A path in the old form that is `/a` to a script, with a byte order mark in front or
/// a NUL behind.
#[test]
fn old_paths_mean_what_a_script_sees() -> Result<(), Error> {
    for packet in [b"\x0f\0\0\0\x05\0\0\0\xEF\xBB\xBF/a\0\0\0", b"\x0f\0\0\0\x05\0\0\0/a\0/b\0\0\0"]
    {
        let bytes = again(packet, Dialect::Docs);
        let path = Reader::new(&bytes, Dialect::Docs).read()?.as_node_path().unwrap();
        assert_eq!(path.to_string(), "/a");
    }
    Ok(())
}

/// One text, `a` and two NULs.
#[test]
fn docs_texts_keep_their_nuls() {
    let packet = b"\x19\0\0\0\x01\0\0\0\x03\0\0\0a\0\0\0";
    let once = again(packet, Dialect::Docs);
    assert_eq!(again(&once, Dialect::Docs), once);
}

/// Godot 4 to 3: [0, StringName].
#[cfg(feature = "bytes")]
#[test]
fn errors_have_the_same_offset_in_a_buffer() {
    use gamewire::BufSink;

    let packet = b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\0\0\0\0\x15\0\0\0\0\0\0\0";
    let value = encoded(packet, Dialect::Godot4).decode();
    let mut writer = Writer::new(Vec::new(), Dialect::Godot3);
    writer.put(()).unwrap();
    let mut buffered = Writer::new(BufSink::new(Vec::new()), Dialect::Godot3);
    buffered.put(()).unwrap();
    assert_eq!(buffered.put(value), writer.put(value));
}

/// An object whose property's array was given up.
#[cfg(feature = "bytes")]
#[test]
fn what_is_half_written_takes_no_more() -> Result<(), Error> {
    use gamewire::BufSink;

    let mut writer = Writer::new(BufSink::new(Vec::new()), Dialect::Godot4);
    let mut object = writer.object("A", 2)?;
    object.property("a")?;
    drop(object.array(1)?);
    assert!(object.put(1).is_err());
    assert!(object.property("b").is_err());
    assert!(object.put(1).is_err());
    Ok(())
}

/// An `Array[Image]`, which was a built-in type in Godot 2.
#[test]
fn element_types_are_those_of_godot4() {
    let packet = b"\x1c\0\x02\0\x05\0\0\0Image\0\0\0\0\0\0\0";
    let text = r#"{"type":"Array","elem_type":"Image","args":[]}"#;
    assert_eq!(printed(packet, Dialect::Godot4), text);
    assert_eq!(written(text, Dialect::Godot4).unwrap(), packet);
}

/// Readers take it for null, and what follows for the next value.
#[test]
fn objects_have_a_class() {
    for class in ["", "\\u0000", "\\ufeff\\u0000A"] {
        let text = format!(r#"[{{"type":"{class}","props":["a",null]}}]"#);
        let error = written(&text, Dialect::Godot4).unwrap_err();
        let no_class = ErrorKind::Unrepresentable(Kind::Object, Unrepresentable::NoClass);
        let expected = (json::ErrorKind::Unwritable(no_class), 1);
        assert_eq!((*error.kind(), error.offset()), expected, "{text}");
    }
    let mut packet = Vec::new();
    assert!(Writer::new(&mut packet, Dialect::Godot4).object("", 1).is_err());
    assert!(packet.is_empty());
}

/// Godot 3's bytes of a colour that has a NaN of its own are a plane to Godot 4.
#[test]
fn wire_bytes_are_of_the_type_that_is_named() {
    let packet = b"\x0e\0\0\0\x01\0\xC0\x7F\0\0\0\0\0\0\0\0\0\0\0\0";
    let text = printed(packet, Dialect::Godot3);
    assert_eq!(written(&text, Dialect::Godot3).unwrap(), packet);
    let error = written(&text, Dialect::Godot4).unwrap_err();
    assert_eq!(*error.kind(), json::ErrorKind::BadWire);
}

/// Arrays of one array, one level more than an engine reads.
#[test]
fn copies_are_no_deeper_than_engines_read() -> Result<(), Error> {
    let mut deep = b"\x1c\0\0\0\x01\0\0\0".repeat(1025);
    deep.extend([0; 4]);
    let mut stack = [0; 1025];
    let value = Reader::new(&deep, Dialect::Godot4).with_stack(&mut stack).read_encoded()?;
    let mut writer = Writer::new(Vec::new(), Dialect::Godot4);
    assert!(writer.put(value.decode()).is_err());
    assert!(writer.put(value).is_err());
    Ok(())
}

/// A null that says a class of one NUL, and an id of an object: as long, but in other headers,
/// which stay as they are.
#[test]
fn object_ids_do_not_replace_objects() {
    let null = *b"\x11\0\0\0\x01\0\0\0\0\0\0\0";
    let id = *b"\x11\0\x01\0\0\x41\0\0\0\x02\0\0";
    for (there, other) in [(null, id), (id, null)] {
        let mut bytes = there;
        let mut packet = Patch::new(&mut bytes, Dialect::Godot3).unwrap();
        let other = encoded(&other, Dialect::Godot3);
        assert!(packet.set("", other).is_err());
        assert!(packet.set("", other.decode()).is_err());
        assert_eq!(bytes, there);
    }
}
