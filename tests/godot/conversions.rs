//! Conversions of views and owned values to Rust types. Each conversion is tried with a value of
//! every kind, and returns the converted value or an error that names both types.

use crate::support::random::Random;
use gamewire::godot::compact::{CompactReader, CompactWriter};
use gamewire::godot::multiplayer::Run;
use gamewire::godot::{
    Aabb, Array, ArrayRef, Basis, Color, ConversionError, Dialect, DialectSet, Dictionary,
    DictionaryRef, F32, F64, I32, I64, Kind, NodePath, NodePathRef, Object, PackedStringArrayRef,
    Plane, Projection, Quaternion, Reader, Reals, Rect2, Rid, StrRef, StringName, ToVariant,
    Transform2D, Transform3D, TypeRef, Variant, VariantRef, Vector2, Vector3, Vector4, Writer,
    detect,
};
use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};

fn owned(value: impl ToVariant) -> Variant {
    Variant::new(value, Dialect::Godot4).unwrap()
}

/// Returns one value of each kind. All values differ.
fn all() -> Vec<(Kind, Variant)> {
    let mut object = Object::new("Node");
    object.properties.push((b"hp".to_vec(), 5.into()));
    let mut all = vec![
        (Kind::Nil, Variant::NIL),
        (Kind::Bool, true.into()),
        (Kind::Int, 5.into()),
        (Kind::Float, 0.5.into()),
        (Kind::String, "text".into()),
        (Kind::StringName, StringName("name").into()),
        (Kind::NodePath, NodePath("/a:b").into()),
        (Kind::Rid, owned(Rid(7))),
        (Kind::Vector2, Vector2 { x: 1.0_f32, y: 2.0 }.into()),
        (Kind::Vector2i, Vector2 { x: 1, y: 2 }.into()),
        (Kind::Vector3, Vector3 { x: 1.0_f32, y: 2.0, z: 3.0 }.into()),
        (Kind::Vector3i, Vector3 { x: 1, y: 2, z: 3 }.into()),
        (Kind::Vector4, Vector4 { x: 1.0_f32, y: 2.0, z: 3.0, w: 4.0 }.into()),
        (Kind::Vector4i, Vector4 { x: 1, y: 2, z: 3, w: 4 }.into()),
        (Kind::Rect2, owned(Rect2::<f32>::default())),
        (Kind::Rect2i, owned(Rect2::<i32>::default())),
        (Kind::Transform2D, owned(Transform2D::<f32>::default())),
        (Kind::Plane, owned(Plane::<f32>::default())),
        (Kind::Quaternion, owned(Quaternion::<f32>::default())),
        (Kind::Aabb, owned(Aabb::<f32>::default())),
        (Kind::Basis, owned(Basis::<f32>::default())),
        (Kind::Transform3D, owned(Transform3D::<f32>::default())),
        (Kind::Projection, owned(Projection::<f32>::default())),
        (Kind::Color, owned(Color::<f32>::default())),
        (Kind::PackedByteArray, (&[1_u8, 2][..]).into()),
        (Kind::PackedInt32Array, (&[1_i32, -2][..]).into()),
        (Kind::PackedInt64Array, (&[1_i64, -2][..]).into()),
        (Kind::PackedFloat32Array, (&[0.5_f32, -2.0][..]).into()),
        (Kind::PackedFloat64Array, (&[0.1_f64, -2.0][..]).into()),
        (Kind::PackedStringArray, (&["a", "b"][..]).into()),
    ];
    all.push((Kind::Array, Array::from_iter([1]).into()));
    all.push((Kind::Dictionary, Dictionary::from_iter([("a", 1)]).into()));
    all.push((Kind::Object, object.into()));
    all
}

/// Asserts that `T` can be converted from these kinds, and that the error for all other kinds names
/// both types.
#[track_caller]
fn assert_converts_from<T>(wanted: &'static str, from: &[Kind])
where
    T: for<'v> TryFrom<&'v Variant, Error = ConversionError> + Debug,
{
    for (kind, value) in all() {
        match T::try_from(&value) {
            Ok(_) => assert!(from.contains(&kind), "{wanted} from {kind:?}"),
            Err(error) => {
                assert!(!from.contains(&kind), "{wanted} from {kind:?}");
                assert_eq!(error, ConversionError { wanted, found: kind });
                assert_eq!(error.to_string(), format!("cannot convert this {kind:?} to {wanted}"));
            }
        }
    }
}

#[test]
fn types_convert_from_their_kinds_only() {
    assert_converts_from::<bool>("bool", &[Kind::Bool]);
    assert_converts_from::<i8>("i8", &[Kind::Int]);
    assert_converts_from::<u64>("u64", &[Kind::Int]);
    assert_converts_from::<usize>("usize", &[Kind::Int]);
    assert_converts_from::<f64>("f64", &[Kind::Int, Kind::Float]);
    assert_converts_from::<f32>("f32", &[Kind::Int, Kind::Float]);
    assert_converts_from::<String>("String", &[Kind::String, Kind::StringName]);
    assert_converts_from::<Vec<u8>>("Vec<u8>", &[Kind::PackedByteArray]);
    assert_converts_from::<Vec<i32>>("Vec<i32>", &[Kind::PackedInt32Array]);
    assert_converts_from::<Vec<i64>>("Vec<i64>", &[Kind::PackedInt64Array]);
    assert_converts_from::<Vec<f32>>("Vec<f32>", &[Kind::PackedFloat32Array]);
    assert_converts_from::<Vec<f64>>("Vec<f64>", &[Kind::PackedFloat64Array]);
    assert_converts_from::<Vector2<f64>>("Vector2<f64>", &[Kind::Vector2]);
    assert_converts_from::<Vector2<i32>>("Vector2<i32>", &[Kind::Vector2i]);
    assert_converts_from::<Vector3<f32>>("Vector3<f32>", &[Kind::Vector3]);
    assert_converts_from::<Vector3<i32>>("Vector3<i32>", &[Kind::Vector3i]);
    assert_converts_from::<Vector4<f32>>("Vector4<f32>", &[Kind::Vector4]);
    assert_converts_from::<Vector4<i32>>("Vector4<i32>", &[Kind::Vector4i]);
    assert_converts_from::<Rect2<f64>>("Rect2<f64>", &[Kind::Rect2]);
    assert_converts_from::<Rect2<i32>>("Rect2<i32>", &[Kind::Rect2i]);
    assert_converts_from::<Transform2D<f32>>("Transform2D<f32>", &[Kind::Transform2D]);
    assert_converts_from::<Plane<f32>>("Plane<f32>", &[Kind::Plane]);
    assert_converts_from::<Quaternion<f32>>("Quaternion<f32>", &[Kind::Quaternion]);
    assert_converts_from::<Aabb<f64>>("Aabb<f64>", &[Kind::Aabb]);
    assert_converts_from::<Basis<f64>>("Basis<f64>", &[Kind::Basis]);
    assert_converts_from::<Transform3D<f64>>("Transform3D<f64>", &[Kind::Transform3D]);
    assert_converts_from::<Projection<f64>>("Projection<f64>", &[Kind::Projection]);
    assert_converts_from::<Color<f64>>("Color<f64>", &[Kind::Color]);
}

/// Asserts that `T`, which borrows from the packet, can be converted only from this kind.
#[track_caller]
fn assert_borrows_from<'v, T>(wanted: &'static str, from: Kind, values: &'v [(Kind, Variant)])
where
    T: TryFrom<VariantRef<'v>, Error = ConversionError> + Debug,
{
    for (kind, value) in values {
        let Some(view) = value.leaf() else { continue };
        match T::try_from(view) {
            Ok(_) => assert_eq!(*kind, from),
            Err(error) => assert_eq!(error, ConversionError { wanted, found: *kind }),
        }
        assert_eq!(T::try_from(view).is_ok(), *kind == from, "{wanted} from {kind:?}");
    }
}

#[test]
fn borrowed_types_convert_from_their_kind_only() {
    let all = &all();
    assert_borrows_from::<NodePathRef<'_>>("NodePathRef", Kind::NodePath, all);
    assert_borrows_from::<&[u8]>("&[u8]", Kind::PackedByteArray, all);
    assert_borrows_from::<&[I32]>("&[I32]", Kind::PackedInt32Array, all);
    assert_borrows_from::<&[I64]>("&[I64]", Kind::PackedInt64Array, all);
    assert_borrows_from::<&[F32]>("&[F32]", Kind::PackedFloat32Array, all);
    assert_borrows_from::<&[F64]>("&[F64]", Kind::PackedFloat64Array, all);
    let strings = Kind::PackedStringArray;
    assert_borrows_from::<PackedStringArrayRef<'_>>("PackedStringArrayRef", strings, all);
    // Values of these kinds are not leaves, so the function above skips them.
    assert_borrows_from::<ArrayRef<'_>>("ArrayRef", Kind::Array, all);
    assert_borrows_from::<DictionaryRef<'_>>("DictionaryRef", Kind::Dictionary, all);
    let colors = Reals::<Color>::try_from(VariantRef::Nil).unwrap_err();
    assert_eq!(colors.to_string(), "cannot convert this Nil to Reals<Color>");
    assert_eq!(<&str>::try_from(VariantRef::Nil).unwrap_err().wanted, "&str");
    assert_eq!(StrRef::try_from(VariantRef::Int(5)).unwrap_err().wanted, "StrRef");
    let bad = VariantRef::String(StrRef::from("x"));
    assert_eq!(<&str>::try_from(bad), Ok("x"));
}

#[test]
fn packed_arrays_convert_to_vectors() {
    let numbers: Variant = (&[1_i32, -2, i32::MIN][..]).into();
    assert_eq!(Vec::<i32>::try_from(&numbers), Ok(vec![1, -2, i32::MIN]));
    let numbers: Variant = (&[1_i64, i64::MAX][..]).into();
    assert_eq!(Vec::<i64>::try_from(&numbers), Ok(vec![1, i64::MAX]));
    let numbers: Variant = (&[0.1_f32, -0.5][..]).into();
    assert_eq!(Vec::<f32>::try_from(&numbers), Ok(vec![0.1, -0.5]));
    let numbers: Variant = (&[0.1_f64, -0.5][..]).into();
    assert_eq!(Vec::<f64>::try_from(&numbers), Ok(vec![0.1, -0.5]));
}

/// Every accessor of an owned value returns the same result as the accessor of its view.
#[test]
fn owned_values_have_the_accessors_of_views() {
    for (kind, mut value) in all() {
        assert_eq!(value.kind(), kind);
        let (is, leaf) = (|kinds: &[Kind]| kinds.contains(&kind), value.leaf());
        assert_eq!(value.as_bool(), is(&[Kind::Bool]).then_some(true));
        assert_eq!(value.as_i64(), is(&[Kind::Int]).then_some(5));
        assert_eq!(value.as_f64(), leaf.and_then(|leaf| leaf.as_f64()));
        assert_eq!(value.as_f64().is_some(), is(&[Kind::Int, Kind::Float]));
        assert_eq!(value.as_str().is_some(), is(&[Kind::String, Kind::StringName]));
        assert_eq!(value.as_bytes(), is(&[Kind::PackedByteArray]).then_some(&[1, 2][..]));
        let path = value.as_node_path().map(|path| path.to_string());
        assert_eq!(path.as_deref(), is(&[Kind::NodePath]).then_some("/a:b"));
        let two = Vector2 { x: 1.0, y: 2.0 };
        assert_eq!(value.as_vector2(), is(&[Kind::Vector2, Kind::Vector2i]).then_some(two));
        let three = Vector3 { x: 1.0, y: 2.0, z: 3.0 };
        assert_eq!(value.as_vector3(), is(&[Kind::Vector3, Kind::Vector3i]).then_some(three));
        let four = Vector4 { x: 1.0, y: 2.0, z: 3.0, w: 4.0 };
        assert_eq!(value.as_vector4(), is(&[Kind::Vector4, Kind::Vector4i]).then_some(four));
        let (array, pairs, object) =
            (is(&[Kind::Array]), is(&[Kind::Dictionary]), is(&[Kind::Object]));
        assert_eq!((value.as_array().is_some(), value.as_array_mut().is_some()), (array, array));
        assert_eq!(value.as_dictionary().is_some(), pairs);
        assert_eq!(value.as_dictionary_mut().is_some(), pairs);
        assert_eq!(value.as_object().is_some(), object);
        assert_eq!(value.as_object_mut().is_some(), object);
        assert_eq!(value.get("a"), pairs.then_some(&1.into()));
        assert_eq!(value.get_mut("a"), pairs.then_some(&mut 1.into()));
        assert_eq!(value.get("hp"), object.then_some(&5.into()));
        assert_eq!(value.get_mut("hp"), object.then_some(&mut 5.into()));
        assert_eq!(value.get_mut("none"), None);
        assert_eq!(value.is_nil(), kind == Kind::Nil);
    }
    // If a name occurs twice, reads and changes apply to the last property with this name.
    let mut object = Object::new("Node");
    object.properties = vec![(b"a".to_vec(), 1.into()), (b"a".to_vec(), 2.into())];
    *object.get_mut("a").unwrap() = 3.into();
    assert_eq!(
        object.properties.iter().map(|(_, v)| v.as_i64()).collect::<Vec<_>>(),
        [Some(1), Some(3)]
    );
    assert_eq!(Variant::default(), Variant::NIL);
}

/// A value that the text notation cannot express is displayed in its `Debug` form.
#[test]
fn values_without_notation_display_as_debug() {
    let value = Variant::from(Array::from_iter([Variant::from(5), Object::default().into()]));
    assert_eq!(value.to_string(), format!("{value:?}"));
    let array = Array::from_iter([1, 2]);
    assert_eq!(Variant::from(array).to_string(), "[1, 2]");
}

#[test]
fn views_of_containers_print_as_values() {
    let mut packet = Vec::new();
    let mut writer = Writer::new(&mut packet, Dialect::Godot4);
    let mut pairs = writer.dictionary(2).unwrap();
    pairs.put("list").unwrap();
    let mut list = pairs.array(2).unwrap();
    list.put(1).unwrap();
    list.put(&["a", "b\0"][..]).unwrap();
    list.finish().unwrap();
    pairs.entry(2, Vector2 { x: 1, y: 2 }).unwrap();
    pairs.finish().unwrap();
    let value = Reader::new(&packet, Dialect::Godot4).read().unwrap();
    let pairs = value.as_dictionary().unwrap();
    assert_eq!(pairs.to_string(), value.to_string());
    let list = pairs.get("list").unwrap().as_array().unwrap();
    assert_eq!(list.to_string(), "[1, PackedStringArray(\"a\", \"b\")]");
    let VariantRef::PackedStringArray(texts) = list.get(1).unwrap() else { panic!() };
    assert_eq!((texts.len(), texts.is_empty()), (2, false));
    assert_eq!(format!("{texts:?}"), format!("{:?}", texts.iter().collect::<Vec<_>>()));
    assert_eq!(format!("{texts:?}"), format!("{:?}", Vec::from_iter(texts)));
    let point = owned(Vector3 { x: 1.0_f32, y: 2.0, z: 3.0 });
    let Some(VariantRef::Vector3(real)) = point.leaf() else { panic!() };
    assert_eq!(format!("{real:?}"), format!("{:?}", Vector3 { x: 1.0_f64, y: 2.0, z: 3.0 }));
}

#[test]
fn detect_returns_the_possible_dialects() {
    let none = detect(&[39, 0, 0, 0]);
    assert_eq!((none, none.len(), none.is_empty()), (DialectSet::default(), 0, true));
    assert_eq!(format!("{none:?}"), "{}");
    let all = detect(&[0, 0, 0, 0]);
    assert_eq!((all.len(), all.is_empty()), (Dialect::ALL.len(), false));
    assert_eq!(format!("{all:?}"), "{Godot2, Godot3, Godot4, Docs, DocsDouble}");
    let last = detect(&[28, 0, 0, 0, 0, 0, 0, 0]);
    assert!(last.iter().eq(last.iter().filter(|dialect| last.contains(*dialect))));
    assert!(!last.contains(Dialect::Godot3) && last.contains(Dialect::Godot4));
    assert_eq!(last.len(), last.iter().count());
}

/// `CompactWriter` writes containers in their full encoding.
#[test]
fn compact_writer_writes_full_containers() {
    let int = TypeRef::Builtin(Kind::Int);
    let mut writer = CompactWriter::new(Vec::new(), Dialect::Godot4);
    writer.put(5).unwrap();
    let mut list = writer.typed_array(2, int).unwrap();
    list.put(1).unwrap();
    list.put(2).unwrap();
    list.finish().unwrap();
    let mut pairs = writer.dictionary(1).unwrap();
    pairs.entry("a", 1).unwrap();
    pairs.finish().unwrap();
    let mut typed = writer.typed_dictionary(1, TypeRef::Builtin(Kind::String), int).unwrap();
    typed.entry("b", 2).unwrap();
    typed.finish().unwrap();
    let len = writer.sink().len();
    let bytes = writer.into_sink();
    assert_eq!(bytes.len(), len);

    let mut expected = vec![2, 5];
    let mut array = Array::from_iter([1, 2]);
    array.set_element_type(int);
    let mut dictionary = Dictionary::from_iter([("b", 2)]);
    dictionary.set_types(TypeRef::Builtin(Kind::String), int);
    let values = [array.into(), Dictionary::from_iter([("a", 1)]).into(), dictionary.into()];
    for value in &values {
        expected.extend(Variant::to_bytes(value, Dialect::Godot4).unwrap());
    }
    assert_eq!(bytes, expected);
    let read: Vec<_> = CompactReader::new(&bytes).map(|value| value.unwrap()).collect();
    assert_eq!(read.len(), 4);
}

/// `leaked` counts the nonzero padding bytes in the full encodings of values. It stops at the first
/// malformed byte.
#[test]
fn leaked_counts_nonzero_padding_bytes() {
    let text = b"\x04\0\0\0\x05\0\0\0hello\xde\0\xad";
    let array = b"\x1c\0\0\0\x01\0\0\0\x04\0\0\0\x01\0\0\0x\x01\x02\x03";
    let whole = [&[2, 5][..], text, &[2, 7], array].concat();
    assert_eq!(Run::compact(&whole).leaked(), 5);
    assert_eq!(Run::compact(&whole[..18]).leaked(), 2);
    assert_eq!(Run::compact(&[&whole[..18], &[39], text].concat()).leaked(), 2);
    assert_eq!(Run::compact(&[2, 5]).leaked(), 0);
    assert_eq!(Reader::new(text, Dialect::Godot4).leaked().unwrap(), 2);
    assert_eq!(Reader::new(array, Dialect::Godot4).leaked().unwrap(), 3);
    assert!(Reader::new(&array[..10], Dialect::Godot4).leaked().is_err());
}

/// Text is compared without the bytes after a NUL, but is printed with them.
#[test]
fn text_comparison_ignores_bytes_after_a_nul() {
    let hash = |text: StrRef<'_>| {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        hasher.finish()
    };
    for len in 1..=70 {
        let text = "a".repeat(len);
        for nul in 0..len {
            let (before, _) = text.split_at(nul);
            let with_nul = format!("{before}\0{}", &text[nul + 1..]);
            let (with_nul, before) = (StrRef::from(&*with_nul), StrRef::from(before));
            assert!(with_nul == before, "{len} {nul}");
            assert_eq!(hash(with_nul), hash(before));
        }
    }
    assert_ne!(hash(StrRef::from("a")), hash(StrRef::from("b")));
    assert_eq!(format!("{:?}", StrRef::from("a\"b")), r#""a\"b""#);
    assert_eq!(format!("{:?}", StrRef::from("a\0b")), r#"b"a\x00b""#);
}

#[test]
fn views_have_readable_debug_output() {
    let mut packet = Vec::new();
    let mut writer = Writer::new(&mut packet, Dialect::Godot4);
    writer.put(NodePath("/root/a:b")).unwrap();
    writer.put(&[Vector2 { x: 1.0_f32, y: 2.0 }][..]).unwrap();
    let mut reader = Reader::new(&packet, Dialect::Godot4);
    let path = NodePathRef::try_from(reader.read().unwrap()).unwrap();
    assert_eq!(format!("{path:?}"), r#"^"/root/a:b""#);
    let VariantRef::PackedVector2Array(vectors) = reader.read().unwrap() else { panic!() };
    assert_eq!(format!("{vectors:?}"), format!("{:?}", vectors.iter().collect::<Vec<_>>()));
    assert!(format!("{vectors:?}").starts_with("[Vector2"));
}

/// Given a value in its full encoding, `CompactWriter` writes the same shortened bytes as it does
/// for the decoded view of the value.
#[test]
fn compact_writer_shortens_full_values() {
    let compact = |value: &dyn Fn(&mut CompactWriter<Vec<u8>>)| {
        let mut writer = CompactWriter::new(Vec::new(), Dialect::Godot4);
        value(&mut writer);
        writer.into_sink()
    };
    for value in [owned(true), owned(-5), owned(1_i64 << 40), owned(&[1_u8, 2][..])] {
        let packet = value.to_bytes(Dialect::Godot4).unwrap();
        let full = Reader::new(&packet, Dialect::Godot4).read_encoded().unwrap();
        let short = compact(&|writer| writer.put(full.decode()).unwrap());
        assert!(short.len() < packet.len() || value.kind() == Kind::PackedByteArray);
        assert_eq!(compact(&|writer| writer.put(full).unwrap()), short);
    }
    let texts = [owned("text"), owned(0.5)];
    for packet in texts.iter().map(|text| text.to_bytes(Dialect::Godot4).unwrap()) {
        let full = Reader::new(&packet, Dialect::Godot4).read_encoded().unwrap();
        assert_eq!(compact(&|writer| writer.put(full).unwrap()), packet);
    }
}

/// A lookup finds keys whose headers contain unused bits.
#[test]
fn keys_with_unused_header_bits_are_found() {
    let words =
        [27, 2, 4 | 1 << 24, 1, u32::from(b'a'), 2, 5, 21 | 1 << 24, 1, u32::from(b'b'), 2, 6];
    let packet: Vec<u8> = words.iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
    let value = Reader::new(&packet, Dialect::Godot4).read().unwrap();
    let VariantRef::Dictionary(pairs) = value else { panic!() };
    for (key, expected) in [("a", 5), ("b", 6)] {
        assert_eq!(pairs.get(key).and_then(|value| value.as_i64()), Some(expected));
        assert_eq!(pairs.get_last(key).and_then(|value| value.as_i64()), Some(expected));
    }
}

/// The header bits that declare container types in Godot 4 have no meaning in older dialects.
#[test]
fn type_bits_are_ignored_in_older_dialects() {
    for (id, kind) in [(18_u32, Kind::Dictionary), (19, Kind::Array)] {
        for bits in 0..16 {
            let packet = [id | bits << 16, 0].map(u32::to_le_bytes).concat();
            let mut reader = Reader::new(&packet, Dialect::Godot3);
            assert_eq!(reader.read().unwrap().kind(), kind);
            assert!(reader.finish().is_ok());
        }
    }
}

/// The writer splits paths of up to eight parts in a different way than longer ones, and looks at
/// eight bytes at a time.
#[test]
fn paths_are_split_at_their_separators() {
    let mut random = Random::new(1);
    let parts = ["a", "", "bb", "long_name_of_a_node", "é", "exactly8", "16_bytes_of_text"];
    for count in (0..12).flat_map(|count| [count; 40]) {
        let mut path = random.one_of(&parts).to_owned();
        for _ in 0..count {
            path += if random.below(4) == 0 { ":" } else { "/" };
            path += random.one_of(&parts);
        }
        let (names, subnames) = path.split_once(':').unwrap_or((&path, ""));
        let mut expected = vec![22, 0, 0, 0];
        let names: Vec<&str> = names.split('/').filter(|name| !name.is_empty()).collect();
        let subnames: Vec<&str> = subnames.split(':').filter(|name| !name.is_empty()).collect();
        expected.extend((names.len() as u32 | 1 << 31).to_le_bytes());
        expected.extend((subnames.len() as u32).to_le_bytes());
        expected.extend(u32::from(path.starts_with('/')).to_le_bytes());
        for text in names.iter().chain(&subnames) {
            expected.extend((text.len() as u32).to_le_bytes());
            expected.extend(text.as_bytes());
            expected.resize(expected.len().next_multiple_of(4), 0);
        }
        let mut packet = Vec::new();
        Writer::new(&mut packet, Dialect::Godot4).put(NodePath(&path)).unwrap();
        assert_eq!(packet, expected, "{path:?}");
    }
}
