//! A visitor that records the ends of containers.

use super::IndexEntry;
use crate::buffer::Full;
use crate::godot::read::walk::{Leaf, Open, Property, Visitor};
use crate::godot::{Error, Kind, Result};

/// The number that an open container stores as its parent's entry if it has no parent.
const OUTERMOST: u32 = u32::MAX;

/// A visitor that writes the entries, in the order in which the containers open.
pub(super) struct Builder<'m> {
    entries: &'m mut [IndexEntry],
    /// Number of containers, including those that did not fit.
    len: usize,
    /// Index of the entry of the innermost open container.
    innermost: u32,
    base: u64,
}

impl<'m> Builder<'m> {
    pub(super) fn new(entries: &'m mut [IndexEntry], base: u64) -> Self {
        Self { entries, len: 0, innermost: OUTERMOST, base }
    }

    /// Returns the entries, if all fit.
    pub(super) fn finish(self) -> core::result::Result<&'m [IndexEntry], Full> {
        let Self { entries, len, .. } = self;
        let missing = len.saturating_sub(entries.len()).saturating_mul(size_of::<IndexEntry>());
        let missing = u32::try_from(missing).unwrap_or(u32::MAX);
        entries.get(..len).ok_or(Full { missing })
    }

    /// Converts an offset in the input to an offset in the window, the bytes that the value can
    /// occupy. The result fits in 32 bits, because a window is smaller than 2 GiB.
    #[inline(always)]
    fn in_window(&self, offset: u64) -> u32 {
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
        let start = self.in_window(open.offset);
        if let Some(entry) = self.entries.get_mut(self.len) {
            *entry = IndexEntry { len: start, nested: self.innermost };
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
        Ok(()) // handled by `close_at`
    }

    #[inline(always)]
    fn close_at(&mut self, _: Kind, end: u64) -> Result<()> {
        let end = self.in_window(end);
        let own = self.innermost;
        // When the memory is full, containers are only counted.
        if self.len <= self.entries.len()
            && let Some(entry) = self.entries.get_mut(own as usize)
        {
            self.innermost = entry.nested;
            entry.len = end.wrapping_sub(entry.len);
            entry.nested = (self.len as u32).wrapping_sub(own).wrapping_sub(1);
        }
        Ok(())
    }
}
