//! Text: `u32` length, that many bytes, zeros up to the next multiple of 4.
//!
//! A script sees less than the wire has: a byte order mark at the start is skipped,
//! and the first NUL ends the text (4.6.3 and 3.6.2).

use super::dialect::Rules;
use super::dialect::TextRule;
use super::encoder::Encoder;
use super::packed::too_long;
#[cfg(feature = "alloc")]
use super::parts::{Built, PartSource};
use super::parts::{Part, Told};
use super::payload::{Header, Payload};
use super::wire::U32;
use super::{Dialect, Kind, Result};
use crate::base::{Cursor, Sink};
use ascii::AsciiStr;
use core::iter::FusedIterator;
use core::{fmt, str};

/// Text of a packet, borrowed, not checked: comparing it with `&str` needs no
/// check, [`to_str`](Self::to_str) does one. (Checking costs more than everything
/// else a traversal does.)
///
/// It means what a script sees: without a byte order mark, up to the first NUL.
/// [`as_bytes`](Self::as_bytes) is what the wire has.
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
    /// Text that is given as bytes, say to be written.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// What the wire has: with a byte order mark, NULs and what follows them.
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0
    }

    /// What a script sees, unchecked.
    #[inline]
    pub fn visible(&self) -> &'a [u8] {
        if is_plain(self.0) { self.0 } else { visible(self.0) }
    }

    /// What a script sees, checked to be UTF-8. Short ASCII costs 1 to 10 ns.
    ///
    /// # Errors
    /// Where it is not UTF-8. An engine with a laxer rule (Godot 2 and 3) may have
    /// accepted it all the same; [`to_string_lossy`](Self::to_string_lossy) then
    /// shows what is there.
    #[inline]
    pub fn to_str(&self) -> core::result::Result<&'a str, str::Utf8Error> {
        let bytes = self.0;
        // `from_utf8` goes byte by byte through short text, and mispredicts where it
        // ends: 72 texts of a game's state take 370 ns of 740; known to be ASCII,
        // they take 120.
        if is_plain(bytes)
            && let Ok(text) = AsciiStr::from_ascii(bytes)
        {
            return Ok(text.as_str());
        }
        str::from_utf8(visible(bytes))
    }

    /// What a script sees, with U+FFFD for what is not UTF-8; copied only then.
    #[cfg(feature = "alloc")]
    pub fn to_string_lossy(&self) -> alloc::borrow::Cow<'a, str> {
        alloc::string::String::from_utf8_lossy(self.visible())
    }

    /// Calls `each` with what a script sees, in pieces: as UTF-8 where that is what the
    /// engine made of it, with U+FFFD for what has no meaning.
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

    /// Whether the dialect's engine accepts this text.
    pub fn is_accepted_by(&self, dialect: Dialect) -> bool {
        self.obeys(dialect.rules().text)
    }

    #[inline(always)]
    pub(crate) fn obeys(&self, rule: TextRule) -> bool {
        rule == TextRule::Any || is_plain(self.0) || obeys_slowly(self.0, rule)
    }

    /// Whether these are the bytes an engine would write: UTF-8, and nothing that
    /// a script would not see.
    pub(crate) fn is_canonical(&self) -> bool {
        is_plain(self.0) || (visible(self.0) == self.0 && str::from_utf8(self.0).is_ok())
    }
}

impl PartialEq<[u8]> for StrRef<'_> {
    #[inline(always)]
    fn eq(&self, other: &[u8]) -> bool {
        let bytes = self.0;
        // Nearly every text is all visible, so compare the bytes first; where they
        // differ, they can still mean the same with a NUL or a byte order mark.
        // (The first byte tells most apart, without a call.)
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

/// What a script sees, with U+FFFD for what is not UTF-8.
impl fmt::Display for StrRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.show(TextRule::Any, &mut |piece| f.write_str(piece))
    }
}

/// Quoted, all bytes, escaped as in a Rust byte string.
impl fmt::Debug for StrRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_str() {
            Ok(text) if text.len() == self.0.len() => write!(f, "{text:?}"),
            _ => write!(f, "b\"{}\"", self.0.escape_ascii()),
        }
    }
}

/// Text that is UTF-8 and has nothing that a script would not see.
#[inline(always)]
pub(crate) fn whole(bytes: &[u8]) -> Option<&str> {
    if is_plain(bytes)
        && let Ok(text) = AsciiStr::from_ascii(bytes)
    {
        return Some(text.as_str());
    }
    whole_slowly(bytes)
}

#[inline(never)]
fn whole_slowly(bytes: &[u8]) -> Option<&str> {
    if visible(bytes).len() == bytes.len() { str::from_utf8(bytes).ok() } else { None }
}

const BOM: [u8; 3] = [0xEF, 0xBB, 0xBF];

/// 1 in each byte of a word.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The top bit of each byte.
const TOP: u64 = ONES << 7;

/// Has the top bit set of the lowest byte that is not plain: one of 0 borrows into its own, one
/// over 0x7F has it set.
#[inline(always)]
const fn other_than_plain(word: u64) -> u64 {
    word.wrapping_sub(ONES) | word
}

/// Behind text of less than 8 bytes and its pad, if it is plain. (For others, and at the end of a
/// packet, where it cannot be looked at in one piece, this is not enough.)
#[inline(always)]
pub(crate) fn past_plain(rest: &[u8], len: u32) -> Option<&[u8]> {
    /// Those of so many bytes.
    const TOPS: [u64; 8] =
        [0, TOP >> 56, TOP >> 48, TOP >> 40, TOP >> 32, TOP >> 24, TOP >> 16, TOP >> 8];

    let [word @ .., _, _, _, _] = rest.first_chunk::<12>()?;
    let tops = TOPS.get(len as usize)?;
    if other_than_plain(u64::from_le_bytes(*word)) & tops != 0 {
        return None;
    }
    rest.get((len as usize).wrapping_add(3) & !3..)
}

/// Only ASCII, and no NUL: what nearly all text of games is. By words, since a
/// byte-wise look at short text costs as much as all the rest.
#[inline(always)]
pub(crate) fn is_plain(bytes: &[u8]) -> bool {
    #[inline(always)]
    fn word(word: [u8; 8]) -> u64 {
        other_than_plain(u64::from_ne_bytes(word))
    }
    #[inline(always)]
    const fn byte(byte: u8) -> u8 {
        byte.wrapping_sub(1) | byte
    }

    match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) if bytes.len() <= 16 => (word(*first) | word(*last)) & TOP == 0,
        (Some(_), Some(last)) => {
            let (words, _) = bytes.as_chunks::<8>();
            let all = words.iter().fold(word(*last), |all, &chunk| all | word(chunk));
            all & TOP == 0
        }
        _ => match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
            (Some(&[a, b, c, d]), Some(&[e, f, g, h])) => word([a, b, c, d, e, f, g, h]) & TOP == 0,
            // One to three bytes, some of them twice; each as in a word. (Not put into one:
            // that would be shared with the arms above, and all words put together by bytes.)
            _ => match (bytes.first(), bytes.get(bytes.len() / 2), bytes.last()) {
                (Some(a), Some(b), Some(c)) => (byte(*a) | byte(*b) | byte(*c)) & 0x80 == 0,
                _ => true,
            },
        },
    }
}

#[cold]
#[inline(never)]
fn visible(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_prefix(&BOM).unwrap_or(bytes);
    match first_nul(bytes) {
        Some(end) => bytes.get(..end).unwrap_or_default(),
        None => bytes,
    }
}

/// By words, where a search would cost less than to begin with it.
#[inline(always)]
fn first_nul(bytes: &[u8]) -> Option<usize> {
    let zeros = |word: [u8; 8]| {
        let word = u64::from_ne_bytes(word);
        word.wrapping_sub(ONES) & !word & ONES << 7
    };
    if let (Some(last), 8..=64) = (bytes.last_chunk(), bytes.len()) {
        let (words, _) = bytes.as_chunks();
        if words.iter().fold(zeros(*last), |any, word| any | zeros(*word)) == 0 {
            return None;
        }
    }
    memchr::memchr(0, bytes)
}

#[cold]
#[inline(never)]
fn obeys_slowly(bytes: &[u8], rule: TextRule) -> bool {
    match rule {
        TextRule::Any => true,
        // A part of what is UTF-8 up to a NUL is UTF-8, too.
        TextRule::Utf8 => str::from_utf8(bytes).is_ok() || str::from_utf8(visible(bytes)).is_ok(),
        TextRule::Lenient => is_lenient(visible(bytes)),
    }
}

/// A sequence of 1 to 6 bytes by its lead: the lead, what continues it, and what follows.
fn sequence(text: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&lead, tail) = text.split_first()?;
    let more = match lead {
        0x00..=0x7F => 0,
        0xC2..=0xDF => 1,
        0xE0..=0xEF => 2,
        0xF0..=0xF7 => 3,
        0xF8..=0xFB => 4,
        0xFC..=0xFD => 5,
        // Continuation bytes, two-byte overlongs (C0, C1), FE and FF.
        _ => return None,
    };
    let (more, after) = tail.split_at_checked(more)?;
    Some((lead, more, after))
}

/// Calls `each` with text of that kind, as Godot 3 writes it again: a surrogate pair
/// becomes its character, half a pair a space. Past U+10FFFF nothing is a character.
#[cold]
fn show_lenient<E>(
    mut rest: &[u8],
    each: &mut impl FnMut(&str) -> core::result::Result<(), E>,
) -> core::result::Result<(), E> {
    while let Some((point, after)) = code_point(rest) {
        rest = after;
        let point = match point {
            0xD800..=0xDBFF => match code_point(rest) {
                Some((low @ 0xDC00..=0xDFFF, after)) => {
                    rest = after;
                    0x1_0000_u32.wrapping_add((point & 0x3FF) << 10 | (low & 0x3FF))
                }
                _ => 0x20,
            },
            0xDC00..=0xDFFF => 0x20,
            point => point,
        };
        match char::from_u32(point) {
            Some(character) => each(character.encode_utf8(&mut [0; 4]))?,
            None => each("\u{FFFD}")?,
        }
    }
    Ok(())
}

fn code_point(text: &[u8]) -> Option<(u32, &[u8])> {
    let (lead, more, after) = sequence(text)?;
    let lead = match more.len() {
        0 => lead,
        len => lead & 0x3F_u8.checked_shr(len as u32).unwrap_or(0),
    };
    let point =
        more.iter().fold(u32::from(lead), |point, byte| point << 6 | u32::from(byte & 0x3F));
    Some((point, after))
}

/// UTF-8 as Godot 3.1 to 3.6 convert it (Linux): sequences of up to six bytes,
/// surrogates and values past U+10FFFF pass, and of the overlong forms those whose
/// second byte has a bit that counts.
fn is_lenient(mut rest: &[u8]) -> bool {
    while !rest.is_empty() {
        let Some((lead, more, after)) = sequence(rest) else { return false };
        if !more.iter().all(|byte| byte & 0xC0 == 0x80) || is_refused_overlong(lead, more) {
            return false;
        }
        rest = after;
    }
    true
}

/// The engine's test at the third byte: nothing counted so far, and nothing here in
/// the bits that the sequence's length leaves.
fn is_refused_overlong(lead: u8, more: &[u8]) -> bool {
    let len = (more.len() as u32).saturating_add(1);
    let lead_bits = lead & 0x7F_u8.checked_shr(len).unwrap_or(0);
    match more {
        [second, third, ..] => {
            lead_bits == 0
                && second & 0x3F == 0
                && (third & 0x7F).checked_shr(7_u32.saturating_sub(len)).unwrap_or(0) == 0
        }
        _ => false,
    }
}

/// How many bytes of pad follow `len` bytes.
#[inline(always)]
pub(crate) const fn pad(len: usize) -> usize {
    len.wrapping_neg() & 3
}

/// Reads length, text and pad.
#[inline(always)]
pub(crate) fn read<'a>(at: &mut Cursor<'a>, rules: &Rules) -> Result<&'a [u8]> {
    let len = at.read::<U32>()?.get();
    rest(at, len, rules)
}

/// Reads text of `len` bytes, and its pad.
#[inline(always)]
pub(crate) fn rest<'a>(at: &mut Cursor<'a>, len: u32, rules: &Rules) -> Result<&'a [u8]> {
    if rules.text_pad { padded(at, len) } else { unpadded(at, len) }
}

/// Text that is followed by its pad.
#[inline(always)]
pub(crate) fn padded<'a>(at: &mut Cursor<'a>, len: u32) -> Result<&'a [u8]> {
    // Rounded in 64 bits or, on a smaller machine, to something no window has.
    let padded = (len as usize).saturating_add(3) & !3;
    at.padded(len as usize, padded).map_err(|end| too_long(len, 1, end.into()))
}

/// Bytes whose pad may be missing at the end of the input, where no engine looks
/// for it: byte arrays everywhere (4.6.3 then reports a size past the end), texts in
/// Godot 2.
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

    fn parts<E>(&self, to: &mut impl FnMut(Part<'a>) -> Told<E>) -> Told<E> {
        to(Part::Text(*self))
    }

    #[cfg(feature = "alloc")]
    fn build<'t, S: Sink, P: PartSource<'t>>(
        kind: Kind,
        from: &mut P,
        out: &mut Encoder<'_, S>,
    ) -> Built<'t, P> {
        Ok(StrRef::new(&from.text()?).encode(kind, out)?)
    }

    #[inline(always)]
    fn texts(&self, each: &mut impl FnMut(StrRef<'a>) -> Result<()>) -> Result<()> {
        each(*self)
    }
}

/// Iterator over checked texts in a row.
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

    /// The next text, and its bytes with length and pad.
    pub(crate) fn next_encoded(&mut self) -> Option<(StrRef<'a>, &'a [u8])> {
        let start = self.at;
        let text = self.next()?;
        Some((text, self.at.since(&start)))
    }

    /// The texts that come after these, of which there are `left`.
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

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: [u8; 40] = *b"The quick brown fox jumps over the dogs.";

    /// Whoever asks looks at each byte where this is not plain, so that only this test can tell.
    #[test]
    fn plain() {
        for len in 0..TEXT.len() {
            assert!(is_plain(&TEXT[..len]), "{len}");
            for place in 0..len {
                for (byte, expected) in
                    [(0, false), (1, true), (0x7F, true), (0x80, false), (0xFF, false)]
                {
                    let mut text = TEXT;
                    text[place] = byte;
                    assert_eq!(is_plain(&text[..len]), expected, "{len} {place} {byte}");
                }
            }
        }
    }

    #[test]
    fn past_plain_text() {
        for len in 0..8 {
            let after = (len as usize).next_multiple_of(4);
            assert_eq!(past_plain(&TEXT, len).map(|rest| 40 - rest.len()), Some(after), "{len}");
            assert_eq!(past_plain(&TEXT[..11], len), None);
            for (place, byte) in (0..8).flat_map(|place| [(place, 0), (place, 0x80)]) {
                let mut text = TEXT;
                text[place] = byte;
                assert_eq!(
                    past_plain(&text, len).is_some(),
                    place >= len as usize,
                    "{len} {place}"
                );
            }
        }
        assert_eq!(past_plain(&TEXT, 8), None);
    }

    #[test]
    fn whole_text() {
        for text in ["", "a", "aé", "é", "The quick brown fox jümps", "a\u{FEFF}"] {
            assert_eq!(whole(text.as_bytes()), Some(text));
        }
        for text in [&b"a\0"[..], b"\0", b"a\xFF", b"\xEF\xBB\xBFa", b"The quick brown fox\0jumps"]
        {
            assert_eq!(whole(text), None, "{text:?}");
        }
    }

    #[test]
    fn nuls() {
        for len in 0..TEXT.len() {
            assert_eq!(first_nul(&TEXT[..len]), None);
            for place in 0..len {
                let mut text = TEXT;
                text[place..].fill(0);
                assert_eq!(first_nul(&text[..len]), Some(place), "{len}");
                text = TEXT;
                text[place] = 0x80;
                assert_eq!(first_nul(&text[..len]), None, "{len}");
            }
        }
    }

    /// As Godot 3.6.2 takes them (Linux).
    #[test]
    fn overlong_forms() {
        for (bytes, is_taken) in [
            (&b"\xC0\x80"[..], false),
            (b"\xC1\x81", false),
            (b"\xC2\x80", true),
            (b"\xE0\x80\x80", false),
            (b"\xE0\x80\xBF", true),
            (b"\xE0\x80\x87", false),
            (b"\xE0\x81\x80", true),
            (b"\xE1\x80\x80", true),
            (b"\xF0\x80\x87\x80", false),
            (b"\xF0\x80\x88\x80", true),
            (b"\xF0\x81\x80\x80", true),
            (b"\xF1\x80\x80\x80", true),
            (b"\xF8\x80\x83\x80\x80", false),
            (b"\xF8\x80\x84\x80\x80", true),
            (b"\xFC\x80\x81\x80\x80\x80", false),
            (b"\xFC\x80\x82\x80\x80\x80", true),
            (b"\xFD\x80\x80\x80\x80\x80", true),
            (b"\xFE\x80\x80\x80\x80\x80\x80", false),
            (b"\xE1\x80\xC0", false),
            (b"\xE1\x80", false),
        ] {
            assert_eq!(is_lenient(bytes), is_taken, "{bytes:x?}");
        }
    }
}
