//! The problems that `check` finds in a file.

use super::Refusal;
use crate::ui::report;
use crate::ui::style::{ERROR, Styled};
use crate::ui::text::Count;
use gamewire::unreal::{Error, Result};
use std::io::{self, Write};

/// The first problems of a file, as they are printed.
#[derive(Default)]
pub struct Problems {
    texts: Vec<String>,
    /// Number of further problems.
    more: u64,
}

/// Maximum number of problems that are printed.
const MAX_PROBLEMS: usize = 1000;

impl Problems {
    /// Adds a problem. Calls `describe` only if the problem will be printed.
    pub fn push(&mut self, describe: impl FnOnce() -> String) {
        if self.texts.len() < MAX_PROBLEMS {
            self.texts.push(describe());
        } else {
            self.more = self.more.saturating_add(1);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    pub fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let label = Styled(ERROR, "error:");
        self.texts.iter().try_for_each(|problem| writeln!(out, "  {label} {problem}"))?;
        match self.more {
            0 => Ok(()),
            more => writeln!(out, "  {label} {} more", Count(more, "problem")),
        }
    }
}

/// Describes an error, with the name of its kind.
pub fn describe(error: &Error) -> String {
    format!("{}{}", Refusal(error), report::kind_name(error.kind()))
}

/// Prints a summary and the problems of a file, or the error if the file cannot be opened. Returns
/// `true` if there are no problems. `line` must print a verdict followed by a description.
pub fn check<T, W: Write>(
    opened: Result<T>,
    verify: impl FnOnce(&T, &mut dyn FnMut(Error)) -> bool,
    summary: impl FnOnce(&T) -> String,
    out: &mut W,
    line: impl Fn(&mut W, bool, &str) -> io::Result<()>,
) -> io::Result<bool> {
    let file = match opened {
        Ok(file) => file,
        Err(error) => return line(out, false, &describe(&error)).map(|()| false),
    };
    let mut problems = Problems::default();
    let ok = verify(&file, &mut |error| problems.push(|| describe(&error)));
    line(out, ok, &summary(&file))?;
    problems.print(out)?;
    Ok(ok)
}
