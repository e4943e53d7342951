//! Reads the table of bulk data, and the trailer of a package that the editor saved.

use super::bytes::{Bad, Cursor, Out};
use super::node::{Fields, Node};

pub fn resources(from: &mut Cursor<'_>) -> Out<Node> {
    let version = from.u32()?;
    if !(1..=2).contains(&version) {
        return Err(Bad);
    }
    let mut fields = Fields::default();
    fields.put("version", Node::number(version));
    fields.put("entries", from.list(|from| resource(from, version))?);
    Ok(fields.done())
}

fn resource(from: &mut Cursor<'_>, version: u32) -> Out<Node> {
    let mut fields = Fields::default();
    fields.put("flags", from.unsigned()?);
    if version >= 2 {
        fields.put("cooked_index", Node::number(from.u8()?));
    }
    for part in ["serial_offset", "duplicate_serial_offset", "serial_size", "raw_size"] {
        fields.put(part, from.wide_number()?);
    }
    fields.put("outer", from.number()?);
    fields.put("legacy_flags", from.unsigned()?);
    Ok(fields.done())
}

pub fn trailer(from: &mut Cursor<'_>) -> Out<Node> {
    if from.u64()? != 0xD1C4_3B2E_80A5_F697 {
        return Err(Bad);
    }
    let version = from.i32()?;
    if !(0..=2).contains(&version) {
        return Err(Bad);
    }
    let mut fields = Fields::default();
    fields.put("version", Node::number(version));
    fields.put("header_size", from.unsigned()?);
    fields.put("payload_size", Node::number(from.u64()?));
    if version < 1 {
        fields.put("access", Node::number(from.u8()?));
    }
    fields.put("entries", from.list(|from| payload(from, version))?);
    Ok(fields.done())
}

fn payload(from: &mut Cursor<'_>, version: i32) -> Out<Node> {
    let mut fields = Fields::default();
    fields.put("id", Node::Bytes(from.bytes(20)?.to_vec()));
    fields.put("offset", from.wide_number()?);
    fields.put("compressed_size", Node::number(from.u64()?));
    fields.put("raw_size", Node::number(from.u64()?));
    if version >= 2 {
        fields.put("flags", Node::number(from.u16()?));
        fields.put("filter", Node::number(from.u16()?));
    }
    if version >= 1 {
        fields.put("access", Node::number(from.u8()?));
    }
    Ok(fields.done())
}
