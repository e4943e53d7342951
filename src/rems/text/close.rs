//! Finds the end of an object or array, with bitmasks for blocks of 64 bytes.
//!
//! This is stage 1 of simdjson, reduced to brackets: G. Langdale, D. Lemire, "Parsing Gigabytes of
//! JSON per Second", 2019.

use super::lanes::{Block, LANES, Lanes};
use crate::rems::str::escape;

/// Returns the number of bytes up to and including the bracket or brace that closes the innermost
/// open object or array. Returns `None` if the bytes end before it.
///
/// Counts the brackets outside of strings, one block at a time. Blocks with escapes, character
/// literals or comments are rare; this function scans them token by token.
pub(super) fn closing_bracket(bytes: &[u8]) -> Option<usize> {
    let mut at = 0usize;
    let mut open = 1usize;
    let mut in_string = false; // `true` if the block starts inside a string
    loop {
        if let Some(brackets) =
            Block::at(bytes, at).and_then(|block| Brackets::of(block, in_string))
        {
            let closing = brackets.close.count_ones() as usize;
            if closing >= open
                && let Some(place) = brackets.last(open)
            {
                return Some(at.wrapping_add(place).wrapping_add(1));
            }
            open = open.wrapping_add(brackets.open.count_ones() as usize).wrapping_sub(closing);
            in_string = brackets.in_string;
            at = at.wrapping_add(Block::LEN);
            continue;
        }
        let end = at.wrapping_add(Block::LEN);
        if in_string {
            at = at.wrapping_add(string_end(bytes.get(at..)?)?);
            in_string = false;
        }
        while at < end {
            at = at.wrapping_add(next_token(bytes.get(at..)?, &mut open)?);
            if open == 0 {
                return Some(at);
            }
        }
    }
}

/// Bitmasks of the brackets in a block, with one bit for each byte.
struct Brackets {
    open: u64,
    close: u64,
    /// `true` if the block ends inside a string.
    in_string: bool,
}

impl Brackets {
    /// Computes the bitmasks. Returns `None` if the block must be scanned token by token. This is
    /// the case if it has backslashes, or apostrophes or slashes outside of strings.
    #[inline(always)]
    fn of(block: Block, in_string: bool) -> Option<Self> {
        if block.has(b'\\') {
            return None;
        }
        let quoted = prefix_xor(block.eq(b'"')) ^ if in_string { u64::MAX } else { 0 };
        if block.eq_either(b'\'', b'/') & !quoted != 0 {
            return None;
        }
        // Brackets and braces differ in only one bit, 0x20.
        let curly = block.set_bits(0x20);
        let (open, close) = (curly.eq(b'{') & !quoted, curly.eq(b'}') & !quoted);
        Some(Self { open, close, in_string: quoted >> 63 != 0 })
    }

    /// Returns the position of the bracket that closes the outermost open bracket. `open` is the
    /// number of brackets that are open before the block.
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

/// Sets each bit to the XOR of itself and all lower bits. Turns the bitmask of quotes into the
/// bitmask of the bytes in strings.
#[inline(always)]
const fn prefix_xor(bits: u64) -> u64 {
    let bits = bits ^ bits << 1;
    let bits = bits ^ bits << 2;
    let bits = bits ^ bits << 4;
    let bits = bits ^ bits << 8;
    let bits = bits ^ bits << 16;
    bits ^ bits << 32
}

/// Returns the number of bytes up to and including the next bracket, string, character literal or
/// comment. Updates the number of open brackets.
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
        // An unterminated comment is treated as extending to the end of the file, so the search for
        // its end is not repeated.
        _ if matches!(sign, [_, b'/' | b'*', ..]) => comment_len(sign)?,
        _ => 1,
    };
    Some(plain.wrapping_add(len))
}

/// Returns the number of bytes up to and including the quote that ends a string.
fn string_end(bytes: &[u8]) -> Option<usize> {
    let mut len = 0usize;
    loop {
        let rest = bytes.get(len..)?;
        let plain = find_quote_or_backslash(rest)?;
        len = len.wrapping_add(plain).wrapping_add(1);
        if rest.get(plain) == Some(&b'"') {
            return Some(len);
        }
        len = len.wrapping_add(1); // the escaped byte
    }
}

/// Returns the index of the first quote or backslash. Searches the first bytes with inlined code,
/// since most strings are short.
#[inline(always)]
pub(super) fn find_quote_or_backslash(bytes: &[u8]) -> Option<usize> {
    for at in [0, LANES] {
        let Some(lanes) = Lanes::at(bytes, at) else { break };
        let found = lanes.eq(b'"').or(lanes.eq(b'\\')).bits();
        if found != 0 {
            return Some(at.wrapping_add(found.trailing_zeros() as usize));
        }
    }
    memchr::memchr2(b'"', b'\\', bytes)
}

/// Returns the length of a character literal, including its apostrophes.
pub(super) fn char_literal_len(bytes: &[u8]) -> Option<usize> {
    let inner = match bytes.get(1..)? {
        // The backslash is the character itself, unless it escapes an apostrophe.
        [b'\\', b'\'', b'\'', ..] => 2,
        [b'\\', b'\'', ..] => 1,
        escaped @ [b'\\', ..] => escape(escaped)?.1,
        [first, ..] => char_len(*first, bytes),
        [] => return None,
    };
    let end = inner.wrapping_add(1);
    (bytes.get(end) == Some(&b'\'')).then_some(end.wrapping_add(1))
}

/// Returns the length of the character after an apostrophe, or 1 if it is not UTF-8.
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

/// Returns the length of a comment, including the line feed after a `//` comment. Engines accept
/// `/*/` as a complete comment.
pub(super) fn comment_len(bytes: &[u8]) -> Option<usize> {
    let (end, from) = match bytes {
        [b'/', b'/', ..] => (memchr::memchr(b'\n', bytes), 1),
        [b'/', b'*', inner @ ..] => {
            // The star of the opening `/*` may also be the star of the closing `*/`.
            (memchr::memmem::find(bytes.get(1..)?, b"*/"), if inner.is_empty() { 0 } else { 3 })
        }
        _ => return None,
    };
    Some(end?.wrapping_add(from))
}
