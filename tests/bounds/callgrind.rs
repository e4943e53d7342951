//! Runs this program again under callgrind to count the instructions of each case.
//!
//! `benches/instructions` does the same for optimised code; this program is a test and not
//! optimised.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The environment variable that is set under callgrind.
const WATCHED: &str = "GAMEWIRE_WATCHED";

/// Prefix of each line that reports a measured case. The test harness prints lines of its own.
const MARK: &str = "counted: ";

/// Callgrind counts the instructions between the call and the return of this function.
#[inline(never)]
fn counted_by_callgrind(case: &mut dyn FnMut()) {
    case();
    black_box(case); // else the call above would be a jump, and this function would be over
}

/// The name of the function in callgrind's output.
const COUNTED: &str = concat!(env!("CARGO_CRATE_NAME"), "::callgrind::counted_by_callgrind");

/// `true` if this process runs under callgrind.
pub fn is_watched() -> bool {
    env::var_os(WATCHED).is_some()
}

/// Counts cases one after the other, in a process under callgrind.
pub fn count<'c>(cases: impl Iterator<Item = Box<dyn FnMut() + 'c>>) {
    println!();
    counted_by_callgrind(&mut || ());
    for (number, mut case) in cases.enumerate() {
        counted_by_callgrind(&mut case);
        println!("{MARK}{number}");
    }
}

/// Runs the test of this name under callgrind and returns the count of each case. Returns `None`
/// without valgrind.
pub fn watch(test: &str) -> Option<Vec<u64>> {
    let valgrind = valgrind()?;
    let out = format!("callgrind.{}.{}", test.replace("::", "."), std::process::id());
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(out);
    let run = Command::new(valgrind)
        .env_clear()
        .env(WATCHED, "1")
        .env("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-ERMS")
        .args(["--tool=callgrind", "--combine-dumps=yes"])
        .arg(format!("--toggle-collect={COUNTED}"))
        .arg(format!("--dump-after={COUNTED}"))
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .output()
        .unwrap();
    let (said, errors) = (String::from_utf8_lossy(&run.stdout), run.stderr);
    assert!(run.status.success(), "{said}\n{}", String::from_utf8_lossy(&errors));
    let noted = fs::read_to_string(&out).unwrap();
    fs::remove_file(&out).unwrap();
    let counts = totals(&noted);
    let cases = said.lines().filter(|line| line.starts_with(MARK)).count();
    assert_eq!(counts.len(), cases, "callgrind has counted each case");
    Some(counts)
}

/// Looks for valgrind in `PATH`.
fn valgrind() -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join("valgrind")).find(|file| file.is_file())
}

/// The first count is the cost of counting itself, the last one the code after the
/// last case.
fn totals(noted: &str) -> Vec<u64> {
    let totals = noted.lines().filter_map(|line| line.strip_prefix("totals: "));
    let totals: Vec<u64> = totals.map(|total| total.parse().unwrap()).collect();
    let [nothing, cases @ .., 0] = &totals[..] else { panic!("{totals:?}") };
    cases.iter().map(|count| count.saturating_sub(*nothing)).collect()
}
