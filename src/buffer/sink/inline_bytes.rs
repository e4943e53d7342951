//! Short byte strings that are kept in registers until a sink stores them.

use zerocopy::{Immutable, IntoBytes};

/// Up to 32 bytes as a little-endian number in four registers. All four registers are stored,
/// whatever the number of bytes. Such a copy of constant size is several times as fast as `memcpy`
/// with a variable length.
#[derive(Clone, Copy, Debug, Default)]
pub struct InlineBytes {
    low: u128,
    high: u128,
    pub(crate) len: usize,
}

impl InlineBytes {
    /// Returns the bytes of `value`, or `None` if its type is larger than 32 bytes.
    #[inline(always)]
    #[allow(clippy::disallowed_methods, reason = "both slices are as long as the type")]
    pub(crate) fn of<T: IntoBytes + Immutable>(value: &T) -> Option<Self> {
        let mut bytes = [[0; 16]; 2];
        bytes.as_flattened_mut().get_mut(..size_of::<T>())?.copy_from_slice(value.as_bytes());
        let [low, high] = bytes.map(u128::from_le_bytes);
        Some(Self { low, high, len: size_of::<T>() })
    }

    /// Returns the bytes of `text`, or `None` if there are more than 24.
    #[inline(always)]
    fn text(text: &[u8]) -> Option<Self> {
        let [a, b, c] = load_words(text)?.map(u128::from);
        let low = a | b.wrapping_shl(64);
        Some(Self { low, high: c, len: text.len() })
    }

    /// Returns `head`, then `text`, then `zeros` zero bytes. Returns `None` if `text` has more than
    /// 24 bytes, or if `head` and `text` together have more than 32 bytes. The bytes after `len`
    /// are zero already, so `zeros` only increases `len`, possibly to more than 32.
    #[inline(always)]
    pub(crate) fn padded<const N: usize>(head: [u8; N], text: &[u8], zeros: usize) -> Option<Self> {
        let mut low = [0; 16];
        *low.first_chunk_mut()? = head;
        let head = Self { low: u128::from_le_bytes(low), high: 0, len: N };
        let both = Self::text(text)?.after(head)?;
        Some(Self { len: both.len.wrapping_add(zeros), ..both })
    }

    /// Returns `first` followed by these bytes, or `None` if they do not fit in 32 bytes together.
    /// For a constant `first` this compiles to one or two shifts.
    #[inline(always)]
    pub(crate) fn after(self, first: Self) -> Option<Self> {
        let len = first.len.checked_add(self.len).filter(|len| *len <= 32)?;
        let bits = (first.len as u32).wrapping_mul(8);
        let low = self.low.checked_shl(bits).unwrap_or_default();
        let high = match bits.checked_sub(128) {
            Some(bits) => self.low.wrapping_shl(bits),
            None => {
                let carried = self.low.checked_shr(128_u32.wrapping_sub(bits)).unwrap_or_default();
                self.high.wrapping_shl(bits) | carried
            }
        };
        Some(Self { low: first.low | low, high: first.high | high, len })
    }

    /// Returns all 32 bytes as little-endian words. The bytes after `len` are zero.
    #[inline(always)]
    pub(crate) const fn words(self) -> [u64; 4] {
        let Self { low, high, .. } = self;
        [low as u64, (low >> 64) as u64, high as u64, (high >> 64) as u64]
    }
}

/// Loads up to 24 bytes as little-endian words, padded with zeros.
#[inline(always)]
fn load_words(bytes: &[u8]) -> Option<[u64; 3]> {
    let len = bytes.len();
    // The last eight bytes overlap the previous word. Shift out the bytes that they share.
    let tail = |last: &[u8; 8]| {
        let overlap = (len.wrapping_neg() & 7).wrapping_mul(8) as u32;
        u64::from_le_bytes(*last).wrapping_shr(overlap)
    };
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => {
            let first = u64::from_le_bytes(*first);
            match len {
                8 => Some([first, 0, 0]),
                9..=16 => Some([first, tail(last), 0]),
                17..=24 => {
                    let second = bytes.get(8..16)?.first_chunk()?;
                    Some([first, u64::from_le_bytes(*second), tail(last)])
                }
                _ => None,
            }
        }
        _ => Some([load_partial_word(bytes), 0, 0]),
    }
}

/// Loads fewer than 8 bytes as a little-endian word, padded with zeros.
#[inline(always)]
fn load_partial_word(bytes: &[u8]) -> u64 {
    match (bytes, bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (_, Some(first), Some(last)) => {
            let overlap = (8_usize.wrapping_sub(bytes.len())).wrapping_mul(8) as u32;
            let last = u64::from(u32::from_le_bytes(*last)).wrapping_shl(32).wrapping_shr(overlap);
            u64::from(u32::from_le_bytes(*first)) | last
        }
        (&[a, b, c], ..) => u64::from_le_bytes([a, b, c, 0, 0, 0, 0, 0]),
        (&[a, b], ..) => u64::from_le_bytes([a, b, 0, 0, 0, 0, 0, 0]),
        (&[a], ..) => u64::from(a),
        _ => 0,
    }
}

/// These tests check that `InlineBytes` accepts all byte strings that fit. No other test would
/// notice if it refused some of them: callers would then use a slower path with the same result.
#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: [u8; 40] = *b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN";

    /// Returns the first `len` bytes of `TEXT`, padded with zeros.
    fn prefix(len: usize) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes[..len].copy_from_slice(&TEXT[..len]);
        bytes
    }

    fn all_bytes(inline: InlineBytes) -> [u8; 32] {
        let mut bytes = [0; 32];
        for (to, word) in bytes.chunks_exact_mut(8).zip(inline.words()) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    #[test]
    fn text_of_up_to_24_bytes_is_inline() {
        for len in 0..=TEXT.len() {
            let text = InlineBytes::text(&TEXT[..len]);
            assert_eq!(text.is_some(), len <= 24, "{len}");
            let Some(text) = text else { continue };
            assert_eq!((all_bytes(text), text.len), (prefix(len), len));
        }
    }

    #[test]
    fn two_texts_join_if_they_fit() {
        for first in 0..=24 {
            for second in 0..=24.min(40 - first) {
                let [a, b] = [&TEXT[..first], &TEXT[first..first + second]].map(InlineBytes::text);
                let both = b.unwrap().after(a.unwrap());
                assert_eq!(both.is_some(), first + second <= 32, "{first} {second}");
                let Some(both) = both else { continue };
                let len = first + second;
                assert_eq!((all_bytes(both), both.len), (prefix(len), len), "{first} {second}");
            }
        }
    }

    #[test]
    fn padded_text_has_its_head_first() {
        for len in 0..=24 {
            let padded = InlineBytes::padded(*b"12345678", &TEXT[..len], 3).unwrap();
            let mut expected = [0; 32];
            expected[..8].copy_from_slice(b"12345678");
            expected[8..8 + len].copy_from_slice(&TEXT[..len]);
            assert_eq!((all_bytes(padded), padded.len), (expected, 11 + len));
        }
        assert!(InlineBytes::padded(*b"12345678", &TEXT[..25], 0).is_none());
    }

    #[test]
    fn values_of_up_to_32_bytes_are_inline() {
        fn of<const N: usize>() -> Option<([u8; 32], usize)> {
            let value: [u8; N] = TEXT[..N].try_into().unwrap();
            InlineBytes::of(&value).map(|inline| (all_bytes(inline), inline.len))
        }
        assert_eq!(of::<0>(), Some((prefix(0), 0)));
        assert_eq!(of::<4>(), Some((prefix(4), 4)));
        assert_eq!(of::<12>(), Some((prefix(12), 12)));
        assert_eq!(of::<20>(), Some((prefix(20), 20)));
        assert_eq!(of::<32>(), Some((prefix(32), 32)));
        assert_eq!(of::<33>(), None);
    }
}
