//! Reads the tables of references, localisable texts and thumbnails, and metadata of the editor.

use super::bytes::{Bad, Cursor, Out};
use super::node::{Fields, Node};
use super::versions::Versions;

/// Maximum nesting of metadata.
const DEPTH: u32 = 32;

pub fn soft_package(from: &mut Cursor<'_>, versions: &Versions) -> Out<Node> {
    if versions.ue4 >= 514 { from.name() } else { from.string() }
}

/// Reads a soft object path. The table exists from 5:1008 on, so its paths have two names.
pub fn soft_path(from: &mut Cursor<'_>, utf8: bool) -> Out<Node> {
    let mut fields = Fields::default();
    fields.put("package", from.name()?);
    fields.put("asset", from.name()?);
    fields.put("sub_path", if utf8 { from.utf8()? } else { from.string()? });
    Ok(fields.done())
}

pub fn hierarchy(from: &mut Cursor<'_>) -> Out<Node> {
    let mut fields = Fields::default();
    fields.put("object", from.number()?);
    let types = from.list(|from| {
        let mut fields = Fields::default();
        for part in ["type", "package", "class", "class_package"] {
            fields.put(part, from.name()?);
        }
        Ok(fields.done())
    })?;
    fields.put("types", types);
    Ok(fields.done())
}

pub fn searchable(from: &mut Cursor<'_>) -> Out<Node> {
    from.list(|from| {
        let mut fields = Fields::default();
        fields.put("object", from.number()?);
        fields.put("names", from.list(Cursor::name)?);
        Ok(fields.done())
    })
}

pub fn thumbnails(from: &mut Cursor<'_>) -> Out<Node> {
    from.list(|from| {
        let mut fields = Fields::default();
        fields.put("class_name", from.string()?);
        fields.put("object_path", from.string()?);
        fields.put("offset", from.number()?);
        Ok(fields.done())
    })
}

pub fn gatherable(from: &mut Cursor<'_>) -> Out<Node> {
    let mut fields = Fields::default();
    fields.put("namespace", from.string()?);
    fields.put("source", from.string()?);
    fields.put("source_metadata", remarks(from, DEPTH)?);
    fields.put("sites", from.list(site)?);
    Ok(fields.done())
}

fn site(from: &mut Cursor<'_>) -> Out<Node> {
    let mut fields = Fields::default();
    fields.put("key", from.string()?);
    fields.put("site", from.string()?);
    fields.put("editor_only", from.truth()?);
    fields.put("optional", from.truth()?);
    fields.put("info_metadata", remarks(from, DEPTH)?);
    fields.put("key_metadata", remarks(from, DEPTH)?);
    Ok(fields.done())
}

fn remarks(from: &mut Cursor<'_>, depth: u32) -> Out<Node> {
    let depth = depth.checked_sub(1).ok_or(Bad)?;
    from.list(|from| {
        let mut fields = Fields::default();
        fields.put("key", from.string()?);
        fields.put("value", remark(from, depth)?);
        Ok(fields.done())
    })
}

fn remark(from: &mut Cursor<'_>, depth: u32) -> Out<Node> {
    match from.i32()? {
        0 => Ok(Node::word("nothing")),
        1 => from.truth(),
        2 => from.string(),
        3 => {
            let depth = depth.checked_sub(1).ok_or(Bad)?;
            Ok(Node::form("array", from.list(|from| remark(from, depth))?))
        }
        4 => Ok(Node::form("object", remarks(from, depth)?)),
        _ => Err(Bad),
    }
}

pub fn metadata(from: &mut Cursor<'_>) -> Out<Node> {
    let (objects, root) = (from.count(0)?, from.count(0)?);
    let mut fields = Fields::default();
    let mut of_objects = Vec::new();
    for _ in 0..objects {
        let mut fields = Fields::default();
        fields.put("object", from.number()?);
        fields.put("values", from.list(pair)?);
        of_objects.push(fields.done());
    }
    fields.put("objects", Node::List(of_objects));
    let mut of_package = Vec::new();
    for _ in 0..root {
        of_package.push(pair(from)?);
    }
    fields.put("root", Node::List(of_package));
    Ok(fields.done())
}

fn pair(from: &mut Cursor<'_>) -> Out<Node> {
    let mut fields = Fields::default();
    fields.put("key", from.name()?);
    fields.put("value", from.string()?);
    Ok(fields.done())
}
