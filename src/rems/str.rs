//! Text as it lies in a file.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec::Vec};
use core::fmt::{self, Write};

/// A string, a name or a class: bytes of the file, in text files with their escapes.
///
/// It should be UTF-8, but files of late 2021 may be Latin-1, or have lost the upper half of
/// each unit. So it is bytes, and [`Display`](fmt::Display) shows U+FFFD for what is not UTF-8.
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
pub struct Str<'a> {
    raw: &'a [u8],
    escapes: Escapes,
}

/// Whether there are escapes, which then were checked. As wide as what is before it: a byte that
/// was just stored, and is copied with seven more, is what a processor has to wait for.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
#[repr(usize)]
enum Escapes {
    #[default]
    None,
    Some,
}

impl<'a> Str<'a> {
    /// Text as it is, without escapes.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { raw: bytes, escapes: Escapes::None }
    }

    /// What stood between quotes, with escapes that were checked if it has any.
    #[inline]
    pub(crate) const fn quoted(raw: &'a [u8], escaped: bool) -> Self {
        Self { raw, escapes: if escaped { Escapes::Some } else { Escapes::None } }
    }

    /// The bytes as they lie in the file, with their escapes.
    #[inline]
    pub const fn raw(&self) -> &'a [u8] {
        self.raw
    }

    /// Whether there are escapes in it, so that it is not what it stands for.
    #[inline]
    pub const fn has_escapes(&self) -> bool {
        matches!(self.escapes, Escapes::Some)
    }

    /// Whether there is no text.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.raw.is_empty()
    }

    /// The bytes, unless there are escapes in them.
    #[inline]
    pub const fn as_bytes(&self) -> Option<&'a [u8]> {
        if self.has_escapes() { None } else { Some(self.raw) }
    }

    /// The text, if it is UTF-8 and there are no escapes in it.
    pub fn as_str(&self) -> Option<&'a str> {
        core::str::from_utf8(self.as_bytes()?).ok()
    }

    /// The pieces between escapes, and what these stand for.
    pub const fn pieces(&self) -> Pieces<'a> {
        Pieces { rest: self.raw, escaped: self.has_escapes() }
    }

    /// What it stands for, byte by byte.
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

    /// What it stands for; owned only if there are escapes in it.
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

    /// What it stands for as text, with U+FFFD for what is not UTF-8; owned only if there are
    /// escapes in it, or such bytes.
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

impl<'a> From<&'a str> for Str<'a> {
    fn from(text: &'a str) -> Self {
        Self::new(text.as_bytes())
    }
}

impl PartialEq for Str<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self.as_bytes(), other.as_bytes()) {
            (Some(a), Some(b)) => a == b,
            _ => self.bytes().eq(other.bytes()),
        }
    }
}

impl Eq for Str<'_> {}

impl PartialEq<str> for Str<'_> {
    fn eq(&self, text: &str) -> bool {
        *self == Str::from(text)
    }
}

impl fmt::Display for Str<'_> {
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

impl fmt::Debug for Str<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        self.bytes()
            .flat_map(core::ascii::escape_default)
            .try_for_each(|b| f.write_char(b.into()))?;
        f.write_char('"')
    }
}

/// A piece of a [`Str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Bytes that stand for themselves, which should be UTF-8.
    Bytes(&'a [u8]),
    /// What an escape stands for.
    Char(char),
}

/// The [pieces](Str::pieces) of a string.
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

/// What begins with a backslash: what it stands for, and how long it is.
///
/// The engine knows neither `\/` nor `\u`, and writes neither; half of a pair of the latter is
/// U+FFFD.
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

/// `\u` and four digits.
fn unit(bytes: &[u8]) -> Option<u32> {
    let [b'\\', b'u', digits @ ..] = bytes.get(..6)? else { return None };
    digits.iter().try_fold(0u32, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)?))
}
