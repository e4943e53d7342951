//! Writes the report: a table of the areas, and a file for each area that lists the missed mutants,
//! the mutants that are left to `cargo mutants`, and the counts for each source file.

use crate::explained::Explained;
use crate::outcome::{self, Outcome, What};
use crate::plan::{self, Mutant, Status};
use crate::{Result, tests};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

#[derive(Default)]
struct Counts {
    mutants: usize,
    unviable: usize,
    left: usize,
    caught: usize,
    timed_out: usize,
    missed: usize,
    /// Number of missed mutants that are explained.
    explained: usize,
    untested: usize,
}

/// The report of an area.
#[derive(Default)]
struct Area {
    counts: Counts,
    files: BTreeMap<String, Counts>,
    missed: Vec<String>,
    left: Vec<String>,
}

pub fn report(folder: &Path, results: &Path) -> Result<()> {
    let outcomes = outcome::load(folder);
    let mut explained = Explained::load(&results.with_file_name("explained.md"))?;
    let mut areas: BTreeMap<String, Area> = BTreeMap::new();
    for (id, mutant) in plan::load(folder)?.iter().enumerate() {
        let area = areas.entry(area_of(&mutant.file)).or_default();
        area.add(mutant, outcomes.get(&(id as u32)), &mut explained);
    }
    explained.of_none().iter().for_each(|name| eprintln!("explained, but not missed: {name}"));
    fs::create_dir_all(results)?;
    for (name, area) in &areas {
        fs::write(results.join(format!("{name}.txt")), area.text())?;
    }
    let table = table(&areas);
    print!("{table}");
    Ok(fs::write(results.join("README.md"), page(&table, folder)?)?)
}

fn page(table: &str, folder: &Path) -> Result<String> {
    let tests = tests::load(folder)?;
    let count = tests.iter().filter(|test| test.passes).count();
    Ok(format!(
        "# Results of mutation testing\n\n\
         Written by `checks/mutants/run report`; {count} tests. *left*: mutants that this program \
         cannot test and leaves to `cargo mutants`. *explained*: missed mutants for which \
         [explained.md](../explained.md) gives the reason. *rate*: the share of the tested mutants \
         that were caught or timed out. The files in this folder list the \
         missed mutants, and the counts of each source.\n\n{table}"
    ))
}

/// Returns the area of a source file: `godot` for `src/godot/json.rs` and
/// `src/godot/json/print.rs`, and `cli` for every file of the command line.
fn area_of(file: &str) -> String {
    let name = file.trim_start_matches("src/").split(['/', '.']).next().unwrap_or_default();
    name.to_owned()
}

impl Area {
    fn add(&mut self, mutant: &Mutant, outcome: Option<&Outcome>, explained: &mut Explained) {
        let one = Counts::of(mutant, outcome, explained);
        self.counts.sum(&one);
        self.files.entry(mutant.file.clone()).or_default().sum(&one);
        match outcome {
            _ if mutant.is_left(outcome) => {
                self.left.push(format!("left {:?}: {}", mutant.status, mutant.name));
            }
            Some(outcome) if outcome.what == What::Missed => {
                let Outcome { ran, reaching, .. } = outcome;
                let note = if one.explained == 1 { ", explained" } else { "" };
                let name = &mutant.name;
                self.missed.push(format!("missed {name}: {ran} of {reaching} tests{note}"));
            }
            _ => {}
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        self.missed.iter().chain(&self.left).for_each(|line| push(&mut text, line));
        push(&mut text, "");
        for (file, counts) in &self.files {
            push(&mut text, &format!("{file}: {}", counts.line()));
        }
        text
    }
}

fn push(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

impl Mutant {
    /// Returns `true` if the mutant is left to `cargo mutants`. This is also the case for mutants
    /// in a `const fn` that runs only at compile time, since no test of this program can reach
    /// them.
    fn is_left(&self, outcome: Option<&Outcome>) -> bool {
        let is_reached = |one: &Outcome| one.what != What::Missed || one.reaching > 0;
        self.status.is_left() || self.in_const_fn && outcome.is_some_and(|one| !is_reached(one))
    }
}

impl Counts {
    fn of(mutant: &Mutant, outcome: Option<&Outcome>, explained: &mut Explained) -> Self {
        let mut one = Self { mutants: 1, ..Self::default() };
        let count = match outcome {
            _ if mutant.status == Status::Unviable => &mut one.unviable,
            _ if mutant.is_left(outcome) => &mut one.left,
            None => &mut one.untested,
            Some(Outcome { what: What::Caught, .. }) => &mut one.caught,
            Some(Outcome { what: What::TimedOut, .. }) => &mut one.timed_out,
            Some(Outcome { what: What::Missed, .. }) => {
                one.explained = explained.has(mutant).into();
                &mut one.missed
            }
        };
        *count = 1;
        one
    }

    fn sum(&mut self, other: &Self) {
        self.mutants += other.mutants;
        self.unviable += other.unviable;
        self.left += other.left;
        self.caught += other.caught;
        self.timed_out += other.timed_out;
        self.missed += other.missed;
        self.explained += other.explained;
        self.untested += other.untested;
    }

    fn rate(&self) -> f64 {
        let caught = self.caught + self.timed_out;
        100.0 * caught as f64 / (caught + self.missed).max(1) as f64
    }

    fn line(&self) -> String {
        let Self { mutants, unviable, left, caught, timed_out, missed, explained, untested } = self;
        format!(
            "{mutants} mutants, {unviable} unviable, {left} left, {caught} caught, {timed_out} \
             timed out, {missed} missed ({explained} explained), {untested} untested"
        )
    }
}

fn table(areas: &BTreeMap<String, Area>) -> String {
    let mut text = String::from(
        "| area | mutants | unviable | left | caught | timed out | missed | explained | untested | \
         rate |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let mut all = Counts::default();
    for (name, area) in areas {
        row(&mut text, name, &area.counts);
        all.sum(&area.counts);
    }
    row(&mut text, "all", &all);
    text
}

fn row(text: &mut String, name: &str, counts: &Counts) {
    let Counts { mutants, unviable, left, caught, timed_out, missed, explained, untested } = counts;
    let _ = writeln!(
        text,
        "| {name} | {mutants} | {unviable} | {left} | {caught} | {timed_out} | {missed} | \
         {explained} | {untested} | {:.1} % |",
        counts.rate()
    );
}
