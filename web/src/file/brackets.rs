//! Finds the parts of values in text: lists in brackets, and strings in quotes.

/// Returns the offset of the first byte from `at` on that is neither white space nor a comma.
pub fn skip_separators(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b',')) {
        at += 1;
    }
    at
}

/// Returns the end of the value that begins at `at`. A comma, a colon or a closing bracket ends it,
/// unless these are inside of brackets or quotes. White space at the end does not belong to it.
pub fn end_of_value(bytes: &[u8], mut at: usize, end: usize) -> usize {
    let (mut depth, mut quoted) = (0usize, false);
    let mut last = at;
    while at < end {
        let byte = bytes.get(at).copied().unwrap_or_default();
        match byte {
            b'\\' if quoted => at += 1,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'[' | b'{' | b'(' => depth += 1,
            b']' | b'}' | b')' if depth == 0 => break,
            b']' | b'}' | b')' => depth -= 1,
            b',' | b':' if depth == 0 => break,
            _ => {}
        }
        at += 1;
        if quoted || !matches!(byte, b' ' | b'\t' | b'\r' | b'\n') {
            last = at.min(end);
        }
    }
    last
}

/// Replaces the escapes in the text of a quoted string by their characters.
pub fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        if char != '\\' {
            out.push(char);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('u') => {
                let digits: String = chars.by_ref().take(4).collect();
                let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                out.push(code.unwrap_or('\u{FFFD}'));
            }
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}

/// Escapes a text, so that it can be written between quotes.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            char => out.push(char),
        }
    }
    out
}
