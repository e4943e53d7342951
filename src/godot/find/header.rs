//! Quick tests of the first words at an offset. Most offsets of a file fail them.

use crate::godot::{Dialect, Kind};

/// Header bit 16 and, for containers, the bits of declared types.
const FLAG: u8 = 1;
const ARRAY_TYPE: u8 = 3;
const DICTIONARY_TYPES: u8 = 15;
/// Two limits for values without a frame: the maximum length of a class name, and the maximum
/// number of names or subnames in a path.
const SHORT: u32 = 256;
/// Number of bytes of text that are examined.
pub(super) const SAMPLE: usize = 64;

/// Returns the kind in a header, or `None` if no engine of the dialect writes this header. Engines
/// set no bits without a meaning.
pub(super) fn kind(header: u32, dialect: Dialect) -> Option<Kind> {
    let [id, zero, flags, top] = header.to_le_bytes();
    if zero | top != 0 {
        return None;
    }
    let kind = dialect.kind(id.into())?;
    (flags & !flags_of(kind, dialect) == 0).then_some(kind)
}

/// Returns the header bits 16 to 23 that can be set for a kind.
fn flags_of(kind: Kind, dialect: Dialect) -> u8 {
    let rules = dialect.rules();
    match kind {
        _ if !rules.flags => 0,
        Kind::Int | Kind::Float | Kind::Object => FLAG,
        Kind::Array if rules.typed_containers => ARRAY_TYPE,
        Kind::Dictionary if rules.typed_containers => DICTIONARY_TYPES,
        Kind::Vector2
        | Kind::Vector3
        | Kind::Vector4
        | Kind::Rect2
        | Kind::Aabb
        | Kind::Plane
        | Kind::Quaternion
        | Kind::Basis
        | Kind::Transform2D
        | Kind::Transform3D
        | Kind::Projection
        | Kind::PackedVector2Array
        | Kind::PackedVector3Array
        | Kind::PackedVector4Array
            if rules.typed_containers =>
        {
            FLAG
        }
        _ => 0,
    }
}

/// Returns `true` if `bytes` may begin with a value of a type that can be recognised without a
/// frame. Null, bools, numbers, RIDs, callables and signals cannot.
pub(super) fn can_begin(bytes: &[u8], dialect: Dialect) -> bool {
    let word = |index: usize| word(bytes, index.saturating_mul(4)).unwrap_or(u32::MAX);
    match kind(word(0), dialect) {
        None | Some(Kind::Nil | Kind::Bool | Kind::Int | Kind::Float) => false,
        Some(Kind::Rid | Kind::Callable | Kind::Signal) => false,
        Some(Kind::Object) => word(1) <= SHORT,
        Some(Kind::PackedStringArray) => begins_with_text(bytes, dialect),
        Some(Kind::NodePath) => word(1) & 0x7FFF_FFFF <= SHORT && word(2) <= SHORT,
        Some(_) => true,
    }
}

/// Returns `true` if the PackedStringArray at the start of `bytes` has at least one string, and its
/// first string contains no control characters.
fn begins_with_text(bytes: &[u8], dialect: Dialect) -> bool {
    let least = u32::from(dialect.rules().counted_nul);
    let [Some(count), Some(len)] = [4, 8].map(|at| word(bytes, at)) else { return false };
    let text = bytes.get(12..).unwrap_or_default();
    let text = text.get(..usize::try_from(len).unwrap_or(usize::MAX)).unwrap_or(text);
    let text = text.get(..SAMPLE).unwrap_or_else(|| text.strip_suffix(&[0]).unwrap_or(text));
    count > 0 && len >= least && is_plain(text)
}

/// Returns `true` if `text` contains no control characters other than tabs and line breaks.
pub(super) fn is_plain(text: &[u8]) -> bool {
    let is_control = |byte: &u8| *byte < 0x20 && !b"\t\n\r".contains(byte) || *byte == 0x7F;
    !text.iter().any(is_control)
}

/// Returns the little-endian word at an offset.
pub(super) fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}
