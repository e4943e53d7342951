//! What there is to say of packages and saves.

use super::help::DEPS_EXAMPLES;
use crate::unreal::Supplied;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What packages of Unreal Engine need.
#[derive(Clone, Copy, Debug, Args)]
pub struct UnrealSource {
    /// The engine of packages that do not say their version
    #[arg(id = "unreal-version", long = "unreal-version", value_name = "X.Y")]
    pub engine: Option<Supplied>,
}

#[derive(Debug, Args)]
pub struct Unreal {
    #[command(subcommand)]
    pub command: UnrealCommand,
}

impl Unreal {
    /// Whether what is printed is read by programs.
    pub fn is_for_programs(&self) -> bool {
        match &self.command {
            UnrealCommand::Deps(args) => args.json || args.dot,
        }
    }
}

#[derive(Debug, Subcommand)]
pub enum UnrealCommand {
    /// Tell which packages others refer to
    Deps(Deps),
}

#[derive(Debug, Args)]
#[command(after_help = DEPS_EXAMPLES)]
pub struct Deps {
    /// Packages, or folders to be searched for them
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub unreal: UnrealSource,

    /// Leave out packages of code, which are in no file (/Script/...)
    #[arg(long)]
    pub no_code: bool,

    /// Print a JSON object for each package
    #[arg(long, conflicts_with = "dot")]
    pub json: bool,

    /// Print a graph for Graphviz
    #[arg(long)]
    pub dot: bool,
}
