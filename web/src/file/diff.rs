//! The differences between two files.

use crate::file::place::{Part, Place, Row, Source, root};
use crate::file::walk::indices;
use std::collections::BinaryHeap;

/// A file that is compared.
#[derive(Clone, Copy)]
pub struct Side<'s> {
    pub source: &'s dyn Source,
    pub bytes: &'s [u8],
}

/// A value that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub path: String,
    /// The text in each file, or `None` if the value is only in the other one.
    pub texts: [Option<String>; 2],
    /// The indices that lead from the root to the value in the first file, or to the container
    /// around it if it is only in the second one.
    pub chain: Vec<u64>,
}

/// Two containers that are still to be compared.
#[derive(Debug)]
struct Pair {
    chains: [Vec<Place>; 2],
    path: String,
}

/// A comparison that is under way.
#[derive(Debug)]
pub struct Diff {
    /// The last pair is compared first.
    pairs: Vec<Pair>,
    /// `true` if equal bytes are always equal values, as with values of Godot in one dialect.
    bytes_decide: bool,
    pub found: u64,
}

type Child = (Place, Row);

/// Maximum number of differences that are reported.
pub const MAX: u64 = 10_000;

impl Diff {
    pub fn new(sides: [Side<'_>; 2], bytes_decide: bool) -> Self {
        let chains = sides.map(|side| vec![root(side.bytes)]);
        Self { pairs: vec![Pair { chains, path: String::new() }], bytes_decide, found: 0 }
    }

    /// Compares containers until it has compared about `budget` values. Returns the offset in the
    /// first file that was reached, and whether the comparison ended.
    pub fn run(
        &mut self,
        sides: [Side<'_>; 2],
        budget: usize,
        found: &mut dyn FnMut(Difference),
    ) -> (usize, bool) {
        let (mut seen, mut offset) = (0, 0);
        while seen < budget && self.found < MAX {
            let Some(pair) = self.pairs.pop() else { return (offset, true) };
            offset = pair.chains[0].last().map_or(0, |place| place.value.start);
            seen += self.compare(sides, &pair, found);
        }
        (offset, self.found >= MAX)
    }

    /// Compares the children of two containers. Returns how many there are.
    fn compare(
        &mut self,
        sides: [Side<'_>; 2],
        pair: &Pair,
        found: &mut dyn FnMut(Difference),
    ) -> usize {
        let mut places = [0, 1].map(|side| children(sides[side], &pair.chains[side]));
        let count = places[0].len() + places[1].len();
        if self.bytes_decide {
            without_equal_ends(sides, &mut places);
        }
        let mut side = 0;
        let [left, right] = places.map(|places| {
            let Side { source, bytes } = sides[side];
            let rows = source.rows(bytes, &pair.chains[side], &places);
            side += 1;
            places.into_iter().zip(rows).collect()
        });
        let first = self.pairs.len();
        for children in matched(left, right) {
            self.compare_children(sides, pair, children, found);
        }
        self.pairs[first..].reverse();
        count
    }

    fn compare_children(
        &mut self,
        sides: [Side<'_>; 2],
        pair: &Pair,
        children: [Option<Child>; 2],
        found: &mut dyn FnMut(Difference),
    ) {
        let label = children.iter().flatten().next().map_or("", |(_, row)| &row.label);
        let separator = if pair.path.is_empty() { "" } else { "/" };
        let path = format!("{}{separator}{label}", pair.path);
        let mut chains = pair.chains.clone();
        for (chain, child) in chains.iter_mut().zip(&children) {
            chain.extend(child.iter().map(|(place, _)| place.clone()));
        }
        let texts = [0, 1].map(|side| {
            let (_, row) = children[side].as_ref()?;
            Some(text(sides[side], &chains[side], row))
        });
        if let [Some((_, left)), Some((_, right))] = &children
            && left.kind == right.kind
        {
            let is_same = if left.can_open && right.can_open {
                self.pairs.push(Pair { chains: chains.clone(), path: path.clone() });
                left.text == right.text
            } else {
                let are_bytes_same = || value(sides[0], &chains[0]) == value(sides[1], &chains[1]);
                texts[0] == texts[1] && (!self.bytes_decide || are_bytes_same())
            };
            if is_same {
                return;
            }
        }
        self.found += 1;
        if self.found <= MAX {
            found(Difference { path, texts, chain: indices(&chains[0]) });
        }
    }
}

fn value<'s>(side: Side<'s>, chain: &[Place]) -> &'s [u8] {
    let range = chain.last().map_or(0..0, |place| place.value.clone());
    side.bytes.get(range).unwrap_or_default()
}

/// Returns the text of a value. For a container, returns its type, its size and its row's text.
fn text(side: Side<'_>, chain: &[Place], row: &Row) -> String {
    match row.count {
        Some(count) => format!("{} ({count}) {}", row.kind, row.text).trim_end().into(),
        None => match side.source.text(side.bytes, chain, Part::Value) {
            text if text.is_empty() => row.text.clone(),
            text => text,
        },
    }
}

/// Returns the places of the children of the last value in the chain.
fn children(side: Side<'_>, chain: &[Place]) -> Vec<Place> {
    let Some(opening) = side.source.open(side.bytes, chain) else { return Vec::new() };
    let mut places = Vec::new();
    if opening.count != Some(0) {
        // An error ends the list, as in the tree.
        let first = (0, opening.first);
        let _ = side.source.walk(side.bytes, chain, &opening, first, &mut |place| {
            places.push(place);
            opening.count.is_none_or(|count| (places.len() as u64) < count)
        });
    }
    places
}

/// Removes places at the start and at the end of two lists, as long as their bytes are equal.
fn without_equal_ends(sides: [Side<'_>; 2], [left, right]: &mut [Vec<Place>; 2]) {
    let bytes = |side: usize, place: &Place| sides[side].bytes.get(place.start()..place.value.end);
    let is_same = |pair: &(&Place, &Place)| bytes(0, pair.0) == bytes(1, pair.1);
    let count = left.iter().zip(&*right).take_while(is_same).count();
    left.drain(..count);
    right.drain(..count);
    let count = left.iter().rev().zip(right.iter().rev()).take_while(is_same).count();
    left.truncate(left.len() - count);
    right.truncate(right.len() - count);
}

/// Pairs children that have the same label. It is a key, a name, or the index of an element.
fn matched(left: Vec<Child>, right: Vec<Child>) -> Vec<[Option<Child>; 2]> {
    // The code of a heap is smaller than that of `sort`.
    let sorted: BinaryHeap<_> = right.iter().map(|(_, row)| row.label.clone()).zip(0..).collect();
    let (labels, order): (Vec<_>, Vec<usize>) = sorted.into_sorted_vec().into_iter().unzip();
    let mut right: Vec<_> = right.into_iter().map(Some).collect();
    let mut pairs = Vec::new();
    for child in left {
        let label = &child.1.label;
        // Keys can be repeated.
        let from = labels.partition_point(|other| other < label);
        let same = labels[from..].iter().zip(&order[from..]);
        let mut same = same.take_while(|(other, _)| *other == label);
        let other = same.find_map(|(_, at)| right[*at].take());
        pairs.push([Some(child), other]);
    }
    pairs.extend(right.into_iter().flatten().map(|child| [None, Some(child)]));
    pairs
}
