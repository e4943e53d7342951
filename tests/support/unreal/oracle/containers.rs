//! Reads arrays, sets, maps and optional values.

use super::bytes::{Bad, Cursor, Out};
use super::node::{Fields, Node};
use super::structs;
use super::tags::{Tag, Type, tag};
use super::values::{Inside, Read, Reason, plain};

/// Reads the value of a property. Stores the inner tag of an array of structs in `inner`.
pub fn property(
    inside: &Inside<'_>,
    of: &Type,
    from: &mut Cursor<'_>,
    inner: &mut Option<Tag>,
) -> Read {
    if of.is("ArrayProperty") {
        return array(inside, of, from, inner);
    }
    if of.is("ByteProperty") {
        return Ok(byte(inside, from.left(), from)?);
    }
    if of.is("SetProperty") || of.is("MapProperty") {
        // The file does not state whether bytes in these containers are numbers or the names of
        // enum members.
        let mut again = *from;
        let read = to_the_end(value(inside, of, from), from);
        return read.or_else(|_| {
            let read = value(&Inside { bytes_are_names: true, ..*inside }, of, &mut again);
            *from = again;
            read
        });
    }
    value(inside, of, from)
}

fn to_the_end(read: Read, from: &Cursor<'_>) -> Read {
    read.and_then(|value| match from.left() {
        0 => Ok(value),
        left => Err(Reason::LeftOver(left)),
    })
}

/// Reads a value inside a container.
fn value(inside: &Inside<'_>, of: &Type, from: &mut Cursor<'_>) -> Read {
    if of.is("ByteProperty") {
        return Ok(byte(inside, 1 + usize::from(inside.bytes_are_names), from)?);
    }
    if of.is("ArrayProperty") {
        return array(inside, of, from, &mut None);
    }
    if of.is("SetProperty") {
        return set(inside, of, from);
    }
    if of.is("MapProperty") {
        return map(inside, of, from);
    }
    if of.is("OptionalProperty") {
        return optional(inside, of, from);
    }
    plain(inside, of, from)
}

/// Reads a number, or the name of an enum's member if the value has more than one byte.
fn byte(inside: &Inside<'_>, size: usize, from: &mut Cursor<'_>) -> Out<Node> {
    if size > 1 { inside.context.name_node(from) } else { from.u8().map(Node::number) }
}

/// Returns the context of the elements, in which one fewer nesting level remains.
fn deeper<'a>(inside: &Inside<'a>) -> Result<Inside<'a>, Reason> {
    let room = inside.room.checked_sub(1).ok_or(Reason::Malformed)?;
    Ok(Inside { room, element: true, ..*inside })
}

/// Returns a parameter of a container's type, or an error if the file does not state it.
fn parameter(of: &Type, at: usize) -> Result<&Type, Reason> {
    of.of.get(at).filter(|of| of.word.is_some()).ok_or(Reason::UnknownElements)
}

/// Reads an element of a container. If it is a struct and the type does not name it, the hint names
/// it.
fn element(inside: &Inside<'_>, of: &Type, hint: Option<&str>, from: &mut Cursor<'_>) -> Read {
    match of.is("StructProperty") && of.of.iter().all(|name| name.word.is_none()) {
        true => structs::unnamed(inside, hint, from),
        false => value(inside, of, from),
    }
}

fn array(inside: &Inside<'_>, of: &Type, from: &mut Cursor<'_>, inner: &mut Option<Tag>) -> Read {
    let versions = inside.context.versions;
    let of = parameter(of, 0)?;
    let nested = inside.element;
    let mut counted = *from;
    let count = counted.count(0);
    from.i32()?;
    let mut of = of.clone();
    if of.is("StructProperty") && versions.ue4 >= 500 && versions.ue5 < 1012 {
        let mut behind = *from;
        // If there is no inner tag, or if it is not the tag of a struct, the structs are unknown.
        if let Ok(Some(tag)) = tag(inside.context, &mut behind) {
            *from = behind;
            if tag.of.is("StructProperty") {
                of = tag.of.clone();
            }
            *inner = Some(tag);
        }
    }
    let (count, inside) = (count?, &deeper(inside)?);
    // The file does not state the size of nested arrays.
    let bytes = of.is("ByteProperty") && !nested;
    let size = from.left().checked_div(count).unwrap_or(0);
    let mut elements = Vec::new();
    for _ in 0..count {
        elements.push(match bytes {
            true => byte(inside, size, from)?,
            false => element(inside, &of, inside.hint.1, from)?,
        });
    }
    Ok(Node::form("array", Node::List(elements)))
}

fn several(inside: &Inside<'_>, of: &Type, hint: Option<&str>, from: &mut Cursor<'_>) -> Read {
    let mut elements = Vec::new();
    for _ in 0..from.count(0)? {
        elements.push(element(inside, of, hint, from)?);
    }
    Ok(Node::List(elements))
}

fn set(inside: &Inside<'_>, of: &Type, from: &mut Cursor<'_>) -> Read {
    let of = parameter(of, 0)?;
    let inside = &deeper(inside)?;
    let mut fields = Fields::default();
    fields.put("removed", several(inside, of, inside.hint.1, from)?);
    fields.put("values", several(inside, of, inside.hint.1, from)?);
    Ok(Node::form("set", fields.done()))
}

fn map(inside: &Inside<'_>, of: &Type, from: &mut Cursor<'_>) -> Read {
    let (key, value) = (parameter(of, 0)?, parameter(of, 1)?);
    let inside = &deeper(inside)?;
    let mut fields = Fields::default();
    fields.put("removed", several(inside, key, inside.hint.0, from)?);
    let mut entries = Vec::new();
    for _ in 0..from.count(0)? {
        let key = element(inside, key, inside.hint.0, from)?;
        let value = element(inside, value, inside.hint.1, from)?;
        entries.push(Node::List(vec![key, value]));
    }
    fields.put("entries", Node::List(entries));
    Ok(Node::form("map", fields.done()))
}

fn optional(inside: &Inside<'_>, of: &Type, from: &mut Cursor<'_>) -> Read {
    let of = parameter(of, 0)?;
    // The tag does not state whether a struct in an optional is native.
    let inside = &Inside { flags: None, ..deeper(inside)? };
    let elements = match from.bool32()? {
        true => vec![element(inside, of, inside.hint.1, from)?],
        false => vec![],
    };
    Ok(Node::form("optional", Node::List(elements)))
}
