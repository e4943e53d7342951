//! Bytes that came before their turn.

use super::Limits;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// A window of the stream with holes in it. Positions count from the stream's start.
#[derive(Clone, Debug, Default)]
pub(super) struct Early {
    /// The window; what is in the holes means nothing. Never made shorter, so that it is
    /// zeroed only once.
    bytes: Vec<u8>,
    /// Position of the first byte of the window.
    origin: u64,
    /// What of it has come: in order, neither overlapping nor touching.
    runs: Vec<Range<u64>>,
}

impl Early {
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    pub(super) fn memory(&self) -> usize {
        let runs = self.runs.capacity().saturating_mul(size_of::<Range<u64>>());
        self.bytes.capacity().saturating_add(runs)
    }

    pub(super) fn clear(&mut self) {
        self.runs.clear();
    }

    /// Where the first run starts.
    pub(super) fn first(&self) -> Option<u64> {
        self.runs.first().map(|run| run.start)
    }

    /// Where the last run ends.
    pub(super) fn last(&self) -> Option<u64> {
        self.runs.last().map(|run| run.end)
    }

    /// Takes out the run that starts at `position`.
    #[allow(clippy::disallowed_methods, reason = "there is a first")]
    pub(super) fn take(&mut self, position: u64) -> Option<&[u8]> {
        let run = self.runs.first().filter(|run| run.start == position)?.clone();
        self.runs.remove(0);
        self.bytes.get(self.index(run.start)..self.index(run.end))
    }

    /// Keeps `bytes`, which start at `start`, where none are yet; nothing before `from` is
    /// needed any more. False if there is no room for them.
    pub(super) fn put(&mut self, from: u64, start: u64, bytes: &[u8], limits: Limits) -> bool {
        let end = start.saturating_add(bytes.len() as u64);
        if end.saturating_sub(from) > u64::from(limits.ahead) {
            return false;
        }
        // Those that the bytes overlap or touch.
        let low = self.runs.partition_point(|run| run.end < start);
        let high = self.runs.partition_point(|run| run.start <= end);
        if low == high && self.runs.len() >= limits.runs as usize {
            return false;
        }
        self.make_room(from, end, limits);
        self.fill(low..high, start, bytes);
        self.join(low..high, start..end);
        true
    }

    #[inline(always)]
    fn index(&self, position: u64) -> usize {
        position.wrapping_sub(self.origin) as usize
    }

    /// Lets the window begin with `from` where it would get too long: only after more than
    /// its limit has gone out at the front, so that each byte moves once on average.
    fn make_room(&mut self, from: u64, end: u64, limits: Limits) {
        let most = usize::try_from(u64::from(limits.ahead).saturating_mul(2)).unwrap_or(usize::MAX);
        if self.runs.is_empty() {
            self.origin = from;
        } else if self.index(end) > most {
            self.begin_with(from);
        }
        let len = self.index(end);
        if self.bytes.len() < len {
            self.grow(len.checked_next_power_of_two().unwrap_or(len).min(most));
        }
    }

    /// Moves what has come, and not the holes: a few bytes that are far from each other are
    /// quickly sent, and would have as much moved as many.
    #[allow(clippy::disallowed_methods, reason = "the run is in the bytes, and moves to the front")]
    fn begin_with(&mut self, origin: u64) {
        for run in &self.runs {
            let from = self.index(run.start)..self.index(run.end);
            let to = run.start.wrapping_sub(origin) as usize;
            if from.end <= self.bytes.len() && to <= from.start {
                self.bytes.copy_within(from, to);
            }
        }
        self.origin = origin;
    }

    /// A larger window, of zeroed memory: where it is never used it costs nothing, unlike that
    /// of `resize`.
    #[allow(clippy::disallowed_methods, reason = "both are as long as the run")]
    fn grow(&mut self, len: usize) {
        let mut larger = vec![0; len];
        for run in &self.runs {
            let place = self.index(run.start)..self.index(run.end);
            if let Some(to) = larger.get_mut(place.clone())
                && let Some(from) = self.bytes.get(place)
            {
                to.copy_from_slice(from);
            }
        }
        self.bytes = larger;
    }

    /// Copies what falls between the runs.
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

    /// The part of `bytes` at `hole`.
    #[allow(clippy::disallowed_methods, reason = "both are as long as the hole")]
    fn copy(&mut self, hole: Range<u64>, start: u64, bytes: &[u8]) {
        let index = |position: u64| position.wrapping_sub(start) as usize;
        let place = self.index(hole.start)..self.index(hole.end);
        if hole.is_empty() {
            return;
        }
        if let Some(to) = self.bytes.get_mut(place)
            && let Some(from) = bytes.get(index(hole.start)..index(hole.end))
        {
            to.copy_from_slice(from);
        }
    }

    /// Makes one run of those and the new one.
    #[allow(
        clippy::disallowed_methods,
        reason = "places of runs that were found, the first among them"
    )]
    fn join(&mut self, runs: Range<usize>, new: Range<u64>) {
        let low = self.runs.get(runs.start).filter(|_| !runs.is_empty());
        let high = self.runs.get(runs.end.wrapping_sub(1)).filter(|_| !runs.is_empty());
        let start = low.map_or(new.start, |run| run.start.min(new.start));
        let end = high.map_or(new.end, |run| run.end.max(new.end));
        match self.runs.get_mut(runs.start) {
            Some(run) if !runs.is_empty() => {
                *run = start..end;
                self.runs.drain(runs.start.wrapping_add(1)..runs.end);
            }
            _ => self.runs.insert(runs.start, start..end),
        }
    }
}
