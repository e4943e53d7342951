//! `gamewire check`.

use super::extent::many_after_values;
use super::region::Region;
use super::{config, messages, packet_lines};
use crate::args::Check;
use crate::content;
use crate::detected_input::DetectedInput;
use crate::recognise::FileKind;
use crate::ui::input::{Input, Stop};
use crate::ui::report;
use crate::ui::style::{ERROR, GOOD, HINT, Styled, TYPE, WARNING};
use crate::ui::text::{Count, Occurrences, Offset};
use crate::ui::walk::{Wanted, expand_folders};
use crate::unreal::{archives, locres, registry};
use crate::{rems, unreal};
use gamewire::godot::json::Text;
use gamewire::godot::{Deviation, Error, ErrorKind, Kind, Level, Limits, Reader};
use std::fmt::{self, Display};
use std::io::{self, Write};
use std::iter;
use std::path::{Path, PathBuf};

/// Maximum width of the column of names. Longer names are rare, and shift the remaining columns of
/// their line.
const NAME_COLUMNS: usize = 48;

/// Checks all files. Returns `true` if all were accepted or, with `--lines`, if all could be read.
pub fn run(args: &Check, out: &mut impl Write) -> io::Result<bool> {
    if args.lines {
        return packet_lines::each(&args.files, args.source, args.max_line, out, |packet, out| {
            check_line(args, packet, out)
        });
    }
    let wanted = Wanted {
        name: |path: &Path| unreal::is_package(path) || rems::can_be_save(path),
        content: |path: &Path| Ok(unreal::is_package(path) || rems::is_save(path)?),
        description: format!("{}, or {}", unreal::sought(), rems::sought()),
    };
    let found = expand_folders(&args.files, &wanted);
    let columns = Columns::of(&found.files);
    found.for_each(unreal::size_on_disk, out, |input, mut out| {
        let name = input.name();
        if !args.source.is_format_given()
            && let Some(kind) = archives::kind(input)
        {
            let size = input.size().and_then(|size| usize::try_from(size).ok());
            let middle = columns.middle(&name, size.unwrap_or(usize::MAX));
            return archives::check(input, kind, &mut out, |out, ok, text| {
                line(out, ok, &middle, text)
            });
        }
        let content = content::load(input, args.source)?;
        match DetectedInput::detect(input, content.bytes, args.unreal, args.rems)? {
            DetectedInput::Unreal(files) => {
                let middle = columns.middle(&name, files.size());
                unreal::check(&files, args.strict, &mut out, |out, ok, detail| {
                    line(out, ok, &middle, detail)
                })
            }
            DetectedInput::Locres(bytes) => {
                let middle = columns.middle(&name, content.size);
                locres::check(&bytes, &mut out, |out, ok, detail| line(out, ok, &middle, detail))
            }
            DetectedInput::Registry(bytes) => {
                let middle = columns.middle(&name, content.size);
                registry::check(&bytes, &mut out, |out, ok, detail| line(out, ok, &middle, detail))
            }
            DetectedInput::Rems(file) => {
                let middle = columns.middle(&name, file.size());
                rems::check(&file, &mut out, |out, ok, detail| line(out, ok, &middle, detail))
            }
            DetectedInput::Other(bytes) => {
                let middle = columns.middle(&name, content.size);
                match config::File::detect(&bytes, args.source) {
                    Some(file) => config::check(args, &file, &mut out, |out, ok, detail| {
                        line(out, ok, &middle, detail)
                    }),
                    None => return check(args, input, &middle, &bytes, &mut out),
                }
            }
        }
        .map_err(Stop::Output)
    })
}

/// Column widths.
#[derive(Clone, Copy, Debug)]
struct Columns {
    name: usize,
    size: usize,
}

impl Columns {
    fn of(files: &[PathBuf]) -> Self {
        let inputs = files.iter().map(|path| Input::new(path));
        let names = inputs.clone().map(|input| input.name().chars().count());
        let sizes = inputs.filter_map(Input::size).map(|size| size.to_string().len());
        Self {
            name: names.filter(|columns| *columns <= NAME_COLUMNS).max().unwrap_or(0),
            size: sizes.max().unwrap_or(0),
        }
    }

    /// Formats the columns between a verdict and its detail: the name and the size.
    fn middle(self, name: &str, len: usize) -> String {
        let Self { name: name_columns, size } = self;
        format!("{name:<name_columns$}  {len:>size$} {}", byte_unit(len))
    }
}

fn line(out: &mut impl Write, accepted: bool, middle: &str, detail: &str) -> io::Result<()> {
    writeln!(out, "{} {middle}  {detail}", label(accepted))
}

fn check(
    args: &Check,
    input: Input<'_>,
    middle: &str,
    bytes: &[u8],
    out: &mut impl Write,
) -> Result<bool, Stop> {
    if let Some(kind) = messages::foreign(input, bytes, args.source) {
        check_foreign(kind, middle, out).map_err(Stop::Output)?;
        return Ok(false);
    }
    let region = Region::select(input, bytes, args.source)?;
    match region.format.frames || region.count.is_some() {
        true => check_pieces(args, input, middle, region, out),
        false => check_value(args, input, middle, region, out),
    }
    .map_err(Stop::Output)
}

fn check_foreign(kind: &FileKind, middle: &str, out: &mut impl Write) -> io::Result<()> {
    line(out, false, middle, &format!("{kind}, not a Godot value"))?;
    writeln!(out, "  {} {}", Styled(HINT, "hint:"), kind.advice)
}

/// Prints a line for a file of one value.
fn check_value(
    args: &Check,
    input: Input<'_>,
    middle: &str,
    region: Region<'_>,
    out: &mut impl Write,
) -> io::Result<bool> {
    let packet = Packet { args, bytes: region.bytes, origin: region.start() };
    let verdict = packet.verdict();
    let rest = match verdict.is_ok() && !args.source.is_format_given() {
        true => many_after_values(region.bytes, region.format.dialect),
        false => None,
    };
    let is_accepted = verdict.is_ok() && rest.is_none();
    write!(out, "{} {middle}  {}", label(is_accepted), Detail(args, &verdict))?;
    match rest {
        Some((rest, offset)) => {
            let (count, offset) = (Count(rest.len() as u64, "byte"), Offset(offset as u64));
            writeln!(out, ", then {count} that are not a value, at offset {offset}")?;
        }
        None => {
            writeln!(out)?;
            packet.print_warnings(&verdict, "  ", out)?;
        }
    }
    hints(args, input, verdict.as_ref().err(), region, out)?;
    Ok(is_accepted)
}

/// Prints a line for the file, then a line for each frame or value.
fn check_pieces(
    args: &Check,
    input: Input<'_>,
    middle: &str,
    region: Region<'_>,
    out: &mut impl Write,
) -> io::Result<bool> {
    // The frames are checked twice, so that millions of verdicts need not be stored.
    let Summary { count, refused, largest, error } = Summary::of(args, region);
    let ok = refused == 0;
    let refused = if ok { String::new() } else { format!(", {refused} refused") };
    let unit = if region.format.frames { "frame" } else { "value" };
    writeln!(out, "{} {middle}  {}{refused}", label(ok), Count(count, unit))?;

    let number = count.saturating_sub(1).to_string().len();
    let end = region.start().saturating_add(region.bytes.len() as u64);
    let (offset, size) = (end.to_string().len(), largest.to_string().len());
    for (index, (packet, verdict)) in pieces(args, region).enumerate() {
        let (label, detail) = (label(verdict.is_ok()), Detail(args, &verdict));
        let (origin, len) = (packet.origin, packet.bytes.len());
        let bytes = byte_unit(len);
        write!(out, "  {label} {unit} {index:<number$}  at {origin:>offset$}  ")?;
        writeln!(out, "{len:>size$} {bytes}  {detail}")?;
        packet.print_warnings(&verdict, "    ", out)?;
    }
    hints(args, input, error.as_ref(), region, out)?;
    Ok(ok)
}

/// Totals over the frames or values of a file.
#[derive(Default)]
struct Summary {
    count: u64,
    refused: u64,
    /// Size of the largest frame or value.
    largest: usize,
    /// Error in the first refused frame or value.
    error: Option<Error>,
}

impl Summary {
    fn of(args: &Check, region: Region<'_>) -> Self {
        let mut summary = Self::default();
        for (packet, verdict) in pieces(args, region) {
            summary.count = summary.count.saturating_add(1);
            summary.largest = summary.largest.max(packet.bytes.len());
            if let Err(error) = verdict {
                summary.refused = summary.refused.saturating_add(1);
                summary.error = summary.error.or(Some(error));
            }
        }
        summary
    }
}

/// Returns each frame or value with its verdict.
fn pieces<'a>(
    args: &'a Check,
    region: Region<'a>,
) -> Box<dyn Iterator<Item = (Packet<'a>, Verdict)> + 'a> {
    match region.format.frames {
        true => Box::new(frames(args, region)),
        false => Box::new(values(args, region)),
    }
}

/// Returns consecutive values without frames, each with its verdict. The first malformed value is
/// the last item.
fn values<'a>(args: &'a Check, region: Region<'a>) -> impl Iterator<Item = (Packet<'a>, Verdict)> {
    let mut start = Some(region.start());
    let values = iter::from_fn(move || {
        let origin = start.take()?;
        let rest = region.from(origin);
        let mut reader = Packet { args, bytes: rest, origin }.reader();
        let verdict = reader.read_encoded().map(|value| (value.kind(), value.as_bytes()));
        start = Some(reader.offset()).filter(|_| verdict.is_ok() && !reader.is_empty());
        let bytes = verdict.map_or(rest, |(_, bytes)| bytes);
        Some((Packet { args, bytes, origin }, verdict.map(|(kind, _)| kind)))
    });
    values.take(region.limit())
}

/// Returns each frame with its verdict. The last frame may be truncated.
fn frames<'a>(args: &'a Check, region: Region<'a>) -> impl Iterator<Item = (Packet<'a>, Verdict)> {
    region.frames().map(move |frame| match frame {
        Ok(frame) => {
            let packet = Packet { args, bytes: frame.bytes, origin: frame.offset };
            (packet, packet.verdict())
        }
        Err(error) => (
            Packet { args, bytes: region.from(error.offset()), origin: error.offset() },
            Err(error),
        ),
    })
}

/// Returns the unit of a size in bytes. Singular and plural have the same width, so that columns
/// are aligned.
fn byte_unit(len: usize) -> &'static str {
    if len == 1 { "byte " } else { "bytes" }
}

/// Type of an accepted value, or the error of a refused one.
type Verdict = Result<Kind, Error>;

fn label(accepted: bool) -> Styled<Padded> {
    if accepted { Styled(GOOD, Padded("ok")) } else { Styled(ERROR, Padded("refused")) }
}

struct Padded(&'static str);

impl Display for Padded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<7}", self.0)
    }
}

/// The bytes of a file, frame or line. They should be exactly one value.
#[derive(Clone, Copy, Debug)]
struct Packet<'a> {
    args: &'a Check,
    bytes: &'a [u8],
    /// Offset of the bytes in the file.
    origin: u64,
}

impl<'a> Packet<'a> {
    fn reader(&self) -> Reader<'a, 'static> {
        let level = if self.args.strict { Level::Strict } else { Level::Engine };
        let limits = Limits { level, objects: self.args.objects, ..Limits::ENGINE };
        Reader::new(self.bytes, self.args.source.format().dialect)
            .origin(self.origin)
            .limits(limits)
    }

    fn verdict(&self) -> Verdict {
        let mut reader = self.reader();
        let kind = reader.read_encoded()?.kind();
        if self.args.strict {
            reader.finish()?;
        }
        Ok(kind)
    }

    /// Prints the warnings about an accepted value.
    fn print_warnings(
        &self,
        verdict: &Verdict,
        indent: &str,
        out: &mut impl Write,
    ) -> io::Result<()> {
        if verdict.is_err() {
            return Ok(());
        }
        self.warnings(|warning| writeln!(out, "{indent}{} {warning}", Styled(WARNING, "warning:")))
    }

    /// Calls `print` for each deviation from the encoding that the engine would write.
    fn warnings(&self, mut print: impl FnMut(&dyn Display) -> io::Result<()>) -> io::Result<()> {
        let mut found = Vec::new();
        let mut reader = self.reader();
        // The value was accepted, so this call cannot fail.
        let _ = reader.deviations(|deviation, offset| {
            note(&mut found, deviation, offset);
            Ok(())
        });
        found.iter().try_for_each(|finding| print(finding))?;
        match reader.rest().len() {
            0 => Ok(()),
            rest => {
                let (rest, offset) = (Count(rest as u64, "byte"), Offset(reader.offset()));
                print(&format_args!("{rest} after the value, at offset {offset}"))
            }
        }
    }
}

/// Checks the packet in one line of the input (`--lines`).
fn check_line(args: &Check, bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
    let packet = Packet { args, bytes, origin: 0 };
    let mut reader = packet.reader();
    if let Err(error) = packet.verdict().and_then(|_| reader.skip()) {
        return packet_lines::refused(&error, out);
    }
    packet_lines::accepted(reader.offset(), "warnings", out)?;
    let mut separator = "[";
    packet.warnings(|warning| {
        write!(out, "{separator}{}", Text(&warning.to_string()))?;
        separator = ",";
        Ok(())
    })?;
    writeln!(out, "{}]}}", if separator == "[" { "[" } else { "" })
}

/// A deviation from the canonical encoding, and its offsets.
struct Finding {
    deviation: Deviation,
    occurrences: Occurrences,
}

fn note(found: &mut Vec<Finding>, deviation: Deviation, offset: u64) {
    match found.iter_mut().find(|finding| finding.deviation == deviation) {
        None => found.push(Finding { deviation, occurrences: Occurrences::at(offset) }),
        Some(finding) => finding.occurrences.add(offset),
    }
}

impl Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.deviation)?;
        if matches!(self.deviation, Deviation::Pad | Deviation::NodePathPad) {
            f.write_str(" (memory of the engine that wrote it)")?;
        }
        self.occurrences.fmt(f)
    }
}

/// The last column of a line. For an accepted value, it is the type of the value; for a refused
/// one, the offset and the reason.
struct Detail<'v>(&'v Check, &'v Verdict);

impl Display for Detail<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Ok(kind) => {
                let name = self.0.source.format().dialect.type_name(*kind).unwrap_or("?");
                Styled(TYPE, name).fmt(f)
            }
            Err(error) => {
                let (offset, kind) = (Offset(error.offset()), error.kind());
                write!(f, "offset {offset}: {kind}{}", report::kind_name(kind))
            }
        }
    }
}

/// Prints hints about the formats or options with which the file would be accepted.
fn hints(
    args: &Check,
    input: Input<'_>,
    refusal: Option<&Error>,
    region: Region<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut lines = messages::other_formats(input, region, args.source);
    let needs_objects = refusal.is_some_and(|error| *error.kind() == ErrorKind::ObjectNotAllowed);
    if needs_objects && lines.is_empty() {
        lines.push("--objects accepts full objects, as bytes_to_var_with_objects does".into());
    }
    for line in lines {
        writeln!(out, "  {} {line}", Styled(HINT, "hint:"))?;
    }
    Ok(())
}
