//! Numbers, letters and colours out of a text.

use super::TextOptions;
use crate::rems::ErrorKind;
use crate::rems::str::{Piece, Str, escape};

type Result<T> = core::result::Result<T, ErrorKind>;

/// An integer of so many bits.
///
/// `_` counts for nothing; `0x`, `0b` and `#` begin other notations, and a leading zero an octal
/// number for the engine of 2026.
#[inline]
pub(crate) fn integer(token: &[u8], bits: u32, options: TextOptions) -> Result<i64> {
    let (negative, digits) = match token {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    let value = match plain(digits) {
        Some(value) if negative => value.wrapping_neg(),
        Some(value) => value,
        None => odd_integer(negative, digits, options)?,
    };
    let cut = 64_u32.saturating_sub(bits);
    match value.wrapping_shl(cut).wrapping_shr(cut) {
        same if same == value => Ok(value),
        other if options.wrapping => Ok(other),
        _ => Err(ErrorKind::Overflow),
    }
}

/// As every writer has it: digits, which fit, without a leading zero.
#[inline]
fn plain(digits: &[u8]) -> Option<i64> {
    match digits {
        [] | [b'0', _, ..] | [_, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, ..] => None,
        _ => digits.iter().try_fold(0i64, |value, byte| {
            let digit = byte.wrapping_sub(b'0');
            (digit < 10).then(|| value.wrapping_mul(10).wrapping_add(digit.into()))
        }),
    }
}

#[cold]
fn odd_integer(negative: bool, digits: &[u8], options: TextOptions) -> Result<i64> {
    let (base, digits, least) = match digits {
        [b'0', b'x' | b'X', digits @ ..] => (16, digits, 16),
        [b'0', b'b' | b'B', digits @ ..] => (2, digits, 2),
        [b'#', digits @ ..] => return signed(color_digits(digits)?.into(), negative, options),
        // 8 and 9 count as what they are, as they do for the engine.
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
        value &= (1 << 100) - 1; // what is above has no part in the lower 64 bits
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

/// A colour: in quotes and with `#`, or a number.
pub(crate) fn color(token: &[u8], options: TextOptions) -> Result<i32> {
    match token {
        [b'"', b'#', digits @ .., b'"'] | [b'#', digits @ ..] => {
            color_digits(digits).map_err(|_| ErrorKind::BadColor)
        }
        // One in two ways: as the signed number that it is, or without a sign.
        _ => match integer(token, 64, options)? {
            value @ -0x8000_0000..=0xFFFF_FFFF => Ok(value as i32),
            value if options.wrapping => Ok(value as i32),
            _ => Err(ErrorKind::Overflow),
        },
    }
}

/// Hexadecimal digits, one of which may stand for more.
fn color_digits(digits: &[u8]) -> Result<i32> {
    if digits.len() > 8 {
        return Err(ErrorKind::BadNumber);
    }
    let value = digits
        .iter()
        .try_fold(0u32, |value, digit| Some(value << 4 | char::from(*digit).to_digit(16)?));
    let value = value.ok_or(ErrorKind::BadNumber)?;
    /// Each digit twice.
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

/// `true` and `false` in any case of letters, in quotes or not; 1 and 0.
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

/// A unit of UTF-16: a letter between apostrophes or quotes, or its number.
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
        // Half of a pair, which no `char` is, is what its digits say.
        return Ok(match inner {
            [_, b'u', digits @ ..] => color_or_unit(digits).ok_or(ErrorKind::BadChar)?,
            _ => char as u32 as u16,
        });
    }
    let mut pieces = Str::new(inner).pieces();
    let text = match (pieces.next(), inner) {
        (Some(Piece::Bytes(bytes)), _) => core::str::from_utf8(bytes),
        _ => return Err(ErrorKind::BadChar),
    };
    match (text.map(|text| text.encode_utf16()), inner) {
        (Ok(mut units), _) => match (units.next(), units.next()) {
            (Some(unit), None) => Ok(unit),
            _ => Err(ErrorKind::BadChar),
        },
        // A file of late 2021 has the lower half of each unit.
        (Err(_), [byte]) => Ok((*byte).into()),
        (Err(_), _) => Err(ErrorKind::BadChar),
    }
}

fn color_or_unit(digits: &[u8]) -> Option<u16> {
    digits.iter().try_fold(0u16, |unit, digit| {
        let digit = u16::try_from(char::from(*digit).to_digit(16)?).ok()?;
        Some(unit.wrapping_shl(4) | digit)
    })
}

/// A real, rounded correctly.
#[inline]
pub(crate) fn double(token: &[u8]) -> Result<f64> {
    match decimal(token) {
        Some((decimal, [])) => decimal.double().map_or_else(|| odd_real(token), Ok),
        _ => odd_real(token),
    }
}

/// The same in single precision, rounded once: not by way of a double.
#[inline]
pub(crate) fn single(token: &[u8]) -> Result<f32> {
    match decimal(token) {
        Some((decimal, [])) => decimal.single().map_or_else(|| odd_real(token), Ok),
        _ => odd_real(token),
    }
}

/// What a number is made of, where that is little.
struct Decimal {
    digits: u64,
    /// Of ten; up to 22 either way, so that the power is a double.
    exponent: i32,
    negative: bool,
}

impl Decimal {
    /// As a double, where that is rounded but once: the digits are one, and the power.
    #[inline(always)]
    fn double(&self) -> Option<f64> {
        let value = scaled(self.digits, self.exponent);
        let value = if self.negative { -value } else { value };
        (self.digits <= 1 << 53).then_some(value)
    }

    /// As a single, where nothing is too near to the middle between two. Digits and product are
    /// off by less than two units of the last place of a double.
    #[inline(always)]
    fn single(&self) -> Option<f32> {
        let value = scaled(self.digits, self.exponent);
        let behind = value.to_bits() & 0x1FFF_FFFF;
        let safe = behind.abs_diff(0x1000_0000) > 4 && (1e-37..1e38).contains(&value);
        let value = if self.negative { -value } else { value };
        (safe || self.digits == 0).then_some(value as f32)
    }
}

/// What is before anything else, if it is a number that is not long; and what is behind it.
#[inline(always)]
fn decimal(bytes: &[u8]) -> Option<(Decimal, &[u8])> {
    let (negative, bytes) = match bytes {
        [b'-', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let (mut digits, mut rest) = run(0, bytes);
    let mut count = bytes.len().wrapping_sub(rest.len());
    let mut exponent = 0i32;
    if let [b'.', behind @ ..] = rest {
        (digits, rest) = run(digits, behind);
        let places = behind.len().wrapping_sub(rest.len());
        count = count.wrapping_add(places);
        exponent = (places as i32).wrapping_neg();
    }
    if let [b'e' | b'E', behind @ ..] = rest {
        let power;
        (power, rest) = self::power(behind)?;
        exponent = exponent.wrapping_add(power);
    }
    // More digits could have overflowed.
    let small = (1..20).contains(&count) && (-22..=22).contains(&exponent);
    small.then_some((Decimal { digits, exponent, negative }, rest))
}

/// Digits, put behind those that there are.
#[inline(always)]
fn run(mut digits: u64, mut rest: &[u8]) -> (u64, &[u8]) {
    while let [byte, behind @ ..] = rest {
        let digit = byte.wrapping_sub(b'0');
        if digit >= 10 {
            break;
        }
        digits = digits.wrapping_mul(10).wrapping_add(digit.into());
        rest = behind;
    }
    (digits, rest)
}

/// What is behind the letter of an exponent, if it is not large.
#[cold]
fn power(bytes: &[u8]) -> Option<(i32, &[u8])> {
    let (negative, bytes) = match bytes {
        [b'-', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let (power, rest) = run(0, bytes);
    let power = i32::try_from(power).ok()?;
    let some = (1..4).contains(&bytes.len().wrapping_sub(rest.len()));
    some.then_some((if negative { power.wrapping_neg() } else { power }, rest))
}

/// Numbers in a row: what is before a comma or bracket, if it is as writers have it, and how
/// many bytes it has.
#[inline(always)]
pub(crate) fn quick_double(bytes: &[u8]) -> Option<(f64, usize)> {
    let (decimal, rest) = decimal(bytes).filter(|(_, rest)| ends(rest))?;
    Some((decimal.double()?, bytes.len().wrapping_sub(rest.len())))
}

/// The same in single precision.
#[inline(always)]
pub(crate) fn quick_single(bytes: &[u8]) -> Option<(f32, usize)> {
    let (decimal, rest) = decimal(bytes).filter(|(_, rest)| ends(rest))?;
    Some((decimal.single()?, bytes.len().wrapping_sub(rest.len())))
}

/// The same of an integer of so many bits.
#[inline(always)]
pub(crate) fn quick_integer(bytes: &[u8], bits: u32) -> Option<(i64, usize)> {
    let (negative, digits) = match bytes {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    let (value, rest) = run(0, digits);
    let count = digits.len().wrapping_sub(rest.len());
    let leading_zero = count > 1 && digits.first() == Some(&b'0');
    let value = value.cast_signed();
    let value = if negative { value.wrapping_neg() } else { value };
    let cut = 64_u32.saturating_sub(bits);
    let fits = value.wrapping_shl(cut).wrapping_shr(cut) == value;
    let plain = (1..19).contains(&count) && !leading_zero && fits && ends(rest);
    plain.then_some((value, bytes.len().wrapping_sub(rest.len())))
}

#[inline(always)]
fn ends(rest: &[u8]) -> bool {
    matches!(rest, [b',' | b']', ..])
}

#[inline]
fn scaled(digits: u64, exponent: i32) -> f64 {
    let power = POWERS.get(exponent.unsigned_abs() as usize).copied().unwrap_or(1.0);
    if exponent < 0 { digits as f64 / power } else { digits as f64 * power }
}

/// The powers of ten that are doubles.
static POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// What a number may have of characters that count for nothing, and still be put together.
const ROOM: usize = 1100;

/// All other numbers, and the words that engines write and cannot read.
#[cold]
fn odd_real<T: core::str::FromStr + From<f32>>(token: &[u8]) -> Result<T> {
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
    let mut room = [0; ROOM];
    let mut len = 0usize;
    for byte in token.iter().filter(|byte| **byte != b'_') {
        *room.get_mut(len).ok_or(ErrorKind::BadNumber)? = *byte;
        len = len.wrapping_add(1);
    }
    real(room.get(..len).unwrap_or_default())
}

fn real<T: core::str::FromStr>(token: &[u8]) -> Result<T> {
    let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    // Not the words that Rust knows for infinity.
    let text = core::str::from_utf8(token).ok().filter(|_| token.iter().all(is_part));
    text.and_then(|text| text.parse().ok()).ok_or(ErrorKind::BadNumber)
}
