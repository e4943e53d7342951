//! Reads the values of properties without tags.

use super::decode::{Decode, ValuePosition, read_name};
use super::list::{ListState, MAX_DEPTH, Properties};
use super::native::NativeFields;
use super::slot_walk::{MappedSlot, SlotType, SlotWalk};
use super::structs::StructEncoding;
use super::tag::{Tag, TagHead};
use super::unversioned::{Slot, Unversioned};
use super::value::{Delegate, EnumValue, OpaqueReason, PropertyValue, SoftReference};
use crate::unreal::format::{
    Error, ErrorKind, FileCursor, PackageIndex, Result, StrRef, Utf8StrRef, ue5,
};
use crate::unreal::mappings::MappedStruct;
use crate::unreal::properties::formatted::{FormattedText, History};
use crate::unreal::properties::types::{
    NameRef, NativeForm, ObjectRef, PropertyContext, PropertyKind, PropertyType, size,
};
use crate::unreal::tables::SubPath;

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
        // Copying a tag right after writing it would wait for the writes to finish, so the tag is
        // created in its final place.
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
        let slot = slot.ok_or_else(|| reason.into_error(&self.at))?;
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
        Err(read.err().unwrap_or(OpaqueReason::UnknownKind).into_error(&self.at))
    }
}

impl<'p> SlotType<'p> {
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

    /// Skips a value by decoding it, which finds the end of the value and checks it.
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
