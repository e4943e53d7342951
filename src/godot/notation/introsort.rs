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
    let comparisons = len.saturating_mul(MORE.saturating_add((log as usize).saturating_mul(4)));
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
    #[allow(
        clippy::disallowed_methods,
        reason = "both are places: `right` is below the length, and `left` below that"
    )]
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

    #[allow(clippy::disallowed_methods, reason = "of at least one item")]
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

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn sorted(keys: &[u32], stops_at_pivot: bool) -> Vec<u32> {
        let order = order(keys.len(), stops_at_pivot, |a, b| keys[a] < keys[b]);
        order.into_iter().map(|place| keys[place]).collect()
    }

    /// A row on which the median of three is bad at each level, so that the heap takes over
    /// (after D. R. Musser, "Introspective Sorting and Selection Algorithms", 1997).
    fn killer(len: usize) -> Vec<u32> {
        let half = len / 2;
        let mut row = vec![0; len];
        for place in 0..half {
            let odd = place % 2 == 0;
            row[place] = (if odd { place + 1 } else { half + place + half % 2 }) as u32;
            row[half + place] = 2 * (place + 1) as u32;
        }
        row
    }

    #[test]
    fn sorts() {
        let mut state = 1_u32;
        let mut random = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        for len in [0, 1, 2, 15, 16, 17, 18, 100, 1000, 5000] {
            for below in [2, 10, 1 << 15] {
                let keys: Vec<_> = (0..len).map(|_| random(below)).collect();
                for keys in [keys, killer(len), (0..len as u32).collect()] {
                    let mut expected = keys.clone();
                    expected.sort_unstable();
                    assert_eq!(sorted(&keys, true), expected);
                    assert_eq!(sorted(&keys, false), expected);
                }
            }
        }
    }

    /// Up to 16, what is alike keeps its order.
    #[test]
    fn few_are_stable() {
        let keys = [3, 1, 3, 1, 2, 3, 1, 2, 2, 1, 3, 1, 2, 2, 3, 1];
        let places = order(keys.len(), true, |a, b| keys[a] < keys[b]);
        let mut expected: Vec<_> = (0..keys.len()).collect();
        expected.sort_by_key(|place| keys[*place]);
        assert_eq!(places, expected);
    }

    /// Whatever an order says, all items stay, and the comparisons are bounded.
    #[test]
    fn bad_orders() {
        let len = 20_000;
        for answer in
            [|_: usize, _: usize| true, |_, _| false, |a, b| (a ^ b) % 3 == 0, |a, b| a > b]
        {
            let mut comparisons = 0;
            let mut places = order(len, true, |a, b| {
                comparisons += 1;
                answer(a, b)
            });
            places.sort_unstable();
            assert!(places.into_iter().eq(0..len));
            assert!(comparisons <= len * (MORE + 4 * 14));
        }
    }
    /// Each partition goes once over its range.
    #[test]
    fn few_comparisons() {
        for stops_at_pivot in [true, false] {
            let keys: Vec<_> = (0..4096_u32).map(|n| n.wrapping_mul(2_654_435_761) >> 8).collect();
            let mut comparisons = 0;
            order(keys.len(), stops_at_pivot, |a, b| {
                comparisons += 1;
                keys[a] < keys[b]
            });
            assert!(comparisons < keys.len() * 16, "{comparisons}");
        }
    }
}
