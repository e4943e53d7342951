//! Arguments for packages and saves of Unreal Engine.

use super::help::{DEPS_DETAILS, MORE};
use crate::unreal::{MappingsPath, Supplied};
use clap::builder::{PathBufValueParser, TypedValueParser as _};
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Options for packages that do not store their version, or the names and types of properties.
#[derive(Clone, Copy, Debug, Args)]
pub struct UnrealSource {
    /// Engine version of Unreal packages that do not store it, such as 5.4
    #[arg(id = "unreal-version", long = "unreal-version", value_name = "X.Y")]
    pub engine: Option<Supplied>,

    /// Names and types of properties (.usmap), for Unreal packages that do not store them
    /// [default: the .usmap file beside the package or in a folder above it]
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().map(MappingsPath::from))]
    pub mappings: Option<MappingsPath>,
}

#[derive(Debug, Args)]
pub struct Unreal {
    #[command(subcommand)]
    pub command: UnrealCommand,
}

impl Unreal {
    pub fn is_json(&self) -> bool {
        let UnrealCommand::Deps(args) = &self.command;
        args.json
    }
}

#[derive(Debug, Subcommand)]
pub enum UnrealCommand {
    /// List the packages that packages refer to
    Deps(Deps),
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
