//! Where the pieces of a text begin and end.

use crate::rems::error::fail;
use crate::rems::str::{Str, escape};
use crate::rems::{Error, ErrorKind, Kind, Result};

/// A place in a text, or in a piece of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scan<'a> {
    bytes: &'a [u8],
    pos: usize,
    /// Where the piece begins in the file.
    base: u64,
}

impl<'a> Scan<'a> {
    #[inline]
    pub(crate) const fn new(bytes: &'a [u8], base: u64) -> Self {
        Self { bytes, pos: 0, base }
    }

    /// At another place of the same text.
    pub(crate) const fn at(bytes: &'a [u8], pos: usize) -> Self {
        Self { bytes, pos, base: 0 }
    }

    #[inline]
    pub(crate) const fn offset(&self) -> u64 {
        self.base.wrapping_add(self.pos as u64)
    }

    #[inline(always)]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.pos).copied()
    }

    #[inline(always)]
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.pos..).unwrap_or_default()
    }

    #[inline(always)]
    pub(crate) fn bump(&mut self, bytes: usize) {
        self.pos = self.pos.wrapping_add(bytes);
    }

    /// What was passed since this was at `start`.
    #[inline(always)]
    pub(crate) fn since(&self, start: &Self) -> &'a [u8] {
        self.bytes.get(start.pos..self.pos).unwrap_or_default()
    }

    #[cold]
    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
        fail(kind, self.offset())
    }

    /// That something else belongs here than what is, or than the end.
    #[cold]
    pub(crate) fn expected(&self, what: &'static str) -> Error {
        self.error_or_end(ErrorKind::Expected(what))
    }

    /// An error about what is here; or that nothing is.
    #[cold]
    pub(crate) fn error_or_end(&self, kind: ErrorKind) -> Error {
        match self.peek() {
            None => self.end(),
            Some(_) => self.error(kind),
        }
    }

    #[cold]
    fn end(&self) -> Error {
        let end = self.base.wrapping_add(self.bytes.len() as u64);
        fail(ErrorKind::UnexpectedEnd { missing: 1 }, end)
    }

    /// Passes over blanks; of these there are four.
    #[inline(always)]
    pub(crate) fn blanks(&mut self) {
        if self.peek().is_some_and(|byte| byte <= b' ') {
            self.more_blanks();
        }
    }

    fn more_blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.bump(1);
        }
    }

    /// Passes over blanks and comments, which may be where a separator is.
    #[inline(always)]
    pub(crate) fn gap(&mut self) -> Result<()> {
        self.blanks();
        match self.peek() {
            Some(b'/') => self.comments(),
            _ => Ok(()),
        }
    }

    #[cold]
    fn comments(&mut self) -> Result<()> {
        while self.peek() == Some(b'/') {
            let len = comment(self.rest()).ok_or_else(|| self.no_comment())?;
            self.bump(len);
            self.blanks();
        }
        Ok(())
    }

    #[cold]
    fn no_comment(&self) -> Error {
        match self.rest() {
            [b'/'] | [b'/', b'/' | b'*', ..] => self.end(),
            _ => self.expected("a comment"),
        }
    }

    /// Passes over that byte, or says what it was to be.
    #[inline(always)]
    pub(crate) fn expect(&mut self, byte: u8, what: &'static str) -> Result<()> {
        if self.peek() == Some(byte) {
            self.bump(1);
            return Ok(());
        }
        Err(self.expected(what))
    }

    /// Passes over those bytes, if they are what follows.
    #[inline(always)]
    pub(crate) fn passes(&mut self, bytes: &[u8]) -> bool {
        let does = self.rest().starts_with(bytes);
        if does {
            self.bump(bytes.len());
        }
        does
    }

    /// Passes over `null`, if that is the word that follows.
    #[inline(always)]
    pub(crate) fn passes_null(&mut self) -> bool {
        let mut behind = *self;
        let is_null = self.peek() == Some(b'n') && behind.token() == b"null";
        if is_null {
            *self = behind;
        }
        is_null
    }

    /// A string, whose escapes are checked.
    #[inline(always)]
    pub(crate) fn string(&mut self, what: &'static str) -> Result<Str<'a>> {
        self.expect(b'"', what)?;
        let rest = self.rest();
        match quote_or_backslash(rest) {
            Some(len) if rest.get(len) == Some(&b'"') => {
                self.bump(len.wrapping_add(1));
                Ok(Str::quoted(rest.get(..len).unwrap_or_default(), false))
            }
            _ => self.escaped_string(),
        }
    }

    #[inline(never)]
    fn escaped_string(&mut self) -> Result<Str<'a>> {
        let start = *self;
        loop {
            let rest = self.rest();
            let len = quote_or_backslash(rest).ok_or_else(|| self.end())?;
            self.bump(len);
            if self.peek() == Some(b'"') {
                let raw = self.since(&start);
                self.bump(1);
                return Ok(Str::quoted(raw, true));
            }
            let (_, len) = escape(self.rest()).ok_or_else(|| self.bad_escape())?;
            self.bump(len);
        }
    }

    #[cold]
    fn bad_escape(&self) -> Error {
        match self.rest() {
            [b'\\'] => self.end(),
            _ => self.error(ErrorKind::BadEscape),
        }
    }

    /// What is neither blank nor sign: a number or a word.
    #[inline(always)]
    pub(crate) fn token(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let len = rest.iter().position(|byte| is_in(&ENDS_TOKEN, *byte)).unwrap_or(rest.len());
        self.bump(len);
        rest.get(..len).unwrap_or_default()
    }

    /// The bytes of a value inside so many pairs of brackets. It is not looked at but for its
    /// end; the quotes of a text stay behind.
    #[inline(always)]
    pub(crate) fn value(&mut self, kind: Kind, brackets: u8) -> Result<Str<'a>> {
        let start = *self;
        if brackets > 0 {
            self.expect(b'[', "an opening bracket")?;
            match (brackets, kind) {
                (1, Kind::Char | Kind::Color) | (2.., _) => self.close()?,
                _ => self.close_numbers()?,
            }
            return Ok(Str::new(self.since(&start)));
        }
        if kind.is_text() {
            return self.string("a string");
        }
        match self.peek() {
            Some(b'"') => drop(self.string("")?),
            Some(b'\'') => self.bump(apostrophes(self.rest()).ok_or_else(|| self.unclosed())?),
            _ if self.token().is_empty() => return Err(self.expected("a value")),
            _ => {}
        }
        Ok(Str::new(self.since(&start)))
    }

    #[cold]
    fn unclosed(&self) -> Error {
        self.error(ErrorKind::BadChar)
    }

    /// Passes over the end of an array of numbers, which has no brackets inside.
    #[inline(always)]
    fn close_numbers(&mut self) -> Result<()> {
        let len = find(self.rest(), b']').ok_or_else(|| self.end())?;
        self.bump(len.wrapping_add(1));
        Ok(())
    }

    /// Passes over the bracket or brace that closes one which was passed.
    pub(crate) fn close(&mut self) -> Result<()> {
        let mut depth = 1usize;
        let mut at = self.pos;
        while depth > 0 {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let plain = sign(rest).ok_or_else(|| self.end())?;
            let sign = rest.get(plain..).unwrap_or_default();
            let len = match sign.first() {
                Some(b'[' | b'{') => {
                    depth = depth.wrapping_add(1);
                    Some(1)
                }
                Some(b']' | b'}') => {
                    depth = depth.wrapping_sub(1);
                    Some(1)
                }
                Some(b'"') => quotes(sign),
                Some(b'\'') => Some(apostrophes(sign).unwrap_or(1)),
                _ => Some(comment(sign).unwrap_or(1)),
            };
            at = at.wrapping_add(plain).wrapping_add(len.ok_or_else(|| self.end())?);
        }
        self.pos = at;
        Ok(())
    }
}

/// What means something where brackets are counted.
static SIGN: [bool; 256] = table(b"[]{}\"'/");

/// What no number or word has.
static ENDS_TOKEN: [bool; 256] = table(b",]} \n\r\t/\"[{");

#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)] // the compiler's
const fn table(bytes: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut at = 0;
    while at < bytes.len() {
        table[bytes[at] as usize] = true;
        at += 1;
    }
    table
}

#[inline(always)]
fn is_in(table: &[bool; 256], byte: u8) -> bool {
    table.get(usize::from(byte)).copied().unwrap_or_default()
}

/// How long a string is, its quotes included.
#[inline(always)]
fn quotes(bytes: &[u8]) -> Option<usize> {
    let mut len = 1usize;
    loop {
        let rest = bytes.get(len..)?;
        let plain = quote_or_backslash(rest)?;
        len = len.wrapping_add(plain).wrapping_add(1);
        if rest.get(plain) == Some(&b'"') {
            return Some(len);
        }
        len = len.wrapping_add(1); // whatever is escaped
    }
}

/// How long a character between apostrophes is, these included.
fn apostrophes(bytes: &[u8]) -> Option<usize> {
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
    let inner = bytes.get(1..len.wrapping_add(1)).unwrap_or_default();
    if core::str::from_utf8(inner).is_ok() { len } else { 1 }
}

/// How long a comment is, the end of its line included. (`/*/` is one, for the engine.)
fn comment(bytes: &[u8]) -> Option<usize> {
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

/// Where the first quote or backslash is. Most strings are short: eight bytes at a time in
/// registers first.
#[inline(always)]
fn quote_or_backslash(bytes: &[u8]) -> Option<usize> {
    for at in [0, 8, 16] {
        let Some(word) = word(bytes, at) else { break };
        let found = zeros(word ^ each(b'"')) | zeros(word ^ each(b'\\'));
        if found != 0 {
            return Some(at.wrapping_add(found.trailing_zeros() as usize / 8));
        }
    }
    memchr::memchr2(b'"', b'\\', bytes)
}

/// Where the first [`SIGN`] is: eight bytes at a time, since between them are numbers.
#[inline(always)]
fn sign(bytes: &[u8]) -> Option<usize> {
    let mut at = 0usize;
    while let Some(word) = word(bytes, at) {
        // Of brackets and braces one bit makes the difference.
        let curly = word | each(0x20);
        let found = zeros(curly ^ each(b'{'))
            | zeros(curly ^ each(b'}'))
            | zeros(word ^ each(b'"'))
            | zeros(word ^ each(b'\''))
            | zeros(word ^ each(b'/'));
        if found != 0 {
            return Some(at.wrapping_add(found.trailing_zeros() as usize / 8));
        }
        at = at.wrapping_add(8);
    }
    let rest = bytes.get(at..).unwrap_or_default();
    Some(at.wrapping_add(rest.iter().position(|byte| is_in(&SIGN, *byte))?))
}

#[inline(always)]
fn find(bytes: &[u8], byte: u8) -> Option<usize> {
    for at in [0, 8, 16] {
        let Some(word) = word(bytes, at) else { break };
        let found = zeros(word ^ each(byte));
        if found != 0 {
            return Some(at.wrapping_add(found.trailing_zeros() as usize / 8));
        }
    }
    memchr::memchr(byte, bytes)
}

#[inline(always)]
fn word(bytes: &[u8], at: usize) -> Option<u64> {
    let word = bytes.get(at..)?.first_chunk::<8>()?;
    Some(u64::from_le_bytes(*word))
}

#[inline(always)]
const fn each(byte: u8) -> u64 {
    (byte as u64).wrapping_mul(0x0101_0101_0101_0101)
}

/// The upper bit of each byte that is 0; of those behind the first they may be wrong.
#[inline(always)]
const fn zeros(word: u64) -> u64 {
    word.wrapping_sub(each(1)) & !word & each(0x80)
}
