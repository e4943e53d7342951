//! Parses element counts and object numbers.

use super::options::TextOptions;
use super::scan::Scan;
use super::{digits, number};
use crate::rems::{ErrorKind, Result};

/// Reads the count at the start of an array, after the bracket. Returns 0 for an empty array.
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
    up_to(scan, options, MAX, bad).map(|number| number as u32)
}

const MAX: i64 = i32::MAX as i64;

/// Reads a reference to an object: a number from 0 to 2⁶³ − 1, quoted or not. In May 2020 objects
/// had numbers of 64 bits.
#[inline]
pub(crate) fn reference(scan: &mut Scan<'_>, options: TextOptions) -> Result<u64> {
    up_to(scan, options, i64::MAX, ErrorKind::BadPointer).map(i64::cast_unsigned)
}

#[inline(always)]
fn up_to(
    scan: &mut Scan<'_>,
    options: TextOptions,
    max: i64,
    bad: fn(i64) -> ErrorKind,
) -> Result<i64> {
    let start = *scan;
    if let Some((number, len)) = digits::parse_integer(scan.rest())
        && (0..=max).contains(&number)
        && matches!(scan.rest().get(len), Some(b',' | b']' | b'}'))
    {
        scan.advance(len);
        return Ok(number);
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
        Ok(number) if (0..=max).contains(&number) => Ok(number),
        Ok(number) => Err(start.error(bad(number))),
        Err(kind) => Err(start.error(kind)),
    }
}
