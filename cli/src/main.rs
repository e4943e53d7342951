//! The `gamewire` command line.
//!
//! The program parses arguments, calls the library and prints the results. All knowledge of formats
//! is in the library.
//!
//! | module | contents |
//! |---|---|
//! | [`args`] | clap definitions and help texts |
//! | [`godot`] | commands on Godot values, and the dispatch of files of other engines |
//! | [`packets`] | `gamewire packets` |
//! | [`unreal`], [`rems`] | commands on packages and saves |
//! | [`generate`] | completion scripts and manual pages |
//! | [`ui`] | input files, output, messages |

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
mod generate;
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
        // The program that reads the output has closed the pipe, as in `gamewire show big | head`.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            report::error("standard output", &error);
            ExitCode::FAILURE
        }
    }
}

/// Runs `gamewire diff`. Exits as diff(1) does: 0 for no difference, 1 for differences, 2 for
/// errors.
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

/// Runs a command other than `diff`. Returns `false` if an error was reported.
fn run(command: &Command) -> io::Result<bool> {
    match command {
        Command::Show(args) => buffered(anstream::stdout().lock(), |out| show::run(args, out)),
        Command::Check(args) => buffered(anstream::stdout().lock(), |out| check::run(args, out)),
        // Output for other programs has no colours, so `anstream` need not remove them.
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
        Command::Diff(_) => Ok(true), // `main` handles it before
        Command::Completions(args) => {
            buffered(io::stdout().lock(), |out| generate::completions(args, out))
        }
        Command::Man(args) => buffered(io::stdout().lock(), |out| generate::man(args, out)),
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

/// Runs a command with buffered output. Each command receives the output as a trait object, so that
/// it is compiled only once rather than once for each type of stream.
fn buffered<T>(
    out: impl Write,
    run: impl FnOnce(&mut &mut dyn Write) -> io::Result<T>,
) -> io::Result<T> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let result = run(&mut (&mut out as &mut dyn Write))?;
    out.flush()?;
    Ok(result)
}
