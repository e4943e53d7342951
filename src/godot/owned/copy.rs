//! `Clone` and `PartialEq` of owned values.
//!
//! Both visit the first levels by recursion, which is twice as fast as a [`Walk`], and deeper
//! levels with a walk.

use super::build::Builder;
use super::walk::{Step, Walk};
use super::{RECURSIVE_LEVELS, Variant};

impl Clone for Variant {
    fn clone(&self) -> Self {
        self.copied(RECURSIVE_LEVELS)
    }
}

impl PartialEq for Variant {
    fn eq(&self, other: &Self) -> bool {
        self.equals(other, RECURSIVE_LEVELS)
    }
}

impl Eq for Variant {}

impl Variant {
    /// Copies a value, with recursion through at most `levels` levels.
    fn copied(&self, levels: u32) -> Self {
        if let Self::Leaf(leaf) = self {
            return Self::Leaf(leaf.clone());
        }
        let Some(levels) = levels.checked_sub(1) else { return self.copied_by_walk() };
        let mut copy = self.without_items();
        match (self, &mut copy) {
            (Self::Array(array), Self::Array(copy)) => {
                copy.items.extend(array.items.iter().map(|item| item.copied(levels)));
            }
            (Self::Dictionary(dictionary), Self::Dictionary(copy)) => {
                let pairs = dictionary.pairs.iter();
                copy.pairs.extend(pairs.map(|(k, v)| (k.copied(levels), v.copied(levels))));
            }
            (Self::Object(object), Self::Object(copy)) => {
                let properties = object.properties.iter();
                copy.properties.extend(properties.map(|(n, v)| (n.clone(), v.copied(levels))));
            }
            _ => {}
        }
        copy
    }

    /// Copies a value without recursion.
    fn copied_by_walk(&self) -> Self {
        let mut copy = Builder::default();
        for step in Walk::new(self) {
            match step {
                Step::Close => copy.close(),
                Step::Item { name, value } => {
                    if let Some(name) = name {
                        copy.name(name);
                    }
                    match value {
                        Self::Leaf(_) => copy.item(value.without_items()),
                        _ => copy.open(value.without_items()),
                    }
                }
            }
        }
        copy.done
    }

    /// Copies a leaf, or a container without its items.
    fn without_items(&self) -> Self {
        match self {
            Self::Leaf(leaf) => Self::Leaf(leaf.clone()),
            Self::Array(array) => Self::Array(array.without_items()),
            Self::Dictionary(dictionary) => Self::Dictionary(dictionary.without_items()),
            Self::Object(object) => Self::Object(object.without_items()),
        }
    }

    /// Compares two values, with recursion through at most `levels` levels.
    fn equals(&self, other: &Self, levels: u32) -> bool {
        if let (Self::Leaf(a), Self::Leaf(b)) = (self, other) {
            return a == b;
        }
        let Some(levels) = levels.checked_sub(1) else { return self.equals_by_walk(other) };
        if self.len() != other.len() || !self.equals_without_items(other) {
            return false;
        }
        match (self, other) {
            (Self::Array(a), Self::Array(b)) => {
                a.items.iter().zip(&b.items).all(|(a, b)| a.equals(b, levels))
            }
            (Self::Dictionary(a), Self::Dictionary(b)) => {
                let mut both = a.pairs.iter().zip(&b.pairs);
                both.all(|(a, b)| a.0.equals(&b.0, levels) && a.1.equals(&b.1, levels))
            }
            (Self::Object(a), Self::Object(b)) => {
                let mut both = a.properties.iter().zip(&b.properties);
                both.all(|(a, b)| a.0 == b.0 && a.1.equals(&b.1, levels))
            }
            _ => true,
        }
    }

    /// Compares two values without recursion.
    fn equals_by_walk(&self, other: &Self) -> bool {
        let (mut these, mut others) = (Walk::new(self), Walk::new(other));
        loop {
            let equal = match (these.next(), others.next()) {
                (None, None) => return true,
                (Some(Step::Close), Some(Step::Close)) => true,
                (Some(Step::Item { name, value }), Some(Step::Item { name: n, value: v })) => {
                    name == n && value.equals_without_items(v)
                }
                _ => false,
            };
            if !equal {
                return false;
            }
        }
    }

    /// Compares two leaves, or everything except the items of two containers.
    fn equals_without_items(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Leaf(a), Self::Leaf(b)) => a == b,
            (Self::Array(a), Self::Array(b)) => a.has_same_head(b),
            (Self::Dictionary(a), Self::Dictionary(b)) => a.has_same_head(b),
            (Self::Object(a), Self::Object(b)) => a.has_same_head(b),
            _ => false,
        }
    }
}
