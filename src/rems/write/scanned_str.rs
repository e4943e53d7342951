//! Finds the bytes of a text that must be escaped.

use crate::rems::StrRef;
use crate::rems::print::numbers::escape;
use crate::rems::swar::broadcast;

/// Text, with the result of the search for bytes that must be escaped.
#[derive(Clone, Copy)]
pub(super) struct ScannedStr<'a> {
    pub(super) text: StrRef<'a>,
    /// The bytes, if they are all ASCII and none needs an escape.
    pub(super) plain: Option<&'a [u8]>,
}

impl<'a> ScannedStr<'a> {
    #[inline]
    pub(super) fn new(text: StrRef<'a>) -> Self {
        Self { text, plain: text.as_bytes().filter(|bytes| is_plain(bytes)) }
    }
}

/// Returns `true` if all bytes are ASCII and none needs an escape. Checks eight bytes at a time.
/// The last eight bytes may overlap the preceding ones.
#[inline]
fn is_plain(bytes: &[u8]) -> bool {
    let (words, _) = bytes.as_chunks();
    let special = words.iter().fold(0, |found, word| found | special(u64::from_le_bytes(*word)));
    (special | self::special(last(bytes))) & broadcast(0x80) == 0
}

/// Returns the last eight bytes. Shorter text is padded with repeated bytes or spaces.
#[inline(always)]
pub(super) fn last(bytes: &[u8]) -> u64 {
    match (bytes.last_chunk(), bytes.first_chunk(), bytes.last_chunk(), bytes) {
        (Some(last), ..) => u64::from_le_bytes(*last),
        (_, Some(first), Some(last), _) => {
            u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last))
        }
        (.., &[a, b, c]) => u64::from_le_bytes([a, b, c, b' ', b' ', b' ', b' ', b' ']),
        (.., &[a, b]) => u64::from_le_bytes([a, b, b' ', b' ', b' ', b' ', b' ', b' ']),
        (.., &[a]) => broadcast(a),
        _ => broadcast(b' '),
    }
}

/// Sets the top bit of each byte that needs an escape or is not ASCII.
#[inline(always)]
const fn special(word: u64) -> u64 {
    word | escaped(word)
}

/// Sets the top bit of quotes, backslashes and control characters.
#[inline(always)]
const fn escaped(word: u64) -> u64 {
    let (quotes, backslashes) = (word ^ broadcast(b'"'), word ^ broadcast(b'\\'));
    let below = word.wrapping_sub(broadcast(b' ')) & !word;
    let quotes = quotes.wrapping_sub(broadcast(1)) & !quotes;
    below | quotes | backslashes.wrapping_sub(broadcast(1)) & !backslashes
}

/// Returns the index of the first byte that needs an escape, and the character that follows the
/// backslash in its escape.
pub(super) fn find_escape(bytes: &[u8]) -> Option<(usize, u8)> {
    let (words, _) = bytes.as_chunks();
    let is_plain = |word: &&[u8; 8]| escaped(u64::from_le_bytes(**word)) & broadcast(0x80) == 0;
    let from = words.iter().take_while(is_plain).count().wrapping_mul(8);
    let mut rest = bytes.iter().enumerate().skip(from);
    rest.find_map(|(at, byte)| Some((at, escape(*byte)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks every byte at every position. The lengths cover all code paths.
    #[test]
    fn each_byte_is_seen_wherever_it_is() {
        let text = [b'x'; 20];
        for len in 0..=text.len() {
            assert!(ScannedStr::new(StrRef::new(&text[..len])).plain.is_some());
            assert_eq!(find_escape(&text[..len]), None);
            for at in 0..len {
                for byte in 0..=u8::MAX {
                    let mut text = text;
                    text[at] = byte;
                    let text = &text[..len];
                    let expected = escape(byte).map(|escape| (at, escape));
                    assert_eq!(find_escape(text), expected, "{byte} at {at} of {len}");
                    let is_plain = byte >= b' ' && byte.is_ascii() && escape(byte).is_none();
                    assert_eq!(
                        ScannedStr::new(StrRef::new(text)).plain.is_some(),
                        is_plain,
                        "{byte} at {at}"
                    );
                }
            }
        }
    }
}
