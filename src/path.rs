//! Paths into documents: the paths with which `gamewire get` selects values in packages and saves.
//!
//! A path consists of segments, separated by dots or slashes. A segment can be the name of a
//! member, property or object, a key, or an index. What a segment selects depends on the document.
//!
//! ```
//! use gamewire::path::parse;
//!
//! let path = parse(r#"exports[0].properties."Max. Health"[#1]"#)?;
//! let texts: Vec<_> = path.iter().map(|segment| &*segment.text).collect();
//! assert_eq!(texts, ["exports", "0", "properties", "Max. Health"]);
//! assert_eq!((path[1].index(), path[3].array_index), (Some(0), Some(1)));
//! # Ok::<(), String>(())
//! ```

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display};

/// A segment of a path.
#[derive(Clone, Debug)]
pub struct Segment<'p> {
    /// The text, without quotes and escapes.
    pub text: Cow<'p, str>,
    /// `true` if the text was in quotes. Text in quotes is the name of a property or object, or a
    /// key, but never a member of the document or an index.
    pub quoted: bool,
    /// The number in brackets after the segment, such as 3 in `[#3]`. It selects an element of a
    /// fixed-size array, or one of several properties with the same name.
    pub array_index: Option<i32>,
    /// The path before this segment.
    pub before: &'p str,
}

impl<'p> Segment<'p> {
    fn new(text: impl Into<Cow<'p, str>>, quoted: bool, before: &'p str) -> Self {
        Self { text: text.into(), quoted, array_index: None, before }
    }

    /// Returns `true` if the segment is the name of this member of the document.
    pub fn is(&self, member: &str) -> bool {
        !self.quoted && self.array_index.is_none() && self.text == member
    }

    /// Returns the segment as an index, if it is an integer. Negative indices count from the end.
    pub fn index(&self) -> Option<i64> {
        let is_index = !self.quoted && self.array_index.is_none() && is_int(&self.text);
        self.text.parse().ok().filter(|_| is_index)
    }
}

/// Formats the segment in the syntax that [`parse`] accepts.
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

/// Formats a name as a segment, in quotes if it needs them.
pub fn quote_if_needed(name: &str) -> String {
    let is_plain = !name.is_empty() && !is_int(name) && !name.contains(['.', '/', '[', '"', '\\']);
    if is_plain { name.into() } else { quoted(name) }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Splits a path into segments.
///
/// # Errors
/// If the path is malformed. The error is a message for people, and quotes the path.
pub fn parse(path: &str) -> Result<Vec<Segment<'_>>, String> {
    let mut segments: Vec<Segment<'_>> = Vec::new();
    // A leading dot is allowed, as in jq.
    let mut rest = path.strip_prefix('.').unwrap_or(path);
    while !rest.is_empty() {
        let start = path.len().saturating_sub(rest.len());
        let before = path.get(..start).unwrap_or_default();
        let fault = |what| format!("cannot read the path at `{rest}`: {what}");
        let (segment, after) = match rest.as_bytes() {
            [b'[', b'#', ..] => {
                let (content, after) = bracketed(rest).ok_or_else(|| fault(OPEN))?;
                let number = content.strip_prefix('#').filter(|digits| is_int(digits));
                let number = number.and_then(|digits| digits.parse().ok());
                let number = number.ok_or_else(|| fault("# must be followed by a number"))?;
                let last = segments.last_mut().filter(|last| last.array_index.is_none());
                last.ok_or_else(|| fault("[#] must follow a name"))?.array_index = Some(number);
                (None, after)
            }
            [b'[', b'"', ..] => {
                let (content, after) = bracketed(rest).ok_or_else(|| fault(OPEN))?;
                let text = unquoted(content).filter(|(_, behind)| behind.is_empty());
                let (text, _) = text.ok_or_else(|| fault(QUOTES))?;
                (Some(Segment::new(text, true, before)), after)
            }
            [b'[', ..] => {
                let (content, after) = bracketed(rest).ok_or_else(|| fault(OPEN))?;
                (Some(Segment::new(content, false, before)), after)
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
            return Err(format!(
                "the path `{path}` has an empty segment; write \"\" for an empty key"
            ));
        }
        segments.extend(segment);
        rest = match after.strip_prefix(['.', '/']) {
            Some("") => {
                return Err(format!(
                    "the path `{path}` ends in a separator; remove it or add a segment"
                ));
            }
            Some(next) => next,
            None if after.is_empty() || after.starts_with('[') => after,
            None => return Err(format!("the path lacks a dot before `{after}`")),
        };
    }
    Ok(segments)
}

const SEPARATORS: [char; 3] = ['.', '/', '['];
const OPEN: &str = "the bracket is not closed";
const QUOTES: &str = "the quotes are not closed, or followed by other text";

/// Splits a string that starts with `[` into the content of the brackets and the remaining string.
/// Ignores brackets in quotes.
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

/// Splits a string that starts with text in quotes. Returns this text, with its escapes decoded,
/// and the rest of the string.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut chars = text.strip_prefix('"')?.chars();
    let mut content = String::new();
    loop {
        match chars.next()? {
            '"' => return Some((content, chars.as_str())),
            '\\' => content.push(chars.next().filter(|char| "\"\\".contains(*char))?),
            char => content.push(char),
        }
    }
}
