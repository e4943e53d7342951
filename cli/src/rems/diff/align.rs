//! Matches the elements of two lists, for `diff`.

use std::collections::HashMap;
use std::ops::Range;

/// The old and new index of two matching elements, or the single index of an element that was
/// removed or added.
pub type Match = (Option<usize>, Option<usize>);

/// Matches the elements of two lists, given by their fingerprints, in order.
///
/// Lists of the same length are matched by index. Otherwise, the function first matches equal
/// elements at the start and at the end of the lists. Then it matches elements that occur exactly
/// once in each list and have the same order in both, as in patience diff. These matches are called
/// anchors. Elements between two anchors are matched in order.
pub fn align(old: &[u64], new: &[u64]) -> Vec<Match> {
    if old.len() == new.len() {
        return (0..old.len()).map(|at| (Some(at), Some(at))).collect();
    }
    let is_equal = |(old, new): &(&u64, &u64)| old == new;
    let start = old.iter().zip(new).take_while(is_equal).count();
    let most = old.len().min(new.len()).saturating_sub(start);
    let end = old.iter().rev().zip(new.iter().rev()).take(most).take_while(is_equal).count();
    let middle = |all: &[u64]| start..all.len().saturating_sub(end);
    let mut matches = Vec::new();
    let both = |(old, new): (usize, usize)| (Some(old), Some(new));
    matches.extend((0..start).map(|at| both((at, at))));
    let (mut old_at, mut new_at) = (start, start);
    for anchor in anchors(old, middle(old), new, middle(new)) {
        between(old_at..anchor.0, new_at..anchor.1, &mut matches);
        matches.push(both(anchor));
        (old_at, new_at) = (anchor.0.saturating_add(1), anchor.1.saturating_add(1));
    }
    between(old_at..middle(old).end, new_at..middle(new).end, &mut matches);
    matches.extend((middle(old).end..old.len()).zip(middle(new).end..new.len()).map(both));
    matches
}

/// Appends the matches of two ranges in order. The remaining elements of the longer range have no
/// match.
fn between(mut old: Range<usize>, mut new: Range<usize>, matches: &mut Vec<Match>) {
    loop {
        match (old.next(), new.next()) {
            (None, None) => return,
            found => matches.push(found),
        }
    }
}

/// Selects as many elements as possible that occur exactly once in each range and have the same
/// order in both ranges. Returns the old and the new index of each.
fn anchors(
    old: &[u64],
    old_range: Range<usize>,
    new: &[u64],
    new_range: Range<usize>,
) -> Vec<(usize, usize)> {
    let old_once = once(old, old_range.clone());
    let new_once = once(new, new_range);
    let common = old_range.filter_map(|at| {
        let fingerprint = old.get(at)?;
        let (old_at, new_at) = (old_once.get(fingerprint)?, new_once.get(fingerprint)?);
        Some(((*old_at)?, (*new_at)?))
    });
    in_order(&common.collect::<Vec<_>>())
}

/// Maps each fingerprint to its index, or to `None` if it occurs more than once.
fn once(all: &[u64], range: Range<usize>) -> HashMap<u64, Option<usize>> {
    let mut once = HashMap::new();
    for at in range {
        if let Some(fingerprint) = all.get(at) {
            once.entry(*fingerprint).and_modify(|at| *at = None).or_insert(Some(at));
        }
    }
    once
}

/// Returns the longest subsequence of pairs in which the second numbers increase. The first numbers
/// of `pairs` must increase.
fn in_order(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length, consider the increasing subsequence of this length that ends with the lowest
    // number. `ends` contains the index of its last pair. `before` contains, for each pair, the
    // index of the preceding pair in its subsequence.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = Vec::new();
    let second = |at: &usize| pairs.get(*at).map_or(usize::MAX, |pair| pair.1);
    for (at, pair) in pairs.iter().enumerate() {
        let len = ends.partition_point(|end| second(end) < pair.1);
        before.push(len.checked_sub(1).and_then(|last| ends.get(last).copied()));
        match ends.get_mut(len) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut subsequence = Vec::new();
    let mut next = ends.last().copied();
    while let Some(at) = next {
        subsequence.extend(pairs.get(at));
        next = before.get(at).copied().flatten();
    }
    subsequence.reverse();
    subsequence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is(old: &[u64], new: &[u64], expected: &[(isize, isize)]) {
        let at = |at: isize| usize::try_from(at).ok();
        let expected: Vec<_> = expected.iter().map(|(old, new)| (at(*old), at(*new))).collect();
        assert_eq!(align(old, new), expected);
    }

    #[test]
    fn lists_of_the_same_length() {
        is(&[1, 2], &[2, 1], &[(0, 0), (1, 1)]);
        is(&[], &[], &[]);
    }

    #[test]
    fn elements_added_and_removed() {
        is(&[1, 2], &[1, 3, 2], &[(0, 0), (-1, 1), (1, 2)]);
        is(&[1, 2, 3], &[3], &[(0, -1), (1, -1), (2, 0)]);
        is(&[1, 1], &[1, 1, 1], &[(0, 0), (1, 1), (-1, 2)]);
        is(&[], &[5], &[(-1, 0)]);
    }

    /// Checks lists whose ends have both changed. Elements that occur once are the anchors.
    #[test]
    fn unique_elements_are_anchors() {
        is(&[1, 2, 3, 4], &[9, 8, 2, 3, 5], &[(0, 0), (-1, 1), (1, 2), (2, 3), (3, 4)]);
        is(&[1, 2, 3, 7, 4], &[5, 3, 2, 6], &[(0, 0), (1, -1), (2, 1), (3, 2), (4, 3)]);
    }

    /// Checks that every element is matched exactly once, in order.
    #[test]
    fn every_element_is_matched_once() {
        let mut seed = 7_u64;
        let mut random = |below: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..2000 {
            let lists = [0; 2].map(|_| (0..random(9)).map(|_| random(6)).collect::<Vec<_>>());
            let matches = align(&lists[0], &lists[1]);
            let olds: Vec<_> = matches.iter().filter_map(|found| found.0).collect();
            let news: Vec<_> = matches.iter().filter_map(|found| found.1).collect();
            assert!(olds.into_iter().eq(0..lists[0].len()), "{lists:?} {matches:?}");
            assert!(news.into_iter().eq(0..lists[1].len()), "{lists:?} {matches:?}");
        }
    }
}
