//! Keywords of the notation, shared by the printer and the parser, and the printer's escapes.

pub(super) const NULL: &str = "null";
pub(super) const INF: &str = "inf";
pub(super) const INF_NEG: &str = "inf_neg";
pub(super) const NAN: &str = "nan";
/// The keyword for an untyped key or value in `Dictionary[K, V]`.
pub(super) const VARIANT: &str = "Variant";
/// The constructor of a resource that is loaded from a file.
pub(super) const RESOURCE: &str = "Resource";
/// The property that holds an object's script.
pub(super) const SCRIPT: &str = "script";

/// Returns the escape for a character of a String, if it needs one. All other characters are
/// printed unchanged, even control characters.
pub(super) fn short_escape(character: char) -> Option<&'static str> {
    match character {
        '\\' => Some("\\\\"),
        '"' => Some("\\\""),
        _ => None,
    }
}

/// Returns the escape for a character of text that is not a String, if it needs one. Only Godot 3
/// escapes `?`. The engines cannot read `\a` and `\v` back: they read the letters `a` and `v`.
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
