//! Text of limited length.

use std::fmt::{self, Display, Write};

/// Writes to the end of a text, up to a length.
struct Limited<'t> {
    text: &'t mut String,
    end: usize,
}

impl Write for Limited<'_> {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        let left = self.end.saturating_sub(self.text.len());
        self.text.push_str(&more[..boundary(more, left)]);
        if more.len() > left { Err(fmt::Error) } else { Ok(()) }
    }
}

/// Returns the largest offset up to `len` at which the text can be cut off.
fn boundary(text: &str, len: usize) -> usize {
    let mut end = len.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

/// Appends a value, cut off after `most` bytes. Returns `false` if it was cut off.
pub fn append(to: &mut String, value: &dyn Display, most: usize) -> bool {
    let end = to.len() + most;
    let is_whole = write!(Limited { text: to, end }, "{value}").is_ok();
    if !is_whole {
        to.push('…');
    }
    is_whole
}

/// Cuts off a text `most` bytes after `start`, if it is longer.
pub fn clip(text: &mut String, start: usize, most: usize) {
    let end = boundary(text, start + most);
    if end < text.len() {
        text.truncate(end);
        text.push('…');
    }
}

/// Text from a file. Control characters and bytes that are not UTF-8 are escaped.
pub struct Escaped<'a>(pub &'a [u8]);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            for part in chunk.valid().split_inclusive(char::is_control) {
                let end = part.trim_end_matches(char::is_control);
                f.write_str(end)?;
                for char in part[end.len()..].chars() {
                    write!(f, "{}", char.escape_default())?;
                }
            }
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02x}")?;
            }
        }
        Ok(())
    }
}

/// Bytes in hexadecimal.
pub struct Hex<'a>(pub &'a [u8]);

impl Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// A time or duration in nanoseconds, printed in seconds with 9 decimal places, or 6 if the others are
/// zero.
pub struct Seconds(pub i64);

impl Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanoseconds = self.0.unsigned_abs();
        let (seconds, rest) = (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000);
        let sign = if self.0 < 0 { "-" } else { "" };
        match rest % 1000 {
            0 => write!(f, "{sign}{seconds}.{:06}", rest / 1000),
            _ => write!(f, "{sign}{seconds}.{rest:09}"),
        }
    }
}
