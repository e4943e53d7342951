//! The walk over the slots of a list without tags: the header states which slots have values, and the
//! mappings state the name and the type of the property at each slot.

use super::unversioned::{Slot, zero};
use crate::unreal::format::{ErrorKind, FileCursor, Layout, StrRef};
use crate::unreal::mappings::{MappedProperty, MappedStruct};
use crate::unreal::properties::types::{
    NameCode, NameRef, PropertyContext, PropertyKind, PropertyType,
};
use core::ops::Range;

/// The state of an iteration over those slots of a list that have values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlotWalk<'p> {
    /// The header of the list: the fragments and the zero mask.
    pub(super) header: FileCursor<'p>,
    /// Offsets of the next fragment and of the zero mask, counted from the start of the header.
    fragment: u32,
    mask: u32,
    /// Number of slots left in the current fragment.
    left: u32,
    has_zeros: bool,
    is_last: bool,
    /// The next slot, and the next bit of the zero mask.
    slot: u32,
    bit: u32,
    /// The class or struct of the list; `None` if the mappings do not have it.
    pub(super) first: Option<MappedStruct<'p>>,
    /// The struct or super struct in which the search for the next slot begins.
    pub(super) of: Option<MappedStruct<'p>>,
    /// The first slot of that struct, and the first slot after its own slots.
    base: u32,
    until: u32,
    /// The row of the property at which the search in that struct begins, and the end of the
    /// struct's rows.
    row: u32,
    end: u32,
    /// Number of super structs that may still be visited.
    levels: u8,
}

/// The slot of a property without a tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MappedSlot<'p> {
    pub(crate) property: MappedProperty<'p>,
    pub(crate) slot: Slot,
    pub(crate) array_index: u8,
    /// `true` if the end of the value was found.
    pub(super) has_end: bool,
}

impl<'p> MappedSlot<'p> {
    #[inline(always)]
    pub(super) fn new(property: MappedProperty<'p>, slot: Slot, array_index: u32) -> Self {
        let array_index = u8::try_from(array_index).unwrap_or(u8::MAX);
        Self { property, slot, array_index, has_end: true }
    }

    /// Returns the name of the property.
    pub(super) fn name(&self) -> NameRef<'p> {
        NameRef::Text(StrRef::utf8(self.property.name().bytes()))
    }
}

/// Maximum number of super structs above a struct. Engines have fewer than 32 levels.
const LEVELS: u8 = u8::MAX;

impl<'p> SlotWalk<'p> {
    /// Begins a walk over the slots of a struct.
    pub(super) fn new(header: FileCursor<'p>, mask: u32, of: Option<MappedStruct<'p>>) -> Self {
        let mut walk = Self {
            header,
            fragment: 0,
            mask,
            left: 0,
            has_zeros: false,
            is_last: false,
            slot: 0,
            bit: 0,
            first: of,
            of: None,
            base: 0,
            until: 0,
            row: 0,
            end: 0,
            levels: LEVELS,
        };
        of.into_iter().for_each(|of| walk.enter(of, 0));
        walk
    }

    /// Returns the next slot with a value.
    #[inline(always)]
    pub(super) fn next(&mut self, layout: &Layout) -> Option<Slot> {
        while self.left == 0 {
            if self.is_last {
                return None;
            }
            let mut from = self.header;
            from.bytes(self.fragment.into()).ok()?;
            let bits: u16 = from.read(layout).ok()?;
            self.fragment = self.fragment.wrapping_add(2);
            self.slot = self.slot.saturating_add((bits & 0x7F).into());
            self.left = bits.wrapping_shr(9).into();
            self.has_zeros = bits & 0x80 != 0;
            self.is_last = bits & 0x100 != 0;
        }
        self.left = self.left.wrapping_sub(1);
        let index = self.slot;
        self.slot = index.saturating_add(1);
        let mut is_zero = false;
        if self.has_zeros {
            let mut mask = self.header;
            mask.bytes(self.mask.into()).ok()?;
            is_zero = zero(mask, self.bit, layout);
            self.bit = self.bit.saturating_add(1);
        }
        Some(Slot { index, is_zero })
    }

    /// Returns the slot that [`next`](Self::next) returned last. Its value must not be marked as
    /// zero.
    pub(super) fn last_slot(&self) -> Option<MappedSlot<'p>> {
        let slot = Slot { index: self.slot.checked_sub(1)?, is_zero: false };
        let (property, index) = self.first?.property_at(slot.index)?;
        Some(MappedSlot { has_end: false, ..MappedSlot::new(property, slot, index) })
    }

    /// Returns the error for the last slot if it has no property: either there is no such slot, or
    /// the mappings lack its class or struct.
    #[cold]
    pub(super) fn no_property(&self) -> ErrorKind {
        let Some(of) = self.of else { return ErrorKind::NoSchema };
        match of.missing_parent() {
            Some(_) if self.slot > self.until => ErrorKind::NoSchema,
            _ => ErrorKind::NoSuchSlot(self.slot.saturating_sub(1)),
        }
    }

    /// Returns the property at a slot, and the index of the slot in an array of fixed size. Slots
    /// must increase from call to call.
    #[inline(always)]
    pub(super) fn property(&mut self, slot: u32) -> Option<(MappedProperty<'p>, u32)> {
        let of = self.of?;
        if slot < self.until && self.row < self.end {
            let property = of.property(self.row);
            let index = slot.wrapping_sub(self.base).wrapping_sub(property.slot());
            if index < property.elements() {
                self.advance(&property, index);
                return Some((property, index));
            }
        }
        self.search(of, slot)
    }

    /// Sets the row at which the next search begins.
    #[inline(always)]
    fn advance(&mut self, property: &MappedProperty<'p>, index: u32) {
        let is_last = index.wrapping_add(1) == property.elements();
        self.row = property.row().wrapping_add(is_last.into());
    }

    /// Searches for the property at a slot in the struct `of` and its super structs.
    #[inline(never)]
    fn search(&mut self, of: MappedStruct<'p>, slot: u32) -> Option<(MappedProperty<'p>, u32)> {
        let mut of = of;
        while slot >= self.until {
            of = of.parent()?;
            self.levels = self.levels.checked_sub(1)?;
            self.enter(of, self.until);
        }
        let local = slot.wrapping_sub(self.base);
        // Most gaps between slots with values are short. Across a long gap, a binary search is
        // faster.
        let near = self.row..self.end.min(self.row.saturating_add(4));
        let near = near.map(|row| of.property(row)).find_map(|property| {
            let index = local.checked_sub(property.slot())?;
            (index < property.elements()).then_some((property, index))
        });
        let (property, index) = near.or_else(|| of.own_property_at(local))?;
        self.advance(&property, index);
        Some((property, index))
    }

    /// Begins to search in a struct whose first slot is `base`.
    #[inline]
    fn enter(&mut self, of: MappedStruct<'p>, base: u32) {
        (self.of, self.base, self.until) = (Some(of), base, base.saturating_add(of.slots()));
        Range { start: self.row, end: self.end } = of.rows();
    }
}

/// The type of the property at a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlotType<'p> {
    pub(super) kind: PropertyKind,
    /// Code of the name of the struct or enum.
    pub(super) code: NameCode,
    property: MappedProperty<'p>,
}

impl<'p> SlotType<'p> {
    #[inline(always)]
    pub(super) fn new(property: MappedProperty<'p>) -> Self {
        let kind = PropertyKind::of_number(property.number());
        let code = match kind {
            PropertyKind::Struct | PropertyKind::Enum => PropertyType::mapped_code(property.of()),
            _ => NameCode::UNKNOWN,
        };
        Self { kind, code, property }
    }

    /// Returns the type. Its kind must have parameters.
    pub(super) fn whole(&self, context: &'p PropertyContext<'p>) -> PropertyType<'p> {
        PropertyType::mapped_with(context, self.property.of(), self.code)
    }
}
