//! Lookup of kinds by name and by id, in tables computed at compile time.

#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    reason = "evaluated at compile time"
)]

#[cfg(feature = "alloc")]
use super::IdScheme;
use super::{Kind, Row, Scalar, TABLE};

const _: () = {
    let mut at = 0;
    while at < TABLE.len() {
        assert!(TABLE[at].kind as usize == at, "rows stand in the order of the enum");
        at += 1;
    }
};

/// The shape of the values of a kind, packed into six bytes.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) scalar: Scalar,
    pub(super) parts: u8,
    pub(super) columns: u8,
    pub(super) rows: u8,
    pub(super) size: u8,
    pub(super) brackets: u8,
}

impl Shape {
    const fn of(row: &Row) -> Self {
        let Row { scalar, columns, rows, .. } = *row;
        let parts = columns * rows;
        let brackets = if parts == 1 { 0 } else { 1 + (columns > 1) as u8 };
        Self { scalar, parts, columns, rows, size: parts * scalar.size() as u8, brackets }
    }
}

static SHAPES: [Shape; TABLE.len()] = {
    let mut shapes = [Shape::of(&TABLE[0]); TABLE.len()];
    let mut at = 0;
    while at < TABLE.len() {
        shapes[at] = Shape::of(&TABLE[at]);
        at += 1;
    }
    shapes
};

impl Kind {
    #[inline(always)]
    pub(super) fn shape(self) -> Shape {
        // There is an entry for every kind, so the compiler drops the bounds check.
        SHAPES[self as usize]
    }

    /// Returns the kind whose name consists of this letter. Most properties have a kind whose name
    /// is a single letter.
    #[inline(always)]
    pub(crate) fn of_letter(letter: u8) -> Option<Self> {
        LETTERS[letter as usize]
    }

    /// Returns the kind that has this name. Accepts the names of all versions of the engine.
    #[inline(never)]
    pub(crate) fn named(name: &[u8]) -> Option<Self> {
        let word = word(name)?;
        let mut at = hash(word);
        loop {
            match NAMES.get(at) {
                Some((found, kind)) if *found == word => return Some(*kind),
                Some((0, _)) | None => return None,
                _ => at = at.wrapping_add(1) % NAMES.len(),
            }
        }
    }

    /// Returns the kind that an id stands for, and the number of array dimensions.
    #[cfg(feature = "alloc")]
    #[inline]
    pub(crate) fn of_id(id: u8, id_scheme: IdScheme) -> Option<(Self, u8)> {
        *BY_ID.get(id_scheme as usize)?.get(usize::from(id))?
    }
}

/// Packs a name into a word, after a leading byte with the value 1. No kind has a name of more than
/// seven bytes.
#[inline]
const fn word(name: &[u8]) -> Option<u64> {
    let (mut word, mut rest) = (1, name);
    if name.is_empty() || name.len() > 7 {
        return None;
    }
    while let [byte, behind @ ..] = rest {
        word = word << 8 | *byte as u64;
        rest = behind;
    }
    Some(word)
}

#[inline]
const fn hash(word: u64) -> usize {
    (word.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize
}

static LETTERS: [Option<Kind>; 256] = {
    let mut letters = [None; 256];
    let mut at = 0;
    while at < TABLE.len() {
        if let [letter] = TABLE[at].name.as_bytes() {
            letters[*letter as usize] = Some(TABLE[at].kind);
        }
        at += 1;
    }
    letters
};

/// Hash table of names with linear probing, indexed by [`hash`].
static NAMES: [(u64, Kind); 256] = {
    let mut table = [(0, Kind::Bool); 256];
    let mut row = 0;
    while row < TABLE.len() {
        let Row { name, name_2021, aliases, .. } = &TABLE[row];
        table = with_name(table, name, TABLE[row].kind);
        if let Some(name) = name_2021 {
            table = with_name(table, name, TABLE[row].kind);
        }
        let mut alias = 0;
        while alias < aliases.len() {
            table = with_name(table, aliases[alias], TABLE[row].kind);
            alias += 1;
        }
        row += 1;
    }
    table
};

const fn with_name(mut table: [(u64, Kind); 256], name: &str, kind: Kind) -> [(u64, Kind); 256] {
    let Some(word) = word(name.as_bytes()) else { panic!("the name is too long") };
    let mut at = hash(word);
    while table[at].0 != 0 && table[at].0 != word {
        at = (at + 1) % table.len();
    }
    table[at] = (word, kind);
    table
}

/// Kind and number of array dimensions by id, for each [`IdScheme`].
#[cfg(feature = "alloc")]
static BY_ID: [[Option<(Kind, u8)>; 256]; 4] = {
    let mut table = [[None; 256]; 4];
    let mut id_scheme = 0;
    while id_scheme < table.len() {
        let mut row = 0;
        while row < TABLE.len() {
            let mut dim = 0;
            while dim < 3 {
                let id = TABLE[row].ids[id_scheme][dim] as usize;
                if id != 0 {
                    assert!(table[id_scheme][id].is_none(), "an id stands for one thing");
                    table[id_scheme][id] = Some((TABLE[row].kind, dim as u8));
                }
                dim += 1;
            }
            row += 1;
        }
        id_scheme += 1;
    }
    // The readers of these versions expected id 16 for a single `i16`; see the comment at `TABLE`.
    table[IdScheme::October2021 as usize][16] = Some((Kind::I16, 0));
    table[IdScheme::August2021 as usize][16] = Some((Kind::I16, 0));
    table
};
