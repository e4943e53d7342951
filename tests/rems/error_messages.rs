//! What errors of Rem's Engine saves say, word for word; and texts that are no plain text.
use gamewire::SliceSink;
use gamewire::rems::{
    BinaryWriter, Dialect, Era, Error, ErrorKind, FileForm, Item, ItemSink, Kind, Piece, Scalar,
    Str, TextReader, TextWriter, Type, Unreadable, Warning, WriteError, WriteErrorKind,
};
use std::borrow::Cow;

#[test]
fn reading() {
    let (kind, limit) = (Kind::Vec3, 7);
    for (error, text) in [
        (ErrorKind::UnexpectedEnd { missing: 4 }, "the data end here (bytes missing: 4)"),
        (ErrorKind::Expected("a colon"), "a colon belongs here"),
        (ErrorKind::BadEscape, "not one of the escapes of a string"),
        (ErrorKind::NoType, "a key without a type: TYPE:NAME belongs here"),
        (ErrorKind::NoClass, "nothing says the class of this object"),
        (ErrorKind::OtherClass, "an object of another class than its type says"),
        (ErrorKind::BadNumber, "not a number of this kind"),
        (ErrorKind::Overflow, "a number too large for its kind"),
        (ErrorKind::BadBool, "neither true nor false"),
        (ErrorKind::BadChar, "not one unit of UTF-16"),
        (ErrorKind::BadColor, "not a colour"),
        (ErrorKind::BadParts(kind), "not as many parts as a Vec3 has"),
        (ErrorKind::BadCount(-2), "-2 is no count of what can follow"),
        (ErrorKind::TooManyElements, "more elements than the array declares"),
        (ErrorKind::BadPointer(-1), "-1 is no number of an object"),
        (ErrorKind::TooDeep { limit }, "more than 7 objects and lists inside each other"),
        (ErrorKind::OtherKind { kind, dim: 2 }, "a Vec3 inside 2 arrays is not what was asked for"),
        (ErrorKind::OtherScalar { kind, asked: Scalar::I8 }, "parts of Vec3 are no I8"),
        (ErrorKind::Unknown { what: "type", value: -3 }, "type: -3 is not known"),
        (ErrorKind::NoSuchString(9), "9 is no number of a string so far"),
        (ErrorKind::NoSuchAttribute(8), "8 is no number of an attribute of the class so far"),
        (ErrorKind::NullName, "a class or name that is null"),
        (ErrorKind::NotUtf8, "not UTF-8"),
        (
            ErrorKind::NotWritten { count: 9, limit },
            "9 elements are declared and not written, and up to 7 are put in",
        ),
        (ErrorKind::NoRoom { room: 3 }, "more objects than the 3 that there is room for"),
        (ErrorKind::NotAContainer, "a container begins with RemsEngineZZ"),
        (ErrorKind::Damaged, "the compressed bytes are damaged"),
        (ErrorKind::TooLarge { limit: 5 }, "more than the limit of 5 bytes"),
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
        (WriteErrorKind::OutOfTurn("a list"), "a list cannot stand here"),
        (
            WriteErrorKind::OtherKind { expected: Some(kind), found },
            "I32 where the type says Some(Quat)",
        ),
        (
            WriteErrorKind::BadParts { kind, found: Scalar::F64, count: 3 },
            "3 parts of F64 make no Quat",
        ),
        (WriteErrorKind::OtherClass, "an object of another class than the property or list says"),
        (WriteErrorKind::NoNumber, "an object in a binary stream needs a number"),
        (WriteErrorKind::BadNumber(0), "0 is no number of an object"),
        (WriteErrorKind::TooManyElements, "more elements than the list declares"),
        (WriteErrorKind::MissingElements(2), "2 elements of the list are missing"),
        (
            WriteErrorKind::TooMuchToFill { limit: 7 },
            "more than 7 bytes for what is declared and not there",
        ),
        (
            WriteErrorKind::NoSuchType { kind: Some(kind), dim: 1 },
            "Some(Quat) inside 1 arrays cannot be said in that time's streams",
        ),
        (WriteErrorKind::TooLong(5), "5 is more than a count can be"),
        (WriteErrorKind::TooDeep { limit }, "more than 7 objects and lists inside each other"),
        (WriteErrorKind::HalfWritten, "an earlier error has left something half-written"),
        (WriteErrorKind::Unfinished(2), "2 objects and lists have not ended"),
    ] {
        assert_eq!(error.to_string(), text);
        let at = WriteError::new(error, 16).to_string();
        assert_eq!(at, format!("{text} at offset 16 (0x10)"));
    }
}

#[test]
fn what_engines_do_not_read() {
    for (reason, is_lost, text) in [
        (Unreadable::ClassName, true, "a key with this class says something else"),
        (Unreadable::BlankName, false, "the engine writes no key for a blank name"),
        (
            Unreadable::LooksLikeNumber,
            true,
            "the first property of an object without a number looks like its number",
        ),
        (Unreadable::SwappedName, true, "the name of this vector would be taken for a type"),
        (Unreadable::NoSuchKind(Kind::Color), false, "the engine of that time has no Color"),
        (
            Unreadable::WriteOnly { kind: Kind::Char, dim: 1 },
            false,
            "the engine of that time does not read Char inside 1 arrays",
        ),
        (Unreadable::List, false, "the engine of that time does not read such lists of objects"),
        (Unreadable::NotFinite, false, "no engine reads NaN and Infinity in text"),
        (Unreadable::Null, false, "no engine reads null here"),
        (Unreadable::EscapedLetter, false, "the engine does not read letters that are escaped"),
        (Unreadable::HalfPair, true, "half of a pair of UTF-16 becomes a question mark"),
        (Unreadable::NotUtf8, false, "not UTF-8"),
        (Unreadable::NoObjects, false, "the engine does not read streams without objects"),
    ] {
        assert_eq!(reason.is_lost(), is_lost, "{reason:?}");
        assert_eq!(reason.to_string(), text);
        assert_eq!(Warning { reason, offset: 3 }.to_string(), text);
        let error = WriteErrorKind::from(reason);
        assert_eq!(error.to_string(), format!("the engine could not read this back: {text}"));
    }
}

/// Of several things that are wrong with what was written, the worst is told, with its place.
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

/// The text of the one property, with all that it is.
fn text<T>(raw: &[u8], see: impl FnOnce(Str<'_>) -> T) -> T {
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
        // Pairs, and halves of such before and behind something else.
        (br"\ud83d\ude00!", b"\xF0\x9F\x98\x80!", "😀!"),
        (br"\ud800\udc00\udbff\udfff", b"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", "\u{10000}\u{10FFFF}"),
        (br"\ud83d", b"\xEF\xBF\xBD", "\u{FFFD}"),
        (br"\ude00\ud83d", b"\xEF\xBF\xBD\xEF\xBF\xBD", "\u{FFFD}\u{FFFD}"),
        (br"\ud83dx\u0041", b"\xEF\xBF\xBDxA", "\u{FFFD}xA"),
        (br"\ud83d\u0041", b"\xEF\xBF\xBDA", "\u{FFFD}A"),
        // What is not UTF-8, alone and beside escapes.
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
            assert!(text == Str::new(bytes) && Str::new(bytes) == text);
            assert!(text != Str::new(b"other") && (text != *"" || bytes.is_empty()));
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

/// A class with escapes is in a key what it is without them.
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

/// Escapes of a text are none in binary, also in names and classes.
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
    assert_eq!(FileForm::of(&found), Some(FileForm::Binary));
}

/// Each place where a sink can be too small: nothing of an item is there that did not fit.
#[test]
fn sinks_without_room() {
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
        // At least so many more, and no more than all there is.
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
