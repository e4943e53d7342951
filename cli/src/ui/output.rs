//! Writers for standard output that keep control characters of a file away from a terminal.

use std::fmt::{self, Display, Write as _};
use std::io::{self, IsTerminal, Write};

/// Takes text for what takes bytes, and keeps its error.
pub struct FmtAdapter<'w, W> {
    out: &'w mut W,
    error: Option<io::Error>,
}

impl<'w, W: Write> FmtAdapter<'w, W> {
    /// Writes text to `out`.
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

/// For one value as JSON, but of a text what it says.
pub struct BareString<'o, W> {
    out: &'o mut W,
    /// Once something has come: the text, if it is one.
    text: Option<Option<Vec<u8>>>,
}

impl<'o, W: Write> BareString<'o, W> {
    pub fn new(out: &'o mut W) -> Self {
        Self { out, text: None }
    }

    /// Ends the line.
    pub fn finish(self) -> io::Result<()> {
        match self.text {
            Some(Some(text)) => print_line(serde_json::from_slice::<String>(&text)?, self.out),
            _ => self.out.write_all(b"\n"),
        }
    }
}

impl<W: Write> Write for BareString<'_, W> {
    fn write(&mut self, json: &[u8]) -> io::Result<usize> {
        let is_text = json.first() == Some(&b'"');
        match self.text.get_or_insert_with(|| is_text.then(Vec::new)) {
            Some(text) => text.write(json),
            None => terminal_safe(self.out).write(json),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// For JSON on its way to standard output: if that is a terminal, whoever wrote a file must not
/// get to write to it, and JSON leaves some control characters as they are.
pub fn terminal_safe<W: Write>(out: &mut W) -> TerminalSafe<'_, W> {
    TerminalSafe { out, escapes: io::stdout().is_terminal() }
}

pub struct TerminalSafe<'o, W> {
    out: &'o mut W,
    escapes: bool,
}

impl<W: Write> Write for TerminalSafe<'_, W> {
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

/// Prints what prints in the notation, and ends the line.
pub fn print_line(value: impl Display, out: &mut impl Write) -> io::Result<()> {
    let escapes = io::stdout().is_terminal();
    FmtAdapter::write(out, |text| match escapes {
        true => writeln!(TerminalText(text), "{value}"),
        false => writeln!(text, "{value}"),
    })
}

/// Control characters, which the notation has raw, as the escapes that it reads, too: whoever
/// wrote a packet must not get to write to a terminal.
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
