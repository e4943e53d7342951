//! The `gamewire` command line.
//!
//! The program parses arguments, calls the library and prints the results. Only the library reads
//! and writes the formats.
//!
//! | module | contents |
//! |---|---|
//! | [`args`] | clap definitions and help texts |
//! | [`godot`] | commands on Godot values, and the dispatch of files of other engines |
//! | [`packets`] | `gamewire packets` |
//! | [`unreal`], [`rems`] | commands on packages and saves |
//! | [`content`] | the content of an input: decodes base64, opens compressed and encrypted files |
//! | [`archive`] | files in archives of Unreal Engine, as inputs |
//! | [`detected_input`] | the format of a file, from its first bytes |
//! | [`recognise`] | recognition of files that a command does not read |
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

mod archive;
mod args;
mod content;
mod detected_input;
mod generate;
mod godot;
mod packets;
mod recognise;
mod rems;
mod ui;
mod unreal;

use args::{Cli, Command};
use godot::{check, diff, encode, find, get, json, pack, schema, set, show, text};
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use ui::printable::{Escapes, Printable};
use ui::report;

fn main() -> ExitCode {
    let cli = Cli::read();
    cli.color.apply();
    if let Some(key) = cli.command.pak_key() {
        archive::use_key(key);
    }
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
    let output = if args.json { Output::Json } else { Output::People };
    match output.run(|out| diff::run(args, out)) {
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
    output_of(command).run(|out| match command {
        Command::Show(args) => show::run(args, out),
        Command::Check(args) => check::run(args, out),
        Command::Json(args) => json::run(args, out),
        Command::Text(args) => text::run(args, out),
        Command::Find(args) => find::run(args, out),
        Command::Packets(args) => packets::run(args, out),
        Command::Encode(args) => encode::run(args, out),
        Command::Get(args) => get::run(args, out),
        Command::Set(args) => set::run(args, out),
        Command::Unpack(args) => pack::unpack(args, out),
        Command::Pack(args) => pack::pack(args, out),
        Command::Diff(_) => Ok(true), // `main` handles it before
        Command::WiresharkLua(args) => packets::wireshark::run(args, out),
        Command::Completions(args) => generate::completions(args, out),
        Command::Man(args) => generate::man(args, out),
        Command::Unreal(args) => unreal::run(args, out),
        Command::Rems(args) => rems::run(args, out),
        Command::Schema(args) => schema::run(args, out),
    })
}

fn output_of(command: &Command) -> Output {
    match command {
        Command::Check(args) if args.lines => Output::Json,
        Command::Find(args) if args.json => Output::Json,
        Command::Get(args) if args.json => Output::Json,
        Command::Packets(args) if args.json => Output::Json,
        Command::Packets(args) if args.write.is_some() => Output::Exact,
        Command::Schema(args) if args.json => Output::Json,
        Command::Unreal(args) if args.is_json() => Output::Json,
        Command::Unreal(args) if args.is_binary() => Output::Exact,
        Command::Json(_) => Output::Json,
        Command::Get(_) | Command::Rems(_) | Command::Text(_) => Output::Exact,
        Command::Completions(_) | Command::Man(_) | Command::WiresharkLua(_) => Output::Exact,
        Command::Encode(_) | Command::Set(_) => Output::Exact,
        Command::Pack(_) | Command::Unpack(_) => Output::Exact,
        Command::Check(_) | Command::Packets(_) | Command::Schema(_) | Command::Show(_) => {
            Output::People
        }
        Command::Diff(_) | Command::Find(_) | Command::Unreal(_) => Output::People,
    }
}

/// The kind of output that a command prints.
#[derive(Clone, Copy, Debug)]
enum Output {
    /// Text for people, which can have colours, or generated source code. Unprintable characters
    /// are always escaped.
    People,
    /// JSON. Unprintable characters are always escaped; any JSON parser decodes the escapes.
    Json,
    /// Text or binary data that must reach a file or pipe unchanged. On a terminal, unprintable
    /// characters of text are escaped, and commands refuse to print binary data.
    Exact,
}

impl Output {
    /// Runs a command with buffered output. Each command receives the output as a trait object.
    /// Otherwise, the command would be compiled once for each type of stream.
    fn run<T>(self, run: impl FnOnce(&mut &mut dyn Write) -> io::Result<T>) -> io::Result<T> {
        let stdout = io::stdout();
        let is_terminal = stdout.is_terminal();
        match self {
            Self::People => {
                // `anstream` removes the colours if the user does not want them.
                let out = anstream::stdout().lock();
                flushed(Printable::new(out, Escapes::Rust), run)
            }
            Self::Json => flushed(Printable::new(stdout.lock(), Escapes::Json), run),
            Self::Exact if is_terminal => {
                flushed(Printable::new(stdout.lock(), Escapes::Json), run)
            }
            Self::Exact => flushed(stdout.lock(), run),
        }
    }
}

fn flushed<T>(
    out: impl Write,
    run: impl FnOnce(&mut &mut dyn Write) -> io::Result<T>,
) -> io::Result<T> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let result = run(&mut (&mut out as &mut dyn Write))?;
    out.flush()?;
    Ok(result)
}
