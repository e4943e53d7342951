//! Collects the fragments of one IP packet.

use super::ip::{Fragment, FragmentKey, Segment, Skipped};
use alloc::vec;
use alloc::vec::Vec;

/// Fragments start at multiples of this number of bytes.
const BLOCK: usize = 8;
/// Number of blocks in a word of [`PartialPacket::present`].
const WORD: usize = 64;
/// Maximum length of the payload of an IP packet.
const MAX_LEN: usize = u16::MAX as usize;

/// An IP packet of which some fragments have arrived.
#[derive(Clone, Debug)]
pub(super) struct PartialPacket {
    pub key: FragmentKey,
    /// Time of the first fragment.
    pub time: Option<i64>,
    /// Number of fragments that have arrived.
    pub fragments: u64,
    /// `true` if the fragments contradict each other. All further fragments are then dropped.
    pub is_contradictory: bool,
    /// The bytes of the payload that have arrived, with zeros in all other places.
    bytes: Vec<u8>,
    /// The greatest offset at which any of the fragments that have arrived ends.
    end: usize,
    /// A bit for each block of 8 bytes that has arrived.
    present: Vec<u64>,
    /// Number of blocks that have arrived.
    blocks: usize,
    /// Length of the payload, once its last fragment has arrived.
    pub len: Option<usize>,
    /// Protocol in the first fragment, once it has arrived.
    pub protocol: Option<u8>,
}

impl PartialPacket {
    pub(super) fn new(key: FragmentKey, time: Option<i64>) -> Self {
        Self {
            key,
            time,
            fragments: 0,
            is_contradictory: false,
            bytes: Vec::new(),
            end: 0,
            present: Vec::new(),
            blocks: 0,
            len: None,
            protocol: None,
        }
    }

    /// Returns the number of allocated bytes.
    pub(super) fn memory(&self) -> usize {
        let words = self.present.capacity().saturating_mul(size_of::<u64>());
        self.bytes.capacity().saturating_add(words)
    }

    /// Adds a fragment. Returns `true` if the packet is then complete.
    pub(super) fn add(&mut self, fragment: &Fragment<'_>) -> bool {
        self.fragments = self.fragments.saturating_add(1);
        if self.is_contradictory || self.try_add(fragment).is_none() {
            self.is_contradictory = true;
            (self.bytes, self.present) = (Vec::new(), Vec::new());
            return false;
        }
        self.len.is_some_and(|len| self.blocks == len.div_ceil(BLOCK))
    }

    /// Adds a fragment. Returns `None` if it contradicts earlier fragments.
    #[allow(clippy::disallowed_methods, reason = "source and target have the same length")]
    fn try_add(&mut self, fragment: &Fragment<'_>) -> Option<()> {
        let Fragment { offset, more, protocol, bytes, .. } = *fragment;
        let start = usize::from(offset);
        let end = start.saturating_add(bytes.len());
        let is_within = self.len.is_none_or(|len| if more { end <= len } else { end == len });
        if !is_within || !more && end < self.end {
            return None;
        }
        if !more {
            self.len = Some(end);
        }
        let blocks = start / BLOCK..end.div_ceil(BLOCK);
        let known = blocks.clone().filter(|block| self.has(*block)).count();
        if known > 0 {
            // A repetition is ignored, but any other overlap is a contradiction.
            let is_same = known == blocks.len() && self.bytes.get(start..end) == Some(bytes);
            return is_same.then_some(());
        }
        if start == 0 {
            self.protocol = Some(protocol);
        }
        self.grow(end);
        self.end = self.end.max(end);
        self.bytes.get_mut(start..end)?.copy_from_slice(bytes);
        self.blocks = self.blocks.saturating_add(blocks.len());
        blocks.for_each(|block| {
            if let Some(word) = self.present.get_mut(block / WORD) {
                *word |= 1_u64.wrapping_shl((block % WORD) as u32);
            }
        });
        Some(())
    }

    fn has(&self, block: usize) -> bool {
        let word = self.present.get(block / WORD).copied().unwrap_or(0);
        word.wrapping_shr((block % WORD) as u32) & 1 != 0
    }

    /// Extends `bytes` to at least `end` bytes. Rounds the length up to a power of two, but not
    /// above the maximum length.
    #[allow(clippy::disallowed_methods, reason = "`end` is at most the length of an IP packet")]
    fn grow(&mut self, end: usize) {
        if end > self.bytes.len() {
            // The allocator's zeroed memory costs less than `resize`, which writes the zeros.
            let mut longer = vec![0; end.next_power_of_two().min(MAX_LEN).max(end)];
            longer.iter_mut().zip(&self.bytes).for_each(|(to, from)| *to = *from);
            self.bytes = longer;
        }
        let words = end.div_ceil(BLOCK).div_ceil(WORD);
        if words > self.present.len() {
            self.present.resize(words, 0);
        }
    }

    /// Iterates over the contiguous parts of the payload that have arrived: their offsets and their
    /// bytes.
    #[cfg(feature = "serde")]
    pub(super) fn parts(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let mut next = 0;
        core::iter::from_fn(move || {
            let blocks = self.end.div_ceil(BLOCK);
            let first = (next..blocks).find(|block| self.has(*block))?;
            next = (first..blocks).find(|block| !self.has(*block)).unwrap_or(blocks);
            let start = first.saturating_mul(BLOCK);
            let end = next.saturating_mul(BLOCK).min(self.end);
            Some((start, self.bytes.get(start..end)?))
        })
    }

    /// Returns the segment in a complete packet.
    pub(super) fn segment(&self) -> Result<Segment<'_>, Skipped> {
        let protocol = self.protocol.ok_or(Skipped::Malformed)?;
        let payload = self.bytes.get(..self.end).unwrap_or_default();
        self.key.segment(protocol, payload).map_err(|reason| match reason {
            // The reassembled packet is a fragment itself, or states a length that exceeds its own.
            Skipped::Fragment | Skipped::CutShort => Skipped::Malformed,
            other => other,
        })
    }
}
