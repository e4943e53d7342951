//! Tests values of properties in rare forms: keys of every kind, nested containers, tags with
//! additional fields, and texts and paths in all forms.

use crate::support::unreal::saves::{Bytes, In, UE4_27, first, structure, written};
use gamewire::unreal::properties::{Counts, OpaqueReason, Overridden, Reference, References};
use gamewire::unreal::tables::{AssetPath, SoftObjectPath, SubPath};
use gamewire::unreal::{
    ErrorKind, Guid, Layout, ListBuf, Name, ObjectRef, Properties, PropertyKind, PropertyTypeBuf,
    PropertyValue, PropertyVisitor, PropertyWriter, Save, StrBuf, Tag, TagBuf, Utf8StrRef,
};
use serde_json::json;

/// A value in a map is found by the printed form of its key, and not by similar text. If the keys
/// are texts, paths or GUIDs, the case of ASCII letters does not matter.
#[test]
fn keys_of_every_kind() {
    use PropertyValue as V;
    let (text, path) = (StrBuf::new("Wörd 1"), StrBuf::new("/Game/Map.Map:A"));
    let guid = Guid([0xABCDEF01, 2, 3, 4]);
    let cases: [(PropertyKind, V<'_>, &[&str], &[&str]); 11] = [
        (PropertyKind::Bool, V::Bool(true), &["true"], &["True", "1", "false", ""]),
        (PropertyKind::Int8, V::Int(-5), &["-5"], &["5", "-5 ", "-", "-50"]),
        (PropertyKind::Int64, V::Int(i64::MAX), &["9223372036854775807"], &["9223372036854775806"]),
        (PropertyKind::UInt64, V::UInt(u64::MAX), &["18446744073709551615"], &["-1"]),
        (PropertyKind::Float, V::Float(0.1), &["0.1"], &["0.10", "0.1f", "0"]),
        (PropertyKind::Float, V::Float(2.0), &["2.0"], &["2", "2.00"]),
        (PropertyKind::Double, V::Double(-1e300), &["-1e300"], &["-1E300", "1e300"]),
        (PropertyKind::Str, V::Str(text.as_text()), &["Wörd 1", "wöRD 1"], &["Wörd", "WÖRD 1"]),
        (
            PropertyKind::Utf8Str,
            V::Utf8Str(Utf8StrRef::new("名 a")),
            &["名 a", "名 A"],
            &["名", "名 b"],
        ),
        (
            PropertyKind::Object,
            V::Object(ObjectRef::Path(path.as_text())),
            &["/Game/Map.Map:A", "/game/map.map:a"],
            &["/Game/Map", "Map"],
        ),
        (
            PropertyKind::LazyObject,
            V::Guid(guid),
            &["ABCDEF01000000020000000300000004", "abcdef01000000020000000300000004"],
            &["ABCDEF01-00000002-00000003-00000004"],
        ),
    ];
    for (kind, key, found, not) in cases {
        let of =
            PropertyTypeBuf::map(PropertyTypeBuf::of(kind), PropertyTypeBuf::of(PropertyKind::Int));
        let tag = TagBuf::in_save("A", &of);
        let file = written(UE4_27, |list| {
            let mut map = list.container(&tag).unwrap();
            map.value(&key).unwrap();
            map.value(&V::Int(7)).unwrap();
            map.finish().unwrap();
        });
        first(&file, |tag| {
            let V::Map(map) = tag.value() else { panic!("{:?}", tag.value()) };
            for text in found {
                assert!(matches!(map.get(text), Some(V::Int(7))), "{kind:?} {text}");
                assert!(matches!(map.entries().get(text), Some(V::Int(7))), "{kind:?} {text}");
            }
            for text in not {
                assert!(map.get(text).is_none(), "{kind:?} {text}");
            }
        });
    }
    // The key is a struct, which has no text form.
    let of = PropertyTypeBuf::map(
        PropertyTypeBuf::structure("Vector2D", "B"),
        PropertyTypeBuf::of(PropertyKind::Int),
    );
    let bytes = Bytes::default().i32(0).i32(1).f64(1.0).f64(2.0).i32(7);
    first(&In::ue5(1012).file(&of, &bytes.0), |tag| {
        let V::Map(map) = tag.value() else { panic!("{:?}", tag.value()) };
        assert!(map.get("").is_none() && map.get("x").is_none());
        assert_eq!(map.entries().len(), 1);
    });
}

/// From 5:1012 on, containers can be nested.
#[test]
fn containers_in_containers() {
    let of = PropertyTypeBuf::map(
        PropertyTypeBuf::of(PropertyKind::Int),
        PropertyTypeBuf::array(PropertyTypeBuf::of(PropertyKind::Int)),
    );
    assert_eq!(of.parameters().len(), 2);
    assert_eq!(of.parameters()[0], PropertyTypeBuf::of(PropertyKind::Int));
    let begin = || Bytes::default().i32(0).i32(2);
    let bytes = begin().i32(5).i32(2).i32(8).i32(9).i32(6).i32(0);
    first(&In::ue5(1012).file(&of, &bytes.0), |tag| {
        let json = serde_json::to_value(tag).unwrap();
        let entries = json!([{ "key": 5, "value": [8, 9] }, { "key": 6, "value": [] }]);
        assert_eq!(json["value"], json!({ "removed": [], "entries": entries }));
        assert_eq!(json["type"], "MapProperty(IntProperty,ArrayProperty(IntProperty))");
    });
    let of = PropertyTypeBuf::array(PropertyTypeBuf::set(PropertyTypeBuf::of(PropertyKind::Str)));
    let bytes = Bytes::default().i32(1).i32(0).i32(1).text("x");
    first(&In::ue5(1012).file(&of, &bytes.0), |tag| {
        let json = serde_json::to_value(tag).unwrap();
        assert_eq!(json["value"], json!([{ "removed": [], "values": ["x"] }]));
    });
    let of =
        PropertyTypeBuf::array(PropertyTypeBuf::optional(PropertyTypeBuf::of(PropertyKind::Int)));
    let bytes = Bytes::default().i32(2).i32(1).i32(7).i32(0);
    first(&In::ue5(1012).file(&of, &bytes.0), |tag| {
        let json = serde_json::to_value(tag).unwrap();
        assert_eq!(json["value"], json!([{ "set": true, "value": 7 }, { "set": false }]));
    });
    // Elements can be written one by one as bytes.
    let of = PropertyTypeBuf::array(PropertyTypeBuf::of(PropertyKind::Int));
    let tag = TagBuf::in_save("A", &of);
    let file = written(In::ue5(1012), |list| {
        let mut array = list.container(&tag).unwrap();
        array.bytes(&7i32.to_le_bytes()).unwrap();
        array.bytes(&8i32.to_le_bytes()).unwrap();
        array.finish().unwrap();
    });
    first(&file, |tag| assert_eq!(serde_json::to_value(tag).unwrap()["value"], json!([7, 8])));
}

/// Values that are nested up to the limit can be read, and deeper values are opaque.
#[test]
fn values_in_values() {
    fn nest(mut list: PropertyWriter<'_, '_, Vec<u8>>, left: usize) {
        match left.checked_sub(1) {
            Some(left) => {
                let of = PropertyTypeBuf::structure("Own", "/Script/Game");
                let tag = TagBuf::in_save("A", &of);
                nest(list.nested(&tag).unwrap(), left);
            }
            None => {
                let of = PropertyTypeBuf::array(PropertyTypeBuf::of(PropertyKind::Int));
                let bytes = Bytes::default().i32(1).i32(7);
                list.bytes(&TagBuf::in_save("A", &of), &bytes.0).unwrap();
            }
        }
        list.finish().unwrap();
    }
    for (structs, expected) in
        [(1, Ok(())), (47, Ok(())), (48, Err(ErrorKind::TooDeep { limit: 48 }))]
    {
        let file = UE4_27.save(|save| {
            let mut file = Vec::new();
            save.write_header(&mut file).unwrap();
            nest(PropertyWriter::new(&mut file, &save.properties()), structs);
            file
        });
        let save = Save::open(&file).unwrap();
        let (mut list, mut depth) = (save.properties(), 0);
        let found = loop {
            match list.next().unwrap().unwrap().value() {
                PropertyValue::Struct(inside) => (list, depth) = (inside, depth + 1),
                PropertyValue::Array(_) => break Ok(()),
                PropertyValue::Opaque(_, OpaqueReason::Malformed(error)) => {
                    break Err(*error.kind());
                }
                other => panic!("{other:?}"),
            }
        };
        assert_eq!((depth, found), (structs, expected));
    }
}

/// From 5:1011 on, a tag can state that the property overrides another value.
#[test]
fn overrides() {
    let overridden = Some(Overridden { operation: 3, experimental: true });
    for versions in [In::ue5(1011), In::ue5(1012), In::ue5(1018)] {
        let mut tag = TagBuf::in_save("A", &PropertyTypeBuf::of(PropertyKind::Int));
        tag.overridden = overridden;
        let file = written(versions, |list| list.value(&tag, &PropertyValue::Int(5)).unwrap());
        first(&file, |read| {
            assert_eq!(read.head().overridden, overridden);
            let json = serde_json::to_value(read).unwrap();
            assert_eq!(json["override"], json!({ "operation": 3, "experimental": true }));
            assert_eq!(json["value"], 5);
            // A tag that was read is written with the same value of `overridden`.
            let again = versions.save(|save| {
                let mut again = Vec::new();
                save.write_header(&mut again).unwrap();
                let mut list = PropertyWriter::new(&mut again, &save.properties());
                list.value(read, &read.value()).unwrap();
                list.value(&read.head(), &PropertyValue::Int(6)).unwrap();
                list.finish().unwrap();
                again
            });
            let save = Save::open(&again).unwrap();
            let values: Vec<_> = save
                .properties()
                .map(|tag| {
                    let tag = tag.unwrap();
                    assert_eq!(tag.head().overridden, overridden);
                    format!("{:?}", tag.value())
                })
                .collect();
            assert_eq!(values, ["Int(5)", "Int(6)"]);
        });
    }
    let file = written(UE4_27, |list| {
        let mut tag = TagBuf::in_save("A", &PropertyTypeBuf::of(PropertyKind::Int));
        tag.overridden = overridden;
        list.value(&tag, &PropertyValue::Int(5)).unwrap();
    });
    first(&file, |tag| assert_eq!(tag.head().overridden, None, "there is no place for it"));
}

/// A visitor that does not descend into a property receives none of its contents.
#[test]
fn visitors() {
    #[derive(Default)]
    struct Seen(Vec<String>, bool);
    impl<'p> PropertyVisitor<'p> for Seen {
        fn enter(&mut self, tag: &Tag<'p>) -> bool {
            self.0.push(tag.name().to_string());
            self.1 || tag.name() != *"List"
        }

        fn value(&mut self, value: &PropertyValue<'p>) {
            if let PropertyValue::Int(value) = value {
                self.0.push(value.to_string());
            }
        }
    }
    struct Ints(i64);
    impl<'p> PropertyVisitor<'p> for Ints {
        fn value(&mut self, value: &PropertyValue<'p>) {
            if let PropertyValue::Int(value) = value {
                self.0 += value;
            }
        }
    }
    let int = |name| TagBuf::in_save(name, &PropertyTypeBuf::of(PropertyKind::Int));
    let file = written(UE4_27, |list| {
        let of = PropertyTypeBuf::structure("Own", "/Script/Game");
        let mut nested = list.nested(&TagBuf::in_save("List", &of)).unwrap();
        nested.value(&int("In"), &PropertyValue::Int(1)).unwrap();
        nested.finish().unwrap();
        list.value(&int("Out"), &PropertyValue::Int(20)).unwrap();
        let names = [StrBuf::new("Tag.One"), StrBuf::new("Tag.Two")];
        let container = structure("GameplayTagContainer");
        let mut tags = list.container(&container).unwrap();
        for name in &names {
            let name = gamewire::unreal::NameRef::Text(name.as_text());
            tags.value(&PropertyValue::Name(name)).unwrap();
        }
        tags.finish().unwrap();
    });
    let save = Save::open(&file).unwrap();
    let mut seen = Seen::default();
    save.properties().visit(&mut seen).unwrap();
    assert_eq!(seen.0, ["List", "Out", "20", "A"]);
    let mut seen = Seen(Vec::new(), true);
    save.properties().visit(&mut seen).unwrap();
    assert_eq!(seen.0, ["List", "In", "1", "Out", "20", "A"]);
    let mut ints = Ints(0);
    save.properties().visit(&mut ints).unwrap();
    assert_eq!(ints.0, 21);
    let mut names = Vec::new();
    let list = save.properties();
    let tell = |reference| {
        let Reference::Name(name) = reference else { panic!("{reference:?}") };
        names.push(list.name(name).to_string());
    };
    list.visit(&mut References(tell)).unwrap();
    assert_eq!(names, ["List", "In", "Out", "A", "Tag.One", "Tag.Two"]);
    let mut counts = Counts::default();
    save.properties().visit(&mut counts).unwrap();
    assert_eq!((counts.properties, counts.elements, counts.opaque), (4, 0, 0));
}

/// A visitor gets each struct in an array before the end of the struct is known. It can still be
/// written as a value.
#[test]
fn visited_structs_are_written_as_values() {
    #[derive(Default)]
    struct Structs<'p>(Vec<Properties<'p>>);
    impl<'p> PropertyVisitor<'p> for Structs<'p> {
        fn value(&mut self, value: &PropertyValue<'p>) {
            if let PropertyValue::Struct(list) = value {
                self.0.push(*list);
            }
        }
    }
    let int = |name| TagBuf::in_save(name, &PropertyTypeBuf::of(PropertyKind::Int));
    let own = PropertyTypeBuf::structure("Own", "/Script/Game");
    let file = written(UE4_27, |list| {
        let all = TagBuf::in_save("All", &PropertyTypeBuf::array(own.clone()));
        let mut all = list.container(&all).unwrap();
        for number in 1..=3 {
            let mut each = all.nested().unwrap();
            each.value(&int("In"), &PropertyValue::Int(number)).unwrap();
            each.finish().unwrap();
        }
        all.finish().unwrap();
    });
    let save = Save::open(&file).unwrap();
    let mut structs = Structs::default();
    save.properties().visit(&mut structs).unwrap();
    let copy = written(UE4_27, |list| {
        for of in &structs.0 {
            list.value(&TagBuf::in_save("One", &own), &PropertyValue::Struct(*of)).unwrap();
        }
    });
    let copy = Save::open(&copy).unwrap();
    let numbers = copy.properties().map(|tag| {
        let PropertyValue::Struct(mut list) = tag.unwrap().value() else { panic!() };
        let PropertyValue::Int(number) = list.next().unwrap().unwrap().value() else { panic!() };
        assert!(list.next().is_none());
        number
    });
    assert!(numbers.eq(1..=3));
}

/// Soft object paths of several versions. The path is one name, or the names of a package and an
/// asset. The subpath is an `FString` or an `FUtf8String`.
#[test]
fn paths_of_assets() {
    let [package, asset] = [3, 5].map(|index| Name { index, number: index });
    let text = StrBuf::new("Sub.Path");
    let whole = AssetPath::Whole(package);
    let parts = AssetPath::Parts { package, asset };
    let utf8 = SubPath::Utf8(Utf8StrRef::new("Süb"));
    for (ue5, fortnite_main, path, sub_path) in [
        (0, -1, whole, SubPath::Text(text.as_text())),
        (1006, 191, whole, SubPath::Text(text.as_text())),
        (1007, 191, parts, SubPath::Text(text.as_text())),
        (1018, 192, parts, utf8),
    ] {
        let mut layout = Layout::default();
        layout.versions.ue5 = ue5;
        layout.custom.fortnite_main = fortnite_main;
        let entry = SoftObjectPath { path, sub_path };
        let list = ListBuf::new([entry, entry], &layout).unwrap();
        let list = list.list::<SoftObjectPath<'_>>().unwrap();
        assert!(list.iter().map(Result::unwrap).eq([entry, entry]), "{ue5}");
        let names = if path == whole { 8 } else { 16 };
        let text = if sub_path == utf8 { 4 + 4 } else { 4 + 9 };
        assert_eq!(list.bytes().len(), 2 * (names + text), "{ue5}");
        assert_eq!(format!("{:?}", list.iter()), "Records { left: 2, .. }");
    }
    assert_eq!(utf8.to_string(), "Süb");
    assert_eq!(format!("{utf8:?}"), r#""S\xc3\xbcb""#);
}

/// The text of a `Utf8StrProperty` need not be UTF-8.
#[test]
fn text_that_is_not_utf8() {
    for (bytes, shown) in [
        (&b"a\xFFb"[..], "a\u{FFFD}b"),
        (b"\xE5\x90", "\u{FFFD}"),
        (b"\xFF\xFF", "\u{FFFD}\u{FFFD}"),
        (b"ok", "ok"),
    ] {
        let value = Bytes::default().i32(bytes.len() as i32).bytes(bytes);
        first(&UE4_27.file(&PropertyTypeBuf::of(PropertyKind::Utf8Str), &value.0), |tag| {
            let PropertyValue::Utf8Str(text) = tag.value() else { panic!("{:?}", tag.value()) };
            assert_eq!((text.to_string(), text.bytes()), (shown.to_owned(), bytes));
            assert_eq!(text.as_str(), std::str::from_utf8(bytes).ok());
            assert_eq!(format!("{text:?}"), format!("\"{}\"", bytes.escape_ascii()));
            assert_eq!(serde_json::to_value(tag).unwrap()["value"], shown);
        });
    }
}

/// A tag has the offset of its property, and a map has the types of its keys and values.
#[test]
fn places_and_types() {
    let of = PropertyTypeBuf::map(
        PropertyTypeBuf::of(PropertyKind::Str),
        PropertyTypeBuf::of(PropertyKind::Int),
    );
    let bytes = Bytes::default().i32(0).i32(1).text("k").i32(7);
    let file = UE4_27.file(&of, &bytes.0);
    first(&file, |tag| {
        let at = tag.offset() as usize;
        assert_eq!(file[at..at + 6], *b"\x02\0\0\0A\0");
        assert_eq!(tag.offset(), tag.head().offset);
        let PropertyValue::Map(map) = tag.value() else { panic!("{:?}", tag.value()) };
        let entries = map.entries();
        assert_eq!(
            (entries.key().kind(), entries.value().kind()),
            (PropertyKind::Str, PropertyKind::Int)
        );
    });
}

/// The head of a tag that was read can be the tag of a new value. The value may be a container that
/// is written element by element.
#[test]
fn heads_of_tags() {
    let ints = PropertyTypeBuf::array(PropertyTypeBuf::of(PropertyKind::Int));
    let bytes = Bytes::default().i32(2).i32(7).i32(8);
    for versions in [UE4_27, In::ue5(1012)] {
        let file = versions.file(&ints, &bytes.0);
        first(&file, |tag| {
            let head = tag.head();
            let again = written(versions, |list| {
                let mut array = list.container(&head).unwrap();
                array.value(&PropertyValue::Int(7)).unwrap();
                assert!(array.value(&PropertyValue::Float(7.0)).is_err());
                array.value(&PropertyValue::Int(8)).unwrap();
                array.finish().unwrap();
            });
            assert_eq!(again, file);
        });
    }
}
