//! Huffman codes of limited length, with the lengths that zlib chooses among equally good ones.

use alloc::vec;
use alloc::vec::Vec;

/// A code for each symbol.
pub(super) struct Tree {
    lengths: Vec<u8>,
    codes: Vec<u16>,
    /// Number of symbols up to the last one that has a code.
    used: usize,
}

impl Tree {
    /// Creates codes of these lengths.
    pub(super) fn of(lengths: Vec<u8>) -> Self {
        let used = lengths.len();
        let codes = codes(&lengths);
        Self { lengths, codes, used }
    }

    /// Creates codes of at most `most` bits for symbols that occur as often as `counts` says.
    pub(super) fn new(counts: &[u32], most: u8) -> Self {
        let mut heap = Heap::new(counts);
        let leaves = counts.len();
        let parents = heap.build(leaves);
        let mut lengths = heap.lengths(&parents, leaves, most);
        lengths.truncate(leaves);
        let codes = codes(&lengths);
        Self { lengths, codes, used: heap.used }
    }

    pub(super) fn length(&self, symbol: usize) -> u8 {
        self.lengths.get(symbol).copied().unwrap_or_default()
    }

    pub(super) fn code(&self, symbol: usize) -> u16 {
        self.codes.get(symbol).copied().unwrap_or_default()
    }

    /// Returns the lengths up to the last symbol that has a code.
    pub(super) fn used(&self) -> &[u8] {
        self.lengths.get(..self.used).unwrap_or_default()
    }
}

/// Returns the bits of a code in reverse order.
pub(super) fn reversed(code: u16, length: u8) -> u32 {
    let shift = 16u32.saturating_sub(length.into());
    u32::from(code.reverse_bits()).checked_shr(shift).unwrap_or_default()
}

/// Returns the codes for the lengths (RFC 1951, 3.2.2).
fn codes(lengths: &[u8]) -> Vec<u16> {
    let mut next = [0u16; 17];
    for bits in 1..=15u8 {
        let shorter = lengths.iter().filter(|length| **length == bits).count() as u16;
        let (from, to) = (usize::from(bits), usize::from(bits).saturating_add(1));
        let code = next.get(from).copied().unwrap_or_default().wrapping_add(shorter);
        if let Some(next) = next.get_mut(to) {
            *next = code.wrapping_shl(1);
        }
    }
    let code = |length: &u8| match next.get_mut(usize::from(*length)) {
        Some(next) if *length > 0 => {
            let code = *next;
            *next = next.wrapping_add(1);
            code
        }
        _ => 0,
    };
    lengths.iter().map(code).collect()
}

/// A heap of nodes: leaves, which are symbols, and inner nodes after them.
struct Heap {
    counts: Vec<u32>,
    depths: Vec<u8>,
    /// The nodes; index 0 is not used.
    nodes: Vec<usize>,
    /// Nodes in the order in which they left the heap.
    order: Vec<usize>,
    used: usize,
}

impl Heap {
    /// Creates a heap of the symbols that occur. zlib gives a code to at least two symbols.
    fn new(counts: &[u32]) -> Self {
        let size = counts.len().saturating_mul(2).saturating_add(1);
        let occurring = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        let mut nodes = vec![0];
        nodes.extend(occurring.map(|(symbol, _)| symbol));
        let mut counts = counts.to_vec();
        counts.resize(size, 0);
        let mut used =
            nodes.last().filter(|_| nodes.len() > 1).map_or(0, |last| last.saturating_add(1));
        while nodes.len() < 3 {
            let symbol = if used < 3 { used } else { 0 };
            used = used.max(symbol.saturating_add(1));
            if let Some(count) = counts.get_mut(symbol) {
                *count = 1;
            }
            nodes.push(symbol);
        }
        Self { counts, depths: vec![0; size], nodes, order: Vec::new(), used }
    }

    fn count(&self, node: usize) -> u32 {
        self.counts.get(node).copied().unwrap_or_default()
    }

    fn depth(&self, node: usize) -> u8 {
        self.depths.get(node).copied().unwrap_or_default()
    }

    fn node(&self, index: usize) -> usize {
        self.nodes.get(index).copied().unwrap_or_default()
    }

    /// Returns `true` if a node is rarer than another, or as rare and not deeper.
    fn is_smaller(&self, one: usize, other: usize) -> bool {
        (self.count(one), self.depth(one)) <= (self.count(other), self.depth(other))
    }

    fn set(&mut self, index: usize, node: usize) {
        if let Some(place) = self.nodes.get_mut(index) {
            *place = node;
        }
    }

    /// Moves the node at an index down until its children are not smaller.
    fn sink(&mut self, mut index: usize) {
        let node = self.node(index);
        loop {
            let mut child = index.saturating_mul(2);
            if child >= self.nodes.len() {
                break;
            }
            let sibling = child.saturating_add(1);
            if sibling < self.nodes.len() && self.is_smaller(self.node(sibling), self.node(child)) {
                child = sibling;
            }
            if self.is_smaller(node, self.node(child)) {
                break;
            }
            self.set(index, self.node(child));
            index = child;
        }
        self.set(index, node);
    }

    /// Joins the two smallest nodes until one is left. Returns the parent of each node.
    fn build(&mut self, leaves: usize) -> Vec<usize> {
        let mut parents = vec![0; self.counts.len()];
        for index in (1..=self.nodes.len().saturating_sub(1) / 2).rev() {
            self.sink(index);
        }
        let mut next = leaves;
        while self.nodes.len() > 2 {
            let one = self.node(1);
            if let Some(last) = self.nodes.pop() {
                self.set(1, last);
            }
            self.sink(1);
            let two = self.node(1);
            self.order.extend([one, two]);
            let count = self.count(one).saturating_add(self.count(two));
            let depth = self.depth(one).max(self.depth(two)).saturating_add(1);
            let places = (self.counts.get_mut(next), self.depths.get_mut(next));
            if let (Some(of_count), Some(of_depth)) = places {
                (*of_count, *of_depth) = (count, depth);
            }
            for node in [one, two] {
                if let Some(parent) = parents.get_mut(node) {
                    *parent = next;
                }
            }
            self.set(1, next);
            next = next.saturating_add(1);
            self.sink(1);
        }
        self.order.push(self.node(1));
        parents
    }

    /// Returns the length of the code of each node, at most `most`.
    fn lengths(&self, parents: &[usize], leaves: usize, most: u8) -> Vec<u8> {
        let mut lengths = vec![0u8; self.counts.len()];
        let mut counts = [0u32; 17];
        let mut overflow = 0u32;
        // The root is the last node that left the heap.
        for node in self.order.iter().rev().skip(1) {
            let parent = parents.get(*node).copied().unwrap_or_default();
            let length = lengths.get(parent).copied().unwrap_or_default().saturating_add(1);
            if length > most {
                overflow = overflow.saturating_add(1);
            }
            let length = length.min(most);
            if let Some(place) = lengths.get_mut(*node) {
                *place = length;
            }
            if let Some(count) = counts.get_mut(usize::from(length)).filter(|_| *node < leaves) {
                *count = count.saturating_add(1);
            }
        }
        if overflow > 0 {
            shorten(&mut counts, overflow, most);
            self.assign(&counts, leaves, most, &mut lengths);
        }
        lengths
    }

    /// Gives the lengths to the leaves, the longest to the rarest.
    fn assign(&self, counts: &[u32; 17], leaves: usize, most: u8, lengths: &mut [u8]) {
        let mut rarest = self.order.iter().filter(|node| **node < leaves);
        for length in (1..=most).rev() {
            let count = counts.get(usize::from(length)).copied().unwrap_or_default();
            for _ in 0..count {
                let place = rarest.next().and_then(|node| lengths.get_mut(*node));
                if let Some(place) = place {
                    *place = length;
                }
            }
        }
    }
}

/// Moves leaves up until no code is longer than `most` bits.
fn shorten(counts: &mut [u32; 17], mut overflow: u32, most: u8) {
    let most = usize::from(most);
    let mut change = |index: usize, by: i32| {
        if let Some(count) = counts.get_mut(index) {
            *count = count.saturating_add_signed(by);
        }
        counts.get(index).copied().unwrap_or_default()
    };
    while overflow > 0 {
        let Some(length) = (1..most).rev().find(|length| change(*length, 0) > 0) else { return };
        change(length, -1);
        change(length.saturating_add(1), 2);
        change(most, -1);
        overflow = overflow.saturating_sub(2);
    }
}
