//! Blocks of literals and matches: stored, with the fixed codes, or with codes of their own, as
//! zlib chooses.

use super::huffman::{Tree, reversed};
use alloc::vec::Vec;

/// Number of literals and matches after which zlib ends a block.
const SYMBOLS: usize = (1 << 14) - 1;

const END_OF_BLOCK: usize = 256;

/// Number of further bits of each length code, and of each distance code.
const LENGTH_BITS: [u8; 29] =
    [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BITS: [u8; 30] = [
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13,
    13,
];

/// The order in which the lengths of the codes for code lengths are stored (RFC 1951, 3.2.7).
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// A literal, or a match.
#[derive(Clone, Copy)]
enum Symbol {
    Literal(u8),
    Match { length: u16, distance: u16 },
}

pub(super) struct Blocks<W> {
    write: W,
    symbols: Vec<Symbol>,
    /// Numbers of literals and lengths, and of distances.
    counts: [[u32; 286]; 2],
    /// Start of the block in the plain bytes.
    start: usize,
    bits: Bits,
}

impl<W: FnMut(&[u8]) -> bool> Blocks<W> {
    pub(super) fn new(write: W) -> Self {
        let symbols = Vec::with_capacity(SYMBOLS);
        let mut blocks =
            Self { write, symbols, counts: [[0; 286]; 2], start: 0, bits: Bits::default() };
        blocks.begin(0);
        blocks
    }

    fn begin(&mut self, start: usize) {
        self.symbols.clear();
        self.counts = [[0; 286]; 2];
        self.count(0, END_OF_BLOCK);
        self.start = start;
    }

    fn count(&mut self, of: usize, code: usize) {
        if let Some(count) = self.counts.get_mut(of).and_then(|counts| counts.get_mut(code)) {
            *count = count.saturating_add(1);
        }
    }

    /// Adds a literal. Returns `true` if the block is full.
    pub(super) fn literal(&mut self, byte: u8) -> bool {
        self.count(0, byte.into());
        self.symbols.push(Symbol::Literal(byte));
        self.symbols.len() == SYMBOLS
    }

    /// Adds a match. Returns `true` if the block is full.
    pub(super) fn matched(&mut self, distance: usize, length: usize) -> bool {
        let (length, distance) = (length as u16, distance as u16);
        self.count(0, length_code(length).0);
        self.count(1, distance_code(distance).0);
        self.symbols.push(Symbol::Match { length, distance });
        self.symbols.len() == SYMBOLS
    }

    /// Writes the block, which ends at the offset `end` of `plain`. Returns `false` if the encoder
    /// is stopped.
    pub(super) fn end_block(&mut self, plain: &[u8], end: usize, is_last: bool) -> bool {
        let [literals, distances] = &self.counts;
        let literals = Tree::new(literals, 15);
        let distances = Tree::new(distances.get(..30).unwrap_or_default(), 15);
        let codes = Codes::new(&literals, &distances);
        let own = self.size(&literals, &distances).saturating_add(codes.size());
        let (fixed_literals, fixed_distances) = fixed();
        let fixed = self.size(&fixed_literals, &fixed_distances);
        let bytes = |bits: usize| bits.saturating_add(3 + 7) >> 3;
        let (own, fixed) = (bytes(own), bytes(fixed));
        let stored = plain.get(self.start..end).unwrap_or_default();
        let last = u32::from(is_last);
        if stored.len().saturating_add(4) <= own.min(fixed) {
            self.bits.put(last, 3);
            self.bits.align();
            let len = stored.len() as u16;
            self.bits.bytes.extend(len.to_le_bytes());
            self.bits.bytes.extend((!len).to_le_bytes());
            self.bits.bytes.extend(stored);
        } else if fixed <= own {
            self.bits.put(2 | last, 3);
            self.put_symbols(&fixed_literals, &fixed_distances);
        } else {
            self.bits.put(4 | last, 3);
            codes.put(&mut self.bits);
            self.put_symbols(&literals, &distances);
        }
        self.begin(end);
        let is_written = (self.write)(&self.bits.bytes);
        self.bits.bytes.clear();
        is_written
    }

    /// Returns the size of the symbols in bits.
    fn size(&self, literals: &Tree, distances: &Tree) -> usize {
        let [of_literals, of_distances] = &self.counts;
        let size = |counts: &[u32], tree: &Tree, extra: &dyn Fn(usize) -> u8| {
            let codes = counts.iter().enumerate().map(|(code, count)| {
                let bits = u32::from(tree.length(code)).saturating_add(extra(code).into());
                (*count).saturating_mul(bits) as usize
            });
            codes.sum::<usize>()
        };
        let length_bits = |code: usize| {
            let index = code.checked_sub(257);
            index.and_then(|index| LENGTH_BITS.get(index)).copied().unwrap_or_default()
        };
        let distance_bits = |code: usize| DISTANCE_BITS.get(code).copied().unwrap_or_default();
        size(of_literals, literals, &length_bits).saturating_add(size(
            of_distances,
            distances,
            &distance_bits,
        ))
    }

    fn put_symbols(&mut self, literals: &Tree, distances: &Tree) {
        for symbol in &self.symbols {
            match *symbol {
                Symbol::Literal(byte) => literals.put(byte.into(), &mut self.bits),
                Symbol::Match { length, distance } => {
                    let (code, extra, bits) = length_code(length);
                    literals.put(code, &mut self.bits);
                    self.bits.put(extra, bits);
                    let (code, extra, bits) = distance_code(distance);
                    distances.put(code, &mut self.bits);
                    self.bits.put(extra, bits);
                }
            }
        }
        literals.put(END_OF_BLOCK, &mut self.bits);
    }

    /// Writes the remaining bits and the bytes after the blocks.
    pub(super) fn finish(mut self, behind: &[u8]) -> bool {
        self.bits.align();
        self.bits.bytes.extend(behind);
        (self.write)(&self.bits.bytes)
    }
}

/// Returns the code of a length, and its further bits and their number.
fn length_code(length: u16) -> (usize, u32, u8) {
    let value = u32::from(length).saturating_sub(3);
    if length == 258 {
        return (285, 0, 0);
    }
    let (code, extra, bits) = code_of(value, &LENGTH_BITS);
    (code.saturating_add(257), extra, bits)
}

fn distance_code(distance: u16) -> (usize, u32, u8) {
    code_of(u32::from(distance).saturating_sub(1), &DISTANCE_BITS)
}

/// Returns the code whose range contains `value`.
fn code_of(value: u32, bits: &[u8]) -> (usize, u32, u8) {
    let mut base = 0u32;
    for (code, bits) in bits.iter().enumerate() {
        let next = base.saturating_add(1 << bits);
        if value < next {
            return (code, value.saturating_sub(base), *bits);
        }
        base = next;
    }
    (0, 0, 0)
}

/// Returns the fixed codes (RFC 1951, 3.2.6).
fn fixed() -> (Tree, Tree) {
    let length = |code: usize| match code {
        ..=143 => 8,
        144..=255 => 9,
        256..=279 => 7,
        280.. => 8,
    };
    (Tree::of((0..288).map(length).collect()), Tree::of([5; 30].to_vec()))
}

/// The lengths of the codes of a block, as they are stored.
struct Codes {
    /// Code lengths and repetitions, with the further bits of the latter and their number.
    items: Vec<(usize, u32, u8)>,
    tree: Tree,
    /// Numbers of code lengths: of literals, of distances, and of the codes for code lengths.
    counts: [usize; 3],
}

impl Codes {
    fn new(literals: &Tree, distances: &Tree) -> Self {
        let mut items = Vec::new();
        repeat(literals.used(), &mut items);
        repeat(distances.used(), &mut items);
        let mut counts = [0; 19];
        for (code, ..) in &items {
            if let Some(count) = counts.get_mut(*code) {
                *count = u32::saturating_add(*count, 1);
            }
        }
        let tree = Tree::new(&counts, 7);
        let last = ORDER.iter().rposition(|code| tree.length(*code) != 0).unwrap_or_default();
        let count = last.max(3).saturating_add(1);
        let counts = [literals.used().len(), distances.used().len(), count];
        Self { items, tree, counts }
    }

    /// Returns the size in bits.
    fn size(&self) -> usize {
        let item = |(code, _, bits): &(usize, u32, u8)| {
            usize::from(self.tree.length(*code)).saturating_add((*bits).into())
        };
        let items: usize = self.items.iter().map(item).sum();
        let [.., count] = self.counts;
        items.saturating_add(count.saturating_mul(3)).saturating_add(5 + 5 + 4)
    }

    fn put(&self, bits: &mut Bits) {
        let [literals, distances, count] = self.counts.map(|count| count as u32);
        bits.put(literals.saturating_sub(257), 5);
        bits.put(distances.saturating_sub(1), 5);
        bits.put(count.saturating_sub(4), 4);
        for code in ORDER.iter().take(count as usize) {
            bits.put(self.tree.length(*code).into(), 3);
        }
        for (code, extra, len) in &self.items {
            self.tree.put(*code, bits);
            bits.put(*extra, *len);
        }
    }
}

/// Appends code lengths, with repeated ones shortened as zlib does.
fn repeat(lengths: &[u8], items: &mut Vec<(usize, u32, u8)>) {
    let mut before = None;
    let (mut count, mut limits) = (0u32, limits(None, lengths.first().copied(), 0));
    let mut rest = lengths.iter().copied().peekable();
    while let Some(length) = rest.next() {
        count = count.saturating_add(1);
        let next = rest.peek().copied();
        let (most, least) = limits;
        if count < most && next == Some(length) {
            continue;
        }
        let plain = (usize::from(length), 0, 0);
        if count < least {
            (0..count).for_each(|_| items.push(plain));
        } else if length != 0 {
            if before != Some(length) {
                items.push(plain);
                count = count.saturating_sub(1);
            }
            items.push((16, count.saturating_sub(3), 2));
        } else if count <= 10 {
            items.push((17, count.saturating_sub(3), 3));
        } else {
            items.push((18, count.saturating_sub(11), 7));
        }
        count = 0;
        before = Some(length);
        limits = self::limits(before, next, length);
    }
}

/// Returns the numbers of equal code lengths that are shortened: at most, and at least.
fn limits(before: Option<u8>, next: Option<u8>, length: u8) -> (u32, u32) {
    match next {
        Some(0) => (138, 3),
        Some(next) if before.is_some() && next == length => (6, 3),
        _ => (7, 4),
    }
}

/// Bits, the lowest first.
#[derive(Default)]
pub(super) struct Bits {
    bytes: Vec<u8>,
    pending: u64,
    count: u32,
}

impl Bits {
    pub(super) fn put(&mut self, value: u32, count: u8) {
        self.pending |= u64::from(value) << self.count;
        self.count = self.count.saturating_add(count.into());
        while self.count >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.count = self.count.saturating_sub(8);
        }
    }

    fn align(&mut self) {
        if self.count > 0 {
            self.bytes.push(self.pending as u8);
        }
        (self.pending, self.count) = (0, 0);
    }
}

impl Tree {
    /// Writes a code.
    pub(super) fn put(&self, code: usize, bits: &mut Bits) {
        let length = self.length(code);
        bits.put(reversed(self.code(code), length), length);
    }
}
