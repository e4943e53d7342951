//! Sorts in place.

use core::cmp::Ordering;

/// Sorts like `slice::sort_unstable_by`. A build for size sorts with a heap instead, because all
/// types share its code: `slice::sort_unstable_by` is compiled once per type, to 4 KB.
pub(crate) fn sort_unstable_by<T>(items: &mut [T], compare: impl FnMut(&T, &T) -> Ordering) {
    match cfg!(gamewire_small) {
        true => heap_sort(&mut Items { items, compare }),
        false => items.sort_unstable_by(compare),
    }
}

/// Items by their indices.
trait Indexed {
    fn len(&self) -> usize;
    fn is_less(&mut self, left: usize, right: usize) -> bool;
    fn swap(&mut self, left: usize, right: usize);
}

struct Items<'i, T, F> {
    items: &'i mut [T],
    compare: F,
}

impl<T, F: FnMut(&T, &T) -> Ordering> Indexed for Items<'_, T, F> {
    fn len(&self) -> usize {
        self.items.len()
    }

    fn is_less(&mut self, left: usize, right: usize) -> bool {
        let pair = self.items.get(left).zip(self.items.get(right));
        pair.is_some_and(|(left, right)| (self.compare)(left, right).is_lt())
    }

    fn swap(&mut self, left: usize, right: usize) {
        if let Ok([left, right]) = self.items.get_disjoint_mut([left, right]) {
            core::mem::swap(left, right);
        }
    }
}

fn heap_sort(items: &mut dyn Indexed) {
    let len = items.len();
    for root in (0..len / 2).rev() {
        sift_down(items, root, len);
    }
    for end in (1..len).rev() {
        items.swap(0, end);
        sift_down(items, 0, end);
    }
}

/// Moves the item at `root` down in the heap, which ends at `end`.
fn sift_down(items: &mut dyn Indexed, mut root: usize, end: usize) {
    loop {
        let left = root.saturating_mul(2).saturating_add(1);
        let right = left.saturating_add(1);
        let is_right_larger = right < end && items.is_less(left, right);
        let child = if is_right_larger { right } else { left };
        if child >= end || !items.is_less(root, child) {
            return;
        }
        items.swap(root, child);
        root = child;
    }
}

#[cfg(test)]
mod tests {
    use super::{Items, heap_sort};
    use alloc::vec::Vec;

    #[test]
    fn a_heap_sorts_like_the_standard_library() {
        for len in 0..200_u32 {
            let numbers = (0..len).map(|index| index.wrapping_mul(2_654_435_761) % 61);
            let mut items: Vec<u32> = numbers.collect();
            let mut expected = items.clone();
            expected.sort_unstable();
            heap_sort(&mut Items { items: &mut items, compare: u32::cmp });
            assert_eq!(items, expected);
        }
    }
}
