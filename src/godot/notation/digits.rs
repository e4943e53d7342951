//! Prints numbers with the same digits as the engines.
//!
//! Godot 4 uses Grisu2 (Florian Loitsch, "Printing Floating-Point Numbers Quickly and Accurately
//! with Integers", 2010). Its digits always parse back to the same number. For one in a few hundred
//! numbers, however, they are not the shortest or not the closest digits that do so. The standard
//! library always prints the shortest and closest digits, so its result would differ for these
//! numbers. Godot 3 rounds to `f32` and prints with C's `%g`.

use super::keywords;
use super::powers::Power;
use core::fmt::{self, Write};

/// The algorithm by which an engine prints floating-point numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// Grisu2. A number that `f32` can represent exactly is printed with the digits of the `f32`. A
    /// number with more than 15 integer digits is printed with an exponent.
    Grisu2,
    /// C's `%g` on the number rounded to `f32`: six significant digits.
    SixDigits,
}

impl Numbers {
    /// Prints a value of type float. Adds `.0` to a whole number, so that it does not look like an
    /// int.
    pub(super) fn float(self, out: &mut impl Write, value: f64) -> fmt::Result {
        let text = self.text(value)?;
        out.write_str(text.as_str())?;
        // The engine makes the same check, so `inf` and `nan` are printed without `.0`.
        let is_whole = text.as_str().bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        if is_whole { out.write_str(".0") } else { Ok(()) }
    }

    /// Prints a number that is a component of a vector or similar type, without adding `.0`.
    pub(super) fn part(self, out: &mut impl Write, value: f64) -> fmt::Result {
        out.write_str(self.text(value)?.as_str())
    }

    fn text(self, value: f64) -> Result<InlineText, fmt::Error> {
        let narrow = value as f32;
        match self {
            Self::SixDigits => self.finite_text(narrow.into(), || six_digits(narrow)),
            Self::Grisu2 if f64::from(narrow) == value => {
                self.finite_text(value, || shortest(Binary::of_f32(narrow)))
            }
            Self::Grisu2 => self.finite_text(value, || shortest(Binary::of_f64(value))),
        }
    }

    /// Returns the text of a number. `digits` returns the digits of its absolute value, and is only
    /// called for a finite number other than 0.
    fn finite_text(
        self,
        value: f64,
        digits: impl FnOnce() -> Decimal,
    ) -> Result<InlineText, fmt::Error> {
        let mut text = InlineText::default();
        match value {
            0.0 => text.write_str("0")?, // The engines print −0.0 without its sign.
            f64::INFINITY => text.write_str(keywords::INF)?,
            f64::NEG_INFINITY => text.write_str(keywords::INF_NEG)?,
            _ if value.is_nan() => text.write_str(keywords::NAN)?,
            _ => {
                if value.is_sign_negative() {
                    text.write_str("-")?;
                }
                digits().format(&mut text, self.max_integer_digits())?;
            }
        }
        Ok(text)
    }

    /// Returns the maximum number of digits before the point. Larger numbers are printed with an
    /// exponent.
    const fn max_integer_digits(self) -> i32 {
        match self {
            Self::Grisu2 => 15,
            Self::SixDigits => 6,
        }
    }
}

/// Text in an inline buffer. The longest number fits: it has 17 digits, two signs, a point, and
/// either four leading zeros or an `e` and three digits of an exponent.
#[derive(Clone, Copy, Debug, Default)]
struct InlineText {
    bytes: [u8; 32],
    len: usize,
}

impl InlineText {
    fn as_str(&self) -> &str {
        let bytes = self.bytes.get(..self.len).unwrap_or_default();
        core::str::from_utf8(bytes).unwrap_or_default()
    }
}

impl Write for InlineText {
    #[allow(clippy::disallowed_methods, reason = "the range is as long as the text")]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len.saturating_add(text.len());
        self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

/// A positive decimal number: an integer, given by its digits, times a power of ten.
#[derive(Clone, Copy, Debug, Default)]
struct Decimal {
    digits: InlineText,
    exponent: i32,
}

impl Decimal {
    /// Writes the number. Uses an exponent if the number has more than `max_integer_digits` digits
    /// before the point, or more than three zeros between the point and its first digit.
    fn format(&self, out: &mut InlineText, max_integer_digits: i32) -> fmt::Result {
        let digits = self.digits.as_str();
        let len = digits.len();
        // The number of digits before the point; negative if zeros follow the point.
        let point = self.exponent.saturating_add(len as i32);
        let before = usize::try_from(point).unwrap_or(0);
        if point < -3 || point > max_integer_digits {
            let (first, rest) = digits.split_at_checked(1).unwrap_or_default();
            let dot = if rest.is_empty() { "" } else { "." };
            write!(out, "{first}{dot}{rest}e{:+03}", point.saturating_sub(1))
        } else if point <= 0 {
            let width = len.saturating_add(point.unsigned_abs() as usize);
            write!(out, "0.{digits:0>width$}")
        } else if let Some((whole, fraction)) = digits.split_at_checked(before)
            && !fraction.is_empty()
        {
            write!(out, "{whole}.{fraction}")
        } else {
            write!(out, "{digits:0<before$}")
        }
    }
}

/// Returns the digits that `%g` prints: six significant digits without trailing zeros.
fn six_digits(value: f32) -> Decimal {
    let mut text = InlineText::default();
    let mut decimal = Decimal::default();
    // The format is `d.ddddde-d`. Ties are rounded to even, as in C.
    let written = write!(text, "{:.5e}", value.abs());
    debug_assert!(written.is_ok(), "the buffer holds any number");
    let (digits, exponent) = text.as_str().split_once('e').unwrap_or_default();
    let digits = digits.trim_end_matches('0');
    for digit in digits.split('.') {
        decimal.digits.write_str(digit).unwrap_or_default();
    }
    let fraction_len = (decimal.digits.len as i32).saturating_sub(1);
    decimal.exponent = exponent.parse::<i32>().unwrap_or(0).saturating_sub(fraction_len);
    decimal
}

/// A positive binary number: an integer times a power of two.
#[derive(Clone, Copy, Debug)]
struct Binary {
    integer: u64,
    exponent: i32,
    /// `true` if the distance to the next smaller float is half of that to the next larger one.
    /// This holds for powers of two above the smallest normal number.
    closer_below: bool,
}

impl Binary {
    fn of_f32(value: f32) -> Self {
        Self::of(value.abs().to_bits().into(), f32::MANTISSA_DIGITS, f32::MAX_EXP)
    }

    fn of_f64(value: f64) -> Self {
        Self::of(value.abs().to_bits(), f64::MANTISSA_DIGITS, f64::MAX_EXP)
    }

    /// Decodes the bits of a non-negative float. `digits` is the number of bits of its significand,
    /// including the implicit one.
    fn of(bits: u64, digits: u32, max_exponent: i32) -> Self {
        let stored = digits.wrapping_sub(1);
        let hidden = 1_u64.wrapping_shl(stored);
        let fraction = bits & hidden.wrapping_sub(1);
        let biased = bits.wrapping_shr(stored) as i32;
        let integer = if biased == 0 { fraction } else { fraction | hidden };
        // The exponent of the least significant bit is the biased exponent minus this number.
        let bias = max_exponent.wrapping_sub(2).wrapping_add(digits as i32);
        let exponent = biased.max(1).wrapping_sub(bias);
        Self { integer, exponent, closer_below: fraction == 0 && biased > 1 }
    }
}

/// Returns the digits that Grisu2 generates for a number. Their value is closer to the number than
/// to either neighbouring float.
fn shortest(Binary { integer, exponent, closer_below }: Binary) -> Decimal {
    // The midpoints to the neighbours and the number itself, scaled to the same exponent.
    let high = integer.wrapping_mul(2).wrapping_add(1);
    let shift = high.leading_zeros();
    let exponent = exponent.wrapping_sub(1).wrapping_sub(shift as i32);
    let high = high.wrapping_shl(shift);
    let low = match closer_below {
        false => integer.wrapping_mul(2).wrapping_sub(1).wrapping_shl(shift),
        true => integer.wrapping_mul(4).wrapping_sub(1).wrapping_shl(shift.wrapping_sub(1)),
    };
    let value = integer.wrapping_mul(2).wrapping_shl(shift);

    // Scaling by a power of ten leaves 4 to 32 bits before the point.
    let power = Power::for_exponent(exponent);
    let bits = exponent.wrapping_add(power.exponent).wrapping_add(64).unsigned_abs();
    let [low, value, high] = [low, value, high].map(|number| power.times(number));
    // The products are off by up to 1, so the interval is narrowed by 1 on each side.
    let (low, high) = (low.wrapping_add(1), high.wrapping_sub(1));
    let delta = high.wrapping_sub(low);
    generate(high, bits, delta, high.wrapping_sub(value), power.ten.wrapping_neg())
}

/// Generates the digits of `high / 2^bits` until the remainder is at most `delta`. Then moves the
/// last digit towards the exact number, which is `high - distance`.
fn generate(high: u64, bits: u32, mut delta: u64, mut distance: u64, exponent: i32) -> Decimal {
    let mut decimal = Decimal::default();
    let below_one = 1_u64.wrapping_shl(bits).wrapping_sub(1);
    let (mut whole, mut fraction) = (high.wrapping_shr(bits), high & below_one);

    let count = whole.checked_ilog10().map_or(0, |log| log.saturating_add(1));
    for position in (0..count).rev() {
        let unit = 10_u64.wrapping_pow(position);
        decimal.push(whole.checked_div(unit).unwrap_or(0));
        whole = whole.checked_rem(unit).unwrap_or(0);
        let rest = whole.wrapping_shl(bits).wrapping_add(fraction);
        if rest <= delta {
            decimal.exponent = exponent.wrapping_add(position as i32);
            decimal.round(distance, delta, rest, unit.wrapping_shl(bits));
            return decimal;
        }
    }
    decimal.exponent = exponent;
    loop {
        fraction = fraction.wrapping_mul(10);
        delta = delta.wrapping_mul(10);
        distance = distance.wrapping_mul(10);
        decimal.push(fraction.wrapping_shr(bits));
        decimal.exponent = decimal.exponent.wrapping_sub(1);
        fraction &= below_one;
        if fraction <= delta {
            decimal.round(distance, delta, fraction, below_one.wrapping_add(1));
            return decimal;
        }
    }
}

impl Decimal {
    fn push(&mut self, digit: u64) {
        let digit = char::from_digit(digit as u32, 10).unwrap_or('0');
        let written = self.digits.write_char(digit);
        debug_assert!(written.is_ok(), "Grisu2 generates at most 17 digits");
    }

    /// Decrements the last digit as long as that brings the digits closer to the exact number.
    fn round(&mut self, distance: u64, delta: u64, mut rest: u64, unit: u64) {
        let last = self.digits.len.wrapping_sub(1);
        let Some(digit) = self.digits.bytes.get_mut(last) else { return };
        while rest < distance && delta.wrapping_sub(rest) >= unit {
            let next = rest.wrapping_add(unit);
            if next >= distance && distance.wrapping_sub(rest) <= next.wrapping_sub(distance) {
                return;
            }
            *digit = digit.wrapping_sub(1);
            rest = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    fn godot4(value: f64) -> String {
        let mut text = String::new();
        Numbers::Grisu2.float(&mut text, value).unwrap();
        text
    }

    fn godot3(value: f64) -> String {
        let mut text = String::new();
        Numbers::SixDigits.float(&mut text, value).unwrap();
        text
    }

    #[test]
    fn point_and_exponent_match_godot4() {
        for (value, text) in [
            (0.0, "0.0"),
            (-0.0, "0.0"),
            (-1.0, "-1.0"),
            (1e14, "100000000000000.0"),
            (1e15, "1e+15"),
            (123_456_789_012_345.0, "123456789012345.0"),
            (1_234_567_890_123_456.0, "1.234567890123456e+15"),
            (1e-4, "0.0001"),
            (1e-5, "1e-05"),
            (-1.5e300, "-1.5e+300"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "inf_neg"),
            (-f64::NAN, "nan"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::MIN_POSITIVE, "2.2250738585072014e-308"),
        ] {
            assert_eq!(godot4(value), text, "{value:?}");
        }
    }

    /// A number that `f32` holds exactly gets the digits of the `f32`.
    #[test]
    fn exact_f32_is_printed_as_f32() {
        assert_eq!(godot4(f64::from(0.1_f32)), "0.1");
        assert_eq!(godot4(0.1), "0.1");
        assert_eq!(godot4(0.1_f64.next_up()), "0.10000000000000002");
        assert_eq!(godot4(f64::from(f32::MAX)), "3.4028235e+38");
        assert_eq!(godot4(f64::from(f32::from_bits(1))), "1e-45");
    }

    /// Godot 4.6.3 prints these numbers with digits that are not the shortest or not the closest.
    #[test]
    fn grisu2_digits_match_the_engine() {
        for (value, text) in [
            (79.866_525_91, "79.86652590999999"),
            (868.261_73, "868.2617299999999"),
            (-1.359_940_347_545_627e-219, "-1.3599403475456271e-219"),
            (-3.735_771_882_655_208_2e-242, "-3.7357718826552083e-242"),
        ] {
            assert_eq!(godot4(value), text);
        }
        for (bits, text) in [
            (0xCC10_0346, "-37752088.0"),
            (0xCA11_073D, "-2376143.3"),
            (0x4A3B_3485, "3067169.3"),
            (0x4C91_0962, "76040976.0"),
        ] {
            assert_eq!(godot4(f32::from_bits(bits).into()), text);
        }
    }

    #[test]
    fn godot3_prints_six_digits_of_f32() {
        for (value, text) in [
            (1e300, "inf"),
            (-1e300, "inf_neg"),
            (1e-60, "0.0"),
            (-1e-60, "0.0"),
            (0.1, "0.1"),
            (1_234_567.0, "1.23457e+06"),
            (999_999.0, "999999.0"),
            (999_999.5, "1e+06"),
            (1e-5, "1e-05"),
            (0.000_123_456_7, "0.000123457"),
            // Ties go to the even digit.
            (1_234_565.0, "1.23456e+06"),
            (1_234_575.0, "1.23458e+06"),
            (0.5, "0.5"),
            (f64::from(f32::from_bits(1)), "1.4013e-45"),
        ] {
            assert_eq!(godot3(value), text, "{value:?}");
        }
    }

    /// The printed digits of any number parse back to the same number.
    #[test]
    fn digits_round_trip() {
        let mut bits = 1_u64;
        for _ in 0..20_000 {
            bits = bits.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            let value = f64::from_bits(bits ^ bits >> 32).abs();
            let narrow = f32::from_bits((bits >> 32) as u32).abs();
            if value.is_finite() {
                assert_eq!(godot4(value).parse(), Ok(value));
            }
            if narrow.is_finite() {
                assert_eq!(godot4(narrow.into()).parse(), Ok(narrow));
            }
        }
    }

    /// The float below a power of two is half as far away as the float above it. The printed digits
    /// must still be closest to the power of two.
    #[test]
    fn powers_of_two_round_trip() {
        assert_eq!(godot4(f64::MIN_POSITIVE), "2.2250738585072014e-308");
        assert_eq!(godot4(f32::MIN_POSITIVE.into()), "1.1754944e-38");
        for exponent in -1074..1024 {
            let bits = match exponent {
                ..-1022 => 1_u64 << (exponent + 1074),
                _ => ((exponent + 1023) as u64) << 52,
            };
            let value = f64::from_bits(bits);
            let text = godot4(value);
            // A number that `f32` holds exactly is printed as `f32`.
            if f64::from(value as f32) == value {
                assert_eq!(text.parse::<f32>().unwrap(), value as f32, "{text}");
            } else {
                assert_eq!(text.parse::<f64>().unwrap(), value, "{text}");
            }
        }
    }
}
