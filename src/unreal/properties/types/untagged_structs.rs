//! Structs with a native serialization that the library does not know. In files with tags, a tag
//! states that its struct has native serialization. Without tags, such structs can only be
//! recognized by their names, because mappings describe them like all other structs.

/// The names of the structs, in alphabetical order.
const NAMES: &[&str] = &[
    "AttributeCurve",
    "ClothLODData",
    "ClothLODDataCommon",
    "CompressedRichCurve",
    "InstancedOverridablePropertyBag",
    "InstancedPropertyBag",
    "InstancedStructContainer",
    "PCGPoint",
];

/// For each length, the first letters of the listed names with that length: bit k is set if the low
/// five bits of a first letter are k. This filter rejects nearly all other names.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
static FIRST_LETTERS: [u32; 64] = {
    let mut letters = [0; 64];
    let mut index = 0;
    while index < NAMES.len() {
        let name = NAMES[index].as_bytes();
        letters[name.len()] |= 1 << (name[0] & 31);
        index += 1;
    }
    letters
};

/// Returns `true` if a struct with this name has an unknown native serialization. ASCII case is
/// ignored.
#[inline]
pub(crate) fn is_untagged(name: &[u8]) -> bool {
    let letters = FIRST_LETTERS.get(name.len()).copied().unwrap_or_default();
    let first = name.first().copied().unwrap_or_default();
    letters.wrapping_shr(first.into()) & 1 == 1 && is_listed(name)
}

fn is_listed(name: &[u8]) -> bool {
    NAMES.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found() {
        assert!(NAMES.is_sorted());
        for name in NAMES {
            assert!(is_untagged(name.as_bytes()) && is_untagged(name.to_lowercase().as_bytes()));
        }
        assert!(
            !["", "Splint", "Vector", "Transform"].iter().any(|name| is_untagged(name.as_bytes()))
        );
    }
}
