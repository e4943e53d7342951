//! What is short, in registers on its way into a sink.

use zerocopy::{Immutable, IntoBytes};

/// At most 32 bytes as a little-endian number, which stays in registers.
#[derive(Clone, Copy, Default)]
pub(crate) struct Short {
    pub(super) low: u128,
    pub(super) high: u128,
    pub len: usize,
}

impl Short {
    /// A header and what follows it, at most 16 bytes.
    #[inline(always)]
    #[allow(clippy::disallowed_methods, reason = "the place is as large as the type")]
    pub(super) fn headed<T: IntoBytes + Immutable>(header: [u8; 4], payload: &T) -> Option<Self> {
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
    pub(super) fn behind(self, key: Self) -> Option<Self> {
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
