//! The index of a capture that was read once. It has checkpoints, from which any part of the capture
//! can be decoded again. The file itself is never in memory.

use super::cursor::{Checkpoint, Cursor, Listener};
use super::filter::Filter;
use super::source::Source;
use gamewire::traffic::RecordKind;
use std::rc::Rc;

/// A part of a capture, from one checkpoint to the next.
pub struct Chunk {
    checkpoint: Checkpoint,
    memory: usize,
    /// Number of rows of the unfiltered list before it.
    pub rows: u64,
    pub content: Content,
}

/// The kinds and times of the packets in a chunk. A filter can skip a chunk that cannot match.
#[derive(Clone, Copy)]
pub struct Content {
    /// A bit for each kind.
    kinds: u32,
    first: i64,
    last: i64,
}

impl Default for Content {
    fn default() -> Self {
        Self { kinds: 0, first: i64::MAX, last: i64::MIN }
    }
}

impl Content {
    pub fn add(&mut self, kind: RecordKind, time: Option<i64>) {
        self.kinds |= 1 << kind as u32;
        if let Some(time) = time {
            (self.first, self.last) = (self.first.min(time), self.last.max(time));
        }
    }

    fn merge(&mut self, other: Self) {
        self.kinds |= other.kinds;
        self.first = self.first.min(other.first);
        self.last = self.last.max(other.last);
    }

    /// Returns `true` if the filter can accept a packet of the chunk.
    pub fn can_match(&self, filter: &Filter) -> bool {
        self.kinds & filter.kinds() != 0
            && filter.times.is_none_or(|(from, to)| self.first <= to && from <= self.last)
    }
}

/// Number of bytes from one checkpoint to the next, at first.
const INTERVAL: u64 = 1 << 20;
/// Maximum memory of all checkpoints. If they need more, every second one is dropped.
const MEMORY: usize = 48 << 20;

pub struct Index {
    source: Rc<dyn Source>,
    pub chunks: Vec<Chunk>,
    interval: u64,
    memory: usize,
    limit: usize,
    /// Number of captured packets that were read.
    pub packets: u64,
    /// `true` if the capture was read to its end.
    pub is_complete: bool,
}

/// A place in the capture.
#[derive(Default)]
pub struct Walk {
    pub chunk: usize,
    cursor: Option<Cursor>,
}

impl Walk {
    pub fn at(chunk: usize) -> Self {
        Self { chunk, cursor: None }
    }

    /// Goes to the next chunk.
    pub fn skip(&mut self) {
        *self = Self::at(self.chunk + 1);
    }
}

/// The result of a step of a walk.
#[derive(PartialEq, Eq)]
pub enum Step {
    Packet,
    /// The chunk has ended.
    End,
}

impl Index {
    pub fn new(source: Rc<dyn Source>) -> Self {
        let (interval, limit) = (INTERVAL, MEMORY);
        let chunks = Vec::new();
        Self { source, chunks, interval, memory: 0, limit, packets: 0, is_complete: false }
    }

    #[cfg(test)]
    pub fn set_limits(&mut self, interval: u64, memory: usize) {
        (self.interval, self.limit) = (interval, memory);
    }

    pub fn memory(&self) -> usize {
        self.memory
    }

    /// Returns `true` if it is time for the next checkpoint.
    pub fn is_due(&self, cursor: &Cursor) -> bool {
        let last = self.chunks.last();
        last.is_none_or(|last| cursor.offset() - last.checkpoint.offset() >= self.interval)
    }

    /// Adds a checkpoint. `content` describes the chunk before it.
    pub fn add(&mut self, cursor: &Cursor, rows: u64, content: Content) {
        self.end_chunk(content);
        let checkpoint = cursor.checkpoint();
        let memory = checkpoint.memory();
        self.memory += memory;
        self.chunks.push(Chunk { checkpoint, memory, rows, content: Content::default() });
        while self.memory > self.limit && self.chunks.len() > 1 {
            self.thin_out();
        }
    }

    pub fn end_chunk(&mut self, content: Content) {
        if let Some(last) = self.chunks.last_mut() {
            last.content.merge(content);
        }
    }

    /// Drops every second checkpoint.
    fn thin_out(&mut self) {
        let mut kept: Vec<Chunk> = Vec::new();
        for (index, chunk) in self.chunks.drain(..).enumerate() {
            match kept.last_mut() {
                Some(last) if index % 2 == 1 => last.content.merge(chunk.content),
                _ => kept.push(chunk),
            }
        }
        self.memory = kept.iter().map(|chunk| chunk.memory).sum();
        self.chunks = kept;
        self.interval *= 2;
    }

    /// Decodes the next captured packet of a walk. The walk must not be at the end.
    pub fn step(&self, walk: &mut Walk, listener: &mut dyn Listener) -> Step {
        let Some(chunk) = self.chunks.get(walk.chunk) else { return Step::End };
        let next = self.chunks.get(walk.chunk + 1);
        let end = next.map_or(self.packets, |next| next.checkpoint.number);
        let restore = || chunk.checkpoint.restore(self.source.clone());
        let cursor = walk.cursor.get_or_insert_with(restore);
        if cursor.number < end && matches!(cursor.step(listener), Ok(true)) {
            return Step::Packet;
        }
        if next.is_none() && self.is_complete {
            cursor.finish(listener);
        }
        walk.chunk += 1;
        Step::End
    }

    pub fn is_over(&self, walk: &Walk) -> bool {
        walk.chunk >= self.chunks.len()
    }

    /// Returns the offset in the file.
    pub fn offset(&self, walk: &Walk) -> u64 {
        let chunk = self.chunks.get(walk.chunk).map_or(0, |chunk| chunk.checkpoint.offset());
        walk.cursor.as_ref().map_or(chunk, Cursor::offset)
    }
}
