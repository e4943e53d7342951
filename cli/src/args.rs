//! What can be said on the command line.

mod help;
mod packets;
mod rems;

mod unreal;

pub use packets::Packets;
pub use rems::{Convert, Rems, RemsCommand, RemsSource};
pub use unreal::{Deps, Unreal, UnrealCommand, UnrealSource};

use crate::godot::format::Format;
use crate::ui::input::Input;
use anstream::ColorChoice;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use gamewire::godot::Dialect;
use help::*;
use std::path::{Path, PathBuf};

/// Shows, checks and converts what game engines put on the wire and on disk.
///
/// Reads Godot's Variant format (var_to_bytes, store_var, put_var, RPC arguments) in
/// the dialects of all its engines, packages and saves of Unreal Engine, and saves of Rem's Engine,
/// without an engine.
#[derive(Debug, Parser)]
#[command(name = "gamewire", version, after_help = EXAMPLES, max_term_width = 100)]
#[command(arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,

    /// Colours: on a terminal, unless NO_COLOR is set; or always, or never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    #[arg(hide_possible_values = true, display_order = 100)]
    pub color: Color,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show packets as trees, one line a value
    Show(Show),
    /// Tell which packets an engine accepts, and what is unusual about them
    Check(Check),
    /// Print values as Godot's own JSON, one line each
    Json(Json),
    /// Print values in the text notation of Godot's var_to_str
    Text(Text),
    /// Write packets from lines of Godot's JSON, or from text as of var_to_str
    Encode(Encode),
    /// Print one value out of a packet, package or save, by its path
    Get(Get),
    /// Write a packet again with one value changed
    Set(Set),
    /// Tell what has changed between two packets or saves, path by path
    Diff(Diff),
    /// Tell what many packets have in common; Rust types for them
    Schema(Schema),
    /// Show the packets of captured Godot traffic: calls, values, replication
    Packets(Packets),
    /// What only packages of Unreal Engine have: references
    Unreal(Unreal),
    /// What only saves of Rem's Engine have: conversion
    Rems(Rems),
}

/// What the input is.
#[derive(Clone, Copy, Debug, Args)]
pub struct Source {
    /// Whose bytes these are, see below
    #[arg(long = "as", value_name = "FORMAT", default_value_t = Format::from(Dialect::Godot4))]
    pub format: Format,

    /// The input is base64, as Marshalls.variant_to_base64 makes it
    #[arg(long)]
    pub base64: bool,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{FORMATS}\n\n{PACKAGES}\n\n{SAVES}\n\n{SHOW_EXAMPLES}"))]
pub struct Show {
    /// Files to show; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub source: Source,

    #[command(flatten)]
    pub unreal: UnrealSource,

    #[command(flatten)]
    pub rems: RemsSource,

    /// Print long texts, packed arrays and tables in full
    #[arg(long)]
    pub full: bool,

    /// Put each value's bytes beside it (with --full: every byte)
    #[arg(long)]
    pub hex: bool,

    /// Read values back to back to the end, not only the first
    #[arg(long)]
    pub all: bool,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{FORMATS}\n\n{PACKAGES}\n\n{SAVES}\n\n{CHECK_EXAMPLES}"))]
pub struct Check {
    /// Files to check, or folders to be searched for packages and saves; - is standard input
    #[arg(required_unless_present = "lines", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub source: Source,

    #[command(flatten)]
    pub unreal: UnrealSource,

    #[command(flatten)]
    pub rems: RemsSource,

    /// Refuse what an engine would not write itself
    #[arg(long)]
    pub strict: bool,

    /// Accept full objects, which engines refuse unless told to
    #[arg(long)]
    pub objects: bool,

    /// Read text, one packet a line in hexadecimal (standard input without FILE), and
    /// print a JSON object for each
    #[arg(long)]
    pub lines: bool,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{FORMATS}\n\n{PACKAGES}\n\n{SAVES}\n\n{JSON_EXAMPLES}"))]
pub struct Json {
    /// Files to print; - is standard input
    #[arg(required_unless_present = "lines", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub source: Source,

    #[command(flatten)]
    pub unreal: UnrealSource,

    #[command(flatten)]
    pub rems: RemsSource,

    /// Wrap in objects what strings would lose something of
    #[arg(long)]
    pub exact: bool,

    /// Read text, one packet a line in hexadecimal (standard input without FILE), and
    /// print a verdict and the value for each
    #[arg(long)]
    pub lines: bool,

    /// With --lines, accept full objects, which engines refuse unless told to
    #[arg(long, requires = "lines")]
    pub objects: bool,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{FORMATS}\n\n{TEXT_EXAMPLES}"))]
pub struct Text {
    /// Files to print; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub source: Source,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{FORMATS}\n\n{SCHEMA_EXAMPLES}"))]
pub struct Schema {
    /// Files to read, values back to back; - is standard input
    #[arg(required_unless_present = "lines", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub source: Source,

    /// Read text, one packet a line in hexadecimal (standard input without FILE)
    #[arg(long)]
    pub lines: bool,

    /// Print a JSON object for each place
    #[arg(long, conflicts_with = "rust")]
    pub json: bool,

    /// Print Rust types that these packets can be decoded into
    #[arg(long)]
    pub rust: bool,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{FORMATS}\n\n{ENCODE_EXAMPLES}"))]
pub struct Encode {
    /// File to read, standard input if none is given or it is -
    #[arg(value_name = "FILE", default_value = "-")]
    pub file: PathBuf,

    /// What to write, see below
    #[arg(long = "as", value_name = "FORMAT", default_value_t = Format::from(Dialect::Godot4))]
    pub format: Format,

    /// The input is text as of var_to_str
    #[arg(long)]
    pub text: bool,

    /// With --text, make vectors and the like of 64-bit floats
    #[arg(long, requires = "text")]
    pub double: bool,

    /// With --text, read as the engine does, with its errors
    #[arg(long, requires = "text")]
    pub as_the_engine: bool,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{PATHS}\n\n{UNREAL_PATHS}\n\n{REMS_PATHS}\n\n{FORMATS}\n\n{PACKAGES}\n\n{SAVES}\n\n{GET_EXAMPLES}"))]
pub struct Get {
    /// What to print, see below; "" is all of it
    #[arg(value_name = "PATH", allow_negative_numbers = true)]
    pub path: String,

    /// Files to look into; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Print what is at this path, too; may be given several times
    #[arg(long, value_name = "PATH", allow_hyphen_values = true)]
    pub also: Vec<String>,

    #[command(flatten)]
    pub source: Source,

    #[command(flatten)]
    pub unreal: UnrealSource,

    #[command(flatten)]
    pub rems: RemsSource,

    /// Print it as JSON on one line (of Godot's values, in the engine's own notation)
    #[arg(long)]
    pub json: bool,

    /// Write its bytes
    #[arg(long, conflicts_with = "json")]
    pub raw: bool,

    /// Of several values or frames, only this one, counted from 0
    #[arg(long, value_name = "N")]
    pub frame: Option<usize>,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{PATHS}\n\n{FORMATS}\n\n{SET_EXAMPLES}"))]
pub struct Set {
    /// What to change, see below; "" is all of it
    #[arg(value_name = "PATH", allow_negative_numbers = true)]
    pub path: String,

    /// What to put there, as var_to_str writes it: 5, 0.5, "text", Vector2(1, 2), [1, null]
    #[arg(value_name = "VALUE", allow_negative_numbers = true)]
    pub value: String,

    /// File to change; - is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    #[command(flatten)]
    pub source: Source,

    /// VALUE is JSON as `gamewire json` prints it
    #[arg(long)]
    pub json: bool,

    /// Make vectors and the like in VALUE of 64-bit floats (JSON says which are)
    #[arg(long, conflicts_with = "json")]
    pub double: bool,

    /// Write the changed copy there, not to standard output (which is -)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Write it to FILE itself
    #[arg(long, conflicts_with = "output")]
    pub in_place: bool,

    /// Of several values or frames, only this one, counted from 0
    #[arg(long, value_name = "N")]
    pub frame: Option<usize>,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{DIFF_EXAMPLES}\n\n{FORMATS}\n\n{SAVES}"))]
pub struct Diff {
    /// What was; - is standard input
    #[arg(value_name = "OLD")]
    pub old: PathBuf,

    /// What is
    #[arg(value_name = "NEW")]
    pub new: PathBuf,

    #[command(flatten)]
    pub source: Source,

    #[command(flatten)]
    pub rems: RemsSource,

    /// Print a JSON object for each change
    #[arg(long)]
    pub json: bool,

    /// Print long values in full
    #[arg(long)]
    pub full: bool,
}

impl Get {
    /// What to print, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.path).chain(&self.also).map(String::as_str)
    }
}

impl Command {
    /// What cannot be meant together, and clap does not know.
    fn contradiction(&self) -> Option<&'static str> {
        let is_stdin = |path: &Path| Input::new(path).is_stdin();
        let lines_of_frames = match self {
            Self::Check(args) => args.lines && args.source.format.frames,
            Self::Json(args) => args.lines && args.source.format.frames,
            Self::Schema(args) => args.lines && args.source.format.frames,
            Self::Set(args) if args.in_place && is_stdin(&args.file) => {
                return Some("with --in-place FILE is written, so it cannot be standard input");
            }
            Self::Diff(args) if is_stdin(&args.old) && is_stdin(&args.new) => {
                return Some("standard input can be read once, so OLD and NEW cannot both be -");
            }
            _ => false,
        };
        lines_of_frames
            .then_some("with --lines each line is one packet, so FORMAT cannot end in -frames")
    }
}

impl Cli {
    /// The command line, or a usage error and no return.
    pub fn read() -> Self {
        let cli = Self::parse();
        if let Some(message) = cli.command.contradiction() {
            Self::command().error(ErrorKind::ArgumentConflict, message).exit();
        }
        cli
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// For all that is printed from here on.
    pub fn apply(self) {
        let choice = match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        };
        choice.write_global();
    }
}
