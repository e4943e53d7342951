//! Powers of ten for Grisu2, computed when the crate is compiled.

/// A power of ten: 64 bits, the top one set, times a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Power {
    pub ten: i32,
    pub significand: u64,
    pub exponent: i32,
}

/// Every eighth power of ten, as Grisu2's scaling wants it.
const STEP: i32 = 8;
const LEAST: i32 = -300;
const COUNT: usize = 79;
static POWERS: [Power; COUNT] = powers();

impl Power {
    /// The one that brings a 64-bit number with that exponent to an exponent of −60 to −32.
    pub(super) fn for_exponent(exponent: i32) -> Self {
        let wanted = (-61_i32).wrapping_sub(exponent);
        // log10(2), rounded up unless negative.
        let log = wanted.wrapping_mul(78_913) / (1 << 18);
        let ten = log.wrapping_add(i32::from(wanted > 0));
        let index = ten.wrapping_sub(LEAST).wrapping_add(STEP.wrapping_sub(1)) / STEP;
        let power = usize::try_from(index).ok().and_then(|index| POWERS.get(index));
        debug_assert!(power.is_some(), "all floats are between the first and the last one");
        power.copied().unwrap_or(Self { ten: 0, significand: 1 << 63, exponent: -63 })
    }

    /// The upper half of the product, rounded.
    pub(super) fn times(&self, number: u64) -> u64 {
        let product = u128::from(number).wrapping_mul(self.significand.into());
        (product.wrapping_add(1 << 63) >> 64) as u64
    }
}

/// An integer of [`BITS`] bits, lowest word first.
type Big = [u32; BITS / 32];
/// 10^324 has 1077.
const BITS: usize = 1120;

/// 10^-300, 10^-292 … 10^324, each to the nearest, from integers that are exact: upwards
/// 10^4 times 10^8 and so on, downwards 2^1119 by 10^4, by 10^8 and so on, rounded down
/// (which is the same as dividing once).
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
const fn powers() -> [Power; COUNT] {
    const MIDDLE: usize = 38;
    const FOUR: i32 = LEAST + MIDDLE as i32 * STEP;
    let mut powers = [Power { ten: 0, significand: 0, exponent: 0 }; COUNT];

    let (mut big, mut index, mut ten) = ([0; BITS / 32], MIDDLE, FOUR);
    big[0] = 10_u32.pow(FOUR as u32);
    while index < COUNT {
        powers[index] = nearest(&big, 0, ten);
        times(&mut big, 10_u32.pow(STEP as u32));
        (index, ten) = (index + 1, ten + STEP);
    }

    let (mut big, mut index, mut ten) = ([0; BITS / 32], MIDDLE, FOUR - STEP);
    big[BITS / 32 - 1] = 1 << 31;
    by(&mut big, 10_u32.pow(ten.unsigned_abs()));
    while index > 0 {
        index -= 1;
        powers[index] = nearest(&big, 1 - BITS as i32, ten);
        by(&mut big, 10_u32.pow(STEP as u32));
        ten -= STEP;
    }
    powers
}

#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
const fn times(big: &mut Big, factor: u32) {
    let (mut word, mut carry) = (0, 0);
    while word < big.len() {
        let product = big[word] as u64 * factor as u64 + carry;
        big[word] = product as u32;
        carry = product >> 32;
        word += 1;
    }
}

#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
const fn by(big: &mut Big, divisor: u32) {
    let (mut word, mut rest) = (big.len(), 0);
    while word > 0 {
        word -= 1;
        let part = rest << 32 | big[word] as u64;
        big[word] = (part / divisor as u64) as u32;
        rest = part % divisor as u64;
    }
}

/// The upper 64 bits of `big`, rounded, for `big` times a power of two that is 10^`ten`.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
const fn nearest(big: &Big, exponent: i32, ten: i32) -> Power {
    let mut top = BITS as i32 - 1;
    while bit(big, top) == 0 {
        top -= 1;
    }
    let (mut significand, mut at) = (0, top);
    while at > top - 64 {
        significand = significand << 1 | bit(big, at);
        at -= 1;
    }
    let rounded = significand as u128 + bit(big, at) as u128;
    assert!(rounded >> 64 == 0, "none of them is rounded up to the next power of two");
    Power { ten, significand: rounded as u64, exponent: exponent + top - 63 }
}

#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
const fn bit(big: &Big, at: i32) -> u64 {
    if at < 0 { 0 } else { (big[at as usize / 32] >> (at as usize % 32) & 1) as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first and the last one, and those that 64 bits hold exactly.
    #[test]
    fn powers_of_ten() {
        let power = |significand, exponent, ten| Power { ten, significand, exponent };
        assert_eq!(POWERS[0], power(0xAB70_FE17_C79A_C6CA, -1060, -300));
        assert_eq!(POWERS[1], power(0xFF77_B1FC_BEBC_DC4F, -1034, -292));
        assert_eq!(POWERS[37], power(0xD1B7_1758_E219_652C, -77, -4));
        assert_eq!(POWERS[38], power(0x9C40 << 48, -50, 4));
        assert_eq!(POWERS[39], power(1_000_000_000_000 << 24, -24, 12));
        assert_eq!(POWERS[78], power(0x9E19_DB92_B4E3_1BA9, 1013, 324));
    }

    /// Each eighth power is 10^8 times the one before, within what rounding both leaves.
    #[test]
    fn powers_follow_each_other() {
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
