//! JSON, read and written by `sonic-rs`, which always checks strings.

use crate::contents::{Content, STATE};
use crate::eye::{Census, Checksum, Eye};
use crate::rows::{Peer, Row};
use crate::state::{self, State};
use sonic_rs::{
    JsonNumberTrait, JsonValueTrait, LazyValue, Value, ValueRef, from_slice, get_from_slice,
    to_vec, to_writer,
};
use std::hint::black_box;

pub fn rows(content: &'static Content, rows: &mut Vec<Row>) {
    let json = &*to_vec(&content.value).unwrap().leak();
    assert_eq!(traverse::<Census>(json), content.census, "JSON");
    assert_eq!(skip(json), json.len());
    let mut peer = Peer::new(rows, content, "sonic-rs", json.len());
    peer.add("traverse", || traverse::<Checksum>(black_box(json)).0);
    // To skip a value, the crate must make a lazy value of it, which includes checking the whole
    // value. Therefore, both rows measure the same function.
    peer.add("validate", || skip(black_box(json)) as u64);
    peer.add("skip", || skip(black_box(json)) as u64);
    peer.get(content, |key| get(black_box(json), key));
    if content.name == STATE {
        let state = State::from(state::sample());
        peer.encode(json, move |out| to_writer(out, black_box(&state)).unwrap());
    } else {
        peer.encode(json, |out| to_writer(out, black_box(&content.value)).unwrap());
    }
}

fn traverse<E: Eye>(json: &[u8]) -> E {
    let mut eye = E::default();
    value(&from_slice(json).unwrap(), &mut eye);
    eye
}

fn value<E: Eye>(of: &Value, eye: &mut E) {
    match of.as_ref() {
        ValueRef::String(text) => eye.text(text),
        ValueRef::Number(number) => match number.as_i64() {
            Some(int) => eye.int(int),
            None => eye.float(number.as_f64().unwrap()),
        },
        ValueRef::Bool(value) => eye.bool(value),
        ValueRef::Array(items) => items.iter().for_each(|item| value(item, eye)),
        ValueRef::Object(pairs) => {
            for (key, of) in pairs {
                eye.text(key);
                value(of, eye);
            }
        }
        ValueRef::Null => eye.null(),
    }
}

fn skip(json: &[u8]) -> usize {
    from_slice::<LazyValue<'_>>(json).unwrap().as_raw_str().len()
}

fn get(json: &[u8], key: &str) -> Option<i64> {
    let value = get_from_slice(json, [key]).ok()?;
    value.as_i64().or_else(|| Some(value.into_array_iter()?.count() as i64))
}
