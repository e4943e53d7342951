//! The records of localized texts. The `table_version` of their layout is the version of the file.

use crate::unreal::format::{StrRef, city_hash_64, crc32, records};

/// The first version in which keys have a hash.
pub(super) const HASHED_KEYS: u32 = 2;
/// The first version in which the hash of a key is computed from a `CityHash64`.
const CITY_HASH: u32 = 3;

records! { <'a> (this, layout)
    /// The key of a text, or of a namespace.
    struct TextKey<'a> {
        /// Hash of the key, from version 2 on.
        hash: u32, if layout.table_version >= HASHED_KEYS;
        /// The key itself.
        text: StrRef<'a>;
    }

    /// A string of the list to which the entries refer.
    struct LocalizedString<'a> {
        /// The string.
        text: StrRef<'a>;
        /// Number of entries that refer to the string, from version 2 on.
        uses: i32, if layout.table_version >= 2;
    }

    /// An entry as it is stored.
    struct StoredText<'a> {
        /// The key.
        key: TextKey<'a>;
        /// CRC-32 of the source text.
        source_hash: u32;
        /// Index of the string, from version 1 on.
        index: i32, if layout.table_version >= 1;
        /// The string, only in version 0.
        text: StrRef<'a>, if layout.table_version == 0;
    }
}

impl TextKey<'_> {
    /// Returns the hash that the engine stores with the key in a version of the format, or `None`
    /// if the version has no hashes. The hash of an empty key is 0.
    pub(super) fn expected_hash(&self, version: u32) -> Option<u32> {
        match version {
            ..HASHED_KEYS => None,
            _ if self.text.is_empty() => Some(0),
            HASHED_KEYS => Some(crc32(&self.text)),
            CITY_HASH.. => {
                let hash = hash_of_units(&self.text);
                let (low, high) = (hash as u32, (hash >> 32) as u32);
                Some(low.wrapping_add(high.wrapping_mul(23)))
            }
        }
    }
}

/// Returns the `CityHash64` of the UTF-16 units of a string.
fn hash_of_units(text: &StrRef<'_>) -> u64 {
    let bytes = text.bytes();
    let byte = |at: usize| bytes.get(at).copied().unwrap_or_default();
    match text.is_wide() {
        true => city_hash_64(bytes.len(), byte),
        // A string of 8-bit units is hashed as if each had a zero after it.
        false => city_hash_64(bytes.len().saturating_mul(2), |at| match at & 1 {
            0 => byte(at >> 1),
            _ => 0,
        }),
    }
}
