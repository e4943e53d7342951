//! Messages about files of Godot values.

use super::format::Format;
use crate::ui::report::{error, hint, suggest_name, warning};
use crate::ui::text::{Count, Escaped, Offset};
use gamewire::capture::{self, ErrorKind};
use gamewire::godot::Error;
use gamewire::godot::path::NotFound;
use gamewire::rems::FileFormat;
use gamewire::unreal::{Package, Save};

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

/// Prints hints about the actual format of the bytes, if they are not valid in `format`.
pub fn hint_at_formats(bytes: &[u8], format: Format) {
    other_formats(bytes, format).into_iter().for_each(hint);
}

/// Returns hints about the actual format of the bytes, if they are not valid in `format`.
pub fn other_formats(bytes: &[u8], format: Format) -> Vec<String> {
    if format.fits(bytes) {
        return Vec::new(); // the error has another cause than the format
    }
    if let Some(hint) = other_command(bytes) {
        return vec![hint.into()];
    }
    let (frames, plain): (Vec<_>, Vec<_>) =
        Format::fitting(bytes).partition(|format| format.frames);
    let line = |what: &str, formats: &[Format]| {
        let names: Vec<_> = formats.iter().map(|format| format.dialect.name()).collect();
        let option = match formats {
            [format] => format.to_string(),
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
    lines
}

/// Returns a hint about the command that reads the bytes, if they have a recognised format other
/// than Godot values.
fn other_command(bytes: &[u8]) -> Option<&'static str> {
    if is_capture(bytes) {
        return Some("this is a capture of network traffic: read it with `gamewire packets`");
    }
    if Package::is_package(bytes) || Save::is_save(bytes) {
        return Some(
            "this is a package or save of Unreal Engine: read it with `gamewire show`, `json` or `get`",
        );
    }
    if FileFormat::detect(bytes).is_some() {
        return Some(
            "this is a save of Rem's Engine: read it with `gamewire show`, `json`, `get` or `diff`",
        );
    }
    is_text(bytes).then_some(
        "this is text, not binary data: `gamewire encode` reads JSON and, with --text, var_to_str \
         text; --lines reads packets in hexadecimal",
    )
}

fn is_capture(bytes: &[u8]) -> bool {
    let first = capture::Reader::new(bytes).next_packet().map(|_| ());
    bytes.len() >= 4 && !first.is_err_and(|error| matches!(error.kind(), ErrorKind::NotACapture(_)))
}

/// Returns `true` for at least eight bytes of UTF-8 without control characters other than tabs and
/// line breaks. The header of a Godot value contains a byte 0, which is a control character.
fn is_text(bytes: &[u8]) -> bool {
    let is_printable = |char: char| !char.is_control() || "\t\r\n".contains(char);
    bytes.len() >= 8 && str::from_utf8(bytes).is_ok_and(|text| text.chars().all(is_printable))
}
