//! Tests which values fit a property in each version, and which parts of a tag stay unchanged when
//! the tag is written again.

use crate::support::unreal::saves::{Bytes, In, UE4_27, first, structure, written};
use gamewire::unreal::properties::{Delegate, NativeValue, Overridden, SoftReference};
use gamewire::unreal::tables::SubPath;
use gamewire::unreal::{
    Guid, Name, NameRef, ObjectRef, PackageIndex, PropertyKind, PropertyTypeBuf, PropertyValue,
    Save, StrBuf, StructHint, TagBuf, Utf8StrRef,
};
use std::mem::discriminant;

const INDEX: NameRef<'static> = NameRef::Index(Name { index: 0, number: 0 });

fn of(kind: PropertyKind) -> PropertyTypeBuf {
    PropertyTypeBuf::of(kind)
}

fn engine(name: &'static str) -> PropertyTypeBuf {
    PropertyTypeBuf::structure(name, "/Script/CoreUObject")
}

/// Encodes a value, and returns its bytes without the tag. Returns `None` if the value does not
/// fit.
fn bytes_of(versions: In, of: &PropertyTypeBuf, value: &PropertyValue<'_>) -> Option<Vec<u8>> {
    let mut fits = false;
    let tag = TagBuf::in_save("A", of);
    let file = written(versions, |list| fits = list.value(&tag, value).is_ok());
    fits.then(|| {
        first(&file, |tag| {
            assert_eq!(discriminant(&tag.value()), discriminant(value), "{of} {:?}", tag.value());
            tag.bytes().to_vec()
        })
    })
}

/// The parts of a soft reference must have the form that the version requires: a path of one name
/// or of two names, and a subpath as `FString` or as UTF-8.
#[test]
fn soft_references_of_each_version() {
    let text = StrBuf::new("P");
    let name = NameRef::Text(text.as_text());
    let (string, utf8) = (SubPath::Text(text.as_text()), SubPath::Utf8(Utf8StrRef::new("P")));
    let p = || Bytes::default().text("P");
    let utf8_sub = In { fortnite: 192, ..In::ue5(1018) };
    let cases = [
        (UE4_27, name, None, string, Some(p().text("P"))),
        (UE4_27, name, Some(name), string, None),
        (UE4_27, name, None, utf8, None),
        (UE4_27, INDEX, None, string, None),
        (In::ue5(1007), name, Some(name), string, Some(p().text("P").text("P"))),
        (In::ue5(1007), name, None, string, None),
        (In::ue5(1007), name, Some(INDEX), string, None),
        (In::ue5(1007), INDEX, Some(name), string, None),
        (utf8_sub, name, Some(name), utf8, Some(p().text("P").i32(1).bytes(b"P"))),
        (utf8_sub, name, Some(name), string, None),
        (utf8_sub, name, Some(INDEX), utf8, None),
        (utf8_sub, INDEX, Some(name), utf8, None),
    ];
    for (at, (versions, package, asset, sub_path, expected)) in cases.into_iter().enumerate() {
        let value = PropertyValue::Soft(SoftReference { package, asset, sub_path, index: None });
        let expected = expected.map(|bytes| bytes.0);
        for of in
            [of(PropertyKind::SoftObject), of(PropertyKind::SoftClass), engine("SoftObjectPath")]
        {
            assert_eq!(bytes_of(versions, &of, &value), expected, "{at} {of}");
        }
    }
}

/// In files below 4:514, a soft reference is a text, both in properties of the older kinds and in
/// structs.
#[test]
fn soft_references_that_were_texts() {
    let (text, sub) = (StrBuf::new("/Game/A.A"), StrBuf::new("S"));
    let as_text = PropertyValue::Str(text.as_text());
    let as_soft = PropertyValue::Soft(SoftReference {
        package: NameRef::Text(text.as_text()),
        asset: None,
        sub_path: SubPath::Text(sub.as_text()),
        index: None,
    });
    for of in [
        of(PropertyKind::AssetObject),
        of(PropertyKind::AssetClass),
        engine("SoftObjectPath"),
        engine("StringAssetReference"),
    ] {
        let before = Some(Bytes::default().text("/Game/A.A").0);
        let after = Some(Bytes::default().text("/Game/A.A").text("S").0);
        assert_eq!(bytes_of(In::ue4(513), &of, &as_text), before, "{of}");
        assert_eq!(bytes_of(In::ue4(513), &of, &as_soft), None, "{of}");
        assert_eq!(bytes_of(In::ue4(514), &of, &as_text), None, "{of}");
        assert_eq!(bytes_of(In::ue4(514), &of, &as_soft), after, "{of}");
    }
}

/// In a save, both the object and the function of a delegate must be strings. A delegate that
/// contains an index is not written.
#[test]
fn delegates_of_one_form() {
    let text = StrBuf::new("F");
    let (path, name) = (ObjectRef::Path(text.as_text()), NameRef::Text(text.as_text()));
    let null = ObjectRef::Index(PackageIndex(0));
    for (object, function, fits) in
        [(path, name, true), (path, INDEX, false), (null, name, false), (null, INDEX, false)]
    {
        let value = PropertyValue::Delegate(Delegate { object, function });
        let expected = fits.then(|| Bytes::default().text("F").text("F").0);
        assert_eq!(bytes_of(UE4_27, &of(PropertyKind::Delegate), &value), expected);
    }
}

/// Every decoded value is written with the same bytes.
#[test]
fn values_are_written_as_they_were_read() {
    let bytes = Bytes::default;
    let delegates = || bytes().i32(2).text("/Game/A.A").text("F").text("/Game/B.B").text("G");
    let own = PropertyTypeBuf::structure("Own", "/Script/Game");
    let unnamed = PropertyTypeBuf::of(PropertyKind::Unknown);
    let cases = [
        (of(PropertyKind::SoftObject), bytes().text("/Game/A.A").text("Sub")),
        (of(PropertyKind::MulticastDelegate), delegates()),
        (of(PropertyKind::MulticastInlineDelegate), delegates()),
        (of(PropertyKind::MulticastSparseDelegate), delegates()),
        (of(PropertyKind::FieldPath), bytes().i32(2).text("Inner").text("Outer").text("/Game/A.A")),
        (engine("GameplayTagContainer"), bytes().i32(2).text("One").text("Two")),
        (engine("Guid"), bytes().bytes(&[7; 16])),
        (engine("InstancedStruct"), bytes().i32(0).i32(0)),
        (engine("Vector"), bytes().f32(1.0).f32(2.0).f32(3.0)),
        (unnamed, bytes().bytes(&[1, 2, 3])),
        (of(PropertyKind::Int), bytes().bytes(&[1, 2, 3])),
        (own, bytes().bytes(&[1, 2, 3])),
    ];
    for (of, bytes) in cases {
        let file = UE4_27.file(&of, &bytes.0);
        first(&file, |tag| {
            let value = tag.value();
            let again = written(UE4_27, |list| {
                let result = list.value(tag, &value);
                result.unwrap_or_else(|error| panic!("{of} {value:?}: {error}"));
            });
            assert_eq!(again, file, "{of} {value:?}");
            let again = written(UE4_27, |list| list.value(&tag.head(), &value).unwrap());
            assert_eq!(again, file, "{of} {value:?}");
        });
    }
}

/// A NaN keeps its bits in files with floats of 32 bits, although a processor may change them when
/// it converts a float to 64 bits and back.
#[test]
fn reals_of_each_width() {
    let odd = f32::from_bits(0x7F80_0001);
    let singles = [odd, -2.5, 0.1].map(NativeValue::Float);
    let narrow = [odd, -2.5, 0.1].map(f32::to_le_bytes).concat();
    let doubles = [1e300, -2.5, 0.1].map(NativeValue::Double);
    let wide = [1e300, -2.5, 0.1f64].map(f64::to_le_bytes).concat();
    let old = In::ue4(522);
    for (versions, name, values, expected) in [
        (old, "Vector", &singles, &narrow),
        (old, "Vector3f", &singles, &narrow),
        (In::ue5(1004), "Vector3f", &singles, &narrow),
        (old, "Vector3d", &doubles, &wide),
        (In::ue5(1004), "Vector3d", &doubles, &wide),
        (In::ue5(1004), "Vector", &doubles, &wide),
    ] {
        let file = written(versions, |list| list.native(&structure(name), values).unwrap());
        first(&file, |tag| assert_eq!(tag.bytes(), expected, "{name} {versions:?}"));
    }
    // Floats are rounded or widened to the width of the field.
    for (versions, name, value, expected) in [
        (old, "Vector3f", NativeValue::Double(0.1), 0.1f32.to_le_bytes().to_vec()),
        (old, "Vector3d", NativeValue::Float(0.5), 0.5f64.to_le_bytes().to_vec()),
    ] {
        let file = written(versions, |list| list.native(&structure(name), &[value; 3]).unwrap());
        first(&file, |tag| assert_eq!(tag.bytes(), expected.repeat(3), "{name}"));
    }
    for value in [NativeValue::Int(1), NativeValue::Bool(true)] {
        let mut refused = false;
        written(old, |list| {
            refused = list.native(&structure("Vector3d"), &[value; 3]).is_err();
        });
        assert!(refused, "{value:?}");
    }
}

/// From 5:1012 on, a tag states whether a struct is native. If it states that the struct is not
/// native, only a list of properties can be written with the tag. If it states that the struct is
/// native, only fields can. This also applies to decoded tags and their heads.
#[test]
fn forms_stated_by_tags() {
    let versions = In::ue5(1012);
    for (name, native, list, fields) in [
        ("Vector", true, false, true),
        ("Vector", false, true, false),
        ("Own", true, false, false),
        ("Own", false, true, false),
    ] {
        let mut new = structure(name);
        new.native = native;
        let file = written(versions, |to| {
            to.bytes(&new, &Bytes::default().text("None").0).unwrap();
        });
        let values = [NativeValue::Double(1.0); 3];
        first(&file, |tag| {
            let (mut lists, mut natives) = (Vec::new(), Vec::new());
            written(versions, |to| {
                lists.push(to.nested(&new).map(|list| list.finish().unwrap()).is_ok());
                lists.push(to.nested(tag).map(|list| list.finish().unwrap()).is_ok());
                lists.push(to.nested(&tag.head()).map(|list| list.finish().unwrap()).is_ok());
                natives.push(to.native(&new, &values).is_ok());
                natives.push(to.native(tag, &values).is_ok());
                natives.push(to.native(&tag.head(), &values).is_ok());
            });
            assert_eq!(lists, [list; 3], "{name} {native}");
            assert_eq!(natives, [fields; 3], "{name} {native}");
        });
    }
    // New tags mark native structs as native, even in arrays. They do not mark enums with the same
    // names.
    let of = PropertyTypeBuf::enumeration("Guid", "/Script/Game", PropertyKind::Byte);
    assert!(!TagBuf::in_save("A", &of).native);
    assert!(TagBuf::in_save("A", &PropertyTypeBuf::array(engine("Guid"))).native);
}

/// The value of a bool is in its tag. Changing the value keeps the other fields of the tag.
#[test]
fn another_truth_in_the_same_tag() {
    let truths = [false, true];
    for (versions, was, is) in [UE4_27, In::ue5(1012)]
        .into_iter()
        .flat_map(|versions| truths.map(|was| truths.map(|is| (versions, was, is))).concat())
    {
        let mut tag = TagBuf::in_save("A", &of(PropertyKind::Bool));
        (tag.array_index, tag.guid) = (3, Some(Guid([1, 2, 3, 4])));
        let new = |truth| {
            written(versions, |list| list.value(&tag, &PropertyValue::Bool(truth)).unwrap())
        };
        let (file, expected) = (new(was), new(is));
        first(&file, |read| {
            let head = read.head();
            assert_eq!((head.array_index, head.guid, head.bool_value), (3, tag.guid, was));
            let again = written(versions, |list| {
                list.value(&head, &PropertyValue::Bool(is)).unwrap();
            });
            assert_eq!(again, expected, "{versions:?} {was} {is}");
        });
    }
    // Any byte except 0 is true, and the byte is kept if the value does not change.
    let mut file = written(UE4_27, |list| {
        list.value(&TagBuf::in_save("A", &of(PropertyKind::Bool)), &PropertyValue::Bool(true))
            .unwrap();
    });
    let word = b"BoolProperty\0\0\0\0\0\0\0\0\0";
    let at = file.windows(word.len()).position(|bytes| bytes == word).unwrap() + word.len();
    for (byte, is, expected) in [(2, None, 2), (2, Some(true), 2), (2, Some(false), 0)] {
        file[at] = byte;
        first(&file, |tag| {
            assert!(matches!(tag.value(), PropertyValue::Bool(true)));
            let again = written(UE4_27, |list| match is {
                None => list.copy(tag).unwrap(),
                Some(is) => list.value(tag, &PropertyValue::Bool(is)).unwrap(),
            });
            assert_eq!(again[at], expected, "{is:?}");
        });
    }
}

/// A field of a tag is written only if the form of the tag has it.
#[test]
fn offsets_of_tag_fields() {
    let overridden = Some(Overridden { operation: 1, experimental: false });
    for versions in [UE4_27, In::ue5(1011), In::ue5(1012)] {
        for array_index in [0, 3] {
            let mut tag = TagBuf::in_save("A", &of(PropertyKind::Int));
            tag.array_index = array_index;
            let file = written(versions, |list| {
                list.value(&tag, &PropertyValue::Int(5)).unwrap();
            });
            first(&file, |read| {
                let mut head = read.head();
                assert_eq!((head.array_index, head.overridden), (array_index, None));
                // The decoded tag has no flag for overrides, so the new override is not written.
                head.overridden = overridden;
                let again = written(versions, |list| {
                    list.value(&head, &PropertyValue::Int(5)).unwrap();
                });
                assert_eq!(again, file, "{versions:?}");
            });
        }
    }
}

/// From 4:500 to 5:1011, an array of structs has an inner tag. A container can be written with a
/// new tag or a decoded tag, but not with only the head of a decoded tag, which lacks the inner
/// tag.
#[test]
fn the_tag_of_all_elements() {
    let array = PropertyTypeBuf::array(engine("Guid"));
    let guid = PropertyValue::Guid(Guid([1, 2, 3, 4]));
    let mut new = TagBuf::in_save("A", &array);
    (new.array_index, new.guid) = (2, Some(Guid([5; 4])));
    let file = written(UE4_27, |list| {
        let mut all = list.container(&new).unwrap();
        all.value(&guid).unwrap();
        all.finish().unwrap();
    });
    first(&file, |tag| {
        let inner = tag.inner_tag().unwrap();
        assert_eq!((inner.array_index, inner.guid, inner.size), (0, None, 16));
        assert_eq!((tag.head().array_index, tag.head().guid), (2, new.guid));
        let again = written(UE4_27, |list| {
            assert!(list.container(&tag.head()).is_err());
            let mut all = list.container(tag).unwrap();
            assert!(all.value(&PropertyValue::Int(1)).is_err());
            all.value(&guid).unwrap();
            all.finish().unwrap();
        });
        assert_eq!(again, file);
    });
}

/// In files of engine 4.27, structs in maps have no names, so the hints of the caller name them.
#[test]
fn structs_without_names() {
    let map = PropertyTypeBuf::map(of(PropertyKind::Struct), of(PropertyKind::Int));
    let file = written(UE4_27, |list| {
        let tag = TagBuf::in_save("A", &map);
        let mut entries = list.container(&tag).unwrap();
        entries.removed(&PropertyValue::Guid(Guid([9; 4]))).unwrap();
        entries.value(&PropertyValue::Guid(Guid([1, 2, 3, 4]))).unwrap();
        entries.value(&PropertyValue::Int(7)).unwrap();
        entries.finish().unwrap();
    });
    let hints = [StructHint { property: "A", key: Some("Guid"), value: None }];
    let save = Save::open(&file).unwrap().with_hints(&hints);
    let tag = save.properties().next().unwrap().unwrap();
    let PropertyValue::Map(map) = tag.value() else { panic!("{:?}", tag.value()) };
    let removed = map.removed();
    assert_eq!((removed.len(), removed.bytes().len()), (1, 16));
    assert_eq!((removed.of().kind(), map.entries().len()), (PropertyKind::Struct, 1));
    let guid = "00000001000000020000000300000004";
    assert!(matches!(map.get(guid), Some(PropertyValue::Int(7))));
    // A container must not end with a key that has no value.
    written(UE4_27, |list| {
        let tag = TagBuf::in_save(
            "A",
            &PropertyTypeBuf::map(of(PropertyKind::Int), of(PropertyKind::Int)),
        );
        let mut entries = list.container(&tag).unwrap();
        entries.value(&PropertyValue::Int(1)).unwrap();
        assert!(entries.finish().is_err());
    });
}

/// Removed entries of a set or a map are not among its elements.
#[test]
fn removed_values() {
    let bytes = Bytes::default().i32(2).text("a").text("bc").i32(1).text("d");
    first(&UE4_27.file(&PropertyTypeBuf::set(of(PropertyKind::Str)), &bytes.0), |tag| {
        let PropertyValue::Set(set) = tag.value() else { panic!("{:?}", tag.value()) };
        let (removed, values) = (set.removed(), set.values());
        assert_eq!((removed.len(), removed.bytes()), (2, &bytes.0[4..17]));
        assert_eq!((values.len(), values.bytes()), (1, &bytes.0[21..]));
        assert_eq!((removed.count(), values.count()), (2, 1));
    });
    let of = PropertyTypeBuf::map(of(PropertyKind::Str), of(PropertyKind::Int));
    let bytes = Bytes::default().i32(1).text("a").i32(1).text("bc").i32(7);
    first(&UE4_27.file(&of, &bytes.0), |tag| {
        let PropertyValue::Map(map) = tag.value() else { panic!("{:?}", tag.value()) };
        let removed = map.removed();
        assert_eq!((removed.of().kind(), removed.len()), (PropertyKind::Str, 1));
        assert_eq!(removed.bytes(), &bytes.0[4..10]);
        assert!(map.removed().all(|key| matches!(key, PropertyValue::Str(a) if a == *"a")));
    });
}

/// The length of a list of names is known before the names are read.
#[test]
fn names_are_counted() {
    for count in [0, 1, 3] {
        let names = (0..count).fold(Bytes::default().i32(count), |to, _| to.text("T"));
        first(&UE4_27.file(&engine("GameplayTagContainer"), &names.0), |tag| {
            let PropertyValue::Names(names) = tag.value() else { panic!("{:?}", tag.value()) };
            assert_eq!((names.len(), names.count()), (count as usize, count as usize));
        });
    }
}
