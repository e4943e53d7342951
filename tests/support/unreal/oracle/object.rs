//! Reads the bytes of an export: properties, and the bytes after them.

use super::bytes::{Bad, Cursor, Out};
use super::context::{Context, Hint};
use super::node::{Fields, Node};
use super::package::Package;
use super::tags::list;

/// Maximum nesting of structs and containers.
pub const ROOM: u32 = 48;

/// The location of an export, and the fields on which its layout depends.
#[derive(Clone, Copy, Debug)]
pub struct Export {
    pub class: i32,
    pub object_flags: u32,
    pub size: i64,
    pub offset: i64,
}

/// Returns a cursor over the bytes of an export, which are in one of the files.
fn place(package: &Package, export: Export) -> Out<Cursor<'_>> {
    let at = usize::try_from(export.offset).map_err(|_| Bad)?;
    let size = usize::try_from(export.size).map_err(|_| Bad)?;
    if at > package.file.len() {
        return Err(Bad);
    }
    let from = package.cursor(at);
    if size > from.left() {
        return Err(Bad);
    }
    Ok(Cursor { end: at + size, ..from })
}

/// Reads an export: its properties, if they have tags, and the bytes after them.
pub fn object(package: &Package, hints: &[Hint<'_>], export: Export) -> Node {
    if package.versions().unversioned_properties {
        return Node::word("none");
    }
    let read =
        place(package, export).and_then(|mut from| tagged(package, hints, export, &mut from));
    read.unwrap_or_else(|_| Node::word("bad"))
}

fn tagged(
    package: &Package,
    hints: &[Hint<'_>],
    export: Export,
    from: &mut Cursor<'_>,
) -> Out<Node> {
    let versions = package.versions();
    let (names, soft_paths) = (&package.names, package.soft_paths());
    let context = Context { versions, names, soft_paths, hints };
    let mut fields = Fields::default();
    let mut whole = true;
    // An export whose class index is 0 is itself a class, and has no tagged properties.
    if export.class != 0 {
        if versions.ue5 >= 1011 {
            let control = from.u8()?;
            fields.put("control", Node::number(control));
            if control & 2 != 0 {
                fields.put("operation", Node::number(from.u8()?));
            }
        }
        let list = list(&context, from, ROOM);
        whole = list.whole;
        fields.put("properties", list.node());
    }
    let tail = match whole {
        true => tail(export, from).unwrap_or_else(|_| Node::word("bad")),
        false => Node::word("bad"),
    };
    fields.put("tail", tail);
    Ok(fields.done())
}

fn tail(export: Export, from: &mut Cursor<'_>) -> Out<Node> {
    let mut fields = Fields::default();
    fields.put("offset", Node::Number(from.at as i128));
    // If no bytes follow, there is no GUID.
    if export.object_flags & 0x10 == 0 && from.left() > 0 && from.bool32()? {
        fields.put("guid", from.id()?);
    }
    fields.put("native", Node::Bytes(from.bytes(from.left())?.to_vec()));
    Ok(fields.done())
}
