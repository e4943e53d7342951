//! The context model: counts how often a value followed the last one or two bytes. The coder
//! divides its interval by these counts.
//!
//! A value `b` that occurred in the order-1 context of `a` forms the order-2 context `ab`. Each
//! entry links to the context that its value leads to, so the contexts of the next byte are found
//! with two loads and without a search:
//!
//! * the order-1 context of a byte `b` has the index `b`;
//! * an entry `b` of the order-1 context `a` links to the order-2 context `ab`;
//! * an entry `b` of an order-2 context that ends with `a` also links to `ab`.
//!
//! The entries of all contexts are in one array. The entries of a single context are adjacent, in
//! ascending order of values. A context that outgrows its capacity moves to the end of the array
//! with twice the capacity. The old entries are not reused, as the whole model is reset after 4094
//! entries.

use super::arithmetic::{Decoder, Encoder};
use super::counts::{MAX_TOTAL, half};
use super::order0::Order0;
use alloc::boxed::Box;
use alloc::vec;

/// Number of entries at which the model is reset. The order-0 context counts as one entry.
const MAX_NODES: usize = 4094;
/// Maximum number of contexts. The last byte before a reset adds up to three entries, one per
/// order, so the number of entries can exceed [`MAX_NODES`] by two.
const CONTEXTS: usize = 256 + MAX_NODES + 2;
/// Length of the array of entries. As capacities double, abandoned and current entries together
/// take less than four times the number of entries.
const ENTRIES: usize = 4 * (MAX_NODES + 2);
/// Initial capacity of a context.
const INITIAL_CAPACITY: usize = 2;

/// Increment of a value's count and of the total.
const STEP: u16 = 2;
/// Increment of the escape's weight for a new value.
const ESCAPE_STEP: u16 = 5;
/// If a count is above this, the next increment halves all counts of its context.
const MAX_COUNT: u8 = 251;

/// The index that means "no context yet", used at the start of a datagram and after a reset.
const NONE: u16 = u16::MAX;

pub(super) enum Step {
    Value(u8),
    End,
}

/// The values that followed one or two bytes.
#[derive(Clone, Copy, Default)]
struct Context {
    /// Weight of the escape, 0 while there are no entries.
    escape: u16,
    /// Sum of the weights of the escape and of all entries.
    total: u16,
    /// Index of the first entry.
    start: u16,
    len: u16,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    value: u8,
    count: u8,
    /// Index of the order-2 context that consists of the preceding value and this value.
    link: u16,
}

pub(super) struct Model {
    order0: Order0,
    contexts: Box<[Context]>,
    /// Number of contexts.
    used: u16,
    entries: Box<[Entry]>,
    /// Index of the first free entry.
    end: usize,
    /// Number of entries in all contexts including order 0, plus one.
    nodes: usize,
    /// Index of the context of the last byte.
    order1: u16,
    /// Index of the context of the last two bytes.
    order2: u16,
}

impl Model {
    pub(super) fn new() -> Self {
        Self {
            order0: Order0::NEW,
            contexts: vec![Context::default(); CONTEXTS].into_boxed_slice(),
            used: 256,
            entries: vec![Entry::default(); ENTRIES].into_boxed_slice(),
            end: 0,
            nodes: 1,
            order1: NONE,
            order2: NONE,
        }
    }

    /// Drops all contexts. Their memory is cleared when it is used again.
    pub(super) fn restart(&mut self) {
        self.order0 = Order0::NEW;
        self.used = 256;
        self.end = 0;
        self.nodes = 1;
        self.order1 = NONE;
        self.order2 = NONE;
    }

    /// Decodes the next byte or the end. Returns `None` for input that no encoder writes.
    #[inline(always)]
    pub(super) fn decode(&mut self, coder: &mut Decoder<'_>) -> Option<Step> {
        if let Some(entry) = self.decode_in(self.order2, coder)? {
            self.advance(entry.value, entry.link);
            return Some(Step::Value(entry.value));
        }
        if let Some(entry) = self.decode_in(self.order1, coder)? {
            self.record(self.order2, entry.value, entry.link);
            self.advance(entry.value, entry.link);
            return Some(Step::Value(entry.value));
        }
        let Some((value, new)) = self.order0.decode(coder)? else { return Some(Step::End) };
        self.record_in_all(value, new);
        Some(Step::Value(value))
    }

    pub(super) fn encode(&mut self, value: u8, coder: &mut Encoder<'_>) {
        if let Some(link) = self.encode_in(self.order2, value, coder) {
            return self.advance(value, link);
        }
        if let Some(link) = self.encode_in(self.order1, value, coder) {
            self.record(self.order2, value, link);
            return self.advance(value, link);
        }
        let new = self.order0.encode(value, coder);
        self.record_in_all(value, new);
    }

    /// Counts a value in all contexts after it was coded in order 0. `new` is `true` if it occurred
    /// for the first time.
    #[inline(always)]
    fn record_in_all(&mut self, value: u8, new: bool) {
        if new {
            self.nodes = self.nodes.wrapping_add(1);
            if let Some(context) = self.contexts.get_mut(usize::from(value)) {
                *context = Context::default();
            }
        }
        let link = self.record_in_order1(value);
        self.record(self.order2, value, link);
        self.advance(value, link);
    }

    #[inline(always)]
    fn advance(&mut self, value: u8, link: u16) {
        if self.nodes >= MAX_NODES {
            return self.restart();
        }
        self.order1 = u16::from(value);
        self.order2 = link;
    }

    /// Decodes a value in a context. Returns `Some(None)` for an escape or an empty context, and
    /// `None` if the input is malformed.
    #[inline(always)]
    fn decode_in(&mut self, number: u16, coder: &mut Decoder<'_>) -> Option<Option<Entry>> {
        let Some(context) = self.contexts.get_mut(usize::from(number)) else { return Some(None) };
        if context.escape == 0 {
            return Some(None);
        }
        let (unit, code) = coder.scale(context.total);
        let mut end = unit.wrapping_mul(u32::from(context.escape));
        if code < end {
            coder.consume(0, end);
            return Some(None);
        }
        let entries = self.entries.get_mut(usize::from(context.start)..)?;
        let entries = entries.get_mut(..usize::from(context.len))?;
        for entry in entries.iter_mut() {
            let start = end;
            let width = unit.wrapping_mul(u32::from(entry.count));
            end = end.wrapping_add(width);
            if code < end {
                coder.consume(start, width);
                let found = *entry;
                if add(context, entry) {
                    context.rescale(entries);
                }
                return Some(Some(found));
            }
        }
        None
    }

    /// Encodes a value in a context, and returns the link of the value's entry. If the context does
    /// not contain the value, encodes an escape (unless the context is empty) and returns `None`.
    fn encode_in(&mut self, number: u16, value: u8, coder: &mut Encoder<'_>) -> Option<u16> {
        let context = self.contexts.get_mut(usize::from(number))?;
        let total = context.total;
        let entries = self.entries.get_mut(usize::from(context.start)..)?;
        let entries = entries.get_mut(..usize::from(context.len))?;
        let mut start = u32::from(context.escape);
        for entry in entries.iter_mut() {
            if entry.value == value {
                coder.encode(total, start, u32::from(entry.count));
                let link = entry.link;
                if add(context, entry) {
                    context.rescale(entries);
                }
                return Some(link);
            }
            if entry.value > value {
                break;
            }
            start = start.wrapping_add(u32::from(entry.count));
        }
        if context.escape > 0 {
            coder.encode(total, 0, u32::from(context.escape));
        }
        None
    }

    /// Counts a value in the order-1 context, and returns its link.
    #[inline(always)]
    fn record_in_order1(&mut self, value: u8) -> u16 {
        if self.order1 == NONE {
            return NONE;
        }
        let next = self.used;
        let link = self.record(self.order1, value, next);
        if link == next {
            if let Some(context) = self.contexts.get_mut(usize::from(next)) {
                *context = Context::default();
            }
            self.used = self.used.wrapping_add(1);
        }
        link
    }

    /// Counts a value in a context of a higher order than the one in which it was coded. If the
    /// value is new there, its entry gets `link`. Returns the link of the entry.
    #[inline(always)]
    fn record(&mut self, number: u16, value: u8, link: u16) -> u16 {
        let Some(context) = self.contexts.get_mut(usize::from(number)) else { return link };
        let start = usize::from(context.start);
        let len = usize::from(context.len);
        let entries = self.entries.get_mut(start..).and_then(|entries| entries.get_mut(..len));
        let entries = entries.unwrap_or_default();
        let index = entries.iter().position(|entry| entry.value >= value).unwrap_or(len);
        if let Some(entry) = entries.get_mut(index)
            && entry.value == value
        {
            let link = entry.link;
            if add(context, entry) {
                context.rescale(entries);
            }
            return link;
        }
        self.insert(number, index, Entry { value, count: STEP as u8, link });
        link
    }

    /// Inserts an entry at `index` of a context.
    #[inline(always)]
    #[allow(
        clippy::disallowed_methods,
        reason = "both ranges are checked to be in the entries; `index` is below `len`"
    )]
    fn insert(&mut self, number: u16, index: usize, entry: Entry) {
        let Some(context) = self.contexts.get_mut(usize::from(number)) else { return };
        let len = usize::from(context.len);
        // The context is full if it has no entries, or if their number is a power of two that is
        // not below the initial capacity.
        if len == 0 || (len >= INITIAL_CAPACITY && len.is_power_of_two()) {
            let start = usize::from(context.start);
            if len > 0 && self.end.saturating_add(len) <= self.entries.len() {
                self.entries.copy_within(start..start.saturating_add(len), self.end);
            }
            context.start = self.end as u16;
            let capacity = len.saturating_mul(2).max(INITIAL_CAPACITY);
            self.end = self.end.saturating_add(capacity);
        }
        let start = usize::from(context.start);
        let entries = self.entries.get_mut(start..).unwrap_or_default();
        let entries = entries.get_mut(..len.wrapping_add(1)).unwrap_or_default();
        if index < len {
            entries.copy_within(index..len, index.wrapping_add(1));
        }
        if let Some(slot) = entries.get_mut(index) {
            *slot = entry;
        }
        context.len = context.len.wrapping_add(1);
        context.escape = context.escape.wrapping_add(ESCAPE_STEP);
        context.total = context.total.wrapping_add(STEP.wrapping_add(ESCAPE_STEP));
        if context.total > MAX_TOTAL {
            context.rescale(entries);
        }
        self.nodes = self.nodes.wrapping_add(1);
    }
}

/// Increments the count of an entry. Returns `true` if the counts of the context must be halved.
#[inline(always)]
fn add(context: &mut Context, entry: &mut Entry) -> bool {
    let due = entry.count > MAX_COUNT;
    entry.count = entry.count.wrapping_add(STEP as u8);
    context.total = context.total.wrapping_add(STEP);
    due || context.total > MAX_TOTAL
}

impl Context {
    #[cold]
    fn rescale(&mut self, entries: &mut [Entry]) {
        self.escape = half(self.escape);
        self.total = self.escape;
        for entry in entries {
            entry.count = half(entry.count.into()) as u8;
            self.total = self.total.wrapping_add(entry.count.into());
        }
    }
}
