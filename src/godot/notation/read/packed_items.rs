//! Conversion of the elements of an Array to those of a packed array.

use super::colors::{color_by_name, color_parts};
use super::number::{engine_float, engine_int, truncate};
use crate::godot::types::parts::Part;
use crate::godot::{Error, Kind, StrRef, Variant, VariantRef};
use alloc::string::String;
use alloc::vec::Vec;

/// The kind of a packed array's elements, and the number of parts of each.
#[derive(Clone, Copy)]
pub(super) struct Element {
    pub kind: Kind,
    /// Number of parts of an element.
    pub parts: usize,
    /// The smallest value of the integer type to which the engine converts a float.
    smallest: i64,
}

impl Element {
    /// Returns the description of the elements of `packed`, or `None` if this type is not a packed
    /// array.
    pub(super) fn of(packed: Kind) -> Option<Self> {
        let narrow = i64::from(i32::MIN);
        let (kind, parts, smallest) = match packed {
            Kind::PackedByteArray | Kind::PackedInt32Array => (Kind::Int, 1, narrow),
            Kind::PackedInt64Array => (Kind::Int, 1, i64::MIN),
            Kind::PackedFloat32Array | Kind::PackedFloat64Array => (Kind::Float, 1, 0),
            Kind::PackedStringArray => (Kind::String, 1, 0),
            Kind::PackedVector2Array => (Kind::Vector2, 2, 0),
            Kind::PackedVector3Array => (Kind::Vector3, 3, 0),
            Kind::PackedVector4Array => (Kind::Vector4, 4, 0),
            Kind::PackedColorArray => (Kind::Color, 4, 0),
            _ => return None,
        };
        Some(Self { kind, parts, smallest })
    }
}

/// The reason why an element cannot be converted.
pub(super) enum Failure {
    /// The element cannot be converted. With
    /// [`Reading::as_the_engine`](super::Reading::as_the_engine), the engine cannot convert it
    /// either, and empties the container.
    Refused,
    /// The engine converts the element to text that this library does not reproduce.
    Unsupported,
}

/// Appends the parts of `item`, which becomes one element of a packed array, to `parts`.
///
/// If `as_the_engine` is `false`, `item` must have the same parts as the element. If it is `true`,
/// `item` is converted as the conversion operators of the engine's class `Variant` convert it.
/// These operators accept a value of any type. If they cannot convert it, the result is zeros, or
/// opaque black for a colour.
pub(super) fn append<'v>(
    mut parts: Vec<Part<'v>>,
    item: &'v Variant,
    to: Element,
    as_the_engine: bool,
) -> Result<Vec<Part<'v>>, Failure> {
    let is_same = item.kind() == to.kind;
    if is_same || !as_the_engine {
        let accepted = is_same || have_same_parts(item.kind(), to.kind);
        let parts = if accepted { collect_parts(parts, item) } else { None };
        return parts.ok_or(Failure::Refused);
    }
    match to.kind {
        Kind::Int => parts.push(Part::Int(int(item, to.smallest))),
        Kind::Float => parts.push(Part::Real(float(item))),
        Kind::String => parts.push(text(item)?),
        Kind::Color => {
            parts.extend(color(item).unwrap_or(BLACK).map(|part| Part::Real(part.into())))
        }
        _ => {
            let end = parts.len().saturating_add(to.parts);
            if is_vector(item.kind()) {
                parts = collect_parts(parts, item).ok_or(Failure::Refused)?;
            }
            parts.resize(end, Part::Int(0));
        }
    }
    Ok(parts)
}

/// The colour that replaces a value that is not a colour.
pub(super) const BLACK: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// Converts an int or text to a colour. The low four bytes of an int are red, green, blue and
/// alpha. Text consists of hexadecimal digits or is the name of a colour.
pub(super) fn color(item: &Variant) -> Option<[f32; 4]> {
    let from_bytes = |bytes: [u8; 4]| bytes.map(|part| f32::from(part) / 255.0);
    match item.leaf()? {
        VariantRef::Int(int) => {
            let [.., r, g, b, a] = int.to_be_bytes();
            Some(from_bytes([r, g, b, a]))
        }
        VariantRef::String(text) => {
            let text = text.to_str().ok()?;
            let digits = color_parts(text.strip_prefix('#').unwrap_or(text), true);
            digits.or_else(|| color_by_name(text).map(from_bytes))
        }
        _ => None,
    }
}

fn int(item: &Variant, smallest: i64) -> i64 {
    match item.leaf() {
        Some(VariantRef::Bool(value)) => i64::from(value),
        Some(VariantRef::Int(int)) => int,
        Some(VariantRef::Float(float)) => truncate(float, smallest),
        Some(VariantRef::String(text)) => int_in(&text.to_string_lossy()),
        _ => 0,
    }
}

/// Returns the int in `text`: all of its digits up to the first full stop. Each hyphen before the
/// first digit other than zero changes the sign.
fn int_in(text: &str) -> i64 {
    let text = text.split('.').next().unwrap_or_default();
    let leading = text.split(|c: char| matches!(c, '1'..='9')).next().unwrap_or_default();
    let is_negative = leading.matches('-').count() % 2 == 1;
    let sign = if is_negative { "-" } else { "" };
    let digits = text.chars().filter(char::is_ascii_digit);
    engine_int(&sign.chars().chain(digits).collect::<String>())
}

fn float(item: &Variant) -> f64 {
    match item.leaf() {
        Some(VariantRef::Bool(value)) => f64::from(u8::from(value)),
        Some(VariantRef::Int(int)) => int as f64,
        Some(VariantRef::Float(float)) => float,
        Some(VariantRef::String(text)) => float_in(&text.to_string_lossy()),
        _ => 0.0,
    }
}

/// Returns the number at the start of `text`, or zero if there is none.
fn float_in(text: &str) -> f64 {
    let text = text.trim_ascii_start();
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        let count = rest.bytes().take_while(u8::is_ascii_digit).count();
        from.saturating_add(count)
    };
    let sign = |at: usize, signs: &[u8]| {
        let is_sign = text.as_bytes().get(at).is_some_and(|byte| signs.contains(byte));
        at.saturating_add(usize::from(is_sign))
    };
    let mut end = digits(sign(0, b"+-"));
    if text.as_bytes().get(end) == Some(&b'.') {
        end = digits(end.saturating_add(1));
    }
    if matches!(text.as_bytes().get(end), Some(b'e' | b'E')) {
        end = digits(sign(end.saturating_add(1), b"+-"));
    }
    let number = text.get(..end).unwrap_or_default();
    engine_float(number.strip_prefix('+').unwrap_or(number))
}

/// Converts a value to text. Godot converts values of any type. For most types, however, the result
/// is only meant for people to read. This library does not reproduce it and returns an error.
fn text(item: &Variant) -> Result<Part<'_>, Failure> {
    match item.leaf().ok_or(Failure::Unsupported)? {
        VariantRef::String(text) => Ok(Part::Text(text)),
        VariantRef::StringName(name) => Ok(Part::Text(name)),
        VariantRef::NodePath(path) => Ok(Part::Path(path)),
        VariantRef::Nil => Ok(Part::Text(StrRef::new(b"<null>"))),
        VariantRef::Bool(true) => Ok(Part::Text(StrRef::new(b"true"))),
        VariantRef::Bool(false) => Ok(Part::Text(StrRef::new(b"false"))),
        _ => Err(Failure::Unsupported),
    }
}

fn is_vector(kind: Kind) -> bool {
    let vectors = [Kind::Vector2, Kind::Vector3, Kind::Vector4];
    vectors.contains(&kind) || [Kind::Vector2i, Kind::Vector3i, Kind::Vector4i].contains(&kind)
}

/// Appends the parts of a leaf to `parts`.
pub(super) fn collect_parts<'v>(
    mut parts: Vec<Part<'v>>,
    item: &'v Variant,
) -> Option<Vec<Part<'v>>> {
    let leaf = item.leaf()?;
    leaf.parts(&mut |part| {
        parts.push(part);
        Ok::<(), Error>(())
    })
    .ok()?;
    Some(parts)
}

/// Returns `true` if values of the two types consist of the same number of parts of the same kind:
/// either numbers, which may be reals in one type and integers in the other, or text.
pub(super) fn have_same_parts(from: Kind, to: Kind) -> bool {
    let families: [&[Kind]; 6] = [
        &[Kind::Bool, Kind::Int, Kind::Float],
        &[Kind::Vector2, Kind::Vector2i],
        &[Kind::Vector3, Kind::Vector3i],
        &[Kind::Vector4, Kind::Vector4i],
        &[Kind::Rect2, Kind::Rect2i],
        &[Kind::String, Kind::StringName],
    ];
    families.iter().any(|family| family.contains(&from) && family.contains(&to))
        || matches!((from, to), (Kind::NodePath, Kind::String) | (Kind::String, Kind::NodePath))
}
