//! MessagePack by `rmpv`, which builds a tree of borrowed values.

use crate::contents::Content;
use crate::eye::{Census, Checksum, Eye};
use crate::rows::{Peer, Row};
use rmpv::ValueRef;
use rmpv::decode::read_value_ref;
use std::hint::black_box;

pub fn rows(content: &'static Content, bytes: &'static [u8], rows: &mut Vec<Row>) {
    assert_eq!(traverse::<Census>(bytes), content.census, "MessagePack");
    let mut peer = Peer::new(rows, content, "rmpv", bytes.len());
    peer.add("traverse", || traverse::<Checksum>(black_box(bytes)).0);
    peer.add("validate", || {
        black_box(&tree(black_box(bytes)));
        0
    });
    peer.get(content, |key| get(black_box(bytes), key));
}

fn tree(bytes: &[u8]) -> ValueRef<'_> {
    read_value_ref(&mut &bytes[..]).unwrap()
}

fn traverse<E: Eye>(bytes: &[u8]) -> E {
    let mut eye = E::default();
    branch(&tree(bytes), &mut eye);
    eye
}

fn branch<E: Eye>(of: &ValueRef<'_>, eye: &mut E) {
    match of {
        ValueRef::String(text) => eye.text(text.as_str().unwrap()),
        ValueRef::Integer(int) => eye.int(int.as_i64().unwrap()),
        ValueRef::F32(float) => eye.float((*float).into()),
        ValueRef::F64(float) => eye.float(*float),
        ValueRef::Nil => eye.null(),
        ValueRef::Boolean(value) => eye.bool(*value),
        ValueRef::Array(items) => items.iter().for_each(|item| branch(item, eye)),
        ValueRef::Map(pairs) => {
            for (key, value) in pairs {
                branch(key, eye);
                branch(value, eye);
            }
        }
        other => unimplemented!("{other:?}"),
    }
}

fn get(bytes: &[u8], key: &str) -> Option<i64> {
    let ValueRef::Map(pairs) = tree(bytes) else { return None };
    let is_key = |of: &ValueRef<'_>| matches!(of, ValueRef::String(of) if of.as_str() == Some(key));
    match pairs.iter().find(|(of, _)| is_key(of)) {
        Some((_, ValueRef::Array(items))) => Some(items.len() as i64),
        Some((_, ValueRef::Integer(int))) => int.as_i64(),
        _ => None,
    }
}
