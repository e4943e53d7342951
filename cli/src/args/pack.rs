//! Arguments of `pack` and `unpack`.

use super::KeyArgs;
use super::help::{MORE, PACK_DETAILS, UNPACK_DETAILS};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = MORE, after_long_help = UNPACK_DETAILS)]
pub struct Unpack {
    /// File to open; - is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    #[command(flatten)]
    pub key: KeyArgs,

    /// Write the content to this file; - is standard output (the default)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = MORE, after_long_help = PACK_DETAILS)]
pub struct Pack {
    /// File to compress or encrypt; - is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Form of the file to write
    #[arg(long, value_name = "FORM", value_enum)]
    pub to: PackForm,

    #[command(flatten)]
    pub key: KeyArgs,

    /// Write the file here; - is standard output (the default)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

/// A form of file that `pack` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PackForm {
    /// Compressed with FastLZ, Godot's default
    Fastlz,
    /// Compressed with deflate (zlib)
    Deflate,
    /// Compressed with Zstandard
    Zstd,
    /// Compressed with gzip
    Gzip,
    /// Encrypted in the form of Godot 4
    Encrypted,
    /// Encrypted in the form of Godot 3
    EncryptedGodot3,
}
