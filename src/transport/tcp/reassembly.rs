//! Stores bytes that arrive before earlier bytes of the stream.

use super::limits::Limits;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// A window of the stream with gaps. Positions count from the start of the stream.
#[derive(Clone, Debug, Default)]
pub(super) struct ReassemblyBuffer {
    /// The bytes of the window, which are meaningless in gaps. The vector never shrinks, so it is
    /// zeroed only once.
    bytes: Vec<u8>,
    /// Position of the first byte of the window.
    origin: u64,
    /// Ranges of positions that have arrived: in order, neither overlapping nor adjacent.
    runs: Vec<Range<u64>>,
    /// The length of all runs together.
    len: usize,
}

impl ReassemblyBuffer {
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    pub(super) fn memory(&self) -> usize {
        let runs = self.runs.capacity().saturating_mul(size_of::<Range<u64>>());
        self.bytes.capacity().saturating_add(runs)
    }

    /// Returns the number of stored bytes.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn clear(&mut self) {
        self.runs.clear();
        self.len = 0;
    }

    /// Returns the start of the first run.
    pub(super) fn first(&self) -> Option<u64> {
        self.runs.first().map(|run| run.start)
    }

    /// Returns the end of the last run.
    pub(super) fn last(&self) -> Option<u64> {
        self.runs.last().map(|run| run.end)
    }

    /// Iterates over the runs: their positions and their bytes.
    #[cfg(all(feature = "serde", feature = "traffic"))]
    pub(super) fn runs(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.runs.iter().map(|run| {
            let bytes = self.bytes.get(self.index(run.start)..self.index(run.end));
            (run.start, bytes.unwrap_or_default())
        })
    }

    /// Removes the first run if it starts at `position`, and returns its bytes.
    #[allow(clippy::disallowed_methods, reason = "the vector is not empty")]
    pub(super) fn take(&mut self, position: u64) -> Option<&[u8]> {
        let run = self.runs.first().filter(|run| run.start == position)?.clone();
        self.runs.remove(0);
        self.len = self.len.wrapping_sub(length(&run));
        self.bytes.get(self.index(run.start)..self.index(run.end))
    }

    /// Stores `bytes` at position `start`, except where bytes have already arrived. Bytes before
    /// `from` are no longer needed. Returns `false` if the limits are exceeded.
    pub(super) fn insert(&mut self, from: u64, start: u64, bytes: &[u8], limits: Limits) -> bool {
        let end = start.saturating_add(bytes.len() as u64);
        if end.saturating_sub(from) > u64::from(limits.ahead) {
            return false;
        }
        // The runs that overlap the new bytes or are adjacent to them.
        let low = self.runs.partition_point(|run| run.end < start);
        let high = self.runs.partition_point(|run| run.start <= end);
        if low == high && self.runs.len() >= limits.runs as usize {
            return false;
        }
        self.reserve(from, end, limits);
        self.fill(low..high, start, bytes);
        self.join(low..high, start..end);
        true
    }

    #[inline(always)]
    fn index(&self, position: u64) -> usize {
        position.wrapping_sub(self.origin) as usize
    }

    /// Enlarges the window up to `end`. If it would exceed its maximum length, moves its start to
    /// `from` instead. At least half of the maximum length lies before `from` in this case, so each
    /// byte moves once on average.
    fn reserve(&mut self, from: u64, end: u64, limits: Limits) {
        let max_len =
            usize::try_from(u64::from(limits.ahead).saturating_mul(2)).unwrap_or(usize::MAX);
        if self.runs.is_empty() {
            self.origin = from;
        } else if self.index(end) > max_len {
            self.move_start(from);
        }
        let len = self.index(end);
        if self.bytes.len() < len {
            self.grow(len.checked_next_power_of_two().unwrap_or(len).min(max_len));
        }
    }

    /// Moves the start of the window. Copies only the runs and not the gaps: otherwise a few bytes
    /// far apart would cause as much work as a full window.
    #[allow(
        clippy::disallowed_methods,
        reason = "the run is in the window, and moves towards the front"
    )]
    fn move_start(&mut self, origin: u64) {
        for run in &self.runs {
            let from = self.index(run.start)..self.index(run.end);
            let to = run.start.wrapping_sub(origin) as usize;
            if from.end <= self.bytes.len() && to <= from.start {
                self.bytes.copy_within(from, to);
            }
        }
        self.origin = origin;
    }

    /// Replaces the window with a larger one. The allocator's zeroed memory costs nothing until it
    /// is used, while `resize` would write the zeros.
    #[allow(clippy::disallowed_methods, reason = "both slices have the length of the run")]
    fn grow(&mut self, len: usize) {
        let mut larger = vec![0; len];
        for run in &self.runs {
            let range = self.index(run.start)..self.index(run.end);
            if let Some(to) = larger.get_mut(range.clone())
                && let Some(from) = self.bytes.get(range)
            {
                to.copy_from_slice(from);
            }
        }
        self.bytes = larger;
    }

    /// Copies the parts of `bytes` between the runs.
    fn fill(&mut self, runs: Range<usize>, start: u64, bytes: &[u8]) {
        let mut at = start;
        let end = start.wrapping_add(bytes.len() as u64);
        for number in runs {
            let Some(run) = self.runs.get(number).cloned() else { break };
            self.copy(at..run.start.min(end), start, bytes);
            at = at.max(run.end);
        }
        self.copy(at..end, start, bytes);
    }

    /// Copies the part of `bytes` that fills `gap`.
    #[allow(clippy::disallowed_methods, reason = "both slices have the length of the gap")]
    fn copy(&mut self, gap: Range<u64>, start: u64, bytes: &[u8]) {
        let index = |position: u64| position.wrapping_sub(start) as usize;
        let range = self.index(gap.start)..self.index(gap.end);
        if gap.is_empty() {
            return;
        }
        if let Some(to) = self.bytes.get_mut(range)
            && let Some(from) = bytes.get(index(gap.start)..index(gap.end))
        {
            to.copy_from_slice(from);
        }
    }

    /// Merges `runs` and the run `new`.
    #[allow(clippy::disallowed_methods, reason = "indices of runs that exist, including the first")]
    fn join(&mut self, runs: Range<usize>, new: Range<u64>) {
        let low = self.runs.get(runs.start).filter(|_| !runs.is_empty());
        let high = self.runs.get(runs.end.wrapping_sub(1)).filter(|_| !runs.is_empty());
        let start = low.map_or(new.start, |run| run.start.min(new.start));
        let end = high.map_or(new.end, |run| run.end.max(new.end));
        let merged = self.runs.get(runs.clone()).unwrap_or_default();
        let before = merged.iter().map(length).fold(0, usize::wrapping_add);
        self.len = self.len.wrapping_sub(before).wrapping_add(length(&(start..end)));
        match self.runs.get_mut(runs.start) {
            Some(run) if !runs.is_empty() => {
                *run = start..end;
                self.runs.drain(runs.start.wrapping_add(1)..runs.end);
            }
            _ => self.runs.insert(runs.start, start..end),
        }
    }
}

/// Returns the number of bytes in a run.
fn length(run: &Range<u64>) -> usize {
    run.end.wrapping_sub(run.start) as usize
}
