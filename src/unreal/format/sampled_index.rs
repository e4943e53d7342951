//! Access by index to values of variable size.

use super::cursor::FileCursor;
use super::layout::Layout;
use super::value::Value;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// A sequence of values with access by index. The offset of every 2ⁿth value is stored, without
/// allocation. To find a value, the values are read from the nearest stored offset before it.
///
/// The offsets are computed at the first access. If two threads compute them at the same time, both
/// store the same offsets.
#[derive(Debug)]
pub(crate) struct SampledIndex<'a, T, const MARKS: usize> {
    input: FileCursor<'a>,
    count: u32,
    /// Binary logarithm of the number of values between two samples.
    shift: u32,
    is_ready: AtomicBool,
    marks: [AtomicU32; MARKS],
    /// Offset of each value, if an index of all values was requested.
    #[cfg(feature = "alloc")]
    every: Vec<u32>,
    of: PhantomData<fn() -> T>,
}

/// Marker for an offset that is unknown or does not fit in 32 bits.
const NOWHERE: u32 = u32::MAX;

impl<'a, T: Value<'a>, const MARKS: usize> SampledIndex<'a, T, MARKS> {
    /// Creates a sequence of `count` values at `input`.
    pub(crate) const fn new(input: FileCursor<'a>, count: u32) -> Self {
        let mut shift = 0u32;
        while count.wrapping_shr(shift) as usize >= MARKS {
            shift = shift.wrapping_add(1);
        }
        Self {
            input,
            count,
            shift,
            is_ready: AtomicBool::new(false),
            marks: [const { AtomicU32::new(NOWHERE) }; MARKS],
            #[cfg(feature = "alloc")]
            every: Vec::new(),
            of: PhantomData,
        }
    }

    /// Creates an empty sequence.
    pub(crate) const fn none() -> Self {
        Self::new(FileCursor::new(&[], 0), 0)
    }

    /// Computes the offsets if they have not been computed yet, and calls `each` for each value.
    /// Stops at a value that cannot be read.
    #[inline(always)]
    pub(crate) fn prepare(&self, layout: &Layout, each: impl FnMut(u32, &T)) {
        if !self.is_ready() {
            self.walk(layout, each);
            self.is_ready.store(true, Ordering::Release);
        }
    }

    /// Returns `true` if the offsets have been computed.
    #[inline(always)]
    pub(crate) fn is_ready(&self) -> bool {
        self.is_ready.load(Ordering::Acquire)
    }

    #[inline(always)]
    fn walk(&self, layout: &Layout, mut each: impl FnMut(u32, &T)) {
        let between = 1u32.wrapping_shl(self.shift).wrapping_sub(1);
        let mut at = self.input;
        for index in 0..self.count {
            if index & between == 0
                && let Some(mark) = self.marks.get(index.wrapping_shr(self.shift) as usize)
            {
                let place = at.since(&self.input).len();
                mark.store(u32::try_from(place).unwrap_or(NOWHERE), Ordering::Relaxed);
            }
            let Ok(value) = T::read(&mut at, layout) else { return };
            each(index, &value);
        }
    }

    /// Stores the offset of each value. Each offset takes four bytes and each value at least four,
    /// so the offsets never take more memory than the values.
    #[cfg(feature = "alloc")]
    pub(crate) fn index_all(&mut self, layout: &Layout) {
        let mut next = Some(self.input);
        let places = (0..self.count).map_while(|_| {
            let mut at = next?;
            let place = at.since(&self.input).len();
            next = T::read(&mut at, layout).ok().map(|_| at);
            u32::try_from(place).ok()
        });
        self.every = places.collect();
    }

    /// Returns the nearest stored offset, and the number of values from there to `index`.
    fn nearest(&self, index: u32) -> Option<(u32, u32)> {
        #[cfg(feature = "alloc")]
        if let Some(place) = self.every.get(index as usize) {
            return Some((*place, 0));
        }
        let nearest = index.wrapping_shr(self.shift);
        let mark = self.marks.get(nearest as usize)?.load(Ordering::Relaxed);
        Some((mark, index.wrapping_sub(nearest.wrapping_shl(self.shift))))
    }

    pub(crate) const fn count(&self) -> u32 {
        self.count
    }

    /// Returns a cursor at the first value.
    pub(crate) const fn input(&self) -> FileCursor<'a> {
        self.input
    }

    /// Returns the value with this index. [`prepare`](Self::prepare) must have been called before.
    pub(crate) fn get(&self, index: i32, layout: &Layout) -> Option<T> {
        let index = u32::try_from(index).ok().filter(|index| *index < self.count)?;
        let (place, between) = self.nearest(index)?;
        let mut at = self.input;
        at.bytes(place.into()).ok()?;
        for _ in 0..between {
            T::read(&mut at, layout).ok()?;
        }
        at.read(layout).ok()
    }
}

/// The clone computes the sampled offsets again.
impl<'a, T: Value<'a>, const MARKS: usize> Clone for SampledIndex<'a, T, MARKS> {
    fn clone(&self) -> Self {
        Self {
            #[cfg(feature = "alloc")]
            every: self.every.clone(),
            ..Self::new(self.input, self.count)
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
        let mut all = SampledIndex::<NameEntry<'_>, 4>::new(FileCursor::new(&bytes, 0), 300);
        let text = |all: &SampledIndex<'_, NameEntry<'_>, 4>, index| -> Option<String> {
            all.get(index, &layout).map(|name| name.text.to_string())
        };
        assert!(!all.is_ready());
        let mut visited = 0;
        all.prepare(&layout, |index, _| visited += index);
        assert_eq!((visited, all.is_ready()), (299 * 300 / 2, true));
        all.prepare(&layout, |_, _| panic!("they are found"));
        assert!((0..300).any(|index| all.nearest(index).unwrap().1 > 0));
        let found = |all: &SampledIndex<'_, NameEntry<'_>, 4>| {
            assert_eq!(text(all, 0).as_deref(), Some("b"));
            assert_eq!(text(all, 299).as_deref(), Some("fffff"));
            assert_eq!(text(all, 202).as_deref(), Some("ddd"));
            assert_eq!((text(all, 300), text(all, -1)), (None, None));
        };
        found(&all);
        all.index_all(&layout);
        let remembers = |all: &SampledIndex<'_, NameEntry<'_>, 4>| {
            (0..300).all(|index| all.nearest(index).unwrap().1 == 0)
        };
        assert!(remembers(&all) && remembers(&all.clone()));
        found(&all);
        found(&all.clone());
    }
}
