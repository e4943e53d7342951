//! Reads properties without tags: the file states which slots have values, and the mappings state
//! the name and the type of the property at each slot.

use super::decode::{Decode, ValuePosition};
use super::list::{ListState, MAX_DEPTH, Properties};
use super::tag::{Tag, TagHead};
use super::unversioned::{Slot, Unversioned};
use super::value::{Delegate, EnumValue, OpaqueReason, PropertyValue, SoftReference};
use crate::unreal::format::{
    Error, ErrorKind, FileCursor, Layout, PackageIndex, Result, StrRef, Utf8StrRef, ue5,
};
use crate::unreal::mappings::{MappedProperty, MappedStruct, Mappings};
use crate::unreal::properties::formatted::{FormattedText, History};
use crate::unreal::properties::types::{
    NameRef, NativeForm, ObjectRef, PropertyContext, PropertyKind, PropertyType, size,
};
use crate::unreal::tables::SubPath;

/// The state of an iteration over those slots of a list that have values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlotWalk<'p> {
    /// The header of the list: the fragments and the zero mask.
    header: FileCursor<'p>,
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
    /// The row of the class or struct of the list; `None` if the mappings do not have it.
    first: Option<u32>,
    /// The row of the struct or super struct in which the search for the next slot begins.
    of: u32,
    /// The first slot of that struct.
    base: u32,
    /// The row of the property at which the search in that struct begins, and the end of the
    /// struct's rows.
    row: u32,
    end: u32,
    /// Number of super structs that may still be visited.
    levels: u8,
    /// The reason why the list cannot be read to its end.
    broken: Option<OpaqueReason>,
}

/// The slot of a property without a tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MappedSlot {
    /// The row of the property in the mappings.
    pub(crate) row: u32,
    pub(crate) slot: Slot,
    pub(crate) array_index: u8,
}

/// Maximum number of super structs above a struct. Engines have fewer than 32 levels.
const LEVELS: u8 = u8::MAX;

impl<'p> SlotWalk<'p> {
    /// Begins a walk over the slots of a struct. `of` is the row of the struct, the row of its
    /// first property, and the number of its properties.
    fn new(header: FileCursor<'p>, mask: u32, of: (u32, u32, u32)) -> Self {
        let (of, row, count) = of;
        Self {
            header,
            fragment: 0,
            mask,
            left: 0,
            has_zeros: false,
            is_last: false,
            slot: 0,
            bit: 0,
            first: None,
            of,
            base: 0,
            row,
            end: row.saturating_add(count),
            levels: LEVELS,
            broken: None,
        }
    }

    /// Returns the next slot with a value.
    fn next(&mut self, layout: &Layout) -> Option<Slot> {
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
            is_zero = super::unversioned::zero(mask, self.bit, layout);
            self.bit = self.bit.saturating_add(1);
        }
        Some(Slot { index, is_zero })
    }

    /// Returns `true` if the mappings do not have the next super struct of the walk.
    #[cold]
    fn lacks_parent(&self, mappings: &Mappings<'_>) -> bool {
        let of = mappings.structure(self.of);
        self.slot > self.base.saturating_add(of.slots()) && of.missing_parent().is_some()
    }

    /// Returns the property at a slot, and the index of the slot in an array of fixed size. Slots
    /// must not decrease from call to call.
    #[inline]
    fn property<'m>(
        &mut self,
        mappings: &'m Mappings<'m>,
        slot: u32,
    ) -> Option<(MappedProperty<'m>, u32)> {
        loop {
            let of = mappings.structure(self.of);
            let local = slot.wrapping_sub(self.base);
            let own = of.slots();
            if local >= own {
                let above = of.parent()?;
                self.levels = self.levels.checked_sub(1)?;
                let (row, count) = above.rows();
                (self.of, self.base) = (above.row(), self.base.saturating_add(own));
                (self.row, self.end) = (row, row.saturating_add(count));
                continue;
            }
            // Most slots are consecutive. After a long gap, a binary search is faster.
            for _ in 0..4 {
                if self.row >= self.end {
                    return None;
                }
                let property = mappings.property(self.row);
                match local.checked_sub(property.slot()) {
                    None => return None,
                    Some(index) if index < property.elements() => return Some((property, index)),
                    Some(_) => self.row = self.row.wrapping_add(1),
                }
            }
            let (property, index) = of.own_property_at(local)?;
            self.row = property.row();
            return Some((property, index));
        }
    }
}

impl<'p> Properties<'p> {
    /// Reads the header of a list without tags at `from`. The list ends with its last value, at the
    /// end of `from` at the latest.
    pub(crate) fn slots(
        from: FileCursor<'p>,
        context: &'p PropertyContext<'p>,
        of: MappedStruct<'p>,
    ) -> Result<Self> {
        let read = Unversioned::read(from, &context.layout)?;
        let (header, mask, values) = read.parts(&from);
        let (row, count) = of.rows();
        let walk = SlotWalk::new(header, mask, (of.row(), row, count));
        let walk = SlotWalk { first: Some(of.row()), ..walk };
        Ok(Self { walk: Some(walk), state: ListState::Slots, ..Self::new(values, context) })
    }

    /// Creates a list whose only item is the error that the mappings do not have its class.
    pub(crate) fn without_schema(from: FileCursor<'p>, context: &'p PropertyContext<'p>) -> Self {
        let mut walk = SlotWalk::new(from, 0, (0, 0, 0));
        walk.broken = Some(from.error(ErrorKind::NoSchema).into());
        Self { walk: Some(walk), state: ListState::Slots, ..Self::new(from, context) }
    }

    /// Returns the tag of a property that the class or struct of this list declares or inherits,
    /// according to the mappings. The list need not have a value for the property. The tag can be
    /// passed to a [`PropertyWriter`](crate::unreal::PropertyWriter). Returns `None` if there is no
    /// such property or array element, or if the list has tags. ASCII case is ignored. Takes time
    /// proportional to the number of declared and inherited properties.
    ///
    /// ```
    /// use gamewire::unreal::{Mappings, Package, Versions};
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let mappings = &std::fs::read("corpus/unreal-mappings/tiny.v4.usmap")?;
    /// let mappings = Mappings::open(mappings)?;
    /// let file = &std::fs::read("corpus/unreal-mappings/tiny.uasset")?;
    /// let exports = &std::fs::read("corpus/unreal-mappings/tiny.uexp")?;
    /// let version = Versions::of_engine(5, 3);
    /// let package = Package::open_as(file, Some(exports), version)?.with_mappings(&mappings);
    /// let empty = package.properties(&package.export(2)?)?.unwrap();
    /// assert!(empty.iter().get("Flag").is_none());
    /// assert_eq!(empty.iter().declared("Flag", 0).unwrap().of.to_string(), "BoolProperty");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn declared(&self, name: &str, array_index: u32) -> Option<TagHead<'p>> {
        let (property, slot) = self.structure()?.find_property(name)?;
        let array_index = u8::try_from(array_index).ok()?;
        (u32::from(array_index) < property.elements()).then_some(())?;
        let index = slot.saturating_add(array_index.into());
        let slot = Slot { index, is_zero: false };
        let slot = MappedSlot { row: property.row(), slot, array_index };
        let kind = PropertyKind::of_number(property.number());
        let nowhere = FileCursor::new(&[], self.at.offset());
        Some(Tag::at_slot(self.context, nowhere, kind, slot, self.depth_left).head())
    }

    /// Returns the class or struct of a list without tags.
    pub fn structure(&self) -> Option<MappedStruct<'p>> {
        let first = self.walk.as_ref()?.first?;
        Some(self.context.mappings?.structure(first))
    }

    /// Returns those slots of a list without tags that have values.
    pub(crate) fn slot_numbers(&self) -> Option<impl Iterator<Item = Slot> + use<'p>> {
        let (mut walk, layout) = (self.walk?, &self.context.layout);
        Some(core::iter::from_fn(move || walk.next(layout)))
    }

    /// Returns the offset of the start of the list, which is its header if it has no tags.
    #[cfg(feature = "alloc")]
    pub(crate) fn start(&self) -> u64 {
        self.slot_header().map_or(self.offset(), |header| header.offset())
    }

    /// Returns the header of a list without tags, and `None` for any other list.
    pub(crate) fn slot_header(&self) -> Option<FileCursor<'p>> {
        self.walk.as_ref().map(|walk| walk.header)
    }

    /// Reads the next value of a list without tags. If the end of the value cannot be found, the
    /// value has all bytes that remain, and the list ends.
    #[inline(never)]
    pub(super) fn next_slot(&mut self) -> Option<Result<Tag<'p>>> {
        if self.state == ListState::Done {
            return None;
        }
        let (context, depth_left) = (self.context, self.depth_left);
        let (at, walk) = (self.at, self.walk.as_mut()?);
        if let Some(reason) = walk.broken {
            self.state = ListState::Done;
            return Some(Err(error_of(reason, &at)));
        }
        let Some(slot) = walk.next(&context.layout) else {
            self.state = ListState::Done;
            return None;
        };
        let found = context.mappings.and_then(|mappings| walk.property(mappings, slot.index));
        let Some((property, index)) = found else {
            let error = at.error(match context.mappings {
                Some(mappings) if walk.lacks_parent(mappings) => ErrorKind::NoSchema,
                _ => ErrorKind::NoSuchSlot(slot.index),
            });
            walk.broken = Some(error.into());
            self.state = ListState::Done;
            return Some(Err(error));
        };
        let mut from = at;
        if !slot.is_zero
            && let Err(reason) = pass(&mut from, context, property, depth_left)
        {
            walk.broken = Some(reason);
            self.state = ListState::Done;
            from = at;
            let _ = from.bytes(at.remaining()); // these bytes exist
        }
        self.at = from;
        let array_index = u8::try_from(index).unwrap_or(u8::MAX);
        let slot = MappedSlot { row: property.row(), slot, array_index };
        let kind = PropertyKind::of_number(property.number());
        Some(Ok(Tag::at_slot(context, at.until(&from), kind, slot, depth_left)))
    }

    /// Reads the list to its end, and moves `from` there. Returns the list, limited to its own
    /// bytes.
    pub(super) fn bounded(self, from: &mut FileCursor<'p>) -> Result<Self, OpaqueReason> {
        let mut rest = self;
        // `Properties::next` can also read tags, which takes much stack space.
        while let Some(tag) = rest.next_slot() {
            tag?;
        }
        match rest.walk.and_then(|walk| walk.broken) {
            Some(reason) => Err(reason),
            None => {
                *from = rest.at;
                Ok(Self { at: self.at.until(&rest.at), ..self })
            }
        }
    }

    /// Returns an error if a list without tags could not be read to its end.
    pub(super) fn broken(&self) -> Result<()> {
        match self.walk.as_ref().and_then(|walk| walk.broken) {
            None => Ok(()),
            Some(reason) => Err(error_of(reason, &self.at)),
        }
    }
}

/// Converts the reason why a list ends too early to an error.
#[cold]
pub(super) fn error_of(reason: OpaqueReason, at: &FileCursor<'_>) -> Error {
    match reason {
        OpaqueReason::Malformed(error) => error,
        _ => at.error(ErrorKind::UnknownEnd),
    }
}

/// Skips the value at a slot.
fn pass<'p>(
    from: &mut FileCursor<'p>,
    context: &'p PropertyContext<'p>,
    property: MappedProperty<'p>,
    depth_left: u8,
) -> Result<(), OpaqueReason> {
    let size = match PropertyKind::of_number(property.number()) {
        PropertyKind::Byte | PropertyKind::Int8 => 1,
        PropertyKind::Int16 | PropertyKind::UInt16 => 2,
        PropertyKind::Int
        | PropertyKind::UInt32
        | PropertyKind::Float
        | PropertyKind::Object
        | PropertyKind::WeakObject
        | PropertyKind::Class
        | PropertyKind::Interface => 4,
        PropertyKind::Int64 | PropertyKind::UInt64 | PropertyKind::Double => 8,
        PropertyKind::LazyObject => 16,
        kind => {
            let decode = Decode::at_slot(context, depth_left);
            let of = kind.has_parameters().then(|| PropertyType::mapped(context, property.of()));
            return match (kind, &of) {
                (PropertyKind::Struct, Some(of)) => decode.pass(from, of),
                _ => decode.slot_value(from, kind, of.as_ref(), &mut PropertyValue::Bool(false)),
            };
        }
    };
    Ok(from.bytes(size).map(drop)?)
}

impl<'p> Tag<'p> {
    /// Reads the value at a slot.
    #[inline(never)]
    pub(super) fn read_slot(
        &self,
        slot: MappedSlot,
        to: &mut PropertyValue<'p>,
    ) -> Result<(), OpaqueReason> {
        let decode = Decode::at_slot(self.context, self.depth_left);
        let mut from = self.payload;
        if slot.slot.is_zero || self.kind().has_parameters() {
            let Some(of) = self.mapped_type(slot) else { return Err(OpaqueReason::UnknownKind) };
            if slot.slot.is_zero {
                return decode.zero(from, &of, to);
            }
            if of.kind() == PropertyKind::Struct && decode.has_slots(&of) {
                // The contents are read only when they are requested.
                *to = PropertyValue::Struct(decode.slots(&from, &of)?);
                return Ok(());
            }
            decode.slot_value(&mut from, of.kind(), Some(&of), to)?;
        } else {
            decode.slot_value(&mut from, self.kind(), None, to)?;
        }
        match u32::try_from(from.remaining()) {
            Ok(0) => Ok(()),
            left => Err(OpaqueReason::LeftOver(left.unwrap_or(u32::MAX))),
        }
    }

    /// Returns the type of the property in the mappings.
    pub(super) fn mapped_type(&self, slot: MappedSlot) -> Option<PropertyType<'p>> {
        let mappings = self.context.mappings?;
        Some(PropertyType::mapped(self.context, mappings.property(slot.row).of()))
    }

    /// Returns the name of the property in the mappings.
    pub(super) fn mapped_name(&self, slot: MappedSlot) -> NameRef<'p> {
        match self.context.mappings {
            Some(mappings) => {
                NameRef::Text(StrRef::utf8(mappings.property(slot.row).name().bytes()))
            }
            None => NameRef::Text(StrRef::NONE),
        }
    }

    /// Returns the value of a bool property without a tag.
    pub(super) fn slot_bool(&self) -> bool {
        self.kind() == PropertyKind::Bool && self.payload.rest() == [1]
    }
}

impl<'p> Decode<'p> {
    /// Reads the value at a slot. `of` is its type, and is needed only if the kind has parameters.
    /// Unlike in containers, bytes and enums at a slot are always numbers, and a bool must be 0 or 1.
    pub(crate) fn slot_value(
        &self,
        from: &mut FileCursor<'p>,
        kind: PropertyKind,
        of: Option<&PropertyType<'p>>,
        to: &mut PropertyValue<'p>,
    ) -> Result<(), OpaqueReason> {
        let layout = &self.context.layout;
        match kind {
            PropertyKind::Bool => {
                let at = *from;
                *to = match from.read::<u8>(layout)? {
                    value @ 0..=1 => PropertyValue::Bool(value == 1),
                    other => return Err(at.error(ErrorKind::BadBool(other.into())).into()),
                };
            }
            PropertyKind::Byte => *to = PropertyValue::UInt(from.read::<u8>(layout)?.into()),
            PropertyKind::Enum => {
                let of = of.ok_or(OpaqueReason::UnknownKind)?;
                let value = self.underlying(from, of)?;
                *to = PropertyValue::Enum(EnumValue { of: of.enumeration(), value });
            }
            kind => return self.value(from, kind, of, to),
        }
        Ok(())
    }

    /// Reads the number of an enum, in the underlying type of the enum.
    fn underlying(
        &self,
        from: &mut FileCursor<'p>,
        of: &PropertyType<'p>,
    ) -> Result<i64, OpaqueReason> {
        let layout = &self.context.layout;
        let number = of.in_mappings().and_then(|of| of.inner()).map_or(u8::MAX, |of| of.number());
        Ok(match PropertyKind::of_number(number) {
            PropertyKind::Byte => from.read::<u8>(layout)?.into(),
            PropertyKind::Int8 => from.read::<i8>(layout)?.into(),
            PropertyKind::UInt16 => from.read::<u16>(layout)?.into(),
            PropertyKind::Int16 => from.read::<i16>(layout)?.into(),
            PropertyKind::UInt32 => from.read::<u32>(layout)?.into(),
            PropertyKind::Int => from.read::<i32>(layout)?.into(),
            PropertyKind::UInt64 => from.read::<u64>(layout)?.cast_signed(),
            PropertyKind::Int64 => from.read(layout)?,
            _ => return Err(OpaqueReason::UnknownKind),
        })
    }

    /// Reads the header of a struct without tags.
    pub(super) fn slots(
        &self,
        from: &FileCursor<'p>,
        of: &PropertyType<'p>,
    ) -> Result<Properties<'p>, Error> {
        let depth_left = self.inside(from)?.depth_left;
        let Some(structure) = of.structure() else {
            return Err(from.error(ErrorKind::NoSchema));
        };
        Ok(Properties { depth_left, ..Properties::slots(*from, self.context, structure)? })
    }

    /// Reads a struct without tags to its end.
    pub(super) fn slots_to_end(
        &self,
        from: &mut FileCursor<'p>,
        of: Option<&PropertyType<'p>>,
    ) -> Result<Properties<'p>, OpaqueReason> {
        let of = of.ok_or(OpaqueReason::UnknownElements)?;
        self.slots(from, of)?.bounded(from)
    }

    /// Returns the value at a slot that the zero mask marks. Its memory is all zeros, and the file
    /// has no bytes for it.
    fn zero(
        &self,
        at: FileCursor<'p>,
        of: &PropertyType<'p>,
        to: &mut PropertyValue<'p>,
    ) -> Result<(), OpaqueReason> {
        /// Long enough for every struct of numbers.
        static ZEROS: [u8; 256] = [0; 256];
        let none = NameRef::Text(StrRef::NONE);
        let object = ObjectRef::Index(PackageIndex(0));
        *to = match of.kind() {
            PropertyKind::Name => PropertyValue::Name(none),
            PropertyKind::SoftObject | PropertyKind::SoftClass => {
                PropertyValue::Soft(self.no_soft())
            }
            PropertyKind::Delegate => PropertyValue::Delegate(Delegate { object, function: none }),
            PropertyKind::Text => {
                let history = History::None { culture_invariant: None };
                PropertyValue::Formatted(FormattedText { flags: 0, history })
            }
            PropertyKind::Struct => match self.native_form(of) {
                Some(NativeForm::SoftPath) => PropertyValue::Soft(self.no_soft()),
                // Such a struct can contain names, and 0 need not be the index of the name `None`.
                Some(NativeForm::Fields(fields))
                    if size(fields, &self.context.layout).is_none() =>
                {
                    PropertyValue::Struct(Properties::none(at, self.context))
                }
                Some(_) => {
                    let mut zeros = FileCursor::new(&ZEROS, at.offset());
                    return self.value(&mut zeros, PropertyKind::Struct, Some(of), to);
                }
                None => PropertyValue::Struct(Properties::none(at, self.context)),
            },
            PropertyKind::Unknown => return Err(OpaqueReason::UnknownKind),
            _ => {
                let mut zeros = FileCursor::new(&ZEROS, at.offset());
                return self.slot_value(&mut zeros, of.kind(), Some(of), to);
            }
        };
        Ok(())
    }

    /// Returns a soft reference to nothing.
    fn no_soft(&self) -> SoftReference<'p> {
        let layout = &self.context.layout;
        let none = NameRef::Text(StrRef::NONE);
        let has_asset = layout.has_ue5(ue5::FSOFTOBJECTPATH_REMOVE_ASSET_PATH_FNAMES);
        let sub_path = match layout.sub_paths_are_utf8() {
            true => SubPath::Utf8(Utf8StrRef::default()),
            false => SubPath::Text(StrRef::default()),
        };
        SoftReference { package: none, asset: has_asset.then_some(none), sub_path, index: None }
    }

    /// Creates the state for decoding a value at a slot.
    pub(super) fn at_slot(context: &'p PropertyContext<'p>, depth_left: u8) -> Self {
        Self::with(context, ValuePosition::Tag, depth_left.min(MAX_DEPTH))
    }
}
