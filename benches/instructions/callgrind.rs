//! Runs this program under callgrind and collects the instruction count of each case.

use std::hint::black_box;
use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The argument that marks the process that runs under callgrind. The argument after it names the
/// cases to run.
const WATCHED: &str = "--watched";

/// Runs a case. Callgrind counts only inside this function, so it does not count the preparation of
/// a case. The call of the case is counted, but its cost is subtracted later.
#[inline(never)]
fn counted_by_callgrind(case: &mut dyn FnMut()) {
    case();
    black_box(case); // prevents a tail call, which would end this function early
}

/// The name of [`counted_by_callgrind`] as callgrind prints it. The name is passed in full, since
/// only one of `--toggle-collect` and `--dump-after` accepts a pattern.
const COUNTED: &str = concat!(env!("CARGO_CRATE_NAME"), "::callgrind::counted_by_callgrind");

/// The cost of one run of a case.
#[derive(Debug)]
pub struct Count {
    pub name: String,
    /// Size of the packet.
    pub bytes: usize,
    pub instructions: u64,
}

impl Count {
    #[allow(dead_code)] // used by `instructions` only
    pub fn each_byte(&self) -> f64 {
        self.instructions as f64 / self.bytes as f64
    }
}

/// A handle for running cases. It exists only in the process under callgrind.
pub struct Counter(());

impl Counter {
    /// Runs a case twice and counts the second run, so one-time work, such as detecting the
    /// features of the processor, is not counted.
    pub fn count(&mut self, name: &str, bytes: usize, case: &mut dyn FnMut()) {
        case();
        counted_by_callgrind(case);
        println!("{bytes} {name}");
    }
}

/// If this process runs under callgrind, returns the name of the group of cases that it must run,
/// and a handle for running them.
pub fn watched() -> Option<(String, Counter)> {
    let cases = env::args().skip_while(|arg| arg != WATCHED).nth(1)?;
    counted_by_callgrind(&mut || ());
    Some((cases, Counter(())))
}

/// Counts these cases under callgrind. Returns `None` if valgrind is not installed.
///
/// Counts are the same in each run, and nearly the same on each machine. The processor that
/// callgrind emulates has AVX2 if the real processor has it, but no newer extensions. The counts of
/// `memcpy` and `memset` may differ, since the C library selects a variant of each that suits the
/// processor. In some variants, the instruction `rep movsb` would be counted once for each byte, so
/// a setting turns these variants off.
pub fn watch(cases: &str) -> Result<Option<Vec<Count>>> {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("callgrind.{cases}"));
    let Some(valgrind) = valgrind() else { return Ok(None) };
    let run = Command::new(valgrind)
        // Contents and position of the stack must not depend on the environment.
        .env_clear()
        .env("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-ERMS")
        .args(["--tool=callgrind", "--combine-dumps=yes"])
        .arg(format!("--toggle-collect={COUNTED}"))
        .arg(format!("--dump-after={COUNTED}"))
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(env::current_exe()?)
        .args([WATCHED, cases])
        .output()?;
    if !run.status.success() {
        return Err(Error::other(String::from_utf8_lossy(&run.stderr).into_owned()));
    }
    let counts = counts(&String::from_utf8_lossy(&run.stdout), &fs::read_to_string(&out)?);
    fs::remove_file(&out)?;
    counts.map(Some).ok_or_else(|| Error::other("callgrind has not counted each case"))
}

/// Returns the path of valgrind. The program is started without an environment, so it could not be
/// found by its name.
fn valgrind() -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join("valgrind")).find(|file| file.is_file())
}

/// Combines each case in the output of the process with its count from callgrind. The first count
/// is the cost of the counting itself.
fn counts(said: &str, noted: &str) -> Option<Vec<Count>> {
    let totals = noted.lines().filter_map(|line| line.strip_prefix("totals: "));
    let mut totals = totals.map_while(|total| total.parse::<u64>().ok());
    let nothing = totals.next()?;
    let each = said.lines().map(|line| {
        let (bytes, name) = line.split_once(' ')?;
        let instructions = totals.next()?.saturating_sub(nothing);
        Some(Count { name: name.into(), bytes: bytes.parse().ok()?, instructions })
    });
    let counts = each.collect::<Option<_>>()?;
    // The remaining count covers the time after the last case.
    (totals.next() == Some(0)).then_some(counts)
}
