//! Values behind their lengths: what a game puts into a TCP stream, and the debugger.

use super::Place;
use super::envelope::Envelope;
use super::record::{Content, Engine, Record, Transport};
use crate::godot::frame::{Framer, Framing};
use crate::godot::{Dialect, Limits, Reader, debugger};

/// Where a game that is run from the editor finds its debugger.
const DEBUGGER_PORT: u16 = 6007;

#[derive(Debug)]
pub(super) struct Frames {
    framer: Framer,
    engine: Engine,
    debugger: bool,
}

impl Frames {
    /// If the bytes are a frame with a value, or begin like one.
    pub(super) fn recognise(bytes: &[u8], place: &Place<'_>) -> Option<Self> {
        let told = place.options.engine;
        let engines = [Engine::Godot4, Engine::Godot3];
        let mut engines =
            engines.into_iter().filter(|engine| told.is_none_or(|told| told == *engine));
        // (Whether a stream is big-endian is the game's choice.)
        let framings = [false, true].map(|big_endian| Framing { big_endian, ..Framing::default() });
        let (engine, framing) = engines.find_map(|engine| {
            let mut framings = framings.into_iter();
            Some((engine, framings.find(|framing| begins(bytes, *framing, engine.dialect()))?))
        })?;
        let ports = [place.source, place.destination].map(|address| address.port());
        let message =
            first(bytes, framing).and_then(|(_, whole)| debugger::Message::parse(whole?).ok());
        let threads = message.is_some_and(|message| message.thread.is_some());
        let debugger = ports.contains(&DEBUGGER_PORT) || threads;
        Some(Self { framer: Framer::new(framing), engine, debugger })
    }

    pub(super) fn memory(&self) -> usize {
        size_of::<Self>().saturating_add(self.framer.memory())
    }

    /// Whether it can go on.
    pub(super) fn bytes(
        &mut self,
        place: &Place<'_>,
        bytes: &[u8],
        listener: &mut impl FnMut(&Record<'_>),
    ) -> bool {
        let envelope =
            Envelope { engine: Some(self.engine), ..Envelope::new(place, Transport::Tcp) };
        let mut piece = bytes;
        loop {
            match self.framer.next(&mut piece) {
                Ok(Some(frame)) => {
                    value(&envelope, self.engine, self.debugger, frame.bytes, listener);
                }
                Ok(None) => return true,
                Err(error) => {
                    listener(&envelope.malformed(&error, bytes));
                    return false;
                }
            }
        }
    }
}

/// The first frame: how long it is, and its bytes, if they are all there.
fn first(bytes: &[u8], framing: Framing) -> Option<(u32, Option<&[u8]>)> {
    let (prefix, rest) = bytes.split_first_chunk()?;
    let len = match framing.big_endian {
        true => u32::from_be_bytes(*prefix),
        false => u32::from_le_bytes(*prefix),
    };
    Some((len, rest.get(..len as usize)))
}

/// Whether a frame with one value is there, or the beginning of one.
fn begins(bytes: &[u8], framing: Framing, dialect: Dialect) -> bool {
    let Some((len, whole)) = first(bytes, framing) else { return false };
    if len < 4 || len > framing.max_len || len & 3 != 0 {
        return false;
    }
    let mut reader =
        Reader::new(bytes.get(4..).unwrap_or_default(), dialect).limits(Limits::ENGINE);
    match whole {
        Some(frame) => {
            let mut reader = Reader::new(frame, dialect).limits(Limits::ENGINE);
            reader.skip().is_ok() && reader.is_empty()
        }
        None => reader.skip().is_err_and(|error| error.missing().is_some()),
    }
}

fn value(
    envelope: &Envelope<'_>,
    engine: Engine,
    debugger: bool,
    bytes: &[u8],
    listener: &mut impl FnMut(&Record<'_>),
) {
    let mut reader = Reader::new(bytes, engine.dialect()).limits(Limits::ENGINE);
    match reader.skip() {
        Ok(()) if debugger => listener(&envelope.record(Content::Debugger(bytes), bytes)),
        Ok(()) => listener(&envelope.record(Content::Value(bytes), bytes)),
        Err(error) => listener(&envelope.malformed(&error, bytes)),
    }
}
