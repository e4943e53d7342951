//! Writes the header of a list of properties without tags, which states the slots that have values.

use crate::buffer::{Full, PatchSink};
use crate::unreal::format::{ByteOrder, FileCursor, Layout};
use crate::unreal::properties::read::{Properties, Slot};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// The slots of a list that is being written. Without the feature `alloc`, no slot can be added.
#[derive(Debug)]
pub(crate) struct SlotList<'p> {
    /// Position of the list in the output.
    start: usize,
    #[cfg(feature = "alloc")]
    slots: Vec<Slot>,
    /// Number of slots of the class or struct.
    total: u32,
    /// The list that was read. Its header is kept if the slots are the same.
    like: Option<Properties<'p>>,
}

/// The largest number of slots that a fragment can skip, and the largest number of values that it
/// can have.
const MOST: u32 = 127;

impl<'p> SlotList<'p> {
    /// Begins a list of a struct with `total` slots at the position `start` of the output.
    pub(crate) const fn new(start: usize, total: u32, like: Option<Properties<'p>>) -> Self {
        Self {
            start,
            #[cfg(feature = "alloc")]
            slots: Vec::new(),
            total,
            like,
        }
    }

    /// Adds a slot. Returns `false` if it does not follow the slots that were added before.
    #[cfg(feature = "alloc")]
    pub(crate) fn push(&mut self, slot: Slot) -> bool {
        let follows = self.slots.last().is_none_or(|last| last.index < slot.index);
        if follows {
            self.slots.push(slot);
        }
        follows
    }

    /// Returns `false`, because slots cannot be stored without allocation.
    #[cfg(not(feature = "alloc"))]
    pub(crate) fn push(&mut self, _: Slot) -> bool {
        false
    }

    /// Removes the slot that was added last.
    pub(crate) fn pop(&mut self) {
        #[cfg(feature = "alloc")]
        self.slots.pop();
    }

    #[cfg(feature = "alloc")]
    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    #[cfg(not(feature = "alloc"))]
    fn slots(&self) -> &[Slot] {
        &[]
    }

    /// Inserts the header before the values.
    pub(crate) fn finish<S: PatchSink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        if let Some(header) = self.kept_header() {
            return to.insert(self.start, header.rest());
        }
        let mut at = self.start;
        let mut put = |bytes: &[u8]| -> Result<(), Full> {
            to.insert(at, bytes)?;
            at = at.saturating_add(bytes.len());
            Ok(())
        };
        self.fragments(|bits| put(&bytes(layout, bits.to_le_bytes())))?;
        self.mask(|word, size| {
            let mut word = word.to_le_bytes();
            let word = word.get_mut(..size).unwrap_or_default();
            if layout.order == ByteOrder::Big {
                word.reverse();
            }
            put(word)
        })
    }

    /// Returns the header that was read, if the list has the same slots.
    fn kept_header(&self) -> Option<FileCursor<'p>> {
        let like = self.like.as_ref()?;
        like.slot_numbers()?.eq(self.slots().iter().copied()).then(|| like.slot_header())?
    }

    /// Calls `put` with each fragment.
    fn fragments(&self, mut put: impl FnMut(u16) -> Result<(), Full>) -> Result<(), Full> {
        const LAST: u16 = 0x100;
        let mut rest = self.slots();
        let mut next = 0u32;
        if rest.is_empty() {
            return put(LAST | fragment(self.total.min(MOST), 0, false));
        }
        while let Some(first) = rest.first() {
            let mut skip = first.index.saturating_sub(next);
            while skip > MOST {
                put(fragment(MOST, 0, false))?;
                skip = skip.saturating_sub(MOST);
            }
            let run = run_of(rest);
            let (values, behind) = rest.split_at_checked(run).unwrap_or((rest, &[]));
            let has_zeros = values.iter().any(|slot| slot.is_zero);
            let last = if behind.is_empty() { LAST } else { 0 };
            put(last | fragment(skip, run as u32, has_zeros))?;
            next = first.index.saturating_add(run as u32);
            rest = behind;
        }
        Ok(())
    }

    /// Calls `put` with each word of the zero mask and its size in bytes.
    fn mask(&self, mut put: impl FnMut(u32, usize) -> Result<(), Full>) -> Result<(), Full> {
        let (mut word, mut bits, mut words) = (0u32, 0u32, 0u32);
        let mut rest = self.slots();
        while !rest.is_empty() {
            let (values, behind) = rest.split_at_checked(run_of(rest)).unwrap_or((rest, &[]));
            rest = behind;
            if !values.iter().any(|slot| slot.is_zero) {
                continue;
            }
            for slot in values {
                if bits == 32 {
                    put(word, 4)?;
                    (word, bits, words) = (0, 0, words.saturating_add(1));
                }
                word |= u32::from(slot.is_zero).wrapping_shl(bits);
                bits = bits.wrapping_add(1);
            }
        }
        match (words, bits) {
            (0, 0) => Ok(()),
            (0, 1..=8) => put(word, 1),
            (0, 9..=16) => put(word, 2),
            _ => put(word, 4),
        }
    }
}

/// Returns how many slots from the first one on have consecutive indices, but at most [`MOST`].
fn run_of(slots: &[Slot]) -> usize {
    let pairs = slots.iter().zip(slots.iter().skip(1));
    let run = pairs.take_while(|(a, b)| a.index.checked_add(1) == Some(b.index)).count();
    run.saturating_add(1).min(MOST as usize)
}

/// Returns a fragment. Both numbers are at most [`MOST`].
const fn fragment(skip: u32, values: u32, has_zeros: bool) -> u16 {
    (skip & 0x7F) as u16 | ((values & 0x7F) as u16) << 9 | (has_zeros as u16) << 7
}

/// Returns a fragment in the byte order of the file.
const fn bytes(layout: &Layout, [low, high]: [u8; 2]) -> [u8; 2] {
    match layout.order {
        ByteOrder::Little => [low, high],
        ByteOrder::Big => [high, low],
    }
}
