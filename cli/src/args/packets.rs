//! `gamewire packets`

use super::help::{PACKETS_EXAMPLES, PACKETS_MORE};
use crate::packets::{self, Filter};
use clap::{Args, ValueEnum};
use gamewire::traffic::{Engine, Options};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = format!("{PACKETS_EXAMPLES}\n\nKinds: {}.\n\n{PACKETS_MORE}", packets::kinds()))]
pub struct Packets {
    /// Captures (pcap, pcapng) to read; - is standard input, live or not
    #[arg(required = true, value_name = "CAPTURE")]
    pub files: Vec<PathBuf>,

    /// Whose packets these are: godot4 or godot3 (found out, if not given)
    #[arg(long = "as", value_name = "ENGINE")]
    pub engine: Option<EngineName>,

    /// Look at this port only
    #[arg(long)]
    pub port: Option<u16>,

    /// Only packets of which this holds, see below; of several, all must
    #[arg(long = "filter", value_name = "EXPR")]
    pub filters: Vec<Filter>,

    /// Print a JSON object for each packet
    #[arg(long, conflicts_with = "quiet")]
    pub json: bool,

    /// Print all values of each packet below its line, as `show` does, in full
    #[arg(long, conflicts_with_all = ["json", "quiet"])]
    pub tree: bool,

    /// Print each packet's bytes below its line; with --tree, beside each value
    #[arg(long, conflicts_with_all = ["json", "quiet"])]
    pub hex: bool,

    /// Print pings, acknowledgements and the like, too
    #[arg(long)]
    pub all: bool,

    /// Decode everything, print totals only
    #[arg(long)]
    pub quiet: bool,

    /// Print totals by kind, path and method at the end
    #[arg(long)]
    pub stats: bool,

    /// Names of methods: lines of `path-or-script: method`
    #[arg(long, value_name = "FILE")]
    pub methods: Option<PathBuf>,

    /// Names of methods, from the @rpc functions of a project's scripts
    #[arg(long, value_name = "DIR")]
    pub scripts: Option<PathBuf>,
}

/// An engine as `--as` has it.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum EngineName {
    Godot3,
    Godot4,
}

impl Packets {
    /// What is known of the traffic beforehand.
    pub fn options(&self) -> Options {
        let mut options = Options::default();
        options.engine = self.engine.map(|engine| match engine {
            EngineName::Godot3 => Engine::Godot3,
            EngineName::Godot4 => Engine::Godot4,
        });
        options.port = self.port;
        options
    }
}
