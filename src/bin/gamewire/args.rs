use crate::format::Format;
use clap::{Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  gamewire show packet.bin                    what is in a packet of Godot 4
  gamewire show --as godot3 --hex save.dat    in one of Godot 3, with the bytes
  gamewire show --as godot4-frames save.dat   in a file of FileAccess.store_var
  gamewire check *.bin                        what the engine would say
  nc -l 4242 | gamewire show --all -          values from a pipe

Exit codes: 0 fine, 1 malformed input or an unreadable file, 2 wrong usage.";

const FORMATS: &str = "\
Formats (the bytes do not tell which engine wrote them):
  godot4              4.0 and later, single and double precision
  godot3              3.0 to 3.6
  godot2              1.0 to 2.1
  godot4-docs         what the official 4.x documentation prints
  godot4-docs-double  the same in double precision
Each with -frames behind it (godot4-frames, …) for values behind a 32-bit length:
files of store_var, streams of put_var, PacketPeerStream, the debugger.";

const SHOW: &str = "\
A line is the offset of the value (hexadecimal), the key, index or name it has in its
container, its type as that engine calls it, and the value. Long text and arrays are
shortened.

Examples:
  gamewire show packet.bin
  gamewire show --hex --full packet.bin | less
  gamewire show --as godot3-frames game.save";

const CHECK: &str = "\
A line is the verdict of Godot 4.6.3, 3.6.2 or 2.1 on one packet, its size and name.
Below it stands what engines accept but would not write: pads that hold memory of the
engine, numbers wider than need be, bytes after the value.

Examples:
  gamewire check *.bin
  gamewire check --objects --as godot3 save.dat
  gamewire check --strict packet.bin && echo canonical";

/// Looks into the bytes that game engines put on the wire and on disk.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES, max_term_width = 100)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,

    /// When to use colour
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print packets as trees, one line a value
    #[command(after_help = SHOW, after_long_help = format!("{SHOW}\n\n{FORMATS}"))]
    Show(Show),
    /// Tell whether the engine accepts packets, and what is odd about them
    #[command(after_help = CHECK, after_long_help = format!("{CHECK}\n\n{FORMATS}"))]
    Check(Check),
}

#[derive(Debug, clap::Args)]
pub struct Show {
    #[command(flatten)]
    pub input: Input,

    /// Print long text and arrays in full
    #[arg(long)]
    pub full: bool,

    /// Print each value's bytes beside it
    #[arg(long)]
    pub hex: bool,

    /// Read values back to back, up to the end of the file
    #[arg(long)]
    pub all: bool,
}

#[derive(Debug, clap::Args)]
pub struct Check {
    #[command(flatten)]
    pub input: Input,

    /// Accept only what an engine would write itself
    #[arg(long)]
    pub strict: bool,

    /// Accept full objects, as bytes_to_var_with_objects does
    #[arg(long)]
    pub objects: bool,
}

#[derive(Debug, clap::Args)]
pub struct Input {
    /// What the files hold; --help lists the formats
    #[arg(long = "as", value_name = "FORMAT", default_value = "godot4")]
    pub format: Format,

    /// Files to read; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Color {
    /// On terminals, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

impl From<Color> for anstream::ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => Self::Auto,
            Color::Always => Self::Always,
            Color::Never => Self::Never,
        }
    }
}
