//! Which elements of two lists belong together.

use std::collections::HashMap;
use std::ops::Range;

/// Elements that belong together; or one that has gone or come.
pub type Place = (Option<usize>, Option<usize>);

/// Pairs the elements of two lists, of which it is given what they are like, in order.
///
/// In lists of the same length they belong together by where they are. Otherwise what is alike at
/// both ends does, and what is there once in both, as far as the order allows; between these, the
/// first belongs to the first.
pub fn align(old: &[u64], new: &[u64]) -> Vec<Place> {
    if old.len() == new.len() {
        return (0..old.len()).map(|at| (Some(at), Some(at))).collect();
    }
    let is_like = |(old, new): &(&u64, &u64)| old == new;
    let start = old.iter().zip(new).take_while(is_like).count();
    let most = old.len().min(new.len()).saturating_sub(start);
    let end = old.iter().rev().zip(new.iter().rev()).take(most).take_while(is_like).count();
    let middle = |all: &[u64]| start..all.len().saturating_sub(end);
    let mut places = Vec::new();
    let both = |(old, new): (usize, usize)| (Some(old), Some(new));
    places.extend((0..start).map(|at| both((at, at))));
    let (mut old_at, mut new_at) = (start, start);
    for anchor in anchors(old, middle(old), new, middle(new)) {
        between(old_at..anchor.0, new_at..anchor.1, &mut places);
        places.push(both(anchor));
        (old_at, new_at) = (anchor.0.saturating_add(1), anchor.1.saturating_add(1));
    }
    between(old_at..middle(old).end, new_at..middle(new).end, &mut places);
    places.extend((middle(old).end..old.len()).zip(middle(new).end..new.len()).map(both));
    places
}

/// The first to the first, and what is left over.
fn between(mut old: Range<usize>, mut new: Range<usize>, places: &mut Vec<Place>) {
    loop {
        match (old.next(), new.next()) {
            (None, None) => return,
            place => places.push(place),
        }
    }
}

/// What is there once in both, and the most of it that comes in the same order.
fn anchors(
    old: &[u64],
    old_range: Range<usize>,
    new: &[u64],
    new_range: Range<usize>,
) -> Vec<(usize, usize)> {
    let old_once = once(old, old_range.clone());
    let new_once = once(new, new_range);
    let there = old_range.filter_map(|at| {
        let likeness = old.get(at)?;
        let (old_at, new_at) = (old_once.get(likeness)?, new_once.get(likeness)?);
        Some(((*old_at)?, (*new_at)?))
    });
    in_order(&there.collect::<Vec<_>>())
}

/// Where what is there once is; what is there more often is nowhere.
fn once(all: &[u64], range: Range<usize>) -> HashMap<u64, Option<usize>> {
    let mut once = HashMap::new();
    for at in range {
        if let Some(likeness) = all.get(at) {
            once.entry(*likeness).and_modify(|at| *at = None).or_insert(Some(at));
        }
    }
    once
}

/// The longest row of pairs in which the second numbers grow, as the first ones do.
fn in_order(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // Of the rows of each length, the one that ends lowest: its last pair. And for each pair the
    // one before it.
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
    let mut row = Vec::new();
    let mut next = ends.last().copied();
    while let Some(at) = next {
        row.extend(pairs.get(at));
        next = before.get(at).copied().flatten();
    }
    row.reverse();
    row
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
    fn what_comes_and_goes() {
        is(&[1, 2], &[1, 3, 2], &[(0, 0), (-1, 1), (1, 2)]);
        is(&[1, 2, 3], &[3], &[(0, -1), (1, -1), (2, 0)]);
        is(&[1, 1], &[1, 1, 1], &[(0, 0), (1, 1), (-1, 2)]);
        is(&[], &[5], &[(-1, 0)]);
    }

    /// Both ends have changed; what is there once tells which is which.
    #[test]
    fn what_is_there_once() {
        is(&[1, 2, 3, 4], &[9, 8, 2, 3, 5], &[(0, 0), (-1, 1), (1, 2), (2, 3), (3, 4)]);
        is(&[1, 2, 3, 7, 4], &[5, 3, 2, 6], &[(0, 0), (1, -1), (2, 1), (3, 2), (4, 3)]);
    }

    /// Everything is paired once, in order, whatever the lists.
    #[test]
    fn all_of_both() {
        let mut seed = 7_u64;
        let mut random = |below: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..2000 {
            let lists = [0; 2].map(|_| (0..random(9)).map(|_| random(6)).collect::<Vec<_>>());
            let places = align(&lists[0], &lists[1]);
            let olds: Vec<_> = places.iter().filter_map(|place| place.0).collect();
            let news: Vec<_> = places.iter().filter_map(|place| place.1).collect();
            assert!(olds.into_iter().eq(0..lists[0].len()), "{lists:?} {places:?}");
            assert!(news.into_iter().eq(0..lists[1].len()), "{lists:?} {places:?}");
        }
    }
}
