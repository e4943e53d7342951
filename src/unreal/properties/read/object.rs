//! The bytes of an export: its properties, and native data of its class.

use super::list::Properties;
use crate::unreal::format::{FileCursor, Guid, Layout, NameText, Result, StrRef};
use crate::unreal::format::{ue4, ue5};
use crate::unreal::mappings::MappedStruct;
use crate::unreal::properties::types::PropertyContext;
use crate::unreal::tables::{Export, object_flags};

/// The contents of an export.
///
/// ```text
/// bytes of the class          in a few classes, such as AssetImportData
/// u8 control, u8 operation?   from 5:1011, with tags
/// properties, then "None"     or, without tags, a header of slots, and values
/// u32 has GUID, GUID?         not in class default objects
/// native tail                 data that the class writes in its own format
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ObjectProperties<'p> {
    /// Bytes that the class writes before the properties. Only a few classes do so; see
    /// [`import_sources`](Self::import_sources).
    pub before: &'p [u8],
    /// Control byte before the properties; present from 5:1011 on.
    pub control: Option<u8>,
    /// `EOverriddenPropertyOperation`, present if bit 1 (`0x2`) of the control byte is set.
    pub operation: Option<u8>,
    properties: Properties<'p>,
    /// `true` if a GUID can follow the properties.
    has_guid: bool,
}

/// The facts about an export that are needed to read its properties.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectHead {
    pub(crate) object_flags: u32,
    /// `true` if the export is itself a class.
    pub(crate) is_class: bool,
    /// Offset of the properties in the bytes of the export, if it is stored.
    pub(crate) script_start: Option<i64>,
}

impl From<&Export> for ObjectHead {
    fn from(export: &Export) -> Self {
        Self {
            object_flags: export.object_flags,
            is_class: export.class.is_null(),
            script_start: export.script_start,
        }
    }
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
    /// Reads the start of an export at `from`. `class` returns the name of its class. Exports of
    /// the class `Class` and of a few other classes have no tagged properties. `of` is the class as
    /// the mappings describe it; only properties without tags need it.
    pub(crate) fn new(
        mut from: FileCursor<'p>,
        export: ObjectHead,
        context: &'p PropertyContext<'p>,
        class: impl Fn() -> Option<NameText<'p>>,
        of: Option<MappedStruct<'p>>,
    ) -> Result<Self> {
        let layout = &context.prepared().layout;
        let has_guid = export.object_flags & object_flags::CLASS_DEFAULT_OBJECT == 0;
        let is_untagged = export.is_class || may_be_rig(layout) && is_untagged(class());
        if is_untagged {
            let properties = Properties::none(from, context);
            // Rig classes skip the data of `UObject`: the properties, and the GUID after them.
            let has_guid = has_guid && export.is_class;
            return Ok(Self { before: &[], control: None, operation: None, properties, has_guid });
        }
        if layout.unversioned_properties {
            let properties = Self::slots(from, has_guid, context, of)?;
            return Ok(Self { before: &[], control: None, operation: None, properties, has_guid });
        }
        let start = from;
        skip_before(&mut from, export, layout, &class);
        let before = start.until(&from).rest();
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
        let properties = Properties::new(from, context);
        Ok(Self { before, control, operation, properties, has_guid })
    }

    /// Returns the text that an `AssetImportData` or a class derived from it writes before its
    /// properties, in editor packages from 4:464 on: a JSON array of the files from which the asset
    /// was imported.
    pub fn import_sources(&self) -> Option<StrRef<'p>> {
        let mut from = FileCursor::new(self.before, 0);
        let text = from.read(&self.properties.context.layout).ok();
        text.filter(|text: &StrRef<'_>| from.is_empty() && !text.is_empty())
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
        // Engine 5.4 writes four zero bytes before the header.
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

/// Returns `true` if the package can contain exports of rig classes, which write no properties.
const fn may_be_rig(layout: &Layout) -> bool {
    layout.custom.control_rig >= 0 || layout.custom.rig_vm >= 0
}

/// Returns `true` for a class that writes its own data instead of properties.
fn is_untagged(class: Option<NameText<'_>>) -> bool {
    const CLASSES: [&str; 3] = ["RigHierarchy", "RigVM", "RigVMLink"];
    class.is_some_and(|class| CLASSES.iter().any(|untagged| class == **untagged))
}

/// Skips the bytes that some classes write before the properties.
fn skip_before<'p>(
    from: &mut FileCursor<'p>,
    export: ObjectHead,
    layout: &Layout,
    class: &impl Fn() -> Option<NameText<'p>>,
) {
    let mut behind = *from;
    match export.script_start.map(u64::try_from) {
        Some(Ok(start @ 1..)) if behind.bytes(start).is_ok() => *from = behind,
        // The JSON text begins with a bracket after its length. Other exports have the number of a
        // name at this place, which is rarely a bracket, so the class rarely needs to be read.
        _ if layout.editor_data
            && layout.has_ue4(ue4::ASSET_IMPORT_DATA_AS_JSON)
            && matches!(from.rest(), [_, _, _, _, b'[', ..] | [_, _, _, _, 0, b'[', ..])
            && class().is_some_and(|class| class.text().bytes().ends_with(b"ImportData"))
            && behind.read::<StrRef<'p>>(layout).is_ok() =>
        {
            *from = behind;
        }
        _ => {}
    }
}

impl<'p> IntoIterator for ObjectProperties<'p> {
    type Item = Result<super::Tag<'p>>;
    type IntoIter = Properties<'p>;

    fn into_iter(self) -> Properties<'p> {
        self.properties
    }
}
