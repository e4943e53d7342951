//! Drops containers without recursion beyond the first levels.
//!
//! Rust would drop the items of a container recursively. To avoid this, the items are taken out of
//! each container before it is dropped.

use super::{Array, Dictionary, Object, RECURSIVE_LEVELS, Variant};
use alloc::vec::Vec;

impl Drop for Array {
    fn drop(&mut self) {
        if !self.items.is_empty() {
            drop_items(&mut self.items, RECURSIVE_LEVELS);
        }
    }
}

impl Drop for Dictionary {
    fn drop(&mut self) {
        if !self.pairs.is_empty() {
            drop_items(&mut self.pairs, RECURSIVE_LEVELS);
        }
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        if !self.properties.is_empty() {
            drop_items(&mut self.properties, RECURSIVE_LEVELS);
        }
    }
}

/// Drops the items of a container, with recursion through at most `levels` levels.
fn drop_items<I: Item>(items: &mut Vec<I>, levels: u32) {
    match levels.checked_sub(1) {
        Some(levels) => core::mem::take(items).into_iter().for_each(|item| item.drop(levels)),
        None => drop_nested(items),
    }
}

/// Drops a container, with recursion through at most `levels` levels. This function is not inlined.
/// If it were, the code that drops a leaf would also save the registers that this function needs.
#[inline(never)]
fn drop_container(mut container: Variant, levels: u32) {
    match &mut container {
        Variant::Leaf(_) => {}
        Variant::Array(array) => drop_items(&mut array.items, levels),
        Variant::Dictionary(dictionary) => drop_items(&mut dictionary.pairs, levels),
        Variant::Object(object) => drop_items(&mut object.properties, levels),
    }
}

/// Drops all [nested](Item::is_nested) items of a container and everything in them, without
/// recursion. Always continues with the last nested item, so the required memory depends on the
/// depth of the value and not on the number of its items.
fn drop_nested<I: Item>(items: &mut Vec<I>) {
    let mut open = Vec::new();
    while let Some(nested) = pop_nested(items) {
        push_containers(&mut open, nested);
        while let Some(innermost) = open.last_mut() {
            let nested = match innermost {
                Variant::Leaf(_) => None,
                Variant::Array(array) => pop_nested(&mut array.items),
                Variant::Dictionary(dictionary) => pop_nested(&mut dictionary.pairs),
                Variant::Object(object) => pop_nested(&mut object.properties),
            };
            match nested {
                Some(nested) => push_containers(&mut open, nested),
                // None of the items left in the container has nested items.
                None => core::mem::drop(open.pop()),
            }
        }
    }
}

/// Removes the last [nested](Item::is_nested) item, and returns its values. Drops the items after
/// it.
fn pop_nested<I: Item>(items: &mut Vec<I>) -> Option<[Variant; 2]> {
    let last = items.iter().rposition(Item::is_nested)?;
    items.truncate(last.saturating_add(1));
    items.pop().map(Item::into_values)
}

fn push_containers(open: &mut Vec<Variant>, values: [Variant; 2]) {
    open.extend(values.into_iter().filter(Item::is_nested));
}

/// An item of a container.
trait Item: Sized {
    /// Drops the item, with recursion through at most `levels` levels.
    fn drop(self, levels: u32);

    /// Returns `true` if the item, or its key or value, is a container with items.
    fn is_nested(&self) -> bool;

    /// Returns the key, if there is one, and the value.
    fn into_values(self) -> [Variant; 2];
}

impl Item for Variant {
    #[inline(always)]
    fn drop(self, levels: u32) {
        match self {
            Self::Leaf(leaf) => drop(leaf),
            container => drop_container(container, levels),
        }
    }

    fn is_nested(&self) -> bool {
        self.len() > 0
    }

    fn into_values(self) -> [Variant; 2] {
        [Self::NIL, self]
    }
}

impl Item for (Variant, Variant) {
    fn drop(self, levels: u32) {
        self.0.drop(levels);
        self.1.drop(levels);
    }

    fn is_nested(&self) -> bool {
        self.0.is_nested() || self.1.is_nested()
    }

    fn into_values(self) -> [Variant; 2] {
        self.into()
    }
}

impl Item for (Vec<u8>, Variant) {
    fn drop(self, levels: u32) {
        self.1.drop(levels);
    }

    fn is_nested(&self) -> bool {
        self.1.is_nested()
    }

    fn into_values(self) -> [Variant; 2] {
        [Variant::NIL, self.1]
    }
}
