//! Paths into packages and saves: words, names of properties and objects, keys, and indices.

use std::borrow::Cow;
use std::fmt::{self, Display};

/// A segment as somebody wrote it.
#[derive(Clone, Debug)]
pub struct Segment<'p> {
    pub text: Cow<'p, str>,
    /// Whether it is a name or key, and no word of the document nor a number.
    pub quoted: bool,
    /// `[#3]` behind it: which element of an array of fixed size.
    pub array_index: Option<i32>,
    /// The path before it.
    pub before: &'p str,
}

impl<'p> Segment<'p> {
    fn new(text: impl Into<Cow<'p, str>>, quoted: bool, before: &'p str) -> Self {
        Self { text: text.into(), quoted, array_index: None, before }
    }

    /// Whether it is that word of the document.
    pub fn is(&self, word: &str) -> bool {
        !self.quoted && self.array_index.is_none() && self.text == word
    }

    /// The index that it is, below 0 from the end.
    pub fn index(&self) -> Option<i64> {
        let is_index = !self.quoted && self.array_index.is_none() && is_int(&self.text);
        self.text.parse().ok().filter(|_| is_index)
    }
}

/// As it was written, or could have been.
impl Display for Segment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.quoted {
            true => f.write_str(&quoted(&self.text))?,
            false => f.write_str(&self.text)?,
        }
        self.array_index.map_or(Ok(()), |index| write!(f, "[#{index}]"))
    }
}

fn is_int(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// A name as a segment, in quotes where it needs them.
pub fn quote_if_needed(name: &str) -> String {
    let is_plain = !name.is_empty() && !is_int(name) && !name.contains(['.', '/', '[', '"', '\\']);
    if is_plain { name.into() } else { quoted(name) }
}

/// How long a name may be in a message; a file can have one as long as itself, many times.
const LONG: usize = 256;

/// What it prints, cut off if that is long.
pub fn short(name: impl Display) -> String {
    struct Short(String);

    impl fmt::Write for Short {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            text.chars().try_for_each(|char| match self.0.len() {
                ..LONG => {
                    self.0.push(char);
                    Ok(())
                }
                _ => Err(fmt::Error),
            })
        }
    }

    let mut short = Short(String::new());
    if fmt::write(&mut short, format_args!("{name}")).is_err() {
        short.0.push('…');
    }
    short.0
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The segments of a path, or what is wrong with it.
pub fn parse(path: &str) -> Result<Vec<Segment<'_>>, String> {
    let mut segments: Vec<Segment<'_>> = Vec::new();
    // As jq has it.
    let mut rest = path.strip_prefix('.').unwrap_or(path);
    while !rest.is_empty() {
        let start = path.len().saturating_sub(rest.len());
        let before = path.get(..start).unwrap_or_default();
        let fault = |what| format!("`{rest}` is no segment of a path: {what}");
        let (segment, after) = match rest.as_bytes() {
            [b'[', b'#', ..] => {
                let (inside, after) = bracketed(rest).ok_or_else(|| fault(OPEN))?;
                let number = inside.strip_prefix('#').filter(|digits| is_int(digits));
                let number = number.and_then(|digits| digits.parse().ok());
                let number = number.ok_or_else(|| fault("a number belongs behind #"))?;
                let last = segments.last_mut().filter(|last| last.array_index.is_none());
                last.ok_or_else(|| fault("[#] stands behind a name"))?.array_index = Some(number);
                (None, after)
            }
            [b'[', b'"', ..] => {
                let (inside, after) = bracketed(rest).ok_or_else(|| fault(OPEN))?;
                let text = unquoted(inside).filter(|(_, behind)| behind.is_empty());
                let (text, _) = text.ok_or_else(|| fault(QUOTES))?;
                (Some(Segment::new(text, true, before)), after)
            }
            [b'[', ..] => {
                let (inside, after) = bracketed(rest).ok_or_else(|| fault(OPEN))?;
                (Some(Segment::new(inside, false, before)), after)
            }
            [b'"', ..] => {
                let (text, after) = unquoted(rest).ok_or_else(|| fault(QUOTES))?;
                (Some(Segment::new(text, true, before)), after)
            }
            _ => {
                let end = rest.find(SEPARATORS).unwrap_or(rest.len());
                let (text, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
                (Some(Segment::new(text, false, before)), after)
            }
        };
        if segment.as_ref().is_some_and(|segment| segment.text.is_empty() && !segment.quoted) {
            return Err(format!("`{path}` is no path: a segment is empty (an empty key is \"\")"));
        }
        segments.extend(segment);
        rest = match after.strip_prefix(['.', '/']) {
            Some("") => return Err(format!("`{path}` is no path: nothing is behind the last dot")),
            Some(next) => next,
            None if after.is_empty() || after.starts_with('[') => after,
            None => return Err(format!("`{after}` is no segment of a path: a dot is missing")),
        };
    }
    Ok(segments)
}

const SEPARATORS: [char; 3] = ['.', '/', '['];
const OPEN: &str = "its bracket does not end";
const QUOTES: &str = "its quotes do not end, or something else stands beside them";

/// What is between the bracket at the start and the one that ends it, and what follows. Brackets
/// in quotes do not count.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    let (mut open, mut in_quotes, mut escaped) = (0_u32, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_quotes,
            b'"' => in_quotes = !in_quotes,
            b'[' if !in_quotes => open = open.saturating_add(1),
            b']' if !in_quotes => open = open.saturating_sub(1),
            _ => {}
        }
        if open == 0 {
            return Some((text.get(1..at)?, text.get(at.saturating_add(1)..)?));
        }
    }
    None
}

/// What is between the quotes that it starts with, and what follows.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut chars = text.strip_prefix('"')?.chars();
    let mut inside = String::new();
    loop {
        match chars.next()? {
            '"' => return Some((inside, chars.as_str())),
            '\\' => inside.push(chars.next().filter(|char| "\"\\".contains(*char))?),
            char => inside.push(char),
        }
    }
}
