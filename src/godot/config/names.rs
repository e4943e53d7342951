//! Keys and names of sections: how they are written, and how the engine reads them.

use crate::godot::Dialect;
use crate::godot::notation::Reading;
use alloc::borrow::Cow;
use alloc::string::String;

/// Returns a key as the engine writes it. The engine puts a key in quotes if it contains a control
/// character, a space, a character that is not ASCII, or one of `" ; = [ ]`.
///
/// ```
/// use gamewire::godot::config::encode_key;
///
/// assert_eq!(encode_key("config/name"), "config/name");
/// assert_eq!(encode_key("say \"hi\""), r#""say \"hi\"""#);
/// assert_eq!(encode_key("größe"), "\"größe\"");
/// ```
pub fn encode_key(key: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"\";=[]".contains(&byte);
    if key.bytes().all(is_plain) {
        return Cow::Borrowed(key);
    }
    let mut quoted = String::with_capacity(key.len().saturating_add(2));
    quoted.push('"');
    for character in key.chars() {
        if matches!(character, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    quoted.push('"');
    Cow::Owned(quoted)
}

/// Returns a key as the engine writes it. Returns `None` if the engine would read back a different
/// key.
pub(super) fn checked_key(key: &str) -> Option<Cow<'_, str>> {
    (!key.is_empty() && !key.contains('\0')).then(|| encode_key(key))
}

/// Returns the key that the engine reads from `source`, the text before the `=` of an entry.
pub(super) fn decode_key(source: &str, options: Reading) -> Cow<'_, str> {
    let trimmed = source.trim_matches(is_space);
    let is_plain = |byte: u8| byte.is_ascii_graphic() && byte != b'"' && byte != b';';
    if trimmed.bytes().all(is_plain) {
        return Cow::Borrowed(trimmed);
    }
    let mut key = Cow::Borrowed("");
    let mut position = 0;
    while let Some(byte) = source.as_bytes().get(position).copied() {
        match byte {
            b'"' => match options.string_at(source, position) {
                Ok((text, end)) => (key, position) = (into_text(text), end),
                Err(_) => return key, // impossible: the reader has read this string
            },
            b';' => position = line_end(source, position),
            0..=b' ' => position = position.saturating_add(1),
            latin1 => {
                key.to_mut().push(char::from(latin1));
                position = position.saturating_add(1);
            }
        }
    }
    key
}

fn into_text(bytes: Cow<'_, [u8]>) -> Cow<'_, str> {
    match bytes {
        Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// Returns the offset of the line feed that ends the line at `position`. If no line feed follows,
/// returns the offset of the end of the text.
pub(super) fn line_end(text: &str, position: usize) -> usize {
    let rest = text.as_bytes().get(position..).unwrap_or_default();
    memchr::memchr(b'\n', rest).map_or(text.len(), |len| position.saturating_add(len))
}

/// Returns `true` for the characters that the engine treats as white space.
pub(super) fn is_space(character: char) -> bool {
    character <= ' '
}

/// Returns the text to write between the brackets of a section's header. Returns `None` if the
/// engine would not read the same name back.
pub(super) fn encode_section(name: &str, dialect: Dialect) -> Option<Cow<'_, str>> {
    let options = Reading::of(dialect);
    let source = match name.contains(']') && options.is_godot4() {
        true => Cow::Owned(name.replace(']', "\\]")),
        false => Cow::Borrowed(name),
    };
    let is_kept = section_len(&source, options).is_none() && !ends_escaping(&source, options);
    (is_kept
        && decode_section(&source, options) == name
        && !name.is_empty()
        && !name.contains('\0'))
    .then_some(source)
}

fn ends_escaping(source: &str, options: Reading) -> bool {
    options.is_godot4() && source.ends_with('\\')
}

/// Returns the length of a section's name. `text` begins after the `[`. In Godot 3, the name ends
/// before the first `]`. In Godot 4, it ends before the first `]` that does not follow a backslash.
/// Returns `None` if there is no such `]`.
pub(super) fn section_len(text: &str, options: Reading) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_escaped = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        options.is_godot4() && before == Some(&b'\\')
    };
    memchr::memchr_iter(b']', bytes).find(|at| !is_escaped(*at))
}

/// Returns the name that the engine reads from the text between the brackets of a section's header.
pub(super) fn decode_section(source: &str, options: Reading) -> Cow<'_, str> {
    if !options.is_godot4() || !source.contains(']') {
        return Cow::Borrowed(source.trim_matches(is_space));
    }
    let name = source.replace("\\]", "]");
    Cow::Owned(name.trim_matches(is_space).into())
}
