//! Arguments of `gamewire packets`.

use super::Size;
use super::help::{MORE, PACKETS_EXAMPLES, PACKETS_FILTERS};
use crate::packets::{Sort, View};
use clap::{Args, ValueEnum};
use gamewire::traffic::{Engine, Filter, Options};
use gamewire::transport::enet::CompressionMode;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = MORE)]
#[command(after_long_help = format!("{PACKETS_FILTERS}\n\nKinds: {}.\n\n{PACKETS_EXAMPLES}", Filter::kinds()))]
pub struct Packets {
    /// Captures (pcap, pcapng) to read; `-` reads standard input, which may be a capture in progress
    #[arg(required = true, value_name = "CAPTURE")]
    pub files: Vec<PathBuf>,

    /// Engine of the packets: godot4 or godot3 (default: detected)
    #[arg(long = "as", value_name = "ENGINE", hide_possible_values = true)]
    pub engine: Option<EngineName>,

    /// Compression of ENet: none, range-coder, fastlz, zlib, zstd
    #[arg(long, value_name = "MODE")]
    pub enet_compressor: Option<CompressionMode>,

    /// Read only packets from or to this port
    #[arg(long)]
    pub port: Option<u16>,

    /// Print only packets that satisfy this condition (repeat to combine)
    #[arg(long = "filter", value_name = "EXPR")]
    pub filters: Vec<Filter>,

    /// Print JSON objects, one for each packet; with --stats, one in all
    #[arg(long, conflicts_with = "quiet")]
    pub json: bool,

    /// Print all values of each packet below its line, in full
    #[arg(long, conflicts_with_all = ["json", "quiet"])]
    pub tree: bool,

    /// Print the bytes of each packet, or with --tree of each value
    #[arg(long, conflicts_with_all = ["json", "quiet"])]
    pub hex: bool,

    /// Also print control packets such as pings, and other protocols
    #[arg(long)]
    pub all: bool,

    /// Print only the totals
    #[arg(long)]
    pub quiet: bool,

    /// At the end, print what the captured bytes are spent on; with --json or --csv, print only that
    #[arg(long)]
    pub stats: bool,

    /// Rows of --stats
    #[arg(long, value_name = "ROWS", requires = "stats")]
    pub by: Option<View>,

    /// Order of the rows of --stats: bytes (default), packets or name
    #[arg(long, value_name = "COLUMN", requires = "stats", hide_possible_values = true)]
    pub sort: Option<Sort>,

    /// Print the rows of --stats as CSV
    #[arg(long, requires = "stats", conflicts_with_all = ["json", "tree", "hex"])]
    pub csv: bool,

    /// Write a page with a timeline and the table of --stats
    #[arg(long, value_name = "FILE.html", conflicts_with_all = ["tree", "hex"])]
    pub report: Option<PathBuf>,

    /// Write packets as rows of a Parquet file, or of files in a folder
    #[arg(long, value_name = "OUT", conflicts_with_all = ["json", "tree", "hex", "csv", "write"])]
    pub parquet: Option<PathBuf>,

    /// Folders of --parquet: one for each day, hour or kind
    #[arg(long, value_name = "COLUMNS", requires = "parquet", value_delimiter = ',')]
    #[arg(hide_possible_values = true)]
    pub partition_by: Vec<PartitionBy>,

    /// Size at which --parquet begins the next file, such as 256M
    #[arg(long, value_name = "SIZE", requires = "parquet")]
    pub roll: Option<Size>,

    /// With --parquet: the unit of timestamps; Spark does not read nanoseconds
    #[arg(
        long,
        value_name = "UNIT",
        requires = "parquet",
        default_value = "ns",
        hide_default_value = true
    )]
    pub time_unit: TimeUnit,

    /// Write the captures to a pcapng file for Wireshark instead of printing packets; `-` writes to
    /// standard output
    #[arg(long, value_name = "OUT.pcapng")]
    #[arg(conflicts_with_all = ["json", "tree", "hex", "quiet", "stats", "report", "diagnose"])]
    pub write: Option<PathBuf>,

    /// With --write: add a comment for each packet of a game to the captured packet that completes it
    /// (default without --pdus)
    #[arg(long, requires = "write")]
    pub annotate: bool,

    /// With --write: write packets of games as exported PDUs
    ///
    /// An exported PDU is a packet that contains JSON. Without --annotate, nothing else is written.
    #[arg(long, requires = "write")]
    pub pdus: bool,

    /// Print problems, the most severe first; exit with 1 if there are any
    #[arg(long, conflicts_with_all = ["filters", "tree", "hex", "all", "quiet", "stats", "report", "parquet"])]
    pub diagnose: bool,

    /// Continue from the state that --state-out wrote after the previous capture
    ///
    /// An empty file means that there was no earlier capture. With this option, several captures
    /// are a series: each one continues from the one before it.
    #[arg(long, value_name = "FILE", conflicts_with = "diagnose")]
    pub state_in: Option<PathBuf>,

    /// At the end, write the state of all conversations for the next capture
    ///
    /// Packets that wait for missing packets stay in the state, and are not printed. With this
    /// option, several captures are a series: each one continues from the one before it.
    #[arg(long, value_name = "FILE", conflicts_with = "diagnose")]
    pub state_out: Option<PathBuf>,

    /// Read names of methods from lines of `path-or-script: method`
    #[arg(long, value_name = "FILE")]
    pub methods: Option<PathBuf>,

    /// Read names of methods from the @rpc functions of a project's scripts (repeat it if server and
    /// client have different scripts)
    #[arg(long, value_name = "DIR")]
    pub scripts: Vec<PathBuf>,
}

/// Value of `--as`: the name of an engine.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum EngineName {
    Godot3,
    Godot4,
}

/// Value of `--time-unit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TimeUnit {
    /// Nanoseconds
    Ns,
    /// Microseconds, rounded down
    Us,
}

/// Value of `--partition-by`: a property of packets. Packets with different values are written into
/// different folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PartitionBy {
    Day,
    Hour,
    Kind,
}

impl Packets {
    /// Returns `true` if packets are printed, and not only totals.
    pub fn prints_records(&self) -> bool {
        let is_document = self.report.is_some() || self.stats && (self.json || self.csv);
        !self.quiet && !is_document && self.parquet.is_none()
    }

    /// Returns `true` if the output of `--parquet` is a folder.
    pub fn is_folder(&self, out: &Path) -> bool {
        let ends_in_slash = out.as_os_str().as_encoded_bytes().ends_with(b"/");
        let several = !self.partition_by.is_empty() || self.roll.is_some();
        ends_in_slash || several || out.is_dir()
    }

    /// Returns an error message if `--parquet` cannot be used in this way.
    pub fn parquet_problem(&self) -> Option<&'static str> {
        let out = self.parquet.as_ref()?;
        let is_file = out.extension().is_some_and(|extension| extension == "parquet");
        match (is_file && !out.is_dir(), self.is_folder(out)) {
            (true, true) => Some("--partition-by and --roll need a folder, not OUT.parquet"),
            (false, false) => Some("OUT of --parquet must end in .parquet, or in / for a folder"),
            _ => None,
        }
    }

    /// Returns `true` if captured packets are written, with comments.
    pub fn writes_comments(&self) -> bool {
        self.annotate || !self.pdus
    }

    /// Converts the arguments to the options of the library.
    pub fn options(&self) -> Options {
        let mut options = Options::default();
        options.engine = self.engine.map(|engine| match engine {
            EngineName::Godot3 => Engine::Godot3,
            EngineName::Godot4 => Engine::Godot4,
        });
        options.enet_compression = self.enet_compressor;
        options.port = self.port;
        options.other_protocols =
            self.port.is_some() || self.all || self.filters.iter().any(Filter::selects_bytes);
        options
    }
}
