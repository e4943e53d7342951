//! Tests values of new properties: their types, their form in text saves, and the values that the
//! engine omits.
use gamewire::rems::{
    BinaryReader, BinaryWriter, Dialect, Era, Item, ItemSink, Kind, KindValue, Numbering, Put,
    Tables, TextWriter, Type, Unreadable, Utf16Unit, WriteErrorKind,
};
use gamewire::rems::{OutputFormat, Placement};

const TEXTS: [OutputFormat; 2] =
    [OutputFormat::Text(Dialect::Engine2021), OutputFormat::Text(Dialect::Engine2026)];
const BINARY_2021: [OutputFormat; 3] = [
    OutputFormat::Binary(Era::December2020),
    OutputFormat::Binary(Era::August2021),
    OutputFormat::Binary(Era::October2021),
];
const BINARY: [OutputFormat; 2] =
    [OutputFormat::Binary(Era::March2022), OutputFormat::Binary(Era::October2024)];

fn all() -> impl Iterator<Item = OutputFormat> {
    TEXTS.into_iter().chain(BINARY_2021).chain(BINARY)
}

/// Returns whether the engine omits the value in text saves, in binary streams before March 2022,
/// and in binary streams since then.
fn omitted(value: &impl Put) -> [bool; 3] {
    let in_all = |forms: &[OutputFormat]| {
        let [first, others @ ..] = forms else { panic!() };
        let first = value.is_default(*first);
        assert!(others.iter().all(|form| value.is_default(*form) == first));
        first
    };
    [in_all(&TEXTS), in_all(&BINARY_2021), in_all(&BINARY)]
}

const ALWAYS: [bool; 3] = [true; 3];
const NEVER: [bool; 3] = [false; 3];

/// Asserts that a value has this type and this text in the dialect of 2026, and that it has the
/// same type in a binary stream.
fn is(value: impl Put + Copy, ty: Type<'_>, text: &str) {
    assert_eq!(value.ty(), ty);
    let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
    writer.object("T", None).unwrap();
    writer.put("x", value).unwrap();
    writer.end().unwrap();
    let expected = format!(r#"[{{"class":"T","{ty}:x":{text}}}]"#);
    assert_eq!(String::from_utf8(writer.finish().unwrap()).unwrap(), expected);
    let mut writer = BinaryWriter::new(Vec::new(), Era::October2024);
    writer.object("T", Some(1)).unwrap();
    writer.put("x", value).unwrap();
    writer.end().unwrap();
    let (stream, mut tables) = (writer.finish().unwrap(), Tables::new());
    let mut reader = BinaryReader::new(&stream, Era::October2024, &mut tables);
    reader.next().unwrap();
    let Some(Item::Property(property)) = reader.next().unwrap() else { panic!() };
    // Binary streams have integers instead of colours.
    let ty = if ty == one(Kind::Color) { one(Kind::I32) } else { ty };
    assert_eq!(property.ty, ty);
}

const fn one(kind: Kind) -> Type<'static> {
    Type::Kind(kind, 0)
}

const fn array(kind: Kind) -> Type<'static> {
    Type::Kind(kind, 1)
}

#[test]
fn kind_of_each_type() {
    is(true, one(Kind::Bool), "true");
    is(-8_i8, one(Kind::I8), "-8");
    is(-1600_i16, one(Kind::I16), "-1600");
    is(-320_000, one(Kind::I32), "-320000");
    is(1_i64 << 40, one(Kind::I64), "1099511627776");
    is(0.5_f32, one(Kind::F32), "0.5");
    is(0.1, one(Kind::F64), "0.1");
    is(Utf16Unit(65), one(Kind::Char), "\"A\"");
    is([1.0_f32, 2.0], one(Kind::Vec2), "[1,2]");
    is([1.0_f32, 2.0, 3.0], one(Kind::Vec3), "[1,2,3]");
    is([1.0_f32, 2.0, 3.0, 4.0], one(Kind::Vec4), "[1,2,3,4]");
    is([1.0, 2.0], one(Kind::Vec2d), "[1,2]");
    is([1.0, 2.0, 3.0], one(Kind::Vec3d), "[1,2,3]");
    is([1.0, 2.0, 3.0, 4.0], one(Kind::Vec4d), "[1,2,3,4]");
    is([1, 2], one(Kind::Vec2i), "[1,2]");
    is([1, 2, 3], one(Kind::Vec3i), "[1,2,3]");
    is([1, 2, 3, 4], one(Kind::Vec4i), "[1,2,3,4]");
    is(&[true, false, true][..], array(Kind::Bool), "[3,1,0,1]");
    is(&[1_i8, -2][..], array(Kind::I8), "[2,1,-2]");
    is(&[65_u16, 66][..], array(Kind::Char), "[2,\"A\",\"B\"]");
    is(&[1_i16, -2][..], array(Kind::I16), "[2,1,-2]");
    is(&[1_i32, -2][..], array(Kind::I32), "[2,1,-2]");
    is(&[1_i64, -2][..], array(Kind::I64), "[2,1,-2]");
    is(&[0.5_f32, -2.0][..], array(Kind::F32), "[2,0.5,-2]");
    is(&[0.5_f64, -2.0][..], array(Kind::F64), "[2,0.5,-2]");
    is("text", one(Kind::String), "\"text\"");
    is(&["a", ""][..], array(Kind::String), "[2,\"a\",\"\"]");
    is(KindValue::one(Kind::Color, &[-1]), one(Kind::Color), "\"#fff\"");
    is(KindValue::rows(Kind::I8, &[&[1_i8], &[]]), Type::Kind(Kind::I8, 2), "[2,[1,1],[0]]");
}

#[test]
fn properties_that_the_engine_omits() {
    fn number<T: Put>(zero: T, other: T) {
        assert_eq!((omitted(&zero), omitted(&other)), (ALWAYS, NEVER));
    }
    number(false, true);
    number(0_i8, -1);
    number(0_i16, 256);
    number(0_i32, 1 << 16);
    number(0_i64, 1 << 32);
    number(0.0_f32, 1e-45);
    number(-0.0_f64, f64::NAN);
    number(Utf16Unit(0), Utf16Unit(48));
    number([0.0_f32; 2], [1.0, -1.0]);
    number([0.0_f32, -0.0, 0.0], [0.0, 0.0, 1.0]);
    number([0.0_f32; 4], [1.0, 0.0, 0.0, 0.0]);
    number([0.0_f64; 2], [0.0, 1.0]);
    number([0.0_f64; 3], [0.0, 1.0, 0.0]);
    number([0.0_f64; 4], [0.0, 0.0, 0.0, 1.0]);
    number([0; 2], [0, 1]);
    number([0; 3], [0, 0, 1]);
    number(&[][..], &[0_i32][..]);
    number(&[][..], &[""][..]);
    // The engine omits these values by mistake: it checks only two of the four components.
    number([0, 0, 1, 1], [0, 1, 0, 0]);
    number([0, 0, 0, 0], [1, 0, 0, 0]);
    for part in [[0.0_f32, 5.0], [5.0, -0.0]] {
        assert_eq!(omitted(&part), [false, true, true]);
    }
    // Binary streams from 2021 do not omit an empty string.
    assert_eq!(omitted(&""), [true, false, true]);
    assert_eq!(omitted(&" "), NEVER);
}

#[test]
fn kinds_the_engine_leaves_out() {
    for kind in [Kind::Quat, Kind::Plane, Kind::Mat2, Kind::Mat4, Kind::Aabb, Kind::Vec4] {
        let mut identity = vec![0.0_f32; kind.parts()];
        let zeros = omitted(&KindValue::one(kind, &identity));
        assert_eq!(zeros, if kind == Kind::Vec4 { ALWAYS } else { NEVER }, "{kind:?}");
        identity[3] = 1.0;
        let unit = omitted(&KindValue::one(kind, &identity));
        assert_eq!(unit, if kind == Kind::Quat { ALWAYS } else { NEVER }, "{kind:?}");
    }
    for parts in [[0.0, 0.0, 0.0, 2.0], [1.0, 0.0, 0.0, 1.0], [0.0, 0.0, -1.0, 1.0]] {
        assert_eq!(omitted(&KindValue::one(Kind::Quatd, &parts)), NEVER);
    }
    let turned = KindValue::one(Kind::Quatd, &[0.0, -0.0, 0.0, 1.0]);
    assert_eq!(omitted(&turned), ALWAYS);
    // An empty array is omitted, except for some types in binary streams from 2021.
    let kept = "v2i v3i v4i q4 q4d".split(' ').collect::<Vec<_>>();
    for kind in Kind::all().filter(|kind| !kind.is_text()) {
        let expected = [true, !kept.contains(&kind.name()), true];
        assert_eq!(omitted(&KindValue::array(kind, &[0_i8; 0])), expected, "{kind:?}");
        assert_eq!(omitted(&KindValue::<i8>::rows(kind, &[])), expected, "{kind:?}");
        assert_eq!(omitted(&KindValue::array(kind, &[0_i8])), NEVER, "{kind:?}");
        assert_eq!(omitted(&KindValue::rows(kind, &[&[0_i8; 0]])), NEVER, "{kind:?}");
    }
}

/// `put_or_omit` writes a property only if the engine does not omit it.
#[test]
fn put_or_omitted() {
    let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
    writer.object("T", None).unwrap();
    writer.put_or_omit("a", 0).unwrap();
    writer.put_or_omit("b", 1).unwrap();
    writer.put_or_omit("c", [0.0_f32, 1.0]).unwrap();
    assert!(writer.omits(&"") && !writer.omits(&"x"));
    writer.end().unwrap();
    assert_eq!(writer.finish().unwrap(), br#"[{"class":"T","i:b":1,"v2:c":[0,1]}]"#);
    for form in all() {
        let OutputFormat::Binary(era) = form else { continue };
        let writer = BinaryWriter::new(Vec::new(), era);
        assert_eq!(writer.format(), form);
        assert_eq!(writer.omits(&""), era >= Era::March2022);
        assert!(writer.omits(&[0.0_f32, 1.0]));
    }
}

/// In text saves from 2021, the name and the type of a single vector of integers are swapped. A
/// name that would be read as a type with brackets is refused.
#[test]
fn names_of_swapped_vectors() {
    for (name, refused) in [
        ("size", false),
        ("i", false),
        ("S", false),
        ("*", false),
        ("?", false),
        ("v3", true),
        ("mat4", true),
        ("q4d", true),
        ("i[]", true),
        ("K[]", true),
        ("[]", true),
        ("*[][]", true),
        ("a:b", true),
        ("i:x", true),
    ] {
        for kind in [Kind::Vec2i, Kind::Vec3i, Kind::Vec4i] {
            let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2021);
            writer.object("T", Some(1)).unwrap();
            let error = writer.property(one(kind), name).unwrap_err();
            // No engine from 2021 reads such vectors. With one of the refused names, the property
            // would also be read with a different type.
            let expected = match refused {
                true => Unreadable::SwappedName,
                false => Unreadable::WriteOnly { kind, dim: 0 },
            };
            assert_eq!(*error.kind(), WriteErrorKind::Unreadable(expected), "{name}");
            writer.property(array(Kind::I32), name).unwrap();
            let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
            writer.object("T", Some(1)).unwrap();
            writer.property(one(kind), name).unwrap();
        }
    }
}

/// Null can be written for each type that allows it, as a property and in a list.
#[test]
fn null() {
    let text = |dialect, ty: &str| {
        let mut writer = TextWriter::new(Vec::new(), dialect);
        writer.force(true);
        writer.object("T", Some(1)).unwrap();
        writer.property(Type::named(ty.into()), "x").unwrap();
        writer.null().unwrap();
        let warning = writer.take_warning().map(|warning| warning.reason);
        writer.end().unwrap();
        let text = String::from_utf8(writer.finish().unwrap()).unwrap();
        (text.rsplit_once("x\":").unwrap().1.trim_end_matches("}]").to_owned(), warning)
    };
    for (ty, of_2021, of_2026) in [
        ("R", ("null", None), ("\"\"", None)),
        ("R[]", ("null", Some(Unreadable::Null)), ("null", Some(Unreadable::Null))),
        ("S", ("null", Some(Unreadable::Null)), ("null", Some(Unreadable::Null))),
        ("?", ("null", None), ("null", None)),
        ("K", ("null", None), ("null", None)),
        ("K[]", ("null", Some(Unreadable::Null)), ("null", Some(Unreadable::Null))),
        ("*[]", ("null", Some(Unreadable::Null)), ("null", Some(Unreadable::Null))),
    ] {
        let (shown, warning) = text(Dialect::Engine2021, ty);
        assert_eq!((&shown[..], warning), of_2021, "{ty}");
        let (shown, warning) = text(Dialect::Engine2026, ty);
        assert_eq!((&shown[..], warning), of_2026, "{ty}");
    }
    let stream = |ty: &str, write: &dyn Fn(&mut BinaryWriter<Vec<u8>>)| {
        let mut writer = BinaryWriter::new(Vec::new(), Era::October2024);
        writer.object("T", Some(1)).unwrap();
        writer.property(Type::named(ty.into()), "x").unwrap();
        write(&mut writer);
        writer.end().unwrap();
        let stream = writer.finish().unwrap();
        let at = stream.windows(5).position(|bytes| bytes == b"\xFF\xFF\xFF\xFDx").unwrap();
        stream[at + 5..].strip_suffix(b"\xFF\xFF\xFF\xFE\x25").unwrap().to_vec()
    };
    let null = |to: &mut BinaryWriter<Vec<u8>>| to.null().unwrap();
    assert_eq!(stream("S", &null), b"\x1F\xFF\xFF\xFF\xFF");
    assert_eq!(stream("R", &null), b"\x73\xFF\xFF\xFF\xFF");
    for ty in ["?", "K", "K[]", "*[]", "S[]", "i[]"] {
        assert_eq!(stream(ty, &null), b"\0", "{ty}");
    }
    let two = |to: &mut BinaryWriter<Vec<u8>>| {
        to.list(2).unwrap();
        to.text("x").unwrap();
        to.null().unwrap();
        to.end().unwrap();
    };
    // The string `x` is already known, because it is the name of the property: only its index
    // follows.
    assert_eq!(stream("S[]", &two), b"\x20\0\0\0\x02\0\0\0\x02\xFF\xFF\xFF\xFF");
    let lists = |to: &mut BinaryWriter<Vec<u8>>| {
        to.list(3).unwrap();
        to.list(1).unwrap();
        to.null().unwrap();
        to.end().unwrap();
        to.null().unwrap();
        to.list(0).unwrap();
        to.end().unwrap();
        to.end().unwrap();
    };
    let expected = b"\x21\0\0\0\x03\0\0\0\x01\xFF\xFF\xFF\xFF\0\0\0\0\0\0\0\0";
    assert_eq!(stream("S[][]", &lists), expected);
}

/// A root may be listed twice, and may occur as the value of a property before it is written as a
/// root.
#[test]
fn roots_that_are_met() {
    for (form, early) in
        [(TEXTS[0], false), (TEXTS[1], true), (BINARY_2021[2], false), (BINARY[0], true)]
    {
        let mut numbering = Numbering::new(form, ["a", "b", "a"]);
        assert_eq!(numbering.next_root(), Some(("a", 1)), "{form:?}");
        let met = if early { Placement::Inline(2) } else { Placement::Reference(2) };
        assert_eq!(numbering.property("b", 2, 1), met, "{form:?}");
        // The owner is not larger than the object, so the object becomes a root after the other
        // roots.
        assert_eq!(numbering.property("c", 1, 1), Placement::Reference(3));
        assert_eq!(numbering.element("d"), Placement::Inline(4));
        assert_eq!(numbering.element("d"), Placement::Reference(4));
        let rest: Vec<_> = std::iter::from_fn(|| numbering.next_root()).collect();
        assert_eq!(rest, if early { vec![("c", 3)] } else { vec![("b", 2), ("c", 3)] });
        assert_eq!(numbering.shown(&"z"), None);
        numbering.again(["b", "a", "b"]);
        assert_eq!(numbering.next_root(), Some(("b", 1)));
        assert_eq!(numbering.next_root(), Some(("a", 2)));
        assert_eq!(numbering.next_root(), None);
        // After `again`, the numbering still knows which objects are targets of pointers.
        assert_eq!(numbering.element("e"), Placement::Inline(3));
        let all = form != TEXTS[0];
        assert_eq!(numbering.shown(&"e"), all.then_some(3));
        assert_eq!((numbering.shown(&"a"), numbering.shown(&"b")), (Some(2), Some(1)));
        assert_eq!(numbering.element("d"), Placement::Inline(4));
        assert_eq!(numbering.shown(&"d"), Some(4));
    }
}
