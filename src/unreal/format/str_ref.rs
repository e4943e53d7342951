//! Strings (`FString`).

use super::byte_order::ByteOrder;
use super::cursor::FileCursor;
use super::error::{ErrorKind, Result};
use super::layout::Layout;
use super::value::{Value, put};
use crate::buffer::{Full, Sink};
use core::fmt::{self, Write};
use zerocopy::I32;
use zerocopy::byteorder::LE;

/// A string as stored in the file: 8-bit or 16-bit units, usually with a terminating NUL.
///
/// ```text
/// i32 n = 0             nothing
/// i32 n > 0, n bytes    Latin-1, the last byte NUL
/// i32 n < 0, -n × u16   UTF-16, the last unit NUL
/// ```
///
/// `Display` prints the string without the NUL, and prints unpaired surrogates as U+FFFD. Two
/// `StrRef`s are equal only if they are stored alike, with the same encoding and terminator;
/// comparison with a `str` compares the text.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct StrRef<'a> {
    /// The units, including the NUL.
    bytes: &'a [u8],
    encoding: Encoding,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Encoding {
    #[default]
    Latin1,
    Utf16(ByteOrder),
    /// UTF-8 without a NUL, as in the names of mappings.
    Utf8,
}

impl<'a> StrRef<'a> {
    /// The name `None`. Saves can contain an empty string instead.
    pub(crate) const NONE: Self = StrRef::latin1(b"None\0");

    /// Creates a string from Latin-1 bytes that are not part of a file.
    pub(crate) const fn latin1(bytes: &'a [u8]) -> Self {
        Self { bytes, encoding: Encoding::Latin1 }
    }

    /// Creates a string from the UTF-8 text of a name in mappings.
    pub(crate) fn utf8(bytes: &'a [u8]) -> Self {
        let encoding = if bytes.is_ascii() { Encoding::Latin1 } else { Encoding::Utf8 };
        Self { bytes, encoding }
    }

    /// Creates a string from units that end with a NUL, or an empty string from no units.
    pub(crate) const fn new(bytes: &'a [u8], encoding: Encoding) -> Self {
        Self { bytes, encoding }
    }

    /// Reads a string of 8-bit units at `at`, in a little-endian file, and returns the position after
    /// it. Returns `None` for other strings, for an empty string, and if the bytes end too early.
    #[inline(always)]
    pub(crate) fn narrow_at(at: FileCursor<'a>) -> Option<(Self, FileCursor<'a>)> {
        let (len, at) = at.peek::<I32<LE>>()?;
        // An empty string has the length 0, and a string of 16-bit units a negative one.
        let len = u64::try_from(len.get()).ok().filter(|len| *len > 0)?;
        let (bytes, at) = at.split(len)?;
        Some((Self::latin1(bytes), at))
    }

    /// Returns the units as bytes, without the NUL.
    #[inline]
    pub const fn bytes(&self) -> &'a [u8] {
        match (self.encoding, self.bytes) {
            (Encoding::Latin1, [text @ .., 0]) | (Encoding::Utf16(_), [text @ .., 0, 0]) => text,
            (_, text) => text,
        }
    }

    /// Returns the units as bytes, including the NUL.
    #[inline(always)]
    pub(crate) const fn stored_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the Latin-1 units without the NUL, or `None` if the encoding is another.
    #[inline]
    pub(crate) const fn narrow_bytes(&self) -> Option<&'a [u8]> {
        match self.encoding {
            Encoding::Latin1 => Some(self.bytes()),
            _ => None,
        }
    }

    /// Returns `true` if the units have 16 bits, in the byte order of the file.
    #[inline]
    pub const fn is_wide(&self) -> bool {
        matches!(self.encoding, Encoding::Utf16(_))
    }

    /// Returns the string without conversion, if it consists of 8-bit units and is ASCII.
    #[inline]
    pub fn as_str(&self) -> Option<&'a str> {
        match self.encoding {
            Encoding::Latin1 if self.bytes().is_ascii() => core::str::from_utf8(self.bytes()).ok(),
            _ => None,
        }
    }

    /// Returns `true` if the string is empty.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.bytes().is_empty()
    }

    /// Returns the units as 16-bit numbers, without the NUL. Unlike the text that `Display` prints,
    /// they keep unpaired surrogates.
    ///
    /// ```
    /// use gamewire::unreal::{PropertyValue, Save};
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = &std::fs::read("corpus/unreal-small/lone_surrogate.sav")?;
    /// let save = Save::open(file)?;
    /// let tag = save.properties().next().unwrap()?;
    /// let PropertyValue::Str(text) = tag.value() else { panic!() };
    /// assert!(text.units().eq([0xD800, 0x41]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn units(&self) -> impl Iterator<Item = u16> + Clone + use<'a> {
        let (narrow, wide, order) = match self.encoding {
            Encoding::Latin1 => (self.bytes(), &[][..], ByteOrder::Little),
            Encoding::Utf16(order) => (&[][..], self.bytes(), order),
            Encoding::Utf8 => (&[][..], &[][..], ByteOrder::Little),
        };
        let utf8 = if self.encoding == Encoding::Utf8 { self.bytes } else { &[] };
        let utf8 = utf8.utf8_chunks().flat_map(|chunk| {
            let invalid = (!chunk.invalid().is_empty()).then_some(0xFFFD);
            chunk.valid().encode_utf16().chain(invalid)
        });
        let wide = wide.as_chunks::<2>().0.iter().map(move |unit| match order {
            ByteOrder::Little => u16::from_le_bytes(*unit),
            ByteOrder::Big => u16::from_be_bytes(*unit),
        });
        narrow.iter().copied().map(u16::from).chain(wide).chain(utf8)
    }

    /// Returns the characters. An unpaired surrogate is an error.
    pub fn chars(&self) -> impl Iterator<Item = Result<char, u16>> + Clone + use<'a> {
        char::decode_utf16(self.units())
            .map(|char| char.map_err(|error| error.unpaired_surrogate()))
    }
}

impl StrRef<'_> {
    /// Returns `true` if the string is ASCII and is stored as engines store a new string. For text
    /// that is not ASCII, always returns `false`.
    #[inline]
    pub(crate) const fn is_normal(&self) -> bool {
        match (self.encoding, self.bytes) {
            (Encoding::Latin1, []) => true,
            (Encoding::Latin1, [text @ .., 0]) => !text.is_empty() && text.is_ascii(),
            _ => false,
        }
    }

    /// Writes the text that `Display` prints, with the bytes that engines write for a new string.
    #[cold]
    fn write_normalized<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        let chars = self.chars().map(|char| char.unwrap_or('\u{FFFD}'));
        write_chars(chars, to, layout)
    }
}

/// Writes a string as engines do. For an empty string, only the length 0 is written. All other
/// strings end with a NUL; ASCII is written in 8-bit units, and other text in 16-bit units.
fn write_chars<S: Sink>(
    chars: impl Iterator<Item = char> + Clone,
    to: &mut S,
    layout: &Layout,
) -> Result<(), Full> {
    let units = chars.clone().map(char::len_utf16).fold(0usize, usize::saturating_add);
    let len = |n: usize| i32::try_from(n.saturating_add(1)).unwrap_or(i32::MAX);
    match units {
        0 => 0i32.write(to, layout),
        _ if chars.clone().all(|char| char.is_ascii()) => {
            len(units).write(to, layout)?;
            chars.chain(['\0']).try_for_each(|char| (char as u8).write(to, layout))
        }
        _ => {
            len(units).saturating_neg().write(to, layout)?;
            chars.chain(['\0']).try_for_each(|char| {
                char.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| unit.write(to, layout))
            })
        }
    }
}

impl PartialEq<str> for StrRef<'_> {
    fn eq(&self, text: &str) -> bool {
        match self.encoding {
            Encoding::Latin1 if text.is_ascii() => self.bytes() == text.as_bytes(),
            _ => self.chars().eq(text.chars().map(Ok)),
        }
    }
}

impl fmt::Display for StrRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            Some(text) => f.pad(text),
            None => self.chars().try_for_each(|char| f.write_char(char.unwrap_or('\u{FFFD}'))),
        }
    }
}

impl fmt::Debug for StrRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for char in self.chars() {
            write!(f, "{}", char.unwrap_or('\u{FFFD}').escape_debug())?;
        }
        f.write_char('"')
    }
}

impl<'a> Value<'a> for StrRef<'a> {
    const LEAST: u64 = 4;

    #[inline(always)]
    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        let start = *from;
        let len = from.read::<i32>(layout)?;
        let (units, encoding) = match len {
            0.. => (u64::from(len.unsigned_abs()), Encoding::Latin1),
            i32::MIN => return Err(start.error(ErrorKind::BadTextLength(len))),
            _ => (u64::from(len.unsigned_abs()).wrapping_mul(2), Encoding::Utf16(layout.order)),
        };
        Ok(Self { bytes: from.bytes(units)?, encoding })
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        if layout.normalizes && !self.is_normal() {
            return self.write_normalized(to, layout);
        }
        // A string from a file has at most `i32::MAX` units.
        let len = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
        match self.encoding {
            Encoding::Latin1 => {
                len(self.bytes.len()).write(to, layout)?;
                put(to, self.bytes)
            }
            Encoding::Utf16(order) => {
                let units = self.bytes.len().div_euclid(2);
                len(units).saturating_neg().write(to, layout)?;
                if order == layout.order {
                    return put(to, self.bytes);
                }
                self.bytes.as_chunks::<2>().0.iter().try_for_each(|[a, b]| put(to, &[*b, *a]))
            }
            Encoding::Utf8 => {
                len(self.units().count().saturating_add(1)).saturating_neg().write(to, layout)?;
                self.units().chain([0]).try_for_each(|unit| unit.write(to, layout))
            }
        }
    }
}
