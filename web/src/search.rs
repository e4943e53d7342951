//! Search in the tree, in slices, so that it can be cancelled.

use crate::place::{Layout, Opening, Place, Row, Source, root};

/// The part of a value that is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Any,
    Key,
    Value,
    Path,
}

/// The text that is searched. The browser converts it to lower and upper case, because Rust's tables
/// for that would make the page larger.
#[derive(Debug, Default)]
pub struct Needle {
    lower: String,
    /// Letters of the text outside of ASCII: in upper case, and in lower case.
    letters: Vec<(char, char)>,
}

impl Needle {
    pub fn new(lower: &str, upper: &str) -> Self {
        let mut letters = Vec::new();
        if lower.chars().count() == upper.chars().count() {
            letters.extend(upper.chars().zip(lower.chars()).filter(|(upper, _)| !upper.is_ascii()));
        }
        Self { lower: lower.into(), letters }
    }

    /// Converts the letters that occur in the text that is searched to lower case.
    fn folded(&self, text: &str) -> String {
        let fold = |c: char| match self.letters.iter().find(|(upper, _)| *upper == c) {
            Some((_, lower)) => *lower,
            None => c.to_ascii_lowercase(),
        };
        text.chars().map(fold).collect()
    }
}

/// A value that was found.
#[derive(Clone, Debug)]
pub struct Hit {
    /// The indices that lead to it from the root.
    pub chain: Vec<u64>,
    pub path: String,
    pub text: String,
}

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

/// A search that is under way.
#[derive(Debug)]
pub struct Search {
    needle: Needle,
    field: Field,
    levels: Vec<Level>,
    /// The places of the open containers.
    chain: Vec<Place>,
    pub hits: u64,
    pub done: bool,
}

/// Number of children that are read at a time.
const AHEAD: usize = 64;
/// Maximum number of values that are reported.
const MAX_HITS: u64 = 10_000;

impl Search {
    pub fn new(source: &dyn Source, bytes: &[u8], needle: Needle, field: Field) -> Self {
        let done = needle.lower.is_empty();
        let (levels, chain) = (Vec::new(), vec![root(bytes)]);
        let mut search = Self { needle, field, levels, chain, hits: 0, done };
        search.enter(source, bytes);
        search
    }

    /// Opens the last value in the chain, or removes it.
    fn enter(&mut self, source: &dyn Source, bytes: &[u8]) {
        if let Some(opening) = source.open(bytes, &self.chain)
            && (!matches!(opening.layout, Layout::Fixed(_)) || self.field == Field::Path)
        {
            let next = (0, opening.first);
            self.levels.push(Level { opening, next, label: String::new(), ahead: Vec::new() });
        } else {
            self.chain.pop();
        }
    }

    /// Returns the offset up to which the content has been searched.
    pub fn offset(&self) -> usize {
        self.levels.last().map_or(0, |level| level.next.1)
    }

    /// Returns the next child of the innermost container. An error ends the container, as in the
    /// tree.
    fn next(&mut self, source: &dyn Source, bytes: &[u8]) -> Option<(Place, Row)> {
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
            // The walk continues at the last child, because only its start is known for certain.
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

    /// Visits up to `budget` values, and calls `found` with each hit.
    pub fn run(
        &mut self,
        source: &dyn Source,
        bytes: &[u8],
        budget: usize,
        found: &mut dyn FnMut(Hit),
    ) {
        for _ in 0..budget {
            if self.levels.is_empty() {
                self.done = true;
                return;
            }
            let Some((place, row)) = self.next(source, bytes) else {
                self.levels.pop();
                self.chain.pop();
                continue;
            };
            self.visit(source, bytes, place, row, found);
            if self.hits >= MAX_HITS {
                self.done = true;
                return;
            }
        }
    }

    fn visit(
        &mut self,
        source: &dyn Source,
        bytes: &[u8],
        place: Place,
        row: Row,
        found: &mut dyn FnMut(Hit),
    ) {
        if let Some(level) = self.levels.last_mut() {
            level.label.clone_from(&row.label);
        }
        let needle = &self.needle;
        let contains = |text: &str| needle.folded(text).contains(&needle.lower);
        let is_hit = match self.field {
            Field::Key => contains(&row.label),
            Field::Value => !row.can_open && contains(&row.text),
            Field::Any => contains(&row.label) || (!row.can_open && contains(&row.text)),
            Field::Path => {
                let last = needle.lower.rsplit('/').next().unwrap_or_default();
                let path = || format!("/{}", needle.folded(&self.path()));
                needle.folded(&row.label) == last && path().ends_with(&format!("/{}", needle.lower))
            }
        };
        if is_hit {
            self.hits += 1;
            let text = if row.text.is_empty() { row.kind } else { row.text };
            let around = self.chain.iter().skip(1).map(|place| place.index);
            let chain = around.chain([place.index]).collect();
            found(Hit { chain, path: self.path(), text });
        }
        if row.can_open {
            self.chain.push(place);
            self.enter(source, bytes);
        }
    }

    fn path(&self) -> String {
        let labels: Vec<_> = self.levels.iter().map(|level| level.label.as_str()).collect();
        labels.join("/")
    }
}
