//! Writes files. Even if the program is interrupted, a file has either its old content or all of
//! its new content.

use crate::archive::Member;
use crate::ui::input::Input;
use crate::ui::report;
use crate::ui::signals::Delayed;
use crate::ui::text::{Count, escaped};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, IntoInnerError, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// Writes a file, or replaces its content.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = FileOutput::create(path)?;
    file.write_all(bytes)?;
    file.commit()
}

/// Writes a file, or replaces its content. If this fails, reports the error and returns `false`.
pub fn write_or_report(output: Input<'_>, bytes: &[u8]) -> bool {
    let written = write(output.path(), bytes);
    if let Err(error) = &written {
        report::error(&output.name(), error);
    }
    written.is_ok()
}

/// Writes the output of `write` to a file. If `write` fails or returns `false`, the file is not
/// changed. Returns the result of `write`.
pub fn write_with(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<bool>,
) -> io::Result<bool> {
    let mut file = BufWriter::with_capacity(1 << 16, FileOutput::create(path)?);
    let ok = write(&mut file)?;
    if ok {
        file.into_inner().map_err(IntoInnerError::into_error)?.commit()?;
    }
    Ok(ok)
}

/// Maximum number of bytes that are written between two checks for signals.
const CHUNK: usize = 1 << 20;

/// Maximum number of symbolic links in a row that are followed to a file that does not exist. Linux
/// has the same limit.
const MAX_LINKS: usize = 40;

/// The new content of a file. The file changes only when [`commit`](Self::commit) succeeds.
///
/// The content is written to a temporary file `.gamewire-XXXXXX.tmp` in the same folder. `commit`
/// replaces the file with the temporary file. If the program is interrupted, fails or drops this
/// value before that, the temporary file is removed. The temporary file stays only if the program
/// is killed (`SIGKILL`).
///
/// Pipes, terminals and devices are written directly.
pub struct FileOutput(Target);

enum Target {
    Regular(Replacement),
    Special(File),
}

struct Replacement {
    temporary: NamedTempFile,
    path: PathBuf,
    /// Number of other names (hard links) of the old file.
    other_names: u64,
    /// Dropped after the temporary file, so that the program does not end before it removes the file.
    signals: Delayed,
}

impl FileOutput {
    /// Creates the temporary file. An existing file must be writable. A symbolic link is followed,
    /// even if its target does not exist.
    pub fn create(path: &Path) -> io::Result<Self> {
        if Member::of(path).is_some() {
            return Err(io::Error::other(
                "gamewire does not change archives: write to another file",
            ));
        }
        let target = match fs::metadata(path) {
            Ok(old) if old.is_file() => Target::Regular(Replacement::existing(path, &old)?),
            Ok(_) => Target::Special(OpenOptions::new().write(true).open(path)?),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                Target::Regular(Replacement::new(path)?)
            }
            Err(error) => return Err(error),
        };
        Ok(Self(target))
    }

    /// Stores the content on disk, and replaces the file.
    pub fn commit(self) -> io::Result<()> {
        match self.0 {
            Target::Regular(replacement) => replacement.commit(),
            Target::Special(_) => Ok(()),
        }
    }
}

impl Replacement {
    fn existing(path: &Path, old: &Metadata) -> io::Result<Self> {
        let path = fs::canonicalize(path)?;
        // Renaming needs permission only for the folder. But a file that the user has made
        // read-only must not be replaced.
        OpenOptions::new().write(true).open(&path)?;
        let signals = Delayed::start()?;
        let temporary = temporary(&path, PRIVATE)?;
        attributes::copy(&path, old, temporary.as_file())?;
        let other_names = attributes::names(old).saturating_sub(1);
        Ok(Self { temporary, path, other_names, signals })
    }

    fn new(path: &Path) -> io::Result<Self> {
        let path = follow_links(path)?;
        let signals = Delayed::start()?;
        Ok(Self { temporary: temporary(&path, PUBLIC)?, path, other_names: 0, signals })
    }

    fn commit(self) -> io::Result<()> {
        // Variables are dropped in reverse order, so the temporary file is removed before `signals`
        // is dropped.
        let Self { signals, temporary, path, other_names } = self;
        signals.check()?;
        temporary.as_file().sync_all()?;
        temporary.persist(&path).map_err(|error| error.error)?;
        // Stores the new name on disk. Errors are ignored, since some file systems cannot sync
        // folders.
        let _ = File::open(folder_of(&path)).and_then(|folder| folder.sync_all());
        if other_names > 0 {
            let names = Count(other_names, "other name");
            let message = format_args!("{names} of this file kept the old content (hard links)");
            report::warning(&Input::new(&path).name(), message);
        }
        Ok(())
    }
}

/// Permissions of a temporary file before it gets the owner and the permissions of the old file.
const PRIVATE: u32 = 0o600;
/// Permissions of a new file, from which the system removes those of the umask.
const PUBLIC: u32 = 0o666;

fn temporary(path: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".gamewire-").suffix(".tmp");
    if let Some(permissions) = attributes::permissions(mode) {
        builder.permissions(permissions);
    }
    let folder = folder_of(path);
    builder.tempfile_in(folder).map_err(|error| {
        let folder = escaped(folder.display());
        // The text of the error itself would name the temporary file.
        io::Error::new(
            error.kind(),
            format!("no file can be created in {folder}: {}", error.kind()),
        )
    })
}

/// Returns the path to which a chain of symbolic links leads, although no file exists there.
/// Returns `path` if it is not a link.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

impl Write for FileOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Target::Regular(Replacement { temporary, signals, .. }) => {
                signals.check()?;
                temporary.as_file_mut().write(bytes.get(..CHUNK).unwrap_or(bytes))
            }
            Target::Special(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The owner, permissions and extended attributes of a file. When a file is replaced, the new file
/// gets these from the old one, except those that the system does not let the user set.
#[cfg(unix)]
mod attributes {
    use std::fs::{File, Metadata, Permissions};
    use std::io;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    use std::path::Path;
    use xattr::FileExt;

    const SET_ID: u32 = 0o6000;

    pub fn permissions(mode: u32) -> Option<Permissions> {
        Some(Permissions::from_mode(mode))
    }

    /// Returns the number of names (hard links) of a file.
    pub fn names(file: &Metadata) -> u64 {
        file.nlink()
    }

    /// Gives a new file the attributes of the old one. Sets the owner first, because the
    /// permissions of the old file are for its owner and group.
    pub fn copy(path: &Path, old: &Metadata, new: &File) -> io::Result<()> {
        let keeps_owner = fchown(new, Some(old.uid()), None).is_ok();
        let keeps_group = fchown(new, None, Some(old.gid())).is_ok();
        let mode = kept_mode(old.mode(), keeps_owner, keeps_group);
        new.set_permissions(Permissions::from_mode(mode))?;
        for name in xattr::list(path).into_iter().flatten() {
            if let Ok(Some(value)) = xattr::get(path, &name) {
                let _ = new.set_xattr(&name, &value);
            }
        }
        Ok(())
    }

    /// Returns the permissions of a new file, given those of the old one.
    fn kept_mode(old: u32, keeps_owner: bool, keeps_group: bool) -> u32 {
        let mut mode = old & 0o7777;
        if !keeps_owner || !keeps_group {
            mode &= !SET_ID;
        }
        if !keeps_group {
            // The group of the new file differs from the group of the old one, so it gets only
            // permissions that all other users have, too.
            mode &= !0o070 | (mode & 0o007) << 3;
        }
        mode
    }

    #[cfg(test)]
    mod tests {
        use super::kept_mode;

        #[test]
        fn another_owner_gains_no_permissions() {
            for (old, keeps_owner, keeps_group, mode) in [
                (0o106_755, true, true, 0o6755),
                (0o106_755, false, true, 0o755),
                (0o106_755, true, false, 0o755),
                (0o100_660, true, false, 0o600),
                (0o100_664, true, false, 0o644),
                (0o100_627, false, false, 0o627),
                (0o101_640, true, false, 0o1600),
            ] {
                let kept = kept_mode(old, keeps_owner, keeps_group);
                assert_eq!(kept, mode, "{old:o} {keeps_owner} {keeps_group}: {kept:o}");
            }
        }
    }
}

#[cfg(not(unix))]
mod attributes {
    use std::fs::{File, Metadata, Permissions};
    use std::io;
    use std::path::Path;

    pub fn permissions(_: u32) -> Option<Permissions> {
        None
    }

    pub fn names(_: &Metadata) -> u64 {
        1
    }

    pub fn copy(_: &Path, old: &Metadata, new: &File) -> io::Result<()> {
        new.set_permissions(old.permissions())
    }
}
