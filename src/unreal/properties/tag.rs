//! Property tags: what stands before each value, in the form before and from 5:1012.

use super::context::{Context, NameRef};
use super::kind::Kind;
use super::types::Type;
use crate::unreal::names::NameText;
use crate::unreal::wire::{Guid, Input};
use crate::unreal::{ErrorKind, Result};

/// A property: what its tag says, and the bytes of its value.
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
pub struct Tag<'p> {
    name: NameRef<'p>,
    /// Its type, as far as the tag says.
    pub of: Type<'p>,
    /// Bytes of its value.
    pub size: u32,
    /// Which element of an array of fixed size it is.
    pub array_index: i32,
    /// [Flags](tag_flags) of the tag, from 5:1012.
    pub flags: Option<u8>,
    /// The value of a `Bool`.
    pub truth: bool,
    /// Of the struct, from 4:441 to 5:1011.
    pub struct_guid: Option<Guid>,
    /// Of the property.
    pub guid: Option<Guid>,
    /// What is overridden.
    pub overridden: Option<Overridden>,
    /// Where the tag begins in the file.
    pub offset: u64,
    /// The tag behind the count of an array of structs, from 4:500 to 5:1011.
    pub(super) elements: Option<InnerTag<'p>>,
    pub(super) payload: Input<'p>,
}

/// What a tag's extensions say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overridden {
    /// `EOverriddenPropertyOperation`
    pub operation: u8,
    /// Whether logic that is not settled yet is at work.
    pub experimental: bool,
}

/// The tag of all structs of an array together.
#[derive(Clone, Copy, Debug)]
pub struct InnerTag<'p> {
    pub(super) head: Head<'p>,
}

/// Bits of [`Tag::flags`].
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

/// A tag without its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head<'p> {
    pub name: NameRef<'p>,
    pub of: Type<'p>,
    pub size: u32,
    pub array_index: i32,
    flags: Option<u8>,
    truth: bool,
    pub struct_guid: Option<Guid>,
    pub guid: Option<Guid>,
    overridden: Option<Overridden>,
    pub offset: u64,
}

impl<'p> Tag<'p> {
    /// The next property; `None` at the name that ends a list.
    pub(super) fn read(from: &mut Input<'p>, context: &'p Context<'p>) -> Result<Option<Self>> {
        let Some(head) = Head::read(from, context)? else { return Ok(None) };
        let payload = from.window(head.size.into())?;
        let Head { name, mut of, size, array_index, flags, truth, struct_guid, guid, .. } = head;
        let Head { overridden, offset, .. } = head;
        let elements = elements(&of, payload, context);
        if let Some(InnerTag { head: Head { of: inner, .. } }) = &elements
            && let Some(name) = inner.own_name()
        {
            of = of.of_structs(name);
        }
        Ok(Some(Self {
            name,
            of,
            size,
            array_index,
            flags,
            truth,
            struct_guid,
            guid,
            overridden,
            offset,
            elements,
            payload,
        }))
    }

    /// Its name.
    pub fn name(&self) -> NameText<'p> {
        self.of.context.text(self.name).unwrap_or_default()
    }

    /// Its name as the file has it.
    pub const fn name_ref(&self) -> NameRef<'p> {
        self.name
    }

    /// The bytes of its value.
    pub fn bytes(&self) -> &'p [u8] {
        self.payload.rest()
    }

    /// The tag of the structs of an array.
    pub const fn inner_tag(&self) -> Option<InnerTag<'p>> {
        self.elements
    }

    /// Whether it says that its value is in a form of its own; `None` below 5:1012.
    pub(super) fn native(&self) -> Option<bool> {
        self.flags.map(|flags| flags & tag_flags::NATIVE != 0)
    }
}

impl<'p> InnerTag<'p> {
    /// The name of the array.
    pub fn name(&self) -> NameText<'p> {
        self.head.of.context.text(self.head.name).unwrap_or_default()
    }

    /// The type of the elements.
    pub const fn of(&self) -> Type<'p> {
        self.head.of
    }

    /// Bytes of all elements.
    pub const fn size(&self) -> u32 {
        self.head.size
    }

    /// As of any tag.
    pub const fn array_index(&self) -> i32 {
        self.head.array_index
    }

    /// Of the struct.
    pub const fn struct_guid(&self) -> Option<Guid> {
        self.head.struct_guid
    }

    /// Of the property.
    pub const fn guid(&self) -> Option<Guid> {
        self.head.guid
    }

    /// Where it begins in the file.
    pub const fn offset(&self) -> u64 {
        self.head.offset
    }
}

/// The tag behind the count of an array of structs.
fn elements<'p>(
    of: &Type<'p>,
    mut payload: Input<'p>,
    context: &'p Context<'p>,
) -> Option<InnerTag<'p>> {
    let layout = &context.layout;
    let has = of.kind() == Kind::Array && layout.ue4(500) && !layout.ue5(1012);
    if !has || of.inner()?.kind() != Kind::Struct {
        return None;
    }
    payload.read::<i32>(layout).ok()?;
    let head = Head::read(&mut payload, context).ok()??;
    Some(InnerTag { head })
}

impl<'p> Head<'p> {
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
            struct_guid: None,
            guid: None,
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
            Kind::Bool => self.truth = from.read::<u8>(layout)? != 0,
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
        if from.read::<u8>(layout)? & 2 != 0 {
            let (operation, experimental) = (from.read(layout)?, from.read(layout)?);
            self.overridden = Some(Overridden { operation, experimental });
        }
        Ok(())
    }
}
