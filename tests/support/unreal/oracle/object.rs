//! Reads the bytes of an export: properties, and the bytes after them.

use super::bytes::{Bad, Cursor, Out};
use super::context::{Context, Hint};
use super::node::{Fields, Node};
use super::package::Package;
use super::tags::{List, list};
use super::versions::{CONTROL_RIG, RIG_VM};

/// Maximum nesting of structs and containers.
pub const ROOM: u32 = 48;

/// The location of an export, and the fields on which its layout depends.
#[derive(Clone, Debug)]
pub struct Export {
    pub class: i32,
    /// Name of the class, if it is known.
    pub class_name: Option<String>,
    /// The offset of the properties in the export, if the file states it.
    pub script_start: Option<i64>,
    pub object_flags: u32,
    pub size: i64,
    pub offset: i64,
}

/// Returns a cursor over the bytes of an export, which are in one of the files.
fn place<'p>(package: &'p Package, export: &Export) -> Out<Cursor<'p>> {
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
        place(package, &export).and_then(|mut from| tagged(package, hints, &export, &mut from));
    read.unwrap_or_else(|_| Node::word("bad"))
}

fn tagged(
    package: &Package,
    hints: &[Hint<'_>],
    export: &Export,
    from: &mut Cursor<'_>,
) -> Out<Node> {
    let versions = package.versions();
    let (names, soft_paths) = (&package.names, package.soft_paths());
    let context = Context { versions, names, soft_paths, hints };
    let mut fields = Fields::default();
    let mut whole = true;
    let class = export.class_name.as_deref().unwrap_or_default();
    let rigs = versions.custom(CONTROL_RIG) >= 0 || versions.custom(RIG_VM) >= 0;
    if rigs && export.class != 0 && ["RigHierarchy", "RigVM", "RigVMLink"].contains(&class) {
        let mut tail = Fields::default();
        tail.put("offset", Node::Number(from.at as i128));
        tail.put("native", Node::Bytes(from.bytes(from.left())?.to_vec()));
        fields.put("properties", List { tags: Vec::new(), whole, likely: true }.node());
        fields.put("tail", tail.done());
        return Ok(fields.done());
    }
    // An export whose class index is 0 is itself a class, and has no tagged properties.
    if export.class != 0 {
        let start = from.at;
        match export.script_start {
            Some(script) if script > 0 && script as usize <= from.left() => {
                from.bytes(script as usize)?;
            }
            _ if versions.editor && versions.ue4 >= 464 && class.ends_with("ImportData") => {
                let mut behind = *from;
                let text = behind.text();
                let bytes = &from.file[from.at..from.end];
                let bracket = matches!(bytes.get(4..6), Some([b'[', _] | [0, b'[']));
                if text.is_ok() && (bracket || bytes.get(4) == Some(&b'[')) {
                    *from = behind;
                }
            }
            _ => {}
        }
        if from.at > start {
            fields.put("before", Node::Bytes(from.file[start..from.at].to_vec()));
        }
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

fn tail(export: &Export, from: &mut Cursor<'_>) -> Out<Node> {
    let mut fields = Fields::default();
    fields.put("offset", Node::Number(from.at as i128));
    // If no bytes follow, there is no GUID.
    if export.object_flags & 0x10 == 0 && from.left() > 0 && from.bool32()? {
        fields.put("guid", from.id()?);
    }
    fields.put("native", Node::Bytes(from.bytes(from.left())?.to_vec()));
    Ok(fields.done())
}
