//! Length-prefixed values in a TCP stream, sent by `StreamPeer.put_var` or by the debugger.

use super::builder::RecordBuilder;
use super::context::Context;
use super::record::{Content, Engine, Record, Transport};
use super::values;
use crate::godot::frame::{self, Frame, Framer, Framing};
use crate::godot::{Dialect, Limits, Reader, debugger};
use crate::transport::Breakdown;

/// Port of the editor's debugger.
const DEBUGGER_PORT: u16 = 6007;

#[derive(Debug)]
pub(super) struct Frames {
    framer: Framer,
    engine: Engine,
    debugger: bool,
}

impl Frames {
    /// Returns a decoder if the bytes begin with a frame that contains a value. The frame may be
    /// cut off.
    pub(super) fn detect(bytes: &[u8], context: &Context<'_>) -> Option<Self> {
        let (max_len, options) = (context.options.limits.message, context.options);
        // A game can set `StreamPeer.big_endian`.
        let mut framings =
            [false, true].map(|big_endian| Framing { big_endian, max_len }).into_iter();
        let (mut engine, framing) = framings.find_map(|framing| {
            let mut engines = values::engines(options);
            let engine =
                engines.find(|engine| begins_with_value(bytes, framing, engine.dialect()))?;
            Some((engine, framing))
        })?;
        let first = first_frame(bytes, framing);
        let message = first.and_then(|frame| debugger::Message::parse(frame).ok());
        let ports = [context.source, context.destination].map(|address| address.port());
        let on_port = ports.contains(&DEBUGGER_PORT);
        let godot3 =
            || options.engine.is_none() && begins_with_value(bytes, framing, Dialect::Godot3);
        if on_port && first.is_some() && message.is_none() && godot3() {
            engine = Engine::Godot3; // its messages begin with a frame that contains only a name
        }
        let debugger = on_port || message.is_some_and(|message| message.thread.is_some());
        Some(Self { framer: Framer::new(framing), engine, debugger })
    }

    pub(super) fn memory(&self) -> usize {
        size_of::<Self>().saturating_add(self.framer.memory())
    }

    /// Decodes the next bytes. Returns `false` after an error, because the start of the next frame
    /// is then unknown.
    pub(super) fn feed(
        &mut self,
        context: &Context<'_>,
        bytes: &[u8],
        breakdown: &mut Breakdown,
        listener: &mut impl FnMut(&Record<'_>),
    ) -> bool {
        let builder = RecordBuilder::new(context, Transport::Tcp);
        let mut piece = bytes;
        loop {
            let left = piece.len();
            match self.framer.next(&mut piece) {
                Ok(Some(Frame { bytes, .. })) => {
                    breakdown.claim(|parts| &mut parts.length_prefixes, Framing::PREFIX);
                    let value = if self.debugger { Content::Debugger } else { Content::Value };
                    values::report(&builder, &mut self.engine, value(bytes), bytes, listener);
                }
                Ok(None) => return true,
                Err(error) => {
                    breakdown.claim(|parts| &mut parts.malformed, left);
                    let builder = RecordBuilder { engine: Some(self.engine), ..builder };
                    listener(&builder.malformed(&error, bytes));
                    return false;
                }
            }
        }
    }
}

/// Returns the content of the first frame if it is complete.
fn first_frame(bytes: &[u8], framing: Framing) -> Option<&[u8]> {
    Some(frame::Frames::with(bytes, framing).next()?.ok()?.bytes)
}

/// Returns `true` if the bytes begin with a frame that contains exactly one value. The frame may
/// be cut off.
fn begins_with_value(bytes: &[u8], framing: Framing, dialect: Dialect) -> bool {
    let value = bytes.get(Framing::PREFIX..).unwrap_or_default();
    // Apart from the type in the low byte, engines only set bits 16 to 19 of a header.
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
