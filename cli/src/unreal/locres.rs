//! Localized texts (`.locres`): their output for `show`, `check` and `json`.

use super::{Refusal, json, problems};
use crate::detected_input::has_extension;
use crate::ui::input::{Input, Stop};
use crate::ui::report;
use crate::ui::style::{BOLD, DIM, PLAIN, Styled, TYPE};
use crate::ui::table::{self, Cell, field, table};
use crate::ui::text::{Count, clipped, escaped};
use gamewire::unreal::{Error, Locres};
use std::fmt::Display;
use std::io::{self, Write};

/// Returns `true` if the bytes are localized texts. Version 0 is recognised by the extension of the
/// file.
pub fn is_locres(input: Input<'_>, bytes: &[u8]) -> bool {
    Locres::is_locres(bytes) || has_extension(input.path(), [Locres::EXTENSION])
}

fn open(bytes: &[u8]) -> Result<Locres<'_>, Error> {
    Locres::open(bytes).map(Locres::with_string_index)
}

/// Prints the texts as a table. Returns `true` if all could be read.
pub fn show(name: &str, bytes: &[u8], full: bool, out: &mut impl Write) -> Result<bool, Stop> {
    let locres = open(bytes).map_err(|error| Stop::input(Refusal(&error)))?;
    let rows = || {
        let namespaces = locres.namespaces().flatten();
        namespaces.flat_map(|namespace| {
            namespace.texts().flatten().map(move |text| {
                [
                    Cell(DIM, cell(namespace.key.text)),
                    Cell(TYPE, cell(text.key.text)),
                    Cell(PLAIN, cell(text.text)),
                ]
            })
        })
    };
    let count = rows().count();
    let most = if full { usize::MAX } else { table::ROWS };
    let print = |out: &mut dyn Write| -> io::Result<()> {
        writeln!(out, "{}", Styled(BOLD, "localized texts"))?;
        field(out, "version", locres.version())?;
        field(out, "namespaces", locres.namespace_count())?;
        if locres.string_count() > 0 {
            field(out, "strings", locres.string_count())?;
        }
        table("texts", ["namespace", "key", "text"], count, rows, most, out)?;
        out.flush()
    };
    print(out).map_err(Stop::Output)?;
    Ok(report_texts(name, &locres))
}

/// Formats the text of a cell. Clips it, because in a hostile file, many texts can refer to the
/// same long string.
fn cell(text: impl Display) -> String {
    escaped(clipped(text, MAX_CELL))
}

/// Maximum length of a cell in bytes.
const MAX_CELL: usize = 1024;

/// Reports the texts that could not be read. Returns `true` if there are none.
fn report_texts(name: &str, locres: &Locres<'_>) -> bool {
    let mut ok = true;
    let mut report = |error: Error| {
        ok = false;
        report::error(name, Refusal(&error));
    };
    for namespace in locres.namespaces() {
        match namespace {
            Ok(namespace) => namespace.texts().filter_map(Result::err).for_each(&mut report),
            Err(error) => report(error),
        }
    }
    ok
}

/// Prints a summary and the problems of the file. Returns `true` if there are no problems. `line`
/// must print a verdict followed by a description.
pub fn check<W: Write>(
    bytes: &[u8],
    out: &mut W,
    line: impl Fn(&mut W, bool, &str) -> io::Result<()>,
) -> io::Result<bool> {
    problems::check(open(bytes), |locres, report| locres.verify(report), summary, out, line)
}

fn summary(locres: &Locres<'_>) -> String {
    let texts = locres.namespaces().flatten().map(|namespace| u64::from(namespace.count())).sum();
    let (version, texts) = (locres.version(), Count(texts, "text"));
    let namespaces = Count(locres.namespace_count().into(), "namespace");
    let what = Styled(TYPE, "localized texts");
    format!("{what} version {version}, {texts} in {namespaces}")
}

/// Prints the texts as a JSON object. Returns `true` if all could be read.
pub fn print(name: &str, bytes: &[u8], out: &mut impl Write) -> Result<bool, Stop> {
    let locres = open(bytes).map_err(|error| Stop::input(Refusal(&error)))?;
    json::document(&locres, None, out).map_err(Stop::Output)?;
    Ok(report_texts(name, &locres))
}
