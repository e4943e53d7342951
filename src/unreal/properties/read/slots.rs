//! Reads properties without tags: the file states which slots have values, and the mappings state
//! the name and the type of the property at each slot.

use super::decode::{Decode, StructEncoding, ValuePosition, read_name};
use super::list::{ListState, MAX_DEPTH, Properties};
use super::native::NativeFields;
use super::tag::{Tag, TagHead};
use super::unversioned::{Slot, Unversioned};
use super::value::{Delegate, EnumValue, OpaqueReason, PropertyValue, SoftReference};
use crate::unreal::format::{
    Error, ErrorKind, FileCursor, Layout, PackageIndex, Result, StrRef, Utf8StrRef, ue5,
};
use crate::unreal::mappings::{MappedProperty, MappedStruct};
use crate::unreal::properties::formatted::{FormattedText, History};
use crate::unreal::properties::types::{
    NameCode, NameRef, NativeForm, ObjectRef, PropertyContext, PropertyKind, PropertyType, size,
};
use crate::unreal::tables::SubPath;
use core::ops::Range;

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
    /// The class or struct of the list; `None` if the mappings do not have it.
    first: Option<MappedStruct<'p>>,
    /// The struct or super struct in which the search for the next slot begins.
    of: Option<MappedStruct<'p>>,
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
    has_end: bool,
}

impl<'p> MappedSlot<'p> {
    #[inline(always)]
    fn new(property: MappedProperty<'p>, slot: Slot, array_index: u32) -> Self {
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
    fn new(header: FileCursor<'p>, mask: u32, of: Option<MappedStruct<'p>>) -> Self {
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

    /// Returns the slot that [`next`](Self::next) has returned last, which must have a value that is
    /// not zero.
    fn last_slot(&self) -> Option<MappedSlot<'p>> {
        let slot = Slot { index: self.slot.checked_sub(1)?, is_zero: false };
        let (property, index) = self.first?.property_at(slot.index)?;
        Some(MappedSlot { has_end: false, ..MappedSlot::new(property, slot, index) })
    }

    /// Returns the error that the last slot has no property, or that the mappings do not have its
    /// class or struct.
    #[cold]
    fn no_property(&self) -> ErrorKind {
        let Some(of) = self.of else { return ErrorKind::NoSchema };
        match of.missing_parent() {
            Some(_) if self.slot > self.until => ErrorKind::NoSchema,
            _ => ErrorKind::NoSuchSlot(self.slot.saturating_sub(1)),
        }
    }

    /// Returns the property at a slot, and the index of the slot in an array of fixed size. Slots
    /// must increase from call to call.
    #[inline(always)]
    fn property(&mut self, slot: u32) -> Option<(MappedProperty<'p>, u32)> {
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
        // Most gaps are short. In a long one, a binary search is faster.
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
        let walk = SlotWalk::new(header, mask, Some(of));
        Ok(Self { walk: Some(walk), state: ListState::Slots, ..Self::new(values, context) })
    }

    /// Creates a list whose only item is the error that the mappings do not have its class.
    pub(crate) fn without_schema(from: FileCursor<'p>, context: &'p PropertyContext<'p>) -> Self {
        let walk = SlotWalk::new(from.until(&from), 0, None);
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
        (array_index < property.elements()).then_some(())?;
        let slot = Slot { index: slot.saturating_add(array_index), is_zero: false };
        let slot = MappedSlot::new(property, slot, array_index);
        let nowhere = FileCursor::new(&[], self.at.offset());
        let of = SlotType::new(property);
        Some(Tag::at_slot(self.context, nowhere, slot, of, self.depth_left).head())
    }

    /// Returns the class or struct of a list without tags.
    pub fn structure(&self) -> Option<MappedStruct<'p>> {
        self.walk.as_ref()?.first
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
    #[inline(always)]
    pub(super) fn next_slot(&mut self) -> Option<Result<Tag<'p>>> {
        self.next_or_reason(&mut None)
    }

    /// Reads the next value. If its end cannot be found, stores the reason in `why`.
    #[inline(never)]
    fn next_or_reason(&mut self, why: &mut Option<OpaqueReason>) -> Option<Result<Tag<'p>>> {
        let (context, depth_left, at) = (self.context, self.depth_left, self.at);
        let walk = match (&mut self.walk, self.state) {
            (Some(walk), ListState::Slots) => walk,
            _ => return None,
        };
        let Some(slot) = walk.next(&context.layout) else {
            if walk.of.is_none() {
                return Some(self.last(at.error(ErrorKind::NoSchema).into(), why));
            }
            self.state = ListState::Done;
            return None;
        };
        let Some((property, index)) = walk.property(slot.index) else {
            let reason = at.error(walk.no_property()).into();
            return Some(self.last(reason, why));
        };
        let of = SlotType::new(property);
        let mut from = at;
        if !slot.is_zero
            && let Err(reason) = of.pass(&mut from, context, depth_left)
        {
            return Some(self.last(reason, why));
        }
        self.at = from;
        // A copy of a tag that was just written would wait for the writes, so the tag is created in
        // its final place.
        let slot = MappedSlot::new(property, slot, index);
        Some(Ok(Tag::at_slot(context, at.until(&from), slot, of, depth_left)))
    }

    /// Ends a list because the end of its next value cannot be found. Returns that value with all
    /// bytes that remain, or an error if the mappings do not have its property.
    #[cold]
    fn last(&mut self, reason: OpaqueReason, why: &mut Option<OpaqueReason>) -> Result<Tag<'p>> {
        self.state = ListState::Broken;
        *why = Some(reason);
        let slot = self.walk.and_then(|walk| walk.last_slot());
        let slot = slot.ok_or_else(|| error_of(reason, &self.at))?;
        let of = SlotType::new(slot.property);
        Ok(Tag::at_slot(self.context, self.at, slot, of, self.depth_left))
    }

    /// Reads the list to its end, and moves `from` there. Returns the list, limited to its own
    /// bytes.
    pub(super) fn bounded(self, from: &mut FileCursor<'p>) -> Result<Self, OpaqueReason> {
        let (mut rest, mut why) = (self, None);
        // `Properties::next` can also read tags, which takes much stack space.
        while rest.next_or_reason(&mut why).is_some() {}
        match why {
            Some(reason) => Err(reason),
            None => {
                *from = rest.at;
                Ok(Self { at: self.at.until(&rest.at), ..self })
            }
        }
    }

    /// Returns an error if a list without tags could not be read to its end. The last value is read
    /// again to find the reason.
    pub(super) fn broken(&self) -> Result<()> {
        let Some(walk) = self.walk.filter(|_| self.state == ListState::Broken) else {
            return Ok(());
        };
        let read = match walk.last_slot() {
            Some(slot) => {
                SlotType::new(slot.property).pass(&mut { self.at }, self.context, self.depth_left)
            }
            None => Err(self.at.error(walk.no_property()).into()),
        };
        Err(error_of(read.err().unwrap_or(OpaqueReason::UnknownKind), &self.at))
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
    fn new(property: MappedProperty<'p>) -> Self {
        let kind = PropertyKind::of_number(property.number());
        let code = match kind {
            PropertyKind::Struct | PropertyKind::Enum => PropertyType::mapped_code(property.of()),
            _ => NameCode::UNKNOWN,
        };
        Self { kind, code, property }
    }

    /// Returns the type. Its kind must have parameters.
    fn whole(&self, context: &'p PropertyContext<'p>) -> PropertyType<'p> {
        PropertyType::mapped_with(context, self.property.of(), self.code)
    }

    /// Skips a value of this type.
    #[inline(always)]
    fn pass(
        &self,
        from: &mut FileCursor<'p>,
        context: &'p PropertyContext<'p>,
        depth_left: u8,
    ) -> Result<(), OpaqueReason> {
        let size = match self.kind {
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
            PropertyKind::Str => return Ok(from.read::<StrRef<'p>>(&context.layout).map(drop)?),
            PropertyKind::Name => return Ok(read_name(from, context).map(drop)?),
            _ => return self.pass_decoded(from, Decode::at_slot(context, depth_left)),
        };
        Ok(from.bytes(size).map(drop)?)
    }

    /// Skips a value whose size does not follow from its kind.
    #[inline(never)]
    fn pass_decoded(
        &self,
        from: &mut FileCursor<'p>,
        decode: Decode<'p>,
    ) -> Result<(), OpaqueReason> {
        let ignored = &mut PropertyValue::Bool(false);
        match self.kind {
            PropertyKind::Struct => match decode.native_struct(self.code) {
                Some(native) => decode.pass_native(from, native),
                None => decode.pass_struct(from, &self.whole(decode.context)),
            },
            kind if kind.has_parameters() => {
                decode.slot_value(from, kind, Some(&self.whole(decode.context)), ignored)
            }
            kind => decode.slot_value(from, kind, None, ignored),
        }
    }
}

impl<'p> Tag<'p> {
    /// Returns the type of the property at a slot.
    pub(super) fn slot_type(&self, slot: MappedSlot<'p>) -> PropertyType<'p> {
        PropertyType::mapped_with(self.context, slot.property.of(), self.code)
    }

    /// Reads the value at a slot.
    #[inline(never)]
    pub(super) fn read_slot(
        &self,
        slot: MappedSlot<'p>,
        to: &mut PropertyValue<'p>,
    ) -> Result<(), OpaqueReason> {
        let decode = Decode::at_slot(self.context, self.depth_left);
        let (mut from, of) = (self.payload, || self.slot_type(slot));
        match self.kind() {
            _ if slot.slot.is_zero => return decode.zero(from, &of(), to),
            PropertyKind::Struct => match decode.native_struct(self.code) {
                Some(native) => match native.form {
                    NativeForm::Fields(fields) if slot.has_end => {
                        let fields = NativeFields::measured(from, fields, decode);
                        *to = PropertyValue::Native(native, fields);
                        return Ok(());
                    }
                    _ => decode.native(&mut from, native, to)?,
                },
                None => {
                    *to = PropertyValue::Struct(decode.list_at_slot(&from, &of())?);
                    return Ok(());
                }
            },
            kind => {
                let of = kind.has_parameters().then(of);
                decode.slot_value(&mut from, kind, of.as_ref(), to)?;
            }
        }
        match u32::try_from(from.remaining()) {
            Ok(0) => Ok(()),
            left => Err(OpaqueReason::LeftOver(left.unwrap_or(u32::MAX))),
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

    /// Reads the header of a struct at a slot. Its contents are read only when they are requested.
    fn list_at_slot(
        &self,
        from: &FileCursor<'p>,
        of: &PropertyType<'p>,
    ) -> Result<Properties<'p>, OpaqueReason> {
        match self.form_of(of.code, of) {
            StructEncoding::Tagged { .. } => Ok(self.slots(from, of)?),
            _ => Err(OpaqueReason::NativeStruct),
        }
    }

    /// Reads the header of a struct without tags.
    fn slots(&self, from: &FileCursor<'p>, of: &PropertyType<'p>) -> Result<Properties<'p>, Error> {
        self.list_of(from, of.structure())
    }

    /// Reads the header of a struct without tags. `of` is the struct in the mappings, if they have
    /// it.
    #[inline]
    pub(super) fn list_of(
        &self,
        from: &FileCursor<'p>,
        of: Option<MappedStruct<'p>>,
    ) -> Result<Properties<'p>, Error> {
        let depth_left = self.inside(from)?.depth_left;
        let Some(of) = of else { return Err(from.error(ErrorKind::NoSchema)) };
        Ok(Properties { depth_left, ..Properties::slots(*from, self.context, of)? })
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
            PropertyKind::Struct => match self.native_struct(of.code).map(|of| of.form) {
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
