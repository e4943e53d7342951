//! The table of declared nodes.

use super::node::{Node, Rpc};
use super::replication::{Spawned, Spawner};
use super::slots::{NodeId, Slots, SyncId};
use super::sorted::Sorted;
use crate::godot::multiplayer::godot4::Method;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// A declared node with the values that are computed from its declaration.
#[derive(Debug)]
pub(super) struct Entry {
    /// The path in packets, relative to the root.
    pub path: Box<str>,
    pub checksum: [u8; 32],
    pub authority: i32,
    /// The number that this peer has assigned to the path, or 0.
    pub cache_id: u32,
    /// The synchronizer, if the node is one.
    pub synchronizer: Option<SyncId>,
    /// The synchronizers of the node, in the order in which they were added.
    pub synchronizers: Vec<SyncId>,
    /// How the node was spawned, if it was.
    pub spawned: Option<Box<Spawned>>,
    /// The scenes, if the node is a spawner.
    pub spawner: Option<Box<Spawner>>,
    of_node: Box<[Rpc]>,
    of_script: Box<[Rpc]>,
    /// Index of the first method in the rate limiters of each peer.
    first_limiter: usize,
}

/// A method of a node, and the index of its rate limiter.
pub(super) struct Found<'n> {
    pub rpc: &'n Rpc,
    pub limiter: usize,
}

impl Entry {
    /// Returns the method with this number.
    pub(super) fn method(&self, method: Method) -> Option<Found<'_>> {
        let index = usize::from(method.index());
        let (list, before) = match method.is_of_node() {
            true => (&self.of_node, 0),
            false => (&self.of_script, self.of_node.len()),
        };
        let limiter = self.first_limiter.saturating_add(before).saturating_add(index);
        Some(Found { rpc: list.get(index)?, limiter })
    }

    /// Returns the number of the method with this name. As in the engine, a method of the script
    /// hides a method of the node with the same name.
    pub(super) fn number(&self, name: &[u8]) -> Option<Method> {
        self.number_of_script(name).or_else(|| self.number_of_property(name))
    }

    /// Returns the number of a method of the script.
    pub(super) fn number_of_script(&self, name: &[u8]) -> Option<Method> {
        find(&self.of_script, name).map(Method)
    }

    /// Returns the number of a method of the node itself, or of a property (Godot 3).
    pub(super) fn number_of_property(&self, name: &[u8]) -> Option<Method> {
        find(&self.of_node, name).map(|index| Method(index | Method::OF_NODE))
    }

    fn methods(&self) -> usize {
        self.of_node.len().saturating_add(self.of_script.len())
    }
}

/// Returns the index of a method in a sorted list.
fn find(list: &[Rpc], name: &[u8]) -> Option<u16> {
    let found = list.binary_search_by(|rpc| rpc.name.as_bytes().cmp(name));
    u16::try_from(found.ok()?).ok()
}

/// The declared nodes, by slot, by path and by the number that this peer has assigned.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    slots: Slots<Entry>,
    by_path: BTreeMap<Box<[u8]>, NodeId>,
    by_cache_id: Sorted<u32, NodeId>,
    last_cache_id: u32,
    /// Number of rate limiters that each peer needs.
    limiters: usize,
    /// Rate limiters of removed nodes: the first one, and their number.
    free_limiters: Vec<(usize, usize)>,
}

impl Nodes {
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn slots(&self) -> usize {
        self.slots.slots()
    }

    pub(super) fn limiters(&self) -> usize {
        self.limiters
    }

    /// Adds a node with sorted methods, whose path no other node has.
    pub(super) fn add(&mut self, path: &str, node: Node) -> NodeId {
        let limiters = node.of_node.len().saturating_add(node.of_script.len());
        let entry = Entry {
            path: path.into(),
            checksum: node.checksum(),
            authority: node.authority,
            cache_id: 0,
            synchronizer: None,
            synchronizers: Vec::new(),
            spawned: None,
            spawner: None,
            of_node: node.of_node.into_boxed_slice(),
            of_script: node.of_script.into_boxed_slice(),
            first_limiter: self.take_limiters(limiters),
        };
        let id = NodeId(self.slots.add(entry));
        self.by_path.insert(path.as_bytes().into(), id);
        id
    }

    /// Returns the first of `len` rate limiters that no other node uses. Limiters of a removed node
    /// with as many methods are reused, so nodes that come and go need a constant number.
    fn take_limiters(&mut self, len: usize) -> usize {
        let free = self.free_limiters.iter_mut().find(|(_, free)| *free == len && len > 0);
        if let Some((first, free)) = free {
            *free = 0;
            return *first;
        }
        let first = self.limiters;
        self.limiters = first.saturating_add(len);
        first
    }

    fn give_limiters(&mut self, first: usize, len: usize) {
        match self.free_limiters.iter_mut().find(|(_, free)| *free == 0) {
            Some(place) => *place = (first, len),
            None => self.free_limiters.push((first, len)),
        }
    }

    /// Removes a node.
    pub(super) fn remove(&mut self, id: NodeId) -> Option<Entry> {
        let entry = self.slots.remove(id.0)?;
        self.by_path.remove(entry.path.as_bytes());
        self.by_cache_id.retain(|_, node| *node != id);
        self.give_limiters(entry.first_limiter, entry.methods());
        Some(entry)
    }

    pub(super) fn get(&self, id: NodeId) -> Option<&Entry> {
        self.slots.get(id.0)
    }

    pub(super) fn get_mut(&mut self, id: NodeId) -> Option<&mut Entry> {
        self.slots.get_mut(id.0)
    }

    /// Returns the node with this path in a packet. An absolute path is accepted, too, as by the
    /// engine.
    pub(super) fn by_path(&self, path: &[u8], root: &str) -> Option<NodeId> {
        let relative = path.strip_prefix(root.as_bytes()).and_then(|path| path.strip_prefix(b"/"));
        self.by_path.get(relative.unwrap_or(path)).copied()
    }

    /// Returns the node to which this peer has assigned the number.
    pub(super) fn by_cache_id(&self, id: u32) -> Option<NodeId> {
        self.by_cache_id.get(&id).copied()
    }

    /// Returns the number of a node, and assigns the next one if it has none. As in the engine,
    /// numbers start at 1, and are the same for all peers. Returns `None` if all numbers are used.
    pub(super) fn cache_id(&mut self, id: NodeId) -> Option<u32> {
        let next = self.last_cache_id.checked_add(1).filter(|next| *next < 1 << 31)?;
        let entry = self.get_mut(id)?;
        if entry.cache_id == 0 {
            entry.cache_id = next;
            self.last_cache_id = next;
            self.by_cache_id.insert(next, id);
        }
        self.get(id).map(|entry| entry.cache_id)
    }

    /// Forgets all assigned numbers and net ids, as the engine does when it closes the connection.
    pub(super) fn forget_numbers(&mut self) {
        self.last_cache_id = 0;
        self.by_cache_id.retain(|_, _| false);
        for entry in self.slots.iter_mut() {
            entry.cache_id = 0;
            if let Some(spawned) = entry.spawned.as_deref_mut() {
                spawned.net_id = 0;
            }
        }
    }
}
