//! Access by index to values of variable size.

use super::cursor::FileCursor;
use super::error::Result;
use super::layout::Layout;
use super::value::Value;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// A way to read the items of a sequence.
pub(crate) trait ReadItem<'a>: Copy {
    type Item;

    /// Reads the item with this index. `from` is at its start, and is moved to its end.
    fn read_item(
        &self,
        index: u32,
        from: &mut FileCursor<'a>,
        layout: &Layout,
    ) -> Result<Self::Item>;
}

/// The way to read items that are [`Value`]s.
#[derive(Debug)]
pub(crate) struct Values<T>(PhantomData<fn() -> T>);

impl<T> Values<T> {
    pub(crate) const NEW: Self = Self(PhantomData);
}

impl<T> Clone for Values<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Values<T> {}

impl<'a, T: Value<'a>> ReadItem<'a> for Values<T> {
    type Item = T;

    #[inline(always)]
    fn read_item(&self, _: u32, from: &mut FileCursor<'a>, layout: &Layout) -> Result<T> {
        T::read(from, layout)
    }
}

/// A sequence of items with access by index. The offset of every 2ⁿth item is stored, without
/// allocation. To find an item, the items are read from the nearest stored offset before it.
///
/// The offsets are computed at the first access. If two threads compute them at the same time, both
/// store the same offsets.
#[derive(Debug)]
pub(crate) struct SampledIndex<'a, R, const MARKS: usize> {
    items: R,
    input: FileCursor<'a>,
    count: u32,
    /// Binary logarithm of the number of values between two samples.
    shift: u32,
    is_ready: AtomicBool,
    marks: [AtomicU32; MARKS],
    /// Offset of each value, if an index of all values was requested.
    #[cfg(feature = "alloc")]
    every: Vec<u32>,
}

/// Marker for an offset that is unknown or does not fit in 32 bits.
const NOWHERE: u32 = u32::MAX;

impl<'a, R: ReadItem<'a>, const MARKS: usize> SampledIndex<'a, R, MARKS> {
    /// Creates a sequence of `count` items at `input`.
    pub(crate) const fn new(items: R, input: FileCursor<'a>, count: u32) -> Self {
        Self {
            items,
            input,
            count,
            shift: Self::shift_for(count),
            is_ready: AtomicBool::new(false),
            marks: [const { AtomicU32::new(NOWHERE) }; MARKS],
            #[cfg(feature = "alloc")]
            every: Vec::new(),
        }
    }

    /// Returns the binary logarithm of the distance of samples in a sequence of `count` items.
    const fn shift_for(count: u32) -> u32 {
        let mut shift = 0u32;
        while count.wrapping_shr(shift) as usize >= MARKS {
            shift = shift.wrapping_add(1);
        }
        shift
    }

    /// Sets the bytes and the number of items of a sequence that has not been used.
    pub(crate) const fn set_input(&mut self, input: FileCursor<'a>, count: u32) {
        (self.input, self.count, self.shift) = (input, count, Self::shift_for(count));
    }

    /// Creates an empty sequence.
    pub(crate) const fn none(items: R) -> Self {
        Self::new(items, FileCursor::new(&[], 0), 0)
    }

    /// Computes the offsets if they have not been computed yet, and calls `each` for each value.
    /// Stops at a value that cannot be read.
    #[inline(always)]
    pub(crate) fn prepare(&self, layout: &Layout, each: impl FnMut(u32, &R::Item)) {
        self.prepare_as(self.items, layout, each);
    }

    /// Does the same as [`prepare`](Self::prepare). `items` and `layout` must be equivalent to those
    /// of the sequence. If they are constants, this is faster.
    #[inline(always)]
    pub(crate) fn prepare_as(&self, items: R, layout: &Layout, each: impl FnMut(u32, &R::Item)) {
        if !self.is_ready() {
            self.walk(items, layout, each);
            self.is_ready.store(true, Ordering::Release);
        }
    }

    /// Returns `true` if the offsets have been computed.
    #[inline(always)]
    pub(crate) fn is_ready(&self) -> bool {
        self.is_ready.load(Ordering::Acquire)
    }

    #[inline(always)]
    fn walk(&self, items: R, layout: &Layout, mut each: impl FnMut(u32, &R::Item)) {
        let between = 1u32.wrapping_shl(self.shift).wrapping_sub(1);
        let mut at = self.input;
        for index in 0..self.count {
            if index & between == 0
                && let Some(mark) = self.marks.get(index.wrapping_shr(self.shift) as usize)
            {
                let place = at.offset().wrapping_sub(self.input.offset());
                mark.store(u32::try_from(place).unwrap_or(NOWHERE), Ordering::Relaxed);
            }
            let Ok(value) = items.read_item(index, &mut at, layout) else { return };
            each(index, &value);
        }
    }

    /// Stores the offset of each value. Each offset takes four bytes and each value at least four,
    /// so the offsets never take more memory than the values.
    #[cfg(feature = "alloc")]
    pub(crate) fn index_all(&mut self, layout: &Layout) {
        let mut next = Some(self.input);
        let places = (0..self.count).map_while(|index| {
            let mut at = next?;
            let place = at.since(&self.input).len();
            next = self.items.read_item(index, &mut at, layout).ok().map(|_| at);
            u32::try_from(place).ok()
        });
        self.every = places.collect();
    }

    /// Returns the nearest stored offset, and the number of values from there to `index`.
    fn nearest(&self, index: u32) -> Option<(u32, u32)> {
        if let Some(place) = self.every(index) {
            return Some((place, 0));
        }
        let nearest = index.wrapping_shr(self.shift);
        let mark = self.marks.get(nearest as usize)?.load(Ordering::Relaxed);
        Some((mark, index.wrapping_sub(nearest.wrapping_shl(self.shift))))
    }

    /// Returns the information that is needed to read the items.
    pub(crate) const fn items(&self) -> R {
        self.items
    }

    pub(crate) const fn count(&self) -> u32 {
        self.count
    }

    /// Returns a cursor at the first item.
    pub(crate) const fn input(&self) -> FileCursor<'a> {
        self.input
    }

    /// Returns the items up to the first one that cannot be read.
    pub(crate) fn iter(
        &self,
        layout: &Layout,
    ) -> impl Iterator<Item = R::Item> + use<'a, R, MARKS> {
        let (items, mut at, layout) = (self.items, self.input, *layout);
        (0..self.count).map_while(move |index| items.read_item(index, &mut at, &layout).ok())
    }

    /// Returns the item with this index. [`prepare`](Self::prepare) must have been called before.
    pub(crate) fn get(&self, index: i32, layout: &Layout) -> Option<R::Item> {
        let mut at = self.cursor_at(index, layout)?;
        self.items.read_item(index.cast_unsigned(), &mut at, layout).ok()
    }

    /// Returns a cursor at the item with this index, if its offset is stored.
    #[inline(always)]
    pub(crate) fn indexed_cursor(&self, index: i32) -> Option<FileCursor<'a>> {
        let index = index.cast_unsigned();
        let place = match self.shift {
            0 if index < self.count => self.marks.get(index as usize)?.load(Ordering::Relaxed),
            _ => self.every(index)?,
        };
        Some(self.input.split(place.into())?.1)
    }

    /// Returns the offset of the item with this index, if an index of all items was requested.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn every(&self, index: u32) -> Option<u32> {
        self.every.get(index as usize).copied()
    }

    #[cfg(not(feature = "alloc"))]
    #[inline(always)]
    const fn every(&self, _: u32) -> Option<u32> {
        None
    }

    /// Returns a cursor at the item with this index. [`prepare`](Self::prepare) must have been
    /// called before.
    #[inline(always)]
    pub(crate) fn cursor_at(&self, index: i32, layout: &Layout) -> Option<FileCursor<'a>> {
        let index = u32::try_from(index).ok().filter(|index| *index < self.count)?;
        let (place, between) = self.nearest(index)?;
        let mut at = self.input;
        at.bytes(place.into()).ok()?;
        for before in index.wrapping_sub(between)..index {
            self.items.read_item(before, &mut at, layout).ok()?;
        }
        Some(at)
    }
}

/// The clone computes the sampled offsets again.
impl<'a, R: ReadItem<'a>, const MARKS: usize> Clone for SampledIndex<'a, R, MARKS> {
    fn clone(&self) -> Self {
        Self {
            #[cfg(feature = "alloc")]
            every: self.every.clone(),
            ..Self::new(self.items, self.input, self.count)
        }
    }
}

#[cfg(all(test, feature = "alloc"))]
#[allow(clippy::unwrap_used, reason = "in tests")]
mod tests {
    use super::*;
    use crate::unreal::format::NameEntry;
    use alloc::string::{String, ToString};

    /// Encodes names of one to five letters, in a version without hashes.
    fn names(count: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        for len in (0..count).map(|index| index % 5 + 1) {
            bytes.extend((len + 1).to_le_bytes());
            bytes.extend((0..len).map(|_| b'a' + u8::try_from(len).unwrap()));
            bytes.push(0);
        }
        bytes
    }

    /// Every value is found, both with sampled offsets and with all offsets. No value is found
    /// after the last one.
    #[test]
    fn each_is_found() {
        let mut layout = Layout::default();
        layout.versions.ue4 = 503;
        let bytes = names(301);
        let mut all = SampledIndex::<Values<NameEntry<'_>>, 4>::new(
            Values::NEW,
            FileCursor::new(&bytes, 0),
            300,
        );
        let text = |all: &SampledIndex<'_, Values<NameEntry<'_>>, 4>, index| -> Option<String> {
            all.get(index, &layout).map(|name| name.text.to_string())
        };
        assert!(!all.is_ready());
        let mut visited = 0;
        all.prepare(&layout, |index, _| visited += index);
        assert_eq!((visited, all.is_ready()), (299 * 300 / 2, true));
        all.prepare(&layout, |_, _| panic!("they are found"));
        assert!((0..300).any(|index| all.nearest(index).unwrap().1 > 0));
        let found = |all: &SampledIndex<'_, Values<NameEntry<'_>>, 4>| {
            assert_eq!(text(all, 0).as_deref(), Some("b"));
            assert_eq!(text(all, 299).as_deref(), Some("fffff"));
            assert_eq!(text(all, 202).as_deref(), Some("ddd"));
            assert_eq!((text(all, 300), text(all, -1)), (None, None));
        };
        found(&all);
        all.index_all(&layout);
        let remembers = |all: &SampledIndex<'_, Values<NameEntry<'_>>, 4>| {
            (0..300).all(|index| all.nearest(index).unwrap().1 == 0)
        };
        assert!(remembers(&all) && remembers(&all.clone()));
        found(&all);
        found(&all.clone());
    }
}
