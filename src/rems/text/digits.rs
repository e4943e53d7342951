//! Fast paths for numbers in their most common form, with SWAR parsing of eight digits at a time.
//!
//! The general decoder in `number` decodes all other numbers: those with whitespace, quotes, a
//! different notation or too many digits, and those near the end of the file.
//!
//! * Eight digits: D. Lemire, "Quickly parsing eight digits", 2018.
//! * Floating-point numbers whose digits are at most 2⁵³: W. D. Clinger, "How to Read Floating
//!   Point Numbers Accurately", 1990.
//! * Floating-point numbers with more digits: D. Lemire, "Number Parsing at a Gigabyte per Second",
//!   2021 (the Eisel–Lemire algorithm).

use super::lanes::Lanes;
use crate::rems::swar::{broadcast, load_u64};

/// Copies a token into a zeroed buffer, so that eight-byte loads stay in bounds.
pub(super) fn zero_padded(token: &[u8]) -> [u8; 48] {
    let mut buffer = [0; 48];
    // Only the first 36 bytes of a longer token are copied. The caller compares the lengths and
    // rejects such a token.
    buffer.iter_mut().take(36).zip(token).for_each(|(to, from)| *to = *from);
    buffer
}

/// Sets the top bit of each byte of the word that is not a digit.
#[inline(always)]
fn non_digits(word: u64) -> u64 {
    let digits = word ^ broadcast(b'0');
    (digits.wrapping_add(broadcast(0x76)) | digits) & broadcast(0x80)
}

/// Returns the number of digits at the start of the word.
#[inline(always)]
fn count_digits(word: u64) -> usize {
    (non_digits(word).trailing_zeros() / 8) as usize
}

/// Computes a number from eight digits. Each byte holds one digit as a value from 0 to 9.
#[inline(always)]
fn parse_eight_digits(digits: u64) -> u64 {
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00FF_00FF_00FF_00FF;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_FFFF_0000_FFFF;
    fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xFFFF_FFFF
}

/// Parses the first `count` bytes of the word as digits; `count` is 1 to 8.
#[inline(always)]
fn parse_digits(word: u64, count: usize) -> u64 {
    // Shift the last digit to the highest byte; the bytes before the first digit become zeros.
    parse_eight_digits(
        (word ^ broadcast(b'0')).wrapping_shl((count as u32).wrapping_mul(8).wrapping_neg()),
    )
}

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "evaluated at compile time"
)]
static POWERS_OF_TEN: [u64; 16] = {
    let mut tens = [1; 16];
    let mut at = 1;
    while at < tens.len() {
        tens[at] = tens[at - 1] * 10;
        at += 1;
    }
    tens
};

/// Appends the first `count` bytes of the word to a number as digits.
#[inline(always)]
fn append_digits(digits: u64, word: u64, count: usize) -> u64 {
    let [tens, ..] = POWERS_OF_TEN.get(count & 15..).unwrap_or_default() else { return digits };
    digits.wrapping_mul(*tens).wrapping_add(parse_digits(word, count))
}

/// Appends all digits that start at an index to a number. Returns the number, and the index after
/// the digits.
#[inline(always)]
fn parse_digit_run(mut digits: u64, bytes: &[u8], mut at: usize) -> Option<(u64, usize)> {
    loop {
        let word = load_u64(bytes, at)?;
        let count = count_digits(word);
        if count > 0 {
            digits = append_digits(digits, word, count);
        }
        at = at.wrapping_add(count);
        if count < 8 {
            return Some((digits, at));
        }
    }
}

/// Parses an integer without a leading zero. Returns the integer and its length.
///
/// The length does not depend on a second load after the sign, because the position of the next
/// number depends on it.
#[inline(always)]
pub(crate) fn parse_integer(bytes: &[u8]) -> Option<(i64, usize)> {
    let number: &[u8; 9] = bytes.first_chunk()?;
    let word = load_u64(number, 0)?;
    let negative = word as u8 == b'-';
    let sign = if negative { 0xFF } else { 0 };
    let len = ((non_digits(word) & !sign).trailing_zeros() / 8) as usize;
    let count = len.wrapping_sub(negative.into());
    let first = word.wrapping_shr(u32::from(negative).wrapping_mul(8)) as u8;
    if !(1..8).contains(&count) || len > 7 || count > 1 && first == b'0' {
        return parse_long_integer(bytes);
    }
    // Shift the last digit to the highest byte.
    let digits = (word ^ broadcast(b'0')) & !sign;
    let digits = digits.wrapping_shl((len as u32).wrapping_mul(8).wrapping_neg());
    let value = parse_eight_digits(digits).cast_signed();
    Some((if negative { value.wrapping_neg() } else { value }, len))
}

/// Parses an integer of up to 18 digits.
#[inline(never)]
fn parse_long_integer(bytes: &[u8]) -> Option<(i64, usize)> {
    let negative = bytes.first() == Some(&b'-');
    let start = usize::from(negative);
    let (value, end) = parse_digit_run(0, bytes, start)?;
    let count = end.wrapping_sub(start);
    // Eighteen digits fit into an `i64`.
    if !(1..19).contains(&count) || count > 1 && bytes.get(start) == Some(&b'0') {
        return None;
    }
    let value = value.cast_signed();
    Some((if negative { value.wrapping_neg() } else { value }, end))
}

/// Parses an integer that fits into `bits` bits. Returns the integer and its length.
#[inline(always)]
pub(crate) fn fast_integer(bytes: &[u8], bits: u32) -> Option<(i64, usize)> {
    let (value, len) = parse_integer(bytes)?;
    let cut = 64_u32.saturating_sub(bits);
    let fits = value.wrapping_shl(cut).wrapping_shr(cut) == value;
    fits.then_some((value, len))
}

/// Parses a double of the most common form. Returns the number and its length.
#[inline(always)]
pub(crate) fn fast_double(bytes: &[u8]) -> Option<(f64, usize)> {
    let number = bytes.first_chunk()?;
    let (value, negative, len) = match FixedPoint::locate(number) {
        Some(fixed) => (fixed.to_f64(number)?, fixed.negative, fixed.len),
        None => whole_number(number)?,
    };
    Some((with_sign(value, negative), len))
}

/// Parses a single-precision number of the most common form. Returns the number and its length.
#[inline(always)]
pub(crate) fn fast_single(bytes: &[u8]) -> Option<(f32, usize)> {
    let number = bytes.first_chunk()?;
    let (value, negative, len) = match FixedPoint::locate(number) {
        Some(fixed) => (fixed.to_single(number)?, fixed.negative, fixed.len),
        None => whole_number(number)?,
    };
    Some((with_sign(value, negative) as f32, len))
}

#[inline(always)]
fn with_sign(value: f64, negative: bool) -> f64 {
    f64::from_bits(value.to_bits() | u64::from(negative) << 63)
}

/// Parses a number of up to seven digits without a point. Returns its absolute value, `true` if it
/// has a minus sign, and its length.
#[inline(always)]
fn whole_number(number: &[u8; 33]) -> Option<(f64, bool, usize)> {
    let negative = number.first() == Some(&b'-');
    let start = usize::from(negative);
    let word = load_u64(number, start)?;
    let count = count_digits(word);
    let len = start.wrapping_add(count);
    let some = (1..8).contains(&count) && number.get(len) != Some(&b'.');
    some.then(|| (parse_digits(word, count).cast_signed() as f64, negative, len))
}

/// The position of the point and of the end in a number that consists of one to seven digits, a
/// point and more digits, after an optional minus sign.
struct FixedPoint {
    negative: bool,
    /// Number of digits before the point.
    whole: usize,
    /// Length, including the sign and the point.
    len: usize,
}

impl FixedPoint {
    /// Locates a number that ends within the first 32 bytes.
    #[inline(always)]
    fn locate(number: &[u8; 33]) -> Option<Self> {
        // The position of the next number depends on the length, so the length depends on few other
        // results: not on a load after the sign.
        let negative = number.first() == Some(&b'-');
        let others = Lanes::non_digits(number.first_chunk()?) & !u64::from(negative);
        let point = others.trailing_zeros() as usize;
        let len = (others & others.wrapping_sub(1)).trailing_zeros() as usize;
        let whole = point.wrapping_sub(negative.into());
        let some = number.get(point) == Some(&b'.') && (1..8).contains(&whole) && len < 32;
        some.then_some(Self { negative, whole, len })
    }

    /// Returns the bytes after the sign.
    #[inline(always)]
    fn unsigned<'n>(&self, number: &'n [u8; 33]) -> Option<&'n [u8; 32]> {
        number.get(usize::from(self.negative)..)?.first_chunk()
    }

    /// Returns the number of digits.
    #[inline(always)]
    fn count(&self) -> usize {
        self.len.wrapping_sub(1).wrapping_sub(self.negative.into())
    }

    /// Returns the first 16 digits as an integer. If there are fewer, zeros follow them. Each step
    /// is the same for any number of digits, because a processor cannot predict this number.
    #[inline(always)]
    fn first_16(&self, number: &[u8; 33]) -> Option<u64> {
        let number = self.unsigned(number)?;
        // Load eight bytes at the first digit, and at the second one. Taking the bytes before the
        // point from the first load and the other bytes from the second load removes the point.
        let before = (1_u64 << (self.whole & 7).wrapping_mul(8)).wrapping_sub(1);
        let first = load_u64(number, 0)? & before | load_u64(number, 1)? & !before;
        let [keep, keep_next, _] = *DIGIT_MASKS.get(self.count().min(16))?;
        let first = (first ^ broadcast(b'0')) & keep;
        let next = (load_u64(number, 9)? ^ broadcast(b'0')) & keep_next;
        Some(
            parse_eight_digits(first)
                .wrapping_mul(100_000_000)
                .wrapping_add(parse_eight_digits(next)),
        )
    }

    /// Returns the value as a double from which it can be rounded to a single-precision number.
    /// Returns `None` if it is too close to the midpoint between two of these. Ignores the digits
    /// after the 16th: if the first 16 digits are at least 10¹², then the others change the value
    /// by less than 10⁻¹² of it, which is less than 9008 units in the last place of a double.
    /// Rounding the digits, the power and the product changes it by less than two such units. No
    /// result is subnormal.
    #[inline(always)]
    fn to_single(&self, number: &[u8; 33]) -> Option<f64> {
        const MARGIN: u64 = 9010;
        let digits = self.first_16(number)?;
        // The first comparison can be predicted.
        if digits < 1_000_000_000_000 && self.count() > 16 {
            return None;
        }
        let value = digits.cast_signed() as f64 * TENTHS.get(self.whole)?;
        let behind = value.to_bits() & 0x1FFF_FFFF;
        let close = behind.wrapping_sub(0x1000_0000 - MARGIN) <= 2 * MARGIN;
        (!close).then_some(value)
    }

    /// Returns the value, correctly rounded to a double, or `None` if only the general decoder can
    /// round it.
    #[inline(always)]
    fn to_f64(&self, number: &[u8; 33]) -> Option<f64> {
        let digits = self.first_16(number)?;
        let [.., keep] = *DIGIT_MASKS.get(self.count())?;
        let last = (load_u64(self.unsigned(number)?, 17)? ^ broadcast(b'0')) & keep;
        let [a, b, c, ..] = last.to_le_bytes().map(u64::from);
        let last = a.wrapping_mul(100).wrapping_add(b.wrapping_mul(10)).wrapping_add(c);
        // Nineteen digits fit into a `u64`.
        let digits = digits.wrapping_mul(1000).wrapping_add(last);
        if digits == 0 {
            return Some(0.0);
        }
        rounded_product(digits, (self.whole as i32).wrapping_sub(19))
    }
}

/// For each number of digits up to 19, the masks of the bytes of these digits in three words.
#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "evaluated at compile time"
)]
static DIGIT_MASKS: [[u64; 3]; 20] = {
    let mut masks = [[0; 3]; 20];
    let mut count = 0;
    while count < masks.len() {
        let mut at = 0;
        while at < count {
            masks[count][at / 8] |= 0xFF << (at % 8 * 8);
            at += 1;
        }
        count += 1;
    }
    masks
};

/// For each number of digits before the point, the power of ten by which 16 digits are multiplied.
static TENTHS: [f64; 8] = [1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9];

/// Parses a whole token as a double. Returns `None` if it has too many digits or a different form.
pub(super) fn double(token: &[u8]) -> Option<f64> {
    Decimal::parse_token(token)?.to_f64()
}

/// Parses a whole token as a single-precision number. Returns `None` if it has too many digits or a
/// different form.
pub(super) fn single(token: &[u8]) -> Option<f32> {
    Decimal::parse_token(token)?.to_f32()
}

/// A decimal number with few digits.
struct Decimal {
    /// The digits as an integer, at most 18 of them.
    digits: u64,
    /// Exponent of ten, from −22 to 18: the powers 10⁰ to 10²² are exact as doubles.
    exponent: i32,
    negative: bool,
}

impl Decimal {
    /// Parses a whole token, which may have an exponent, and need not have a point.
    fn parse_token(token: &[u8]) -> Option<Self> {
        let bytes = &zero_padded(token);
        let negative = token.first() == Some(&b'-');
        let start = usize::from(negative);
        let (mut digits, mut end) = parse_digit_run(0, bytes, start)?;
        let mut count = end.wrapping_sub(start);
        let mut exponent = 0i32;
        if bytes.get(end) == Some(&b'.') {
            let behind = end.wrapping_add(1);
            (digits, end) = parse_digit_run(digits, bytes, behind)?;
            let places = end.wrapping_sub(behind);
            count = count.wrapping_add(places);
            exponent = (places as i32).wrapping_neg();
        }
        if let Some(b'e' | b'E') = bytes.get(end) {
            let (power, behind) = parse_exponent(bytes, end.wrapping_add(1))?;
            exponent = exponent.wrapping_add(power);
            end = behind;
        }
        // A number of more than 18 digits may not fit into an `i64`, and powers of ten outside of
        // this range may not be exact.
        let small = (1..19).contains(&count) && (-22..=18).contains(&exponent);
        (small && end == token.len()).then_some(Self { digits, exponent, negative })
    }

    /// Returns the value, correctly rounded to a double, or `None` if only the general decoder can
    /// round it.
    #[inline(always)]
    fn to_f64(&self) -> Option<f64> {
        let value = match self.digits <= 1 << 53 {
            // Digits and power are exact, so the result is rounded once.
            true => self.scaled(),
            false => rounded_product(self.digits, self.exponent)?,
        };
        Some(self.signed(value))
    }

    /// Rounds to a single-precision number. Returns `None` if the value is too close to the
    /// midpoint between two single-precision numbers. Rounding the digits and the product changes
    /// the value by less than two units in the last place of a double. Ignored digits matter only
    /// if a midpoint lies within them: the remaining digits are then at most 7.7 units below it,
    /// for numbers from 1000 to 1024. No result is subnormal.
    #[inline(always)]
    fn to_f32(&self) -> Option<f32> {
        let value = self.scaled();
        let behind = value.to_bits() & 0x1FFF_FFFF;
        let close = behind.wrapping_sub(0x1000_0000 - 8) <= 16;
        (!close).then_some(self.signed(value) as f32)
    }

    #[inline(always)]
    fn signed(&self, value: f64) -> f64 {
        f64::from_bits(value.to_bits() | u64::from(self.negative) << 63)
    }

    #[inline(always)]
    fn scaled(&self) -> f64 {
        let power =
            F64_POWERS_OF_TEN.get(self.exponent.unsigned_abs() as usize).copied().unwrap_or(1.0);
        let digits = self.digits.cast_signed() as f64;
        if self.exponent <= 0 { digits / power } else { digits * power }
    }
}

/// Rounds digits times a power of ten, correctly. The digits must not be 0. Multiplies the digits by
/// a 64-bit power of five, and rounds the upper half of the product. Returns `None` if the product
/// is too close to the midpoint between two doubles.
#[inline(always)]
fn rounded_product(digits: u64, exponent: i32) -> Option<f64> {
    let (five, places) = *POWERS_OF_FIVE.get(exponent.wrapping_add(22) as usize)?;
    let empty = digits.leading_zeros();
    let product = u128::from(digits.wrapping_shl(empty)).wrapping_mul(five.into());
    // The upper half of the exact product is larger by at most 1, because the power was rounded
    // down.
    let upper = (product >> 64) as u64;
    let surplus = 11_u32.wrapping_sub(upper.leading_zeros());
    let half = 1_u64.wrapping_shl(surplus.wrapping_sub(1));
    let below = upper & half.wrapping_mul(2).wrapping_sub(1);
    if below.wrapping_add(2).wrapping_sub(half) <= 2 {
        return None;
    }
    let mantissa = upper.wrapping_shr(surplus).wrapping_add(u64::from(below > half));
    let exponent = places.wrapping_add(surplus.wrapping_sub(empty).cast_signed());
    // The exponent is between −80 and 150.
    let power = f64::from_bits(u64::from(exponent.wrapping_add(1023).cast_unsigned()) << 52);
    Some(mantissa as f64 * power)
}

/// Parses a small exponent. Returns the exponent and the index after it.
fn parse_exponent(bytes: &[u8], at: usize) -> Option<(i32, usize)> {
    let negative = bytes.get(at) == Some(&b'-');
    let start = at.wrapping_add(negative.into());
    let (power, end) = parse_digit_run(0, bytes, start)?;
    let power = i32::try_from(power).ok()?;
    let some = (1..4).contains(&end.wrapping_sub(start));
    some.then_some((if negative { power.wrapping_neg() } else { power }, end))
}

/// The powers of ten that a double represents exactly.
static F64_POWERS_OF_TEN: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// One entry for each power of ten from 10^−22 to 10^22. It contains the power of five with the
/// same exponent, rounded down to 64 bits. It also contains the binary exponent of the upper half
/// of the product if the digits are multiplied by that power.
#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "evaluated at compile time"
)]
static POWERS_OF_FIVE: [(u64, i32); 45] = {
    let mut fives = [(0, 0); 45];
    let mut at = 0;
    while at < fives.len() {
        let exponent = at as i32 - 22;
        let five = 5_u128.pow(exponent.unsigned_abs());
        let bits = 128 - five.leading_zeros();
        let (five, places) = match exponent < 0 {
            true => ((1_u128 << (63 + bits)) / five, -63 - bits as i32),
            false => (five << (64 - bits), bits as i32 - 64),
        };
        fives[at] = (five as u64, places + exponent + 64);
        at += 1;
    }
    fives
};

#[cfg(test)]
mod tests {
    use super::*;

    fn texts() -> impl Iterator<Item = String> {
        let mut seed = 7u64;
        (0..50_000).map(move |round| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let digits = (seed >> 1) % 10_u64.pow((seed >> 59) as u32 % 19 + 1);
            let places = (seed >> 33) as usize % 12;
            let text = digits.to_string();
            let (whole, behind) = text.split_at(text.len().saturating_sub(places));
            let sign = if round % 3 == 0 { "-" } else { "" };
            match behind {
                "" => format!("{sign}{whole}"),
                _ => format!("{sign}{whole:0>1}.{behind}"),
            }
        })
    }

    /// Checks that `fast` and `general` agree with Rust's parser. Returns, for each of the two
    /// functions, 1 if it accepted the text and 0 otherwise.
    fn read<T: core::str::FromStr>(
        text: &str,
        fast: impl Fn(&[u8]) -> Option<(T, usize)>,
        general: impl Fn(&[u8]) -> Option<T>,
        bits: impl Fn(&T) -> u64,
    ) -> [usize; 2] {
        let Ok(expected) = text.parse::<T>() else { panic!("{text}") };
        // Before an exponent, the fast path reads only the mantissa.
        let fast = fast(&zero_padded(text.as_bytes())).filter(|(_, len)| *len == text.len());
        if let Some((value, _)) = &fast {
            assert_eq!(bits(value), bits(&expected), "{text}");
        }
        let general = general(text.as_bytes());
        if let Some(value) = &general {
            assert_eq!(bits(value), bits(&expected), "{text}");
        }
        [fast.is_some().into(), general.is_some().into()]
    }

    fn single(text: &str) -> [usize; 2] {
        read(text, fast_single, super::single, |value| value.to_bits().into())
    }

    fn double(text: &str) -> [usize; 2] {
        read(text, fast_double, super::double, |value| value.to_bits())
    }

    fn sum(a: [usize; 2], b: [usize; 2]) -> [usize; 2] {
        [a[0] + b[0], a[1] + b[1]]
    }

    #[test]
    fn numbers_are_what_rust_reads() {
        let [fast, general] = texts().map(|text| double(&text)).fold([0; 2], sum);
        assert!(fast > 20_000 && general > 45_000, "{fast} {general}");
        let [fast, general] = texts().map(|text| single(&text)).fold([0; 2], sum);
        assert!(fast > 15_000 && general > 45_000, "{fast} {general}");
    }

    /// Checks that printed floating-point numbers of all magnitudes that the fast paths accept are
    /// read correctly.
    #[test]
    fn reals_come_back() {
        let mut seed = 3u64;
        let (mut doubles, mut singles) = ([0; 2], [0; 2]);
        for round in 0..50_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let value = (seed >> 11) as f64 / (1u64 << 53) as f64 * 10_f64.powi(round % 8 - 3);
            doubles = sum(doubles, double(&value.to_string()));
            doubles = sum(doubles, double(&format!("-{:E}", value)));
            singles = sum(singles, single(&(value as f32).to_string()));
            singles = sum(singles, single(&format!("{:e}", value as f32)));
        }
        assert!(doubles[0] > 35_000 && doubles[1] > 80_000, "{doubles:?}");
        assert!(singles[0] > 35_000 && singles[1] > 80_000, "{singles:?}");
    }

    /// Checks that values at and next to the midpoint between two single-precision numbers are read
    /// correctly.
    #[test]
    fn singles_are_rounded_once() {
        let mut seed = 5u64;
        let mut read = [0; 2];
        for round in 0..20_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let value = (seed >> 40) as f32 / (1u64 << 24) as f32 * 10_f32.powi(round % 12 - 8);
            let middle = (f64::from(value) + f64::from(value.next_up())) / 2.0;
            for near in [middle.next_down(), middle, middle.next_up()] {
                read = sum(read, single(&near.to_string()));
                read = sum(read, single(&format!("{near:.16}")));
            }
        }
        assert!(read[1] > 1_000, "{read:?}");
    }

    #[test]
    fn signs_and_zeros() {
        for text in ["-0.0", "0.0", "-0", "0", "-0.5", "1.", ".5", "0.1e5", "0.000000000001"] {
            assert_eq!([double(text)[1], single(text)[1]], [1, 1], "{text}");
        }
        for token in ["", "-", ".", "1e", "--1", "1.2.3", "1_000", "0x1", "NaN"] {
            assert_eq!(super::double(token.as_bytes()), None, "{token}");
        }
    }

    #[test]
    fn integers() {
        for value in [0, 1, 9, 10, -1, 12_345_678, 123_456_789, -99_999_999_999_999_999] {
            let text = format!("{value},");
            assert_eq!(parse_integer(&zero_padded(text.as_bytes())), Some((value, text.len() - 1)));
        }
        for text in ["", "-", "00", "01", "x", "1000000000000000000", "+1"] {
            assert_eq!(parse_integer(&zero_padded(text.as_bytes())), None, "{text}");
        }
        assert_eq!(fast_integer(&zero_padded(b"128"), 8), None);
        assert_eq!(fast_integer(&zero_padded(b"-128"), 8), Some((-128, 4)));
    }

    extern crate alloc;
    use alloc::{
        format,
        string::{String, ToString},
    };
}
