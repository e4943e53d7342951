//! The tags that can be written: tags that were read, and new tags.

use crate::buffer::{Full, Sink};
use crate::unreal::format::ue4;
use crate::unreal::format::{Guid, Layout, Value};
use crate::unreal::properties::read::{OVERRIDDEN, Overridden, Slot, Tag, TagHead, tag_flags};
use crate::unreal::properties::types::{
    KnownName, NameRef, NativeForm, NativeStruct, PropertyKind, PropertyType, is_untagged,
};

/// A tag that a [`PropertyWriter`](super::PropertyWriter) can write: a [`TagHead`] or a [`Tag`]
/// that was read, or a new `TagBuf`.
pub trait WriteTag {
    /// Returns the name of the property.
    #[doc(hidden)]
    fn name_ref(&self) -> NameRef<'_>;

    /// Returns the slot of a property without a tag.
    #[doc(hidden)]
    fn slot(&self) -> Option<Slot> {
        None
    }

    /// Returns the flag for native serialization, or `None` if the tags of this layout do not have
    /// the flag.
    #[doc(hidden)]
    fn native_flag(&self, layout: &Layout) -> Option<bool>;

    /// Returns `true` if the type in the tag is small enough for readers to accept it.
    #[doc(hidden)]
    fn is_readable(&self) -> bool {
        true
    }

    /// Returns the shape of the value.
    #[doc(hidden)]
    fn shape(&self) -> ValueShape<'_>;

    /// Returns the shape of the elements or keys (index 0), or of the values of a map (index 1).
    #[doc(hidden)]
    fn inside(&self, index: u32) -> Option<ValueShape<'_>>;

    /// Writes the tag, and returns the position of its size. The tag of a bool property includes
    /// its value.
    #[doc(hidden)]
    fn write<S: Sink>(
        &self,
        bool_value: Option<bool>,
        to: &mut S,
        layout: &Layout,
    ) -> Result<usize, Full>;

    /// Writes the inner tag of an array of structs, and returns the position of its size. Returns
    /// `None` if the inner tag is not known.
    #[doc(hidden)]
    fn write_inner<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<Option<usize>, Full>;
}

/// The parts of a type that determine how a value is written.
#[derive(Clone, Copy, Debug)]
pub struct ValueShape<'h> {
    pub(crate) kind: PropertyKind,
    /// Name of the struct, if it is known and ASCII. Not used for other types.
    pub(crate) name: Option<&'h str>,
    /// The underlying type of an enum in a property without a tag.
    pub(crate) underlying: PropertyKind,
}

impl<'h> ValueShape<'h> {
    pub(crate) fn of(of: &PropertyType<'h>) -> Self {
        let underlying = match (of.kind(), of.in_mappings()) {
            (PropertyKind::Enum, Some(of)) => of.inner().map_or(u8::MAX, |of| of.number()),
            _ => u8::MAX,
        };
        let underlying = PropertyKind::of_number(underlying);
        Self { underlying, ..Self::new(of.kind(), of.name().and_then(|name| name.as_str())) }
    }

    pub(crate) const fn new(kind: PropertyKind, name: Option<&'h str>) -> Self {
        Self { kind, name, underlying: PropertyKind::Unknown }
    }

    /// Returns the shape with this struct name, unless it already has one.
    #[cfg(feature = "serde")]
    pub(crate) fn or_named(self, name: Option<&'h str>) -> Self {
        Self { name: self.name.or(name), ..self }
    }

    /// Returns the shape of the elements or keys (index 0), or of the values of a map (index 1).
    fn inside(of: &PropertyType<'h>, index: u32) -> Option<Self> {
        let of = if index == 0 { of.inner() } else { of.value() };
        of.map(|of| Self::of(&of))
    }

    /// Returns `true` for a struct of tagged properties. `flag` is the flag for native
    /// serialization in the tag of the property.
    pub(crate) fn is_tagged(&self, flag: Option<bool>, layout: &Layout) -> bool {
        let is_native = flag != Some(false) && self.native(layout).is_some()
            || layout.unversioned_properties
                && self.name.is_none_or(|name| is_untagged(name.as_bytes()));
        self.kind == PropertyKind::Struct && !is_native
    }

    /// Returns `true` for a struct of a dynamic type.
    pub(crate) fn is_instanced(&self, layout: &Layout) -> bool {
        self.native(layout).is_some_and(|native| native.form == NativeForm::Instanced)
    }

    /// Returns the native serialization of a struct in this layout.
    pub(crate) fn native(&self, layout: &Layout) -> Option<&'static NativeStruct> {
        self.known().filter(|native| native.is_in(layout))
    }

    /// Returns the native serialization that a struct has in this or another layout.
    pub(crate) fn known(&self) -> Option<&'static NativeStruct> {
        match self.kind {
            PropertyKind::Struct => KnownName::named(self.name?).known(),
            _ => None,
        }
    }
}

impl WriteTag for TagHead<'_> {
    fn slot(&self) -> Option<Slot> {
        self.slot
    }

    fn name_ref(&self) -> NameRef<'_> {
        self.name
    }

    fn native_flag(&self, _: &Layout) -> Option<bool> {
        self.native()
    }

    fn shape(&self) -> ValueShape<'_> {
        ValueShape::of(&self.of)
    }

    fn inside(&self, index: u32) -> Option<ValueShape<'_>> {
        ValueShape::inside(&self.of, index)
    }

    fn write<S: Sink>(
        &self,
        bool_value: Option<bool>,
        to: &mut S,
        layout: &Layout,
    ) -> Result<usize, Full> {
        let Some(bool_value) = bool_value else { return self.write_as_it_is(to, layout) };
        let bit = if bool_value { tag_flags::TRUE } else { 0 };
        let flags = self.flags.map(|flags| flags & !tag_flags::TRUE | bit);
        Self { bool_value, flags, ..*self }.write_as_it_is(to, layout)
    }

    fn write_inner<S: Sink>(&self, _: &mut S, _: &Layout) -> Result<Option<usize>, Full> {
        Ok(None)
    }
}

impl WriteTag for Tag<'_> {
    fn slot(&self) -> Option<Slot> {
        Self::slot(self)
    }

    fn name_ref(&self) -> NameRef<'_> {
        Self::name_ref(self)
    }

    fn native_flag(&self, _: &Layout) -> Option<bool> {
        self.native
    }

    fn shape(&self) -> ValueShape<'_> {
        ValueShape::of(&self.head().of)
    }

    fn inside(&self, index: u32) -> Option<ValueShape<'_>> {
        ValueShape::inside(&self.head().of, index)
    }

    fn write<S: Sink>(
        &self,
        bool_value: Option<bool>,
        to: &mut S,
        layout: &Layout,
    ) -> Result<usize, Full> {
        self.head().write(bool_value, to, layout)
    }

    fn write_inner<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<Option<usize>, Full> {
        self.inner_tag().map(|inner| inner.write_as_it_is(to, layout)).transpose()
    }
}

impl TagHead<'_> {
    /// Writes the tag, and returns the position of its size.
    pub(crate) fn write_as_it_is<S: Sink>(
        &self,
        to: &mut S,
        layout: &Layout,
    ) -> Result<usize, Full> {
        self.name_ref().write(to, layout)?;
        self.of.write_word(to, layout)?;
        let size = to.position();
        self.size.write(to, layout)?;
        let byte = if (self.bool_byte != 0) == self.bool_value {
            self.bool_byte
        } else {
            self.bool_value.into()
        };
        let details = TagDetails {
            array_index: self.array_index,
            flags: self.flags,
            bool_value: (self.of.kind() == PropertyKind::Bool).then_some(byte),
            struct_guid: self.struct_guid,
            guid: self.guid,
            extensions: self.extensions,
            overridden: self.overridden,
        };
        details.write(|to| self.of.write_parameters(to, layout), to, layout)?;
        Ok(size)
    }
}

/// The fields of a tag after its size.
pub(crate) struct TagDetails {
    /// Index in a fixed-size array.
    pub array_index: i32,
    /// Flags, which only the format from 5:1012 on has.
    pub flags: Option<u8>,
    /// Value of a bool property, in the format below 5:1012.
    pub bool_value: Option<u8>,
    pub struct_guid: Option<Guid>,
    pub guid: Option<Guid>,
    pub extensions: Option<u8>,
    pub overridden: Option<Overridden>,
}

impl TagDetails {
    /// Writes the fields. `parameters` writes the type names in the format below 5:1012.
    pub fn write<S: Sink>(
        &self,
        parameters: impl FnOnce(&mut S) -> Result<(), Full>,
        to: &mut S,
        layout: &Layout,
    ) -> Result<(), Full> {
        match self.flags {
            Some(flags) => self.write_flagged(flags, to, layout)?,
            None => self.write_by_kind(parameters, to, layout)?,
        }
        let Some(extensions) = self.extensions else { return Ok(()) };
        extensions.write(to, layout)?;
        match self.overridden {
            Some(overridden) if extensions & OVERRIDDEN != 0 => {
                overridden.operation.write(to, layout)?;
                overridden.experimental.write(to, layout)
            }
            _ => Ok(()),
        }
    }

    fn write_flagged<S: Sink>(&self, flags: u8, to: &mut S, layout: &Layout) -> Result<(), Full> {
        flags.write(to, layout)?;
        if flags & tag_flags::ARRAY_INDEX != 0 {
            self.array_index.write(to, layout)?;
        }
        match flags & tag_flags::GUID {
            0 => Ok(()),
            _ => self.guid.unwrap_or_default().write(to, layout),
        }
    }

    fn write_by_kind<S: Sink>(
        &self,
        parameters: impl FnOnce(&mut S) -> Result<(), Full>,
        to: &mut S,
        layout: &Layout,
    ) -> Result<(), Full> {
        self.array_index.write(to, layout)?;
        if let Some(bool_value) = self.bool_value {
            bool_value.write(to, layout)?;
        }
        parameters(to)?;
        if let Some(guid) = self.struct_guid {
            guid.write(to, layout)?;
        }
        if layout.has_ue4(ue4::PROPERTY_GUID_IN_PROPERTY_TAG) {
            u8::from(self.guid.is_some()).write(to, layout)?;
            self.guid.map_or(Ok(()), |guid| guid.write(to, layout))?;
        }
        Ok(())
    }
}
