//! Laws for Rust types that are read from arbitrary bytes: the result is a value, or an error with
//! a valid offset, and if the value is encoded, it decodes to the same value.

use gamewire::godot::serde::Deserializer;
use gamewire::godot::{
    Dialect, Encoded, I32, Level, Limits, Packed, Reader, Rect2, StringName, Transform3D, Variant,
    Vector2, from_bytes_in, to_vec_for,
};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::marker::PhantomData;

pub fn godot_serde(data: &[u8]) {
    Dialect::ALL.iter().for_each(|&dialect| serde_as(data, dialect));
}

pub fn serde_as(data: &[u8], dialect: Dialect) {
    let skipped = Reader::new(data, dialect).skip();
    let ignored = Deserializer::new(data, dialect).read::<IgnoredAny>();
    assert_eq!(ignored.is_ok(), skipped.is_ok(), "what is ignored is walked over");
    if let (Err(error), Err(skipped)) = (ignored, skipped) {
        assert_eq!((error.kind(), error.offset()), (Some(skipped.kind()), skipped.offset()));
    }
    if let Ok(encoded) = Deserializer::new(data, dialect).read::<Encoded<'_>>() {
        assert_eq!(Ok(encoded), Reader::new(data, dialect).read_encoded());
        let again = to_vec_for(&encoded, dialect).unwrap();
        assert!(again.starts_with(encoded.as_bytes()));
        if let Ok(owned) = encoded.to_variant() {
            let packet = to_vec_for(&owned, dialect).unwrap();
            assert!(from_bytes_in::<Variant>(&packet, dialect).unwrap() == owned, "owned");
        }
        let text = serde_json::to_string(&encoded);
        assert!(text.is_ok() || is_deep(data, dialect), "{text:?}");
    }
    takes::<Anything>(data, dialect);
    takes::<State>(data, dialect);
    takes::<Player>(data, dialect);
    takes::<Vec<Player>>(data, dialect);
    takes::<Vec<Vec<u8>>>(data, dialect);
    takes::<BTreeMap<String, Rect2<f32>>>(data, dialect);
    takes::<(Transform3D<f64>, Vector2<i32>)>(data, dialect);
    let _ = from_bytes_in::<Packed<&[I32]>>(data, dialect);
    let _ = from_bytes_in::<BTreeMap<&str, &[u8]>>(data, dialect);
}

fn is_deep(data: &[u8], dialect: Dialect) -> bool {
    let limits = Limits { depth: 127, level: Level::Structure, objects: true };
    Reader::new(data, dialect).limits(limits).skip().is_err()
}

fn takes<T: DeserializeOwned + Serialize>(data: &[u8], dialect: Dialect) {
    // With a seed, the deserializer does not first try to read fields in order; see
    // `serde/in_order.rs`.
    let in_any_order = Deserializer::new(data, dialect).read_seed(PhantomData::<T>);
    match Deserializer::new(data, dialect).read::<T>() {
        Err(error) => {
            let other = in_any_order.err().unwrap();
            assert_eq!((other.to_string(), other.kind()), (error.to_string(), error.kind()));
            assert!(error.offset() <= data.len() as u64, "{error}");
            let place = format!(" at offset {} ({:#x})", error.offset(), error.offset());
            assert!(error.to_string().ends_with(&place), "{error}");
        }
        Ok(value) => {
            let other = to_vec_for(&in_any_order.unwrap(), dialect).ok();
            assert_eq!(to_vec_for(&value, dialect).ok(), other);
            // The write fails if the dialect lacks a type.
            let Ok(packet) = to_vec_for(&value, dialect) else { return };
            let read: T = from_bytes_in(&packet, dialect).unwrap();
            assert_eq!(to_vec_for(&read, dialect).unwrap(), packet, "a fixed point");
        }
    }
}

/// A value of any type in serde's data model.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Anything {
    Nothing,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Anything>),
    Map(BTreeMap<String, Anything>),
}

#[derive(Serialize, Deserialize)]
struct State {
    #[serde(default, alias = "tick")]
    name: StringName<String>,
    hp: Option<u8>,
    position: Option<Vector2<f32>>,
    #[serde(flatten)]
    rest: BTreeMap<String, Action>,
}

/// A struct without flattened fields. Its fields can be read in order.
#[derive(Serialize, Deserialize)]
struct Player {
    name: String,
    #[serde(alias = "health")]
    hp: i64,
    #[serde(default)]
    position: Place,
    #[serde(skip)]
    ticks: u32,
    speed: Option<f64>,
}

#[derive(Serialize, Deserialize, Default)]
struct Place {
    x: f64,
    y: f64,
}

#[derive(Serialize, Deserialize)]
enum Action {
    Wait,
    Go(f32, f32),
    Say { text: String },
    Both(Box<Action>, Option<Box<Action>>),
}
