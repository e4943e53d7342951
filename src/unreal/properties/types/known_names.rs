//! Names with a meaning in properties: the end of a list, kinds of properties, structs with native
//! serialization.
//!
//! A hash table maps the texts of these names to codes. Each package has a small index from its
//! names to codes, which is built once, so reading a tag does not compare strings.

use super::kind::PropertyKind;
use super::native_structs::{NATIVES, NativeStruct};
use crate::unreal::format::{NameText, StrRef};
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KnownName {
    /// No meaning.
    Other,
    /// `None`: the end of a list, or no value.
    None,
    /// A kind of property.
    Kind(PropertyKind),
    /// A struct with native serialization.
    Native(&'static NativeStruct),
}

const COUNT: usize = 1 + PropertyKind::ALL.len() + NATIVES.len();

/// All known names. A code is an index into this table plus one. The code 0 means any other name.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
static KNOWN_NAMES: [(&str, KnownName); COUNT] = {
    let mut known = [("None", KnownName::None); COUNT];
    let mut at = 1;
    macro_rules! all {
        ($list:expr, $each:ident => $word:expr) => {
            let mut index = 0;
            while index < $list.len() {
                let $each = &$list[index];
                known[at] = $word;
                (at, index) = (at + 1, index + 1);
            }
        };
    }
    all!(PropertyKind::ALL, kind => (kind.0, KnownName::Kind(kind.1)));
    all!(NATIVES, native => (native.name, KnownName::Native(native)));
    known
};

/// The kind of property that each code stands for.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
static KINDS: [PropertyKind; 256] = {
    let mut kinds = [PropertyKind::Unknown; 256];
    let mut index = 0;
    while index < COUNT {
        kinds[index + 1] = KNOWN_NAMES[index].1.kind();
        index += 1;
    }
    kinds
};

/// Number of buckets of the hash table, which uses linear probing.
const BUCKETS: usize = 1024;

#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
static CODES: [u8; BUCKETS] = {
    let mut codes = [0; BUCKETS];
    let mut index = 0;
    while index < COUNT {
        let word = KNOWN_NAMES[index].0.as_bytes();
        let mut bucket = bucket(ends(word).0, word.len());
        while codes[bucket] != 0 {
            bucket = (bucket + 1) % BUCKETS;
        }
        index += 1;
        codes[bucket] = index as u8;
    }
    codes
};

/// For each length, a bit set of the first letters of the known names with this length. The low
/// five bits of a letter are its position in the set. This filter rejects most other names.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
static FIRST_LETTERS: [u32; 64] = {
    let mut beginnings = [0; 64];
    let mut index = 0;
    while index < COUNT {
        let word = KNOWN_NAMES[index].0.as_bytes();
        beginnings[word.len()] |= 1 << (word[0] & 31);
        index += 1;
    }
    // `None` in UTF-16 has eight bytes. In big-endian order, the first byte is 0.
    beginnings[8] |= 1 << (b'N' & 31) | 1;
    beginnings
};

const _: () = assert!(COUNT < u8::MAX as usize); // `u8::MAX` is `NameCode::UNKNOWN`

/// The first and last bytes of each known name. For most names, they cover the whole name.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
static ENDS: [(u64, u64); COUNT] = {
    let mut all = [(0, 0); COUNT];
    let mut index = 0;
    while index < COUNT {
        all[index] = ends(KNOWN_NAMES[index].0.as_bytes());
        index += 1;
    }
    all
};

/// Returns the first eight and the last eight bytes of a name as two numbers. In a name of fewer
/// than 16 bytes, the two overlap. For a name of fewer than eight bytes, both are the result of
/// [`short`].
#[inline(always)]
const fn ends(bytes: &[u8]) -> (u64, u64) {
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(head), Some(tail)) => (u64::from_le_bytes(*head), u64::from_le_bytes(*tail)),
        _ => {
            let head = short(bytes);
            (head, head)
        }
    }
}

/// The case bit of eight ASCII letters.
const LOWER_CASE: u64 = 0x2020_2020_2020_2020;

/// Returns a number for a name of fewer than eight bytes.
#[inline(always)]
const fn short(bytes: &[u8]) -> u64 {
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(head), Some(tail)) => {
            (u32::from_le_bytes(*head) as u64) << 32 | u32::from_le_bytes(*tail) as u64
        }
        _ => match *bytes {
            [a, b, c] => u32::from_le_bytes([a, b, c, 0]) as u64,
            _ => 0,
        },
    }
}

/// Returns the bucket of a name, computed from its first bytes and its length. Case is ignored.
#[inline(always)]
const fn bucket(head: u64, len: usize) -> usize {
    let mixed = ((head | LOWER_CASE) ^ len as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed.rotate_left(BUCKETS.trailing_zeros()) as usize % BUCKETS
}

/// The code of a name, which stands for its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NameCode(u8);

impl NameCode {
    pub(crate) const OTHER: Self = Self(0);
    pub(crate) const NONE: Self = Self(1);
    /// The code for a name that the file does not have.
    pub(crate) const UNKNOWN: Self = Self(u8::MAX);

    /// Returns the code of a name that consists of this text and has no number.
    #[inline]
    pub(crate) fn of(text: &StrRef<'_>) -> Self {
        Self(code(text))
    }

    /// Returns [`NONE`](Self::NONE) for the name `None`, and [`OTHER`](Self::OTHER) for any other.
    #[inline(always)]
    pub(crate) fn none_or_other(text: &StrRef<'_>) -> Self {
        // `None` is stored in 4 or 5 bytes, or in 8 or 10 if its units have 16 bits.
        let is_candidate = matches!(text.stored_bytes().len(), 4 | 5 | 8 | 10);
        Self(u8::from(is_candidate && is_none(text)))
    }

    /// Returns the kind of property, or [`PropertyKind::Unknown`] if the name has a different
    /// meaning.
    #[inline(always)]
    pub(crate) fn kind(self) -> PropertyKind {
        KINDS.get(usize::from(self.0)).copied().unwrap_or(PropertyKind::Unknown)
    }

    #[inline(always)]
    pub(crate) fn word(self) -> KnownName {
        let word = KNOWN_NAMES.get(usize::from(self.0).wrapping_sub(1));
        word.map_or(KnownName::Other, |(_, word)| *word)
    }
}

/// Returns the code of a text.
#[inline(always)]
fn code(text: &StrRef<'_>) -> u8 {
    let bytes = text.bytes();
    let beginnings = FIRST_LETTERS.get(bytes.len()).copied().unwrap_or_default();
    let first = bytes.first().copied().unwrap_or_default();
    match beginnings.wrapping_shr(first.into()) & 1 {
        0 => 0,
        _ if text.is_wide() => u8::from(wide_is_none(*text)),
        _ => find(bytes),
    }
}

/// Returns `true` if the text is `None`.
#[inline(always)]
fn is_none(text: &StrRef<'_>) -> bool {
    match text.is_wide() {
        true => wide_is_none(*text),
        false => narrow_is_none(text.bytes()),
    }
}

/// Returns `true` if a UTF-16 text is `None`. This is valid, although no engine writes it.
#[cold]
fn wide_is_none(text: StrRef<'_>) -> bool {
    NameText::new(text, 0) == *"None"
}

#[inline(always)]
fn narrow_is_none(bytes: &[u8]) -> bool {
    let lower_case = |word: [u8; 4]| u32::from_le_bytes(word) | 0x2020_2020;
    bytes.try_into().is_ok_and(|word| lower_case(word) == const { u32::from_le_bytes(*b"none") })
}

/// Returns the code of a text that passed the filter of [`FIRST_LETTERS`].
fn find(bytes: &[u8]) -> u8 {
    let ends = ends(bytes);
    let mut bucket = bucket(ends.0, bytes.len());
    loop {
        match CODES.get(bucket) {
            None | Some(0) => return u8::from(narrow_is_none(bytes)),
            Some(code) if is_word(bytes, ends, *code) => return *code,
            Some(_) => bucket = bucket.wrapping_add(1) % BUCKETS,
        }
    }
}

#[inline(always)]
fn is_word(bytes: &[u8], those: (u64, u64), code: u8) -> bool {
    let index = usize::from(code).wrapping_sub(1);
    let (Some(ends), Some((name, _))) = (ENDS.get(index), KNOWN_NAMES.get(index)) else {
        return false;
    };
    // Nearly all names have the usual case, so exact equality is tested first. The two ends of a
    // name of 3 to 16 bytes contain all of its bytes.
    let is_covered = matches!(bytes.len(), 3..=16) && name.len() == bytes.len();
    is_covered && *ends == those
        || name.as_bytes() == bytes
        || (ends.0 | LOWER_CASE) == (those.0 | LOWER_CASE)
            && name.as_bytes().eq_ignore_ascii_case(bytes)
}

impl KnownName {
    /// Returns the meaning of a struct name that the caller supplied.
    pub(crate) fn named(name: &str) -> Self {
        NameCode::of(&StrRef::latin1(name.as_bytes())).word()
    }

    /// Returns the kind of property, or [`PropertyKind::Unknown`] if the name has a different
    /// meaning.
    #[inline(always)]
    pub(crate) const fn kind(self) -> PropertyKind {
        match self {
            Self::Kind(kind) => kind,
            _ => PropertyKind::Unknown,
        }
    }

    /// Returns the struct with this name, if it can have native serialization in any layout.
    #[inline(always)]
    pub(crate) const fn known(self) -> Option<&'static NativeStruct> {
        match self {
            Self::Native(native) => Some(native),
            _ => None,
        }
    }
}

/// Capacity of the index, several times the number of known names in most packages.
const CAPACITY: usize = 128;

/// The known names of a package: a hash table with linear probing. The lowest byte of an entry is
/// the code, and the other bytes are the index of the name. An empty entry is 0.
#[derive(Debug)]
pub(crate) struct KnownNameIndex {
    all: [AtomicU32; CAPACITY],
    /// `true` if the capacity was exceeded. The text of a name that is not in the table must then
    /// be compared with the known names.
    more: AtomicBool,
}

impl KnownNameIndex {
    pub(crate) const fn new() -> Self {
        Self { all: [const { AtomicU32::new(0) }; CAPACITY], more: AtomicBool::new(false) }
    }

    /// Returns a builder that adds all names of a package in order. If two threads build the index
    /// at the same time, both write the same entries.
    pub(crate) const fn builder(&self) -> KnownNameIndexBuilder<'_> {
        KnownNameIndexBuilder { to: self, count: 0 }
    }

    /// Returns the code of the name at position `index` in the name table. Returns `None` if the
    /// name was not found and the capacity was exceeded. In this case, the caller must compare the
    /// text of the name.
    #[inline(always)]
    pub(crate) fn get(&self, index: u32) -> Option<NameCode> {
        let mut bucket = index as usize % CAPACITY;
        loop {
            let word = self.all.get(bucket).map_or(0, |word| word.load(Ordering::Relaxed));
            match word.to_le_bytes() {
                [0, ..] => return (!self.more.load(Ordering::Relaxed)).then_some(NameCode::OTHER),
                [code, ..] if word >> 8 == index => return Some(NameCode(code)),
                _ => bucket = bucket.wrapping_add(1) % CAPACITY,
            }
        }
    }
}

/// A builder that adds known names to the index.
pub(crate) struct KnownNameIndexBuilder<'w> {
    to: &'w KnownNameIndex,
    count: u8,
}

impl KnownNameIndexBuilder<'_> {
    /// Adds the name with this index, if it is a known one.
    #[inline(always)]
    pub(crate) fn add(&mut self, index: u32, text: &StrRef<'_>) {
        let code = code(text);
        if code != 0 {
            self.put(index, code);
        }
    }

    fn put(&mut self, index: u32, code: u8) {
        let word = index << 8 | u32::from(code);
        // A quarter of the buckets stays empty, so that every search ends at an empty one.
        if usize::from(self.count) >= CAPACITY / 4 * 3 || word >> 8 != index {
            self.to.more.store(true, Ordering::Relaxed);
            return;
        }
        let mut bucket = index as usize % CAPACITY;
        while let Some(at) = self.to.all.get(bucket) {
            let there = at.load(Ordering::Relaxed);
            if there == 0 || there == word {
                at.store(word, Ordering::Relaxed);
                break;
            }
            bucket = bucket.wrapping_add(1) % CAPACITY;
        }
        self.count = self.count.wrapping_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unreal::format::{ByteOrder, Encoding};

    #[test]
    fn all_are_found() {
        for (name, word) in KNOWN_NAMES {
            assert_eq!(KnownName::named(name), word);
        }
        assert_eq!(KnownName::named("nONE"), KnownName::None);
        let wide = |bytes, order| NameCode::of(&StrRef::new(bytes, Encoding::Utf16(order))).word();
        assert_eq!(wide(b"n\0O\0n\0e\0\0\0", ByteOrder::Little), KnownName::None);
        assert_eq!(wide(b"\0N\0o\0n\0E\0\0", ByteOrder::Big), KnownName::None);
        assert_eq!(KnownName::named("intProperty"), KnownName::Kind(PropertyKind::Int));
        assert_eq!(KnownName::named("VECTOR2d"), KnownName::named("Vector2D"));
        for other in ["", "No", "Noone", "IntProperti", "Int\x10roperty", "Vector5", "Bo"] {
            assert_eq!(KnownName::named(other), KnownName::Other);
        }
        assert_eq!(
            NameCode::of(&StrRef::latin1(b"BoolProperty\0")).word(),
            KnownName::Kind(PropertyKind::Bool)
        );
    }

    #[test]
    fn more_than_there_is_room_for() {
        let known = KnownNameIndex::new();
        let mut all = known.builder();
        for index in 0..1000 {
            all.add(index * 3, &StrRef::latin1(b"None\0"));
            all.add(index * 3 + 1, &StrRef::latin1(b"Nine\0"));
        }
        assert_eq!(known.get(3), Some(NameCode::NONE));
        assert_eq!((known.get(4), known.get(900)), (None, None));
    }
}
