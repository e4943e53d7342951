//! Runs of frames without bytes between them. Each frame of a run makes it more likely that the
//! others are frames, too.

use super::{Endian, Threshold};
use crate::godot::{Dialect, Kind};

/// Number of following frames that are examined to judge a frame.
pub(super) const AHEAD: usize = 3;
/// Bits for a frame that begins at the start of the searched bytes.
const AT_START: i32 = 8;
/// Bits for a frame that ends at the end of the searched bytes.
const AT_END: i32 = 4;
/// Maximum number of bits for a frame that follows a frame whose value has the same type. Tables of
/// integers can look like frames of small values of one type.
const REPEATED: i32 = 2;

/// The last frame of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub end: usize,
    pub endian: Endian,
    pub dialect: Dialect,
    /// Bits of all frames of the run, capped at twice the number that `Confidence::Certain`
    /// requires.
    pub bits: i32,
    /// Type of the value in the frame.
    pub kind: Kind,
}

impl Run {
    /// Adds the bits of the run `previous` if that run ends at `pos`, where this frame begins.
    pub fn after(self, previous: Option<Self>, pos: usize) -> Self {
        let place = (pos, self.endian, self.dialect);
        let previous = previous.filter(|run| (run.end, run.endian, run.dialect) == place);
        let Some(run) = previous else { return self };
        let bits = run.bits.saturating_add(bits_in_run(self.bits, self.kind, run.kind));
        Self { bits: bits.min(Threshold::CERTAIN.saturating_mul(2)), ..self }
    }

    /// Adds the bits for the position of this frame in `len` bytes.
    pub fn within(self, pos: usize, len: usize) -> Self {
        let start = if pos == 0 { AT_START } else { 0 };
        let end = if self.end == len { AT_END } else { 0 };
        Self { bits: self.bits.saturating_add(start).saturating_add(end), ..self }
    }
}

/// Returns the bits of a frame that follows a frame whose value has type `previous`.
pub(super) fn bits_in_run(bits: i32, kind: Kind, previous: Kind) -> i32 {
    if kind == previous { bits.min(REPEATED) } else { bits }
}
