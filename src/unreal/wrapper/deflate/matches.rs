//! The match finder of zlib: chains of positions with the same hash of three bytes, and matches
//! that are dropped if the next position has a longer one.

use super::blocks::Blocks;
use alloc::vec;
use alloc::vec::Vec;

const WINDOW: usize = 1 << 15;
const HASHES: usize = 1 << 15;
const MIN_MATCH: usize = 3;
const MAX_MATCH: usize = 258;
/// The largest distance: the window, less the bytes that zlib reads ahead.
const MAX_DISTANCE: usize = WINDOW - (MAX_MATCH + MIN_MATCH + 1);
/// A match of three bytes at a larger distance is not worth its code.
const TOO_FAR: usize = 4096;

/// The parameters of a level.
#[derive(Clone, Copy)]
struct Effort {
    /// If the previous match has this length, a quarter of the chain is searched.
    good: usize,
    /// At a match of this length, the next position is not searched (slow levels), or the positions
    /// in a longer match are not inserted (fast levels).
    lazy: usize,
    /// A match of this length ends the search.
    nice: usize,
    /// Maximum number of positions that are compared.
    chain: usize,
}

const fn effort(level: u8) -> Effort {
    let (good, lazy, nice, chain) = match level {
        ..=1 => (4, 4, 8, 4),
        2 => (4, 5, 16, 8),
        3 => (4, 6, 32, 32),
        4 => (4, 4, 16, 16),
        5 => (8, 16, 32, 32),
        6 => (8, 16, 128, 128),
        7 => (8, 32, 128, 256),
        8 => (32, 128, 258, 1024),
        9.. => (32, 258, 258, 4096),
    };
    Effort { good, lazy, nice, chain }
}

pub(super) struct Matches<'a> {
    plain: &'a [u8],
    effort: Effort,
    is_fast: bool,
    at: usize,
    /// The last position with each hash. 0 means none: zlib never finds the first position.
    heads: Vec<u32>,
    /// For each position in the window, the previous position with the same hash.
    previous: Vec<u32>,
    /// Start of the last match that was found.
    start: usize,
}

impl<'a> Matches<'a> {
    pub(super) fn new(plain: &'a [u8], level: u8) -> Self {
        Self {
            plain,
            effort: effort(level),
            is_fast: level < 4,
            at: 0,
            heads: vec![0; HASHES],
            previous: vec![0; WINDOW],
            start: 0,
        }
    }

    /// Passes all literals and matches to `to`. Returns `false` if `to` has been stopped.
    pub(super) fn run<W: FnMut(&[u8]) -> bool>(mut self, to: &mut Blocks<W>) -> bool {
        let ran = if self.is_fast { self.fast(to) } else { self.slow(to) };
        ran && to.end_block(self.plain, self.at, true)
    }

    fn left(&self) -> usize {
        self.plain.len().saturating_sub(self.at)
    }

    fn byte(&self, at: usize) -> u8 {
        self.plain.get(at).copied().unwrap_or_default()
    }

    /// Inserts the current position, and returns the previous one with the same hash, or 0.
    fn insert(&mut self) -> usize {
        let Some(&[a, b, c]) = self.plain.get(self.at..).and_then(<[u8]>::first_chunk) else {
            return 0;
        };
        let hash = (usize::from(a) << 10 ^ usize::from(b) << 5 ^ usize::from(c)) % HASHES;
        let Some(head) = self.heads.get_mut(hash) else { return 0 };
        let found = *head;
        *head = self.at as u32;
        if let Some(previous) = self.previous.get_mut(self.at % WINDOW) {
            *previous = found;
        }
        found as usize
    }

    /// Returns the length of the longest match from `head` on, if it is longer than `length`, and
    /// otherwise `length`; at most the number of bytes that are left. Sets `start`.
    fn longest(&mut self, head: usize, length: usize) -> usize {
        let most = self.left().min(MAX_MATCH);
        let nice = self.effort.nice.min(self.left());
        let mut chain = self.effort.chain;
        if length >= self.effort.good {
            chain >>= 2;
        }
        let limit = self.at.saturating_sub(MAX_DISTANCE);
        let scan = self.plain.get(self.at..).unwrap_or_default();
        let scan = scan.get(..most).unwrap_or(scan);
        let (mut best, mut from) = (length, head);
        loop {
            let candidate = self.plain.get(from..).unwrap_or_default();
            // A longer match also has the byte after the best one.
            if scan.get(best).is_some_and(|byte| candidate.get(best) == Some(byte)) {
                let common = scan.iter().zip(candidate).take_while(|(a, b)| a == b).count();
                if common > best {
                    (best, self.start) = (common, from);
                    if common >= nice {
                        break;
                    }
                }
            }
            from = self.previous.get(from % WINDOW).map_or(0, |from| *from as usize);
            chain = chain.saturating_sub(1);
            if from <= limit || chain == 0 {
                break;
            }
        }
        best.min(self.left())
    }

    fn is_near(&self, head: usize) -> bool {
        head != 0 && self.at.saturating_sub(head) <= MAX_DISTANCE
    }

    fn fast<W: FnMut(&[u8]) -> bool>(&mut self, to: &mut Blocks<W>) -> bool {
        while self.left() > 0 {
            let head = self.insert();
            let length = match self.is_near(head) {
                true => self.longest(head, MIN_MATCH.saturating_sub(1)),
                false => 0,
            };
            let is_full = if length >= MIN_MATCH {
                let is_full = to.matched(self.at.saturating_sub(self.start), length);
                let next = self.at.saturating_add(length);
                let after = self.plain.len().saturating_sub(next);
                if length <= self.effort.lazy && after >= MIN_MATCH {
                    self.insert_until(next);
                }
                self.at = next;
                is_full
            } else {
                let is_full = to.literal(self.byte(self.at));
                self.at = self.at.saturating_add(1);
                is_full
            };
            if is_full && !to.end_block(self.plain, self.at, false) {
                return false;
            }
        }
        true
    }

    /// Inserts the positions after the current one, up to `end`.
    fn insert_until(&mut self, end: usize) {
        self.at = self.at.saturating_add(1);
        while self.at < end {
            self.insert();
            self.at = self.at.saturating_add(1);
        }
    }

    fn slow<W: FnMut(&[u8]) -> bool>(&mut self, to: &mut Blocks<W>) -> bool {
        let none = MIN_MATCH.saturating_sub(1);
        let (mut length, mut is_pending) = (none, false);
        while self.left() > 0 {
            let head = self.insert();
            let (before, before_start) = (length, self.start);
            length = none;
            if self.is_near(head) && before < self.effort.lazy {
                length = self.longest(head, before);
                let distance = self.at.saturating_sub(self.start);
                if length == MIN_MATCH && distance > TOO_FAR {
                    length = none;
                }
            }
            let is_full = if before >= MIN_MATCH && length <= before {
                let last = self.at.saturating_sub(1);
                let is_full = to.matched(last.saturating_sub(before_start), before);
                let end = last.saturating_add(before);
                self.insert_until(end);
                self.at = end;
                (length, is_pending) = (none, false);
                is_full && !to.end_block(self.plain, self.at, false)
            } else {
                let is_full = is_pending && to.literal(self.byte(self.at.saturating_sub(1)));
                // The block ends before the literal that is still pending.
                let is_stopped = is_full && !to.end_block(self.plain, self.at, false);
                is_pending = true;
                self.at = self.at.saturating_add(1);
                is_stopped
            };
            if is_full {
                return false;
            }
        }
        if is_pending {
            to.literal(self.byte(self.at.saturating_sub(1)));
        }
        true
    }
}
