//! Reads arrays, sets, maps and optional values.

use super::bytes::{Bad, Cursor, Out};
use super::node::{Fields, Node};
use super::structs;
use super::tags::{Tag, Type, tag};
use super::values::{Inside, Read, Reason, Way, plain};

/// Reads the value of a property. Stores the inner tag of an array of structs in `inner`.
pub fn property(
    inside: &Inside<'_>,
    of: &Type,
    from: &mut Cursor<'_>,
    inner: &mut Option<Tag>,
) -> Read {
    if of.is("ArrayProperty") {
        return in_some_way(inside, of, from, &mut |inside, from| array(inside, of, from, inner));
    }
    if of.is("ByteProperty") {
        return Ok(byte(inside, from.left(), from)?);
    }
    if of.is("SetProperty") || of.is("MapProperty") || of.is("OptionalProperty") {
        return in_some_way(inside, of, from, &mut |inside, from| value(inside, of, from));
    }
    if of.is("StructProperty") {
        return in_some_way(inside, of, from, &mut |inside, from| value(inside, of, from));
    }
    value(inside, of, from)
}

type Reader<'r> = &'r mut dyn FnMut(&Inside<'_>, &mut Cursor<'_>) -> Read;

/// Reads a struct or container in the usual way. If this does not end exactly at the end of the
/// value, takes the first other way that does, but takes a guess of types only if no other guess
/// fits. If no way fits, returns the result of the usual one.
fn in_some_way(inside: &Inside<'_>, of: &Type, from: &mut Cursor<'_>, read: Reader<'_>) -> Read {
    let start = *from;
    let mut attempt = |inside: &Inside<'_>| {
        let mut at = start;
        let read = to_the_end(read(inside, &mut at), &at);
        (read, at)
    };
    let (usual, end) = attempt(inside);
    *from = end;
    if usual.is_ok() {
        return usual;
    }
    let mut inside = *inside;
    if inside.common && !of.is("StructProperty") {
        inside = Inside { hint: (None, None), common: false, ..inside };
        let (read, end) = attempt(&inside);
        if read.is_ok() {
            *from = end;
            return read;
        }
    }
    let counted = of.is("SetProperty") || of.is("MapProperty");
    for bytes_are_names in [false, true] {
        if bytes_are_names && !counted {
            break;
        }
        let inside = Inside { bytes_are_names, ..inside };
        let forms = |side: usize| {
            let of = match (of.is("MapProperty"), of.is("StructProperty")) {
                (true, _) => of.of.get(side),
                (_, true) => Some(of).filter(|_| side == 1),
                _ => of.of.first().filter(|_| side == 1),
            };
            let count = if of.is_some_and(|of| of.is("StructProperty")) { 3 } else { 1 };
            [Way::Usual, Way::Second, Way::Other].into_iter().take(count)
        };
        for key in forms(0) {
            for value in forms(1) {
                let (read, end) = attempt(&Inside { ways: [key, value], ..inside });
                if read.is_ok() {
                    *from = end;
                    return read;
                }
            }
        }
        let mut found = Vec::new();
        for key in guesses(&inside, of, 0) {
            for value in guesses(&inside, of, 1) {
                let ways = [key, value];
                let (read, end) = attempt(&Inside { ways, ..inside });
                if ways != [Way::Usual; 2]
                    && let Ok(read) = read
                    && likely(&read, ways)
                {
                    found.push((read, end));
                }
            }
        }
        let guessed = counted || of.is("ArrayProperty") && inside.context.versions.ue4 < 500;
        if guessed && found.len() == 1 {
            let (read, end) = found.remove(0);
            *from = end;
            return Ok(read);
        }
    }
    usual
}

/// Returns the ways that are tried for the keys or values of a container: the usual one and, for
/// structs that neither the file nor a hint names, a guess of each type.
fn guesses(inside: &Inside<'_>, of: &Type, side: usize) -> Vec<Way> {
    let mut ways = vec![Way::Usual];
    let of = match of.is("MapProperty") {
        true => of.of.get(side),
        false => of.of.first().filter(|_| side == 1),
    };
    let hint = [inside.hint.0, inside.hint.1][side];
    let unnamed = |of: &&Type| {
        of.is("StructProperty") && of.of.first().is_none_or(|name| name.word.is_none())
    };
    if of.filter(unnamed).is_some() && hint.is_none() {
        let names = ["Guid", "FloatRange", "IntPoint", "IntVector", "DateTime"];
        ways.extend(names.map(Way::Guess));
    }
    ways
}

/// Returns `true` if the contents are typical of the guessed types.
fn likely(container: &Node, ways: [Way; 2]) -> bool {
    let Node::Record(form) = container else { return false };
    if let (("array", Node::List(all)), Way::Guess(name)) = (&form[0], ways[1]) {
        return is_like(name, all);
    }
    let Node::Record(fields) = &form[0].1 else { return false };
    let Node::List(removed) = &fields[0].1 else { return false };
    let Node::List(rest) = &fields[1].1 else { return false };
    let (mut keys, mut values) = (removed.clone(), rest.clone());
    if form[0].0 == "map" {
        let pairs = rest.iter().map(|pair| match pair {
            Node::List(pair) => (pair[0].clone(), pair[1].clone()),
            _ => panic!("a pair"),
        });
        let (more, all): (Vec<_>, Vec<_>) = pairs.unzip();
        keys.extend(more);
        values = all;
    } else {
        values.splice(0..0, keys.drain(..));
    }
    [keys, values].iter().zip(ways).all(|(all, way)| match way {
        Way::Guess(name) => is_like(name, all),
        _ => true,
    })
}

/// Returns `true` for the bits of a float that games use: 0, or neither tiny nor huge.
fn is_usual(bits: u32) -> bool {
    let number = f32::from_bits(bits).abs();
    number == 0.0 || (1e-6..1e9).contains(&number)
}

fn is_like(name: &str, all: &[Node]) -> bool {
    let numbers = |node: &Node| match node {
        Node::List(fields) => fields[1..].to_vec(),
        other => vec![other.clone()],
    };
    match name {
        "Guid" => {
            let guids: Vec<[u32; 4]> = all
                .iter()
                .map(|node| match node {
                    Node::Guid(words) => *words,
                    _ => panic!("a GUID"),
                })
                .collect();
            let size = |word: &u32| i64::from(*word as i32).abs();
            let large =
                |words: &[u32; 4]| words.iter().filter(|&word| size(word) > 65_535).count() > 2;
            guids.iter().all(|words| large(words) || *words == [0; 4])
                && guids.iter().any(large)
                && guids.iter().flatten().any(|word| size(word) >= 1 << 28)
                && !guids.iter().flatten().all(|word| is_usual(*word))
        }
        "FloatRange" => {
            let fields: Vec<_> = all.iter().flat_map(numbers).collect();
            fields.iter().all(|field| match field {
                Node::Number(kind) => (0..3).contains(kind),
                Node::Single(bits) => is_usual(*bits),
                _ => false,
            }) && fields.iter().any(|field| match field {
                Node::Single(bits) => f32::from_bits(*bits) != 0.0,
                _ => false,
            })
        }
        "DateTime" => all.iter().all(|node| match node {
            Node::Number(ticks) => (1969..2200).contains(&(*ticks / 315_569_520_000_000)),
            _ => false,
        }),
        _ => {
            let count = if name == "IntPoint" { 2 } else { 3 };
            let rows: Vec<_> = all.iter().map(numbers).collect();
            let small = |node: &Node| match node {
                Node::Number(number) => (-1_048_576..1_048_576).contains(number),
                _ => false,
            };
            rows.iter().flatten().all(small)
                && (0..count).all(|at| rows.iter().any(|row| row[at] != Node::number(0)))
        }
    }
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
    Ok(Inside { room, element: true, key: false, ..*inside })
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
        let start = from.at;
        elements.push(match bytes {
            true => byte(inside, size, from)?,
            false => element(inside, &of, inside.hint.1, from)?,
        });
        if from.at == start {
            return Err(Reason::UnknownElements);
        }
    }
    Ok(Node::form("array", Node::List(elements)))
}

fn several(inside: &Inside<'_>, of: &Type, hint: Option<&str>, from: &mut Cursor<'_>) -> Read {
    let mut elements = Vec::new();
    for _ in 0..from.count(0)? {
        let start = from.at;
        elements.push(element(inside, of, hint, from)?);
        if from.at == start {
            return Err(Reason::UnknownElements);
        }
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
    let as_key = &Inside { key: true, ..*inside };
    fields.put("removed", several(as_key, key, inside.hint.0, from)?);
    let mut entries = Vec::new();
    for _ in 0..from.count(0)? {
        let start = from.at;
        let key = element(as_key, key, inside.hint.0, from)?;
        let value = element(inside, value, inside.hint.1, from)?;
        // If entries take no bytes, their count could be any number.
        if from.at == start {
            return Err(Reason::UnknownElements);
        }
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
        true => {
            let start = from.at;
            let element = element(inside, of, inside.hint.1, from)?;
            if from.at == start {
                return Err(Reason::UnknownElements);
            }
            vec![element]
        }
        false => vec![],
    };
    Ok(Node::form("optional", Node::List(elements)))
}
