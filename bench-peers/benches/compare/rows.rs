//! What is measured: a peer, a content and what is done with it.

use crate::contents::Content;
use crate::flushed::Before;
use std::hint::black_box;

pub struct Row {
    pub content: &'static str,
    pub peer: &'static str,
    pub what: &'static str,
    /// How long the content is in the peer's format.
    pub bytes: usize,
    /// After what it is also measured, run by run.
    pub also_after: &'static [Before],
    pub run: Box<dyn FnMut() -> u64>,
}

/// The rows of a peer with a content.
pub struct Peer<'r> {
    rows: &'r mut Vec<Row>,
    content: &'static str,
    name: &'static str,
    bytes: usize,
}

impl<'r> Peer<'r> {
    pub fn new(
        rows: &'r mut Vec<Row>,
        content: &Content,
        name: &'static str,
        bytes: usize,
    ) -> Self {
        Self::of(rows, content.name, name, bytes)
    }

    /// With what is no content for all peers.
    pub fn of(
        rows: &'r mut Vec<Row>,
        content: &'static str,
        name: &'static str,
        bytes: usize,
    ) -> Self {
        Self { rows, content, name, bytes }
    }

    pub fn add(&mut self, what: &'static str, run: impl FnMut() -> u64 + 'static) {
        let Self { content, name: peer, bytes, .. } = *self;
        self.rows.push(Row { content, peer, what, bytes, also_after: &[], run: Box::new(run) });
    }

    /// The row that was added last is also measured run by run, after something else.
    pub fn also_after(&mut self, before: &'static [Before]) {
        self.rows.last_mut().expect("a row").also_after = before;
    }

    /// `get` finds the int of a key, or how many items the array has.
    pub fn get(&mut self, content: &Content, mut get: impl FnMut(&str) -> Option<i64> + 'static) {
        if let Some((key, value)) = content.key {
            assert_eq!(get(key), Some(value), "{}: {key}", self.name);
            self.add("get", move || get(black_box(key)).unwrap_or_default() as u64);
        }
    }

    pub fn encode(&mut self, expected: &'static [u8], encode: impl FnMut(&mut Vec<u8>) + 'static) {
        self.writes("encode", expected, encode);
    }

    /// `encode` fills an emptied buffer, always to the same bytes.
    pub fn writes(
        &mut self,
        what: &'static str,
        expected: &'static [u8],
        mut encode: impl FnMut(&mut Vec<u8>) + 'static,
    ) {
        let mut buffer = Vec::with_capacity(expected.len() * 2);
        let mut run = move || {
            buffer.clear();
            encode(&mut buffer);
            black_box(&buffer).len() as u64
        };
        assert_eq!(run(), expected.len() as u64, "{} encodes otherwise", self.name);
        self.add(what, run);
    }
}
