//! Tests binary streams of Rem's Engine: types of properties, and lists of lists.

use crate::support::rems::writing::{FORCED, text_to_binary};
use gamewire::rems::{
    BinaryReader, BinaryWriter, Era, ErrorKind, Item, ItemSink, Kind, Tables, Type,
};

const ERAS: [Era; 5] =
    [Era::December2020, Era::August2021, Era::October2021, Era::March2022, Era::October2024];

/// Returns a stream that contains one object with the given property.
fn stream(era: Era, property: &str) -> Vec<u8> {
    let text = format!(r#"[{{"class":"T","i:*ptr":1,{property}}}]"#);
    text_to_binary(text.as_bytes(), era, FORCED)
}

/// A null string keeps its type, and a null value of every other type becomes a null object. An
/// empty list of objects loses its class.
#[test]
fn types_of_null_and_of_nothing() {
    for era in ERAS {
        for (property, ty) in [
            (r#""S:x":null"#, Type::Kind(Kind::String, 0)),
            (r#""S[]:x":null"#, Type::Object),
            (r#""S[][]:x":null"#, Type::Object),
            (r#""i[]:x":null"#, Type::Object),
            (r#""K[]:x":null"#, Type::Object),
            (r#""*[]:x":null"#, Type::Object),
            (r#""?:x":null"#, Type::Object),
            (r#""K[]:x":[0]"#, Type::Mixed(1)),
            (r#""K[]:x":[2,{}]"#, Type::Mixed(1)),
            (r#""K[]:x":[2,{},{}]"#, Type::Class("K".into(), 1)),
        ] {
            let stream = stream(era, property);
            let mut tables = Tables::new();
            let mut reader = BinaryReader::new(&stream, era, &mut tables);
            reader.next().unwrap();
            let Some(Item::Property(found)) = reader.next().unwrap() else { panic!("{property}") };
            assert_eq!(found.ty, ty, "{property} of {era:?}");
            if property.ends_with("null") {
                assert!(matches!(reader.next().unwrap(), Some(Item::Null)), "{property}");
            }
        }
    }
}

#[test]
fn lists_of_lists() {
    for era in &ERAS[1..] {
        let stream = stream(*era, r#""*[][]:x":[2,[1,null],[0]]"#);
        let mut tables = Tables::new();
        let mut reader = BinaryReader::new(&stream, *era, &mut tables);
        let mut seen = Vec::new();
        while let Some(item) = reader.next().unwrap() {
            match item {
                Item::Property(property) => seen.push(property.ty.to_string()),
                Item::List(list) => seen.push(format!("{} of {}", list.len, list.ty)),
                Item::Null => seen.push("null".into()),
                _ => {}
            }
        }
        assert_eq!(seen, ["*[][]", "2 of *[][]", "1 of *[]", "null", "0 of *[]"], "{era:?}");
    }
}

/// A property cannot have the type of the list of all objects. The error has the offset of the
/// start of the attribute, not of the bytes after the type.
#[test]
fn no_property_is_the_list_of_all_objects() {
    let mut writer = BinaryWriter::new(Vec::new(), Era::October2024);
    writer.object("T", Some(1)).unwrap();
    let attribute = writer.offset();
    writer.put("x", 5).unwrap();
    writer.end().unwrap();
    let mut stream = writer.finish().unwrap();
    // The type follows the marker of a new attribute, the length of the attribute's name (four
    // bytes), and the name.
    let ty = attribute as usize + 4 + 4 + 1;
    assert_eq!(stream[ty - 1..=ty], [b'x', 19]);
    stream[ty] = 5;
    let mut tables = Tables::new();
    let mut reader = BinaryReader::new(&stream, Era::October2024, &mut tables);
    reader.next().unwrap();
    let error = reader.next().unwrap_err();
    let unknown = ErrorKind::Unknown { what: "type", value: 5 };
    assert_eq!((*error.kind(), error.offset()), (unknown, attribute));
}
