//! Runs commands that convert one file into another.

use crate::ui::input::{self, Input, Stop};
use crate::ui::{file_output, report};
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// Reads a file, converts it with `change`, and writes the result to another file or to standard
/// output.
pub fn write_changed<W: Write>(
    file: &Path,
    output: Option<&Path>,
    out: &mut W,
    change: impl FnOnce(Input<'_>, Vec<u8>) -> Result<Vec<u8>, Stop>,
) -> io::Result<bool> {
    let output = output.map(Input::new).filter(|output| !output.is_stdin());
    if output.is_none() && io::stdout().is_terminal() {
        report::binary_on_terminal();
        return Ok(false);
    }
    let input = Input::new(file);
    let changed = input.load().and_then(|bytes| change(input, bytes));
    match (changed, output) {
        (Ok(changed), Some(output)) => Ok(file_output::write_or_report(output, &changed)),
        (Ok(changed), None) => out.write_all(&changed).map(|()| true),
        (Err(stop), _) => input::report_stop(input, Err(stop), out),
    }
}
