//! The short forms in which Godot 4 sends bools, ints, null objects and raw byte arrays, see
//! [`compact`](crate::godot::compact).

use crate::godot::table::dialect::{self, Spec};
use crate::godot::table::kinds::Column;
use crate::godot::{Deviation, Kind, ObjectRef, VariantRef};

/// The bits of the first byte that are the type id.
pub(crate) const TYPE: u8 = 0x3F;
/// A bool's value.
pub(crate) const TRUE: u8 = 0x80;
/// Above the type id: the width of an int, as a power of 2.
pub(crate) const WIDTH: u32 = 6;

pub(crate) const BOOL: u8 = id_of(Kind::Bool);
pub(crate) const INT: u8 = id_of(Kind::Int);
pub(crate) const OBJECT: u8 = id_of(Kind::Object);
const BYTES: u8 = id_of(Kind::PackedByteArray);

const fn id_of(kind: Kind) -> u8 {
    match <dialect::Godot4 as Spec>::Ids::IDS.id(kind) {
        Some(id) => id,
        None => TYPE,
    }
}

/// In what form the bytes of a value are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum WireForm {
    /// A header and a payload.
    Full,
    /// Godot 4's short form of a bool, an int or a null object.
    Compact,
    /// The bytes of a PackedByteArray, without header and length: an RPC's raw argument.
    Raw,
}

/// A null, with the type put over its first byte.
pub(crate) const NULL_OBJECT: [u8; 4] = [OBJECT, 0, 0, 0];

/// The type id of a value in a short form.
pub(crate) fn id(bytes: &[u8], form: WireForm) -> u32 {
    match (form, bytes.first()) {
        (WireForm::Compact, Some(first)) => u32::from(first & TYPE),
        _ => BYTES.into(),
    }
}

/// The value that a short form stands for. Bools take one byte, ints two, three, five or
/// nine, null objects four.
pub(crate) fn decode<'a>(bytes: &'a [u8], form: WireForm) -> VariantRef<'a> {
    match *bytes {
        _ if form == WireForm::Raw => VariantRef::PackedByteArray(bytes),
        [first] => VariantRef::Bool(first & TRUE != 0),
        [_, a] => VariantRef::Int(i8::from_le_bytes([a]).into()),
        [_, a, b] => VariantRef::Int(i16::from_le_bytes([a, b]).into()),
        [_, a, b, c, d] => VariantRef::Int(i32::from_le_bytes([a, b, c, d]).into()),
        [_, a, b, c, d, e, f, g, h] => {
            VariantRef::Int(i64::from_le_bytes([a, b, c, d, e, f, g, h]))
        }
        _ => VariantRef::Object(ObjectRef::Null),
    }
}

/// In what a short form differs from how the engine writes it.
pub(crate) fn deviation(bytes: &[u8], form: WireForm) -> Option<Deviation> {
    match (decode(bytes, form), bytes.first()) {
        (VariantRef::Bool(_), Some(first)) if first & !TRUE != BOOL => Some(Deviation::HeaderBits),
        (VariantRef::Int(value), Some(first)) if *first != int_head(value) => {
            Some(Deviation::Width)
        }
        _ => None,
    }
}

/// The first byte of an int in the fewest bytes.
pub(crate) fn int_head(value: i64) -> u8 {
    let width: u8 = match value {
        -0x80..=0x7F => 0,
        -0x8000..=0x7FFF => 1,
        -0x8000_0000..=0x7FFF_FFFF => 2,
        _ => 3,
    };
    INT | width.wrapping_shl(WIDTH)
}
