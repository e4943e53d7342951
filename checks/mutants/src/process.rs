//! Runs one test in its own process, with limits.

use crate::tests::Test;
use crate::{Result, doctests};
use std::ffi::OsString;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Argument that limits the memory of a test. The limit is higher than any test needs, and stops
/// mutants that never stop allocating.
const MEMORY: &str = "--as=4294967296";

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ended {
    Passed,
    Failed,
    TimedOut,
}

pub struct Run<'a> {
    pub tree: &'a Path,
    pub test: &'a Test,
    /// Limit on the CPU time, in seconds. A run may take more than three times as long by the wall
    /// clock, since the machine may be busy.
    pub seconds: u64,
    pub variable: (&'static str, OsString),
}

impl Run<'_> {
    /// Runs the test. Returns its result, and the seconds that it took.
    pub fn run(self) -> Result<(Ended, f64)> {
        let start = Instant::now();
        let mut child = self.command().spawn()?;
        let ended = match wait(&mut child, start + Duration::from_secs(3 * self.seconds + 10))? {
            Some(status) => ended(status),
            None => {
                kill(&mut child)?;
                Ended::TimedOut
            }
        };
        Ok((ended, start.elapsed().as_secs_f64()))
    }

    fn command(&self) -> Command {
        let mut command = Command::new("prlimit");
        command.arg(MEMORY).arg(format!("--cpu={}", self.seconds)).arg("--core=0");
        command.arg(&self.test.path).current_dir(self.tree).process_group(0);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // Sets only a few variables, since the planted code reads only the first bytes of the
        // environment.
        command.env_clear().env("CARGO_MANIFEST_DIR", self.tree);
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env(self.variable.0, &self.variable.1);
        match self.test.number {
            Some(number) => command.env(doctests::NUMBER, number.to_string()),
            None => command
                .args(["--exact", &self.test.name, "--test-threads=1", "--quiet"])
                .arg("--include-ignored"),
        };
        command
    }
}

fn wait(child: &mut Child, until: Instant) -> Result<Option<ExitStatus>> {
    let mut pause = Duration::from_micros(500);
    while Instant::now() < until {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        sleep(pause);
        pause = (pause * 5 / 4).min(Duration::from_millis(20));
    }
    Ok(None)
}

/// Kills the process and the processes that it has started.
fn kill(child: &mut Child) -> Result<()> {
    Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status()?;
    child.wait()?;
    Ok(())
}

fn ended(status: ExitStatus) -> Ended {
    const KILLED: i32 = 9;
    const OUT_OF_TIME: i32 = 24;
    match (status.success(), status.signal()) {
        (true, _) => Ended::Passed,
        (_, Some(KILLED | OUT_OF_TIME)) => Ended::TimedOut,
        _ => Ended::Failed,
    }
}

/// Returns the names of the tests in a binary, including the slow tests, which are ignored by
/// default.
pub fn list(tree: &Path, binary: &PathBuf) -> Result<Vec<String>> {
    let mut command = Command::new(binary);
    command.args(["--list", "--format", "terse"]).current_dir(tree);
    let output = String::from_utf8(command.output()?.stdout)?;
    Ok(output.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}
