//! The state of [`Messages`] in a form that can be stored.

use super::Messages;
use crate::traffic::options::Options;
use crate::transport::websocket::Decoder;
use crate::transport::websocket::DecoderState;
use serde::{Deserialize, Serialize};

/// The stored state of [`Messages`].
#[derive(Deserialize, Serialize)]
pub(in super::super) struct MessagesState {
    decoder: DecoderState,
    upgraded: bool,
}

impl Messages {
    pub(in super::super) fn state(&self) -> MessagesState {
        MessagesState { decoder: self.decoder.state(), upgraded: self.upgraded }
    }

    /// Restores a decoder. Returns `None` if its state contradicts itself or exceeds the limits.
    pub(in super::super) fn restore(state: MessagesState, options: &Options) -> Option<Self> {
        let MessagesState { decoder, upgraded } = state;
        let decoder = Decoder::restore(decoder, super::limits(options))?;
        Some(Self { decoder, upgraded })
    }
}
