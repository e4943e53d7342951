//! Generated values keep their meaning in a round trip through owned values, serde, JSON and
//! Godot's text notation. If a value fails, proptest shrinks it.

use arbitrary::{Arbitrary, Unstructured};
use gamewire::godot::json::{Document, Printer};
use gamewire::godot::notation::Reading;
use gamewire::godot::{
    ArbitraryPacket, Color, Dialect, NodePath, ObjectId, Packed, Quaternion, Reader, Rid,
    StringName, Transform2D, Transform3D, Variant, Vector2, Vector3, Vector4, Writer, from_bytes,
    from_bytes_in, to_vec, to_vec_for,
};
use proptest::collection::vec;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Returns a strategy that generates packets of all dialects.
fn packets() -> impl Strategy<Value = ArbitraryPacket> {
    vec(any::<u8>(), 16..400).prop_filter_map("too few bytes to choose by", |seed| {
        ArbitraryPacket::arbitrary(&mut Unstructured::new(&seed)).ok()
    })
}

/// Returns a strategy that generates text that engines do not change.
fn text() -> impl Strategy<Value = String> {
    "[^\0\u{FEFF}]{0,12}"
}

/// A struct that derives `Deserialize` and `Serialize`.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Derived {
    name: String,
    id: StringName<String>,
    path: NodePath<String>,
    hp: i32,
    seed: i64,
    ratio: f64,
    at: Vector2<f32>,
    cell: Vector3<i32>,
    turn: Quaternion<f64>,
    tint: Color<f32>,
    place: Option<Transform3D<f32>>,
    flat: Vec<Transform2D<f64>>,
    ints: Packed<Vec<i32>>,
    points: Packed<Vec<Vector4<f32>>>,
    texts: Packed<Vec<String>>,
    bytes: Vec<u8>,
    owner: ObjectId,
    rid: Rid,
    inventory: BTreeMap<String, (u16, bool)>,
    action: Action,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
enum Action {
    Idle,
    Say(String),
    Move(f32, f32),
    Shoot { at: Vector2<f64>, charge: u8 },
}

fn actions() -> impl Strategy<Value = Action> {
    prop_oneof![
        Just(Action::Idle),
        text().prop_map(Action::Say),
        any::<(f32, f32)>().prop_map(|(x, y)| Action::Move(x, y)),
        (any::<(f64, f64)>(), any::<u8>())
            .prop_map(|((x, y), charge)| Action::Shoot { at: Vector2 { x, y }, charge }),
    ]
}

fn derived() -> impl Strategy<Value = Derived> {
    let texts = (text(), text(), "(/?[a-z]{1,3}){0,3}(:[a-z]{1,3}){0,2}");
    let numbers = any::<(i32, i64, f64, [f32; 4], [i32; 3], [f64; 4])>();
    let lists = (
        proptest::option::of(any::<[f32; 12]>()),
        vec(any::<[f64; 6]>(), 0..3),
        vec(any::<i32>(), 0..4),
        vec(any::<[f32; 4]>(), 0..3),
        vec(text(), 0..3),
        vec(any::<u8>(), 0..5),
    );
    let rest = (
        any::<(u64, u64)>(),
        proptest::collection::btree_map(text(), any::<(u16, bool)>(), 0..3),
        actions(),
    );
    (texts, numbers, lists, rest).prop_map(|(texts, numbers, lists, rest)| {
        let (hp, seed, ratio, [x, y, z, w], [a, b, c], [i, j, k, l]) = numbers;
        let (place, flat, ints, points, strings, bytes) = lists;
        let ((owner, rid), inventory, action) = rest;
        Derived {
            name: texts.0,
            id: StringName(texts.1),
            path: NodePath(texts.2),
            hp,
            seed,
            ratio,
            at: Vector2 { x, y },
            cell: Vector3 { x: a, y: b, z: c },
            turn: Quaternion { x: i, y: j, z: k, w: l },
            tint: Color { r: x, g: y, b: z, a: w },
            place: place.map(|parts| {
                use gamewire::godot::RealLayout;
                Transform3D::<f64>::from_parts(parts.map(f64::from)).map(|part| part as f32)
            }),
            flat: flat.into_iter().map(gamewire::godot::RealLayout::from_parts).collect(),
            ints: Packed(ints),
            points: Packed(points.into_iter().map(|[x, y, z, w]| Vector4 { x, y, z, w }).collect()),
            texts: Packed(strings),
            bytes,
            owner: ObjectId(owner.max(1)),
            rid: Rid(rid),
            inventory,
            action,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn owned_values_round_trip(packet in packets()) {
        let ArbitraryPacket { dialect, bytes } = packet;
        let value = Reader::new(&bytes, dialect).read_encoded().unwrap().to_variant().unwrap();
        let again = value.to_bytes(dialect).unwrap();
        let back = Reader::new(&again, dialect).read_encoded().unwrap().to_variant().unwrap();
        prop_assert_eq!(&back, &value);
        // Encoding the decoded value again gives the same bytes.
        prop_assert_eq!(back.to_bytes(dialect).unwrap(), again);
    }

    #[test]
    fn owned_values_round_trip_through_serde(packet in packets()) {
        let ArbitraryPacket { dialect, bytes } = packet;
        let value = Reader::new(&bytes, dialect).read_encoded().unwrap().to_variant().unwrap();
        let again = to_vec_for(&value, dialect).unwrap();
        prop_assert_eq!(from_bytes_in::<Variant>(&again, dialect).unwrap(), value);
    }

    /// With `exact`, JSON contains all information in the packet.
    #[test]
    fn owned_values_round_trip_through_json(packet in packets()) {
        let ArbitraryPacket { dialect, bytes } = packet;
        let value = Reader::new(&bytes, dialect).read_encoded().unwrap().to_variant().unwrap();
        let packet = value.to_bytes(dialect).unwrap();
        let mut text = String::new();
        let mut printer = Printer::new(&mut text).exact(true);
        Reader::new(&packet, dialect).visit(&mut printer).unwrap();
        let mut again = Vec::new();
        let document = Document::parse(&text).unwrap();
        document.write(&mut Writer::new(&mut again, dialect)).unwrap();
        let again = Reader::new(&again, dialect).read_encoded().unwrap().to_variant().unwrap();
        prop_assert_eq!(again, value);
    }

    #[test]
    fn derived_types_round_trip(value in derived()) {
        let packet = to_vec(&value).unwrap();
        prop_assert_eq!(&from_bytes::<Derived>(&packet).unwrap(), &value);
        // The bytes are canonical: the owned value decoded from them has the same encoding.
        let owned = from_bytes::<Variant>(&packet).unwrap();
        prop_assert_eq!(owned.to_bytes(Dialect::Godot4).unwrap(), packet.clone());
        prop_assert_eq!(to_vec(&owned).unwrap(), packet);
        // `serde_json` writes the types as plain structs, and reads them again. JSON cannot express
        // infinity or NaN.
        let text = serde_json::to_string(&value).unwrap();
        prop_assert!(!text.contains("gamewire"));
        if value.ratio.is_finite() {
            let back: Derived = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(back.inventory, value.inventory);
        }
    }

    /// Godot's text notation preserves the values that it can express.
    #[test]
    fn text_notation_round_trips(name in text(), int in any::<i64>(), float in any::<f64>(), part in any::<f32>()) {
        let whole = Variant::from(vec![
            name.as_str().into(),
            StringName(name.as_str()).into(),
            int.into(),
            Vector2 { x: part, y: 1.0 }.into(),
        ]);
        let read = Reading::default().read(&whole.to_string()).unwrap();
        let is_lost = |c: char| "\u{7}\u{B}".contains(c); // `\a` and `\v` are read as letters
        if part.to_bits() != (-0.0_f32).to_bits() && !name.contains(is_lost) {
            prop_assert_eq!(read, whole);
        }
        // If a float equals an `f32`, only the digits of the `f32` are printed.
        if f64::from(float as f32) != float {
            let read = Reading::default().read(&Variant::from(float).to_string()).unwrap();
            prop_assert_eq!(read.as_f64(), Some(float));
        }
    }
}
