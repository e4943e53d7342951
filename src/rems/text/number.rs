//! Decodes numbers, bools, characters and colours of text files. Tries the fast paths of `digits`
//! first, and then every form that an engine reads.

use super::digits::{self, parse_integer, zero_padded};
use super::options::TextOptions;
use crate::rems::ErrorKind;
use crate::rems::str::{Piece, StrRef, escape};

type Result<T> = core::result::Result<T, ErrorKind>;

/// Parses an integer of `bits` bits.
///
/// Underscores are ignored. `0x`, `0b` and `#` start other notations. A leading zero starts an
/// octal number if `options.octal` is `true`.
#[inline]
pub(crate) fn integer(token: &[u8], bits: u32, options: TextOptions) -> Result<i64> {
    let value = match parse_integer(&zero_padded(token)) {
        Some((value, len)) if len == token.len() => value,
        _ => general_integer(token, options)?,
    };
    let cut = 64_u32.saturating_sub(bits);
    match value.wrapping_shl(cut).wrapping_shr(cut) {
        same if same == value => Ok(value),
        other if options.wrapping => Ok(other),
        _ => Err(ErrorKind::Overflow),
    }
}

#[cold]
fn general_integer(token: &[u8], options: TextOptions) -> Result<i64> {
    let (negative, digits) = match token {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    let (base, digits, least) = match digits {
        [b'0', b'x' | b'X', digits @ ..] => (16, digits, 16),
        [b'0', b'b' | b'B', digits @ ..] => (2, digits, 2),
        [b'#', digits @ ..] => return signed(color_digits(digits)?.into(), negative, options),
        // Like the engine, accept the digits 8 and 9 in octal numbers, with the values 8 and 9.
        [b'0', digits @ ..] if options.octal => (8, digits, 10),
        digits => (10, digits, 10),
    };
    let mut value = 0i128;
    let mut any = base == 8;
    for byte in digits.iter().filter(|byte| **byte != b'_') {
        let digit = char::from(*byte).to_digit(least).ok_or(ErrorKind::BadNumber)?;
        value = value.wrapping_mul(base).wrapping_add(digit.into());
        if value > i128::from(u64::MAX) && !options.wrapping {
            return Err(ErrorKind::Overflow);
        }
        value &= (1 << 100) - 1; // higher bits do not affect the lower 64
        any = true;
    }
    match any {
        true => signed(value, negative, options),
        false => Err(ErrorKind::BadNumber),
    }
}

fn signed(value: i128, negative: bool, options: TextOptions) -> Result<i64> {
    let value = if negative { value.wrapping_neg() } else { value };
    match i64::try_from(value) {
        Ok(value) => Ok(value),
        Err(_) if options.wrapping => Ok(value as i64),
        Err(_) => Err(ErrorKind::Overflow),
    }
}

/// Parses a colour: a number, or a quoted string of `#` and hexadecimal digits.
pub(crate) fn color(token: &[u8], options: TextOptions) -> Result<i32> {
    match token {
        // Only a number without quotes can have a single digit after `#`.
        [b'"', b'#', _, b'"'] => Err(ErrorKind::BadColor),
        [b'"', b'#', digits @ .., b'"'] | [b'#', digits @ ..] => {
            color_digits(digits).map_err(|_| ErrorKind::BadColor)
        }
        // The number may be the signed or the unsigned value of the 32 bits.
        _ => match integer(token, 64, options)? {
            value @ -0x8000_0000..=0xFFFF_FFFF => Ok(value as i32),
            value if options.wrapping => Ok(value as i32),
            _ => Err(ErrorKind::Overflow),
        },
    }
}

/// Parses the hexadecimal digits of a colour. Accepts the short forms, too.
fn color_digits(digits: &[u8]) -> Result<i32> {
    if digits.len() > 8 {
        return Err(ErrorKind::BadNumber);
    }
    let value = digits
        .iter()
        .try_fold(0u32, |value, digit| Some(value << 4 | char::from(*digit).to_digit(16)?));
    let value = value.ok_or(ErrorKind::BadNumber)?;
    /// Repeats each hexadecimal digit.
    const fn doubled(value: u32) -> u32 {
        let spread =
            (value & 0xF000) << 12 | (value & 0xF00) << 8 | (value & 0xF0) << 4 | value & 0xF;
        spread | spread << 4
    }
    const OPAQUE: u32 = 0xFF00_0000;
    Ok(match digits.len() {
        1 => OPAQUE | value.wrapping_mul(0x11_1111),
        3 => OPAQUE | doubled(value),
        4 => doubled(value),
        6 => OPAQUE | value,
        8 => value,
        _ => return Err(ErrorKind::BadNumber),
    }
    .cast_signed())
}

/// Parses `true` and `false` in any case, quoted or not, and 1 and 0.
pub(crate) fn boolean(token: &[u8]) -> Result<bool> {
    match unquoted(token) {
        b"1" | b"true" => Ok(true),
        b"0" | b"false" => Ok(false),
        word if word.eq_ignore_ascii_case(b"true") => Ok(true),
        word if word.eq_ignore_ascii_case(b"false") => Ok(false),
        _ => Err(ErrorKind::BadBool),
    }
}

fn unquoted(token: &[u8]) -> &[u8] {
    match token {
        [b'"', inner @ .., b'"'] => inner,
        bare => bare,
    }
}

/// Parses a UTF-16 code unit: a character in apostrophes or quotes, or a number.
pub(crate) fn unit(token: &[u8], options: TextOptions) -> Result<u16> {
    match token {
        [b'\'', b'\\', b'\''] => Ok(b'\\'.into()),
        [b'\'', inner @ .., b'\''] | [b'"', inner @ .., b'"'] => letter(inner),
        _ => match integer(token, 64, options)? {
            value @ 0..=0xFFFF => Ok(value as u16),
            value if options.wrapping => Ok(value as u16),
            _ => Err(ErrorKind::Overflow),
        },
    }
}

fn letter(inner: &[u8]) -> Result<u16> {
    if let [b'\\', _, ..] = inner
        && let Some((char, len)) = escape(inner)
        && len == inner.len()
    {
        // A `\u` escape can be an unpaired surrogate, which is not a `char`. Parse its digits
        // directly.
        return Ok(match inner {
            [_, b'u', digits @ ..] => hex_unit(digits).ok_or(ErrorKind::BadChar)?,
            _ => char as u32 as u16,
        });
    }
    let mut pieces = StrRef::new(inner).pieces();
    let text = match (pieces.next(), inner) {
        (Some(Piece::Bytes(bytes)), _) => core::str::from_utf8(bytes),
        _ => return Err(ErrorKind::BadChar),
    };
    match (text.map(|text| text.encode_utf16()), inner) {
        (Ok(mut units), _) => match (units.next(), units.next()) {
            (Some(unit), None) => Ok(unit),
            _ => Err(ErrorKind::BadChar),
        },
        // Files from late 2021 contain only the lower byte of each UTF-16 code unit.
        (Err(_), [byte]) => Ok((*byte).into()),
        (Err(_), _) => Err(ErrorKind::BadChar),
    }
}

fn hex_unit(digits: &[u8]) -> Option<u16> {
    digits.iter().try_fold(0u16, |unit, digit| {
        let digit = u16::try_from(char::from(*digit).to_digit(16)?).ok()?;
        Some(unit.wrapping_shl(4) | digit)
    })
}

/// Parses a double-precision number, correctly rounded.
pub(crate) fn double(token: &[u8]) -> Result<f64> {
    digits::double(token).map_or_else(|| general_real(token), Ok)
}

/// Parses a single-precision number, and rounds it correctly. The number is not parsed as a double
/// first, because it would then be rounded twice.
pub(crate) fn single(token: &[u8]) -> Result<f32> {
    digits::single(token).map_or_else(|| general_real(token), Ok)
}

/// Maximum length of a number that contains underscores, not counting the underscores.
const MAX_DIGITS: usize = 1100;

/// Parses all numbers that the fast paths do not accept, as well as `NaN`, `Infinity` and
/// `-Infinity`, which engines write without quotes but cannot read back in this form.
#[cold]
fn general_real<T: core::str::FromStr + From<f32>>(token: &[u8]) -> Result<T> {
    let token = unquoted(token);
    match token {
        b"NaN" => return Ok(f32::NAN.into()),
        b"Infinity" => return Ok(f32::INFINITY.into()),
        b"-Infinity" => return Ok(f32::NEG_INFINITY.into()),
        _ => {}
    }
    if !token.contains(&b'_') {
        return real(token);
    }
    let mut buffer = [0; MAX_DIGITS];
    let mut len = 0usize;
    for byte in token.iter().filter(|byte| **byte != b'_') {
        *buffer.get_mut(len).ok_or(ErrorKind::BadNumber)? = *byte;
        len = len.wrapping_add(1);
    }
    real(buffer.get(..len).unwrap_or_default())
}

fn real<T: core::str::FromStr>(token: &[u8]) -> Result<T> {
    let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    // This check excludes `inf`, `nan` and similar words, which Rust's parser accepts.
    let text = core::str::from_utf8(token).ok().filter(|_| token.iter().all(is_part));
    text.and_then(|text| text.parse().ok()).ok_or(ErrorKind::BadNumber)
}
