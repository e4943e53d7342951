//! The introsort of Godot's `core/templates/sort_array.h` (4.6.3) and `core/sort_array.h` (3.6.2),
//! with the same sequence of comparisons and moves. Where keys compare as equal, or inconsistently
//! (a NaN), their final position depends on this sequence.

use alloc::vec::Vec;

/// The maximum length of a range that quicksort leaves to the final insertion sort.
const INSERTION_THRESHOLD: usize = 16;

/// The number of additional comparisons per item that [`argsort`] allows. A consistent order needs
/// none of them.
const SPARE_COMPARISONS: usize = 256;

/// Returns the indices `0..len` in sorted order. `stops_at_pivot` is `true` for Godot 4, in which
/// the scans of a partition also stop at the original position of the pivot.
///
/// An inconsistent `is_less` could make the final insertion sort quadratic, so the number of calls
/// is limited. After the last call, all items are treated as equal and hardly move.
pub(super) fn argsort(
    len: usize,
    stops_at_pivot: bool,
    is_less: impl FnMut(usize, usize) -> bool,
) -> Vec<usize> {
    let log = len.checked_ilog2().unwrap_or(0);
    let comparisons =
        len.saturating_mul(SPARE_COMPARISONS.saturating_add((log as usize).saturating_mul(4)));
    let items = (0..len).collect();
    let mut sort = Sort { items, stops_at_pivot, is_less, comparisons };
    sort.quicksort(0, len, log.saturating_mul(2));
    sort.insertion_sort(len);
    sort.items
}

struct Sort<F> {
    items: Vec<usize>,
    stops_at_pivot: bool,
    is_less: F,
    /// The remaining number of comparisons.
    comparisons: usize,
}

impl<F: FnMut(usize, usize) -> bool> Sort<F> {
    fn at(&self, index: usize) -> usize {
        debug_assert!(index < self.items.len());
        self.items.get(index).copied().unwrap_or_default()
    }

    fn set(&mut self, index: usize, item: usize) {
        self.items.get_mut(index).into_iter().for_each(|at| *at = item);
    }

    fn is_less(&mut self, a: usize, b: usize) -> bool {
        let left = self.comparisons.checked_sub(1);
        self.comparisons = left.unwrap_or(0);
        left.is_some() && (self.is_less)(a, b)
    }

    /// Partitions the range until all partitions are short. After `levels` nested partitions, sorts
    /// the range by heapsort instead.
    fn quicksort(&mut self, first: usize, mut end: usize, mut levels: u32) {
        while end.saturating_sub(first) > INSERTION_THRESHOLD {
            let Some(fewer) = levels.checked_sub(1) else { return self.heapsort(first, end) };
            levels = fewer;
            let cut = self.partition(first, end);
            self.quicksort(cut, end, levels);
            end = cut;
        }
    }

    /// Partitions the range and returns the index at which the right partition begins.
    #[allow(
        clippy::disallowed_methods,
        reason = "both are indices: `right` is less than the length, and `left` less than `right`"
    )]
    fn partition(&mut self, first: usize, end: usize) -> usize {
        let pivot = self.median(first, end);
        let stop = Some(pivot).filter(|_| self.stops_at_pivot);
        let pivot = self.at(pivot);
        let (mut left, mut right) = (first, end);
        loop {
            // An inconsistent order could lead a scan out of the range, so it stops at the end.
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

    /// Returns the index of the median of the first, the middle and the last item.
    fn median(&mut self, first: usize, end: usize) -> usize {
        let middle = first.saturating_add(end.saturating_sub(first) >> 1);
        let indices = [first, middle, end.saturating_sub(1)];
        let [first, middle, last] = indices;
        let [a, b, c] = indices.map(|index| self.at(index));
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

    #[allow(clippy::disallowed_methods, reason = "`front` has at least one item")]
    fn insertion_sort(&mut self, len: usize) {
        let short = len.min(INSERTION_THRESHOLD);
        for index in 1..short {
            let item = self.at(index);
            if self.is_less(item, self.at(0)) {
                let front = self.items.get_mut(..=index);
                front.into_iter().for_each(|front| front.rotate_right(1));
            } else {
                self.insert_unguarded(index);
            }
        }
        for index in short.max(1)..len {
            self.insert_unguarded(index);
        }
    }

    fn insert_unguarded(&mut self, mut index: usize) {
        let item = self.at(index);
        while let Some(before) = index.checked_sub(1)
            && self.is_less(item, self.at(before))
        {
            if before == 0 {
                break; // The engine reports a bad comparison function here.
            }
            self.set(index, self.at(before));
            index = before;
        }
        self.set(index, item);
    }

    fn heapsort(&mut self, first: usize, end: usize) {
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

    /// Moves the hole at `top` down to a leaf of the heap, and `item` up from there.
    fn sift(&mut self, first: usize, top: usize, len: usize, item: usize) {
        let index = |node: usize| first.saturating_add(node);
        let mut hole = top;
        loop {
            let right = hole.saturating_mul(2).saturating_add(2);
            let left = right.saturating_sub(1);
            let child = match right {
                _ if left >= len => break,
                _ if right == len => left,
                _ if self.is_less(self.at(index(right)), self.at(index(left))) => left,
                _ => right,
            };
            self.set(index(hole), self.at(index(child)));
            hole = child;
        }
        while hole > top {
            let parent = hole.saturating_sub(1) >> 1;
            if !self.is_less(self.at(index(parent)), item) {
                break;
            }
            self.set(index(hole), self.at(index(parent)));
            hole = parent;
        }
        self.set(index(hole), item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn sorted(keys: &[u32], stops_at_pivot: bool) -> Vec<u32> {
        let order = argsort(keys.len(), stops_at_pivot, |a, b| keys[a] < keys[b]);
        order.into_iter().map(|index| keys[index]).collect()
    }

    /// Returns keys for which the median of three is a bad pivot at each level, so that heapsort
    /// takes over (D. R. Musser, "Introspective Sorting and Selection Algorithms", 1997).
    fn median_of_three_killer(len: usize) -> Vec<u32> {
        let half = len / 2;
        let mut keys = vec![0; len];
        for index in 0..half {
            let odd = index % 2 == 0;
            keys[index] = (if odd { index + 1 } else { half + index + half % 2 }) as u32;
            keys[half + index] = 2 * (index + 1) as u32;
        }
        keys
    }

    #[test]
    fn argsort_matches_the_standard_sort() {
        let mut state = 1_u32;
        let mut random = |end: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % end
        };
        for len in [0, 1, 2, 15, 16, 17, 18, 100, 1000, 5000] {
            for end in [2, 10, 1 << 15] {
                let keys: Vec<_> = (0..len).map(|_| random(end)).collect();
                for keys in [keys, median_of_three_killer(len), (0..len as u32).collect()] {
                    let mut expected = keys.clone();
                    expected.sort_unstable();
                    assert_eq!(sorted(&keys, true), expected);
                    assert_eq!(sorted(&keys, false), expected);
                }
            }
        }
    }

    /// The sort of up to 16 items is stable.
    #[test]
    fn sort_of_16_items_is_stable() {
        let keys = [3, 1, 3, 1, 2, 3, 1, 2, 2, 1, 3, 1, 2, 2, 3, 1];
        let indices = argsort(keys.len(), true, |a, b| keys[a] < keys[b]);
        let mut expected: Vec<_> = (0..keys.len()).collect();
        expected.sort_by_key(|index| keys[*index]);
        assert_eq!(indices, expected);
    }

    /// With any `is_less`, the result is a permutation, and the number of comparisons is bounded.
    #[test]
    fn inconsistent_order_yields_a_permutation() {
        let len = 20_000;
        for answer in
            [|_: usize, _: usize| true, |_, _| false, |a, b| (a ^ b) % 3 == 0, |a, b| a > b]
        {
            let mut comparisons = 0;
            let mut indices = argsort(len, true, |a, b| {
                comparisons += 1;
                answer(a, b)
            });
            indices.sort_unstable();
            assert!(indices.into_iter().eq(0..len));
            assert!(comparisons <= len * (SPARE_COMPARISONS + 4 * 14));
        }
    }

    /// The test passes only if each partition scans its range once.
    #[test]
    fn random_keys_need_less_than_16_comparisons_per_item() {
        for stops_at_pivot in [true, false] {
            let keys: Vec<_> = (0..4096_u32).map(|n| n.wrapping_mul(2_654_435_761) >> 8).collect();
            let mut comparisons = 0;
            argsort(keys.len(), stops_at_pivot, |a, b| {
                comparisons += 1;
                keys[a] < keys[b]
            });
            assert!(comparisons < keys.len() * 16, "{comparisons}");
        }
    }
}
