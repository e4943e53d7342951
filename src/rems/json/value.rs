//! Writes single values on one line.

use super::writer::string;
use crate::rems::{Component, Components, StrRef, Type};
use core::fmt::{self, Write};

/// Writes a component. NaN and infinities are strings, since JSON has no such numbers; an unpaired
/// surrogate is a number.
pub(super) fn component(out: &mut dyn Write, component: &Component<'_>) -> fmt::Result {
    match *component {
        Component::Text(text) => self::text(out, text),
        Component::Bool(value) => out.write_str(if value { "true" } else { "false" }),
        Component::Char(unit) => match char::from_u32(unit.into()) {
            Some(char) => string(out, char.encode_utf8(&mut [0; 4])),
            None => integer(out, unit),
        },
        Component::Color(color) => write!(out, "\"#{color:08x}\""),
        Component::Int(value) => integer(out, value),
        Component::F32(real) if real.is_finite() => {
            out.write_str(zmij::Buffer::new().format_finite(real))
        }
        Component::F64(real) if real.is_finite() => {
            out.write_str(zmij::Buffer::new().format_finite(real))
        }
        Component::F32(real) => write!(out, "\"{real}\""),
        Component::F64(real) => write!(out, "\"{real}\""),
    }
}

pub(super) fn integer(out: &mut dyn Write, value: impl itoa::Integer) -> fmt::Result {
    out.write_str(itoa::Buffer::new().format(value))
}

/// Writes an array of components.
pub(super) fn array(out: &mut dyn Write, components: &[Component<'_>]) -> fmt::Result {
    let mut separator = "[";
    for part in components {
        out.write_str(separator)?;
        component(out, part)?;
        separator = ",";
    }
    out.write_str(if components.is_empty() { "[]" } else { "]" })
}

/// Writes a vector as an array, a matrix as an array of its columns, and a box as an array of its
/// two corners.
pub(super) fn components(out: &mut dyn Write, components: &Components<'_>) -> fmt::Result {
    match (components.columns(), components.single()) {
        (Some(columns), _) => {
            let mut separator = "[";
            for column in columns {
                out.write_str(separator)?;
                array(out, column)?;
                separator = ",";
            }
            out.write_str("]")
        }
        (None, Some(single)) => component(out, single),
        (None, None) => array(out, components.as_slice()),
    }
}

/// Writes text as a string, or as `{"bytes":"HEX"}` if it is not UTF-8.
pub(super) fn text(out: &mut dyn Write, text: StrRef<'_>) -> fmt::Result {
    bytes(out, &text.to_bytes())
}

fn bytes(out: &mut dyn Write, bytes: &[u8]) -> fmt::Result {
    if let Ok(text) = core::str::from_utf8(bytes) {
        return string(out, text);
    }
    out.write_str("{\"bytes\":\"")?;
    bytes.iter().try_for_each(|byte| write!(out, "{byte:02x}"))?;
    out.write_str("\"}")
}

/// Writes the name of a type. The name of a class need not be UTF-8.
pub(super) fn type_name(out: &mut dyn Write, ty: Type<'_>) -> fmt::Result {
    match ty {
        Type::Class(class, dim) => {
            let mut name = class.to_bytes().into_owned();
            (0..dim).for_each(|_| name.extend(b"[]"));
            bytes(out, &name)
        }
        ty => write!(out, "\"{ty}\""),
    }
}

/// Returns the JSON of an element that a list of this type declares but omits.
pub(super) fn omitted(list: Type<'_>) -> &'static str {
    match (list, list.dim()) {
        (_, 2..) => "[]",
        (Type::Kind(..), _) => "\"\"",
        _ => "null",
    }
}
