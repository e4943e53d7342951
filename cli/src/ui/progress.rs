//! Progress bars on the terminal.

use crate::ui::input::Input;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::io::{self, IsTerminal, Read};

/// Minimum size of a file for which a progress bar is shown, in bytes. Smaller files are read in
/// less than a second.
const LARGE: u64 = 64 << 20;

const TEMPLATE: &str = "{msg}  {wide_bar}  {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";

/// Minimum number of files for which a progress bar is shown.
const MANY: usize = 256;

const FILES: &str = "{msg}  {wide_bar}  {pos} of {len}, {eta} left";

/// A progress bar that is cleared when it is dropped, or no progress bar.
#[derive(Debug)]
pub struct Progress(Option<ProgressBar>);

impl Progress {
    /// Creates a progress bar for a large file. The bar is shown only if standard error is a
    /// terminal, and if no output can appear between the updates of the bar. This is the case if
    /// `quiet` is `true` or standard output is a file. It is not the case if standard output is a
    /// pipe, since the reader of the pipe, such as `less`, may print to the same terminal.
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

    /// Returns no progress bar.
    pub fn none() -> Self {
        Self(None)
    }

    /// Creates a progress bar for many files. The bar is shown only if standard error is a terminal
    /// and standard output is a file.
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

    /// Advances the bar by a number of files.
    pub fn advance(&self, files: usize) {
        if let Some(bar) = &self.0 {
            bar.inc(files as u64);
        }
    }

    /// Returns a reader that advances the bar by the bytes that are read from `input`. The caller
    /// reads in large blocks, so the cost per packet is negligible.
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
