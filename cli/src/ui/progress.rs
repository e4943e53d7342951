//! How far a large file was read, on the terminal.

use crate::ui::input::Input;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::io::{self, IsTerminal, Read};

/// How large a file must be; a smaller one is read before anybody could look.
const LARGE: u64 = 64 << 20;

const TEMPLATE: &str = "{msg}  {wide_bar}  {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";

/// How many files there must be.
const MANY: usize = 256;

const FILES: &str = "{msg}  {wide_bar}  {pos} of {len}, {eta} left";

/// A bar that goes away when it is dropped.
#[derive(Debug)]
pub struct Progress(Option<ProgressBar>);

impl Progress {
    /// A bar for a large file, if somebody would see it and nothing comes in between:
    /// what is read through a pipe may be printed on the same terminal (`| less`).
    pub fn of(input: Input<'_>, quiet: bool) -> Self {
        let alone = quiet || is_file();
        let size = input.size().filter(|size| *size >= LARGE);
        let shown = size.filter(|_| alone && io::stderr().is_terminal());
        Self(shown.map(|size| {
            let bar = ProgressBar::new(size).with_message(input.name());
            match ProgressStyle::with_template(TEMPLATE) {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            }
        }))
    }

    /// A bar for many files, if somebody would see it and nothing comes in between.
    pub fn files(count: usize) -> Self {
        let shown = count >= MANY && is_file() && io::stderr().is_terminal();
        Self(shown.then(|| {
            let bar = ProgressBar::new(count as u64).with_message("files");
            match ProgressStyle::with_template(FILES) {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            }
        }))
    }

    /// That so many more files were read.
    pub fn advance(&self, files: usize) {
        if let Some(bar) = &self.0 {
            bar.inc(files as u64);
        }
    }

    /// Counts what is read: in large pieces, so that it costs nothing for a packet.
    pub fn wrap(&self, input: Box<dyn Read>) -> Box<dyn Read> {
        match &self.0 {
            Some(bar) => Box::new(bar.wrap_read(input)),
            None => input,
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

/// Whether standard output goes to a file (where that can be told).
fn is_file() -> bool {
    fs::metadata("/dev/stdout").is_ok_and(|metadata| metadata.is_file())
}
