//! The command line: shows packets as trees, and judges them as an engine would.
//!
//! It parses arguments and prints. Every fact about the wire comes from the library.

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
mod style;
mod text;
mod tree;
mod value;

use args::{Cli, Command};
use clap::Parser;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    cli.color.apply();
    match run(&cli.command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // `gamewire show big | head`: whoever reads has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            report::unreadable("standard output", &error);
            ExitCode::FAILURE
        }
    }
}

/// Whether all files were fine.
fn run(command: &Command) -> io::Result<bool> {
    let mut out = BufWriter::with_capacity(1 << 16, anstream::stdout().lock());
    let fine = match command {
        Command::Show(args) => show::run(args, &mut out)?,
        Command::Check(args) => check::run(args, &mut out)?,
    };
    out.flush()?;
    Ok(fine)
}
