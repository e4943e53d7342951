//! How values look in the notation, apart from what is around them.

use super::loss::is_odd_nan;
use super::prefix;
use crate::buffer::write_json_escape;
use crate::godot::table::dialect::Rules;
use crate::godot::types::parts::Part;
use crate::godot::{Leaf, StrRef, VariantRef};
use core::fmt::{self, Write};

/// A text as a JSON string, quotes and escapes included.
///
/// ```
/// use gamewire::godot::json::Text;
///
/// assert_eq!(Text("a \"b\"\n").to_string(), r#""a \"b\"\n""#);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Text<'a>(pub &'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        escape_str(f, self.0)?;
        f.write_char('"')
    }
}

/// The form that needs no object: a word, or a string with a prefix.
pub(super) fn bare(out: &mut impl Write, leaf: &Leaf<'_>) -> fmt::Result {
    let rules = leaf.encoded.dialect().rules();
    match (&leaf.value, prefix(leaf.value.kind())) {
        (VariantRef::Nil, _) => out.write_str("null"),
        (_, None) => leaf.value.parts(&mut |part| plain(out, part, rules)),
        (_, Some(prefix)) => {
            out.write_char('"')?;
            out.write_str(prefix)?;
            leaf.value.parts(&mut |part| plain(out, part, rules))?;
            out.write_char('"')
        }
    }
}

/// The parts between brackets; whether a NaN among them is not the engine's own.
pub(super) fn list(
    out: &mut impl Write,
    leaf: &Leaf<'_>,
) -> core::result::Result<bool, fmt::Error> {
    let rules = leaf.encoded.dialect().rules();
    let (mut comma, mut odd_nan) = (false, false);
    leaf.value.parts(&mut |part| {
        if core::mem::replace(&mut comma, true) {
            out.write_char(',')?;
        }
        odd_nan |= matches!(part, Part::Real(value) if is_odd_nan(value));
        item(out, part, rules)
    })?;
    Ok(odd_nan)
}

/// A part as JSON has it.
pub(super) fn item(out: &mut impl Write, part: Part<'_>, rules: &Rules) -> fmt::Result {
    match part {
        Part::Real(f64::INFINITY) => out.write_str("1e99999"),
        Part::Real(f64::NEG_INFINITY) => out.write_str("-1e99999"),
        Part::Real(value) if value.is_nan() => out.write_str("\"nan\""),
        Part::Text(text) => quote(out, text, rules),
        _ => plain(out, part, rules),
    }
}

/// A part behind a prefix, which says what it is.
fn plain(out: &mut impl Write, part: Part<'_>, rules: &Rules) -> fmt::Result {
    match part {
        Part::Bool(value) => write!(out, "{value}"),
        Part::Int(value) => write!(out, "{value}"),
        Part::Id(value) => write!(out, "{value}"),
        Part::Real(value) if value.is_nan() => out.write_str("nan"),
        // `inf`, `-inf`, or the shortest decimal that is this number.
        Part::Real(value) => write!(out, "{value:?}"),
        Part::Text(text) => escape(out, text, rules),
        Part::Path(path) => path.pieces().try_for_each(|piece| escape(out, piece, rules)),
    }
}

pub(super) fn quote(out: &mut impl Write, text: StrRef<'_>, rules: &Rules) -> fmt::Result {
    out.write_char('"')?;
    escape(out, text, rules)?;
    out.write_char('"')
}

/// Text inside quotes.
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

/// The first character that does not stand for itself: JSON wants the controls below a
/// space, quote and backslash escaped; a terminal the other controls.
fn split_at_special(text: &str) -> Option<(&str, char, &str)> {
    let is_special = |byte: &u8| matches!(byte, 0..0x20 | b'"' | b'\\' | 0x7F | 0xC2);
    let mut from = 0_usize;
    loop {
        let place = text.as_bytes().get(from..)?.iter().position(is_special)?;
        let place = from.saturating_add(place);
        let (before, rest) = text.split_at_checked(place)?;
        let mut chars = rest.chars();
        match chars.next()? {
            // 0xC2 leads other characters than controls, too.
            other @ '\u{A0}'.. => from = place.saturating_add(other.len_utf8()),
            special => return Some((before, special, chars.as_str())),
        }
    }
}
