//! Values behind their lengths: what a game puts into a TCP stream, and the debugger.

use super::envelope::Envelope;
use super::record::{Content, Engine, Record, Transport};
use super::{Place, values};
use crate::godot::frame::{self, Frame, Framer, Framing};
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
        let (max_len, options) = (place.options.limits.message, place.options);
        // (Whether a stream is big-endian is the game's choice.)
        let mut framings =
            [false, true].map(|big_endian| Framing { big_endian, max_len }).into_iter();
        let (mut engine, framing) = framings.find_map(|framing| {
            let mut engines = values::engines(options);
            let engine = engines.find(|engine| begins(bytes, framing, engine.dialect()))?;
            Some((engine, framing))
        })?;
        let first = first(bytes, framing);
        let message = first.and_then(|frame| debugger::Message::parse(frame).ok());
        let ports = [place.source, place.destination].map(|address| address.port());
        let on_port = ports.contains(&DEBUGGER_PORT);
        let godot3 = || options.engine.is_none() && begins(bytes, framing, Dialect::Godot3);
        if on_port && first.is_some() && message.is_none() && godot3() {
            engine = Engine::Godot3; // whose messages begin with a frame that is a name
        }
        let debugger = on_port || message.is_some_and(|message| message.thread.is_some());
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
        let envelope = Envelope::new(place, Transport::Tcp);
        let mut piece = bytes;
        loop {
            match self.framer.next(&mut piece) {
                Ok(Some(Frame { bytes, .. })) => {
                    let value = if self.debugger { Content::Debugger } else { Content::Value };
                    values::tell(&envelope, &mut self.engine, value(bytes), bytes, listener);
                }
                Ok(None) => return true,
                Err(error) => {
                    let envelope = Envelope { engine: Some(self.engine), ..envelope };
                    listener(&envelope.malformed(&error, bytes));
                    return false;
                }
            }
        }
    }
}

/// The first frame, if it is all there.
fn first(bytes: &[u8], framing: Framing) -> Option<&[u8]> {
    Some(frame::Frames::with(bytes, framing).next()?.ok()?.bytes)
}

/// Whether a frame with one value is there, or the beginning of one.
fn begins(bytes: &[u8], framing: Framing, dialect: Dialect) -> bool {
    let value = bytes.get(Framing::PREFIX..).unwrap_or_default();
    // No engine sets others than bits 16 to 19 beside the type.
    let header = value.first_chunk().map(|header| u32::from_le_bytes(*header));
    if header.is_none_or(|header| header & 0xFFF0_FF00 != 0) {
        return false;
    }
    match frame::Frames::with(bytes, framing).next() {
        Some(Ok(frame)) => values::is_value(frame.bytes, dialect),
        Some(Err(end)) => end.missing().is_some_and(|missing| {
            let whole = value.len().saturating_add(missing as usize) % 4 == 0;
            let mut reader = Reader::new(value, dialect).limits(Limits::ENGINE);
            whole && reader.skip().is_err_and(|error| error.missing().is_some())
        }),
        None => false,
    }
}
