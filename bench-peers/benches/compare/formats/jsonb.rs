//! JSONB (the binary JSON of the database Databend), read and written by `jsonb`. The crate builds a
//! tree. Its texts borrow from the bytes, and its keys are copies. The crate does not check that
//! text is UTF-8, so its traversal is compared with those that yield bytes, too. It has no operation
//! that checks a document, and none that finds the end of one.

use crate::contents::Content;
use crate::eye::{Census, Checksum, Eye};
use crate::rows::{Peer, Row};
use crate::value;
use jsonb::{Number, RawJsonb, Value};
use std::hint::black_box;

pub fn rows(content: &'static Content, rows: &mut Vec<Row>) {
    let tree = tree(&content.value);
    let bytes = &*tree.to_vec().leak();
    assert_eq!(traverse::<Census>(bytes), content.census, "JSONB");
    let mut peer = Peer::new(rows, content, "jsonb", bytes.len());
    peer.add("traverse", || traverse::<Checksum>(black_box(bytes)).0);
    peer.add("traverse_bytes", || traverse::<Checksum>(black_box(bytes)).0);
    peer.get(content, |key| get(black_box(bytes), key));
    // The crate writes its own tree, which is built in advance.
    peer.encode(bytes, move |out| black_box(&tree).write_to_vec(out));
}

fn traverse<E: Eye>(bytes: &[u8]) -> E {
    let mut eye = E::default();
    value(&RawJsonb::new(bytes).to_value().unwrap(), &mut eye);
    eye
}

fn value<E: Eye>(of: &Value<'_>, eye: &mut E) {
    match of {
        Value::Null => eye.null(),
        Value::Bool(value) => eye.bool(*value),
        Value::String(text) => eye.text(text),
        Value::Number(Number::Float64(float)) => eye.float(*float),
        Value::Number(int) => eye.int(int.as_i64().unwrap()),
        Value::Array(items) => items.iter().for_each(|item| value(item, eye)),
        Value::Object(pairs) => {
            for (key, of) in pairs {
                eye.text(key);
                value(of, eye);
            }
        }
        other => unimplemented!("{other:?}"),
    }
}

fn get(bytes: &[u8], key: &str) -> Option<i64> {
    let value = RawJsonb::new(bytes).get_by_name(key, false).unwrap()?;
    let value = value.as_raw();
    match value.array_length().unwrap() {
        Some(len) => Some(len as i64),
        None => value.as_i64().unwrap(),
    }
}

fn tree(of: &value::Value) -> Value<'static> {
    let float = |float: f64| Value::Number(Number::Float64(float));
    let int = |int: i64| Value::Number(Number::Int64(int));
    let ints = |ints: &[i32]| Value::Array(ints.iter().map(|part| int((*part).into())).collect());
    let floats =
        |floats: &[f32]| Value::Array(floats.iter().map(|part| float((*part).into())).collect());
    match of {
        value::Value::Nil => Value::Null,
        value::Value::Bool(value) => Value::Bool(*value),
        value::Value::Int(value) => int(*value),
        value::Value::Float(value) => float(*value),
        value::Value::Text(text) | value::Value::Name(text) => Value::String((*text).into()),
        value::Value::Path(text) => Value::String(text.clone().into()),
        value::Value::Vector2i(parts) => ints(parts),
        value::Value::Vector2(parts) => floats(parts),
        value::Value::Vector3(parts) => floats(parts),
        value::Value::Quaternion(parts) | value::Value::Color(parts) => floats(parts),
        value::Value::Ints(of) => ints(of),
        value::Value::Floats(of) => floats(of),
        value::Value::Vectors { flat, .. } => floats(flat),
        value::Value::Texts(texts) => {
            Value::Array(texts.iter().map(|text| Value::String((*text).into())).collect())
        }
        value::Value::Array(items) => Value::Array(items.iter().map(tree).collect()),
        value::Value::Map(pairs) => {
            Value::Object(pairs.iter().map(|(key, of)| ((*key).into(), tree(of))).collect())
        }
    }
}
