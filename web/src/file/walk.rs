//! Visits the values of a file in order, without storing the tree.

use crate::file::place::{Layout, Opening, Place, Row, Source, root};

/// An open container.
#[derive(Debug)]
struct Level {
    opening: Opening,
    /// Index and offset of the next child.
    next: (u64, usize),
    /// Label of the child before the next one.
    label: String,
    /// The next children, with their rows, in reverse order.
    ahead: Vec<(Place, Row)>,
}

/// A walk over all values, which can stop after each of them.
#[derive(Debug)]
pub struct Walk {
    levels: Vec<Level>,
    /// The places of the open containers, and the last visited value.
    chain: Vec<Place>,
    /// `true` to visit the elements of arrays whose elements have a fixed size, such as numbers.
    elements: bool,
}

/// Number of children that are read at a time.
const AHEAD: usize = 64;

impl Walk {
    pub fn new(source: &dyn Source, bytes: &[u8], elements: bool) -> Self {
        let mut walk = Self { levels: Vec::new(), chain: vec![root(bytes)], elements };
        walk.enter(source, bytes);
        walk
    }

    /// Visits the children of the last visited value next. Returns `false` if it has none.
    pub fn enter(&mut self, source: &dyn Source, bytes: &[u8]) -> bool {
        let opening = source.open(bytes, &self.chain);
        let is_wanted =
            |opening: &Opening| self.elements || !matches!(opening.layout, Layout::Fixed(_));
        let Some(opening) = opening.filter(is_wanted) else { return false };
        let next = (0, opening.first);
        self.levels.push(Level { opening, next, label: String::new(), ahead: Vec::new() });
        true
    }

    /// Returns the row of the next value, or `None` at the end.
    pub fn next(&mut self, source: &dyn Source, bytes: &[u8]) -> Option<Row> {
        while !self.levels.is_empty() {
            self.chain.truncate(self.levels.len());
            if let Some((place, row)) = self.child(source, bytes) {
                self.chain.push(place);
                if let Some(level) = self.levels.last_mut() {
                    level.label.clone_from(&row.label);
                }
                return Some(row);
            }
            self.levels.pop();
        }
        None
    }

    /// Returns the next child of the innermost container. An error ends the container, as in the
    /// tree.
    fn child(&mut self, source: &dyn Source, bytes: &[u8]) -> Option<(Place, Row)> {
        let level = self.levels.last_mut()?;
        if level.ahead.is_empty() {
            let (index, count) = (level.next.0, level.opening.count);
            if count.is_some_and(|count| index >= count) {
                return None;
            }
            let mut places = Vec::new();
            let end = count.unwrap_or(u64::MAX);
            let _ = source.walk(bytes, &self.chain, &level.opening, level.next, &mut |place| {
                level.next = (place.index + 1, place.value.end);
                places.push(place);
                places.len() <= AHEAD && level.next.0 < end
            });
            // The next walk begins at the last child again, because it must begin at the start of a
            // child.
            if places.len() > AHEAD {
                level.next = places.pop().map_or(level.next, |place| (place.index, place.start()));
            } else {
                level.opening.count = Some(level.next.0);
            }
            let rows = source.rows(bytes, &self.chain, &places);
            level.ahead = places.into_iter().zip(rows).rev().collect();
        }
        level.ahead.pop()
    }

    /// Returns the offset up to which values were visited.
    pub fn offset(&self) -> usize {
        self.levels.last().map_or(0, |level| level.next.1)
    }

    /// Returns the places on the way from the root to the last visited value, including both.
    pub fn places(&self) -> &[Place] {
        &self.chain
    }

    /// Returns the path of the last visited value.
    pub fn path(&self) -> String {
        let labels: Vec<_> = self.levels.iter().map(|level| level.label.as_str()).collect();
        labels.join("/")
    }
}

/// Returns the indices that lead from the root to the last of these places.
pub fn indices(places: &[Place]) -> Vec<u64> {
    places.iter().skip(1).map(|place| place.index).collect()
}
