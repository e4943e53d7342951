//! Rust types are serialized as Godot values, and deserialized from them. The tests cover types
//! that fit a value, types that do not fit, and the paths in errors.

use crate::support::corpus;
use gamewire::SliceSink;
use gamewire::godot::serde::{Deserializer, Error};
use gamewire::godot::{
    self, Aabb, ArrayRef, Basis, Callable, Color, Dialect, DictionaryRef, Encoded, ErrorKind, F32,
    F64, I32, I64, Kind, Level, Limits, NodePath, ObjectId, Packed, Plane, Projection, Quaternion,
    Reader, Rect2, Rid, Signal, StringName, Target, Transform2D, Transform3D, TypeRef,
    Unrepresentable, Variant, VariantRef, Vector2, Vector3, Vector4, Wide, Writer, from_bytes,
    from_bytes_in, to_vec, to_vec_for, to_writer,
};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

/// Returns the bytes that `write` produces.
fn written(write: impl FnOnce(&mut Writer<&mut Vec<u8>>) -> Result<(), godot::Error>) -> Vec<u8> {
    let mut packet = Vec::new();
    write(&mut Writer::new(&mut packet, Dialect::Godot4)).unwrap();
    packet
}

fn put<V: godot::ToVariant>(value: V) -> Vec<u8> {
    written(|writer| writer.put(value))
}

/// Encodes a Dictionary of two pairs.
fn pairs<A: godot::ToVariant, B: godot::ToVariant>(a: (&str, A), b: (&str, B)) -> Vec<u8> {
    written(|writer| {
        let mut pairs = writer.dictionary(2)?;
        pairs.entry(a.0, a.1)?;
        pairs.entry(b.0, b.1)?;
        pairs.finish()
    })
}

fn array<V: godot::ToVariant>(
    items: impl IntoIterator<Item = V, IntoIter: ExactSizeIterator>,
) -> Vec<u8> {
    let items = items.into_iter();
    written(|writer| {
        let mut array = writer.array(items.len())?;
        items.into_iter().try_for_each(|item| array.put(item))?;
        array.finish()
    })
}

/// Asserts that the value serializes as `packet` and deserializes from it.
#[track_caller]
fn is<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, packet: Vec<u8>) {
    assert_eq!(to_vec(&value).unwrap(), packet, "{value:?}");
    assert_eq!(from_bytes::<T>(&packet).unwrap(), value);
}

#[track_caller]
fn rejects<'de, T: Deserialize<'de> + Debug>(packet: &'de [u8]) -> Error {
    from_bytes::<T>(packet).unwrap_err()
}

#[test]
fn scalars_round_trip() {
    is((), put(()));
    is(true, put(true));
    is(-5_i8, put(-5));
    is(5_u16, put(5));
    is(1_i64 << 40, put(1_i64 << 40));
    is(0.5_f32, put(0.5));
    is(0.1_f64, put(0.1));
    is(0.1_f32, put(0.1_f32));
    is('ß', put("ß"));
    is(String::from("x"), put("x"));
    is(Some(5), put(5));
    is(None::<i32>, put(()));
    is(i128::from(i64::MIN), put(i64::MIN));
    is(i64::MAX as u128, put(i64::MAX));
    assert_eq!(from_bytes::<f64>(&put(5)).unwrap(), 5.0);
    assert_eq!(from_bytes::<f32>(&put(Wide(0.5))).unwrap(), 0.5);
    assert_eq!(from_bytes::<f32>(&put((1 << 24) + 1)).unwrap(), 16_777_216.0);
    assert_eq!(from_bytes::<u8>(&put(Wide(5_i64))).unwrap(), 5);
    assert_eq!(from_bytes::<String>(&put(StringName("x"))).unwrap(), "x");
    assert_eq!(from_bytes::<Option<u8>>(&put(ObjectId(0))).unwrap(), None);
}

#[test]
fn mismatched_values_are_rejected() {
    for (error, message) in [
        (rejects::<u8>(&put(300)), "invalid value: integer `300`, expected u8 at offset 0 (0x0)"),
        (rejects::<u64>(&put(-1)), "invalid value: integer `-1`, expected u64 at offset 0 (0x0)"),
        (
            rejects::<i64>(&put(0.5)),
            "invalid type: floating point `0.5`, expected i64 at offset 0 (0x0)",
        ),
        (
            rejects::<bool>(&put(())),
            "invalid type: unit value, expected a boolean at offset 0 (0x0)",
        ),
        (
            rejects::<(i32, i32)>(&array([1, 2, 3])),
            "unexpected number of items: 3 at offset 0 (0x0)",
        ),
        (
            rejects::<(i32, i32)>(&put(Vector3 { x: 1, y: 2, z: 3 })),
            "unexpected number of items: 3 at offset 0 (0x0)",
        ),
        (
            rejects::<Vector2<f32>>(&put(Vector3 { x: 1, y: 2, z: 3 })),
            "expected Vector2, found Vector3i at offset 0 (0x0)",
        ),
        (
            to_vec(&u64::MAX).unwrap_err(),
            "18446744073709551615 does not fit an int of 64 bits at offset 0 (0x0)",
        ),
        (
            to_vec(&(1, i128::MIN)).unwrap_err(),
            "-170141183460469231731687303715884105728 does not fit an int of 64 bits at offset 16 (0x10)",
        ),
    ] {
        assert_eq!(error.to_string(), message);
    }
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Player<'a> {
    name: &'a str,
    #[serde(alias = "health")]
    hp: u8,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    items: Vec<String>,
}

#[test]
fn structs_are_read_from_fields_in_any_order() {
    let player = Player { name: "Ada", hp: 7, items: vec![] };
    assert_eq!(to_vec(&player).unwrap(), pairs(("name", "Ada"), ("hp", 7)));
    for packet in [
        pairs(("name", "Ada"), ("hp", 7)),
        pairs(("hp", 7), ("name", "Ada")),
        pairs(("health", 7), ("name", StringName("Ada"))),
        written(|writer| {
            let mut pairs = writer.dictionary(5)?;
            pairs.entry(StringName("unknown"), &[1_i32][..])?;
            pairs.entry(StringName("hp"), 7)?;
            pairs.put("nested")?;
            let mut nested = pairs.array(1)?;
            nested.put(Vector2 { x: 1, y: 2 })?;
            nested.finish()?;
            pairs.entry("name", "Ada")?;
            pairs.entry("more", ())?;
            pairs.finish()
        }),
        written(|writer| {
            let mut object = writer.object("Player", 2)?;
            object.property("hp")?;
            object.put(7)?;
            object.property("name")?;
            object.put("Ada")?;
            object.finish()
        }),
        // A byte order mark, and the text after a NUL, are ignored.
        b"\x1b\0\0\0\x02\0\0\0\x04\0\0\0\x07\0\0\0\xef\xbb\xbfname\0\x04\0\0\0\x05\0\0\0Ada\0x\0\0\0\
          \x04\0\0\0\x02\0\0\0hp\xff\xff\x02\0\0\0\x07\0\0\0".to_vec(),
        written(|writer| {
            let mut fields = writer.array(3)?;
            fields.put("Ada")?;
            fields.put(7)?;
            fields.array(0)?.finish()?;
            fields.finish()
        }),
    ] {
        assert_eq!(from_bytes::<Player<'_>>(&packet).unwrap(), player);
    }
    let packet = pairs(("name", "Ada"), ("name", "Bob"));
    assert!(rejects::<Player<'_>>(&packet).to_string().contains("duplicate field `name`"));
    let packet = pairs(("name", "Ada"), ("mana", 5));
    assert!(rejects::<Player<'_>>(&packet).to_string().contains("missing field `hp`"));
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Outer {
    id: u32,
    #[serde(flatten)]
    place: Place,
    #[serde(flatten)]
    rest: BTreeMap<String, i64>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Place {
    position: Vector3<f32>,
    area: Rect2<f64>,
    turn: Basis<f32>,
    grid: Vector2<i32>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Either {
    Number(f64),
    Text(String),
    Area(Rect2<f32>),
    Numbers(Vec<i32>),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Tagged {
    Move { to: Vector2<f32>, frame: Transform3D<f64>, bytes: Vec<u8> },
    Stop,
}

fn vector3<R>(x: R, y: R, z: R) -> Vector3<R> {
    Vector3 { x, y, z }
}

fn basis<R: Copy + From<i8>>() -> Basis<R> {
    let row = |at: i8| vector3(R::from(at), R::from(at + 1), R::from(at + 2));
    Basis { rows: [row(1), row(4), row(7)] }
}

fn transform<R: Copy + From<i8>>() -> Transform3D<R> {
    Transform3D { basis: basis(), origin: vector3(R::from(-1), R::from(-2), R::from(-3)) }
}

#[test]
fn flattened_and_tagged_types_round_trip() {
    let outer = Outer {
        id: 5,
        place: Place {
            position: vector3(1.0, 2.0, 3.5),
            area: Rect2 { position: Vector2 { x: 0.1, y: 0.2 }, size: Vector2 { x: 3.0, y: 4.0 } },
            turn: basis(),
            grid: Vector2 { x: 1, y: -1 },
        },
        rest: [("a".to_string(), 1), ("b".to_string(), 2)].into(),
    };
    let packet = to_vec(&outer).unwrap();
    assert_eq!(from_bytes::<Outer>(&packet).unwrap(), outer);
    let VariantRef::Dictionary(dictionary) = Reader::new(&packet, Dialect::Godot4).read().unwrap()
    else {
        panic!()
    };
    assert_eq!(dictionary.len(), 7);
    assert_eq!(dictionary.get("area").unwrap().kind(), Kind::Rect2);
    assert!(dictionary.get("area").unwrap().is_double());

    for either in [
        Either::Number(0.5),
        Either::Text("x".into()),
        Either::Area(Rect2 {
            position: Vector2 { x: 1.0, y: 2.0 },
            size: Vector2 { x: 3.0, y: 4.0 },
        }),
        Either::Numbers(vec![1, 2]),
    ] {
        assert_eq!(from_bytes::<Either>(&to_vec(&either).unwrap()).unwrap(), either);
    }
    let to = Vector2 { x: 0.5, y: 1.5 };
    for tagged in [Tagged::Move { to, frame: transform(), bytes: vec![1, 2] }, Tagged::Stop] {
        assert_eq!(from_bytes::<Tagged>(&to_vec(&tagged).unwrap()).unwrap(), tagged);
    }
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Action {
    Wait,
    Say(String),
    Go(i32, i32),
    Look { at: Vector2<f32> },
}

type Write<'f> = &'f dyn Fn(&mut Writer<&mut Vec<u8>>) -> Result<(), godot::Error>;

#[test]
fn enums_round_trip() {
    is(Action::Wait, put("Wait"));
    let named = |write: Write<'_>, name| {
        written(|writer| {
            let mut pair = writer.dictionary(1)?;
            pair.put(name)?;
            write(&mut pair)?;
            pair.finish()
        })
    };
    is(Action::Say("x".into()), named(&|writer| writer.put("x"), "Say"));
    let two = |writer: &mut Writer<&mut Vec<u8>>| {
        let mut items = writer.array(2)?;
        items.put(1)?;
        items.put(2)?;
        items.finish()
    };
    is(Action::Go(1, 2), named(&two, "Go"));
    let at = Vector2 { x: 1.0, y: 2.0 };
    let look = |writer: &mut Writer<&mut Vec<u8>>| {
        let mut fields = writer.dictionary(1)?;
        fields.entry("at", at)?;
        fields.finish()
    };
    is(Action::Look { at }, named(&look, "Look"));
    assert_eq!(from_bytes::<Action>(&named(&|w| w.put(()), "Wait")).unwrap(), Action::Wait);
    assert_eq!(from_bytes::<Action>(&put(StringName("Wait"))).unwrap(), Action::Wait);

    let error = rejects::<Action>(&put("Fly"));
    assert!(error.to_string().starts_with("unknown variant `Fly`"), "{error}");
    let error = rejects::<Action>(&put("Say"));
    assert!(error.to_string().starts_with("invalid type: unit variant"), "{error}");
    let error = rejects::<Action>(&pairs(("Wait", ()), ("Say", "x")));
    assert_eq!(error.kind(), Some(&ErrorKind::WrongCount { found: 2 }));
    assert!(rejects::<Action>(&put(5)).to_string().starts_with("invalid type: integer"));
}

#[test]
fn sequences_and_bytes_round_trip() {
    is(vec![1, -2], array([1, -2]));
    is(
        (1, "x".to_string()),
        written(|writer| {
            let mut items = writer.array(2)?;
            items.put(1)?;
            items.put("x")?;
            items.finish()
        }),
    );
    is([1_u8, 2], array([1, 2])); // not packed, because serde serializes an array as a tuple
    is(vec![1_u8, 2], put(&[1_u8, 2][..]));
    is(Vec::<u8>::new(), array([0; 0]));
    is(
        vec![Some(1_u8), None, Some(3)],
        written(|writer| {
            let mut items = writer.array(3)?;
            items.put(1)?;
            items.put(())?;
            items.put(3)?;
            items.finish()
        }),
    );
    is(vec![Some(1_u8), Some(2)], array([1, 2])); // not packed, because the type allows `None`

    assert_eq!(from_bytes::<&[u8]>(&put(&[1_u8, 2][..])).unwrap(), [1, 2]);
    assert!(from_bytes::<&[u8]>(&array([0; 0])).unwrap().is_empty());
    assert_eq!(from_bytes::<Vec<u8>>(&array([1, 2])).unwrap(), [1, 2]);
    assert_eq!(from_bytes::<Vec<i64>>(&put(&[1_i32, 2][..])).unwrap(), [1, 2]);
    assert_eq!(from_bytes::<Vec<f64>>(&put(&[0.5_f32][..])).unwrap(), [0.5]);
    assert_eq!(from_bytes::<Vec<&str>>(&put(&["a", "b"][..])).unwrap(), ["a", "b"]);
    let points = [Vector2 { x: 1.0_f32, y: 2.0 }, Vector2 { x: 3.0, y: 4.0 }];
    let packet = put(&points[..]);
    assert_eq!(
        from_bytes::<Vec<Vector2<f64>>>(&packet).unwrap(),
        points.map(|it| it.map(f64::from))
    );
    assert_eq!(from_bytes::<Vec<(f32, f32)>>(&packet).unwrap(), [(1.0, 2.0), (3.0, 4.0)]);
    assert_eq!(from_bytes::<Vec<[f32; 2]>>(&packet).unwrap(), [[1.0, 2.0], [3.0, 4.0]]);
    assert!(rejects::<Vec<[f32; 1]>>(&packet).to_string().contains("too many components"));
    assert!(rejects::<Vec<f32>>(&packet).to_string().contains("invalid type: sequence"));
    assert!(rejects::<Vec<Vector2<i32>>>(&packet).to_string().contains("floating point"));
    assert_eq!(from_bytes::<[f64; 2]>(&put(points[0])).unwrap(), [1.0, 2.0]);
    // The parts of a basis are ordered by axes, as in a script.
    assert_eq!(
        from_bytes::<[f32; 9]>(&put(basis::<f32>())).unwrap(),
        [1., 4., 7., 2., 5., 8., 3., 6., 9.]
    );
    let error = rejects::<Vec<u8>>(&put(&[1_i32, 300][..]));
    assert_eq!((error.offset(), error.path()), (12, "1"));
    // A huge count does not cause a large allocation.
    let error = rejects::<Vec<u64>>(b"\x1c\0\0\0\xff\xff\xff\x0f\0\0\0\0");
    assert!(matches!(error.kind(), Some(ErrorKind::UnexpectedEnd { .. })), "{error}");
}

#[test]
fn maps_round_trip() {
    let map: BTreeMap<String, i32> = [("a".into(), 1), ("b".into(), 2)].into();
    is(map, pairs(("a", 1), ("b", 2)));
    let map: BTreeMap<i64, bool> = [(1, true)].into();
    is(
        map,
        written(|writer| {
            let mut pairs = writer.dictionary(1)?;
            pairs.entry(1, true)?;
            pairs.finish()
        }),
    );
    let packet = pairs(("a", 1), ("a", 2)); // the last pair is kept, as in the engine
    assert_eq!(from_bytes::<HashMap<&str, i32>>(&packet).unwrap(), [("a", 2)].into());
    let packet = pairs(("name", 1), ("hp", 2));
    assert_eq!(
        from_bytes::<Vec<(String, i32)>>(&to_vec(&[("a", 1)]).unwrap()).unwrap(),
        [("a".into(), 1)]
    );
    assert!(from_bytes::<IgnoredAny>(&packet).is_ok());
}

/// Declares a struct with a field of every type that contains reals, in one width.
macro_rules! everything {
    ($module:ident $R:ident) => {
        mod $module {
            use super::*;

            type R = $R;

            #[derive(Debug, PartialEq, Serialize, Deserialize)]
            pub struct Everything {
                pub rect2: Rect2<R>,
                pub vector2: Vector2<R>,
                pub vector3: Vector3<R>,
                pub vector4: Vector4<R>,
                pub transform2d: Transform2D<R>,
                pub plane: Plane<R>,
                pub quaternion: Quaternion<R>,
                pub aabb: Aabb<R>,
                pub basis: Basis<R>,
                pub transform3d: Transform3D<R>,
                pub projection: Projection<R>,
                pub packed2: Packed<Vec<Vector2<R>>>,
                pub packed3: Packed<Vec<Vector3<R>>>,
                pub packed4: Packed<Vec<Vector4<R>>>,
                pub empty: Packed<Vec<Vector4<R>>>,
                pub floats: Packed<Vec<R>>,
            }

            pub fn everything() -> Everything {
                let r = |at: i8| R::from(at);
                let vector2 = |at| Vector2 { x: r(at), y: r(at + 1) };
                let vector3 = |at| vector3(r(at), r(at + 1), r(at + 2));
                let vector4 = |at| Vector4 { x: r(at), y: r(at + 1), z: r(at + 2), w: r(at + 3) };
                Everything {
                    rect2: Rect2 { position: vector2(1), size: vector2(3) },
                    vector2: vector2(5),
                    vector3: vector3(6),
                    vector4: vector4(7),
                    transform2d: Transform2D { x: vector2(1), y: vector2(3), origin: vector2(5) },
                    plane: Plane { normal: vector3(1), d: r(5) },
                    quaternion: Quaternion { x: r(1), y: r(2), z: r(3), w: r(4) },
                    aabb: Aabb { position: vector3(1), size: vector3(4) },
                    basis: basis(),
                    transform3d: transform(),
                    projection: Projection {
                        x: vector4(1),
                        y: vector4(5),
                        z: vector4(9),
                        w: vector4(13),
                    },
                    packed2: Packed(vec![vector2(1), vector2(3)]),
                    packed3: Packed(vec![vector3(1), vector3(4)]),
                    packed4: Packed(vec![vector4(1)]),
                    empty: Packed(vec![]),
                    floats: Packed(vec![r(1), r(2)]),
                }
            }
        }
    };
}
everything!(single f32);
everything!(double f64);

/// Returns the kind of each value in a Dictionary, and `true` for double precision.
fn kinds(packet: &[u8]) -> Vec<(Kind, bool)> {
    let value = Reader::new(packet, Dialect::Godot4).read().unwrap();
    let values = value.as_dictionary().unwrap().into_iter().map(|(_, value)| value);
    values.map(|value| (value.kind(), value.is_double())).collect()
}

const KINDS: [Kind; 15] = [
    Kind::Rect2,
    Kind::Vector2,
    Kind::Vector3,
    Kind::Vector4,
    Kind::Transform2D,
    Kind::Plane,
    Kind::Quaternion,
    Kind::Aabb,
    Kind::Basis,
    Kind::Transform3D,
    Kind::Projection,
    Kind::PackedVector2Array,
    Kind::PackedVector3Array,
    Kind::PackedVector4Array,
    Kind::PackedVector4Array,
];

#[test]
fn real_types_keep_kind_and_width() {
    let (single, double) = (single::everything(), double::everything());
    let packets = [to_vec(&single).unwrap(), to_vec(&double).unwrap()];
    for (packet, double, floats) in [
        (&packets[0], false, Kind::PackedFloat32Array),
        (&packets[1], true, Kind::PackedFloat64Array),
    ] {
        let kinds = kinds(packet);
        assert_eq!(kinds[..15], KINDS.map(|kind| (kind, double)));
        assert_eq!(kinds[15], (floats, false));
        // Both widths deserialize into both types.
        assert_eq!(from_bytes::<single::Everything>(packet).unwrap(), single);
    }
    assert_eq!(from_bytes::<double::Everything>(&packets[0]).unwrap(), double);
    assert_eq!(from_bytes::<double::Everything>(&packets[1]).unwrap(), double);

    // Each type is serialized as the writer encodes it.
    assert_eq!(to_vec(&double.transform3d).unwrap(), put(double.transform3d));
    assert_eq!(to_vec(&single.transform3d).unwrap(), put(single.transform3d));
    assert_eq!(to_vec(&single.packed3).unwrap(), put(&single.packed3.0[..]));
    assert_eq!(to_vec(&single.floats).unwrap(), put(&single.floats.0[..]));
    assert_eq!(to_vec(&double.floats).unwrap(), put(&double.floats.0[..]));

    // In other formats, the types are serialized as plain structs.
    let json = serde_json::to_string(&double).unwrap();
    assert!(json.starts_with(
        r#"{"rect2":{"position":{"x":1.0,"y":2.0},"size":{"x":3.0,"y":4.0}},"vector2":{"x":5.0,"y":6.0}"#
    ));
    assert!(json.contains(r#""basis":{"rows":[{"x":1.0,"y":2.0,"z":3.0},{"#));
    assert!(json.ends_with(r#""empty":[],"floats":[1.0,2.0]}"#));
    assert_eq!(serde_json::from_str::<double::Everything>(&json).unwrap(), double);
    let value = serde_json::to_value(&double).unwrap();
    assert_eq!(serde_json::from_value::<double::Everything>(value).unwrap(), double);
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct More {
    vector2i: Vector2<i32>,
    rect2i: Rect2<i32>,
    vector3i: Vector3<i32>,
    vector4i: Vector4<i32>,
    color: Color<f32>,
    string_name: StringName<String>,
    node_path: NodePath<String>,
    rid: Rid,
    object: ObjectId,
    callable: Callable,
    signal: Signal<String>,
    bytes: Packed<Vec<u8>>,
    ints: Packed<Vec<i32>>,
    longs: Packed<Vec<i64>>,
    strings: Packed<Vec<String>>,
    colors: Packed<Vec<Color<f32>>>,
    no_bytes: Packed<Vec<u8>>,
    no_strings: Packed<Box<[String]>>,
}

fn more() -> More {
    let color = Color { r: 0.5, g: 0.25, b: 0.0, a: 1.0 };
    More {
        vector2i: Vector2 { x: 1, y: -2 },
        rect2i: Rect2 { position: Vector2 { x: 1, y: 2 }, size: Vector2 { x: 3, y: 4 } },
        vector3i: vector3(1, 2, i32::MIN),
        vector4i: Vector4 { x: 1, y: 2, z: 3, w: 4 },
        color,
        string_name: StringName("jump".into()),
        node_path: NodePath("/root/player:position".into()),
        rid: Rid(u64::MAX),
        object: ObjectId(u64::MAX),
        callable: Callable,
        signal: Signal { name: "hit".into(), object: 7 },
        bytes: Packed(vec![1, 2, 3]),
        ints: Packed(vec![1, -1]),
        longs: Packed(vec![i64::MAX]),
        strings: Packed(vec!["a".into(), "bcd\0".into()]),
        colors: Packed(vec![color]),
        no_bytes: Packed(vec![]),
        no_strings: Packed(vec![].into()),
    }
}

#[test]
fn other_engine_types_round_trip() {
    let more = more();
    let packet = to_vec(&more).unwrap();
    let expected = [
        Kind::Vector2i,
        Kind::Rect2i,
        Kind::Vector3i,
        Kind::Vector4i,
        Kind::Color,
        Kind::StringName,
        Kind::NodePath,
        Kind::Rid,
        Kind::Object,
        Kind::Callable,
        Kind::Signal,
        Kind::PackedByteArray,
        Kind::PackedInt32Array,
        Kind::PackedInt64Array,
        Kind::PackedStringArray,
        Kind::PackedColorArray,
        Kind::PackedByteArray,
        Kind::PackedStringArray,
    ];
    assert_eq!(kinds(&packet), expected.map(|kind| (kind, false)));
    let read = from_bytes::<More>(&packet).unwrap();
    assert_eq!(read.strings.0[1], "bcd", "a script does not see the text after a NUL");
    assert_eq!(More { strings: Packed(more.strings.0.clone()), ..read }, more);
    assert_eq!(to_vec(&more.signal).unwrap(), put(Signal { name: "hit".into(), object: 7 }));
    assert_eq!(to_vec(&more.node_path).unwrap(), put(NodePath("/root/player:position")));
    assert_eq!(from_bytes::<ObjectId>(&put(())).unwrap(), ObjectId(0));

    let json = serde_json::to_string(&more).unwrap();
    assert!(json.contains(r#""string_name":"jump","node_path":"/root/player:position","rid":18446744073709551615,"object":18446744073709551615,"callable":null,"signal":{"name":"hit","object":7},"bytes":[1,2,3]"#), "{json}");
    assert_eq!(serde_json::from_str::<More>(&json).unwrap(), more);
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Borrowed<'a> {
    name: StringName<&'a str>,
    text: Cow<'a, str>,
    #[serde(borrow)]
    bytes: Packed<&'a [u8]>,
    #[serde(borrow)]
    ints: Packed<&'a [I32]>,
    #[serde(borrow)]
    longs: Packed<&'a [I64]>,
    #[serde(borrow)]
    floats: Packed<&'a [F32]>,
    #[serde(borrow)]
    doubles: Packed<&'a [F64]>,
    #[serde(borrow)]
    points: Packed<&'a [Vector3<F32>]>,
    #[serde(borrow)]
    wide: Packed<&'a [Vector2<F64>]>,
}

#[test]
fn slices_are_borrowed_from_the_packet() {
    let borrowed = Borrowed {
        name: StringName("x"),
        text: "y".into(),
        bytes: Packed(&[1, 2, 3]),
        ints: Packed(&[I32::new(-1)]),
        longs: Packed(&[]),
        floats: Packed(&[F32::new(0.5)]),
        doubles: Packed(&[F64::new(0.1)]),
        points: Packed(&[vector3(F32::new(1.0), F32::new(2.0), F32::new(3.0))]),
        wide: Packed(&[Vector2 { x: F64::new(0.1), y: F64::new(0.2) }]),
    };
    let packet = to_vec(&borrowed).unwrap();
    let read = from_bytes::<Borrowed<'_>>(&packet).unwrap();
    assert_eq!(read, borrowed);
    assert!(packet.as_ptr_range().contains(&read.points.0.as_ptr().cast()));
    let kinds: Vec<_> = kinds(&packet);
    assert_eq!(kinds[4], (Kind::PackedInt64Array, false));
    assert_eq!(kinds[8], (Kind::PackedVector2Array, true));
    let json = serde_json::to_string(&borrowed).unwrap();
    assert!(
        json.ends_with(
            r#""doubles":[0.1],"points":[{"x":1.0,"y":2.0,"z":3.0}],"wide":[{"x":0.1,"y":0.2}]}"#
        ),
        "{json}"
    );

    let error = rejects::<Packed<&[I32]>>(&packet);
    assert!(error.to_string().contains("borrow"), "{error}");
    let error =
        rejects::<Packed<&[Vector2<F64>]>>(&put(&[Vector2 { x: 1.0_f32, y: 2.0 }][..])).to_string();
    assert!(error.contains("width of the borrowed type"), "{error}");
    let packet = put(&[1_i32][..]);
    let error = rejects::<Packed<&[F32]>>(&packet);
    let kind =
        ErrorKind::WrongType { expected: Kind::PackedFloat32Array, found: Kind::PackedInt32Array };
    assert_eq!(error.kind(), Some(&kind));
}

/// User-defined types with the same names as types of the crate.
mod users {
    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    pub struct Vector2 {
        pub x: f32,
        pub y: f32,
    }

    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    pub struct StringName(pub String);

    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    pub struct Callable;

    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    #[serde(rename = "Variant")]
    pub struct Any(pub i32);
}

#[test]
fn user_types_with_engine_names_are_plain() {
    is(users::Vector2 { x: 1.0, y: 2.0 }, pairs(("x", 1.0), ("y", 2.0)));
    is(users::StringName("x".into()), put("x"));
    is(users::Callable, put(()));
    is(users::Any(5), put(5));
}

type Several = (Basis<f32>, Packed<Vec<Vector3<f32>>>, Plane<f32>, Color<f32>);

#[test]
fn types_are_written_for_each_target() {
    let double = double::everything();
    let error = to_vec_for(&double.plane, Dialect::Godot3).unwrap_err();
    assert_eq!(
        error.kind(),
        Some(&ErrorKind::Unrepresentable(Kind::Plane, Unrepresentable::DoubleReal))
    );
    let error = to_vec_for(&double.packed4, Target::GODOT4_0).unwrap_err();
    assert_eq!(error.kind(), Some(&ErrorKind::NoSuchType(Kind::PackedVector4Array)));
    let error = to_vec_for(&StringName("x"), Dialect::Godot3).unwrap_err();
    assert_eq!(error.kind(), Some(&ErrorKind::NoSuchType(Kind::StringName)));

    let single = single::everything();
    for dialect in [Dialect::Godot2, Dialect::Godot3, Dialect::Docs, Dialect::DocsDouble] {
        let both = (
            &single.basis,
            &single.packed3,
            &single.plane,
            Color { r: 0.5_f32, g: 0.0, b: 0.0, a: 1.0 },
        );
        let packet = to_vec_for(&both, dialect).unwrap();
        let read: Several = from_bytes_in(&packet, dialect).unwrap();
        assert_eq!((&read.0, &read.1, &read.2, read.3), both, "{dialect}");
        let mut by_hand = Vec::new();
        let mut writer = Writer::new(&mut by_hand, dialect);
        let mut items = writer.array(4).unwrap();
        items.put(single.basis).unwrap();
        items.put(&single.packed3.0[..]).unwrap();
        items.put(single.plane).unwrap();
        items.put(both.3).unwrap();
        items.finish().unwrap();
        assert_eq!(packet, by_hand, "{dialect}");
    }
}

#[test]
fn errors_have_offset_and_path() {
    #[derive(Debug, Serialize, Deserialize)]
    struct State<'a> {
        tick: i64,
        #[serde(borrow)]
        players: Vec<Player<'a>>,
    }
    let players = vec![
        Player { name: "Ada", hp: 1, items: vec![] },
        Player { name: "Bob", hp: 2, items: vec!["sword".into(), "shield".into()] },
    ];
    let mut packet = to_vec(&State { tick: 1, players }).unwrap();
    let at =
        |packet: &[u8], text: &[u8]| packet.windows(text.len()).position(|it| it == text).unwrap();

    let shield = at(&packet, b"shield");
    packet[shield] = 0xFF;
    let error = rejects::<State<'_>>(&packet);
    assert_eq!(error.kind(), Some(&ErrorKind::BadText));
    assert_eq!((error.offset(), error.path()), (shield as u64, "players/1/items/1"));

    packet[shield - 8] = 39;
    let error = rejects::<State<'_>>(&packet);
    assert_eq!(error.kind(), Some(&ErrorKind::UnknownType { id: 39 }));
    assert_eq!((error.offset(), error.path()), (shield as u64 - 8, "players/1/items/1"));

    let hp = at(&packet, b"hp");
    packet[hp] = b'H';
    let error = rejects::<State<'_>>(&packet);
    assert_eq!(error.path(), "players/0");
    assert!(error.to_string().starts_with("players/0: missing field `hp` at offset "), "{error}");

    let error = rejects::<State<'_>>(&packet[..hp + 5]);
    assert!(matches!(error.kind(), Some(ErrorKind::UnexpectedEnd { .. })), "{error}");

    let mut two = put(1);
    two.extend(put("x"));
    let error = rejects::<i32>(&two);
    assert_eq!(error.kind(), Some(&ErrorKind::TrailingBytes { count: 12 }));
    assert_eq!(error.offset(), 8);
    let mut deserializer = Deserializer::new(&two, Dialect::Godot4).origin(100);
    assert_eq!(deserializer.read::<i32>().unwrap(), 1);
    let error = deserializer.read::<i32>().unwrap_err();
    assert_eq!((error.offset(), deserializer.offset()), (108, 108));
    assert_eq!(String::deserialize(&mut deserializer).unwrap(), "x");
    assert!(deserializer.is_empty());
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Tree {
    name: String,
    children: Vec<Tree>,
    left: Option<Box<Tree>>,
    extra: BTreeMap<String, Tree>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Chain {
    End,
    Link(Box<Chain>),
    Field { next: Box<Chain> },
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct Never(Option<Box<Never>>);

fn chain(len: usize, field: bool) -> Vec<u8> {
    let mut packet = Vec::new();
    for _ in 0..len {
        packet.extend(b"\x1b\0\0\0\x01\0\0\0");
        packet.extend(put(if field { "Field" } else { "Link" }));
        if field {
            packet.extend(b"\x1b\0\0\0\x01\0\0\0");
            packet.extend(put("next"));
        }
    }
    packet.extend(put("End"));
    packet
}

#[test]
fn recursive_types_are_limited_to_128_levels() {
    for (len, depth, field) in [(128, 128, false), (64, 128, true), (1000, 1000, false)] {
        let fits = chain(len, field);
        let read = |packet: &[u8]| {
            let limits = Limits { depth, ..Limits::default() };
            Deserializer::new(packet, Dialect::Godot4).limits(limits).read::<Chain>()
        };
        if depth <= 128 {
            assert_eq!(to_vec(&read(&fits).unwrap()).unwrap(), fits);
            let error = read(&chain(len + 1, field)).unwrap_err();
            assert_eq!(error.kind(), Some(&ErrorKind::TooDeep { limit: depth }));
        }
    }
    let deep = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x08\0\0\0children\x1c\0\0\0\x01\0\0\0".repeat(5000);
    let error = rejects::<Tree>(&deep);
    assert_eq!(error.kind(), Some(&ErrorKind::TooDeep { limit: 128 }));
    let error = rejects::<Never>(&put(5));
    assert!(matches!(error.kind(), Some(ErrorKind::TooDeep { .. })));
    assert!(from_bytes::<Never>(&put(())).is_ok());

    // The content that serde buffers for an untagged enum is also recursive.
    #[derive(Debug, Deserialize)]
    #[serde(untagged)]
    #[allow(dead_code)]
    enum Any {
        Int(i64),
        List(Vec<Any>),
        Map(HashMap<String, Any>),
    }
    let nested = |depth| [b"\x1c\0\0\0\x01\0\0\0".repeat(depth), put(5)].concat();
    assert!(from_bytes::<Any>(&nested(128)).is_ok());
    let error = rejects::<Any>(&nested(129));
    assert_eq!(error.kind(), Some(&ErrorKind::TooDeep { limit: 128 }));

    // Ignored values may be as deep as engines allow.
    let mut packet = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x01\0\0\0x\0\0\0".to_vec();
    packet.extend(b"\x1c\0\0\0\x01\0\0\0".repeat(1000));
    packet.extend([0; 4]);
    #[derive(Debug, Deserialize)]
    struct Nothing {}
    assert!(from_bytes::<Nothing>(&packet).is_ok());
    assert!(from_bytes::<Encoded<'_>>(&packet).is_ok());
}

#[test]
fn writing_is_limited_to_the_engines_depth() {
    // 1,024 levels of serde's calls exceed the stack of a test thread in an unoptimised build.
    let thread = std::thread::Builder::new().stack_size(16 << 20);
    thread.spawn(write_to_the_engines_depth).unwrap().join().unwrap();
}

fn write_to_the_engines_depth() {
    let mut chain = Chain::End;
    for _ in 0..1024 {
        chain = Chain::Link(Box::new(chain));
    }
    let packet = to_vec(&chain).unwrap();
    assert!(Reader::new(&packet, Dialect::Godot4).skip().is_ok());
    let error = to_vec(&Chain::Link(Box::new(chain))).unwrap_err();
    assert_eq!(error.kind(), Some(&ErrorKind::TooDeep { limit: 1024 }));
}

#[test]
fn limits_of_the_reader_hold() {
    let read = |packet: &[u8], limits| {
        Deserializer::new(packet, Dialect::Godot4).limits(limits).read::<IgnoredAny>().map(drop)
    };
    let object = written(|writer| writer.object("A", 0)?.finish());
    assert!(read(&object, Limits::default()).is_ok());
    let error = read(&object, Limits { objects: false, ..Limits::default() }).unwrap_err();
    assert_eq!(error.kind(), Some(&ErrorKind::ObjectNotAllowed));
    let bad = b"\x04\0\0\0\x01\0\0\0\xff\0\0\0";
    assert!(read(bad, Limits::default()).is_ok());
    let error = read(bad, Limits { level: Level::Engine, ..Limits::default() }).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (Some(&ErrorKind::BadText), 8));
}

#[derive(Serialize)]
struct Uncounted {
    #[serde(flatten)]
    map: BTreeMap<&'static str, i32>,
}

#[test]
fn containers_of_unknown_length_are_written() {
    let value = Uncounted { map: [("a", 1), ("b", 2)].into() };
    assert_eq!(to_vec(&value).unwrap(), pairs(("a", 1), ("b", 2)));
    let mut memory = [0; 100];
    let mut writer = Writer::new(SliceSink::new(&mut memory), Dialect::Godot4);
    to_writer(&mut writer, &value).unwrap();
    assert_eq!(writer.sink().written(), pairs(("a", 1), ("b", 2)));
}

#[test]
fn failed_writes_leave_no_output() {
    let mut packet = put(1);
    let mut writer = Writer::new(&mut packet, Dialect::Godot4);
    assert!(to_writer(&mut writer, &("x", [1], u64::MAX)).is_err());
    let mut items = writer.array(2).unwrap();
    assert!(to_writer(&mut items, &("x", [1], u64::MAX)).is_err());
    to_writer(&mut items, &("x", 1)).unwrap();
    to_writer(&mut items, &5).unwrap();
    let error = to_writer(&mut items, &5).unwrap_err();
    assert_eq!(error.kind(), Some(&ErrorKind::TooManyItems));
    items.finish().unwrap();
    let mut expected = put(1);
    expected.extend(to_vec(&(("x", 1), 5)).unwrap());
    assert_eq!(packet, expected);

    let mut memory = [0; 20];
    let mut writer = Writer::new(SliceSink::new(&mut memory), Dialect::Godot4);
    let error = to_writer(&mut writer, &("x", 1)).unwrap_err();
    assert!(matches!(error.kind(), Some(ErrorKind::BufferFull { .. })), "{error}");
    assert!(writer.sink().written().is_empty());
}

#[cfg(feature = "bytes")]
#[test]
fn append_only_sinks_need_known_counts() {
    use gamewire::BufSink;
    use gamewire::godot::serde::to_append_only;

    let mut writer = Writer::new(BufSink::new(Vec::new()), Dialect::Godot4);
    to_append_only(&mut writer, &Player { name: "Ada", hp: 7, items: vec![] }).unwrap();
    let error = to_append_only(&mut writer, &Uncounted { map: [("a", 1)].into() }).unwrap_err();
    assert!(error.to_string().starts_with("the number of items must be known"), "{error}");
    assert!(to_append_only(&mut writer, &("x", u64::MAX)).is_err());
    assert_eq!(writer.into_sink().into_inner(), pairs(("name", "Ada"), ("hp", 7)));
}

#[derive(Serialize, Deserialize)]
struct Kept<'a> {
    #[serde(borrow)]
    a: Encoded<'a>,
    #[serde(borrow)]
    b: VariantRef<'a>,
}

#[test]
fn views_are_serialized_as_their_bytes() {
    // `a` is an Array[int] with a wide int whose header contains an unused bit; `b` is a leaf.
    let a: &[u8] = b"\x1c\0\x01\0\x02\0\0\0\x01\0\0\0\x02\x01\x01\0\x05\0\0\0\0\0\0\0";
    let mut packet = b"\x1b\0\0\0\x02\0\0\0\x04\0\0\0\x01\0\0\0a\0\0\0".to_vec();
    packet.extend(a);
    packet.extend(b"\x04\0\0\0\x01\0\0\0b\0\0\0");
    packet.extend(put(Vector3 { x: 1.0_f64, y: 2.0, z: 3.0 }));
    let kept: Kept<'_> = from_bytes(&packet).unwrap();
    assert_eq!(kept.a.as_bytes(), a);
    let VariantRef::Array(array) = kept.a.decode() else { panic!() };
    assert_eq!(array.element_type(), TypeRef::Builtin(Kind::Int));
    assert_eq!(to_vec(&kept).unwrap(), packet);
    assert_eq!(to_vec(&array).unwrap(), a);
    assert_eq!(serde_json::to_string(&kept).unwrap(), r#"{"a":[5],"b":[1.0,2.0,3.0]}"#);
    assert!(serde_json::from_str::<Kept<'_>>(r#"{"a":[5],"b":[1.0]}"#).is_err());

    let views: (ArrayRef<'_>, VariantRef<'_>) = (array, VariantRef::Int(5));
    let mut expected = b"\x1c\0\0\0\x02\0\0\0".to_vec();
    expected.extend(a);
    expected.extend(put(5));
    assert_eq!(to_vec(&views).unwrap(), expected);
}

#[test]
fn views_of_all_files_serialize_as_json() {
    for (folder, dialect) in corpus::WRITTEN {
        for (name, bytes) in corpus::packets(folder) {
            let Ok(encoded) = Reader::new(&bytes, dialect).read_encoded() else { continue };
            let json = serde_json::to_string(&encoded).unwrap_or_else(|e| panic!("{name}: {e}"));
            serde_json::from_str::<IgnoredAny>(&json).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(serde_json::to_string(&encoded.decode()).unwrap(), json);
            // If the packet is serialized again, it has the same bytes, plus any padding that was
            // missing at its end.
            let again = to_vec_for(&encoded, dialect).unwrap();
            assert!(again.starts_with(encoded.as_bytes()), "{name}");
            let kept: Encoded<'_> = from_bytes_in(&again, dialect).unwrap();
            assert_eq!(kept.as_bytes(), again);
        }
    }
    let deep = [&b"\x1c\0\0\0\x01\0\0\0".repeat(1000)[..], &[0; 4]].concat();
    let encoded: Encoded<'_> = from_bytes(&deep).unwrap();
    let error = serde_json::to_string(&encoded).unwrap_err().to_string();
    assert!(error.contains("more than 128 nested containers"), "{error}");
    let _: fn(DictionaryRef<'_>) -> _ = |it| serde_json::to_string(&it);
}

/// Pairs whose key is not text are ignored. In particular, the int keys 0 and 1 are not field
/// indices.
#[test]
fn non_text_keys_are_ignored_by_structs() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Player {
        hp: i32,
        armor: i32,
    }

    let mut packet = Vec::new();
    let mut writer = Writer::new(&mut packet, Dialect::Godot4);
    let mut pairs = writer.dictionary(5).unwrap();
    pairs.entry(0, 100).unwrap();
    pairs.entry(1, "no int").unwrap();
    pairs.entry("armor", 3).unwrap();
    pairs.entry(Vector2 { x: 1.0_f32, y: 2.0 }, ()).unwrap();
    pairs.entry("hp", 7).unwrap();
    pairs.finish().unwrap();
    assert_eq!(from_bytes::<Player>(&packet).unwrap(), Player { hp: 7, armor: 3 });
}

/// An owned value is written in the dialect of the first leaf inside it that keeps its bytes,
/// however deep that leaf is. The null object in this packet exists in Godot 3 and not in Godot 4.
#[test]
fn owned_values_are_written_in_their_dialect() {
    let words = [19, 2, 19, 0, 17, 0]; // an empty array, a null object
    let packet: Vec<u8> = words.iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
    let owned: Variant = from_bytes_in(&packet, Dialect::Godot3).unwrap();
    assert_eq!(to_vec_for(&owned, Dialect::Godot3).unwrap(), packet);
}
