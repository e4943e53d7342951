//! One pass over a value that notes where its containers end.

use super::IndexEntry;
use crate::buffer::Full;
use crate::godot::read::walk::{Leaf, Open, Property, Visitor};
use crate::godot::{Error, Kind, Result};

/// No container is around this one.
const OUTERMOST: u32 = u32::MAX;

/// Makes the entries, in the order in which containers open.
pub(super) struct Builder<'m> {
    entries: &'m mut [IndexEntry],
    /// How many there are, those without room included.
    len: usize,
    /// The entry of the container that was opened last and is not closed.
    innermost: u32,
    base: u64,
}

impl<'m> Builder<'m> {
    pub(super) fn new(entries: &'m mut [IndexEntry], base: u64) -> Self {
        Self { entries, len: 0, innermost: OUTERMOST, base }
    }

    /// The entries, if there was room for all.
    pub(super) fn finish(self) -> core::result::Result<&'m [IndexEntry], Full> {
        let Self { entries, len, .. } = self;
        let missing = len.saturating_sub(entries.len()).saturating_mul(size_of::<IndexEntry>());
        let missing = u32::try_from(missing).unwrap_or(u32::MAX);
        entries.get(..len).ok_or(Full { missing })
    }

    /// Where that is in the window, which has less than 2 GiB.
    #[inline(always)]
    fn place(&self, offset: u64) -> u32 {
        offset.wrapping_sub(self.base) as u32
    }
}

impl<'a> Visitor<'a> for Builder<'_> {
    type Error = Error;
    const SILENT: bool = true;

    #[inline(always)]
    fn leaf(&mut self, _: Leaf<'a>) -> Result<()> {
        Ok(())
    }

    #[inline(always)]
    fn open(&mut self, open: Open<'a>) -> Result<()> {
        let start = self.place(open.offset);
        if let Some(entry) = self.entries.get_mut(self.len) {
            *entry = IndexEntry { len: start, inside: self.innermost };
            self.innermost = self.len as u32;
        }
        self.len = self.len.wrapping_add(1);
        Ok(())
    }

    fn property(&mut self, _: Property<'a>) -> Result<()> {
        Ok(())
    }

    #[inline(always)]
    fn close(&mut self, _: Kind) -> Result<()> {
        Ok(()) // see below
    }

    #[inline(always)]
    fn close_at(&mut self, _: Kind, end: u64) -> Result<()> {
        let end = self.place(end);
        let own = self.innermost;
        // Once there is no room, entries are only counted.
        if self.len <= self.entries.len()
            && let Some(entry) = self.entries.get_mut(own as usize)
        {
            self.innermost = entry.inside;
            entry.len = end.wrapping_sub(entry.len);
            entry.inside = (self.len as u32).wrapping_sub(own).wrapping_sub(1);
        }
        Ok(())
    }
}
