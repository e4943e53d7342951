//! Reads the tables of a body: a first pass checks them and counts their rows, and a second pass
//! fills the index.

use super::index::{Counts, NONE, enumeration, name, property, structure};
use super::names::compare;
use super::type_check;
use crate::buffer::sort_unstable_by;
use crate::unreal::format::{ErrorKind, FileCursor, Layout, Result};

/// The form of an enum's entries. The index stores it in the upper two bits of their number.
pub(super) mod entry_form {
    /// Only a name; the values are 0, 1, …
    pub const NAMES: u32 = 0;
    /// A value, then a name.
    pub const VALUE_FIRST: u32 = 1;
    /// A name, then a value.
    pub const NAME_FIRST: u32 = 2;
    pub const SHIFT: u32 = 30;
}

/// A row of a table.
pub(super) enum Row {
    /// The offset of a name.
    Name(u32),
    /// The name of an enum, and the offset, number and form of its entries.
    Enum {
        name: u32,
        entries: u32,
        count: u32,
        form: u32,
    },
    Struct {
        name: u32,
        above: u32,
        slots: u16,
        properties: u16,
    },
    Property {
        slot: u16,
        elements: u8,
        number: u8,
        name: u32,
        of: u32,
    },
}

/// The body while it is read.
pub(super) struct Scan<'a> {
    start: FileCursor<'a>,
    pub(super) from: FileCursor<'a>,
    version: u8,
    pub(super) names: u32,
}

impl<'a> Scan<'a> {
    /// Begins to read a body.
    ///
    /// # Errors
    /// If the body is so large that offsets in it do not fit in 32 bits.
    pub(super) fn new(body: FileCursor<'a>, version: u8) -> Result<Self> {
        let limit = u64::from(u32::MAX >> 1);
        match body.remaining() {
            size if size > limit => Err(body.error(ErrorKind::TooLarge { size, limit })),
            _ => Ok(Self { start: body, from: body, version, names: 0 }),
        }
    }

    /// Returns the offset of a position in the body.
    pub(super) fn place(&self, at: &FileCursor<'_>) -> u32 {
        u32::try_from(at.offset().saturating_sub(self.start.offset())).unwrap_or(u32::MAX)
    }

    pub(super) fn read<T: crate::unreal::format::Value<'a>>(&mut self) -> Result<T> {
        self.from.read(&Layout::default())
    }

    /// Reads the number of rows that follow. Each of them takes at least `each` bytes.
    pub(super) fn count(&mut self, each: u64) -> Result<u32> {
        self.from.count(each, &Layout::default())
    }

    /// Reads a number that takes two bytes from version `wide_from` on, and one byte before.
    fn small(&mut self, wide_from: u8) -> Result<u16> {
        match self.version >= wide_from {
            true => self.read(),
            false => self.read::<u8>().map(u16::from),
        }
    }

    /// Reads the index of a name. A negative index means no name.
    pub(super) fn name(&mut self) -> Result<u32> {
        let at = self.from;
        let index: i32 = self.read()?;
        valid_name(index, self.names, &at)
    }

    /// Reads all tables, and calls `row` with each row.
    pub(super) fn tables(&mut self, row: &mut dyn FnMut(Row) -> Result<()>) -> Result<()> {
        let count = self.count(1)?;
        for _ in 0..count {
            row(Row::Name(self.place(&self.from)))?;
            let len = self.small(2)?;
            self.from.bytes(len.into())?;
        }
        self.names = count;
        for _ in 0..self.count(5)? {
            row(self.enumeration()?)?;
        }
        for _ in 0..self.count(12)? {
            self.structure(row)?;
        }
        Ok(())
    }

    fn enumeration(&mut self) -> Result<Row> {
        let name = self.name()?;
        let count = self.small(3)?;
        let entries = self.place(&self.from);
        let form = if self.version >= 4 { entry_form::VALUE_FIRST } else { entry_form::NAMES };
        self.entries(count.into(), form)?;
        Ok(Row::Enum { name, entries, count: count.into(), form })
    }

    /// Reads the entries of an enum.
    pub(super) fn entries(&mut self, count: u32, form: u32) -> Result<()> {
        for _ in 0..count {
            if form == entry_form::VALUE_FIRST {
                self.from.bytes(8)?;
            }
            self.name()?;
            if form == entry_form::NAME_FIRST {
                self.from.bytes(8)?;
            }
        }
        Ok(())
    }

    fn structure(&mut self, row: &mut dyn FnMut(Row) -> Result<()>) -> Result<()> {
        let (name, above) = (self.name()?, self.name()?);
        let (slots, properties) = (self.read()?, self.read()?);
        row(Row::Struct { name, above, slots, properties })?;
        for _ in 0..properties {
            row(self.property()?)?;
        }
        Ok(())
    }

    fn property(&mut self) -> Result<Row> {
        let (slot, elements) = (self.read()?, self.read()?);
        let (name, at) = (self.name()?, self.from);
        let names = self.names;
        type_check::check(&mut self.from, &mut |index, at| valid_name(index, names, at).map(drop))?;
        let number = at.rest().first().copied().unwrap_or_default();
        Ok(Row::Property { slot, elements, number, name, of: self.place(&at) })
    }
}

fn valid_name(index: i32, count: u32, at: &FileCursor<'_>) -> Result<u32> {
    match u32::try_from(index) {
        Err(_) => Ok(NONE),
        Ok(name) if name < count => Ok(name),
        Ok(_) => Err(at.error(ErrorKind::NoSuchName { index, count })),
    }
}

/// Counts the rows of all tables, and checks them.
pub(super) fn count(body: FileCursor<'_>, version: u8) -> Result<Counts> {
    let mut counts = Counts::default();
    let add = |count: &mut u32| *count = count.wrapping_add(1); // each row takes a byte or more
    Scan::new(body, version)?.tables(&mut |row| {
        add(match row {
            Row::Name(_) => &mut counts.names,
            Row::Enum { .. } => &mut counts.enums,
            Row::Struct { .. } => &mut counts.structs,
            Row::Property { .. } => &mut counts.properties,
        });
        Ok(())
    })?;
    Ok(counts)
}

/// Fills the index of a body that has been checked. Returns the position after the tables.
///
/// # Errors
/// If `words` is too short.
pub(super) fn fill<'a>(
    body: FileCursor<'a>,
    version: u8,
    counts: &Counts,
    words: &mut [u32],
    beneath: &Beneath<'_>,
) -> Result<FileCursor<'a>> {
    let (size, limit) = (counts.words() as u64, words.len() as u64);
    if limit < size {
        return Err(body.error(ErrorKind::TooLarge { size, limit }));
    }
    let mut fill = Fill { counts, words, next: Counts::default() };
    let mut scan = Scan::new(body, version)?;
    scan.tables(&mut |row| {
        fill.row(row);
        Ok(())
    })?;
    fill.sort(body, version);
    fill.find_beneath(body, version, beneath);
    fill.resolve(beneath);
    fill.order_properties();
    Ok(scan.from)
}

/// The mappings that the body extends.
pub(super) struct Beneath<'b> {
    /// Number of enums in these mappings.
    pub(super) enums: u32,
    /// Number of structs in these mappings.
    pub(super) structs: u32,
    /// Returns the row of the struct or enum with the name in the first argument, or [`NONE`]. The
    /// second argument is `name::STRUCT` or `name::ENUM`.
    pub(super) row: &'b dyn Fn(&[u8], usize) -> u32,
}

/// Marks a super struct that the mappings do not have. The other bits are the index of its name.
pub(super) const MISSING: u32 = 1 << 31;

struct Fill<'w> {
    counts: &'w Counts,
    words: &'w mut [u32],
    /// The next row of each table.
    next: Counts,
}

impl Fill<'_> {
    fn set<const N: usize>(&mut self, at: usize, row: [u32; N]) {
        let place = self.words.get_mut(at..).and_then(<[u32]>::first_chunk_mut);
        if let Some(place) = place {
            *place = row;
        }
    }

    fn get(&self, at: usize) -> u32 {
        self.words.get(at).copied().unwrap_or(NONE)
    }

    fn row(&mut self, row: Row) {
        let counts = self.counts;
        let next = |count: &mut u32| core::mem::replace(count, count.wrapping_add(1));
        match row {
            Row::Name(offset) => {
                let row = next(&mut self.next.names);
                self.set(counts.name_at(row, 0), [offset, NONE, NONE, NONE]);
            }
            Row::Enum { name, entries, count, form } => {
                let row = next(&mut self.next.enums);
                let count = count | form.wrapping_shl(entry_form::SHIFT);
                self.set(counts.enum_at(row, 0), [name, entries, count]);
            }
            Row::Struct { name, above, slots, properties } => {
                let row = next(&mut self.next.structs);
                let both = u32::from(slots).wrapping_shl(16) | u32::from(properties);
                let first = self.next.properties;
                self.set(counts.struct_at(row, 0), [name, above, first, both]);
            }
            Row::Property { slot, elements, number, name, of } => {
                let row = next(&mut self.next.properties);
                let [low, high] = slot.to_le_bytes();
                let head = u32::from_le_bytes([number, elements, low, high]);
                self.set(counts.property_at(row, 0), [head, name, of]);
            }
        }
    }

    /// Sorts the names by their texts, and stores for each name the first one with the same text.
    fn sort(&mut self, body: FileCursor<'_>, version: u8) {
        let count = self.counts.names as usize;
        let Some((sorted, tables)) = self.words.split_at_mut_checked(count) else { return };
        sorted.iter_mut().zip(0..).for_each(|(place, index)| *place = index);
        let rows = tables.as_chunks::<{ name::COLUMNS }>().0;
        let offset = |row: u32| rows.get(row as usize).map_or(0, |row| row[name::OFFSET]);
        let text = |row: u32| name_at(&body, version, offset(row));
        sort_unstable_by(sorted, |a, b| compare(text(*a), text(*b)).then(a.cmp(b)));
        let mut first = (NONE, &b""[..]);
        for at in 0..count {
            let row = self.get(at);
            let at = self.counts.name_at(row, name::OFFSET);
            let text = name_at(&body, version, self.get(at));
            if first.0 == NONE || !text.eq_ignore_ascii_case(first.1) {
                first = (row, text);
            }
            self.set(self.counts.name_at(row, name::SAME), [first.0]);
        }
    }

    /// Returns the first name with the same text, or [`NONE`] for no name.
    fn same(&self, row: u32) -> u32 {
        match row {
            NONE => NONE,
            _ => self.get(self.counts.name_at(row, name::SAME)),
        }
    }

    /// Stores, for each name in the body, the struct and the enum that have this name in the
    /// mappings that the body extends.
    fn find_beneath(&mut self, body: FileCursor<'_>, version: u8, beneath: &Beneath<'_>) {
        if beneath.structs == 0 && beneath.enums == 0 {
            return;
        }
        for name in 0..self.counts.names {
            if self.same(name) != name {
                continue;
            }
            let offset = self.get(self.counts.name_at(name, name::OFFSET));
            let text = name_at(&body, version, offset);
            for column in [name::STRUCT, name::ENUM] {
                self.set(self.counts.name_at(name, column), [(beneath.row)(text, column)]);
            }
        }
    }

    /// Stores the struct and the enum with each name, and the super struct of each struct. If
    /// several structs or several enums have the same name, the first enum and the last struct are
    /// used, as in other readers.
    fn resolve(&mut self, beneath: &Beneath<'_>) {
        const DONE: u32 = 1 << 31; // rows and names have smaller numbers
        let counts = self.counts;
        for row in (0..counts.enums).rev() {
            let name = self.same(self.get(counts.enum_at(row, enumeration::NAME)));
            if name != NONE {
                let row = row.saturating_add(beneath.enums);
                self.set(counts.name_at(name, name::ENUM), [row]);
            }
        }
        for row in 0..counts.structs {
            let name = self.same(self.get(counts.struct_at(row, structure::NAME)));
            let at = counts.struct_at(row, structure::SUPER);
            let above = self.same(self.get(at));
            if name == NONE {
                continue;
            }
            let place = counts.name_at(name, name::STRUCT);
            // If a struct has the name of its super struct, the super struct is the last one with
            // this name before it in the table.
            if above == name {
                let before = self.get(place);
                self.set(at, [before | DONE]);
            }
            self.set(place, [row.saturating_add(beneath.structs)]);
        }
        for row in 0..counts.structs {
            let at = counts.struct_at(row, structure::SUPER);
            let above = match self.get(at) {
                NONE => NONE,
                row if row & DONE != 0 => row & !DONE,
                name => match self.get(counts.name_at(self.same(name), name::STRUCT)) {
                    NONE => name | MISSING,
                    row => row,
                },
            };
            self.set(at, [above]);
        }
    }

    /// Sorts the properties of each struct by their slots. Nearly all files have them in order.
    fn order_properties(&mut self) {
        for row in 0..self.counts.structs {
            let first = self.get(self.counts.struct_at(row, structure::FIRST));
            let count = self.get(self.counts.struct_at(row, structure::COUNTS)) & 0xFFFF;
            let from = self.counts.property_at(first, 0);
            let to = self.counts.property_at(first.saturating_add(count), 0);
            let words = self.words.get_mut(from..to).unwrap_or_default();
            let rows = words.as_chunks_mut::<{ property::COLUMNS }>().0;
            let slot = |row: &[u32; property::COLUMNS]| row[property::HEAD].wrapping_shr(16);
            if !rows.is_sorted_by_key(slot) {
                let key = |row: &[u32; property::COLUMNS]| (slot(row), row[property::TYPE]);
                sort_unstable_by(rows, |a, b| key(a).cmp(&key(b)));
            }
        }
    }
}

/// Returns the bytes of the name at an offset of the body.
#[inline]
pub(super) fn name_at<'a>(body: &FileCursor<'a>, version: u8, offset: u32) -> &'a [u8] {
    let rest = body.rest().get(offset as usize..).unwrap_or_default();
    let (len, text) = match (version >= 2, rest) {
        (false, [len, text @ ..]) => (usize::from(*len), text),
        (true, [low, high, text @ ..]) => (usize::from(u16::from_le_bytes([*low, *high])), text),
        _ => return &[],
    };
    text.get(..len).unwrap_or_default()
}
