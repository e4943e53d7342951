//! Files and standard input.

use crate::text::Plain;
use std::io::{self, Read};
use std::path::Path;

/// A file named on the command line.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a>(&'a Path);

impl<'a> Input<'a> {
    pub fn new(path: &'a Path) -> Self {
        Self(path)
    }

    fn is_stdin(self) -> bool {
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
    pub fn load(self) -> io::Result<Vec<u8>> {
        if self.is_stdin() {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes)?;
            return Ok(bytes);
        }
        std::fs::read(self.0)
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
