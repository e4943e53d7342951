//! The index of mappings: tables of 32-bit words, allocated or in memory of the caller.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// The word for nothing: no struct, no enum, no name.
pub(crate) const NONE: u32 = u32::MAX;

/// Memory of an index.
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

/// Columns of a name: the offset of its length; the first name in the sorted list with the same text;
/// the struct and the enum with this name, which only that first name has.
pub(super) mod name {
    pub const OFFSET: usize = 0;
    pub const SAME: usize = 1;
    pub const STRUCT: usize = 2;
    pub const ENUM: usize = 3;
    pub const COLUMNS: usize = 4;
}

/// Columns of a struct: its name, its super struct, its first property, and the number of its slots
/// in the upper and of its properties in the lower half.
pub(super) mod structure {
    pub const NAME: usize = 0;
    pub const SUPER: usize = 1;
    pub const FIRST: usize = 2;
    pub const COUNTS: usize = 3;
    pub const COLUMNS: usize = 4;
}

/// Columns of an enum: its name, the offset of its entries, and their number below their form.
pub(super) mod enumeration {
    pub const NAME: usize = 0;
    pub const ENTRIES: usize = 1;
    pub const COUNT: usize = 2;
    pub const COLUMNS: usize = 3;
}

/// Columns of a property: the slot in the upper half, the number of elements and the number of the
/// type in the other bytes; its name; the offset of its type.
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
