//! Reads the values of properties.

use super::bytes::{Bad, Cursor, Out};
use super::containers;
use super::context::Context;
use super::node::{Fields, Node};
use super::structs;
use super::tags::{Tag, Type};
use super::texts;
use super::versions::{FORTNITE_MAIN, RELEASE};

/// The reason why a value is not decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    UnknownKind,
    NativeStruct,
    UnknownElements,
    LeftOver(usize),
    Malformed,
}

impl From<Bad> for Reason {
    fn from(_: Bad) -> Self {
        Self::Malformed
    }
}

pub type Read = Result<Node, Reason>;

/// The context of a value. The value either belongs to a property and is described by its tag, or
/// is inside a container.
#[derive(Clone, Copy)]
pub struct Inside<'a> {
    pub context: &'a Context<'a>,
    /// Remaining nesting depth of values.
    pub room: u32,
    /// The name of the struct of keys, and that of the struct of values or elements.
    pub hint: (Option<&'a str>, Option<&'a str>),
    /// `true` if the hint is one of those that every reader knows, and not from the test.
    pub common: bool,
    /// How structs are read: in keys, and in values or elements.
    pub ways: [Way; 2],
    /// `true` for the key of a map.
    pub key: bool,
    pub flags: Option<u8>,
    /// `true` inside a container, where the tag does not describe a single value.
    pub element: bool,
    /// `true` if bytes in sets and maps are read as names of members of an enum.
    pub bytes_are_names: bool,
}

/// How a struct is read. If the usual way fails, the other ones are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// As its name, the flags of the tag and the versions indicate.
    Usual,
    /// In the second form of its fields.
    Second,
    /// As properties instead of fields, or as fields instead of properties.
    Other,
    /// As a struct of this type, which neither the file nor a hint states.
    Guess(&'static str),
}

/// Reads a value. Also returns the inner tag, if there is one.
pub fn payload(inside: &Inside<'_>, tag: &Tag, payload: Cursor<'_>) -> (Option<Tag>, Node) {
    let bytes = &payload.file[payload.at..payload.end];
    let (mut from, mut inner) = (payload, None);
    let value = match tag.of.is("BoolProperty") {
        // The tag contains the value, so the value takes no bytes.
        true => Ok(Node::Truth(tag.truth)),
        false => containers::property(inside, &tag.of, &mut from, &mut inner),
    };
    let value = value.and_then(|value| match from.left() {
        0 => Ok(value),
        left => Err(Reason::LeftOver(left)),
    });
    (inner, value.unwrap_or_else(|reason| opaque(bytes, reason)))
}

pub fn opaque(bytes: &[u8], reason: Reason) -> Node {
    let mut fields = Fields::default();
    fields.put("bytes", Node::Bytes(bytes.to_vec()));
    let reason = (reason != Reason::Malformed).then(|| format!("{reason:?}"));
    fields.put("reason", Node::Reason(reason));
    Node::form("opaque", fields.done())
}

/// The kinds of properties.
pub const KINDS: [&str; 37] = [
    "Bool",
    "Int8",
    "Int16",
    "Int",
    "Int64",
    "UInt16",
    "UInt32",
    "UInt64",
    "Float",
    "Double",
    "Byte",
    "Enum",
    "Name",
    "Str",
    "AnsiStr",
    "Utf8Str",
    "VerseString",
    "Object",
    "Class",
    "WeakObject",
    "Interface",
    "LazyObject",
    "AssetObject",
    "AssetClass",
    "SoftObject",
    "SoftClass",
    "Delegate",
    "MulticastDelegate",
    "MulticastInlineDelegate",
    "MulticastSparseDelegate",
    "FieldPath",
    "Optional",
    "Array",
    "Set",
    "Map",
    "Struct",
    "Text",
];

/// Returns the kind of a type: its name without the suffix `Property`.
pub fn kind(of: &Type) -> Option<&'static str> {
    KINDS.into_iter().find(|kind| of.is(&format!("{kind}Property")))
}

/// Reads a value that is not a container.
pub fn plain(inside: &Inside<'_>, of: &Type, from: &mut Cursor<'_>) -> Read {
    let context = inside.context;
    let read = match kind(of).ok_or(Reason::UnknownKind)? {
        "Bool" => from.u8().map(|byte| Node::Truth(byte != 0)),
        "Int8" => from.i8().map(Node::number),
        "Int16" => from.i16().map(Node::number),
        "Int" => from.number(),
        "Int64" => from.wide_number(),
        "UInt16" => from.u16().map(Node::number),
        "UInt32" => from.unsigned(),
        "UInt64" => from.u64().map(Node::number),
        "Float" => from.single(),
        "Double" => from.double(),
        "Name" | "Enum" => context.name_node(from),
        "Str" => from.string(),
        "AnsiStr" | "Utf8Str" | "VerseString" => from.utf8(),
        "Object" | "Class" | "WeakObject" | "Interface" => context.object(from),
        "LazyObject" => from.id(),
        "AssetObject" | "AssetClass" if context.versions.ue4 < 514 => from.string(),
        // From 4:514 on, `AssetObject` has the format of `SoftObject`.
        "AssetObject" | "AssetClass" | "SoftObject" | "SoftClass" => soft(context, from),
        "Delegate" => delegate(context, from),
        "FieldPath" => field_path(context, from),
        "Text" => texts::text(context, from, 0),
        "Struct" => return structs::of_type(inside, of, from),
        // Multicast delegates.
        _ => from.list(|from| delegate(context, from)).map(|all| Node::form("delegates", all)),
    };
    read.map_err(Reason::from)
}

fn delegate(context: &Context<'_>, from: &mut Cursor<'_>) -> Out<Node> {
    let mut fields = Fields::default();
    fields.put("object", context.object(from)?);
    fields.put("function", context.name_node(from)?);
    Ok(fields.done())
}

fn field_path(context: &Context<'_>, from: &mut Cursor<'_>) -> Out<Node> {
    let mut fields = Fields::default();
    fields.put("path", from.list(|from| context.name_node(from))?);
    let versions = context.versions;
    if versions.custom(RELEASE) >= 30 || versions.custom(FORTNITE_MAIN) >= 33 {
        fields.put("owner", context.object(from)?);
    }
    Ok(fields.done())
}

/// Reads a soft reference in the form from 4:514 on: a path and a subpath. From 5:1007 on, the path
/// is split into package and asset. The reference may also be an index into the list of soft object
/// paths.
pub fn soft(context: &Context<'_>, from: &mut Cursor<'_>) -> Out<Node> {
    let versions = context.versions;
    let mut fields = Fields::default();
    if versions.ue5 >= 1008 && versions.editor && versions.soft_list && !versions.save {
        let index = from.i32()?;
        let path = usize::try_from(index).ok().and_then(|at| context.soft_paths.get(at));
        let Some(Node::Record(path)) = path else { return Err(Bad) };
        path.iter().for_each(|(name, node)| fields.put(name, node.clone()));
        fields.put("index", Node::number(index));
        return Ok(fields.done());
    }
    fields.put("package", context.name_node(from)?);
    if versions.ue5 >= 1007 {
        fields.put("asset", context.name_node(from)?);
    }
    let utf8 = versions.ue5 >= 1007 && versions.custom(FORTNITE_MAIN) >= 192;
    fields.put("sub_path", if utf8 { from.utf8()? } else { from.string()? });
    Ok(fields.done())
}
