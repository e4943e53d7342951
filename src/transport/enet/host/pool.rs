//! A pool of nodes of one type, allocated once.

use super::list::{Links, List};
use alloc::boxed::Box;
use alloc::vec;

/// Nodes, and the links of the lists that contain them. A free node is in the list of free nodes.
#[derive(Debug)]
pub(super) struct Pool<T> {
    nodes: Box<[T]>,
    pub(super) links: Links,
    free: List,
}

impl<T: Copy + Default> Pool<T> {
    pub(super) fn new(capacity: usize) -> Self {
        let mut links = Links::new(capacity);
        let mut free = List::EMPTY;
        for node in 0..u32::try_from(capacity).unwrap_or(0) {
            links.push_back(&mut free, node);
        }
        Self { nodes: vec![T::default(); capacity].into_boxed_slice(), links, free }
    }

    pub(super) fn memory(&self) -> usize {
        size_of_val(&*self.nodes).saturating_add(self.links.memory())
    }

    /// Takes a free node and sets its value.
    pub(super) fn take(&mut self, value: T) -> Option<u32> {
        let id = self.links.pop_front(&mut self.free)?;
        *self.nodes.get_mut(id as usize)? = value;
        Some(id)
    }

    /// Returns a node, which must be in no list. It is the next one to be taken, as it is still in
    /// the processor's cache.
    pub(super) fn put_back(&mut self, id: u32) {
        let first = self.free.first();
        self.links.insert_before(&mut self.free, first, id);
    }

    pub(super) fn get(&self, id: u32) -> Option<&T> {
        self.nodes.get(id as usize)
    }

    pub(super) fn get_mut(&mut self, id: u32) -> Option<&mut T> {
        self.nodes.get_mut(id as usize)
    }
}
