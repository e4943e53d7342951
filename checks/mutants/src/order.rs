//! Decides which tests run for each mutant, and in which order. Tests that are likely to fail come
//! first, then fast tests.

use crate::tests::Test;
use std::collections::HashMap;

/// Number that is added to every test's number of caught mutants. Without it, a fast test that has
/// caught none so far would come last.
const CREDIT: f64 = 0.3;
/// Seconds needed to start a test.
const START: f64 = 0.01;

/// Returns the tests that reach each mutant, fastest first.
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

/// The number of mutants that each test has caught, grouped by the source file of the mutants.
#[derive(Default)]
pub struct History(HashMap<String, HashMap<usize, usize>>);

impl History {
    pub fn caught(&mut self, file: &str, test: usize) {
        *self.0.entry(file.to_owned()).or_default().entry(test).or_default() += 1;
    }

    /// Returns the tests `reaching` in the order in which they should run. Tests that caught more
    /// mutants in this file per second come first. [`CREDIT`] is added to the number of mutants.
    pub fn order(&self, file: &str, reaching: &[usize], tests: &[Test]) -> Vec<usize> {
        let caught = self.0.get(file);
        let worth = |number: usize| {
            let count = caught.and_then(|caught| caught.get(&number)).copied().unwrap_or(0);
            (count as f64 + CREDIT) / (tests[number].seconds + START)
        };
        let mut order = reaching.to_vec();
        order.sort_by(|&a, &b| worth(b).total_cmp(&worth(a)));
        order
    }
}
