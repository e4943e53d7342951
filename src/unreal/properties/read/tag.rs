//! Property tags, in both formats: below 5:1012, and from 5:1012 on.

use super::plain::{self, PlainTag};
use super::slot_walk::{MappedSlot, SlotType};
use super::unversioned::Slot;
use crate::unreal::format::{ErrorKind, FileCursor, Guid, Layout, NameText, Result, StrRef};
use crate::unreal::format::{ue4, ue5};
use crate::unreal::properties::types::{
    HintScope, NameCode, NameRef, PropertyContext, PropertyKind, PropertyType,
};

/// A property: its tag, and the bytes of its value.
#[derive(Clone, Copy, Debug)]
pub struct Tag<'p> {
    pub(crate) context: &'p PropertyContext<'p>,
    pub(super) origin: Origin<'p>,
    pub(crate) payload: FileCursor<'p>,
    kind: PropertyKind,
    /// Code of the struct name.
    pub(crate) code: NameCode,
    /// Value of a bool property.
    pub(crate) bool_value: bool,
    /// Flag for native serialization; `None` below 5:1012.
    pub(crate) native: Option<bool>,
    /// Remaining nesting depth.
    pub(crate) depth_left: u8,
    /// The path of the list that has the tag, for hints with a path.
    pub(crate) scope: HintScope,
}

/// What states the name and the type of a property.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin<'p> {
    /// The tag that begins at the cursor, and the name in it.
    Tag(FileCursor<'p>, NameRef<'p>),
    /// The slot of a property without a tag.
    Slot(MappedSlot<'p>),
}

/// The fields of a tag.
///
/// ```text
/// below 5:1012                       from 5:1012
/// name             "None" ends       name
/// name of kind                       type: nodes of {name, i32 parameters}
/// i32 size, i32 array index          i32 size, u8 flags, i32 array index?
/// fields that depend on the kind
/// u8 has GUID, GUID?   from 4:503    GUID?
/// u8 extensions, ...   from 5:1011   u8 extensions?, ...
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TagHead<'p> {
    pub(crate) name: NameRef<'p>,
    /// Type of the property, or the part of the type that the tag states.
    pub of: PropertyType<'p>,
    /// Size of the value in bytes.
    pub size: u32,
    /// Index in a fixed-size array.
    pub array_index: i32,
    /// [Flags](tag_flags) of the tag; present from 5:1012 on.
    pub flags: Option<u8>,
    /// Value of a bool property.
    pub bool_value: bool,
    /// Stored byte of a bool value below 5:1012; every byte except 0 means `true`.
    pub(crate) bool_byte: u8,
    /// GUID of the struct; present from 4:441 to 5:1011.
    pub struct_guid: Option<Guid>,
    /// GUID of the property.
    pub guid: Option<Guid>,
    /// Byte of extension flags, if it is stored.
    pub(crate) extensions: Option<u8>,
    /// Overridable serialization data.
    pub overridden: Option<Overridden>,
    /// Offset of the tag in the file, or of the value if the property has no tag.
    pub offset: u64,
    /// Slot of a property without a tag; `None` for a property with a tag.
    pub slot: Option<Slot>,
}

/// The overridable serialization data of a tag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overridden {
    /// The operation (`EOverriddenPropertyOperation`).
    pub operation: u8,
    /// `true` if experimental overridable logic is used.
    pub experimental: bool,
}

/// Extension flag: overridable serialization data follow.
pub(crate) const OVERRIDDEN: u8 = 2;

/// Bits of [`TagHead::flags`].
pub mod tag_flags {
    /// An index in a fixed-size array follows.
    pub const ARRAY_INDEX: u8 = 1;
    /// The GUID of the property follows.
    pub const GUID: u8 = 2;
    /// Extension flags follow.
    pub const EXTENSIONS: u8 = 4;
    /// The value has native serialization instead of tags.
    pub const NATIVE: u8 = 8;
    /// The value of a bool property is `true`.
    pub const TRUE: u8 = 0x10;
    /// The engine skipped the serialization of the value.
    pub const SKIPPED: u8 = 0x20;
}

impl<'p> Tag<'p> {
    /// Reads the next property. Returns `None` at the name that ends the list.
    #[inline(always)]
    pub(crate) fn read(
        from: &mut FileCursor<'p>,
        context: &'p PropertyContext<'p>,
        depth_left: u8,
        scope: HintScope,
    ) -> Result<Option<Self>> {
        let start = *from;
        match plain::item(from, context) {
            None => Self::read_any(from, context, depth_left, scope),
            Some((plain::Item::End, _)) => Ok(None),
            Some((plain::Item::Tag(tag), payload)) => Ok(Some(Self {
                scope,
                ..Self::of_plain(&tag, start, payload, context, depth_left)
            })),
        }
    }

    /// Creates a `Tag` from the tag of a plain file that begins at `start`.
    #[inline(always)]
    pub(super) fn of_plain(
        tag: &PlainTag<'p>,
        start: FileCursor<'p>,
        payload: FileCursor<'p>,
        context: &'p PropertyContext<'p>,
        depth_left: u8,
    ) -> Self {
        let PlainTag { name, kind, code, bool_value, .. } = *tag;
        Self {
            context,
            origin: Origin::Tag(start, name),
            payload,
            kind,
            code,
            bool_value,
            native: None,
            depth_left,
            scope: HintScope::NONE,
        }
    }

    /// Does the same as [`read`](Self::read), without the fast path.
    #[inline(never)]
    fn read_any(
        from: &mut FileCursor<'p>,
        context: &'p PropertyContext<'p>,
        depth_left: u8,
        scope: HintScope,
    ) -> Result<Option<Self>> {
        let start = *from;
        let Some(head) = TagHead::read(from, context)? else { return Ok(None) };
        let payload = from.window(head.size.into())?;
        let (PropertyType { kind, code, .. }, bool_value, native) =
            (head.of, head.bool_value, head.native());
        Ok(Some(Self {
            context,
            origin: Origin::Tag(start, head.name),
            payload,
            kind,
            code,
            bool_value,
            native,
            depth_left,
            scope,
        }))
    }

    /// Creates a `Tag` for a property that has no tag in the file, from its value and its slot.
    #[inline(always)]
    pub(super) fn at_slot(
        context: &'p PropertyContext<'p>,
        payload: FileCursor<'p>,
        slot: MappedSlot<'p>,
        of: SlotType<'p>,
        depth_left: u8,
    ) -> Self {
        Self {
            context,
            origin: Origin::Slot(slot),
            payload,
            kind: of.kind,
            code: of.code,
            bool_value: false,
            native: None,
            depth_left,
            scope: HintScope::NONE,
        }
    }

    /// Returns the slot of a property without a tag. The slot also states whether the value is zero
    /// and has no bytes. Returns `None` for a property with a tag.
    pub fn slot(&self) -> Option<Slot> {
        match &self.origin {
            Origin::Tag(..) => None,
            Origin::Slot(slot) => Some(slot.slot),
        }
    }

    /// Returns all fields of the tag. Reads the tag again. For a property without a tag, the fields
    /// come from the mappings.
    pub fn head(&self) -> TagHead<'p> {
        let mut head = self.alone();
        if let Some(name) = elements(&head.of, self.payload).and_then(|all| all.of.struct_name()) {
            head.of.fill_with_structs(name);
        }
        head
    }

    /// Returns the type as this tag states it, without the struct name of an inner tag.
    pub(crate) fn of(&self) -> PropertyType<'p> {
        self.alone().of
    }

    /// Reads the tag without its inner tag. This cannot fail, since the tag has been read before.
    #[inline(always)]
    fn alone(&self) -> TagHead<'p> {
        let head = match self.origin {
            Origin::Tag(mut start, _) => TagHead::read(&mut start, self.context).ok().flatten(),
            Origin::Slot(slot) => return self.mapped_head(slot),
        };
        head.unwrap_or(TagHead::nothing(self.context))
    }

    /// Returns the fields of a property without a tag.
    #[inline(never)]
    fn mapped_head(&self, slot: MappedSlot<'p>) -> TagHead<'p> {
        TagHead {
            name: slot.name(),
            of: self.slot_type(slot),
            size: u32::try_from(self.payload.remaining()).unwrap_or(u32::MAX),
            array_index: slot.array_index.into(),
            bool_value: self.slot_bool(),
            offset: self.payload.offset(),
            slot: Some(slot.slot),
            ..TagHead::nothing(self.context)
        }
    }

    /// Returns the offset of the tag in the file, or of the value if the property has no tag.
    pub fn offset(&self) -> u64 {
        self.start().offset()
    }

    /// Returns a cursor at the start of the tag, or of the value if the property has no tag.
    const fn start(&self) -> FileCursor<'p> {
        match self.origin {
            Origin::Tag(start, _) => start,
            Origin::Slot(_) => self.payload,
        }
    }

    /// Returns the offset of the [value](Self::bytes) in the file.
    pub fn value_offset(&self) -> u64 {
        self.payload.offset()
    }

    /// Returns the name of the property.
    #[inline(always)]
    pub fn name(&self) -> NameText<'p> {
        self.context.text_or_empty(self.name_ref())
    }

    /// Returns the name as it is stored. For a property without a tag, returns the text of its name
    /// in the mappings.
    #[inline(always)]
    pub fn name_ref(&self) -> NameRef<'p> {
        match self.origin {
            Origin::Tag(_, name) => name,
            Origin::Slot(slot) => slot.name(),
        }
    }

    /// Returns the kind of the property.
    pub const fn kind(&self) -> PropertyKind {
        self.kind
    }

    /// Returns the bytes of the tag, without those of the value.
    #[cfg(feature = "serde")]
    pub(crate) fn head_bytes(&self) -> &'p [u8] {
        let len = self.payload.offset().saturating_sub(self.offset());
        self.start().bytes(len).unwrap_or_default()
    }

    /// Returns the offset of the end of the value.
    #[cfg(feature = "serde")]
    pub(crate) fn end(&self) -> u64 {
        self.payload.offset().saturating_add(self.payload.remaining())
    }

    /// Returns the bytes of the value.
    pub fn bytes(&self) -> &'p [u8] {
        self.payload.rest()
    }

    /// Returns the inner tag of an array of structs, which applies to all elements. In files from
    /// 4:500 to 5:1011, it follows the count of the elements. Other files have no inner tags.
    pub fn inner_tag(&self) -> Option<TagHead<'p>> {
        self.inner_tag_of(&self.of())
    }

    /// Returns what [`inner_tag`](Self::inner_tag) returns. `of` is the type of the property, which
    /// the caller has already read.
    #[inline]
    pub(crate) fn inner_tag_of(&self, of: &PropertyType<'p>) -> Option<TagHead<'p>> {
        elements(of, self.payload)
    }
}

/// Reads the inner tag of an array of structs.
fn elements<'p>(of: &PropertyType<'p>, mut payload: FileCursor<'p>) -> Option<TagHead<'p>> {
    if !of.has_inner_tag() {
        return None;
    }
    payload.read::<i32>(&of.context.layout).ok()?;
    TagHead::read(&mut payload, of.context).ok()?
}

impl<'p> TagHead<'p> {
    /// Returns the name of the property.
    pub fn name(&self) -> NameText<'p> {
        self.of.context.text(self.name).unwrap_or_default()
    }

    /// Returns the name as it is stored.
    pub const fn name_ref(&self) -> NameRef<'p> {
        self.name
    }

    /// Returns the flag for native serialization, or `None` below 5:1012.
    #[inline(always)]
    pub(crate) fn native(&self) -> Option<bool> {
        self.flags.map(|flags| flags & tag_flags::NATIVE != 0)
    }

    /// Reads a tag. Returns `None` at the name that ends the list.
    #[inline(always)]
    pub(crate) fn read(
        from: &mut FileCursor<'p>,
        context: &'p PropertyContext<'p>,
    ) -> Result<Option<Self>> {
        if cfg!(gamewire_small) {
            return Self::read_once(from, context);
        }
        let mut at = *from; // a copy that stays in registers
        let head = Self::read_at(&mut at, context, &context.layout)?;
        *from = at;
        Ok(head)
    }

    /// Does the same as [`read`](Self::read). In a build for size, this is the only copy of the code.
    #[inline(never)]
    fn read_once(
        from: &mut FileCursor<'p>,
        context: &'p PropertyContext<'p>,
    ) -> Result<Option<Self>> {
        Self::read_at(from, context, &context.layout)
    }

    #[inline(always)]
    fn read_at(
        from: &mut FileCursor<'p>,
        context: &'p PropertyContext<'p>,
        layout: &Layout,
    ) -> Result<Option<Self>> {
        let start = *from;
        let name = from.read(layout)?;
        if context.ends(name, &start)? {
            return Ok(None);
        }
        let tree = layout.has_ue5(ue5::PROPERTY_TAG_COMPLETE_TYPE_NAME);
        let of = match tree {
            true => {
                let mut at = *from;
                let of = PropertyType::read_tree(&mut at, context)?;
                *from = at;
                of
            }
            false => {
                let at = *from;
                PropertyType::new(context, from.read(layout)?, &at)?
            }
        };
        let size = from.count(0, layout)?;
        let offset = start.offset();
        let mut head = Self { name, of, size, offset, ..Self::nothing(context) };
        if tree {
            head.flagged(from, layout)?
        } else {
            head.by_kind(from, layout)?
        }
        Ok(Some(head))
    }

    /// Returns a tag with empty fields.
    #[inline(always)]
    const fn nothing(context: &'p PropertyContext<'p>) -> Self {
        Self {
            name: NameRef::Text(StrRef::NONE),
            of: PropertyType::unknown(context),
            size: 0,
            array_index: 0,
            flags: None,
            bool_value: false,
            bool_byte: 0,
            struct_guid: None,
            guid: None,
            extensions: None,
            overridden: None,
            offset: 0,
            slot: None,
        }
    }

    /// Reads the fields after the size, in the format below 5:1012.
    #[inline(always)]
    fn by_kind(&mut self, from: &mut FileCursor<'p>, layout: &Layout) -> Result<()> {
        self.array_index = from.read(layout)?;
        match self.of.kind() {
            PropertyKind::Struct => {
                self.of.name_it(from.read(layout)?);
                if layout.has_ue4(ue4::STRUCT_GUID_IN_PROPERTY_TAG) {
                    self.struct_guid = Some(from.read(layout)?);
                }
            }
            PropertyKind::Bool => {
                self.bool_byte = from.read(layout)?;
                self.bool_value = self.bool_byte != 0;
            }
            PropertyKind::Byte | PropertyKind::Enum => self.of.name_it(from.read(layout)?),
            kind => match kind.tag_names(layout) {
                1 => self.of.fill(from.read(layout)?, None),
                2 => {
                    let (key, value) = (from.read(layout)?, from.read(layout)?);
                    self.of.fill(key, Some(value));
                }
                _ => {}
            },
        }
        let at = *from;
        if layout.has_ue4(ue4::PROPERTY_GUID_IN_PROPERTY_TAG) {
            self.guid = match from.read::<u8>(layout)? {
                0 => None,
                1 => Some(from.read(layout)?),
                other => return Err(at.error(ErrorKind::BadBool(other.into()))),
            };
        }
        if layout.has_ue5(ue5::PROPERTY_TAG_EXTENSION_AND_OVERRIDABLE_SERIALIZATION) {
            self.extensions(from, layout)
        } else {
            Ok(())
        }
    }

    /// Reads the fields after the size, in the format from 5:1012 on.
    #[inline(always)]
    fn flagged(&mut self, from: &mut FileCursor<'p>, layout: &Layout) -> Result<()> {
        let flags: u8 = from.read(layout)?;
        self.flags = Some(flags);
        self.bool_value = flags & tag_flags::TRUE != 0;
        if flags & tag_flags::ARRAY_INDEX != 0 {
            self.array_index = from.read(layout)?;
        }
        if flags & tag_flags::GUID != 0 {
            self.guid = Some(from.read(layout)?);
        }
        if flags & tag_flags::EXTENSIONS != 0 { self.extensions(from, layout) } else { Ok(()) }
    }

    #[inline(always)]
    fn extensions(&mut self, from: &mut FileCursor<'p>, layout: &Layout) -> Result<()> {
        let extensions: u8 = from.read(layout)?;
        self.extensions = Some(extensions);
        if extensions & OVERRIDDEN != 0 {
            let (operation, experimental) = (from.read(layout)?, from.read(layout)?);
            self.overridden = Some(Overridden { operation, experimental });
        }
        Ok(())
    }
}
