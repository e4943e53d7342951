//! Which tests a mutant is shown to, and in which order: those that are likely to fail come first,
//! then quick ones.

use crate::tests::Test;
use std::collections::{HashMap, HashSet};

/// Tests that have caught other mutants of the same file.
const PROVEN: usize = 6;
const QUICKEST: usize = 12;

/// For each mutant, which tests reach it, the quickest first.
pub fn reaching(tests: &[Test], mutants: usize) -> Vec<Vec<usize>> {
    let mut numbers: Vec<_> = (0..tests.len()).filter(|&number| tests[number].passes).collect();
    numbers.sort_by(|&a, &b| tests[a].seconds.total_cmp(&tests[b].seconds));
    let mut reaching = vec![Vec::new(); mutants];
    for number in numbers {
        for &id in &tests[number].reached {
            reaching[id as usize].push(number);
        }
    }
    reaching
}

/// How many mutants of a file each test has caught.
#[derive(Default)]
pub struct History(HashMap<String, HashMap<usize, usize>>);

impl History {
    pub fn caught(&mut self, file: &str, test: usize) {
        *self.0.entry(file.to_owned()).or_default().entry(test).or_default() += 1;
    }

    /// All of `reaching`, in the order in which they should run.
    pub fn order(&self, file: &str, reaching: &[usize], tests: &[Test]) -> Vec<usize> {
        let mut binaries = HashSet::new();
        let each_binary = reaching.iter().filter(|&&number| binaries.insert(&tests[number].binary));
        let first = self.proven(file, reaching, tests);
        let all = first.iter().chain(reaching.iter().take(QUICKEST)).chain(each_binary);
        let mut seen = HashSet::new();
        all.chain(reaching).copied().filter(|&number| seen.insert(number)).collect()
    }

    fn proven(&self, file: &str, reaching: &[usize], tests: &[Test]) -> Vec<usize> {
        let Some(caught) = self.0.get(file) else { return Vec::new() };
        let worth = |number: usize| {
            let count = caught.get(&number).copied().unwrap_or(0);
            count as f64 / (tests[number].seconds + 0.02)
        };
        let mut proven: Vec<_> =
            reaching.iter().copied().filter(|number| caught.contains_key(number)).collect();
        proven.sort_by(|&a, &b| worth(b).total_cmp(&worth(a)));
        proven.truncate(PROVEN);
        proven
    }
}
