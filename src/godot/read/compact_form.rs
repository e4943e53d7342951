//! The short encodings that bools, ints, null objects and raw byte arrays have in the multiplayer
//! packets of Godot 4. [`compact`](crate::godot::compact) describes them.
//!
//! The first byte contains the type id in bits 0–5. Bit 7 is the value of a bool. For an int, bits
//! 6–7 select a width of 1, 2, 4 or 8 bytes.

use crate::godot::table::dialect::{self, Spec};
use crate::godot::table::kinds::Column;
use crate::godot::{Deviation, Kind, ObjectRef, VariantRef};

/// Mask of the type id in the first byte.
pub(crate) const TYPE: u8 = 0x3F;
/// The bit of the first byte that is a bool's value.
pub(crate) const TRUE: u8 = 0x80;
/// Position of the two bits of the first byte that select an int's width. The width is 2 to the
/// power of these bits.
pub(crate) const WIDTH: u32 = 6;

pub(crate) const BOOL: u8 = id_of(Kind::Bool);
pub(crate) const INT: u8 = id_of(Kind::Int);
pub(crate) const OBJECT: u8 = id_of(Kind::Object);
const BYTES: u8 = id_of(Kind::PackedByteArray);

pub(crate) const fn id_of(kind: Kind) -> u8 {
    match <dialect::Godot4 as Spec>::Ids::IDS.id(kind) {
        Some(id) => id,
        None => TYPE,
    }
}

/// The encodings of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum WireForm {
    /// A header and a payload.
    Full,
    /// The short form of a bool, an int or a null object.
    Compact,
    /// The bytes of a PackedByteArray, without a header or a length: the raw argument of an RPC.
    Raw,
}

/// The short form of a null object: Nil with the type id of Object in its first byte.
pub(crate) const NULL_OBJECT: [u8; 4] = [OBJECT, 0, 0, 0];

/// Returns the type id of a value in a short form.
pub(crate) fn id(bytes: &[u8], form: WireForm) -> u32 {
    match (form, bytes.first()) {
        (WireForm::Compact, Some(first)) => u32::from(first & TYPE),
        _ => BYTES.into(),
    }
}

/// Decodes a value in a short form. The number of bytes identifies the type. A bool takes 1 byte,
/// an int 2, 3, 5 or 9, and a null object 4.
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

/// Returns the deviation of a short form from the bytes that the engine writes.
pub(crate) fn deviation(bytes: &[u8], form: WireForm) -> Option<Deviation> {
    match (decode(bytes, form), bytes.first()) {
        (VariantRef::Bool(_), Some(first)) if first & !TRUE != BOOL => Some(Deviation::HeaderBits),
        (VariantRef::Int(value), Some(first)) if *first != int_head(value) => {
            Some(Deviation::Width)
        }
        _ => None,
    }
}

/// Returns the first byte of an int in its shortest form.
pub(crate) fn int_head(value: i64) -> u8 {
    let width: u8 = match value {
        -0x80..=0x7F => 0,
        -0x8000..=0x7FFF => 1,
        -0x8000_0000..=0x7FFF_FFFF => 2,
        _ => 3,
    };
    INT | width.wrapping_shl(WIDTH)
}
