//! `gamewire check`: whether a save can be read, and what an engine makes of it.

use super::File;
use super::survey::{Survey, pointers};
use crate::ui::report;
use crate::ui::style::{ERROR, HINT, Styled, TYPE, WARNING};
use crate::ui::text::{Count, Occurrences};
use gamewire::rems::{Error, FileForm};
use std::fmt::Display;
use std::io::{self, Write};

/// Of how many values that are malformed is told.
const NAMED: usize = 3;

/// Prints what a save is, and what of it cannot be read; whether it is fine. `line` prints a
/// verdict and what stands behind it.
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
    let survey = Survey::of(file, &pointers);
    if let Some(error) = survey.end {
        return refused(file, error, out, line);
    }
    let fine = survey.malformed.is_empty();
    line(out, fine, &description(file, &survey))?;
    for error in survey.malformed.iter().take(NAMED) {
        let text = format_args!("{}{}", file.refusal(*error), report::kind_name(error.kind()));
        writeln!(out, "  {} {text}", Styled(ERROR, "error:"))?;
    }
    if survey.malformed.len() > NAMED {
        writeln!(out, "  {} and more values that are malformed", Styled(ERROR, "error:"))?;
    }
    warnings(&survey, |warning| writeln!(out, "  {} {warning}", Styled(WARNING, "warning:")))?;
    Ok(fine)
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

/// What can be read here, and is nothing to an engine.
fn warnings(
    survey: &Survey<'_>,
    mut each: impl FnMut(&dyn Display) -> io::Result<()>,
) -> io::Result<()> {
    let mut of = |what: &str, places: &Occurrences| match places.count() {
        0 => Ok(()),
        _ => each(&format_args!("{what}{places}")),
    };
    of("a number that no object has: for an engine nothing is there", &survey.dangling)?;
    let implied =
        "a number that no object says, but one would have: for an engine nothing is there";
    of(implied, &survey.implied)?;
    of("an object whose number a later one has, too", &survey.duplicates)?;
    of("a number in a list before its object, which an engine reads as null", &survey.ahead)?;
    of("a number that is infinite or none, which no engine reads in a text", &survey.infinite)
}

fn description(file: &File, survey: &Survey<'_>) -> String {
    let era = match file.form {
        FileForm::Text => String::new(),
        _ => format!(" of {}", file.written),
    };
    format!(
        "{} {}{era}, {} ({}), {}",
        Styled(TYPE, "Rem's Engine"),
        file.form_name(),
        Count(survey.objects, "object"),
        Count(survey.roots, "root"),
        Count(survey.properties, "property"),
    )
}
