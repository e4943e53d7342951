//! A file's content replaced: by all of the new one, or not at all.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::Path;
use std::process;

/// Puts `bytes` into the file. Until all of them are on the disk, what was there stays.
pub fn replace_content(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = fs::canonicalize(path)?; // what a link leads to, not the link
    // Renaming would ask the folder only, and not whether the file may be written.
    let there = OpenOptions::new().write(true).open(&path)?.metadata()?;
    if !there.is_file() {
        return fs::write(path, bytes);
    }
    let beside = path.with_file_name(format!(".gamewire-{}.tmp", process::id()));
    let file = File::create_new(&beside)?;
    let replaced = fill(file, there.permissions(), bytes).and_then(|()| fs::rename(&beside, &path));
    if replaced.is_err() {
        let _ = fs::remove_file(&beside);
    }
    replaced
}

/// The permissions come first: nobody is to read what was not for them.
fn fill(mut file: File, permissions: Permissions, bytes: &[u8]) -> io::Result<()> {
    file.set_permissions(permissions)?;
    file.write_all(bytes)?;
    file.sync_all()
}
