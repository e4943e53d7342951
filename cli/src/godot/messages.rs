//! Reports problems with files of Godot values. If a file is not valid in the format in which it is
//! read, finds out what the file contains instead.

use super::extent::{are_probably_no_values, are_values};
use super::find;
use super::format::Format;
use super::region::Region;
use crate::args::Source;
use crate::recognise::{FileKind, Sample, recognise};
use crate::ui::input::Input;
use crate::ui::report::{error, hint, suggest_name, warning};
use crate::ui::text::{Count, Escaped, Offset};
use gamewire::godot::find::{Confidence, Finder, Found};
use gamewire::godot::frame::Frame;
use gamewire::godot::path::NotFound;
use gamewire::godot::{Error, Reader};

/// Reports that a file is malformed, with the offset and the reason. `context` precedes the reason.
pub fn malformed(name: &str, context: &str, why: &Error) {
    let (offset, kind) = (Offset(why.offset()), why.kind());
    error(name, format_args!("offset {offset}: {context}{kind}"));
}

/// Reports that there is no value at a path, and suggests a similar key.
pub fn path_not_found(name: &str, context: &str, missing: &NotFound<'_, '_>) {
    let problem = missing.to_string();
    error(name, format_args!("{context}{}", Escaped(problem.as_bytes())));
    // A malformed path is a mistake in syntax, not in a name.
    if !missing.is_malformed() {
        suggest_name(missing.names().map(|name| name.to_string()), missing.segment());
    }
}

/// Warns about the bytes that follow a value, from `offset` on.
pub fn left_over(name: &str, context: &str, rest: &[u8], offset: u64) {
    let (count, offset) = (Count(rest.len() as u64, "byte"), Offset(offset));
    warning(name, format_args!("{context}{count} after the value, at offset {offset}"));
}

/// Returns the kind of a file that does not contain Godot values. Returns `None` if the kind is not
/// recognised, or if the command line names the format. Also returns `None` if the whole file is
/// valid as values in any format.
pub fn foreign(input: Input<'_>, bytes: &[u8], source: Source) -> Option<&'static FileKind> {
    if source.is_format_given() {
        return None;
    }
    let kind = recognise(&Sample::whole(input.path(), bytes))?;
    (!are_values(bytes, source.format().dialect)).then_some(kind)
}

/// Reports that a file does not contain Godot values, and what can be done with it.
pub fn report_foreign(name: &str, kind: &FileKind) {
    error(name, format_args!("this is {kind}, not a Godot value"));
    hint(kind.advice);
}

/// Prints hints about the actual format of a file, if it is not valid in the format of `source`.
pub fn hint_at_formats(input: Input<'_>, region: Region<'_>, source: Source) {
    other_formats(input, region, source).into_iter().for_each(hint);
}

/// Returns hints about the actual format of a file, if it is not valid in the format of `source`.
pub fn other_formats(input: Input<'_>, region: Region<'_>, source: Source) -> Vec<String> {
    let Region { bytes, format, .. } = region;
    if region.count.is_some() && region.is_readable() {
        return Vec::new(); // other data follows
    }
    if format.fits(bytes) {
        return Vec::new(); // the format is not the cause of the error
    }
    if let Some(kind) = recognise(&Sample::whole(input.path(), bytes)) {
        return vec![format!("this is {kind}: {}", kind.advice)];
    }
    let (frames, plain): (Vec<_>, Vec<_>) =
        Format::fitting(bytes).partition(|format| format.frames);
    let line = |what: &str, formats: &[Format]| {
        let names: Vec<_> = formats.iter().map(|format| format.dialect.name()).collect();
        let option = match formats {
            [format] => format.to_string(),
            _ if formats.iter().all(|format| format.big_endian) => {
                "FORMAT-frames --big-endian".into()
            }
            _ if formats.iter().all(|format| format.frames) => "FORMAT-frames".into(),
            _ => "FORMAT".into(),
        };
        format!("these bytes are {what} in {} (--as {option})", names.join(" or "))
    };
    let mut lines = Vec::new();
    if !plain.is_empty() {
        lines.push(line("one value", &plain));
    }
    if !frames.is_empty() {
        lines.push(line("frames of values", &frames));
    }
    if lines.is_empty() && (are_probably_no_values(bytes, format) || begins_with_no_frame(region)) {
        lines.extend(hint_at_other_data(region, source));
    }
    lines
}

/// Returns a hint about a region that seems to contain data other than values. The hint states
/// where the first value is, or that the bytes are probably not values.
fn hint_at_other_data(region: Region<'_>, source: Source) -> Option<String> {
    let format = region.format;
    let found = Finder::new(region.bytes).find(|found| found.confidence > Confidence::Possible);
    let is_first = |found: &Found<'_>| found.offset == 0 && find::format_of(found) == format;
    match found {
        Some(found) if !is_first(&found) => {
            let (format, offset) = (find::format_of(&found), region.start());
            let offset = offset.saturating_add(found.offset);
            Some(format!(
                "a value is among other data: --as {format} --skip {offset} --count 1 reads it, and \
                 `gamewire find` lists all"
            ))
        }
        None if region.reader().skip().is_err() && source.is_format_given() => {
            Some("`gamewire find` finds no values in these bytes: they may be raw numbers".into())
        }
        _ if source.is_format_given() => None,
        found => {
            let none =
                if found.is_none() { ", and `gamewire find` finds none in them" } else { "" };
            Some(format!(
                "these are probably not Godot values (--as {format} reads them as values all the \
                 same){none}"
            ))
        }
    }
}

/// Returns `true` if a format with frames is requested, and the region does not begin with a frame
/// of a value.
fn begins_with_no_frame(region: Region<'_>) -> bool {
    let is_value =
        |frame: Frame<'_>| Reader::new(frame.bytes, region.format.dialect).skip().is_ok();
    let first = region.frames().next();
    region.format.frames && !first.is_none_or(|frame| frame.is_ok_and(is_value))
}
