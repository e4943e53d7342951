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
pub fn for_each<'a, W: Write>(
    paths: impl IntoIterator<Item = &'a PathBuf>,
    out: &mut W,
    mut each: impl FnMut(Input<'a>, &mut W) -> Result<bool, Stop>,
) -> io::Result<bool> {
    let mut fine = true;
    for path in paths {
        let input = Input::new(path);
        let this = each(input, out);
        fine &= told(input, this, out)?;
    }
    Ok(fine)
}

/// Says what is wrong with an input, after what was printed before; whether nothing is.
fn told(input: Input<'_>, result: Result<bool, Stop>, out: &mut impl Write) -> io::Result<bool> {
    match result {
        Ok(fine) => Ok(fine),
        Err(Stop::Output(error)) => Err(error),
        Err(Stop::Input(problem)) => {
            out.flush()?;
            report::error(&input.name(), problem);
            Ok(false)
        }
    }
}

/// How many inputs are read before any of them is printed.
const AT_ONCE: usize = 64;

/// As [`each`], with several inputs at a time; what is printed comes in their order all the
/// same.
pub fn for_each_parallel<W: Write>(
    paths: &[PathBuf],
    progress: &Progress,
    out: &mut W,
    each: impl Fn(Input<'_>, &mut Vec<u8>) -> Result<bool, Stop> + Sync,
) -> io::Result<bool> {
    let mut fine = true;
    let print = |path: &PathBuf| {
        let mut text = Vec::new();
        let result = each(Input::new(path), &mut text);
        (text, result)
    };
    for paths in paths.chunks(AT_ONCE) {
        let printed: Vec<_> = match paths {
            [path] => vec![print(path)],
            _ => paths.par_iter().map(print).collect(),
        };
        for (path, (text, result)) in paths.iter().zip(printed) {
            out.write_all(&text)?;
            fine &= told(Input::new(path), result, out)?;
        }
        progress.advance(paths.len());
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
        Escaped(self.0.as_os_str().as_encoded_bytes()).to_string()
    }

    /// All of it: a value says only as it is read how long it is.
    pub fn load(self, source: Source) -> Result<Vec<u8>, Stop> {
        let bytes = self.load_undecoded()?;
        if source.base64 {
            return Encoding::Base64.decode(&bytes).map_err(Stop::input);
        }
        Ok(bytes)
    }

    /// All of it, as it is.
    pub fn load_undecoded(self) -> Result<Vec<u8>, Stop> {
        let mut bytes = Vec::new();
        self.open_unbuffered()?.read_to_end(&mut bytes).map_err(Stop::input)?;
        Ok(bytes)
    }

    /// As it was named.
    pub fn path(self) -> &'a Path {
        self.0
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
