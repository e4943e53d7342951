//! Writers for standard output.

use std::fmt::{self, Display, Write as _};
use std::io::{self, Write};

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
    /// `None` before the first write, which shows whether the value is a string. Then
    /// `Some(Some(json))` if it is a string, where `json` is the JSON that has been written so far.
    /// `Some(None)` if it is any other value.
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
            None => self.out.write(json),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Prints a value and ends the line.
pub fn print_line(value: impl Display, out: &mut impl Write) -> io::Result<()> {
    FmtAdapter::write(out, |text| writeln!(text, "{value}"))
}
