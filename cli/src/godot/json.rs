//! `gamewire json`.

#[cfg(feature = "parquet")]
mod values;

use super::{config, file_values, packet_lines};
use crate::args::Json;
use crate::content;
use crate::detected_input::DetectedInput;
use crate::ui::input::{self, Stop};
use crate::ui::output::FmtAdapter;
use crate::unreal::{archives, locres, registry};
use crate::{rems, unreal};
use gamewire::godot::json::{PrintError, Printer};
use gamewire::godot::{Dialect, Limits, Reader};
use std::io::{self, Write};

/// Prints all values of all files. Returns `false` after an error.
pub fn run(args: &Json, out: &mut impl Write) -> io::Result<bool> {
    #[cfg(feature = "parquet")]
    if let Some(path) = &args.parquet {
        return Ok(values::write(args, path));
    }
    if args.lines {
        return packet_lines::each(&args.files, args.source, args.max_line, out, |packet, out| {
            print_line(args, packet, out)
        });
    }
    input::for_each(&args.files, out, |input, out| {
        let name = input.name();
        if !args.source.is_format_given()
            && let Some(archive) = archives::open(input)?
        {
            return archives::print(&name, archive, out);
        }
        let content = content::load(input, args.source)?;
        let bytes = match DetectedInput::detect(input, content.bytes, args.unreal, args.rems)? {
            DetectedInput::Unreal(files) => return unreal::print(args, &name, &files, out),
            DetectedInput::Locres(bytes) => return locres::print(&name, &bytes, out),
            DetectedInput::Registry(bytes) => return registry::print(&name, &bytes, out),
            DetectedInput::Rems(file) => return rems::print(&name, &file, out),
            DetectedInput::Other(bytes) => bytes,
        };
        if let Some(file) = config::File::detect(&bytes, args.source) {
            return config::print(&name, &file, args.exact, out).map_err(Stop::Output);
        }
        file_values::each(input, &bytes, args.source, out, |value, out| {
            print(value.as_bytes(), value.dialect(), args.exact, out)?;
            out.write_all(b"\n")
        })
    })
}

/// Prints a JSON object with the value of a packet, or with the reason why `bytes_to_var` refuses
/// the packet.
fn print_line(args: &Json, packet: &[u8], out: &mut impl Write) -> io::Result<()> {
    let dialect = args.source.format().dialect;
    let limits = Limits { objects: args.objects, ..Limits::ENGINE };
    let mut reader = Reader::new(packet, dialect).limits(limits);
    if let Err(error) = reader.skip() {
        return packet_lines::refused(&error, out);
    }
    packet_lines::accepted(reader.offset(), "value", out)?;
    print(packet, dialect, args.exact, out)?;
    out.write_all(b"}\n")
}

/// Prints the first value in `packet`. The value must be well-formed.
pub fn print(packet: &[u8], dialect: Dialect, exact: bool, out: &mut impl Write) -> io::Result<()> {
    print_with(out, exact, |printer| Reader::new(packet, dialect).visit_dyn(printer))
}

/// Prints the values that `visit` sends to the printer.
pub fn print_with<W: Write, T>(
    out: &mut W,
    exact: bool,
    visit: impl FnOnce(&mut Printer<&mut FmtAdapter<'_, W>>) -> Result<T, PrintError>,
) -> io::Result<T> {
    FmtAdapter::write(out, |text| visit(&mut Printer::new(text).exact(exact)))
}
