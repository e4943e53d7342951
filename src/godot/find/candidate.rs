//! A value that may begin at an offset, and the budget of the search.

use super::evidence::{Evidence, HEADER};
use super::{Confidence, Endian, Found, Threshold, header};
use crate::godot::frame::Framing;
use crate::godot::{Dialect, Encoded, Kind, Level, Limits, Reader};

/// Amount of work on a candidate that is not charged to the budget, in bytes.
const FREE: usize = 128;
/// Total work on rejected candidates that the budget allows, in bytes per byte of input.
const PER_BYTE: usize = 4;
/// Divisor of the remaining budget. The quotient plus [`FREE`] bytes is the maximum length of a
/// candidate.
const SHARE: usize = 2;
/// Work of the final checks of a candidate, in bytes per byte of its value.
const CHECKS: usize = 3;
/// Bits for a container whose items fill a frame exactly.
const ITEMS_IN_FRAME: i32 = 6;
/// Bits that a value loses if an engine would write it with different bytes.
const NOT_CANONICAL: i32 = 10;
/// Minimum number of bits of evidence that text must provide before a value without a frame can be
/// [`Confidence::Certain`].
const ENOUGH_TEXT: i32 = 12;

/// The work that rejected candidates may still take. Without this limit, the search would take
/// quadratic time if many offsets of the input look like the start of a long value and none of
/// these values turns out to be valid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    left: usize,
    pub is_complete: bool,
}

impl Budget {
    pub fn new(len: usize) -> Self {
        Self { left: len.saturating_mul(PER_BYTE), is_complete: true }
    }

    /// Returns the number of bytes that a candidate may cover.
    fn allowance(&self) -> usize {
        FREE.saturating_add(self.left / SHARE)
    }

    pub fn charge(&mut self, work: usize) {
        self.left = self.left.saturating_sub(work.saturating_sub(FREE));
    }
}

/// A well-formed value. Unrelated bytes can also form one by chance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<'a> {
    pub value: Encoded<'a>,
    pub bits: i32,
    /// The part of `bits` that is due to text.
    text: i32,
    /// Work that was needed to read the value, in bytes.
    pub work: usize,
}

impl<'a> Candidate<'a> {
    /// Reads the value at the start of `rest`, if it is not longer than the budget allows.
    pub fn value(rest: &'a [u8], dialect: Dialect, budget: &mut Budget) -> Option<Self> {
        match header::can_begin(rest, dialect) {
            true => Self::read(rest, dialect, Evidence::of_value(), budget),
            false => None,
        }
    }

    /// Reads the frame at the start of `rest`.
    pub fn frame(
        rest: &'a [u8],
        endian: Endian,
        dialect: Dialect,
        budget: &mut Budget,
    ) -> Option<Self> {
        let len = match endian {
            Endian::Little => header::word(rest, 0)?,
            Endian::Big => header::word(rest, 0)?.swap_bytes(),
        };
        let size = usize::try_from(len).ok()?;
        let content = rest.get(Framing::PREFIX..)?.get(..size)?;
        if size < Framing::PREFIX || !size.is_multiple_of(4) {
            return None;
        }
        if size > budget.allowance() {
            budget.is_complete = false;
            return None;
        }
        let candidate = Self::read(content, dialect, Evidence::of_frame(), budget)?;
        if candidate.value.as_bytes().len() != size {
            budget.charge(candidate.work);
            return None;
        }
        // A length of n bits that fits its value exactly is evidence of about n bits.
        let length = 32_u32.saturating_sub(len.leading_zeros()).clamp(3, 16) as i32;
        let items = if candidate.has_items() { ITEMS_IN_FRAME } else { 0 };
        let bits = candidate.bits.saturating_add(length).saturating_add(items);
        Some(Self { bits, ..candidate })
    }

    fn is_container(&self) -> bool {
        matches!(self.value.kind(), Kind::Array | Kind::Dictionary | Kind::Object)
    }

    /// Returns `true` for a container with at least one item that is not null.
    fn has_items(&self) -> bool {
        self.is_container() && self.bits > HEADER
    }

    fn read(
        rest: &'a [u8],
        dialect: Dialect,
        mut evidence: Evidence,
        budget: &mut Budget,
    ) -> Option<Self> {
        let window = rest.get(..budget.allowance()).unwrap_or(rest);
        let mut reader = Reader::new(window, dialect);
        if let Err(stop) = reader.visit_dyn(&mut evidence) {
            budget.charge(evidence.work_until(&stop));
            budget.is_complete &= !stop.is_cut_off() || window.len() == rest.len();
            return None;
        }
        let value = Encoded::trusted(window.get(reader.range())?, dialect);
        let Evidence { bits, text, work, .. } = evidence;
        Some(Self { value, bits, text, work })
    }

    /// Returns the candidate as a [`Found`] if `bits` of evidence are enough and the engine accepts
    /// the value.
    pub fn accepted(self, bits: i32, budget: &mut Budget) -> Option<Found<'a>> {
        if Confidence::of(bits).is_none() {
            budget.charge(self.work);
            return None;
        }
        let size = self.value.as_bytes().len();
        let (bits, most) = match self.is_accepted(Level::Strict) {
            true => (bits, Confidence::Certain),
            false => (bits.saturating_sub(NOT_CANONICAL), Confidence::Likely),
        };
        let confidence = Confidence::of(bits)
            .filter(|_| most == Confidence::Certain || self.is_accepted(Level::Engine));
        let Some(confidence) = confidence else {
            budget.charge(size.saturating_mul(CHECKS).saturating_add(self.work));
            return None;
        };
        let confidence = confidence.min(most);
        let len = size as u64;
        Some(Found { offset: 0, len, framing: None, value: self.value, confidence, bits })
    }

    fn is_accepted(&self, level: Level) -> bool {
        let limits = Limits { level, ..Limits::default() };
        let mut reader = Reader::new(self.value.as_bytes(), self.value.dialect()).limits(limits);
        reader.skip().is_ok()
    }

    /// Returns the bits of a value without a frame. Only a container with text can be certain.
    pub fn bits_without_frame(&self) -> i32 {
        let most = match self.is_container() && self.text >= ENOUGH_TEXT {
            true => i32::MAX,
            false => Threshold::CERTAIN.saturating_sub(1),
        };
        self.bits.min(most)
    }
}
