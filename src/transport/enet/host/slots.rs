//! The free places for peers.

use super::config::MAX_PEERS;

const WORDS: usize = (MAX_PEERS as usize).div_ceil(64);

/// A set of numbers. ENet gives a new peer the lowest free place; so does this.
#[derive(Debug)]
pub(super) struct Slots([u64; WORDS]);

impl Slots {
    pub(super) fn new(count: usize) -> Self {
        let mut slots = Self([0; WORDS]);
        (0..count as u16).for_each(|slot| slots.put_back(slot));
        slots
    }

    /// Removes the lowest number.
    pub(super) fn take(&mut self) -> Option<u16> {
        let (word, bits) = self.0.iter_mut().enumerate().find(|(_, bits)| **bits != 0)?;
        let bit = bits.trailing_zeros();
        *bits &= bits.wrapping_sub(1);
        Some((word as u16).wrapping_mul(64).wrapping_add(bit as u16))
    }

    pub(super) fn put_back(&mut self, slot: u16) {
        if let Some(bits) = self.0.get_mut(usize::from(slot / 64)) {
            *bits |= 1 << (slot % 64);
        }
    }
}
