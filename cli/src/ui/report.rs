//! Errors, warnings and hints, on standard error.

use crate::godot::format::Format;
use crate::ui::style::{DIM, ERROR, HINT, Styled, WARNING};
use crate::ui::text::{Count, Escaped, Offset};
use gamewire::godot::Error;
use gamewire::godot::path::NotFound;
use std::fmt::{Debug, Display};
use std::io::Write;

/// In one piece, so that nothing gets in between. Nobody is left to tell where standard
/// error fails.
fn say(label: impl Display, name: &str, message: impl Display) {
    let line = format!("{label} {name}: {message}\n");
    let _ = anstream::stderr().write_all(line.as_bytes());
}

pub fn error(name: &str, message: impl Display) {
    say(Styled(ERROR, "error:"), name, message);
}

/// Something that is not done, whatever the input.
pub fn refusal(message: impl Display) {
    let _ = writeln!(anstream::stderr(), "{} {message}", Styled(ERROR, "error:"));
}

/// Where a file stops making sense. `context` comes in front of the reason.
pub fn malformed(name: &str, context: &str, error: &Error) {
    let (offset, kind) = (Offset(error.offset()), error.kind());
    say(Styled(ERROR, "error:"), name, format_args!("offset {offset}: {context}{kind}"));
}

/// That a path leads nowhere, and where it might have been meant to lead.
pub fn path_not_found(name: &str, context: &str, missing: &NotFound<'_, '_>) {
    let problem = missing.to_string();
    error(name, format_args!("{context}{}", Escaped(problem.as_bytes())));
    if missing.is_malformed() {
        return; // no name is like a mistake
    }
    suggest_name(missing.names().map(|name| name.to_string()), missing.segment());
}

/// Which of the names that there are may have been meant.
pub fn suggest_name(names: impl Iterator<Item = String>, asked: &str) {
    let similarity = |name: &String| similarity(name, asked);
    let nearest = names.max_by(|a, b| similarity(a).total_cmp(&similarity(b)));
    if let Some(nearest) = nearest.filter(|name| similarity(name) > ALIKE) {
        hint(format_args!("is `{}` what you mean?", Escaped(nearest.as_bytes())));
    }
}

/// How much a name is like what was asked for, from 0 to 1; of a path its last name will do.
pub fn similarity(name: &str, asked: &str) -> f64 {
    let last = name.trim_end_matches('"').rsplit(['.', ':', '/']).next().unwrap_or(name);
    strsim::jaro_winkler(name, asked).max(strsim::jaro_winkler(last, asked))
}

/// Above this, one name may have been meant for another.
const ALIKE: f64 = 0.75;

/// How many names a message lists.
const LISTED: usize = 8;

/// The names, of many those that are most like what was asked for.
pub fn list_names(names: &[String], asked: &str) -> String {
    let mut shown: Vec<_> = names.iter().map(String::as_str).collect();
    if shown.len() > LISTED {
        shown.sort_by(|a, b| similarity(b, asked).total_cmp(&similarity(a, asked)));
        shown.truncate(LISTED);
    }
    match (shown.len(), names.len().saturating_sub(shown.len())) {
        (0, _) => "none".into(),
        (_, 0) => shown.join(", "),
        (_, more) => format!("{} and {more} more", shown.join(", ")),
    }
}

pub fn warning(name: &str, message: impl Display) {
    say(Styled(WARNING, "warning:"), name, message);
}

/// The same of all files together.
pub fn notice(message: impl Display) {
    let _ = writeln!(anstream::stderr(), "{} {message}", Styled(WARNING, "warning:"));
}

/// The error's name in the library, behind what it says: for scripts, and for looking it up.
pub fn kind_name(kind: &impl Debug) -> Styled<String> {
    let name = format!("{kind:?}");
    let name: String = name.chars().take_while(char::is_ascii_alphanumeric).collect();
    Styled(DIM, format!("  [{name}]"))
}

/// What stands behind a value, at `offset`.
pub fn left_over(name: &str, context: &str, rest: &[u8], offset: u64) {
    let (count, offset) = (Count(rest.len() as u64, "byte"), Offset(offset));
    warning(name, format_args!("{context}{count} after the value, at offset {offset}"));
}

pub fn hint(message: impl Display) {
    let _ = writeln!(anstream::stderr(), "{} {message}", Styled(HINT, "hint:"));
}

/// What `bytes` that are not `format` are instead: lines to be hinted at.
pub fn other_formats(bytes: &[u8], format: Format) -> Vec<String> {
    if format.fits(bytes) {
        return Vec::new(); // what is wrong, if anything, is not the format
    }
    let (frames, plain): (Vec<_>, Vec<_>) =
        Format::fitting(bytes).partition(|format| format.frames);
    let line = |what: &str, formats: &[Format]| {
        let names: Vec<_> = formats.iter().map(|format| format.dialect.name()).collect();
        let option = match formats {
            [format] => format.to_string(),
            _ if formats.iter().all(|format| format.frames) => "FORMAT-frames".into(),
            _ => "FORMAT".into(),
        };
        format!("these bytes are {what} in {} (--as {option})", names.join(" or "))
    };
    let mut lines = Vec::new();
    if !plain.is_empty() {
        lines.push(line("one value", &plain));
    }
    if !frames.is_empty() {
        lines.push(line("frames of values", &frames));
    }
    lines
}
