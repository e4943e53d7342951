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
    // Whole numbers are frequent. They are printed faster as integers.
    let whole = value as i32;
    if f64::from(whole) == value && (whole != 0 || value.is_sign_positive()) {
        out.write_str(itoa::Buffer::new().format(whole))?;
        return out.write_str(".0");
    }
    // `zmij` prints most of these numbers as `Debug` does, but faster. It writes the exponents of
    // other numbers in a different way.
    if (1e-4..1e15).contains(&value.abs()) {
        let mut buffer = zmij::Buffer::new();
        let printed = buffer.format_finite(value);
        if !is_halfway(value, printed) {
            return out.write_str(printed);
        }
    }
    if value.is_nan() { out.write_str("nan") } else { write!(out, "{value:?}") }
}

/// Returns `true` if the number is halfway between two decimals with as many places as the printed
/// one has. `zmij` then chooses the even one, and `Debug` the one farther from zero.
fn is_halfway(value: f64, printed: &str) -> bool {
    // Different decimals with at most 15 digits never stand for the same float, so neither printer
    // had a choice.
    if printed.len() < 16 {
        return false;
    }
    let places = printed.bytes().rev().take_while(|byte| *byte != b'.').count();
    if places > 30 {
        return false;
    }
    // Such a number has one binary place more than the decimal has places.
    let scaled = value * f64::from(2_u32.wrapping_shl(places as u32));
    let whole = scaled as i64;
    whole & 1 == 1 && whole as f64 == scaled
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

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;

    #[test]
    fn reals_are_printed_as_debug_prints_them() {
        let bits = (0..200_000_u64).map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let usual = (-20_000..20_000).flat_map(|n| [f64::from(n) / 8.0, f64::from(n) * 0.1]);
        // Numbers halfway between two decimals of the same length.
        let halves = (0..52_u32).flat_map(|size| {
            (1..40_u32).flat_map(move |places| {
                let [size, place] = [size, places].map(|bits| (1_u64 << bits) as f64);
                (1..40_u32).step_by(2).map(move |odd| size + f64::from(odd) / place)
            })
        });
        let limits = [0.0, -0.0, 1e-4, 1e15, 1e16, f64::INFINITY, f64::MIN_POSITIVE];
        let near = limits.into_iter().flat_map(|limit| [limit, limit.next_up(), limit.next_down()]);
        for value in bits.map(f64::from_bits).chain(usual).chain(halves).chain(near) {
            let mut printed = String::new();
            real(&mut printed, value).unwrap();
            assert_eq!(printed, if value.is_nan() { "nan".into() } else { format!("{value:?}") });
        }
    }
}
