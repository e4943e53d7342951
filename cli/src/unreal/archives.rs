//! Archives: their output for `show`, `check` and `json`, and `gamewire unreal extract`.

mod container;
mod pak;

use super::json;
use super::problems::Problems;
use crate::archive::{self, Archive, Kind, Stored};
use crate::args::Extract;
use crate::ui::input::{self, Input, Stop};
use crate::ui::style::{Styled, TYPE};
use crate::ui::text::{Count, escaped};
use crate::ui::{file_output, report};
use gamewire::unreal::Error;
use std::fmt::Display;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Loads an input. Refuses archives, which can be much larger than the available memory.
pub fn load(input: Input<'_>) -> Result<Vec<u8>, Stop> {
    match kind(input) {
        Some(kind) => Err(Stop::input(format_args!(
            "this is {}: name a file in it (as in {}:Content/Hero.uasset); `gamewire show` lists its files",
            kind.description(),
            kind.example(),
        ))),
        None => input.load(),
    }
}

/// Opens an archive. Returns `None` for any other input.
pub fn open(input: Input<'_>) -> Result<Option<Archive>, Stop> {
    let Some(kind) = kind(input) else { return Ok(None) };
    Archive::load(input.path()).map(Some).map_err(|problem| {
        let what = kind.description();
        Stop::input(format_args!("this is {what}, but its index cannot be read: {problem}"))
    })
}

/// Returns the kind of archive, or `None` for any other input.
pub fn kind(input: Input<'_>) -> Option<Kind> {
    if input.is_stdin() { None } else { Kind::of(input.path()) }
}

/// Prints the index of an archive. Returns `true` if all entries could be read.
pub fn show(name: &str, archive: Archive, full: bool, out: &mut impl Write) -> Result<bool, Stop> {
    let shown = match archive {
        Archive::Pak(pak) => pak::show(pak, full, out),
        Archive::Container(container) => container::show(container, full, out),
    };
    shown.map_err(Stop::Output)?;
    out.flush().map_err(Stop::Output)?;
    Ok(report_errors(name, archive))
}

fn describe(error: Error) -> String {
    archive::describe(&error.into())
}

/// Adds the problem of a part of an archive.
fn add(problems: &mut Problems, part: impl Display, error: Error) {
    problems.push(|| {
        let name = report::kind_name(error.kind());
        format!("{}: {}{name}", escaped(part), describe(error))
    });
}

/// Prints a summary of an archive, and its problems. Returns `true` if there are none. `line` must
/// print a verdict followed by a description.
pub fn check<W: Write>(
    input: Input<'_>,
    kind: Kind,
    out: &mut W,
    line: impl Fn(&mut W, bool, &str) -> io::Result<()>,
) -> Result<bool, Stop> {
    let (description, problems) = match Archive::load(input.path()) {
        Ok(Archive::Pak(pak)) => pak::check(pak)?,
        Ok(Archive::Container(container)) => container::check(container),
        Err(problem) => {
            let word = Styled(TYPE, kind.word());
            let text = format!("{word}, but its index cannot be read: {problem}");
            return line(out, false, &text).map(|()| false).map_err(Stop::Output);
        }
    };
    let is_ok = problems.is_empty();
    line(out, is_ok, &description).map_err(Stop::Output)?;
    problems.print(out).map_err(Stop::Output)?;
    Ok(is_ok)
}

/// Prints the list of files as a JSON object. Returns `true` if all entries could be read.
pub fn print(name: &str, archive: Archive, out: &mut impl Write) -> Result<bool, Stop> {
    let printed = match archive {
        Archive::Pak(pak) => json::document(&pak::Document(pak), None, out),
        Archive::Container(container) => json::document(&container::Document(container), None, out),
    };
    printed.map_err(Stop::Output)?;
    Ok(report_errors(name, archive))
}

/// Reports the entries that could not be read. Returns `true` if there are none.
fn report_errors(name: &str, archive: Archive) -> bool {
    let mut ok = true;
    for error in archive.files().filter_map(Result::err) {
        report::error(name, describe(error));
        ok = false;
    }
    ok
}

/// Writes files of an archive to a folder. Returns `true` if all of them could be written.
pub fn extract(args: &Extract, out: &mut impl Write) -> io::Result<bool> {
    let input = Input::new(&args.archive);
    let archive = match open(input) {
        Ok(Some(archive)) => archive,
        Ok(None) => {
            let error = "this is neither a pak nor the .utoc of a container".into();
            let error = input::check_regular(&args.archive).err().unwrap_or(error);
            return input::report_stop(input, Err(Stop::Input(error)), out);
        }
        Err(stop) => return input::report_stop(input, Err(stop), out),
    };
    let (name, word) = (input.name(), archive.word());
    let mut found = vec![args.paths.is_empty(); args.paths.len()];
    let (mut written, mut ok) = (0_u64, true);
    for file in archive.files() {
        let file = match file {
            Ok(file) if file.is_deleted => continue,
            Ok(file) => file,
            Err(error) => {
                report::error(&name, describe(error));
                ok = false;
                continue;
            }
        };
        if !is_selected(&file.path, &args.paths, &mut found) {
            continue;
        }
        match extract_file(archive, &file, &args.output) {
            Ok(()) => written = written.saturating_add(1),
            Err(problem) => {
                report::error(&name, format_args!("{}: {problem}", escaped(&file.path)));
                ok = false;
            }
        }
    }
    for (path, _) in args.paths.iter().zip(found).filter(|(_, found)| !found) {
        report::error(&name, format_args!("the {word} has no file or folder {}", escaped(path)));
        ok = false;
    }
    let folder = escaped(args.output.display());
    writeln!(out, "{} in {folder}", Count(written, "file"))?;
    Ok(ok)
}

/// Returns `true` if a file is selected: the command line names the file, a folder around it, or no
/// paths at all. Marks, in `found`, the paths that select the file.
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

fn extract_file(archive: Archive, file: &Stored, folder: &Path) -> Result<(), String> {
    let target = folder.join(safe(&file.path).ok_or("the path leads out of the output folder")?);
    let bytes = archive.read(file)?;
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent).map_err(|error| error.to_string())?;
    }
    file_output::write(&target, &bytes).map_err(|error| error.to_string())
}

/// Returns the path of a file relative to the output folder, or `None` if it could lead out of the
/// folder on some system.
fn safe(path: &str) -> Option<PathBuf> {
    let is_safe =
        |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':', '\0']);
    path.split('/').all(is_safe).then(|| path.split('/').collect())
}
