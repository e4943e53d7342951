//! Summaries of the numbers and strings at a location: ranges and examples.

use crate::godot::StrRef;
use alloc::string::String;
use alloc::vec::Vec;

/// Maximum number of texts kept.
const FEW: usize = 8;
/// Maximum number of bytes kept of each text.
const BEGINNING: usize = 64;

/// The smallest and the largest number of a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span<T> {
    /// The smallest number.
    pub min: T,
    /// The largest number.
    pub max: T,
}

/// Numbers with an order.
pub trait Ordered: Copy {
    fn is_below(self, other: Self) -> bool;
}

impl Ordered for u64 {
    fn is_below(self, other: Self) -> bool {
        self < other
    }
}

impl Ordered for i64 {
    fn is_below(self, other: Self) -> bool {
        self < other
    }
}

impl Ordered for f64 {
    fn is_below(self, other: Self) -> bool {
        self.total_cmp(&other).is_lt()
    }
}

impl Span<f64> {
    /// The empty span.
    pub(super) const NO_REALS: Self = Self { min: f64::INFINITY, max: f64::NEG_INFINITY };
}

impl<T: Ordered> Span<T> {
    pub(super) fn of(value: T) -> Self {
        Self { min: value, max: value }
    }

    pub(super) fn cover(&mut self, other: Self) {
        if other.min.is_below(self.min) {
            self.min = other.min;
        }
        if self.max.is_below(other.max) {
            self.max = other.max;
        }
    }

    /// Returns `true` if the span is a single number.
    pub(super) fn is_one(&self) -> bool {
        !self.min.is_below(self.max) && !self.is_empty()
    }

    /// Returns `true` if the span is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.max.is_below(self.min)
    }
}

/// Widens the span at `index` to include another span, or appends the other span.
pub(super) fn cover<T: Ordered>(spans: &mut Vec<Span<T>>, index: usize, span: Span<T>) {
    match spans.get_mut(index) {
        Some(known) => known.cover(span),
        None => spans.push(span),
    }
}

/// Examples of the texts at a location: the first eight in byte order, each cut to its first 64
/// bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    few: Vec<String>,
    more: bool,
    odd: bool,
}

impl Texts {
    /// Iterates over the texts in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.few.iter().map(String::as_str)
    }

    /// Returns `true` if these are all texts at the location and none of them is cut. In this case,
    /// the texts are probably the values of an enum.
    pub fn is_all(&self) -> bool {
        !self.more
    }

    /// Returns `true` if all texts at the location are UTF-8.
    pub fn is_utf8(&self) -> bool {
        !self.odd
    }

    /// Returns the text if it is the only one at the location and is not cut.
    pub(super) fn only(&self) -> Option<&str> {
        match &*self.few {
            [text] if !self.more => Some(text),
            _ => None,
        }
    }

    pub(super) fn add(&mut self, text: StrRef<'_>) {
        let Ok(text) = text.to_str() else {
            self.odd = true;
            return self.add_str(&text.to_string_lossy());
        };
        self.add_str(text);
    }

    fn add_str(&mut self, text: &str) {
        if text.len() <= BEGINNING {
            return self.keep(text);
        }
        self.more = true;
        let mut beginnings = (0..=BEGINNING).rev().filter_map(|end| text.get(..end));
        self.keep(beginnings.next().unwrap_or_default());
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.more |= other.more;
        self.odd |= other.odd;
        other.few.iter().for_each(|text| self.keep(text));
    }

    #[allow(
        clippy::disallowed_methods,
        reason = "a binary search returns an index of at most the length"
    )]
    fn keep(&mut self, text: &str) {
        let Err(place) = self.few.binary_search_by(|known| (**known).cmp(text)) else { return };
        if place < FEW {
            self.few.insert(place, text.into());
        }
        self.more |= place >= FEW || self.few.len() > FEW;
        self.few.truncate(FEW);
    }
}
