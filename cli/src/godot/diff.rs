//! `gamewire diff`.

use super::file_values::{self, FileValue};
use super::get::bytes_of;
use super::{config, json};
use crate::args::Diff;
use crate::content;
use crate::recognise::{Sample, recognise};
use crate::rems;
use crate::ui::input::Input;
use crate::ui::report;
use crate::ui::style::{BOLD, DIM, ERROR, GOOD, Styled, WARNING};
use crate::ui::text::Escaped;
use crate::unreal;
use data_encoding::HEXLOWER;
use gamewire::godot::diff::{Change, What, diff};
use gamewire::godot::json::Text;
use gamewire::godot::path::Found;
use gamewire::godot::{Dialect, Encoded, ObjectRef, VariantRef};
use std::io::{self, Write};

/// Maximum number of characters of a value that are printed without `--full`. A long path is cut in
/// the middle, so that this many characters remain at each end.
const SHORT: usize = 100;

/// Prints the changes between two files. Returns `true` if there are no changes, and `None` if a
/// file could not be read.
pub fn run(args: &Diff, out: &mut impl Write) -> io::Result<Option<bool>> {
    let [old, new] = [&args.old, &args.new].map(|path| Input::new(path));
    let [old_bytes, new_bytes] = [old, new].map(|input| load(args, input));
    let (old_bytes, new_bytes) = match (old_bytes, new_bytes) {
        (Some(a), Some(b)) if rems::detect(&a).or(rems::detect(&b)).is_some() => {
            return saves(args, [(old, a), (new, b)], out);
        }
        loaded => loaded,
    };
    let (old_bytes, new_bytes) = match (old_bytes, new_bytes) {
        (Some(a), Some(b)) if [&a, &b].into_iter().any(|bytes| is_unreal(args, bytes)) => {
            return unreal_files(args, [(old, a), (new, b)], out);
        }
        loaded => loaded,
    };
    if let (Some(a), Some(b)) = (&old_bytes, &new_bytes) {
        let [a, b] = [a, b].map(|bytes| config::File::detect(bytes, args.source));
        if a.is_some() || b.is_some() {
            return configs(args, [(old, a), (new, b)], out);
        }
    }
    let values =
        |input, bytes| file_values::read_all(input, bytes, args.source).map(|file| file.values);
    let old = old_bytes.as_ref().and_then(|bytes| values(old, bytes));
    let new = new_bytes.as_ref().and_then(|bytes| values(new, bytes));
    let Some((old, new)) = old.zip(new) else { return Ok(None) };
    let mut same = true;
    let count = old.len().max(new.len());
    for index in 0..count {
        let dialect = args.source.format().dialect;
        let prefix = String::new();
        let mut report =
            Report { args, index, count, prefix, dialect, is_same: true, out: &mut *out };
        report.value(old.get(index), new.get(index))?;
        same &= report.is_same;
    }
    Ok(Some(same))
}

fn is_unreal(args: &Diff, bytes: &[u8]) -> bool {
    unreal::is_file(bytes, args.source.is_format_given())
}

/// Compares two files, at least one of which is a package or save of Unreal Engine. The result has
/// the same meaning as that of [`run`].
fn unreal_files<W: Write>(
    args: &Diff,
    files: [(Input<'_>, Vec<u8>); 2],
    out: &mut W,
) -> io::Result<Option<bool>> {
    let names = files.each_ref().map(|(input, _)| input.name());
    let [old, new] = files.map(|(input, bytes)| {
        unreal::Files::load(input, bytes, args.unreal).map(|files| files.map_err(|_| input))
    });
    let mut loaded = Vec::new();
    for (name, files) in names.iter().zip([old, new]) {
        match files {
            Ok(Ok(files)) => loaded.push(files),
            Ok(Err(_)) => {
                report::error(name, "this is not a file of Unreal Engine, unlike the other file");
            }
            Err(stop) => report::error(name, stop),
        }
    }
    let [old, new] = &loaded[..] else { return Ok(None) };
    match unreal::diff(args, old, new, out) {
        Ok(same) => same.map(Some),
        Err((is_old, stop)) => {
            let [old, new] = &names;
            report::error(if is_old { old } else { new }, stop);
            Ok(None)
        }
    }
}

/// Compares two files, at least one of which is a configuration file. The result has the same
/// meaning as that of [`run`].
fn configs<W: Write>(
    args: &Diff,
    files: [(Input<'_>, Option<config::File<'_>>); 2],
    out: &mut W,
) -> io::Result<Option<bool>> {
    let [(old, old_file), (new, new_file)] = files;
    let (old_name, new_name) = (old.name(), new.name());
    match (&old_file, &new_file) {
        (Some(old), Some(new)) => config::diff(args, [(&old_name, old), (&new_name, new)], out),
        (old, _) => {
            let name = if old.is_none() { old_name } else { new_name };
            report::error(&name, "this is not a configuration file, unlike the other file");
            Ok(None)
        }
    }
}

/// Compares two files, at least one of which is a save of Rem's Engine. The result has the same
/// meaning as that of [`run`].
fn saves<W: Write>(
    args: &Diff,
    files: [(Input<'_>, Vec<u8>); 2],
    out: &mut W,
) -> io::Result<Option<bool>> {
    let [(old, old_bytes), (new, new_bytes)] = files;
    let open = |bytes| rems::File::open(bytes, args.rems.era);
    let (old_save, new_save) = match (open(old_bytes), open(new_bytes)) {
        (Ok(old), Ok(new)) => (old, new),
        (Err(bytes), _) => return Ok(report_other_kind(old, &bytes)),
        (_, Err(bytes)) => return Ok(report_other_kind(new, &bytes)),
    };
    match rems::diff(args, &old_save, &new_save, out) {
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

/// Reports that a file is not a save although the other file is one. Returns `None`.
fn report_other_kind(input: Input<'_>, bytes: &[u8]) -> Option<bool> {
    report::error(&input.name(), "this is not a save of Rem's Engine, unlike the other file");
    if let Some(kind) = recognise(&Sample::whole(input.path(), bytes)) {
        report::hint(format_args!("this is {kind}: {}", kind.advice));
    }
    None
}

/// Reads a file. Reports an error and returns `None` if this fails.
fn load(args: &Diff, input: Input<'_>) -> Option<Vec<u8>> {
    let content = content::load(input, args.source);
    content.map(|content| content.bytes).map_err(|stop| report::error(&input.name(), stop)).ok()
}

/// A printer of the changes between two values or frames.
pub struct Report<'a, W> {
    args: &'a Diff,
    /// The path of the value in its file, if the file is not a value itself.
    prefix: String,
    dialect: Dialect,
    index: usize,
    /// Number of values in one of the two files: the one with more values.
    count: usize,
    is_same: bool,
    out: W,
}

impl<'a, W: Write> Report<'a, W> {
    /// Returns a printer for an entry of a configuration file.
    pub fn of_entry(args: &'a Diff, path: String, dialect: Dialect, out: W) -> Self {
        Self { args, index: 0, count: 1, prefix: path, dialect, is_same: true, out }
    }

    /// Returns `true` if nothing was printed.
    pub fn is_same(&self) -> bool {
        self.is_same
    }

    fn value(
        &mut self,
        old: Option<&FileValue<'_>>,
        new: Option<&FileValue<'_>>,
    ) -> io::Result<()> {
        self.encoded(old.map(|old| old.value), new.map(|new| new.value))?;
        let [old, new] = [old, new].map(|value| value.map_or(&[][..], |value| value.rest));
        if old != new { self.bytes("rest", "", old, new) } else { Ok(()) }
    }

    /// Prints the changes between two values, or that the value was added or removed.
    pub fn encoded(
        &mut self,
        old: Option<Encoded<'_>>,
        new: Option<Encoded<'_>>,
    ) -> io::Result<()> {
        match (old, new) {
            (Some(old), Some(new)) => diff(old, new, |change| self.change(&change)),
            (Some(old), None) => self.values("removed", "", whole(old).as_ref(), None),
            (None, Some(new)) => self.values("added", "", None, whole(new).as_ref()),
            (None, None) => Ok(()),
        }
    }

    fn change(&mut self, change: &Change<'_, '_>) -> io::Result<()> {
        let path = change.path.to_string();
        match change.what {
            What::Changed { old, new } => self.values("changed", &path, Some(&old), Some(&new)),
            What::Added(new) => self.values("added", &path, None, Some(&new)),
            What::Removed(old) => self.values("removed", &path, Some(&old), None),
            What::Form { old, new } => self.bytes("form", &path, old, new),
            What::Order => self.order(&path),
            _ => Ok(()),
        }
    }

    fn values(
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
                let dialect = self.dialect;
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
        let what = if change == "rest" { "after the value" } else { "same value in other bytes" };
        writeln!(self.out, "{}", Styled(DIM, format_args!("{what}, {old} → {new}")))
    }

    fn order(&mut self, path: &str) -> io::Result<()> {
        self.begin("order", path)?;
        match self.args.json {
            true => self.out.write_all(b"}\n"),
            false => writeln!(self.out, "{}", Styled(DIM, "same keys in another order")),
        }
    }

    /// Prints the part of a change that comes before its values. A change is a line of text or,
    /// with `--json`, a JSON object. If a file has several frames or values, prints a heading
    /// before the first change of each frame or value, except with `--json`.
    fn begin(&mut self, change: &str, path: &str) -> io::Result<()> {
        let format = self.args.source.format();
        let is_first = std::mem::replace(&mut self.is_same, false);
        let context = file_values::context(format, self.count, self.index);
        let context = context.trim_end_matches([':', ' ']);
        if is_first && !context.is_empty() && !self.args.json {
            writeln!(self.out, "{}", Styled(BOLD, context))?;
        }
        let frame = Some(self.index).filter(|_| !context.is_empty());
        let path = match (&*self.prefix, path) {
            (prefix, "") => prefix.to_owned(),
            ("", path) => path.to_owned(),
            (prefix, path) => format!("{prefix}/{path}"),
        };
        begin(self.args, frame, change, &path, &mut self.out)
    }

    fn shown(&self, value: &Found<'_>) -> String {
        let text = match value.value() {
            // The text notation would print one line for each item of a container.
            VariantRef::Array(_) | VariantRef::Dictionary(_) => format!("{:?}", value.value()),
            VariantRef::Object(ObjectRef::Full(object)) => format!("{object:?}"),
            leaf => leaf.printed_as(self.dialect).to_string(),
        };
        short(Escaped(text.as_bytes()).to_string(), self.args.full)
    }
}

/// Prints the part of a change that comes before its values. A change is a line of text or, with
/// `--json`, a JSON object.
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

/// Shortens a long path to its start and its end, unless `full` is `true`.
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

/// Shortens a string to [`SHORT`] characters, unless `full` is `true`.
pub fn short(text: String, full: bool) -> String {
    match text.char_indices().nth(SHORT) {
        Some((end, _)) if !full => format!("{}…", text.get(..end).unwrap_or_default()),
        _ => text,
    }
}
