//! Parses the number tokens of text saves.

use super::Options;
use super::tree::Part;
use super::types::Scalar;

/// Parses a token as one component, or returns the error.
pub fn part(token: &[u8], scalar: Scalar, options: Options) -> Result<Part, &'static str> {
    let integer = |bits| fitting(integer(token, options)?, bits, options);
    Ok(match scalar {
        Scalar::Bool => Part::Bool(bool(token).ok_or("neither true nor false")?),
        Scalar::I8 => Part::I8(integer(8)? as i8),
        Scalar::I16 => Part::I16(integer(16)? as i16),
        Scalar::I32 => Part::I32(integer(32)? as i32),
        // A colour may be a signed or an unsigned number of 32 bits.
        Scalar::Color => match self::integer(token, options)?.exact {
            Some(color @ 0..=0xFFFF_FFFF) => Part::I32(color as i32),
            _ => Part::I32(integer(32)? as i32),
        },
        Scalar::I64 => Part::I64(integer(64)?),
        Scalar::F32 => Part::F32(float::<f32>(token)?.to_bits()),
        Scalar::F64 => Part::F64(float::<f64>(token)?.to_bits()),
        Scalar::Char => Part::Char(unit(token, options)?),
        Scalar::Text => panic!("text is no number"),
    })
}

fn bool(token: &[u8]) -> Option<bool> {
    match token.to_ascii_lowercase().as_slice() {
        b"1" | b"true" => Some(true),
        b"0" | b"false" => Some(false),
        _ => None,
    }
}

fn unit(token: &[u8], options: Options) -> Result<u16, &'static str> {
    let number = integer(token, options)?;
    match number.exact {
        Some(unit @ 0..=0xFFFF) => Ok(unit as u16),
        _ if options.wrapping => Ok(number.wrapped as u16),
        _ => Err("no unit of UTF-16"),
    }
}

/// The exact value of an integer, if it fits in an `i128`, and its value truncated to 64 bits.
#[derive(Clone, Copy)]
pub struct Integer {
    pub exact: Option<i128>,
    pub wrapped: i64,
}

/// Parses a decimal, hexadecimal, octal or binary integer, or a colour.
pub fn integer(token: &[u8], options: Options) -> Result<Integer, &'static str> {
    let (negative, digits) = match token {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    let (radix, digits) = match digits {
        [b'0', b'x' | b'X', digits @ ..] => (16, digits),
        [b'0', b'b' | b'B', digits @ ..] => (2, digits),
        [b'0', _, ..] if options.octal => (8, digits),
        digits => (10, digits),
    };
    let number = match digits {
        [b'#', digits @ ..] => color(digits, &[1, 3, 4, 6, 8])
            .map(|color| Integer { exact: Some(color.into()), wrapped: color.into() }),
        digits => accumulated(digits, radix),
    };
    let number = number.ok_or("no integer")?;
    Ok(match negative {
        true => Integer {
            exact: number.exact.map(|exact| -exact),
            wrapped: number.wrapped.wrapping_neg(),
        },
        false => number,
    })
}

/// Converts digits to a number. Octal numbers may contain the digits 8 and 9.
fn accumulated(digits: &[u8], radix: u32) -> Option<Integer> {
    let mut number = Integer { exact: Some(0), wrapped: 0 };
    let allowed = if radix == 8 { 10 } else { radix };
    let mut any = false;
    for digit in digits.iter().filter(|digit| **digit != b'_') {
        let digit = char::from(*digit).to_digit(allowed)?;
        let longer = |exact: i128| exact.checked_mul(radix.into())?.checked_add(digit.into());
        number.exact = number.exact.and_then(longer);
        number.wrapped = number.wrapped.wrapping_mul(radix.into()).wrapping_add(digit.into());
        any = true;
    }
    any.then_some(number)
}

fn fitting(number: Integer, bits: u32, options: Options) -> Result<i64, &'static str> {
    let limit = 1_i128 << (bits - 1);
    match number.exact {
        Some(exact) if (-limit..limit).contains(&exact) => Ok(exact as i64),
        _ if options.wrapping => Ok(number.wrapped),
        _ => Err("an integer too large for its type"),
    }
}

/// Parses the hexadecimal digits after `#` as `0xAARRGGBB`. Returns `None` if the number of digits
/// is not one of `lengths`, or if a digit is not hexadecimal.
pub fn color(digits: &[u8], lengths: &[usize]) -> Option<i32> {
    let nibbles: Option<Vec<_>> =
        digits.iter().map(|digit| char::from(*digit).to_digit(16)).collect();
    let nibbles = nibbles.filter(|nibbles| lengths.contains(&nibbles.len()))?;
    let argb = match *nibbles.as_slice() {
        [all] => vec![15, 15, all, all, all, all, all, all],
        [r, g, b] => vec![15, 15, r, r, g, g, b, b],
        [a, r, g, b] => vec![a, a, r, r, g, g, b, b],
        [_, _, _, _, _, _] => [&[15, 15], &nibbles[..]].concat(),
        _ => nibbles,
    };
    Some(argb.into_iter().fold(0, |color, nibble| color << 4 | nibble) as i32)
}

/// Parses a float in approximately the syntax of Java.
fn float<T: std::str::FromStr + From<f32>>(token: &[u8]) -> Result<T, &'static str> {
    match token {
        b"NaN" => return Ok(f32::NAN.into()),
        b"Infinity" => return Ok(f32::INFINITY.into()),
        b"-Infinity" => return Ok(f32::NEG_INFINITY.into()),
        _ => {}
    }
    let allowed = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    let digits: Vec<u8> = token.iter().copied().filter(|byte| *byte != b'_').collect();
    if !digits.iter().all(allowed) {
        return Err("no real");
    }
    let digits = String::from_utf8(digits).map_err(|_| "no real")?;
    digits.parse().map_err(|_| "no real")
}
