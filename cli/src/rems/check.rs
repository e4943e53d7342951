//! `gamewire check`: checks that a save can be read, and warns about content that engines do not
//! read.

use super::File;
use super::scan::{Scan, pointers};
use crate::ui::report;
use crate::ui::style::{ERROR, HINT, Styled, TYPE, WARNING};
use crate::ui::text::{Count, Occurrences};
use gamewire::rems::{Error, FileFormat};
use std::fmt::Display;
use std::io::{self, Write};

/// Maximum number of malformed values that are listed.
const LISTED: usize = 3;

/// Prints a description of a save and the errors in it. Returns `true` if the save has no errors.
/// `line` prints a verdict and the text after it.
pub fn check<W: Write>(
    file: &File,
    out: &mut W,
    line: impl Fn(&mut W, bool, &str) -> io::Result<()>,
) -> io::Result<bool> {
    let mut slots = Vec::new();
    let pointers = match pointers(file, &mut slots) {
        Ok(pointers) => pointers,
        Err(error) => return refused(file, error, out, line),
    };
    let scan = Scan::of(file, &pointers);
    if let Some(error) = scan.end {
        return refused(file, error, out, line);
    }
    let ok = scan.malformed_count == 0;
    line(out, ok, &description(file, &scan))?;
    for error in scan.malformed.iter().take(LISTED) {
        let text = format_args!("{}{}", file.refusal(*error), report::kind_name(error.kind()));
        writeln!(out, "  {} {text}", Styled(ERROR, "error:"))?;
    }
    let more = scan.malformed_count.saturating_sub(LISTED as u64);
    if more > 0 {
        let more = Count(more, "more malformed value");
        writeln!(out, "  {} and {more}", Styled(ERROR, "error:"))?;
    }
    warnings(file, &scan, |warning| writeln!(out, "  {} {warning}", Styled(WARNING, "warning:")))?;
    Ok(ok)
}

fn refused<W: Write>(
    file: &File,
    error: Error,
    out: &mut W,
    line: impl Fn(&mut W, bool, &str) -> io::Result<()>,
) -> io::Result<bool> {
    let kind = report::kind_name(error.kind());
    line(out, false, &format!("{}{kind}", file.refusal(error)))?;
    if let Some(hint) = file.hint() {
        writeln!(out, "  {} {hint}", Styled(HINT, "hint:"))?;
    }
    Ok(false)
}

/// Prints warnings about content that engines do not read, or read differently.
fn warnings(
    file: &File,
    scan: &Scan<'_>,
    mut each: impl FnMut(&dyn Display) -> io::Result<()>,
) -> io::Result<()> {
    let mut of = |what: &str, places: &Occurrences| match places.count() {
        0 => Ok(()),
        _ => each(&format_args!("{what}{places}")),
    };
    of("a pointer to a number that no object has: engines ignore the property", &scan.dangling)?;
    let implied = "a pointer to an object whose number is not written: engines ignore the property";
    of(implied, &scan.implied)?;
    of("an object with the same number as a later one", &scan.duplicates)?;
    of("a pointer in a list to a later object, which engines read as null", &scan.forward)?;
    of("an infinity or NaN, which no engine reads in a text", &scan.non_finite)?;
    if file.format == FileFormat::Text && scan.objects == 0 {
        each(&"an empty list, which any other program can have written")?;
    }
    for trailing in &scan.trailing {
        each(&format_args!("{trailing}, which engines ignore"))?;
    }
    Ok(())
}

fn description(file: &File, scan: &Scan<'_>) -> String {
    let era = match file.format {
        FileFormat::Text => String::new(),
        _ => format!(" of {}", file.era.name()),
    };
    let malformed = match scan.malformed_count {
        0 => String::new(),
        count => format!(", {}", Count(count, "malformed value")),
    };
    format!(
        "{} {}{era}, {} ({}), {}{malformed}",
        Styled(TYPE, "Rem's Engine"),
        file.format.name(),
        Count(scan.objects, "object"),
        Count(scan.roots, "root"),
        Count(scan.properties, "property"),
    )
}
