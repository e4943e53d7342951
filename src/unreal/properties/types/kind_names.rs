//! Fast lookup of kinds by their stored names, for saves, which store them as strings.

use super::kind::PropertyKind;

/// The end of the name of every kind.
const SUFFIX: &[u8; 8] = b"Property";

/// Number of buckets of the hash table.
const BUCKETS: usize = 256;

/// A multiplier with which no two names fall into the same bucket.
#[allow(clippy::arithmetic_side_effects, reason = "at compile time")]
const MULTIPLIER: u64 = {
    let mut multiplier: u64 = 0x9E37_79B9_7F4A_7C15;
    while has_collision(multiplier) {
        multiplier = multiplier.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(2);
    }
    multiplier
};

/// The kinds and their names without the suffix, as numbers. Names of more than eight bytes are
/// left out. An empty bucket has the name 0.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
static KINDS: [(u64, PropertyKind); BUCKETS] = {
    let mut kinds = [(0, PropertyKind::Unknown); BUCKETS];
    let mut index = 0;
    while index < PropertyKind::ALL.len() {
        let (name, kind) = PropertyKind::ALL[index];
        if let Some(number) = number_of(name.as_bytes()) {
            kinds[bucket(number, MULTIPLIER)] = (number, kind);
        }
        index += 1;
    }
    kinds
};

#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
const fn has_collision(multiplier: u64) -> bool {
    let mut is_used = [false; BUCKETS];
    let mut index = 0;
    while index < PropertyKind::ALL.len() {
        if let Some(number) = number_of(PropertyKind::ALL[index].0.as_bytes()) {
            let bucket = bucket(number, multiplier);
            if is_used[bucket] {
                return true;
            }
            is_used[bucket] = true;
        }
        index += 1;
    }
    false
}

#[inline(always)]
const fn bucket(number: u64, multiplier: u64) -> usize {
    const BITS: u32 = BUCKETS.trailing_zeros();
    number.wrapping_mul(multiplier).rotate_left(BITS) as usize % BUCKETS
}

/// Returns the name without its suffix as a number. Returns `None` if the name has no suffix, or
/// more than eight bytes before it.
#[inline(always)]
const fn number_of(name: &[u8]) -> Option<u64> {
    let (Some((front, suffix)), Some(head)) = (name.split_last_chunk(), name.first_chunk()) else {
        return None;
    };
    let (suffix, head) = (u64::from_le_bytes(*suffix), u64::from_le_bytes(*head));
    if suffix != u64::from_le_bytes(*SUFFIX) || front.len() > 8 {
        return None;
    }
    // Of the first eight bytes, those of the suffix are shifted out.
    let others = 8usize.wrapping_sub(front.len()) as u32;
    head.checked_shl(others.wrapping_mul(8))
}

/// Returns the kind with this name, which is followed by a NUL. Returns `None` for names of more
/// than 16 bytes, for unusual spellings and for unknown names.
#[inline(always)]
pub(crate) fn kind_of(stored: &[u8]) -> Option<PropertyKind> {
    let (0, name) = stored.split_last()? else { return None };
    let number = number_of(name)?;
    let (found, kind) = KINDS.get(bucket(number, MULTIPLIER))?;
    (*found == number).then_some(*kind)
}

#[cfg(test)]
mod tests {
    use super::{PropertyKind, kind_of};

    /// Names of up to 16 bytes are found, and no others.
    #[test]
    fn short_names_are_found() {
        for (name, kind) in PropertyKind::ALL {
            let found = kind_of([name.as_bytes(), b"\0"].concat().as_slice());
            assert_eq!(found, (name.len() <= 16).then_some(*kind), "{name}");
        }
        for other in ["", "\0", "Property\0", "IntProperty", "intProperty\0", "MintProperty\0"] {
            assert_eq!(kind_of(other.as_bytes()), None, "{other}");
        }
        assert_eq!(kind_of(b"IntProperty\0\0"), None);
    }
}
