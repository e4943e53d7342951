//! Arguments for saves of Rem's Engine.

use super::help::{CONVERT_DETAILS, MORE};
use crate::rems::{EraArg, OutputForm};
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Options for binary saves, which do not store their version.
#[derive(Clone, Copy, Debug, Args)]
pub struct RemsSource {
    /// Version of the engine that wrote a binary save of Rem's Engine
    #[arg(id = "rems-era", long = "era", value_name = "YEAR", value_enum)]
    #[arg(hide_possible_values = true)]
    pub era: Option<EraArg>,
}

#[derive(Debug, Args)]
pub struct Rems {
    #[command(subcommand)]
    pub command: RemsCommand,
}

#[derive(Debug, Subcommand)]
pub enum RemsCommand {
    /// Convert a save to text, binary, container or JSON, and between engine versions
    Convert(Convert),
}

#[derive(Debug, Args)]
#[command(after_help = MORE, after_long_help = CONVERT_DETAILS)]
pub struct Convert {
    /// Form to write: text-2026, text-2021, binary, binary-2021, container or json
    #[arg(long, value_name = "FORM", value_enum, hide_possible_values = true)]
    pub to: OutputForm,

    #[command(flatten)]
    pub rems: RemsSource,

    /// Write the save even if the engine of FORM could not read it back
    #[arg(long)]
    pub force: bool,

    /// Save to convert; - is standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,

    /// File to write; - is standard output
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
}
