//! `gamewire get`.

use super::file_values::{self, FileValues};
use super::{config, json, messages};
use crate::args::Get;
use crate::content;
use crate::detected_input::DetectedInput;
use crate::ui::input::{self, Stop};
use crate::ui::{output, report};
use crate::{rems, unreal};
use gamewire::godot::path::Found;
use gamewire::godot::{Dialect, Writer};
use std::io::{self, IsTerminal, Write};
use std::path::Path;

const LOCRES: &str = "this is a file of localized texts of Unreal Engine, whose values have no paths: \
                      `gamewire show` and `json` print them";
const REGISTRY: &str = "this is an asset registry of Unreal Engine, whose values have no paths: \
                        `gamewire show` and `json` print them";

/// Prints the values at the requested paths in each value of each file. Returns `false` if a value
/// was missing, and after an error.
pub fn run(args: &Get, out: &mut impl Write) -> io::Result<bool> {
    if args.raw && io::stdout().is_terminal() {
        report::binary_on_terminal();
        return Ok(false);
    }
    let ok = input::for_each(&args.files, out, |input, out| {
        let name = input.name();
        let content = content::load(input, args.source)?;
        let bytes = match DetectedInput::detect(input, content.bytes, args.unreal, args.rems)? {
            DetectedInput::Unreal(files) => return unreal::get(args, &name, &files, out),
            DetectedInput::Locres(_) => return Err(Stop::input(LOCRES)),
            DetectedInput::Registry(_) => return Err(Stop::input(REGISTRY)),
            DetectedInput::Rems(file) => return rems::get(args, &name, &file, out),
            DetectedInput::Other(bytes) => bytes,
        };
        if let Some(file) = config::File::detect(&bytes, args.source) {
            return config::get(args, &name, &file, out).map_err(Stop::Output);
        }
        let Some(FileValues { values, region }) = file_values::read_all(input, &bytes, args.source)
        else {
            return Ok(false);
        };
        let (count, format) = (values.len(), region.format);
        let is_selected = |index: &usize| args.frame.is_none_or(|frame| frame == *index);
        file_values::check_frame(format, count, args.frame).map_err(Stop::Input)?;
        let mut missing: Vec<_> = args.paths().map(|path| (path, Vec::new())).collect();
        for (index, value) in values.iter().enumerate().filter(|(index, _)| is_selected(index)) {
            for (path, missing) in &mut missing {
                match value.value.find(path) {
                    Ok(found) => print(args, &found, format.dialect, out).map_err(Stop::Output)?,
                    Err(error) => missing.push((index, error)),
                }
            }
        }
        out.flush().map_err(Stop::Output)?;
        for (_, missing) in &missing {
            // Print only the message about the first value without this path; the other messages
            // would be similar.
            let [(index, error), others @ ..] = missing.as_slice() else { continue };
            messages::path_not_found(&name, &file_values::context(format, count, *index), error);
            if !others.is_empty() {
                let more = others.len();
                report::error(
                    &name,
                    format_args!("{more} more of {count} have no value at this path"),
                );
            }
        }
        Ok(missing.iter().all(|(_, missing)| missing.is_empty()))
    })?;
    if Path::new(&args.path).is_file()
        && args.files.iter().any(|file| !file.exists() && file != Path::new("-"))
    {
        report::hint("PATH comes before FILE: gamewire get PATH FILE");
    }
    Ok(ok)
}

/// Prints a value in the form that the options request.
pub fn print(
    args: &Get,
    found: &Found<'_>,
    dialect: Dialect,
    out: &mut impl Write,
) -> io::Result<()> {
    if args.raw {
        return out.write_all(found.bytes());
    }
    if !args.json {
        return output::print_line(found.value().printed_as(dialect), out);
    }
    json::print(&bytes_of(found, dialect)?, dialect, false, out)?;
    out.write_all(b"\n")
}

/// Returns the encoding of a value, with its header. In a packet, the components of vectors and the
/// elements of packed arrays have no headers, so the function adds the header to their encoding.
pub fn bytes_of(found: &Found<'_>, dialect: Dialect) -> io::Result<Vec<u8>> {
    if let Some(encoded) = found.encoded() {
        return Ok(encoded.as_bytes().to_vec());
    }
    let mut bytes = Vec::new();
    Writer::new(&mut bytes, dialect).put(found.value()).map_err(io::Error::other)?;
    Ok(bytes)
}
