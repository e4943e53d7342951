//! Paths of nodes by number, as announced by earlier packets.

#[cfg(feature = "serde")]
pub(super) mod state;

use super::hash::RandomState;
use super::node::Node;
use crate::godot::StrRef;
use core::hash::BuildHasher;
use core::ops::Range;
use std::collections::HashMap;
use std::vec::Vec;

/// A peer that assigns numbers to nodes: the sender in one direction of a connection, or a peer
/// whose packets that sender relays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Sender {
    /// The direction (see [`Context`](super::Context)).
    pub side: bool,
    /// The relayed peer.
    pub peer: Option<i32>,
}

/// The numbered nodes of one connection.
#[derive(Clone, Debug, Default)]
pub(super) struct Paths {
    nodes: HashMap<(Sender, u32), Entry, RandomState>,
    /// The last number assigned to a path, by hash of the path.
    numbers: HashMap<(Sender, u64), u32, RandomState>,
    /// The concatenated paths.
    text: Vec<u8>,
    /// Upper bound of the memory in bytes: [`OVERHEAD`] and the path of each node since the paths
    /// were last cleared, including nodes that others have replaced.
    cost: usize,
}

#[derive(Clone, Debug)]
struct Entry {
    path: Range<usize>,
    checksum: Option<[u8; 32]>,
}

/// Maximum memory for the paths of a connection, in bytes.
const MAX_BYTES: usize = 1 << 18;
/// Maximum length of a path in bytes. It limits the output for short packets whose node has a long
/// path.
const MAX_PATH: usize = 1 << 12;
/// Memory for a node in bytes, not counting its path.
const OVERHEAD: usize = 160;

impl Paths {
    /// Stores the path that `sender` announces for a number. If the path is too long, the number
    /// has no path afterwards. If the stored paths and the new path exceed the memory limit, drops
    /// the stored paths.
    pub(super) fn insert(
        &mut self,
        sender: Sender,
        id: u32,
        path: StrRef<'_>,
        checksum: Option<&[u8; 32]>,
    ) {
        let (path, checksum) = (path.as_bytes(), checksum.copied());
        let same = |entry: &Entry| self.path(entry) == path && entry.checksum == checksum;
        if self.nodes.get(&(sender, id)).is_some_and(same) {
            return; // a repetition: engines announce a path until it is confirmed
        }
        let cost = path.len().saturating_add(OVERHEAD);
        if path.len() > MAX_PATH {
            self.nodes.remove(&(sender, id));
            return;
        }
        // No game has so many nodes with remote calls: this is a flood.
        if self.cost.saturating_add(cost) > MAX_BYTES {
            self.clear();
        }
        self.cost = self.cost.saturating_add(cost);
        let start = self.text.len();
        self.text.extend_from_slice(path);
        self.numbers.insert((sender, self.hash(path)), id);
        let path = start..self.text.len();
        self.nodes.insert((sender, id), Entry { path, checksum });
    }

    /// Removes all paths. Keeps the memory for the next connection.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.numbers.clear();
        self.text.clear();
        self.cost = 0;
    }

    pub(super) fn memory(&self) -> usize {
        let tables = table_memory(&self.nodes).saturating_add(table_memory(&self.numbers));
        self.text.capacity().saturating_add(tables)
    }

    pub(super) fn lookup(&self) -> PathLookup<'_> {
        PathLookup(Some(self))
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

/// Access to the paths of a connection, if it has any.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathLookup<'a>(pub Option<&'a Paths>);

impl<'a> PathLookup<'a> {
    /// Returns the node with a number. Its path is `None` if it was not announced.
    pub(super) fn node(self, sender: Sender, id: u32) -> Node<'a> {
        let node = self.0.and_then(|paths| paths.node(sender, id));
        node.unwrap_or(Node { id: Some(id), path: None, checksum: None })
    }

    /// Returns the node with a path, for a packet that does not contain the node's number. If an
    /// earlier packet announced the path, the returned node contains the checksum from that packet.
    pub(super) fn by_path(self, sender: Sender, path: StrRef<'a>) -> Node<'a> {
        let number = self.0.and_then(|paths| {
            let number = paths.numbers.get(&(sender, paths.hash(path.as_bytes())))?;
            paths.node(sender, *number).filter(|node| node.path == Some(path))
        });
        let checksum = number.and_then(|node| node.checksum);
        Node { id: None, path: Some(path), checksum }
    }
}

/// Returns the memory of a hash table: an eighth of its slots stays free, and each slot has a
/// control byte.
pub(super) fn table_memory<K, V, S>(map: &HashMap<K, V, S>) -> usize {
    let slots = map.capacity().saturating_mul(8).div_ceil(7);
    slots.saturating_mul(size_of::<(K, V)>().saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENDER: Sender = Sender { side: false, peer: None };

    /// Inserts a path for each element of `costs`, which is the number of bytes that the path is to
    /// take. Returns `true` for each path that is still known at the end.
    fn known_after(costs: &[usize]) -> std::vec::Vec<bool> {
        let mut paths = Paths::default();
        for (id, cost) in (0..).zip(costs) {
            let path = std::vec![b'a' + id as u8; cost - OVERHEAD];
            paths.insert(SENDER, id, StrRef::new(&path), None);
        }
        let ids = 0..costs.len() as u32;
        ids.map(|id| paths.lookup().node(SENDER, id).path.is_some()).collect()
    }

    #[test]
    fn paths_up_to_the_limit_are_kept() {
        let longest = MAX_PATH + OVERHEAD;
        let most = MAX_BYTES / longest;
        assert!(known_after(&std::vec![longest; most]).into_iter().all(|is_known| is_known));
        let known = known_after(&std::vec![longest; most + 1]);
        assert!(known[most] && known[..most].iter().all(|is_known| !is_known));
    }

    #[test]
    fn a_number_of_a_path_that_is_too_long_has_no_path() {
        let longest = MAX_PATH + OVERHEAD;
        assert_eq!(known_after(&[1000, longest, longest + 1]), [true, true, false]);
        let mut paths = Paths::default();
        paths.insert(SENDER, 1, StrRef::new(b"a"), None);
        paths.insert(SENDER, 1, StrRef::new(&[b'a'; MAX_PATH + 1]), None);
        assert_eq!(paths.lookup().node(SENDER, 1).path, None);
    }

    #[test]
    fn paths_are_found_by_their_own_number() {
        let mut paths = Paths::default();
        let names = ["a", "b", "c"].map(|name| StrRef::new(name.as_bytes()));
        for (id, name) in (1..).zip(names) {
            paths.insert(SENDER, id, name, Some(&[id as u8; 32]));
        }
        let checksums = names.map(|name| paths.lookup().by_path(SENDER, name).checksum);
        assert_eq!(checksums, [Some(&[1; 32]), Some(&[2; 32]), Some(&[3; 32])]);
    }
}
