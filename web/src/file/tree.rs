//! The rows of the tree: which containers are open, and which value each row shows.

use crate::file::place::{Listing, Place, Row, Source, root, shift};

/// An open container.
#[derive(Debug)]
struct Branch {
    place: Place,
    listing: Listing,
    open: OpenBranches,
    /// Number of rows inside, including those of open containers.
    rows: u64,
}

/// The open containers inside a branch, sorted by their indices. (A `BTreeMap` would make each
/// module 4 KB larger.)
#[derive(Debug, Default)]
struct OpenBranches(Vec<Branch>);

impl OpenBranches {
    /// Returns the position of the container with this index, or the position to insert it.
    fn find(&self, index: u64) -> Result<usize, usize> {
        self.0.binary_search_by_key(&index, |branch| branch.place.index)
    }

    fn get(&self, index: u64) -> Option<&Branch> {
        self.find(index).ok().map(|at| &self.0[at])
    }

    /// Returns the number of rows inside all containers before `index`.
    fn rows_before(&self, index: u64) -> u64 {
        let (Ok(at) | Err(at)) = self.find(index);
        self.0[..at].iter().map(|branch| branch.rows).sum()
    }
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

/// A row with everything that the page needs.
#[derive(Clone, Debug)]
pub struct ShownRow {
    pub shown: Shown,
    pub row: Row,
}

/// The content of a file, and the chain of places to the current container.
struct Walk<'w> {
    source: &'w dyn Source,
    bytes: &'w [u8],
    chain: Vec<Place>,
}

impl<'w> Walk<'w> {
    fn new(source: &'w dyn Source, bytes: &'w [u8]) -> Self {
        Self { source, bytes, chain: vec![root(bytes)] }
    }

    /// Opens the last value in the chain.
    fn branch(&self) -> Option<Branch> {
        let opening = self.source.open(self.bytes, &self.chain)?;
        let listing = Listing::new(self.source, self.bytes, &self.chain, opening);
        let (place, rows) = (self.chain.last()?.clone(), listing.count);
        Some(Branch { place, listing, open: OpenBranches::default(), rows })
    }

    /// Calls `each` with the children of a branch.
    fn children(&self, branch: &Branch, from: u64, each: &mut dyn FnMut(Place) -> bool) {
        branch.listing.walk(self.source, self.bytes, &self.chain, from, each);
    }

    fn child(&self, branch: &Branch, index: u64) -> Option<Place> {
        branch.listing.child(self.source, self.bytes, &self.chain, index)
    }
}

/// The rows of a file.
#[derive(Debug)]
pub struct Tree {
    root: Branch,
}

/// The indices that lead from the root to a value.
pub type Chain = Vec<u64>;

impl Branch {
    /// Returns the chain of the value in a row. Rows count from the first child.
    fn chain(&self, row: u64, chain: &mut Chain) {
        // `before` counts the rows inside the open containers before the child.
        let mut before = 0;
        for branch in &self.open.0 {
            let index = branch.place.index;
            let at = index + before;
            if row <= at {
                break;
            }
            if row <= at + branch.rows {
                chain.push(index);
                return branch.chain(row - at - 1, chain);
            }
            before += branch.rows;
        }
        chain.push(row - before);
    }

    fn row_of(&self, chain: &[u64]) -> u64 {
        let Some((first, rest)) = chain.split_first() else { return 0 };
        let row = first + self.open.rows_before(*first);
        match self.open.get(*first) {
            Some(branch) if !rest.is_empty() => row + 1 + branch.row_of(rest),
            _ => row,
        }
    }

    fn count(&mut self) {
        self.rows = self.listing.count + self.open.rows_before(u64::MAX);
    }

    /// Opens or closes the value at the end of the chain. The walk has arrived at this branch.
    fn set(&mut self, walk: &mut Walk<'_>, chain: &[u64], is_open: bool) {
        let Some((first, rest)) = chain.split_first() else { return };
        if (is_open || !rest.is_empty())
            && let Err(at) = self.open.find(*first)
            && let Some(child) = walk.child(self, *first)
        {
            walk.chain.push(child);
            if let Some(branch) = walk.branch() {
                self.open.0.insert(at, branch);
            }
            walk.chain.pop();
        }
        let Ok(at) = self.open.find(*first) else { return };
        if rest.is_empty() && !is_open {
            self.open.0.remove(at);
        } else {
            let branch = &mut self.open.0[at];
            walk.chain.push(branch.place.clone());
            branch.set(walk, rest, is_open);
            walk.chain.pop();
        }
        self.count();
    }

    /// Appends the rows in a range. The walk has arrived at this branch.
    fn rows(&self, walk: &mut Walk<'_>, range: (u64, u64), depth: usize, out: &mut Vec<ShownRow>) {
        let (from, to) = range;
        let (mut row, mut index) = (0, 0);
        let mut opened = self.open.0.iter().peekable();
        while row < to && index < self.listing.count {
            let next_open = opened.peek().map_or(self.listing.count, |branch| branch.place.index);
            // Closed children, and the next open one itself.
            let last = (next_open + 1).min(self.listing.count);
            let skip = from.saturating_sub(row).min(last - index);
            (row, index) = (row + skip, index + skip);
            let wanted = (to - row).min(last - index);
            if wanted > 0 {
                self.children(walk, (index, wanted), depth, out);
                (row, index) = (row + wanted, index + wanted);
            }
            if index == next_open + 1
                && let Some(branch) = opened.next()
            {
                if row < to && row + branch.rows > from {
                    let inside = (from.saturating_sub(row), (to - row).min(branch.rows));
                    walk.chain.push(branch.place.clone());
                    branch.rows(walk, inside, depth + 1, out);
                    walk.chain.pop();
                }
                row += branch.rows;
            }
        }
    }

    /// Appends the rows of `count` children from `first` on.
    fn children(
        &self,
        walk: &Walk<'_>,
        (first, count): (u64, u64),
        depth: usize,
        out: &mut Vec<ShownRow>,
    ) {
        let mut places = Vec::new();
        walk.children(self, first, &mut |place| {
            places.push(place);
            (places.len() as u64) < count
        });
        let rows = walk.source.rows(walk.bytes, &walk.chain, &places);
        out.extend(places.into_iter().zip(rows).map(|(place, row)| {
            let is_open = self.open.find(place.index).is_ok();
            let siblings = self.listing.count;
            ShownRow { shown: Shown { depth, place, is_open, siblings }, row }
        }));
    }

    fn shift(&mut self, end: usize, delta: isize) {
        shift(&mut self.place, end, delta);
        self.listing.shift(end, delta);
        self.open.0.iter_mut().for_each(|branch| branch.shift(end, delta));
    }
}

impl Tree {
    pub fn new(source: &dyn Source, bytes: &[u8]) -> Option<Self> {
        let mut tree = Self { root: Walk::new(source, bytes).branch()? };
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

    pub fn rows(&self, source: &dyn Source, bytes: &[u8], from: u64, count: u64) -> Vec<ShownRow> {
        let mut out = Vec::new();
        let to = from.saturating_add(count).min(self.len());
        self.root.rows(&mut Walk::new(source, bytes), (from, to), 0, &mut out);
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
        self.root.set(&mut Walk::new(source, bytes), chain, is_open);
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
        let mut walk = Walk::new(source, bytes);
        let mut branch = Some(&self.root);
        for index in chain {
            let child = match branch {
                Some(branch) => walk.child(branch, *index)?,
                None => walk.child(&walk.branch()?, *index)?,
            };
            branch = branch.and_then(|branch| branch.open.get(*index));
            walk.chain.push(child);
        }
        Some(walk.chain)
    }

    /// Returns the chain of the innermost value at an offset. Opens the containers around it.
    pub fn at_offset(&mut self, source: &dyn Source, bytes: &[u8], offset: usize) -> Option<Chain> {
        let mut chain = Vec::new();
        let mut walk = Walk::new(source, bytes);
        loop {
            let mut branch = &self.root;
            for index in &chain {
                branch = branch.open.get(*index)?;
            }
            let child = branch.listing.child_at(source, bytes, &walk.chain, offset);
            let Some(child) = child else { break };
            let is_key = child.key.contains(&offset);
            chain.push(child.index);
            walk.chain.push(child);
            if is_key || source.open(bytes, &walk.chain).is_none() {
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
