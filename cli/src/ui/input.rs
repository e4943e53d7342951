//! Files and standard input.

use crate::args::Source;
use crate::ui::encoding::Encoding;
use crate::ui::progress::Progress;
use crate::ui::report;
use crate::ui::text::Escaped;
use rayon::prelude::*;
use std::fmt::{self, Display};
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// An error that ends the processing of an input.
#[derive(Debug)]
pub enum Stop {
    /// The input is malformed or unreadable. Contains the message.
    Input(String),
    /// Writing to standard output failed.
    Output(io::Error),
}

impl Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(problem) => problem.fmt(f),
            Self::Output(error) => error.fmt(f),
        }
    }
}

impl Stop {
    pub fn input(problem: impl Display) -> Self {
        Self::Input(problem.to_string())
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

/// Reports an error of the input after the earlier output, and returns `false`. Returns an error of
/// the output to the caller.
fn report_stop(
    input: Input<'_>,
    result: Result<bool, Stop>,
    out: &mut impl Write,
) -> io::Result<bool> {
    match result {
        Ok(ok) => Ok(ok),
        Err(Stop::Output(error)) => Err(error),
        Err(Stop::Input(problem)) => {
            out.flush()?;
            report::error(&input.name(), problem);
            Ok(false)
        }
    }
}

/// Number of inputs that are processed in parallel before their output is printed.
const BATCH: usize = 64;

/// Calls `process` for each input like [`for_each`], but on all cores. Prints the output in the
/// order of the inputs.
pub fn for_each_parallel<W: Write>(
    paths: &[PathBuf],
    progress: &Progress,
    out: &mut W,
    process: impl Fn(Input<'_>, &mut Vec<u8>) -> Result<bool, Stop> + Sync,
) -> io::Result<bool> {
    let mut ok = true;
    let print = |path: &PathBuf| {
        let mut text = Vec::new();
        let result = process(Input::new(path), &mut text);
        (text, result)
    };
    for paths in paths.chunks(BATCH) {
        let printed: Vec<_> = match paths {
            [path] => vec![print(path)],
            _ => paths.par_iter().map(print).collect(),
        };
        for (path, (text, result)) in paths.iter().zip(printed) {
            out.write_all(&text)?;
            ok &= report_stop(Input::new(path), result, out)?;
        }
        progress.advance(paths.len());
    }
    Ok(ok)
}

/// A file that the command line names, or standard input.
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

    /// Reads the whole input, and decodes it if the command line requests base64.
    pub fn load(self, source: Source) -> Result<Vec<u8>, Stop> {
        let bytes = self.load_undecoded()?;
        if source.base64 {
            return Encoding::Base64.decode(&bytes).map_err(Stop::input);
        }
        Ok(bytes)
    }

    /// Reads the whole input without decoding it.
    pub fn load_undecoded(self) -> Result<Vec<u8>, Stop> {
        let mut bytes = Vec::new();
        self.open_unbuffered()?.read_to_end(&mut bytes).map_err(Stop::input)?;
        Ok(bytes)
    }

    /// Returns the path as the command line contains it.
    pub fn path(self) -> &'a Path {
        self.0
    }

    /// Opens the input for reading by lines.
    pub fn open(self) -> Result<BufReader<Box<dyn Read>>, Stop> {
        self.open_unbuffered().map(BufReader::new)
    }

    /// Opens the input without a buffer, for a reader that has its own.
    pub fn open_unbuffered(self) -> Result<Box<dyn Read>, Stop> {
        if self.is_stdin() {
            return Ok(Box::new(io::stdin().lock()));
        }
        Ok(Box::new(File::open(self.0).map_err(Stop::input)?))
    }

    /// Returns the size in bytes, if the input is a regular file.
    pub fn size(self) -> Option<u64> {
        if self.is_stdin() {
            return None;
        }
        let metadata = std::fs::metadata(self.0).ok()?;
        metadata.is_file().then_some(metadata.len())
    }
}
