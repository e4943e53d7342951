//! `gamewire check` for configuration files.

use super::{File, is_resource};
use crate::args::Check;
use crate::ui::report;
use crate::ui::style::{Styled, WARNING};
use crate::ui::text::{Count, Escaped, Offset};
use gamewire::godot::Dialect;
use gamewire::godot::config::{Entry, Error, ErrorKind, Item};
use gamewire::godot::notation::Reading;
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

/// Checks whether the engine loads a file. `line` prints the verdict. Returns `true` if the file is
/// accepted.
pub fn check<W: Write>(
    args: &Check,
    file: &File<'_>,
    out: &mut W,
    line: impl FnOnce(&mut W, bool, &str) -> io::Result<()>,
) -> io::Result<bool> {
    let verdict = judge(file);
    let findings = match verdict {
        Ok(findings) => findings,
        Err(error) => {
            let (offset, kind) = (Offset(error.offset()), error.kind());
            let name = match kind {
                ErrorKind::Notation(kind) => report::kind_name(kind),
                ErrorKind::Value(kind) => report::kind_name(kind),
                kind => report::kind_name(kind),
            };
            let detail = format!("offset {offset}: {kind}{name}");
            line(out, false, &detail)?;
            return Ok(false);
        }
    };
    let engine = if file.dialect == Dialect::Godot3 { " of Godot 3" } else { "" };
    let entries = match findings.entries {
        1 => "1 entry".into(),
        entries => format!("{entries} entries"),
    };
    let sections = Count(findings.sections, "section");
    let ok = !args.strict || findings.warnings.is_empty();
    line(out, ok, &format!("configuration file{engine}: {sections}, {entries}"))?;
    for warning in &findings.warnings {
        writeln!(out, "  {} {warning}", Styled(WARNING, "warning:"))?;
    }
    Ok(ok)
}

/// Maximum number of warnings about a file.
const MAX_WARNINGS: usize = 20;

/// The contents of an accepted file.
#[derive(Default)]
struct Findings {
    sections: u64,
    entries: u64,
    warnings: Vec<String>,
}

impl Findings {
    fn warn(&mut self, what: &str, offset: u64) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(format!("{what}, at offset {}", Offset(offset)));
        }
    }
}

/// Reads all values as the engine does. Returns the first error.
fn judge(file: &File<'_>) -> Result<Findings, Error> {
    let mut findings = Findings::default();
    if file.text.starts_with('\u{FEFF}') {
        findings.warn("a byte order mark, which the engine takes for a part of the first key", 0);
    }
    let mut keys = HashSet::new();
    // The number of the section, which is faster to compare than its name.
    let mut section = 0_u64;
    let mut names = HashMap::new();
    let mut offset = 0_u64;
    let mut is_line_taken = false;
    for item in file.items() {
        let item = item?;
        match item {
            Item::Section(header) => {
                let next = findings.sections.saturating_add(1);
                let name = header.name();
                if !name.is_empty() {
                    section = *names.entry(name).or_insert(next);
                    findings.sections = findings.sections.max(section);
                }
            }
            Item::Entry(entry) => {
                findings.entries = findings.entries.saturating_add(1);
                if is_line_taken || is_key_split(&entry) {
                    findings.warn("a key that does not have a line of its own", offset);
                }
                judge_value(file, &entry, &mut findings)?;
                let key = entry.key();
                if key.is_empty() {
                    findings.warn("an empty key, which the engine ignores", offset);
                } else if !keys.insert((section, key.clone())) {
                    let key = Escaped(key.as_bytes());
                    findings.warn(&format!("another value for the key {key}"), offset);
                }
            }
            Item::Incomplete(_) => {
                findings.warn("a key without a value, which the engine ignores", offset);
            }
            _ => {}
        }
        is_line_taken = match item {
            Item::Space(space) => is_line_taken && !space.contains('\n'),
            item => matches!(item, Item::Entry(_)),
        };
        offset = offset.saturating_add(item.text().len() as u64);
    }
    Ok(findings)
}

/// Returns `true` if a key that is not in quotes spans several lines. This happens if a line
/// without `=` precedes the line of the key.
fn is_key_split(entry: &Entry<'_>) -> bool {
    let key = entry.text().split('=').next().unwrap_or_default();
    key.trim_end().contains('\n') && !key.contains('"')
}

fn judge_value(file: &File<'_>, entry: &Entry<'_>, findings: &mut Findings) -> Result<(), Error> {
    let read = entry.read_with(Reading::of(file.dialect).as_the_engine());
    match (read, entry.read()) {
        (Err(error), _) if is_resource(&error) => {
            findings.warn("a resource, which the engine loads from another file", error.offset());
        }
        (Err(error), _) => return Err(error),
        (Ok(_), Err(error)) => {
            let what = format!("the engine changes this value as it reads it: {}", error.kind());
            findings.warn(&what, error.offset());
        }
        (Ok(_), Ok(_)) => {}
    }
    Ok(())
}
