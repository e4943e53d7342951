//! Files and standard input.

use crate::args::Source;
use crate::lines::Encoding;
use crate::report;
use crate::text::Plain;
use std::fmt::{self, Display};
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// Why what reads an input and prints what is in it ends early.
#[derive(Debug)]
pub enum Stop {
    /// What is wrong with the input.
    Input(String),
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

/// Goes through the inputs one after the other, and says on standard error what is wrong
/// with them; whether nothing is. `each` tells that of what it was given.
pub fn each<'a, W: Write>(
    paths: impl IntoIterator<Item = &'a PathBuf>,
    out: &mut W,
    mut each: impl FnMut(Input<'a>, &mut W) -> Result<bool, Stop>,
) -> io::Result<bool> {
    let mut fine = true;
    for path in paths {
        let input = Input::new(path);
        match each(input, out) {
            Ok(this) => fine &= this,
            Err(Stop::Output(error)) => return Err(error),
            Err(Stop::Input(problem)) => {
                out.flush()?; // what was printed before is to be seen before
                report::error(&input.name(), problem);
                fine = false;
            }
        }
    }
    Ok(fine)
}

/// A file named on the command line.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a>(&'a Path);

impl<'a> Input<'a> {
    pub fn new(path: &'a Path) -> Self {
        Self(path)
    }

    pub fn is_stdin(self) -> bool {
        self.0 == Path::new("-")
    }

    /// As it is called in output: file names may hold control characters too.
    pub fn name(self) -> String {
        if self.is_stdin() {
            return "<stdin>".into();
        }
        Plain(self.0.as_os_str().as_encoded_bytes()).to_string()
    }

    /// All of it: a value says only as it is read how long it is.
    pub fn load(self, source: Source) -> Result<Vec<u8>, Stop> {
        let mut bytes = Vec::new();
        self.open()?.read_to_end(&mut bytes).map_err(Stop::input)?;
        if source.base64 {
            return Encoding::Base64.decode(&bytes).map_err(Stop::input);
        }
        Ok(bytes)
    }

    /// To be read line by line.
    pub fn open(self) -> Result<BufReader<Box<dyn Read>>, Stop> {
        self.open_unbuffered().map(BufReader::new)
    }

    /// For whatever keeps a buffer of its own.
    pub fn open_unbuffered(self) -> Result<Box<dyn Read>, Stop> {
        if self.is_stdin() {
            return Ok(Box::new(io::stdin().lock()));
        }
        Ok(Box::new(File::open(self.0).map_err(Stop::input)?))
    }

    /// How large it will be, where that is known before it is read.
    pub fn size(self) -> Option<u64> {
        if self.is_stdin() {
            return None;
        }
        let metadata = std::fs::metadata(self.0).ok()?;
        metadata.is_file().then_some(metadata.len())
    }
}
