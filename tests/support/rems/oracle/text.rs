//! Reads text saves: white space, strings, objects and their keys.

use super::escapes::unescaped;
use super::tree::{Object, Property, Value};
use super::types::Type;
use super::{DEPTH, Refused, Result};

/// Options for integers that engines read in different ways.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Integers with a leading zero are octal.
    pub octal: bool,
    /// Integers are truncated to the width of their type.
    pub wrapping: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { octal: true, wrapping: false }
    }
}

/// Reads the objects of a text. Bytes after the last bracket are ignored.
pub fn read_text(bytes: &[u8], options: Options) -> Result<Vec<Object>> {
    let mut text = Text { bytes, at: 0, options, depth: 0 };
    text.blanks();
    text.expect(b'[')?;
    let mut roots = Vec::new();
    loop {
        text.blanks();
        match text.peek() {
            Some(b',') => text.at += 1,
            Some(b']') => return Ok(roots),
            _ => roots.push(text.object(&Class::Told)?),
        }
    }
}

/// What is known about the class of an object before the object is read.
pub enum Class<'c> {
    /// The object must state its class.
    Told,
    /// If the object states its class, it must be this one.
    Known(&'c [u8]),
}

pub struct Text<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
    pub options: Options,
    pub depth: usize,
}

impl<'a> Text<'a> {
    pub fn refuse<T>(&self, why: &'static str) -> Result<T> {
        Err(Refused { at: self.at, why })
    }

    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    pub fn peek(&self) -> Option<u8> {
        self.rest().first().copied()
    }

    pub fn blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// Skips white space, and then `byte`, which must follow.
    pub fn expect(&mut self, byte: u8) -> Result<()> {
        self.blanks();
        if self.peek() != Some(byte) {
            return self.refuse("another byte belongs here");
        }
        self.at += 1;
        Ok(())
    }

    /// Skips a word if it comes next. Returns `true` if the word was skipped.
    pub fn word(&mut self, word: &[u8]) -> bool {
        let there = self.rest().starts_with(word);
        self.at += if there { word.len() } else { 0 };
        there
    }

    /// Skips white space and comments. Comments occur only between the properties of an object.
    fn comments(&mut self) -> Result<()> {
        loop {
            self.blanks();
            let end: &[u8] = match self.rest() {
                [b'/', b'/', ..] => b"\n",
                // The asterisk of `/*` may also be that of `*/`: `/*/` is a complete comment.
                [b'/', b'*', ..] => b"*/",
                _ => return Ok(()),
            };
            self.at += 1;
            while !self.word(end) {
                if self.rest().is_empty() {
                    return self.refuse("a comment does not end");
                }
                self.at += 1;
            }
        }
    }

    /// Calls `inside` one nesting level deeper.
    pub fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == DEPTH {
            return self.refuse("too deep");
        }
        self.depth += 1;
        let inside = inside(self);
        self.depth -= 1;
        inside
    }

    pub fn object(&mut self, class: &Class<'_>) -> Result<Object> {
        self.expect(b'{')?;
        self.deeper(|text| text.members(class))
    }

    fn members(&mut self, class: &Class<'_>) -> Result<Object> {
        let mut properties = Vec::new();
        let mut more = self.first()?;
        let said = match more && self.key_is(&[b"class"])? {
            true => Some(self.value_of_key(Self::string)?),
            false => None,
        };
        let class = match (class, said) {
            (Class::Told, None) => return self.refuse("nobody says the class"),
            (Class::Known(known), Some(said)) if *known != said => {
                return self.refuse("another class than the type has");
            }
            (Class::Known(known), None) => known.to_vec(),
            (_, Some(said)) => {
                more = self.next()?;
                said
            }
        };
        let mut pointer = None;
        if more && self.key_is(&[b"i:*ptr", b"*ptr", b"ptr"])? {
            pointer = Some(self.value_of_key(|text| text.whole(true))?.into());
            more = self.next()?;
        }
        while more {
            properties.push(self.property()?);
            more = self.next()?;
        }
        Ok(Object { class, pointer, properties })
    }

    /// Returns `true` if there is a first property. Otherwise skips the closing bracket.
    fn first(&mut self) -> Result<bool> {
        self.comments()?;
        Ok(!self.word(b"}"))
    }

    /// Returns `true` if there is another property. Otherwise skips the closing bracket.
    fn next(&mut self) -> Result<bool> {
        self.comments()?;
        if self.word(b",") {
            return self.first();
        }
        match self.word(b"}") {
            true => Ok(false),
            false => self.refuse("a comma or the end of the object belongs here"),
        }
    }

    /// Returns `true` if the next key is one of `keys`, written without escapes.
    fn key_is(&mut self, keys: &[&[u8]]) -> Result<bool> {
        let before = self.at;
        let key = self.raw_string(b'"')?;
        self.at = before;
        Ok(keys.contains(&key))
    }

    /// Skips a key that was checked before, and reads its value.
    fn value_of_key<T>(&mut self, value: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.string()?;
        self.expect(b':')?;
        self.blanks();
        value(self)
    }

    fn property(&mut self) -> Result<Property> {
        let start = self.at;
        let key = self.raw_string(b'"')?;
        // The colon in the key cannot be written as an escape.
        let Some(colon) = key.iter().position(|byte| *byte == b':') else {
            return self.refuse("a key without a type");
        };
        let before = &unescaped(&key[..colon], start)?;
        let name = &unescaped(&key[colon + 1..], start)?;
        self.expect(b':')?;
        self.blanks();
        let ty = Type::named(before);
        // Until 2022, the name and the type of a vector of integers were swapped.
        let vector = matches!(name.as_slice(), b"v2i" | b"v3i" | b"v4i");
        if vector && self.peek() == Some(b'[') && !ty.is_bracketed() {
            let (ty, value) = self.swapped_vector(name)?;
            return Ok(Property { ty, name: before.clone(), value });
        }
        let value = self.value(&ty)?;
        Ok(Property { ty, name: name.clone(), value })
    }

    /// Reads a string, and decodes its escapes.
    pub fn string(&mut self) -> Result<Vec<u8>> {
        self.quoted(b'"')
    }

    pub fn quoted(&mut self, quote: u8) -> Result<Vec<u8>> {
        let start = self.at;
        unescaped(self.raw_string(quote)?, start)
    }

    /// Reads the bytes of a string between its quotes.
    pub fn raw_string(&mut self, quote: u8) -> Result<&'a [u8]> {
        self.expect(quote)?;
        let raw = self.rest();
        let start = self.at;
        while let Some(byte) = self.peek() {
            match byte {
                b'\\' => self.at += 2,
                byte if byte == quote => {
                    let len = self.at - start;
                    self.at += 1;
                    return Ok(&raw[..len]);
                }
                _ => self.at += 1,
            }
        }
        self.refuse("a string does not end")
    }
}
