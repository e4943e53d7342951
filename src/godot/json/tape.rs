//! JSON as Godot writes it, read into a flat list of what is there. Lenient: control
//! characters may stand in strings as they are, `\v` is an escape, numbers may be too
//! large for an `f64`, and nesting takes no stack.

use super::error::{Error, ErrorKind, Result};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// A text and what is in it, in order: containers, then their items.
#[derive(Clone, Debug)]
pub(super) struct Tape<'t> {
    text: &'t str,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    what: What,
    /// Where it starts in the text; strings behind their quote.
    start: u32,
    /// Of strings and numbers, where they end; of containers, how many items they have
    /// (in objects names and values each count).
    end: u32,
    /// The entry behind this one and all that is in it.
    next: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Null,
    True,
    False,
    Number,
    /// A string that is its own text.
    Text,
    /// A string with escapes.
    Escaped,
    List,
    Object,
}

/// A place on the tape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    index: u32,
    entry: Entry,
}

impl Node {
    pub(super) fn what(&self) -> What {
        self.entry.what
    }

    pub(super) fn fail(&self, kind: ErrorKind) -> Error {
        Error::new(kind, u64::from(self.entry.start))
    }

    pub(super) fn expected<T>(&self, what: &'static str) -> Result<T> {
        Err(self.fail(ErrorKind::Expected(what)))
    }
}

impl<'t> Tape<'t> {
    pub(super) fn parse(text: &'t str) -> Result<Self> {
        if u32::try_from(text.len()).is_err() {
            return Err(Error::new(ErrorKind::TooLong, 0));
        }
        let mut lexer = Lexer { text, at: 0, entries: Vec::new() };
        lexer.value()?;
        match lexer.next_byte() {
            None => Ok(Self { text, entries: lexer.entries }),
            Some(_) => Err(lexer.fail(ErrorKind::TrailingText)),
        }
    }

    /// The whole value, as the only item.
    pub(super) fn root(&self) -> Nodes<'_> {
        Nodes { entries: &self.entries, at: 0, left: 1 }
    }

    /// The items of a list, or the names and values of an object.
    pub(super) fn items(&self, container: Node) -> Nodes<'_> {
        let left = match container.entry.what {
            What::List | What::Object => container.entry.end as usize,
            _ => 0,
        };
        Nodes { entries: &self.entries, at: container.index.wrapping_add(1), left }
    }

    /// The value of the last member of that name: the one that counts, for Godot too.
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

    /// What stands there, of a number or string.
    pub(super) fn raw(&self, node: Node) -> &'t str {
        let Entry { start, end, .. } = node.entry;
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// What a string says.
    pub(super) fn text(&self, node: Node) -> Result<Cow<'t, str>> {
        match node.entry.what {
            What::Text => Ok(Cow::Borrowed(self.raw(node))),
            What::Escaped => unescape(self.raw(node), node.entry.start).map(Cow::Owned),
            _ => node.expected("a string"),
        }
    }
}

/// Iterator over items that follow each other on a tape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nodes<'d> {
    entries: &'d [Entry],
    at: u32,
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
        let index = self.at;
        let entry = *self.entries.get(index as usize)?;
        self.at = entry.next;
        Some(Node { index, entry })
    }
}

/// What is left of a text.
struct Lexer<'t> {
    text: &'t str,
    at: usize,
    entries: Vec<Entry>,
}

impl Lexer<'_> {
    /// One value and all that is in it.
    fn value(&mut self) -> Result<()> {
        // The containers that are open.
        let mut open: Vec<usize> = Vec::new();
        loop {
            let index = self.entries.len();
            let whole = self.start_value()?;
            if !whole && !self.closes(index) {
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
                    return Err(self.expected(match self.what(parent) {
                        What::Object => "`,` or `}`",
                        _ => "`,` or `]`",
                    }));
                }
                open.pop();
            }
        }
    }

    fn what(&self, index: usize) -> What {
        self.entries.get(index).map_or(What::Null, |entry| entry.what)
    }

    fn count_item(&mut self, container: usize) {
        if let Some(entry) = self.entries.get_mut(container) {
            entry.end = entry.end.wrapping_add(1);
        }
    }

    /// Past the bracket that closes the container, if it comes now.
    fn closes(&mut self, container: usize) -> bool {
        let closes = self.eat(if self.what(container) == What::Object { b'}' } else { b']' });
        let next = self.entries.len() as u32; // each takes a byte of the text at least
        if let Some(entry) = self.entries.get_mut(container).filter(|_| closes) {
            entry.next = next;
        }
        closes
    }

    /// In an object, the name of a member and its colon.
    fn name(&mut self, container: usize) -> Result<()> {
        if self.what(container) != What::Object {
            return Ok(());
        }
        if !self.eat(b'"') {
            return Err(self.expected("the name of a member"));
        }
        self.string()?;
        self.count_item(container);
        if self.eat(b':') { Ok(()) } else { Err(self.expected("`:`")) }
    }

    /// A value, or how a container opens; whether that is all of it.
    fn start_value(&mut self) -> Result<bool> {
        let start = |lexer: &mut Self, what, len| {
            let start = lexer.at;
            lexer.at = start.saturating_add(len);
            lexer.push(what, start, 0);
        };
        match self.next_byte() {
            Some(b'"') => {
                self.skip();
                self.string()?;
            }
            Some(b'[') => {
                start(self, What::List, 1);
                return Ok(false);
            }
            Some(b'{') => {
                start(self, What::Object, 1);
                return Ok(false);
            }
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ if self.rest().starts_with("null") => start(self, What::Null, 4),
            _ if self.rest().starts_with("true") => start(self, What::True, 4),
            _ if self.rest().starts_with("false") => start(self, What::False, 5),
            _ => return Err(self.expected("a value")),
        }
        Ok(true)
    }

    /// Whether it is one shows where it is used.
    fn number(&mut self) {
        let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let len = self.rest().bytes().take_while(|byte| is_part(byte)).count();
        let start = self.at;
        self.at = start.saturating_add(len);
        self.push(What::Number, start, self.at);
    }

    /// What follows an opening quote. Whether its escapes are any shows where it is used.
    fn string(&mut self) -> Result<()> {
        let start = self.at;
        let mut what = What::Text;
        loop {
            let rest = self.rest().as_bytes();
            let Some(len) = memchr::memchr2(b'"', b'\\', rest) else {
                self.at = self.text.len();
                return Err(self.expected("a closing quote"));
            };
            let end = self.at.saturating_add(len);
            if rest.get(len) == Some(&b'"') {
                self.push(what, start, end);
                self.at = end.saturating_add(1);
                return Ok(());
            }
            what = What::Escaped;
            // Past the backslash and the character behind it.
            let escaped =
                self.text.get(end.saturating_add(1)..).and_then(|rest| rest.chars().next());
            self.at = end.saturating_add(1).saturating_add(escaped.map_or(0, char::len_utf8));
        }
    }

    // The text is below 4 GiB.
    fn push(&mut self, what: What, start: usize, end: usize) {
        let next = (self.entries.len() as u32).wrapping_add(1);
        self.entries.push(Entry { what, start: start as u32, end: end as u32, next });
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next byte that is no white space.
    fn next_byte(&mut self) -> Option<u8> {
        let rest = self.rest().as_bytes();
        let space = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
        self.at = self.at.saturating_add(space.count());
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    fn eat(&mut self, byte: u8) -> bool {
        let eats = self.next_byte() == Some(byte);
        if eats {
            self.skip();
        }
        eats
    }

    fn fail(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.at as u64)
    }

    fn expected(&self, what: &'static str) -> Error {
        self.fail(ErrorKind::Expected(what))
    }
}

/// `start` is where `raw` is in the text.
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

/// Four digits, or two times four that are a surrogate pair.
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
