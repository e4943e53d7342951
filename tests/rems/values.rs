//! Compares the types, numbers and default values of Rem's Engine with tables and with other
//! parsers.

use crate::support::random::Random;
use gamewire::rems::{
    BinaryReader, BinaryWriter, ConvertOptions, Era, ErrorKind, Item, Kind, Part, Plan, Pointers,
    Tables, Target, TextOptions, TextReader, Type, Unreadable, Value, Warning, convert,
};
use std::fmt::Debug;

/// Returns the result of `see` for the value of the only property of an object.
fn with_value<T>(
    key: &str,
    value: &str,
    options: TextOptions,
    see: impl FnOnce(Value<'_>) -> T,
) -> T {
    let text = format!(r#"[{{"class":"T","{key}":{value}}}]"#);
    let mut reader = TextReader::new(text.as_bytes()).options(options);
    reader.next().unwrap();
    reader.next().unwrap();
    let Some(Item::Value(value)) = reader.next().unwrap() else { panic!("{text}") };
    let seen = see(value);
    assert!(matches!(reader.next().unwrap(), Some(Item::End)));
    assert!(reader.next().unwrap().is_none());
    seen
}

fn get<T: Part>(ty: &str, value: &str) -> Result<T, ErrorKind> {
    get_as(ty, value, TextOptions::default())
}

fn get_as<T: Part>(ty: &str, value: &str, options: TextOptions) -> Result<T, ErrorKind> {
    let see = |value: Value<'_>| value.get().map_err(|error| *error.kind());
    with_value(&format!("{ty}:x"), value, options, see)
}

fn parts<T: Part>(ty: &str, value: &str) -> Result<Vec<T>, ErrorKind> {
    let see = |value: Value<'_>| match value.parts() {
        Ok(parts) => Ok(parts.to_vec()),
        Err(error) => Err(*error.kind()),
    };
    with_value(&format!("{ty}:x"), value, TextOptions::default(), see)
}

/// All names of kinds in the description of the format, each with its number of components. Similar
/// names follow, which are not names of kinds.
const NAMES: [(&str, Kind, usize); 65] = [
    ("b", Kind::Bool, 1),
    ("i1", Kind::Bool, 1),
    ("B", Kind::I8, 1),
    ("i8", Kind::I8, 1),
    ("c", Kind::Char, 1),
    ("s", Kind::I16, 1),
    ("i16", Kind::I16, 1),
    ("i", Kind::I32, 1),
    ("i32", Kind::I32, 1),
    ("l", Kind::I64, 1),
    ("i64", Kind::I64, 1),
    ("u64", Kind::I64, 1),
    ("f", Kind::F32, 1),
    ("f32", Kind::F32, 1),
    ("d", Kind::F64, 1),
    ("f64", Kind::F64, 1),
    ("S", Kind::String, 1),
    ("R", Kind::File, 1),
    ("col", Kind::Color, 1),
    ("v2", Kind::Vec2, 2),
    ("v3", Kind::Vec3, 3),
    ("v4", Kind::Vec4, 4),
    ("v2d", Kind::Vec2d, 2),
    ("v3d", Kind::Vec3d, 3),
    ("v4d", Kind::Vec4d, 4),
    ("vd4", Kind::Vec4d, 4),
    ("v2i", Kind::Vec2i, 2),
    ("v3i", Kind::Vec3i, 3),
    ("v4i", Kind::Vec4i, 4),
    ("q4", Kind::Quat, 4),
    ("q4f", Kind::Quat, 4),
    ("q4d", Kind::Quatd, 4),
    ("p4", Kind::Plane, 4),
    ("p4f", Kind::Plane, 4),
    ("p4d", Kind::Planed, 4),
    ("m2x2", Kind::Mat2, 4),
    ("m3x2", Kind::Mat3x2, 6),
    ("m3x3", Kind::Mat3, 9),
    ("m4x3", Kind::Mat4x3, 12),
    ("m4x4", Kind::Mat4, 16),
    ("mat2", Kind::Mat2, 4),
    ("mat3x2", Kind::Mat3x2, 6),
    ("mat3", Kind::Mat3, 9),
    ("mat4x3", Kind::Mat4x3, 12),
    ("mat4", Kind::Mat4, 16),
    ("m2x2d", Kind::Mat2d, 4),
    ("m3x2d", Kind::Mat3x2d, 6),
    ("m3x3d", Kind::Mat3d, 9),
    ("m4x3d", Kind::Mat4x3d, 12),
    ("m4x4d", Kind::Mat4d, 16),
    ("mat2d", Kind::Mat2d, 4),
    ("mat3x2d", Kind::Mat3x2d, 6),
    ("mat3d", Kind::Mat3d, 9),
    ("mat4x3d", Kind::Mat4x3d, 12),
    ("mat4d", Kind::Mat4d, 16),
    ("AABBf", Kind::Aabb, 6),
    ("AABBd", Kind::Aabbd, 6),
    // Names that are similar to those of kinds. The number 0 means that they are not names of
    // kinds.
    ("I", Kind::I32, 0),
    ("v5", Kind::Vec4, 0),
    ("mat4x2", Kind::Mat4, 0),
    ("AABB", Kind::Aabb, 0),
    ("mat4x3dd", Kind::Mat4x3d, 0),
    ("v", Kind::Vec2, 0),
    ("\0b", Kind::Bool, 0),
    ("f16", Kind::F32, 0),
];

#[test]
fn names() {
    let mut seen = Vec::new();
    for (name, kind, parts) in NAMES {
        for (dim, brackets) in ["", "[]", "[][]"].into_iter().enumerate() {
            let full = format!("{name}{brackets}");
            let found = Type::named(full.as_str().into());
            match parts {
                0 => assert_eq!(found, Type::Class(name.into(), dim as u8)),
                _ => assert_eq!(found, Type::Kind(kind, dim as u8)),
            }
        }
        if parts > 0 {
            assert_eq!(kind.parts(), parts);
            seen.push(kind);
        }
    }
    assert!(Kind::all().all(|kind| seen.contains(&kind)));
    for (name, ty) in [
        ("*[]", Type::Mixed(1)),
        ("[]", Type::Mixed(1)),
        ("*[][]", Type::Mixed(2)),
        ("[][]", Type::Mixed(2)),
        ("?", Type::Object),
        ("*", Type::Class("*".into(), 0)),
        ("", Type::Class("".into(), 0)),
        ("i[][][]", Type::Class("i[]".into(), 2)),
        // Names that are longer than the name of any kind.
        ("\0\0\0\0\0\0\0\0", Type::Class("\0\0\0\0\0\0\0\0".into(), 0)),
        ("\0\0\0\0\0\0\u{1}i[]", Type::Class("\0\0\0\0\0\0\u{1}i".into(), 1)),
    ] {
        assert_eq!(Type::named(name.into()), ty, "{name}");
    }
}

/// The type ids of values that are not arrays, from the description of the format. The columns
/// contain the ids since March 2022, the ids in October 2021 and in August 2021, and the letters in
/// December 2020. An id of 0 means that the type did not exist at that time.
const IDS: [(Kind, [u8; 4]); 35] = [
    (Kind::Bool, [7, 7, 7, b'z']),
    (Kind::I8, [10, 10, 10, b'b']),
    (Kind::Char, [13, 13, 13, b'c']),
    (Kind::I16, [16, 115, 115, b's']),
    (Kind::I32, [19, 19, 19, b'i']),
    (Kind::I64, [22, 22, 22, b'l']),
    (Kind::F32, [25, 25, 25, b'f']),
    (Kind::F64, [28, 28, 28, b'd']),
    (Kind::String, [31, 31, 31, b'q']),
    (Kind::File, [115, 91, 53, 0]),
    (Kind::Vec2, [34, 34, 34, b'2']),
    (Kind::Vec3, [37, 37, 35, b'3']),
    (Kind::Vec4, [40, 40, 36, b'4']),
    (Kind::Vec2d, [43, 43, 37, b'5']),
    (Kind::Vec3d, [46, 46, 38, b'6']),
    (Kind::Vec4d, [49, 49, 39, b'7']),
    (Kind::Quat, [52, 52, 40, 0]),
    (Kind::Quatd, [55, 55, 41, 0]),
    (Kind::Vec2i, [58, 58, 50, 0]),
    (Kind::Vec3i, [61, 61, 51, 0]),
    (Kind::Vec4i, [64, 64, 52, 0]),
    (Kind::Mat2, [67, 0, 0, 0]),
    (Kind::Mat3x2, [70, 0, 0, 0]),
    (Kind::Mat3, [76, 67, 0, 0]),
    (Kind::Mat4x3, [79, 70, 0, 0]),
    (Kind::Mat4, [82, 73, 0, 0]),
    (Kind::Mat2d, [85, 0, 0, 0]),
    (Kind::Mat3x2d, [88, 0, 0, 0]),
    (Kind::Mat3d, [94, 76, 0, 0]),
    (Kind::Mat4x3d, [97, 79, 0, 0]),
    (Kind::Mat4d, [100, 82, 0, 0]),
    (Kind::Aabb, [103, 85, 0, 0]),
    (Kind::Aabbd, [106, 88, 0, 0]),
    (Kind::Plane, [109, 0, 0, 0]),
    (Kind::Planed, [112, 0, 0, 0]),
];

const ERAS: [Era; 4] = [Era::March2022, Era::October2021, Era::August2021, Era::December2020];

/// Returns the type id of an array of `dim` dimensions, from the id of a single value.
fn array_id(kind: Kind, scalar: u8, era: Era, dim: u8) -> Option<u8> {
    let scalar =
        if kind == Kind::I16 && scalar == 115 && era != Era::December2020 { 16 } else { scalar };
    let vector = matches!(kind.name().as_bytes()[0], b'v' | b'q');
    match era {
        Era::August2021 if kind == Kind::File => (dim == 1).then_some(54),
        Era::August2021 if kind.name().ends_with('i') && vector => None,
        Era::August2021 if vector => (dim == 1).then_some(scalar + 8),
        Era::December2020 if vector => (dim == 1).then_some(scalar + 128),
        Era::December2020 if dim == 1 => Some(scalar.to_ascii_uppercase()),
        Era::December2020 => {
            matches!(kind, Kind::F32 | Kind::F64).then_some(scalar.to_ascii_uppercase() | 128)
        }
        _ => Some(scalar + dim),
    }
}

/// Returns a stream with one object "T", which has one attribute "x" of the given type.
fn stream(era: Era, id: u8, value: &[u8]) -> Vec<u8> {
    let (list, object) = if era == Era::December2020 { (b'&', b'o') } else { (5, 1) };
    let mut bytes = vec![0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE, list, object];
    bytes.extend(b"\xFF\xFF\xFF\xFDT\0\0\0\x01");
    bytes.extend(b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFDx");
    bytes.push(id);
    bytes.extend(value);
    bytes.extend(b"\xFF\xFF\xFF\xFE\x25");
    bytes
}

#[test]
fn ids() {
    let mut tables = Tables::new();
    let mut tried = 0;
    for (kind, ids) in IDS {
        for (era, id) in ERAS.into_iter().zip(ids).filter(|(_, id)| *id != 0) {
            let size = kind.size();
            let one = if kind.is_text() { b"\xFF\xFF\xFF\xFD!".to_vec() } else { vec![1; size] };
            let array = [&2u32.to_be_bytes()[..], &one, &one].concat();
            let arrays = [&1u32.to_be_bytes()[..], &array].concat();
            let ids = [Some(id), array_id(kind, id, era, 1), array_id(kind, id, era, 2)];
            for (dim, id) in ids.into_iter().enumerate() {
                let Some(id) = id else { continue };
                let bytes = stream(era, id, [&one, &array, &arrays][dim]);
                let mut reader = BinaryReader::new(&bytes, era, &mut tables);
                reader.next().unwrap();
                let Some(Item::Property(property)) = reader.next().unwrap() else { panic!() };
                assert_eq!(property.ty, Type::Kind(kind, dim as u8), "{era:?} {id}");
                while let Some(item) = reader.next().unwrap() {
                    if let Item::Value(value) = item {
                        tried += 1;
                        assert_eq!(value.kind(), kind);
                        let bytes = if value.dim() == 2 { &arrays[4..] } else { &array[4..] };
                        assert!(
                            kind.is_text()
                                || value.raw() == if value.dim() == 0 { &one } else { bytes }
                        );
                    }
                }
            }
        }
    }
    assert!(tried > 200, "{tried}");
}

/// Ids that no era has, and ids that only a different era has, are rejected.
#[test]
fn unknown_ids() {
    let mut tables = Tables::new();
    let mut read = |era, id| {
        let bytes = stream(era, id, &[0; 200]);
        let mut reader = BinaryReader::new(&bytes, era, &mut tables);
        reader.next().unwrap();
        reader.next().map(drop).map_err(|error| *error.kind())
    };
    for (era, id) in [
        (Era::March2022, 73),
        (Era::March2022, 91),
        (Era::October2024, 5),
        (Era::October2024, 118),
        (Era::October2021, 94),
        (Era::August2021, 58),
        (Era::December2020, 7),
        (Era::December2020, 1),
    ] {
        let kind = ErrorKind::Unknown { what: "type", value: id.into() };
        assert_eq!(read(era, id), Err(kind), "{era:?} {id}");
    }
}

/// Any real, in the notation of the engine or in a different one, has the value that Rust's parser
/// gives.
#[test]
fn reals() {
    let mut random = Random::new(11);
    let mut texts = vec![
        "0",
        "-0",
        "5",
        "5.",
        ".5",
        "1e10",
        "1E-5",
        "0.1",
        "123456789012345678",
        "1.7976931348623157E308",
        "4.9E-324",
        "2.2250738585072011E-308",
        "1e400",
        "-1e400",
        "1e-400",
        "9007199254740993",
        "16777217",
        "1.0000000596046448",
        "3.4028235677973366E38",
        "1.1754943E-38",
        "1.4E-45",
        "7.006492321624085E-46",
        "0.000000000000000000000000000000000000000000001",
        "1e22",
        "1e23",
        "00000000000000000000000000000000000000001",
        "1.00000005960464477539062500000000001",
    ]
    .into_iter()
    .map(str::to_owned)
    .collect::<Vec<_>>();
    for _ in 0..4_000 {
        let double = f64::from_bits(random.next());
        let single = f32::from_bits(random.next() as u32);
        let small = (random.next() % 2_000_000) as f64 / [1.0, 10.0, 64.0, 1000.0][random.below(4)];
        // A number half-way between two neighbouring values of `f32`, and one of the nearest values
        // of `f64`.
        let middle = (f64::from(single) + f64::from(f32::from_bits(single.to_bits() ^ 1))) / 2.0;
        let near = f64::from_bits(middle.to_bits() ^ (random.next() & 3));
        for value in [double, f64::from(single), small, middle, near] {
            if value.is_finite() {
                texts.push(value.to_string());
                texts.push(format!("{value:E}"));
                texts.push(format!("{value:.*}", random.below(18)));
            }
        }
        texts.push(single.to_string());
        texts.retain(|text| text != "NaN" && !text.contains("inf"));
        if texts.len() < 1000 {
            continue;
        }
        for text in texts.drain(..) {
            let (double, single) = (text.parse::<f64>().unwrap(), text.parse::<f32>().unwrap());
            assert_eq!(get::<f64>("d", &text).unwrap().to_bits(), double.to_bits(), "{text}");
            assert_eq!(get::<f32>("f", &text).unwrap().to_bits(), single.to_bits(), "{text}");
            let quoted = format!("\"{text}\"");
            assert_eq!(get::<f64>("d", &quoted).unwrap().to_bits(), double.to_bits(), "{text}");
        }
    }
    assert_eq!(get::<f64>("d", "1_000.2_5"), Ok(1000.25));
    assert!(
        get::<f64>("d", "NaN").unwrap().is_nan() && get::<f32>("f", "\"NaN\"").unwrap().is_nan()
    );
    assert_eq!(get::<f64>("d", "-Infinity"), Ok(f64::NEG_INFINITY));
    assert_eq!(get::<f32>("f", "\"Infinity\""), Ok(f32::INFINITY));
    for text in
        ["inf", "nan", "infinity", "-", "1e", "e1", ".", "1.2.3", "0x10", "--1", "_", "1e+", "null"]
    {
        assert_eq!(get::<f64>("d", text), Err(ErrorKind::BadNumber), "{text}");
        assert_eq!(get::<f32>("f", text), Err(ErrorKind::BadNumber), "{text}");
    }
}

/// Counts and object numbers follow the same rules as all integers.
#[test]
fn leading_zeros_of_counts_and_pointers() {
    let text = br#"[{"class":"T","i:*ptr":011,"T:same":011,"i[]:x":[012,1],"T[]:y":["012"]}]"#;
    for (octal, pointer, len) in [(true, 9, 10), (false, 11, 12)] {
        let mut reader = TextReader::new(text).options(TextOptions { octal, wrapping: false });
        let (mut pointers, mut lens) = (Vec::new(), Vec::new());
        while let Some(item) = reader.next().unwrap() {
            match item {
                Item::Object(object) => pointers.extend(object.pointer),
                Item::Pointer(number) => pointers.push(number),
                Item::Value(value) => lens.push(value.array().unwrap().len()),
                Item::List(list) => lens.push(list.len),
                _ => {}
            }
        }
        assert_eq!((pointers, lens), (vec![pointer; 2], vec![len; 2]));
    }
}

fn integers<T: Part + PartialEq + Debug + TryFrom<i128>>(ty: &str, bits: u32) {
    let wrapping = TextOptions { wrapping: true, octal: true };
    let half = 1i128 << (bits - 1);
    for value in
        [0, 1, -1, half - 1, -half, half, -half - 1, 2 * half, 300, 4294967297, half * 10 + 7]
    {
        let text = value.to_string();
        let expected = T::try_from(value).map_err(|_| ErrorKind::Overflow);
        assert_eq!(get::<T>(ty, &text), expected, "{ty} {text}");
        let wrapped = (value + half).rem_euclid(2 * half) - half;
        assert_eq!(get_as::<T>(ty, &text, wrapping).ok(), T::try_from(wrapped).ok(), "{ty} {text}");
    }
}

#[test]
fn whole_numbers() {
    integers::<i8>("B", 8);
    integers::<i16>("s", 16);
    integers::<i32>("i", 32);
    integers::<i64>("l", 64);
    assert_eq!(get::<i64>("l", "-9223372036854775808"), Ok(i64::MIN));
    for (text, octal, decimal) in [
        ("017", 15, 17),
        ("089", 73, 89),
        ("-010", -8, -10),
        ("00", 0, 0),
        ("0x1F", 31, 31),
        ("0X1f", 31, 31),
        ("0b101", 5, 5),
        ("1_0_0", 100, 100),
        ("#f", -1, -1),
        ("#8000ff00", -2147418368, -2147418368),
    ] {
        assert_eq!(get::<i32>("i", text), Ok(octal), "{text}");
        let options = TextOptions { octal: false, wrapping: false };
        assert_eq!(get_as::<i32>("i", text, options), Ok(decimal), "{text}");
    }
    for text in [
        "-",
        "+5",
        "5.0",
        "5e3",
        "\"5\"",
        "0x",
        "0b",
        "0b2",
        "#",
        "#12",
        "#123456789",
        "_",
        "0xg",
        "1-",
    ] {
        assert_eq!(get::<i32>("i", text), Err(ErrorKind::BadNumber), "{text}");
    }
}

#[test]
fn letters_and_colors() {
    // A character in a legacy character set, near the end of the text.
    let mut reader = TextReader::new(b"[{\"class\":\"T\",\"c:x\":'\xF3'}");
    reader.next().unwrap();
    reader.next().unwrap();
    let Some(Item::Value(letter)) = reader.next().unwrap() else { panic!() };
    assert_eq!(letter.get::<u16>(), Ok(0xF3));
    for (text, unit) in [
        ("'A'", 65),
        ("\"A\"", 65),
        ("65", 65),
        ("'''", 39),
        ("'\\'", 92),
        ("'\\''", 39),
        ("\"\\\"\"", 34),
        ("\"\\\\\"", 92),
        ("'\\n'", 10),
        ("'§'", 167),
        ("\"€\"", 8364),
        ("'['", 91),
        ("'}'", 125),
        ("'\"'", 34),
        ("\"\\u20ac\"", 8364),
        ("\"\\ud83d\"", 0xD83D),
        ("65535", 65535),
        ("','", 44),
        ("'/'", 47),
    ] {
        assert_eq!(get::<u16>("c", text), Ok(unit), "{text}");
    }
    for text in ["\"\"", "\"ab\"", "\"😀\"", "\"\\n1\""] {
        assert_eq!(get::<u16>("c", text), Err(ErrorKind::BadChar), "{text}");
    }
    assert_eq!(get::<u16>("c", "65536"), Err(ErrorKind::Overflow));
    assert_eq!(get::<u16>("c", "-1"), Err(ErrorKind::Overflow));
    for (text, color) in [
        ("\"#fff\"", -1),
        ("\"#0000\"", 0),
        ("\"#123\"", -15654349),
        ("\"#8123\"", -2012143053),
        ("#80123456", -2146290602),
        ("\"#ABCDEF\"", 0xFFAB_CDEF_u32 as i32),
        ("4294967295", -1),
        ("-1", -1),
        ("0xff000000", -16777216),
    ] {
        assert_eq!(get::<i32>("col", text), Ok(color), "{text}");
    }
    for text in ["\"#f\"", "\"#12\"", "\"#12345\"", "\"#1234567\"", "\"#ggg\"", "\"#123456789\""] {
        assert_eq!(get::<i32>("col", text), Err(ErrorKind::BadColor), "{text}");
    }
    assert_eq!(get::<i32>("col", "\"fff\""), Err(ErrorKind::BadNumber));
}

#[test]
fn short_forms() {
    assert_eq!(parts::<f32>("v2", "[3]"), Ok(vec![3.0; 2]));
    assert_eq!(parts::<f64>("v3d", " [ 0.5 ] "), Ok(vec![0.5; 3]));
    assert_eq!(parts::<f32>("v4", "[0.25,1]"), Ok(vec![0.25, 0.25, 0.25, 1.0]));
    assert_eq!(parts::<f32>("v4", "[1,2,3]"), Ok(vec![1.0, 2.0, 3.0, 1.0]));
    assert_eq!(parts::<i32>("v4i", "[1,2,3]"), Ok(vec![1, 2, 3, 255]));
    assert_eq!(parts::<i32>("v4i", "[1,2]"), Ok(vec![1, 1, 1, 2]));
    assert_eq!(parts::<f32>("AABBf", "[[1],[2,3,4]]"), Ok(vec![1.0, 1.0, 1.0, 2.0, 3.0, 4.0]));
    let columns =
        [0.0, 0.0, 0.0, 0.0, 0.25, 0.25, 0.25, 1.0, 1.0, 2.0, 3.0, 1.0, 1.0, 2.0, 3.0, 4.0];
    assert_eq!(parts::<f64>("mat4d", "[[0],[0.25,1],[1,2,3],[1,2,3,4]]"), Ok(columns.to_vec()));
    assert_eq!(parts::<f32>("f", "7"), Ok(vec![7.0]));
    for (ty, text, kind) in [
        ("v2", "[1,2,3]", Kind::Vec2),
        ("v3", "[1,2]", Kind::Vec3),
        ("q4", "[1]", Kind::Quat),
        ("p4", "[1,2,3]", Kind::Plane),
        ("mat3", "[[1],[2]]", Kind::Mat3),
        ("mat2", "[[1],[2],[3]]", Kind::Mat2),
        ("AABBf", "[[1],[2],[3]]", Kind::Aabb),
    ] {
        assert_eq!(parts::<f32>(ty, text), Err(ErrorKind::BadParts(kind)), "{ty} {text}");
    }
}

/// Compares the default values of omitted elements with the description of the format, and not with
/// the tables in the code.
#[test]
fn defaults() {
    let elements = |ty: &str, see: &mut dyn FnMut(Value<'_>)| {
        with_value(&format!("{ty}:x"), "[3]", TextOptions::default(), |value| {
            let array = value.array().unwrap();
            assert_eq!((array.len(), array.iter().written().count()), (3, 0));
            assert_eq!(array.iter().map(|element| see(element.unwrap())).count(), 3);
        });
    };
    let identity = |columns: usize, rows: usize| {
        (0..columns * rows)
            .map(|at| f32::from(u8::from(at % rows == at / rows)))
            .collect::<Vec<_>>()
    };
    let infinite = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]].concat();
    for (ty, parts) in [
        ("f", vec![0.0]),
        ("v2", vec![0.0; 2]),
        ("v4", vec![0.0; 4]),
        ("q4", vec![0.0, 0.0, 0.0, 1.0]),
        ("p4", vec![0.0; 4]),
        ("mat2", identity(2, 2)),
        ("mat3x2", identity(3, 2)),
        ("mat3", identity(3, 3)),
        ("mat4x3", identity(4, 3)),
        ("mat4", identity(4, 4)),
        ("AABBf", infinite),
    ] {
        elements(&format!("{ty}[]"), &mut |value| {
            assert!(value.is_omitted());
            assert_eq!(*value.parts::<f32>().unwrap(), *parts, "{ty}");
        });
    }
    elements("b[]", &mut |value| assert_eq!(value.get::<bool>(), Ok(false)));
    elements("c[]", &mut |value| assert_eq!(value.get::<u16>(), Ok(0)));
    elements("l[][]", &mut |value| assert_eq!(value.array().unwrap().len(), 0));
    // A large declared count allocates nothing.
    with_value("i[]:x", "[2147483647,1]", TextOptions::default(), |value| {
        let mut numbers = value.array().unwrap().numbers::<i32>().unwrap();
        assert_eq!((numbers.next(), numbers.next()), (Some(Ok(1)), Some(Ok(0))));
        let written = value.array().unwrap().numbers::<i32>().unwrap().written();
        assert_eq!(written.count(), 1);
    });
}

/// Until April 2022, the name and the type of a vector of integers were swapped.
#[test]
fn swapped() {
    let read = |key: &str, value: &str| {
        let text = format!(r#"[{{"class":"T","{key}":{value}}}]"#);
        let mut reader = TextReader::new(text.as_bytes());
        reader.next().unwrap();
        let Some(Item::Property(property)) = reader.next().unwrap() else { panic!() };
        (property.ty.to_string(), property.name.to_string())
    };
    let pair = |ty: &str, name: &str| (ty.to_owned(), name.to_owned());
    assert_eq!(read("size:v2i", "[1,2]"), pair("v2i", "size"));
    assert_eq!(read("size:v3i", "[1,2,3]"), pair("v3i", "size"));
    assert_eq!(read("size:v3i", "[1,2,3,4]"), pair("v4i", "size"));
    assert_eq!(read("i:v2i", "[1,2]"), pair("v2i", "i"));
    assert_eq!(read("i:v2i", "5"), pair("i", "v2i"));
    assert_eq!(read("size:v2i", "{}"), pair("size", "v2i"));
    assert_eq!(read("v3:v3i", "[1,2,3]"), pair("v3", "v3i"));
    assert_eq!(read("i[]:v2i", "[1,2]"), pair("i[]", "v2i"));
    assert_eq!(read("K[]:v2i", "[0]"), pair("K[]", "v2i"));
    assert_eq!(read("v2i:size", "[1,2]"), pair("v2i", "size"));
}

/// Escapes also work in the types of keys, although no engine writes them there.
#[test]
fn types_with_escapes() {
    for (key, ty) in [
        (r"\u0069:x", Type::Kind(Kind::I32, 0)),
        (r"f\u005b]:x", Type::Kind(Kind::F32, 1)),
        (r"mat\u0034\u0078\u0033d[][]:x", Type::Kind(Kind::Mat4x3d, 2)),
        (r"\u003f:x", Type::Object),
        (r"\u002a[]:x", Type::Mixed(1)),
    ] {
        let text = format!(r#"[{{"class":"T","{key}":null}}]"#);
        let mut reader = TextReader::new(text.as_bytes());
        reader.next().unwrap();
        let Some(Item::Property(property)) = reader.next().unwrap() else { panic!("{text}") };
        assert_eq!((property.ty, property.name.as_str()), (ty, None), "{text}");
        assert_eq!(property.name, *"x");
    }
}

/// A pointer never refers to an object whose number is 0.
#[test]
fn empty_path_leads_to_zero() {
    let text = br#"[{"class":"K","i:*ptr":0,"K:a":1}]"#;
    let mut slots = Vec::new();
    let pointers = Pointers::collect(&mut TextReader::new(text), &mut slots).unwrap();
    assert!(matches!(pointers.get(1), Target::Dangling));
    let plan = Plan::of(&mut TextReader::new(text)).unwrap();
    let mut writer = BinaryWriter::new(Vec::new(), Era::October2024);
    let how = ConvertOptions { force: true, ..ConvertOptions::default() };
    let warn = |warning: Warning| assert_eq!(warning.reason, Unreadable::Dangling);
    convert(&mut TextReader::new(text), &mut writer, &plan, how, warn).unwrap();
    let stream = writer.finish().unwrap();
    let (mut tables, mut slots) = (Tables::new(), Vec::new());
    let mut reader = BinaryReader::new(&stream, Era::October2024, &mut tables);
    let pointers = Pointers::collect(&mut reader, &mut slots).unwrap();
    assert_eq!(pointers.objects().next().unwrap().pointer, Some(2));
    assert!(matches!(pointers.get(1), Target::Dangling));
}

/// Null can be converted to a stream even if the stream lacks the type of the property.
#[test]
fn null_needs_no_type() {
    for ty in ["K[]", "c[]", "mat3[]", "mat2[][]", "f[]"] {
        let text = format!(r#"[{{"class":"K","i:*ptr":1,"{ty}:x":null}}]"#);
        let plan = Plan::of(&mut TextReader::new(text.as_bytes())).unwrap();
        let mut writer = BinaryWriter::new(Vec::new(), Era::October2021);
        let mut reader = TextReader::new(text.as_bytes());
        convert(&mut reader, &mut writer, &plan, ConvertOptions::default(), |_| panic!()).unwrap();
        let stream = writer.finish().unwrap();
        assert!(stream.ends_with(b"x\0\xFF\xFF\xFF\xFE\x25"), "{stream:x?}");
    }
}

/// Reads comments, commas and white space between items, and similar bytes that cause errors.
#[test]
fn between() {
    let items = |text: &str| {
        let mut reader = TextReader::new(text.as_bytes());
        let mut count = 0;
        loop {
            match reader.next() {
                Ok(Some(_)) => count += 1,
                Ok(None) => return Ok(count),
                Err(error) => return Err((*error.kind(), error.offset())),
            }
        }
    };
    for text in [
        "[{\"class\":\"T\",\"i:x\":5 // c\n,\"i:y\":6}]",
        "[{\"class\":\"T\",\"i:x\":5/*}*/,\"i:y\":6}]",
        "[{\"class\":\"T\",\"i:x\":5,/*/ \"i:y\":6,}]",
        "\t[ ,, { \"class\" : \"T\" , \"i:x\" : 5 , \"i:y\" : 6 } ,\r\n]x",
    ] {
        assert_eq!(items(text), Ok(6), "{text}");
    }
    let end = |offset| Err((ErrorKind::UnexpectedEnd { missing: 1 }, offset));
    assert_eq!(items(""), end(0));
    assert_eq!(items("[{"), end(2));
    assert_eq!(items("[{}]"), Err((ErrorKind::NoClass, 2)));
    assert_eq!(items("\u{FEFF}[]").unwrap_err().1, 0);
    assert_eq!(
        items("[{\"class\":\"T\",\"K:x\":{\"class\":\"L\"}}]"),
        Err((ErrorKind::OtherClass, 29))
    );
    assert_eq!(items("[{\"class\":\"T\",\"K:x\":-1}]"), Err((ErrorKind::BadPointer(-1), 20)));
    assert_eq!(items("[{\"class\":\"T\",\"S:x\":\"\\q\"}]"), Err((ErrorKind::BadEscape, 21)));
    assert_eq!(items("[{\"class\":\"T\",\"K[]:x\":[-1]}]"), Err((ErrorKind::BadCount(-1), 23)));
    assert_eq!(
        items("[{\"class\":\"T\",\"K[]:x\":[1,null,null]}]"),
        Err((ErrorKind::TooManyElements, 30))
    );
    // While the reader searches for the end of an array, a single slash has no meaning, but `//`
    // begins a comment, in which brackets are ignored.
    assert_eq!(items("[{\"class\":\"T\",\"f[][]:x\":[1,/,/]}]"), Ok(4));
    let open = "[{\"class\":\"T\",\"f[][]:x\":[1,//,/*]}]";
    assert_eq!(items(open), end(open.len() as u64));
    // A name may be repeated, as it is in files from the time before lists were written as arrays.
    assert_eq!(items("[{\"class\":\"T\",\"K:x\":{},\"K:x\":{}}]"), Ok(8));
}
