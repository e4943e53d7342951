//! Arguments for packages and saves of Unreal Engine.

use super::PakKeyArgs;
use super::help::{
    DEPS_DETAILS, EXTRACT_DETAILS, MORE, TYPES_DETAILS, UNWRAP_DETAILS, WRAP_DETAILS,
};
use crate::unreal::{Declarations, MappingsPath, ScriptObjectsPath, Supplied, Types};
use clap::{Args, Subcommand, ValueEnum};
use gamewire::unreal::BytesForm;
use gamewire::unreal::pak::Key;
use std::path::PathBuf;

/// Options for packages that do not store their version, or the names and types of properties.
#[derive(Clone, Copy, Debug, Args)]
pub struct UnrealSource {
    /// Engine version of Unreal packages that do not store it, such as 5.4
    #[arg(id = "unreal-version", long = "unreal-version", value_name = "X.Y")]
    pub engine: Option<Supplied>,

    /// Names and types of properties (.usmap), for Unreal packages that do not store them
    /// [default: the .usmap file beside the package or in a folder above it]
    #[arg(long, value_name = "FILE", value_parser = MappingsPath::parser())]
    pub mappings: Option<MappingsPath>,

    #[command(flatten)]
    pub declarations: Declarations,

    /// Names of classes (the game's global.ucas), for Unreal packages from IoStore containers
    ///
    /// Such packages state their classes as hashes. The file must not be compressed. Mappings have
    /// the names of most classes, too.
    #[arg(long, value_name = "FILE", value_parser = ScriptObjectsPath::parser())]
    pub script_objects: Option<ScriptObjectsPath>,

    /// File that names the structs of Unreal maps, sets and arrays: lines of PATH = TYPE
    ///
    /// `gamewire unreal types` writes such a file.
    #[arg(long, value_name = "FILE")]
    pub types: Option<Types>,
}

/// The form in which documents state arrays of bytes.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum BytesText {
    Hex,
    Base64,
}

impl From<BytesText> for BytesForm {
    fn from(form: BytesText) -> Self {
        match form {
            BytesText::Hex => Self::Hex,
            BytesText::Base64 => Self::Base64,
        }
    }
}

#[derive(Debug, Args)]
pub struct Unreal {
    #[command(subcommand)]
    pub command: UnrealCommand,
}

impl Unreal {
    pub fn is_json(&self) -> bool {
        matches!(&self.command, UnrealCommand::Deps(args) if args.json)
    }

    /// Returns `true` if the output is a Parquet file.
    pub fn is_parquet(&self) -> bool {
        matches!(&self.command, UnrealCommand::Deps(args) if args.parquet.is_some())
    }

    /// Returns the key of an archive, if the command line contains one.
    pub fn key(&self) -> Option<Key> {
        match &self.command {
            UnrealCommand::Deps(args) => args.key.pak(),
            UnrealCommand::Extract(args) => args.key.pak(),
            UnrealCommand::Types(args) => args.key.pak(),
            UnrealCommand::Unwrap(_) | UnrealCommand::Wrap(_) => None,
        }
    }

    /// Returns `true` if the output is a file rather than text.
    pub fn is_binary(&self) -> bool {
        matches!(&self.command, UnrealCommand::Unwrap(_) | UnrealCommand::Wrap(_))
    }
}

#[derive(Debug, Subcommand)]
pub enum UnrealCommand {
    /// List the packages that packages refer to
    Deps(Deps),
    /// Write the files in a pak or container to a folder
    Extract(Extract),
    /// Print the inferred types of maps and sets, as a file for --types
    Types(TypesOf),
    /// Write the save or package inside a file that a game has compressed
    Unwrap(Unwrap),
    /// Compress a save or package as games do
    Wrap(Wrap),
}

#[derive(Debug, Args)]
#[command(after_help = MORE, after_long_help = TYPES_DETAILS)]
pub struct TypesOf {
    /// Packages and saves, or folders to search for them
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub unreal: UnrealSource,

    #[command(flatten)]
    pub key: PakKeyArgs,
}

#[derive(Debug, Args)]
#[command(after_help = MORE, after_long_help = EXTRACT_DETAILS)]
pub struct Extract {
    /// Pak to read, or .utoc of a container
    #[arg(value_name = "ARCHIVE")]
    pub archive: PathBuf,

    /// Files in the archive, or folders [default: all files]
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,

    #[command(flatten)]
    pub key: PakKeyArgs,

    /// Folder for the files; it is created if it does not exist
    #[arg(short, long, value_name = "FOLDER")]
    pub output: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = MORE, after_long_help = DEPS_DETAILS)]
pub struct Deps {
    /// Packages, or folders to search for packages
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub unreal: UnrealSource,

    #[command(flatten)]
    pub key: PakKeyArgs,

    /// Leave out code packages (/Script/...), which have no file
    #[arg(long)]
    pub no_code: bool,

    /// Print a JSON object for each package
    #[arg(long, conflicts_with = "dot")]
    pub json: bool,

    /// Print a graph in the DOT language of Graphviz
    #[arg(long)]
    pub dot: bool,

    /// Write a row for each reference into a Parquet file
    #[arg(long, value_name = "OUT", conflicts_with_all = ["json", "dot"])]
    pub parquet: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = MORE, after_long_help = UNWRAP_DETAILS)]
pub struct Unwrap {
    /// File to open; - is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    #[command(flatten)]
    pub unreal: UnrealSource,

    /// Write the save or package to this file; - is standard output (the default)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = MORE, after_long_help = WRAP_DETAILS)]
#[group(id = "form", required = true, multiple = false, args = ["like", "to"])]
pub struct Wrap {
    /// Save or package to wrap; - is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Wrap FILE in the same way as this file
    #[arg(long, value_name = "ORIGINAL")]
    pub like: Option<PathBuf>,

    /// Form of the file to write
    #[arg(long, value_name = "FORM", value_enum)]
    pub to: Option<WrapForm>,

    #[command(flatten)]
    pub unreal: UnrealSource,

    /// Write the wrapped file to this file; - is standard output (the default)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

/// A form of file that `wrap` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WrapForm {
    /// A zlib stream
    Zlib,
    /// A save of Palworld, compressed once (PlZ1)
    Palworld,
    /// A save of Palworld, compressed twice (PlZ2)
    PalworldTwice,
    /// Blocks of zlib, as SerializeCompressed of engine 4 writes them
    Blocks,
    /// Blocks of zlib, as SerializeCompressedNew of engine 5 writes them
    BlocksNew,
}
