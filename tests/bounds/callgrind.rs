//! Runs this program again under callgrind to count the instructions of each case.
//!
//! `benches/instructions` does the same for optimised code; this program is a test, and is not
//! optimised.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The environment variable that is set if this program runs under callgrind.
const UNDER_CALLGRIND: &str = "GAMEWIRE_WATCHED";

/// Prefix of each line that reports a measured case. The test harness prints lines of its own.
const CASE_PREFIX: &str = "counted: ";

/// Runs a case. Callgrind counts the instructions between the call and the return of this function.
#[inline(never)]
fn counted_by_callgrind(case: &mut dyn FnMut()) {
    case();
    black_box(case); // prevents a tail call, which would end this function early
}

/// The name of [`counted_by_callgrind`] in callgrind's output.
const COUNTED_FUNCTION: &str =
    concat!(env!("CARGO_CRATE_NAME"), "::callgrind::counted_by_callgrind");

/// Returns `true` if this process runs under callgrind.
pub fn is_under_callgrind() -> bool {
    env::var_os(UNDER_CALLGRIND).is_some()
}

/// Runs the cases one after the other in this process. The process must run under callgrind, which
/// counts the instructions of each case.
pub fn count<'c>(cases: impl Iterator<Item = Box<dyn FnMut() + 'c>>) {
    println!();
    counted_by_callgrind(&mut || ());
    for (number, mut case) in cases.enumerate() {
        counted_by_callgrind(&mut case);
        println!("{CASE_PREFIX}{number}");
    }
}

/// Runs the test with this name under callgrind and returns the count of each case. Returns `None`
/// if valgrind is not installed.
pub fn run_under_callgrind(test: &str) -> Option<Vec<u64>> {
    let valgrind = valgrind()?;
    let profile_path = format!("callgrind.{}.{}", test.replace("::", "."), std::process::id());
    let profile_path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(profile_path);
    let output = Command::new(valgrind)
        .env_clear()
        .env(UNDER_CALLGRIND, "1")
        .env("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-ERMS")
        .args(["--tool=callgrind", "--combine-dumps=yes"])
        .arg(format!("--toggle-collect={COUNTED_FUNCTION}"))
        .arg(format!("--dump-after={COUNTED_FUNCTION}"))
        .arg(format!("--callgrind-out-file={}", profile_path.display()))
        .arg(env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .output()
        .unwrap();
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), output.stderr);
    assert!(output.status.success(), "{stdout}\n{}", String::from_utf8_lossy(&stderr));
    let profile = fs::read_to_string(&profile_path).unwrap();
    fs::remove_file(&profile_path).unwrap();
    let counts = totals(&profile);
    let cases = stdout.lines().filter(|line| line.starts_with(CASE_PREFIX)).count();
    assert_eq!(counts.len(), cases, "callgrind has counted each case");
    Some(counts)
}

/// Returns the path of valgrind if it is in a folder of `PATH`.
fn valgrind() -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join("valgrind")).find(|file| file.is_file())
}

/// Returns the number of instructions of each case in a profile of callgrind. The first total in
/// the profile is the cost of counting itself, and is subtracted from the other totals. The last
/// total belongs to the code after the last case.
fn totals(profile: &str) -> Vec<u64> {
    let totals = profile.lines().filter_map(|line| line.strip_prefix("totals: "));
    let totals: Vec<u64> = totals.map(|total| total.parse().unwrap()).collect();
    let [overhead, cases @ .., 0] = &totals[..] else { panic!("{totals:?}") };
    cases.iter().map(|count| count.saturating_sub(*overhead)).collect()
}
