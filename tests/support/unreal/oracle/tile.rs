//! Reads the position of a level in its world.

use super::bytes::{Cursor, Out};
use super::node::{Fields, Node};
use super::versions::{FORTNITE_MAIN, Versions};

pub fn tile(from: &mut Cursor<'_>, versions: &Versions) -> Out<Node> {
    let ue4 = versions.ue4;
    let mut fields = Fields::default();
    let axes = if versions.custom(FORTNITE_MAIN) >= 1 { 3 } else { 2 };
    fields.put("position", several(from, axes, Cursor::number)?);
    let wide = versions.ue5 >= 1004;
    fields.put("bounds", several(from, 6, |from| real(from, wide))?);
    fields.put("bounds_valid", Node::number(from.u8()?));
    fields.put("layer", from.string()?);
    fields.put("reserved", several(from, 3, Cursor::number)?);
    if ue4 >= 268 {
        fields.put("streaming_distance", from.number()?);
    }
    if ue4 >= 329 {
        fields.put("distance_streaming_enabled", from.truth()?);
    }
    if ue4 >= 268 {
        fields.put("hide_in_tile_view", from.truth()?);
    }
    fields.put("parent_tile", from.string()?);
    if ue4 >= 316 {
        fields.put("lods", from.list(lod)?);
    }
    if ue4 >= 319 {
        fields.put("z_order", from.number()?);
    }
    Ok(fields.done())
}

fn lod(from: &mut Cursor<'_>) -> Out<Node> {
    Ok(Node::List(vec![
        from.number()?,
        from.single()?,
        from.single()?,
        from.number()?,
        from.number()?,
    ]))
}

/// Reads a float of 32 or 64 bits as one of 64 bits.
fn real(from: &mut Cursor<'_>, wide: bool) -> Out<Node> {
    if wide {
        return from.double();
    }
    Ok(Node::Double(f64::from(f32::from_bits(from.u32()?)).to_bits()))
}

fn several<'a>(
    from: &mut Cursor<'a>,
    count: usize,
    one: impl Fn(&mut Cursor<'a>) -> Out<Node>,
) -> Out<Node> {
    (0..count).map(|_| one(from)).collect::<Out<_>>().map(Node::List)
}
