//! Text from files, escaped for a terminal, and numbers for messages.
//!
//! A file must not be able to send escape sequences to the terminal. Therefore, only printable
//! characters are printed unchanged.

use super::printable::is_printable;
use anstyle::Reset;
use std::fmt::{self, Write};

/// Approximate maximum width of a string that is printed without `--full`.
const SHORT: usize = 80;

/// A string in quotes, escaped as in Rust. Bytes that are not UTF-8 are printed as `\xff`.
#[derive(Clone, Copy)]
pub struct Quoted<'a> {
    pub bytes: &'a [u8],
    /// `true` to print the whole string, even if it is long.
    pub full: bool,
}

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

impl Quoted<'_> {
    pub fn write(&self, f: &mut impl Write) -> fmt::Result {
        let shown = if self.full { self.bytes } else { beginning(self.bytes) };
        f.write_char('"')?;
        escape(f, shown, &['\''])?;
        f.write_char('"')?;
        if shown.len() < self.bytes.len() {
            write!(f, "… {}", Count(self.bytes.len() as u64, "byte"))?;
        }
        Ok(())
    }
}

/// A string without quotes, with only unprintable characters escaped.
#[derive(Clone, Copy)]
pub struct Escaped<'a>(pub &'a [u8]);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

impl Escaped<'_> {
    pub fn write(&self, to: &mut impl Write) -> fmt::Result {
        escape(to, self.0, &['\'', '"', '\\'])
    }
}

/// Formats a value with unprintable characters escaped.
pub fn escaped(text: impl fmt::Display) -> String {
    Escaped(text.to_string().as_bytes()).to_string()
}

/// Formats a value. Cuts the text off after `most` bytes and appends an ellipsis if it is longer.
/// The omitted part takes no time or memory. If it would have switched off a colour, the colour is
/// switched off at the end.
pub fn clipped(value: impl fmt::Display, most: usize) -> String {
    let mut text = String::new();
    append_clipped(&mut text, value, most);
    text
}

/// Appends a value to `to`, cut off as by [`clipped`].
pub fn append_clipped(to: &mut String, value: impl fmt::Display, most: usize) {
    let start = to.len();
    let mut clipped = Clipped { end: start.saturating_add(most), to };
    if write!(clipped, "{value}").is_err() {
        end_clipped(to, start);
    }
}

/// Cuts off the part of a text that begins at `start`, as [`clipped`] cuts off a value.
pub fn clip(text: &mut String, start: usize, most: usize) {
    let mut end = start.saturating_add(most);
    if text.len() <= end {
        return;
    }
    while !text.is_char_boundary(end) {
        end = end.saturating_sub(1);
    }
    text.truncate(end);
    // An escape sequence is kept whole or not at all.
    if let Some(last) = text.rfind(ESCAPE).filter(|last| *last >= start)
        && !text.get(last..).is_some_and(|sequence| sequence.contains('m'))
    {
        text.truncate(last);
    }
    end_clipped(text, start);
}

/// Marks the end of a text that was cut off and that begins at `start`.
fn end_clipped(text: &mut String, start: usize) {
    text.push('…');
    if text.get(start..).is_some_and(|text| text.contains(ESCAPE)) {
        text.push_str(&Reset.render().to_string());
    }
}

struct Clipped<'s> {
    to: &'s mut String,
    /// Maximum length of `to`.
    end: usize,
}

impl Clipped<'_> {
    /// Appends the part of the text that fits.
    #[cold]
    fn cut(&mut self, text: &str, left: usize) {
        // An escape sequence is written whole or not at all.
        let left = if text.contains(ESCAPE) { 0 } else { left };
        let ends = (0..=left).rev();
        let end = ends.into_iter().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        self.to.push_str(text.get(..end).unwrap_or_default());
    }
}

impl Write for Clipped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let left = self.end.saturating_sub(self.to.len());
        if text.len() > left {
            self.cut(text, left);
            return Err(fmt::Error);
        }
        self.to.push_str(text);
        Ok(())
    }
}

/// The first character of a colour's escape sequence. The sequence ends with `m`.
pub const ESCAPE: char = '\u{1b}';

/// The name of a class or property, quoted if it is empty, long or has unusual characters.
#[derive(Clone, Copy)]
pub struct Name<'a>(pub &'a [u8]);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = |byte: &u8| byte.is_ascii_alphanumeric() || b"_/.".contains(byte);
        if !self.0.is_empty() && self.0.len() <= SHORT && self.0.iter().all(usual) {
            return Escaped(self.0).fmt(f);
        }
        Quoted { bytes: self.0, full: false }.fmt(f)
    }
}

/// Returns the start of a string, up to a width of [`SHORT`] columns.
fn beginning(bytes: &[u8]) -> &[u8] {
    // No byte is wider than 6 columns.
    if bytes.len() <= SHORT / 6 {
        return bytes;
    }
    let mut columns = 0_usize;
    let mut len = 0_usize;
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid().chars().map(|c| (c.len_utf8(), columns_of(c)));
        let invalid = chunk.invalid().iter().map(|_| (1, 4));
        for (size, width) in valid.chain(invalid) {
            columns = columns.saturating_add(width);
            if columns > SHORT {
                return bytes.get(..len).unwrap_or(bytes);
            }
            len = len.saturating_add(size);
        }
    }
    bytes
}

/// Returns the approximate width of a character, in its escaped form if it must be escaped.
fn columns_of(c: char) -> usize {
    match c {
        '\t' | '\n' | '\r' | '\0' | '\\' | '"' => 2,
        _ if !is_printable(c) => 6,
        _ => 1,
    }
}

/// Escapes unprintable characters, quotes and backslashes, except those in `keep`.
fn escape(f: &mut impl Write, bytes: &[u8], keep: &[char]) -> fmt::Result {
    if plain_len(bytes) == bytes.len()
        && let Ok(plain) = str::from_utf8(bytes)
    {
        return f.write_str(plain);
    }
    for chunk in bytes.utf8_chunks() {
        let mut rest = chunk.valid();
        while let Some((plain, after)) = rest.split_at_checked(plain_len(rest.as_bytes())) {
            f.write_str(plain)?;
            let mut chars = after.chars();
            let Some(char) = chars.next() else { break };
            escape_char(f, char, keep)?;
            rest = chars.as_str();
        }
        for byte in chunk.invalid() {
            write!(f, "\\x{byte:02x}")?;
        }
    }
    Ok(())
}

/// Returns the number of bytes before the first byte that may need an escape.
fn plain_len(bytes: &[u8]) -> usize {
    let is_plain =
        |byte: &&u8| matches!(**byte, b' '..=b'~') && !matches!(**byte, b'\'' | b'"' | b'\\');
    bytes.iter().take_while(is_plain).count()
}

fn escape_char(f: &mut impl Write, char: char, keep: &[char]) -> fmt::Result {
    match char {
        '\0' | '\t' | '\n' | '\r' => write!(f, "{}", char.escape_debug()),
        '\'' | '"' | '\\' if !keep.contains(&char) => write!(f, "\\{char}"),
        _ if is_printable(char) => f.write_char(char),
        _ => write!(f, "{}", char.escape_unicode()),
    }
}

/// A count with its unit, printed as `1 byte` or `2 bytes`.
#[derive(Clone, Copy)]
pub struct Count(pub u64, pub &'static str);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self(1, unit) => write!(f, "1 {unit}"),
            Self(count, "property") => write!(f, "{count} properties"),
            Self(count, unit) => write!(f, "{count} {unit}s"),
        }
    }
}

/// An offset, printed as `24 (0x18)`.
#[derive(Clone, Copy)]
pub struct Offset(pub u64);

impl fmt::Display for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:#x})", self.0, self.0)
    }
}

/// The number of occurrences of an irregularity in a file, and the offsets of the first few.
#[derive(Debug, Default)]
pub struct Occurrences {
    count: u64,
    first: Vec<u64>,
}

/// Number of offsets that are stored and printed.
const OFFSETS: usize = 3;

impl Occurrences {
    pub fn at(offset: u64) -> Self {
        Self { count: 1, first: vec![offset] }
    }

    pub fn add(&mut self, offset: u64) {
        self.count = self.count.saturating_add(1);
        if self.first.len() < OFFSETS {
            self.first.push(offset);
        }
    }

    pub fn count(&self) -> u64 {
        self.count
    }
}

/// Prints the end of a message: `, 2 times, at offsets 4 (0x4), 8 (0x8)`.
impl fmt::Display for Occurrences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.count > 1 {
            write!(f, ", {} times", self.count)?;
        }
        let offsets = if self.count > 1 { "offsets" } else { "offset" };
        for (index, offset) in self.first.iter().enumerate() {
            let before = if index == 0 { format!(", at {offsets} ") } else { ", ".into() };
            write!(f, "{before}{}", Offset(*offset))?;
        }
        if self.count > self.first.len() as u64 { f.write_str(", …") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::style::{BOLD, Styled};

    #[test]
    fn clipped_values_keep_their_colours_whole() {
        let bold = Styled(BOLD, "abcd");
        assert_eq!(clipped(&bold, 100), bold.to_string());
        let start = BOLD.render().to_string();
        let end = Reset.render().to_string();
        assert_eq!(clipped(&bold, start.len() + 2), format!("{start}ab…{end}"));
        assert_eq!(clipped(&bold, start.len() + 4), format!("{start}abcd…{end}"));
        assert_eq!(clipped(&bold, start.len() - 1), "…");
        for text in [bold.to_string(), format!("é{bold}ü")] {
            for most in 0..=text.len() {
                let mut clip_of_text = format!("{bold}{text}");
                clip(&mut clip_of_text, bold.to_string().len(), most);
                let mut expected = bold.to_string();
                append_clipped(&mut expected, Pieces(&text), most);
                assert_eq!(clip_of_text, expected, "{most}");
            }
        }
    }

    /// A text that is written as [`Styled`] writes it, each escape sequence in a piece.
    struct Pieces<'a>(&'a str);

    impl fmt::Display for Pieces<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            for part in self.0.split_inclusive('m') {
                let (text, sequence) = part.split_at(part.find(ESCAPE).unwrap_or(part.len()));
                f.write_str(text)?;
                f.write_str(sequence)?;
            }
            Ok(())
        }
    }
}
