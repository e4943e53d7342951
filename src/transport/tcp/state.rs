//! The state of a [`Stream`] in a form that can be stored.

use super::limits::Limits;
use super::reassembly::ReassemblyBuffer;
use super::{Phase, Stream};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The stored state of a [`Stream`].
#[derive(Deserialize, Serialize)]
pub(crate) struct StreamState {
    /// `None` before the start of the stream, `true` while it is open, `false` after its end.
    open: Option<bool>,
    first: u32,
    position: u64,
    end: Option<u64>,
    stray: Option<u32>,
    /// Positions of the waiting runs of bytes, and the runs.
    early: Vec<(u64, Vec<u8>)>,
}

/// Maximum position in a stored stream. No stream is this long, and sums of positions below it do
/// not overflow.
const MAX_POSITION: u64 = 1 << 60;

impl Stream {
    /// Returns the state without the limits.
    pub(crate) fn state(&self) -> StreamState {
        let open = match self.phase {
            Phase::Before => None,
            Phase::Open => Some(true),
            Phase::Over => Some(false),
        };
        let Self { first, position, end, stray, .. } = *self;
        StreamState { open, first, position, end, stray, early: self.early.to_runs() }
    }

    /// Restores a stream. Returns `None` if its state contradicts itself or exceeds the limits.
    pub(crate) fn restore(state: StreamState, limits: Limits) -> Option<Self> {
        let StreamState { open, first, position, end, stray, early } = state;
        let phase = match open {
            None => Phase::Before,
            Some(true) => Phase::Open,
            Some(false) => Phase::Over,
        };
        let may_wait = early.is_empty() || phase == Phase::Open;
        let early = ReassemblyBuffer::from_runs(position, &early, limits)?;
        let last = early.last().unwrap_or(position);
        let is_valid = may_wait
            && last <= MAX_POSITION
            && end.is_none_or(|end| (last..=MAX_POSITION).contains(&end));
        is_valid.then_some(Self { limits, phase, first, position, end, stray, early })
    }
}

impl ReassemblyBuffer {
    /// Returns the positions of all runs, and their bytes.
    fn to_runs(&self) -> Vec<(u64, Vec<u8>)> {
        self.runs().map(|(start, bytes)| (start, bytes.to_vec())).collect()
    }

    /// Builds a buffer whose runs wait for the bytes at `position`. Returns `None` if the runs are
    /// not in order, or exceed the limits.
    fn from_runs(position: u64, runs: &[(u64, Vec<u8>)], limits: Limits) -> Option<Self> {
        let mut buffer = Self::default();
        let mut end = position;
        for (start, bytes) in runs {
            let follows = *start > end && *start <= MAX_POSITION && !bytes.is_empty();
            if !follows || !buffer.insert(position, *start, bytes, limits) {
                return None;
            }
            end = start.saturating_add(bytes.len() as u64);
        }
        Some(buffer)
    }
}
