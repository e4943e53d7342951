//! An index of names: finds the number of a class or string.

use alloc::vec::Vec;

/// A crit-bit tree (D. J. Bernstein). A lookup visits at most one node for each bit of the name,
/// whatever other names the tree contains, so no file can slow a lookup down with collisions.
#[derive(Clone, Debug, Default)]
pub(in crate::rems) struct NameTree {
    nodes: Vec<Node>,
    /// Number of names, which are numbered in order of insertion.
    len: u32,
    root: Child,
}

/// A branch, at the first bit in which two names differ.
#[derive(Clone, Copy, Debug)]
struct Node {
    position: BitPosition,
    children: [Child; 2],
    /// The number of any one of the names in this subtree.
    any: u32,
}

/// Position of a bit in a name. Positions are ordered from the start of the name to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct BitPosition {
    symbol: usize,
    /// Index of the bit in the 16-bit [`symbol`], counted from the highest bit.
    bit: u32,
}

#[derive(Clone, Copy, Debug, Default)]
enum Child {
    #[default]
    None,
    Name(u32),
    Node(u32),
}

/// Returns 0x100 plus the byte at index `at`, or 0 after the end of the name. Bit 8 thus
/// distinguishes a zero byte from the end of the name.
fn symbol(name: &[u8], at: usize) -> u16 {
    name.get(at).map_or(0, |byte| 0x100 | u16::from(*byte))
}

impl BitPosition {
    fn of(self, name: &[u8]) -> usize {
        usize::from(symbol(name, self.symbol).wrapping_shl(self.bit) >> 15)
    }

    /// Returns the first bit in which two names differ.
    fn between(a: &[u8], b: &[u8]) -> Option<Self> {
        let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        match symbol(a, same) ^ symbol(b, same) {
            0 => None,
            differs => Some(Self { symbol: same, bit: differs.leading_zeros() }),
        }
    }
}

impl NameTree {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        (self.len, self.root) = (0, Child::None);
    }

    /// Returns the number of a name that has the longest common prefix with `name`.
    fn nearest(&self, name: &[u8]) -> Option<u32> {
        let mut at = self.root;
        loop {
            match at {
                Child::None => return None,
                Child::Name(found) => return Some(found),
                Child::Node(node) => {
                    let node = self.nodes.get(node as usize)?;
                    // All names of this subtree differ only after the end of `name`.
                    if node.position.symbol > name.len() {
                        return Some(node.any);
                    }
                    at = *node.children.get(node.position.of(name))?;
                }
            }
        }
    }

    /// Returns the number of a name, if the tree contains it. `text` must return the name that has
    /// a given number.
    pub(super) fn find<'a>(&self, name: &[u8], text: impl Fn(u32) -> &'a [u8]) -> Option<u32> {
        self.nearest(name).filter(|found| text(*found) == name)
    }

    /// Returns the number of a name. Adds the name if the tree does not contain it.
    pub(in crate::rems) fn find_or_add<'a>(
        &mut self,
        name: &[u8],
        text: impl Fn(u32) -> &'a [u8],
    ) -> u32 {
        let added = self.len;
        let Some(nearest) = self.nearest(name) else {
            (self.root, self.len) = (Child::Name(added), added.saturating_add(1));
            return added;
        };
        let Some(position) = BitPosition::between(name, text(nearest)) else { return nearest };
        let node = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        let below = core::mem::replace(self.child_at(name, position), Child::Node(node));
        let mut children = [below; 2];
        if let Some(child) = children.get_mut(position.of(name)) {
            *child = Child::Name(added);
        }
        self.nodes.push(Node { position, children, any: added });
        self.len = added.saturating_add(1);
        added
    }

    /// Follows the path of a name from the root. Returns the first child that is a name, or a node
    /// that branches after `position`.
    fn child_at(&mut self, name: &[u8], position: BitPosition) -> &mut Child {
        let mut way = None;
        let mut at = self.root;
        while let Child::Node(index) = at {
            let Some(node) = self.nodes.get(index as usize) else { break };
            if node.position > position {
                break;
            }
            let side = node.position.of(name);
            way = Some((index as usize, side));
            at = node.children.get(side).copied().unwrap_or_default();
        }
        match way.and_then(|(node, side)| self.nodes.get_mut(node)?.children.get_mut(side)) {
            Some(child) => child,
            None => &mut self.root,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::NameTree;

    const TEXTS: [&[u8]; 12] = [
        b"a",
        b"",
        b"\0",
        b"a\0",
        b"ab",
        b"abc",
        b"b",
        b"\xFF",
        b"a\0\0",
        b"abd",
        b"aaaaaaaaaaaa",
        b"aaaaaaaaaaab",
    ];

    #[test]
    fn each_name_is_found() {
        are_found(&TEXTS);
    }

    /// Adds every sequence of three names, so that later names branch before and after the first
    /// two.
    #[test]
    fn each_name_is_found_in_any_order() {
        for a in TEXTS {
            for b in TEXTS.into_iter().filter(|b| *b != a) {
                for c in TEXTS.into_iter().filter(|c| *c != a && *c != b) {
                    are_found(&[a, b, c]);
                }
            }
        }
    }

    /// Checks that every name is found after it is added, and not before.
    fn are_found(texts: &[&[u8]]) {
        let mut names = NameTree::default();
        let text = |at: u32| texts[at as usize];
        for (at, name) in texts.iter().enumerate() {
            assert_eq!(names.find(name, text), None);
            assert_eq!(names.find_or_add(name, text), at as u32);
            for (at, name) in texts.iter().enumerate().take(at + 1) {
                assert_eq!(names.find(name, text), Some(at as u32));
                assert_eq!(names.find_or_add(name, text), at as u32);
            }
        }
    }
}
