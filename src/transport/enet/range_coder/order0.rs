//! The order-0 context, in which all 256 values have a weight from the start.

use super::arithmetic::{Decoder, Encoder};
use super::counts::{MAX_TOTAL, half};

/// Increment of a value's count and of the total.
const STEP: u8 = 3;
/// If a count is at least this (a weight above 250), the next increment halves all counts.
const MAX_COUNT: u8 = 250;

/// Number of groups of values, and number of values in each group.
const GROUP: usize = 16;

/// The order-0 context. The weight of a value is its count plus 1. A value is found by two short
/// linear searches. The first finds its group of 16 values, and the second finds the value in this
/// group.
///
/// The searches branch at each step. Comparing with all 16 sums in one step would avoid
/// mispredicted branches, but everything after it would wait for the result: decoding took 40 %
/// longer.
#[derive(Clone)]
pub(super) struct Order0 {
    escape: u16,
    total: u16,
    /// Sum of the weights of each group.
    sums: [u16; GROUP],
    counts: [[u8; GROUP]; GROUP],
}

impl Order0 {
    pub(super) const NEW: Self =
        Self { escape: 1, total: 257, sums: [GROUP as u16; GROUP], counts: [[0; GROUP]; GROUP] };

    /// Decodes the next value. The flag is `true` if the value is new. Returns `Some(None)` for an
    /// escape, and `None` for input that no encoder writes.
    #[inline(always)]
    pub(super) fn decode(&mut self, coder: &mut Decoder<'_>) -> Option<Option<(u8, bool)>> {
        let (unit, code) = coder.scale(self.total);
        let mut end = unit.wrapping_mul(self.escape.into());
        if code < end {
            return Some(None);
        }
        for (group, (sum, counts)) in self.sums.iter().zip(&self.counts).enumerate() {
            let before = end;
            end = end.wrapping_add(unit.wrapping_mul((*sum).into()));
            if code >= end {
                continue;
            }
            let mut end = before;
            for (index, count) in counts.iter().enumerate() {
                let start = end;
                let width = unit.wrapping_mul(u32::from(*count).wrapping_add(1));
                end = end.wrapping_add(width);
                if code < end {
                    let new = *count == 0;
                    coder.consume(start, width);
                    self.add(group, index);
                    return Some(Some(((group << 4 | index) as u8, new)));
                }
            }
        }
        None
    }

    /// Encodes a value. Returns `true` if it is new.
    pub(super) fn encode(&mut self, value: u8, coder: &mut Encoder<'_>) -> bool {
        let (group, index) = (usize::from(value >> 4), usize::from(value & 15));
        let counts = self.counts.get(group).copied().unwrap_or_default();
        let mut start = self.escape;
        for sum in self.sums.iter().take(group) {
            start = start.wrapping_add(*sum);
        }
        for count in counts.iter().take(index) {
            start = start.wrapping_add(u16::from(*count)).wrapping_add(1);
        }
        let count = counts.get(index).map_or(0, |count| *count);
        coder.encode(self.total, u32::from(start), u32::from(count).wrapping_add(1));
        self.add(group, index);
        count == 0
    }

    #[inline(always)]
    fn add(&mut self, group: usize, index: usize) {
        let count = self.counts.get_mut(group).and_then(|counts| counts.get_mut(index));
        let (Some(count), Some(sum)) = (count, self.sums.get_mut(group)) else { return };
        let due = *count >= MAX_COUNT;
        *count = count.wrapping_add(STEP);
        *sum = sum.wrapping_add(STEP.into());
        self.total = self.total.wrapping_add(STEP.into());
        if due || self.total > MAX_TOTAL {
            self.rescale();
        }
    }

    #[cold]
    fn rescale(&mut self) {
        self.escape = half(self.escape);
        self.total = self.escape;
        for (counts, sum) in self.counts.iter_mut().zip(&mut self.sums) {
            *sum = GROUP as u16;
            for count in counts {
                *count = half(u16::from(*count)) as u8;
                *sum = sum.wrapping_add(u16::from(*count));
            }
            self.total = self.total.wrapping_add(*sum);
        }
    }
}
