//! The same packets, read and written by `godot-binary-serialization`, which supports 9 of Godot's
//! 39 types. The crate builds an owned tree.

use crate::contents::Content;
use crate::eye::{Census, Checksum, Eye};
use crate::rows::{Peer, Row};
use godot_binary_serialization::decoder::Decoder;
use godot_binary_serialization::encoder::Encoder;
use godot_binary_serialization::types::primitive::{
    GodotBool, GodotFloat, GodotInteger, GodotString,
};
use godot_binary_serialization::types::structures::{GodotDictionary, GodotVector2, GodotVector3};
use godot_binary_serialization::types::variant::GodotVariant;
use std::hint::black_box;

pub fn rows(content: &'static Content, rows: &mut Vec<Row>) {
    let packet = content.packet;
    if Decoder::decode_variant(packet).is_err() {
        return; // the packet has values of other types
    }
    assert_eq!(traverse::<Census>(packet), content.census, "godot-binary-serialization");
    let mut peer = Peer::new(rows, content, "godot-binary-serialization", packet.len());
    peer.add("traverse", || traverse::<Checksum>(black_box(packet)).0);
    peer.add("validate", || {
        black_box(decode(black_box(packet)));
        0
    });
    peer.get(content, |key| get(black_box(packet), key));
    // The library writes its own tree, which is built in advance.
    let tree = decode(packet);
    let encode = move || Encoder::encode_variant(black_box(&*tree)).unwrap();
    assert_eq!(encode(), packet);
    peer.add("encode", move || black_box(encode()).len() as u64);
}

fn decode(packet: &[u8]) -> Box<dyn GodotVariant> {
    Decoder::decode_variant(packet).unwrap()
}

fn traverse<E: Eye>(packet: &[u8]) -> E {
    let mut eye = E::default();
    value(&*decode(packet), &mut eye);
    eye
}

fn value<E: Eye>(of: &dyn GodotVariant, eye: &mut E) {
    let of = of.as_any();
    if let Some(text) = of.downcast_ref::<GodotString>() {
        eye.text(&text.value);
    } else if let Some(int) = of.downcast_ref::<GodotInteger>() {
        eye.int(int.value);
    } else if let Some(float) = of.downcast_ref::<GodotFloat>() {
        eye.float(float.value);
    } else if let Some(GodotVector3 { x, y, z }) = of.downcast_ref() {
        [x, y, z].into_iter().for_each(|part| eye.float((*part).into()));
    } else if let Some(GodotVector2 { x, y }) = of.downcast_ref() {
        [x, y].into_iter().for_each(|part| eye.float((*part).into()));
    } else if let Some(flag) = of.downcast_ref::<GodotBool>() {
        eye.bool(flag.value);
    } else {
        for (key, of) in &of.downcast_ref::<GodotDictionary>().expect("no other type").map {
            value(&**key, eye);
            value(&**of, eye);
        }
    }
}

fn get(packet: &[u8], key: &str) -> Option<i64> {
    let tree = decode(packet);
    let dictionary = tree.as_any().downcast_ref::<GodotDictionary>()?;
    Some(dictionary.get::<GodotInteger>(GodotString::new(key))?.value)
}
