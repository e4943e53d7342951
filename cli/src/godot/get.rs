//! `gamewire get`.

use super::{file_values, json};
use crate::args::Get;
use crate::detected_input::DetectedInput;
use crate::ui::input::{self, Stop};
use crate::ui::{output, report};
use crate::{rems, unreal};
use gamewire::godot::path::Found;
use gamewire::godot::{Dialect, Writer};
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// Prints what is at the paths in each value of each file; whether it was there in all.
pub fn run(args: &Get, out: &mut impl Write) -> io::Result<bool> {
    if args.raw && io::stdout().is_terminal() {
        report::refusal("bytes are binary: send standard output to a file or a pipe");
        return Ok(false);
    }
    let format = args.source.format;
    let fine = input::for_each(&args.files, out, |input, out| {
        let name = input.name();
        let bytes =
            match DetectedInput::detect(input, input.load(args.source)?, args.unreal, args.rems)? {
                DetectedInput::Unreal(files) => return unreal::get(args, &name, &files, out),
                DetectedInput::Rems(file) => return rems::get(args, &name, &file, out),
                DetectedInput::Other(bytes) => bytes,
            };
        let Some(pieces) = file_values::of(&name, &bytes, format) else { return Ok(false) };
        let count = pieces.len();
        let chosen = |index: &usize| args.frame.is_none_or(|frame| frame == *index);
        file_values::lacking(format, count, args.frame).map_err(Stop::Input)?;
        let mut missing: Vec<_> = args.paths().map(|path| (path, Vec::new())).collect();
        for (index, piece) in pieces.iter().enumerate().filter(|(index, _)| chosen(index)) {
            for (path, missing) in &mut missing {
                match piece.value.find(path) {
                    Ok(found) => print(args, &found, out).map_err(Stop::Output)?,
                    Err(nothing) => missing.push((index, nothing)),
                }
            }
        }
        out.flush().map_err(Stop::Output)?;
        for (_, missing) in &missing {
            // The others of many would say much the same.
            let [(index, nothing), others @ ..] = missing.as_slice() else { continue };
            report::path_not_found(&name, &file_values::context(format, count, *index), nothing);
            if !others.is_empty() {
                let more = others.len();
                report::error(&name, format_args!("and nothing there in {more} more of {count}"));
            }
        }
        Ok(missing.iter().all(|(_, missing)| missing.is_empty()))
    })?;
    if Path::new(&args.path).is_file()
        && args.files.iter().any(|file| !file.exists() && file != Path::new("-"))
    {
        report::hint("PATH comes before FILE");
    }
    Ok(fine)
}

fn print(args: &Get, found: &Found<'_>, out: &mut impl Write) -> io::Result<()> {
    let dialect = args.source.format.dialect;
    if args.raw {
        return out.write_all(found.bytes());
    }
    if !args.json {
        return output::print_line(found.value().printed_as(dialect), out);
    }
    json::print(&bytes_of(found, dialect)?, dialect, false, out)?;
    out.write_all(b"\n")
}

/// As a value in full, which numbers and elements are not.
pub fn bytes_of(found: &Found<'_>, dialect: Dialect) -> io::Result<Vec<u8>> {
    if let Some(encoded) = found.encoded() {
        return Ok(encoded.as_bytes().to_vec());
    }
    let mut bytes = Vec::new();
    Writer::new(&mut bytes, dialect).put(found.value()).map_err(io::Error::other)?;
    Ok(bytes)
}
