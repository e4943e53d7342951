//! Tests the deserializer of Rem's Engine saves: requests for rarely used types, enums, links, text
//! that is not UTF-8, size hints, paths of errors, and sources and visitors that break the rules.
use gamewire::rems::serde::{Deserializer, Link};
use gamewire::rems::{
    BinaryReader, BinaryWriter, Era, Error, ErrorKind, Item, ItemSink, ItemSource, Tables,
    TextReader, from_items, read_object,
};
use serde::Deserialize;
use serde::de::{DeserializeOwned, DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt::{self, Debug};

/// Deserializes the value of `x`, the only property of an object, as a `T`.
fn x<T: DeserializeOwned>(ty: &str, value: &[u8]) -> Result<T, String> {
    #[derive(Deserialize)]
    struct Object<T> {
        x: T,
    }
    let text = [format!(r#"[{{"class":"C","{ty}:x":"#).as_bytes(), value, b"}]"].concat();
    match read_object::<Object<T>>(&mut TextReader::new(&text)) {
        Ok(object) => Ok(object.unwrap().x),
        Err(error) => Err(error.to_string()),
    }
}

#[derive(Deserialize, PartialEq, Debug)]
struct Nothing;

#[derive(Deserialize, PartialEq, Debug)]
struct Two(f32, f32);

#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Name(String);

#[test]
fn structs_without_names() {
    assert_eq!(x("K", b"null"), Ok(Nothing));
    let why = x::<Nothing>("i", b"5").unwrap_err();
    assert!(why.starts_with("x: invalid type: integer `5`, expected unit struct Nothing"), "{why}");
    let why = x::<Nothing>("v2", b"[1,2]").unwrap_err();
    assert!(why.starts_with("x: invalid type: sequence, expected unit struct Nothing"), "{why}");
    let why = x::<Nothing>("S", b"\"a\"").unwrap_err();
    assert!(why.starts_with("x: invalid type: string \"a\", expected unit struct"), "{why}");
    assert_eq!(x("v2", b"[1,2]"), Ok(Two(1.0, 2.0)));
    assert_eq!(x("f[]", b"[2,1,2]"), Ok(Two(1.0, 2.0)));
    assert_eq!(x("mat2", b"[[1,2],[3,4]]"), Ok([Two(1.0, 2.0), Two(3.0, 4.0)]));
    let why = x::<Two>("v3", b"[1,2,3]").unwrap_err();
    assert!(why.starts_with("x: 3 elements where the type accepts 2"), "{why}");
    let why = x::<Two>("S", b"\"a\"").unwrap_err();
    assert!(why.starts_with("x: invalid type: string \"a\", expected tuple struct Two"), "{why}");
    // Newtype structs around values of several types, and around keys of maps.
    #[derive(Deserialize, PartialEq, Debug)]
    struct Wrapped<T>(T);
    assert_eq!(x("i", b"5"), Ok(Wrapped(5_u8)));
    assert_eq!(x("v2", b"[1,2]"), Ok(Wrapped(Wrapped([1.0, 2.0]))));
    assert_eq!(x("K", b"null"), Ok(Wrapped(None::<u8>)));
    assert_eq!(x("S", b"\"a\\n\""), Ok(Name("a\n".into())));
    let text = br#"[{"class":"T","i:a":1}]"#;
    let maps: Wrapped<Vec<BTreeMap<Name, IgnoredAny>>> =
        from_items(&mut TextReader::new(text)).unwrap();
    let names: Vec<_> = maps.0[0].keys().map(|name| &name.0[..]).collect();
    assert_eq!(names, ["a", "class"]);
    // Types for a whole file: an `Option`, which is never `None`; a list; and types that do not
    // fit.
    let all: Option<Vec<IgnoredAny>> = from_items(&mut TextReader::new(text)).unwrap();
    assert_eq!(all.map(|all| all.len()), Some(1));
    let all: Vec<IgnoredAny> = from_items(&mut TextReader::new(b"[]")).unwrap();
    assert!(all.is_empty());
    #[derive(Deserialize, Debug)]
    struct File(#[allow(dead_code)] IgnoredAny, IgnoredAny);
    let error = from_items::<File>(&mut TextReader::new(text)).unwrap_err();
    assert!(error.to_string().starts_with("invalid length 1, expected tuple struct"), "{error}");
    let error = from_items::<Nothing>(&mut TextReader::new(text)).unwrap_err();
    assert!(error.to_string().starts_with("invalid type: sequence, expected unit"), "{error}");
}

/// Components of vectors convert to every type that numbers convert to.
#[test]
fn parts_of_vectors() {
    assert_eq!(x("v2", b"[1,2]"), Ok([Some(1.0), Some(2.0)]));
    assert_eq!(x("v2", b"[1,2]").map(|all: [IgnoredAny; 2]| all.len()), Ok(2));
    assert_eq!(x("v2i", b"[1,2]"), Ok((1_u8, 2_i64)));
    #[derive(Deserialize, PartialEq, Debug)]
    struct Xy {
        x: Option<i32>,
        y: Option<i32>,
    }
    assert_eq!(x("v2i", b"[1,2]"), Ok(Xy { x: Some(1), y: Some(2) }));
    assert_eq!(x("AABBf", b"[[1],[2]]"), Ok([[1.0; 3], [2.0; 3]]));
    assert_eq!(x("AABBf", b"[[1],[2]]"), Ok(vec![Some(vec![1.0; 3]), Some(vec![2.0; 3])]));
    #[derive(Deserialize, PartialEq, Debug)]
    enum Either {
        A,
    }
    let why = x::<Either>("v2", b"[1,2]").unwrap_err();
    assert!(why.starts_with("x: invalid type: sequence, expected enum Either"), "{why}");
    let why = x::<[Either; 2]>("v2", b"[1,2]").unwrap_err();
    assert!(why.starts_with("x: invalid type: floating point `1.0`, expected enum"), "{why}");
    let why = x::<Either>("i", b"1").unwrap_err();
    assert!(why.starts_with("x: invalid type: integer `1`, expected enum Either"), "{why}");
    let why = x::<Either>("K", b"null").unwrap_err();
    assert!(why.starts_with("x: invalid type: unit value, expected enum Either"), "{why}");
    let why = x::<Either>("K", b"7").unwrap_err();
    assert!(why.starts_with("x: invalid type: integer `7`, expected enum Either"), "{why}");
    assert_eq!(x("S", b"\"A\""), Ok(Either::A));
    assert_eq!(x("K", br#"{"class":"K"}"#).map(|Any| ()), Ok(()));
    let why = x::<Either>("S", b"\"B\"").unwrap_err();
    assert!(why.starts_with("x: unknown variant `B`, expected `A`"), "{why}");
}

/// An object of the class `K`, deserialized as a unit variant whose name is that class.
#[derive(Debug)]
struct Any;

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        enum Class {
            K,
        }
        Class::deserialize(from).map(|Class::K| Self)
    }
}

/// An object cannot be deserialized as a tuple variant, because its properties have names and no
/// order.
#[test]
fn variants_in_order() {
    #[derive(Deserialize, PartialEq, Debug)]
    enum Shape {
        Circle(f32, f32),
        Point { x: f32 },
        Line(Two),
    }
    let read = |class: &str| {
        let text = format!(r#"[{{"class":"{class}","f:x":1}}]"#);
        let read = from_items::<[Shape; 1]>(&mut TextReader::new(text.as_bytes()));
        read.map_err(|error| error.to_string())
    };
    assert_eq!(read("Point"), Ok([Shape::Point { x: 1.0 }]));
    let why = read("Circle").unwrap_err();
    assert!(why.starts_with("0: invalid type: map, expected tuple variant Shape::Circle"), "{why}");
    let why = read("Line").unwrap_err();
    assert!(why.starts_with("0: invalid type: map, expected tuple struct Two"), "{why}");
    let why = read("Other").unwrap_err();
    let expected = "0: unknown variant `Other`, expected one of `Circle`, `Point`, `Line`";
    assert_eq!(why, format!("{expected} at offset 1 (0x1)"));
}

#[test]
fn links() {
    let links: Vec<Link<Option<u8>>> = x("K[]", b"[5,0,7,null]").unwrap();
    assert_eq!(links, [Link::Null, Link::Number(7), Link::Null, Link::Null, Link::Null]);
    let numbers: Vec<_> = links.iter().map(Link::number).collect();
    assert_eq!(numbers, [None, Some(7), None, None, None]);
    assert!(links.iter().all(|link| link.object().is_none()));
    #[derive(Deserialize, PartialEq, Debug, Clone, Copy)]
    struct Inner {
        v: i32,
    }
    let link: Link<Inner> = x("K", br#"{"i:v":5}"#).unwrap();
    assert_eq!((link.object(), link.number()), (Some(&Inner { v: 5 }), None));
    assert_eq!(Link::<u8>::default(), Link::Null);
    assert_eq!(x::<Link<Inner>>("K", b"null"), Ok(Link::Null));
    // Whether a link accepts a value that is not an object depends on the type in the link.
    assert_eq!(x::<Link<String>>("S", b"\"a\""), Ok(Link::Object("a".into())));
    let why = x::<Link<Inner>>("S", b"\"a\"").unwrap_err();
    assert!(why.starts_with("x: invalid type: string \"a\", expected struct Inner"), "{why}");
    // Links can also be deserialized from other formats, and some of these call `visit_some` and
    // `visit_none`.
    assert_eq!(Link::<u8>::deserialize(Maybe(None)).unwrap(), Link::Null);
    assert_eq!(Link::deserialize(Maybe(Some(5))).unwrap(), Link::Object(5));
    let why = serde_json::from_str::<Link<Inner>>("\"a\"").unwrap_err().to_string();
    let expected = "invalid type: string \"a\", expected an object, the number of one, or null";
    assert!(why.starts_with(expected), "{why}");
    assert_eq!(serde_json::from_str::<Link<Inner>>("4294967296").unwrap(), Link::Number(1 << 32));
}

/// A deserializer that calls `visit_some` or `visit_none`, whatever type is requested.
struct Maybe(Option<u8>);

impl<'de> serde::Deserializer<'de> for Maybe {
    type Error = serde::de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        use serde::de::IntoDeserializer;
        match self.0 {
            Some(value) => visitor.visit_some(value.into_deserializer()),
            None => visitor.visit_none(),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        visitor.visit_newtype_struct(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// Deserializes strings that are not UTF-8, and strings with escapes, as each type that can be
/// requested.
#[test]
fn texts_that_are_no_text() {
    #[derive(Deserialize, PartialEq, Debug)]
    enum Variant {
        A,
        #[serde(other)]
        Other,
    }
    for (raw, bytes, at) in [(&b"\"\xE4\""[..], &b"\xE4"[..], 20), (b"\"\xE4\\n\"", b"\xE4\n", 20)]
    {
        assert_eq!(x::<Bytes>("S", raw), Ok(Bytes(bytes.to_vec())));
        let not_utf8 = format!("x: the text is not UTF-8 at offset {} ({:#x})", at + 1, at + 1);
        assert_eq!(x::<String>("S", raw), Err(not_utf8.clone()));
        assert_eq!(x::<Variant>("S", raw), Err(not_utf8));
        assert_eq!(x::<AnyBytes>("S", raw), Ok(AnyBytes(bytes.to_vec())));
    }
    assert_eq!(x::<Bytes>("S", b"\"a\\t\""), Ok(Bytes(b"a\t".to_vec())));
    assert_eq!(x::<Variant>("S", br#""\u0041""#), Ok(Variant::A));
    assert_eq!(x::<Variant>("S", br#""A\t""#), Ok(Variant::Other));
    assert_eq!(x::<Option<String>>("S", b"\"\""), Ok(Some(String::new())));
    assert_eq!(x::<Option<Option<Name>>>("S", b"\"a\""), Ok(Some(Some(Name("a".into())))));
    let why = x::<char>("S", b"\"ab\"").unwrap_err();
    assert!(why.starts_with("x: invalid value: string \"ab\", expected a character"), "{why}");
    assert_eq!(x::<char>("S", b"\"a\""), Ok('a'));
    assert_eq!(x::<IgnoredAny>("S", b"\"\xE4\"").map(|_| ()), Ok(()));
}

/// Bytes, requested with `deserialize_bytes`.
#[derive(PartialEq, Debug)]
struct Bytes(Vec<u8>);

/// Bytes, requested with `deserialize_any`.
#[derive(PartialEq, Debug)]
struct AnyBytes(Vec<u8>);

struct BytesVisitor;

impl<'de> Visitor<'de> for BytesVisitor {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes")
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_byte_buf(BytesVisitor).map(Self)
    }
}

impl<'de> Deserialize<'de> for AnyBytes {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(BytesVisitor).map(Self)
    }
}

/// The path of an error has a limited length.
#[test]
fn long_paths() {
    /// Returns the path of the error for a file of nested objects whose properties have names of
    /// these lengths, the innermost first. The innermost property has an integer type, and its
    /// value is not an integer.
    fn path(names: &[usize]) -> String {
        let mut value = "x".to_owned();
        for (at, len) in names.iter().enumerate() {
            let (ty, name) = (if at == 0 { "i" } else { "T" }, "n".repeat(*len));
            value = format!(r#"{{"class":"T","{ty}:{name}":{value}}}"#);
        }
        let text = format!("[{value}]");
        let error = from_items::<[Nested; 1]>(&mut TextReader::new(text.as_bytes())).unwrap_err();
        assert_eq!(error.kind(), Some(&ErrorKind::BadNumber));
        error.path().to_owned()
    }
    #[derive(Debug)]
    struct Nested;
    impl<'de> Deserialize<'de> for Nested {
        fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            from.deserialize_any(Self)
        }
    }
    impl<'de> Visitor<'de> for Nested {
        type Value = Self;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("objects in objects")
        }

        fn visit_str<E>(self, _: &str) -> Result<Self, E> {
            Ok(self)
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self, A::Error> {
            while map.next_entry::<String, Self>()?.is_some() {}
            Ok(self)
        }
    }
    let name = |len: usize| "n".repeat(len);
    assert_eq!(path(&[1]), "0/n");
    assert_eq!(path(&[2, 3]), "0/nnn/nn");
    // The maximum length, and one byte more.
    assert_eq!(path(&[4096]), name(4096));
    assert_eq!(path(&[4095]), format!("0/{}", name(4095)));
    assert_eq!(path(&[4097, 2]), "0/nn/…");
    assert_eq!(path(&[3, 4096, 5]), format!("{}/nnn", name(4096)));
    assert_eq!(path(&[4000, 95, 5]), format!("{}/{}", name(95), name(4000)));
    assert_eq!(path(&[4000, 94, 5]), format!("nnnnn/{}/{}", name(94), name(4000)));
}

/// The size hints of a sequence, recorded before each element and at the end.
struct Hints(Vec<Option<usize>>);

impl<'de> Deserialize<'de> for Hints {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_seq(Self(Vec::new()))
    }
}

impl<'de> Visitor<'de> for Hints {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<Self, A::Error> {
        self.0.push(seq.size_hint());
        while seq.next_element::<IgnoredAny>()?.is_some() {
            self.0.push(seq.size_hint());
        }
        self.0.push(seq.size_hint());
        Ok(self)
    }
}

/// An array or a vector gives a size hint if at least that many bytes follow, or if all remaining
/// elements are omitted. A list gives a size hint only if all remaining elements are omitted.
#[test]
fn hints() {
    let hints = |ty: &str, value: &[u8]| x::<Hints>(ty, value).unwrap().0;
    assert_eq!(hints("i[]", b"[2,1,2]"), [Some(2), Some(1), Some(0), Some(0)]);
    assert_eq!(hints("v3", b"[1,2,3]"), [Some(3), Some(2), Some(1), Some(0), Some(0)]);
    let few = hints("i[]", b"[9,1]");
    assert_eq!((few[0], few[1], few[2]), (None, None, Some(7)));
    assert_eq!(few[8..], [Some(1), Some(0), Some(0)]);
    assert_eq!(hints("K[]", b"[3,null]"), [None, None, Some(1), Some(0), Some(0)]);
    assert_eq!(hints("S[]", b"[1,\"a\"]"), [None, None, Some(0)]);
}

/// An item source that yields items that no reader would yield.
struct Wrong<'a> {
    reader: TextReader<'a>,
    changes: &'static [(usize, Option<Item<'static>>)],
    given: usize,
}

impl<'a> ItemSource<'a> for Wrong<'a> {
    fn next(&mut self) -> Result<Option<Item<'a>>, Error> {
        let at = self.given;
        self.given += 1;
        match self.changes.iter().find(|(place, _)| *place == at) {
            Some((_, item)) => Ok(*item),
            None => self.reader.next(),
        }
    }

    fn skip(&mut self) -> Result<(), Error> {
        self.reader.skip()
    }

    fn offset(&self) -> u64 {
        self.reader.offset()
    }
}

/// Item sources other than the readers of this crate may yield items in any order.
#[test]
fn items_out_of_turn() {
    const TEXT: &[u8] = br#"[{"class":"C","i:x":1}]"#;
    type Map = BTreeMap<String, IgnoredAny>;
    fn why(changes: &'static [(usize, Option<Item<'static>>)]) -> String {
        let mut items = Wrong { reader: TextReader::new(TEXT), changes, given: 0 };
        read_object::<BTreeMap<String, u8>>(&mut items).unwrap_err().to_string()
    }
    let unexpected = "not the item that is expected here";
    // The values of this map are integers, but that of `class` is a string.
    assert!(why(&[]).starts_with("class: invalid type: string"));
    let read = |changes: &'static [(usize, Option<Item<'static>>)]| {
        let mut items = Wrong { reader: TextReader::new(TEXT), changes, given: 0 };
        #[derive(Deserialize, Debug)]
        struct Object {
            x: u8,
        }
        match read_object::<Object>(&mut items) {
            Ok(object) => Ok(object.map(|object| object.x)),
            Err(error) => Err(error.to_string()),
        }
    };
    assert_eq!(read(&[]), Ok(Some(1)));
    assert_eq!(read(&[(0, None)]), Ok(None));
    assert_eq!(read(&[(0, Some(Item::End))]), Ok(None));
    assert_eq!(read(&[(1, Some(Item::Null))]), Err(format!("{unexpected} at offset 13 (0xd)")));
    assert_eq!(read(&[(1, None)]), Err(format!("{unexpected} at offset 13 (0xd)")));
    assert_eq!(read(&[(2, Some(Item::End))]), Err(format!("x: {unexpected} at offset 20 (0x14)")));
    assert_eq!(read(&[(2, None)]), Err(format!("x: {unexpected} at offset 20 (0x14)")));
    // A pointer is inserted before the value, and is read as the value. The reader then yields the
    // real value, where only a property or an end is allowed.
    let of_two = read(&[(2, Some(Item::Pointer(9)))]);
    assert_eq!(of_two, Err(format!("{unexpected} at offset 20 (0x14)")));
    let mut items = Wrong { reader: TextReader::new(TEXT), changes: &[], given: 0 };
    assert_eq!(read_object::<Map>(&mut items).unwrap().unwrap().len(), 2);
}

/// A visitor that requests a value before the first key, and keys after the end.
struct Careless(Vec<String>);

impl<'de> DeserializeSeed<'de> for Careless {
    type Value = Vec<String>;

    fn deserialize<D: serde::Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Careless {
    type Value = Vec<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self::Value, A::Error> {
        let error = map.next_value::<IgnoredAny>().unwrap_err();
        self.0.push(error.to_string());
        while let Some(key) = map.next_key::<String>()? {
            self.0.push(key);
        }
        assert!(map.next_key::<String>()?.is_none() && map.next_key::<String>()?.is_none());
        Ok(self.0)
    }
}

#[test]
fn map_access_without_order_is_safe() {
    let text = br#"[{"class":"C","i:x":1,"S:y":"z"},{"class":"D"}]"#;
    let mut reader = TextReader::new(text);
    let mut objects = Deserializer::new(&mut reader);
    let found = objects.read_seed(Careless(Vec::new())).unwrap().unwrap();
    let error = "not the item that is expected here at offset 1 (0x1)";
    assert_eq!(found, [error, "class", "x", "y"]);
    let found = objects.read_seed(Careless(Vec::new())).unwrap().unwrap();
    assert_eq!(found.len(), 2);
    assert!(objects.read::<IgnoredAny>().unwrap().is_none());
}

/// UTF-16 units in binary saves can be deserialized as numbers and as characters.
#[test]
fn units() {
    let mut writer = BinaryWriter::new(Vec::new(), Era::October2024);
    writer.object("T", Some(1)).unwrap();
    writer.put("x", &[65_u16, 0xD83D][..]).unwrap();
    writer.end().unwrap();
    let stream = writer.finish().unwrap();
    #[derive(Deserialize, Debug)]
    struct Object<T> {
        x: T,
    }
    fn read<T: DeserializeOwned + Debug>(stream: &[u8]) -> Result<T, String> {
        let mut tables = Tables::new();
        let mut reader = BinaryReader::new(stream, Era::October2024, &mut tables);
        match read_object::<Object<T>>(&mut reader) {
            Ok(object) => Ok(object.unwrap().x),
            Err(error) => Err(error.to_string()),
        }
    }
    assert_eq!(read::<Vec<u16>>(&stream), Ok(vec![65, 0xD83D]));
    let why = read::<Vec<char>>(&stream).unwrap_err();
    let expected = "x/1: invalid type: integer `55357`, expected a character at offset ";
    assert!(why.starts_with(expected), "{why}");
    assert_eq!(read::<(char, u32)>(&stream), Ok(('A', 0xD83D)));
}
