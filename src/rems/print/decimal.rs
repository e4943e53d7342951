//! Prints integers, with SWAR conversion of eight digits at a time.

use crate::rems::swar::broadcast;

/// Prints an integer of up to eight digits. Returns the length, or `None` for any other integer.
/// Overwrites bytes after the number. All steps are the same for any number of digits, because a
/// processor cannot predict this number.
#[inline(always)]
pub(super) fn print_integer(value: i64, to: &mut [u8; 16]) -> Option<usize> {
    let size = value.unsigned_abs();
    if size >= 100_000_000 {
        return None;
    }
    store(to, 0, b'-'.into());
    let start = usize::from(value < 0);
    let digits = eight_digits(size);
    let leading = (digits.trailing_zeros() / 8).min(7);
    store(to, start, (digits | broadcast(b'0')).wrapping_shr(leading.wrapping_mul(8)));
    Some(start.wrapping_add(8).wrapping_sub(leading as usize))
}

/// Returns the number of bytes up to the last one that is not zero.
#[inline(always)]
pub(super) const fn significant(word: u64) -> usize {
    8_u32.wrapping_sub(word.leading_zeros() / 8) as usize
}

/// Stores eight bytes.
#[inline(always)]
pub(super) fn store(to: &mut [u8], at: usize, word: u64) {
    if let Some(place) = to.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
        *place = word.to_le_bytes();
    }
}

/// Returns the decimal digits of a number below 10⁸, as values from 0 to 9, with the first digit in
/// the lowest byte. Divides two, four and then eight numbers in one word at once.
#[inline(always)]
pub(super) const fn eight_digits(number: u64) -> u64 {
    let high = number / 10_000;
    let fours = high | number.wrapping_sub(high.wrapping_mul(10_000)) << 32;
    // Divides by 100 and by 10, with reciprocals that are exact enough for this size.
    let high = fours.wrapping_mul(10_486) >> 20 & 0x0000_007F_0000_007F;
    let pairs = high | fours.wrapping_sub(high.wrapping_mul(100)) << 16;
    let high = pairs.wrapping_mul(103) >> 10 & 0x000F_000F_000F_000F;
    high | pairs.wrapping_sub(high.wrapping_mul(10)) << 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_numbers() {
        for number in [0, 7, 42, 9999, 10_000, 12_345_678, 99_999_999, 90_909_090] {
            let text = alloc::format!("{number:08}");
            let digits = eight_digits(number) | broadcast(b'0');
            assert_eq!(digits.to_le_bytes(), text.as_bytes());
        }
    }

    #[test]
    fn integers() {
        let mut sizes = alloc::vec![0, 99_999_999, 100_000_000, i64::MAX, i64::MIN];
        sizes.extend((0..9).flat_map(|power| [10_i64.pow(power) - 1, 10_i64.pow(power)]));
        for value in sizes.into_iter().flat_map(|size| [size, size.wrapping_neg()]) {
            let mut buffer = [0; 16];
            let printed = print_integer(value, &mut buffer).map(|len| &buffer[..len]);
            let text = alloc::format!("{value}");
            let some = value.unsigned_abs() < 100_000_000;
            assert_eq!(printed, some.then_some(text.as_bytes()), "{value}");
        }
    }

    extern crate alloc;
}
