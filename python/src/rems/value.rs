//! Writes values of a document.

use super::edit::Failure;
use gamewire::rems::{ItemSink, Kind, Part, Scalar, StrRef, WriteError};
use serde_json::Value as Json;

/// Writes a value that is not an object. `dim` is the number of dimensions of an array.
pub(super) fn write(
    kind: Kind,
    dim: u8,
    json: &Json,
    to: &mut impl ItemSink,
) -> Result<(), Failure> {
    if json.is_null() {
        return Ok(to.null()?);
    }
    match kind.scalar() {
        Scalar::Text => text(dim, json, to),
        Scalar::Bool => numbers(kind, dim, json, to, |json| json.as_bool()),
        Scalar::Char => numbers(kind, dim, json, to, unit),
        Scalar::I8 => numbers(kind, dim, json, to, integer::<i8>),
        Scalar::I16 => numbers(kind, dim, json, to, integer::<i16>),
        Scalar::I32 if kind == Kind::Color => numbers(kind, dim, json, to, color),
        Scalar::I32 => numbers(kind, dim, json, to, integer::<i32>),
        Scalar::I64 => numbers(kind, dim, json, to, Json::as_i64),
        Scalar::F32 => numbers(kind, dim, json, to, |json| real(json).map(|real| real as f32)),
        Scalar::F64 => numbers(kind, dim, json, to, real),
    }
}

fn integer<T: TryFrom<i64>>(json: &Json) -> Option<T> {
    json.as_i64()?.try_into().ok()
}

/// Reads a UTF-16 code unit: a string of one character, or a number.
fn unit(json: &Json) -> Option<u16> {
    match json {
        Json::String(text) => {
            let mut units = text.encode_utf16();
            units.next().filter(|_| units.next().is_none())
        }
        other => other.as_u64()?.try_into().ok(),
    }
}

/// Reads a colour, `#aarrggbb`, or an integer.
fn color(json: &Json) -> Option<i32> {
    match json {
        Json::String(text) => {
            let digits = text.strip_prefix('#').filter(|digits| digits.len() == 8)?;
            u32::from_str_radix(digits, 16).ok().map(u32::cast_signed)
        }
        other => other.as_i64()?.try_into().ok(),
    }
}

/// Reads a number. NaN and infinities are strings.
fn real(json: &Json) -> Option<f64> {
    match json {
        Json::String(text) => match &**text {
            "NaN" => Some(f64::NAN),
            "inf" => Some(f64::INFINITY),
            "-inf" => Some(f64::NEG_INFINITY),
            _ => None,
        },
        other => other.as_f64(),
    }
}

/// Reads text, or an object with the bytes of text that is not UTF-8.
pub(super) fn bytes_of(json: &Json) -> Option<Vec<u8>> {
    match json {
        Json::String(text) => Some(text.clone().into_bytes()),
        Json::Object(members) => {
            let digits = members.get("bytes")?.as_str()?;
            let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
            let digit = |digit: u8| char::from(digit).to_digit(16);
            let byte = |[high, low]: &[u8; 2]| Some((digit(*high)? << 4 | digit(*low)?) as u8);
            pairs.iter().map(byte).collect::<Option<_>>().filter(|_| rest.is_empty())
        }
        _ => None,
    }
}

fn unlike(expected: &str, found: &Json) -> Failure {
    let text = found.to_string();
    let short: String = text.chars().take(60).collect();
    Failure::Document(format!("expected {expected}, found {short}"))
}

fn text(dim: u8, json: &Json, to: &mut impl ItemSink) -> Result<(), Failure> {
    if json.is_null() {
        return Ok(to.null()?);
    }
    if dim == 0 {
        let bytes = bytes_of(json).ok_or_else(|| unlike("a string", json))?;
        return Ok(to.text(StrRef::new(&bytes))?);
    }
    let items = json.as_array().ok_or_else(|| unlike("a list of strings", json))?;
    to.list(len_of(items)?)?;
    items.iter().try_for_each(|item| text(dim - 1, item, to))?;
    Ok(to.end()?)
}

/// Returns the length of a list.
pub(super) fn len_of(items: &[Json]) -> Result<u32, Failure> {
    u32::try_from(items.len()).map_err(|_| Failure::Document("a list is too long".into()))
}

/// Appends the components of a value, which can be in lists of columns or corners.
fn components<T>(
    json: &Json,
    read: &impl Fn(&Json) -> Option<T>,
    to: &mut Vec<T>,
) -> Result<(), Failure> {
    match json {
        Json::Array(items) => items.iter().try_for_each(|item| components(item, read, to)),
        item => {
            to.push(read(item).ok_or_else(|| unlike("a component of the type", item))?);
            Ok(())
        }
    }
}

fn numbers<T: Part>(
    kind: Kind,
    dim: u8,
    json: &Json,
    to: &mut impl ItemSink,
    read: impl Fn(&Json) -> Option<T>,
) -> Result<(), Failure> {
    let of = |json: &Json| -> Result<Vec<T>, Failure> {
        let mut parts = Vec::new();
        components(json, &read, &mut parts)?;
        Ok(parts)
    };
    let array = |json: &Json| -> Result<Vec<T>, Failure> {
        let items = json.as_array().ok_or_else(|| unlike("a list", json))?;
        let mut parts = Vec::new();
        for item in items {
            let element = of(item)?;
            if element.len() != kind.parts() {
                return Err(unlike(&format!("{} components", kind.parts()), item));
            }
            parts.extend(element);
        }
        Ok(parts)
    };
    let written: Result<(), WriteError> = match dim {
        0 => to.parts(&of(json)?),
        1 => to.array(&array(json)?),
        _ => {
            let rows = json.as_array().ok_or_else(|| unlike("a list of lists", json))?;
            let rows: Vec<_> = rows.iter().map(array).collect::<Result<_, _>>()?;
            let rows: Vec<&[T]> = rows.iter().map(Vec::as_slice).collect();
            to.rows(&rows)
        }
    };
    Ok(written?)
}
