//! Reads saves.

use super::bytes::{Bad, Cursor, Out};
use super::context::{Context, Hint};
use super::node::{Fields, Node};
use super::object::ROOM;
use super::summary::{custom_version, engine};
use super::tags::list;
use super::versions::Versions;

/// Reads a whole save.
pub fn save(file: &[u8], hints: &[Hint<'_>]) -> Out<Node> {
    let mut from = Cursor::new(file, false);
    if from.bytes(4)? != b"GVAS" {
        return Err(Bad);
    }
    let mut fields = Fields::default();
    let versions = header(&mut from, &mut fields)?;
    let context = Context { versions: &versions, names: &[], soft_paths: Vec::new(), hints };
    fields.put("offset", Node::Number(from.at as i128));
    let list = list(&context, &mut from, ROOM);
    let whole = list.whole;
    fields.put("properties", list.node());
    fields.put("end", if whole { Node::Number(from.at as i128) } else { Node::word("bad") });
    if whole {
        fields.put("trailer", Node::Bytes(from.bytes(from.left())?.to_vec()));
    }
    Ok(fields.done())
}

fn header(from: &mut Cursor<'_>, fields: &mut Fields) -> Out<Versions> {
    let version = from.i32()?;
    if !(1..=3).contains(&version) {
        return Err(Bad);
    }
    fields.put("save_game_version", Node::number(version));
    let ue4 = from.i32()?;
    fields.put("ue4_version", Node::number(ue4));
    let ue5 = if version >= 3 { from.i32()? } else { 0 };
    if version >= 3 {
        fields.put("ue5_version", Node::number(ue5));
    }
    // Engines of licensees have version numbers above 522, but the layout of version 522.
    let ue4 = if (523..1000).contains(&ue4) { 522 } else { ue4 };
    if !(214..=522).contains(&ue4) || ue5 > 1018 {
        return Err(Bad);
    }
    fields.put("engine", engine(from, ue4)?);
    let mut custom = Vec::new();
    if version >= 2 {
        let format = from.i32()?;
        fields.put("custom_version_format", Node::number(format));
        let legacy = match format {
            1 => -2,
            2 => -3,
            3 => -6,
            _ => return Err(Bad),
        };
        let versions = from.list(|from| custom_version(from, legacy, &mut custom))?;
        fields.put("custom_versions", versions);
    }
    fields.put("class", from.string()?);
    if ue5 >= 1011 {
        fields.put("control", Node::number(from.u8()?));
    }
    // Games do not write editor data.
    let (legacy, editor, save) = (-9, false, true);
    Ok(Versions { legacy, ue4, ue5, editor, save, custom, ..Versions::default() })
}
