//! Property tags: what stands before each value, in the form before and from 5:1012.

use crate::unreal::format::{ErrorKind, FileCursor, Guid, Layout, NameText, Result, StrRef};
use crate::unreal::format::{ue4, ue5};
use crate::unreal::properties::types::{
    NameCode, NameRef, PropertyContext, PropertyKind, PropertyType,
};

/// A property: its tag, and the bytes of its value.
#[derive(Clone, Copy, Debug)]
pub struct Tag<'p> {
    pub(crate) context: &'p PropertyContext<'p>,
    /// From the tag on.
    start: FileCursor<'p>,
    pub(crate) payload: FileCursor<'p>,
    kind: PropertyKind,
    /// What the name of its struct means.
    pub(crate) code: NameCode,
    /// The value of a `Bool`.
    pub(crate) bool_value: bool,
    /// Whether it says that its value is in a form of its own; `None` below 5:1012.
    pub(crate) native: Option<bool>,
    /// How many values may still be inside each other.
    pub(crate) depth_left: u8,
}

/// What a tag says.
///
/// ```text
/// below 5:1012                       from 5:1012
/// name             "None" ends       name
/// name of kind                       type: nodes of {name, i32 parameters}
/// i32 size, i32 array index          i32 size, u8 flags, i32 array index?
/// what belongs to the kind
/// u8 has GUID, GUID?   from 4:503    GUID?
/// u8 extensions, ...   from 5:1011   u8 extensions?, ...
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TagHead<'p> {
    pub(crate) name: NameRef<'p>,
    /// The type of the property, as far as the tag says.
    pub of: PropertyType<'p>,
    /// Bytes of the value.
    pub size: u32,
    /// Which element of an array of fixed size it is.
    pub array_index: i32,
    /// [Flags](tag_flags) of the tag, from 5:1012.
    pub flags: Option<u8>,
    /// The value of a `Bool`.
    pub bool_value: bool,
    /// The byte that says so below 5:1012; any but 0 is true.
    pub(crate) bool_byte: u8,
    /// Of the struct, from 4:441 to 5:1011.
    pub struct_guid: Option<Guid>,
    /// Of the property.
    pub guid: Option<Guid>,
    /// The byte of extensions, where there is one.
    pub(crate) extensions: Option<u8>,
    /// What is overridden.
    pub overridden: Option<Overridden>,
    /// Where the tag begins in the file.
    pub offset: u64,
}

/// What a tag's extensions say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overridden {
    /// `EOverriddenPropertyOperation`
    pub operation: u8,
    /// Whether logic that is not settled yet is at work.
    pub experimental: bool,
}

/// Bit of the extensions: what is overridden follows.
pub(crate) const OVERRIDDEN: u8 = 2;

/// Bits of [`TagHead::flags`].
pub mod tag_flags {
    /// An index in an array of fixed size follows.
    pub const ARRAY_INDEX: u8 = 1;
    /// The property's GUID follows.
    pub const GUID: u8 = 2;
    /// Extensions follow.
    pub const EXTENSIONS: u8 = 4;
    /// The value is in a form of its own, not tagged.
    pub const NATIVE: u8 = 8;
    /// The value of a `Bool` is true.
    pub const TRUE: u8 = 0x10;
    /// The value was left out.
    pub const SKIPPED: u8 = 0x20;
}

impl<'p> Tag<'p> {
    /// The next property; `None` at the name that ends a list.
    #[inline(always)]
    pub(crate) fn read(
        from: &mut FileCursor<'p>,
        context: &'p PropertyContext<'p>,
        depth_left: u8,
    ) -> Result<Option<Self>> {
        let start = *from;
        let Some(head) = TagHead::read(from, context)? else { return Ok(None) };
        let payload = from.window(head.size.into())?;
        let (PropertyType { kind, code, .. }, bool_value, native) =
            (head.of, head.bool_value, head.native());
        Ok(Some(Self { context, start, payload, kind, code, bool_value, native, depth_left }))
    }

    /// All that the tag says, for which it is read a second time.
    pub fn head(&self) -> TagHead<'p> {
        let mut head = self.alone();
        if let Some(name) = elements(&head.of, self.payload).and_then(|all| all.of.struct_name()) {
            head.of.fill_with_structs(name);
        }
        head
    }

    /// Its type alone, but for what a tag of its elements says.
    pub(crate) fn of(&self) -> PropertyType<'p> {
        self.alone().of
    }

    /// What it says itself. (It was read once: it is there.)
    #[inline(always)]
    fn alone(&self) -> TagHead<'p> {
        let head = TagHead::read(&mut { self.start }, self.context).ok().flatten();
        head.unwrap_or(TagHead::nothing(self.context))
    }

    /// Where the tag begins in the file.
    pub fn offset(&self) -> u64 {
        self.start.offset()
    }

    /// Its name.
    pub fn name(&self) -> NameText<'p> {
        self.context.text(self.name_ref()).unwrap_or_default()
    }

    /// Its name as the file has it.
    pub fn name_ref(&self) -> NameRef<'p> {
        let none = NameRef::Text(StrRef::NONE);
        { self.start }.read(&self.context.layout).unwrap_or(none)
    }

    /// What it is.
    pub const fn kind(&self) -> PropertyKind {
        self.kind
    }

    /// The bytes of its value.
    pub fn bytes(&self) -> &'p [u8] {
        self.payload.rest()
    }

    /// The tag that stands behind the count of an array of structs and is for all of them, from
    /// 4:500 to 5:1011.
    pub fn inner_tag(&self) -> Option<TagHead<'p>> {
        elements(&self.of(), self.payload)
    }
}

/// The tag behind the count of an array of structs.
fn elements<'p>(of: &PropertyType<'p>, mut payload: FileCursor<'p>) -> Option<TagHead<'p>> {
    if !of.has_inner_tag() {
        return None;
    }
    payload.read::<i32>(&of.context.layout).ok()?;
    TagHead::read(&mut payload, of.context).ok()?
}

impl<'p> TagHead<'p> {
    /// The name of the property.
    pub fn name(&self) -> NameText<'p> {
        self.of.context.text(self.name).unwrap_or_default()
    }

    /// The name as the file has it.
    pub const fn name_ref(&self) -> NameRef<'p> {
        self.name
    }

    /// Whether it says that its value is in a form of its own; `None` below 5:1012.
    #[inline(always)]
    pub(crate) fn native(&self) -> Option<bool> {
        self.flags.map(|flags| flags & tag_flags::NATIVE != 0)
    }

    #[inline(always)]
    pub(crate) fn read(
        from: &mut FileCursor<'p>,
        context: &'p PropertyContext<'p>,
    ) -> Result<Option<Self>> {
        let mut at = *from; // in registers
        // Nearly all files are in this form: the same code without asking for it each time.
        let layout = &context.layout;
        let head = match (layout.is_plain(), layout.names_as_text) {
            (true, false) => Self::read_at(&mut at, context, &layout.plain(false))?,
            (true, true) => Self::read_at(&mut at, context, &layout.plain(true))?,
            (false, _) => Self::read_at(&mut at, context, layout)?,
        };
        *from = at;
        Ok(head)
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

    /// A tag that says nothing.
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
        }
    }

    /// What follows the size below 5:1012.
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

    /// What follows the size from 5:1012.
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
