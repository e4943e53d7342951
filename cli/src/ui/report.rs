//! Errors, warnings and hints, on standard error.

use super::printable::for_people;
use super::style::{DIM, ERROR, HINT, Styled, WARNING};
use super::text::Escaped;
use std::fmt::{Debug, Display};
use std::io::Write;

/// Prints a message about a file in one write, so that other output cannot split it. A failure of
/// standard error is ignored, since it cannot be reported.
fn print(label: impl Display, name: &str, message: impl Display) {
    print_line(format_args!("{label} {name}: {message}"));
}

/// Prints a line in one write, with unprintable characters escaped.
fn print_line(line: impl Display) {
    let _ = anstream::stderr().write_all(for_people(&format!("{line}\n")).as_bytes());
}

/// Prints an error about a file.
pub fn error(name: &str, message: impl Display) {
    print(Styled(ERROR, "error:"), name, message);
}

/// Prints an error about the command itself rather than about a file.
pub fn refusal(message: impl Display) {
    print_line(format_args!("{} {message}", Styled(ERROR, "error:")));
}

/// Prints the error that binary data cannot be written to a terminal.
pub fn binary_on_terminal() {
    refusal("the output is binary: redirect standard output to a file or a pipe");
}

/// Prints a warning about a file.
pub fn warning(name: &str, message: impl Display) {
    print(Styled(WARNING, "warning:"), name, message);
}

/// Prints information about a file that does not justify a warning.
pub fn note(name: &str, message: impl Display) {
    print(Styled(HINT, "note:"), name, message);
}

/// Prints a warning that concerns several files together.
pub fn notice(message: impl Display) {
    print_line(format_args!("{} {message}", Styled(WARNING, "warning:")));
}

/// Prints a hint, which follows an error or a warning.
pub fn hint(message: impl Display) {
    print_line(format_args!("{} {message}", Styled(HINT, "hint:")));
}

/// Finds the existing name that is most similar to the requested name. Prints it as a hint if it is
/// similar enough.
pub fn suggest_name(names: impl Iterator<Item = String>, requested: &str) {
    let similarity = |name: &String| similarity(name, requested);
    let nearest = names.max_by(|a, b| similarity(a).total_cmp(&similarity(b)));
    if let Some(nearest) = nearest.filter(|name| similarity(name) > SIMILAR) {
        hint(format_args!("did you mean `{}`?", Escaped(nearest.as_bytes())));
    }
}

/// Returns the similarity of two names, from 0 to 1. If `name` is a path, `requested` may also
/// match its last segment.
pub fn similarity(name: &str, requested: &str) -> f64 {
    let last = name.trim_end_matches('"').rsplit(['.', ':', '/']).next().unwrap_or(name);
    strsim::jaro_winkler(name, requested).max(strsim::jaro_winkler(last, requested))
}

/// Only names with a greater similarity are suggested.
const SIMILAR: f64 = 0.75;

/// Maximum number of names that a message lists.
const LISTED: usize = 8;

/// Formats a list of names for a message. If there are too many names, lists only the names that
/// are most similar to `requested`.
pub fn list_names(names: &[String], requested: &str) -> String {
    let mut shown: Vec<_> = names.iter().map(String::as_str).collect();
    if shown.len() > LISTED {
        shown.sort_by(|a, b| similarity(b, requested).total_cmp(&similarity(a, requested)));
        shown.truncate(LISTED);
    }
    match (shown.len(), names.len().saturating_sub(shown.len())) {
        (0, _) => "none".into(),
        (_, 0) => shown.join(", "),
        (_, more) => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Formats the library's name of an error, in brackets, for scripts and for searching the
/// documentation.
pub fn kind_name(kind: &impl Debug) -> Styled<String> {
    let name = format!("{kind:?}");
    let name: String = name.chars().take_while(char::is_ascii_alphanumeric).collect();
    Styled(DIM, format!("  [{name}]"))
}
