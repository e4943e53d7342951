//! A hash table from keys to the indices of a pool, allocated once.

use super::list::NIL;
use alloc::boxed::Box;
use alloc::vec;

/// Senders choose the keys, so the hash has a secret: nobody can choose keys that collide.
#[derive(Debug)]
pub(super) struct Index {
    buckets: Box<[u32]>,
    entries: Box<[Entry]>,
    secret: [u64; 2],
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    next: u32,
    /// `true` if the entry is in a bucket.
    present: bool,
}

impl Index {
    pub(super) fn new(nodes: usize, secret: [u64; 2]) -> Self {
        let buckets = nodes.max(1).next_power_of_two();
        let absent = Entry { key: 0, next: NIL, present: false };
        Self {
            buckets: vec![NIL; buckets].into_boxed_slice(),
            entries: vec![absent; nodes].into_boxed_slice(),
            secret: [secret[0], secret[1] | 1],
        }
    }

    pub(super) fn memory(&self) -> usize {
        size_of_val(&*self.buckets).saturating_add(size_of_val(&*self.entries))
    }

    fn bucket(&self, key: u64) -> usize {
        let [mask, multiplier] = self.secret;
        let product = u128::from(key ^ mask).wrapping_mul(multiplier.into());
        let hash = (product as u64) ^ (product >> 64) as u64;
        hash as usize & self.buckets.len().wrapping_sub(1)
    }

    /// Adds a node with a key. Several nodes may have the same key.
    pub(super) fn insert(&mut self, id: u32, key: u64) {
        let bucket = self.bucket(key);
        let (Some(first), Some(entry)) =
            (self.buckets.get_mut(bucket), self.entries.get_mut(id as usize))
        else {
            return;
        };
        if !entry.present {
            *entry = Entry { key, next: *first, present: true };
            *first = id;
        }
    }

    /// Returns the node with this key that was added last.
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        self.matches(key).next()
    }

    /// Iterates over the nodes with this key.
    pub(super) fn matches(&self, key: u64) -> impl Iterator<Item = u32> {
        let first = self.buckets.get(self.bucket(key)).copied();
        let entry = |id: u32| self.entries.get(id as usize).map(|entry| (id, *entry));
        core::iter::successors(first.and_then(entry), move |(_, last)| entry(last.next))
            .filter(move |(_, entry)| entry.key == key)
            .map(|(id, _)| id)
    }

    /// Removes a node. Does nothing if it was not added.
    pub(super) fn remove(&mut self, id: u32) {
        let Some(Entry { key, next, present: true }) = self.entries.get(id as usize).copied()
        else {
            return;
        };
        let bucket = self.bucket(key);
        let Some(first) = self.buckets.get_mut(bucket) else { return };
        if *first == id {
            *first = next;
        } else {
            let mut at = *first;
            while let Some(entry) = self.entries.get_mut(at as usize) {
                if entry.next == id {
                    entry.next = next;
                    break;
                }
                at = entry.next;
            }
        }
        if let Some(entry) = self.entries.get_mut(id as usize) {
            entry.present = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn nodes_are_found_by_key() {
        let mut index = Index::new(64, [3, 5]);
        (0..64).for_each(|id| index.insert(id, u64::from(id / 2)));
        assert!((0..32).all(|key| index.matches(key).count() == 2));
        (0..64).step_by(2).for_each(|id| index.remove(id));
        assert!((0..32).all(|key| index.find(u64::from(key)) == Some(2 * key + 1)));
        index.remove(0);
        index.insert(1, 99); // is present, so nothing happens
        assert_eq!(index.find(99), None);
        let all: Vec<u32> = (0..32).flat_map(|key| index.matches(key)).collect();
        assert_eq!(all.len(), 32);
    }
}
