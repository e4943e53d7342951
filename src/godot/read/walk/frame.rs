//! The state of an open container of a walk, in one word.

use super::Role;
use crate::godot::{Container, Kind};

/// Number of remaining items of a container, with the kind of the container in the top two bits.
/// The other 30 bits are enough for the number, because a window is smaller than 2 GiB and an item
/// takes at least 4 bytes.
pub(crate) type Frame = u32;
pub(crate) const OBJECT: Frame = 1 << 31;
pub(super) const DICTIONARY: Frame = 1 << 30;
pub(crate) const LEFT: Frame = DICTIONARY - 1;

/// Returns the frame of a container before its first item.
pub(crate) fn frame_of(container: &Container<'_>) -> Frame {
    match *container {
        Container::Array { len, .. } => len,
        Container::Dictionary { len, .. } => DICTIONARY | len.wrapping_mul(2),
        Container::Object { len, .. } => OBJECT | len,
    }
}

pub(super) const fn kind_of(frame: Frame) -> Kind {
    match frame & !LEFT {
        0 => Kind::Array,
        DICTIONARY => Kind::Dictionary,
        _ => Kind::Object,
    }
}

#[inline(always)]
pub(crate) fn role_of(frame: Frame) -> Role {
    match frame & !LEFT {
        0 => Role::Element,
        DICTIONARY if frame & 1 == 0 => Role::Key,
        DICTIONARY => Role::Value,
        _ => Role::Property,
    }
}
