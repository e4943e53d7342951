//! What a script sees of text, looked at by words: nearly all of it is plain.

use ascii::AsciiStr;
use core::str;

/// Text that is UTF-8 and has nothing that a script would not see.
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

/// 1 in each byte of a word.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The top bit of each byte.
const TOP: u64 = ONES << 7;

/// Has the top bit set of the lowest byte that is not plain: one of 0 borrows into its own, one
/// over 0x7F has it set.
#[inline(always)]
const fn other_than_plain(word: u64) -> u64 {
    word.wrapping_sub(ONES) | word
}

/// Behind text of less than 8 bytes and its pad, if it is plain. (For others, and at the end of a
/// packet, where it cannot be looked at in one piece, this is not enough.)
#[inline(always)]
pub(crate) fn past_plain(rest: &[u8], len: u32) -> Option<&[u8]> {
    /// Those of so many bytes.
    const TOPS: [u64; 8] =
        [0, TOP >> 56, TOP >> 48, TOP >> 40, TOP >> 32, TOP >> 24, TOP >> 16, TOP >> 8];

    let [word @ .., _, _, _, _] = rest.first_chunk::<12>()?;
    let tops = TOPS.get(len as usize)?;
    if other_than_plain(u64::from_le_bytes(*word)) & tops != 0 {
        return None;
    }
    rest.get((len as usize).wrapping_add(3) & !3..)
}

/// Only ASCII, and no NUL: what nearly all text of games is. By words, since a
/// byte-wise look at short text costs as much as all the rest.
#[inline(always)]
pub(crate) fn is_plain(bytes: &[u8]) -> bool {
    #[inline(always)]
    fn word(word: [u8; 8]) -> u64 {
        other_than_plain(u64::from_ne_bytes(word))
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
            // One to three bytes, some of them twice; each as in a word. (Not put into one:
            // that would be shared with the arms above, and all words put together by bytes.)
            _ => match (bytes.first(), bytes.get(bytes.len() / 2), bytes.last()) {
                (Some(a), Some(b), Some(c)) => (byte(*a) | byte(*b) | byte(*c)) & 0x80 == 0,
                _ => true,
            },
        },
    }
}

#[cold]
#[inline(never)]
pub(super) fn visible(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_prefix(&BOM).unwrap_or(bytes);
    match first_nul(bytes) {
        Some(end) => bytes.get(..end).unwrap_or_default(),
        None => bytes,
    }
}

/// By words, where a search would cost less than to begin with it.
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

    /// Whoever asks looks at each byte where this is not plain, so that only this test can tell.
    #[test]
    fn plain() {
        for len in 0..TEXT.len() {
            assert!(is_plain(&TEXT[..len]), "{len}");
            for place in 0..len {
                for (byte, expected) in
                    [(0, false), (1, true), (0x7F, true), (0x80, false), (0xFF, false)]
                {
                    let mut text = TEXT;
                    text[place] = byte;
                    assert_eq!(is_plain(&text[..len]), expected, "{len} {place} {byte}");
                }
            }
        }
    }

    #[test]
    fn past_plain_text() {
        for len in 0..8 {
            let after = (len as usize).next_multiple_of(4);
            assert_eq!(past_plain(&TEXT, len).map(|rest| 40 - rest.len()), Some(after), "{len}");
            assert_eq!(past_plain(&TEXT[..11], len), None);
            for (place, byte) in (0..8).flat_map(|place| [(place, 0), (place, 0x80)]) {
                let mut text = TEXT;
                text[place] = byte;
                assert_eq!(
                    past_plain(&text, len).is_some(),
                    place >= len as usize,
                    "{len} {place}"
                );
            }
        }
        assert_eq!(past_plain(&TEXT, 8), None);
    }

    #[test]
    fn whole_text() {
        for text in ["", "a", "aé", "é", "The quick brown fox jümps", "a\u{FEFF}"] {
            assert_eq!(fully_visible_str(text.as_bytes()), Some(text));
        }
        for text in [&b"a\0"[..], b"\0", b"a\xFF", b"\xEF\xBB\xBFa", b"The quick brown fox\0jumps"]
        {
            assert_eq!(fully_visible_str(text), None, "{text:?}");
        }
    }

    #[test]
    fn nuls() {
        for len in 0..TEXT.len() {
            assert_eq!(first_nul(&TEXT[..len]), None);
            for place in 0..len {
                let mut text = TEXT;
                text[place..].fill(0);
                assert_eq!(first_nul(&text[..len]), Some(place), "{len}");
                text = TEXT;
                text[place] = 0x80;
                assert_eq!(first_nul(&text[..len]), None, "{len}");
            }
        }
    }
}
