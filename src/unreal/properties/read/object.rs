//! The bytes of an export: its properties, and native data of its class.

use super::list::Properties;
use crate::unreal::format::ue5;
use crate::unreal::format::{FileCursor, Guid, Result};
use crate::unreal::mappings::MappedStruct;
use crate::unreal::properties::types::PropertyContext;
use crate::unreal::tables::{Export, object_flags};

/// The contents of an export.
///
/// ```text
/// u8 control, u8 operation?   from 5:1011, with tags
/// properties, then "None"     or, without tags, a header of slots, and values
/// u32 has GUID, GUID?         not in class default objects
/// native tail                 data that the class writes in its own format
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ObjectProperties<'p> {
    /// Control byte before the properties; present from 5:1011 on.
    pub control: Option<u8>,
    /// `EOverriddenPropertyOperation`, present if bit 1 (`0x2`) of the control byte is set.
    pub operation: Option<u8>,
    properties: Properties<'p>,
    /// `true` if a GUID can follow the properties.
    has_guid: bool,
}

/// The bytes after the properties of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tail<'p> {
    /// Offset of the end of the properties in the file.
    pub offset: u64,
    /// GUID of the object, if it has one.
    pub guid: Option<Guid>,
    /// Native data that the class writes.
    pub native: &'p [u8],
}

impl<'p> ObjectProperties<'p> {
    /// Reads the start of an export at `from`. Exports with the class `Class` have no tagged
    /// properties. `of` is the class in the mappings, for properties without tags.
    pub(crate) fn new(
        mut from: FileCursor<'p>,
        export: &Export,
        context: &'p PropertyContext<'p>,
        of: Option<MappedStruct<'p>>,
    ) -> Result<Self> {
        let layout = &context.prepared().layout;
        let has_guid = export.object_flags & object_flags::CLASS_DEFAULT_OBJECT == 0;
        if export.class.is_null() {
            let properties = Properties::none(from, context);
            return Ok(Self { control: None, operation: None, properties, has_guid });
        }
        if layout.unversioned_properties {
            let properties = Self::slots(from, has_guid, context, of)?;
            return Ok(Self { control: None, operation: None, properties, has_guid });
        }
        let control: Option<u8> =
            if layout.has_ue5(ue5::PROPERTY_TAG_EXTENSION_AND_OVERRIDABLE_SERIALIZATION) {
                Some(from.read(layout)?)
            } else {
                None
            };
        let operation = match control {
            Some(control) if control & 2 != 0 => Some(from.read(layout)?),
            _ => None,
        };
        Ok(Self { control, operation, properties: Properties::new(from, context), has_guid })
    }

    /// Reads the start of properties without tags.
    fn slots(
        mut from: FileCursor<'p>,
        has_guid: bool,
        context: &'p PropertyContext<'p>,
        of: Option<MappedStruct<'p>>,
    ) -> Result<Properties<'p>> {
        let Some(of) = of else { return Ok(Properties::without_schema(from, context)) };
        let layout = &context.prepared().layout;
        // Engine 5.4 writes four zero bytes in front of the header.
        let is_54 = layout.has_ue5(ue5::PROPERTY_TAG_EXTENSION_AND_OVERRIDABLE_SERIALIZATION - 1)
            && !layout.has_ue5(ue5::PROPERTY_TAG_COMPLETE_TYPE_NAME + 1);
        let mut behind = from;
        if is_54 && has_guid && behind.read::<u32>(layout) == Ok(0) {
            from = behind;
        }
        Properties::slots(from, context, of)
    }

    /// Returns the properties.
    pub const fn iter(&self) -> Properties<'p> {
        self.properties
    }

    /// Reads the properties to their end, and returns the bytes after them.
    ///
    /// # Errors
    /// If the list is malformed, or if the GUID flag or the GUID after it cannot be read.
    pub fn tail(&self) -> Result<Tail<'p>> {
        let mut from = self.properties.end()?;
        let offset = from.offset();
        let layout = &self.properties.context.layout;
        // Exports of some classes end before this flag.
        let guid = match self.has_guid && !from.is_empty() && from.read(layout)? {
            true => Some(from.read(layout)?),
            false => None,
        };
        Ok(Tail { offset, guid, native: from.rest() })
    }
}

impl<'p> IntoIterator for ObjectProperties<'p> {
    type Item = Result<super::Tag<'p>>;
    type IntoIter = Properties<'p>;

    fn into_iter(self) -> Properties<'p> {
        self.properties
    }
}
