//! Writes the page of `--report`: one HTML file that loads no other files.

use super::stats::Stats;
use super::stats_json;
use super::totals::Totals;
use crate::ui::file_output;
use crate::ui::input::Input;
use crate::ui::report;
use gamewire::godot::json::Text;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The template of the page. The data is inserted in place of the comment [`PLACE`].
const PAGE: &str = include_str!("page/report.html");
const PLACE: &str = "/*DATA*/";

/// Writes the page about the captures. If this fails, reports the error and returns `false`.
pub fn write(path: &Path, captures: &[PathBuf], totals: &Totals, stats: &Stats) -> bool {
    let written = file_output::write_with(path, |out| {
        let (before, after) = PAGE.split_once(PLACE).unwrap_or((PAGE, ""));
        out.write_all(before.as_bytes())?;
        data(captures, totals, stats, &mut InScript(out))?;
        out.write_all(after.as_bytes())?;
        Ok(true)
    });
    if let Err(error) = &written {
        report::error(&Input::new(path).name(), error);
    }
    written.is_ok()
}

/// Writes the data of the page: the names of the captures, and the document of `--stats --json`.
fn data(
    captures: &[PathBuf],
    totals: &Totals,
    stats: &Stats,
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, "{{\"files\":[")?;
    for (index, capture) in captures.iter().enumerate() {
        let separator = if index == 0 { "" } else { "," };
        write!(out, "{separator}{}", Text(&Input::new(capture).name()))?;
    }
    write!(out, "],\n\"statistics\":")?;
    stats_json::print(totals, stats, out)?;
    write!(out, "}}")
}

/// Writes JSON into a `<script>` element, which ends at `</script>`. Therefore, each `<` is written
/// as an escape sequence. This is possible because a `<` occurs only in the strings of the JSON.
struct InScript<'o>(&'o mut dyn Write);

impl Write for InScript<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for (index, piece) in bytes.split(|byte| *byte == b'<').enumerate() {
            if index > 0 {
                self.0.write_all(b"\\u003c")?;
            }
            self.0.write_all(piece)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
