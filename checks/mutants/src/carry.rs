//! Copies results of an earlier report for sources that have not changed since then. The report
//! names the mutants that were missed, and those that are left to `cargo mutants`. In a source
//! without untested mutants, all other mutants that compile were caught or timed out. They still
//! count as caught as long as no test is removed.

use crate::outcome::{self, Outcome, What};
use crate::plan::{self, Mutant, Status};
use crate::{Result, tree};
use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// Records the mutants that were caught according to the report in `results`. `since` is the
/// revision of the sources in the report.
pub fn carry(folder: &Path, results: &Path, root: &Path, since: &str) -> Result<()> {
    let known = outcome::load(folder);
    let changed = changed(root, since)?;
    let reports = fs::read_dir(results)?.map(|file| Ok(fs::read_to_string(file?.path())?));
    let report = reports.collect::<Result<String>>()?;
    let others: HashSet<&str> = report.lines().filter_map(not_caught).collect();
    let tested: HashSet<&str> = report.lines().filter_map(tested).collect();
    let is_caught = |mutant: &Mutant| {
        mutant.status == Status::Planted
            && !changed.contains(&mutant.file)
            && tested.contains(mutant.file.as_str())
            && !others.contains(mutant.name.as_str())
    };
    let mut out = OpenOptions::new().append(true).create(true).open(outcome::path(folder))?;
    let mut count = 0;
    for (id, mutant) in plan::load(folder)?.iter().enumerate() {
        let id = id as u32;
        if is_caught(mutant) && !known.contains_key(&id) {
            let caught = Outcome { what: What::Caught, ..Outcome::default() };
            out.write_all(caught.line(id).as_bytes())?;
            count += 1;
        }
    }
    eprintln!("{count} mutants were caught before");
    Ok(())
}

/// Returns the name from a line such as `missed NAME: 3 of 6 tests, explained` or
/// `left Planted: NAME`.
fn not_caught(line: &str) -> Option<&str> {
    match line.strip_prefix("missed ") {
        Some(missed) => Some(missed.rsplit_once(": ")?.0),
        None => Some(line.strip_prefix("left ")?.split_once(": ")?.1),
    }
}

/// Returns the file from a line such as `src/godot/types/text.rs: 9 mutants, …, 0 untested`.
fn tested(line: &str) -> Option<&str> {
    let (file, counts) = line.split_once(": ")?;
    (file.ends_with(".rs") && counts.ends_with(", 0 untested")).then_some(file)
}

fn changed(root: &Path, since: &str) -> Result<HashSet<String>> {
    let mut git = Command::new("git");
    git.current_dir(root).args(["diff", "--name-only", since, "--"]).args(tree::SOURCES);
    let output = git.output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_report() {
        let name = "src/net/tcp.rs:210:47: replace > with >= in Stream::acknowledged";
        assert_eq!(not_caught(&format!("missed {name}: 3 of 3 tests")), Some(name));
        assert_eq!(not_caught(&format!("left Constant: {name}")), Some(name));
        let counts = "9 mutants, 0 unviable, 0 left, 7 caught, 0 timed out, 2 missed";
        assert_eq!(tested(&format!("src/a.rs: {counts}, 0 untested")), Some("src/a.rs"));
        assert_eq!(tested(&format!("src/a.rs: {counts}, 10 untested")), None);
        assert_eq!(tested(&format!("missed {name}: 3 of 3 tests")), None);
    }
}
