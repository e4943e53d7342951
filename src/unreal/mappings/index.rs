//! The index of mappings: tables of 32-bit words, in allocated memory or in memory that the caller
//! supplies.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// The word that stands for no struct, no enum or no name.
pub(crate) const NONE: u32 = u32::MAX;

/// The words of an index.
#[derive(Clone, Debug)]
pub(super) enum Words<'a> {
    #[cfg(feature = "alloc")]
    Owned(Vec<u32>),
    Borrowed(&'a [u32]),
}

impl Words<'_> {
    #[inline(always)]
    pub(super) fn get(&self, at: usize) -> u32 {
        let words = match self {
            #[cfg(feature = "alloc")]
            Self::Owned(words) => words,
            Self::Borrowed(words) => *words,
        };
        words.get(at).copied().unwrap_or(NONE)
    }
}

/// The numbers of rows of the tables.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) names: u32,
    pub(super) enums: u32,
    pub(super) structs: u32,
    pub(super) properties: u32,
}

/// Columns of a name: the offset at which its length and text are stored; the index of the first
/// name with the same text, apart from ASCII case; the rows of the struct and the enum with this
/// text, which are set only in the row of that first name.
pub(super) mod name {
    pub const OFFSET: usize = 0;
    pub const SAME: usize = 1;
    pub const STRUCT: usize = 2;
    pub const ENUM: usize = 3;
    pub const COLUMNS: usize = 4;
}

/// Columns of a struct: its name; the row of its super struct; the row of its first property; its
/// number of slots in the upper half of the word, and its number of properties in the lower half.
pub(super) mod structure {
    pub const NAME: usize = 0;
    pub const SUPER: usize = 1;
    pub const FIRST: usize = 2;
    pub const COUNTS: usize = 3;
    pub const COLUMNS: usize = 4;
}

/// Columns of an enum: its name; the offset of its entries; the form of the entries in the upper
/// two bits of the word, and the number of entries in the other bits.
pub(super) mod enumeration {
    pub const NAME: usize = 0;
    pub const ENTRIES: usize = 1;
    pub const COUNT: usize = 2;
    pub const COLUMNS: usize = 3;
}

/// Columns of a property: its first slot in the upper half of the word, its number of elements in
/// the next byte, and the number of its type in the lowest byte; its name; the offset of its type.
pub(super) mod property {
    pub const HEAD: usize = 0;
    pub const NAME: usize = 1;
    pub const TYPE: usize = 2;
    pub const COLUMNS: usize = 3;
}

impl Counts {
    /// Returns the number of words of the index.
    pub(super) fn words(&self) -> usize {
        self.property_at(self.properties, 0)
    }

    #[inline(always)]
    pub(super) fn name_at(&self, row: u32, column: usize) -> usize {
        // The sorted list of names precedes the tables.
        place(self.names as usize, row, name::COLUMNS, column)
    }

    #[inline(always)]
    pub(super) fn struct_at(&self, row: u32, column: usize) -> usize {
        place(self.name_at(self.names, 0), row, structure::COLUMNS, column)
    }

    #[inline(always)]
    pub(super) fn enum_at(&self, row: u32, column: usize) -> usize {
        place(self.struct_at(self.structs, 0), row, enumeration::COLUMNS, column)
    }

    #[inline(always)]
    pub(super) fn property_at(&self, row: u32, column: usize) -> usize {
        place(self.enum_at(self.enums, 0), row, property::COLUMNS, column)
    }
}

#[inline(always)]
const fn place(table: usize, row: u32, columns: usize, column: usize) -> usize {
    table.saturating_add((row as usize).saturating_mul(columns)).saturating_add(column)
}
