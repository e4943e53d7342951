//! Writing a value over another one: first measured, then put where that is.

use super::place::{Place, Result};
use crate::buffer::{Cursor, Full, Sink};
use crate::godot::read::walk::ENGINE_DEPTH;
use crate::godot::table::dialect::{Job, Spec};
use crate::godot::table::payload::{DiscardLeaf, Head, Header};
use crate::godot::write::encoder::Encoder;
use crate::godot::write::to_variant::ToVariant;
use crate::godot::{Dialect, ErrorKind, Kind};

/// Puts `bytes` at the start of `room`, which has as many.
pub(super) fn put(room: &mut [u8], bytes: &[u8]) {
    room.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
}

/// Encodes a value into a sink.
fn encode<S: Sink>(value: &impl ToVariant, dialect: Dialect, sink: &mut S) -> Result<()> {
    let mut out = Encoder::new(sink, dialect.into(), ENGINE_DEPTH);
    value.write(&mut out).map_err(|error| *error.kind())
}

/// Measures the encoded form of a value.
pub(super) fn measure(value: &impl ToVariant, dialect: Dialect) -> Result<Measured> {
    let mut measured = Measured { header: [0; 4], len: 0, without_pad: 0 };
    encode(value, dialect, &mut measured)?;
    Ok(measured)
}

/// Overwrites a payload of that length.
pub(super) fn write(value: &impl ToVariant, dialect: Dialect, room: &mut [u8]) -> Result<()> {
    encode(value, dialect, &mut Overwrite { room, at: 0 })
}

/// Takes note of the header and of how long it all is.
#[derive(Debug)]
pub(super) struct Measured {
    header: [u8; 4],
    len: usize,
    /// Up to the last byte that counts.
    without_pad: usize,
}

impl Measured {
    fn header(&self) -> u32 {
        u32::from_le_bytes(self.header)
    }

    /// That it can be put in that place, into its `room` and behind its header.
    pub(super) fn fits(&self, place: &Place, header: u32, room: &[u8]) -> Result<()> {
        let rules = place.dialect.rules();
        let kind = |header| place.dialect.kind(Header(header).id(rules));
        if kind(self.header()) != kind(header) {
            return Err(self.wrong_type(place));
        }
        // The header, which stays, says whether an object is there or its id.
        let is_id = |header| Header(header).is_wide(rules);
        if place.kind == Kind::Object && is_id(self.header()) != is_id(header) {
            return Err(ErrorKind::DoesNotFit);
        }
        let there = room.len().saturating_add(size_of::<u32>());
        // At the packet's end, a pad may be missing.
        let is_as_long =
            self.len == there || (place.is_last && self.without_pad <= there && there < self.len);
        // Of arrays of vectors, the header says how wide they are: what is there must be as
        // long in the width of what comes.
        let means_the_same = place.dialect.run(Ends { header: self.header(), room });
        match is_as_long && means_the_same {
            true => Ok(()),
            false => {
                Err(ErrorKind::WrongSize { expected: u32::try_from(there).unwrap_or(u32::MAX) })
            }
        }
    }

    pub(super) fn wrong_type(&self, place: &Place) -> ErrorKind {
        let id = Header(self.header()).id(place.dialect.rules());
        match place.dialect.kind(id) {
            Some(found) => ErrorKind::WrongType { expected: place.kind, found },
            None => ErrorKind::UnknownType { id },
        }
    }
}

impl Sink for Measured {
    const REWINDS: bool = true;

    fn reserve(&mut self, _: usize) -> core::result::Result<(), Full> {
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) {
        if let Some(header) = self.header.get_mut(self.len..) {
            put(header, bytes);
        }
        self.len = self.len.saturating_add(bytes.len());
        self.without_pad = self.len;
    }

    fn pad(&mut self, n: usize) {
        self.without_pad = self.len; // a text's NUL comes as one more pad before
        self.len = self.len.saturating_add(n);
    }

    fn position(&self) -> usize {
        self.len
    }

    fn rewind(&mut self, position: usize) {
        self.len = position;
    }
}

/// Puts everything but the header into a payload's room; of the last pad, as much as fits.
struct Overwrite<'r> {
    room: &'r mut [u8],
    at: usize,
}

impl Sink for Overwrite<'_> {
    const REWINDS: bool = true;

    fn reserve(&mut self, _: usize) -> core::result::Result<(), Full> {
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) {
        let header = size_of::<u32>().saturating_sub(self.at).min(bytes.len());
        let payload = bytes.get(header..).unwrap_or_default();
        let start = self.at.saturating_add(header).saturating_sub(size_of::<u32>());
        put(self.room.get_mut(start..).unwrap_or_default(), payload);
        self.at = self.at.saturating_add(bytes.len());
    }

    fn position(&self) -> usize {
        self.at
    }

    fn rewind(&mut self, position: usize) {
        self.at = position;
    }
}

/// Checks that a payload fills its bytes exactly when read with another header.
struct Ends<'r> {
    header: u32,
    room: &'r [u8],
}

impl Job for Ends<'_> {
    type Output = bool;

    fn run<D: Spec>(self) -> bool {
        let mut at = Cursor::new(self.room);
        match D::head(&mut at, Header(self.header), DiscardLeaf) {
            Ok(Head::Leaf(())) => at.is_empty(),
            Ok(_) => true, // a null object
            Err(_) => false,
        }
    }
}
