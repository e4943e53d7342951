//! Tests all mutants of the crate with one build (see `README.md`).

mod carry;
mod compile;
mod doctests;
mod edit;
mod explained;
mod list;
mod order;
mod outcome;
mod plan;
mod process;
mod report;
mod run;
mod sites;
mod tests;
mod tree;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const USAGE: &str = "\
gamewire-mutants plant FOLDER [ARGUMENT OF cargo mutants --list]…
gamewire-mutants reach FOLDER [--jobs N] [FILE IN tests]…
gamewire-mutants carry FOLDER RESULTS REVISION
gamewire-mutants run FOLDER [--jobs N] [--seconds N] [--slice K/N] [PREFIX OF A SOURCE]…
gamewire-mutants report FOLDER RESULTS";

/// Options for `reach` and `run`.
struct Options {
    jobs: usize,
    /// Seconds for all tests of one mutant.
    seconds: f64,
    /// Index of the slice, starting at 0, and number of slices.
    slice: (usize, usize),
    /// For `run`, prefixes of the paths of sources; for `reach`, names of test programs.
    prefixes: Vec<String>,
}

impl Options {
    fn read(arguments: &[String]) -> Result<Self> {
        let mut options = Self { jobs: 2, seconds: 60.0, slice: (0, 1), prefixes: Vec::new() };
        let mut arguments = arguments.iter();
        while let Some(name) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{name} needs a value"));
            match name.as_str() {
                "--jobs" => options.jobs = value()?.parse()?,
                "--seconds" => options.seconds = value()?.parse()?,
                "--slice" => options.slice = slice(value()?)?,
                prefix => options.prefixes.push(prefix.to_owned()),
            }
        }
        Ok(options)
    }
}

fn slice(text: &str) -> Result<(usize, usize)> {
    let (slice, of) = text.split_once('/').ok_or("a slice is K/N")?;
    match (slice.parse()?, of.parse()?) {
        (slice, of) if slice < of => Ok((slice, of)),
        _ => Err("slices are 0/N to N-1/N".into()),
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    let [command, folder, more @ ..] = arguments else { return Err(USAGE.into()) };
    let folder = &std::path::absolute(folder)?;
    match command.as_str() {
        "plant" => plant(folder, more),
        "reach" => {
            let options = Options::read(more)?;
            tests::reach(folder, &root(), options.jobs, &options.prefixes)
        }
        "carry" => {
            let [results, since] = more else { return Err(USAGE.into()) };
            carry::carry(folder, Path::new(results), &root(), since)
        }
        "run" => run::run(folder, &Options::read(more)?),
        "report" => report::report(folder, Path::new(more.first().ok_or(USAGE)?)),
        _ => Err(USAGE.into()),
    }
}

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("this crate is two folders below the root").into()
}

/// Lists the mutants, plants those that compile, and saves the state of each mutant. Removes
/// earlier results, since the numbers of mutants change.
fn plant(folder: &Path, more: &[String]) -> Result<()> {
    fs::create_dir_all(folder)?;
    let root = root();
    let mut mutants = list::list(&root, more)?;
    tree::create(&root, &folder.join("tree"))?;
    let _ = fs::remove_file(outcome::path(folder));
    compile::settle(&root, folder, &mut mutants)?;
    plan::save(folder, &mutants)
}
