//! Searches for files in folders.

use crate::ui::input::{self, Input, Stop};
use crate::ui::parallel::{self, Processed};
use crate::ui::progress::Progress;
use crate::ui::report;
use crate::ui::text::escaped;
use std::fmt::Display;
use std::fs::FileType;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// The files for which folders are searched, and their description.
pub struct Wanted {
    /// Returns `true` if a file with this name can be one of the wanted files.
    pub name: fn(&Path) -> bool,
    /// Returns `true` if a file is one of the wanted files. Called only for files that `name`
    /// accepts.
    pub content: fn(&Path) -> io::Result<bool>,
    /// The name of these files in a message: `packages (.uasset, .umap)`.
    pub description: String,
}

/// The files that were found, and the number of further files and folders that cannot be read.
#[derive(Default)]
pub struct Found {
    pub files: Vec<PathBuf>,
    pub unread: u64,
}

/// Replaces folders in `paths` with the wanted files in them, sorted by name. Keeps other paths.
///
/// Does not follow links to folders. Prints a warning about each folder in `paths` that contains no
/// wanted files. Also warns about each file that has a wanted name but is not a regular file, such
/// as a pipe, a device or a link that leads nowhere.
pub fn expand_folders(paths: &[PathBuf], wanted: &Wanted) -> Found {
    let mut found = Found::default();
    for path in paths {
        if !path.is_dir() {
            found.files.push(path.clone());
            continue;
        }
        let before = found.files.len();
        search(path, wanted, &mut found);
        if found.files.len() == before {
            report::warning(
                &escaped(path.display()),
                format_args!("no {} in this folder", wanted.description),
            );
        }
    }
    found
}

fn search(folder: &Path, wanted: &Wanted, found: &mut Found) {
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                found.skip(error.path().unwrap_or(folder), reason(&error));
                continue;
            }
        };
        if entry.file_type().is_dir() || !(wanted.name)(entry.path()) {
            continue;
        }
        match is_wanted(entry.path(), entry.file_type(), wanted) {
            Ok(true) => found.files.push(entry.into_path()),
            Ok(false) => {}
            Err(problem) => found.skip(entry.path(), problem),
        }
    }
}

fn is_wanted(path: &Path, kind: FileType, wanted: &Wanted) -> Result<bool, String> {
    if kind.is_symlink() && path.is_dir() {
        return Ok(false);
    }
    input::check_regular(path)?;
    (wanted.content)(path).map_err(|error| error.to_string())
}

/// Returns the reason for an error, without the path.
fn reason(error: &walkdir::Error) -> String {
    match error.io_error() {
        Some(reason) => reason.to_string(),
        None => error.to_string(),
    }
}

/// Warns that a file is not read.
pub fn warn_unread(path: &Path, reason: impl Display) {
    report::warning(&escaped(path.display()), format_args!("not read: {reason}"));
}

impl Found {
    /// Processes the files on all cores with [`parallel::for_each`]. At the end, prints how many
    /// files could not be found or read, if any. Returns `true` if there are none, and `process`
    /// returned `true` for all files.
    pub fn for_each<W: Write>(
        &self,
        size: impl Fn(&Path) -> u64 + Sync,
        out: &mut W,
        process: impl Fn(Input<'_>, &mut dyn Write) -> Result<bool, Stop> + Sync,
    ) -> io::Result<bool> {
        let progress = Progress::files(self.files.len());
        let Processed { ok, unread } =
            parallel::for_each(&self.files, size, &progress, out, process)?;
        out.flush()?;
        Ok(self.summarize(unread) && ok)
    }

    /// Warns that a file or folder is not read, and counts it.
    fn skip(&mut self, path: &Path, reason: impl Display) {
        warn_unread(path, reason);
        self.unread = self.unread.saturating_add(1);
    }

    /// Prints how many files could not be read. This is the number that [`skip`](Self::skip) has
    /// counted, plus `more`, the number of found files that could not be read. Returns `true` if
    /// all files could be read.
    pub fn summarize(&self, more: u64) -> bool {
        let unread = self.unread.saturating_add(more);
        let all = (self.files.len() as u64).saturating_add(self.unread);
        if unread > 0 && all > 1 {
            report::notice(format_args!("{unread} of {all} files could not be read"));
        }
        unread == 0
    }
}
