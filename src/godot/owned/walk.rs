//! Visits a value and everything nested in it. There is no recursion, so the depth of the value
//! does not affect how much stack is used.

use super::Variant;
use alloc::vec::Vec;
use core::slice;

/// An iterator over a value and everything nested in it, in the order in which the values are
/// written to a packet.
pub(super) struct Walk<'v> {
    /// The remaining items of the innermost open container. At first, only the value itself.
    items: Items<'v>,
    /// The remaining items of the containers around it, outermost first.
    around: Vec<Items<'v>>,
}

pub(super) enum Step<'v> {
    /// An item and, in an object, its name. If it is a container, its items follow, and then
    /// [`Close`](Self::Close).
    Item { name: Option<&'v [u8]>, value: &'v Variant },
    /// The end of a container.
    Close,
}

impl<'v> Walk<'v> {
    pub fn new(value: &'v Variant) -> Self {
        Self { items: Items::Values(slice::from_ref(value).iter()), around: Vec::new() }
    }

    /// Returns the number of open containers. A container counts as open as soon as `next` has
    /// returned it.
    pub fn levels(&self) -> usize {
        self.around.len()
    }
}

impl<'v> Iterator for Walk<'v> {
    type Item = Step<'v>;

    #[inline(always)]
    fn next(&mut self) -> Option<Step<'v>> {
        let Some((name, value)) = self.items.next() else {
            self.items = self.around.pop()?;
            return Some(Step::Close);
        };
        if let Some(inner) = Items::of(value) {
            self.around.push(core::mem::replace(&mut self.items, inner));
        }
        Some(Step::Item { name, value })
    }
}

/// The items of a container that are still to be visited.
enum Items<'v> {
    Values(slice::Iter<'v, Variant>),
    /// The remaining items of a dictionary. If a key was visited last, the first field is its
    /// value, which is visited next. The second field iterates over the pairs that follow.
    Pairs(Option<&'v Variant>, slice::Iter<'v, (Variant, Variant)>),
    Properties(slice::Iter<'v, (Vec<u8>, Variant)>),
}

impl<'v> Items<'v> {
    /// Returns the items of a container, or `None` for a leaf.
    #[inline(always)]
    fn of(value: &'v Variant) -> Option<Self> {
        match value {
            Variant::Leaf(_) => None,
            Variant::Array(array) => Some(Self::Values(array.items.iter())),
            Variant::Dictionary(dictionary) => Some(Self::Pairs(None, dictionary.pairs.iter())),
            Variant::Object(object) => Some(Self::Properties(object.properties.iter())),
        }
    }

    /// Returns the next item and, in an object, its name.
    #[inline(always)]
    fn next(&mut self) -> Option<(Option<&'v [u8]>, &'v Variant)> {
        match self {
            Self::Values(values) => values.next().map(|value| (None, value)),
            Self::Pairs(due, pairs) => {
                if let Some(value) = due.take() {
                    return Some((None, value));
                }
                let (key, value) = pairs.next()?;
                *due = Some(value);
                Some((None, key))
            }
            Self::Properties(properties) => {
                properties.next().map(|(name, value)| (Some(&**name), value))
            }
        }
    }
}
