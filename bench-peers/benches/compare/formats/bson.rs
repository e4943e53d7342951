//! BSON by `bson`. Documents are read in their raw form. They are written through serde, because
//! this was the faster of the two ways to write them.

use crate::contents::{Content, STATE};
use crate::eye::{Blind, Census, Checksum, Eye};
use crate::rows::{Peer, Row};
use crate::state::{self, State};
use crate::value::Value;
use bson::raw::{RawArray, RawBsonRef, RawDocument};
use bson::spec::BinarySubtype;
use bson::{RawBinaryRef, serialize_to_buffer};
use serde::ser::{Serialize, Serializer};
use std::hint::black_box;

pub fn rows(content: &'static Content, rows: &mut Vec<Row>) {
    let bytes = &*encode_new(&content.value).leak();
    let whole = content.value.as_map().is_some();
    assert_eq!(traverse::<Census>(bytes, whole), content.census, "BSON");
    let mut peer = Peer::new(rows, content, "bson", bytes.len());
    peer.add("traverse", move || traverse::<Checksum>(black_box(bytes), whole).0);
    // There is no validator. Values are checked when they are read.
    peer.add("validate", move || {
        traverse::<Blind>(black_box(bytes), whole);
        0
    });
    peer.add("skip", move || {
        RawDocument::from_bytes(black_box(bytes)).unwrap().as_bytes().len() as u64
    });
    peer.get(content, move |key| get(black_box(bytes), key));
    if content.name == STATE {
        let state = State::from(state::sample());
        peer.encode(bytes, move |out| serialize_to_buffer(black_box(&state), out).unwrap());
    } else {
        peer.encode(bytes, |out| encode(black_box(&content.value), out));
    }
}

/// A value that is serialized as a document. A value that is not a map is wrapped in a document.
struct Document<'a>(&'a Value);

/// A value inside a document.
struct Element<'a>(&'a Value);

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Map(_) => Element(self.0).serialize(to),
            value => to.collect_map([("", Element(value))]),
        }
    }
}

impl Serialize for Element<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Floats(floats) => vector(floats).serialize(to),
            Value::Vectors { flat, .. } => vector(flat).serialize(to),
            Value::Array(items) => to.collect_seq(items.iter().map(Element)),
            Value::Map(pairs) => {
                to.collect_map(pairs.iter().map(|(key, value)| (key, Element(value))))
            }
            leaf => leaf.serialize(to),
        }
    }
}

/// Header before the elements of BSON's vector of `f32`.
const FLOAT32: [u8; 2] = [0x27, 0];

/// Returns BSON's vector of `f32`, which is a binary value with its own subtype.
fn vector(floats: &[f32]) -> impl Serialize {
    let mut bytes = Vec::with_capacity(FLOAT32.len() + size_of_val(floats));
    bytes.extend_from_slice(&FLOAT32);
    floats.iter().for_each(|float| bytes.extend_from_slice(&float.to_le_bytes()));
    bson::Binary { subtype: BinarySubtype::Vector, bytes }
}

fn encode_new(value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    encode(value, &mut out);
    out
}

fn encode(value: &Value, out: &mut Vec<u8>) {
    serialize_to_buffer(&Document(value), out).unwrap();
}

/// Reads every leaf. With `whole`, the document is the value itself and not a wrapper.
fn traverse<E: Eye>(bytes: &[u8], whole: bool) -> E {
    let mut eye = E::default();
    let root = RawDocument::from_bytes(bytes).unwrap();
    match root.iter_elements().next() {
        Some(Ok(element)) if !whole => value(element.value().unwrap(), &mut eye),
        _ => document(root, &mut eye),
    }
    eye
}

fn document<E: Eye>(document: &RawDocument, eye: &mut E) {
    for element in document.iter_elements() {
        let element = element.unwrap();
        eye.text(element.key().as_str());
        value(element.value().unwrap(), eye);
    }
}

fn array<E: Eye>(array: &RawArray, eye: &mut E) {
    array.iter_elements().for_each(|element| value(element.unwrap().value().unwrap(), eye));
}

fn value<E: Eye>(of: RawBsonRef<'_>, eye: &mut E) {
    match of {
        RawBsonRef::String(text) => eye.text(text),
        RawBsonRef::Int64(int) => eye.int(int),
        RawBsonRef::Int32(int) => eye.int(int.into()),
        RawBsonRef::Double(float) => eye.float(float),
        RawBsonRef::Null => eye.null(),
        RawBsonRef::Boolean(value) => eye.bool(value),
        RawBsonRef::Document(of) => document(of, eye),
        RawBsonRef::Array(of) => array(of, eye),
        RawBsonRef::Binary(of) => floats(of, eye),
        other => unimplemented!("{other:?}"),
    }
}

fn floats<E: Eye>(binary: RawBinaryRef<'_>, eye: &mut E) {
    let (floats, _) = binary.bytes[FLOAT32.len()..].as_chunks();
    floats.iter().for_each(|float| eye.float(f32::from_le_bytes(*float).into()));
}

fn get(bytes: &[u8], key: &str) -> Option<i64> {
    match RawDocument::from_bytes(bytes).unwrap().get(key).unwrap()? {
        RawBsonRef::Int64(int) => Some(int),
        RawBsonRef::Array(array) => Some(array.iter_elements().count() as i64),
        _ => None,
    }
}
