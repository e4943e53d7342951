//! Property tags: what stands before each value, in the form before and from 5:1012.

use super::context::{Context, NameRef};
use super::kind::Kind;
use super::types::Type;
use crate::unreal::names::NameText;
use crate::unreal::wire::{Guid, Input};
use crate::unreal::{ErrorKind, Result};

/// A property: what its tag says, and the bytes of its value.
#[derive(Clone, Copy, Debug)]
pub struct Tag<'p> {
    /// What stands before the value.
    pub head: TagHead<'p>,
    /// The tag of all structs of an array together.
    pub(super) elements: Option<TagHead<'p>>,
    pub(super) payload: Input<'p>,
    /// How many values may still be inside each other.
    pub(super) room: u8,
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
    pub(super) name: NameRef<'p>,
    /// The type of the property, as far as the tag says.
    pub of: Type<'p>,
    /// Bytes of the value.
    pub size: u32,
    /// Which element of an array of fixed size it is.
    pub array_index: i32,
    /// [Flags](tag_flags) of the tag, from 5:1012.
    pub flags: Option<u8>,
    /// The value of a `Bool`.
    pub truth: bool,
    /// The byte that says so below 5:1012; any but 0 is true.
    pub(super) truth_byte: u8,
    /// Of the struct, from 4:441 to 5:1011.
    pub struct_guid: Option<Guid>,
    /// Of the property.
    pub guid: Option<Guid>,
    /// The byte of extensions, where there is one.
    pub(super) extensions: Option<u8>,
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
pub(super) const OVERRIDDEN: u8 = 2;

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
    pub(super) fn read(
        from: &mut Input<'p>,
        context: &'p Context<'p>,
        room: u8,
    ) -> Result<Option<Self>> {
        let Some(mut head) = TagHead::read(from, context)? else { return Ok(None) };
        let payload = from.window(head.size.into())?;
        let elements = elements(&head.of, payload, context);
        if let Some(name) = elements.as_ref().and_then(|elements| elements.of.own_name()) {
            head.of = head.of.of_structs(name);
        }
        Ok(Some(Self { head, elements, payload, room }))
    }

    /// Its name.
    pub fn name(&self) -> NameText<'p> {
        self.head.name()
    }

    /// What it is.
    pub const fn kind(&self) -> Kind {
        self.head.of.kind()
    }

    /// The bytes of its value.
    pub fn bytes(&self) -> &'p [u8] {
        self.payload.rest()
    }

    /// The tag that stands behind the count of an array of structs and is for all of them, from
    /// 4:500 to 5:1011.
    pub const fn inner_tag(&self) -> Option<TagHead<'p>> {
        self.elements
    }

    /// Whether it says that its value is in a form of its own; `None` below 5:1012.
    pub(super) fn native(&self) -> Option<bool> {
        self.head.flags.map(|flags| flags & tag_flags::NATIVE != 0)
    }
}

/// The tag behind the count of an array of structs.
fn elements<'p>(
    of: &Type<'p>,
    mut payload: Input<'p>,
    context: &'p Context<'p>,
) -> Option<TagHead<'p>> {
    let layout = &context.layout;
    let has = of.kind() == Kind::Array && layout.arrays_have_inner_tags();
    if !has || of.inner()?.kind() != Kind::Struct {
        return None;
    }
    payload.read::<i32>(layout).ok()?;
    TagHead::read(&mut payload, context).ok()?
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

    pub(super) fn read(from: &mut Input<'p>, context: &'p Context<'p>) -> Result<Option<Self>> {
        let (start, layout) = (*from, &context.layout);
        let name = from.read(layout)?;
        if context.expect(name, &start)? == *"None" {
            return Ok(None);
        }
        let tree = layout.ue5(1012);
        let of = match tree {
            true => Type::read_tree(from, context)?,
            false => {
                let at = *from;
                Type::new(context, from.read(layout)?, &at)?
            }
        };
        let size = from.count(0, layout)?;
        let offset = start.offset();
        let mut head = Self {
            name,
            of,
            size,
            array_index: 0,
            flags: None,
            truth: false,
            truth_byte: 0,
            struct_guid: None,
            guid: None,
            extensions: None,
            overridden: None,
            offset,
        };
        if tree {
            head.flagged(from, context)?
        } else {
            head.by_kind(from, context)?
        }
        Ok(Some(head))
    }

    /// What follows the size below 5:1012.
    fn by_kind(&mut self, from: &mut Input<'p>, context: &'p Context<'p>) -> Result<()> {
        let layout = &context.layout;
        self.array_index = from.read(layout)?;
        match self.of.kind() {
            Kind::Struct => {
                self.of = self.of.named(from.read(layout)?);
                if layout.ue4(441) {
                    self.struct_guid = Some(from.read(layout)?);
                }
            }
            Kind::Bool => {
                self.truth_byte = from.read(layout)?;
                self.truth = self.truth_byte != 0;
            }
            Kind::Byte | Kind::Enum => self.of = self.of.named(from.read(layout)?),
            Kind::Array if layout.ue4(282) => self.of = self.of.of_words(from.read(layout)?, None),
            Kind::Optional => self.of = self.of.of_words(from.read(layout)?, None),
            Kind::Set if layout.ue4(509) => self.of = self.of.of_words(from.read(layout)?, None),
            Kind::Map if layout.ue4(509) => {
                let (key, value) = (from.read(layout)?, from.read(layout)?);
                self.of = self.of.of_words(key, Some(value));
            }
            _ => {}
        }
        let at = *from;
        if layout.ue4(503) {
            self.guid = match from.read::<u8>(layout)? {
                0 => None,
                1 => Some(from.read(layout)?),
                other => return Err(at.error(ErrorKind::BadBool(other.into()))),
            };
        }
        if layout.ue5(1011) { self.extensions(from, context) } else { Ok(()) }
    }

    /// What follows the size from 5:1012.
    fn flagged(&mut self, from: &mut Input<'p>, context: &'p Context<'p>) -> Result<()> {
        let layout = &context.layout;
        let flags: u8 = from.read(layout)?;
        self.flags = Some(flags);
        self.truth = flags & tag_flags::TRUE != 0;
        if flags & tag_flags::ARRAY_INDEX != 0 {
            self.array_index = from.read(layout)?;
        }
        if flags & tag_flags::GUID != 0 {
            self.guid = Some(from.read(layout)?);
        }
        if flags & tag_flags::EXTENSIONS != 0 { self.extensions(from, context) } else { Ok(()) }
    }

    fn extensions(&mut self, from: &mut Input<'p>, context: &'p Context<'p>) -> Result<()> {
        let layout = &context.layout;
        let extensions: u8 = from.read(layout)?;
        self.extensions = Some(extensions);
        if extensions & OVERRIDDEN != 0 {
            let (operation, experimental) = (from.read(layout)?, from.read(layout)?);
            self.overridden = Some(Overridden { operation, experimental });
        }
        Ok(())
    }
}
