//! Asserts that types that only borrow are read without allocating.

#[path = "../../benches/support/derived.rs"]
mod derived;

use crate::counting::without_allocating;
use gamewire::godot::{
    Dialect, Encoded, F32, Packed, Vector2, Writer, from_bytes, to_vec, to_writer,
};
use serde::Deserialize;
use serde::de::IgnoredAny;

const STATE: &[u8] = include_bytes!("../../corpus/bench/state_simple.bin");
const WORLD: &[u8] = include_bytes!("../../corpus/godot4/game_state_500.bin");

#[test]
fn state_is_read_and_written_without_allocating() {
    let state: derived::State<'_> = without_allocating("decode", || from_bytes(STATE)).unwrap();
    let mut packet = Vec::with_capacity(STATE.len() + 64);
    let mut writer = Writer::new(&mut packet, Dialect::Godot4);
    without_allocating("encode", || to_writer(&mut writer, &state)).unwrap();
    assert_eq!(packet, STATE);
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Borrowed<'a> {
    #[serde(borrow)]
    floats: Packed<&'a [F32]>,
    bytes: &'a [u8],
    parts: [f32; 2],
    pairs: [(i32, &'a str); 2],
    optional: Option<&'a str>,
    #[serde(borrow)]
    encoded: Encoded<'a>,
}

#[test]
fn slices_tuples_and_ignored_values_do_not_allocate() {
    let packet = to_vec(&serde_json::json!({"a": [1, {"b": 2}], "c": null})).unwrap();
    without_allocating("ignored", || from_bytes::<IgnoredAny>(&packet)).unwrap();
    without_allocating("world", || from_bytes::<IgnoredAny>(WORLD)).unwrap();

    #[derive(serde::Serialize)]
    struct Written {
        floats: Packed<Vec<f32>>,
        bytes: Packed<Vec<u8>>,
        parts: Vector2<f32>,
        pairs: [(i32, &'static str); 2],
        optional: (),
        encoded: Vec<i32>,
        unknown: Vec<i32>,
    }
    let written = Written {
        floats: Packed(vec![0.5; 100]),
        bytes: Packed(vec![1; 100]),
        parts: Vector2 { x: 1.0, y: 2.0 },
        pairs: [(1, "a"), (2, "b")],
        optional: (),
        encoded: vec![1, 2, 3],
        unknown: vec![1, 2, 3],
    };
    let packet = to_vec(&written).unwrap();
    let read: Borrowed<'_> = without_allocating("borrowed", || from_bytes(&packet)).unwrap();
    assert_eq!(read.floats.0.len(), 100);
}

#[test]
fn fields_in_another_order_do_not_allocate() {
    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Outer<'a> {
        name: &'a str,
        #[serde(borrow)]
        inner: Inner<'a>,
        hp: i64,
    }
    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Inner<'a> {
        x: f64,
        text: &'a str,
    }
    /// Returns a packet with the fields in this order; `inner` is the order of the nested fields.
    fn packet(outer: [&str; 3], inner: [&str; 2]) -> Vec<u8> {
        let mut packet = Vec::new();
        let mut writer = Writer::new(&mut packet, Dialect::Godot4);
        let mut fields = writer.dictionary(3).unwrap();
        for name in outer {
            fields.put(name).unwrap();
            match name {
                "name" => fields.put("a").unwrap(),
                "hp" => fields.put(5).unwrap(),
                _ => {
                    let mut fields = fields.dictionary(2).unwrap();
                    inner.iter().for_each(|name| match *name {
                        "x" => fields.entry(*name, 0.5).unwrap(),
                        name => fields.entry(name, "b").unwrap(),
                    });
                    fields.finish().unwrap();
                }
            }
        }
        fields.finish().unwrap();
        packet
    }
    for packet in [
        packet(["name", "inner", "hp"], ["x", "text"]),
        packet(["name", "inner", "hp"], ["text", "x"]),
        packet(["name", "hp", "inner"], ["x", "text"]),
        packet(["hp", "inner", "name"], ["text", "x"]),
    ] {
        let read: Outer<'_> = without_allocating("another order", || from_bytes(&packet)).unwrap();
        assert_eq!((read.name, read.hp, read.inner.text, read.inner.x), ("a", 5, "b", 0.5));
    }
}
