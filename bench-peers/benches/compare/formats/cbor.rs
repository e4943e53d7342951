//! CBOR, read and written by `minicbor`.

use crate::contents::{Content, STATE};
use crate::eye::{Census, Checksum, Eye};
use crate::rows::{Peer, Row};
use crate::state::{self, Fields, Player, State};
use crate::value::Value;
use minicbor::data::Type;
use minicbor::{Decoder, Encoder};
use std::hint::black_box;

pub fn rows(content: &'static Content, rows: &mut Vec<Row>) {
    let mut bytes = Vec::new();
    put(&content.value, &mut Encoder::new(&mut bytes));
    let bytes = &*bytes.leak();
    assert_eq!(traverse::<Census>(bytes), content.census, "CBOR");
    let mut peer = Peer::new(rows, content, "minicbor", bytes.len());
    peer.add("traverse", || traverse::<Checksum>(black_box(bytes)).0);
    // Skipping also checks strings, so it is measured as validation, too.
    peer.add("validate", || skip(black_box(bytes)));
    peer.add("skip", || skip(black_box(bytes)));
    peer.get(content, |key| get(black_box(bytes), key));
    if content.name == STATE {
        let state = State::from(state::sample());
        peer.encode(bytes, move |out| encode_state(black_box(&state), out));
    } else {
        peer.encode(bytes, |out| put(black_box(&content.value), &mut Encoder::new(out)));
    }
}

fn traverse<E: Eye>(cbor: &[u8]) -> E {
    let (mut eye, mut decoder) = (E::default(), Decoder::new(cbor));
    let mut left = 1;
    while left > 0 {
        left -= 1;
        match decoder.datatype().unwrap() {
            Type::Null => {
                decoder.null().unwrap();
                eye.null();
            }
            Type::Bool => eye.bool(decoder.bool().unwrap()),
            Type::F32 => eye.float(decoder.f32().unwrap().into()),
            Type::F64 => eye.float(decoder.f64().unwrap()),
            Type::String => eye.text(decoder.str().unwrap()),
            Type::Array => left += decoder.array().unwrap().unwrap(),
            Type::Map => left += 2 * decoder.map().unwrap().unwrap(),
            _ => eye.int(decoder.i64().unwrap()),
        }
    }
    eye
}

fn get(cbor: &[u8], key: &str) -> Option<i64> {
    let mut decoder = Decoder::new(cbor);
    for _ in 0..decoder.map().unwrap()? {
        if decoder.str().unwrap() == key {
            return match decoder.datatype().unwrap() {
                Type::Array => decoder.array().unwrap().map(|len| len as i64),
                _ => decoder.i64().ok(),
            };
        }
        decoder.skip().unwrap();
    }
    None
}

fn skip(cbor: &[u8]) -> u64 {
    let mut decoder = Decoder::new(cbor);
    decoder.skip().unwrap();
    decoder.position() as u64
}

type Out<'o> = Encoder<&'o mut Vec<u8>>;

/// Writes a float in the narrowest width that holds it.
fn float(value: f64, to: &mut Out<'_>) {
    let narrow = value as f32;
    if f64::from(narrow) == value {
        to.f32(narrow).unwrap();
    } else {
        to.f64(value).unwrap();
    }
}

fn floats(floats: &[f32], to: &mut Out<'_>) {
    to.array(floats.len() as u64).unwrap();
    for float in floats {
        to.f32(*float).unwrap();
    }
}

fn ints(ints: &[i32], to: &mut Out<'_>) {
    to.array(ints.len() as u64).unwrap();
    for int in ints {
        to.i32(*int).unwrap();
    }
}

fn put(value: &Value, to: &mut Out<'_>) {
    match value {
        Value::Nil => drop(to.null().unwrap()),
        Value::Bool(value) => drop(to.bool(*value).unwrap()),
        Value::Int(int) => drop(to.i64(*int).unwrap()),
        Value::Float(value) => float(*value, to),
        Value::Text(text) | Value::Name(text) => drop(to.str(text).unwrap()),
        Value::Path(text) => drop(to.str(text).unwrap()),
        Value::Vector2i(parts) => ints(parts, to),
        Value::Vector2(parts) => floats(parts, to),
        Value::Vector3(parts) => floats(parts, to),
        Value::Quaternion(parts) | Value::Color(parts) => floats(parts, to),
        Value::Ints(of) => ints(of, to),
        Value::Floats(of) => floats(of, to),
        Value::Vectors { flat, .. } => floats(flat, to),
        Value::Texts(texts) => {
            to.array(texts.len() as u64).unwrap();
            for text in texts {
                to.str(text).unwrap();
            }
        }
        Value::Array(items) => {
            to.array(items.len() as u64).unwrap();
            items.iter().for_each(|item| put(item, to));
        }
        Value::Map(pairs) => {
            to.map(pairs.len() as u64).unwrap();
            for (key, value) in pairs {
                to.str(key).unwrap();
                put(value, to);
            }
        }
    }
}

fn encode_state(state: &State, out: &mut Vec<u8>) {
    let mut to = Encoder::new(out);
    to.map(25).unwrap();
    state::state(state, &mut to);
}

impl Fields for Out<'_> {
    #[inline(always)]
    fn int(&mut self, key: &str, value: i64) {
        self.str(key).unwrap().i64(value).unwrap();
    }

    #[inline(always)]
    fn float(&mut self, key: &str, value: f64) {
        float(value, self.str(key).unwrap());
    }

    #[inline(always)]
    fn bool(&mut self, key: &str, value: bool) {
        self.str(key).unwrap().bool(value).unwrap();
    }

    #[inline(always)]
    fn text(&mut self, key: &str, value: &str) {
        self.str(key).unwrap().str(value).unwrap();
    }

    #[inline(always)]
    fn vector<const N: usize>(&mut self, key: &str, parts: &[f32; N]) {
        floats(parts, self.str(key).unwrap());
    }

    #[inline(always)]
    fn players(&mut self, key: &str, players: &[Player; 4]) {
        self.str(key).unwrap().map(4).unwrap();
        for player in players {
            self.str(&player.key).unwrap().map(8).unwrap();
            state::player(player, self);
        }
    }
}
