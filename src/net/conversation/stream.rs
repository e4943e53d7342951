//! What goes over TCP: a WebSocket, or values behind their lengths.

use super::multiplayer;
use super::record::{Content, Control, Engine, Record, Transport};
use super::{Options, Place};
use crate::godot::frame::{Frame, Framer, Framing};
use crate::godot::{Dialect, Limits, Reader};
use crate::net::tcp::{Event, Segment, Stream};
use alloc::boxed::Box;

/// Both directions of a TCP connection.
#[derive(Debug, Default)]
pub(super) struct TcpFlow {
    /// By the side that sends.
    directions: [Direction; 2],
}

#[derive(Debug, Default)]
struct Direction {
    stream: Stream,
    content: Inside,
}

/// What is in a stream.
#[derive(Debug, Default)]
enum Inside {
    /// Nothing came yet.
    #[default]
    Unknown,
    Frames(Box<Framer>, Engine),
    /// Nothing of a game's.
    Other,
}

impl TcpFlow {
    pub(super) fn segment(
        &mut self,
        place: &Place<'_>,
        segment: Segment<'_>,
        listener: &mut impl FnMut(&Record<'_>),
    ) {
        let [low, high] = &mut self.directions;
        let Direction { stream, content } = if place.side { high } else { low };
        stream.feed(segment, |event| match event {
            Event::Start { .. } => *content = Inside::Unknown,
            Event::Bytes(bytes) => content.bytes(place, bytes, listener),
            Event::Gap { .. } => {
                *content = Inside::Other; // where the next frame starts is lost
                let content = Content::Control(Control::Lost);
                listener(&place.record(Transport::Tcp, content, &[]));
            }
            Event::End | Event::Reset => {}
        });
    }
}

impl Inside {
    fn bytes(&mut self, place: &Place<'_>, bytes: &[u8], listener: &mut impl FnMut(&Record<'_>)) {
        if matches!(self, Self::Unknown) {
            *self = Self::recognise(bytes, place.options);
        }
        let Self::Frames(framer, engine) = self else { return };
        let mut piece = bytes;
        loop {
            match framer.next(&mut piece) {
                Ok(Some(frame)) => value(place, *engine, frame, listener),
                Ok(None) => return,
                Err(error) => {
                    let record = place.record(Transport::Tcp, Content::Value(&[]), bytes);
                    listener(&multiplayer::malformed(record, &error));
                    *self = Self::Other;
                    return;
                }
            }
        }
    }

    /// The first frame says: it is a value, or begins like one.
    fn recognise(bytes: &[u8], options: &Options) -> Self {
        let engines = [Engine::Godot4, Engine::Godot3];
        let engine = engines.into_iter().find(|engine| {
            options.engine.is_none_or(|told| told == *engine) && begins(bytes, engine.dialect())
        });
        match engine {
            Some(engine) => Self::Frames(Box::new(Framer::new(Framing::default())), engine),
            None => Self::Other,
        }
    }
}

fn begins(bytes: &[u8], dialect: Dialect) -> bool {
    let Some((prefix, rest)) = bytes.split_first_chunk() else { return true };
    let len = u32::from_le_bytes(*prefix) as usize;
    if len < 4 || len > Framing::default().max_len as usize || len % 4 != 0 {
        return false;
    }
    match rest.get(..len) {
        Some(frame) => {
            let mut reader = Reader::new(frame, dialect).limits(Limits::ENGINE);
            reader.skip().is_ok() && reader.is_empty()
        }
        None => {
            let error = Reader::new(rest, dialect).limits(Limits::ENGINE).skip();
            error.is_err_and(|error| error.missing().is_some())
        }
    }
}

fn value(
    place: &Place<'_>,
    engine: Engine,
    frame: Frame<'_>,
    listener: &mut impl FnMut(&Record<'_>),
) {
    let record = Record {
        engine: Some(engine),
        guessed: place.options.engine.is_none(),
        ..place.record(Transport::Tcp, Content::Value(frame.bytes), frame.bytes)
    };
    let mut reader = Reader::new(frame.bytes, engine.dialect()).limits(Limits::ENGINE);
    match reader.skip() {
        Ok(()) => listener(&record),
        Err(error) => listener(&multiplayer::malformed(record, &error)),
    }
}
