//! `gamewire diff`.

use super::file_values::{self, Piece};
use super::json;
use crate::args::Diff;
use crate::godot::get::bytes_of;
use crate::rems;
use crate::ui::input::Input;
use crate::ui::report;
use crate::ui::style::{BOLD, DIM, ERROR, GOOD, Styled, WARNING};
use crate::ui::text::Escaped;
use data_encoding::HEXLOWER;
use gamewire::godot::diff::{Change, What, diff};
use gamewire::godot::json::Text;
use gamewire::godot::path::Found;
use gamewire::godot::{Encoded, ObjectRef, VariantRef};
use gamewire::rems::FileFormat;
use std::io::{self, Write};

/// How many characters of a value are shown, unless all are asked for.
const SHORT: usize = 100;

/// Whether the files are the same; nothing where one of them could not be read.
pub fn run(args: &Diff, out: &mut impl Write) -> io::Result<Option<bool>> {
    let [old, new] = [&args.old, &args.new].map(|path| Input::new(path));
    let [was, is] = [old, new].map(|input| load(args, input));
    let (was, is) = match (was, is) {
        (Some(was), Some(is)) if FileFormat::detect(&was).or(FileFormat::detect(&is)).is_some() => {
            return saves(args, [(old, was), (new, is)], out);
        }
        loaded => loaded,
    };
    let pieces =
        |input: Input<'_>, bytes| file_values::of(&input.name(), bytes, args.source.format);
    let was = was.as_ref().and_then(|bytes| pieces(old, bytes));
    let is = is.as_ref().and_then(|bytes| pieces(new, bytes));
    let Some((was, is)) = was.zip(is) else { return Ok(None) };
    let mut same = true;
    let count = was.len().max(is.len());
    for index in 0..count {
        let mut report = Report { args, index, count, is_same: true, out: &mut *out };
        report.piece(was.get(index), is.get(index))?;
        same &= report.is_same;
    }
    Ok(Some(same))
}

/// The same of saves of Rem's Engine.
fn saves<W: Write>(
    args: &Diff,
    files: [(Input<'_>, Vec<u8>); 2],
    out: &mut W,
) -> io::Result<Option<bool>> {
    let [(old, was), (new, is)] = files;
    let open = |bytes| rems::File::open_lenient(bytes, args.rems.era).ok();
    let (was, is) = match (open(was), open(is)) {
        (Some(was), Some(is)) => (was, is),
        (was, _) => {
            let other = if was.is_some() { new } else { old };
            report::error(
                &other.name(),
                "this is not a save of Rem's Engine, unlike the other file",
            );
            return Ok(None);
        }
    };
    match rems::diff(args, &was, &is, out) {
        Ok(same) => same.map(Some),
        Err((which, stop)) => {
            let input = match which {
                rems::Which::Old => old,
                rems::Which::New => new,
            };
            report::error(&input.name(), stop);
            Ok(None)
        }
    }
}

/// The bytes of a file, unless it is said why not.
fn load(args: &Diff, input: Input<'_>) -> Option<Vec<u8>> {
    input.load(args.source).map_err(|stop| report::error(&input.name(), stop)).ok()
}

/// What is told of one value, or of the frame it is in.
struct Report<'a, W> {
    args: &'a Diff,
    index: usize,
    /// How many there are, in the file that has more.
    count: usize,
    is_same: bool,
    out: W,
}

impl<W: Write> Report<'_, W> {
    fn piece(&mut self, old: Option<&Piece<'_>>, new: Option<&Piece<'_>>) -> io::Result<()> {
        match (old.map(|piece| piece.value), new.map(|piece| piece.value)) {
            (Some(was), Some(is)) => diff(was, is, |change| self.change(&change))?,
            (Some(was), None) => self.tell("removed", "", whole(was).as_ref(), None)?,
            (None, Some(is)) => self.tell("added", "", None, whole(is).as_ref())?,
            (None, None) => {}
        }
        let [was, is] = [old, new].map(|piece| piece.map_or(&[][..], |piece| piece.rest));
        if was != is { self.bytes("rest", "", was, is) } else { Ok(()) }
    }

    fn change(&mut self, change: &Change<'_, '_>) -> io::Result<()> {
        let path = change.path.to_string();
        match change.what {
            What::Changed { old, new } => self.tell("changed", &path, Some(&old), Some(&new)),
            What::Added(new) => self.tell("added", &path, None, Some(&new)),
            What::Removed(old) => self.tell("removed", &path, Some(&old), None),
            What::Form { old, new } => self.bytes("form", &path, old, new),
            What::Order => self.order(&path),
            _ => Ok(()),
        }
    }

    fn tell(
        &mut self,
        change: &str,
        path: &str,
        old: Option<&Found<'_>>,
        new: Option<&Found<'_>>,
    ) -> io::Result<()> {
        self.begin(change, path)?;
        if self.args.json {
            for (member, value) in [("old", old), ("new", new)] {
                let Some(value) = value else { continue };
                write!(self.out, ",\"{member}\":")?;
                let dialect = self.args.source.format.dialect;
                json::print(&bytes_of(value, dialect)?, dialect, false, &mut self.out)?;
            }
            return self.out.write_all(b"}\n");
        }
        let [old, new] = [old, new].map(|value| value.map(|value| self.shown(value)));
        match (old, new) {
            (Some(old), Some(new)) => writeln!(self.out, "{old} → {new}"),
            (old, new) => writeln!(self.out, "{}", old.or(new).unwrap_or_default()),
        }
    }

    fn bytes(&mut self, change: &str, path: &str, old: &[u8], new: &[u8]) -> io::Result<()> {
        self.begin(change, path)?;
        let [old, new] = [old, new].map(|bytes| HEXLOWER.encode(bytes));
        if self.args.json {
            return writeln!(self.out, ",\"old_bytes\":\"{old}\",\"new_bytes\":\"{new}\"}}");
        }
        let [old, new] = [old, new].map(|bytes| short(bytes, self.args.full));
        let what = if change == "rest" { "behind the value" } else { "the same in other bytes" };
        writeln!(self.out, "{}", Styled(DIM, format_args!("{what}, {old} → {new}")))
    }

    fn order(&mut self, path: &str) -> io::Result<()> {
        self.begin("order", path)?;
        match self.args.json {
            true => self.out.write_all(b"}\n"),
            false => writeln!(self.out, "{}", Styled(DIM, "its keys are in another order")),
        }
    }

    /// All of a line, or of an object, up to the values; before it, which value it is in.
    fn begin(&mut self, change: &str, path: &str) -> io::Result<()> {
        let format = self.args.source.format;
        let is_first = std::mem::replace(&mut self.is_same, false);
        let context = file_values::context(format, self.count, self.index);
        let context = context.trim_end_matches([':', ' ']);
        if is_first && !context.is_empty() && !self.args.json {
            writeln!(self.out, "{}", Styled(BOLD, context))?;
        }
        let frame = Some(self.index).filter(|_| !context.is_empty());
        begin(self.args, frame, change, path, &mut self.out)
    }

    fn shown(&self, value: &Found<'_>) -> String {
        let dialect = self.args.source.format.dialect;
        let text = match value.value() {
            // The notation has a line for each item.
            VariantRef::Array(_) | VariantRef::Dictionary(_) => format!("{:?}", value.value()),
            VariantRef::Object(ObjectRef::Full(object)) => format!("{object:?}"),
            leaf => leaf.printed_as(dialect).to_string(),
        };
        short(Escaped(text.as_bytes()).to_string(), self.args.full)
    }
}

/// All of a line, or of an object, up to the values.
pub fn begin(
    args: &Diff,
    frame: Option<usize>,
    change: &str,
    path: &str,
    out: &mut impl Write,
) -> io::Result<()> {
    if args.json {
        let frame = frame.map(|index| format!("\"frame\":{index},")).unwrap_or_default();
        return write!(out, "{{{frame}\"path\":{},\"change\":\"{change}\"", Text(path));
    }
    let (sign, style) = match change {
        "added" => ("+", GOOD),
        "removed" => ("-", ERROR),
        "changed" => ("~", WARNING),
        _ => ("=", DIM),
    };
    write!(out, "{} ", Styled(style, sign))?;
    match path {
        "" => Ok(()),
        path => {
            let path = Escaped(path.as_bytes()).to_string();
            write!(out, "{}: ", short_path(path, args.full))
        }
    }
}

fn whole(encoded: Encoded<'_>) -> Option<Found<'_>> {
    encoded.find("").ok()
}

/// Both ends of a path: where it starts, and what has changed.
fn short_path(path: String, full: bool) -> String {
    let [start, end] = [path.char_indices().nth(SHORT), path.char_indices().nth_back(SHORT)];
    match start.zip(end) {
        Some(((start, _), (end, _))) if !full && start < end => {
            let [start, end] = [path.get(..start), path.get(end..)].map(Option::unwrap_or_default);
            format!("{start}…{end}")
        }
        _ => path,
    }
}

/// As much of a text as fits into a line.
pub fn short(text: String, full: bool) -> String {
    match text.char_indices().nth(SHORT) {
        Some((end, _)) if !full => format!("{}…", text.get(..end).unwrap_or_default()),
        _ => text,
    }
}
