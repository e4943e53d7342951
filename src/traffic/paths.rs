//! Which numbers stand for which nodes, told by the packets that have come by.

use super::flows::table;
use super::record::Node;
use crate::godot::StrRef;
use core::hash::BuildHasher;
use core::ops::Range;
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::vec::Vec;

/// Who gives numbers: in one direction of a connection its sender, or a peer whose
/// packets the sender relays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Sender {
    /// Which side of the connection.
    pub side: bool,
    pub peer: Option<i32>,
}

/// Numbers of one connection.
#[derive(Debug, Default)]
pub(super) struct Paths {
    nodes: HashMap<(Sender, u32), Entry, RandomState>,
    /// The number that a path got last, by the path's hash.
    numbers: HashMap<(Sender, u64), u32, RandomState>,
    /// All paths that were told, one behind the other.
    text: Vec<u8>,
}

#[derive(Debug)]
struct Entry {
    path: Range<usize>,
    checksum: Option<[u8; 32]>,
}

/// How many bytes of paths a connection may make us keep, with what each takes besides.
const MOST_BYTES: usize = 1 << 18;
const OVERHEAD: usize = 160;

impl Paths {
    pub(super) fn learn(
        &mut self,
        sender: Sender,
        id: u32,
        path: StrRef<'_>,
        checksum: Option<&[u8; 32]>,
    ) {
        let (path, checksum) = (path.as_bytes(), checksum.copied());
        let same = |entry: &Entry| self.path(entry) == path && entry.checksum == checksum;
        if self.nodes.get(&(sender, id)).is_some_and(same) {
            return; // told again, as it is until it is confirmed
        }
        let cost = path.len().saturating_add(OVERHEAD);
        if cost > MOST_BYTES {
            return;
        }
        // No game has so many nodes that call: somebody fills memory. Start again.
        if self.cost().saturating_add(cost) > MOST_BYTES {
            self.clear();
        }
        let start = self.text.len();
        self.text.extend_from_slice(path);
        self.numbers.insert((sender, self.hash(path)), id);
        let path = start..self.text.len();
        self.nodes.insert((sender, id), Entry { path, checksum });
    }

    /// Forgets everything, and keeps the memory for another connection.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.numbers.clear();
        self.text.clear();
    }

    pub(super) fn memory(&self) -> usize {
        let tables = table(&self.nodes).saturating_add(table(&self.numbers));
        self.text.capacity().saturating_add(tables)
    }

    pub(super) fn known(&self) -> Known<'_> {
        Known(Some(self))
    }

    fn cost(&self) -> usize {
        let entries = self.nodes.len().max(self.numbers.len());
        entries.saturating_mul(OVERHEAD).saturating_add(self.text.len())
    }

    fn path(&self, entry: &Entry) -> &[u8] {
        self.text.get(entry.path.clone()).unwrap_or_default()
    }

    fn hash(&self, path: &[u8]) -> u64 {
        self.numbers.hasher().hash_one(path)
    }

    fn node(&self, sender: Sender, id: u32) -> Option<Node<'_>> {
        let entry = self.nodes.get(&(sender, id))?;
        let path = StrRef::new(self.path(entry));
        Some(Node { id: Some(id), path: Some(path), checksum: entry.checksum.as_ref() })
    }
}

/// To look numbers up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'a>(pub Option<&'a Paths>);

impl<'a> Known<'a> {
    /// What the sender has told of a number.
    pub(super) fn node(self, sender: Sender, id: u32) -> Node<'a> {
        let node = self.0.and_then(|paths| paths.node(sender, id));
        node.unwrap_or(Node { id: Some(id), path: None, checksum: None })
    }

    /// The node with that path. It may have got a number, too, which is not confirmed yet;
    /// but it does not go by it.
    pub(super) fn named(self, sender: Sender, path: StrRef<'a>) -> Node<'a> {
        let number = self.0.and_then(|paths| {
            let number = paths.numbers.get(&(sender, paths.hash(path.as_bytes())))?;
            paths.node(sender, *number).filter(|node| node.path == Some(path))
        });
        let checksum = number.and_then(|node| node.checksum);
        Node { id: None, path: Some(path), checksum }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENDER: Sender = Sender { side: false, peer: None };

    /// Of which numbers from 0 on something is known, after paths that cost so much.
    fn known(costs: &[usize]) -> std::vec::Vec<bool> {
        let mut paths = Paths::default();
        for (id, cost) in (0..).zip(costs) {
            let path = std::vec![b'a' + id as u8; cost - OVERHEAD];
            paths.learn(SENDER, id, StrRef::new(&path), None);
        }
        let ids = 0..costs.len() as u32;
        ids.map(|id| paths.known().node(SENDER, id).path.is_some()).collect()
    }

    #[test]
    fn as_many_bytes_are_kept_as_may_be() {
        assert_eq!(known(&[MOST_BYTES]), [true]);
        assert_eq!(known(&[1000, MOST_BYTES - 1000]), [true, true]);
        assert_eq!(known(&[1000, MOST_BYTES - 999]), [false, true]);
        assert_eq!(known(&[1000, MOST_BYTES + 1]), [true, false]);
    }

    #[test]
    fn each_path_has_a_number_of_its_own() {
        let mut paths = Paths::default();
        let names = ["a", "b", "c"].map(|name| StrRef::new(name.as_bytes()));
        for (id, name) in (1..).zip(names) {
            paths.learn(SENDER, id, name, Some(&[id as u8; 32]));
        }
        let checksums = names.map(|name| paths.known().named(SENDER, name).checksum);
        assert_eq!(checksums, [Some(&[1; 32]), Some(&[2; 32]), Some(&[3; 32])]);
    }
}
