//! Arguments for packages and saves of Unreal Engine.

use super::help::{DEPS_DETAILS, MORE, TYPES_DETAILS};
use crate::unreal::{Supplied, Types};
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Options for packages that do not store their version.
#[derive(Clone, Copy, Debug, Args)]
pub struct UnrealSource {
    /// Engine version of Unreal packages that do not store it, such as 5.4
    #[arg(id = "unreal-version", long = "unreal-version", value_name = "X.Y")]
    pub engine: Option<Supplied>,

    /// File that names the structs of Unreal maps, sets and arrays: lines of PATH = TYPE
    ///
    /// `gamewire unreal types` writes such a file.
    #[arg(long, value_name = "FILE")]
    pub types: Option<Types>,
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
}

#[derive(Debug, Subcommand)]
pub enum UnrealCommand {
    /// List the packages that packages refer to
    Deps(Deps),
    /// Print the inferred types of maps and sets, as a file for --types
    Types(TypesOf),
}

#[derive(Debug, Args)]
#[command(after_help = MORE, after_long_help = TYPES_DETAILS)]
pub struct TypesOf {
    /// Packages and saves, or folders to search for them
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub unreal: UnrealSource,
}

#[derive(Debug, Args)]
#[command(after_help = MORE, after_long_help = DEPS_DETAILS)]
pub struct Deps {
    /// Packages, or folders to search for packages
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub unreal: UnrealSource,

    /// Leave out code packages (/Script/...), which have no file
    #[arg(long)]
    pub no_code: bool,

    /// Print a JSON object for each package
    #[arg(long, conflicts_with = "dot")]
    pub json: bool,

    /// Print a graph in the DOT language of Graphviz
    #[arg(long)]
    pub dot: bool,
}
