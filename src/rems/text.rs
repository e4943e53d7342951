//! Files that are text: JSON, as far as that goes.

mod close;
pub(crate) mod digits;
mod lanes;
pub(crate) mod number;
mod reader;
pub(crate) mod scan;

pub use reader::TextReader;
pub(crate) use scan::Scan;

use super::{ErrorKind, Result};

/// How a text is to be read where engines do not agree.
///
/// No writer writes anything that depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextOptions {
    /// Whether an integer with a leading zero is octal, as since 2022, or decimal, as in 2021.
    /// True by default.
    pub octal: bool,
    /// Whether an integer loses the bits that its kind has no room for, as it does for all
    /// engines. By default that is an error.
    pub wrapping: bool,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self { octal: true, wrapping: false }
    }
}

/// The count at the beginning of an array, behind its bracket; 0 where there is none.
///
/// In quotes, too, as the engine of 2021 takes it.
#[inline]
pub(crate) fn array_len(scan: &mut Scan<'_>, options: TextOptions) -> Result<u32> {
    scan.skip_whitespace();
    match scan.peek() {
        Some(b']') => Ok(0),
        _ => non_negative(scan, options, ErrorKind::BadCount),
    }
}

/// A number from 0 to 2³¹ - 1, in quotes or not.
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
    // What is too large is never a count: no bits are lost here.
    let options = TextOptions { wrapping: false, ..options };
    match number::integer(token, 64, options) {
        Ok(number @ 0..=0x7FFF_FFFF) => Ok(number as u32),
        Ok(number) => Err(start.error(bad(number))),
        Err(kind) => Err(start.error(kind)),
    }
}
