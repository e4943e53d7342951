//! Text: a `u32` length, that many bytes, and zeros up to the next multiple of 4.
//!
//! A script may see only a part of the text, because engines skip a byte order mark at its start,
//! and treat the first NUL as its end (observed in 4.6.3 and 3.6.2). This module calls that part
//! *visible*.

mod lenient;
mod plain;

pub(crate) use plain::{fully_visible_str, is_plain, past_plain};

use super::packed::too_long;
#[cfg(feature = "alloc")]
use super::parts::{BuildResult, PartSource};
use super::parts::{Part, PartResult};
use crate::buffer::{Cursor, Sink};
#[cfg(feature = "alloc")]
use crate::godot::Error;
use crate::godot::table::dialect::{Rules, TextRule};
use crate::godot::table::layouts::U32;
use crate::godot::table::payload::{Header, Payload};
use crate::godot::write::encoder::Encoder;
use crate::godot::{Dialect, Kind, Result};
use ascii::AsciiStr;
use core::iter::FusedIterator;
use core::{fmt, str};
use lenient::{is_lenient, show_lenient};
use plain::{BOM, visible};

/// Text that is borrowed from a packet and has not been checked to be UTF-8.
///
/// [`to_str`](Self::to_str) checks it. Comparing it with a `&str` needs no check. The check is
/// optional because it costs more than the rest of a traversal.
///
/// Comparing, hashing and printing use only the part that a script sees. This part does not include
/// a byte order mark at the start, and ends before the first NUL. [`as_bytes`](Self::as_bytes)
/// returns all bytes of the text in the packet.
///
/// ```
/// use gamewire::godot::{Dialect, Reader};
///
/// let packet = b"\x04\0\0\0\x05\0\0\0abc\0d\0\0\0";
/// let text = Reader::new(packet, Dialect::Godot4).read()?.as_str().unwrap();
/// assert!(text == "abc");
/// assert_eq!(text.to_str(), Ok("abc"));
/// assert_eq!(text.as_bytes(), b"abc\0d");
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct StrRef<'a>(&'a [u8]);

impl<'a> StrRef<'a> {
    /// Wraps bytes as text, for example to write them.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Returns all bytes, including a byte order mark, NULs and everything after them.
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0
    }

    /// Returns the bytes that a script sees, unchecked.
    #[inline]
    pub fn visible(&self) -> &'a [u8] {
        if is_plain(self.0) { self.0 } else { visible(self.0) }
    }

    /// Returns the text that a script sees, checked to be UTF-8. The check takes 1 to 10 ns for
    /// short ASCII text.
    ///
    /// # Errors
    /// Returns an error if the text is not UTF-8. Godot 2 and 3 accept some text that is not UTF-8.
    /// [`to_string_lossy`](Self::to_string_lossy) returns a readable form of such text.
    #[inline]
    pub fn to_str(&self) -> core::result::Result<&'a str, str::Utf8Error> {
        let bytes = self.0;
        // `from_utf8` checks short text byte by byte, and the processor mispredicts where the text
        // ends. The call took 370 ns for the 72 strings of a game's state. With this check for
        // ASCII, they took 120 ns.
        if is_plain(bytes)
            && let Ok(text) = AsciiStr::from_ascii(bytes)
        {
            return Ok(text.as_str());
        }
        str::from_utf8(visible(bytes))
    }

    /// Returns the text that a script sees, with U+FFFD for invalid UTF-8. Copies the text only if
    /// it contains invalid UTF-8.
    #[cfg(feature = "alloc")]
    pub fn to_string_lossy(&self) -> alloc::borrow::Cow<'a, str> {
        let visible = self.visible();
        // For short text without errors, this is faster than `from_utf8_lossy` alone.
        match core::str::from_utf8(visible) {
            Ok(text) => text.into(),
            Err(_) => alloc::string::String::from_utf8_lossy(visible),
        }
    }

    /// Calls `each` with pieces of the visible text, converted as in an engine with this rule.
    /// Invalid bytes become U+FFFD.
    pub(crate) fn show<E>(
        &self,
        rule: TextRule,
        each: &mut impl FnMut(&str) -> core::result::Result<(), E>,
    ) -> core::result::Result<(), E> {
        if let Ok(text) = self.to_str() {
            return each(text);
        }
        let bytes = self.visible();
        if rule == TextRule::Lenient && is_lenient(bytes) {
            return show_lenient(bytes, each);
        }
        for chunk in bytes.utf8_chunks() {
            each(chunk.valid())?;
            if !chunk.invalid().is_empty() {
                each("\u{FFFD}")?;
            }
        }
        Ok(())
    }

    /// Returns `true` if the dialect's engine accepts this text.
    pub fn is_accepted_by(&self, dialect: Dialect) -> bool {
        self.is_valid_under(dialect.rules().text)
    }

    #[inline(always)]
    pub(crate) fn is_valid_under(&self, rule: TextRule) -> bool {
        rule == TextRule::Any || is_plain(self.0) || is_valid_under_slow(self.0, rule)
    }

    /// Returns `true` if an engine could write these bytes. They must be UTF-8, and a script must
    /// see all of them.
    pub(crate) fn is_canonical(&self) -> bool {
        is_plain(self.0) || (visible(self.0) == self.0 && str::from_utf8(self.0).is_ok())
    }
}

impl PartialEq<[u8]> for StrRef<'_> {
    #[inline(always)]
    fn eq(&self, other: &[u8]) -> bool {
        let bytes = self.0;
        // In nearly every string a script sees all bytes, so compare all bytes first. Comparing the
        // first byte saves most calls to `memcmp`. If strings contain a NUL or a byte order mark,
        // they can have the same visible text although their bytes differ.
        (bytes.first() == other.first() && bytes == other)
            || match bytes.get(other.len()) {
                None => false,
                Some(0) => visible(bytes) == other,
                Some(_) => bytes.first() == Some(&BOM[0]) && visible(bytes) == other,
            }
    }
}

impl PartialEq<str> for StrRef<'_> {
    #[inline(always)]
    fn eq(&self, other: &str) -> bool {
        *self == *other.as_bytes()
    }
}

impl PartialEq<&str> for StrRef<'_> {
    #[inline(always)]
    fn eq(&self, other: &&str) -> bool {
        *self == *other.as_bytes()
    }
}

impl PartialEq for StrRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.visible() == other.visible()
    }
}

impl Eq for StrRef<'_> {}

impl core::hash::Hash for StrRef<'_> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.visible().hash(state);
    }
}

impl<'a> From<&'a str> for StrRef<'a> {
    fn from(text: &'a str) -> Self {
        Self(text.as_bytes())
    }
}

/// Prints the text that a script sees, with U+FFFD for invalid UTF-8.
impl fmt::Display for StrRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.show(TextRule::Any, &mut |piece| f.write_str(piece))
    }
}

/// Prints all bytes in quotes. If they are not UTF-8, or if a script does not see all of them, they
/// are printed as a byte string.
impl fmt::Debug for StrRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_str() {
            Ok(text) if text.len() == self.0.len() => write!(f, "{text:?}"),
            _ => write!(f, "b\"{}\"", self.0.escape_ascii()),
        }
    }
}

#[cold]
#[inline(never)]
fn is_valid_under_slow(bytes: &[u8], rule: TextRule) -> bool {
    match rule {
        TextRule::Any => true,
        // Checks all bytes first, which nearly always succeeds. If that fails, only the visible
        // bytes must be UTF-8.
        TextRule::Utf8 => str::from_utf8(bytes).is_ok() || str::from_utf8(visible(bytes)).is_ok(),
        TextRule::Lenient => is_lenient(visible(bytes)),
    }
}

/// Returns the number of pad bytes after `len` bytes.
#[inline(always)]
pub(crate) const fn pad(len: usize) -> usize {
    len.wrapping_neg() & 3
}

/// Reads the length, the text and the pad.
#[inline(always)]
pub(crate) fn read<'a>(at: &mut Cursor<'a>, rules: &Rules) -> Result<&'a [u8]> {
    let len = at.read::<U32>()?.get();
    rest(at, len, rules)
}

/// Reads the rest of a string after its length: `len` bytes of text and the pad.
#[inline(always)]
pub(crate) fn rest<'a>(at: &mut Cursor<'a>, len: u32, rules: &Rules) -> Result<&'a [u8]> {
    if rules.text_pad { padded(at, len) } else { unpadded(at, len) }
}

/// Reads text whose pad is required.
#[inline(always)]
pub(crate) fn padded<'a>(at: &mut Cursor<'a>, len: u32) -> Result<&'a [u8]> {
    // On 32-bit targets, an overflow gives a length that no input has.
    let padded = (len as usize).saturating_add(3) & !3;
    at.padded(len as usize, padded).map_err(|end| too_long(len, 1, end.into()))
}

/// Reads bytes and their pad, which may be missing at the end of the input. Used for byte arrays in
/// every dialect, and for strings in Godot 2.
///
/// No engine checks for these pads. If one is missing, Godot 4.6.3 reports a size that reaches past
/// the end of the packet.
#[inline(always)]
pub(crate) fn unpadded<'a>(at: &mut Cursor<'a>, len: u32) -> Result<&'a [u8]> {
    let bytes = at.slice(len).map_err(|end| too_long(len, 1, end.into()))?;
    at.skip(pad(bytes.len()));
    Ok(bytes)
}

impl<'a> Payload<'a> for StrRef<'a> {
    #[inline(always)]
    fn read(at: &mut Cursor<'a>, _: Header, rules: &'static Rules) -> Result<Self> {
        read(at, rules).map(Self)
    }

    #[inline(always)]
    fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()> {
        out.counted(kind, 0, self.0, self.0.len())
    }

    fn parts<E>(&self, to: &mut impl FnMut(Part<'a>) -> PartResult<E>) -> PartResult<E> {
        to(Part::Text(*self))
    }

    #[cfg(feature = "alloc")]
    fn build<'t, S: Sink, E: From<Error>>(
        kind: Kind,
        from: &mut PartSource<'_, 't, E>,
        out: &mut Encoder<'_, S>,
    ) -> BuildResult<E> {
        Ok(StrRef::new(&from.text()?).encode(kind, out)?)
    }

    #[inline(always)]
    fn texts(&self, each: &mut impl FnMut(StrRef<'a>) -> Result<()>) -> Result<()> {
        each(*self)
    }
}

/// Iterator over consecutive strings that have already been validated.
#[derive(Clone, Debug)]
pub struct Texts<'a> {
    at: Cursor<'a>,
    left: u32,
    rules: &'static Rules,
}

impl<'a> Texts<'a> {
    pub(crate) fn new(at: Cursor<'a>, left: u32, rules: &'static Rules) -> Self {
        Self { at, left, rules }
    }

    /// Returns the next string, and its bytes including the length and the pad.
    pub(crate) fn next_encoded(&mut self) -> Option<(StrRef<'a>, &'a [u8])> {
        let start = self.at;
        let text = self.next()?;
        Some((text, self.at.since(&start)))
    }

    /// Returns an iterator over the `left` strings after the strings of this iterator.
    pub(crate) fn followed_by(mut self, left: u32) -> Self {
        self.by_ref().for_each(drop);
        Self { left, ..self }
    }
}

impl<'a> Iterator for Texts<'a> {
    type Item = StrRef<'a>;

    #[inline]
    fn next(&mut self) -> Option<StrRef<'a>> {
        self.left = self.left.checked_sub(1)?;
        let text = read(&mut self.at, self.rules);
        debug_assert!(text.is_ok(), "checked when the view was made");
        text.ok().map(StrRef)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Texts<'_> {}
impl FusedIterator for Texts<'_> {}
