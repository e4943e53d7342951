//! Text with a limit.

use std::fmt::{self, Display, Write};

/// Number of bytes after which the text in a row is cut off.
pub const SHORT: usize = 160;
/// Number of bytes after which a key or name is cut off.
pub const LABEL: usize = 1 << 12;
/// Number of bytes after which the text to edit is cut off.
pub const LONG: usize = 1 << 20;

/// Writes text up to a limit.
struct Limited<'s> {
    out: &'s mut String,
    left: usize,
}

impl Write for Limited<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut len = text.len().min(self.left);
        while !text.is_char_boundary(len) {
            len -= 1;
        }
        self.out.push_str(&text[..len]);
        self.left -= len;
        if len < text.len() { Err(fmt::Error) } else { Ok(()) }
    }
}

/// Returns a number with its noun, as in `1 byte` and `2 bytes`.
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Returns `true` if the text was cut off at the limit for text to edit.
pub fn is_cut_off(text: &str) -> bool {
    text.len() + 4 > LONG && text.ends_with('…')
}

/// Returns the text of a value, cut off at a limit.
pub fn limited(value: impl Display, limit: usize) -> String {
    limited_dyn(&value, limit)
}

fn limited_dyn(value: &dyn Display, limit: usize) -> String {
    let mut out = String::new();
    let is_cut = write!(Limited { out: &mut out, left: limit }, "{value}").is_err();
    if is_cut {
        out.push('…');
    }
    out
}
