//! `gamewire json`.

use crate::args::Json;
use crate::loaded::Loaded;
use crate::{input, lines, notation, pieces, rems, unreal};
use gamewire::godot::json::{PrintError, Printer};
use gamewire::godot::{Dialect, Limits, Reader};
use std::fmt;
use std::io::{self, IsTerminal, Write};

/// Prints all values of all files; whether all were fine.
pub fn run(args: &Json, out: &mut impl Write) -> io::Result<bool> {
    if args.lines {
        return lines::each(&args.files, args.source, out, |packet, out| {
            print_line(args, packet, out)
        });
    }
    input::each(&args.files, out, |input, out| {
        let name = input.name();
        let bytes = match Loaded::from(input, input.load(args.source)?, args.unreal, args.rems)? {
            Loaded::Unreal(files) => return unreal::print(&name, &files, out),
            Loaded::Rems(file) => return rems::print(&name, &file, out),
            Loaded::Other(bytes) => bytes,
        };
        pieces::each(&name, &bytes, args.source.format, out, |value, out| {
            print(value.as_bytes(), value.dialect(), args.exact, out)?;
            out.write_all(b"\n")
        })
    })
}

/// The verdict on one line's packet, as `bytes_to_var` gives it, and the value.
fn print_line(args: &Json, packet: &[u8], out: &mut impl Write) -> io::Result<()> {
    let dialect = args.source.format.dialect;
    let limits = Limits { objects: args.objects, ..Limits::ENGINE };
    let mut reader = Reader::new(packet, dialect).limits(limits);
    if let Err(error) = reader.skip() {
        return lines::refused(&error, out);
    }
    lines::accepted(reader.offset(), "value", out)?;
    print(packet, dialect, args.exact, out)?;
    out.write_all(b"}\n")
}

/// Prints the first value of checked bytes.
pub fn print(packet: &[u8], dialect: Dialect, exact: bool, out: &mut impl Write) -> io::Result<()> {
    print_by(out, exact, |printer| Reader::new(packet, dialect).visit(printer))
}

/// Prints what `visit` tells the printer of.
pub fn print_by<W: Write, T>(
    out: &mut W,
    exact: bool,
    visit: impl FnOnce(&mut Printer<&mut TextOf<'_, W>>) -> Result<T, PrintError>,
) -> io::Result<T> {
    TextOf::write(out, |text| visit(&mut Printer::new(text).exact(exact)))
}

/// Takes text for what takes bytes, and keeps its error.
pub struct TextOf<'w, W> {
    out: &'w mut W,
    error: Option<io::Error>,
}

impl<'w, W: Write> TextOf<'w, W> {
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

impl<W: Write> fmt::Write for TextOf<'_, W> {
    #[inline]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}

/// For one value as JSON, but of a text what it says.
pub struct TextApart<'o, W> {
    out: &'o mut W,
    /// Once something has come: the text, if it is one.
    text: Option<Option<Vec<u8>>>,
}

impl<'o, W: Write> TextApart<'o, W> {
    pub fn new(out: &'o mut W) -> Self {
        Self { out, text: None }
    }

    /// Ends the line.
    pub fn finish(self) -> io::Result<()> {
        match self.text {
            Some(Some(text)) => notation::line(serde_json::from_slice::<String>(&text)?, self.out),
            _ => self.out.write_all(b"\n"),
        }
    }
}

impl<W: Write> Write for TextApart<'_, W> {
    fn write(&mut self, json: &[u8]) -> io::Result<usize> {
        let is_text = json.first() == Some(&b'"');
        match self.text.get_or_insert_with(|| is_text.then(Vec::new)) {
            Some(text) => text.write(json),
            None => harmless(self.out).write(json),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// For JSON on its way to standard output: if that is a terminal, whoever wrote a file must not
/// get to write to it, and JSON leaves some control characters as they are.
pub fn harmless<W: Write>(out: &mut W) -> Harmless<'_, W> {
    Harmless { out, escapes: io::stdout().is_terminal() }
}

pub struct Harmless<'o, W> {
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
