//! The state of a [`Decoder`] in a form that can be stored.

use super::{Decoder, Header, Kind, Limits, Payload, SmallBuffer, State};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The stored state of a [`Decoder`] that has not failed.
#[derive(Deserialize, Serialize)]
pub(crate) struct DecoderState {
    position: Position,
    offset: u64,
    buffer: Vec<u8>,
    /// `true` if the unfinished message is text, `false` if it is binary.
    unfinished: Option<bool>,
    small: Vec<u8>,
}

/// The input that the decoder expects next.
#[derive(Deserialize, Serialize)]
enum Position {
    Head,
    Header,
    Payload {
        /// The encoded header of the frame.
        header: Vec<u8>,
        done: u64,
        offset: u64,
    },
    Closed,
}

impl Decoder {
    /// Returns the state without the limits. After an error, returns the state after a close frame,
    /// which accepts no bytes either.
    pub(crate) fn state(&self) -> DecoderState {
        let position = match self.state {
            State::Head => Position::Head,
            State::Header => Position::Header,
            State::Payload(Payload { header, done, offset }) => {
                let mut bytes = Vec::new();
                let _ = header.write(&mut bytes); // a `Vec` is never full
                Position::Payload { header: bytes, done, offset }
            }
            State::Closed | State::Failed(_) => Position::Closed,
        };
        DecoderState {
            position,
            offset: self.offset,
            buffer: self.buffer.clone(),
            unfinished: self.unfinished.map(|kind| kind == Kind::Text),
            small: self.small.bytes().to_vec(),
        }
    }

    /// Restores a decoder. Returns `None` if its state contradicts itself or exceeds the limits.
    pub(crate) fn restore(state: DecoderState, limits: Limits) -> Option<Self> {
        let DecoderState { position, offset, buffer, unfinished, small } = state;
        let unfinished = unfinished.map(|text| if text { Kind::Text } else { Kind::Binary });
        let mut decoder = Self::new().limits(limits);
        if small.len() > Header::MAX_CONTROL
            || buffer.len() > limits.message.max(limits.head) as usize
        {
            return None;
        }
        decoder.small.append(&small);
        (decoder.offset, decoder.buffer, decoder.unfinished) = (offset, buffer, unfinished);
        decoder.state = match position {
            Position::Head => State::Head,
            Position::Header => State::Header,
            Position::Payload { header, done, offset } => {
                let (parsed, size) = Header::read(&header).ok()??;
                let payload = Payload { header: parsed, done, offset };
                (size == header.len()).then_some(State::Payload(payload))?
            }
            Position::Closed => State::Closed,
        };
        decoder.is_consistent().then_some(decoder)
    }

    /// Checks that the buffers and the unfinished message fit the state.
    fn is_consistent(&self) -> bool {
        let Self { limits, buffer, unfinished, small, .. } = self;
        let is_within = buffer.len() <= limits.message as usize;
        let no_other_bytes = unfinished.is_some() || buffer.is_empty();
        match self.state {
            State::Head => {
                buffer.len() < limits.head as usize && unfinished.is_none() && small.is_empty()
            }
            State::Header => is_within && no_other_bytes && small.is_partial_header(),
            State::Payload(payload) if payload.header.opcode.is_control() => {
                is_within
                    && no_other_bytes
                    && payload.done < payload.header.len
                    && payload.done == small.bytes().len() as u64
            }
            State::Payload(payload) => self.is_partial(payload) && small.is_empty(),
            State::Closed | State::Failed(_) => is_within,
        }
    }

    /// Checks the state of a data frame that has partly arrived.
    fn is_partial(&self, Payload { header, done, .. }: Payload) -> bool {
        let earlier = (self.buffer.len() as u64).checked_sub(done);
        earlier.is_some_and(|earlier| {
            let is_first = header.opcode != super::Opcode::Continuation;
            let len = earlier.saturating_add(header.len);
            done < header.len
                && len <= u64::from(self.limits.message)
                && is_first == self.unfinished.is_none()
                && (!is_first || earlier == 0)
        })
    }
}

impl SmallBuffer {
    /// Returns `true` if the bytes are the start of a header, or if there are none.
    fn is_partial_header(&self) -> bool {
        matches!(Header::read(self.bytes()), Ok(None))
    }
}
