//! Tests the exact error messages about Rem's Engine saves, and strings with escapes or with bytes
//! that are not UTF-8.
use gamewire::SliceSink;
use gamewire::rems::{
    BinaryWriter, Dialect, Era, Error, ErrorKind, FileFormat, Item, ItemSink, Kind, Piece, Scalar,
    StrRef, TextReader, TextWriter, Type, Unreadable, Warning, WriteError, WriteErrorKind,
};
use std::borrow::Cow;

#[test]
fn reading() {
    let (kind, limit) = (Kind::Vec3, 7);
    for (error, text) in [
        (ErrorKind::UnexpectedEnd { missing: 4 }, "the input ends (bytes missing: 4)"),
        (ErrorKind::Expected("a colon"), "expected a colon"),
        (ErrorKind::BadEscape, "unknown escape sequence"),
        (ErrorKind::NoType, "expected a key of the form TYPE:NAME"),
        (ErrorKind::NoClass, "the object has no class"),
        (ErrorKind::OtherClass, "the class of the object is not that of its property or list"),
        (ErrorKind::BadNumber, "malformed number"),
        (ErrorKind::Overflow, "number out of range for its kind"),
        (ErrorKind::BadBool, "expected true or false"),
        (ErrorKind::BadChar, "expected a single UTF-16 code unit"),
        (ErrorKind::BadColor, "malformed colour"),
        (ErrorKind::BadParts(kind), "wrong number of components for a Vec3"),
        (
            ErrorKind::BadCount(-2),
            "invalid count -2: it is negative, or exceeds the remaining bytes",
        ),
        (ErrorKind::TooManyElements, "more elements than the array declares"),
        (ErrorKind::BadPointer(-1), "-1 is not an object number"),
        (ErrorKind::TooDeep { limit }, "objects and lists are nested more than 7 deep"),
        (
            ErrorKind::OtherKind { kind, dim: 2 },
            "a value of type v3[][] is not of the requested type",
        ),
        (ErrorKind::OtherScalar { kind, requested: Scalar::I8 }, "components of Vec3 are not I8"),
        (ErrorKind::Unknown { what: "type", value: -3 }, "unknown type: -3"),
        (ErrorKind::NoSuchString(9), "no string has the index 9"),
        (ErrorKind::NoSuchAttribute(8), "the class has no attribute with the index 8"),
        (ErrorKind::NullName, "the class or name is null"),
        (ErrorKind::NotUtf8, "the text is not UTF-8"),
        (
            ErrorKind::NotWritten { count: 9, limit },
            "the file omits 9 declared elements, which exceeds the limit of 7",
        ),
        (ErrorKind::TooManyObjects { capacity: 3 }, "more objects than the 3 slots provided"),
        (ErrorKind::NotAContainer, "a container must begin with RemsEngineZZ"),
        (ErrorKind::Damaged, "the compressed data is damaged"),
        (ErrorKind::TooLarge { limit: 5 }, "the content exceeds the limit of 5 bytes"),
    ] {
        assert_eq!(error.to_string(), text);
        let at = Error::new(error, 255);
        assert_eq!(at.to_string(), format!("{text} at offset 255 (0xff)"));
        let written: WriteErrorKind = at.into();
        assert_eq!(written, WriteErrorKind::Source(at));
        assert_eq!(written.to_string(), format!("the value cannot be read: {at}"));
    }
}

#[test]
fn writing() {
    let (kind, limit, found) = (Kind::Quat, 7, Kind::I32);
    for (error, text) in [
        (WriteErrorKind::OutOfTurn("a list"), "a list is not allowed here"),
        (
            WriteErrorKind::OtherKind { expected: Some(kind), found },
            "found I32 where the type is Some(Quat)",
        ),
        (
            WriteErrorKind::BadParts { kind, found: Scalar::F64, count: 3 },
            "3 components of F64 do not make a Quat",
        ),
        (WriteErrorKind::OtherClass, "the class of the object is not that of its property or list"),
        (WriteErrorKind::NoNumber, "an object in a binary stream needs a number"),
        (WriteErrorKind::BadNumber(0), "0 is not an object number"),
        (WriteErrorKind::TooManyElements, "more elements than the list declares"),
        (WriteErrorKind::MissingElements(2), "the list lacks 2 elements"),
        (
            WriteErrorKind::TooMuchToFill { limit: 7 },
            "omitted elements would take more than 7 bytes",
        ),
        (
            WriteErrorKind::NoSuchType { kind: Some(kind), dim: 1 },
            "streams of that time have no type q4[]",
        ),
        (WriteErrorKind::TooLong(5), "5 exceeds the largest possible count"),
        (WriteErrorKind::TooDeep { limit }, "objects and lists are nested more than 7 deep"),
        (WriteErrorKind::HalfWritten, "an earlier error left the output incomplete"),
        (WriteErrorKind::Unfinished(2), "2 objects and lists are still open"),
    ] {
        assert_eq!(error.to_string(), text);
        let at = WriteError::new(error, 16).to_string();
        assert_eq!(at, format!("{text} at offset 16 (0x10)"));
    }
}

#[test]
fn bytes_that_engines_ignore() {
    for (reason, is_lost, text) in [
        (Unreadable::ClassName, true, "a key with this class name would be read as something else"),
        (Unreadable::BlankName, false, "the engine writes no key for a blank name"),
        (
            Unreadable::LooksLikeNumber,
            true,
            "the first property of an object without a number would be read as its number",
        ),
        (Unreadable::SwappedName, true, "the name of this vector would be read as a type"),
        (Unreadable::NoSuchKind(Kind::Color), false, "the engine of that time has no type Color"),
        (
            Unreadable::WriteOnly { kind: Kind::Char, dim: 1 },
            false,
            "the engine of that time does not read the type c[]",
        ),
        (Unreadable::List, false, "the engine of that time does not read this type of list"),
        (Unreadable::NotFinite, false, "no engine reads NaN and Infinity in text"),
        (Unreadable::Null, false, "no engine reads null for a string or array"),
        (Unreadable::EscapedLetter, false, "the engine does not read escaped characters"),
        (Unreadable::HalfPair, true, "an unpaired surrogate becomes a question mark"),
        (Unreadable::NotUtf8, false, "the text is not UTF-8"),
        (Unreadable::NoObjects, false, "the engine does not read streams without objects"),
    ] {
        assert_eq!(reason.is_lost(), is_lost, "{reason:?}");
        assert_eq!(reason.to_string(), text);
        assert_eq!(Warning { reason, offset: 3 }.to_string(), text);
        let error = WriteErrorKind::from(reason);
        assert_eq!(error.to_string(), format!("the engine could not read this back: {text}"));
    }
}

/// If a forced write has several problems, the most severe one is reported, with its offset.
#[test]
fn warnings() {
    let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
    writer.force(true);
    writer.object("T", Some(1)).unwrap();
    assert_eq!(writer.take_warning(), None);
    writer.put("x", f32::NAN).unwrap();
    let before = writer.offset();
    writer.put(" ", 1).unwrap();
    let first = writer.take_warning().unwrap();
    assert_eq!(first.reason, Unreadable::NotFinite);
    assert!(first.offset < before);
    assert_eq!(writer.take_warning(), None);
    writer.put(" ", f32::NAN).unwrap();
    let before = writer.offset();
    writer.property(Type::Class("i".into(), 0), "k").unwrap();
    let warning = writer.take_warning().unwrap();
    assert_eq!(warning, Warning { reason: Unreadable::ClassName, offset: before });
    writer.null().unwrap();
    assert_eq!(writer.take_warning(), None);
}

/// Returns the result of `see` for a string that is encoded as the bytes `raw` in a text save.
fn text<T>(raw: &[u8], see: impl FnOnce(StrRef<'_>) -> T) -> T {
    let text = [br#"[{"class":"T","S:x":""#, raw, br#""}]"#].concat();
    let mut reader = TextReader::new(&text);
    reader.next().unwrap();
    reader.next().unwrap();
    let Some(Item::Value(value)) = reader.next().unwrap() else { panic!() };
    see(value.text().unwrap())
}

#[test]
fn texts_with_escapes() {
    for (raw, bytes, shown) in [
        (&b"plain"[..], &b"plain"[..], "plain"),
        (b"", b"", ""),
        (br#"\t\r\n\b\f\"\\\'\/"#, b"\t\r\n\x08\x0C\"\\'/", "\t\r\n\u{8}\u{C}\"\\'/"),
        (br"a\u00e9b", b"a\xC3\xA9b", "aéb"),
        // Surrogate pairs, and single surrogates before and after other characters.
        (br"\ud83d\ude00!", b"\xF0\x9F\x98\x80!", "😀!"),
        (br"\ud800\udc00\udbff\udfff", b"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", "\u{10000}\u{10FFFF}"),
        (br"\ud83d", b"\xEF\xBF\xBD", "\u{FFFD}"),
        (br"\ude00\ud83d", b"\xEF\xBF\xBD\xEF\xBF\xBD", "\u{FFFD}\u{FFFD}"),
        (br"\ud83dx\u0041", b"\xEF\xBF\xBDxA", "\u{FFFD}xA"),
        (br"\ud83d\u0041", b"\xEF\xBF\xBDA", "\u{FFFD}A"),
        // Bytes that are not UTF-8, alone and next to escapes.
        (b"\xE4!", b"\xE4!", "\u{FFFD}!"),
        (b"\xE4\\n\xC3\xA9", b"\xE4\n\xC3\xA9", "\u{FFFD}\né"),
    ] {
        let escaped = raw.contains(&b'\\');
        text(raw, |text| {
            assert_eq!((text.raw(), text.has_escapes()), (raw, escaped));
            assert_eq!(text.is_empty(), raw.is_empty());
            assert_eq!(text.as_bytes(), (!escaped).then_some(bytes));
            let plain = std::str::from_utf8(bytes).ok().filter(|_| !escaped);
            assert_eq!(text.as_str(), plain);
            assert!(text.bytes().eq(bytes.iter().copied()), "{shown}");
            assert_eq!((text.to_bytes(), text.to_string_lossy()), (bytes.into(), shown.into()));
            let owned = matches!(text.to_bytes(), Cow::Owned(_));
            assert_eq!(owned, escaped);
            let owned = matches!(text.to_string_lossy(), Cow::Owned(_));
            assert_eq!(owned, escaped || plain.is_none());
            assert_eq!(text.to_string(), shown);
            assert_eq!(format!("{text:?}"), format!("\"{}\"", bytes.escape_ascii()));
            assert!(text == StrRef::new(bytes) && StrRef::new(bytes) == text);
            assert!(text != StrRef::new(b"other") && (text != *"" || bytes.is_empty()));
        });
    }
    let pieces = |raw: &[u8]| {
        text(raw, |text| {
            let show = |piece| match piece {
                Piece::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                Piece::Char(char) => format!("<{char}>"),
            };
            text.pieces().map(show).collect::<Vec<_>>()
        })
    };
    assert_eq!(pieces(br#"ab\"\\c"#), ["ab", "<\">", "<\\>", "c"]);
    assert_eq!(pieces(b"ab"), ["ab"]);
    assert!(pieces(b"").is_empty());
}

/// Escapes in a class name are decoded before the writer checks that readers would read the name as
/// a class.
#[test]
fn classes_with_escapes() {
    for (class, refused) in [
        (r"A\tb", false),
        (r"\\", false),
        (r"\u0041[", false),
        (r"A\u003ab\t", true),
        (r"mat\u0034", true),
        (r"A\t[\u005d", true),
    ] {
        for dialect in [Dialect::Engine2021, Dialect::Engine2026] {
            let mut writer = TextWriter::new(Vec::new(), dialect);
            writer.object("T", Some(1)).unwrap();
            let found = text(class.as_bytes(), |class| writer.property(Type::Class(class, 0), "x"));
            let found = found.err().map(|error| *error.kind());
            let expected = WriteErrorKind::Unreadable(Unreadable::ClassName);
            assert_eq!(found, refused.then_some(expected), "{class}");
        }
    }
}

/// When a text save is converted to the binary format, its escapes are decoded, including those in
/// names and classes.
#[test]
fn escapes_are_not_copied() {
    let plain = {
        let mut writer = BinaryWriter::new(Vec::new(), Era::October2024);
        writer.object("a\"b", Some(1)).unwrap();
        writer.property(Type::Kind(Kind::String, 0), "n\té").unwrap();
        writer.text("\\").unwrap();
        writer.property(Type::Class("a\"b".into(), 1), "l").unwrap();
        writer.list(0).unwrap();
        writer.end().unwrap();
        writer.end().unwrap();
        writer.finish().unwrap()
    };
    let text = br#"[{"class":"a\"b","i:*ptr":1,"S:n\t\u00e9":"\\","a\"b[]:l":[0]}]"#;
    let mut writer = BinaryWriter::new(Vec::new(), Era::October2024);
    gamewire::rems::rewrite(&mut TextReader::new(text), &mut writer, |_| {}).unwrap();
    let found = writer.finish().unwrap();
    assert_eq!(found.escape_ascii().to_string(), plain.escape_ascii().to_string());
    assert_eq!(FileFormat::detect(&found), Some(FileFormat::Binary));
}

/// A sink of any size contains the beginning of the file. The number of missing bytes in the error
/// does not exceed the rest of the file.
#[test]
fn full_sinks() {
    fn write(to: &mut impl ItemSink) -> Result<(), WriteError> {
        to.object("T", Some(1))?;
        to.put("i", 5)?;
        to.put("s", "text")?;
        to.put("v", [0.5_f32, 1.5])?;
        to.put("a", &[1.5, 2.5][..])?;
        to.property(Type::Kind(Kind::I64, 2), "r")?;
        to.rows(&[&[1_i64, 2], &[3]])?;
        to.property(Type::Kind(Kind::String, 2), "t")?;
        to.list(2)?;
        to.list(1)?;
        to.text("x")?;
        to.end()?;
        to.null()?;
        to.end()?;
        to.property(Type::Mixed(1), "l")?;
        to.list(3)?;
        to.null()?;
        to.pointer(1)?;
        to.object("U", Some(2))?;
        to.end()?;
        to.end()?;
        to.property(Type::Class("U".into(), 1), "k")?;
        to.list(1)?;
        to.object("U", Some(3))?;
        to.end()?;
        to.end()?;
        to.property(Type::Object, "n")?;
        to.null()?;
        to.end()
    }
    let full = |error: WriteError, room: usize, needed: usize| {
        let WriteErrorKind::Full(full) = *error.kind() else { panic!("{error}") };
        assert!(error.offset() <= room as u64);
        // At least one byte is missing, and at most the rest of the file.
        assert!((1..=(needed - room) as u64).contains(&u64::from(full.missing)), "{error}");
    };
    let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
    writer.force(true);
    write(&mut writer).unwrap();
    let text = writer.finish().unwrap();
    for room in 0..=text.len() {
        let mut memory = vec![0; room];
        let mut writer = TextWriter::new(SliceSink::new(&mut memory), Dialect::Engine2026);
        writer.force(true);
        match write(&mut writer).and_then(|()| Ok(writer.finish()?.written().len())) {
            Ok(len) => assert_eq!((len, room), (text.len(), text.len())),
            Err(error) => full(error, room, text.len()),
        }
        let written = memory.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        assert_eq!(memory[..written], text[..written]);
    }
    let mut writer = BinaryWriter::new(Vec::new(), Era::October2024);
    write(&mut writer).unwrap();
    let stream = writer.finish().unwrap();
    for room in 0..=stream.len() {
        let mut memory = vec![0; room];
        let mut writer = BinaryWriter::new(SliceSink::new(&mut memory), Era::October2024);
        match write(&mut writer).and_then(|()| Ok(writer.finish()?.written().len())) {
            Ok(len) => assert_eq!((len, room), (stream.len(), stream.len())),
            Err(error) => full(error, room, stream.len()),
        }
        let written = memory.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        assert_eq!(memory[..written], stream[..written]);
    }
}
