//! Reads and writes `outcomes.txt`, which contains the outcome of each mutant, one per line, in the
//! order of testing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub enum What {
    Caught,
    TimedOut,
    #[default]
    Missed,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    pub what: What,
    /// Number of the test that failed.
    pub by: Option<usize>,
    /// Number of tests that ran.
    pub ran: usize,
    /// Number of tests that reach the mutant.
    pub reaching: usize,
    /// Seconds that the tests took.
    pub seconds: f64,
}

impl Outcome {
    /// Returns `true` if the mutant was missed and more tests can run now, because tests were added
    /// or the time limit was raised.
    pub fn is_worth_more(&self, seconds: f64, reaching: usize) -> bool {
        let more = self.reaching < reaching || self.ran < reaching && self.seconds < seconds;
        self.what == What::Missed && more
    }

    pub fn line(&self, id: u32) -> String {
        let what = match self.what {
            What::Caught => "caught",
            What::TimedOut => "timeout",
            What::Missed => "missed",
        };
        let by = self.by.map_or("-".into(), |number| number.to_string());
        format!("{id} {what} {by} {} {} {:.2}\n", self.ran, self.reaching, self.seconds)
    }
}

pub fn path(folder: &Path) -> PathBuf {
    folder.join("outcomes.txt")
}

/// Returns the last outcome of each mutant. Ignores a line that was cut off when a run was stopped.
pub fn load(folder: &Path) -> BTreeMap<u32, Outcome> {
    let text = fs::read_to_string(path(folder)).unwrap_or_default();
    text.lines().filter_map(parse).collect()
}

fn parse(line: &str) -> Option<(u32, Outcome)> {
    let mut words = line.split(' ');
    let id = words.next()?.parse().ok()?;
    let what = match words.next()? {
        "caught" => What::Caught,
        "timeout" => What::TimedOut,
        "missed" => What::Missed,
        _ => return None,
    };
    let by = words.next()?.parse().ok();
    let ran = words.next()?.parse().ok()?;
    let reaching = words.next()?.parse().ok()?;
    let seconds = words.next()?.parse().ok()?;
    Some((id, Outcome { what, by, ran, reaching, seconds }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_were_written() {
        let all = [
            Outcome { what: What::Caught, by: Some(3), ran: 2, reaching: 9, seconds: 0.25 },
            Outcome { what: What::Missed, by: None, ran: 9, reaching: 9, seconds: 1.5 },
        ];
        for outcome in all {
            assert_eq!(parse(outcome.line(7).trim_end()), Some((7, outcome)));
        }
    }
}
