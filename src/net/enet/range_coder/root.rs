//! The context of no byte: all 256 values have a weight there, from the start.

use super::arithmetic::{Decoder, Encoder};
use super::model::{LARGEST_TOTAL, half};

/// What a value's count and the total grow by.
const STEP: u16 = 3;
/// Weights above this are halved after the next step.
const LARGEST_WEIGHT: u16 = 250;

const GROUP: usize = 16;

/// Running sums: element `i` is the sum of all weights up to that of `i`. So a search
/// compares with all 16 at once, and an addition adds to all from `i` on; neither has a
/// branch to guess wrong.
type Ends = [u16; GROUP];

/// A value's weight is its count and 1. To find one takes two short searches: in the
/// groups of 16 values, then in a group.
#[derive(Clone)]
pub(super) struct Root {
    escape: u16,
    total: u16,
    groups: Ends,
    values: [Ends; GROUP],
}

/// The start of `index` and its weight.
#[inline(always)]
fn part(ends: &Ends, index: usize) -> (u16, u16) {
    let end = ends.get(index).map_or(0, |end| *end);
    let start = index.checked_sub(1).and_then(|before| ends.get(before)).map_or(0, |end| *end);
    (start, end.wrapping_sub(start))
}

#[inline(always)]
fn search(ends: &Ends, target: u16) -> usize {
    let passed = |end: &u16| u16::from(*end <= target);
    ends.iter().map(passed).fold(0_u16, u16::wrapping_add).into()
}

#[inline(always)]
fn add(ends: &mut Ends, index: usize) {
    for (number, end) in (0_u16..).zip(ends) {
        let step = if number >= index as u16 { STEP } else { 0 };
        *end = end.wrapping_add(step);
    }
}

/// Of 16 weights of `weight` each.
const fn even(weight: u16) -> Ends {
    let mut ends = [0; GROUP];
    let mut index = 0;
    #[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)] // not at run time
    while index < GROUP {
        ends[index] = weight * (index as u16 + 1);
        index += 1;
    }
    ends
}

impl Root {
    pub(super) const NEW: Self =
        Self { escape: 1, total: 257, groups: even(16), values: [even(1); GROUP] };

    /// The next value, and whether it is new; inside: `None` for the escape, outside: for
    /// what no encoder writes.
    #[inline(always)]
    pub(super) fn decode(&mut self, coder: &mut Decoder<'_>) -> Option<Option<(u8, bool)>> {
        let (unit, inside) = coder.look(self.total);
        let target = inside.checked_div(unit)?;
        if target >= u32::from(self.total) {
            return None;
        }
        let Some(target) = (target as u16).checked_sub(self.escape) else { return Some(None) };
        let group = search(&self.groups, target);
        let (group_start, _) = part(&self.groups, group);
        let ends = self.values.get(group)?;
        let index = search(ends, target.wrapping_sub(group_start));
        let (start, weight) = part(ends, index);
        let start = start.wrapping_add(group_start).wrapping_add(self.escape);
        coder.take(unit.wrapping_mul(start.into()), unit.wrapping_mul(weight.into()));
        self.add(group, index, weight);
        Some(Some(((group << 4 | index) as u8, weight == 1)))
    }

    /// Whether the value is new.
    pub(super) fn encode(&mut self, value: u8, coder: &mut Encoder<'_>) -> bool {
        let (group, index) = (usize::from(value >> 4), usize::from(value & 15));
        let (group_start, _) = part(&self.groups, group);
        let Some(ends) = self.values.get(group) else { return false };
        let (start, weight) = part(ends, index);
        let start = start.wrapping_add(group_start).wrapping_add(self.escape);
        coder.take(self.total, start.into(), weight.into());
        self.add(group, index, weight);
        weight == 1
    }

    /// Counts a value whose weight was `weight` once more.
    #[inline(always)]
    fn add(&mut self, group: usize, index: usize, weight: u16) {
        add(&mut self.groups, group);
        if let Some(ends) = self.values.get_mut(group) {
            add(ends, index);
        }
        self.total = self.total.wrapping_add(STEP);
        if weight > LARGEST_WEIGHT || self.total > LARGEST_TOTAL {
            self.rescale();
        }
    }

    #[cold]
    fn rescale(&mut self) {
        self.escape = half(self.escape);
        let mut all = 0_u16;
        for (ends, end) in self.values.iter_mut().zip(&mut self.groups) {
            let before = *ends;
            let mut sum = 0_u16;
            for (index, end) in ends.iter_mut().enumerate() {
                let (_, weight) = part(&before, index);
                sum = sum.wrapping_add(half(weight.wrapping_sub(1)).wrapping_add(1));
                *end = sum;
            }
            all = all.wrapping_add(sum);
            *end = all;
        }
        self.total = self.escape.wrapping_add(all);
    }
}
