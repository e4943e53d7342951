//! The segments of a path, which can be parsed from text and printed.

use super::key;
use crate::godot::types::text::StrRef;
use crate::godot::{Dialect, Encoded, VariantRef};
use core::fmt::{self, Display, Formatter, Write};

/// A parsed segment of a requested path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SegmentQuery<'p> {
    /// Text without quotes or brackets.
    Plain(&'p str),
    /// The text between quotes, with its escapes.
    Quoted(&'p str),
    /// The text between brackets: a key in Godot's text notation.
    Notation(&'p str),
    /// The number of a pair or property: `[#3]`.
    Pair(usize),
    /// The number of a pair whose key is selected: `[#3 key]`.
    KeyOf(usize),
}

/// The reason why text is not a valid segment.
pub(crate) type Fault = &'static str;

impl<'p> SegmentQuery<'p> {
    /// Parses the first segment. Also returns the rest of the path, if a separator follows the
    /// segment.
    pub(crate) fn split(path: &'p str) -> Result<(Self, Option<&'p str>), Fault> {
        let (segment, rest) = match path.as_bytes().first() {
            Some(b'"') => Self::quoted(path)?,
            Some(b'[') => Self::bracketed(path)?,
            _ => {
                let end = memchr::memchr(b'/', path.as_bytes()).unwrap_or(path.len());
                let (text, rest) = path.split_at_checked(end).unwrap_or((path, ""));
                (Self::Plain(text), rest)
            }
        };
        match segment {
            Self::Plain("") => Err("it is empty (an empty key is \"\")"),
            _ if rest.is_empty() => Ok((segment, None)),
            _ => match rest.strip_prefix('/') {
                Some(next) => Ok((segment, Some(next))),
                None => Err("a / is missing after it"),
            },
        }
    }

    fn quoted(path: &'p str) -> Result<(Self, &'p str), Fault> {
        let mut bytes = Unescaped::new(path.get(1..).unwrap_or_default());
        // Skip to the closing quote, which is not escaped.
        while !bytes.rest.starts_with('"') {
            bytes.next().ok_or("the closing quote is missing, or an escape is unknown")?;
        }
        let (text, rest) = between(path, bytes.rest)?;
        Ok((Self::Quoted(text), rest))
    }

    fn bracketed(path: &'p str) -> Result<(Self, &'p str), Fault> {
        let end = closing_bracket(path).ok_or("the closing bracket is missing")?;
        let (text, rest) = between(path, end)?;
        let Some(number) = text.strip_prefix('#') else { return Ok((Self::Notation(text), rest)) };
        let is_key = number.strip_suffix(" key");
        let digits = is_key.unwrap_or(number);
        // `parse` alone would accept a `+`.
        let number = digits.parse().ok().filter(|_| is_digits(digits.as_bytes()));
        let number = number.ok_or("# must be followed by a number")?;
        Ok((if is_key.is_some() { Self::KeyOf(number) } else { Self::Pair(number) }, rest))
    }

    /// Returns the integer, if the text of the segment is an integer.
    pub(crate) fn int(self) -> Option<i64> {
        match self {
            Self::Plain(text) if reads_as_int(text.as_bytes()) => text.parse().ok(),
            _ => None,
        }
    }

    /// Returns `true` if this is the name `text`.
    pub(crate) fn is_text(self, text: StrRef<'_>) -> bool {
        match self {
            Self::Plain(query) => text == query,
            Self::Quoted(query) => Unescaped::new(query).eq(text.visible().iter().copied()),
            _ => false,
        }
    }

    /// Returns `true` if the segment selects `key`. Does not match a plain integer such as `3` with
    /// an int key; use [`int`](Self::int) for that.
    pub(crate) fn is_key(self, key: &VariantRef<'_>, dialect: Dialect) -> bool {
        match self {
            Self::Notation(query) => key::prints_as(key, dialect, query),
            _ => key.as_str().is_some_and(|text| self.is_text(text)),
        }
    }
}

/// Splits `path` at the closing quote or bracket, which is the first character of its suffix `end`.
/// Returns the text between the first character of `path` and the closing one, and the text after
/// the closing one.
fn between<'p>(path: &'p str, end: &str) -> Result<(&'p str, &'p str), Fault> {
    let at = path.len().saturating_sub(end.len());
    let text = path.get(1..at).ok_or("the closing character is missing")?;
    Ok((text, path.get(at.saturating_add(1)..).unwrap_or_default()))
}

/// Returns the suffix of `path` that starts with the bracket that closes its first character.
/// Ignores brackets in strings.
fn closing_bracket(path: &str) -> Option<&str> {
    let (mut open, mut in_string, mut escaped) = (0_u32, false, false);
    for (at, byte) in path.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_string,
            b'"' => in_string = !in_string,
            b'[' if !in_string => open = open.saturating_add(1),
            b']' if !in_string => open = open.saturating_sub(1),
            _ => {}
        }
        if open == 0 {
            return path.get(at..);
        }
    }
    None
}

/// Returns `true` for an optional minus sign and digits.
fn reads_as_int(text: &[u8]) -> bool {
    is_digits(text.strip_prefix(b"-").unwrap_or(text))
}

fn is_digits(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
}

/// An iterator over the bytes of text that contains escapes. Ends at an unknown escape.
struct Unescaped<'p> {
    rest: &'p str,
    /// The remaining bytes of a character that is not ASCII.
    character: core::slice::Iter<'p, u8>,
}

impl<'p> Unescaped<'p> {
    fn new(text: &'p str) -> Self {
        Self { rest: text, character: [].iter() }
    }
}

impl Iterator for Unescaped<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        if let Some(byte) = self.character.next() {
            return Some(*byte);
        }
        let (byte, len) = match self.rest.as_bytes() {
            [b'\\', escaped @ (b'"' | b'\\'), ..] => (*escaped, 2),
            [b'\\', b'x', ..] => (hex_byte(self.rest.get(2..4)?)?, 4),
            [b'\\', ..] | [] => return None,
            [byte, ..] => {
                let len = self.rest.chars().next()?.len_utf8();
                self.character = self.rest.as_bytes().get(1..len)?.iter();
                (*byte, len)
            }
        };
        self.rest = self.rest.get(len..)?;
        Some(byte)
    }
}

/// Parses two hexadecimal digits. `from_str_radix` alone would also accept a sign.
fn hex_byte(digits: &str) -> Option<u8> {
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u8::from_str_radix(digits, 16).ok().filter(|_| is_hex)
}

/// One segment of a path, which selects a value inside another value. `Display` prints it in the
/// syntax of paths.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Segment<'a> {
    /// A key of a dictionary. The key is not a container.
    Key(Encoded<'a>),
    /// The name of an object's property.
    Property(StrRef<'a>),
    /// The index in an array.
    Index(u64),
    /// The name of a component of a vector or similar type.
    Number(&'static str),
    /// The number of a pair or property. It is used if the key or name cannot select the pair or
    /// property. This is the case if a later key or name is equal, if the key or name is too long,
    /// or if the key is a container.
    Pair(u64),
    /// The key of the pair with this number.
    KeyOf(u64),
}

impl<'a> Segment<'a> {
    /// Returns the segment for the value of pair `number`. No later pair may have the same key.
    pub(crate) fn of_key(key: Encoded<'a>, number: u64) -> Self {
        if key::is_printable_key(&key.decode(), key.dialect()) {
            Self::Key(key)
        } else {
            Self::Pair(number)
        }
    }

    /// Returns the segment for property `number`. No later property may have the same name.
    pub(crate) fn of_name(name: StrRef<'a>, number: u64) -> Self {
        if key::is_short(name) { Self::Property(name) } else { Self::Pair(number) }
    }
}

impl Display for Segment<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => match key.decode() {
                VariantRef::Int(int) => int.fmt(f),
                VariantRef::String(text) | VariantRef::StringName(text) => name(text, f),
                other => {
                    f.write_char('[')?;
                    key::print(&other, key.dialect(), f)?;
                    f.write_char(']')
                }
            },
            Self::Property(text) => name(*text, f),
            Self::Index(index) => index.fmt(f),
            Self::Number(name) => f.write_str(name),
            Self::Pair(number) => write!(f, "[#{number}]"),
            Self::KeyOf(number) => write!(f, "[#{number} key]"),
        }
    }
}

/// Prints text as a segment, in quotes if necessary.
fn name(text: StrRef<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    match text.to_str() {
        Ok(text) if is_plain(text) => f.write_str(text),
        _ => quoted(text.visible(), f),
    }
}

fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(['"', '['])
        && !reads_as_int(text.as_bytes())
        && text.chars().all(|c| c != '/' && is_printable(c))
}

/// Returns `true` if a terminal shows the character unchanged.
pub(super) fn is_printable(c: char) -> bool {
    matches!(c, '"' | '\'' | '\\') || c.escape_debug().len() == 1
}

fn quoted(text: &[u8], f: &mut Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                c if is_printable(c) => f.write_char(c)?,
                c => escaped(c.encode_utf8(&mut [0; 4]).as_bytes(), f)?,
            }
        }
        escaped(chunk.invalid(), f)?;
    }
    f.write_char('"')
}

fn escaped(bytes: &[u8], f: &mut Formatter<'_>) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "\\x{byte:02x}"))
}
