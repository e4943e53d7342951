//! `gamewire schema`.

mod object;
mod table;

use super::packet_lines::{self, Line};
use super::{file_values, messages};
use crate::args;
use crate::content;
use crate::ui::input;
use crate::ui::report;
use gamewire::godot::Reader;
use gamewire::godot::schema::Schema;
use std::io::{self, Write};

/// Name of the Rust type of a packet.
const NAME: &str = "Packet";

/// Reads all files and prints their schema. Returns `false` after an error.
pub fn run(args: &args::Schema, out: &mut impl Write) -> io::Result<bool> {
    let mut schema = Schema::new();
    let ok = if args.lines {
        read_lines(args, &mut schema, out)?
    } else {
        input::for_each(&args.files, out, |input, out| {
            let content = content::load(input, args.source)?;
            file_values::each(input, &content.bytes, args.source, out, |value, _| {
                schema.add(value).map_err(io::Error::other) // the reader has checked the depth
            })
        })?
    };
    if schema.packets() > 0 {
        print(args, &schema, out)?;
    } else if ok {
        report::notice("the input has no packets");
    }
    Ok(ok)
}

/// Reads one packet per line. Returns `false` after an error.
fn read_lines(args: &args::Schema, schema: &mut Schema, out: &mut impl Write) -> io::Result<bool> {
    let mut ok = true;
    let read = packet_lines::each_line(
        &args.files,
        args.source,
        args.max_line,
        out,
        |Line { input, number, packet }, _| {
            let (name, context) = (&*input.name(), format!("line {number}: "));
            ok &= match packet {
                Ok([]) => true,
                Ok(bytes) => {
                    let value = Reader::new(bytes, args.source.format().dialect).read_encoded();
                    let added = value.and_then(|value| schema.add(value));
                    added.map_err(|error| messages::malformed(name, &context, &error)).is_ok()
                }
                Err(error) => {
                    report::error(name, format_args!("{context}{error}"));
                    false
                }
            };
            Ok(())
        },
    )?;
    Ok(ok && read)
}

fn print(args: &args::Schema, schema: &Schema, out: &mut impl Write) -> io::Result<()> {
    let (shape, dialect) = (schema.shape(), args.source.format().dialect);
    if args.rust {
        return out.write_all(shape.to_rust(NAME).as_bytes());
    }
    if args.json {
        return object::print(&shape.rows(), dialect, out);
    }
    table::print(&shape.rows(), dialect, out)
}
