//! `gamewire find`.

use super::format::Format;
use crate::args::Find;
use crate::content;
use crate::ui::input::{self, Input, Stop};
use crate::ui::report;
use crate::ui::style::{BOLD, DIM, GOOD, Styled, TYPE, WARNING};
use crate::ui::text::{Count, Escaped, clipped};
use gamewire::godot::Dialect;
use gamewire::godot::find::{Confidence, Endian, Finder, Found};
use gamewire::godot::json::Text;
use std::fmt::Display;
use std::io::{self, Write};

/// Maximum number of bytes of a value that are printed.
const VALUE: usize = 60;
/// Widths of the columns of types and formats. Few names are longer.
const TYPE_COLUMNS: usize = 12;
const FORMAT_COLUMNS: usize = 13;

/// Lists the values in all files. Returns `false` if a file cannot be read or contains no values.
pub fn run(args: &Find, out: &mut impl Write) -> io::Result<bool> {
    let mut blank = "";
    input::for_each(&args.files, out, |input, out| {
        let content = content::open(input.load()?, args.key).map_err(Stop::Input)?;
        if args.files.len() > 1 && !args.json {
            let heading = Styled(BOLD, format_args!("==> {} <==", input.name()));
            writeln!(out, "{blank}{heading}").map_err(Stop::Output)?;
            blank = "\n";
        }
        Search { args, input, bytes: &content.bytes }.run(out).map_err(Stop::Output)
    })
}

/// A search in one file.
struct Search<'a> {
    args: &'a Find,
    input: Input<'a>,
    bytes: &'a [u8],
}

impl Search<'_> {
    fn run(&self, out: &mut impl Write) -> io::Result<bool> {
        let mut finder = Finder::new(self.bytes);
        if let Some(dialect) = self.args.dialect {
            finder = finder.only(dialect);
        }
        let (mut listed, mut possible, mut first) = (0_u64, 0_u64, None);
        for found in finder.by_ref() {
            if found.confidence == Confidence::Possible && !self.args.all {
                possible = possible.saturating_add(1);
                continue;
            }
            listed = listed.saturating_add(1);
            first = first.or(Some(found));
            match self.args.json {
                true => self.object(&found, out)?,
                false => self.row(&found, out)?,
            }
        }
        out.flush()?;
        if !finder.is_complete() {
            report::warning(&self.input.name(), "large values may be missing: too many begin here");
        }
        self.report(listed, possible, first);
        Ok(listed > 0)
    }

    /// Prints the number of possible values that are not listed, and a command that reads `first`.
    /// Prints a warning if no value was listed.
    fn report(&self, listed: u64, possible: u64, first: Option<Found<'_>>) {
        let name = self.input.name();
        if listed == 0 {
            report::warning(&name, "no Godot values found");
        }
        if possible > 0 {
            let what = if possible == 1 { "lists it" } else { "lists them" };
            let count = Count(possible, "possible value");
            report::hint(format_args!("{count} not listed, probably by chance (--all {what})"));
        }
        if let Some(found) = first.filter(|_| !self.args.json && self.args.files.len() == 1) {
            let (format, offset) = (format_of(&found), found.offset);
            let file = Escaped(name.as_bytes());
            report::hint(format_args!(
                "read a value with `gamewire show --as {format} --skip {offset} --count 1 {file}`"
            ));
        }
    }

    fn row(&self, found: &Found<'_>, out: &mut impl Write) -> io::Result<()> {
        let columns = self.bytes.len().to_string().len();
        let offset = Styled(DIM, format_args!("{:>columns$}", found.offset)).to_string();
        let style = match found.confidence {
            Confidence::Certain => GOOD,
            _ => WARNING,
        };
        let confidence = Styled(style, format_args!("{:<8}", found.confidence.name())).to_string();
        let (format, kind) = (short_format(found), kind(found));
        let kind = Styled(TYPE, format_args!("{kind:<TYPE_COLUMNS$}")).to_string();
        write!(out, "{offset}  {:>columns$} {}", found.len, unit(found.len))?;
        writeln!(out, "  {confidence}  {format:<FORMAT_COLUMNS$}  {kind}  {}", value(found))
    }

    fn object(&self, found: &Found<'_>, out: &mut impl Write) -> io::Result<()> {
        let Found { offset, len, confidence, .. } = *found;
        let name = self.input.name();
        write!(out, "{{\"file\":{},\"offset\":{offset},\"size\":{len}", Text(&name))?;
        let big_endian = match found.framing {
            Some(endian) => format!(",\"big_endian\":{}", endian == Endian::Big),
            None => String::new(),
        };
        let format = Format { big_endian: false, ..format_of(found) };
        write!(out, ",\"as\":\"{format}\"{big_endian},\"type\":\"{}\"", kind(found))?;
        writeln!(out, ",\"confidence\":\"{}\"}}", confidence.name())
    }
}

/// Returns the format in which the other commands read the value.
pub fn format_of(found: &Found<'_>) -> Format {
    let big_endian = found.framing == Some(Endian::Big);
    Format { dialect: found.dialect(), frames: found.framing.is_some(), big_endian }
}

/// Returns the format as a column: `godot4 frame`, `godot4 swapped` or `godot4`.
fn short_format(found: &Found<'_>) -> String {
    let dialect = found.dialect();
    match found.framing {
        None => dialect.to_string(),
        Some(Endian::Little) => format!("{dialect} frame"),
        Some(Endian::Big) => format!("{dialect} swapped"),
    }
}

fn kind(found: &Found<'_>) -> &'static str {
    let dialect: Dialect = found.dialect();
    dialect.type_name(found.kind()).unwrap_or("?")
}

fn unit(len: u64) -> &'static str {
    if len == 1 { "byte " } else { "bytes" }
}

/// Returns the first characters of a value, on one line. The type of the value is left out, because
/// a different column shows it.
fn value(found: &Found<'_>) -> impl Display {
    let text = clipped(format_args!("{:?}", found.value.decode()), VALUE);
    // `Debug` prints the name in Rust, such as `Int`.
    let kind = format!("{:?} ", found.kind());
    let value = text.strip_prefix(&kind).map_or(&*text, str::trim_start);
    Escaped(value.as_bytes()).to_string()
}
