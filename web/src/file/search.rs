//! Search in the tree, in slices, so that it can be cancelled.

use crate::file::place::{Row, Source};
use crate::file::walk::{Walk, indices};

/// The part of a value that is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Any,
    Key,
    Value,
    Path,
}

/// The text to search for. The browser converts it to lower and upper case, because Rust's tables
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

    /// Converts ASCII letters, and letters that occur in the needle, to lower case.
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

/// A search that is under way.
#[derive(Debug)]
pub struct Search {
    needle: Needle,
    field: Field,
    walk: Walk,
    pub hits: u64,
    pub done: bool,
}

/// Maximum number of values that are reported.
const MAX_HITS: u64 = 10_000;

impl Search {
    pub fn new(source: &dyn Source, bytes: &[u8], needle: Needle, field: Field) -> Self {
        let done = needle.lower.is_empty();
        let walk = Walk::new(source, bytes, field == Field::Path);
        Self { needle, field, walk, hits: 0, done }
    }

    /// Returns the offset up to which the content has been searched.
    pub fn offset(&self) -> usize {
        self.walk.offset()
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
            let row = self.walk.next(source, bytes);
            let Some(row) = row.filter(|_| self.hits < MAX_HITS) else {
                self.done = true;
                return;
            };
            if self.matches(&row) {
                self.hits += 1;
                let text = if row.text.is_empty() { row.kind } else { row.text };
                let chain = indices(self.walk.places());
                found(Hit { chain, path: self.walk.path(), text });
            }
            if row.can_open {
                self.walk.enter(source, bytes);
            }
        }
    }

    fn matches(&self, row: &Row) -> bool {
        let needle = &self.needle;
        let contains = |text: &str| needle.folded(text).contains(&needle.lower);
        match self.field {
            Field::Key => contains(&row.label),
            Field::Value => !row.can_open && contains(&row.text),
            Field::Any => contains(&row.label) || (!row.can_open && contains(&row.text)),
            Field::Path => {
                let last = needle.lower.rsplit('/').next().unwrap_or_default();
                let path = || format!("/{}", needle.folded(&self.walk.path()));
                needle.folded(&row.label) == last && path().ends_with(&format!("/{}", needle.lower))
            }
        }
    }
}
