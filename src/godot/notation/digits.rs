//! Numbers as the engines print them, digit by digit.
//!
//! Godot 4 prints by Grisu2 (Florian Loitsch, "Printing Floating-Point Numbers Quickly and
//! Accurately with Integers", 2010): the digits always lead back to the number, but in one
//! number of some hundred they are not the fewest, or not the closest. So no printer of
//! shortest digits will do. Godot 3 narrows to `f32` and prints by C's `%g`.

use super::powers::Power;
use super::words;
use core::fmt::{self, Write};

/// By what an engine prints numbers that are not whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// Grisu2, for `f32` where that holds the number; whole digits up to 10^15.
    Grisu2,
    /// C's `%g`, for `f32`: six digits.
    SixDigits,
}

impl Numbers {
    /// A number by itself: always to be told from an int.
    pub(super) fn alone(self, out: &mut impl Write, value: f64) -> fmt::Result {
        let text = self.text(value)?;
        out.write_str(text.as_str())?;
        // The engine looks at the text: `inf` and `nan` it leaves alone.
        let is_whole = text.as_str().bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        if is_whole { out.write_str(".0") } else { Ok(()) }
    }

    /// A number among others.
    pub(super) fn part(self, out: &mut impl Write, value: f64) -> fmt::Result {
        out.write_str(self.text(value)?.as_str())
    }

    // To the nearest, as the engines.
    fn text(self, value: f64) -> Result<Short, fmt::Error> {
        let narrow = value as f32;
        match self {
            Self::SixDigits => self.finite_text(narrow.into(), || six_digits(narrow)),
            Self::Grisu2 if f64::from(narrow) == value => {
                self.finite_text(value, || shortest(Binary::of_f32(narrow)))
            }
            Self::Grisu2 => self.finite_text(value, || shortest(Binary::of_f64(value))),
        }
    }

    /// The text of what has no digits, or that which `digits` make, for the value without
    /// its sign.
    fn finite_text(
        self,
        value: f64,
        digits: impl FnOnce() -> Decimal,
    ) -> Result<Short, fmt::Error> {
        let mut text = Short::default();
        match value {
            0.0 => text.write_str("0")?, // whatever its sign
            f64::INFINITY => text.write_str(words::INF)?,
            f64::NEG_INFINITY => text.write_str(words::INF_NEG)?,
            _ if value.is_nan() => text.write_str(words::NAN)?,
            _ => {
                if value.is_sign_negative() {
                    text.write_str("-")?;
                }
                digits().lay_out(&mut text, self.longest())?;
            }
        }
        Ok(text)
    }

    /// How many digits before the point, before the exponent form takes over.
    const fn longest(self) -> i32 {
        match self {
            Self::Grisu2 => 15,
            Self::SixDigits => 6,
        }
    }
}

/// A text without allocation, long enough for any number: 17 digits, signs, a point, four
/// zeros in front or an exponent of three digits.
#[derive(Clone, Copy, Debug, Default)]
struct Short {
    bytes: [u8; 32],
    len: usize,
}

impl Short {
    fn as_str(&self) -> &str {
        let bytes = self.bytes.get(..self.len).unwrap_or_default();
        core::str::from_utf8(bytes).unwrap_or_default()
    }
}

impl Write for Short {
    #[allow(clippy::disallowed_methods, reason = "the place is as long as the text")]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len.saturating_add(text.len());
        self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

/// A number above 0 in decimal: digits, and the power of ten of the last one.
#[derive(Clone, Copy, Debug, Default)]
struct Decimal {
    digits: Short,
    exponent: i32,
}

impl Decimal {
    /// The digits with a point in its place, or with an exponent, where more than `longest`
    /// digits would come before the point, or more than three zeros after it.
    fn lay_out(&self, out: &mut Short, longest: i32) -> fmt::Result {
        let digits = self.digits.as_str();
        let len = digits.len();
        // Where the point is, in digits from the left.
        let point = self.exponent.saturating_add(len as i32);
        let before = usize::try_from(point).unwrap_or(0);
        if point < -3 || point > longest {
            let (first, more) = digits.split_at_checked(1).unwrap_or_default();
            let dot = if more.is_empty() { "" } else { "." };
            write!(out, "{first}{dot}{more}e{:+03}", point.saturating_sub(1))
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

/// What `%g` keeps of a number: six digits, without zeros at the end.
fn six_digits(value: f32) -> Decimal {
    let mut text = Short::default();
    let mut decimal = Decimal::default();
    // `d.ddddde-d`; rounding is the same as C's, half to even.
    let written = write!(text, "{:.5e}", value.abs());
    debug_assert!(written.is_ok(), "short enough");
    let (digits, exponent) = text.as_str().split_once('e').unwrap_or_default();
    let digits = digits.trim_end_matches('0');
    for digit in digits.split('.') {
        decimal.digits.write_str(digit).unwrap_or_default();
    }
    let after = (decimal.digits.len as i32).saturating_sub(1);
    decimal.exponent = exponent.parse::<i32>().unwrap_or(0).saturating_sub(after);
    decimal
}

/// A number above 0: an integer times a power of two.
#[derive(Clone, Copy, Debug)]
struct Binary {
    integer: u64,
    exponent: i32,
    /// Whether the next number below is half as far away as the next one above.
    closer_below: bool,
}

impl Binary {
    fn of_f32(value: f32) -> Self {
        Self::of(value.abs().to_bits().into(), f32::MANTISSA_DIGITS, f32::MAX_EXP)
    }

    fn of_f64(value: f64) -> Self {
        Self::of(value.abs().to_bits(), f64::MANTISSA_DIGITS, f64::MAX_EXP)
    }

    /// Of the bits of a float with so many digits (one of which is not stored).
    fn of(bits: u64, digits: u32, max_exponent: i32) -> Self {
        let stored = digits.wrapping_sub(1);
        let hidden = 1_u64.wrapping_shl(stored);
        let fraction = bits & hidden.wrapping_sub(1);
        let biased = bits.wrapping_shr(stored) as i32;
        let integer = if biased == 0 { fraction } else { fraction | hidden };
        // The bias, and the place of the last digit.
        let bias = max_exponent.wrapping_sub(2).wrapping_add(digits as i32);
        let exponent = biased.max(1).wrapping_sub(bias);
        Self { integer, exponent, closer_below: fraction == 0 && biased > 1 }
    }
}

/// Grisu2: the first digits found to be closer to this number than to its neighbours.
fn shortest(Binary { integer, exponent, closer_below }: Binary) -> Decimal {
    // Halfway to the neighbours, and the number, with one exponent.
    let high = integer.wrapping_mul(2).wrapping_add(1);
    let shift = high.leading_zeros();
    let exponent = exponent.wrapping_sub(1).wrapping_sub(shift as i32);
    let high = high.wrapping_shl(shift);
    let low = match closer_below {
        false => integer.wrapping_mul(2).wrapping_sub(1).wrapping_shl(shift),
        true => integer.wrapping_mul(4).wrapping_sub(1).wrapping_shl(shift.wrapping_sub(1)),
    };
    let value = integer.wrapping_mul(2).wrapping_shl(shift);

    // Scaled by a power of ten, to something with 4 to 32 bits before the point.
    let power = Power::for_exponent(exponent);
    let bits = exponent.wrapping_add(power.exponent).wrapping_add(64).unsigned_abs();
    let [low, value, high] = [low, value, high].map(|number| power.times(number));
    let (low, high) = (low.wrapping_add(1), high.wrapping_sub(1)); // what is sure, after rounding
    let delta = high.wrapping_sub(low);
    generate(high, bits, delta, high.wrapping_sub(value), power.ten.wrapping_neg())
}

/// The digits of `high / 2^bits`, until the rest is not more than `delta`; then the last
/// digit moves towards the number itself, which is `distance` below.
fn generate(high: u64, bits: u32, mut delta: u64, mut distance: u64, exponent: i32) -> Decimal {
    let mut decimal = Decimal::default();
    let below_one = 1_u64.wrapping_shl(bits).wrapping_sub(1);
    let (mut whole, mut fraction) = (high.wrapping_shr(bits), high & below_one);

    let count = whole.checked_ilog10().map_or(0, |log| log.saturating_add(1));
    for left in (0..count).rev() {
        let unit = 10_u64.wrapping_pow(left);
        decimal.push(whole.checked_div(unit).unwrap_or(0));
        whole = whole.checked_rem(unit).unwrap_or(0);
        let rest = whole.wrapping_shl(bits).wrapping_add(fraction);
        if rest <= delta {
            decimal.exponent = exponent.wrapping_add(left as i32);
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
        debug_assert!(written.is_ok(), "17 digits tell any number from its neighbours");
    }

    /// Lowers the last digit as long as that leads closer to the number.
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
        Numbers::Grisu2.alone(&mut text, value).unwrap();
        text
    }

    fn godot3(value: f64) -> String {
        let mut text = String::new();
        Numbers::SixDigits.alone(&mut text, value).unwrap();
        text
    }

    #[test]
    fn layout() {
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

    /// What `f32` holds has the digits of that.
    #[test]
    fn widths() {
        assert_eq!(godot4(f64::from(0.1_f32)), "0.1");
        assert_eq!(godot4(0.1), "0.1");
        assert_eq!(godot4(0.1_f64.next_up()), "0.10000000000000002");
        assert_eq!(godot4(f64::from(f32::MAX)), "3.4028235e+38");
        assert_eq!(godot4(f64::from(f32::from_bits(1))), "1e-45");
    }

    /// Numbers of which 4.6.3 prints other digits than the shortest that are closest.
    #[test]
    fn not_the_shortest() {
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
    fn six_digits_of_f32() {
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

    /// Digits lead back to the number, whatever it is.
    #[test]
    fn digits_lead_back() {
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
    /// Below a power of two its neighbour is half as far away as the one above: what is printed
    /// must be closer to it even there.
    #[test]
    fn powers_of_two_come_back() {
        assert_eq!(godot4(f64::MIN_POSITIVE), "2.2250738585072014e-308");
        assert_eq!(godot4(f32::MIN_POSITIVE.into()), "1.1754944e-38");
        for exponent in -1074..1024 {
            let bits = match exponent {
                ..-1022 => 1_u64 << (exponent + 1074),
                _ => ((exponent + 1023) as u64) << 52,
            };
            let value = f64::from_bits(bits);
            let text = godot4(value);
            // What an `f32` can be is printed as one.
            if f64::from(value as f32) == value {
                assert_eq!(text.parse::<f32>().unwrap(), value as f32, "{text}");
            } else {
                assert_eq!(text.parse::<f64>().unwrap(), value, "{text}");
            }
        }
    }
}
