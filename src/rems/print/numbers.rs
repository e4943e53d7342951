//! Prints numbers and colours as the engine prints them in text files.

use super::buffer::ItemBuffer;
use super::decimal;
use super::dialect::Dialect;
use super::shortest;
use super::unreadable::{Unreadable, Verdict};
use crate::rems::Kind;
use core::fmt::Write;

#[inline]
pub(crate) fn integer(value: impl Into<i64>, to: &mut ItemBuffer) -> Verdict {
    let value = value.into();
    if !to.print(|space| decimal::print_integer(value, space)) {
        to.push(itoa::Buffer::new().format(value).as_bytes());
    }
    Ok(())
}

/// Prints `true` or `false`; in arrays, 1 or 0.
pub(crate) fn boolean(value: bool, in_array: bool, to: &mut ItemBuffer) -> Verdict {
    to.push(match (in_array, value) {
        (false, true) => b"true",
        (false, false) => b"false",
        (true, true) => b"1",
        (true, false) => b"0",
    });
    Ok(())
}

/// Prints the shortest hexadecimal form that represents the colour exactly.
pub(crate) fn color(value: i32, to: &mut ItemBuffer) -> Verdict {
    let value = value.cast_unsigned();
    let opaque = value >> 24 == 0xFF;
    let halved = value & 0xF0F0_F0F0 == (value & 0x0F0F_0F0F) << 4;
    let (mut digits, count) = match (halved, opaque) {
        (true, true) => (halves(value), 3),
        (true, false) => (halves(value), 4),
        (false, true) => (value, 6),
        (false, false) => (value, 8),
    };
    let mut text = [b'"'; 10];
    if let Some(first) = text.first_mut() {
        *first = b'#';
    }
    for place in text.iter_mut().skip(1).take(count).rev() {
        *place = b"0123456789abcdef".get((digits & 15) as usize).copied().unwrap_or(b'0');
        digits >>= 4;
    }
    to.push(b"\"");
    to.push(text.get(..count.wrapping_add(2)).unwrap_or_default());
    Ok(())
}

/// Returns every second hexadecimal digit, starting with the lowest.
const fn halves(value: u32) -> u32 {
    value & 0xF | (value >> 8 & 0xF) << 4 | (value >> 16 & 0xF) << 8 | (value >> 24) << 12 & 0xF000
}

/// Returns the character that follows the backslash in the escape of a byte, or `None` if the byte
/// needs no escape.
#[inline]
pub(crate) const fn escape(byte: u8) -> Option<u8> {
    Some(match byte {
        b'"' | b'\\' => byte,
        b'\t' => b't',
        b'\r' => b'r',
        b'\n' => b'n',
        8 => b'b',
        12 => b'f',
        _ => return None,
    })
}

/// Prints a single-precision number. The engine of 2021 prints the shortest digits that identify
/// the single-precision number. The engine of 2026 converts it to a double and prints the shortest
/// digits of the double.
#[inline]
pub(crate) fn single(value: f32, dialect: Dialect, to: &mut ItemBuffer) -> Verdict {
    match dialect {
        Dialect::Engine2026 => double(value.into(), dialect, to),
        Dialect::Engine2021 => real(value, dialect, to, zmij::Buffer::format_finite::<f32>),
    }
}

/// Prints a double-precision number.
#[inline]
pub(crate) fn double(value: f64, dialect: Dialect, to: &mut ItemBuffer) -> Verdict {
    match to.print(|space| shortest::print(value, space)) {
        true => Ok(()),
        false => real(value, dialect, to, zmij::Buffer::format_finite::<f64>),
    }
}

/// Prints several double-precision numbers of the most common form; see
/// [`Emit::print_row`](super::Emit::print_row).
#[inline(never)]
pub(crate) fn doubles<const N: usize>(values: [f64; N], first: u8, to: &mut ItemBuffer) -> bool {
    to.print(|space| shortest::print_row(values, first, space))
}

/// Prints the fewest digits that identify the number, in the notation of Java. Numbers from 10⁻³ up
/// to, but not including, 10⁷ have no exponent; all others have one. Removes a final `.0`, as the
/// engine does.
#[inline(never)]
fn real<T: Into<f64> + Copy + core::fmt::LowerExp>(
    value: T,
    dialect: Dialect,
    to: &mut ItemBuffer,
    digits: impl for<'b> Fn(&'b mut zmij::Buffer, T) -> &'b str,
) -> Verdict {
    let wide: f64 = value.into();
    let size = wide.abs();
    if size == 0.0 {
        let negative = wide.is_sign_negative() && dialect == Dialect::Engine2021;
        to.push(if negative { b"-0" } else { b"0" });
        return Ok(());
    }
    // This condition must be false for NaN.
    if (1e-3..1e7).contains(&size) {
        let mut buffer = zmij::Buffer::new();
        let digits = digits(&mut buffer, value).as_bytes();
        to.push(digits.strip_suffix(b".0").unwrap_or(digits));
        return Ok(());
    }
    if size.is_finite() {
        scientific(value, to, digits(&mut zmij::Buffer::new(), value));
        return Ok(());
    }
    to.push(match wide {
        f64::INFINITY => b"Infinity",
        f64::NEG_INFINITY => b"-Infinity",
        _ => b"NaN",
    });
    Err(Unreadable::NotFinite)
}

/// Prints one digit, a point, at least one more digit, and the exponent. `digits` are the shortest
/// digits in any layout.
#[cold]
fn scientific<T: core::fmt::LowerExp>(value: T, to: &mut ItemBuffer, digits: &str) {
    let (mantissa, exponent) = digits.split_once('e').unwrap_or((digits, "0"));
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(mantissa) => ("-", mantissa),
        None => ("", mantissa),
    };
    let (whole, behind) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = [whole, behind].map(str::as_bytes);
    let is_zero = |byte: &&u8| **byte == b'0';
    let leading = all.iter().flat_map(|part| part.iter()).take_while(is_zero).count();
    let count = whole.len().wrapping_add(behind.len());
    let trailing = all.iter().rev().flat_map(|part| part.iter().rev()).take_while(is_zero).count();
    let significant = count.saturating_sub(leading).saturating_sub(trailing);
    // Java prints at least two digits. One digit is enough to identify some very small numbers, but
    // the second digit that Java prints is then not always zero. For example, Java prints the
    // smallest double as 4.9E-324.
    if significant < 2 {
        let start = to.len();
        let _ = write!(to, "{value:.1e}");
        to.since(start).make_ascii_uppercase();
        return;
    }
    to.push(sign.as_bytes());
    let mut bytes = all.iter().flat_map(|part| part.iter()).skip(leading).take(significant);
    if let Some(first) = bytes.next() {
        to.push(&[*first, b'.']);
    }
    bytes.for_each(|byte| to.push(&[*byte]));
    let given: i32 = exponent.parse().unwrap_or(0);
    let moved = (whole.len() as i32).wrapping_sub(leading as i32).wrapping_sub(1);
    to.push(b"E");
    to.push(itoa::Buffer::new().format(given.wrapping_add(moved)).as_bytes());
}

/// Returns `true` for kinds whose values may omit components in text files. These kinds are the
/// vectors of floating-point numbers and the matrices.
pub(crate) fn shortens(kind: Kind) -> bool {
    use Kind::*;
    matches!(kind, Vec2 | Vec3 | Vec4 | Vec2d | Vec3d | Vec4d) || is_matrix(kind)
}

pub(crate) fn is_matrix(kind: Kind) -> bool {
    kind.columns() > 1 && !matches!(kind, Kind::Aabb | Kind::Aabbd)
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate alloc;

    fn shown(print: impl FnOnce(&mut ItemBuffer)) -> alloc::string::String {
        let mut to = ItemBuffer::new();
        print(&mut to);
        core::str::from_utf8(to.as_bytes()).unwrap().into()
    }

    /// Checks that doubles are printed as Java prints them, but without a final `.0`, as in the
    /// engine of 2026.
    #[test]
    fn doubles_as_java_has_them() {
        let table = [
            (0.1, "0.1"),
            (1.0 / 3.0, "0.3333333333333333"),
            (0.001, "0.001"),
            (0.0009999, "9.999E-4"),
            (1.0E-4, "1.0E-4"),
            (9999999.0, "9999999"),
            (9999999.5, "9999999.5"),
            (1.0E7, "1.0E7"),
            (-1.0E7, "-1.0E7"),
            (12345678.0, "1.2345678E7"),
            (123456789012.5, "1.234567890125E11"),
            (f64::MAX, "1.7976931348623157E308"),
            (f64::from_bits(1), "4.9E-324"),
            (f64::from_bits(2), "9.9E-324"),
            (f64::from_bits(3), "1.5E-323"),
            (f64::MIN_POSITIVE, "2.2250738585072014E-308"),
            (1.0E23, "1.0E23"),
            (2.0E-3, "0.002"),
            (100.0, "100"),
            (-98.5, "-98.5"),
            (1.0E21, "1.0E21"),
            (1.0E100, "1.0E100"),
        ];
        for (value, text) in table {
            let found = shown(|to| double(value, Dialect::Engine2026, to).unwrap());
            assert_eq!(found, text);
        }
    }

    #[test]
    fn singles_of_both_times() {
        let table = [
            (0.1, "0.1", "0.10000000149011612"),
            (-7.9, "-7.9", "-7.900000095367432"),
            (f32::MAX, "3.4028235E38", "3.4028234663852886E38"),
            (f32::from_bits(1), "1.4E-45", "1.401298464324817E-45"),
            (1.0E-4, "1.0E-4", "9.999999747378752E-5"),
            (-0.0, "-0", "0"),
            (1.0E7, "1.0E7", "1.0E7"),
            (16777216.0, "1.6777216E7", "1.6777216E7"),
            (-3.0456838E-4, "-3.0456838E-4", "-3.0456838430836797E-4"),
        ];
        for (value, of_2021, of_2026) in table {
            assert_eq!(shown(|to| single(value, Dialect::Engine2021, to).unwrap()), of_2021);
            let found = shown(|to| single(value, Dialect::Engine2026, to).unwrap());
            assert_eq!(found, of_2026);
        }
    }

    #[test]
    fn colors() {
        let table = [
            (0xFFFF_FFFF_u32, "\"#fff\""),
            (0, "\"#0000\""),
            (0xFF11_2233, "\"#123\""),
            (0x8811_2233, "\"#8123\""),
            (0xFF12_3456, "\"#123456\""),
            (0x8012_3456, "\"#80123456\""),
        ];
        for (value, text) in table {
            assert_eq!(shown(|to| color(value.cast_signed(), to).unwrap()), text);
        }
    }
}
