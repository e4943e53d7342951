//! Reads the fields of structs with native serialization.

use super::decode::{Decode, ValuePosition};
use super::list::Properties;
use super::value::SoftReference;
use crate::unreal::format::{Error, ErrorKind, FileCursor, Guid, NameText, Result, StrRef, ue5};
use crate::unreal::mappings::MappedStruct;
use crate::unreal::properties::types::{
    Condition, NameRef, NativeField, NativePart, ObjectRef, Switch, name_in_path, size,
};
use core::iter::FusedIterator;

/// The value of a field.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum NativeValue<'p> {
    /// A single-precision number.
    Float(f32),
    /// A double-precision number.
    Double(f64),
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    UInt(u64),
    /// A bool that is stored in 32 bits. A bool can also be written to a field of one byte, but
    /// reading such a field returns [`UInt`](Self::UInt).
    Bool(bool),
    /// A GUID.
    Guid(Guid),
    /// A group of fields.
    Group(NativeFields<'p>),
    /// A string.
    Str(StrRef<'p>),
    /// A name; see [`NativeFields::name`].
    Name(NameRef<'p>),
    /// A reference to an object.
    Object(ObjectRef<'p>),
    /// A soft reference to an object.
    Soft(SoftReference<'p>),
    /// Bytes, such as padding.
    Bytes(&'p [u8]),
    /// An array.
    Array(NativeElements<'p>),
    /// A list of properties.
    Struct(Properties<'p>),
}

impl PartialEq for NativeValue<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (*self, *other) {
            (Self::Float(a), Self::Float(b)) => a == b,
            (Self::Double(a), Self::Double(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::UInt(a), Self::UInt(b)) => a == b,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Guid(a), Self::Guid(b)) => a == b,
            (Self::Group(a), Self::Group(b)) => a == b,
            (Self::Str(a), Self::Str(b)) => a == b,
            (Self::Name(a), Self::Name(b)) => a == b,
            (Self::Object(a), Self::Object(b)) => a == b,
            (Self::Soft(a), Self::Soft(b)) => a == b,
            (Self::Bytes(a), Self::Bytes(b)) => a == b,
            (Self::Array(a), Self::Array(b)) => a == b,
            (Self::Struct(a), Self::Struct(b)) => a.bytes() == b.bytes(),
            _ => false,
        }
    }
}

/// An iterator over the fields of a struct. The fields have already been checked, so reading them
/// does not fail.
#[derive(Clone, Copy, Debug)]
pub struct NativeFields<'p> {
    from: FileCursor<'p>,
    fields: &'static [NativeField],
    pub(crate) decode: Decode<'p>,
    /// The number in the first field, on which the presence of later fields can depend.
    first: i64,
    /// `true` if no field has been read.
    whole: bool,
    /// For [`NativePart::OfPath`] without tags: the struct whose path is the first field.
    structure: Option<MappedStruct<'p>>,
}

impl<'p> NativeFields<'p> {
    /// Reads fields, and moves `from` past them.
    pub(crate) fn read(
        from: &mut FileCursor<'p>,
        fields: &'static [NativeField],
        decode: Decode<'p>,
    ) -> Result<Self> {
        let (start, layout) = (*from, &decode.context.layout);
        let mut all = Self::measured(start, fields, decode);
        match size(fields, layout) {
            Some(size) => drop(from.bytes(size)?),
            None => {
                let mut at = all;
                while at.pass()? {}
                *from = at.from;
            }
        }
        all.from = start.until(from);
        Ok(all)
    }

    /// Returns the fields that take up all bytes of `from`. The caller must have checked them by
    /// reading them.
    pub(super) const fn measured(
        from: FileCursor<'p>,
        fields: &'static [NativeField],
        decode: Decode<'p>,
    ) -> Self {
        Self { from, fields, decode, first: 0, whole: true, structure: None }
    }

    /// Returns the offset of the next field in the file. All channels of a colour have the same
    /// offset.
    pub fn offset(&self) -> u64 {
        self.from.offset()
    }

    /// Returns the bytes of the remaining fields.
    pub fn bytes(&self) -> &'p [u8] {
        self.from.rest()
    }

    /// Returns the text of a name in these fields, or an empty text if the file does not have it.
    pub fn name(&self, name: NameRef<'p>) -> NameText<'p> {
        self.decode.context.text(name).unwrap_or_default()
    }

    /// Returns an unknown type with the context of these fields, which resolves the names in them.
    #[cfg(feature = "serde")]
    pub(crate) const fn unknown_type(&self) -> crate::unreal::PropertyType<'p> {
        crate::unreal::PropertyType::unknown(self.decode.context)
    }

    /// Returns `true` if no field has been read.
    pub(crate) const fn is_whole(&self) -> bool {
        self.whole
    }

    /// Moves to the next field that is present. Returns it, and whether it is the first one of the
    /// struct.
    #[inline(always)]
    fn next_field(&mut self) -> Option<(&'static NativeField, bool)> {
        let layout = &self.decode.context.layout;
        loop {
            let (field, rest) = self.fields.split_first()?;
            self.fields = rest;
            let is_first = core::mem::replace(&mut self.whole, false);
            if field.when == Condition::Always {
                return Some((field, is_first));
            }
            let more = match self.decode.place {
                // Without tags, the end of a value is not known.
                ValuePosition::Tag if !layout.unversioned_properties => !self.from.is_empty(),
                _ => layout.editor_data,
            };
            if field.when.holds(layout, Switch { first: self.first, more }) {
                return Some((field, is_first));
            }
        }
    }

    /// Skips the next field that is present. Returns `false` if there is none.
    #[inline(always)]
    fn pass(&mut self) -> Result<bool> {
        match self.next_field() {
            None => return Ok(false),
            // The presence or the type of other fields can depend on the value.
            Some((field, is_first)) if is_first || field.part == NativePart::OfPath => {
                self.read_field(field, is_first, &mut NativeValue::Bool(false))?;
            }
            Some((field, _)) => {
                let word = self.from;
                self.decode.pass_part(&mut self.from, field.part)?;
                self.rewind_channel(field, word);
            }
        }
        Ok(true)
    }

    /// Moves back to the start of a word if the next channel is in the same word as this field.
    #[inline(always)]
    fn rewind_channel(&mut self, field: &NativeField, word: FileCursor<'p>) {
        let is_channel = |field: &NativeField| matches!(field.part, NativePart::Channel(_));
        if is_channel(field) && self.fields.first().is_some_and(is_channel) {
            self.from = word;
        }
    }

    /// Reads the next field that is present, and returns its name.
    #[inline(always)]
    fn step(&mut self, to: &mut NativeValue<'p>) -> Result<Option<&'static str>> {
        let Some((field, is_first)) = self.next_field() else { return Ok(None) };
        self.read_field(field, is_first, to)?;
        Ok(Some(field.name))
    }

    /// Reads a field, which [`next_field`](Self::next_field) has returned.
    fn read_field(
        &mut self,
        field: &NativeField,
        is_first: bool,
        to: &mut NativeValue<'p>,
    ) -> Result<()> {
        let word = self.from;
        match (field.part, self.structure) {
            (NativePart::OfPath, of @ Some(_)) => {
                *to = NativeValue::Struct(self.decode.list_to_end(&mut self.from, of)?);
            }
            _ => self.decode.part(&mut self.from, field.part, to)?,
        }
        self.rewind_channel(field, word);
        if is_first {
            self.first = to.as_switch();
            let next = self.fields.first().map(|next| next.part);
            if self.decode.context.layout.unversioned_properties && next == Some(NativePart::OfPath)
            {
                self.structure = self.decode.struct_at(to);
            }
        }
        Ok(())
    }
}

impl PartialEq for NativeFields<'_> {
    fn eq(&self, other: &Self) -> bool {
        Iterator::eq(*self, *other)
    }
}

impl<'p> Iterator for NativeFields<'p> {
    type Item = (&'static str, NativeValue<'p>);

    fn next(&mut self) -> Option<Self::Item> {
        let mut item = ("", NativeValue::Bool(false));
        item.0 = self.step(&mut item.1).ok()??;
        Some(item)
    }
}

impl NativeValue<'_> {
    /// Returns the number on which the presence of later fields can depend.
    pub(crate) fn as_switch(&self) -> i64 {
        match *self {
            Self::Int(value) => value,
            Self::UInt(value) => value.cast_signed(),
            Self::Bool(value) => value.into(),
            Self::Str(text) => i64::from(!text.is_empty()),
            Self::Object(ObjectRef::Index(index)) => i64::from(!index.is_null()),
            Self::Object(ObjectRef::Path(path)) => i64::from(!path.is_empty()),
            _ => 0,
        }
    }
}

/// An iterator over the elements of an array in a struct with native serialization. The elements
/// have been checked, so their number is exact.
#[derive(Clone, Copy, Debug)]
pub struct NativeElements<'p> {
    from: FileCursor<'p>,
    left: u32,
    part: &'static NativePart,
    decode: Decode<'p>,
}

impl<'p> NativeElements<'p> {
    /// Reads a count and that many elements, and moves `from` past them.
    fn read(
        from: &mut FileCursor<'p>,
        part: &'static NativePart,
        decode: Decode<'p>,
    ) -> Result<Self> {
        let layout = &decode.context.layout;
        let left = from.count(part.least(layout), layout)?;
        let start = *from;
        // Where an element ends is not known before it is read.
        let decode = decode.inside(from)?.at(ValuePosition::Element);
        match part.size(layout) {
            Some(size) => drop(from.bytes(size.saturating_mul(left.into()))?),
            None => (0..left).try_for_each(|_| decode.pass_part(from, *part))?,
        }
        Ok(Self { from: start.until(from), left, part, decode })
    }

    /// Returns the offset of the next element in the file.
    pub fn offset(&self) -> u64 {
        self.from.offset()
    }

    /// Returns the bytes of the remaining elements.
    pub fn bytes(&self) -> &'p [u8] {
        self.from.rest()
    }
}

impl PartialEq for NativeElements<'_> {
    fn eq(&self, other: &Self) -> bool {
        Iterator::eq(*self, *other)
    }
}

impl<'p> Iterator for NativeElements<'p> {
    type Item = NativeValue<'p>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let mut value = NativeValue::Bool(false);
        self.decode.part(&mut self.from, *self.part, &mut value).ok()?;
        Some(value)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for NativeElements<'_> {}
impl FusedIterator for NativeElements<'_> {}

impl<'p> Decode<'p> {
    /// Skips the value of a field.
    fn pass_part(&self, from: &mut FileCursor<'p>, part: NativePart) -> Result<()> {
        match part {
            NativePart::Text => from.read::<StrRef<'p>>(&self.context.layout).map(drop),
            NativePart::Name => self.name(from).map(drop),
            NativePart::Group(fields) => NativeFields::read(from, fields, *self).map(drop),
            _ => match part.size(&self.context.layout) {
                Some(size) => from.bytes(size).map(drop),
                None => self.part(from, part, &mut NativeValue::Bool(false)),
            },
        }
    }

    /// Reads the value of a field into `to`. The depth of the recursion is the nesting depth of the groups
    /// and arrays in the table of structs.
    pub(crate) fn part(
        &self,
        from: &mut FileCursor<'p>,
        part: NativePart,
        to: &mut NativeValue<'p>,
    ) -> Result<()> {
        let layout = &self.context.layout;
        *to = match part {
            NativePart::Real if layout.has_ue5(ue5::LARGE_WORLD_COORDINATES) => {
                NativeValue::Double(from.read(layout)?)
            }
            NativePart::Real | NativePart::Float => NativeValue::Float(from.read(layout)?),
            NativePart::Double => NativeValue::Double(from.read(layout)?),
            NativePart::Int => NativeValue::Int(from.read::<i32>(layout)?.into()),
            NativePart::UInt => NativeValue::UInt(from.read::<u32>(layout)?.into()),
            NativePart::Int64 => NativeValue::Int(from.read(layout)?),
            NativePart::UInt64 => NativeValue::UInt(from.read(layout)?),
            NativePart::Byte => NativeValue::UInt(from.read::<u8>(layout)?.into()),
            NativePart::Short => NativeValue::UInt(from.read::<u16>(layout)?.into()),
            NativePart::Bool => NativeValue::Bool(from.read(layout)?),
            NativePart::Guid => NativeValue::Guid(from.read(layout)?),
            NativePart::Channel(shift) => {
                let word: u32 = from.read(layout)?;
                NativeValue::UInt((word.checked_shr(shift).unwrap_or_default() & 0xFF).into())
            }
            NativePart::Group(fields) => {
                NativeValue::Group(NativeFields::read(from, fields, *self)?)
            }
            NativePart::Text => NativeValue::Str(from.read(layout)?),
            NativePart::Name => NativeValue::Name(self.name(from)?),
            NativePart::Object => NativeValue::Object(from.read(layout)?),
            NativePart::Soft => NativeValue::Soft(self.soft(from)?),
            NativePart::Padding(size) => NativeValue::Bytes(from.bytes(size.into())?),
            NativePart::Bytes => {
                let count = from.count(1, layout)?;
                NativeValue::Bytes(from.bytes(count.into())?)
            }
            NativePart::Array(part) => NativeValue::Array(NativeElements::read(from, part, *self)?),
            NativePart::Bulk(part) => NativeValue::Array(self.bulk(from, part)?),
            NativePart::Properties("") if layout.unversioned_properties => {
                return Err(from.error(ErrorKind::UnknownEnd));
            }
            NativePart::Properties(of) if layout.unversioned_properties => {
                let of = self.context.mappings.and_then(|mappings| mappings.find_struct(of));
                NativeValue::Struct(self.list_to_end(from, of)?)
            }
            NativePart::OfPath if layout.unversioned_properties => {
                return Err(from.error(ErrorKind::NoSchema));
            }
            NativePart::Properties(_) | NativePart::OfPath => {
                let depth_left = self.inside(from)?.depth_left;
                let list = Properties::walked(from, self.context, true, depth_left, self.scope)?;
                NativeValue::Struct(list)
            }
        };
        Ok(())
    }

    /// Finds a struct in the mappings by its path. Compares only the name in the path.
    #[cold]
    fn struct_at(&self, path: &NativeValue<'p>) -> Option<MappedStruct<'p>> {
        let NativeValue::Str(path) = path else { return None };
        self.context.mappings?.find_struct(name_in_path(path.as_str()?))
    }

    /// Reads the properties, without tags, of a struct in the mappings.
    fn list_to_end(
        &self,
        from: &mut FileCursor<'p>,
        of: Option<MappedStruct<'p>>,
    ) -> Result<Properties<'p>> {
        let start = *from;
        let list = self.list_of(from, of)?;
        list.bounded(from).map_err(|reason| reason.into_error(&start))
    }

    /// Reads an array that states the size of its elements. Unless the array is empty, that size
    /// must be the expected one.
    fn bulk(
        &self,
        from: &mut FileCursor<'p>,
        part: &'static NativePart,
    ) -> Result<NativeElements<'p>> {
        let (start, layout) = (*from, &self.context.layout);
        let declared = from.read::<u32>(layout)?;
        let found = part.size(layout).unwrap_or_default();
        let elements = NativeElements::read(from, part, *self)?;
        match elements.left == 0 || u64::from(declared) == found {
            true => Ok(elements),
            false => {
                let declared = declared.into();
                Err(Error::new(ErrorKind::SizesDiffer { declared, found }, start.offset()))
            }
        }
    }
}
