//! Length-prefixed values in a TCP stream, sent by `StreamPeer.put_var` or by the debugger.

#[cfg(feature = "serde")]
pub(super) mod state;

use super::builder::RecordBuilder;
use super::context::Context;
use super::record::{Content, Engine, Record, Transport};
use super::values;
use crate::godot::frame::{self, Frame, Framer, Framing};
use crate::godot::{Dialect, Error, Limits, Reader, debugger};
use crate::transport::Breakdown;

/// Port of the editor's debugger.
const DEBUGGER_PORT: u16 = 6007;

#[derive(Clone, Debug)]
pub(super) struct Frames {
    framer: Framer,
    engine: Engine,
    debugger: bool,
    /// Number of frames that were values, up to [`CERTAIN`].
    values: u8,
}

/// Number of frames with values after which it is certain that a stream consists of frames. From
/// then on, a frame without a value is malformed. Before that, a frame without a value more likely
/// means that the game sends other data between its values, so the rest of the stream is reported
/// as bytes.
const CERTAIN: u8 = 8;

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
        Some(Self { framer: Framer::new(framing), engine, debugger, values: 0 })
    }

    pub(super) fn memory(&self) -> usize {
        size_of::<Self>().saturating_add(self.framer.memory())
    }

    /// Decodes the next bytes, which start at this offset in the TCP stream. Returns `false` after
    /// an error, because the start of the next frame is then unknown. All bytes have been reported
    /// in this case.
    pub(super) fn feed(
        &mut self,
        context: &Context<'_>,
        offset: u64,
        bytes: &[u8],
        breakdown: &mut Breakdown,
        listener: &mut impl FnMut(&Record<'_>),
    ) -> bool {
        let mut rest = bytes;
        loop {
            let piece = rest;
            let is_split = !self.framer.incomplete().is_empty();
            let error = match self.frame(context, &mut rest, breakdown, listener) {
                Ok(true) => continue,
                Ok(false) => return true,
                Err(error) => error,
            };
            let builder = self.builder(context);
            let end = offset.saturating_add(bytes.len() as u64);
            let (frame, after) =
                if is_split { (self.framer.split_frame(), rest) } else { (piece, &[][..]) };
            match error {
                Some(error) => listener(&builder.malformed(&error, frame)),
                None => {
                    let end = end.saturating_sub(after.len() as u64);
                    report_bytes(&builder, frame, end, listener);
                }
            }
            report_bytes(&builder, after, end, listener);
            return false;
        }
    }

    /// Reports the value in the next frame, and removes the frame from `rest`. Returns `false` if
    /// the frame is incomplete.
    ///
    /// # Errors
    /// Returns the error if the frame is malformed, or `None` if the bytes are probably not a
    /// frame.
    fn frame(
        &mut self,
        context: &Context<'_>,
        rest: &mut &[u8],
        breakdown: &mut Breakdown,
        listener: &mut impl FnMut(&Record<'_>),
    ) -> Result<bool, Option<Error>> {
        let certain = self.debugger || self.values >= CERTAIN;
        let frame = self.framer.next(rest).map_err(|error| Some(error).filter(|_| certain))?;
        let Some(Frame { bytes, .. }) = frame else { return Ok(false) };
        let content = if self.debugger { Content::Debugger } else { Content::Value };
        let checked = values::check(&mut self.engine, bytes, context.options);
        let builder = RecordBuilder {
            engine: Some(self.engine),
            ..RecordBuilder::new(context, Transport::Tcp)
        };
        match checked {
            Ok(unread) if unread == 0 || certain => {
                self.values = self.values.saturating_add(1).min(CERTAIN);
                listener(&builder.record(content(bytes), bytes));
            }
            Err(error) if certain => listener(&builder.malformed(&error, bytes)),
            Ok(_) | Err(_) => return Err(None),
        }
        breakdown.claim(|parts| &mut parts.length_prefixes, Framing::PREFIX);
        Ok(true)
    }

    /// Returns `true` if bytes wait for the rest of a frame.
    pub(super) fn is_waiting(&self) -> bool {
        !self.framer.incomplete().is_empty()
    }

    /// Reports the bytes of an incomplete frame, which end at this offset in the TCP stream.
    pub(super) fn give_up(
        &self,
        context: &Context<'_>,
        end: u64,
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        report_bytes(&self.builder(context), self.framer.incomplete(), end, listener);
    }

    fn builder<'c>(&self, context: &'c Context<'c>) -> RecordBuilder<'c> {
        let builder = RecordBuilder::new(context, Transport::Tcp);
        RecordBuilder { engine: Some(self.engine), ..builder }
    }
}

/// Reports bytes that end at this offset in the TCP stream.
fn report_bytes(
    builder: &RecordBuilder<'_>,
    bytes: &[u8],
    end: u64,
    listener: &mut impl FnMut(&Record<'_>),
) {
    if !bytes.is_empty() {
        let offset = Some(end.saturating_sub(bytes.len() as u64));
        listener(&builder.record(Content::Bytes { offset }, bytes));
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
    // Apart from the type in the low byte, engines set only bits 16 to 19 of a header.
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
