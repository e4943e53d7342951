//! Values of any length in a row, found by their index.

use super::Result;
use super::layout::Layout;
use super::wire::{Input, Value};
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
    of: PhantomData<fn() -> T>,
}

impl<'a, T: Value<'a>, const MARKS: usize> Indexed<'a, T, MARKS> {
    /// None.
    pub(super) const fn none() -> Self {
        let input = Input::new(&[], 0);
        Self { input, count: 0, shift: 0, marks: [0; MARKS], of: PhantomData }
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
            let from = input.remaining().wrapping_sub(at.remaining());
            *mark = u32::try_from(from).unwrap_or(u32::MAX);
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

    pub(super) const fn count(&self) -> u32 {
        self.count
    }

    /// All of them, with what they are read from.
    pub(super) const fn input(&self) -> Input<'a> {
        self.input
    }

    pub(super) fn get(&self, index: i32, layout: &Layout) -> Option<T> {
        let index = u32::try_from(index).ok().filter(|index| *index < self.count)?;
        let nearest = index.checked_shr(self.shift)?;
        let mark = *self.marks.get(nearest as usize)?;
        let mut at = self.input;
        at.bytes(mark.into()).ok()?;
        for _ in nearest.checked_shl(self.shift)?..index {
            T::read(&mut at, layout).ok()?;
        }
        at.read(layout).ok()
    }
}

impl<T, const MARKS: usize> Clone for Indexed<'_, T, MARKS> {
    fn clone(&self) -> Self {
        Self { of: PhantomData, ..*self }
    }
}
