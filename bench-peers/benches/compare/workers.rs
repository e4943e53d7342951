//! Processes that measure. The speed of a call also depends on the addresses of its memory, which do
//! not change during the life of a process. Within one process, rotations can agree with each other and yet
//! not with those of the next run. Therefore, each rotation is measured in several processes. They
//! are started once, and wait until it is their turn.

use crate::measure::Rotation;
use gamewire_bench_peers::interleaved::{Effort, Rotations};
use std::env;
use std::io::{BufRead, BufReader, Result, Write, stdin};
use std::process::{Child, ChildStdout, Command, Stdio};

/// Number of processes.
const WORKERS: usize = 4;

/// The argument that tells a process that it is a worker, before its number.
const WORKER: &str = "--worker=";

/// Bytes by which the memory of each worker is shifted against that of the previous one. This is
/// neither a multiple of a cache line nor of a page.
const SHIFT: usize = 1_048;

pub struct Workers(Vec<Worker>);

struct Worker {
    process: Child,
    answers: BufReader<ChildStdout>,
}

impl Workers {
    /// Starts the processes. They get the arguments of this one, so they have the same rotations.
    pub fn start() -> Result<Self> {
        let start = |number: usize| {
            let mut command = Command::new(env::current_exe()?);
            command.args(env::args().skip(1)).arg(format!("{WORKER}{number}"));
            let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
            let answers = BufReader::new(process.stdout.take().expect("it is piped"));
            Ok(Worker { process, answers })
        };
        (0..WORKERS).map(start).collect::<Result<_>>().map(Self)
    }

    /// Measures the rotation with this index in one process after the other.
    pub fn measure(&mut self, index: usize) -> Result<Rotations> {
        let mut all = Rotations::default();
        for worker in &mut self.0 {
            all.extend(worker.measure(index)?);
        }
        Ok(all)
    }
}

impl Worker {
    fn measure(&mut self, index: usize) -> Result<Rotations> {
        writeln!(self.process.stdin.as_mut().expect("it is piped"), "{index}")?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        Ok(serde_json::from_str(&answer)?)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.process.stdin.take()); // the worker ends when nothing follows
        let _ = self.process.wait();
    }
}

/// If this process is a worker, shifts its memory and returns `true`.
pub fn is_worker() -> bool {
    let number = env::args().find_map(|argument| argument.strip_prefix(WORKER)?.parse().ok());
    number.inspect(|number: &usize| _ = vec![0_u8; number * SHIFT + 1].leak()).is_some()
}

/// Measures the rotations that the main process asks for, until it closes the input. `effort` is that
/// of all workers together.
pub fn serve(rotations: &mut [Rotation], effort: Effort) -> Result<()> {
    let effort = effort.divided(WORKERS);
    for index in stdin().lines() {
        let index: usize = index?.parse().expect("an index");
        println!("{}", serde_json::to_string(&rotations[index].interleave(effort))?);
    }
    Ok(())
}
