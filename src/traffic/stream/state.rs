//! The state of a [`StreamContent`] in a form that can be stored.

use super::{Frames, MAX_HELD, Messages, Protocol, StreamContent};
use crate::traffic::frames::state::FramesState;
use crate::traffic::options::Options;
use crate::traffic::websocket::state::MessagesState;
use alloc::boxed::Box;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The stored state of a [`StreamContent`].
#[derive(Deserialize, Serialize)]
pub(in super::super) struct ContentState {
    protocol: ProtocolState,
    offset: u64,
    held: Vec<u8>,
}

#[derive(Deserialize, Serialize)]
enum ProtocolState {
    Unknown { tries: u8, undecided: u32 },
    WebSocket(Box<MessagesState>),
    Frames(Box<FramesState>),
    Tls,
    Other,
}

impl StreamContent {
    pub(in super::super) fn state(&self) -> ContentState {
        let protocol = match &self.protocol {
            Protocol::Unknown { tries, undecided } => {
                ProtocolState::Unknown { tries: *tries, undecided: *undecided as u32 }
            }
            Protocol::WebSocket(messages) => ProtocolState::WebSocket(Box::new(messages.state())),
            Protocol::Frames(frames) => ProtocolState::Frames(Box::new(frames.state())),
            Protocol::Tls => ProtocolState::Tls,
            Protocol::Other => ProtocolState::Other,
        };
        ContentState { protocol, offset: self.offset, held: self.held.clone() }
    }

    /// Restores the content of a stream. Returns `None` if it contradicts itself or exceeds the
    /// limits.
    pub(in super::super) fn restore(state: ContentState, options: &Options) -> Option<Self> {
        let ContentState { protocol, offset, held } = state;
        let protocol = match protocol {
            ProtocolState::Unknown { tries, undecided } => {
                let undecided = usize::try_from(undecided).ok()?;
                Protocol::Unknown { tries, undecided }
            }
            ProtocolState::WebSocket(messages) => {
                Protocol::WebSocket(Box::new(Messages::restore(*messages, options)?))
            }
            ProtocolState::Frames(frames) => {
                Protocol::Frames(Box::new(Frames::restore(*frames, options)?))
            }
            ProtocolState::Tls => Protocol::Tls,
            ProtocolState::Other => Protocol::Other,
        };
        (held.len() <= MAX_HELD).then_some(Self { protocol, offset, held })
    }
}
