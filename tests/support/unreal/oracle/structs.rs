//! Reads structs: lists of properties, or consecutive fields without tags.

use super::bytes::{Bad, Cursor, Out};
use super::context::{Context, Name, same_letters};
use super::natives::{self, layout};
use super::node::{Fields, Node};
use super::tags::{Type, list};
use super::values::{Inside, Read, Reason, Way, soft};

/// Reads a struct. If the type does not name it, the struct is unknown.
pub fn of_type(inside: &Inside<'_>, of: &Type, from: &mut Cursor<'_>) -> Read {
    match of.of.first().and_then(|name| name.word.as_ref()) {
        Some(name) => named(inside, name, from),
        None => unnamed(inside, None, from),
    }
}

fn named(inside: &Inside<'_>, name: &Name, from: &mut Cursor<'_>) -> Read {
    let units = (name.number == 0).then_some(&name.text.units[..]);
    form(inside, units, from, false)
}

/// Reads a struct that the file does not name. If there is a hint, it names the struct; otherwise,
/// the bytes must look like a list of properties.
pub fn unnamed(inside: &Inside<'_>, hint: Option<&str>, from: &mut Cursor<'_>) -> Read {
    let units: Option<Vec<_>> = hint.map(|name| name.encode_utf16().collect());
    form(inside, units.as_deref(), from, hint.is_none())
}

/// Reads a struct whose name may be unknown. From 5:1012 on, the tag states whether the struct has
/// fields without tags.
fn form(inside: &Inside<'_>, units: Option<&[u16]>, from: &mut Cursor<'_>, guessed: bool) -> Read {
    let flag = inside.flags.map(|flags| flags & 8 != 0);
    let [key, value] = inside.ways;
    let way = if inside.key { key } else { value };
    let known =
        |way, from: &mut Cursor<'_>| units.and_then(|units| known(inside, units, way, from));
    // Whether the struct is read as known fields: the flag decides this or, if there is none, the
    // version.
    let by_version = match (flag, units) {
        (Some(false), _) | (_, None) => false,
        (Some(true), Some(units)) => of_name(inside, units).is_some(),
        (None, Some(units)) => of_name(inside, units) == Some(true),
    };
    let unknown = !by_version && flag == Some(true) && !inside.element;
    match way {
        Way::Second if flag != Some(false) => {
            if let Some(read) = known(way, from) {
                return read;
            }
        }
        Way::Other if unknown || by_version && flag.is_none() => {
            let before = from.at;
            let read = tagged(inside, from, true)?;
            let is_empty = matches!(&read, Node::Record(form)
                if matches!(&form[0].1, Node::Record(list)
                    if matches!(&list[0].1, Node::List(tags) if tags.is_empty())));
            return if is_empty || from.at == before { Err(Reason::Malformed) } else { Ok(read) };
        }
        Way::Other if !by_version && flag.is_none() => {
            if let Some(read) = known(way, from) {
                return read;
            }
        }
        Way::Guess(name) if guessed && !unknown => {
            let units: Vec<_> = name.encode_utf16().collect();
            return super::structs::known(inside, &units, way, from).unwrap();
        }
        _ => {}
    }
    match by_version {
        true => known(Way::Usual, from).unwrap(),
        false if unknown => Err(Reason::NativeStruct),
        false => tagged(inside, from, guessed),
    }
}

/// Returns `true` if a struct with this name has fields in this version, `false` if it has
/// properties, and `None` if it never has fields.
fn of_name(inside: &Inside<'_>, units: &[u16]) -> Option<bool> {
    let is = |word: &&str| same_letters(units, word);
    let name = String::from_utf16_lossy(units).to_ascii_lowercase();
    if let Some(layout) = layout(&name, inside.context.versions) {
        return Some(layout.native);
    }
    if is(&"RichCurveKey") {
        return Some(inside.context.versions.ue4 >= 366);
    }
    let others = ["Guid", "GameplayTagContainer", "InstancedStruct", "DateTime", "Timespan"];
    let field = FIELDS.iter().any(|(name, _)| is(name));
    (field || SOFT.iter().any(is) || others.iter().any(is)).then_some(true)
}

fn tagged(inside: &Inside<'_>, from: &mut Cursor<'_>, guessed: bool) -> Read {
    let room = inside.room.checked_sub(1).ok_or(Reason::Malformed)?;
    let list = list(inside.context, from, room);
    match list.whole && (list.likely || !guessed) {
        true => Ok(Node::form("struct", list.node())),
        false => Err(Reason::Malformed),
    }
}

/// Reads a struct whose fields have no tags. Returns `None` if no fields are known.
fn known(inside: &Inside<'_>, units: &[u16], way: Way, from: &mut Cursor<'_>) -> Option<Read> {
    let context = inside.context;
    let is = |word: &&str| same_letters(units, word);
    let lower = String::from_utf16_lossy(units).to_ascii_lowercase();
    if let Some(layout) = layout(&lower, context.versions) {
        let letters = if way == Way::Second { layout.second? } else { layout.letters };
        let read = natives::fields(inside, letters.as_bytes(), from);
        return Some(read.map(|fields| named_fields(&lower, fields)).map_err(Reason::from));
    }
    if way == Way::Second {
        return None;
    }
    if is(&"Guid") {
        return Some(from.id().map_err(Reason::from));
    }
    if SOFT.iter().any(is) {
        return Some(soft_struct(context, from).map_err(Reason::from));
    }
    if is(&"GameplayTagContainer") {
        let names = from.list(|from| context.name_node(from));
        return Some(names.map(|names| Node::form("names", names)).map_err(Reason::from));
    }
    if is(&"InstancedStruct") {
        return Some(instanced(inside, from));
    }
    if ["DateTime", "Timespan"].iter().any(is) {
        return Some(from.wide_number().map_err(Reason::from));
    }
    let (name, letters) = FIELDS.iter().find(|(name, _)| is(name))?;
    Some(fields(context, name, letters, from).map_err(Reason::from))
}

/// Returns the fields of a struct. A struct that is a single number is represented by this number.
fn named_fields(name: &str, mut fields: Vec<Node>) -> Node {
    if ["moviescenesegmentidentifier", "moviescenetrackidentifier"].contains(&name) {
        return fields.remove(0);
    }
    fields.insert(0, Node::word(name));
    Node::List(fields)
}

const SOFT: [&str; 4] =
    ["SoftObjectPath", "SoftClassPath", "StringAssetReference", "StringClassReference"];

fn soft_struct(context: &Context<'_>, from: &mut Cursor<'_>) -> Out<Node> {
    if context.versions.ue4 < 514 { from.string() } else { soft(context, from) }
}

/// Reads a struct of any type: its type, its size, and its properties.
fn instanced(inside: &Inside<'_>, from: &mut Cursor<'_>) -> Read {
    let room = inside.room.checked_sub(1).ok_or(Reason::Malformed)?;
    let mut fields = Fields::default();
    fields.put("of", inside.context.object(from)?);
    let size = usize::try_from(from.i32()?).map_err(|_| Bad)?;
    fields.put("size", Node::Number(size as i128));
    let bytes = from.bytes(size)?;
    let mut body = Cursor { at: from.at - bytes.len(), end: from.at, ..*from };
    if size > 0 {
        let list = list(inside.context, &mut body, room);
        if !list.whole {
            return Err(Reason::Malformed);
        }
        if body.left() > 0 {
            return Err(Reason::LeftOver(body.left()));
        }
        fields.put("properties", list.node());
    }
    Ok(Node::form("instanced", fields.done()))
}

/// The fields of structs, one letter for each. `R` is a float of 64 bits from 5:1004 on, and of 32
/// bits before. `f` and `d` are floats of 32 and 64 bits. `i` and `l` are signed integers of 32 and
/// 64 bits, and `u` and `q` are unsigned integers of these sizes. `b` is a byte, and `c` is a
/// colour.
pub const FIELDS: [(&str, &str); 62] = [
    ("Vector", "RRR"),
    ("Vector2D", "RR"),
    ("Vector4", "RRRR"),
    ("Plane", "RRRR"),
    ("Quat", "RRRR"),
    ("Rotator", "RRR"),
    ("Matrix", "RRRRRRRRRRRRRRRR"),
    ("Box", "RRRRRRb"),
    ("Box2D", "RRRRb"),
    ("Sphere", "RRRR"),
    ("TwoVectors", "RRRRRR"),
    ("Vector2f", "ff"),
    ("Vector3f", "fff"),
    ("Vector4f", "ffff"),
    ("Quat4f", "ffff"),
    ("Rotator3f", "fff"),
    ("Plane4f", "ffff"),
    ("Sphere3f", "ffff"),
    ("Box3f", "ffffffb"),
    ("Box2f", "ffffb"),
    ("Vector3d", "ddd"),
    ("Vector4d", "dddd"),
    ("Quat4d", "dddd"),
    ("Rotator3d", "ddd"),
    ("Plane4d", "dddd"),
    ("Sphere3d", "dddd"),
    ("Box3d", "ddddddb"),
    ("DeprecateSlateVector2D", "ff"),
    ("Color", "c"),
    ("LinearColor", "ffff"),
    ("FrameNumber", "i"),
    ("IntPoint", "ii"),
    ("IntVector", "iii"),
    ("IntVector2", "ii"),
    ("IntVector4", "iiii"),
    ("UintVector", "uuu"),
    ("UintVector2", "uu"),
    ("UintVector4", "uuuu"),
    ("Int64Vector", "lll"),
    ("Int64Vector2", "ll"),
    ("Int64Vector4", "llll"),
    ("Uint64Vector", "qqq"),
    ("Uint64Vector2", "qq"),
    ("Uint64Vector4", "qqqq"),
    ("Int32Point", "ii"),
    ("Int32Vector", "iii"),
    ("Int32Vector2", "ii"),
    ("Int32Vector4", "iiii"),
    ("Int64Point", "ll"),
    ("Uint32Point", "uu"),
    ("Uint32Vector", "uuu"),
    ("Uint32Vector2", "uu"),
    ("Uint32Vector4", "uuuu"),
    ("Uint64Point", "qq"),
    ("UintPoint", "uu"),
    ("Matrix44f", "ffffffffffffffff"),
    ("Matrix44d", "dddddddddddddddd"),
    ("RichCurveKey", "bbbffffff"),
    ("SimpleCurveKey", "ff"),
    ("NavAgentSelector", "u"),
    ("MovieSceneFrameRange", "bibi"),
    ("MovieSceneSequenceID", "u"),
];

fn fields(context: &Context<'_>, name: &str, letters: &str, from: &mut Cursor<'_>) -> Out<Node> {
    let mut fields = vec![Node::word(name.to_ascii_lowercase())];
    for letter in letters.chars() {
        match letter {
            'R' if context.versions.ue5 >= 1004 => fields.push(from.double()?),
            'R' | 'f' => fields.push(from.single()?),
            'd' => fields.push(from.double()?),
            'i' => fields.push(from.number()?),
            'l' => fields.push(from.wide_number()?),
            'u' => fields.push(from.unsigned()?),
            'q' => fields.push(Node::number(from.u64()?)),
            'b' => fields.push(Node::number(from.u8()?)),
            // A colour is one number of 32 bits, with blue in the lowest byte. Its fields are in
            // the order red, green, blue, alpha.
            _ => {
                let [b, g, r, a] = from.u32()?.to_le_bytes();
                fields.extend([r, g, b, a].map(Node::number));
            }
        }
    }
    // A struct with a single field is represented by this field alone, without the name of the
    // struct.
    match fields.len() {
        2 => Ok(fields.remove(1)),
        _ => Ok(Node::List(fields)),
    }
}
