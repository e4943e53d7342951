//! The fast path for leaves: values that are not containers.

use crate::godot::Kind;
use crate::godot::read::compact_form::{BOOL, INT, TYPE, WIDTH, id_of};
use crate::godot::read::trusted::leaf_len;
use crate::godot::table::dialect;

/// Returns the length of the leaf (a value that is not a container) at the start of `bytes`, and
/// whether values of its type can have padding. Returns `None` for a container or a malformed
/// value.
#[inline]
pub(crate) fn first_leaf(bytes: &[u8]) -> Option<(usize, bool)> {
    let (1, len) = skip_leaves(bytes, 1) else { return None };
    let id = bytes.first().map_or(0, |first| first & TYPE);
    Some((len, 1_u64.wrapping_shl(id.into()) & UNPADDED == 0))
}

/// The types of leaves that never have padding: numbers, vectors and the like.
const UNPADDED_KINDS: &[Kind] = &[
    Kind::Nil,
    Kind::Bool,
    Kind::Int,
    Kind::Float,
    Kind::Vector2,
    Kind::Vector2i,
    Kind::Vector3,
    Kind::Vector3i,
    Kind::Vector4,
    Kind::Vector4i,
    Kind::Rect2,
    Kind::Rect2i,
    Kind::Transform2D,
    Kind::Transform3D,
    Kind::Quaternion,
    Kind::Basis,
    Kind::Color,
];

/// The type ids of [`UNPADDED_KINDS`], as a set of bits.
const UNPADDED: u64 = {
    let (mut set, mut rest) = (0, UNPADDED_KINDS);
    while let [kind, others @ ..] = rest {
        set |= 1 << id_of(*kind);
        rest = others;
    }
    set
};

/// Skips up to `count` leaves and stops at the first container or malformed value. This is the
/// fast path for most arguments. Returns the number of leaves skipped and the offset after them. A
/// build for size skips none, and leaves them to the general decoder.
#[inline]
pub(crate) fn skip_leaves(bytes: &[u8], count: usize) -> (usize, usize) {
    if cfg!(gamewire_small) {
        return (0, 0);
    }
    let (mut at, mut done) = (0_usize, 0_usize);
    while done < count {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(first) = rest.first() else { break };
        let len = match first & TYPE {
            BOOL => 1,
            INT => 1_usize.wrapping_shl(u32::from(*first).wrapping_shr(WIDTH)).wrapping_add(1),
            _ => match leaf_len::<dialect::Godot4>(rest) {
                Some(len) => len,
                None => break,
            },
        };
        if len > rest.len() {
            break;
        }
        at = at.wrapping_add(len);
        done = done.wrapping_add(1);
    }
    (done, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skip_leaves_stops_at_containers_and_truncated_values() {
        let bytes = [0x81, 0x02, 5, 0x42, 5, 0, 0xC2, 1, 2, 3, 4, 5, 6, 7, 8, 1];
        for (count, end) in [(0, 0), (1, 1), (2, 3), (3, 6), (4, 15), (5, 16), (6, 16)] {
            assert_eq!(skip_leaves(&bytes, count), (count.min(5), end));
        }
        for cut in 7..15 {
            assert_eq!(skip_leaves(&bytes[..cut], 5), (3, 6), "{cut}");
        }
        let text = b"\x04\0\0\0\x01\0\0\0a\0\0\0";
        assert_eq!(skip_leaves(text, 2), (1, 12));
        assert_eq!(skip_leaves(b"\x1c\0\0\0\0\0\0\0", 1), (0, 0));
    }
}
