//! Finds cycles of files that import each other.

use super::imports::module_path;
use std::collections::{BTreeMap, BTreeSet};

/// Files that import each other, directly or through other files: a strongly connected component.
pub struct Cycle<'f>(pub Vec<&'f str>);

impl Cycle<'_> {
    /// Returns the innermost module that contains all files of the cycle. For example, it is
    /// `godot::notation` for `notation.rs` and `notation/print.rs`.
    pub fn common_module(&self) -> String {
        let mut files = self.0.iter().map(|file| module_path(file));
        let mut module = files.next().unwrap_or_default();
        for path in files {
            let common = module.iter().zip(&path).take_while(|(a, b)| a == b).count();
            module.truncate(common);
        }
        module.join("::")
    }
}

/// Returns all cycles, the largest first.
pub fn cycles<'f>(edges: &BTreeSet<(&'f str, &'f str)>) -> Vec<Cycle<'f>> {
    let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in edges {
        next.entry(from).or_default().push(to);
    }
    let reached = |start| {
        let (mut reached, mut open) = (BTreeSet::new(), vec![start]);
        while let Some(file) = open.pop() {
            open.extend(next.get(file).into_iter().flatten().filter(|to| reached.insert(**to)));
        }
        reached
    };
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        next.keys().map(|file| (*file, reached(*file))).collect();
    let mut cycles = Vec::new();
    let mut seen = BTreeSet::new();
    for (file, own) in &reached {
        if own.contains(file) && seen.insert(*file) {
            let back = |to: &&str| reached.get(to).is_some_and(|reached| reached.contains(file));
            let members: Vec<&str> = own.iter().copied().filter(back).collect();
            seen.extend(members.iter().copied());
            cycles.push(Cycle(members));
        }
    }
    cycles.sort_by_key(|Cycle(files)| std::cmp::Reverse(files.len()));
    cycles
}
