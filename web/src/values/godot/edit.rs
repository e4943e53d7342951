//! Changes of single values.

use super::{Godot, Head, WIDE, WORD};
use crate::file::place::{Fault, Layout, Part, Place, Role, Splice};
use gamewire::godot::notation::Reading;
use gamewire::godot::{Container, Kind, Leaf, TypeRef, Variant, VariantRef};
use std::fmt::Display;

/// Returns the replacements that change a value or key to the value in `text`, which is in Godot's
/// text notation.
pub fn edit(
    file: &Godot,
    bytes: &[u8],
    chain: &[Place],
    part: Part,
    text: &str,
) -> Result<Vec<Splice>, Fault> {
    let Some((place, around)) = chain.split_last() else { return Ok(Vec::new()) };
    if place.role == Role::Packed {
        return edit_packed(file, bytes, chain, place, text);
    }
    let range = match part {
        Part::Key => place.key.clone(),
        Part::Value if place.role == Role::Frame => {
            let value = place.value.start;
            value..file.end(bytes, value, place.value.end)?
        }
        Part::Value => place.value.clone(),
    };
    let fault = |text: String| Fault { text, offset: range.start };
    let Ok(Head::Leaf(old)) = file.head(bytes, range.start) else {
        return Err(fault("this cannot be edited as text".into()));
    };
    let new = encoded(file, text, &old).map_err(fault)?;
    check_type(file, bytes, around, part, &new).map_err(fault)?;
    let old = old.encoded.as_bytes();
    let mut splices = Vec::new();
    splices.extend(changed_prefix(file, bytes, chain, new.len() as i64 - old.len() as i64)?);
    splices.push(Splice { at: range.start, old: old.to_vec(), new });
    Ok(splices)
}

/// Returns the change of the length of the frame, if its content grows by `delta` bytes.
fn changed_prefix(
    file: &Godot,
    bytes: &[u8],
    chain: &[Place],
    delta: i64,
) -> Result<Option<Splice>, Fault> {
    let (Some(frame), Layout::Frames { big_endian }) = (chain.get(1), file.layout) else {
        return Ok(None);
    };
    if delta == 0 {
        return Ok(None);
    }
    let len = u32::try_from(frame.value.len() as i64 + delta)
        .map_err(|_| Fault { text: "the frame is too long".into(), offset: frame.key.start })?;
    let new = if big_endian { len.to_be_bytes() } else { len.to_le_bytes() };
    let old = bytes.get(frame.key.clone()).unwrap_or_default().to_vec();
    Ok(Some(Splice { at: frame.key.start, old, new: new.to_vec() }))
}

/// Changes an element of a packed array.
fn edit_packed(
    file: &Godot,
    bytes: &[u8],
    chain: &[Place],
    place: &Place,
    text: &str,
) -> Result<Vec<Splice>, Fault> {
    let fault = |text: String| Fault { text, offset: place.value.start };
    let element = file.packed_value(bytes, place).ok_or_else(|| fault("no element".into()))?;
    let Ok(Head::Leaf(old)) = file.head(&element, 0) else { return Ok(Vec::new()) };
    let new = parsed(file, text, &old.value).map_err(fault)?;
    let Ok(Head::Leaf(value)) = file.head(&new, 0) else {
        return Err(fault("an array, dictionary or object does not fit here".into()));
    };
    if value.value.kind() != old.value.kind() {
        let name = file.dialect.type_name(old.value.kind()).unwrap_or_default();
        return Err(fault(format!("the array holds only {name}")));
    }
    let size = place.value.len();
    let new = match value.value {
        VariantRef::Int(int) => int_of_size(int, size),
        VariantRef::Float(float) if size == WORD => Some((float as f32).to_le_bytes().to_vec()),
        VariantRef::Float(float) => Some(float.to_le_bytes().to_vec()),
        _ => new.get(WORD..).map(<[u8]>::to_vec),
    };
    let new = new.ok_or_else(|| fault("the number does not fit".into()))?;
    let old = bytes.get(place.value.clone()).unwrap_or_default().to_vec();
    if !matches!(value.value, VariantRef::String(_)) && new.len() != old.len() {
        return Err(fault("the value has a different size".into()));
    }
    let prefix = changed_prefix(file, bytes, chain, new.len() as i64 - old.len() as i64)?;
    let change = Splice { at: place.value.start, old, new };
    Ok(prefix.into_iter().chain([change]).collect())
}

fn int_of_size(int: i64, size: usize) -> Option<Vec<u8>> {
    Some(match size {
        1 => u8::try_from(int).ok()?.to_le_bytes().to_vec(),
        WORD => i32::try_from(int).ok()?.to_le_bytes().to_vec(),
        _ => int.to_le_bytes().to_vec(),
    })
}

/// Stores an int or float in 64 bits if the old value has the same kind and 64 bits.
fn as_wide_as(old: &[u8], new: Vec<u8>) -> Vec<u8> {
    let header = |bytes: &[u8]| bytes.first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
    let (old, own) = (header(old), header(&new));
    // The ids of ints and floats are the same in all dialects.
    let payload = match (own & 0xFF, new.get(WORD..).and_then(<[u8]>::first_chunk)) {
        _ if own & WIDE != 0 || old != own | WIDE => return new,
        (2, Some(word)) => i64::from(i32::from_le_bytes(*word)).to_le_bytes(),
        (3, Some(word)) => f64::from(f32::from_le_bytes(*word)).to_le_bytes(),
        _ => return new,
    };
    [&old.to_le_bytes()[..], &payload].concat()
}

/// Parses a value in the text notation and encodes it, in the width of the old value if possible.
pub fn encoded(file: &Godot, text: &str, old: &Leaf<'_>) -> Result<Vec<u8>, String> {
    parsed(file, text, &old.value).map(|new| as_wide_as(old.encoded.as_bytes(), new))
}

/// Parses a value in the text notation and encodes it. If the old value is a float or a StringName,
/// converts an int to a float, or a String to a StringName.
fn parsed(file: &Godot, text: &str, old: &VariantRef<'_>) -> Result<Vec<u8>, String> {
    let dialect = file.dialect;
    let options = Reading::of(dialect);
    let options = if old.is_double() { options.double() } else { options };
    let is_text =
        matches!(old, VariantRef::String(_) | VariantRef::StringName(_) | VariantRef::NodePath(_));
    let value = options.read(text).map_err(|error| {
        let hint = if is_text && !text.trim_start().starts_with(['"', '&', '^']) {
            " (text needs quotes)"
        } else {
            ""
        };
        format!("at byte {} of the text: {}{hint}", error.offset() + 1, error.kind())
    })?;
    let value = match (old, value.as_i64()) {
        (VariantRef::Float(_), Some(int)) => Variant::from(int as f64),
        _ => value,
    };
    let mut bytes = value.to_bytes(dialect).map_err(message)?;
    // A StringName has the same payload as a String.
    let id = |kind| dialect.id(kind).map(|id| u32::from(id).to_le_bytes());
    if let (VariantRef::StringName(_), Some(name)) = (old, id(Kind::StringName))
        && id(Kind::String).is_some_and(|header| bytes.starts_with(&header))
    {
        bytes[..WORD].copy_from_slice(&name);
    }
    Ok(bytes)
}

fn message(error: impl Display) -> String {
    error.to_string()
}

/// Returns an error if the container declares a built-in type that does not accept the value.
fn check_type(
    file: &Godot,
    bytes: &[u8],
    around: &[Place],
    part: Part,
    new: &[u8],
) -> Result<(), String> {
    let Some(parent) = around.last().filter(|parent| parent.role != Role::Root) else {
        return Ok(());
    };
    let Ok(Head::Open(open)) = file.head(bytes, parent.value.start) else { return Ok(()) };
    let stated = match (open.container, part) {
        (Container::Array { element, .. }, _) => element,
        (Container::Dictionary { key, .. }, Part::Key) => key,
        (Container::Dictionary { value, .. }, Part::Value) => value,
        _ => return Ok(()),
    };
    let kind = new.get(..WORD).and_then(|header| file.dialect.kind(header[0].into()));
    match (stated, kind) {
        (TypeRef::Builtin(wanted), Some(kind)) if !stated.accepts(kind) => {
            let name = |kind| file.dialect.type_name(kind).unwrap_or_default();
            Err(format!("the container holds only {}, not {}", name(wanted), name(kind)))
        }
        _ => Ok(()),
    }
}
