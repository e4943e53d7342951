//! Values of any length in a row, found by their index.

use super::Result;
use super::layout::Layout;
use super::wire::{Input, Value};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::marker::PhantomData;

/// Values in a row, found by their index without allocation: one place in so many is
/// remembered, and from there on lengths are followed.
#[derive(Debug)]
pub(crate) struct Indexed<'a, T, const MARKS: usize> {
    input: Input<'a>,
    count: u32,
    /// Values between one mark and the next: a power of two.
    shift: u32,
    marks: [u32; MARKS],
    /// Where each of them is, if that was asked for.
    #[cfg(feature = "alloc")]
    every: Vec<u32>,
    of: PhantomData<fn() -> T>,
}

impl<'a, T: Value<'a>, const MARKS: usize> Indexed<'a, T, MARKS> {
    /// None.
    pub(super) const fn none() -> Self {
        Self {
            input: Input::new(&[], 0),
            count: 0,
            shift: 0,
            marks: [0; MARKS],
            #[cfg(feature = "alloc")]
            every: Vec::new(),
            of: PhantomData,
        }
    }

    /// Walks over all of them once; what comes behind one that cannot be read is left out.
    /// `input` starts at the first and ends anywhere behind; `each` is told all of them.
    pub(super) fn fill(
        &mut self,
        input: Input<'a>,
        count: u32,
        layout: &Layout,
        mut each: impl FnMut(u32, &T),
    ) -> Result<()> {
        self.shift = 0;
        while count.checked_shr(self.shift).unwrap_or(0) as usize >= MARKS {
            self.shift = self.shift.wrapping_add(1);
        }
        let step = 1u32.wrapping_shl(self.shift);
        let (mut at, mut index, mut result) = (input, 0u32, Ok(()));
        'all: for mark in &mut self.marks {
            if index >= count {
                break;
            }
            *mark = u32::try_from(at.since(&input).len()).unwrap_or(u32::MAX);
            let next = index.saturating_add(step).min(count);
            while index < next {
                let before = at;
                match T::read(&mut at, layout) {
                    Ok(value) => each(index, &value),
                    Err(error) => {
                        (at, result) = (before, Err(error));
                        break 'all;
                    }
                }
                index = index.wrapping_add(1);
            }
        }
        (self.input, self.count) = (input.until(&at), index);
        result
    }

    /// Remembers where each of them is: four bytes each, which is no more than they take
    /// themselves.
    #[cfg(feature = "alloc")]
    pub(super) fn index_all(&mut self, layout: &Layout) {
        let mut at = self.input;
        let places = (0..self.count).map(|_| {
            let place = at.since(&self.input).len();
            let _ = T::read(&mut at, layout); // as when they were counted
            u32::try_from(place).unwrap_or(u32::MAX)
        });
        self.every = places.collect();
    }

    /// The nearest place that is remembered, and how many are between it and that one.
    fn nearest(&self, index: u32) -> Option<(u32, u32)> {
        #[cfg(feature = "alloc")]
        if let Some(place) = self.every.get(index as usize) {
            return Some((*place, 0));
        }
        let nearest = index.checked_shr(self.shift)?;
        let mark = *self.marks.get(nearest as usize)?;
        Some((mark, index.wrapping_sub(nearest.checked_shl(self.shift)?)))
    }

    pub(super) const fn count(&self) -> u32 {
        self.count
    }

    /// All of them, with what they are read from.
    pub(super) const fn input(&self) -> Input<'a> {
        self.input
    }

    pub(super) fn get(&self, index: i32, layout: &Layout) -> Option<T> {
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

impl<T, const MARKS: usize> Clone for Indexed<'_, T, MARKS> {
    fn clone(&self) -> Self {
        Self {
            #[cfg(feature = "alloc")]
            every: self.every.clone(),
            of: PhantomData,
            ..*self
        }
    }
}
