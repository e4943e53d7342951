//! The state of [`Frames`] in a form that can be stored.

use super::{CERTAIN, Frames};
use crate::godot::frame::{Framer, Framing};
use crate::traffic::options::Options;
use crate::traffic::record::Engine;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The stored state of [`Frames`].
#[derive(Deserialize, Serialize)]
pub(in super::super) struct FramesState {
    big_endian: bool,
    offset: u64,
    incomplete: Vec<u8>,
    engine: Engine,
    debugger: bool,
    values: u8,
}

impl Frames {
    pub(in super::super) fn state(&self) -> FramesState {
        let Self { framer, engine, debugger, values } = self;
        FramesState {
            big_endian: framer.framing().big_endian,
            offset: framer.offset(),
            incomplete: framer.incomplete().to_vec(),
            engine: *engine,
            debugger: *debugger,
            values: *values,
        }
    }

    /// Restores the frames of a stream. Returns `None` if the incomplete bytes are not the start of
    /// a frame.
    pub(in super::super) fn restore(state: FramesState, options: &Options) -> Option<Self> {
        let FramesState { big_endian, offset, incomplete, engine, debugger, values } = state;
        let framing = Framing { big_endian, max_len: options.limits.message };
        let framer = Framer::restore(framing, offset, incomplete)?;
        let engine = options.engine.unwrap_or(engine);
        Some(Self { framer, engine, debugger, values: values.min(CERTAIN) })
    }
}
