//! Reads nested values: elements of every kind, structs that tags or hints from the caller
//! describe, and names that look like other names.

use crate::support::unreal::saves::{Bytes, In, UE4_27, first, written};
use gamewire::unreal::properties::OpaqueReason;
use gamewire::unreal::{
    NameRef, PropertyKind, PropertyTypeBuf, PropertyValue, Save, StrBuf, StructHint, TagBuf,
};
use serde_json::json;

fn of(kind: PropertyKind) -> PropertyTypeBuf {
    PropertyTypeBuf::of(kind)
}

fn engine(name: &'static str) -> PropertyTypeBuf {
    PropertyTypeBuf::structure(name, "/Script/CoreUObject")
}

fn own() -> PropertyTypeBuf {
    PropertyTypeBuf::structure("Own", "/Script/Game")
}

/// Returns the value of a property as JSON.
fn value_of(versions: In, of: &PropertyTypeBuf, bytes: &Bytes) -> serde_json::Value {
    let json = first(&versions.file(of, &bytes.0), |tag| serde_json::to_value(tag).unwrap());
    json["value"].clone()
}

/// A value of the kind `Byte` is a number or the name of an enum's member. In an array, the size of
/// the elements tells which. In a set or a map, the values are names if they cannot be read as
/// numbers. Outside of containers, a value of more than one byte is a name.
#[test]
fn bytes_and_members_of_enums() {
    let bytes = Bytes::default;
    let byte = || of(PropertyKind::Byte);
    let names = || bytes().i32(2).text("E::A").text("E::B");
    let numbers = || bytes().i32(3).bytes(&[7, 8, 9]);
    let none = || bytes().i32(0);
    let set = |values| json!({ "removed": [], "values": values });
    let entry = |key| json!({ "removed": [], "entries": [{ "key": key, "value": 5 }] });
    let cases = [
        (byte(), bytes().bytes(&[7]), json!(7)),
        (byte(), bytes().text("E::A"), json!("E::A")),
        (PropertyTypeBuf::array(byte()), numbers(), json!([7, 8, 9])),
        (PropertyTypeBuf::array(byte()), bytes().i32(1).bytes(&[7]), json!([7])),
        (PropertyTypeBuf::array(byte()), none(), json!([])),
        (PropertyTypeBuf::array(byte()), names(), json!(["E::A", "E::B"])),
        (PropertyTypeBuf::set(byte()), none().bytes(&numbers().0), set(json!([7, 8, 9]))),
        (PropertyTypeBuf::set(byte()), none().bytes(&names().0), set(json!(["E::A", "E::B"]))),
        (
            PropertyTypeBuf::map(byte(), of(PropertyKind::Int)),
            none().i32(1).i8(7).i32(5),
            entry(json!(7)),
        ),
        (
            PropertyTypeBuf::map(byte(), of(PropertyKind::Int)),
            none().i32(1).text("E::A").i32(5),
            entry(json!("E::A")),
        ),
        (
            PropertyTypeBuf::optional(byte()),
            bytes().i32(1).bytes(&[7]),
            json!({ "set": true, "value": 7 }),
        ),
    ];
    for (of, bytes, expected) in cases {
        assert_eq!(value_of(UE4_27, &of, &bytes), expected, "{of}");
    }
    // In an optional, a byte is always a number.
    let bytes = bytes().i32(1).text("E::A");
    first(&UE4_27.file(&PropertyTypeBuf::optional(byte()), &bytes.0), |tag| {
        let value = tag.value();
        assert!(matches!(value, PropertyValue::Opaque(_, OpaqueReason::LeftOver(8))), "{value:?}");
    });
}

/// Reads elements that have a fixed size, and elements of kinds that are texts only in saves.
#[test]
fn elements_of_every_size() {
    let bytes = Bytes::default;
    let count = || bytes().i32(2);
    let guid = "07070707070707070707070707070707";
    let cases = [
        (of(PropertyKind::Bool), count().bytes(&[1, 0]), json!([true, false])),
        (of(PropertyKind::Int8), count().bytes(&[1, 0xFF]), json!([1, -1])),
        (of(PropertyKind::Int16), count().bytes(&[1, 0, 0xFF, 0xFF]), json!([1, -1])),
        (of(PropertyKind::UInt16), count().bytes(&[1, 0, 0xFF, 0xFF]), json!([1, 65535])),
        (of(PropertyKind::UInt32), count().i32(1).i32(-1), json!([1, u32::MAX])),
        (of(PropertyKind::Int64), count().i64(1).i64(-1), json!([1, -1])),
        (of(PropertyKind::Double), count().f64(0.5).f64(-1.0), json!([0.5, -1.0])),
        (of(PropertyKind::Object), count().text("/A").text("/Game/B"), json!(["/A", "/Game/B"])),
        (of(PropertyKind::Interface), count().text("/A").text(""), json!(["/A", ""])),
        (of(PropertyKind::LazyObject), count().bytes(&[7; 32]), json!([guid, guid])),
    ];
    for (of, bytes, expected) in cases {
        for versions in [UE4_27, In::ue5(1012)] {
            let array = PropertyTypeBuf::array(of.clone());
            assert_eq!(value_of(versions, &array, &bytes), expected, "{of}");
            let set = value_of(versions, &PropertyTypeBuf::set(of.clone()), &bytes_of_set(&bytes));
            assert_eq!(set, json!({ "removed": [], "values": expected }), "{of}");
        }
    }
}

/// Returns the bytes of a set that has the elements of `array`.
fn bytes_of_set(array: &Bytes) -> Bytes {
    Bytes::default().i32(0).bytes(&array.0)
}

/// A struct whose tag states a native form is decoded if the struct is known, and is read as bytes
/// otherwise. In a container, such a struct may still be a list of properties with tags. The tag of
/// an optional does not describe the struct in it.
#[test]
fn forms_of_structs() {
    let versions = In::ue5(1012);
    let list = || Bytes::default().text("None");
    let vector = || Bytes::default().f64(1.0).f64(2.0).f64(3.0);
    let read = |of: &PropertyTypeBuf,
                native,
                bytes: &Bytes,
                see: fn(PropertyValue<'_>) -> &'static str| {
        let mut tag = TagBuf::in_save("A", of);
        tag.native = native;
        let file = written(versions, |to| to.bytes(&tag, &bytes.0).unwrap());
        first(&file, |tag| see(tag.value()))
    };
    fn seen(value: PropertyValue<'_>) -> &'static str {
        match value {
            PropertyValue::Struct(_) => "list",
            PropertyValue::Native(..) => "fields",
            PropertyValue::Opaque(_, OpaqueReason::NativeStruct) => "unknown",
            PropertyValue::Opaque(..) => "bytes",
            PropertyValue::Array(mut of) | PropertyValue::Optional(mut of) => {
                of.next().map_or("nothing", seen)
            }
            other => panic!("{other:?}"),
        }
    }
    let one = |bytes: Bytes| Bytes::default().i32(1).bytes(&bytes.0);
    for (of, native, bytes, expected) in [
        (own(), false, list(), "list"),
        (own(), true, list(), "unknown"),
        (engine("Vector"), true, vector(), "fields"),
        (engine("Vector"), false, list(), "list"),
        (engine("Vector"), false, vector(), "bytes"),
        (PropertyTypeBuf::array(own()), true, one(list()), "list"),
        (PropertyTypeBuf::array(own()), false, one(list()), "list"),
        (PropertyTypeBuf::array(engine("Vector")), true, one(vector()), "fields"),
        (PropertyTypeBuf::array(engine("Vector")), false, one(list()), "list"),
        (PropertyTypeBuf::optional(engine("Vector")), true, one(vector()), "fields"),
        (PropertyTypeBuf::optional(engine("Vector")), false, one(vector()), "fields"),
    ] {
        assert_eq!(read(&of, native, &bytes, seen), expected, "{of} {native}");
    }
}

/// In files below 4:366, the fields of curve keys have tags.
#[test]
fn structs_that_had_tags() {
    let fields = Bytes::default().bytes(&[0; 27]);
    let list = Bytes::default().text("None");
    for (ue4, bytes, is_native) in [(365, &list, false), (366, &fields, true)] {
        first(&In::ue4(ue4).file(&engine("RichCurveKey"), &bytes.0), |tag| match tag.value() {
            PropertyValue::Native(native, _) => {
                assert_eq!((native.name, is_native), ("RichCurveKey", true));
            }
            PropertyValue::Struct(_) => assert!(!is_native),
            other => panic!("{other:?}"),
        });
    }
}

/// A struct that neither the file nor a hint names is read as properties only if the types of all
/// its tags end in `Property`.
#[test]
fn structs_that_nobody_names() {
    let element =
        |kind: &str| Bytes::default().text("In").text(kind).i32(4).i32(0).i32(7).text("None");
    let of = PropertyTypeBuf::array(of(PropertyKind::Struct));
    for (kind, is_list) in [
        ("IntProperty", true),
        ("NewProperty", true),
        ("Property", true),
        ("Int", false),
        ("IntPropertyOfMine", false),
    ] {
        let bytes = Bytes::default().i32(1).bytes(&element(kind).0);
        first(&In::ue4(482).file(&of, &bytes.0), |tag| {
            let value = tag.value();
            assert_eq!(matches!(value, PropertyValue::Array(_)), is_list, "{kind} {value:?}");
        });
    }
}

/// The caller may supply struct names that the file omits: for elements of arrays in files below
/// 4:500, and for keys and values of maps.
#[test]
fn hints() {
    let guids = Bytes::default().i32(1).bytes(&[0x97; 16]);
    let array = PropertyTypeBuf::array(of(PropertyKind::Struct));
    let map = PropertyTypeBuf::map(of(PropertyKind::Struct), of(PropertyKind::Struct));
    let entries = Bytes::default().i32(0).i32(1).bytes(&[0x97; 16]).i64(5);
    let hint = StructHint { property: "A", key: Some("Guid"), value: Some("DateTime") };
    let array_hint = StructHint { property: "A", key: None, value: Some("Guid") };
    let cases = [
        (In::ue4(499), &array, &guids, array_hint, true),
        // Without a hint, the type is inferred.
        (In::ue4(499), &array, &guids, StructHint { property: "B", ..array_hint }, true),
        (In::ue4(499), &array, &guids, StructHint { property: ".B.A", ..array_hint }, true),
        (UE4_27, &map, &entries, StructHint { property: ".a", ..hint }, true),
        (In::ue4(500), &array, &guids, array_hint, false),
        (UE4_27, &map, &entries, hint, true),
        // The type of the keys is inferred.
        (UE4_27, &map, &entries, StructHint { key: None, ..hint }, true),
    ];
    for (versions, of, bytes, hint, fits) in cases {
        let file = versions.file(of, &bytes.0);
        let hints = [hint];
        let save = Save::open(&file).unwrap().with_hints(&hints);
        let tag = save.properties().next().unwrap().unwrap();
        match tag.value() {
            PropertyValue::Array(mut all) => {
                assert!(matches!(all.next(), Some(PropertyValue::Guid(_))), "{hint:?}");
                assert!(fits, "{hint:?}");
            }
            PropertyValue::Map(map) => {
                let (key, value) = map.entries().next().unwrap();
                assert!(matches!(key, PropertyValue::Guid(_)), "{key:?}");
                assert!(matches!(value, PropertyValue::Int(5)) && fits, "{value:?}");
            }
            other => assert!(!fits && matches!(other, PropertyValue::Opaque(..)), "{other:?}"),
        }
    }
}

/// A hint with a path applies only to the property at this path, and a hint with a name to any
/// property with this name. Elements of containers add nothing to a path.
#[test]
fn hints_by_path() {
    let list = |inner: &Bytes| {
        let tag = Bytes::default().text("Tints").text("MapProperty").i32(0).i32(0);
        let tag = tag.text("IntProperty").text("StructProperty").bytes(&[0]);
        let mut tag = tag.0;
        let at = 4 + 6 + 4 + 12;
        tag[at..at + 4].copy_from_slice(&(inner.0.len() as i32).to_le_bytes());
        Bytes(tag).bytes(&inner.0).text("None")
    };
    let color = Bytes::default().i32(0).i32(1).i32(5).bytes(&0.5f32.to_le_bytes().repeat(4));
    let heroes = PropertyTypeBuf::map(of(PropertyKind::Int), of(PropertyKind::Struct));
    let entries = Bytes::default().i32(0).i32(1).i32(9).bytes(&list(&color).0);
    let file = UE4_27.file(&heroes, &entries.0);
    let hint = |property| StructHint { property, key: None, value: Some("LinearColor") };
    for (property, fits) in [
        (".A.Tints", true),
        (".a.tints", true),
        ("Tints", true),
        (".Tints", false),
        (".B.Tints", false),
        (".A", false),
        (".A.Tints.x", false),
        (".A.Tint", false),
        (".A.Tints ", false),
        ("", false),
        (".", false),
    ] {
        // Other hints with a similar path have no effect.
        let hints = [hint(".A.Tin"), hint(".A.Tints.B"), hint(property)];
        let save = Save::open(&file).unwrap().with_hints(&hints);
        let PropertyValue::Map(map) = save.properties().next().unwrap().unwrap().value() else {
            panic!("{property}")
        };
        let Some((_, PropertyValue::Struct(mut hero))) = map.entries().next() else { panic!() };
        let value = hero.next().unwrap().unwrap().value();
        assert_eq!(matches!(value, PropertyValue::Map(_)), fits, "{property}: {value:?}");
        assert_eq!(matches!(value, PropertyValue::Opaque(..)), !fits, "{property}");
    }
}

/// A type that is a parameter of another type has parameters of its own. Only parameters of structs
/// and enums are names.
#[test]
fn parameters_of_types() {
    let of = PropertyTypeBuf::map(PropertyTypeBuf::array(of(PropertyKind::Int)), own());
    let empty = Bytes::default().i32(0).i32(0);
    first(&In::ue5(1012).file(&of, &empty.0), |tag| {
        let map = tag.head().of;
        let (key, value) = (map.inner().unwrap(), map.value().unwrap());
        assert_eq!((key.kind(), value.kind()), (PropertyKind::Array, PropertyKind::Struct));
        assert_eq!(key.inner().unwrap().kind(), PropertyKind::Int);
        assert!(key.value().is_none() && key.inner().unwrap().inner().is_none());
        assert!(map.name().is_none() && key.name().is_none());
        assert!(value.name().unwrap() == *"Own");
        assert_eq!(PropertyTypeBuf::from(map), of);
    });
    // In files below 5:1012, a tag names its struct, and only arrays of structs have an inner tag.
    first(&UE4_27.file(&own(), &Bytes::default().text("None").0), |tag| {
        assert!(tag.head().of.name().unwrap() == *"Own");
    });
    let inner = Bytes::default().i32(1).text("A").text("IntProperty").i32(4).i32(0).bytes(&[0]);
    let inner = inner.i32(7);
    for other in [
        PropertyTypeBuf::of(PropertyKind::Str),
        PropertyTypeBuf::array(PropertyTypeBuf::of(PropertyKind::Int)),
    ] {
        first(&UE4_27.file(&other, &inner.0), |tag| {
            assert!(tag.inner_tag().is_none(), "{other}");
            assert_eq!(PropertyTypeBuf::from(tag.head().of), other);
        });
    }
}

/// Names similar to `None` do not end a list in any encoding. An empty name is printed as `None`.
#[test]
fn names_that_end_lists() {
    for name in ["Nöne", "Nine", "None2", "Noné"] {
        let tag = TagBuf::in_save(name, &of(PropertyKind::Int));
        let file = written(UE4_27, |list| list.value(&tag, &PropertyValue::Int(7)).unwrap());
        let save = Save::open(&file).unwrap();
        let tag = save.properties().next().unwrap_or_else(|| panic!("{name}")).unwrap();
        assert!(tag.name() == *name && matches!(tag.value(), PropertyValue::Int(7)), "{name}");
    }
    let empty = StrBuf::new("");
    first(&UE4_27.file(&of(PropertyKind::Name), &Bytes::default().i32(0).0), |tag| {
        assert!(matches!(tag.value(), PropertyValue::Name(NameRef::Text(text)) if text.is_empty()));
        assert_eq!(serde_json::to_value(tag).unwrap()["value"], "None");
    });
    let save = UE4_27.file(&of(PropertyKind::Int), &[0; 4]);
    let save = Save::open(&save).unwrap();
    assert_eq!(save.properties().name(NameRef::Text(empty.as_text())).to_string(), "None");
}

/// Tests the serialized form of values without contents.
#[test]
fn empty_document() {
    let bytes = Bytes::default;
    let own = bytes().text("/S").i32(9).text("None");
    let soft = |path| json!({ "path": path, "sub_path": "" });
    let value = json!({ "struct": "/S", "size": 9, "value": [] });
    let two = |package: &str, asset: &str| bytes().text(package).text(asset).text("");
    for (versions, of, bytes, expected) in [
        (
            UE4_27,
            engine("InstancedStruct"),
            bytes().text("/S").i32(0),
            json!({ "struct": "/S", "size": 0 }),
        ),
        (UE4_27, engine("InstancedStruct"), own, value),
        (In::ue5(1007), of(PropertyKind::SoftObject), two("/P", "A"), soft("/P.A")),
        (In::ue5(1007), of(PropertyKind::SoftObject), two("/P", "None"), soft("/P")),
        (In::ue5(1007), of(PropertyKind::SoftObject), two("None", "None"), soft("")),
    ] {
        assert_eq!(value_of(versions, &of, &bytes), expected, "{of}");
    }
}
