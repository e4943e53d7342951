//! The part of a file that Godot values fill.

use super::format::Format;
use gamewire::godot::{Dialect, ErrorKind, Reader};

/// Maximum number of bytes after the values of a file that are taken for a trailer.
const TRAILER: usize = 16;

/// Returns the end of the last value that can be read, of values that follow one another directly;
/// 0 if there is none. The headers of all but the first must be such as engines write.
fn end_of_values(bytes: &[u8], dialect: Dialect) -> usize {
    let mut reader = Reader::new(bytes, dialect);
    let mut rest = bytes;
    while reader.skip().is_ok() {
        rest = reader.rest();
        if !is_usual_header(rest) {
            break;
        }
    }
    bytes.len().saturating_sub(rest.len())
}

/// Returns `true` if a header has only bits that some engine sets: those of the type, and flags in
/// the third byte. Engines ignore the others when they read.
fn is_usual_header(bytes: &[u8]) -> bool {
    matches!(bytes, [_, 0, _, 0, ..])
}

/// Returns `true` if the bytes are one value or frames of values in any dialect, or values in
/// `dialect` that follow one another directly. Zeros are not taken for many values Nil.
pub fn are_values(bytes: &[u8], dialect: Dialect) -> bool {
    let is_filled = || end_of_values(bytes, dialect) == bytes.len();
    let is_zero = || bytes.iter().all(|byte| *byte == 0);
    Format::fitting(bytes).next().is_some() || (is_filled() && !is_zero())
}

/// Returns the bytes that follow the values at the beginning of a file and are no value, and their
/// offset, if there are many: more than [`TRAILER`], or more than the values have. The file then
/// probably has another format, and begins like a value by chance.
pub fn many_after_values(bytes: &[u8], dialect: Dialect) -> Option<(&[u8], usize)> {
    let end = end_of_values(bytes, dialect);
    let rest = bytes.get(end..)?;
    (end > 0 && rest.len() > end.min(TRAILER)).then_some((rest, end))
}

/// Returns `true` if most of the bytes are no values, or if no engine begins a value like this.
pub fn are_probably_no_values(bytes: &[u8], format: Format) -> bool {
    if format.frames {
        return false;
    }
    let is_foreign = || {
        let header = bytes.get(..4).unwrap_or_default();
        Dialect::ALL.iter().all(|dialect| has_no_type(header, *dialect))
    };
    many_after_values(bytes, format.dialect).is_some() || is_foreign()
}

/// Returns `true` if a header has no type id of the dialect.
fn has_no_type(header: &[u8], dialect: Dialect) -> bool {
    let error = Reader::new(header, dialect).skip().err();
    error.is_some_and(|error| matches!(error.kind(), ErrorKind::UnknownType { .. }))
}
