//! Doubly linked lists over the indices of a pool: no list allocates, and every operation takes
//! constant time.

use alloc::boxed::Box;
use alloc::vec;

/// An index that stands for no node.
pub(super) const NIL: u32 = u32::MAX;

/// The link of a node that is in no list.
const UNLINKED: u32 = u32::MAX - 1;

/// The ends of a list. The links between its nodes are in [`Links`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct List {
    first: u32,
    last: u32,
}

impl List {
    pub(super) const EMPTY: Self = Self { first: NIL, last: NIL };

    pub(super) fn is_empty(&self) -> bool {
        self.first == NIL
    }

    pub(super) fn first(&self) -> Option<u32> {
        Some(self.first).filter(|node| *node != NIL)
    }

    pub(super) fn last(&self) -> Option<u32> {
        Some(self.last).filter(|node| *node != NIL)
    }
}

impl Default for List {
    fn default() -> Self {
        Self::EMPTY
    }
}

#[derive(Clone, Copy, Debug)]
struct Link {
    previous: u32,
    next: u32,
}

/// The links of all nodes of a pool. A node is in at most one list.
#[derive(Debug)]
pub(super) struct Links {
    links: Box<[Link]>,
}

impl Links {
    pub(super) fn new(nodes: usize) -> Self {
        let unlinked = Link { previous: UNLINKED, next: UNLINKED };
        Self { links: vec![unlinked; nodes].into_boxed_slice() }
    }

    pub(super) fn memory(&self) -> usize {
        size_of_val(&*self.links)
    }

    pub(super) fn is_linked(&self, node: u32) -> bool {
        self.links.get(node as usize).is_some_and(|link| link.previous != UNLINKED)
    }

    pub(super) fn next(&self, node: u32) -> Option<u32> {
        self.links.get(node as usize).map(|link| link.next).filter(|next| *next < UNLINKED)
    }

    pub(super) fn previous(&self, node: u32) -> Option<u32> {
        self.links.get(node as usize).map(|link| link.previous).filter(|node| *node < UNLINKED)
    }

    pub(super) fn push_back(&mut self, list: &mut List, node: u32) {
        self.insert_before(list, None, node);
    }

    /// Inserts a node before another one, or at the end. Does nothing if the node is in a list.
    pub(super) fn insert_before(&mut self, list: &mut List, before: Option<u32>, node: u32) {
        let next = before.unwrap_or(NIL);
        let previous = match before {
            Some(before) => self.previous(before).unwrap_or(NIL),
            None => list.last,
        };
        match self.links.get_mut(node as usize) {
            Some(link) if link.previous == UNLINKED => *link = Link { previous, next },
            _ => return,
        }
        match self.links.get_mut(previous as usize) {
            Some(link) => link.next = node,
            None => list.first = node,
        }
        match self.links.get_mut(next as usize) {
            Some(link) => link.previous = node,
            None => list.last = node,
        }
    }

    /// Removes a node from its list. Does nothing if it is in none.
    pub(super) fn remove(&mut self, list: &mut List, node: u32) {
        let Some(link) = self.links.get_mut(node as usize) else { return };
        let Link { previous, next } = *link;
        if previous == UNLINKED {
            return;
        }
        *link = Link { previous: UNLINKED, next: UNLINKED };
        match self.links.get_mut(previous as usize) {
            Some(link) => link.next = next,
            None => list.first = next,
        }
        match self.links.get_mut(next as usize) {
            Some(link) => link.previous = previous,
            None => list.last = previous,
        }
    }

    pub(super) fn pop_front(&mut self, list: &mut List) -> Option<u32> {
        let node = list.first()?;
        self.remove(list, node);
        Some(node)
    }
}

/// A queue of numbers below a limit, each at most once.
#[derive(Debug)]
pub(super) struct Queue {
    list: List,
    links: Links,
}

impl Queue {
    pub(super) fn new(numbers: usize) -> Self {
        Self { list: List::EMPTY, links: Links::new(numbers) }
    }

    pub(super) fn memory(&self) -> usize {
        self.links.memory()
    }

    /// Adds a number at the end. Does nothing if the queue contains it.
    pub(super) fn push(&mut self, number: u16) {
        self.links.push_back(&mut self.list, number.into());
    }

    pub(super) fn remove(&mut self, number: u16) {
        self.links.remove(&mut self.list, number.into());
    }

    pub(super) fn first(&self) -> Option<u16> {
        self.list.first().map(|number| number as u16)
    }

    pub(super) fn pop(&mut self) -> Option<u16> {
        self.links.pop_front(&mut self.list).map(|number| number as u16)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn nodes(links: &Links, list: &List) -> Vec<u32> {
        let forward: Vec<u32> =
            core::iter::successors(list.first(), |node| links.next(*node)).collect();
        let mut backward: Vec<u32> =
            core::iter::successors(list.last(), |node| links.previous(*node)).collect();
        backward.reverse();
        assert_eq!(forward, backward);
        forward
    }

    #[test]
    fn nodes_move_between_lists() {
        let (mut links, mut list, mut other) = (Links::new(5), List::EMPTY, List::EMPTY);
        (0..4).for_each(|node| links.push_back(&mut list, node));
        links.insert_before(&mut list, Some(2), 4);
        assert_eq!(nodes(&links, &list), [0, 1, 4, 2, 3]);
        for node in [0, 3, 4] {
            links.remove(&mut list, node);
            links.push_back(&mut other, node);
        }
        assert_eq!((nodes(&links, &list), nodes(&links, &other)), (vec![1, 2], vec![0, 3, 4]));
        links.push_back(&mut other, 1); // is in a list, so nothing happens
        links.remove(&mut other, 9);
        assert_eq!(nodes(&links, &other), [0, 3, 4]);
        assert_eq!(links.pop_front(&mut other), Some(0));
        assert!(!links.is_linked(0) && links.is_linked(3));
    }
}
