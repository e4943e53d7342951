//! Regression tests for bugs that the laws found.

use crate::laws;
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

/// The packet is a RawArray of one byte whose padding is missing. If the copy lacked the padding
/// too, the 7 that is written after it could not be read.
#[test]
fn godot2_copies_are_padded() -> Result<(), Error> {
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
fn frames_report_the_offset_of_the_error() {
    let stream = b"\x04\0\0\0\0\0\0\0\x08\0\0\0\x02\0";
    let mut frames = Frames::new(stream);
    assert!(frames.next().unwrap().is_ok());
    assert!(frames.next().unwrap().is_err());
    assert_eq!(frames.offset(), 8);
}

/// The packet is the int 5 in 64 bits. The strict level rejects it, because an engine would write
/// it in 32 bits.
#[test]
fn rejected_input_is_not_consumed() {
    let packet = b"\x02\0\x01\0\x05\0\0\0\0\0\0\0";
    let strict = Limits { level: Level::Strict, ..Limits::default() };
    let mut reader = Reader::new(packet, Dialect::Godot4).limits(strict);
    assert!(reader.skip().is_err());
    assert_eq!((reader.offset(), reader.range()), (0, 0..0));
}

/// The packets contain paths in the old form, with a byte order mark before `/a` or a NUL after it.
/// A script sees the path `/a`.
#[test]
fn old_paths_are_rewritten_as_a_script_sees_them() -> Result<(), Error> {
    for packet in [b"\x0f\0\0\0\x05\0\0\0\xEF\xBB\xBF/a\0\0\0", b"\x0f\0\0\0\x05\0\0\0/a\0/b\0\0\0"]
    {
        let bytes = again(packet, Dialect::Docs);
        let path = Reader::new(&bytes, Dialect::Docs).read()?.as_node_path().unwrap();
        assert_eq!(path.to_string(), "/a");
    }
    Ok(())
}

/// The packet is a packed string array of one text that ends with two NULs.
#[test]
fn docs_texts_keep_their_nuls() {
    let packet = b"\x19\0\0\0\x01\0\0\0\x03\0\0\0a\0\0\0";
    let once = again(packet, Dialect::Docs);
    assert_eq!(again(&once, Dialect::Docs), once);
}

/// Godot 3 has no StringName, so the second item of the array cannot be written.
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

/// The array in the first property of the object was dropped before it was complete.
#[cfg(feature = "bytes")]
#[test]
fn incomplete_object_rejects_further_values() -> Result<(), Error> {
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

/// `Image` in `Array[Image]` is a class in Godot 4, and was a built-in type in Godot 2.
#[test]
fn json_reads_element_types_as_godot4_does() {
    let packet = b"\x1c\0\x02\0\x05\0\0\0Image\0\0\0\0\0\0\0";
    let text = r#"{"type":"Array","elem_type":"Image","args":[]}"#;
    assert_eq!(printed(packet, Dialect::Godot4), text);
    assert_eq!(written(text, Dialect::Godot4).unwrap(), packet);
}

/// An object without a class is rejected. Readers would mistake it for null, and its properties for
/// the next values.
#[test]
fn objects_without_a_class_are_not_written() {
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

/// The type id of a Color in Godot 3 is the type id of a Plane in Godot 4. The colour contains an
/// unusual NaN, so the JSON contains the encoded bytes.
#[test]
fn wire_bytes_must_match_the_named_type() {
    let packet = b"\x0e\0\0\0\x01\0\xC0\x7F\0\0\0\0\0\0\0\0\0\0\0\0";
    let text = printed(packet, Dialect::Godot3);
    assert_eq!(written(&text, Dialect::Godot3).unwrap(), packet);
    let error = written(&text, Dialect::Godot4).unwrap_err();
    assert_eq!(*error.kind(), json::ErrorKind::BadWire);
}

/// The packet has one level of arrays more than an engine accepts.
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

/// A null object whose class is a single NUL has the size of an object id, but a different header.
/// A patch does not change the header.
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

/// The length of a packed string counts its NUL. A patch may leave out padding at the end of a packet,
/// but not this NUL.
#[test]
fn counted_nul_of_a_packed_string_is_not_padding() {
    let one = b"\x19\0\0\0\x01\0\0\0\0\0\0\0".as_slice();
    let two = b"\x19\0\0\0\x02\0\0\0\x02\0\0\0a\0\0\0\x05\0\0\0ghij\0\0\0\0".as_slice();
    for packet in [one, two] {
        Dialect::ALL.iter().for_each(|&dialect| laws::patch_as(packet, dialect));
    }
}
