//! Files, files in archives, and standard input.

use crate::archive::Member;
use crate::ui::report;
use crate::ui::text::{Escaped, escaped};
use std::fmt::{self, Display};
use std::fs::{self, File, FileType};
use std::io::{self, BufReader, Cursor, Read, Write};
use std::path::{Path, PathBuf};

/// An error that ends the processing of an input.
#[derive(Debug)]
pub enum Stop {
    /// The input is malformed. Contains the message.
    Input(String),
    /// The input cannot be read. Contains the message.
    Unreadable(String),
    /// Writing to standard output failed.
    Output(io::Error),
}

impl Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(problem) | Self::Unreadable(problem) => problem.fmt(f),
            Self::Output(error) => error.fmt(f),
        }
    }
}

impl Stop {
    pub fn input(problem: impl Display) -> Self {
        Self::Input(problem.to_string())
    }

    pub fn unreadable(problem: impl Display) -> Self {
        Self::Unreadable(problem.to_string())
    }
}

/// Calls `process` for each input in order, and reports errors on standard error. Returns `true` if
/// `process` returned `true` for all inputs.
pub fn for_each<'a, W: Write>(
    paths: impl IntoIterator<Item = &'a PathBuf>,
    out: &mut W,
    mut process: impl FnMut(Input<'a>, &mut W) -> Result<bool, Stop>,
) -> io::Result<bool> {
    let mut ok = true;
    for path in paths {
        let input = Input::new(path);
        let result = process(input, out);
        ok &= report_stop(input, result, out)?;
    }
    Ok(ok)
}

/// Handles the result of processing an input. Reports an error of the input, after the earlier
/// output is printed, and returns `false`. Returns an error of the output, or a result that is not
/// an error, unchanged.
pub fn report_stop(
    input: Input<'_>,
    result: Result<bool, Stop>,
    out: &mut impl Write,
) -> io::Result<bool> {
    match result {
        Ok(ok) => Ok(ok),
        Err(Stop::Output(error)) => Err(error),
        Err(Stop::Input(problem) | Stop::Unreadable(problem)) => {
            out.flush()?;
            report::error(&input.name(), problem);
            Ok(false)
        }
    }
}

/// A file that the command line names, a file in an archive, or standard input.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a>(&'a Path);

impl<'a> Input<'a> {
    pub fn new(path: &'a Path) -> Self {
        Self(path)
    }

    pub fn is_stdin(self) -> bool {
        self.0 == Path::new("-")
    }

    /// Returns the name of the input for messages, with control characters escaped.
    pub fn name(self) -> String {
        if self.is_stdin() {
            return "<stdin>".into();
        }
        Escaped(self.0.as_os_str().as_encoded_bytes()).to_string()
    }

    /// Reads the whole input.
    pub fn load(self) -> Result<Vec<u8>, Stop> {
        if let Some(member) = Member::of(self.0) {
            return member.read().map_err(Stop::Unreadable);
        }
        let mut bytes = Vec::new();
        self.open_unbuffered()?.read_to_end(&mut bytes).map_err(Stop::unreadable)?;
        Ok(bytes)
    }

    /// Returns the path as the command line contains it.
    pub fn path(self) -> &'a Path {
        self.0
    }

    /// Opens the input for reading line by line.
    pub fn open(self) -> Result<BufReader<Box<dyn Read>>, Stop> {
        self.open_unbuffered().map(BufReader::new)
    }

    /// Opens a regular file or standard input, without a buffer.
    fn open_unbuffered(self) -> Result<Box<dyn Read>, Stop> {
        if !self.is_stdin() {
            check_regular(self.0).map_err(Stop::Unreadable)?;
        }
        self.open_stream()
    }

    /// Opens the input without buffering it. The input may also be a pipe or a device.
    pub fn open_stream(self) -> Result<Box<dyn Read>, Stop> {
        if self.is_stdin() {
            return Ok(Box::new(io::stdin().lock()));
        }
        if let Some(member) = Member::of(self.0) {
            return Ok(Box::new(Cursor::new(member.read().map_err(Stop::Unreadable)?)));
        }
        Ok(Box::new(File::open(self.0).map_err(Stop::unreadable)?))
    }

    /// Returns the size in bytes, if the input is a regular file or a file in an archive.
    pub fn size(self) -> Option<u64> {
        if self.is_stdin() {
            return None;
        }
        match Member::of(self.0) {
            Some(member) => member.len(),
            None => fs::metadata(self.0).ok().filter(fs::Metadata::is_file).map(|file| file.len()),
        }
    }
}

/// Returns an error if the path does not lead to a regular file. Reading a pipe could wait forever.
/// Reading a device could be endless, or could change its state.
pub fn check_regular(path: &Path) -> Result<(), String> {
    if Member::of(path).is_some() {
        return Ok(());
    }
    let metadata = fs::metadata(path).map_err(|error| match path.read_link() {
        Ok(target) => format!("a link to {}: {error}", escaped(target.display())),
        Err(_) => error.to_string(),
    })?;
    if metadata.is_file() {
        return Ok(());
    }
    if metadata.is_dir() {
        return Err("this is a folder, not a file".into());
    }
    let what = describe_special(metadata.file_type());
    Err(format!("this is {what}, not a file; to read it, use standard input (-)"))
}

/// Returns `true` if there is anything at the path, even a link that leads nowhere.
pub fn exists(path: &Path) -> bool {
    match Member::of(path) {
        Some(member) => member.exists(),
        None => path.symlink_metadata().is_ok(),
    }
}

/// Reads a regular file or a file in an archive.
pub fn read_regular(path: &Path) -> Result<Vec<u8>, String> {
    if let Some(member) = Member::of(path) {
        return member.read();
    }
    check_regular(path)?;
    fs::read(path).map_err(|error| error.to_string())
}

/// Describes a file that is neither a regular file nor a folder.
#[cfg(unix)]
fn describe_special(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match (kind.is_fifo(), kind.is_socket()) {
        (true, _) => "a pipe",
        (_, true) => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
fn describe_special(_: FileType) -> &'static str {
    "a device"
}
