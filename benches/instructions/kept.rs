//! Reads and writes the kept counts, which are instruction counts that are recorded in the
//! repository. There is one file for each compiler version and architecture.

use super::callgrind::Count;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Tolerance above a kept count: `TOLERANCE` parts per thousand or `FEW` instructions, whichever is
/// more.
const TOLERANCE: u64 = 20;
const FEW: u64 = 10;

/// The kept counts for this compiler.
pub struct Kept {
    path: PathBuf,
    counts: Option<BTreeMap<String, u64>>,
}

impl Kept {
    pub fn read() -> Result<Self> {
        let file = format!("rustc-{}-{}.txt", rustc()?, env::consts::ARCH);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("instructions").join(file);
        let counts = match fs::read_to_string(&path) {
            Ok(text) => Some(parse(&text)),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        Ok(Self { path, counts })
    }

    /// Prints all counts beside the kept counts. Returns `true` if each case has a kept count and
    /// does not exceed it by more than the tolerance, or if there is no file for this compiler.
    pub fn compare(&self, counts: &[Count]) -> bool {
        println!("{:40} {:>10} {:>8} {:>10}  change", "case", "now", "per byte", "kept");
        let worse = counts.iter().filter(|count| !self.print(count)).count();
        if self.counts.is_none() {
            println!("\n{} does not exist: nothing to compare with", self.path.display());
        } else if worse > 0 {
            println!(
                "\n{worse} counts are above the kept ones, or not kept. To keep the new counts:"
            );
            println!(
                "    cargo bench -p gamewire-benches --bench instructions --features serde,traffic -- --bless"
            );
        }
        worse == 0
    }

    /// Prints a count. Returns `false` if the file lacks the case, or if the count is above the
    /// kept count by more than the tolerance.
    fn print(&self, count: &Count) -> bool {
        let Count { name, instructions: now, .. } = count;
        let kept = self.counts.as_ref().map(|counts| counts.get(name));
        let (kept, change, good) = match kept {
            None => (String::new(), String::new(), true),
            Some(None) => (String::new(), "  new".into(), false),
            Some(Some(kept)) => (kept.to_string(), change(*now, *kept), !is_above(*now, *kept)),
        };
        let mark = if good { "" } else { "  <--" };
        println!("{name:40} {now:>10} {:>8.2} {kept:>10}{change}{mark}", count.each_byte());
        good
    }

    /// Writes these counts to the file.
    pub fn write(&self, counts: &[Count]) -> Result<()> {
        let mut text = String::from(
            "# Instructions of each case, counted by callgrind. Written by\n\
             # cargo bench -p gamewire-benches --bench instructions --features serde,traffic -- --bless\n",
        );
        for Count { name, instructions, .. } in counts {
            writeln!(text, "{name:40} {instructions:>10}").map_err(Error::other)?;
        }
        println!("\n{}", self.path.display());
        fs::write(&self.path, text)
    }
}

fn is_above(now: u64, kept: u64) -> bool {
    now > kept + FEW && now * 1000 > kept * (1000 + TOLERANCE)
}

fn change(now: u64, kept: u64) -> String {
    if now == kept {
        return String::new();
    }
    format!("  {:+.1} %", (now as f64 / kept as f64 - 1.0) * 100.0)
}

/// Parses lines that consist of a name and a number.
fn parse(text: &str) -> BTreeMap<String, u64> {
    let lines = text.lines().filter_map(|line| line.rsplit_once(' '));
    lines.filter_map(|(name, count)| Some((name.trim().into(), count.parse().ok()?))).collect()
}

/// Returns the version that the compiler prints.
fn rustc() -> Result<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let said = Command::new(rustc).arg("--version").output()?.stdout;
    let said = String::from_utf8_lossy(&said);
    let version = said.split(' ').nth(1).map(str::to_owned);
    version.ok_or_else(|| Error::other("rustc does not tell its version"))
}
