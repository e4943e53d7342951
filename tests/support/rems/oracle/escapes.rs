//! Decodes the escapes in text saves.

use super::{Refused, Result};

/// Decodes the bytes between two quotes.
pub fn unescaped(raw: &[u8], at: usize) -> Result<Vec<u8>> {
    let mut string = Vec::new();
    let mut rest = raw;
    while let [byte, behind @ ..] = rest {
        rest = behind;
        match byte {
            b'\\' => {
                let (char, behind) = escape(rest).ok_or(Refused { at, why: "no escape" })?;
                string.extend(char.to_string().bytes());
                rest = behind;
            }
            byte => string.push(*byte),
        }
    }
    Ok(string)
}

/// Decodes one character and returns it with the bytes after it.
fn escape(rest: &[u8]) -> Option<(char, &[u8])> {
    let (byte, rest) = rest.split_first()?;
    let char = match byte {
        b'\\' | b'"' | b'\'' | b'/' => char::from(*byte),
        b't' => '\t',
        b'r' => '\r',
        b'n' => '\n',
        b'b' => '\u{8}',
        b'f' => '\u{C}',
        b'u' => return unicode(rest),
        _ => return None,
    };
    Some((char, rest))
}

/// Decodes the UTF-16 unit after `\u`, and the second one if it is a surrogate pair.
fn unicode(rest: &[u8]) -> Option<(char, &[u8])> {
    let (unit, rest) = hexadecimal(rest)?;
    let pair = rest.strip_prefix(b"\\u").and_then(hexadecimal);
    if let Some((other, behind)) = pair
        && matches!((unit, other), (0xD800..0xDC00, 0xDC00..0xE000))
    {
        let char = char::decode_utf16([unit, other]).next()?;
        return Some((char.ok()?, behind));
    }
    Some((char::from_u32(unit.into()).unwrap_or(char::REPLACEMENT_CHARACTER), rest))
}

/// Decodes a UTF-16 unit from four hexadecimal digits. Returns it with the bytes after it.
pub fn hexadecimal(rest: &[u8]) -> Option<(u16, &[u8])> {
    let (digits, rest) = rest.split_at_checked(4)?;
    let digits: Option<Vec<_>> =
        digits.iter().map(|digit| char::from(*digit).to_digit(16)).collect();
    Some((digits?.into_iter().fold(0, |unit, digit| unit << 4 | digit as u16), rest))
}
