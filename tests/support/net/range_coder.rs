//! A second implementation of ENet's range coder, written from the description of the format. It
//! uses maps instead of tables, and is not optimised.

use std::collections::{BTreeMap, HashMap};

/// The reason why there is no output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// More output than allowed.
    TooLong,
    /// Empty output.
    Empty,
    /// A number outside of the range.
    InvalidCode,
}

/// The number of times that each byte has followed a context. In the root context, the weight of
/// each byte is one more than its count.
struct Context {
    root: bool,
    escape: u32,
    counts: BTreeMap<u8, u32>,
}

impl Context {
    fn new(root: bool) -> Self {
        Self { root, escape: root.into(), counts: BTreeMap::new() }
    }

    fn weight(&self, value: u8) -> u32 {
        self.counts.get(&value).unwrap_or(&0) + u32::from(self.root)
    }

    fn total(&self) -> u32 {
        self.escape + self.counts.values().sum::<u32>() + if self.root { 256 } else { 0 }
    }

    fn start(&self, value: u8) -> u32 {
        let ones = if self.root { u32::from(value) } else { 0 };
        self.escape + self.counts.range(..value).map(|(_, count)| count).sum::<u32>() + ones
    }

    /// Returns the byte whose range of cumulative weights contains `x`. `x` is not in the range of
    /// the escape.
    fn value_at(&self, x: u32) -> Option<u8> {
        let mut end = self.escape;
        (0..=255).find(|value| {
            end += self.weight(*value);
            x < end
        })
    }

    /// Increments the count of a value. Returns `true` if the value is new.
    fn record(&mut self, value: u8) -> bool {
        let (step, limit) = if self.root { (3, 250) } else { (2, 251) };
        let rescale = self.weight(value) > limit;
        let new = !self.counts.contains_key(&value);
        *self.counts.entry(value).or_default() += step;
        if new && !self.root {
            self.escape += 5;
        }
        if rescale || self.total() > 65_280 {
            self.counts.values_mut().for_each(|count| *count -= *count >> 1);
            self.escape -= self.escape >> 1;
        }
        new
    }
}

/// All contexts by their bytes, and the bytes coded so far.
struct Model {
    contexts: HashMap<Vec<u8>, Context>,
    /// Bytes coded since the last reset.
    history: Vec<u8>,
    nodes: u32,
    resets: usize,
}

impl Model {
    fn new() -> Self {
        let contexts = HashMap::from([(Vec::new(), Context::new(true))]);
        Self { contexts, history: Vec::new(), nodes: 1, resets: 0 }
    }

    /// Returns the bytes of the contexts at this position, the longest first.
    fn keys(&self) -> Vec<Vec<u8>> {
        let n = self.history.len();
        (0..=n.min(2)).rev().map(|k| self.history[n - k..].to_vec()).collect()
    }

    /// Counts `value` in the context `coded`, in which it was coded, and in all longer contexts.
    fn update(&mut self, value: u8, coded: &[u8]) {
        for key in self.keys().into_iter().filter(|key| key.len() >= coded.len()) {
            let context = self.contexts.entry(key).or_insert_with(|| Context::new(false));
            self.nodes += u32::from(context.record(value));
        }
        self.history.push(value);
        if self.nodes >= 4094 {
            *self = Self { resets: self.resets + 1, ..Self::new() };
        }
    }
}

struct Interval {
    low: u32,
    range: u32,
}

impl Interval {
    /// Narrows the range, and calls `shift` for each completed byte.
    fn narrow(&mut self, start: u32, width: u32, mut shift: impl FnMut(&Self)) {
        self.low = self.low.wrapping_add(start.wrapping_mul(self.range));
        self.range = self.range.wrapping_mul(width);
        loop {
            if self.low ^ self.low.wrapping_add(self.range) >= 1 << 24 {
                if self.range >= 1 << 16 {
                    break;
                }
                self.range = self.low.wrapping_neg() & 0xFFFF;
            }
            shift(self);
            self.range <<= 8;
            self.low <<= 8;
        }
    }
}

/// Decodes at most `limit` bytes.
pub fn decode(input: &[u8], limit: usize) -> Result<Vec<u8>, DecodeError> {
    let mut input = input.iter().copied().chain(std::iter::repeat(0));
    let mut at = Interval { low: 0, range: u32::MAX };
    let mut code = (0..4).fold(0, |code, _| code << 8 | u32::from(input.next().unwrap()));
    let mut model = Model::new();
    let mut out = Vec::new();
    'bytes: loop {
        for key in model.keys() {
            let Some(context) = model.contexts.get(&key) else { continue };
            at.range /= context.total();
            let x = code.wrapping_sub(at.low) / at.range;
            let mut next = |_: &Interval| code = code << 8 | u32::from(input.next().unwrap());
            if x < context.escape {
                if context.root {
                    return if out.is_empty() { Err(DecodeError::Empty) } else { Ok(out) };
                }
                at.narrow(0, context.escape, &mut next);
                continue;
            }
            let value = context.value_at(x).ok_or(DecodeError::InvalidCode)?;
            at.narrow(context.start(value), context.weight(value), &mut next);
            if out.len() == limit {
                return Err(DecodeError::TooLong);
            }
            out.push(value);
            model.update(value, &key);
            continue 'bytes;
        }
        unreachable!("the root has a value or ends");
    }
}

/// Encodes bytes. Also returns how often all contexts were reset.
pub fn encode(input: &[u8]) -> (Vec<u8>, usize) {
    let mut out = Vec::new();
    let mut at = Interval { low: 0, range: u32::MAX };
    let mut model = Model::new();
    for &value in input {
        for key in model.keys() {
            let Some(context) = model.contexts.get(&key) else { continue };
            let put = |at: &Interval| out.push((at.low >> 24) as u8);
            at.range /= context.total();
            if context.weight(value) > 0 {
                at.narrow(context.start(value), context.weight(value), put);
                model.update(value, &key);
                break;
            }
            at.narrow(0, context.escape, put);
        }
    }
    while at.low != 0 {
        out.push((at.low >> 24) as u8);
        at.low <<= 8;
    }
    (out, model.resets)
}
