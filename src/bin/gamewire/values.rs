//! The values of a file, each printed whole or not at all.

use crate::args::Source;
use crate::input::Stop;
use crate::report;
use gamewire::godot::frame::{Frame, Frames};
use gamewire::godot::{Dialect, Error, Reader};
use std::io::{self, Write};

/// Gives `print` the bytes of each value of the file of that name; it prints the first value of them. Whether all of
/// the file was fine.
pub fn each<W: Write>(
    name: &str,
    bytes: &[u8],
    source: Source,
    out: &mut W,
    print: impl FnMut(&[u8], Dialect, &mut W) -> io::Result<()>,
) -> Result<bool, Stop> {
    File { source, name, bytes, out, print }.print().map_err(Stop::Output)
}

/// One file on its way out.
struct File<'a, W, F> {
    source: Source,
    name: &'a str,
    bytes: &'a [u8],
    out: &'a mut W,
    print: F,
}

impl<W: Write, F: FnMut(&[u8], Dialect, &mut W) -> io::Result<()>> File<'_, W, F> {
    /// Whether it was fine.
    fn print(&mut self) -> io::Result<bool> {
        let fine = if self.source.format.frames { self.frames()? } else { self.values()? };
        if !fine {
            for line in report::other_formats(self.bytes, self.source.format) {
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
        Reader::new(bytes, self.source.format.dialect).origin(origin)
    }

    /// Prints the next value.
    fn value(&mut self, reader: &mut Reader<'_, '_>, context: &str) -> io::Result<bool> {
        let packet = reader.rest();
        if let Err(error) = reader.skip() {
            return self.malformed(context, &error);
        }
        (self.print)(packet, reader.dialect(), self.out)?;
        Ok(true)
    }

    fn malformed(&mut self, context: &str, error: &Error) -> io::Result<bool> {
        self.out.flush()?;
        report::malformed(self.name, context, error);
        Ok(false)
    }
}
