//! The command line: shows packets as trees, judges them as an engine would, prints
//! them in Godot's own notations, writes them from those, and tells what many have in
//! common.
//!
//! It parses arguments and prints. Every fact about the wire comes from the library.

#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(
        clippy::allow_attributes_without_reason,
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]

mod args;
mod detected_input;
mod godot;
mod packets;
mod rems;
mod ui;
mod unreal;

use args::{Cli, Command};
use godot::{check, diff, encode, get, json, schema, set, show, text};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;
use ui::report;

fn main() -> ExitCode {
    let cli = Cli::read();
    cli.color.apply();
    if let Command::Diff(args) = &cli.command {
        return compare(args);
    }
    match run(&cli.command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // `gamewire show big | head`: whoever reads has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            report::error("standard output", &error);
            ExitCode::FAILURE
        }
    }
}

/// As diff(1) does: 0 the same, 1 not, 2 trouble.
fn compare(args: &args::Diff) -> ExitCode {
    let compared = match args.json {
        true => buffered(io::stdout().lock(), |out| diff::run(args, out)),
        false => buffered(anstream::stdout().lock(), |out| diff::run(args, out)),
    };
    match compared {
        Ok(Some(true)) => ExitCode::SUCCESS,
        Ok(Some(false)) => ExitCode::FAILURE,
        Ok(None) => ExitCode::from(2),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::FAILURE,
        Err(error) => {
            report::error("standard output", &error);
            ExitCode::from(2)
        }
    }
}

/// Whether all files were fine.
fn run(command: &Command) -> io::Result<bool> {
    match command {
        Command::Show(args) => buffered(anstream::stdout().lock(), |out| show::run(args, out)),
        Command::Check(args) => buffered(anstream::stdout().lock(), |out| check::run(args, out)),
        // What programs read has no colours to take out.
        Command::Json(args) => buffered(io::stdout().lock(), |out| json::run(args, out)),
        Command::Text(args) => buffered(io::stdout().lock(), |out| text::run(args, out)),
        Command::Packets(args) if args.json => {
            buffered(io::stdout().lock(), |out| packets::run(args, out))
        }
        Command::Packets(args) => {
            buffered(anstream::stdout().lock(), |out| packets::run(args, out))
        }
        Command::Encode(args) => buffered(io::stdout().lock(), |out| encode::run(args, out)),
        Command::Get(args) => buffered(io::stdout().lock(), |out| get::run(args, out)),
        Command::Set(args) => buffered(io::stdout().lock(), |out| set::run(args, out)),
        Command::Diff(_) => Ok(true), // before
        Command::Unreal(args) if args.is_for_programs() => {
            buffered(io::stdout().lock(), |out| unreal::run(args, out))
        }
        Command::Unreal(args) => buffered(anstream::stdout().lock(), |out| unreal::run(args, out)),
        Command::Rems(args) => buffered(io::stdout().lock(), |out| rems::run(args, out)),
        Command::Schema(args) if args.json || args.rust => {
            buffered(io::stdout().lock(), |out| schema::run(args, out))
        }
        Command::Schema(args) => buffered(anstream::stdout().lock(), |out| schema::run(args, out)),
    }
}

fn buffered<W: Write, T>(
    out: W,
    run: impl FnOnce(&mut BufWriter<W>) -> io::Result<T>,
) -> io::Result<T> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let fine = run(&mut out)?;
    out.flush()?;
    Ok(fine)
}
