//! Sequences of values.

use super::cursor::FileCursor;
use super::error::Result;
use super::layout::Layout;
use super::link::Link;
use super::sampled_index::{SampledIndex, Values};
use super::value::{Value, put};
use super::version_ranges::{VersionRange, for_version_range};
use crate::buffer::{Full, Sink};
use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

/// An iterator over the records of a table. Each record is read on demand, and reading it can fail.
/// After an error, the iterator ends.
pub struct Records<'a, T> {
    input: FileCursor<'a>,
    left: u32,
    range: VersionRange,
    layout: Layout,
    of: PhantomData<fn() -> T>,
}

/// Upper bound for the size in bytes of a record with fixed-size fields.
const MOST: u64 = 256;

impl<'a, T: Value<'a>> Records<'a, T> {
    pub(crate) fn new(input: FileCursor<'a>, count: u32, layout: Layout) -> Self {
        let range = if T::IS_SPECIALIZED { VersionRange::of(&layout) } else { VersionRange::NONE };
        Self { input, left: count, range, layout, of: PhantomData }
    }

    /// Reads the next record. `layout` must be equivalent to `self.layout`.
    #[inline(always)]
    fn next_in(&mut self, layout: &Layout) -> Option<Result<T>> {
        let mut at = self.input;
        let record = T::read(&mut at, layout);
        self.input = at;
        if record.is_err() {
            self.left = 0;
        }
        Some(record)
    }

    /// Reads the next record with the layout for the version range `RANGE`, which is known at
    /// compile time. This function is not inlined. If it were, the code for all ranges would write
    /// the result to the same place on the stack, and copy it from there.
    #[inline(never)]
    fn next_in_range<const RANGE: usize>(&mut self) -> Option<Result<T>> {
        let layout = self.layout.for_version_range::<RANGE>();
        if self.input.remaining() < MOST {
            return self.next_in(&layout);
        }
        // With this many bytes left, the compiler can omit the bounds checks of fixed-size fields.
        self.next_in(&layout)
    }

    pub(crate) fn none(layout: Layout) -> Self {
        Self::new(FileCursor::new(&[], 0), 0, layout)
    }

    /// Returns the record at `index`, counted from the next record, in a table whose records all
    /// have the same size.
    pub(crate) fn fixed_size_at(&self, index: u32) -> Option<T> {
        let mut from = self.input;
        from.read::<T>(&self.layout).ok()?;
        let size = from.since(&self.input).len() as u64;
        let mut from = self.input;
        from.bytes(size.checked_mul(index.into())?).ok()?;
        (index < self.left).then_some(())?;
        from.read(&self.layout).ok()
    }

    /// Returns a cursor at the next record.
    pub(crate) const fn input(&self) -> FileCursor<'a> {
        self.input
    }

    /// Returns the first `count` of the remaining records, or all if there are fewer.
    pub(crate) fn first(self, count: u32) -> Self {
        Self { left: self.left.min(count), ..self }
    }

    /// Returns the offset of the next record in the file.
    pub fn offset(&self) -> u64 {
        self.input.offset()
    }

    /// Returns the remaining records as a sequence with access by index.
    pub(crate) const fn indexed<const MARKS: usize>(&self) -> SampledIndex<'a, Values<T>, MARKS> {
        SampledIndex::new(Values::NEW, self.input, self.left)
    }

    /// Reads all records, and returns the position after the last one.
    pub(crate) fn end(mut self) -> Result<FileCursor<'a>> {
        match self.try_for_each(|record| record.map(drop)) {
            Ok(()) => Ok(self.input),
            Err(error) => Err(error),
        }
    }
}

impl<T> Clone for Records<'_, T> {
    fn clone(&self) -> Self {
        Self { of: PhantomData, ..*self }
    }
}

impl<T> fmt::Debug for Records<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Records").field("left", &self.left).finish_non_exhaustive()
    }
}

impl<'a, T: Value<'a>> Iterator for Records<'a, T> {
    type Item = Result<T>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let layout = self.layout;
        match T::IS_SPECIALIZED && !cfg!(gamewire_small) {
            true => {
                for_version_range!(self.range, RANGE => self.next_in_range::<RANGE>(), self.next_in(&layout))
            }
            false => self.next_in(&layout),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl<'a, T: Value<'a>> ExactSizeIterator for Records<'a, T> {}
impl<'a, T: Value<'a>> FusedIterator for Records<'a, T> {}

/// A counted list of values (`TArray`). The list was checked when it was read, so reading its
/// values does not fail.
pub struct List<'a, T> {
    input: FileCursor<'a>,
    count: u32,
    layout: Layout,
    of: PhantomData<fn() -> T>,
}

impl<'a, T: Value<'a>> List<'a, T> {
    /// Reads `count` values, and moves `from` past them.
    pub(crate) fn counted(from: &mut FileCursor<'a>, count: u32, layout: &Layout) -> Result<Self> {
        let start = *from;
        // If the values have a fixed size and no invalid bit patterns, they need not be read.
        let size = T::size(layout).and_then(|each| each.checked_mul(count.into()));
        if size.and_then(|size| from.bytes(size).ok()).is_none() {
            *from = Records::<T>::new(start, count, *layout).end()?;
        }
        Ok(Self { input: start.until(from), count, layout: *layout, of: PhantomData })
    }

    /// Returns an iterator over the values.
    pub fn iter(&self) -> Records<'a, T> {
        Records::new(self.input, self.count, self.layout)
    }

    /// Returns the number of values.
    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// Returns `true` if the list is empty.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the layout of the values.
    #[cfg(feature = "serde")]
    pub(crate) const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the bytes of the values, without their count.
    pub fn bytes(&self) -> &'a [u8] {
        self.input.rest()
    }

    /// Writes the values without their count.
    pub(crate) fn write_values<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        if *layout == self.layout {
            return put(to, self.bytes());
        }
        self.iter().flatten().try_for_each(|value| value.write(to, layout))
    }
}

impl<'a, T: Value<'a>> Value<'a> for List<'a, T> {
    const LEAST: u64 = 4;

    #[inline]
    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        let count = from.count(T::LEAST, layout)?;
        Self::counted(from, count, layout)
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        self.count.write(to, layout)?;
        self.write_values(to, layout)
    }

    fn links(&self, _: &Layout, to: &mut dyn FnMut(Link)) {
        self.iter().flatten().for_each(|value| value.links(&self.layout, to));
    }
}

impl<T> Clone for List<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for List<'_, T> {}

impl<T> Default for List<'_, T> {
    fn default() -> Self {
        let layout = Layout::default();
        Self { input: FileCursor::new(&[], 0), count: 0, layout, of: PhantomData }
    }
}

impl<'a, T: Value<'a> + fmt::Debug> fmt::Debug for List<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().flatten()).finish()
    }
}

impl<'a, T: Value<'a> + PartialEq> PartialEq for List<'a, T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<'a, T: Value<'a>> IntoIterator for List<'a, T> {
    type Item = Result<T>;
    type IntoIter = Records<'a, T>;

    fn into_iter(self) -> Records<'a, T> {
        self.iter()
    }
}
