//! Runs the program on damaged files of the corpus, many files at a time, and checks statements
//! that must hold for any input. For example, the program does not panic or hang, a file cannot
//! forge a line of the output, printed JSON is valid, and no byte is lost. Such a statement is
//! called a law.
//!
//! ```sh
//! cargo test --release -p gamewire-cli --test campaign -- --runs 1000000 --seed 1
//! ```
//!
//! A run is one command on one file. Without `--runs`, a campaign has 20,000 runs;
//! `checks/slow-tests` does such a campaign. `--family godot4` limits the campaign to one of the
//! families that `inputs.rs` lists.

#![allow(clippy::unwrap_used, clippy::panic)]

mod inputs;
mod laws;
#[allow(dead_code, unused_imports)]
#[path = "../../../tests/support"]
mod support {
    pub mod corpus;
    pub mod damage;
    pub mod native_json;
    pub mod random;
}

use inputs::{Batch, Family};
use laws::Run;
use std::collections::BTreeMap;
use std::time::Instant;
use support::random::Random;

/// Commands that take several files. The files follow these arguments.
const ON_MANY: [&[&str]; 18] = [
    &["show"],
    &["show", "--full", "--hex"],
    &["show", "--all"],
    &["check"],
    &["check", "--strict"],
    &["check", "--objects"],
    &["check", "--lines"],
    &["json"],
    &["json", "--exact"],
    &["json", "--lines"],
    &["text"],
    &["get", ""],
    &["get", "--json", "0"],
    &["get", "names"],
    &["schema"],
    &["schema", "--json"],
    &["schema", "--rust"],
    &["schema", "--lines"],
];

/// Further commands, for captures only.
const ON_CAPTURES: [&[&str]; 5] = [
    &["packets"],
    &["packets", "--json", "--all"],
    &["packets", "--tree", "--hex"],
    &["packets", "--quiet", "--stats"],
    &["packets", "--all", "--port", "1"],
];
const ON_PACKAGES: [&[&str]; 3] =
    [&["unreal", "deps"], &["unreal", "deps", "--json"], &["unreal", "deps", "--dot"]];

fn main() {
    let options = Options::read();
    let mut random = Random::new(options.seed);
    let mut families = Family::all();
    families.retain(|family| options.family.as_ref().is_none_or(|name| family.name == name));
    let mut runs = BTreeMap::<String, u64>::new();
    let mut total = 0;
    let started = Instant::now();
    while total < options.runs {
        let family = &families[random.below(families.len())];
        let batch = Batch::new(family, &mut random);
        let commands = ON_MANY.iter();
        let commands: Vec<_> = match family.name {
            "captures" => ON_CAPTURES.iter().chain(commands).collect(),
            "packages" => ON_PACKAGES.iter().chain(commands).collect(),
            _ => commands.collect(),
        };
        for _ in 0..6 {
            let args = commands[random.below(commands.len())];
            let name = format!("{} {}", family.name, args.join(" "));
            *runs.entry(name).or_default() += batch.paths.len() as u64;
            total += batch.paths.len() as u64;
            laws::check_many(&Run { args, batch: &batch });
        }
        let alone = laws::check_one(&batch, &mut random);
        *runs.entry(format!("{} alone", family.name)).or_default() += alone;
        total += alone;
    }
    for (name, count) in &runs {
        println!("{count:>9}  {name}");
    }
    println!("{total} runs with seed {}, in {:.0?}", options.seed, started.elapsed());
}

struct Options {
    runs: u64,
    seed: u64,
    /// The name of the only family that is damaged; `None` for all families.
    family: Option<String>,
}

impl Options {
    fn read() -> Self {
        let mut options = Self { runs: 20_000, seed: 1, family: None };
        let mut args = std::env::args().skip(1);
        while let Some(name) = args.next() {
            let option = match &*name {
                "--runs" => &mut options.runs,
                "--seed" => &mut options.seed,
                "--family" => {
                    options.family = args.next();
                    continue;
                }
                _ => continue, // options of `cargo test` for other programs
            };
            *option = args
                .next()
                .and_then(|value| value.parse().ok())
                .expect("--runs and --seed need a number");
        }
        options
    }
}
