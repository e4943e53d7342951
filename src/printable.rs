//! Characters that a terminal prints, and a writer that escapes all others.
//!
//! All output of the program `gamewire` for people, and all of its JSON, goes through this writer.
//! Therefore, no file can move the cursor, hide or reorder text, or imitate a message.
//!
//! ```
//! use gamewire::printable::{escape_json, for_people};
//!
//! assert_eq!(for_people("a\u{202E}b"), "a\\u{202e}b");
//! let mut json = "\"a\u{202E}b\"".as_bytes().to_vec();
//! escape_json(&mut json, 0)?;
//! assert_eq!(json, br#""a\u202eb""#);
//! # Ok::<(), std::io::Error>(())
//! ```

use core::fmt;
use std::io::{self, Write};
use std::string::String;
use std::vec::Vec;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Returns `true` if a terminal prints the character, alone or combined with the previous one.
///
/// A terminal does not print control and format characters, such as those that change the direction
/// of text. It also does not print line and paragraph separators, private and unassigned code
/// points, and the characters that Unicode declares as ignorable, which have no width.
pub fn is_printable(char: char) -> bool {
    use GeneralCategory as Category;
    if char.is_ascii() {
        return !char.is_ascii_control();
    }
    // A fast path: all arrows are printable, and `gamewire packets` prints one on each line.
    if matches!(char, '\u{2190}'..='\u{21FF}') {
        return true;
    }
    let is_invisible = matches!(
        char.general_category(),
        Category::Control
            | Category::Format
            | Category::LineSeparator
            | Category::ParagraphSeparator
            | Category::PrivateUse
            | Category::Surrogate
            | Category::Unassigned
    );
    !is_invisible && !is_ignorable(char)
}

/// Returns `true` for characters that Unicode declares as ignorable
/// (`Default_Ignorable_Code_Point`). The function does not list those that [`is_printable`] already
/// excludes because of their category.
fn is_ignorable(char: char) -> bool {
    matches!(
        char,
        '\u{34F}' // combining grapheme joiner
            | '\u{115F}'..='\u{1160}' | '\u{3164}' | '\u{FFA0}' // fillers of Hangul
            | '\u{17B4}'..='\u{17B5}' // inherent vowels of Khmer
            | '\u{180B}'..='\u{180F}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' // variation selectors
    )
}

/// The form of escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escapes {
    /// For people: `\u{200b}`. Keeps escape sequences for colours.
    Rust,
    /// For people, without colours: escapes as in `Rust`, and removes the colours.
    Colourless,
    /// In JSON and in Godot's text notation: `\u200b`, with two escapes for a character beyond
    /// U+FFFF.
    Json,
}

/// A writer that escapes characters that a terminal does not print. Keeps line feeds and tabs. With
/// [`Escapes::Rust`], it also keeps colours.
///
/// A character or the escape sequence of a colour must not be split between two writes.
pub struct Printable<W> {
    out: W,
    escapes: Escapes,
}

/// Prints the form of the escapes.
impl<W> fmt::Debug for Printable<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Printable").field(&self.escapes).finish()
    }
}

impl<W: Write> Printable<W> {
    /// Creates a writer that writes to `out`.
    pub fn new(out: W, escapes: Escapes) -> Self {
        Self { out, escapes }
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        // `rest` is not written yet, and its first `kept` bytes need no escapes.
        let (mut rest, mut kept) = (text, 0_usize);
        loop {
            let after = rest.get(kept..).unwrap_or_default();
            kept = kept.saturating_add(plain_len(after.as_bytes()));
            let (before, after) = rest.split_at_checked(kept).unwrap_or((rest, ""));
            let Some(char) = after.chars().next() else {
                return self.out.write_all(rest.as_bytes());
            };
            if is_kept(char) {
                kept = kept.saturating_add(char.len_utf8());
                continue;
            }
            let colour = if self.escapes == Escapes::Json { 0 } else { colour_len(after) };
            if colour > 0 && self.escapes == Escapes::Rust {
                kept = kept.saturating_add(colour);
                continue;
            }
            self.out.write_all(before.as_bytes())?;
            if colour == 0 {
                self.escape(char)?;
            }
            rest = after.get(colour.max(char.len_utf8())..).unwrap_or_default();
            kept = 0;
        }
    }

    fn escape(&mut self, char: char) -> io::Result<()> {
        match self.escapes {
            Escapes::Rust | Escapes::Colourless => write!(self.out, "{}", char.escape_unicode()),
            Escapes::Json => {
                let mut units = [0; 2];
                let units = char.encode_utf16(&mut units);
                units.iter().try_for_each(|unit| write!(self.out, "\\u{unit:04x}"))
            }
        }
    }
}

/// Escapes the characters of JSON that a terminal does not print, from the index `start`. JSON that
/// is printed in many small pieces is escaped faster in this way than by a [`Printable`].
///
/// # Errors
/// Never, because a vector accepts all bytes.
pub fn escape_json(json: &mut Vec<u8>, start: usize) -> io::Result<()> {
    let new = json.get(start..).unwrap_or_default();
    if plain_len(new) == new.len() {
        return Ok(());
    }
    let new = new.to_vec();
    json.truncate(start);
    Printable::new(json, Escapes::Json).write_all(&new)
}

/// Returns the number of bytes before the first byte that is neither a line feed nor a printable
/// ASCII character.
fn plain_len(bytes: &[u8]) -> usize {
    let is_plain = |byte: &u8| matches!(byte, b'\n' | b' '..=b'~');
    // Without an early exit from a block, the compiler checks many bytes at once.
    let all_plain = |block: &&[u8; 64]| block.iter().fold(true, |all, byte| all & is_plain(byte));
    let (blocks, _) = bytes.as_chunks();
    let start = blocks.iter().take_while(all_plain).count().saturating_mul(64);
    let rest = bytes.get(start..).unwrap_or_default();
    let all_plain = |block: &&[u8; 8]| block.iter().fold(true, |all, byte| all & is_plain(byte));
    let (blocks, _) = rest.as_chunks();
    let plain = blocks.iter().take_while(all_plain).count().saturating_mul(8);
    let start = start.saturating_add(plain);
    let rest = bytes.get(start..).unwrap_or_default();
    start.saturating_add(rest.iter().take_while(|byte| is_plain(byte)).count())
}

fn is_kept(char: char) -> bool {
    matches!(char, '\n' | '\t') || is_printable(char)
}

/// If the text starts with an escape sequence for a colour or style, such as `ESC [ 1 m`, returns
/// the length of this sequence. Returns 0 otherwise.
fn colour_len(text: &str) -> usize {
    let parameters = text.strip_prefix("\u{1b}[").unwrap_or_default();
    let end = parameters.find(|char: char| !char.is_ascii_digit() && char != ';');
    match end.filter(|end| parameters.get(*end..).is_some_and(|rest| rest.starts_with('m'))) {
        Some(end) => end.saturating_add("\u{1b}[m".len()),
        None => 0,
    }
}

impl<W: Write> Write for Printable<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if plain_len(bytes) == bytes.len() {
            return self.out.write_all(bytes).map(|()| bytes.len());
        }
        // Faster than `utf8_chunks`.
        if let Ok(text) = str::from_utf8(bytes) {
            return self.text(text).map(|()| bytes.len());
        }
        for chunk in bytes.utf8_chunks() {
            self.text(chunk.valid())?;
            if !chunk.invalid().is_empty() {
                self.out.write_all("\u{FFFD}".as_bytes())?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Returns a text for people with its unprintable characters escaped.
pub fn for_people(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let written = Printable::new(&mut bytes, Escapes::Rust).write_all(text.as_bytes());
    debug_assert!(written.is_ok(), "a vector accepts all bytes");
    String::from_utf8(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;
    use std::string::ToString;

    fn escaped(text: &str, escapes: Escapes) -> String {
        let mut bytes = Vec::new();
        Printable::new(&mut bytes, escapes).write_all(text.as_bytes()).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn other_characters_are_escaped() {
        // Overrides, isolates and marks of direction, zero-width characters, separators, tags, variation
        // selectors, fillers, private and unassigned code points.
        let hidden = "\u{202E}\u{2066}\u{2069}\u{200E}\u{61C}\u{200B}\u{200D}\u{FEFF}\u{2028}\u{2029}\
                      \u{E0041}\u{FE0F}\u{E0100}\u{3164}\u{115F}\u{FFA0}\u{34F}\u{AD}\u{2060}\u{E000}\
                      \u{F0000}\u{FFFF}\u{378}\u{85}\u{9B}\u{7F}\u{1B}\u{0}\u{180E}\u{FFF9}\u{1D173}";
        for char in hidden.chars() {
            assert!(!is_printable(char), "{char:?}");
            let text = char.to_string();
            assert_eq!(escaped(&text, Escapes::Rust), format!("\\u{{{:x}}}", u32::from(char)));
            let json: String =
                serde_json::from_str(&format!("\"{}\"", escaped(&text, Escapes::Json))).unwrap();
            assert_eq!(json, text);
        }
    }

    #[test]
    fn printed_characters_are_kept() {
        let text =
            "a é e\u{301} ß \u{A0}\u{3000}漢字 日本語 한국어 עברית العربية हिन्दी ไทย 😀 ∑ ─ €\n\t~";
        for escapes in [Escapes::Rust, Escapes::Colourless, Escapes::Json] {
            assert_eq!(escaped(text, escapes), text);
        }
    }

    #[test]
    fn only_colours_are_kept() {
        let text = "\u{1b}[1m\u{1b}[38;5;9mé\u{1b}[0m\u{1b}[m";
        assert_eq!(escaped(text, Escapes::Rust), text);
        assert_eq!(escaped(text, Escapes::Colourless), "é");
        for escapes in [Escapes::Rust, Escapes::Colourless] {
            assert_eq!(escaped("é\u{1b}[2J", escapes), "é\\u{1b}[2J");
            assert_eq!(escaped("é\u{1b}[1", escapes), "é\\u{1b}[1");
            assert_eq!(escaped("é\u{1b}]0;m", escapes), "é\\u{1b}]0;m");
        }
        assert_eq!(escaped("\u{1b}[1m", Escapes::Json), "\\u001b[1m");
    }
}
