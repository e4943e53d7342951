//! Parses element counts and object numbers.

use super::options::TextOptions;
use super::scan::Scan;
use super::{digits, number};
use crate::rems::{ErrorKind, Result};

/// Reads the count at the start of an array, after the bracket; 0 for an empty array.
///
/// Like the engine of 2021, accepts a count in quotes.
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
    // A count or number that is too large is an error, even if `options` allow integers to wrap.
    let options = TextOptions { wrapping: false, ..options };
    match number::integer(token, 64, options) {
        Ok(number @ 0..=0x7FFF_FFFF) => Ok(number as u32),
        Ok(number) => Err(start.error(bad(number))),
        Err(kind) => Err(start.error(kind)),
    }
}
