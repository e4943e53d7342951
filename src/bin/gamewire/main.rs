//! The command line: parses arguments and prints. What bytes mean, the library knows.

#![forbid(unsafe_code)]
#![deny(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

mod args;
mod check;
mod format;
mod input;
mod report;
mod show;
mod text;

use args::{Args, Command};
use clap::Parser;
use report::{Report, Verdict};
use std::io::ErrorKind;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = Args::parse(); // ends the program with 2 where the usage is wrong
    let mut report = Report::new(args.color.into());
    let done = match &args.command {
        Command::Show(show) => show::run(show, &mut report),
        Command::Check(check) => check::run(check, &mut report),
    };
    match done.and_then(|verdict| report.finish().map(|()| verdict)) {
        Ok(Verdict::Fine) => ExitCode::SUCCESS,
        Ok(Verdict::Malformed) => ExitCode::FAILURE,
        // Whoever read our output has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            report.error("standard output", &error);
            ExitCode::FAILURE
        }
    }
}
