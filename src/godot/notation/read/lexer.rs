//! What a text is made of.

use super::Reading;
use super::error::{Error, ErrorKind, Result};
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// A piece of a text, and where it starts.
#[derive(Clone, Debug)]
pub(super) struct Token<'t> {
    pub what: What<'t>,
    pub offset: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum What<'t> {
    /// One of `{ } [ ] ( ) : ,`, which mean something, and `. =`, which do not.
    Sign(u8),
    /// A word, or the name of a type.
    Name(&'t str),
    Number(&'t str),
    /// Text, as the bytes of a packet.
    Text(Cow<'t, [u8]>),
    StringName(Cow<'t, [u8]>),
    /// Hexadecimal digits.
    Color(&'t str),
    End,
}

impl Token<'_> {
    pub(super) fn fail(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.offset as u64)
    }

    pub(super) fn expected<T>(&self, what: &'static str) -> Result<T> {
        Err(self.fail(ErrorKind::Expected(what)))
    }

    pub(super) fn is(&self, sign: u8) -> bool {
        self.what == What::Sign(sign)
    }
}

/// What is left of a text.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
    how: Reading,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str, how: Reading) -> Self {
        Self { text, at: 0, how }
    }

    pub(super) fn next(&mut self) -> Result<Token<'t>> {
        self.skip_blanks();
        let offset = self.at;
        let what = match self.peek() {
            None => What::End,
            Some(sign @ (b'{' | b'}' | b'[' | b']' | b'(' | b')' | b':' | b',' | b'.' | b'=')) => {
                self.skip(1);
                What::Sign(sign)
            }
            Some(b'"') => What::Text(self.string()?),
            Some(b'&' | b'@') if self.how.is_godot4() && self.after(1) == Some(b'"') => {
                self.skip(1);
                What::StringName(self.string()?)
            }
            Some(b'#') => self.color()?,
            // Godot 4 takes a `-` in front of a name as part of it: `-inf`.
            Some(b'-') if self.how.is_godot4() && self.after(1).is_some_and(starts_name) => {
                What::Name(self.name(1))
            }
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(first) if starts_name(first) => What::Name(self.name(0)),
            Some(_) => return Err(self.fail(ErrorKind::BadCharacter)),
        };
        Ok(Token { what, offset })
    }

    /// Blanks are the code points 1 to 32; `;` starts a comment.
    fn skip_blanks(&mut self) {
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

    /// Letters, digits and `_`, after `sign` bytes of sign.
    fn name(&mut self, sign: usize) -> &'t str {
        let rest = self.rest();
        let is_more = |byte: &u8| starts_name(*byte) || byte.is_ascii_digit();
        let len = rest.bytes().skip(sign).take_while(is_more).count();
        self.take(len.saturating_add(sign))
    }

    /// `-`, digits, `.`, digits, `e`, sign, digits: as far as it goes on like that.
    fn number(&mut self) -> Result<What<'t>> {
        let rest = self.rest().as_bytes();
        let digits = |from: usize| {
            let digits = rest.get(from..).unwrap_or_default();
            let count = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
            from.saturating_add(count)
        };
        let is_at =
            |place: usize, bytes: &[u8]| rest.get(place).is_some_and(|byte| bytes.contains(byte));
        let start = usize::from(rest.first() == Some(&b'-'));
        let mut end = digits(start);
        // Godot 3 reads `-` as 0, and `-.5` as a number.
        if end == start && (self.how.is_godot4() || !self.how.as_the_engine) {
            return Err(self.fail(ErrorKind::BadNumber));
        }
        if is_at(end, b".") {
            end = digits(end.saturating_add(1));
        }
        if is_at(end, if self.how.is_godot4() { b"eE" } else { b"e" }) {
            end = end.saturating_add(1);
            end = digits(end.saturating_add(usize::from(is_at(end, b"+-"))));
        }
        Ok(What::Number(self.take(end)))
    }

    /// `#` and digits; engines need one more character after them.
    fn color(&mut self) -> Result<What<'t>> {
        self.skip(1);
        let rest = self.rest().as_bytes();
        let len = rest.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        let digits = self.take(len);
        if self.how.as_the_engine && self.peek().is_none() {
            return Err(self.fail(ErrorKind::BadColor));
        }
        Ok(What::Color(digits))
    }

    /// What stands between quotes.
    fn string(&mut self) -> Result<Cow<'t, [u8]>> {
        let start = self.at;
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

    /// What follows a backslash.
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
            'U' if self.how.is_godot4() => return self.unicode(6, text),
            itself => itself,
        };
        push(character, text);
        Some(())
    }

    /// A code point in so many digits; of surrogates, two times so many.
    fn unicode(&mut self, digits: usize, text: &mut Vec<u8>) -> Option<()> {
        // Godot 3 keeps halves of pairs, and writes a space for one that is alone.
        let alone = (!self.how.is_godot4() && self.how.as_the_engine).then_some(' ');
        let first = self.code(digits)?;
        let character = match first {
            0xD800..0xDC00 => self.low_half(first, digits).or(alone)?,
            0xDC00..0xE000 => alone?,
            0 if self.how.is_godot4() => char::REPLACEMENT_CHARACTER,
            point => char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER),
        };
        push(character, text);
        Some(())
    }

    /// The character of a pair of surrogates, if the second one follows.
    fn low_half(&mut self, high: u32, digits: usize) -> Option<char> {
        let before = self.at;
        let lead = if digits == 4 { "\\u" } else { "\\U" };
        let follows = self.rest().starts_with(lead);
        self.skip(lead.len());
        let low = self.code(digits).filter(|low| follows && (0xDC00..0xE000).contains(low));
        let point = low.map(|low| 0x1_0000_u32.wrapping_add((high & 0x3FF) << 10 | low & 0x3FF));
        if point.is_none() {
            self.at = before;
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
        Error::new(kind, self.at as u64)
    }

    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next byte, unless it ends the text: so a NUL does for engines.
    fn peek(&self) -> Option<u8> {
        self.after(0)
    }

    fn after(&self, bytes: usize) -> Option<u8> {
        let byte = self.text.as_bytes().get(self.at.saturating_add(bytes)).copied();
        byte.filter(|byte| *byte != 0 || !self.how.as_the_engine)
    }

    fn skip(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
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
