//! Decodes a capture from the start or from a checkpoint.

use super::source::{Input, Source};
use gamewire::capture::{Error, Packet, Position, Reader, Reassembler, Segment, Skipped};
use gamewire::traffic::{Conversations, Options, Record};
use gamewire::transport::Breakdown;
use std::rc::Rc;

/// A captured packet in its file.
pub struct Frame<'p> {
    /// Its number, from 1.
    pub number: u64,
    pub offset: u64,
    pub data: &'p [u8],
}

/// Receives what is decoded. All decoding calls `dyn Listener`, so it is compiled only once.
pub trait Listener {
    /// Called for each captured packet, before its records.
    fn packet(
        &mut self,
        _packet: &Packet<'_>,
        _segment: &Result<Option<Segment<'_>>, Skipped>,
        _parts: &Breakdown,
    ) {
    }

    /// Called for each packet of a game. `frame` is the captured packet that completes it, or `None`
    /// at the end of the capture.
    fn record(&mut self, record: &Record<'_>, frame: Option<&Frame<'_>>);
}

/// The state of all conversations between two captured packets.
pub struct Cursor {
    reader: Reader<Input>,
    pub conversations: Conversations,
    pub reassembler: Reassembler,
    /// Number of captured packets so far.
    pub number: u64,
}

/// A copy of a cursor, from which decoding can continue.
pub struct Checkpoint {
    position: Position,
    conversations: Conversations,
    reassembler: Reassembler,
    /// Number of captured packets before it.
    pub number: u64,
}

impl Cursor {
    pub fn new(source: Rc<dyn Source>, options: Options) -> Self {
        Self {
            reader: Reader::new(Input::new(source, 0)),
            conversations: Conversations::new(options),
            reassembler: Reassembler::default(),
            number: 0,
        }
    }

    pub fn offset(&self) -> u64 {
        self.reader.offset()
    }

    /// Decodes the next captured packet. Returns `false` at the end of the file.
    pub fn step(&mut self, listener: &mut dyn Listener) -> Result<bool, Error> {
        let Some(packet) = self.reader.next_packet()? else { return Ok(false) };
        self.number += 1;
        let frame = Frame { number: self.number, offset: packet.offset, data: packet.data };
        let segment = self.reassembler.segment(&packet);
        listener.packet(&packet, &segment, self.conversations.breakdown());
        if let Ok(Some(segment)) = &segment {
            let mut each: &mut dyn FnMut(&Record<'_>) =
                &mut |record| listener.record(record, Some(&frame));
            self.conversations.segment(packet.time, segment, &mut each);
        }
        Ok(true)
    }

    /// Ends the capture. Decodes packets that are still waiting for missing ones.
    pub fn finish(&mut self, listener: &mut dyn Listener) {
        let mut each: &mut dyn FnMut(&Record<'_>) = &mut |record| listener.record(record, None);
        self.conversations.finish(&mut each);
    }

    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            position: self.reader.position(),
            conversations: self.conversations.clone(),
            reassembler: self.reassembler.clone(),
            number: self.number,
        }
    }
}

impl Checkpoint {
    pub fn offset(&self) -> u64 {
        self.position.offset()
    }

    pub fn memory(&self) -> usize {
        size_of::<Self>() + self.conversations.memory() + self.reassembler.memory()
    }

    pub fn restore(&self, source: Rc<dyn Source>) -> Cursor {
        let input = Input::new(source, self.position.offset());
        Cursor {
            reader: Reader::resume(input, &self.position),
            conversations: self.conversations.clone(),
            reassembler: self.reassembler.clone(),
            number: self.number,
        }
    }
}
