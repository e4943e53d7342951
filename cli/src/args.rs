//! Arguments of the command line, as clap definitions.

mod find;
mod generate;
mod godot;
mod help;
mod key;
mod pack;
mod packets;
mod part;
mod rems;
mod size;
mod unreal;

pub use find::Find;
pub use generate::{Completions, Man, WiresharkLua};
pub use godot::{Check, Diff, Encode, Get, Json, Schema, Set, Show, Source, Text};
pub use key::{KeyArgs, PakKeyArgs};
pub use pack::{Pack, PackForm, Unpack};
pub use packets::Packets;
#[cfg(feature = "parquet")]
pub use packets::{PartitionBy, TimeUnit};
pub use part::Part;
pub use rems::{Convert, Rems, RemsCommand, RemsSource};
pub use size::Size;
pub use unreal::{
    BytesText, Deps, Extract, TypesOf, Unreal, UnrealCommand, UnrealSource, Unwrap, Wrap, WrapForm,
};

use crate::ui::input::Input;
use crate::ui::printable::for_people;
use anstream::ColorChoice;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use gamewire::unreal::pak::Key;
use help::{EXAMPLES, SHORT_EXAMPLES};
use std::io::Write;
use std::path::Path;

/// Shows, checks, converts and edits the binary data of game engines.
///
/// gamewire reads Godot's Variant format (var_to_bytes, store_var, put_var, RPC arguments) of all
/// engine versions, captured network traffic of Godot games, packages and saves of Unreal Engine,
/// and saves of Rem's Engine. The engines are not needed.
#[derive(Debug, Parser)]
#[command(name = "gamewire", version, after_help = SHORT_EXAMPLES, after_long_help = EXAMPLES)]
#[command(max_term_width = 100, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,

    /// When to print colours: auto, always or never
    ///
    /// `auto` prints colours on a terminal, unless NO_COLOR is set.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    #[arg(hide_possible_values = true, display_order = 100)]
    pub color: Color,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print values as trees, and the tables of packages and saves
    Show(Show),
    /// Check whether an engine accepts files, and list what is unusual about them
    Check(Check),
    /// Print values as Godot's JSON, one per line; packages and saves as JSON documents
    Json(Json),
    /// Print values in the text notation of Godot's var_to_str
    Text(Text),
    /// Write packets from lines of JSON or var_to_str text; Unreal files from documents
    Encode(Encode),
    /// Print one value of a packet, package or save, by its path
    Get(Get),
    /// Write a copy of a packet, package or save with one value changed
    Set(Set),
    /// List the changes between two packets, packages or saves, path by path
    Diff(Diff),
    /// Find the structure that many packets share, and print Rust types for it
    Schema(Schema),
    /// Print the content of a compressed or encrypted file of Godot
    Unpack(Unpack),
    /// Compress or encrypt a file as Godot does
    Pack(Pack),
    /// List where Godot values are in files of any format
    Find(Find),
    /// List the packets of captured Godot traffic: calls, values, replication
    Packets(Packets),
    /// List the references of Unreal packages; extract archives; unwrap and wrap compressed saves
    Unreal(Unreal),
    /// Convert saves of Rem's Engine
    Rems(Rems),
    /// Print a script for Wireshark, which shows what `packets --write` has written
    WiresharkLua(WiresharkLua),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Print manual pages, or write them to a folder
    Man(Man),
}

const NO_PARQUET: &str = "\
this gamewire was built without Parquet; `cargo install --path cli --features parquet` installs one \
with it";

const LINES_OF_PART: &str =
    "--lines reads one packet per line, so --skip, --count and --big-endian do not apply";

impl Command {
    fn selects_part_of_lines(&self) -> bool {
        match self {
            Self::Check(args) => args.lines && args.source.part.is_given(),
            Self::Json(args) => args.lines && args.source.part.is_given(),
            Self::Schema(args) => args.lines && args.source.part.is_given(),
            _ => false,
        }
    }

    /// Returns the key of an archive, if the command line contains one.
    pub fn pak_key(&self) -> Option<Key> {
        let key = match self {
            Self::Show(args) => args.source.key,
            Self::Check(args) => args.source.key,
            Self::Json(args) => args.source.key,
            Self::Text(args) => args.source.key,
            Self::Schema(args) => args.source.key,
            Self::Get(args) => args.source.key,
            Self::Set(args) => args.source.key,
            Self::Diff(args) => args.source.key,
            Self::Unpack(args) => args.key,
            Self::Unreal(args) => return args.key(),
            _ => return None,
        };
        key.pak()
    }

    fn writes_parquet(&self) -> bool {
        match self {
            Self::Json(args) => args.parquet.is_some(),
            Self::Packets(args) => args.parquet.is_some(),
            Self::Unreal(args) => args.is_parquet(),
            _ => false,
        }
    }

    /// Returns an error message if arguments that clap accepts contradict each other.
    fn conflict(&self) -> Option<&'static str> {
        if cfg!(not(feature = "parquet")) && self.writes_parquet() {
            return Some(NO_PARQUET);
        }
        let is_stdin = |path: &Path| Input::new(path).is_stdin();
        let lines_of_frames = match self {
            Self::Check(args) => args.lines && args.source.format().frames,
            Self::Json(args) => args.lines && args.source.format().frames,
            Self::Schema(args) => args.lines && args.source.format().frames,
            Self::Set(args) if args.in_place && is_stdin(&args.file) => {
                return Some("--in-place overwrites FILE, so FILE cannot be standard input (-)");
            }
            Self::Packets(args) => return args.parquet_problem(),
            Self::Diff(args) if is_stdin(&args.old) && is_stdin(&args.new) => {
                return Some("OLD and NEW cannot both be standard input (-)");
            }
            _ => false,
        };
        lines_of_frames
            .then_some("--lines reads one packet per line, so FORMAT cannot end in -frames")
            .or_else(|| self.selects_part_of_lines().then_some(LINES_OF_PART))
    }
}

impl Cli {
    /// Parses the command line. Prints help or a usage error and exits if there is no command to
    /// run.
    pub fn read() -> Self {
        let cli = Self::try_parse().unwrap_or_else(|error| exit(&error));
        if let Some(message) = cli.command.conflict() {
            exit(&Self::command().error(ErrorKind::ArgumentConflict, message));
        }
        cli
    }
}

/// Prints a usage error or the help, and exits. Escapes unprintable characters, since the error can
/// quote a file name that a stranger has chosen.
fn exit(error: &clap::Error) -> ! {
    let text = for_people(&error.render().ansi().to_string());
    let _ = match error.use_stderr() {
        true => anstream::stderr().write_all(text.as_bytes()),
        false => anstream::stdout().write_all(text.as_bytes()),
    };
    std::process::exit(error.exit_code())
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// Applies the choice to all later output.
    pub fn apply(self) {
        let choice = match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        };
        choice.write_global();
    }
}
