//! Strings and names that borrow from a file.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec::Vec};
use core::fmt::{self, Write};

/// A string, name or class: bytes of the file, with escapes in text files.
///
/// Text should be UTF-8, but files from late 2021 may be Latin-1, or may have lost the upper half
/// of each UTF-16 unit. This type therefore stores bytes, and [`Display`](fmt::Display) shows
/// U+FFFD in place of bytes that are not UTF-8.
///
/// ```
/// use gamewire::rems::{Item, TextReader};
///
/// let mut reader = TextReader::new(br#"[{"class":"SMap","S:a\tb":"say \"hi\""}]"#);
/// reader.next()?; // the object
/// let Some(Item::Property(property)) = reader.next()? else { panic!() };
/// assert_eq!(property.name, *"a\tb");
/// let Some(Item::Value(value)) = reader.next()? else { panic!() };
/// assert_eq!(value.text()?.raw(), br#"say \"hi\""#);
/// assert_eq!(value.text()?.to_string(), r#"say "hi""#);
/// # Ok::<(), gamewire::rems::Error>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct StrRef<'a> {
    raw: &'a [u8],
    escapes: Escapes,
}

/// A flag: `Some` if the text has escapes, which have been checked and are valid. The flag is as
/// wide as a `usize`: a copy of the struct loads eight bytes at a time, and such a load would stall
/// after a store of one byte.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
#[repr(usize)]
enum Escapes {
    #[default]
    None,
    Some,
}

impl<'a> StrRef<'a> {
    /// Creates text without escapes.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { raw: bytes, escapes: Escapes::None }
    }

    /// Creates text from the bytes between quotes. If `escaped` is `true`, the caller must have
    /// validated the escapes.
    #[inline]
    pub(crate) const fn quoted(raw: &'a [u8], escaped: bool) -> Self {
        Self { raw, escapes: if escaped { Escapes::Some } else { Escapes::None } }
    }

    /// Returns the bytes as they are in the file, with escapes.
    #[inline]
    pub const fn raw(&self) -> &'a [u8] {
        self.raw
    }

    /// Returns `true` if the text has escapes, so that its raw bytes differ from its value.
    #[inline]
    pub const fn has_escapes(&self) -> bool {
        matches!(self.escapes, Escapes::Some)
    }

    /// Returns `true` if the text is empty.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.raw.is_empty()
    }

    /// Returns the bytes, or `None` if the text has escapes.
    #[inline]
    pub const fn as_bytes(&self) -> Option<&'a [u8]> {
        if self.has_escapes() { None } else { Some(self.raw) }
    }

    /// Returns the text, or `None` if it has escapes or is not UTF-8.
    pub fn as_str(&self) -> Option<&'a str> {
        core::str::from_utf8(self.as_bytes()?).ok()
    }

    /// Returns an iterator over runs of plain bytes and decoded escapes.
    pub const fn pieces(&self) -> Pieces<'a> {
        Pieces { rest: self.raw, escaped: self.has_escapes() }
    }

    /// Returns an iterator over the decoded bytes.
    pub fn bytes(&self) -> impl Iterator<Item = u8> + Clone + use<'a> {
        self.pieces().flat_map(|piece| {
            let mut utf8 = [0; 4];
            let (bytes, len) = match piece {
                Piece::Bytes(bytes) => (bytes, 0),
                Piece::Char(char) => (&[][..], char.encode_utf8(&mut utf8).len()),
            };
            bytes.iter().copied().chain(utf8.into_iter().take(len))
        })
    }

    /// Returns the decoded bytes. Allocates only if the text has escapes.
    #[cfg(feature = "alloc")]
    pub fn to_bytes(&self) -> Cow<'a, [u8]> {
        match self.as_bytes() {
            Some(bytes) => Cow::Borrowed(bytes),
            None => {
                let mut bytes = Vec::with_capacity(self.raw.len());
                self.pieces().for_each(|piece| match piece {
                    Piece::Bytes(piece) => bytes.extend_from_slice(piece),
                    Piece::Char(char) => {
                        bytes.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
                    }
                });
                Cow::Owned(bytes)
            }
        }
    }

    /// Returns the decoded text, with U+FFFD in place of bytes that are not UTF-8. Allocates only
    /// if the text has escapes or such bytes.
    #[cfg(feature = "alloc")]
    pub fn to_string_lossy(&self) -> Cow<'a, str> {
        match self.to_bytes() {
            Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
            Cow::Owned(bytes) => Cow::Owned(match String::from_utf8(bytes) {
                Ok(text) => text,
                Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
            }),
        }
    }
}

impl<'a> From<&'a str> for StrRef<'a> {
    fn from(text: &'a str) -> Self {
        Self::new(text.as_bytes())
    }
}

impl PartialEq for StrRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self.as_bytes(), other.as_bytes()) {
            (Some(a), Some(b)) => a == b,
            _ => self.bytes().eq(other.bytes()),
        }
    }
}

impl Eq for StrRef<'_> {}

impl PartialEq<str> for StrRef<'_> {
    fn eq(&self, text: &str) -> bool {
        *self == StrRef::from(text)
    }
}

impl fmt::Display for StrRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces().try_for_each(|piece| match piece {
            Piece::Char(char) => f.write_char(char),
            Piece::Bytes(bytes) => bytes.utf8_chunks().try_for_each(|chunk| {
                f.write_str(chunk.valid())?;
                match chunk.invalid() {
                    [] => Ok(()),
                    _ => f.write_char('\u{FFFD}'),
                }
            }),
        })
    }
}

impl fmt::Debug for StrRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        self.bytes()
            .flat_map(core::ascii::escape_default)
            .try_for_each(|b| f.write_char(b.into()))?;
        f.write_char('"')
    }
}

/// A piece of a [`StrRef`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Bytes without escapes, which should be UTF-8.
    Bytes(&'a [u8]),
    /// A decoded escape.
    Char(char),
}

/// Iterator over the [pieces](StrRef::pieces) of a text.
#[derive(Clone, Debug)]
pub struct Pieces<'a> {
    rest: &'a [u8],
    escaped: bool,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let plain = match self.escaped {
            true => self.rest.iter().position(|byte| *byte == b'\\').unwrap_or(self.rest.len()),
            false => self.rest.len(),
        };
        if plain > 0 {
            let (bytes, rest) = self.rest.split_at_checked(plain)?;
            self.rest = rest;
            return Some(Piece::Bytes(bytes));
        }
        let (char, len) = escape(self.rest)?;
        self.rest = self.rest.get(len..)?;
        Some(Piece::Char(char))
    }
}

/// Decodes the escape at the start of `bytes`. Returns the character, and the length of the escape.
///
/// The engine neither writes nor reads `\/` and `\u`. An unpaired surrogate becomes U+FFFD.
pub(crate) fn escape(bytes: &[u8]) -> Option<(char, usize)> {
    let char = match bytes.get(1)? {
        b't' => '\t',
        b'r' => '\r',
        b'n' => '\n',
        b'b' => '\u{8}',
        b'f' => '\u{C}',
        plain @ (b'"' | b'\\' | b'\'' | b'/') => char::from(*plain),
        b'u' => return unicode(bytes),
        _ => return None,
    };
    Some((char, 2))
}

fn unicode(bytes: &[u8]) -> Option<(char, usize)> {
    let unit = unit(bytes)?;
    let low = bytes.get(6..).and_then(self::unit).filter(|low| matches!(low, 0xDC00..=0xDFFF));
    match (char::from_u32(unit), unit, low) {
        (Some(char), ..) => Some((char, 6)),
        (None, 0xD800..=0xDBFF, Some(low)) => {
            let point = 0x1_0000_u32.wrapping_add((unit & 0x3FF) << 10 | low & 0x3FF);
            Some((char::from_u32(point)?, 12))
        }
        _ => Some((char::REPLACEMENT_CHARACTER, 6)),
    }
}

/// Decodes `\u` and four hexadecimal digits.
fn unit(bytes: &[u8]) -> Option<u32> {
    let [b'\\', b'u', digits @ ..] = bytes.get(..6)? else { return None };
    digits.iter().try_fold(0u32, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)?))
}
