//! Where an object or an array ends.

use super::lanes::Block;
use super::scan::find_quote_or_backslash;
use crate::rems::str::escape;

/// How long it is up to the bracket or brace that closes one which was passed, and with it; none
/// if the text ends first.
///
/// A block at a time, of which is only counted what opens and closes outside of strings. What is
/// rare and asks for more (escapes, char_literal_len, comments) is gone through sign by sign, to the
/// end of the block in which it is.
pub(super) fn closing_bracket(bytes: &[u8]) -> Option<usize> {
    let mut at = 0usize;
    let mut open = 1usize;
    let mut inside = false; // of a string
    loop {
        if let Some(brackets) = Block::at(bytes, at).and_then(|block| Brackets::of(block, inside)) {
            let closing = brackets.close.count_ones() as usize;
            if closing >= open
                && let Some(place) = brackets.last(open)
            {
                return Some(at.wrapping_add(place).wrapping_add(1));
            }
            open = open.wrapping_add(brackets.open.count_ones() as usize).wrapping_sub(closing);
            inside = brackets.inside;
            at = at.wrapping_add(Block::LEN);
            continue;
        }
        let end = at.wrapping_add(Block::LEN);
        if inside {
            at = at.wrapping_add(string_end(bytes.get(at..)?)?);
            inside = false;
        }
        while at < end {
            at = at.wrapping_add(next_token(bytes.get(at..)?, &mut open)?);
            if open == 0 {
                return Some(at);
            }
        }
    }
}

/// What of a block means something: a bit for each byte.
struct Brackets {
    open: u64,
    close: u64,
    /// Whether a string goes on behind it.
    inside: bool,
}

impl Brackets {
    /// None if that cannot be told by bytes alone.
    #[inline(always)]
    fn of(block: Block, inside: bool) -> Option<Self> {
        if block.has(b'\\') {
            return None;
        }
        let quoted = prefix_xor(block.eq(b'"')) ^ if inside { u64::MAX } else { 0 };
        if block.eq_either(b'\'', b'/') & !quoted != 0 {
            return None;
        }
        // Of brackets and braces one bit makes the difference.
        let curly = block.set_bits(0x20);
        let (open, close) = (curly.eq(b'{') & !quoted, curly.eq(b'}') & !quoted);
        Some(Self { open, close, inside: quoted >> 63 != 0 })
    }

    /// Where the last of so many that are open is closed.
    fn last(&self, mut open: usize) -> Option<usize> {
        let mut brackets = self.open | self.close;
        while brackets != 0 {
            let place = brackets.trailing_zeros();
            open = match self.open >> place & 1 {
                0 => open.wrapping_sub(1),
                _ => open.wrapping_add(1),
            };
            if open == 0 {
                return Some(place as usize);
            }
            brackets &= brackets.wrapping_sub(1);
        }
        None
    }
}

/// Of each bit whether up to it an odd number is set: from a quote on, up to the next one.
#[inline(always)]
const fn prefix_xor(bits: u64) -> u64 {
    let bits = bits ^ bits << 1;
    let bits = bits ^ bits << 2;
    let bits = bits ^ bits << 4;
    let bits = bits ^ bits << 8;
    let bits = bits ^ bits << 16;
    bits ^ bits << 32
}

/// How long it is up to the next sign and with that: what it opens or closes, a string, a letter
/// or a comment.
fn next_token(bytes: &[u8], open: &mut usize) -> Option<usize> {
    let is_sign = |byte: &u8| matches!(byte, b'[' | b']' | b'{' | b'}' | b'"' | b'\'' | b'/');
    let plain = bytes.iter().position(is_sign)?;
    let sign = bytes.get(plain..)?;
    let len = match sign.first()? {
        b'[' | b'{' => {
            *open = open.wrapping_add(1);
            1
        }
        b']' | b'}' => {
            *open = open.wrapping_sub(1);
            1
        }
        b'"' => string_end(sign.get(1..)?)?.wrapping_add(1),
        b'\'' => char_literal_len(sign).unwrap_or(1),
        // (A comment without an end takes the rest, so that its end is looked for but once.)
        _ if matches!(sign, [_, b'/' | b'*', ..]) => comment_len(sign)?,
        _ => 1,
    };
    Some(plain.wrapping_add(len))
}

/// Behind the quote that ends a string.
fn string_end(bytes: &[u8]) -> Option<usize> {
    let mut len = 0usize;
    loop {
        let rest = bytes.get(len..)?;
        let plain = find_quote_or_backslash(rest)?;
        len = len.wrapping_add(plain).wrapping_add(1);
        if rest.get(plain) == Some(&b'"') {
            return Some(len);
        }
        len = len.wrapping_add(1); // whatever is escaped
    }
}

/// How long a character between apostrophes is, these included.
pub(super) fn char_literal_len(bytes: &[u8]) -> Option<usize> {
    let inner = match bytes.get(1..)? {
        // The backslash itself, unless that and the apostrophe are an escape.
        [b'\\', b'\'', b'\'', ..] => 2,
        [b'\\', b'\'', ..] => 1,
        escaped @ [b'\\', ..] => escape(escaped)?.1,
        [first, ..] => char_len(*first, bytes),
        [] => return None,
    };
    let end = inner.wrapping_add(1);
    (bytes.get(end) == Some(&b'\'')).then_some(end.wrapping_add(1))
}

/// Bytes of the character behind an apostrophe; 1 for what is not UTF-8.
fn char_len(first: u8, bytes: &[u8]) -> usize {
    let len: usize = match first {
        0..0xC0 => 1,
        0xC0..0xE0 => 2,
        0xE0..0xF0 => 3,
        0xF0.. => 4,
    };
    let inner = bytes.get(1..len.wrapping_add(1));
    if inner.is_some_and(|inner| core::str::from_utf8(inner).is_ok()) { len } else { 1 }
}

/// How long a comment is, the end of its line included. (`/*/` is one, for the engine.)
pub(super) fn comment_len(bytes: &[u8]) -> Option<usize> {
    let (end, from) = match bytes {
        [b'/', b'/', ..] => (memchr::memchr(b'\n', bytes), 1),
        [b'/', b'*', inner @ ..] => {
            // The star that opens it may be the one that closes it.
            (memchr::memmem::find(bytes.get(1..)?, b"*/"), if inner.is_empty() { 0 } else { 3 })
        }
        _ => return None,
    };
    Some(end?.wrapping_add(from))
}
