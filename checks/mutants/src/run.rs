//! Runs the tests that reach each mutant, until one fails.

use crate::order::{self, History};
use crate::outcome::{self, Outcome, What};
use crate::plan::{self, Mutant, Status};
use crate::process::{Ended, Run};
use crate::tests::{self, Test};
use crate::{Options, Result};
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Sources whose mutants are tested first by default, because they read and write every value.
const ORDER: [&str; 21] = [
    "src/godot/read/walk",
    "src/godot/read/reader",
    "src/godot/read/strictness",
    "src/godot/types/container",
    "src/godot/table/payload",
    "src/godot/table/layouts",
    "src/godot/types/text.rs",
    "src/godot/types/packed_strings",
    "src/godot/types/packed",
    "src/godot/write/encoder",
    "src/godot/write/writer",
    "src/buffer",
    "src/godot/types/array",
    "src/godot/types/dictionary",
    "src/godot",
    "src/unreal",
    "src/rems",
    "src/transport",
    "src/traffic",
    "src/capture",
    "cli/src",
];

struct Work {
    tree: PathBuf,
    mutants: Vec<Mutant>,
    tests: Vec<Test>,
    reaching: Vec<Vec<usize>>,
    history: Mutex<History>,
    /// A lock for each test. A test may write files, so it must not run twice at the same time.
    running: Vec<Mutex<()>>,
    /// Tests that have passed with no mutant active in this run.
    sound: Mutex<HashSet<usize>>,
    /// Maximum time, in seconds, that the tests of one mutant may take.
    budget: f64,
    out: Mutex<File>,
}

/// Tests the mutants. Continues where an earlier run was stopped.
pub fn run(folder: &Path, options: &Options) -> Result<()> {
    let mutants = plan::load(folder)?;
    let tests = tests::load(folder)?;
    let known = outcome::load(folder);
    let reaching = order::reaching(&tests, mutants.len());
    let mut queue = queue(&mutants, options);
    queue.retain(|id| {
        let now = reaching[*id as usize].len();
        known.get(id).is_none_or(|old| old.is_worth_more(options.seconds, now))
    });
    eprintln!("{} mutants", queue.len());
    let mut history = History::default();
    for (id, outcome) in &known {
        let by = outcome.by.filter(|_| outcome.what == What::Caught);
        by.into_iter().for_each(|test| history.caught(&mutants[*id as usize].file, test));
    }
    let out = OpenOptions::new().append(true).create(true).open(outcome::path(folder))?;
    let work = Work {
        tree: folder.join("tree"),
        reaching,
        mutants,
        running: tests.iter().map(|_| Mutex::default()).collect(),
        tests,
        history: Mutex::new(history),
        sound: Mutex::default(),
        budget: options.seconds,
        out: Mutex::new(out),
    };
    work.all(&queue, options.jobs)
}

fn queue(mutants: &[Mutant], options: &Options) -> Vec<u32> {
    let asked: Vec<&str> = options.prefixes.iter().map(String::as_str).collect();
    let order = if asked.is_empty() { ORDER.to_vec() } else { asked };
    let place = |mutant: &Mutant| order.iter().position(|prefix| mutant.file.starts_with(prefix));
    let planted = mutants.iter().enumerate().filter(|(_, one)| one.status == Status::Planted);
    let mut placed: Vec<_> =
        planted.filter_map(|(id, mutant)| Some((place(mutant)?, id as u32))).collect();
    placed.sort_unstable();
    let (slice, of) = options.slice;
    placed.into_iter().map(|(_, id)| id).skip(slice).step_by(of).collect()
}

impl Work {
    fn all(&self, queue: &[u32], jobs: usize) -> Result<()> {
        let next = AtomicUsize::new(0);
        let work = || -> std::result::Result<(), String> {
            while let Some(&id) = queue.get(next.fetch_add(1, Ordering::Relaxed)) {
                let outcome = self.one(id).map_err(|error| error.to_string())?;
                let mut out = self.out.lock().expect("no panic");
                out.write_all(outcome.line(id).as_bytes()).map_err(|error| error.to_string())?;
            }
            Ok(())
        };
        thread::scope(|scope| {
            let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
            threads.into_iter().try_for_each(|thread| Ok(thread.join().expect("no panic")?))
        })
    }

    fn one(&self, id: u32) -> Result<Outcome> {
        let file = &self.mutants[id as usize].file;
        let reaching = &self.reaching[id as usize];
        let order = self.history.lock().expect("no panic").order(file, reaching, &self.tests);
        let mut outcome = Outcome { reaching: reaching.len(), ..Outcome::default() };
        for number in order {
            if outcome.seconds + self.tests[number].seconds > self.budget {
                continue;
            }
            let (ended, seconds) = self.test(("GAMEWIRE_MUTANT", id.to_string()), number)?;
            outcome.ran += 1;
            outcome.seconds += seconds;
            outcome.what = match ended {
                Ended::Passed => continue,
                Ended::Failed => What::Caught,
                Ended::TimedOut => What::TimedOut,
            };
            self.passes_without(number)?;
            outcome.by = Some(number);
            self.history.lock().expect("no panic").caught(file, number);
            break;
        }
        Ok(outcome)
    }

    /// Checks that the test passes with no mutant active. If it fails, for example because a folder
    /// was moved, its failure with a mutant does not show that the mutant was caught.
    fn passes_without(&self, number: usize) -> Result<()> {
        if !self.sound.lock().expect("no panic").contains(&number) {
            let (ended, _) = self.test(("GAMEWIRE_NO_MUTANT", String::new()), number)?;
            if ended != Ended::Passed {
                let Test { binary, name, .. } = &self.tests[number];
                return Err(format!("fails without a mutant: {binary} {name}").into());
            }
            self.sound.lock().expect("no panic").insert(number);
        }
        Ok(())
    }

    fn test(
        &self,
        (variable, value): (&'static str, String),
        number: usize,
    ) -> Result<(Ended, f64)> {
        let test = &self.tests[number];
        let _alone = self.running[number].lock().expect("no panic");
        let run = Run {
            tree: &self.tree,
            test,
            seconds: (5.0 * test.seconds + 2.0).ceil() as u64,
            variable: (variable, value.into()),
        };
        run.run()
    }
}
