//! Detects the dialects in which a packet is one complete value.

use crate::godot::{Dialect, Reader};
use core::fmt;

/// A set of dialects.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct DialectSet(u8);

impl DialectSet {
    /// Returns `true` if `dialect` is in the set.
    pub const fn contains(self, dialect: Dialect) -> bool {
        self.0 & Self::bit(dialect) != 0
    }

    /// Returns the number of dialects in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns `true` if the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over the dialects in the set.
    pub fn iter(self) -> impl Iterator<Item = Dialect> + Clone {
        Dialect::ALL.iter().copied().filter(move |dialect| self.contains(*dialect))
    }

    const fn bit(dialect: Dialect) -> u8 {
        1_u8.wrapping_shl(dialect as u32)
    }
}

const _: () = assert!(Dialect::ALL.len() <= 8);

impl fmt::Debug for DialectSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// Returns the dialects in which `packet` is exactly one value.
///
/// The set often contains more than one dialect, because some values have the same bytes in all
/// engines. These are null, bools, 32-bit ints and floats, Strings, and Vector2 with `f32`
/// components. Use the set to narrow the choice, and let the user decide.
///
/// ```
/// use gamewire::godot::{Dialect, detect};
///
/// let array = [28, 0, 0, 0, 0, 0, 0, 0]; // an empty Array in Godot 4
/// let set = detect(&array);
/// assert!(set.contains(Dialect::Godot4));
/// assert!(!set.contains(Dialect::Godot3)); // ids end at 26 there
/// ```
pub fn detect(packet: &[u8]) -> DialectSet {
    let fits = |dialect: &&Dialect| {
        let mut reader = Reader::new(packet, **dialect);
        reader.skip().and_then(|()| reader.finish()).is_ok()
    };
    let bits = Dialect::ALL.iter().filter(fits).map(|dialect| DialectSet::bit(*dialect));
    DialectSet(bits.fold(0, |set, bit| set | bit))
}
