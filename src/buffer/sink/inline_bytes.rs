//! What is short, in registers on its way into a sink.

use zerocopy::{Immutable, IntoBytes};

/// At most 32 bytes as a little-endian number, which stays in registers.
#[derive(Clone, Copy, Default)]
pub(crate) struct Short {
    pub(crate) low: u128,
    pub(crate) high: u128,
    pub len: usize,
}

impl Short {
    /// A header and what follows it, at most 16 bytes.
    #[inline(always)]
    #[allow(clippy::disallowed_methods, reason = "the place is as large as the type")]
    pub(crate) fn headed<T: IntoBytes + Immutable>(header: [u8; 4], payload: &T) -> Option<Self> {
        let mut bytes = [0; 16];
        bytes.get_mut(..size_of::<T>())?.copy_from_slice(payload.as_bytes());
        let payload = u128::from_le_bytes(bytes);
        let low = u128::from(u32::from_le_bytes(header)) | payload.wrapping_shl(32);
        let high = payload.wrapping_shr(96);
        Some(Self { low, high, len: size_of::<T>().wrapping_add(4) })
    }

    /// Text of at most 24 bytes.
    #[inline(always)]
    fn text(text: &[u8]) -> Option<Self> {
        let [a, b, c] = short_words(text)?.map(u128::from);
        let low = a | b.wrapping_shl(64);
        Some(Self { low, high: c, len: text.len() })
    }

    /// The same behind its header and length (or only that), with zeros after it. (These last:
    /// that the rest is short needs no test then.)
    #[inline(always)]
    pub(crate) fn padded<const N: usize>(head: [u8; N], text: &[u8], zeros: usize) -> Option<Self> {
        let mut low = [0; 16];
        *low.first_chunk_mut()? = head;
        let head = Self { low: u128::from_le_bytes(low), high: 0, len: N };
        let short = Self::text(text)?.behind(head)?;
        Some(Self { len: short.len.wrapping_add(zeros), ..short })
    }

    /// This one behind `key`, if both together are short. Of a constant key, all that is
    /// computed here is a shift or two.
    #[inline(always)]
    pub(crate) fn behind(self, key: Self) -> Option<Self> {
        let len = key.len.checked_add(self.len).filter(|len| *len <= 32)?;
        let by = (key.len as u32).wrapping_mul(8);
        let low = self.low.checked_shl(by).unwrap_or_default();
        let high = match by.checked_sub(128) {
            Some(by) => self.low.wrapping_shl(by),
            None => {
                let over = self.low.checked_shr(128_u32.wrapping_sub(by)).unwrap_or_default();
                self.high.wrapping_shl(by) | over
            }
        };
        Some(Self { low: key.low | low, high: key.high | high, len })
    }

    #[inline(always)]
    pub(crate) const fn words(self) -> [u64; 4] {
        let Self { low, high, .. } = self;
        [low as u64, (low >> 64) as u64, high as u64, (high >> 64) as u64]
    }
}

/// At most 24 bytes as little-endian words, with zeros behind.
#[inline(always)]
fn short_words(bytes: &[u8]) -> Option<[u64; 3]> {
    let len = bytes.len();
    // The last word holds bytes of the one before it, too: out they go.
    let tail = |last: &[u8; 8]| {
        let known = (len.wrapping_neg() & 7).wrapping_mul(8) as u32;
        u64::from_le_bytes(*last).wrapping_shr(known)
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
        _ => Some([half_words(bytes), 0, 0]),
    }
}

/// Less than 8 bytes as a little-endian word, with zeros behind.
#[inline(always)]
fn half_words(bytes: &[u8]) -> u64 {
    match (bytes, bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (_, Some(first), Some(last)) => {
            let twice = (8_usize.wrapping_sub(bytes.len())).wrapping_mul(8) as u32;
            let last = u64::from(u32::from_le_bytes(*last)).wrapping_shl(32).wrapping_shr(twice);
            u64::from(u32::from_le_bytes(*first)) | last
        }
        (&[a, b, c], ..) => u64::from_le_bytes([a, b, c, 0, 0, 0, 0, 0]),
        (&[a, b], ..) => u64::from_le_bytes([a, b, 0, 0, 0, 0, 0, 0]),
        (&[a], ..) => u64::from(a),
        _ => 0,
    }
}

/// What is long goes another way, so that only these tests can tell.
#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: [u8; 40] = *b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN";

    /// The bytes, and zeros behind them.
    fn bytes(short: Short) -> [u8; 32] {
        let mut bytes = [0; 32];
        for (to, word) in bytes.chunks_exact_mut(8).zip(short.words()) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    #[test]
    fn texts() {
        for len in 0..=TEXT.len() {
            let short = Short::text(&TEXT[..len]);
            assert_eq!(short.is_some(), len <= 24, "{len}");
            let Some(short) = short else { continue };
            let mut expected = [0; 32];
            expected[..len].copy_from_slice(&TEXT[..len]);
            assert_eq!((bytes(short), short.len), (expected, len));
        }
    }

    #[test]
    fn behind_each_other() {
        for key in 0..=24 {
            for len in 0..=24 {
                let [first, second] =
                    [Short::text(&TEXT[..key]), Short::text(&TEXT[key..key + len.min(40 - key)])];
                let both = second.unwrap().behind(first.unwrap());
                assert_eq!(both.is_some(), key + len.min(40 - key) <= 32, "{key} {len}");
                let Some(both) = both else { continue };
                let mut expected = [0; 32];
                expected[..both.len].copy_from_slice(&TEXT[..both.len]);
                assert_eq!((bytes(both), both.len), (expected, key + len), "{key} {len}");
            }
        }
    }

    #[test]
    fn heads() {
        for len in 0..=24 {
            let padded = Short::padded(*b"12345678", &TEXT[..len], 3).unwrap();
            let mut expected = [0; 32];
            expected[..8].copy_from_slice(b"12345678");
            expected[8..8 + len].copy_from_slice(&TEXT[..len]);
            assert_eq!((bytes(padded), padded.len), (expected, 11 + len));
        }
        assert!(Short::padded(*b"12345678", &TEXT[..25], 0).is_none());

        fn headed<const N: usize>() -> Option<([u8; 32], usize)> {
            let payload: [u8; N] = TEXT[4..4 + N].try_into().unwrap();
            Short::headed(*b"abcd", &payload).map(|short| (bytes(short), short.len))
        }
        let expected = |len: usize| {
            let mut expected = [0; 32];
            expected[..len].copy_from_slice(&TEXT[..len]);
            Some((expected, len))
        };
        assert_eq!(headed::<0>(), expected(4));
        assert_eq!(headed::<4>(), expected(8));
        assert_eq!(headed::<8>(), expected(12));
        assert_eq!(headed::<12>(), expected(16));
        assert_eq!(headed::<16>(), expected(20));
        assert_eq!(headed::<17>(), None);
    }
}
