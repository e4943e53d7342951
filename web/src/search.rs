//! Search in the tree, in slices, so that it can be cancelled.

use crate::place::{Layout, Opening, Place, Source, root};

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
    index: u64,
    pos: usize,
    /// Label of the child before the next one.
    label: String,
}

/// A search that is under way.
#[derive(Debug)]
pub struct Search {
    needle: Needle,
    field: Field,
    levels: Vec<Level>,
    pub hits: u64,
    pub done: bool,
}

/// Maximum number of values that are reported.
const MAX_HITS: u64 = 10_000;

impl Search {
    pub fn new(source: &dyn Source, bytes: &[u8], needle: Needle, field: Field) -> Self {
        let done = needle.lower.is_empty();
        let mut search = Self { needle, field, levels: Vec::new(), hits: 0, done };
        search.enter(source, bytes, &root(bytes));
        search
    }

    fn enter(&mut self, source: &dyn Source, bytes: &[u8], place: &Place) {
        if let Some(opening) = source.open(bytes, place)
            && (!matches!(opening.layout, Layout::Fixed(_)) || self.field == Field::Path)
        {
            let pos = opening.first;
            self.levels.push(Level { opening, index: 0, pos, label: String::new() });
        }
    }

    /// Returns the offset up to which the content has been searched.
    pub fn offset(&self) -> usize {
        self.levels.last().map_or(0, |level| level.pos)
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
            let Some(level) = self.levels.last_mut() else {
                self.done = true;
                return;
            };
            let is_end = level.opening.count.is_some_and(|count| level.index >= count);
            let step = if is_end {
                None
            } else {
                // An error ends the container, as in the tree.
                source.step(bytes, &level.opening, level.index, level.pos).ok().flatten()
            };
            let Some(place) = step else {
                self.levels.pop();
                continue;
            };
            level.index += 1;
            level.pos = place.value.end;
            self.visit(source, bytes, &place, found);
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
        place: &Place,
        found: &mut dyn FnMut(Hit),
    ) {
        let row = source.row(bytes, place);
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
            found(Hit { chain: self.chain(), path: self.path(), text });
        }
        if row.can_open {
            self.enter(source, bytes, place);
        }
    }

    fn chain(&self) -> Vec<u64> {
        self.levels.iter().map(|level| level.index - 1).collect()
    }

    fn path(&self) -> String {
        let labels: Vec<_> = self.levels.iter().map(|level| level.label.as_str()).collect();
        labels.join("/")
    }
}
