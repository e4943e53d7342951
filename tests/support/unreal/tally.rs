//! Counts of comparisons with the oracle.

use super::compare::Same;

/// The counts of compared files and values, and the differences. Dropping the tally panics if there
/// is a difference.
#[derive(Default)]
pub struct Tally {
    pub files: usize,
    /// The number of files that both readers opened.
    pub opened: usize,
    pub values: usize,
    pub different: Vec<String>,
}

impl Tally {
    pub fn add(&mut self, what: impl FnOnce() -> String, same: Same) {
        self.files += 1;
        match same {
            Ok(values) => {
                self.opened += usize::from(values > 0);
                self.values += values;
            }
            Err(difference) => self.different.push(format!("{}: {difference}", what())),
        }
    }
}

impl Drop for Tally {
    fn drop(&mut self) {
        println!("{} files, {} opened, {} values", self.files, self.opened, self.values);
        self.different.iter().take(12).for_each(|different| println!("{different}"));
        let count = self.different.len();
        assert!(count == 0 || std::thread::panicking(), "{count} are different");
    }
}
