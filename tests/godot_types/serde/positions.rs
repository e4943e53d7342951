//! Tests types in every position of a packet: as a value, a key, an element or a component. The
//! types are options, newtypes, enums, and types that check whether the format is human-readable.

use crate::support::corpus;
use gamewire::SliceSink;
use gamewire::godot::{
    Aabb, Array, Color, Dialect, Dictionary, DictionaryRef, EncodedPairs, ErrorKind, NodePath,
    Object, ObjectRef, Reader, Rid, Signal, ToVariant, Variant, VariantRef, Vector2, Vector3,
    Writer, from_bytes, from_bytes_in, to_vec, to_writer,
};
use serde::ser::{SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, Serializer};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::net::Ipv4Addr;

fn put(value: impl ToVariant) -> Vec<u8> {
    Variant::new(value, Dialect::Godot4).unwrap().to_bytes(Dialect::Godot4).unwrap()
}

fn read<'de, T: Deserialize<'de>>(packet: &'de [u8]) -> T {
    from_bytes(packet).unwrap()
}

#[track_caller]
fn refused<'de, T: Deserialize<'de> + Debug>(packet: &'de [u8]) -> String {
    let error = from_bytes::<T>(packet).unwrap_err().to_string();
    error.split(" at offset").next().unwrap().to_owned()
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Own<T>(T);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Side {
    Left,
    Right,
}

fn own<T>(values: impl IntoIterator<Item = T>) -> Vec<Own<Option<T>>> {
    values.into_iter().map(|value| Own(Some(value))).collect()
}

/// Options and newtypes add no bytes to the encoding, so they can wrap a type in every position.
#[test]
fn options_and_newtypes_are_transparent_in_every_position() {
    type List<T> = Vec<Own<Option<T>>>;
    assert_eq!(read::<List<i64>>(&put(&Variant::from(Array::from_iter([1, 2])))), own([1, 2]));
    assert_eq!(read::<List<i32>>(&put(&[1_i32, -2][..])), own([1, -2]));
    assert_eq!(read::<List<u8>>(&put(&[1_u8, 2][..])), own([1, 2]));
    assert_eq!(read::<List<f64>>(&put(&[0.5_f32, 2.0][..])), own([0.5, 2.0]));
    let texts = put(&["a", "b"][..]);
    assert_eq!(read::<List<&str>>(&texts), own(["a", "b"]));
    assert_eq!(read::<List<String>>(&texts), own(["a".to_string(), "b".to_string()]));
    let points = [Vector2 { x: 1.0_f32, y: 2.0 }, Vector2 { x: 3.0, y: 4.0 }];
    assert_eq!(
        read::<List<Vector2<f64>>>(&put(&points[..])),
        own(points.map(|p| p.map(f64::from)))
    );
    assert_eq!(read::<List<List<f32>>>(&put(&points[..])), own([own([1.0, 2.0]), own([3.0, 4.0])]));
    assert_eq!(read::<List<f32>>(&put(points[0])), own([1.0, 2.0]));
    let signal = put(Signal { name: "hit".into(), object: 7 });
    assert_eq!(
        read::<(Own<Option<&str>>, Own<Option<u64>>)>(&signal),
        (Own(Some("hit")), Own(Some(7)))
    );
    let pairs = put(&Variant::from(Dictionary::from_iter([("a", 1), ("b", 2)])));
    let map: BTreeMap<Own<String>, Own<i32>> =
        [(Own("a".into()), Own(1)), (Own("b".into()), Own(2))].into();
    assert_eq!(read::<BTreeMap<Own<String>, Own<i32>>>(&pairs), map);
    assert_eq!(to_vec(&map).unwrap(), pairs);
    let map: BTreeMap<Option<String>, i32> = read(&pairs);
    assert!(map.into_iter().eq([(Some("a".into()), 1), (Some("b".into()), 2)]));
    // Wrapped bytes are encoded as bytes.
    assert_eq!(to_vec(&[Own(1_u8), Own(2)][..]).unwrap(), put(&[1_u8, 2][..]));
    assert_eq!(to_vec(&[Own(Rid(1))][..]).unwrap(), to_vec(&[Rid(1)]).unwrap());
}

#[test]
fn unit_variants_are_read_from_keys_and_packed_arrays() {
    use Side::{Left, Right};
    assert_eq!(read::<Vec<Side>>(&put(&["Left", "Right"][..])), [Left, Right]);
    let map: BTreeMap<Side, i32> = [(Left, 1), (Right, 2)].into();
    let pairs = put(&Variant::from(Dictionary::from_iter([("Left", 1), ("Right", 2)])));
    assert_eq!(read::<BTreeMap<Side, i32>>(&pairs), map);
    assert_eq!(to_vec(&map).unwrap(), pairs);
    let error = refused::<Vec<Side>>(&put(&["Up"][..]));
    assert_eq!(error, "unknown variant `Up`, expected `Left` or `Right`");
    let error = refused::<Vec<Side>>(&put(&[1_i32][..]));
    assert!(error.contains("invalid type: integer `1`"), "{error}");
}

/// The format is not human-readable, so an IP address is encoded as four bytes and not as text.
#[test]
fn format_is_not_human_readable() {
    let local = Ipv4Addr::new(127, 0, 0, 1);
    let bytes = to_vec(&[127, 0, 0, 1]).unwrap();
    assert_eq!(to_vec(&local).unwrap(), bytes);
    assert_eq!(read::<Ipv4Addr>(&bytes), local);
    let list = to_vec(&[local, local][..]).unwrap();
    assert_eq!(list, [&b"\x1c\0\0\0\x02\0\0\0"[..], &bytes, &bytes].concat());
    assert_eq!(read::<Vec<Ipv4Addr>>(&list), [local, local]);
    let keys: BTreeMap<_, _> = [(local, 5)].into();
    let pairs = to_vec(&keys).unwrap();
    assert_eq!(pairs, [&b"\x1b\0\0\0\x01\0\0\0"[..], &bytes, &put(5)].concat());
    assert_eq!(read::<BTreeMap<Ipv4Addr, i32>>(&pairs), keys);
    assert_eq!(read::<Own<Option<Ipv4Addr>>>(&put(&[127_u8, 0, 0, 1][..])), Own(Some(local)));
    // Text does not deserialize as an address in any position.
    let wanted = "expected an array of length 4";
    for error in [
        refused::<Ipv4Addr>(&put("127.0.0.1")),
        refused::<Vec<Ipv4Addr>>(&put(&["127.0.0.1"][..])),
        refused::<(Ipv4Addr, u64)>(&put(Signal { name: "127.0.0.1".into(), object: 7 })),
        refused::<BTreeMap<Ipv4Addr, i32>>(&put(&Variant::from(Dictionary::from_iter([(
            "127.0.0.1",
            5,
        )])))),
        refused::<Vec<Ipv4Addr>>(&put(&[5_i32][..])),
    ] {
        assert!(error.ends_with(wanted), "{error}");
    }
}

/// Replaces a list of lists of numbers with one list of numbers. A type that is deserialized from a
/// packed array gets a list for each element; a serializer of a different format gets all
/// components as one list.
fn flat(json: serde_json::Value) -> serde_json::Value {
    use serde_json::Value::{Array, Object};

    match json {
        Array(items) => {
            let items: Vec<_> = items.into_iter().map(flat).collect();
            let lists: Option<Vec<_>> = items.iter().map(|item| item.as_array()).collect();
            match lists.filter(|lists| lists.iter().all(|list| is_numbers(list))) {
                Some(lists) => Array(lists.into_iter().flatten().cloned().collect()),
                None => Array(items),
            }
        }
        // A signal is a list of its parts when it is deserialized, and a struct when it is
        // serialized.
        Object(fields) if fields.keys().eq(["name", "object"]) => {
            Array(fields.into_iter().map(|(_, part)| part).collect())
        }
        Object(fields) => {
            Object(fields.into_iter().map(|(name, value)| (name, flat(value))).collect())
        }
        other => other,
    }
}

fn is_numbers(items: &[serde_json::Value]) -> bool {
    items.iter().all(|item| item.is_number() || item.is_null())
}

/// A `serde_json::Value` deserialized from a packet equals the JSON serialized from the view of the
/// packet.
#[test]
fn deserialized_json_equals_serialized_json() {
    use serde_json::Value;

    let mut compared = 0;
    for (folder, dialect) in corpus::WRITTEN {
        for (name, bytes) in corpus::packets(folder) {
            let encoded = Reader::new(&bytes, dialect).read_encoded().unwrap();
            let Ok(read) = from_bytes_in::<Value>(&bytes, dialect) else { continue };
            let shown = serde_json::to_value(encoded).unwrap();
            // `serde_json::Value` keeps one pair for each key, and does not keep the order.
            assert_eq!(flat(read), flat(shown.clone()), "{folder}/{name}");
            let owned = serde_json::to_value(encoded.to_variant().unwrap()).unwrap();
            assert_eq!(owned, shown, "{folder}/{name}");
            compared += 1;
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn views_of_containers_are_copied() {
    let mut object = Object::new("Node");
    object.properties.push((b"hp".to_vec(), 5.into()));
    let pairs =
        Dictionary::from_iter([(Variant::from("a"), Variant::from(object)), (1.into(), 2.into())]);
    let packet = put(&Variant::from(pairs));
    let value = Reader::new(&packet, Dialect::Godot4).read().unwrap();
    let dictionary: DictionaryRef<'_> = value.as_dictionary().unwrap();
    assert_eq!(to_vec(&dictionary).unwrap(), packet);
    assert_eq!(to_vec(&value).unwrap(), packet);
    let object = dictionary.get("a").unwrap();
    let VariantRef::Object(ObjectRef::Full(full)) = object else { panic!() };
    assert_eq!(to_vec(&object).unwrap(), full.encoded().as_bytes());
    let json = r#"{"a":{"hp":5},"1":2}"#;
    assert_eq!(serde_json::to_string(&dictionary).unwrap(), json);
    assert_eq!(serde_json::to_string(&value).unwrap(), json);
    let pairs: EncodedPairs<'_> = dictionary.iter().encoded();
    assert_eq!(pairs.count(), 2);
}

#[test]
fn unknown_types_are_rejected_by_all_dialects() {
    let no_class = Variant::from(Object::default());
    let error = to_vec(&no_class).unwrap_err();
    assert!(error.to_string().contains("a full object needs a class"), "{error}");
    let error = serde_json::to_string(&no_class).unwrap_err();
    assert!(error.to_string().contains("a full object needs a class"), "{error}");
}

/// A type that ignores errors of the serializer and continues.
enum Stubborn<T> {
    Seq(T),
    Tuple(T),
    Map(T),
    Key(T),
    Fields(T),
}

impl<T: Serialize> Serialize for Stubborn<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Seq(value) => {
                let mut seq = to.serialize_seq(None)?;
                let _ = seq.serialize_element(&1_u8);
                let _ = seq.serialize_element(value);
                let _ = seq.serialize_element("x");
                seq.end()
            }
            Self::Tuple(value) => {
                let mut items = to.serialize_tuple(2)?;
                let _ = items.serialize_element(value);
                let _ = items.serialize_element("x");
                items.end()
            }
            Self::Map(value) => {
                let mut pairs = to.serialize_map(None)?;
                let _ = pairs.serialize_entry("a", value);
                let _ = pairs.serialize_entry("b", &1);
                pairs.end()
            }
            Self::Key(key) => {
                let mut pairs = to.serialize_map(Some(1))?;
                let _ = pairs.serialize_key(key);
                let _ = pairs.serialize_value(&1);
                pairs.end()
            }
            Self::Fields(value) => {
                let mut fields = to.serialize_struct("Fields", 2)?;
                let _ = fields.serialize_field("a", value);
                let _ = fields.serialize_field("b", &1);
                fields.end()
            }
        }
    }
}

/// If a type ignores the error of an item, the serializer fails at the end and removes the output.
/// The failing item is a number that is too large, either alone or as the second item of a tuple.
#[test]
fn type_that_ignores_an_error_writes_nothing() {
    fn all<T: Copy>(value: T) -> [Stubborn<T>; 5] {
        let all: [fn(T) -> Stubborn<T>; 5] =
            [Stubborn::Seq, Stubborn::Tuple, Stubborn::Map, Stubborn::Key, Stubborn::Fields];
        all.map(|make| make(value))
    }

    for good in all((1, 5_u64)) {
        let whole = to_vec(&good).unwrap();
        assert!(Reader::new(&whole, Dialect::Godot4).skip().is_ok());
        // Serialization also fails if a type ignores the error of a full sink.
        for capacity in 0..whole.len() {
            let mut memory = vec![0; capacity];
            let mut writer = Writer::new(SliceSink::new(&mut memory), Dialect::Godot4);
            let error = to_writer(&mut writer, &good).unwrap_err();
            let before = error.to_string().contains("is incomplete because an earlier");
            assert!(
                before || matches!(error.kind(), Some(ErrorKind::BufferFull { .. })),
                "{error}"
            );
            assert!(writer.sink().written().is_empty(), "{capacity}");
        }
    }
    for bad in all(u64::MAX) {
        assert!(
            to_vec(&bad)
                .unwrap_err()
                .to_string()
                .contains("the container is incomplete because an earlier item failed")
        );
        assert!(to_vec(&(5, bad)).is_err());
    }
    for bad in all((1, u64::MAX)) {
        assert!(
            to_vec(&bad)
                .unwrap_err()
                .to_string()
                .contains("the container is incomplete because an earlier item failed")
        );
    }
}

/// A leaf deserializes as a list of its parts. A type with a different number of items is an error.
#[test]
fn leaf_deserializes_as_list_of_its_parts() {
    let area = Aabb { position: Vector3 { x: 1.0_f32, y: 2.0, z: 3.0 }, size: Default::default() };
    assert_eq!(read::<[f32; 6]>(&put(area)), [1.0, 2.0, 3.0, 0.0, 0.0, 0.0]);
    assert_eq!(
        read::<(f32, f32, f32, f32)>(&put(Color { r: 0.5_f32, g: 1.0, b: 0.0, a: 0.25 })),
        (0.5, 1.0, 0.0, 0.25)
    );
    let few = "unexpected number of items: 6";
    assert_eq!(refused::<[f32; 5]>(&put(area)), few);
    assert_eq!(refused::<(f32, f32)>(&put(area)), few);
    assert_eq!(refused::<[i32; 2]>(&put(&[1_i32, 2, 3][..])), "unexpected number of items: 3");
    assert_eq!(refused::<[&str; 1]>(&put(&["a", "b"][..])), "unexpected number of items: 2");
    assert_eq!(read::<String>(&put(NodePath("/a/b:c"))), "/a/b:c");
    assert_eq!(read::<Own<u64>>(&to_vec(&Rid(u64::MAX)).unwrap()), Own(u64::MAX));
}
