//! The sort of Godot's `core/templates/sort_array.h` (4.6.3) and `core/sort_array.h` (3.6.2),
//! step by step: where the order leaves keys alike, or is none at all (a NaN, a String and a
//! StringName with a number between them), the steps decide where a key comes to stand.

use alloc::vec::Vec;

/// Up to this, insertion sorts.
const FEW: usize = 16;

/// Comparisons for each item, over those that any real order needs.
const MORE: usize = 256;

/// Sorts `0..len`, given by what comes before what. `stops_at_pivot` tells whether the scans
/// for a partition stop where the pivot was (Godot 4).
///
/// An order that contradicts itself can make this sort as slow as insertion. So it has so
/// many comparisons; after that all items are alike, and stay about where they are.
pub(super) fn order(
    len: usize,
    stops_at_pivot: bool,
    is_less: impl FnMut(usize, usize) -> bool,
) -> Vec<usize> {
    let log = len.checked_ilog2().unwrap_or(0);
    let comparisons = len.saturating_mul(MORE.saturating_add(log as usize).saturating_mul(4));
    let items = (0..len).collect();
    let mut sort = Sort { items, stops_at_pivot, is_less, comparisons };
    sort.quick(0, len, log.saturating_mul(2));
    sort.insert(len);
    sort.items
}

struct Sort<F> {
    items: Vec<usize>,
    stops_at_pivot: bool,
    is_less: F,
    comparisons: usize,
}

impl<F: FnMut(usize, usize) -> bool> Sort<F> {
    fn at(&self, place: usize) -> usize {
        debug_assert!(place < self.items.len());
        self.items.get(place).copied().unwrap_or_default()
    }

    fn set(&mut self, place: usize, item: usize) {
        self.items.get_mut(place).into_iter().for_each(|at| *at = item);
    }

    fn is_less(&mut self, a: usize, b: usize) -> bool {
        let left = self.comparisons.checked_sub(1);
        self.comparisons = left.unwrap_or(0);
        left.is_some() && (self.is_less)(a, b)
    }

    /// Parts the range until all parts are short. The right one is a call of its own: as
    /// many at the most as there are levels left.
    fn quick(&mut self, first: usize, mut end: usize, mut levels: u32) {
        while end.saturating_sub(first) > FEW {
            let Some(fewer) = levels.checked_sub(1) else { return self.heap(first, end) };
            levels = fewer;
            let cut = self.part(first, end);
            self.quick(cut, end, levels);
            end = cut;
        }
    }

    /// Where the right part begins.
    fn part(&mut self, first: usize, end: usize) -> usize {
        let pivot = self.median(first, end);
        let stop = Some(pivot).filter(|_| self.stops_at_pivot);
        let pivot = self.at(pivot);
        let (mut left, mut right) = (first, end);
        loop {
            // (The ends of the range stop a scan that a bad order would lead beyond.)
            while Some(left) != stop && self.is_less(self.at(left), pivot) {
                if left == end.saturating_sub(1) {
                    break;
                }
                left = left.saturating_add(1);
            }
            right = right.saturating_sub(1);
            while Some(right) != stop && self.is_less(pivot, self.at(right)) {
                if right == first {
                    break;
                }
                right = right.saturating_sub(1);
            }
            if left >= right {
                return left;
            }
            self.items.swap(left, right);
            left = left.saturating_add(1);
        }
    }

    /// The place of the middle one of the first, the middle and the last item.
    fn median(&mut self, first: usize, end: usize) -> usize {
        let middle = first.saturating_add(end.saturating_sub(first) >> 1);
        let places = [first, middle, end.saturating_sub(1)];
        let [first, middle, last] = places;
        let [a, b, c] = places.map(|place| self.at(place));
        if self.is_less(a, b) {
            if self.is_less(b, c) {
                middle
            } else if self.is_less(a, c) {
                last
            } else {
                first
            }
        } else if self.is_less(a, c) {
            first
        } else if self.is_less(b, c) {
            last
        } else {
            middle
        }
    }

    fn insert(&mut self, len: usize) {
        let few = len.min(FEW);
        for place in 1..few {
            let item = self.at(place);
            if self.is_less(item, self.at(0)) {
                let front = self.items.get_mut(..=place);
                front.into_iter().for_each(|front| front.rotate_right(1));
            } else {
                self.insert_unguarded(place);
            }
        }
        for place in few.max(1)..len {
            self.insert_unguarded(place);
        }
    }

    fn insert_unguarded(&mut self, mut place: usize) {
        let item = self.at(place);
        while let Some(before) = place.checked_sub(1)
            && self.is_less(item, self.at(before))
        {
            if before == 0 {
                break; // the engine calls it a bad comparison function
            }
            self.set(place, self.at(before));
            place = before;
        }
        self.set(place, item);
    }

    fn heap(&mut self, first: usize, end: usize) {
        let len = end.saturating_sub(first);
        for parent in (0..len >> 1).rev() {
            self.sift(first, parent, len, self.at(first.saturating_add(parent)));
        }
        for len in (1..len).rev() {
            let last = first.saturating_add(len);
            let item = self.at(last);
            self.set(last, self.at(first));
            self.sift(first, 0, len, item);
        }
    }

    /// Moves the hole at `top` down to the end of the heap, and `item` up from there.
    fn sift(&mut self, first: usize, top: usize, len: usize, item: usize) {
        let place = |node: usize| first.saturating_add(node);
        let mut hole = top;
        loop {
            let right = hole.saturating_mul(2).saturating_add(2);
            let left = right.saturating_sub(1);
            let child = match right {
                _ if left >= len => break,
                _ if right == len => left,
                _ if self.is_less(self.at(place(right)), self.at(place(left))) => left,
                _ => right,
            };
            self.set(place(hole), self.at(place(child)));
            hole = child;
        }
        while hole > top {
            let parent = hole.saturating_sub(1) >> 1;
            if !self.is_less(self.at(place(parent)), item) {
                break;
            }
            self.set(place(hole), self.at(place(parent)));
            hole = parent;
        }
        self.set(place(hole), item);
    }
}
