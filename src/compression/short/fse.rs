//! Finite state entropy coding with the predefined codes of Zstandard.

use crate::compression::zstd::predefined::{self, Code};

/// A state of a decoder for finite state entropy. Each state stands for a symbol. The next bits of
/// the input select the next state.
#[derive(Clone, Copy)]
struct State {
    symbol: u8,
    /// Number of bits that select the next state.
    bits: u8,
    /// The first of the states that can follow.
    base: u8,
}

/// The states of a decoder.
pub(super) struct Table {
    log: u32,
    states: [State; 64],
}

/// The table for literal lengths.
pub(super) const LITERAL_LENGTHS: Table = Table::new(&predefined::LITERAL_LENGTHS);
/// The table for match lengths.
pub(super) const MATCH_LENGTHS: Table = Table::new(&predefined::MATCH_LENGTHS);
/// The table for offsets.
pub(super) const OFFSETS: Table = Table::new(&predefined::OFFSETS);

impl Table {
    /// Builds the table for a code. Distributes the states over the symbols as a decoder does.
    #[allow(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "evaluated by the compiler"
    )]
    const fn new(code: &Code) -> Self {
        let (log, weights) = (code.log as u32, code.weights);
        let size = 1 << log;
        let mut states = [State { symbol: 0, bits: 0, base: 0 }; 64];
        let mut end = size;
        let mut symbol = 0;
        while symbol < weights.len() {
            if weights[symbol] == -1 {
                end -= 1;
                states[end].symbol = symbol as u8;
            }
            symbol += 1;
        }
        let (mut pos, mut symbol) = (0, 0);
        while symbol < weights.len() {
            let mut left = weights[symbol];
            while left > 0 {
                states[pos].symbol = symbol as u8;
                left -= 1;
                pos = (pos + size / 2 + size / 8 + 3) % size;
                while pos >= end {
                    pos = (pos + size / 2 + size / 8 + 3) % size;
                }
            }
            symbol += 1;
        }
        let mut next = [0; 64];
        let mut pos = 0;
        while pos < size {
            let symbol = states[pos].symbol as usize;
            let weight = if weights[symbol] == -1 { 1 } else { weights[symbol] as u32 };
            let number: u32 = weight + next[symbol];
            next[symbol] += 1;
            let bits = log - number.ilog2();
            states[pos].bits = bits as u8;
            states[pos].base = ((number << bits) - size as u32) as u8;
            pos += 1;
        }
        Self { log, states }
    }

    /// Returns a state that stands for `symbol`, the last symbol of the data.
    pub(super) fn last(&self, symbol: u8) -> u32 {
        let states = self.states.iter().take(1 << self.log);
        states.take_while(|state| state.symbol != symbol).count() as u32
    }

    /// Finds the state that stands for `symbol` and can precede the state `next`. Returns the
    /// number of this state, and the value and number of the bits that lead from it to `next`.
    pub(super) fn before(&self, symbol: u8, next: u32) -> (u32, [u32; 2]) {
        for (number, state) in (0..1 << self.log).zip(&self.states) {
            let bits = next.wrapping_sub(state.base.into());
            if state.symbol == symbol && bits >> state.bits == 0 {
                return (number, [bits, state.bits.into()]);
            }
        }
        debug_assert!(false, "each symbol has a state before each state");
        (0, [0, 0])
    }

    /// Returns the number of bits of a state.
    pub(super) const fn log(&self) -> u32 {
        self.log
    }
}
