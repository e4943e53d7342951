//! Parses numbers as the engines do: floats are not rounded correctly, and ints that do not fit
//! saturate or wrap around.

/// 10^(2^n) for n from 0.
const POWERS: [f64; 9] = [1e1, 1e2, 1e4, 1e8, 1e16, 1e32, 1e64, 1e128, 1e256];

/// The number of digits of the mantissa that the engines use. They ignore further digits.
const MAX_DIGITS: usize = 18;
/// The maximum absolute value of the decimal exponent. The engines clamp a larger one.
const MAX_EXPONENT: u32 = 511;

/// Returns `true` for a number with a fraction or an exponent.
pub(super) fn is_float(number: &str) -> bool {
    number.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E'))
}

/// Parses an int as the engines do. They add digit after digit, with wraparound. If a digit follows
/// and the number so far is above `i64::MAX / 10`, they return the largest or the smallest int.
pub(super) fn engine_int(number: &str) -> i64 {
    const MAX_BEFORE_DIGIT: i64 = i64::MAX / 10;
    let (negative, digits) = match number.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, number),
    };
    let mut int = 0_i64;
    for digit in digits.bytes() {
        if int > MAX_BEFORE_DIGIT {
            return if negative { i64::MIN } else { i64::MAX };
        }
        int = int.wrapping_mul(10).wrapping_add(i64::from(digit.wrapping_sub(b'0')));
    }
    if negative { int.wrapping_neg() } else { int }
}

/// Parses a float as the engines do. They read the mantissa as two integers of nine digits and
/// scale it by powers of ten. Every operation rounds, so only about half of all floats are
/// unchanged after printing and reading. A number that must be divided by more than 10^308 becomes
/// 0.
pub(super) fn engine_float(number: &str) -> f64 {
    let (negative, number) = match number.strip_prefix('-') {
        Some(number) => (true, number),
        None => (false, number),
    };
    let (mantissa, exponent) = match number.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (number, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = whole.len().saturating_add(fraction.len());
    let used = digits.min(MAX_DIGITS);
    let low_from = used.saturating_sub(9);
    let (mut high, mut low) = (0_u32, 0_u32);
    for (index, digit) in whole.bytes().chain(fraction.bytes()).take(used).enumerate() {
        let half = if index < low_from { &mut high } else { &mut low };
        *half = half.wrapping_mul(10).wrapping_add(u32::from(digit.wrapping_sub(b'0')));
    }
    let mantissa = 1e9 * f64::from(high) + f64::from(low);

    let scaled = match exponent.map(parse_exponent) {
        _ if digits == 0 => 0.0,
        Some(None) => mantissa, // The engines do not scale a number with an `e` but no digits.
        exponent => {
            let exponent = exponent.flatten().unwrap_or(0);
            scale(
                mantissa,
                exponent.saturating_sub((used as i64).saturating_sub(whole.len() as i64)),
            )
        }
    };
    if negative { -scaled } else { scaled }
}

/// Parses a decimal exponent in 32 bits with wraparound, as the engines do.
fn parse_exponent(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let add = |all: i32, digit: u8| {
        all.wrapping_mul(10).wrapping_add(i32::from(digit.wrapping_sub(b'0')))
    };
    let exponent = i64::from(digits.bytes().fold(0, add));
    (!digits.is_empty()).then_some(if negative { exponent.saturating_neg() } else { exponent })
}

fn scale(mantissa: f64, exponent: i64) -> f64 {
    let size = u32::try_from(exponent.unsigned_abs()).unwrap_or(MAX_EXPONENT).min(MAX_EXPONENT);
    let powers =
        POWERS.iter().enumerate().filter(|(bit, _)| size.wrapping_shr(*bit as u32) & 1 == 1);
    let factor = powers.fold(1.0, |factor, (_, power)| factor * power);
    if exponent < 0 { mantissa / factor } else { mantissa * factor }
}

/// Truncates a float to an int. A float that does not fit becomes the smallest int, as with the
/// conversion instruction of x86-64.
pub(super) fn truncate(float: f64, smallest: i64) -> i64 {
    let end = -(smallest as f64);
    if float >= smallest as f64 && float < end { float as i64 } else { smallest }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected values are those of Godot 4.6.3 and 3.6.2.
    #[test]
    fn numbers_parse_as_in_the_engines() {
        assert_eq!(engine_int("9223372036854775807"), i64::MAX);
        assert_eq!(engine_int("9223372036854775808"), i64::MIN);
        assert_eq!(engine_int("-9223372036854775809"), i64::MAX);
        assert_eq!(engine_int("92233720368547758080"), 0);
        assert_eq!(engine_int("-"), 0);
        let floats = [("5.", 5.0), ("-.5", -0.5), ("1.5e", 15.0), ("5e-324", 0.0), ("0.5", 0.5)];
        for (text, value) in floats {
            assert_eq!(engine_float(text), value, "{text}");
        }
        assert!(engine_float("0e400").is_nan());
        assert_eq!(engine_float(".e400"), 0.0);
        assert_eq!(engine_float("2.2250738585072014e-308"), 0.0);
        assert_eq!(engine_float("123456789012345678901234"), 1.2345678901234568e23);
    }

    /// A float that is too large or too small becomes the smallest int.
    #[test]
    fn floats_outside_the_range_become_the_smallest_int() {
        let (wide, narrow) = (i64::MIN, i64::from(i32::MIN));
        for (float, smallest, int) in [
            (9_223_372_036_854_774_784.0, wide, 9_223_372_036_854_774_784),
            (9_223_372_036_854_775_808.0, wide, wide),
            (-9_223_372_036_854_775_808.0, wide, wide),
            (f64::NAN, wide, wide),
            (2_147_483_647.5, narrow, 2_147_483_647),
            (2_147_483_648.0, narrow, narrow),
            (-2_147_483_649.0, narrow, narrow),
            (-1.5, narrow, -1),
        ] {
            assert_eq!(truncate(float, smallest), int, "{float}");
        }
    }
}
