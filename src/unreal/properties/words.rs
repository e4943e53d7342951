//! Names that mean something to whoever reads properties: the end of a list, kinds of
//! properties, structs in forms of their own. Which of a package's names are these is found
//! out once, when it is opened; after that a name need not be looked at.

use super::kind::Kind;
use super::structs::{NATIVES, Native};
use crate::unreal::layout::Layout;
use crate::unreal::names::NameText;
use crate::unreal::text::Text;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// What a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// Nothing here.
    Other,
    /// The end of a list, or nothing where something could be.
    None,
    /// A kind of property.
    Kind(Kind),
    /// A struct without tags.
    Native(&'static Native),
    /// A struct without tags whose form is not known.
    Opaque,
    /// An input of a material: it has had tags before version 1 of `FCoreObjectVersion`.
    MaterialInput,
}

const OPAQUE: &[&str] = &["EdGraphPinType"];

const MATERIAL_INPUTS: &[&str] = &[
    "ExpressionInput",
    "MaterialAttributesInput",
    "ColorMaterialInput",
    "ScalarMaterialInput",
    "ShadingModelMaterialInput",
    "StrataMaterialInput",
    "SubstrateMaterialInput",
    "VectorMaterialInput",
    "Vector2MaterialInput",
];

const COUNT: usize = 1 + Kind::ALL.len() + NATIVES.len() + OPAQUE.len() + MATERIAL_INPUTS.len();

/// All words. A code is the index here and one more; 0 is none.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
static WORDS: [(&str, Word); COUNT] = {
    let mut words = [("None", Word::None); COUNT];
    let mut at = 1;
    macro_rules! all {
        ($list:expr, $each:ident => $word:expr) => {
            let mut index = 0;
            while index < $list.len() {
                let $each = &$list[index];
                words[at] = $word;
                (at, index) = (at + 1, index + 1);
            }
        };
    }
    all!(Kind::ALL, kind => (kind.0, Word::Kind(kind.1)));
    all!(NATIVES, native => (native.name, Word::Native(native)));
    all!(OPAQUE, name => (*name, Word::Opaque));
    all!(MATERIAL_INPUTS, name => (*name, Word::MaterialInput));
    words
};

/// Places for codes, by the hash of their words and behind it.
const PLACES: usize = 1024;

#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
static CODES: [u8; PLACES] = {
    let mut codes = [0; PLACES];
    let mut index = 0;
    while index < COUNT {
        let word = WORDS[index].0.as_bytes();
        let mut place = place(ends(word).0, word.len());
        while codes[place] != 0 {
            place = (place + 1) % PLACES;
        }
        index += 1;
        codes[place] = index as u8;
    }
    codes
};

/// With which letters words of each length begin, by their last five bits: most names are none
/// for this alone.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
static BEGINNINGS: [u32; 32] = {
    let mut beginnings = [0; 32];
    let mut index = 0;
    while index < COUNT {
        let word = WORDS[index].0.as_bytes();
        beginnings[word.len()] |= 1 << (word[0] & 31);
        index += 1;
    }
    // `None` in 16-bit units, of which in the other byte order the first byte is 0.
    beginnings[8] |= 1 << (b'N' & 31) | 1;
    beginnings
};

const _: () = assert!(COUNT < u8::MAX as usize); // which is `Code::UNKNOWN`

/// The ends of each word: of most they are all of it.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
static ENDS: [(u64, u64); COUNT] = {
    let mut all = [(0, 0); COUNT];
    let mut index = 0;
    while index < COUNT {
        all[index] = ends(WORDS[index].0.as_bytes());
        index += 1;
    }
    all
};

/// The first eight bytes and the last, which overlap in less than sixteen. Of less than eight
/// they are the same: two times four of them, or all. Letters are small, whatever they were:
/// the engine's names are the same in either case.
#[inline(always)]
const fn ends(bytes: &[u8]) -> (u64, u64) {
    let (head, tail) = match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(head), Some(tail)) => (u64::from_le_bytes(*head), u64::from_le_bytes(*tail)),
        _ => {
            let head = short(bytes);
            (head, head)
        }
    };
    (head | SMALL, tail | SMALL)
}

/// The bit of small letters, of eight of them.
const SMALL: u64 = 0x2020_2020_2020_2020;

/// Less than eight bytes as a number.
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

/// Of the first bytes and the length.
#[inline(always)]
const fn place(head: u64, len: usize) -> usize {
    let mixed = (head ^ len as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed.rotate_left(PLACES.trailing_zeros()) as usize % PLACES
}

/// What a name means, not looked up yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Code(u8);

impl Code {
    pub(super) const OTHER: Self = Self(0);
    pub(super) const NONE: Self = Self(1);
    /// There is no name.
    pub(super) const UNKNOWN: Self = Self(u8::MAX);

    /// Of a text, without the number of a name.
    #[inline]
    pub(super) fn of(text: &Text<'_>) -> Self {
        Self(code(text))
    }

    #[inline(always)]
    pub(super) fn word(self) -> Word {
        let word = WORDS.get(usize::from(self.0).wrapping_sub(1));
        word.map_or(Word::Other, |(_, word)| *word)
    }
}

/// The code of a word.
#[inline(always)]
fn code(text: &Text<'_>) -> u8 {
    let bytes = text.bytes();
    let beginnings = BEGINNINGS.get(bytes.len()).copied().unwrap_or_default();
    let first = bytes.first().copied().unwrap_or_default();
    match beginnings.wrapping_shr(first.into()) & 1 {
        0 => 0,
        _ if text.is_wide() => u8::from(wide_is_none(*text)),
        _ => find(bytes),
    }
}

/// Whether it is `None`.
#[inline(always)]
pub(super) fn is_none(text: &Text<'_>) -> bool {
    match text.is_wide() {
        true => wide_is_none(*text),
        false => narrow_is_none(text.bytes()),
    }
}

/// (No engine writes it so; the text would be the same.)
#[cold]
fn wide_is_none(text: Text<'_>) -> bool {
    NameText::new(text, 0) == *"None"
}

#[inline(always)]
fn narrow_is_none(bytes: &[u8]) -> bool {
    bytes.eq_ignore_ascii_case(b"None")
}

/// The same of what may be one.
fn find(bytes: &[u8]) -> u8 {
    let ends = ends(bytes);
    let mut place = place(ends.0, bytes.len());
    loop {
        match CODES.get(place) {
            None | Some(0) => return u8::from(narrow_is_none(bytes)),
            Some(code) if is_word(bytes, ends, *code) => return *code,
            Some(_) => place = place.wrapping_add(1) % PLACES,
        }
    }
}

#[inline(always)]
fn is_word(bytes: &[u8], those: (u64, u64), code: u8) -> bool {
    let index = usize::from(code).wrapping_sub(1);
    match (ENDS.get(index), WORDS.get(index)) {
        (Some(ends), Some((name, _))) => {
            // (Nearly all are written as they are here.)
            let same = || name.as_bytes() == bytes || name.as_bytes().eq_ignore_ascii_case(bytes);
            *ends == those && same()
        }
        _ => false,
    }
}

impl Word {
    /// What the name of a struct that the file does not name means.
    pub(super) fn named(name: &str) -> Self {
        Code::of(&Text::latin1(name.as_bytes())).word()
    }

    /// The kind of property that it stands for.
    #[inline(always)]
    pub(super) const fn kind(self) -> Kind {
        match self {
            Self::Kind(kind) => kind,
            _ => Kind::Unknown,
        }
    }

    /// The struct that has no tags in a file of that layout.
    #[inline(always)]
    pub(super) fn native(self, layout: &Layout) -> Option<&'static Native> {
        match self {
            Self::Native(native) if native.is_in(layout) => Some(native),
            _ => None,
        }
    }
}

/// As many words as most packages have several times over.
const ROOM: usize = 128;

/// Which of a package's names are words, by their index: the index and, in the lowest byte, the
/// code; 0 is none.
#[derive(Debug)]
pub(crate) struct Words {
    all: [AtomicU32; ROOM],
    /// Whether there were more: then those that are not here have to be looked at.
    more: AtomicBool,
}

impl Words {
    pub(super) const fn new() -> Self {
        Self { all: [const { AtomicU32::new(0) }; ROOM], more: AtomicBool::new(false) }
    }

    /// To add all that a package has, in their order. (Who adds them a second time, beside the
    /// first, finds each place free or taken as it is about to: nothing changes.)
    pub(super) const fn adder(&self) -> Adder<'_> {
        Adder { to: self, count: 0 }
    }

    /// What the name of that index means; `None` if it has to be looked at.
    #[inline(always)]
    pub(super) fn get(&self, index: u32) -> Option<Code> {
        let mut place = index as usize % ROOM;
        loop {
            let word = self.all.get(place).map_or(0, |word| word.load(Ordering::Relaxed));
            match word.to_le_bytes() {
                [0, ..] => return (!self.more.load(Ordering::Relaxed)).then_some(Code::OTHER),
                [code, ..] if word >> 8 == index => return Some(Code(code)),
                _ => place = place.wrapping_add(1) % ROOM,
            }
        }
    }
}

/// What adds the names that are words.
pub(super) struct Adder<'w> {
    to: &'w Words,
    count: u8,
}

impl Adder<'_> {
    /// Remembers the name of that index, if it is a word.
    #[inline(always)]
    pub(super) fn add(&mut self, index: u32, text: &Text<'_>) {
        let code = code(text);
        if code != 0 {
            self.put(index, code);
        }
    }

    fn put(&mut self, index: u32, code: u8) {
        let word = index << 8 | u32::from(code);
        // Some places stay free, at which a search ends.
        if usize::from(self.count) >= ROOM / 4 * 3 || word >> 8 != index {
            self.to.more.store(true, Ordering::Relaxed);
            return;
        }
        let mut place = index as usize % ROOM;
        while let Some(at) = self.to.all.get(place) {
            let there = at.load(Ordering::Relaxed);
            if there == 0 || there == word {
                at.store(word, Ordering::Relaxed);
                break;
            }
            place = place.wrapping_add(1) % ROOM;
        }
        self.count = self.count.wrapping_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unreal::text::Form;
    use crate::unreal::wire::ByteOrder;

    #[test]
    fn all_are_found() {
        for (name, word) in WORDS {
            assert_eq!(Word::named(name), word);
        }
        assert_eq!(Word::named("nONE"), Word::None);
        let wide = |bytes, order| Code::of(&Text::new(bytes, Form::Utf16(order))).word();
        assert_eq!(wide(b"n\0O\0n\0e\0\0\0", ByteOrder::Little), Word::None);
        assert_eq!(wide(b"\0N\0o\0n\0E\0\0", ByteOrder::Big), Word::None);
        assert_eq!(Word::named("intProperty"), Word::Kind(Kind::Int));
        assert_eq!(Word::named("VECTOR2d"), Word::named("Vector2D"));
        for other in ["", "No", "Noone", "IntProperti", "Int\x10roperty", "Vector5", "Bo"] {
            assert_eq!(Word::named(other), Word::Other);
        }
        assert_eq!(Code::of(&Text::latin1(b"BoolProperty\0")).word(), Word::Kind(Kind::Bool));
    }

    #[test]
    fn more_than_there_is_room_for() {
        let words = Words::new();
        let mut all = words.adder();
        for index in 0..1000 {
            all.add(index * 3, &Text::latin1(b"None\0"));
            all.add(index * 3 + 1, &Text::latin1(b"Nine\0"));
        }
        assert_eq!(words.get(3), Some(Code::NONE));
        assert_eq!((words.get(4), words.get(900)), (None, None));
    }
}
