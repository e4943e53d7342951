//! The part of a file that Godot values fill.

use super::format::Format;
use gamewire::godot::{Dialect, ErrorKind, Reader};

/// Maximum number of bytes that may follow the values of a file. If more bytes follow, the file
/// probably has a different format.
const TRAILER: usize = 16;

/// Reads values that follow one another directly. Returns the offset at which the last one ends, or
/// 0 if there is none. Stops at the first value that cannot be read. Also stops at a header that no
/// engine writes, unless it is the first header.
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

/// Returns `true` if an engine could have written this header. In such a header, bits are set only
/// in the first byte, which holds the type, and in the third byte, which holds flags. When engines
/// read a header, they ignore all other bits.
fn is_usual_header(bytes: &[u8]) -> bool {
    matches!(bytes, [_, 0, _, 0, ..])
}

/// Returns `true` if the bytes are one value or frames of values in any dialect. Also returns
/// `true` if they are values in `dialect` that follow one another directly. Although four zeros are
/// the value Nil, a longer run of zeros does not count as values.
pub fn are_values(bytes: &[u8], dialect: Dialect) -> bool {
    let is_filled = || end_of_values(bytes, dialect) == bytes.len();
    let is_zero = || bytes.iter().all(|byte| *byte == 0);
    Format::fitting(bytes).next().is_some() || (is_filled() && !is_zero())
}

/// If a file begins with values and many other bytes follow, returns these other bytes and their
/// offset. Bytes are "many" if there are more than [`TRAILER`] of them, or more than the values
/// occupy. Such a file probably has a different format, and begins like a value only by chance.
pub fn many_after_values(bytes: &[u8], dialect: Dialect) -> Option<(&[u8], usize)> {
    let end = end_of_values(bytes, dialect);
    let rest = bytes.get(end..)?;
    (end > 0 && rest.len() > end.min(TRAILER)).then_some((rest, end))
}

/// Returns `true` if many other bytes follow the values, or if the bytes begin with a type id that
/// no dialect has. Returns `false` for a format with frames.
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

/// Returns `true` if the dialect has no type with the id in the header.
fn has_no_type(header: &[u8], dialect: Dialect) -> bool {
    let error = Reader::new(header, dialect).skip().err();
    error.is_some_and(|error| matches!(error.kind(), ErrorKind::UnknownType { .. }))
}
