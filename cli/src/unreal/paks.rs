//! Paks: their output for `show`, `check` and `json`, and `gamewire unreal extract`.

use super::json;
use crate::args::Extract;
use crate::pak::{self, Pak};
use crate::ui::input::{self, Input, Stop};
use crate::ui::style::{BOLD, ERROR, PLAIN, Styled, TYPE};
use crate::ui::table::{self, Cell, field, table};
use crate::ui::text::{Count, escaped};
use crate::ui::{file_output, report};
use gamewire::unreal::pak::Entry;
use gamewire::unreal::{Error, Guid};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Loads an input. Refuses a pak, because it can be much larger than the memory.
pub fn load(input: Input<'_>) -> Result<Vec<u8>, Stop> {
    match is_pak(input) {
        true => Err(Stop::input(
            "this is a pak of Unreal Engine: name a file in it (as in game.pak:Content/Hero.uasset); \
             `gamewire show` lists its files",
        )),
        false => input.load(),
    }
}

/// Opens a pak. Returns `None` for any other input.
pub fn open(input: Input<'_>) -> Result<Option<Pak>, Stop> {
    match is_pak(input) {
        true => Pak::load(input.path()).map(Some).map_err(|problem| {
            Stop::input(format_args!(
                "this is a pak of Unreal Engine, but its index cannot be read: {problem}"
            ))
        }),
        false => Ok(None),
    }
}

/// Returns `true` if the input is a file that ends with the footer of a pak.
pub fn is_pak(input: Input<'_>) -> bool {
    !input.is_stdin() && pak::is_pak(input.path())
}

/// Prints the footer of a pak and its files. Returns `true` if all entries could be read.
pub fn show(name: &str, pak: Pak, full: bool, out: &mut impl Write) -> Result<bool, Stop> {
    head(pak, out).map_err(Stop::Output)?;
    let rows = || pak.index.entries().flatten().map(|entry| row(&entry));
    let heads = ["size", "stored", "method", "encrypted", "path"];
    let count = pak.index.entries().flatten().count();
    let most = if full { usize::MAX } else { table::ROWS };
    table("files", heads, count, rows, most, out).map_err(Stop::Output)?;
    out.flush().map_err(Stop::Output)?;
    Ok(report_entries(name, pak))
}

fn head(pak: Pak, out: &mut impl Write) -> io::Result<()> {
    let (index, footer) = (pak.index, pak.index.footer());
    writeln!(out, "{} {}", Styled(BOLD, "pak"), escaped(index.mount_point()))?;
    field(out, "version", footer.version())?;
    let size = Input::new(pak.path).size().unwrap_or_default();
    field(out, "size", Count(size, "byte"))?;
    let is_encrypted = if footer.is_index_encrypted() { "encrypted" } else { "not encrypted" };
    let paths = if index.has_paths() { "" } else { ", without paths" };
    field(out, "index", format_args!("{is_encrypted}{paths}"))?;
    if let Some(guid) = footer.key_guid().filter(|guid| *guid != Guid::default()) {
        field(out, "key GUID", guid)?;
    }
    let methods: Vec<_> = footer.methods().map(escaped).collect();
    match methods.is_empty() {
        true => Ok(()),
        false => field(out, "methods", methods.join(", ")),
    }
}

fn row(entry: &Entry<'_>) -> [Cell; 5] {
    let is_encrypted = if entry.is_encrypted { "yes" } else { "no" };
    let method = if entry.is_deleted { "deleted".into() } else { pak::method(entry) };
    [
        Cell(PLAIN, entry.size.to_string()),
        Cell(PLAIN, entry.stored_size.to_string()),
        Cell(TYPE, method),
        Cell(PLAIN, is_encrypted.into()),
        Cell(PLAIN, escaped(entry.path)),
    ]
}

fn describe(error: Error) -> String {
    pak::describe(&error.into())
}

/// Prints a summary of a pak, and what [`verify`](gamewire::unreal::pak::IndexBuf::verify) finds.
/// Returns `true` if there are no problems. `line` must print a verdict followed by a description.
pub fn check<W: Write>(
    input: Input<'_>,
    out: &mut W,
    line: impl Fn(&mut W, bool, &str) -> io::Result<()>,
) -> Result<bool, Stop> {
    let pak = match Pak::load(input.path()) {
        Ok(pak) => pak,
        Err(problem) => {
            let text = format!("{}, but its index cannot be read: {problem}", Styled(TYPE, "pak"));
            return line(out, false, &text).map(|()| false).map_err(Stop::Output);
        }
    };
    let (mut problems, mut more) = (Vec::new(), 0_u64);
    let mut file = File::open(pak.path).map_err(Stop::unreadable)?;
    let verified = pak.parts.verify(&mut file, |problem| match problems.len() < MAX_PROBLEMS {
        true => {
            let name = report::kind_name(problem.error.kind());
            problems.push(format!("{}: {}{name}", escaped(problem.part), describe(problem.error)));
        }
        false => more = more.saturating_add(1),
    });
    verified.map_err(Stop::unreadable)?;
    let (index, version) = (pak.index, pak.index.footer().version());
    let files = Count(index.entries().flatten().count() as u64, "file");
    let encrypted = index.entries().flatten().filter(|entry| entry.is_encrypted).count();
    let encrypted = match (encrypted, index.footer().is_index_encrypted()) {
        (0, false) => String::new(),
        (0, true) => ", index encrypted".into(),
        (count, false) => format!(", {count} encrypted"),
        (count, true) => format!(", {count} and the index encrypted"),
    };
    let description = format!("{} version {version}, {files}{encrypted}", Styled(TYPE, "pak"));
    let print = |out: &mut W| {
        line(out, problems.is_empty(), &description)?;
        let label = Styled(ERROR, "error:");
        problems.iter().try_for_each(|problem| writeln!(out, "  {label} {problem}"))?;
        match more {
            0 => Ok(()),
            more => writeln!(out, "  {label} {} more", Count(more, "problem")),
        }
    };
    print(out).map_err(Stop::Output)?;
    Ok(problems.is_empty())
}

/// Maximum number of problems that are printed.
const MAX_PROBLEMS: usize = 1000;

/// Prints the list of files as a JSON object. Returns `true` if all entries could be read.
pub fn print(name: &str, pak: Pak, out: &mut impl Write) -> Result<bool, Stop> {
    json::document(&Document(pak), None, out).map_err(Stop::Output)?;
    Ok(report_entries(name, pak))
}

/// Reports the entries that could not be read. Returns `true` if there are none.
fn report_entries(name: &str, pak: Pak) -> bool {
    let mut ok = true;
    for error in pak.index.entries().filter_map(Result::err) {
        report::error(name, describe(error));
        ok = false;
    }
    ok
}

/// The document of a pak. Its files are serialized one by one.
struct Document(Pak);

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(pak) = self;
        let footer = pak.index.footer();
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("type", "pak")?;
        map.serialize_entry("version", &footer.version())?;
        map.serialize_entry("mount_point", &format_args!("{}", pak.index.mount_point()))?;
        map.serialize_entry("is_index_encrypted", &footer.is_index_encrypted())?;
        if let Some(guid) = footer.key_guid() {
            map.serialize_entry("key_guid", &format_args!("{guid}"))?;
        }
        map.serialize_entry("methods", &footer.methods().collect::<Vec<_>>())?;
        map.serialize_entry("files", &Files(*pak))?;
        map.end()
    }
}

struct Files(Pak);

impl Serialize for Files {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut list = to.serialize_seq(None)?;
        for entry in self.0.index.entries().flatten() {
            list.serialize_element(&FileDocument(entry))?;
        }
        list.end()
    }
}

struct FileDocument(Entry<'static>);

impl Serialize for FileDocument {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(entry) = self;
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("path", &format_args!("{}", entry.path))?;
        if entry.is_deleted {
            map.serialize_entry("is_deleted", &true)?;
            return map.end();
        }
        map.serialize_entry("offset", &entry.offset)?;
        map.serialize_entry("size", &entry.size)?;
        map.serialize_entry("stored_size", &entry.stored_size)?;
        map.serialize_entry("method", &pak::method(entry))?;
        map.serialize_entry("is_encrypted", &entry.is_encrypted)?;
        if let Some(sha1) = entry.sha1 {
            map.serialize_entry("sha1", &data_encoding::HEXLOWER.encode(&sha1))?;
        }
        map.end()
    }
}

/// Writes files of a pak to a folder. Returns `true` if all of them could be written.
pub fn extract(args: &Extract, out: &mut impl Write) -> io::Result<bool> {
    let input = Input::new(&args.pak);
    let pak = match open(input) {
        Ok(Some(pak)) => pak,
        Ok(None) => {
            let error = input::check_regular(&args.pak).err().unwrap_or("this is not a pak".into());
            return input::report_stop(input, Err(Stop::Input(error)), out);
        }
        Err(stop) => return input::report_stop(input, Err(stop), out),
    };
    let name = input.name();
    let mut found = vec![args.paths.is_empty(); args.paths.len()];
    let (mut written, mut ok) = (0_u64, true);
    for entry in pak.index.entries() {
        let entry = match entry {
            Ok(entry) if entry.is_deleted => continue,
            Ok(entry) => entry,
            Err(error) => {
                report::error(&name, describe(error));
                ok = false;
                continue;
            }
        };
        let path = entry.path.to_string();
        if !is_selected(&path, &args.paths, &mut found) {
            continue;
        }
        match extract_file(pak, &entry, &path, &args.output) {
            Ok(()) => written = written.saturating_add(1),
            Err(problem) => {
                report::error(&name, format_args!("{}: {problem}", escaped(&path)));
                ok = false;
            }
        }
    }
    for (path, _) in args.paths.iter().zip(found).filter(|(_, found)| !found) {
        report::error(&name, format_args!("the pak has no file or folder {}", escaped(path)));
        ok = false;
    }
    let folder = escaped(args.output.display());
    writeln!(out, "{} in {folder}", Count(written, "file"))?;
    Ok(ok)
}

/// Returns `true` if a file is to be extracted: if `selected` is empty, or has the path of the file
/// or of a folder around it, in upper or lower case. Sets `found` for each such path.
fn is_selected(path: &str, selected: &[String], found: &mut [bool]) -> bool {
    let mut any = selected.is_empty();
    for (selected, found) in selected.iter().zip(found) {
        let selected = selected.trim_matches('/');
        let (start, rest) = path.split_at_checked(selected.len()).unwrap_or_default();
        let is_in = rest.is_empty() || rest.starts_with('/') || selected.is_empty();
        if start.eq_ignore_ascii_case(selected) && is_in {
            (*found, any) = (true, true);
        }
    }
    any
}

fn extract_file(pak: Pak, entry: &Entry<'_>, path: &str, folder: &Path) -> Result<(), String> {
    let target = folder.join(safe(path).ok_or("the path leads out of the output folder")?);
    let bytes = pak.read(entry)?;
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent).map_err(|error| error.to_string())?;
    }
    file_output::write(&target, &bytes).map_err(|error| error.to_string())
}

/// Returns the path of a file relative to the output folder, or `None` if it could lead out of this
/// folder on some system.
fn safe(path: &str) -> Option<PathBuf> {
    let is_safe =
        |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':', '\0']);
    path.split('/').all(is_safe).then(|| path.split('/').collect())
}
