//! Reads `explained.md`, which lists the mutants that no test can detect. Their names contain no
//! line and column, so entries stay valid when lines move.

use crate::Result;
use crate::plan::Mutant;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

pub struct Explained {
    names: BTreeSet<String>,
    /// Names of the missed mutants that have been looked up so far.
    seen: BTreeSet<String>,
}

impl Explained {
    pub fn load(path: &Path) -> Result<Self> {
        Ok(Self::parse(&fs::read_to_string(path)?))
    }

    fn parse(text: &str) -> Self {
        let names = text.lines().filter_map(|line| line.strip_prefix("* `")?.strip_suffix('`'));
        Self { names: names.map(str::to_owned).collect(), seen: BTreeSet::new() }
    }

    pub fn has(&mut self, mutant: &Mutant) -> bool {
        let name = without_place(&mutant.name, &mutant.file);
        let has = self.names.contains(&name);
        self.seen.insert(name);
        has
    }

    /// Returns the entries that are no longer missed and can be removed.
    pub fn of_none(&self) -> Vec<String> {
        self.names.difference(&self.seen).cloned().collect()
    }
}

/// Turns `FILE:LINE:COLUMN: CHANGE` into `FILE: CHANGE`.
fn without_place(name: &str, file: &str) -> String {
    let place_and_change = name.trim_start_matches(file);
    let change = place_and_change.split_once(": ").map_or("", |(_, change)| change);
    format!("{file}: {change}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_page() {
        let name = "src/a.rs:2:47: replace > with >= in Stream::a";
        let at = without_place(name, "src/a.rs");
        assert_eq!(at, "src/a.rs: replace > with >= in Stream::a");
        let explained = Explained::parse(&format!("## As `a` is b\n\n* `{at}`\n"));
        assert!(explained.names.contains(&at));
        assert_eq!(explained.names.len(), 1);
        assert_eq!(explained.of_none(), [at]);
    }
}
