//! MessagePack by `rmpv` and `rmp`. `rmpv` builds a tree of borrowed values. `rmp` yields one
//! marker or number at a time, which needs more code and less time.

mod tree;

use crate::contents::{Content, STATE};
use crate::eye::{Blind, Census, Checksum, Eye};
use crate::rows::{Peer, Row};
use crate::state::{self, Fields, Player, State};
use crate::value::Value;
use rmp::Marker;
use rmp::decode::{Bytes, RmpRead, read_marker};
use rmp::encode::{
    write_array_len, write_bool, write_f32, write_f64, write_map_len, write_nil, write_sint,
    write_str,
};
use std::hint::black_box;

pub fn rows(content: &'static Content, rows: &mut Vec<Row>) {
    let mut bytes = Vec::new();
    put(&content.value, &mut bytes);
    let bytes = &*bytes.leak();
    tree::rows(content, bytes, rows);
    assert_eq!(traverse::<Census, true>(bytes), content.census, "MessagePack");
    assert_eq!(traverse::<Census, false>(bytes), content.census, "MessagePack");
    assert_eq!(skip(bytes), bytes.len());
    let mut peer = Peer::new(rows, content, "rmp", bytes.len());
    peer.add("traverse", || traverse::<Checksum, true>(black_box(bytes)).0);
    peer.add("traverse_bytes", || traverse::<Checksum, false>(black_box(bytes)).0);
    peer.add("validate", || {
        traverse::<Blind, true>(black_box(bytes));
        0
    });
    peer.add("skip", || skip(black_box(bytes)) as u64);
    peer.get(content, |key| get(black_box(bytes), key));
    if content.name == STATE {
        let state = State::from(state::sample());
        peer.encode(bytes, move |out| encode_state(black_box(&state), out));
    } else {
        peer.encode(bytes, |out| put(black_box(&content.value), out));
    }
}

/// A value, or the header of a container.
enum Item<'a> {
    Text(&'a [u8]),
    Int(i64),
    Float(f64),
    Nil,
    Bool(bool),
    Array(u32),
    Map(u32),
}

#[inline(always)]
fn item<'a>(at: &mut Bytes<'a>) -> Item<'a> {
    match read_marker(at).unwrap() {
        Marker::FixStr(len) => text(at, len.into()),
        Marker::Str8 => {
            let len = at.read_data_u8().unwrap();
            text(at, len.into())
        }
        Marker::Str16 => {
            let len = at.read_data_u16().unwrap();
            text(at, len.into())
        }
        Marker::Str32 => {
            let len = at.read_data_u32().unwrap();
            text(at, len)
        }
        Marker::FixPos(int) => Item::Int(int.into()),
        Marker::FixNeg(int) => Item::Int(int.into()),
        Marker::U8 => Item::Int(at.read_data_u8().unwrap().into()),
        Marker::U16 => Item::Int(at.read_data_u16().unwrap().into()),
        Marker::U32 => Item::Int(at.read_data_u32().unwrap().into()),
        Marker::U64 => Item::Int(at.read_data_u64().unwrap().try_into().unwrap()),
        Marker::I8 => Item::Int(at.read_data_i8().unwrap().into()),
        Marker::I16 => Item::Int(at.read_data_i16().unwrap().into()),
        Marker::I32 => Item::Int(at.read_data_i32().unwrap().into()),
        Marker::I64 => Item::Int(at.read_data_i64().unwrap()),
        Marker::F32 => Item::Float(at.read_data_f32().unwrap().into()),
        Marker::F64 => Item::Float(at.read_data_f64().unwrap()),
        Marker::Null => Item::Nil,
        Marker::False => Item::Bool(false),
        Marker::True => Item::Bool(true),
        Marker::FixArray(len) => Item::Array(len.into()),
        Marker::Array16 => Item::Array(at.read_data_u16().unwrap().into()),
        Marker::Array32 => Item::Array(at.read_data_u32().unwrap()),
        Marker::FixMap(len) => Item::Map(len.into()),
        Marker::Map16 => Item::Map(at.read_data_u16().unwrap().into()),
        Marker::Map32 => Item::Map(at.read_data_u32().unwrap()),
        other => unimplemented!("{other:?}"),
    }
}

#[inline(always)]
fn text<'a>(at: &mut Bytes<'a>, len: u32) -> Item<'a> {
    let (text, rest) = at.remaining_slice().split_at(len as usize);
    *at = Bytes::new(rest);
    Item::Text(text)
}

/// Reads every leaf. Checks every text if `CHECKED`, otherwise passes texts on as bytes.
fn traverse<E: Eye, const CHECKED: bool>(bytes: &[u8]) -> E {
    let (mut eye, mut at) = (E::default(), Bytes::new(bytes));
    let mut left = 1_u64;
    while left > 0 {
        left -= 1;
        match item(&mut at) {
            Item::Text(text) if CHECKED => eye.text(str::from_utf8(text).unwrap()),
            Item::Text(text) => eye.bytes(text),
            Item::Int(int) => eye.int(int),
            Item::Float(float) => eye.float(float),
            Item::Nil => eye.null(),
            Item::Bool(value) => eye.bool(value),
            Item::Array(len) => left += u64::from(len),
            Item::Map(len) => left += 2 * u64::from(len),
        }
    }
    eye
}

#[inline(always)]
fn skip_one(at: &mut Bytes<'_>) {
    let mut left = 1_u64;
    while left > 0 {
        left -= 1;
        match item(at) {
            Item::Array(len) => left += u64::from(len),
            Item::Map(len) => left += 2 * u64::from(len),
            _ => {}
        }
    }
}

fn skip(bytes: &[u8]) -> usize {
    let mut at = Bytes::new(bytes);
    skip_one(&mut at);
    bytes.len() - at.remaining_slice().len()
}

fn get(bytes: &[u8], key: &str) -> Option<i64> {
    let mut at = Bytes::new(bytes);
    let Item::Map(len) = item(&mut at) else { return None };
    for _ in 0..len {
        let Item::Text(text) = item(&mut at) else { return None };
        if text == key.as_bytes() {
            return match item(&mut at) {
                Item::Int(int) => Some(int),
                Item::Array(len) => Some(len.into()),
                _ => None,
            };
        }
        skip_one(&mut at);
    }
    None
}

/// Writes a float in the narrowest width that holds it.
fn float(value: f64, to: &mut Vec<u8>) {
    let narrow = value as f32;
    if f64::from(narrow) == value {
        write_f32(to, narrow).unwrap();
    } else {
        write_f64(to, value).unwrap();
    }
}

fn floats(floats: &[f32], to: &mut Vec<u8>) {
    write_array_len(to, floats.len() as u32).unwrap();
    floats.iter().for_each(|float| write_f32(to, *float).unwrap());
}

fn ints(ints: &[i32], to: &mut Vec<u8>) {
    write_array_len(to, ints.len() as u32).unwrap();
    for int in ints {
        write_sint(to, (*int).into()).unwrap();
    }
}

fn put(value: &Value, to: &mut Vec<u8>) {
    match value {
        Value::Nil => write_nil(to).unwrap(),
        Value::Bool(value) => write_bool(to, *value).unwrap(),
        Value::Int(int) => drop(write_sint(to, *int).unwrap()),
        Value::Float(value) => float(*value, to),
        Value::Text(text) | Value::Name(text) => write_str(to, text).unwrap(),
        Value::Path(text) => write_str(to, text).unwrap(),
        Value::Vector2i(parts) => ints(parts, to),
        Value::Vector2(parts) => floats(parts, to),
        Value::Vector3(parts) => floats(parts, to),
        Value::Quaternion(parts) | Value::Color(parts) => floats(parts, to),
        Value::Ints(of) => ints(of, to),
        Value::Floats(of) => floats(of, to),
        Value::Vectors { flat, .. } => floats(flat, to),
        Value::Texts(texts) => {
            write_array_len(to, texts.len() as u32).unwrap();
            texts.iter().for_each(|text| write_str(to, text).unwrap());
        }
        Value::Array(items) => {
            write_array_len(to, items.len() as u32).unwrap();
            items.iter().for_each(|item| put(item, to));
        }
        Value::Map(pairs) => {
            write_map_len(to, pairs.len() as u32).unwrap();
            for (key, value) in pairs {
                write_str(to, key).unwrap();
                put(value, to);
            }
        }
    }
}

fn encode_state(state: &State, to: &mut Vec<u8>) {
    write_map_len(to, 25).unwrap();
    state::state(state, to);
}

impl Fields for Vec<u8> {
    #[inline(always)]
    fn int(&mut self, key: &str, value: i64) {
        write_str(self, key).unwrap();
        write_sint(self, value).unwrap();
    }

    #[inline(always)]
    fn float(&mut self, key: &str, value: f64) {
        write_str(self, key).unwrap();
        float(value, self);
    }

    #[inline(always)]
    fn bool(&mut self, key: &str, value: bool) {
        write_str(self, key).unwrap();
        write_bool(self, value).unwrap();
    }

    #[inline(always)]
    fn text(&mut self, key: &str, value: &str) {
        write_str(self, key).unwrap();
        write_str(self, value).unwrap();
    }

    #[inline(always)]
    fn vector<const N: usize>(&mut self, key: &str, parts: &[f32; N]) {
        write_str(self, key).unwrap();
        floats(parts, self);
    }

    #[inline(always)]
    fn players(&mut self, key: &str, players: &[Player; 4]) {
        write_str(self, key).unwrap();
        write_map_len(self, 4).unwrap();
        for player in players {
            write_str(self, &player.key).unwrap();
            write_map_len(self, 8).unwrap();
            state::player(player, self);
        }
    }
}
