//! How often which value followed which: what the coder's intervals are cut by.
//!
//! A context is the last one or two bytes. Each value that was seen in a context of one
//! byte makes up, with that byte, a context of two; so an entry has a link to it, and from
//! a byte to the contexts of the next takes two loads and no search:
//!
//! * the context of one byte `b` has the number `b`;
//! * an entry of a context of one byte `a`, with the value `b`, links to the context `ab`;
//! * an entry of a context of two bytes, with the value `b` after `a`, links there, too.
//!
//! Entries stand in ascending order of values, in one array for all contexts. A context
//! that has outgrown its place moves to the end of the array, with twice the room, and
//! what it leaves behind is not used again: after 4094 entries all is dropped anyway.

use super::arithmetic::{Decoder, Encoder};
use super::root::Root;
use alloc::boxed::Box;
use alloc::vec;

/// All is dropped when there are so many entries, with the root counted as one.
const MOST_NODES: usize = 4094;
/// The last byte may take the number above that: by one entry in each context.
const CONTEXTS: usize = 256 + MOST_NODES + 2;
/// With places doubled, the entries of all times take less than four times their number.
const ENTRIES: usize = 4 * (MOST_NODES + 2);
/// For how many entries a context has room at first.
const FIRST_ROOM: usize = 2;

/// What a value's count and the total grow by.
const STEP: u16 = 2;
/// What a new value adds to the escape.
const ESCAPE_STEP: u16 = 5;
/// Counts above this are halved after the next step.
const LARGEST_COUNT: u8 = 251;
/// As are those of a larger total. (No datagram brings it there.)
pub(super) const LARGEST_TOTAL: u16 = 0xFF00;

/// No context: there was no byte before, or only one.
const NONE: u16 = u16::MAX;

pub(super) enum Step {
    Value(u8),
    End,
}

/// What followed one or two bytes.
#[derive(Clone, Copy, Default)]
struct Context {
    /// The weight of the escape; 0 until there is an entry.
    escape: u16,
    /// The weights of the escape and of all entries.
    total: u16,
    /// Where the entries are.
    start: u16,
    len: u16,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    value: u8,
    count: u8,
    /// The context that the value leads to, together with the value before it.
    link: u16,
}

pub(super) struct Model {
    root: Root,
    contexts: Box<[Context]>,
    /// How many contexts there are.
    used: u16,
    entries: Box<[Entry]>,
    /// Where the next context's entries go.
    end: usize,
    /// How many entries, in the root and in contexts, and one more.
    nodes: usize,
    /// The context of the last byte.
    one: u16,
    /// The context of the last two bytes.
    two: u16,
}

impl Model {
    pub(super) fn new() -> Self {
        Self {
            root: Root::NEW,
            contexts: vec![Context::default(); CONTEXTS].into_boxed_slice(),
            used: 256,
            entries: vec![Entry::default(); ENTRIES].into_boxed_slice(),
            end: 0,
            nodes: 1,
            one: NONE,
            two: NONE,
        }
    }

    /// Drops all contexts. Their memory is not cleared: it is when it is used again.
    pub(super) fn restart(&mut self) {
        self.root = Root::NEW;
        self.used = 256;
        self.end = 0;
        self.nodes = 1;
        self.one = NONE;
        self.two = NONE;
    }

    /// The next byte, or the end; `None` for what no encoder writes.
    #[inline(always)]
    pub(super) fn decode(&mut self, coder: &mut Decoder<'_>) -> Option<Step> {
        if let Some(entry) = self.decode_in(self.two, coder)? {
            self.go_on(entry.value, entry.link);
            return Some(Step::Value(entry.value));
        }
        if let Some(entry) = self.decode_in(self.one, coder)? {
            self.record(self.two, entry.value, entry.link);
            self.go_on(entry.value, entry.link);
            return Some(Step::Value(entry.value));
        }
        let Some((value, new)) = self.root.decode(coder)? else { return Some(Step::End) };
        self.record_in_all(value, new);
        Some(Step::Value(value))
    }

    pub(super) fn encode(&mut self, value: u8, coder: &mut Encoder<'_>) {
        if let Some(link) = self.encode_in(self.two, value, coder) {
            return self.go_on(value, link);
        }
        if let Some(link) = self.encode_in(self.one, value, coder) {
            self.record(self.two, value, link);
            return self.go_on(value, link);
        }
        let new = self.root.encode(value, coder);
        self.record_in_all(value, new);
    }

    /// After `value` was coded by the root, where it may be `new`.
    #[inline(always)]
    fn record_in_all(&mut self, value: u8, new: bool) {
        if new {
            self.nodes = self.nodes.wrapping_add(1);
            if let Some(context) = self.contexts.get_mut(usize::from(value)) {
                *context = Context::default();
            }
        }
        let link = self.record_in_one(value);
        self.record(self.two, value, link);
        self.go_on(value, link);
    }

    #[inline(always)]
    fn go_on(&mut self, value: u8, link: u16) {
        if self.nodes >= MOST_NODES {
            return self.restart();
        }
        self.one = u16::from(value);
        self.two = link;
    }

    /// The entry that is next in a context, if it is not the escape. Outside: `None` if
    /// the input is damaged.
    #[inline(always)]
    fn decode_in(&mut self, number: u16, coder: &mut Decoder<'_>) -> Option<Option<Entry>> {
        let Some(context) = self.contexts.get_mut(usize::from(number)) else { return Some(None) };
        if context.escape == 0 {
            return Some(None);
        }
        let (unit, inside) = coder.look(context.total);
        let mut end = unit.wrapping_mul(u32::from(context.escape));
        if inside < end {
            coder.take(0, end);
            return Some(None);
        }
        let entries = self.entries.get_mut(usize::from(context.start)..)?;
        let entries = entries.get_mut(..usize::from(context.len))?;
        for entry in entries.iter_mut() {
            let start = end;
            let width = unit.wrapping_mul(u32::from(entry.count));
            end = end.wrapping_add(width);
            if inside < end {
                coder.take(start, width);
                let found = *entry;
                if add(context, entry) {
                    context.rescale(entries);
                }
                return Some(Some(found));
            }
        }
        None
    }

    /// Writes `value`, if the context has it, and gives its link; else the escape.
    fn encode_in(&mut self, number: u16, value: u8, coder: &mut Encoder<'_>) -> Option<u16> {
        let context = self.contexts.get_mut(usize::from(number))?;
        let total = context.total;
        let entries = self.entries.get_mut(usize::from(context.start)..)?;
        let entries = entries.get_mut(..usize::from(context.len))?;
        let mut start = u32::from(context.escape);
        for entry in entries.iter_mut() {
            if entry.value == value {
                coder.take(total, start, u32::from(entry.count));
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
            coder.take(total, 0, u32::from(context.escape));
        }
        None
    }

    /// Counts `value` in the context of the last byte, and gives its link.
    #[inline(always)]
    fn record_in_one(&mut self, value: u8) -> u16 {
        if self.one == NONE {
            return NONE;
        }
        let next = self.used;
        let link = self.record(self.one, value, next);
        if link == next {
            if let Some(context) = self.contexts.get_mut(usize::from(next)) {
                *context = Context::default();
            }
            self.used = self.used.wrapping_add(1);
        }
        link
    }

    /// Counts `value` in a context where it was not coded; if it is new there, with `link`.
    /// Gives the link that it has.
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

    /// Makes `entry` the one at `index` of a context.
    #[inline(always)]
    #[allow(
        clippy::disallowed_methods,
        reason = "both are in the entries: rooms of a context, and asked for; `index` is below `len`"
    )]
    fn insert(&mut self, number: u16, index: usize, entry: Entry) {
        let Some(context) = self.contexts.get_mut(usize::from(number)) else { return };
        let len = usize::from(context.len);
        // Grows when its room is full: at 0, and at powers of two from the first room on.
        if len == 0 || (len >= FIRST_ROOM && len.is_power_of_two()) {
            let start = usize::from(context.start);
            if len > 0 && self.end.saturating_add(len) <= self.entries.len() {
                self.entries.copy_within(start..start.saturating_add(len), self.end);
            }
            context.start = self.end as u16;
            let room = len.saturating_mul(2).max(FIRST_ROOM);
            self.end = self.end.saturating_add(room);
        }
        let start = usize::from(context.start);
        let entries = self.entries.get_mut(start..).unwrap_or_default();
        let entries = entries.get_mut(..len.wrapping_add(1)).unwrap_or_default();
        if index < len {
            entries.copy_within(index..len, index.wrapping_add(1));
        }
        if let Some(place) = entries.get_mut(index) {
            *place = entry;
        }
        context.len = context.len.wrapping_add(1);
        context.escape = context.escape.wrapping_add(ESCAPE_STEP);
        context.total = context.total.wrapping_add(STEP.wrapping_add(ESCAPE_STEP));
        if context.total > LARGEST_TOTAL {
            context.rescale(entries);
        }
        self.nodes = self.nodes.wrapping_add(1);
    }
}

/// Counts an entry once more; says whether the context's counts are to be halved.
#[inline(always)]
fn add(context: &mut Context, entry: &mut Entry) -> bool {
    let due = entry.count > LARGEST_COUNT;
    entry.count = entry.count.wrapping_add(STEP as u8);
    context.total = context.total.wrapping_add(STEP);
    due || context.total > LARGEST_TOTAL
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

/// Half of `count`, rounded up: what is there does not go away.
pub(super) fn half(count: u16) -> u16 {
    count.wrapping_sub(count >> 1)
}
