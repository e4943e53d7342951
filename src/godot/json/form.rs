//! Prints single values and parts, without the objects that wrap them.

use super::loss::is_foreign_nan;
use super::prefix;
use crate::buffer::write_json_escape;
use crate::godot::table::dialect::Rules;
use crate::godot::types::parts::Part;
use crate::godot::{Leaf, StrRef, VariantRef};
use core::fmt::{self, Write};

/// Text whose `Display` prints it as a JSON string, with quotes and escapes.
///
/// ```
/// use gamewire::godot::json::Text;
///
/// assert_eq!(Text("a \"b\"\n").to_string(), r#""a \"b\"\n""#);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Text<'a>(pub &'a str);

impl Text<'_> {
    /// Writes the JSON string. This is faster than [`Display`](fmt::Display), which calls `out`
    /// through a vtable.
    ///
    /// # Errors
    /// Returns the errors of `out`.
    pub fn write(self, out: &mut impl Write) -> fmt::Result {
        out.write_str("\"")?;
        escape_str(out, self.0)?;
        out.write_str("\"")
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

/// Prints the short form of a value: `null`, `true`, `false`, or a string with a prefix.
pub(super) fn short_form(out: &mut impl Write, leaf: &Leaf<'_>) -> fmt::Result {
    let rules = leaf.encoded.dialect().rules();
    match (&leaf.value, prefix(leaf.value.kind())) {
        (VariantRef::Nil, _) => out.write_str("null"),
        (_, None) => leaf.value.parts(&mut |part| plain_text(out, part, rules)),
        (_, Some(prefix)) => {
            out.write_str("\"")?;
            out.write_str(prefix)?;
            leaf.value.parts(&mut |part| plain_text(out, part, rules))?;
            out.write_str("\"")
        }
    }
}

/// Prints the parts of a value, separated by commas. Returns `true` if one of the parts is a NaN
/// with different bits than the constant `NAN` of scripts.
pub(super) fn list(
    out: &mut impl Write,
    leaf: &Leaf<'_>,
) -> core::result::Result<bool, fmt::Error> {
    let rules = leaf.encoded.dialect().rules();
    let (mut comma, mut has_foreign_nan) = (false, false);
    leaf.value.parts(&mut |part| {
        if core::mem::replace(&mut comma, true) {
            out.write_str(",")?;
        }
        has_foreign_nan |= matches!(part, Part::Real(value) if is_foreign_nan(value));
        item(out, part, rules)
    })?;
    Ok(has_foreign_nan)
}

/// Prints a part as a JSON value.
pub(super) fn item(out: &mut impl Write, part: Part<'_>, rules: &Rules) -> fmt::Result {
    match part {
        Part::Real(f64::INFINITY) => out.write_str("1e99999"),
        Part::Real(f64::NEG_INFINITY) => out.write_str("-1e99999"),
        Part::Real(value) if value.is_nan() => out.write_str("\"nan\""),
        Part::Text(text) => quote(out, text, rules),
        _ => plain_text(out, part, rules),
    }
}

/// Prints a part without quotes, such as the `5` after the prefix in `"i:5"`. Text is escaped.
fn plain_text(out: &mut impl Write, part: Part<'_>, rules: &Rules) -> fmt::Result {
    match part {
        Part::Bool(value) => out.write_str(if value { "true" } else { "false" }),
        Part::Int(value) => out.write_str(itoa::Buffer::new().format(value)),
        Part::Id(value) => out.write_str(itoa::Buffer::new().format(value)),
        Part::Real(value) => real(out, value),
        Part::Text(text) => escape(out, text, rules),
        Part::Path(path) => path.pieces().try_for_each(|piece| escape(out, piece, rules)),
    }
}

/// Prints `nan`, `inf`, `-inf`, or the shortest decimal that parses back to the number.
fn real(out: &mut impl Write, value: f64) -> fmt::Result {
    // `zmij` prints these numbers as `Debug` does, but faster. It writes the exponents of other
    // numbers in a different way.
    if value == 0.0 || (1e-4..1e15).contains(&value.abs()) {
        return out.write_str(zmij::Buffer::new().format_finite(value));
    }
    if value.is_nan() { out.write_str("nan") } else { write!(out, "{value:?}") }
}

pub(super) fn quote(out: &mut impl Write, text: StrRef<'_>, rules: &Rules) -> fmt::Result {
    out.write_str("\"")?;
    escape(out, text, rules)?;
    out.write_str("\"")
}

/// Prints the content of a JSON string with escapes.
fn escape(out: &mut impl Write, text: StrRef<'_>, rules: &Rules) -> fmt::Result {
    text.show(rules.text, &mut |piece| escape_str(out, piece))
}

fn escape_str(out: &mut impl Write, mut text: &str) -> fmt::Result {
    while let Some((before, special, after)) = split_at_special(text) {
        out.write_str(before)?;
        write_json_escape(out, special)?;
        text = after;
    }
    out.write_str(text)
}

/// Splits `text` at the first character that must be escaped. JSON requires escapes for quotes,
/// backslashes and the control characters below U+0020. The other control characters are escaped
/// since they could change the state of a terminal.
fn split_at_special(text: &str) -> Option<(&str, char, &str)> {
    let is_special = |byte: &u8| matches!(byte, 0..0x20 | b'"' | b'\\' | 0x7F | 0xC2);
    let mut from = 0_usize;
    loop {
        let index = text.as_bytes().get(from..)?.iter().position(is_special)?;
        let index = from.saturating_add(index);
        let (before, rest) = text.split_at_checked(index)?;
        let mut chars = rest.chars();
        match chars.next()? {
            // 0xC2 is also the first byte of characters that are not control characters.
            other @ '\u{A0}'.. => from = index.saturating_add(other.len_utf8()),
            special => return Some((before, special, chars.as_str())),
        }
    }
}
