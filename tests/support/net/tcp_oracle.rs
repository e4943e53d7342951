//! An independent oracle for one direction of a TCP connection since its start: a table of all
//! bytes by their position.

use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    Bytes(Vec<u8>),
    Gap(u64),
    End,
}

/// One direction of a connection. Positions count from its first byte.
#[derive(Default)]
pub struct Stream {
    /// Bytes that arrived and were not delivered yet.
    waiting: BTreeMap<u64, u8>,
    /// All bytes before this position were delivered or dropped.
    pub position: u64,
    end: Option<u64>,
    pub ended: bool,
    events: Vec<Event>,
}

impl Stream {
    /// Adds a payload at the position `at`. If `fin` is set, the stream ends after the payload. If
    /// bytes are repeated, the first copy is kept. Returns the new events.
    pub fn feed(&mut self, at: u64, payload: &[u8], fin: bool) -> Vec<Event> {
        for (position, &byte) in (at..).zip(payload) {
            let inside = self.end.is_none_or(|end| position < end);
            if inside && position >= self.position {
                self.waiting.entry(position).or_insert(byte);
            }
        }
        let end = at + payload.len() as u64;
        // A FIN before received bytes is invalid.
        let cuts = end < self.position || self.waiting.range(end..).next().is_some();
        if fin && !cuts && self.end.is_none() {
            self.end = Some(end);
        }
        self.advance(self.position)
    }

    /// Gives up the missing bytes before `position`, because the receiver has acknowledged them. A
    /// gap is reported only if a received byte at or before `position` follows it.
    pub fn acknowledged(&mut self, position: u64) -> Vec<Event> {
        let last = self.waiting.range(..=position).next_back();
        self.advance(last.map_or(self.position, |(position, _)| *position))
    }

    /// Delivers all waiting bytes. Reports the gaps before them, and a gap before the end of the
    /// stream if a FIN has arrived.
    pub fn flush(&mut self) -> Vec<Event> {
        let last = self.waiting.last_key_value().map_or(0, |(position, _)| position + 1);
        self.advance(last.max(self.end.unwrap_or(0)))
    }

    /// Delivers the bytes before `position`, reports the missing ones as gaps, and delivers the
    /// bytes that follow without a gap.
    fn advance(&mut self, position: u64) -> Vec<Event> {
        while !self.ended {
            if let Some(byte) = self.waiting.remove(&self.position) {
                self.push_byte(byte);
            } else if self.end == Some(self.position) {
                self.events.push(Event::End);
                self.ended = true;
            } else if self.position < position {
                self.push_missing();
            } else {
                break;
            }
        }
        std::mem::take(&mut self.events)
    }

    fn push_byte(&mut self, byte: u8) {
        self.position += 1;
        match self.events.last_mut() {
            Some(Event::Bytes(bytes)) => bytes.push(byte),
            _ => self.events.push(Event::Bytes(vec![byte])),
        }
    }

    fn push_missing(&mut self) {
        self.position += 1;
        match self.events.last_mut() {
            Some(Event::Gap(bytes)) => *bytes += 1,
            _ => self.events.push(Event::Gap(1)),
        }
    }

    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }
}
