//! This program, run by callgrind: how many instructions each case takes.

use std::hint::black_box;
use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The argument that says that callgrind is watching; behind it, which cases are to run.
const WATCHED: &str = "--watched";

/// Of this function callgrind adds up what happens between call and return. (So no set-up
/// is counted, and nothing has to be subtracted but the call itself.)
#[inline(never)]
fn counted_by_callgrind(case: &mut dyn FnMut()) {
    case();
    black_box(case); // else the call above would be a jump, and this function would be over
}

/// Its name, as callgrind shows it. (With a pattern callgrind takes one of the two options.)
const COUNTED: &str = "instructions::callgrind::counted_by_callgrind";

/// What one run of a case takes.
#[derive(Debug)]
pub struct Count {
    pub name: String,
    /// Of the packet.
    pub bytes: usize,
    pub instructions: u64,
}

impl Count {
    pub fn each_byte(&self) -> f64 {
        self.instructions as f64 / self.bytes as f64
    }
}

/// Runs cases while callgrind watches.
pub struct Counter(());

impl Counter {
    /// Runs a case twice, the second time counted: what is looked up once (the processor's
    /// features, say) is known by then.
    pub fn count(&mut self, name: &str, bytes: usize, case: &mut dyn FnMut()) {
        case();
        counted_by_callgrind(case);
        println!("{bytes} {name}");
    }
}

/// Which cases this process has to run, if it is one that callgrind watches.
pub fn watched() -> Option<(String, Counter)> {
    let cases = env::args().skip_while(|arg| arg != WATCHED).nth(1)?;
    counted_by_callgrind(&mut || ());
    Some((cases, Counter(())))
}

/// Has callgrind watch these cases. Nothing where there is no callgrind.
///
/// Counts are the same from run to run, and nearly so from machine to machine: callgrind's
/// processor has AVX2 where the real one has, never more. What may differ are the library's
/// `memcpy` and `memset`, which choose by the processor and by the version of the library.
/// Where they use `rep movsb`, each byte would count as an instruction, so they are told not
/// to.
pub fn watch(cases: &str) -> Result<Option<Vec<Count>>> {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("callgrind.{cases}"));
    let Some(valgrind) = valgrind() else { return Ok(None) };
    let run = Command::new(valgrind)
        // What lies on the stack, and where, must not depend on who runs this.
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

/// Where it is: without an environment nobody else would look there.
fn valgrind() -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join("valgrind")).find(|file| file.is_file())
}

/// Puts together what the process has said and what callgrind has noted, case by case. The
/// first one is no case, but the cost of counting.
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
    // What is left is what was counted after the last case.
    (totals.next() == Some(0)).then_some(counts)
}
