//! The table of entries, from version 10 on.

use super::entry::Entry;
use super::format::{Format, LAYOUT};
use super::path::EntryPath;
use crate::unreal::format::{Error, ErrorKind, FileCursor, Result};

/// The entries of an index from version 10 on. The other parts of the index refer to each entry by
/// its location.
#[derive(Clone, Debug)]
pub(super) struct EntryTable<'a> {
    /// Encoded entries. A location that is not negative is an offset in these bytes.
    encoded: FileCursor<'a>,
    /// Entries that cannot be encoded. A location -1 - n refers to entry n.
    listed: FileCursor<'a>,
    count: u32,
    /// Offsets in `listed` of every 2ⁿth entry, where n is `shift`.
    marks: [u32; MARKS],
    shift: u32,
}

/// Maximum number of stored offsets of entries that cannot be encoded.
const MARKS: usize = 128;

/// The location of a file that a patch removes.
const NOWHERE: i32 = i32::MIN;

impl<'a> EntryTable<'a> {
    /// Reads both lists of entries, and stores some of the offsets in the second one.
    pub(super) fn read(from: &mut FileCursor<'a>, format: &Format<'a>) -> Result<Self> {
        let size = from.count(1, LAYOUT)?;
        let encoded = from.window(size.into())?;
        let count = from.count(format.header_size(None), LAYOUT)?;
        let mut shift = 0u32;
        while count.wrapping_shr(shift) as usize >= MARKS {
            shift = shift.saturating_add(1);
        }
        let mut table = Self { encoded, listed: *from, count, marks: [0; MARKS], shift };
        for index in 0..count {
            if index & 1u32.wrapping_shl(shift).wrapping_sub(1) == 0
                && let Some(mark) = table.marks.get_mut(index.wrapping_shr(shift) as usize)
            {
                *mark = u32::try_from(from.since(&table.listed).len()).unwrap_or(u32::MAX);
            }
            // An unknown method is an error of this entry only.
            let _ = Entry::read_listed(from, EntryPath::Hash(0), format)?;
        }
        Ok(table)
    }

    /// Returns the entry at a location.
    pub(super) fn get(
        &self,
        location: i32,
        path: EntryPath<'a>,
        format: &Format<'a>,
        at: u64,
    ) -> Result<Entry<'a>> {
        let missing = || Error::new(ErrorKind::BadOffset(location.into()), at);
        if location == NOWHERE {
            return Ok(Entry::deleted(path));
        }
        if let Ok(offset) = u64::try_from(location) {
            let mut from = self.encoded;
            from.bytes(offset).map_err(|_| missing())?;
            return Entry::read_encoded(&mut from, path, format);
        }
        let index = !location.cast_unsigned();
        if index >= self.count {
            return Err(missing());
        }
        let nearest = index.wrapping_shr(self.shift);
        let mark = self.marks.get(nearest as usize).copied().unwrap_or_default();
        let mut from = self.listed;
        from.bytes(mark.into())?;
        for _ in nearest.wrapping_shl(self.shift)..index {
            let _ = Entry::read_listed(&mut from, path, format)?;
        }
        Entry::read_listed(&mut from, path, format)?
    }
}
