//! Writers for standard output. They do not let control characters in a file reach a terminal.

use std::fmt::{self, Display, Write as _};
use std::io::{self, IsTerminal, Write};

/// A [`fmt::Write`] that writes to an [`io::Write`] and stores its error.
pub struct FmtAdapter<'w, W> {
    out: &'w mut W,
    error: Option<io::Error>,
}

impl<'w, W: Write> FmtAdapter<'w, W> {
    /// Calls `write` with an adapter of `out`. If `out` fails, returns its error rather than the
    /// error of `write`, which is only a consequence.
    pub fn write<T, E: std::error::Error + Send + Sync + 'static>(
        out: &'w mut W,
        write: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> io::Result<T> {
        let mut text = Self { out, error: None };
        let written = write(&mut text);
        let error = text.error;
        written.map_err(|why| error.unwrap_or_else(|| io::Error::other(why)))
    }
}

impl<W: Write> fmt::Write for FmtAdapter<'_, W> {
    #[inline]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}

/// A writer for one JSON value. If the value is a string, its content is printed without quotes.
pub struct BareString<'o, W> {
    out: &'o mut W,
    /// `None` before the first write. After it, `Some(Some(json))` if the value is a string, whose
    /// JSON is collected, or `Some(None)` for any other value.
    string: Option<Option<Vec<u8>>>,
}

impl<'o, W: Write> BareString<'o, W> {
    pub fn new(out: &'o mut W) -> Self {
        Self { out, string: None }
    }

    /// Prints the value if it is a string, and ends the line.
    pub fn finish(self) -> io::Result<()> {
        match self.string {
            Some(Some(json)) => print_line(serde_json::from_slice::<String>(&json)?, self.out),
            _ => self.out.write_all(b"\n"),
        }
    }
}

impl<W: Write> Write for BareString<'_, W> {
    fn write(&mut self, json: &[u8]) -> io::Result<usize> {
        let is_string = json.first() == Some(&b'"');
        match self.string.get_or_insert_with(|| is_string.then(Vec::new)) {
            Some(string) => string.write(json),
            None => terminal_safe(self.out).write(json),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Returns a writer for JSON. If standard output is a terminal, the writer escapes the control
/// characters that JSON leaves unescaped, so that a file cannot send escape sequences to the
/// terminal.
pub fn terminal_safe<W: Write>(out: &mut W) -> TerminalSafe<'_, W> {
    TerminalSafe { out, escapes: io::stdout().is_terminal() }
}

/// The writer that [`terminal_safe`] returns.
pub struct TerminalSafe<'o, W> {
    out: &'o mut W,
    escapes: bool,
}

impl<W: Write> Write for TerminalSafe<'_, W> {
    fn write(&mut self, json: &[u8]) -> io::Result<usize> {
        if !self.escapes {
            return self.out.write(json);
        }
        // A character is never split between two writes.
        for chunk in json.utf8_chunks() {
            for text in chunk.valid().split_inclusive(is_control) {
                let plain = text.trim_end_matches(is_control);
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

/// Returns `true` for control characters that JSON may contain unescaped.
fn is_control(char: char) -> bool {
    matches!(char, '\u{7f}'..='\u{9f}')
}

/// Prints a text and ends the line. If standard output is a terminal, control characters other than
/// line feeds and tabs are printed as escapes of Godot's text notation.
pub fn print_line(value: impl Display, out: &mut impl Write) -> io::Result<()> {
    let escapes = io::stdout().is_terminal();
    FmtAdapter::write(out, |text| match escapes {
        true => writeln!(TerminalText(text), "{value}"),
        false => writeln!(text, "{value}"),
    })
}

/// A writer that replaces control characters other than line feeds and tabs by escapes, which
/// Godot's text notation accepts as well. A packet can therefore not send escape sequences to the
/// terminal.
struct TerminalText<W>(W);

impl<W: fmt::Write> fmt::Write for TerminalText<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let is_plain = |character: char| !character.is_control() || "\n\t".contains(character);
        text.chars().try_for_each(|character| match is_plain(character) {
            true => self.0.write_char(character),
            false => write!(self.0, "\\u{:04x}", u32::from(character)),
        })
    }
}
