//! The tests, each with its time and the mutants that it reaches.

use crate::process::{self, Ended, Run};
use crate::{Result, compile, doctests, plan, tree};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Test programs that are left out because they run cargo or a shell, use no code of the crate,
/// have no standard harness, or count instructions (planted mutants change these counts).
const LEFT_OUT: [&str; 3] = ["bounds", "parity", "repository"];
/// Time limit, in seconds, of a test that runs with no mutant active.
const SECONDS: u64 = 200;

#[derive(Deserialize, Serialize)]
pub struct Test {
    /// Name of the test program. For unit tests, it is the name of the crate; for doc tests, it is
    /// `doc`.
    pub binary: String,
    pub path: PathBuf,
    pub name: String,
    /// Number of a doc test in a program that contains several doc tests. `None` for other tests.
    pub number: Option<usize>,
    pub seconds: f64,
    pub passes: bool,
    #[serde(skip)]
    pub reached: Vec<u32>,
}

impl Test {
    pub fn new(binary: &str, path: &Path, name: &str) -> Self {
        Self {
            binary: binary.into(),
            path: path.into(),
            name: name.into(),
            number: None,
            seconds: 0.0,
            passes: false,
            reached: Vec::new(),
        }
    }
}

pub fn load(folder: &Path) -> Result<Vec<Test>> {
    let mut tests: Vec<Test> = serde_json::from_slice(&fs::read(list(folder))?)?;
    for (number, test) in tests.iter_mut().enumerate() {
        let bytes = fs::read(reached(folder, number)).unwrap_or_default();
        let ids = bytes.chunks_exact(4).map(|id| u32::from_le_bytes(id.try_into().expect("four")));
        test.reached = ids.collect();
        // Programs that a test starts also record mutants, so the same number may occur twice.
        test.reached.sort_unstable();
        test.reached.dedup();
    }
    Ok(tests)
}

fn list(folder: &Path) -> PathBuf {
    folder.join("tests.json")
}

fn reached(folder: &Path, number: usize) -> PathBuf {
    folder.join("reached").join(number.to_string())
}

/// Builds all tests and runs each test once. If `binaries` is not empty, runs only the tests of
/// these binaries, which are new or have changed. The other tests keep their numbers.
pub fn reach(folder: &Path, root: &Path, jobs: usize, binaries: &[String]) -> Result<()> {
    let tree = folder.join("tree");
    // In the sources of the crate, only unit tests may have changed. Unit tests are at the end of a
    // file, so all mutants keep their positions.
    tree::write(root, &tree, &mut plan::load(folder)?)?;
    let is_asked = |binary: &str| binaries.is_empty() || binaries.iter().any(|name| name == binary);
    let has_others = !binaries.is_empty() && list(folder).exists();
    let mut tests = if has_others { load(folder)? } else { Vec::new() };
    tests.iter_mut().filter(|test| is_asked(&test.binary)).for_each(|test| test.passes = false);
    let known = tests.len();
    for (binary, path) in build(folder, &tree, binaries)? {
        let names = process::list(&tree, &path)?;
        tests.extend(names.iter().map(|name| Test::new(&binary, &path, name)));
    }
    if binaries.is_empty() {
        tests.extend(doctests::build(folder, &tree)?);
    }
    eprintln!("{} tests", tests.len() - known);
    if known == 0 {
        let _ = fs::remove_dir_all(folder.join("reached"));
    }
    fs::create_dir_all(folder.join("reached"))?;
    run_each(folder, &tree, &mut tests, known, jobs);
    for test in tests[known..].iter().filter(|test| !test.passes) {
        eprintln!("fails without a mutant, so it is left out: {} {}", test.binary, test.name);
    }
    Ok(fs::write(list(folder), serde_json::to_vec(&tests)?)?)
}

fn run_each(folder: &Path, tree: &Path, tests: &mut [Test], first: usize, jobs: usize) {
    let next = AtomicUsize::new(first);
    let ended = Mutex::new(Vec::new());
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(test) = tests.get(number) else { return };
            let path = reached(folder, number);
            let _ = fs::remove_file(&path);
            let variable = ("GAMEWIRE_REACHED", path.into());
            let run = Run { tree, test, seconds: SECONDS, variable };
            let (how, seconds) = run.run().unwrap_or((Ended::Failed, 0.0));
            ended.lock().expect("no panic").push((number, how, seconds));
        }
    };
    thread::scope(|scope| (0..jobs).for_each(|_| drop(scope.spawn(work))));
    for (number, how, seconds) in ended.into_inner().expect("no panic") {
        tests[number].passes = how == Ended::Passed;
        tests[number].seconds = seconds;
    }
}

#[derive(Deserialize)]
struct Artifact {
    target: Target,
    profile: Profile,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

fn build(folder: &Path, tree: &Path, binaries: &[String]) -> Result<Vec<(String, PathBuf)>> {
    let mut cargo = compile::cargo(folder, tree);
    cargo.args(["test", "--no-run", "--all-features"]);
    if binaries.is_empty() {
        cargo.args(["--lib", "--bins", "--tests"]);
    }
    for name in binaries {
        match name.as_str() {
            "gamewire" => cargo.args(["--lib", "--bins"]),
            name => cargo.args(["--test", name]),
        };
    }
    cargo.args(["--message-format", "json-render-diagnostics"]);
    let output = cargo.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err("the tests do not build".into());
    }
    let lines = output.stdout.split(|&byte| byte == b'\n');
    let artifacts = lines.filter_map(|line| serde_json::from_slice::<Artifact>(line).ok());
    let tests = artifacts.filter(|artifact| artifact.profile.test);
    let named = tests.filter_map(|test| Some((test.target.name, test.executable?)));
    Ok(named.filter(|(name, _)| !LEFT_OUT.contains(&name.as_str())).collect())
}
