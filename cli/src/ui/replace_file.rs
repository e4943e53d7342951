//! Atomic replacement of a file's content.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::Path;
use std::process;

/// Replaces the content of the file by `bytes`.
///
/// Writes a temporary file in the same folder and renames it, so an interrupted write leaves the
/// old content. Special files such as pipes are written directly.
pub fn replace_content(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = fs::canonicalize(path)?; // replace the target of a link, not the link
    // Renaming needs only write permission for the folder, so check that the file itself is
    // writable.
    let metadata = OpenOptions::new().write(true).open(&path)?.metadata()?;
    if !metadata.is_file() {
        return fs::write(path, bytes);
    }
    let temporary = path.with_file_name(format!(".gamewire-{}.tmp", process::id()));
    let file = File::create_new(&temporary)?;
    let replaced =
        fill(file, metadata.permissions(), bytes).and_then(|()| fs::rename(&temporary, &path));
    if replaced.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    replaced
}

/// Writes a file with these permissions. Sets them before it writes the content, so that users
/// without permission can never read the content.
fn fill(mut file: File, permissions: Permissions, bytes: &[u8]) -> io::Result<()> {
    file.set_permissions(permissions)?;
    file.write_all(bytes)?;
    file.sync_all()
}
