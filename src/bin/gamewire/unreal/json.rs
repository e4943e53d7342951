use super::{Files, LACKS_EXPORTS, Opened, Refusal};
use crate::input::Stop;
use crate::report;
use serde::Serialize;
use std::io::{self, IsTerminal, Write};

/// Prints a package or save as a document, of one that cannot be opened what can be read; whether
/// that is all of it.
pub fn print<W: Write>(name: &str, files: &Files, out: &mut W) -> Result<bool, Stop> {
    let package = match files.open() {
        Err(error) => {
            document(&files.unopened(error), out).map_err(Stop::Output)?;
            return Err(Stop::input(Refusal(&error)));
        }
        Ok(Opened::Package(package)) => package,
        Ok(Opened::Save(save)) => {
            document(&save, out).map_err(Stop::Output)?;
            return save.trailer().map(|_| true).map_err(|error| Stop::input(Refusal(&error)));
        }
    };
    document(&package, out).map_err(Stop::Output)?;
    let fine = package.verify(|problem| {
        let error = Refusal(&problem.error);
        report::error(name, format_args!("{}: {error}", problem.table));
    });
    if package.lacks_exports() {
        report::hint(LACKS_EXPORTS);
    }
    Ok(fine)
}

fn document(of: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(harmless(out), of)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// For JSON on its way to standard output: if that is a terminal, whoever wrote a file must not
/// get to write to it, and JSON leaves some control characters as they are.
pub(super) fn harmless<W: Write>(out: &mut W) -> Harmless<'_, W> {
    Harmless { out, escapes: io::stdout().is_terminal() }
}

pub(super) struct Harmless<'o, W> {
    out: &'o mut W,
    escapes: bool,
}

impl<W: Write> Write for Harmless<'_, W> {
    fn write(&mut self, json: &[u8]) -> io::Result<usize> {
        if !self.escapes {
            return self.out.write(json);
        }
        // (Texts come with their characters whole.)
        for chunk in json.utf8_chunks() {
            for text in chunk.valid().split_inclusive(is_harmful) {
                let plain = text.trim_end_matches(is_harmful);
                self.out.write_all(plain.as_bytes())?;
                for char in text.chars().skip(plain.chars().count()) {
                    write!(self.out, "\\u{:04x}", u32::from(char))?;
                }
            }
            self.out.write_all(chunk.invalid())?;
        }
        Ok(json.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn is_harmful(char: char) -> bool {
    matches!(char, '\u{7f}'..='\u{9f}')
}
