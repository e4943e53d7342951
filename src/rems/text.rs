//! Text files: JSON with typed keys and some deviations.

mod close;
pub(crate) mod digits;
mod lanes;
pub(crate) mod number;
mod reader;
pub(crate) mod scan;

pub use reader::TextReader;
pub(crate) use scan::Scan;

use super::{ErrorKind, Result};

/// Options for texts on which engines disagree.
///
/// No engine writes anything that depends on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextOptions {
    /// `true` if an integer with a leading zero is octal, as since 2022; `false` if it is decimal,
    /// as in 2021. The default is `true`.
    pub octal: bool,
    /// `true` if an integer out of range for its kind loses its upper bits, as in all engines;
    /// `false` if it is an error. The default is `false`.
    pub wrapping: bool,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self { octal: true, wrapping: false }
    }
}

/// Reads the count at the start of an array, after the bracket; 0 for an empty array.
///
/// The count may be quoted, as in the engine of 2021.
#[inline]
pub(crate) fn array_len(scan: &mut Scan<'_>, options: TextOptions) -> Result<u32> {
    scan.skip_whitespace();
    match scan.peek() {
        Some(b']') => Ok(0),
        _ => non_negative(scan, options, ErrorKind::BadCount),
    }
}

/// Reads a number from 0 to 2³¹ − 1, quoted or not.
#[inline]
pub(crate) fn non_negative(
    scan: &mut Scan<'_>,
    options: TextOptions,
    bad: fn(i64) -> ErrorKind,
) -> Result<u32> {
    let start = *scan;
    if let Some((number @ 0..=0x7FFF_FFFF, len)) = digits::parse_integer(scan.rest())
        && matches!(scan.rest().get(len), Some(b',' | b']' | b'}'))
    {
        scan.advance(len);
        return Ok(number as u32);
    }
    let token = match scan.peek() {
        Some(b'"') => scan.string("a number")?.raw(),
        _ => scan.token(),
    };
    if token.is_empty() {
        return Err(start.expected("a number"));
    }
    // A count that is too large must not wrap.
    let options = TextOptions { wrapping: false, ..options };
    match number::integer(token, 64, options) {
        Ok(number @ 0..=0x7FFF_FFFF) => Ok(number as u32),
        Ok(number) => Err(start.error(bad(number))),
        Err(kind) => Err(start.error(kind)),
    }
}
