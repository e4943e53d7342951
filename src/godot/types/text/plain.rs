//! Fast checks for plain text, which is ASCII without NUL. Nearly all text in games is plain.
//!
//! The checks look at 8 bytes at a time (SWAR).

use ascii::AsciiStr;
use core::str;

/// Returns the text as `str` if it is UTF-8 and a script sees all of it, that is, if the text
/// contains no NUL and does not start with a byte order mark.
#[inline(always)]
pub(crate) fn fully_visible_str(bytes: &[u8]) -> Option<&str> {
    if is_plain(bytes)
        && let Ok(text) = AsciiStr::from_ascii(bytes)
    {
        return Some(text.as_str());
    }
    fully_visible_str_slow(bytes)
}

#[inline(never)]
fn fully_visible_str_slow(bytes: &[u8]) -> Option<&str> {
    if visible(bytes).len() == bytes.len() { str::from_utf8(bytes).ok() } else { None }
}

pub(super) const BOM: [u8; 3] = [0xEF, 0xBB, 0xBF];

/// A word with the value 1 in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// A word in which only the top bit of each byte is set.
const TOP: u64 = ONES << 7;

/// Marks the lowest byte of a word that is not plain. In the result, the top bit of this byte is
/// set, and the top bits of all lower bytes are clear. A byte over 0x7F already has its top bit
/// set; in a byte of 0, the subtraction sets it. The bits above the marked byte are unspecified.
#[inline(always)]
const fn mark_not_plain(word: u64) -> u64 {
    word.wrapping_sub(ONES) | word
}

/// Skips text of fewer than 8 bytes and its pad, if the text is plain.
///
/// Returns `None` for any other text. Also returns `None` if fewer than 12 bytes are left in the
/// input, because the check always loads 12 bytes. The caller then takes the general path.
#[inline(always)]
pub(crate) fn past_plain(rest: &[u8], len: u32) -> Option<&[u8]> {
    /// Masks by `len`: the top bit of each of the first `len` bytes of a word.
    const TOPS: [u64; 8] =
        [0, TOP >> 56, TOP >> 48, TOP >> 40, TOP >> 32, TOP >> 24, TOP >> 16, TOP >> 8];

    let [word @ .., _, _, _, _] = rest.first_chunk::<12>()?;
    let tops = TOPS.get(len as usize)?;
    if mark_not_plain(u64::from_le_bytes(*word)) & tops != 0 {
        return None;
    }
    rest.get((len as usize).wrapping_add(3) & !3..)
}

/// Returns `true` if text is plain: only ASCII, and no NUL.
///
/// Short text is checked in one or two words. A loop over its bytes would cost as much as the
/// rest of the decoding.
#[inline(always)]
pub(crate) fn is_plain(bytes: &[u8]) -> bool {
    #[inline(always)]
    fn word(word: [u8; 8]) -> u64 {
        mark_not_plain(u64::from_ne_bytes(word))
    }
    #[inline(always)]
    const fn byte(byte: u8) -> u8 {
        byte.wrapping_sub(1) | byte
    }

    match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) if bytes.len() <= 16 => (word(*first) | word(*last)) & TOP == 0,
        (Some(_), Some(last)) => {
            let (words, _) = bytes.as_chunks::<8>();
            let all = words.iter().fold(word(*last), |all, &chunk| all | word(chunk));
            all & TOP == 0
        }
        _ => match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
            (Some(&[a, b, c, d]), Some(&[e, f, g, h])) => word([a, b, c, d, e, f, g, h]) & TOP == 0,
            // One to three bytes, some of which are checked twice. Combining them into a word would
            // make the compiler merge this arm with those above and assemble every word byte by
            // byte.
            _ => match (bytes.first(), bytes.get(bytes.len() / 2), bytes.last()) {
                (Some(a), Some(b), Some(c)) => (byte(*a) | byte(*b) | byte(*c)) & 0x80 == 0,
                _ => true,
            },
        },
    }
}

/// Returns the part of the text that a script sees. It does not include a byte order mark at the
/// start, and ends before the first NUL.
#[cold]
#[inline(never)]
pub(super) fn visible(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_prefix(&BOM).unwrap_or(bytes);
    match first_nul(bytes) {
        Some(end) => bytes.get(..end).unwrap_or_default(),
        None => bytes,
    }
}

/// Finds the first NUL. Text of 8 to 64 bytes is checked in words first, which costs less than a
/// call to `memchr`.
#[inline(always)]
fn first_nul(bytes: &[u8]) -> Option<usize> {
    let zeros = |word: [u8; 8]| {
        let word = u64::from_ne_bytes(word);
        word.wrapping_sub(ONES) & !word & ONES << 7
    };
    if let (Some(last), 8..=64) = (bytes.last_chunk(), bytes.len()) {
        let (words, _) = bytes.as_chunks();
        if words.iter().fold(zeros(*last), |any, word| any | zeros(*word)) == 0 {
            return None;
        }
    }
    memchr::memchr(0, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: [u8; 40] = *b"The quick brown fox jumps over the dogs.";

    /// A wrong `false` does not change any result, because callers then check the text in a
    /// different way. Only this test notices it.
    #[test]
    fn plain_text_is_recognised() {
        for len in 0..TEXT.len() {
            assert!(is_plain(&TEXT[..len]), "{len}");
            for position in 0..len {
                for (byte, expected) in
                    [(0, false), (1, true), (0x7F, true), (0x80, false), (0xFF, false)]
                {
                    let mut text = TEXT;
                    text[position] = byte;
                    assert_eq!(is_plain(&text[..len]), expected, "{len} {position} {byte}");
                }
            }
        }
    }

    #[test]
    fn short_plain_text_is_skipped() {
        for len in 0..8 {
            let after = (len as usize).next_multiple_of(4);
            assert_eq!(past_plain(&TEXT, len).map(|rest| 40 - rest.len()), Some(after), "{len}");
            assert_eq!(past_plain(&TEXT[..11], len), None);
            for (position, byte) in (0..8).flat_map(|position| [(position, 0), (position, 0x80)]) {
                let mut text = TEXT;
                text[position] = byte;
                assert_eq!(
                    past_plain(&text, len).is_some(),
                    position >= len as usize,
                    "{len} {position}"
                );
            }
        }
        assert_eq!(past_plain(&TEXT, 8), None);
    }

    #[test]
    fn only_fully_visible_text_is_a_str() {
        for text in ["", "a", "aé", "é", "The quick brown fox jümps", "a\u{FEFF}"] {
            assert_eq!(fully_visible_str(text.as_bytes()), Some(text));
        }
        for text in [&b"a\0"[..], b"\0", b"a\xFF", b"\xEF\xBB\xBFa", b"The quick brown fox\0jumps"]
        {
            assert_eq!(fully_visible_str(text), None, "{text:?}");
        }
    }

    #[test]
    fn first_nul_is_found() {
        for len in 0..TEXT.len() {
            assert_eq!(first_nul(&TEXT[..len]), None);
            for position in 0..len {
                let mut text = TEXT;
                text[position..].fill(0);
                assert_eq!(first_nul(&text[..len]), Some(position), "{len}");
                text = TEXT;
                text[position] = 0x80;
                assert_eq!(first_nul(&text[..len]), None, "{len}");
            }
        }
    }
}
