//! JSON by `simd-json`, which parses in place, so each run copies the text first. Of the forms in
//! which the crate returns a document, the tape is the fastest. Tape and buffers are reused.

use crate::contents::{Content, STATE};
use crate::eye::{Census, Checksum, Eye};
use crate::rows::{Peer, Row};
use crate::state::{self, State};
use simd_json::{Buffers, INPUT_PADDING, Node, StaticNode, Tape, fill_tape_padded, to_writer};
use std::hint::black_box;

pub fn rows(content: &'static Content, rows: &mut Vec<Row>) {
    // Reads the text that `sonic-rs` writes, since `simd-json` writes `f32` with the digits of
    // `f64`.
    let json = &*sonic_rs::to_vec(&content.value).unwrap().leak();
    let own = &*simd_json::to_vec(&content.value).unwrap().leak();
    let parser = || Parser::new(json);
    assert_eq!(parser().run(traverse::<Census>), content.census, "JSON");
    let mut peer = Peer::new(rows, content, "simd-json", json.len());
    let mut again = parser();
    peer.add("traverse", move || again.run(traverse::<Checksum>).0);
    let mut again = parser();
    peer.add("validate", move || again.run(|tape| tape.0.len() as u64));
    let mut again = parser();
    peer.add("skip", move || again.run(|tape| tape.0.len() as u64));
    let mut again = parser();
    peer.get(content, move |key| again.run(|tape| get(tape, key)));
    if content.name == STATE {
        let state = State::from(state::sample());
        peer.encode(own, move |out| to_writer(out, black_box(&state)).unwrap());
    } else {
        peer.encode(own, |out| to_writer(out, black_box(&content.value)).unwrap());
    }
}

struct Parser {
    json: &'static [u8],
    /// The text to parse, followed by padding.
    text: Vec<u8>,
    buffers: Buffers,
    tape: Tape<'static>,
}

impl Parser {
    fn new(json: &'static [u8]) -> Self {
        let text = vec![0; json.len() + INPUT_PADDING];
        Self { json, text, buffers: Buffers::new(json.len()), tape: Tape::null() }
    }

    fn run<T>(&mut self, look: impl FnOnce(&Tape<'_>) -> T) -> T {
        let json = black_box(self.json);
        self.text[..json.len()].copy_from_slice(json);
        let mut tape = std::mem::replace(&mut self.tape, Tape(Vec::new())).reset();
        fill_tape_padded(&mut self.text, json.len(), &mut self.buffers, &mut tape).unwrap();
        let result = look(&tape);
        self.tape = tape.reset();
        result
    }
}

fn traverse<E: Eye>(tape: &Tape<'_>) -> E {
    let mut eye = E::default();
    for node in &tape.0 {
        match node {
            Node::String(text) => eye.text(text),
            Node::Static(StaticNode::I64(int)) => eye.int(*int),
            Node::Static(StaticNode::U64(int)) => eye.int((*int).try_into().unwrap()),
            Node::Static(StaticNode::F64(float)) => eye.float(*float),
            Node::Static(StaticNode::Bool(value)) => eye.bool(*value),
            Node::Static(StaticNode::Null) => eye.null(),
            Node::Object { .. } | Node::Array { .. } => {}
        }
    }
    eye
}

fn get(tape: &Tape<'_>, key: &str) -> Option<i64> {
    let value = tape.as_value().as_object()?.get(key)?;
    match value.as_array() {
        Some(items) => Some(items.len() as i64),
        None => simd_json::prelude::ValueAsScalar::as_i64(&value),
    }
}
