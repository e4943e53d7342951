//! What can be said on the command line.

use crate::format::Format;
use crate::input::Input;
use crate::packets::{self, Filter};
use crate::unreal::Supplied;
use anstream::ColorChoice;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use gamewire::godot::Dialect;
use gamewire::net::conversation::{Engine, Options};
use std::path::{Path, PathBuf};

// Lines that must not be wrapped are at most 80 columns wide; prose is one line for
// clap to wrap.

const EXAMPLES: &str = "\
Examples:
  gamewire show packet.bin                      one value, as a tree
  gamewire show --as godot3 --hex packet.bin    a Godot 3 packet, and its bytes
  gamewire show --as godot4-frames save.dat     a file made by store_var
  gamewire check packets/*.bin                  which of them does Godot accept?
  gamewire json packet.bin                      one value, as Godot's own JSON
  gamewire json packet.bin | gamewire encode > copy.bin
  gamewire json --lines < packets.hex           a verdict and a value for each line
  gamewire get players/0/name state.bin         one value, by its path
  gamewire set hp 100 save.bin -o cheated.bin   the same file with another value
  gamewire diff before.bin after.bin            what has changed, path by path
  gamewire text packet.bin                      one value, as var_to_str prints it
  gamewire schema packets/*.bin                 what do they have in common?
  gamewire show Character.uasset                an Unreal package: its tables
  gamewire json Character.uasset | jq .exports  all of it
  gamewire get properties.Health Slot1.sav      one value of a save or package
  gamewire unreal deps --dot Content/           which packages refer to which

`gamewire help COMMAND` says more about each.

Exit status: 0 all was well, 1 malformed or unreadable input, 2 wrong usage. (Of diff: 0 the \
same, 1 not, 2 trouble.)";

const FORMATS: &str = "\
Formats:
  godot4               Godot 4, single and double precision (the default)
  godot4-docs          as the official 4.x documentation has it, and no engine
  godot4-docs-double   the same, with double-precision reals
  godot3               Godot 3
  godot2               Godot 1.0 to 2.1
  FORMAT-frames        values behind a u32 length each: files of store_var,
                       PacketPeerStream, StreamPeer.put_var, the debugger";

const SHOW_EXAMPLES: &str = "\
Each line is a value: the offset of its header, in decimal; its key, index or \
property name; its type, as the engine calls it; and the value. `64-bit` marks \
ints, floats and vectors in double width.

Examples:
  gamewire show packet.bin
  gamewire show --hex --full packet.bin | less  every byte and every element
  gamewire show --as godot4-frames save.dat     a header line for every frame
  gamewire show --all stream.bin                values back to back
  nc -l 6007 | gamewire show -                  from standard input
  gamewire show --full Town.umap | less         a package: what it has and needs";

const CHECK_EXAMPLES: &str = "\
Each line is a file: ok or refused; its size; what it holds, or at which offset it \
is refused and why. Below it stands what an engine reads, but would not write itself.

Examples:
  gamewire check packets/*.bin
  gamewire check --objects level.bin            as bytes_to_var_with_objects
  gamewire check --strict --as godot3 p.bin     anything unusual is refused
  gamewire check --as godot4-frames save.dat    a verdict for every frame
  gamewire check --lines < packets.hex          a JSON object for every line
  gamewire check Content/                       all packages in a folder
  gamewire check --unreal-version 5.4 Cooked/   of which some do not say theirs";

const JSON_EXAMPLES: &str = "\
Each line is a value in the notation of Godot's JSON.from_native, which \
JSON.to_native reads: null, true, \"i:5\", \"f:0.5\", \"s:text\", \"sn:name\", \
\"np:path\", [...], {\"type\":\"Vector2\",\"args\":[1.0,2.0]}. What that would lose \
of objects stands in further members, which the engine ignores; what strings would \
lose (widths, idle bits, text behind a NUL) is kept with --exact.

With --lines the input is text, a packet a line in hexadecimal, and for each line \
comes {\"ok\":true,\"size\":N,\"value\":...} or {\"ok\":false,\"offset\":N,\"error\":\"...\"}: \
the verdict of bytes_to_var. Refused packets do not change the exit status.

Examples:
  gamewire json packet.bin
  gamewire json --exact odd.bin | gamewire encode | cmp - odd.bin
  gamewire json --as godot4-frames save.dat     a line for every frame
  gamewire json --lines packets.hex | jq -c 'select(.ok).value'
  echo 0200000005000000 | gamewire json --lines
  echo AgAAAAUAAAA= | gamewire json --base64 -  as of Marshalls.variant_to_base64
  gamewire json Character.uasset | jq -r '.exports[].class_name'";

const TEXT_EXAMPLES: &str = "\
Values are printed as the engine of FORMAT prints them with var_to_str (var2str in Godot \
3), to the byte: dictionaries sorted by their keys, floats with the engine's own digits. \
`gamewire encode --text` reads them, and so does str_to_var. On a terminal, control \
characters are escaped.

The notation leaves out widths, the sign of -0.0, RIDs of Godot 3, and the difference \
between a 64-bit float and the 32-bit float that prints alike; JSON does not.

Examples:
  gamewire text packet.bin
  gamewire text --as godot3 old.bin
  gamewire text --as godot4-frames save.dat     one value after the other
  gamewire text a.bin > a.txt; $EDITOR a.txt; gamewire encode --text a.txt > b.bin";

const PACKETS_EXAMPLES: &str = "\
Each line is a packet: when, from where to where, by which transport and channel, how it \
was delivered, what it is, and path.method(arguments). Paths that were given numbers are \
looked up. What is not the engine's is left out.

EXPR is FIELD=VALUE, or FIELD!=VALUE for all others; commas separate values of which any \
will do. What does not have the field is none of FIELD=VALUE.
  kind=rpc,raw        see below; of control packets like ping, these are shown
  path=Main/*         a node of it, from the multiplayer's root; * is any text
  method=move         the method (#2 where its name is not known), or the property set
  peer=1              sender (1 is the server), relayed peer, or who comes or goes
  transport=enet,udp  enet, websocket, tcp, udp";

const PACKETS_MORE: &str = "\
Examples:
  gamewire packets game.pcap
  gamewire packets --filter kind=rpc --filter 'path=Main/Player*' game.pcap
  gamewire packets --filter 'kind!=sync,delta' --tree game.pcap | less
  gamewire packets --hex --all --port 7777 game.pcap
  gamewire packets --json --scripts project/ game.pcapng | jq 'select(.peer == 1)'
  gamewire packets --stats --quiet game.pcap
  tcpdump -i lo -U -w - udp | gamewire packets -";

const ENCODE_EXAMPLES: &str = "\
Reads lines of JSON as `gamewire json` and Godot's JSON.from_native print them, and \
writes the packets one behind the other, or each behind its length where FORMAT ends \
in -frames. Empty lines are left out. With --text, the input is values in the notation of \
var_to_str, as `gamewire text` prints them, one after the other.

Examples:
  gamewire encode value.json > packet.bin
  echo '{\"type\":\"Vector2\",\"args\":[1,2]}' | gamewire encode > packet.bin
  gamewire encode --as godot4-frames values.jsonl > save.dat
  echo '[1, Vector2(0.5, 2)]' | gamewire encode --text > packet.bin
  gamewire json a.bin | gamewire encode --as godot3 > a3.bin   for another engine";

const PATHS: &str = "\
Paths:
  players/3/name       by keys of dictionaries, indices of arrays (-1 is the
                       last), and properties of objects
  position/x           a number of a vector or the like: rect/size/y, t/origin/x
  points/0/x           an element of a packed array, and a number of it
  \"5\"  \"a/b\"  \"\"       text that looks like a number, has a / in it, or is empty
  [Vector2(1, 2)]      a key of another type, as var_to_str writes it: [true]
  [#0]  [#0 key]       a pair by its number, where several have the same key";

const UNREAL_PATHS: &str = "\
Paths in packages and saves, with dots or slashes:
  summary.package_flags     by the words of the document of `gamewire json`,
  names[3]  names[-1]       and by index: [3] and .3 are the same
  exports[2].class          the record of an export
  exports.Town:Door         an export by its path as `show` prints it, or by its
                            name alone where no other has it
  exports[2].properties.Health
                            the value of a property, by its name
  properties.Player.Items[4].Count
                            and on through structs and arrays
  properties.Slots[#2]      the element 2 of an array of fixed size, which is a
                            property of its own; without [#] it is element 0
  properties.Scores.Ada     the value of a map's key; [...] or \"...\" around a key,
                            a name or a path that has a dot, a slash or a bracket
  properties.Scores.entries[0].key
                            a key; of sets: values[0]; of optionals: value
  properties[3].type        what the document says of a property: at, size, ...";

const GET_EXAMPLES: &str = "\
Prints what is there in each value of each file, in the notation of var_to_str: that of a \
dictionary takes several lines, its JSON (--json) one. Of packages and saves texts are printed \
as they are, anything else as JSON; lists and records take several lines, with --json one. The \
exit status is 1 where there is nothing at PATH.

Examples:
  gamewire get 'exports[0].class_name' Character.uasset
  gamewire get properties.Health --also properties.Level Slot1.sav
  gamewire get --raw 'thumbnails[0]' Character.uasset > picture.png
  gamewire get players/0/position state.bin
  gamewire get --json '' state.bin              all of it, as `gamewire json`
  gamewire get tick --as godot4-frames log.dat  a line for every frame
  gamewire get --raw chat state.bin | xxd";

const SET_EXAMPLES: &str = "\
Writes all of FILE again, with VALUE at PATH. An int or float keeps the width it has there, \
if VALUE fits, and vectors always do unless --double is said; an int becomes a float and text a StringName or \
NodePath, where one is there. Whatever else VALUE is, it takes the place of what is there, \
and what follows moves; but a typed array or dictionary takes no other type. (In a packed array nothing moves: an element takes as many bytes as \
before.) Of frames, and of values one behind the other, each is changed that has something at \
PATH. If none has, nothing is written.

Examples:
  gamewire set hp 100 save.bin -o cheated.bin
  gamewire set players/0/position 'Vector2(1, 2.5)' state.bin > moved.bin
  gamewire set --in-place position/x -3 state.bin
  gamewire set --json name '\"s:Ada\"' state.bin -o ada.bin
  gamewire set level 9 --as godot4-frames --frame 2 save.dat --in-place";

const DIFF_EXAMPLES: &str = "\
Each line is a change: what it is, its path (see `gamewire help get`), and the values.
  ~ PATH: OLD → NEW    another value is there
  + PATH: NEW          it was not there
  - PATH: OLD          it is not there any more
  = PATH: ...          the same in other bytes: a width, a pad, a stated type;
                       or the same keys in another order
Keys are compared in whatever order they come, arrays by their middle: what is the same at \
both ends is left out. Files of several values or frames are compared one by one.

With --json, a change is {\"path\":\"hp\",\"change\":\"changed\",\"old\":\"i:5\",\"new\":\"i:6\"}, \
or added, removed, form and rest (with \"old_bytes\" and \"new_bytes\"), order; of several \
frames with \"frame\", from 0.

Exit status: 0 the same bytes, 1 not the same, 2 trouble: a file cannot be read.

Examples:
  gamewire diff before.bin after.bin
  gamewire diff --as godot4-frames old.dat new.dat
  gamewire diff --json a.bin b.bin | jq -r .path";

const SCHEMA_EXAMPLES: &str = "\
Each line is a place in the packets: the path that leads there; of a field, how many have \
it where not all do; the types of the values there; and what is known of these: ranges, \
lengths, a few texts. In paths [] is any element of an array and {} any value of a \
dictionary whose keys are no names of fields: numbers, ids, p0, p1 …

--rust takes null and absence as Option, and what has several types as VariantRef. \
Decode with gamewire::godot::from_bytes (feature serde).

Examples:
  gamewire schema packets/*.bin
  gamewire schema --as godot4-frames save.dat   every value of a file
  gamewire schema --lines < packets.hex         a packet a line
  gamewire schema --rust packets/*.bin > src/packet.rs
  gamewire schema --json packets/*.bin | jq -r 'select(.seen < .of).path'";

const PACKAGES: &str = "\
Packages and saves of Unreal Engine (.uasset, .umap, .sav) are told by their first bytes, and \
FORMAT is nothing to them; a .uexp is read from beside its package. Cooked ones often do not say their \
version: --unreal-version does.";

const DEPS_EXAMPLES: &str = "\
Below each package stand those it imports, which are loaded with it, and those it refers to \
softly, by path. Packages saved before 5.0 do not say what they are called, so they go by the \
name of their file.

Examples:
  gamewire unreal deps Character.uasset
  gamewire unreal deps --no-code Content/
  gamewire unreal deps --json Content/ | jq -r 'select(.soft[]? == \"/Game/Maps/Town\").file'
  gamewire unreal deps --dot --no-code Content/ | dot -Tsvg > packages.svg";

/// Shows, checks and converts what game engines put on the wire and on disk.
///
/// Reads Godot's Variant format (var_to_bytes, store_var, put_var, RPC arguments) in
/// the dialects of all its engines, and packages and saves of Unreal Engine, without an engine.
#[derive(Debug, Parser)]
#[command(name = "gamewire", version, after_help = EXAMPLES, max_term_width = 100)]
#[command(arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,

    /// Colours: on a terminal, unless NO_COLOR is set; or always, or never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    #[arg(hide_possible_values = true, display_order = 100)]
    pub color: Color,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show packets as trees, one line a value
    Show(Show),
    /// Tell which packets an engine accepts, and what is unusual about them
    Check(Check),
    /// Print values as Godot's own JSON, one line each
    Json(Json),
    /// Print values in the text notation of Godot's var_to_str
    Text(Text),
    /// Write packets from lines of Godot's JSON, or from text as of var_to_str
    Encode(Encode),
    /// Print one value out of a packet, package or save, by its path
    Get(Get),
    /// Write a packet again with one value changed
    Set(Set),
    /// Tell what has changed between two packets, path by path
    Diff(Diff),
    /// Tell what many packets have in common; Rust types for them
    Schema(Schema),
    /// Show the packets of captured Godot traffic: calls, values, replication
    Packets(Packets),
    /// What only packages of Unreal Engine have: references
    Unreal(Unreal),
}

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

/// What the input is.
#[derive(Clone, Copy, Debug, Args)]
pub struct Source {
    /// Whose bytes these are, see below
    #[arg(long = "as", value_name = "FORMAT", default_value_t = Format::from(Dialect::Godot4))]
    pub format: Format,

    /// The input is base64, as Marshalls.variant_to_base64 makes it
    #[arg(long)]
    pub base64: bool,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{FORMATS}\n\n{PACKAGES}\n\n{SHOW_EXAMPLES}"))]
pub struct Show {
    /// Files to show; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub source: Source,

    #[command(flatten)]
    pub unreal: UnrealSource,

    /// Print long texts, packed arrays and tables in full
    #[arg(long)]
    pub full: bool,

    /// Put each value's bytes beside it (with --full: every byte)
    #[arg(long)]
    pub hex: bool,

    /// Read values back to back to the end, not only the first
    #[arg(long)]
    pub all: bool,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{FORMATS}\n\n{PACKAGES}\n\n{CHECK_EXAMPLES}"))]
pub struct Check {
    /// Files to check, or folders to be searched for packages and saves; - is standard input
    #[arg(required_unless_present = "lines", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub source: Source,

    #[command(flatten)]
    pub unreal: UnrealSource,

    /// Refuse what an engine would not write itself
    #[arg(long)]
    pub strict: bool,

    /// Accept full objects, which engines refuse unless told to
    #[arg(long)]
    pub objects: bool,

    /// Read text, one packet a line in hexadecimal (standard input without FILE), and
    /// print a JSON object for each
    #[arg(long)]
    pub lines: bool,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{FORMATS}\n\n{PACKAGES}\n\n{JSON_EXAMPLES}"))]
pub struct Json {
    /// Files to print; - is standard input
    #[arg(required_unless_present = "lines", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub source: Source,

    #[command(flatten)]
    pub unreal: UnrealSource,

    /// Wrap in objects what strings would lose something of
    #[arg(long)]
    pub exact: bool,

    /// Read text, one packet a line in hexadecimal (standard input without FILE), and
    /// print a verdict and the value for each
    #[arg(long)]
    pub lines: bool,

    /// With --lines, accept full objects, which engines refuse unless told to
    #[arg(long, requires = "lines")]
    pub objects: bool,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{FORMATS}\n\n{TEXT_EXAMPLES}"))]
pub struct Text {
    /// Files to print; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub source: Source,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{FORMATS}\n\n{SCHEMA_EXAMPLES}"))]
pub struct Schema {
    /// Files to read, values back to back; - is standard input
    #[arg(required_unless_present = "lines", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub source: Source,

    /// Read text, one packet a line in hexadecimal (standard input without FILE)
    #[arg(long)]
    pub lines: bool,

    /// Print a JSON object for each place
    #[arg(long, conflicts_with = "rust")]
    pub json: bool,

    /// Print Rust types that these packets can be decoded into
    #[arg(long)]
    pub rust: bool,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{FORMATS}\n\n{ENCODE_EXAMPLES}"))]
pub struct Encode {
    /// File to read, standard input if none is given or it is -
    #[arg(value_name = "FILE", default_value = "-")]
    pub file: PathBuf,

    /// What to write, see below
    #[arg(long = "as", value_name = "FORMAT", default_value_t = Format::from(Dialect::Godot4))]
    pub format: Format,

    /// The input is text as of var_to_str
    #[arg(long)]
    pub text: bool,

    /// With --text, make vectors and the like of 64-bit floats
    #[arg(long, requires = "text")]
    pub double: bool,

    /// With --text, read as the engine does, with its errors
    #[arg(long, requires = "text")]
    pub as_the_engine: bool,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{PATHS}\n\n{UNREAL_PATHS}\n\n{FORMATS}\n\n{PACKAGES}\n\n{GET_EXAMPLES}"))]
pub struct Get {
    /// What to print, see below; "" is all of it
    #[arg(value_name = "PATH", allow_negative_numbers = true)]
    pub path: String,

    /// Files to look into; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Print what is at this path, too; may be given several times
    #[arg(long, value_name = "PATH", allow_hyphen_values = true)]
    pub also: Vec<String>,

    #[command(flatten)]
    pub source: Source,

    #[command(flatten)]
    pub unreal: UnrealSource,

    /// Print it as JSON on one line (of Godot's values, in the engine's own notation)
    #[arg(long)]
    pub json: bool,

    /// Write its bytes
    #[arg(long, conflicts_with = "json")]
    pub raw: bool,

    /// Of several values or frames, only this one, counted from 0
    #[arg(long, value_name = "N")]
    pub frame: Option<usize>,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{PATHS}\n\n{FORMATS}\n\n{SET_EXAMPLES}"))]
pub struct Set {
    /// What to change, see below; "" is all of it
    #[arg(value_name = "PATH", allow_negative_numbers = true)]
    pub path: String,

    /// What to put there, as var_to_str writes it: 5, 0.5, "text", Vector2(1, 2), [1, null]
    #[arg(value_name = "VALUE", allow_negative_numbers = true)]
    pub value: String,

    /// File to change; - is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    #[command(flatten)]
    pub source: Source,

    /// VALUE is JSON as `gamewire json` prints it
    #[arg(long)]
    pub json: bool,

    /// Make vectors and the like in VALUE of 64-bit floats (JSON says which are)
    #[arg(long, conflicts_with = "json")]
    pub double: bool,

    /// Write the changed copy there, not to standard output (which is -)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Write it to FILE itself
    #[arg(long, conflicts_with = "output")]
    pub in_place: bool,

    /// Of several values or frames, only this one, counted from 0
    #[arg(long, value_name = "N")]
    pub frame: Option<usize>,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{DIFF_EXAMPLES}\n\n{FORMATS}"))]
pub struct Diff {
    /// What was; - is standard input
    #[arg(value_name = "OLD")]
    pub old: PathBuf,

    /// What is
    #[arg(value_name = "NEW")]
    pub new: PathBuf,

    #[command(flatten)]
    pub source: Source,

    /// Print a JSON object for each change
    #[arg(long)]
    pub json: bool,

    /// Print long values in full
    #[arg(long)]
    pub full: bool,
}

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

impl Get {
    /// What to print, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.path).chain(&self.also).map(String::as_str)
    }
}

impl Command {
    /// What cannot be meant together, and clap does not know.
    fn contradiction(&self) -> Option<&'static str> {
        let is_stdin = |path: &Path| Input::new(path).is_stdin();
        let lines_of_frames = match self {
            Self::Check(args) => args.lines && args.source.format.frames,
            Self::Json(args) => args.lines && args.source.format.frames,
            Self::Schema(args) => args.lines && args.source.format.frames,
            Self::Set(args) if args.in_place && is_stdin(&args.file) => {
                return Some("with --in-place FILE is written, so it cannot be standard input");
            }
            Self::Diff(args) if is_stdin(&args.old) && is_stdin(&args.new) => {
                return Some("standard input can be read once, so OLD and NEW cannot both be -");
            }
            _ => false,
        };
        lines_of_frames
            .then_some("with --lines each line is one packet, so FORMAT cannot end in -frames")
    }
}

impl Cli {
    /// The command line, or a usage error and no return.
    pub fn read() -> Self {
        let cli = Self::parse();
        if let Some(message) = cli.command.contradiction() {
            Self::command().error(ErrorKind::ArgumentConflict, message).exit();
        }
        cli
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// For all that is printed from here on.
    pub fn apply(self) {
        let choice = match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        };
        choice.write_global();
    }
}
