//! Prints characters as the engine prints them in text files.

use super::buffer::ItemBuffer;
use super::dialect::Dialect;
use super::numbers::{escape, integer};
use super::unreadable::{Unreadable, Verdict};

/// Prints a UTF-16 code unit. The engine of 2021 writes common characters in apostrophes, and other
/// characters as numbers. The engine of 2026 writes a string.
pub(crate) fn letter(unit: u16, dialect: Dialect, to: &mut ItemBuffer) -> Verdict {
    match dialect {
        Dialect::Engine2021 => letter_2021(unit, to),
        Dialect::Engine2026 => letter_2026(unit, to),
    }
}

fn letter_2021(unit: u16, to: &mut ItemBuffer) -> Verdict {
    match char::from_u32(unit.into()) {
        Some(
            letter @ ('A'..='Z'
            | 'a'..='z'
            | '0'..='9'
            | ' '
            | '_'
            | '+'
            | '-'
            | '*'
            | '/'
            | '!'
            | '§'
            | '$'
            | '%'
            | '&'
            | '('
            | ')'
            | '['
            | ']'
            | '{'
            | '}'
            | '|'
            | '~'
            | '<'
            | '>'),
        ) => {
            to.push(b"'");
            to.push(letter.encode_utf8(&mut [0; 4]).as_bytes());
            to.push(b"'");
            Ok(())
        }
        _ => integer(unit, to),
    }
}

fn letter_2026(unit: u16, to: &mut ItemBuffer) -> Verdict {
    // An unpaired surrogate is not a character, and becomes a question mark.
    let letter = char::from_u32(unit.into());
    to.push(b"\"");
    let escaped = letter.and_then(|letter| escape(u8::try_from(letter).ok()?));
    match escaped {
        Some(escaped) => to.push(&[b'\\', escaped]),
        None => to.push(letter.unwrap_or('?').encode_utf8(&mut [0; 4]).as_bytes()),
    }
    to.push(b"\"");
    match (letter, escaped) {
        (None, _) => Err(Unreadable::HalfPair),
        (_, Some(_)) => Err(Unreadable::EscapedLetter),
        _ => Ok(()),
    }
}
