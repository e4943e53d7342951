//! An independent oracle for one direction of a TCP connection since its start: a table of all
//! bytes by their position.

use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    Bytes(Vec<u8>),
    Gap(u64),
    End,
}

/// Positions count from the first byte.
#[derive(Default)]
pub struct Stream {
    /// Bytes that arrived and were not delivered yet.
    waiting: BTreeMap<u64, u8>,
    /// All bytes before this position were delivered or dropped.
    pub position: u64,
    end: Option<u64>,
    pub over: bool,
    told: Vec<Told>,
}

impl Stream {
    /// Adds a payload. If bytes are repeated, the first copy counts.
    pub fn feed(&mut self, at: u64, payload: &[u8], fin: bool) -> Vec<Told> {
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
        self.go_on(self.position)
    }

    /// Reports that the bytes before `position` are missing. A gap is reported once a byte
    /// follows it.
    pub fn acknowledged(&mut self, position: u64) -> Vec<Told> {
        let last = self.waiting.range(..=position).next_back();
        self.go_on(last.map_or(self.position, |(position, _)| *position))
    }

    /// Ends the stream.
    pub fn flush(&mut self) -> Vec<Told> {
        let last = self.waiting.last_key_value().map_or(0, |(position, _)| position + 1);
        self.go_on(last.max(self.end.unwrap_or(0)))
    }

    /// Delivers or drops everything before `position`, and the bytes that follow it.
    fn go_on(&mut self, position: u64) -> Vec<Told> {
        while !self.over {
            if let Some(byte) = self.waiting.remove(&self.position) {
                self.byte(byte);
            } else if self.end == Some(self.position) {
                self.told.push(Told::End);
                self.over = true;
            } else if self.position < position {
                self.missing();
            } else {
                break;
            }
        }
        std::mem::take(&mut self.told)
    }

    fn byte(&mut self, byte: u8) {
        self.position += 1;
        match self.told.last_mut() {
            Some(Told::Bytes(bytes)) => bytes.push(byte),
            _ => self.told.push(Told::Bytes(vec![byte])),
        }
    }

    fn missing(&mut self) {
        self.position += 1;
        match self.told.last_mut() {
            Some(Told::Gap(bytes)) => *bytes += 1,
            _ => self.told.push(Told::Gap(1)),
        }
    }

    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }
}
