//! A table whose entries are identified by slot and generation.

use alloc::vec::Vec;

/// The identity of an entry. Another entry in the same slot has another generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct SlotId {
    slot: u32,
    generation: u32,
}

impl SlotId {
    pub(super) fn index(self) -> usize {
        self.slot as usize
    }
}

/// A table that reuses the slots of removed entries.
#[derive(Debug)]
pub(super) struct Slots<T> {
    slots: Vec<(u32, Option<T>)>,
    free: Vec<u32>,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self { slots: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slots<T> {
    /// Returns the number of slots, used or not.
    pub(super) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Returns the number of entries.
    pub(super) fn len(&self) -> usize {
        self.slots.len().saturating_sub(self.free.len())
    }

    pub(super) fn add(&mut self, entry: T) -> SlotId {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push((0, None));
            u32::try_from(self.slots.len().saturating_sub(1)).unwrap_or(u32::MAX)
        });
        let mut id = SlotId { slot, generation: 0 };
        if let Some((generation, place)) = self.slots.get_mut(id.index()) {
            id.generation = *generation;
            *place = Some(entry);
        }
        id
    }

    pub(super) fn remove(&mut self, id: SlotId) -> Option<T> {
        self.get(id)?;
        let (generation, place) = self.slots.get_mut(id.index())?;
        *generation = generation.wrapping_add(1);
        self.free.push(id.slot);
        place.take()
    }

    pub(super) fn get(&self, id: SlotId) -> Option<&T> {
        let (generation, entry) = self.slots.get(id.index())?;
        entry.as_ref().filter(|_| *generation == id.generation)
    }

    pub(super) fn get_mut(&mut self, id: SlotId) -> Option<&mut T> {
        let (generation, entry) = self.slots.get_mut(id.index())?;
        entry.as_mut().filter(|_| *generation == id.generation)
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.slots.iter_mut().filter_map(|(_, entry)| entry.as_mut())
    }
}

/// A declared node of a [`Peer`](super::Peer).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(super) SlotId);

impl NodeId {
    /// Returns the index of the node in tables by node.
    pub(super) fn index(self) -> usize {
        self.0.index()
    }
}

/// A declared synchronizer of a [`Peer`](super::Peer).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SyncId(pub(super) SlotId);
