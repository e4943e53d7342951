//! Progress bars on the terminal.

use crate::ui::input::Input;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::io::{self, IsTerminal, Read};

/// Smallest file that gets a bar, in bytes. Smaller files are read in less than a second.
const LARGE: u64 = 64 << 20;

const TEMPLATE: &str = "{msg}  {wide_bar}  {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";

/// Smallest number of files that gets a bar.
const MANY: usize = 256;

const FILES: &str = "{msg}  {wide_bar}  {pos} of {len}, {eta} left";

/// A bar that is cleared when dropped, or no bar.
#[derive(Debug)]
pub struct Progress(Option<ProgressBar>);

impl Progress {
    /// Creates a bar for a large file, if standard error is a terminal and no output would mix with the
    /// bar: `quiet` is set, or standard output is a file. A pipe may end on the same terminal
    /// (`| less`).
    pub fn of(input: Input<'_>, quiet: bool) -> Self {
        let unmixed = quiet || stdout_is_file();
        let size = input.size().filter(|size| *size >= LARGE);
        let shown = size.filter(|_| unmixed && io::stderr().is_terminal());
        Self(shown.map(|size| {
            let bar = ProgressBar::new(size).with_message(input.name());
            match ProgressStyle::with_template(TEMPLATE) {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            }
        }))
    }

    /// Creates a bar for many files, under the same conditions.
    pub fn files(count: usize) -> Self {
        let shown = count >= MANY && stdout_is_file() && io::stderr().is_terminal();
        Self(shown.then(|| {
            let bar = ProgressBar::new(count as u64).with_message("files");
            match ProgressStyle::with_template(FILES) {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            }
        }))
    }

    /// Counts files that were read.
    pub fn advance(&self, files: usize) {
        if let Some(bar) = &self.0 {
            bar.inc(files as u64);
        }
    }

    /// Counts the bytes read from `input`. The caller reads in large blocks, so the cost per packet is
    /// negligible.
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

/// Returns `true` if standard output is a regular file. Always `false` without `/dev/stdout`.
fn stdout_is_file() -> bool {
    fs::metadata("/dev/stdout").is_ok_and(|metadata| metadata.is_file())
}
