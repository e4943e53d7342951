//! Splits text into tokens.

use super::Reading;
use super::error::{Error, ErrorKind, Result};
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// A token and its offset in the text.
#[derive(Clone, Debug)]
pub(super) struct Token<'t> {
    pub kind: TokenKind<'t>,
    pub offset: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind<'t> {
    /// One of `{ } [ ] ( ) : , . =`. The engines accept `.` and `=` as tokens, although no value
    /// uses them.
    Punct(u8),
    /// A keyword or the name of a type.
    Name(&'t str),
    Number(&'t str),
    /// The content of a string, as it is encoded in a packet.
    Text(Cow<'t, [u8]>),
    StringName(Cow<'t, [u8]>),
    /// The hexadecimal digits of a colour.
    Color(&'t str),
    End,
}

impl Token<'_> {
    pub(super) fn fail(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.offset as u64)
    }

    pub(super) fn expected<T>(&self, expected: &'static str) -> Result<T> {
        Err(self.fail(ErrorKind::Expected(expected)))
    }

    pub(super) fn is(&self, punct: u8) -> bool {
        self.kind == TokenKind::Punct(punct)
    }
}

/// A cursor that splits text into tokens.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'t> {
    text: &'t str,
    position: usize,
    options: Reading,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str, options: Reading) -> Self {
        Self { text, position: 0, options }
    }

    /// Creates a cursor at an offset, which must be the start of a character.
    pub(super) fn new_at(text: &'t str, position: usize, options: Reading) -> Self {
        Self { text, position, options }
    }

    /// Returns the offset of the next token, or of the white space before it.
    pub(super) fn position(&self) -> usize {
        self.position
    }

    pub(super) fn next(&mut self) -> Result<Token<'t>> {
        self.skip_white_space();
        let offset = self.position;
        let kind = match self.peek() {
            None => TokenKind::End,
            Some(punct @ (b'{' | b'}' | b'[' | b']' | b'(' | b')' | b':' | b',' | b'.' | b'=')) => {
                self.skip(1);
                TokenKind::Punct(punct)
            }
            Some(b'"') => TokenKind::Text(self.string()?),
            Some(b'&' | b'@') if self.options.is_godot4() && self.peek_at(1) == Some(b'"') => {
                self.skip(1);
                TokenKind::StringName(self.string()?)
            }
            Some(b'#') => self.color()?,
            // In Godot 4, a `-` before a name is part of the name: `-inf`.
            Some(b'-') if self.options.is_godot4() && self.peek_at(1).is_some_and(starts_name) => {
                TokenKind::Name(self.name(1))
            }
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(first) if starts_name(first) => TokenKind::Name(self.name(0)),
            Some(_) => return Err(self.fail(ErrorKind::BadCharacter)),
        };
        Ok(Token { kind, offset })
    }

    /// Skips white space and comments. White space is any code point from 1 to 32; a comment starts
    /// with `;` and ends with the line.
    fn skip_white_space(&mut self) {
        loop {
            match self.peek() {
                Some(1..=32) => self.skip(1),
                Some(b';') => {
                    let line = self.rest().split(['\n', '\0']).next().unwrap_or_default();
                    self.skip(line.len());
                }
                _ => return,
            }
        }
    }

    /// Consumes a name of letters, digits and `_`. The first `sign_len` bytes are a sign.
    fn name(&mut self, sign_len: usize) -> &'t str {
        let rest = self.rest();
        let is_in_name = |byte: &u8| starts_name(*byte) || byte.is_ascii_digit();
        let len = rest.bytes().skip(sign_len).take_while(is_in_name).count();
        self.take(len.saturating_add(sign_len))
    }

    /// Consumes a number: `-`, digits, `.`, digits, `e`, a sign and digits. Each part is optional,
    /// with one exception: the digits before `.` may be missing only if the text is read as the
    /// engine of Godot 3 reads it.
    fn number(&mut self) -> Result<TokenKind<'t>> {
        let rest = self.rest().as_bytes();
        let digits = |from: usize| {
            let digits = rest.get(from..).unwrap_or_default();
            let count = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
            from.saturating_add(count)
        };
        let is_at =
            |index: usize, bytes: &[u8]| rest.get(index).is_some_and(|byte| bytes.contains(byte));
        let start = usize::from(rest.first() == Some(&b'-'));
        let mut end = digits(start);
        // Godot 3 reads `-` as 0, and `-.5` as a number.
        if end == start && (self.options.is_godot4() || !self.options.as_the_engine) {
            return Err(self.fail(ErrorKind::BadNumber));
        }
        if is_at(end, b".") {
            end = digits(end.saturating_add(1));
        }
        if is_at(end, if self.options.is_godot4() { b"eE" } else { b"e" }) {
            end = end.saturating_add(1);
            end = digits(end.saturating_add(usize::from(is_at(end, b"+-"))));
        }
        Ok(TokenKind::Number(self.take(end)))
    }

    /// Consumes `#` and hexadecimal digits. Engines reject a colour if the text ends directly after
    /// it.
    fn color(&mut self) -> Result<TokenKind<'t>> {
        self.skip(1);
        let rest = self.rest().as_bytes();
        let len = rest.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        let digits = self.take(len);
        if self.options.as_the_engine && self.peek().is_none() {
            return Err(self.fail(ErrorKind::BadColor));
        }
        Ok(TokenKind::Color(digits))
    }

    /// Consumes a string in quotes and returns its content with escapes decoded.
    fn string(&mut self) -> Result<Cow<'t, [u8]>> {
        let start = self.position;
        let bad = || Error::new(ErrorKind::BadString, start as u64);
        self.skip(1);
        let mut text = Cow::Borrowed(&[][..]);
        loop {
            let rest = self.rest().as_bytes();
            let len = memchr::memchr3(b'"', b'\\', 0, rest).ok_or_else(bad)?;
            let plain = self.take(len).as_bytes();
            match &mut text {
                Cow::Borrowed([]) => text = Cow::Borrowed(plain),
                text => text.to_mut().extend(plain),
            }
            match self.peek() {
                Some(b'"') => {
                    self.skip(1);
                    return Ok(text);
                }
                Some(b'\\') => {
                    self.skip(1);
                    self.escape(text.to_mut()).ok_or_else(bad)?;
                }
                _ => return Err(bad()),
            }
        }
    }

    /// Consumes the rest of an escape, after its backslash, and appends the character to `text`.
    fn escape(&mut self, text: &mut Vec<u8>) -> Option<()> {
        let character = self.rest().chars().next()?;
        self.skip(character.len_utf8());
        let character = match character {
            '\0' => return None,
            'b' => '\u{8}',
            't' => '\t',
            'n' => '\n',
            'f' => '\u{C}',
            'r' => '\r',
            'u' => return self.unicode(4, text),
            'U' if self.options.is_godot4() => return self.unicode(6, text),
            itself => itself,
        };
        push(character, text);
        Some(())
    }

    /// Consumes the `digits` hexadecimal digits of an escape, and a second escape if the two form a
    /// surrogate pair. Appends the character to `text`.
    fn unicode(&mut self, digits: usize, text: &mut Vec<u8>) -> Option<()> {
        // Godot 3 accepts an unpaired surrogate, and writes it to a packet as a space.
        let alone = (!self.options.is_godot4() && self.options.as_the_engine).then_some(' ');
        let first = self.code(digits)?;
        let character = match first {
            0xD800..0xDC00 => self.low_half(first, digits).or(alone)?,
            0xDC00..0xE000 => alone?,
            0 if self.options.is_godot4() => char::REPLACEMENT_CHARACTER,
            point => char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER),
        };
        push(character, text);
        Some(())
    }

    /// If the escape of a low surrogate follows, consumes it and returns the character that it
    /// forms with the high surrogate `high`.
    fn low_half(&mut self, high: u32, digits: usize) -> Option<char> {
        let before = self.position;
        let prefix = if digits == 4 { "\\u" } else { "\\U" };
        let follows = self.rest().starts_with(prefix);
        self.skip(prefix.len());
        let low = self.code(digits).filter(|low| follows && (0xDC00..0xE000).contains(low));
        let point = low.map(|low| 0x1_0000_u32.wrapping_add((high & 0x3FF) << 10 | low & 0x3FF));
        if point.is_none() {
            self.position = before;
        }
        point.and_then(char::from_u32)
    }

    fn code(&mut self, digits: usize) -> Option<u32> {
        let digits = self.rest().get(..digits)?;
        let all = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let code = u32::from_str_radix(digits, 16).ok().filter(|_| all)?;
        self.skip(digits.len());
        Some(code)
    }

    pub(super) fn fail(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.position as u64)
    }

    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.position..).unwrap_or_default()
    }

    /// Returns the next byte, or `None` at the end of the text. For engines, a NUL ends the text.
    fn peek(&self) -> Option<u8> {
        self.peek_at(0)
    }

    fn peek_at(&self, bytes: usize) -> Option<u8> {
        let byte = self.text.as_bytes().get(self.position.saturating_add(bytes)).copied();
        byte.filter(|byte| *byte != 0 || !self.options.as_the_engine)
    }

    fn skip(&mut self, bytes: usize) {
        self.position = self.position.saturating_add(bytes);
    }

    fn take(&mut self, bytes: usize) -> &'t str {
        let taken = self.rest().get(..bytes).unwrap_or_default();
        self.skip(bytes);
        taken
    }
}

fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn push(character: char, text: &mut Vec<u8>) {
    text.extend(character.encode_utf8(&mut [0; 4]).as_bytes());
}
