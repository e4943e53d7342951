//! A measurement: the peer, the content and the operation.

use crate::contents::Content;
use crate::flushed::Before;
use crate::measure::operation;
use std::hint::black_box;

pub struct Row {
    pub content: &'static str,
    pub peer: &'static str,
    pub what: &'static str,
    /// Size of the content in the peer's format.
    pub bytes: usize,
    /// The kinds of work after which single runs are also measured. Empty if only loops are
    /// measured.
    pub also_after: &'static [Before],
    pub run: Box<dyn FnMut() -> u64>,
}

impl Row {
    /// Returns the name, as in `state_simple/encode/gamewire`, or, if the row is one of several
    /// of a peer for the operation, as in `state_simple/encode/gamewire/typed_encode`.
    pub fn name(&self) -> String {
        let (operation, Self { content, peer, what, .. }) = (operation(self), self);
        match *what == operation {
            true => format!("{content}/{operation}/{peer}"),
            false => format!("{content}/{operation}/{peer}/{what}"),
        }
    }

    /// Returns `true` if this is a part of the name.
    pub fn is_named(&self, part: &str) -> bool {
        self.name().contains(part)
    }
}

/// A builder that adds the rows of one peer for one packet's content to a list.
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

    /// Returns a builder for content that only some peers can read.
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

    /// Also measures the most recently added row in single runs after other work.
    pub fn also_after(&mut self, before: &'static [Before]) {
        self.rows.last_mut().expect("a row").also_after = before;
    }

    /// Adds a row for `get`, if the content has a key to find. `get` must return the value of the
    /// key if it is an int, and the number of items if it is an array.
    pub fn get(&mut self, content: &Content, mut get: impl FnMut(&str) -> Option<i64> + 'static) {
        if let Some((key, value)) = content.key {
            assert_eq!(get(key), Some(value), "{}: {key}", self.name);
            self.add("get", move || get(black_box(key)).unwrap_or_default() as u64);
        }
    }

    pub fn encode(&mut self, expected: &'static [u8], encode: impl FnMut(&mut Vec<u8>) + 'static) {
        self.writes("encode", expected, encode);
    }

    /// Adds a row in which `encode` fills an emptied buffer, each time with the same bytes.
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
