//! Words and signs of the notation, for whoever prints or reads it.

pub(super) const NULL: &str = "null";
pub(super) const INF: &str = "inf";
pub(super) const INF_NEG: &str = "inf_neg";
pub(super) const NAN: &str = "nan";
/// What a typed dictionary says of keys or values that may be anything.
pub(super) const VARIANT: &str = "Variant";
/// What stands for a resource that is a file.
pub(super) const RESOURCE: &str = "Resource";
/// The property that is an object's script.
pub(super) const SCRIPT: &str = "script";

/// The escape for a character of a String, if it needs one: all others, control characters
/// too, stand for themselves.
pub(super) fn short_escape(character: char) -> Option<&'static str> {
    match character {
        '\\' => Some("\\\\"),
        '"' => Some("\\\""),
        _ => None,
    }
}

/// The escape for a character of any other text. (`?` is escaped by Godot 3 only. `\a` and
/// `\v` are read as the letters.)
pub(super) fn full_escape(character: char) -> Option<&'static str> {
    match character {
        '\u{7}' => Some("\\a"),
        '\u{8}' => Some("\\b"),
        '\t' => Some("\\t"),
        '\n' => Some("\\n"),
        '\u{B}' => Some("\\v"),
        '\u{C}' => Some("\\f"),
        '\r' => Some("\\r"),
        '\'' => Some("\\'"),
        '?' => Some("\\?"),
        other => short_escape(other),
    }
}
