//! Parses JSON into a tape: a flat list of all values. Godot writes JSON that the standard does not
//! allow, and the parser accepts it: raw control characters in strings, the escape `\v`, and
//! numbers that are too large for an `f64`. Nested values use no stack.

use super::error::{Error, ErrorKind, Result};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// JSON text and the list of its values in order. The items of a container follow the container.
#[derive(Clone, Debug)]
pub(super) struct Tape<'t> {
    text: &'t str,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    kind: NodeKind,
    /// The offset of the value in the text. For a string, the offset after its opening quote.
    start: u32,
    /// For a string or number, the offset of its end. For a container, the number of its items. In
    /// an object, each member counts as two items: its name and its value.
    end: u32,
    /// The index of the entry after this value and its items.
    next: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    Null,
    True,
    False,
    Number,
    /// A string without escapes.
    Text,
    /// A string with escapes.
    Escaped,
    List,
    Object,
}

/// An entry of the tape and its index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    index: u32,
    entry: Entry,
}

impl Node {
    pub(super) fn kind(&self) -> NodeKind {
        self.entry.kind
    }

    pub(super) fn fail(&self, kind: ErrorKind) -> Error {
        Error::new(kind, u64::from(self.entry.start))
    }

    pub(super) fn expected<T>(&self, expected: &'static str) -> Result<T> {
        Err(self.fail(ErrorKind::Expected(expected)))
    }
}

impl<'t> Tape<'t> {
    pub(super) fn parse(text: &'t str) -> Result<Self> {
        if u32::try_from(text.len()).is_err() {
            return Err(Error::new(ErrorKind::TooLong, 0));
        }
        let mut lexer = Lexer { text, position: 0, entries: Vec::new() };
        lexer.value()?;
        match lexer.next_byte() {
            None => Ok(Self { text, entries: lexer.entries }),
            Some(_) => Err(lexer.fail(ErrorKind::TrailingText)),
        }
    }

    /// Returns the whole value as the only item of an iterator.
    pub(super) fn root(&self) -> Nodes<'_> {
        Nodes { entries: &self.entries, position: 0, left: 1 }
    }

    /// Iterates over the items of a list, or the names and values of an object.
    pub(super) fn items(&self, container: Node) -> Nodes<'_> {
        let left = match container.entry.kind {
            NodeKind::List | NodeKind::Object => container.entry.end as usize,
            _ => 0,
        };
        Nodes { entries: &self.entries, position: container.index.wrapping_add(1), left }
    }

    /// Returns the value of the last member with this name. Godot also uses the last one.
    pub(super) fn member(&self, object: Node, name: &str) -> Option<Node> {
        let mut items = self.items(object);
        let mut found = None;
        while let (Some(key), Some(value)) = (items.next(), items.next()) {
            if self.text(key).is_ok_and(|key| key == name) {
                found = Some(value);
            }
        }
        found
    }

    /// Returns the source text of a number or string, in which escapes are not decoded.
    pub(super) fn raw(&self, node: Node) -> &'t str {
        let Entry { start, end, .. } = node.entry;
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// Returns the content of a string with escapes decoded.
    pub(super) fn text(&self, node: Node) -> Result<Cow<'t, str>> {
        match node.entry.kind {
            NodeKind::Text => Ok(Cow::Borrowed(self.raw(node))),
            NodeKind::Escaped => unescape(self.raw(node), node.entry.start).map(Cow::Owned),
            _ => node.expected("a string"),
        }
    }
}

/// Iterator over consecutive values of a tape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nodes<'d> {
    entries: &'d [Entry],
    position: u32,
    left: usize,
}

impl Nodes<'_> {
    pub(super) fn len(&self) -> usize {
        self.left
    }
}

impl Iterator for Nodes<'_> {
    type Item = Node;

    fn next(&mut self) -> Option<Node> {
        self.left = self.left.checked_sub(1)?;
        let index = self.position;
        let entry = *self.entries.get(index as usize)?;
        self.position = entry.next;
        Some(Node { index, entry })
    }
}

/// A cursor that parses text and appends its values to the tape.
struct Lexer<'t> {
    text: &'t str,
    position: usize,
    entries: Vec<Entry>,
}

impl Lexer<'_> {
    /// Parses a value and its items.
    fn value(&mut self) -> Result<()> {
        // The indices of the open containers.
        let mut open: Vec<usize> = Vec::new();
        loop {
            let index = self.entries.len();
            let is_leaf = self.start_value()?;
            if !is_leaf && !self.closes(index) {
                open.push(index);
                self.name(index)?;
                continue;
            }
            loop {
                let Some(&parent) = open.last() else { return Ok(()) };
                self.count_item(parent);
                if self.eat(b',') {
                    self.name(parent)?;
                    break;
                }
                if !self.closes(parent) {
                    return Err(self.expected(match self.kind(parent) {
                        NodeKind::Object => "`,` or `}`",
                        _ => "`,` or `]`",
                    }));
                }
                open.pop();
            }
        }
    }

    fn kind(&self, index: usize) -> NodeKind {
        self.entries.get(index).map_or(NodeKind::Null, |entry| entry.kind)
    }

    fn count_item(&mut self, container: usize) {
        if let Some(entry) = self.entries.get_mut(container) {
            entry.end = entry.end.wrapping_add(1);
        }
    }

    /// Skips the bracket that closes the container if it comes next, and returns `true` in that
    /// case.
    fn closes(&mut self, container: usize) -> bool {
        let closes = self.eat(if self.kind(container) == NodeKind::Object { b'}' } else { b']' });
        // Each entry stands for at least one byte of the text, whose length fits in `u32`.
        let next = self.entries.len() as u32;
        if let Some(entry) = self.entries.get_mut(container).filter(|_| closes) {
            entry.next = next;
        }
        closes
    }

    /// Parses the name of a member and its colon, if the container is an object.
    fn name(&mut self, container: usize) -> Result<()> {
        if self.kind(container) != NodeKind::Object {
            return Ok(());
        }
        if !self.eat(b'"') {
            return Err(self.expected("the name of a member"));
        }
        self.string()?;
        self.count_item(container);
        if self.eat(b':') { Ok(()) } else { Err(self.expected("`:`")) }
    }

    /// Parses a leaf or the opening bracket of a container. Returns `true` for a leaf.
    fn start_value(&mut self) -> Result<bool> {
        let start = |lexer: &mut Self, kind, len| {
            let start = lexer.position;
            lexer.position = start.saturating_add(len);
            lexer.push(kind, start, 0);
        };
        match self.next_byte() {
            Some(b'"') => {
                self.skip();
                self.string()?;
            }
            Some(b'[') => {
                start(self, NodeKind::List, 1);
                return Ok(false);
            }
            Some(b'{') => {
                start(self, NodeKind::Object, 1);
                return Ok(false);
            }
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ if self.rest().starts_with("null") => start(self, NodeKind::Null, 4),
            _ if self.rest().starts_with("true") => start(self, NodeKind::True, 4),
            _ if self.rest().starts_with("false") => start(self, NodeKind::False, 5),
            _ => return Err(self.expected("a value")),
        }
        Ok(true)
    }

    /// Skips the characters that a number can consist of. The number itself is parsed only when it
    /// is used.
    fn number(&mut self) {
        let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let len = self.rest().bytes().take_while(|byte| is_part(byte)).count();
        let start = self.position;
        self.position = start.saturating_add(len);
        self.push(NodeKind::Number, start, self.position);
    }

    /// Parses a string after its opening quote. Escapes are checked only when the string is used.
    fn string(&mut self) -> Result<()> {
        let start = self.position;
        let mut kind = NodeKind::Text;
        loop {
            let rest = self.rest().as_bytes();
            let Some(len) = memchr::memchr2(b'"', b'\\', rest) else {
                self.position = self.text.len();
                return Err(self.expected("a closing quote"));
            };
            let end = self.position.saturating_add(len);
            if rest.get(len) == Some(&b'"') {
                self.push(kind, start, end);
                self.position = end.saturating_add(1);
                return Ok(());
            }
            kind = NodeKind::Escaped;
            // Skips the backslash and the character after it.
            let escaped =
                self.text.get(end.saturating_add(1)..).and_then(|rest| rest.chars().next());
            self.position = end.saturating_add(1).saturating_add(escaped.map_or(0, char::len_utf8));
        }
    }

    // `parse` rejects text of 4 GiB or more, so offsets fit in `u32`.
    fn push(&mut self, kind: NodeKind, start: usize, end: usize) {
        let next = (self.entries.len() as u32).wrapping_add(1);
        self.entries.push(Entry { kind, start: start as u32, end: end as u32, next });
    }

    fn rest(&self) -> &str {
        self.text.get(self.position..).unwrap_or_default()
    }

    /// Skips white space and returns the next byte without consuming it.
    fn next_byte(&mut self) -> Option<u8> {
        let rest = self.rest().as_bytes();
        let space = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
        self.position = self.position.saturating_add(space.count());
        self.text.as_bytes().get(self.position).copied()
    }

    fn skip(&mut self) {
        self.position = self.position.saturating_add(1);
    }

    fn eat(&mut self, byte: u8) -> bool {
        let eats = self.next_byte() == Some(byte);
        if eats {
            self.skip();
        }
        eats
    }

    fn fail(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.position as u64)
    }

    fn expected(&self, expected: &'static str) -> Error {
        self.fail(ErrorKind::Expected(expected))
    }
}

/// Replaces the escapes in `raw`, which is at offset `start` of the text.
fn unescape(raw: &str, start: u32) -> Result<String> {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((before, escape)) = rest.split_once('\\') {
        text.push_str(before);
        let mut chars = escape.chars();
        let character = match chars.next() {
            Some('b') => Some('\u{8}'),
            Some('f') => Some('\u{C}'),
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            Some('v') => Some('\u{B}'),
            Some('u') => code_point(&mut chars),
            Some(character @ ('"' | '\\' | '/')) => Some(character),
            _ => None,
        };
        match character {
            Some(character) => text.push(character),
            None => {
                let into = raw.len().saturating_sub(escape.len()).saturating_sub(1);
                let offset = u64::from(start).saturating_add(into as u64);
                return Err(Error::new(ErrorKind::BadEscape, offset));
            }
        }
        rest = chars.as_str();
    }
    text.push_str(rest);
    Ok(text)
}

/// Parses the four digits after `\u`. If they are the first half of a surrogate pair, also parses
/// the escape of the second half, which must follow.
fn code_point(chars: &mut core::str::Chars<'_>) -> Option<char> {
    let first = code_unit(chars)?;
    if !(0xD800..0xDC00).contains(&first) {
        return char::from_u32(first);
    }
    let mut second = chars.as_str().strip_prefix("\\u")?.chars();
    let low = code_unit(&mut second)?.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
    *chars = second;
    char::from_u32(0x1_0000_u32.wrapping_add((first & 0x3FF) << 10 | low))
}

fn code_unit(chars: &mut core::str::Chars<'_>) -> Option<u32> {
    let (digits, rest) = chars.as_str().split_at_checked(4)?;
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    *chars = rest.chars();
    u32::from_str_radix(digits, 16).ok()
}
