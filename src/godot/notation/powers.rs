//! Powers of ten for Grisu2, computed at compile time.

/// A power of ten as `significand * 2^exponent`. The top bit of the significand is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Power {
    /// The exponent of ten.
    pub ten: i32,
    pub significand: u64,
    pub exponent: i32,
}

/// The difference between the exponents of ten of neighbouring entries. The table contains every
/// eighth power of ten. For each number, one of them scales the binary exponent into the range that
/// Grisu2 accepts.
const STEP: i32 = 8;
/// The exponent of ten of the first entry.
const FIRST: i32 = -300;
const COUNT: usize = 79;
static POWERS: [Power; COUNT] = powers();

impl Power {
    /// Returns the power of ten to multiply a number by so that the binary exponent of the product
    /// is from −60 to −32. The number is a 64-bit integer times two to the power of `exponent`.
    pub(super) fn for_exponent(exponent: i32) -> Self {
        let wanted = (-61_i32).wrapping_sub(exponent);
        // Multiplies by log10(2); a positive result is rounded up.
        let log = wanted.wrapping_mul(78_913) / (1 << 18);
        let ten = log.wrapping_add(i32::from(wanted > 0));
        let index = ten.wrapping_sub(FIRST).wrapping_add(STEP.wrapping_sub(1)) / STEP;
        let power = usize::try_from(index).ok().and_then(|index| POWERS.get(index));
        debug_assert!(power.is_some(), "the table covers the exponents of all floats");
        power.copied().unwrap_or(Self { ten: 0, significand: 1 << 63, exponent: -63 })
    }

    /// Returns the upper 64 bits of the product of `number` and the significand, rounded.
    pub(super) fn times(&self, number: u64) -> u64 {
        let product = u128::from(number).wrapping_mul(self.significand.into());
        (product.wrapping_add(1 << 63) >> 64) as u64
    }
}

/// An integer of [`BITS`] bits, least significant word first.
type Big = [u32; BITS / 32];
/// The number of bits of a big integer. 10^324 needs 1077 bits.
const BITS: usize = 1120;

/// Returns 10^-300, 10^-292 … 10^324, each rounded to the nearest significand of 64 bits. The
/// positive powers come from exact integers: 10^4, multiplied repeatedly by 10^8. The negative ones
/// come from 2^1119, divided by 10^4 and then repeatedly by 10^8. Each quotient is rounded down,
/// which gives the same result as one division by the product.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
const fn powers() -> [Power; COUNT] {
    const MIDDLE: usize = 38;
    const FOUR: i32 = FIRST + MIDDLE as i32 * STEP;
    let mut powers = [Power { ten: 0, significand: 0, exponent: 0 }; COUNT];

    let (mut big, mut index, mut ten) = ([0; BITS / 32], MIDDLE, FOUR);
    big[0] = 10_u32.pow(FOUR as u32);
    while index < COUNT {
        powers[index] = nearest(&big, 0, ten);
        multiply(&mut big, 10_u32.pow(STEP as u32));
        (index, ten) = (index + 1, ten + STEP);
    }

    let (mut big, mut index, mut ten) = ([0; BITS / 32], MIDDLE, FOUR - STEP);
    big[BITS / 32 - 1] = 1 << 31;
    divide(&mut big, 10_u32.pow(ten.unsigned_abs()));
    while index > 0 {
        index -= 1;
        powers[index] = nearest(&big, 1 - BITS as i32, ten);
        divide(&mut big, 10_u32.pow(STEP as u32));
        ten -= STEP;
    }
    powers
}

#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
const fn multiply(big: &mut Big, factor: u32) {
    let (mut word, mut carry) = (0, 0);
    while word < big.len() {
        let product = big[word] as u64 * factor as u64 + carry;
        big[word] = product as u32;
        carry = product >> 32;
        word += 1;
    }
}

#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
const fn divide(big: &mut Big, divisor: u32) {
    let (mut word, mut rest) = (big.len(), 0);
    while word > 0 {
        word -= 1;
        let part = rest << 32 | big[word] as u64;
        big[word] = (part / divisor as u64) as u32;
        rest = part % divisor as u64;
    }
}

/// Returns 10^`ten`, which is `big * 2^exponent`, rounded to 64 bits.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
const fn nearest(big: &Big, exponent: i32, ten: i32) -> Power {
    let mut top = BITS as i32 - 1;
    while bit(big, top) == 0 {
        top -= 1;
    }
    let (mut significand, mut index) = (0, top);
    while index > top - 64 {
        significand = significand << 1 | bit(big, index);
        index -= 1;
    }
    let rounded = significand as u128 + bit(big, index) as u128;
    assert!(rounded >> 64 == 0, "no significand is rounded up to 2^64");
    Power { ten, significand: rounded as u64, exponent: exponent + top - 63 }
}

#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
const fn bit(big: &Big, index: i32) -> u64 {
    if index < 0 { 0 } else { (big[index as usize / 32] >> (index as usize % 32) & 1) as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the first two powers, the last one, and those closest to 1.
    #[test]
    fn powers_have_known_values() {
        let power = |significand, exponent, ten| Power { ten, significand, exponent };
        assert_eq!(POWERS[0], power(0xAB70_FE17_C79A_C6CA, -1060, -300));
        assert_eq!(POWERS[1], power(0xFF77_B1FC_BEBC_DC4F, -1034, -292));
        assert_eq!(POWERS[37], power(0xD1B7_1758_E219_652C, -77, -4));
        assert_eq!(POWERS[38], power(0x9C40 << 48, -50, 4));
        assert_eq!(POWERS[39], power(1_000_000_000_000 << 24, -24, 12));
        assert_eq!(POWERS[78], power(0x9E19_DB92_B4E3_1BA9, 1013, 324));
    }

    /// Each power is 10^8 times the previous one, up to the rounding errors of both.
    #[test]
    fn each_power_is_the_previous_times_10_to_the_8th() {
        for pair in POWERS.windows(2) {
            let [low, high] = pair else { unreachable!() };
            assert_eq!(high.ten - low.ten, STEP);
            let product = u128::from(low.significand) * 100_000_000;
            let shift = high.exponent - low.exponent;
            let difference = (u128::from(high.significand) << shift).abs_diff(product);
            assert!(difference <= 50_000_000 + (1 << (shift - 1)), "10^{}", high.ten);
        }
    }
}
