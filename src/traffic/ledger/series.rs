//! The bytes of each group over time.

use super::account::Group;
use std::vec::Vec;

/// Bytes of each [`Group`], in the order of [`Group::ALL`].
pub(super) type GroupBytes = [i64; Group::ALL.len()];

const SECOND: i64 = 1_000_000_000;

/// Buckets of equal duration. If there are too many, adjacent buckets are merged in pairs.
#[derive(Debug)]
pub(super) struct Timeline {
    limit: usize,
    /// Start of the first bucket in nanoseconds since 1970; `None` until a packet has a time.
    start: Option<i64>,
    /// Duration of a bucket in nanoseconds.
    width: i64,
    buckets: Vec<GroupBytes>,
    /// Index of the bucket that contains the current time.
    current: usize,
    /// Start of the current bucket, in nanoseconds since 1970.
    from: i64,
    /// End of the current bucket.
    to: i64,
    /// Totals at the last call of [`add_up_to`](Self::add_up_to).
    totals: GroupBytes,
}

impl Timeline {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit: limit.max(1),
            start: None,
            width: SECOND,
            buckets: Vec::new(),
            current: 0,
            from: 0,
            to: 0,
            totals: [0; Group::ALL.len()],
        }
    }

    /// Returns `true` if a time belongs to the current bucket.
    #[inline(always)]
    pub(super) fn is_current(&self, time: i64) -> bool {
        (self.from..self.to).contains(&time)
    }

    /// Adds the growth of the totals since the last call to the current bucket.
    pub(super) fn add_up_to(&mut self, totals: GroupBytes) {
        if totals != self.totals {
            self.reserve_current();
        }
        if let Some(bucket) = self.buckets.get_mut(self.current) {
            for ((bucket, now), before) in bucket.iter_mut().zip(totals).zip(self.totals) {
                *bucket = bucket.wrapping_add(now.wrapping_sub(before));
            }
        }
        self.totals = totals;
    }

    /// Makes the bucket of this time the current one. A time before the first one belongs to the
    /// first bucket.
    pub(super) fn turn(&mut self, time: i64) {
        let start = *self.start.get_or_insert(time);
        let passed = time.saturating_sub(start).max(0);
        let mut index = self.index(passed);
        while index >= self.limit {
            self.merge();
            index = self.index(passed);
        }
        self.current = index;
        self.from = start.saturating_add(self.width.saturating_mul(index as i64));
        self.to = self.from.saturating_add(self.width);
        self.reserve_current();
    }

    /// Appends buckets until the current one exists.
    fn reserve_current(&mut self) {
        if self.buckets.len() <= self.current {
            self.buckets.resize(self.current.saturating_add(1), [0; Group::ALL.len()]);
        }
    }

    /// Returns the index of the bucket `passed` nanoseconds after the start.
    fn index(&self, passed: i64) -> usize {
        let index = passed.checked_div(self.width).unwrap_or(0);
        usize::try_from(index).unwrap_or(usize::MAX)
    }

    fn merge(&mut self) {
        self.width = self.width.saturating_mul(2);
        let half = self.buckets.len().div_ceil(2);
        for index in 0..half {
            let mut sum: GroupBytes = [0; Group::ALL.len()];
            let pair = self.buckets.iter().skip(index.saturating_mul(2)).take(2);
            for bucket in pair {
                sum.iter_mut().zip(bucket).for_each(|(sum, more)| *sum = sum.wrapping_add(*more));
            }
            if let Some(bucket) = self.buckets.get_mut(index) {
                *bucket = sum;
            }
        }
        self.buckets.truncate(half);
    }

    pub(super) fn start(&self) -> Option<i64> {
        self.start
    }

    pub(super) fn width(&self) -> i64 {
        self.width
    }

    pub(super) fn buckets(&self) -> &[GroupBytes] {
        &self.buckets
    }
}

/// The bytes of each [`Group`] over time. A packet of a game is counted at the time when it is
/// complete.
#[derive(Clone, Copy, Debug)]
pub struct Series<'l> {
    /// Start of the first bucket, in nanoseconds since 1970. 0 if no packet has a time.
    pub start: i64,
    /// Duration of each bucket in nanoseconds: one second times a power of two.
    pub width: i64,
    buckets: &'l [GroupBytes],
}

impl<'l> Series<'l> {
    pub(super) fn new(timeline: &'l Timeline) -> Self {
        let start = timeline.start().unwrap_or(0);
        Self { start, width: timeline.width(), buckets: timeline.buckets() }
    }

    /// Returns the number of buckets.
    pub fn len(&self) -> usize {
        self.buckets.len()
    }

    /// Returns `true` if there are no buckets.
    pub fn is_empty(&self) -> bool {
        self.buckets.is_empty()
    }

    /// Iterates over the buckets, including empty ones. Each has the bytes of each group, in the
    /// order of [`Group::ALL`].
    pub fn buckets(&self) -> impl Iterator<Item = &'l [i64; Group::ALL.len()]> + use<'l> {
        self.buckets.iter()
    }
}
