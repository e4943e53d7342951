use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// The content of a file, or of standard input for `-`.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    if path.as_os_str() != "-" {
        return fs::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What to call it.
pub fn name(path: &Path) -> String {
    match path.to_str() {
        Some("-") => "standard input".to_owned(),
        // A name may hold anything, and goes to a terminal.
        Some(name) => name.chars().map(printable).collect(),
        None => path.to_string_lossy().chars().map(printable).collect(),
    }
}

fn printable(char: char) -> char {
    if char.is_control() { char::REPLACEMENT_CHARACTER } else { char }
}
