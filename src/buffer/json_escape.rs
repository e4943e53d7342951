use core::fmt::{self, Write};

/// Writes the escape sequence of a character within a JSON string. Each format chooses the
/// characters that it escapes; JSON requires quotes, backslashes and everything below U+0020.
pub(crate) fn write_json_escape(out: &mut (impl Write + ?Sized), character: char) -> fmt::Result {
    match character {
        '"' => out.write_str("\\\""),
        '\\' => out.write_str("\\\\"),
        '\u{8}' => out.write_str("\\b"),
        '\t' => out.write_str("\\t"),
        '\n' => out.write_str("\\n"),
        '\u{C}' => out.write_str("\\f"),
        '\r' => out.write_str("\\r"),
        other => write!(out, "\\u{:04x}", u32::from(other)),
    }
}
