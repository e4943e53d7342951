//! What there is to say of saves of Rem's Engine.

use super::help::CONVERT_EXAMPLES;
use crate::rems::{EraArg, OutputForm};
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What binary saves need, since nothing in them says it.
#[derive(Clone, Copy, Debug, Args)]
pub struct RemsSource {
    /// When the engine was built that wrote a save of Rem's, if that is binary; see below
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
    /// Write a save as text, binary, container or JSON, of another time
    Convert(Convert),
}

#[derive(Debug, Args)]
#[command(after_help = CONVERT_EXAMPLES)]
pub struct Convert {
    /// What to write, see below
    #[arg(long, value_name = "FORM", value_enum, hide_possible_values = true)]
    pub to: OutputForm,

    #[command(flatten)]
    pub rems: RemsSource,

    /// Write what the engine could not read back, too
    #[arg(long)]
    pub force: bool,

    /// The save; - is standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,

    /// Where to write it; - is standard output
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
}
