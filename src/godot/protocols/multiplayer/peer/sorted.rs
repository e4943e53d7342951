//! A small map in one block of memory.

use alloc::vec::Vec;

/// A map as a sorted list. Inserting a key that is greater than all others is fast, and so are
/// lookups. Removing entries frees no memory.
#[derive(Debug)]
pub(super) struct Sorted<K, V>(Vec<(K, V)>);

impl<K, V> Default for Sorted<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: Ord + Copy, V> Sorted<K, V> {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn get(&self, key: &K) -> Option<&V> {
        let index = self.0.binary_search_by_key(key, |entry| entry.0).ok()?;
        self.0.get(index).map(|(_, value)| value)
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &V> {
        self.0.iter().map(|(_, value)| value)
    }

    /// Returns the value of the greatest key.
    pub(super) fn last(&self) -> Option<V>
    where
        V: Copy,
    {
        self.0.last().map(|(_, value)| *value)
    }

    /// Inserts a key that the map does not contain.
    pub(super) fn insert(&mut self, key: K, value: V) {
        let is_last = self.0.last().is_none_or(|(last, _)| *last < key);
        self.0.push((key, value));
        if !is_last {
            self.0.sort_unstable_by_key(|entry| entry.0);
        }
    }

    pub(super) fn retain(&mut self, mut keep: impl FnMut(&K, &V) -> bool) {
        self.0.retain(|(key, value)| keep(key, value));
    }
}

/// Removes an entry as the engine's `HashSet` does: the last entry takes its place.
pub(super) fn remove_unordered<T>(list: &mut Vec<T>, is_removed: impl FnMut(&T) -> bool) -> bool {
    let Some(place) = list.iter().position(is_removed) else { return false };
    if let Some(last) = list.pop()
        && let Some(place) = list.get_mut(place)
    {
        *place = last;
    }
    true
}
