//! Classes by their names.

use alloc::vec::Vec;

/// A crit-bit tree: a name that is looked up costs as many steps as it has bits, whatever the
/// others are, and there is nothing by which a file could make them collide.
#[derive(Clone, Debug, Default)]
pub(in crate::rems) struct NameTree {
    nodes: Vec<Node>,
    /// How many names there are; they are numbered in the order of their coming.
    len: u32,
    root: Child,
}

/// Where two names part: the first bit in which they differ.
#[derive(Clone, Copy, Debug)]
struct Node {
    position: BitPosition,
    children: [Child; 2],
    /// A name that is somewhere below.
    any: u32,
}

/// The bit of a symbol; what comes first is less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct BitPosition {
    symbol: usize,
    /// From the highest, which says that the name goes on so far.
    bit: u32,
}

#[derive(Clone, Copy, Debug, Default)]
enum Child {
    #[default]
    None,
    Name(u32),
    Node(u32),
}

/// A byte below a bit that says that there is one.
fn symbol(name: &[u8], at: usize) -> u16 {
    name.get(at).map_or(0, |byte| 0x100 | u16::from(*byte))
}

impl BitPosition {
    fn of(self, name: &[u8]) -> usize {
        usize::from(symbol(name, self.symbol).wrapping_shl(self.bit) >> 15)
    }

    /// Where the two part.
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

    /// A name that shares as much with this one as any.
    fn nearest(&self, name: &[u8]) -> Option<u32> {
        let mut at = self.root;
        loop {
            match at {
                Child::None => return None,
                Child::Name(found) => return Some(found),
                Child::Node(node) => {
                    let node = self.nodes.get(node as usize)?;
                    // All below go on where this name has ended.
                    if node.position.symbol > name.len() {
                        return Some(node.any);
                    }
                    at = *node.children.get(node.position.of(name))?;
                }
            }
        }
    }

    /// The number of a name; `text` gives the name of a number.
    pub(super) fn find<'a>(&self, name: &[u8], text: impl Fn(u32) -> &'a [u8]) -> Option<u32> {
        self.nearest(name).filter(|found| text(*found) == name)
    }

    /// The same; a name that is not there gets the next number.
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

    /// On the way of a name, the first child whose names part behind that position.
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

    /// Those that come first part anywhere, and those behind them before or behind that.
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

    /// Each that was added, and none before.
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
