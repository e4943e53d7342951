//! Arguments of the commands on values: `show`, `check`, `json`, `text`, `encode`, `get`, `set`,
//! `diff` and `schema`.

use super::help::*;
use super::{BytesText, KeyArgs, Part, RemsSource, Size, UnrealSource};
use crate::godot::format::Format;
use crate::unreal::{Declarations, MappingsPath};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use gamewire::godot::Dialect;
use std::path::PathBuf;

/// Returns a parser that accepts the names of all formats. The parser lists the names, so that
/// shells can complete them.
fn format() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::names()).try_map(|name| name.parse::<Format>())
}

/// The format in which `gamewire encode` writes.
#[derive(Clone, Copy, Debug)]
enum EncodedFormat {
    Godot(Format),
    /// A package or save of Unreal Engine.
    Unreal,
}

/// The name of [`EncodedFormat::Unreal`].
const UNREAL: &str = "unreal";

fn encoded_format() -> impl TypedValueParser<Value = EncodedFormat> {
    PossibleValuesParser::new(Format::names().chain([UNREAL])).try_map(|name| match &*name {
        UNREAL => Ok(EncodedFormat::Unreal),
        name => name.parse::<Format>().map(EncodedFormat::Godot),
    })
}

/// Default value of `--max-line`.
const MAX_LINE: Size = Size(16 << 20);

/// Encoding of the input.
#[derive(Clone, Copy, Debug, Args)]
pub struct Source {
    /// Engine and framing of Godot values [default: godot4]
    ///
    /// Nothing in a packet says which engine wrote it. "Formats" below lists the names. Without this
    /// option, files that look like those of other programs are not read as values.
    #[arg(long = "as", value_name = "FORMAT")]
    #[arg(value_parser = format(), hide_possible_values = true)]
    requested: Option<Format>,

    /// Decode the input as base64, as Marshalls.variant_to_base64 writes it
    #[arg(long)]
    pub base64: bool,

    #[command(flatten)]
    pub part: Part,

    #[command(flatten)]
    pub key: KeyArgs,
}

impl Source {
    /// Returns the format that the command line names, or the default.
    pub fn format(self) -> Format {
        let format = self.requested.unwrap_or(Dialect::Godot4.into());
        if self.part.big_endian { format.big_endian() } else { format }
    }

    /// Returns `true` if the command line names the format, or the part of the input that contains
    /// the values. The input is then read as values, whatever it looks like.
    pub fn is_format_given(self) -> bool {
        self.requested.is_some() || self.part.is_given()
    }
}

#[derive(Debug, Args)]
#[command(after_help = MORE)]
#[command(after_long_help = format!("{FORMATS}\n\n{CONTAINERS}\n\n{PACKAGES}\n\n{SAVES}\n\n{CONFIGS}\n\n{SHOW_DETAILS}"))]
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

    /// Print long strings, packed arrays and tables in full
    #[arg(long)]
    pub full: bool,

    /// Print each value's bytes beside it; with --full, all of its bytes
    #[arg(long)]
    pub hex: bool,

    /// Read values back to back up to the end of the file, not only the first
    #[arg(long)]
    pub all: bool,
}

#[derive(Debug, Args)]
#[command(after_help = MORE)]
#[command(after_long_help = format!("{FORMATS}\n\n{CONTAINERS}\n\n{PACKAGES}\n\n{SAVES}\n\n{CONFIGS}\n\n{CHECK_DETAILS}"))]
pub struct Check {
    /// Files to check, or folders to search for packages and saves; - is standard input
    #[arg(required_unless_present = "lines", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub source: Source,

    #[command(flatten)]
    pub unreal: UnrealSource,

    #[command(flatten)]
    pub rems: RemsSource,

    /// Refuse what an engine would not write itself, and Unreal files that are not fully decoded
    #[arg(long)]
    pub strict: bool,

    /// Accept objects with properties, as bytes_to_var_with_objects does
    #[arg(long)]
    pub objects: bool,

    /// Read one packet per line in hexadecimal; print a JSON object for each
    ///
    /// Reads standard input if no FILE is given. With --base64, lines are base64.
    #[arg(long)]
    pub lines: bool,

    /// With --lines, the maximum length of a line in bytes; longer lines are refused
    #[arg(long, value_name = "SIZE", default_value_t = MAX_LINE, requires = "lines")]
    pub max_line: Size,
}

#[derive(Debug, Args)]
#[command(after_help = MORE)]
#[command(after_long_help = format!("{FORMATS}\n\n{CONTAINERS}\n\n{PACKAGES}\n\n{SAVES}\n\n{CONFIGS}\n\n{JSON_DETAILS}"))]
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

    /// Keep every byte: wrap a value in an object if its short form would lose information
    #[arg(long)]
    pub exact: bool,

    /// Print arrays of bytes in Unreal files as strings: hex or base64
    #[arg(long, value_name = "FORM")]
    pub bytes: Option<BytesText>,

    /// Read one packet per line in hexadecimal; print the verdict and the value for each
    ///
    /// Reads standard input if no FILE is given. With --base64, lines are base64.
    #[arg(long)]
    pub lines: bool,

    /// With --lines, the maximum length of a line in bytes; longer lines are refused
    #[arg(long, value_name = "SIZE", default_value_t = MAX_LINE, requires = "lines")]
    pub max_line: Size,

    /// With --lines, accept objects with properties, as bytes_to_var_with_objects does
    #[arg(long, requires = "lines")]
    pub objects: bool,

    /// Write a row for each value into a Parquet file; only for values of Godot
    #[arg(long, value_name = "OUT")]
    pub parquet: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = MORE)]
#[command(after_long_help = format!("{FORMATS}\n\n{CONTAINERS}\n\n{TEXT_DETAILS}"))]
pub struct Text {
    /// Files to print; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub source: Source,
}

#[derive(Debug, Args)]
#[command(after_help = MORE)]
#[command(after_long_help = format!("{FORMATS}\n\n{CONTAINERS}\n\n{SCHEMA_DETAILS}"))]
pub struct Schema {
    /// Files to read, each of one or more values; - is standard input
    #[arg(required_unless_present = "lines", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub source: Source,

    /// Read one packet per line in hexadecimal
    ///
    /// Reads standard input if no FILE is given. With --base64, lines are base64.
    #[arg(long)]
    pub lines: bool,

    /// With --lines, the maximum length of a line in bytes; longer lines are refused
    #[arg(long, value_name = "SIZE", default_value_t = MAX_LINE, requires = "lines")]
    pub max_line: Size,

    /// Print a JSON object for each path
    #[arg(long, conflicts_with = "rust")]
    pub json: bool,

    /// Print Rust types that decode these packets
    #[arg(long)]
    pub rust: bool,
}

#[derive(Debug, Args)]
#[command(after_help = MORE)]
#[command(after_long_help = format!("{FORMATS}\n\n{ENCODE_DETAILS}"))]
pub struct Encode {
    /// File to read; - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub file: PathBuf,

    /// Engine and framing of the packets to write; `unreal` for a package or save
    #[arg(long = "as", value_name = "FORMAT", default_value = Dialect::Godot4.name())]
    #[arg(value_parser = encoded_format(), hide_possible_values = true)]
    format: EncodedFormat,

    /// Write frames whose lengths are big-endian, even if FORMAT does not end in -frames
    #[arg(long)]
    pub big_endian: bool,

    /// Read the text notation of var_to_str, not JSON
    #[arg(long)]
    pub text: bool,

    /// With --text, write vectors and similar types with 64-bit floats
    #[arg(long, requires = "text")]
    pub double: bool,

    /// With --text, parse as the engine does, including its rounding errors
    #[arg(long, requires = "text")]
    pub as_the_engine: bool,

    /// Maximum length of a line of JSON in bytes; longer lines are refused
    #[arg(long, value_name = "SIZE", default_value_t = MAX_LINE, conflicts_with = "text")]
    pub max_line: Size,

    /// Write the packets to this file; - is standard output (the default)
    ///
    /// If the file exists and is compressed or encrypted, the new content is, too.
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// With --as unreal, names and types of properties (.usmap), if the package does not store them
    #[arg(long, value_name = "FILE", value_parser = MappingsPath::parser())]
    pub mappings: Option<MappingsPath>,

    #[command(flatten)]
    pub declarations: Declarations,

    #[command(flatten)]
    pub key: KeyArgs,
}

impl Encode {
    /// Returns the format of the packets to write.
    pub fn format(&self) -> Format {
        let EncodedFormat::Godot(format) = self.format else { return Dialect::Godot4.into() };
        if self.big_endian { format.big_endian() } else { format }
    }

    /// Returns `true` if the input is the document of a package or save of Unreal Engine.
    pub fn is_unreal(&self) -> bool {
        matches!(self.format, EncodedFormat::Unreal)
    }
}

#[derive(Debug, Args)]
#[command(after_help = MORE)]
#[command(after_long_help = format!("{PATHS}\n\n{UNREAL_PATHS}\n\n{REMS_PATHS}\n\n{FORMATS}\n\n{CONTAINERS}\n\n{PACKAGES}\n\n{SAVES}\n\n{CONFIGS}\n\n{GET_DETAILS}"))]
pub struct Get {
    /// Path of the value, such as players/0/name; "" is the whole value
    #[arg(value_name = "PATH", allow_negative_numbers = true)]
    pub path: String,

    /// Files to read; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Print the value at this path too; may be repeated
    #[arg(long, value_name = "PATH", allow_hyphen_values = true)]
    pub also: Vec<String>,

    #[command(flatten)]
    pub source: Source,

    #[command(flatten)]
    pub unreal: UnrealSource,

    #[command(flatten)]
    pub rems: RemsSource,

    /// Print JSON on one line; print Godot values as `gamewire json` does
    #[arg(long)]
    pub json: bool,

    /// Write the bytes of the value
    #[arg(long, conflicts_with = "json")]
    pub raw: bool,

    /// In a file of several values or frames, read only this one; counted from 0
    #[arg(long, value_name = "N")]
    pub frame: Option<usize>,
}

impl Get {
    /// Returns the requested paths in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.path).chain(&self.also).map(String::as_str)
    }
}

#[derive(Debug, Args)]
#[command(after_help = MORE)]
#[command(after_long_help = format!("{PATHS}\n\n{FORMATS}\n\n{CONTAINERS}\n\n{CONFIGS}\n\n{SET_DETAILS}"))]
pub struct Set {
    /// Path of the value to change, such as players/0/hp; "" is the whole value
    #[arg(value_name = "PATH", allow_negative_numbers = true)]
    pub path: String,

    /// New value, as var_to_str writes it: 5, 0.5, "text", Vector2(1, 2), [1, null]
    #[arg(value_name = "VALUE", allow_negative_numbers = true)]
    pub value: String,

    /// File to change; - is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    #[command(flatten)]
    pub source: Source,

    #[command(flatten)]
    pub unreal: UnrealSource,

    /// Read VALUE as JSON, as `gamewire json` prints it
    #[arg(long)]
    pub json: bool,

    /// Give the property or map key at PATH the name VALUE (Unreal packages and saves)
    #[arg(long, conflicts_with = "json")]
    pub rename: bool,

    /// Type of a property that is added, such as IntProperty (Unreal packages and saves)
    #[arg(long = "type", value_name = "TYPE")]
    pub of: Option<String>,

    /// Write vectors and similar types in VALUE with 64-bit floats
    ///
    /// VALUE in JSON states the width itself.
    #[arg(long, conflicts_with = "json")]
    pub double: bool,

    /// Write the copy to this file; - is standard output (the default)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Overwrite FILE
    #[arg(long, conflicts_with = "output")]
    pub in_place: bool,

    /// In a file of several values or frames, change only this one; counted from 0
    #[arg(long, value_name = "N")]
    pub frame: Option<usize>,
}

#[derive(Debug, Args)]
#[command(after_help = MORE)]
#[command(after_long_help = format!("{DIFF_DETAILS}\n\n{FORMATS}\n\n{CONTAINERS}\n\n{CONFIGS}\n\n{SAVES}"))]
pub struct Diff {
    /// File before the change; - is standard input
    #[arg(value_name = "OLD")]
    pub old: PathBuf,

    /// File after the change; - is standard input
    #[arg(value_name = "NEW")]
    pub new: PathBuf,

    #[command(flatten)]
    pub source: Source,

    #[command(flatten)]
    pub unreal: UnrealSource,

    #[command(flatten)]
    pub rems: RemsSource,

    /// Print a JSON object for each change
    #[arg(long)]
    pub json: bool,

    /// Print long values in full
    #[arg(long)]
    pub full: bool,
}
