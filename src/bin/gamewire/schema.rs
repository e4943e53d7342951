//! `gamewire schema`.

mod object;
mod table;

use crate::args;
use crate::input;
use crate::lines::{self, Line};
use crate::report;
use gamewire::godot::frame::{Frame, Frames};
use gamewire::godot::schema::Schema;
use gamewire::godot::{Error, Reader};
use std::io::{self, Write};

/// What the Rust type of a packet is called.
const NAME: &str = "Packet";

/// Reads all files and prints what they have in common; whether all were fine.
pub fn run(args: &args::Schema, out: &mut impl Write) -> io::Result<bool> {
    let mut schema = Schema::new();
    let fine = if args.lines {
        read_lines(args, &mut schema, out)?
    } else {
        input::each(&args.files, out, |input, _| {
            let bytes = input.load(args.source)?;
            let (name, schema) = (&input.name(), &mut schema);
            Ok(File { args, name, bytes: &bytes, schema }.read())
        })?
    };
    if schema.packets() > 0 {
        print(args, &schema, out)?;
    } else if fine {
        report::notice("no packets");
    }
    Ok(fine)
}

/// Reads a packet a line; whether all were fine.
fn read_lines(args: &args::Schema, schema: &mut Schema, out: &mut impl Write) -> io::Result<bool> {
    let mut fine = true;
    let read =
        lines::each_line(&args.files, args.source, out, |Line { input, number, packet }, _| {
            let (name, context) = (&*input.name(), format!("line {number}: "));
            fine &= match packet {
                Ok([]) => true,
                Ok(bytes) => {
                    let mut reader = Reader::new(bytes, args.source.format.dialect);
                    add(schema, &mut reader, name, &context)
                }
                Err(error) => {
                    report::error(name, format_args!("{context}{error}"));
                    false
                }
            };
            Ok(())
        })?;
    Ok(fine && read)
}

/// Adds the next value; whether it was fine.
fn add(schema: &mut Schema, reader: &mut Reader<'_, '_>, name: &str, context: &str) -> bool {
    match reader.read_encoded().and_then(|value| schema.add(value)) {
        Ok(()) => true,
        Err(error) => malformed(name, context, &error),
    }
}

fn malformed(name: &str, context: &str, error: &Error) -> bool {
    report::malformed(name, context, error);
    false
}

fn print(args: &args::Schema, schema: &Schema, out: &mut impl Write) -> io::Result<()> {
    let (shape, dialect) = (schema.shape(), args.source.format.dialect);
    if args.rust {
        return out.write_all(shape.to_rust(NAME).as_bytes());
    }
    if args.json {
        return object::print(&shape.rows(), dialect, out);
    }
    table::print(&shape.rows(), dialect, out)
}

/// One file.
struct File<'a> {
    args: &'a args::Schema,
    name: &'a str,
    bytes: &'a [u8],
    schema: &'a mut Schema,
}

impl File<'_> {
    /// Whether it was fine.
    fn read(&mut self) -> bool {
        let fine = if self.args.source.format.frames { self.frames() } else { self.values() };
        if !fine {
            for line in report::other_formats(self.bytes, self.args.source.format) {
                report::hint(line);
            }
        }
        fine
    }

    fn frames(&mut self) -> bool {
        let mut fine = true;
        for (index, frame) in Frames::new(self.bytes).enumerate() {
            let context = format!("frame {index}: ");
            fine &= match frame {
                Ok(frame) => self.frame(frame, &context),
                Err(error) => malformed(self.name, &context, &error),
            };
        }
        fine
    }

    /// Adds the one value of a frame.
    fn frame(&mut self, frame: Frame<'_>, context: &str) -> bool {
        let mut reader = self.reader(frame.bytes, frame.offset);
        let fine = add(self.schema, &mut reader, self.name, context);
        if fine && !reader.is_empty() {
            report::left_over(self.name, context, &reader);
        }
        fine
    }

    /// Adds values back to back, to the end.
    fn values(&mut self) -> bool {
        let mut reader = self.reader(self.bytes, 0);
        while add(self.schema, &mut reader, self.name, "") {
            if reader.is_empty() {
                return true;
            }
        }
        false
    }

    fn reader<'b>(&self, bytes: &'b [u8], origin: u64) -> Reader<'b, 'static> {
        Reader::new(bytes, self.args.source.format.dialect).origin(origin)
    }
}
