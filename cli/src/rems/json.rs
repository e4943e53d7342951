//! `gamewire json`: a save as one JSON document.

use super::{File, report};
use crate::ui::input::Stop;
use crate::ui::output::FmtAdapter;
use gamewire::rems::json::{Header, Layout, Malformed, Printer};
use gamewire::rems::{Error, ItemSource, Tables};
use std::fmt;
use std::io::{self, Write};

/// Prints a save, or the part of it that can be read. Returns `true` if it is well-formed.
pub fn print(name: &str, file: &File, mut out: &mut dyn Write) -> Result<bool, Stop> {
    let (end, malformed) = print_with(&mut out, Layout::Pretty, |printer| document(file, printer))
        .map_err(Stop::Output)?;
    out.write_all(b"\n").and_then(|()| out.flush()).map_err(Stop::Output)?;
    report::malformed(name, file, &malformed);
    match end {
        Some(error) => Err(Stop::input(file.refusal(error))),
        None => Ok(malformed.is_empty()),
    }
}

/// Prints a whole save. Returns the error at which reading stopped.
pub fn document(file: &File, printer: &mut Printer<'_>) -> Result<Option<Error>, fmt::Error> {
    let header = Header { format: file.format, era: file.era };
    let mut tables = Tables::new();
    let mut reader = file.read(&mut tables);
    let items = file.content().map(|_| &mut reader as &mut dyn ItemSource<'_>);
    printer.document(header, items)
}

/// Prints JSON to a byte stream. Returns the result of `print` and the errors in malformed values.
pub fn print_with<T>(
    mut out: &mut dyn Write,
    layout: Layout,
    print: impl FnOnce(&mut Printer<'_>) -> Result<T, fmt::Error>,
) -> io::Result<(T, Malformed)> {
    FmtAdapter::write(&mut out, |text| {
        let mut printer = Printer::new(text, layout);
        let value = print(&mut printer)?;
        Ok::<_, fmt::Error>((value, printer.into_malformed()))
    })
}
