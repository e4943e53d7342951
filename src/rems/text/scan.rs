//! Tokenizer of text files.

use super::close::{char_literal_len, closing_bracket, comment_len, find_quote_or_backslash};
use super::lanes::{LANES, Lanes};
use crate::rems::error::fail;
use crate::rems::span::Span;
use crate::rems::str::{StrRef, escape};
use crate::rems::{Error, ErrorKind, Kind, Result};

/// A position in a text file, or in a part of one.
///
/// It does not use the crate's `Cursor`: it searches for delimiters with SIMD comparisons over the
/// rest of the text rather than reading fields of a known size, and its offsets can start in the
/// middle of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scan<'a> {
    rest: &'a [u8],
    end: u64,
}

impl<'a> Scan<'a> {
    /// Creates a scanner of the part of a file that starts at `offset`.
    #[inline]
    pub(crate) const fn new(bytes: &'a [u8], offset: u64) -> Self {
        Self { rest: bytes, end: offset.wrapping_add(bytes.len() as u64) }
    }

    /// Creates a scanner of a whole file. Its position is `offset`.
    pub(crate) fn at(bytes: &'a [u8], offset: u64) -> Self {
        let at = usize::try_from(offset).unwrap_or(usize::MAX);
        Self { rest: bytes.get(at..).unwrap_or_default(), end: bytes.len() as u64 }
    }

    #[inline]
    pub(crate) const fn offset(&self) -> u64 {
        self.end.wrapping_sub(self.rest.len() as u64)
    }

    /// Returns the offset of the end of the file, or of the part.
    #[inline]
    pub(crate) const fn end(&self) -> u64 {
        self.end
    }

    #[inline(always)]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    #[inline(always)]
    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    #[inline(always)]
    pub(crate) fn advance(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    /// Returns the number of bytes between `start` and this position.
    #[inline(always)]
    const fn consumed(&self, start: &Self) -> usize {
        start.rest.len().wrapping_sub(self.rest.len())
    }

    /// Returns the bytes between `start` and this position.
    #[inline(always)]
    pub(crate) fn since(&self, start: &Self) -> &'a [u8] {
        start.rest.get(..self.consumed(start)).unwrap_or_default()
    }

    #[cold]
    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
        fail(kind, self.offset())
    }

    /// Returns the error that this position does not contain the expected token.
    #[cold]
    pub(crate) fn expected(&self, what: &'static str) -> Error {
        self.error_or_end(ErrorKind::Expected(what))
    }

    /// Returns an error of this kind at this position, or an error for the end of the file if the
    /// file ends here.
    #[cold]
    pub(crate) fn error_or_end(&self, kind: ErrorKind) -> Error {
        match self.peek() {
            None => self.end_error(),
            Some(_) => self.error(kind),
        }
    }

    #[cold]
    fn end_error(&self) -> Error {
        fail(ErrorKind::UnexpectedEnd { missing: 1 }, self.end)
    }

    /// Skips whitespace: spaces, tabs, line feeds and carriage returns.
    #[inline(always)]
    pub(crate) fn skip_whitespace(&mut self) {
        if self.peek().is_some_and(|byte| byte <= b' ') {
            self.skip_more_whitespace();
        }
    }

    fn skip_more_whitespace(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.advance(1);
        }
    }

    /// Skips whitespace and comments.
    #[inline(always)]
    pub(crate) fn skip_trivia(&mut self) -> Result<()> {
        self.skip_whitespace();
        match self.peek() {
            Some(b'/') => self.skip_comments(),
            _ => Ok(()),
        }
    }

    #[cold]
    fn skip_comments(&mut self) -> Result<()> {
        while self.peek() == Some(b'/') {
            let len = comment_len(self.rest()).ok_or_else(|| self.comment_error())?;
            self.advance(len);
            self.skip_whitespace();
        }
        Ok(())
    }

    #[cold]
    fn comment_error(&self) -> Error {
        match self.rest() {
            [b'/'] | [b'/', b'/' | b'*', ..] => self.end_error(),
            _ => self.expected("a comment"),
        }
    }

    /// Skips the next byte if it is `byte`. Otherwise, returns the error that `what` was expected.
    #[inline(always)]
    pub(crate) fn expect(&mut self, byte: u8, what: &'static str) -> Result<()> {
        if self.peek() == Some(byte) {
            self.advance(1);
            return Ok(());
        }
        Err(self.expected(what))
    }

    /// Skips `bytes` and returns `true` if the remaining input starts with them.
    #[inline(always)]
    pub(crate) fn eat(&mut self, bytes: &[u8]) -> bool {
        let does = self.rest().starts_with(bytes);
        if does {
            self.advance(bytes.len());
        }
        does
    }

    /// Skips the word `null` and returns `true` if it is the next token.
    #[inline(always)]
    pub(crate) fn eat_null(&mut self) -> bool {
        let mut behind = *self;
        let is_null = self.peek() == Some(b'n') && behind.token() == b"null";
        if is_null {
            *self = behind;
        }
        is_null
    }

    /// Reads a string and validates its escapes.
    #[inline(always)]
    pub(crate) fn string(&mut self, what: &'static str) -> Result<StrRef<'a>> {
        self.expect(b'"', what)?;
        let rest = self.rest();
        match find_quote_or_backslash(rest) {
            Some(len) if rest.get(len) == Some(&b'"') => {
                self.advance(len.wrapping_add(1));
                Ok(StrRef::quoted(rest.get(..len).unwrap_or_default(), false))
            }
            _ => self.escaped_string(),
        }
    }

    /// Reads the key of a property. Returns the type and the name, or `None` if the string has no
    /// colon.
    #[inline(always)]
    pub(crate) fn key(&mut self) -> Result<Option<(StrRef<'a>, StrRef<'a>)>> {
        let start = *self;
        self.expect(b'"', "a property")?;
        let rest = self.rest();
        if let Some(lanes) = Lanes::at(rest, 0) {
            let ends = lanes.eq(b'"').or(lanes.eq(b'\\')).bits().trailing_zeros() as usize;
            let colon = lanes.eq(b':').bits().trailing_zeros() as usize;
            if colon < ends
                && ends < LANES
                && let Some((key, [b'"', ..])) = rest.split_at_checked(ends)
            {
                self.advance(ends.wrapping_add(1));
                return Ok(split(StrRef::new(key), colon));
            }
        }
        *self = start;
        self.long_key()
    }

    #[inline(never)]
    fn long_key(&mut self) -> Result<Option<(StrRef<'a>, StrRef<'a>)>> {
        let key = self.string("a property")?;
        Ok(key.raw().iter().position(|byte| *byte == b':').and_then(|colon| split(key, colon)))
    }

    #[inline(never)]
    fn escaped_string(&mut self) -> Result<StrRef<'a>> {
        let start = *self;
        loop {
            let rest = self.rest();
            let len = find_quote_or_backslash(rest).ok_or_else(|| self.end_error())?;
            self.advance(len);
            if self.peek() == Some(b'"') {
                let raw = self.since(&start);
                self.advance(1);
                return Ok(StrRef::quoted(raw, true));
            }
            let (_, len) = escape(self.rest()).ok_or_else(|| self.bad_escape())?;
            self.advance(len);
        }
    }

    #[cold]
    fn bad_escape(&self) -> Error {
        match self.rest() {
            [b'\\'] => self.end_error(),
            _ => self.error(ErrorKind::BadEscape),
        }
    }

    /// Reads a number or word, up to a delimiter.
    #[inline(always)]
    pub(crate) fn token(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let len = token_end(rest);
        self.advance(len);
        rest.get(..len).unwrap_or_default()
    }

    /// Reads the bytes of a value that has `brackets` levels of brackets. Excludes the quotes of a
    /// string. Only searches for the end of the value, and validates nothing but the escapes of a
    /// string outside of brackets.
    #[inline(always)]
    pub(crate) fn value(&mut self, kind: Kind, brackets: u8) -> Result<Span<'a>> {
        let start = *self;
        if brackets > 0 {
            self.expect(b'[', "an opening bracket")?;
            match (brackets, kind) {
                (1, Kind::Char | Kind::Color) | (2.., _) => self.skip_to_close()?,
                _ => self.skip_numbers()?,
            }
            return Ok(self.span(start));
        }
        if kind.is_text() {
            return self.string("a string").map(Into::into);
        }
        match self.peek() {
            Some(b'"') => drop(self.string("")?),
            Some(b'\'') => {
                self.advance(char_literal_len(self.rest()).ok_or_else(|| self.unclosed())?)
            }
            _ if self.token().is_empty() => return Err(self.expected("a value")),
            _ => {}
        }
        Ok(self.span(start))
    }

    /// Returns the bytes between `start` and this position, with all bytes after them as
    /// look-ahead.
    #[inline(always)]
    fn span(&self, start: Self) -> Span<'a> {
        Span::with_lookahead(start.rest(), self.consumed(&start))
    }

    #[cold]
    fn unclosed(&self) -> Error {
        self.error(ErrorKind::BadChar)
    }

    /// Skips an array without nested brackets, up to and including its closing bracket.
    #[inline(always)]
    fn skip_numbers(&mut self) -> Result<()> {
        let len = find(self.rest(), b']').ok_or_else(|| self.end_error())?;
        self.advance(len.wrapping_add(1));
        Ok(())
    }

    /// Skips to the end of the innermost open object or array, including its closing bracket.
    pub(crate) fn skip_to_close(&mut self) -> Result<()> {
        let len = closing_bracket(self.rest).ok_or_else(|| self.end_error())?;
        self.advance(len);
        Ok(())
    }
}

/// Splits a key at the byte with this index, and drops the byte.
#[inline(always)]
fn split(key: StrRef<'_>, at: usize) -> Option<(StrRef<'_>, StrRef<'_>)> {
    let (ty, name) = key.raw().split_at_checked(at)?;
    let name = name.get(1..)?;
    Some((StrRef::quoted(ty, key.has_escapes()), StrRef::quoted(name, key.has_escapes())))
}

/// Returns the length of a number or word, up to a delimiter, whitespace or control character.
#[inline(always)]
fn token_end(bytes: &[u8]) -> usize {
    let mut at = 0usize;
    while let Some(lanes) = Lanes::at(bytes, at) {
        // Brackets and braces differ in only one bit, 0x20.
        let curly = lanes.set_bits(0x20);
        let found = lanes.eq(b',').or(curly.eq(b'}')).or(lanes.at_most(b' '));
        let found = found.or(lanes.eq(b'"')).or(lanes.eq(b'/')).or(curly.eq(b'{')).bits();
        if found != 0 {
            return at.wrapping_add(found.trailing_zeros() as usize);
        }
        at = at.wrapping_add(LANES);
    }
    let ends =
        |byte: &u8| matches!(byte, 0..=b' ' | b',' | b'"' | b'/' | b'[' | b']' | b'{' | b'}');
    let rest = bytes.get(at..).unwrap_or_default();
    at.wrapping_add(rest.iter().position(ends).unwrap_or(rest.len()))
}

#[inline(always)]
fn find(bytes: &[u8], byte: u8) -> Option<usize> {
    for at in [0, LANES] {
        let Some(lanes) = Lanes::at(bytes, at) else { break };
        let found = lanes.eq(byte).bits();
        if found != 0 {
            return Some(at.wrapping_add(found.trailing_zeros() as usize));
        }
    }
    memchr::memchr(byte, bytes)
}
