//! From names and ids to kinds, by tables that the compiler makes out of the one.

#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    reason = "at compile time"
)]

#[cfg(feature = "alloc")]
use super::Regime;
use super::{Kind, Row, Scalar, TABLE};

const _: () = {
    let mut at = 0;
    while at < TABLE.len() {
        assert!(TABLE[at].kind as usize == at, "rows stand in the order of the enum");
        at += 1;
    }
};

/// What is asked of a kind for each value: a row of the table in eight bytes.
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
        // There is one for each; the compiler knows, too.
        SHAPES[self as usize]
    }

    /// The kind whose name is that letter: most properties are of one of these.
    #[inline(always)]
    pub(crate) fn of_letter(letter: u8) -> Option<Self> {
        LETTERS[letter as usize]
    }

    /// The kind of that name, by any writer.
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

    /// The kind of that id, and how many arrays are around it.
    #[cfg(feature = "alloc")]
    #[inline]
    pub(crate) fn of_id(id: u8, regime: Regime) -> Option<(Self, u8)> {
        *BY_ID.get(regime as usize)?.get(usize::from(id))?
    }
}

/// A name in one number, behind a 1: no kind has one of more than seven bytes.
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

/// The names by their [`hash`], or behind that place.
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

/// The kind and the number of arrays of each id, by [`Regime`].
#[cfg(feature = "alloc")]
static BY_ID: [[Option<(Kind, u8)>; 256]; 4] = {
    let mut table = [[None; 256]; 4];
    let mut regime = 0;
    while regime < table.len() {
        let mut row = 0;
        while row < TABLE.len() {
            let mut dim = 0;
            while dim < 3 {
                let id = TABLE[row].ids[regime][dim] as usize;
                if id != 0 {
                    assert!(table[regime][id].is_none(), "an id stands for one thing");
                    table[regime][id] = Some((TABLE[row].kind, dim as u8));
                }
                dim += 1;
            }
            row += 1;
        }
        regime += 1;
    }
    // See the note about i16 at the table.
    table[Regime::R2 as usize][16] = Some((Kind::I16, 0));
    table[Regime::R1 as usize][16] = Some((Kind::I16, 0));
    table
};
