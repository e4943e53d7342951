//! `gamewire json`.

use crate::args::Json;
use crate::input::{self, Stop};
use crate::lines;
use crate::report;
use gamewire::godot::frame::{Frame, Frames};
use gamewire::godot::json::{PrintError, Printer};
use gamewire::godot::{Dialect, Error, Limits, Reader};
use std::fmt;
use std::io::{self, Write};

/// Prints all values of all files; whether all were fine.
pub fn run(args: &Json, out: &mut impl Write) -> io::Result<bool> {
    if args.lines {
        return lines::each(&args.files, args.source, out, |packet, out| {
            print_line(args, packet, out)
        });
    }
    input::each(&args.files, out, |input, out| {
        let bytes = input.load(args.source)?;
        File { args, name: &input.name(), bytes: &bytes, out }.print().map_err(Stop::Output)
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
    let mut text = TextOf { out, error: None };
    let printed = visit(&mut Printer::new(&mut text).exact(exact));
    match (printed, text.error) {
        (Ok(printed), _) => Ok(printed),
        (Err(PrintError::Output(_)), Some(error)) => Err(error),
        (Err(error), _) => Err(io::Error::other(error)),
    }
}

/// Takes text for what takes bytes, and keeps its error.
pub struct TextOf<'w, W> {
    out: &'w mut W,
    error: Option<io::Error>,
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

/// One file on its way out.
struct File<'a, W> {
    args: &'a Json,
    name: &'a str,
    bytes: &'a [u8],
    out: &'a mut W,
}

impl<W: Write> File<'_, W> {
    /// Whether it was fine.
    fn print(&mut self) -> io::Result<bool> {
        let fine = if self.args.source.format.frames { self.frames()? } else { self.values()? };
        if !fine {
            for line in report::other_formats(self.bytes, self.args.source.format) {
                report::hint(line);
            }
        }
        Ok(fine)
    }

    fn frames(&mut self) -> io::Result<bool> {
        let mut fine = true;
        for (index, frame) in Frames::new(self.bytes).enumerate() {
            let context = format!("frame {index}: ");
            fine &= match frame {
                Ok(frame) => self.frame(frame, &context)?,
                Err(error) => self.malformed(&context, &error)?,
            };
        }
        Ok(fine)
    }

    /// Prints the one value of a frame.
    fn frame(&mut self, frame: Frame<'_>, context: &str) -> io::Result<bool> {
        let mut reader = self.reader(frame.bytes, frame.offset);
        let fine = self.value(&mut reader, context)?;
        if fine && !reader.is_empty() {
            self.out.flush()?;
            report::left_over(self.name, context, &reader);
        }
        Ok(fine)
    }

    /// Prints values back to back, to the end.
    fn values(&mut self) -> io::Result<bool> {
        let mut reader = self.reader(self.bytes, 0);
        while self.value(&mut reader, "")? {
            if reader.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn reader<'b>(&self, bytes: &'b [u8], origin: u64) -> Reader<'b, 'static> {
        Reader::new(bytes, self.args.source.format.dialect).origin(origin)
    }

    /// Prints the next value, whole or not at all.
    fn value(&mut self, reader: &mut Reader<'_, '_>, context: &str) -> io::Result<bool> {
        let packet = reader.rest();
        if let Err(error) = reader.skip() {
            return self.malformed(context, &error);
        }
        print(packet, reader.dialect(), self.args.exact, self.out)?;
        self.out.write_all(b"\n")?;
        Ok(true)
    }

    fn malformed(&mut self, context: &str, error: &Error) -> io::Result<bool> {
        self.out.flush()?;
        report::malformed(self.name, context, error);
        Ok(false)
    }
}
