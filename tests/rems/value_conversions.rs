//! Tests conversions of Rem's Engine values to Rust types that match and to types that do not.

use crate::support::rems::writing::zeros;
use gamewire::rems::{
    Array, BinaryReader, BinaryWriter, Dialect, Era, Error, ErrorKind, Item, ItemSink, ItemSource,
    Kind, Part, Reader, Scalar, Tables, TextReader, TextWriter, Type, Value,
};

/// Returns the result of `ask` for the first value of a file.
fn value_of<'a, T>(items: &mut impl ItemSource<'a>, ask: impl FnOnce(Value<'a>) -> T) -> T {
    while let Some(item) = items.next().unwrap() {
        if let Item::Value(value) = item {
            return ask(value);
        }
    }
    panic!("no value")
}

/// Returns the result of `ask` for a value in a text save. `property` is the text of a property:
/// its key, a colon and its value.
fn in_text<T>(property: &str, ask: impl FnOnce(Value<'_>) -> T) -> T {
    let text = format!(r#"[{{"class":"T",{property}}}]"#);
    value_of(&mut TextReader::new(text.as_bytes()), ask)
}

/// Returns the result of `ask` for a value in a binary stream. `write` writes the property into an
/// open object.
fn in_binary<T>(
    write: impl FnOnce(&mut BinaryWriter<Vec<u8>>),
    ask: impl FnOnce(Value<'_>) -> T,
) -> T {
    let mut writer = BinaryWriter::new(Vec::new(), Era::October2024);
    writer.object("T", Some(1)).unwrap();
    write(&mut writer);
    writer.end().unwrap();
    let stream = writer.finish().unwrap();
    value_of(&mut BinaryReader::new(&stream, Era::October2024, &mut Tables::new()), ask)
}

/// Returns the scalar type of a kind's components, and `true` if the kind is a single scalar. Looks
/// only at the first letter and the ending of the kind's name.
fn made_of(kind: Kind) -> (Scalar, bool) {
    let name = kind.name();
    match name {
        "b" => (Scalar::Bool, true),
        "B" => (Scalar::I8, true),
        "c" => (Scalar::Char, true),
        "s" => (Scalar::I16, true),
        "i" | "col" => (Scalar::I32, true),
        "l" => (Scalar::I64, true),
        "f" => (Scalar::F32, true),
        "d" => (Scalar::F64, true),
        "S" | "R" => (Scalar::Text, true),
        _ if name.ends_with('i') => (Scalar::I32, false),
        _ if name.ends_with('d') => (Scalar::F64, false),
        _ => (Scalar::F32, false),
    }
}

/// Returns the result of a conversion. Asserts that the offset of an error is the offset of the
/// value.
fn at_it<T>(value: Value<'_>, found: Result<T, Error>) -> Result<T, ErrorKind> {
    found.map_err(|error| {
        assert_eq!(error.offset(), value.offset());
        *error.kind()
    })
}

/// Checks all conversions of a value to the type `T`. The value consists of zeros, or is an array
/// without elements.
fn asked_as<T: Part + PartialEq + std::fmt::Debug>(value: Value<'_>, asked: Scalar) {
    let (kind, dim) = (value.kind(), value.dim());
    let (scalar, single) = made_of(kind);
    let other_kind = ErrorKind::OtherKind { kind, dim };
    let other_scalar = ErrorKind::OtherScalar { kind, requested: asked };
    let expected = match (dim, single, scalar == asked) {
        (0, true, true) => Ok(T::default()),
        (0, true, false) => Err(other_scalar),
        _ => Err(other_kind),
    };
    assert_eq!(at_it(value, value.get::<T>()), expected, "{kind:?} {dim} {asked:?}");
    let expected = match (dim, scalar == asked) {
        (0, true) => Ok(kind.parts()),
        (0, false) if scalar != Scalar::Text => Err(other_scalar),
        _ => Err(other_kind),
    };
    let found = at_it(value, value.parts::<T>()).map(|parts| parts.len());
    assert_eq!(found, expected, "{kind:?} {dim} {asked:?}");
    let Ok(array) = value.array() else { return };
    assert_eq!((array.kind(), array.dim()), (kind, dim - 1));
    let expected = match (dim, single, scalar == asked) {
        (1, true, true) => Ok(0),
        (1, true, false) => Err(other_scalar),
        _ => Err(ErrorKind::OtherKind { kind, dim: dim - 1 }),
    };
    let found = array.numbers::<T>().map(|numbers| numbers.count());
    assert_eq!(found.map_err(|error| *error.kind()), expected, "{kind:?} {dim} {asked:?}");
}

/// Checks all conversions of a value to every type. The value consists of zeros, or is an array
/// without elements.
fn asked_as_all(value: Value<'_>) {
    let (kind, dim) = (value.kind(), value.dim());
    let (scalar, single) = made_of(kind);
    assert_eq!((kind.scalar(), kind.parts() == 1), (scalar, single), "{kind:?}");
    asked_as::<bool>(value, Scalar::Bool);
    asked_as::<i8>(value, Scalar::I8);
    asked_as::<u16>(value, Scalar::Char);
    asked_as::<i16>(value, Scalar::I16);
    asked_as::<i32>(value, Scalar::I32);
    asked_as::<i64>(value, Scalar::I64);
    asked_as::<f32>(value, Scalar::F32);
    asked_as::<f64>(value, Scalar::F64);
    let other = ErrorKind::OtherKind { kind, dim };
    let one = dim == 0 && single;
    let integer = one && "B s i l col".split(' ').any(|name| name == kind.name());
    let found = at_it(value, value.integer());
    assert_eq!(found, integer.then_some(0).ok_or(other), "{kind:?} {dim}");
    let real = one && matches!(kind, Kind::F32 | Kind::F64);
    let found = at_it(value, value.real()).map(f64::to_bits);
    assert_eq!(found, real.then_some(0).ok_or(other), "{kind:?} {dim}");
    let text = dim == 0 && matches!(kind, Kind::String | Kind::File);
    let found = at_it(value, value.text()).map(|text| text.is_empty());
    assert_eq!(found, text.then_some(true).ok_or(other), "{kind:?} {dim}");
    let found = at_it(value, value.array()).map(|array| array.kind());
    assert_eq!(found, (dim > 0).then_some(kind).ok_or(other), "{kind:?} {dim}");
}

#[test]
fn every_kind_as_every_type() {
    for kind in Kind::all() {
        for dim in 0..=2 {
            if kind.is_text() && dim > 0 {
                continue; // these are lists
            }
            let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
            writer.object("T", None).unwrap();
            zeros(&mut writer, kind, dim).unwrap();
            writer.end().unwrap();
            let text = writer.finish().unwrap();
            value_of(&mut TextReader::new(&text), asked_as_all);
            // In binary streams, colours are stored as integers.
            in_binary(|to| zeros(to, kind, dim).unwrap(), asked_as_all);
        }
    }
}

/// Omitted elements of an array convert like written elements.
#[test]
fn unwritten_values_as_every_type() {
    for kind in Kind::all().filter(|kind| !kind.is_text()) {
        in_text(&format!(r#""{}[][]:x":[1]"#, kind.name()), |value| {
            let row = value.array().unwrap().iter().next().unwrap().unwrap();
            assert!(row.is_omitted() && row.raw().is_empty());
            asked_as_all(row);
            let array = row.array().unwrap();
            assert!(array.is_empty() && array.into_iter().next().is_none());
        });
    }
}

#[test]
fn integers_and_reals_of_any_width() {
    let integers = [
        ("B", -128, 127),
        ("s", -32768, 32767),
        ("i", -2147483648, 2147483647),
        ("col", -2147483648, 2147483647),
        ("l", i64::MIN, i64::MAX),
    ];
    for (ty, least, most) in integers {
        for number in [least, -1, 0, 1, most] {
            let property = format!(r#""{ty}:x":{number}"#);
            assert_eq!(in_text(&property, |value| value.integer()), Ok(number), "{ty}");
        }
    }
    assert_eq!(in_binary(|to| to.put("x", -5_i8).unwrap(), |x| x.integer()), Ok(-5));
    assert_eq!(in_binary(|to| to.put("x", -500_i16).unwrap(), |x| x.integer()), Ok(-500));
    assert_eq!(in_binary(|to| to.put("x", -70000).unwrap(), |x| x.integer()), Ok(-70000));
    assert_eq!(in_binary(|to| to.put("x", i64::MIN).unwrap(), |x| x.integer()), Ok(i64::MIN));
    for (property, real) in
        [(r#""f:x":0.1"#, f64::from(0.1_f32)), (r#""d:x":0.1"#, 0.1), (r#""f:x":-2"#, -2.0)]
    {
        assert_eq!(in_text(property, |value| value.real()), Ok(real), "{property}");
    }
    assert_eq!(in_binary(|to| to.put("x", 0.1_f32).unwrap(), |x| x.real()), Ok(0.1_f32.into()));
    assert_eq!(in_binary(|to| to.put("x", -0.1).unwrap(), |x| x.real()), Ok(-0.1));
    // A malformed value causes an error that depends on its kind.
    let why = |property| in_text(property, |value| value.integer().map_err(|error| *error.kind()));
    assert_eq!(why(r#""i:x":maybe"#), Err(ErrorKind::BadNumber));
    assert_eq!(why(r#""B:x":128"#), Err(ErrorKind::Overflow));
    assert_eq!(why(r##""col:x":"#12""##), Err(ErrorKind::BadColor));
}

fn rows(array: Array<'_>) -> Vec<(u32, Vec<i64>)> {
    let mut rows = Vec::new();
    for row in array {
        let row = row.unwrap().array().unwrap();
        let numbers = row.iter().map(|number| number.unwrap().integer().unwrap());
        rows.push((row.len(), numbers.collect()));
    }
    rows
}

/// Arrays in both formats have the same elements. Only arrays in binary streams can be borrowed as
/// bytes.
#[test]
fn arrays_of_texts_and_of_streams() {
    let write = |to: &mut BinaryWriter<Vec<u8>>| to.put("x", &[1_i16, -2, 300][..]).unwrap();
    in_binary(write, |value| {
        let array = value.array().unwrap();
        assert_eq!((array.kind(), array.dim(), array.len()), (Kind::I16, 0, 3));
        assert!(!array.is_empty());
        assert_eq!(array.big_endian(), Some(&b"\0\x01\xFF\xFE\x01\x2C"[..]));
        let elements: Vec<_> = array.into_iter().map(Result::unwrap).collect();
        let places: Vec<_> = elements.iter().map(Value::offset).collect();
        let at = value.offset();
        assert_eq!(places, [at, at + 2, at + 4]);
        assert_eq!(elements[1].raw(), b"\xFF\xFE");
        assert!(elements.iter().all(|element| !element.is_omitted()));
        let mut numbers = array.numbers::<i16>().unwrap();
        assert_eq!(numbers.size_hint(), (0, Some(4)));
        assert_eq!(numbers.next(), Some(Ok(1)));
        assert!(numbers.eq([Ok(-2), Ok(300)]));
    });
    in_text(r#""s[]:x":[4,1, -2 ,300]"#, |value| {
        let array = value.array().unwrap();
        assert_eq!((array.kind(), array.dim(), array.len()), (Kind::I16, 0, 4));
        assert_eq!((array.is_empty(), array.big_endian()), (false, None));
        let numbers = array.numbers::<i16>().unwrap();
        assert_eq!(numbers.size_hint(), (0, Some(5)));
        assert!(numbers.clone().eq([Ok(1), Ok(-2), Ok(300), Ok(0)]));
        assert!(numbers.written().eq([Ok(1), Ok(-2), Ok(300)]));
        let places: Vec<_> = array.iter().map(|element| element.unwrap().offset()).collect();
        let at = value.offset();
        assert_eq!(places, [at + 3, at + 6, at + 10, at + 13]);
    });
    let ones = [3_i32, -4];
    let expected = [(2, vec![3, -4]), (0, vec![]), (1, vec![3])];
    let write = |to: &mut BinaryWriter<Vec<u8>>| {
        to.property(Type::Kind(Kind::I32, 2), "x").unwrap();
        to.rows(&[&ones, &ones[..0], &ones[..1]]).unwrap();
    };
    in_binary(write, |value| {
        let array = value.array().unwrap();
        assert_eq!((array.dim(), array.len()), (1, 3));
        assert_eq!(rows(array), expected);
        let lie = b"\0\0\0\x02\0\0\0\x03\xFF\xFF\xFF\xFC\0\0\0\0\0\0\0\x01\0\0\0\x03";
        assert_eq!((array.big_endian(), value.raw()), (Some(&lie[..]), &lie[..]));
    });
    in_text(r#""i[][]:x":[3,[2,3,-4],[0],[1,3]]"#, |value| {
        assert_eq!(rows(value.array().unwrap()), expected);
    });
    in_text(r#""i[][]:x":[0]"#, |value| assert!(value.array().unwrap().is_empty()));
    // The components of all vectors of an array are adjacent.
    let write = |to: &mut BinaryWriter<Vec<u8>>| {
        to.property(Type::Kind(Kind::Vec2, 1), "x").unwrap();
        to.array(&[1.0_f32, 2.0, 3.0, 4.0]).unwrap();
    };
    in_binary(write, |value| {
        let vectors = value.array().unwrap().iter();
        let vectors: Vec<_> =
            vectors.map(|vector| vector.unwrap().parts::<f32>().unwrap().to_vec()).collect();
        assert_eq!(vectors, [[1.0, 2.0], [3.0, 4.0]]);
    });
}

/// No element follows a malformed element.
#[test]
fn malformed_elements() {
    fn see<T: Part + PartialEq + std::fmt::Debug>(property: &str, at: u64, kind: ErrorKind) {
        in_text(property, |value| {
            let array = value.array().unwrap();
            let found = array.numbers::<T>().unwrap().map(|number| {
                number.map_err(|error| (*error.kind(), error.offset() - value.offset()))
            });
            let found: Vec<_> = found.take(9).collect();
            assert_eq!(found.last(), Some(&Err((kind, at))), "{property}");
            assert_eq!(found.iter().filter(|found| found.is_err()).count(), 1);
        });
    }
    see::<i32>(r#""i[]:x":[2,1,2,3]"#, 8, ErrorKind::TooManyElements);
    see::<f64>(r#""d[]:x":[0,1.5]"#, 6, ErrorKind::TooManyElements);
    see::<i32>(r#""i[]:x":[3,1,x,3]"#, 5, ErrorKind::BadNumber);
    see::<i8>(r#""B[]:x":[3,1,2,300,4]"#, 7, ErrorKind::Overflow);
    see::<bool>(r#""b[]:x":[2,maybe,true]"#, 3, ErrorKind::BadBool);
    in_text(r#""i[]:x":[1,1,2]"#, |value| {
        let mut elements = value.array().unwrap().iter();
        assert!(elements.next().unwrap().is_ok());
        let error = elements.next().unwrap().unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::TooManyElements);
        assert!(elements.next().is_none() && elements.next().is_none());
    });
    // The count of elements is malformed.
    for (property, kind) in
        [(r#""i[]:x":[-1]"#, ErrorKind::BadCount(-1)), (r#""i[]:x":[x]"#, ErrorKind::BadNumber)]
    {
        let found = in_text(property, |value| value.array().map(drop).map_err(|e| *e.kind()));
        assert_eq!(found, Err(kind), "{property}");
    }
}

/// The exact error messages for a value of the wrong type.
#[test]
fn words_for_other_types() {
    let why = in_text(r#""v2[]:x":[1]"#, |value| value.get::<f32>().unwrap_err().to_string());
    assert_eq!(why, "a value of type v2[] is not of the requested type at offset 23 (0x17)");
    let why = in_text(r#""i:x":1"#, |value| value.get::<f64>().unwrap_err().to_string());
    assert_eq!(why, "components of I32 are not F64 at offset 20 (0x14)");
}

/// The reader that accepts every format yields the same items as the reader for the format of the
/// file.
#[test]
fn either_reader() {
    fn see<'a>(items: &mut impl ItemSource<'a>) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            let offset = items.offset();
            match items.next() {
                Ok(Some(item)) => seen.push(format!("{offset} {item:?}")),
                Ok(None) => return seen,
                Err(error) => return [seen, vec![error.to_string()]].concat(),
            }
        }
    }
    fn first_and_skip<'a>(items: &mut impl ItemSource<'a>) -> (u64, bool) {
        items.next().unwrap();
        items.skip().unwrap();
        (items.offset(), items.next().unwrap().is_none())
    }
    let text = br#"[{"class":"T","i:x":1,"i[]:y":[2,3]}]"#;
    let mut writer = BinaryWriter::new(Vec::new(), Era::October2024);
    writer.object("T", Some(1)).unwrap();
    writer.put("x", 1).unwrap();
    writer.end().unwrap();
    let stream = writer.finish().unwrap();
    let (era, mut tables) = (Era::October2024, Tables::new());
    assert!(matches!(Reader::new(text, era, &mut tables), Reader::Text(_)));
    assert!(matches!(Reader::new(&stream, era, &mut tables), Reader::Binary(_)));
    assert!(matches!(Reader::new(b"", era, &mut tables), Reader::Text(_)));
    let mut others = Tables::new();
    for cut in 0..=text.len() {
        let found = see(&mut Reader::new(&text[..cut], era, &mut tables));
        assert_eq!(found, see(&mut TextReader::new(&text[..cut])));
    }
    for cut in 10..=stream.len() {
        let found = see(&mut Reader::new(&stream[..cut], era, &mut tables));
        assert_eq!(found, see(&mut BinaryReader::new(&stream[..cut], era, &mut others)));
    }
    let found = first_and_skip(&mut Reader::new(text, era, &mut tables));
    assert_eq!(found, (text.len() as u64 - 1, true));
    let found = first_and_skip(&mut Reader::new(&stream, era, &mut tables));
    assert_eq!(found, (stream.len() as u64 - 1, true));
}

/// Columns of a matrix are read many bytes at a time, and byte by byte near the end of a text save,
/// with the same result.
#[test]
fn columns_with_and_without_bytes_behind_them() {
    for (matrix, expected) in [
        ("[[1,2],[3,4]]", Ok(vec![1.0, 2.0, 3.0, 4.0])),
        ("[[0.5,-2.25],[-0.125,1e3]]", Ok(vec![0.5, -2.25, -0.125, 1000.0])),
        ("[[1,2] , [3,4] ]", Ok(vec![1.0, 2.0, 3.0, 4.0])),
        ("[[7],[3,4]]", Ok(vec![7.0, 7.0, 3.0, 4.0])),
        ("[[1,2],[7]]", Ok(vec![1.0, 2.0, 7.0, 7.0])),
        ("[[1,2],[3,4],[5,6]]", Err(ErrorKind::BadParts(Kind::Mat2))),
        ("[[1,2]]", Err(ErrorKind::BadParts(Kind::Mat2))),
        ("[[1,2],[3,4,5]]", Err(ErrorKind::BadParts(Kind::Mat2))),
        ("[[1,2],[3,x]]", Err(ErrorKind::BadNumber)),
    ] {
        let behind = format!(r#","S:behind":"{}""#, "x".repeat(200));
        for behind in ["", &behind] {
            let property = format!(r#""mat2:x":{matrix}{behind}"#);
            let found = in_text(&property, |value| {
                value.parts::<f32>().map(|parts| parts.to_vec()).map_err(|error| *error.kind())
            });
            assert_eq!(found, expected, "{property}");
        }
    }
}
