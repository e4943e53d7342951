//! FlexBuffers, read and written by `flexbuffers`. The crate has no validator. There is no row for
//! skipping: a reader finds the root at the end of the bytes, so it has nothing to skip.

use crate::contents::{Content, STATE};
use crate::eye::{Census, Checksum, Eye};
use crate::rows::{Peer, Row};
use crate::state::{self, Fields, Player, State};
use crate::value::Value;
use flexbuffers::{
    Builder, FlexBufferType, MapBuilder, MapReader, Pushable, Reader, VectorBuilder,
};
use std::hint::black_box;

pub fn rows(content: &'static Content, rows: &mut Vec<Row>) {
    let mut builder = Builder::default();
    encode(&content.value, &mut builder);
    let bytes = &*builder.view().to_vec().leak();
    assert_eq!(traverse::<Census>(bytes), content.census, "FlexBuffers");
    let mut peer = Peer::new(rows, content, "flexbuffers", bytes.len());
    peer.add("traverse", || traverse::<Checksum>(black_box(bytes)).0);
    peer.get(content, |key| get(black_box(bytes), key));
    // The builder has its own buffer, which is reused.
    if content.name == STATE {
        let state = State::from(state::sample());
        encode_state(&state, &mut builder);
        assert_eq!(builder.view(), bytes);
        peer.add("encode", move || {
            encode_state(black_box(&state), &mut builder);
            black_box(builder.view()).len() as u64
        });
    } else {
        peer.add("encode", move || {
            encode(black_box(&content.value), &mut builder);
            black_box(builder.view()).len() as u64
        });
    }
}

fn traverse<E: Eye>(bytes: &[u8]) -> E {
    let mut eye = E::default();
    value(&Reader::get_root(bytes).unwrap(), &mut eye);
    eye
}

fn value<E: Eye>(of: &Reader<&[u8]>, eye: &mut E) {
    match of.flexbuffer_type() {
        FlexBufferType::String => eye.text(of.get_str().unwrap()),
        FlexBufferType::Int => eye.int(of.get_i64().unwrap()),
        FlexBufferType::Float => eye.float(of.get_f64().unwrap()),
        FlexBufferType::Null => eye.null(),
        FlexBufferType::Bool => eye.bool(of.get_bool().unwrap()),
        FlexBufferType::Map => map(&of.get_map().unwrap(), eye),
        FlexBufferType::Vector => items(of, eye),
        _ => numbers(of, eye),
    }
}

fn map<E: Eye>(of: &MapReader<&[u8]>, eye: &mut E) {
    for (key, of) in of.keys_vector().iter().zip(of.iter_values()) {
        eye.text(key.get_key().unwrap());
        value(&of, eye);
    }
}

fn items<E: Eye>(of: &Reader<&[u8]>, eye: &mut E) {
    of.get_vector().unwrap().iter().for_each(|of| value(&of, eye));
}

/// Reads a vector of one type. A vector of floats is borrowed as a slice.
fn numbers<E: Eye>(of: &Reader<&[u8]>, eye: &mut E) {
    #[expect(deprecated, reason = "the quickest way there is")]
    match of.get_slice::<f32>() {
        Ok(floats) => floats.iter().for_each(|float| eye.float((*float).into())),
        Err(_) => items(of, eye),
    }
}

fn get(bytes: &[u8], key: &str) -> Option<i64> {
    let root = Reader::get_root(bytes).unwrap().get_map().unwrap();
    Some(root.index(key).ok()?.as_i64()) // for a vector, its length
}

fn encode(value: &Value, builder: &mut Builder) {
    match value {
        Value::Map(pairs) => map_of(pairs, builder.start_map()),
        Value::Array(items) => vector_of(items, builder.start_vector()),
        Value::Texts(texts) => texts_of(texts, builder.start_vector()),
        Value::Floats(floats) => builder.build_singleton(floats),
        _ => unimplemented!("leaves alone"),
    }
}

fn map_of(pairs: &[(&str, Value)], mut map: MapBuilder<'_>) {
    for (key, value) in pairs {
        match value {
            Value::Map(pairs) => map_of(pairs, map.start_map(key)),
            Value::Array(items) => vector_of(items, map.start_vector(key)),
            Value::Texts(texts) => texts_of(texts, map.start_vector(key)),
            leaf => push(leaf, Pair(&mut map, key)),
        }
    }
}

fn vector_of(items: &[Value], mut vector: VectorBuilder<'_>) {
    for item in items {
        match item {
            Value::Map(pairs) => map_of(pairs, vector.start_map()),
            Value::Array(items) => vector_of(items, vector.start_vector()),
            Value::Texts(texts) => texts_of(texts, vector.start_vector()),
            leaf => push(leaf, &mut vector),
        }
    }
}

fn texts_of(texts: &[&str], mut vector: VectorBuilder<'_>) {
    texts.iter().for_each(|text| vector.push(*text));
}

/// The destination of a leaf: a map or a vector.
trait Place {
    fn push(self, leaf: impl Pushable);
}

struct Pair<'p, 'm>(&'p mut MapBuilder<'m>, &'p str);

impl Place for Pair<'_, '_> {
    fn push(self, leaf: impl Pushable) {
        self.0.push(self.1, leaf);
    }
}

impl Place for &mut VectorBuilder<'_> {
    fn push(self, leaf: impl Pushable) {
        VectorBuilder::push(self, leaf);
    }
}

fn push(leaf: &Value, to: impl Place) {
    match leaf {
        Value::Nil => to.push(()),
        Value::Bool(value) => to.push(*value),
        Value::Int(int) => to.push(*int),
        Value::Float(float) => to.push(*float),
        Value::Text(text) | Value::Name(text) => to.push(*text),
        Value::Path(text) => to.push(&**text),
        Value::Vector2i(parts) => to.push(parts),
        Value::Vector2(parts) => to.push(parts),
        Value::Vector3(parts) => to.push(parts),
        Value::Quaternion(parts) | Value::Color(parts) => to.push(parts),
        Value::Ints(ints) => to.push(ints),
        Value::Floats(floats) => to.push(floats),
        Value::Vectors { flat, .. } => to.push(flat),
        Value::Texts(_) | Value::Array(_) | Value::Map(_) => unreachable!("no leaves"),
    }
}

fn encode_state(state: &State, builder: &mut Builder) {
    state::state(state, &mut builder.start_map());
}

impl Fields for MapBuilder<'_> {
    fn int(&mut self, key: &str, value: i64) {
        self.push(key, value);
    }

    fn float(&mut self, key: &str, value: f64) {
        self.push(key, value);
    }

    fn bool(&mut self, key: &str, value: bool) {
        self.push(key, value);
    }

    fn text(&mut self, key: &str, value: &str) {
        self.push(key, value);
    }

    fn vector<const N: usize>(&mut self, key: &str, parts: &[f32; N]) {
        self.push(key, &parts[..]);
    }

    fn players(&mut self, key: &str, players: &[Player; 4]) {
        let mut map = self.start_map(key);
        players.iter().for_each(|player| state::player(player, &mut map.start_map(&player.key)));
    }
}
