//! The work that a traversal does with every leaf, the same for each format.

use std::hash::{DefaultHasher, Hasher};

#[path = "../../../benches/support/checksum.rs"]
pub mod checksum;

pub use checksum::Checksum;

/// A receiver of leaves. Keys are reported as strings, and containers and vectors as their parts.
pub trait Eye: Default {
    fn null(&mut self);
    fn int(&mut self, value: i64);
    fn float(&mut self, value: f64);
    fn bool(&mut self, value: bool);
    fn text(&mut self, text: &str);
    /// Receives a string whose encoding was not checked.
    fn bytes(&mut self, text: &[u8]);

    /// Receives the names of a path. Other formats store a path as one string.
    #[inline(always)]
    fn path<'t>(&mut self, names: impl Iterator<Item = &'t str>) {
        names.for_each(|name| self.text(name));
    }
}

/// The receiver that is timed. It does little work, and the compiler cannot remove any of it.
impl Eye for Checksum {
    #[inline(always)]
    fn null(&mut self) {
        self.add(0);
    }

    #[inline(always)]
    fn int(&mut self, value: i64) {
        self.add(value as u64);
    }

    #[inline(always)]
    fn float(&mut self, value: f64) {
        self.add(value.to_bits());
    }

    #[inline(always)]
    fn bool(&mut self, value: bool) {
        self.add(u64::from(value));
    }

    #[inline(always)]
    fn text(&mut self, text: &str) {
        Checksum::text(self, text);
    }

    #[inline(always)]
    fn bytes(&mut self, text: &[u8]) {
        Checksum::text(self, text);
    }
}

/// A receiver that ignores the leaves, so that only the checks of the traversal remain.
#[derive(Default)]
pub struct Blind;

impl Eye for Blind {
    fn null(&mut self) {}
    fn int(&mut self, _: i64) {}
    fn float(&mut self, _: f64) {}
    fn bool(&mut self, _: bool) {}
    fn text(&mut self, _: &str) {}
    fn bytes(&mut self, _: &[u8]) {}
}

/// A receiver that counts the leaves of each kind and sums their values. It ignores what some
/// formats or crates lose: the order of the leaves (FlexBuffers), the width of floats (BSON and
/// JSON), and the sign of a zero (`sonic-rs`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Census {
    nulls: u64,
    ints: Tally,
    floats: Tally,
    bools: Tally,
    texts: Tally,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Tally {
    count: u64,
    sum: u64,
}

impl Tally {
    fn add(&mut self, leaf: &[u8]) {
        let mut hasher = DefaultHasher::new();
        hasher.write(leaf);
        self.count += 1;
        self.sum = self.sum.wrapping_add(hasher.finish());
    }
}

impl Eye for Census {
    fn null(&mut self) {
        self.nulls += 1;
    }

    fn int(&mut self, value: i64) {
        self.ints.add(&value.to_le_bytes());
    }

    fn float(&mut self, value: f64) {
        let value = value as f32 + 0.0; // no negative zero
        self.floats.add(&value.to_le_bytes());
    }

    fn bool(&mut self, value: bool) {
        self.bools.add(&[u8::from(value)]);
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn bytes(&mut self, text: &[u8]) {
        self.texts.add(text);
    }

    fn path<'t>(&mut self, names: impl Iterator<Item = &'t str>) {
        self.text(&names.fold(String::new(), |path, name| path + "/" + name));
    }
}
