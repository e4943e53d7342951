//! The rows of the tree: which containers are open, and which value each row shows.

use crate::place::{Listing, Place, Source, root, shift};
use std::collections::BTreeMap;

/// An open container.
#[derive(Debug)]
struct Branch {
    place: Place,
    listing: Listing,
    open: BTreeMap<u64, Branch>,
    /// Number of rows inside, including those of open containers.
    rows: u64,
}

/// A value that a row shows.
#[derive(Clone, Debug)]
pub struct Shown {
    pub depth: usize,
    pub place: Place,
    pub is_open: bool,
    /// Number of values in the container around it.
    pub siblings: u64,
}

/// The rows of a file.
#[derive(Debug)]
pub struct Tree {
    root: Branch,
}

/// The indices that lead from the root to a value.
pub type Chain = Vec<u64>;

impl Branch {
    fn new(source: &dyn Source, bytes: &[u8], place: Place) -> Option<Self> {
        let opening = source.open(bytes, &place)?;
        let listing = Listing::new(source, bytes, opening);
        let rows = listing.count;
        Some(Self { place, listing, open: BTreeMap::new(), rows })
    }

    /// Returns the chain of the value in a row. Rows count from the first child.
    fn chain(&self, row: u64, chain: &mut Chain) {
        // `before` counts the rows inside the open containers before the child.
        let mut before = 0;
        for (index, branch) in &self.open {
            let at = index + before;
            if row <= at {
                break;
            }
            if row <= at + branch.rows {
                chain.push(*index);
                return branch.chain(row - at - 1, chain);
            }
            before += branch.rows;
        }
        chain.push(row - before);
    }

    fn row_of(&self, chain: &[u64]) -> u64 {
        let Some((first, rest)) = chain.split_first() else { return 0 };
        let before: u64 = self.open.range(..first).map(|(_, branch)| branch.rows).sum();
        let row = first + before;
        match self.open.get(first) {
            Some(branch) if !rest.is_empty() => row + 1 + branch.row_of(rest),
            _ => row,
        }
    }

    fn count(&mut self) {
        self.rows = self.listing.count + self.open.values().map(|branch| branch.rows).sum::<u64>();
    }

    /// Opens or closes the value at the end of the chain.
    fn set(&mut self, source: &dyn Source, bytes: &[u8], chain: &[u64], is_open: bool) {
        let Some((first, rest)) = chain.split_first() else { return };
        if (is_open || !rest.is_empty()) && !self.open.contains_key(first) {
            let child = self.listing.child(source, bytes, *first);
            if let Some(branch) = child.and_then(|child| Self::new(source, bytes, child)) {
                self.open.insert(*first, branch);
            }
        }
        if rest.is_empty() && !is_open {
            self.open.remove(first);
        } else if let Some(branch) = self.open.get_mut(first) {
            branch.set(source, bytes, rest, is_open);
        }
        self.count();
    }

    /// Appends the rows from `from` to `to`.
    fn rows(
        &self,
        source: &dyn Source,
        bytes: &[u8],
        range: (u64, u64),
        depth: usize,
        out: &mut Vec<Shown>,
    ) {
        let (from, to) = range;
        let (mut row, mut index) = (0, 0);
        let mut opened = self.open.iter().peekable();
        while row < to && index < self.listing.count {
            let next_open = opened.peek().map_or(self.listing.count, |(index, _)| **index);
            // Closed children, and the next open one itself.
            let last = (next_open + 1).min(self.listing.count);
            let skip = from.saturating_sub(row).min(last - index);
            (row, index) = (row + skip, index + skip);
            let wanted = (to - row).min(last - index);
            if wanted > 0 {
                let mut left = wanted;
                self.listing.walk(source, bytes, index, |place| {
                    let is_open = self.open.contains_key(&place.index);
                    out.push(Shown { depth, place, is_open, siblings: self.listing.count });
                    left -= 1;
                    left > 0
                });
                (row, index) = (row + wanted, index + wanted);
            }
            if index == next_open + 1
                && let Some((_, branch)) = opened.next()
            {
                if row < to && row + branch.rows > from {
                    let inside = (from.saturating_sub(row), (to - row).min(branch.rows));
                    branch.rows(source, bytes, inside, depth + 1, out);
                }
                row += branch.rows;
            }
        }
    }

    fn shift(&mut self, end: usize, delta: isize) {
        shift(&mut self.place, end, delta);
        self.listing.shift(end, delta);
        self.open.values_mut().for_each(|branch| branch.shift(end, delta));
    }
}

impl Tree {
    pub fn new(source: &dyn Source, bytes: &[u8]) -> Option<Self> {
        let mut tree = Self { root: Branch::new(source, bytes, root(bytes))? };
        if tree.root.listing.count == 1 {
            tree.set(source, bytes, &[0], true);
        }
        Some(tree)
    }

    pub fn listing(&self) -> &Listing {
        &self.root.listing
    }

    /// Returns the number of rows.
    pub fn len(&self) -> u64 {
        self.root.rows
    }

    pub fn rows(&self, source: &dyn Source, bytes: &[u8], from: u64, count: u64) -> Vec<Shown> {
        let mut out = Vec::new();
        let to = from.saturating_add(count).min(self.len());
        self.root.rows(source, bytes, (from, to), 0, &mut out);
        out
    }

    /// Returns the chain of the value in a row.
    pub fn chain(&self, row: u64) -> Option<Chain> {
        let mut chain = Vec::new();
        (row < self.len()).then(|| self.root.chain(row, &mut chain))?;
        Some(chain)
    }

    pub fn row_of(&self, chain: &[u64]) -> u64 {
        self.root.row_of(chain)
    }

    pub fn set(&mut self, source: &dyn Source, bytes: &[u8], chain: &[u64], is_open: bool) {
        self.root.set(source, bytes, chain, is_open);
    }

    /// Opens all containers around a value and returns its row.
    pub fn reveal(&mut self, source: &dyn Source, bytes: &[u8], chain: &[u64]) -> u64 {
        if let Some((_, around)) = chain.split_last().filter(|(_, around)| !around.is_empty()) {
            self.set(source, bytes, around, true);
        }
        self.row_of(chain)
    }

    /// Returns the places on the way from the root to a value, including both.
    pub fn places(&self, source: &dyn Source, bytes: &[u8], chain: &[u64]) -> Option<Vec<Place>> {
        let mut places = vec![root(bytes)];
        let mut branch = Some(&self.root);
        for index in chain {
            let around = places.last()?;
            let child = match branch {
                Some(branch) => branch.listing.child(source, bytes, *index)?,
                None => {
                    let opening = source.open(bytes, around)?;
                    Listing::new(source, bytes, opening).child(source, bytes, *index)?
                }
            };
            branch = branch.and_then(|branch| branch.open.get(index));
            places.push(child);
        }
        Some(places)
    }

    /// Returns the chain of the innermost value at an offset. Opens the containers around it.
    pub fn at_offset(&mut self, source: &dyn Source, bytes: &[u8], offset: usize) -> Option<Chain> {
        let mut chain = Vec::new();
        loop {
            let mut branch = &self.root;
            for index in &chain {
                branch = branch.open.get(index)?;
            }
            let child = branch.listing.child_at(source, bytes, offset);
            let Some(child) = child else { break };
            let has_children = source.open(bytes, &child).is_some();
            chain.push(child.index);
            if !has_children || child.key.contains(&offset) {
                break;
            }
            self.set(source, bytes, &chain, true);
        }
        (!chain.is_empty()).then_some(chain)
    }

    pub fn shift(&mut self, end: usize, delta: isize) {
        self.root.shift(end, delta);
    }
}
