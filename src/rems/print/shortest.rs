//! Prints doubles of common magnitude with the fewest digits that identify them.
//!
//! Like the Schubfach algorithm (R. Giulietti, "The Schubfach way to render doubles", 2020), this
//! module scales a double so that neighbouring doubles are 1 to 10 units apart. At most one multiple
//! of ten is then closer to the double than to its neighbours; if there is one, it has the fewest
//! digits. Otherwise, the nearest integer has. For numbers from 10⁻³ to 2²³, the scale contains a
//! power of five that fits into 64 bits, so one multiplication gives the exact product. All steps
//! are the same for any number of digits, because a processor cannot predict this number.

#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "used in constants only, which are evaluated at compile time"
)]

use super::decimal::{eight_digits, significant, store};
use crate::rems::swar::broadcast;

/// Length of the buffer for a number.
pub(super) const MAX_LEN: usize = 32;

/// Prints a number from 10⁻³ up to, but not including, 2²³, without an exponent and without a final
/// `.0`. Returns the length. Returns `None` for any other number. Overwrites bytes after the number.
#[inline(always)]
pub(super) fn print(value: f64, to: &mut [u8; MAX_LEN]) -> Option<usize> {
    let scaled = Scaled::of(value)?;
    Some(scaled.place(Digits::of(scaled.number), to))
}

/// Length of the buffer for a row of up to four numbers.
pub(super) const ROW_LEN: usize = 128;

/// Prints up to four numbers, each after a separator, which is a comma for all but the first. Returns
/// the length, or `None` if [`print`] returns `None` for one of them.
///
/// Each step is done for all numbers before the next step. A processor can then work on several
/// numbers at once, which takes two thirds of the time.
#[inline(always)]
pub(super) fn print_row<const N: usize>(
    values: [f64; N],
    separator: u8,
    to: &mut [u8; ROW_LEN],
) -> Option<usize> {
    let mut row = [Scaled::NONE; N];
    for (scaled, value) in row.iter_mut().zip(values) {
        *scaled = Scaled::of(value)?;
    }
    let digits = row.map(|scaled| Digits::of(scaled.number));
    let (mut at, mut separator) = (0usize, separator);
    for (scaled, digits) in row.iter().zip(digits) {
        let (first, rest) = to.get_mut(at..)?.split_first_mut()?;
        *first = separator;
        let len = scaled.place(digits, rest.first_chunk_mut()?);
        at = at.wrapping_add(len).wrapping_add(1);
        separator = b',';
    }
    Some(at)
}

/// A double, and the shortest number that identifies it, as a multiple of a power of ten.
#[derive(Clone, Copy)]
struct Scaled {
    negative: bool,
    number: u64,
    scale: &'static Scale,
}

/// The digits of a scaled number: the first digit, and 16 others in two words.
#[derive(Clone, Copy)]
struct Digits {
    first: u64,
    upper: u64,
    lower: u64,
}

impl Digits {
    #[inline(always)]
    fn of(number: u64) -> Self {
        const WORD: u64 = 100_000_000;
        let upper = number / WORD;
        Self {
            first: upper / WORD,
            upper: eight_digits(upper % WORD),
            lower: eight_digits(number % WORD),
        }
    }
}

impl Scaled {
    const NONE: Self = Self { negative: false, number: 0, scale: &Scale::of(0) };

    #[inline(always)]
    fn of(value: f64) -> Option<Self> {
        let size = value.abs();
        if !(1e-3..8_388_608.0).contains(&size) {
            return None;
        }
        let bits = size.to_bits();
        let scale = SCALES.get((bits >> 52).wrapping_sub(LEAST_EXPONENT) as usize)?;
        let number = scale.shortest(bits & ((1 << 52) - 1) | 1 << 52);
        Some(Self { negative: value.is_sign_negative(), number, scale })
    }

    /// Prints a scaled number. Returns the length without the zeros at the end of the fraction, and
    /// without the point if there is no fraction.
    #[inline(always)]
    fn place(&self, digits: Digits, to: &mut [u8; MAX_LEN]) -> usize {
        let (scale, Digits { first, upper, lower }) = (self.scale, digits);
        store(to, 0, b'-'.into());
        let mut at = usize::from(self.negative);
        store(to, at, u64::from_le_bytes(*b"0.000000"));
        at = at.wrapping_add(scale.before.into());
        store(to, at, first | u64::from(b'0'));
        let stripped = u8::from(first == 0) & scale.strips;
        at = at.wrapping_add(1).wrapping_sub(stripped.into());
        // The digits after the point move by one byte.
        let moved = at.wrapping_add(scale.has_point.into());
        let ascii = upper | broadcast(b'0');
        let fraction =
            (ascii & !scale.head).wrapping_shl(u32::from(scale.has_point).wrapping_mul(8));
        store(to, moved, ascii);
        store(to, moved.wrapping_add(8), lower | broadcast(b'0'));
        store(to, at, ascii & scale.head | scale.point | fraction);
        let upper_end = match upper & !scale.head {
            0 => at.wrapping_add(scale.whole.into()),
            word => moved.wrapping_add(significant(word)),
        };
        match lower {
            0 => upper_end,
            word => moved.wrapping_add(8).wrapping_add(significant(word)),
        }
    }
}

/// The scale of the doubles with one exponent: 2 to the exponent of the mantissa's lowest bit,
/// divided by the power of ten with which they are 1 to 10 units apart. A scaled number has up to 17
/// digits: a first digit, and 16 others in two words.
#[derive(Clone, Copy)]
struct Scale {
    /// The mantissa is multiplied by this power of five, and then divided by 2 to the `shift`.
    five: u64,
    shift: u32,
    /// Number of bytes before the first digit: zeros and the point.
    before: u8,
    /// Number of digits of the first word before the point.
    whole: u8,
    /// 1 if the point is after the first digit, 0 if it is before it.
    has_point: u8,
    /// 1 if the first digit is not printed if it is zero.
    strips: u8,
    /// Mask of the digits of the first word before the point.
    head: u64,
    /// The point at its place in the first word, or 0.
    point: u64,
}

/// Biased exponent of the smallest numbers that are printed, which is that of 2⁻¹⁰.
const LEAST_EXPONENT: u64 = 1023 - 10;

/// The scales of the exponents of 2⁻¹⁰ to 2²².
static SCALES: [Scale; 33] = {
    let mut scales = [Scale::of(0); 33];
    let mut at = 0;
    while at < scales.len() {
        scales[at] = Scale::of(at as u32);
        at += 1;
    }
    scales
};

impl Scale {
    /// Returns the scale for a biased exponent of [`LEAST_EXPONENT`] plus `exponent`.
    const fn of(exponent: u32) -> Self {
        let binary_places = 62 - exponent;
        // The number of digits after the point.
        let mut places = 0;
        while 10_u128.pow(places) < 1 << binary_places {
            places += 1;
        }
        let (five, shift) = (5_u64.pow(places), binary_places - places);
        if places > 16 {
            let before = places as u8 - 15;
            return Self {
                five,
                shift,
                before,
                whole: 0,
                has_point: 0,
                strips: 0,
                head: 0,
                point: 0,
            };
        }
        let whole = 16 - places;
        let head = (1 << (8 * whole)) - 1;
        let (strips, point) = ((whole > 0) as u8, (b'.' as u64) << (8 * whole));
        Self { five, shift, before: 0, whole: whole as u8, has_point: 1, strips, head, point }
    }

    /// Returns the integer with the fewest digits, and among these the nearest, that is closer to
    /// the scaled double than to its neighbours. An integer halfway to a neighbour counts if the
    /// mantissa is even. The neighbours of a power of two are not equally far away, but here every
    /// power of two is itself a multiple of ten units.
    #[inline(always)]
    fn shortest(&self, mantissa: u64) -> u64 {
        let product = u128::from(mantissa).wrapping_mul(self.five.into());
        let floor = product.wrapping_shr(self.shift) as u64;
        // In halves of the lowest bit of the product.
        let unit = 2_u64.wrapping_shl(self.shift);
        let behind = (product as u64).wrapping_mul(2) & unit.wrapping_sub(1);
        let odd = mantissa & 1;
        let tens = floor / 10 * 10;
        let above = floor.wrapping_sub(tens).wrapping_mul(unit).wrapping_add(behind);
        let below = unit.wrapping_mul(10).wrapping_sub(above);
        // A processor cannot predict which of these is true, so they are masks: all bits are set if
        // it is true.
        let is_at_most = |a: u64, b: u64| (b.wrapping_sub(a) >> 63).wrapping_sub(1);
        let is_next = is_at_most(below.wrapping_add(odd), self.five);
        let is_short = is_next | is_at_most(above.wrapping_add(odd), self.five);
        let rounds_up = is_at_most(unit / 2 + 1, behind.wrapping_add(floor & 1));
        let short = tens.wrapping_add(10 & is_next);
        let nearest = floor.wrapping_add(1 & rounds_up);
        short & is_short | nearest & !is_short
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: f64) {
        let mut buffer = [0; MAX_LEN];
        let printed = print(value, &mut buffer).map(|len| &buffer[..len]);
        let size = value.abs();
        let some = (1e-3..8_388_608.0).contains(&size);
        let mut expected = zmij::Buffer::new();
        let expected = expected.format_finite(value);
        let expected = expected.strip_suffix(".0").unwrap_or(expected);
        assert_eq!(printed, some.then_some(expected.as_bytes()), "{value:?}");
    }

    /// Compares with another implementation: numbers with all mantissas and exponents, with few
    /// digits, next to these, and of single precision.
    #[test]
    fn numbers_are_what_another_implementation_prints() {
        let mut seed = 11_u64;
        for round in 0..200_000_u64 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let exponent = LEAST_EXPONENT - 1 + round % 36;
            let sign = round & 64;
            let value = f64::from_bits(sign << 57 | exponent << 52 | seed >> 12);
            check(value);
            check(f64::from(value as f32));
            let decimal = (seed >> 40) as f64 / 10_f64.powi((seed >> 32) as i32 % 8);
            for near in [decimal.next_down(), decimal, decimal.next_up()] {
                check(near);
            }
        }
        for exponent in -12..24 {
            let power = 2_f64.powi(exponent);
            for near in [power.next_down(), power, -power, power.next_up()] {
                check(near);
            }
        }
        for value in [1e-3, 1e7, 0.001_f64.next_down(), 1e7_f64.next_down(), 0.0, -0.0, 9999999.5] {
            check(value);
        }
    }

    /// Checks that a row has the same numbers as `print`, and that it is not printed if one of them is
    /// not.
    #[test]
    fn rows_of_numbers() {
        let numbers = [-0.001, 0.5, -8_388_607.999_999_999, 123.0, 0.1234567890123456, -42.25, 0.0];
        for row in numbers.windows(4) {
            let row: [f64; 4] = row.try_into().unwrap();
            let mut buffer = [0; ROW_LEN];
            let printed = print_row(row, b'[', &mut buffer).map(|len| &buffer[..len]);
            let text = row.map(|number| alloc::format!("{number}")).join(",");
            let some = !row.contains(&0.0);
            assert_eq!(printed, some.then_some(alloc::format!("[{text}").as_bytes()));
        }
    }

    extern crate alloc;
}
