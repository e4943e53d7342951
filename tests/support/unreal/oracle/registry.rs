//! Reads the asset registry data of a package.

use super::bytes::{Bad, Cursor, Out};
use super::node::{Fields, Node};
use super::versions::Versions;

/// Reads the table. Also returns the offset of the dependencies.
pub fn registry(from: &mut Cursor<'_>, versions: &Versions) -> Out<(Node, i64)> {
    let mut fields = Fields::default();
    let mut dependencies = 0;
    if versions.ue4 >= 521 && versions.editor {
        dependencies = from.i64()?;
        fields.put("dependency_data_offset", Node::number(dependencies));
    }
    fields.put("objects", from.list(object)?);
    Ok((fields.done(), dependencies))
}

fn object(from: &mut Cursor<'_>) -> Out<Node> {
    let mut fields = Fields::default();
    fields.put("path", from.string()?);
    fields.put("class", from.string()?);
    let tags = from.list(|from| {
        let mut fields = Fields::default();
        fields.put("key", from.string()?);
        fields.put("value", from.string()?);
        Ok(fields.done())
    })?;
    fields.put("tags", tags);
    Ok(fields.done())
}

pub fn dependencies(from: &mut Cursor<'_>, versions: &Versions) -> Out<Node> {
    let mut fields = Fields::default();
    fields.put("imports_used_in_game", bits(from)?);
    fields.put("soft_packages_used_in_game", bits(from)?);
    if versions.ue5 >= 1013 {
        let extra = from.list(|from| {
            let mut fields = Fields::default();
            fields.put("package", from.name()?);
            fields.put("flags", from.unsigned()?);
            Ok(fields.done())
        })?;
        fields.put("extra", extra);
    }
    Ok(fields.done())
}

/// Reads a `TBitArray`, which has 32 bits in a word, the lowest bit first.
fn bits(from: &mut Cursor<'_>) -> Out<Node> {
    let count = usize::try_from(from.i32()?).map_err(|_| Bad)?;
    let mut bits = Vec::new();
    while bits.len() < count {
        let word = from.u32()?;
        let here = (count - bits.len()).min(32);
        bits.extend((0..here).map(|bit| Node::Truth(word >> bit & 1 == 1)));
    }
    Ok(Node::List(bits))
}
