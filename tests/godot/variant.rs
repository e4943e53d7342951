//! Owned values: round trips of engine files, and building, comparing, changing and converting
//! values.

use crate::support::corpus;
use crate::support::godot::words::words;
use gamewire::godot::{
    Array, Color, Dialect, Dictionary, ErrorKind, Kind, NodePath, Object, ObjectRef, Quaternion,
    Reader, StringName, Target, TypeRef, Variant, VariantRef, Vector2, Vector3, Wide, Writer,
};

fn owned(bytes: &[u8], dialect: Dialect) -> Variant {
    Reader::new(bytes, dialect).read_encoded().unwrap().to_variant().unwrap()
}

/// Owned values preserve all bytes of a packet, including widths, the order of pairs, container
/// types, and the uninitialised padding of Godot 3's NodePaths.
#[test]
fn engine_files_round_trip() {
    let others = [("bench", Dialect::Godot4), corpus::HOSTILE];
    for (folder, dialect) in corpus::WRITTEN.into_iter().chain(others) {
        for (name, bytes) in corpus::packets(folder) {
            let mut reader = Reader::new(&bytes, dialect);
            if folder == corpus::HOSTILE.0 && (reader.skip().is_err() || !reader.is_empty()) {
                continue;
            }
            let value = owned(&bytes, dialect);
            assert!(value.to_bytes(dialect).unwrap() == bytes, "{folder}/{name}");
            let view = Reader::new(&bytes, dialect).read().unwrap();
            // A null object converts to Nil, as in Godot 4.
            let from_view = Variant::try_from(view).unwrap();
            let kind = if value.is_nil() { Kind::Nil } else { value.kind() };
            assert_eq!(from_view.kind(), kind, "{folder}/{name}");
        }
    }
}

#[test]
fn built_values_have_the_writers_bytes() {
    let mut object = Object::new("Node");
    object.properties.push((b"hp".to_vec(), 5.into()));
    let mut typed = Dictionary::from_iter([("a", 1), ("b", 2)]);
    typed.set_types(TypeRef::Builtin(Kind::String), TypeRef::Builtin(Kind::Int));
    let value = Variant::from(Array::from_iter([
        Variant::NIL,
        true.into(),
        Wide(5).into(),
        0.1.into(),
        0.5_f32.into(),
        "text".into(),
        String::from("text").into(),
        StringName("name").into(),
        NodePath("/root/a:b").into(),
        Vector2 { x: 1, y: 2 }.into(),
        Vector3 { x: 1.0_f64, y: 2.0, z: 3.0 }.into(),
        Some(7_u8).into(),
        None::<i64>.into(),
        (&[1_u8, 2][..]).into(),
        (&["a", "b"][..]).into(),
        Variant::try_from(7_u64).unwrap(),
        object.into(),
        typed.into(),
    ]));

    let mut packet = Vec::new();
    let mut writer = Writer::new(&mut packet, Dialect::Godot4);
    let mut items = writer.array(18).unwrap();
    items.put(()).unwrap();
    items.put(true).unwrap();
    items.put(Wide(5_i64)).unwrap();
    items.put(0.1).unwrap();
    items.put(0.5_f32).unwrap();
    items.put("text").unwrap();
    items.put("text").unwrap();
    items.put(StringName("name")).unwrap();
    items.put(NodePath("/root/a:b")).unwrap();
    items.put(Vector2 { x: 1, y: 2 }).unwrap();
    items.put(Vector3 { x: 1.0_f64, y: 2.0, z: 3.0 }).unwrap();
    items.put(7).unwrap();
    items.put(()).unwrap();
    items.put(&[1_u8, 2][..]).unwrap();
    items.put(&["a", "b"][..]).unwrap();
    items.put(7).unwrap();
    let mut node = items.object("Node", 1).unwrap();
    node.property("hp").unwrap();
    node.put(5).unwrap();
    node.finish().unwrap();
    let (key, of) = (TypeRef::Builtin(Kind::String), TypeRef::Builtin(Kind::Int));
    let mut typed = items.typed_dictionary(2, key, of).unwrap();
    typed.entry("a", 1).unwrap();
    typed.entry("b", 2).unwrap();
    typed.finish().unwrap();
    items.finish().unwrap();
    assert_eq!(value.to_bytes(Dialect::Godot4).unwrap(), packet);
    assert_eq!(owned(&packet, Dialect::Godot4), value);
}

#[test]
fn equality_compares_type_width_and_value() {
    let same = |a: &Variant, b: &Variant| a == b;
    let float = |value: f64| Variant::from(value);
    assert!(same(&5.into(), &5_u8.into()));
    assert!(!same(&5.into(), &Wide(5).into()));
    assert!(!same(&5.into(), &5.0.into()));
    assert!(!same(&float(0.0), &float(-0.0)));
    assert!(same(&float(f64::NAN), &float(f64::NAN)));
    assert!(!same(&"a".into(), &StringName("a").into()));
    let single = Vector2 { x: 1.0_f32, y: 0.0 };
    assert!(!same(&single.into(), &single.map(f64::from).into()));
    let pairs = [("a", 1), ("b", 2)];
    let forward = Variant::from(Dictionary::from_iter(pairs));
    let backward = Dictionary::from_iter(pairs.into_iter().rev()).into();
    assert!(!same(&forward, &backward));

    // The comparison ignores type ids and padding.
    let rotation = Quaternion { x: 0.0_f32, y: 0.0, z: 0.0, w: 1.0 };
    let old = Variant::new(rotation, Dialect::Godot3).unwrap();
    assert!(same(&old, &rotation.into()));
    assert_ne!(old.to_bytes(Dialect::Godot3), old.to_bytes(Dialect::Godot4));
    let pads = b"\x04\0\0\0\x01\0\0\0xabc";
    assert!(same(&owned(pads, Dialect::Godot3), &"x".into()));
    assert!(same(&owned(&[2, 0, 2, 0, 5, 0, 0, 0], Dialect::Godot4), &5.into()));
}

#[test]
fn values_are_changed_in_place() {
    let mut state = Variant::from(Dictionary::from_iter([("hp", 5), ("armor", 2)]));
    let pairs = state.as_dictionary_mut().unwrap();
    assert_eq!(pairs.insert("hp", 4), Some(5.into()));
    assert_eq!(pairs.insert("name", "Ada"), None);
    assert_eq!(pairs.insert(7, Array::new()), None);
    assert_eq!(pairs.remove("armor"), Some(2.into()));
    assert_eq!(pairs.remove("armor"), None);
    *state.get_mut("name").unwrap() = StringName("Bob").into();
    assert_eq!(state.get("name"), Some(&StringName("Bob").into()));
    let list = state.as_dictionary().unwrap();
    assert_eq!(list.get_by(&7.into()), Some(&Array::new().into()));
    assert_eq!(list.pairs.len(), 3);

    let mut named = Dictionary::from_iter([(StringName("a"), 1)]);
    assert_eq!(named.insert("a", 2), Some(1.into()));
    assert_eq!(named.pairs, [(StringName("a").into(), 2.into())]);
    assert_eq!(named.get_by(&"a".into()), Some(&2.into()));

    // If a key occurs twice, the last pair with this key is used.
    let mut twice = Dictionary::default();
    twice.pairs = vec![("a".into(), 1.into()), ("a".into(), 2.into())];
    assert_eq!(twice.get("a"), Some(&2.into()));
    twice.insert("a", 3);
    assert_eq!(twice.pairs, [("a".into(), 1.into()), ("a".into(), 3.into())]);
}

#[test]
fn conversions_reject_values_out_of_range() {
    let int = Variant::from(-3);
    assert_eq!(i64::try_from(&int), Ok(-3));
    assert_eq!(i8::try_from(&int), Ok(-3));
    assert!(u8::try_from(&int).is_err());
    assert_eq!(f64::try_from(&int), Ok(-3.0));
    assert!(bool::try_from(&int).is_err());
    assert_eq!(String::try_from(&Variant::from("é")).as_deref(), Ok("é"));
    assert_eq!(Vec::<u8>::try_from(&Variant::from(&b"ab"[..])), Ok(b"ab".to_vec()));
    let color = Color { r: 1.0_f32, g: 0.5, b: 0.25, a: 1.0 };
    assert_eq!(Color::<f32>::try_from(&Variant::from(color)), Ok(color));
    assert_eq!(
        Vector2::<i32>::try_from(&Vector2 { x: 1, y: 2 }.into()),
        Ok(Vector2 { x: 1, y: 2 })
    );
    assert!(Vector2::<i32>::try_from(&Variant::from(Vector2 { x: 1.0_f32, y: 2.0 })).is_err());
    assert!(Variant::try_from(u64::MAX).is_err());
    assert_eq!(Array::try_from(Variant::from(Array::new())), Ok(Array::new()));
    let error = Dictionary::try_from(int).unwrap_err();
    assert_eq!(error.to_string(), "cannot convert this Int to Dictionary");
    let id = Variant::new(VariantRef::Object(ObjectRef::Id(7)), Dialect::Godot4).unwrap();
    assert!(matches!(id.leaf(), Some(VariantRef::Object(ObjectRef::Id(7)))));
}

#[test]
fn type_missing_in_the_target_is_an_error_without_output() {
    let mut typed = Array::from_iter([1]);
    typed.set_element_type(TypeRef::Builtin(Kind::Int));
    let value = Variant::from(Array::from_iter([Variant::from(1), typed.into()]));
    let mut packet = Vec::new();
    let mut writer = Writer::new(&mut packet, Target::GODOT4_0);
    let error = writer.put(&value).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Unrepresentable(Kind::Array, _)));
    assert!(writer.into_sink().is_empty());
    assert!(Variant::from(Object::default()).to_bytes(Dialect::Godot4).is_err());
}

#[test]
fn deepest_value_can_be_copied_compared_written_and_dropped() {
    let deep = |levels: usize| {
        let mut bytes = b"\x1c\0\0\0\x01\0\0\0".repeat(levels);
        bytes.extend([0; 4]);
        bytes
    };
    let bytes = deep(1024);
    let value = owned(&bytes, Dialect::Godot4);
    assert!(value.clone() == value);
    assert_eq!(value.to_bytes(Dialect::Godot4).unwrap(), bytes);

    let deeper = deep(1025);
    let mut stack = [0; 2000];
    let mut reader = Reader::new(&deeper, Dialect::Godot4).with_stack(&mut stack);
    let error = reader.read_encoded().unwrap().to_variant().unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::TooDeep { limit: 1024 });
    let error = Variant::from(vec![value]).to_bytes(Dialect::Godot4).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::TooDeep { limit: 1024 });
    assert!(size_of::<Variant>() <= 48);
}

#[test]
fn shared_flag_of_containers_is_preserved() {
    const SHARED: u32 = 1 << 31;
    let packet = |kind, count| words(&[Dialect::Godot2.id(kind).unwrap().into(), count]);
    for (count, is_shared) in [(0, false), (SHARED, true)] {
        let array = owned(&packet(Kind::Array, count), Dialect::Godot2);
        let mut array = array.as_array().unwrap().clone();
        assert_eq!(array.is_shared(), is_shared);
        array.set_element_type(TypeRef::Builtin(Kind::Int));
        assert_eq!(array.is_shared(), is_shared);
        let dictionary = owned(&packet(Kind::Dictionary, count), Dialect::Godot2);
        let mut dictionary = dictionary.as_dictionary().unwrap().clone();
        assert_eq!(dictionary.is_shared(), is_shared);
        dictionary.set_types(TypeRef::Untyped, TypeRef::Builtin(Kind::Int));
        assert_eq!(dictionary.is_shared(), is_shared);
    }
}

/// Bit 24 of a header is unused, and is preserved.
#[test]
fn unused_container_bits_round_trip() {
    const ODD: u32 = 1 << 24;
    let name = u32::from_le_bytes(*b"A\0\0\0");
    for packet in [
        words(&[28 | ODD, 1, 2, 5]),
        words(&[27 | ODD, 1, 2, 5, 2, 6]),
        words(&[24 | ODD, 1, name, 1, 1, name, 2, 5]),
    ] {
        let value = owned(&packet, Dialect::Godot4);
        assert_eq!(value.to_bytes(Dialect::Godot4).unwrap(), packet);
    }
}

#[test]
fn conversion_from_encoded_values() {
    let packet = words(&[2, 5]);
    let encoded = Reader::new(&packet, Dialect::Godot4).read_encoded().unwrap();
    assert_eq!(Variant::try_from(encoded), Ok(5.into()));
}

/// A null object differs from Nil, although Godot 4 reads both as null.
#[test]
fn null_object_differs_from_nil() {
    let object = owned(&words(&[17 | 1 << 16, 0, 0]), Dialect::Godot3);
    let null = Variant::new((), Dialect::Godot4).unwrap();
    assert_ne!(null, object);
    assert_ne!(object, null);
}

/// Serde writes an owned value in its own dialect, so unused header bits are preserved.
#[cfg(feature = "serde")]
#[test]
fn serde_preserves_unused_header_bits() {
    use gamewire::godot::to_vec_for;
    let packet = words(&[19 | 1 << 24, 0]);
    let value = owned(&packet, Dialect::Godot3);
    assert_eq!(to_vec_for(&value, Dialect::Godot3).unwrap(), packet);
}
