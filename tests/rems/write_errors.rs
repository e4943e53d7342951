//! Tests the errors of the writers of Rem's Engine saves.

use crate::support::rems::expected::{self, cases};
use crate::support::rems::writing::{
    DIALECTS, FORCED, again, binary_to_text, show, text_of, zeros,
};
use gamewire::SliceSink;
use gamewire::rems::{
    BinaryReader, BinaryWriter, Dialect, Era, ItemSink, Kind, StrRef, Tables, TextReader,
    TextWriter, Type, Unreadable, Utf16Unit, WriteError, WriteErrorKind, rewrite,
};

/// Returns the reason why a write is refused, and the bytes of the file if the write is forced.
fn refused<S: ItemSink>(
    open: impl Fn() -> S,
    write: impl Fn(&mut S) -> Result<(), WriteError>,
    finish: impl Fn(S) -> Result<Vec<u8>, WriteError>,
) -> (Unreadable, Vec<u8>) {
    let mut writer = open();
    let error = write(&mut writer).and_then(|()| finish(writer).map(drop)).unwrap_err();
    let WriteErrorKind::Unreadable(reason) = *error.kind() else { panic!("{error}") };
    let mut writer = open();
    writer.force(true);
    write(&mut writer).unwrap();
    let warning = writer.take_warning();
    assert!(warning.is_none_or(|warning| warning.reason == reason));
    (reason, finish(writer).unwrap())
}

type Texts = TextWriter<Vec<u8>>;

/// Returns the reason why text is refused, and the text that is written by force, without the fixed
/// parts of the file before and after it.
fn refused_text(
    dialect: Dialect,
    properties: impl Fn(&mut Texts) -> Result<(), WriteError>,
) -> (Unreadable, String) {
    let open = || TextWriter::new(Vec::new(), dialect);
    let (reason, text) = refused(open, object(properties), TextWriter::finish);
    let text = String::from_utf8(text).unwrap();
    let inside = text.strip_prefix(r#"[{"class":"T","i:*ptr":1,"#).unwrap();
    (reason, inside.strip_suffix("}]").unwrap().to_owned())
}

#[test]
fn texts_that_no_engine_reads() {
    for dialect in DIALECTS {
        for (value, text) in
            [(f32::NAN, "NaN"), (f32::INFINITY, "Infinity"), (f32::NEG_INFINITY, "-Infinity")]
        {
            let found = refused_text(dialect, |to| to.put("x", value));
            assert_eq!(found, (Unreadable::NotFinite, format!("\"f:x\":{text}")));
            let found = refused_text(dialect, |to| to.put("x", &[1.0, f64::from(value)][..]));
            assert_eq!(found, (Unreadable::NotFinite, format!("\"d[]:x\":[2,1,{text}]")));
        }
        for blank in ["", " ", "\t\u{A0}", "\u{200B}", "\u{180E}", "\u{FEFF}\u{3000}", "\0"] {
            let (reason, text) = refused_text(dialect, |to| to.put(blank, 1));
            assert_eq!(reason, Unreadable::BlankName);
            assert!(text.ends_with(":1"));
        }
        for class in ["i", "f64", "v3", "mat4", "m4x4", "a:b", "K[]", "K[][]", "?", "*[]", "[]"] {
            let found = refused_text(dialect, |to| {
                to.property(Type::Class(class.into(), 0), "x")?;
                to.pointer(1)
            });
            assert_eq!(found, (Unreadable::ClassName, format!("\"{class}:x\":1")));
        }
        let star = refused_text(dialect, |to| {
            to.property(Type::Class("*".into(), 1), "x")?;
            to.list(0)?;
            to.end()
        });
        assert_eq!(star, (Unreadable::ClassName, "\"*[]:x\":[0]".to_owned()));
        for (ty, name) in [("S", 0), ("S", 1), ("R", 1), ("f", 1), ("K", 1), ("*", 1)] {
            let found = refused_text(dialect, |to| {
                let name = format!("{ty}{}", "[]".repeat(name));
                to.property(Type::named(name.as_str().into()), "x")?;
                to.null()
            });
            let text = format!("\"{ty}{}:x\":null", "[]".repeat(name));
            assert_eq!(found, (Unreadable::Null, text));
        }
        let open = || TextWriter::new(Vec::new(), dialect);
        let number = |to: &mut Texts| {
            to.object("T", None)?;
            to.put("*ptr", 5)?;
            to.end()
        };
        let (reason, text) = refused(open, number, TextWriter::finish);
        assert_eq!(reason, Unreadable::LooksLikeNumber);
        assert_eq!(text, br#"[{"class":"T","i:*ptr":5}]"#);
        let latin = StrRef::new(b"\xE4");
        let (reason, _) =
            refused(open, object(|to: &mut Texts| to.put(latin, 5)), TextWriter::finish);
        assert_eq!(reason, Unreadable::NotUtf8);
        let put = |to: &mut Texts| {
            to.property(Type::Kind(Kind::String, 0), "x")?;
            to.text(latin)
        };
        let (reason, text) = refused(open, object(put), TextWriter::finish);
        assert_eq!(reason, Unreadable::NotUtf8);
        assert_eq!(text, b"[{\"class\":\"T\",\"i:*ptr\":1,\"S:x\":\"\xE4\"}]");
    }
}

/// Compares the types that engines from 2021 read with a list of the names of these types, which is
/// independent of the tables in the code.
#[test]
fn types_that_2021_reads() {
    let reads = [
        "b", "b[]", "B", "B[]", "c", "s", "s[]", "i", "i[]", "l", "l[]", "f", "f[]", "f[][]", "d",
        "d[]", "d[][]", "S", "S[]", "S[][]", "R", "R[]", "v2", "v2[]", "v3", "v3[]", "v4", "v4[]",
        "v2d", "v2d[]", "v3d", "v3d[]", "v4d[]", "q4", "q4d", "mat3", "mat4x3", "AABBf", "AABBd",
    ];
    let none = ["col", "p4", "p4d", "mat2", "mat3x2", "mat2d", "mat3x2d"];
    for kind in Kind::all() {
        for dim in 0..=2 {
            let name = format!("{}{}", kind.name(), "[]".repeat(dim.into()));
            let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2021);
            writer.object("T", Some(1)).unwrap();
            let expected = match name.as_str() {
                name if reads.contains(&name) => Ok(()),
                _ if none.contains(&kind.name()) => Err(Unreadable::NoSuchKind(kind)),
                _ => Err(Unreadable::WriteOnly { kind, dim }),
            };
            let found = zeros(&mut writer, kind, dim).map_err(|error| match *error.kind() {
                WriteErrorKind::Unreadable(reason) => reason,
                other => panic!("{other}"),
            });
            assert_eq!(found, expected, "{name}");
            let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
            writer.object("T", Some(1)).unwrap();
            zeros(&mut writer, kind, dim).unwrap();
        }
    }
}

/// In text saves from 2021, the names of these types differ from those in text saves from 2026, in
/// some cases only for certain dimensions.
#[test]
fn names_of_2021() {
    let table = [
        (Kind::Vec4d, 0, r#""vd4:x":[0]"#),
        (Kind::Vec4d, 1, r#""v4d[]:x":[0]"#),
        (Kind::Vec2i, 0, r#""x:v2i":[0,0]"#),
        (Kind::Vec3i, 0, r#""x:v3i":[0,0,0]"#),
        (Kind::Vec4i, 0, r#""x:v3i":[0,0,0,0]"#),
        (Kind::Vec4i, 1, r#""v4i[]:x":[0]"#),
        (Kind::Mat4, 0, r#""m4x4:x":[[0],[0],[0],[0]]"#),
        (Kind::Mat4x3d, 0, r#""m4x3d:x":[[0],[0],[0],[0]]"#),
        (Kind::Quat, 0, r#""q4:x":[0,0,0,0]"#),
        (Kind::Char, 0, r#""c:x":0"#),
    ];
    for (kind, dim, text) in table {
        let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2021);
        writer.force(true);
        writer.object("T", Some(1)).unwrap();
        zeros(&mut writer, kind, dim).unwrap();
        writer.end().unwrap();
        let expected = format!(r#"[{{"class":"T","i:*ptr":1,{text}}}]"#);
        let found = writer.finish().unwrap();
        assert_eq!(show(&found), show(expected.as_bytes()));
        // The reader accepts this name, too.
        let mut again = TextWriter::new(Vec::new(), Dialect::Engine2021);
        self::again(&mut TextReader::new(&found), &mut again);
        assert_eq!(show(&again.finish().unwrap()), show(&found));
    }
}

#[test]
fn streams_that_no_engine_reads() {
    let open = |era| move || BinaryWriter::new(Vec::new(), era);
    let finish = BinaryWriter::<Vec<u8>>::finish;
    let gaps = [
        Kind::Char,
        Kind::I16,
        Kind::Vec2i,
        Kind::Vec3i,
        Kind::Vec4i,
        Kind::Mat3,
        Kind::Mat4x3,
        Kind::Mat4,
        Kind::Mat3d,
        Kind::Mat4x3d,
        Kind::Mat4d,
        Kind::Aabb,
        Kind::Aabbd,
    ];
    for kind in gaps {
        let (reason, _) = refused(open(Era::October2021), object(|to| zeros(to, kind, 0)), finish);
        assert_eq!(reason, Unreadable::WriteOnly { kind, dim: 0 });
    }
    let mut writer = BinaryWriter::new(Vec::new(), Era::October2021);
    writer.object("T", Some(1)).unwrap();
    for kind in [Kind::Plane, Kind::Planed, Kind::Mat2, Kind::Mat3x2, Kind::Mat2d, Kind::Mat3x2d] {
        let error = zeros(&mut writer, kind, 0).unwrap_err();
        let expected = WriteErrorKind::NoSuchType { kind: Some(kind), dim: 0 };
        assert_eq!(*error.kind(), expected);
    }
    // The other kinds can be written. The previously rejected values have left no bytes.
    for kind in Kind::all().filter(|kind| kind.name_2021().is_some() && !gaps.contains(kind)) {
        (0..=2).for_each(|dim| zeros(&mut writer, kind, dim).unwrap());
    }
    // The engine reads lists of 16-bit integers, but not a single 16-bit integer.
    (1..=2).for_each(|dim| zeros(&mut writer, Kind::I16, dim).unwrap());
    writer.end().unwrap();
    expected::read(&mut BinaryReader::new(
        &writer.finish().unwrap(),
        Era::October2021,
        &mut Tables::new(),
    ))
    .unwrap();
    let mut writer = BinaryWriter::new(Vec::new(), Era::October2024);
    writer.object("T", Some(1)).unwrap();
    for kind in Kind::all() {
        (0..=2).for_each(|dim| zeros(&mut writer, kind, dim).unwrap());
    }
    let list = |to: &mut BinaryWriter<Vec<u8>>| {
        to.property(Type::Class("K".into(), 1), "x")?;
        to.list(0)?;
        to.end()
    };
    for era in [Era::October2021, Era::March2022] {
        assert_eq!(refused(open(era), object(list), finish).0, Unreadable::List);
    }
    object(list)(&mut open(Era::October2024)()).unwrap();
    for era in [Era::October2021, Era::October2024] {
        let (reason, stream) = refused(open(era), |_| Ok(()), finish);
        assert_eq!((reason, stream.len()), (Unreadable::NoObjects, 10));
        let latin = StrRef::new(b"\xE4");
        let (reason, _) =
            refused(open(era), object(|to: &mut BinaryWriter<Vec<u8>>| to.put(latin, 5)), finish);
        assert_eq!(reason, Unreadable::NotUtf8);
    }
    let lists = refused_text(Dialect::Engine2021, |to| {
        to.property(Type::Mixed(2), "x")?;
        to.list(1)?;
        to.list(0)?;
        to.end()?;
        to.end()
    });
    assert_eq!(lists, (Unreadable::List, "\"*[][]:x\":[1,[0]]".to_owned()));
}

/// Items in the wrong order are rejected, and do not affect the following items.
#[test]
fn out_of_turn() {
    fn all(to: &mut impl ItemSink, binary: bool) {
        let mut kinds = Vec::new();
        let mut fails = |result: Result<(), WriteError>| kinds.push(*result.unwrap_err().kind());
        fails(to.end());
        fails(to.pointer(1));
        fails(to.null());
        fails(to.list(0));
        fails(to.text(""));
        fails(to.parts(&[1]));
        fails(to.property(Type::Object, "x"));
        to.object("T", Some(1)).unwrap();
        fails(to.object("T", Some(2)));
        fails(to.parts(&[1]));
        to.property(Type::Kind(Kind::I32, 0), "x").unwrap();
        fails(to.property(Type::Kind(Kind::I32, 0), "y"));
        fails(to.end());
        fails(to.parts(&[1.0_f32]));
        fails(to.parts(&[1, 2]));
        fails(to.array(&[1]));
        fails(to.text(""));
        fails(to.null());
        fails(to.pointer(1));
        fails(to.object("T", Some(2)));
        to.parts(&[1]).unwrap();
        to.property(Type::Kind(Kind::Vec2, 1), "v").unwrap();
        fails(to.array(&[1.0_f32; 3]));
        fails(to.list(1));
        to.array(&[1.0_f32; 4]).unwrap();
        to.property(Type::Class("K".into(), 0), "k").unwrap();
        fails(to.object("L", Some(2)));
        fails(to.pointer(u32::MAX));
        fails(to.object("K", Some(u32::MAX)));
        to.null().unwrap();
        to.property(Type::Mixed(1), "l").unwrap();
        fails(to.list(u32::MAX));
        to.list(1).unwrap();
        to.pointer(1).unwrap();
        fails(to.pointer(1));
        to.end().unwrap();
        to.property(Type::Class("K".into(), 1), "one").unwrap();
        to.list(1).unwrap();
        fails(to.object("L", Some(3)));
        if binary {
            fails(to.null());
            fails(to.pointer(1));
            fails(to.end());
        }
        to.object("K", Some(3)).unwrap();
        to.end().unwrap();
        to.end().unwrap();
        to.end().unwrap();
        assert_eq!(kinds.len(), if binary { 29 } else { 26 });
        let turns = |kind: &&WriteErrorKind| matches!(kind, WriteErrorKind::OutOfTurn(_));
        assert_eq!(kinds.iter().filter(turns).count(), if binary { 17 } else { 15 });
    }
    let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
    all(&mut writer, false);
    let expected = r#"[{"class":"T","i:*ptr":1,"i:x":1,"v2[]:v":[2,[1],[1]],"K:k":null,"*[]:l":[1,1],"K[]:one":[1,{"i:*ptr":3}]}]"#;
    assert_eq!(show(&writer.finish().unwrap()), show(expected.as_bytes()));
    let mut writer = BinaryWriter::new(Vec::new(), Era::October2024);
    all(&mut writer, true);
    let stream = writer.finish().unwrap();
    let text = binary_to_text(&stream, Era::October2024, Dialect::Engine2026, FORCED);
    // In the binary save, the element of the list has no number, and null has no class.
    let expected = expected.replace("K:k", "?:k").replace("ptr\":3", "ptr\":2");
    assert_eq!(show(&text), show(expected.as_bytes()));
}

fn object<S: ItemSink>(
    properties: impl Fn(&mut S) -> Result<(), WriteError>,
) -> impl Fn(&mut S) -> Result<(), WriteError> {
    move |writer| {
        writer.object("T", Some(1))?;
        properties(writer)?;
        writer.end()
    }
}

#[test]
fn letters() {
    let put = |dialect, unit| refused_text(dialect, move |to| to.put("x", Utf16Unit(unit)));
    for (unit, text) in [
        (34, r#""\"""#),
        (92, r#""\\""#),
        (9, r#""\t""#),
        (10, r#""\n""#),
        (13, r#""\r""#),
        (8, r#""\b""#),
        (12, r#""\f""#),
    ] {
        let found = put(Dialect::Engine2026, unit);
        assert_eq!(found, (Unreadable::EscapedLetter, format!("\"c:x\":{text}")));
    }
    for half in [0xD800, 0xDFFF] {
        let found = put(Dialect::Engine2026, half);
        assert_eq!(found, (Unreadable::HalfPair, "\"c:x\":\"?\"".to_owned()));
    }
    // Text saves from 2021 contain numbers in place of rare characters.
    for unit in 0..=u16::MAX {
        let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2021);
        writer.object("T", None).unwrap();
        writer.put("x", Utf16Unit(unit)).unwrap();
        writer.end().unwrap();
        let text = String::from_utf8(writer.finish().unwrap()).unwrap();
        let common =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 _+-*/!§$%&()[]{}|~<>";
        let expected = match char::from_u32(unit.into()).filter(|c| common.contains(*c)) {
            Some(letter) => format!("'{letter}'"),
            None => unit.to_string(),
        };
        assert_eq!(text, format!(r#"[{{"class":"T","c:x":{expected}}}]"#));
    }
}

/// If a sink is too small, it contains the beginning of the text save.
#[test]
fn full() {
    let text = &text_of(&cases(".text.json", 73)[0]);
    for room in 0..text.len() {
        let mut memory = vec![0; room];
        let mut writer = TextWriter::new(SliceSink::new(&mut memory), Dialect::Engine2021);
        let mut reader = TextReader::new(text);
        let result =
            rewrite(&mut reader, &mut writer, |_| {}).and_then(|()| writer.finish().map(drop));
        assert!(matches!(result.unwrap_err().kind(), WriteErrorKind::Full(_)));
        assert!(text.starts_with(&memory[..memory.iter().position(|b| *b == 0).unwrap_or(room)]));
    }
    let mut memory = vec![0; text.len()];
    let mut writer = TextWriter::new(SliceSink::new(&mut memory), Dialect::Engine2021);
    rewrite(&mut TextReader::new(text), &mut writer, |_| {}).unwrap();
    assert_eq!(writer.finish().unwrap().written(), text);
}

/// After an item that does not fit, a shorter item of any kind can be written.
#[test]
fn full_and_then_something_shorter() {
    let mut memory = [0; 64];
    let mut writer = TextWriter::new(SliceSink::new(&mut memory), Dialect::Engine2026);
    let full = |result: Result<(), WriteError>| {
        assert!(matches!(result.unwrap_err().kind(), WriteErrorKind::Full(_)));
    };
    let long = "that does not fit, since it is longer than all that there is room for";
    full(writer.object(long, Some(1)));
    writer.object("T", None).unwrap();
    full(writer.property(Type::Object, long));
    writer.property(Type::Kind(Kind::F64, 1), "a").unwrap();
    full(writer.array(&[0.5; 100]));
    writer.array(&[0.5]).unwrap();
    writer.property(Type::Kind(Kind::String, 0), "b").unwrap();
    full(writer.text(long));
    full(writer.text(&*"\"".repeat(30)));
    writer.text("").unwrap();
    writer.property(Type::Kind(Kind::String, 1), "abcdefghijkl").unwrap();
    full(writer.list(1_234_567));
    writer.list(1).unwrap();
    full(writer.text("abcd"));
    writer.text("").unwrap();
    writer.end().unwrap();
    full(writer.end());
    let expected = r#"[{"class":"T","d[]:a":[1,0.5],"S:b":"","S[]:abcdefghijkl":[1,""]"#;
    assert_eq!(writer.offset(), expected.len() as u64);
    assert_eq!(memory, expected.as_bytes());
}
