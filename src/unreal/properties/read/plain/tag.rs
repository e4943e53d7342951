//! Tags of plain files.

use crate::unreal::format::{FileCursor, Name, StrRef, ue4};
use crate::unreal::properties::types::{NameCode, NameRef, PropertyContext, PropertyKind};
use zerocopy::byteorder::{I32, LE, U32};

/// The next item of a list of tags.
pub(in super::super) enum Item<'p> {
    Tag(PlainTag<'p>),
    /// The name that ends the list.
    End,
}

/// The content of a tag.
pub(in super::super) struct PlainTag<'p> {
    pub name: NameRef<'p>,
    pub kind: PropertyKind,
    /// Code of the struct name; unknown for other kinds.
    pub code: NameCode,
    /// Value of a bool property.
    pub bool_value: bool,
    /// Size of the value in bytes.
    pub size: u64,
    /// The names of structs or elements, and everything after them.
    pub parameters: FileCursor<'p>,
}

/// Reads the next tag of a list, and moves `from` past its value, which is returned with it. Returns
/// `None`, and leaves `from` where it is, if the tag needs the general decoder.
#[inline(always)]
pub(in super::super) fn item<'p>(
    from: &mut FileCursor<'p>,
    context: &PropertyContext<'p>,
) -> Option<(Item<'p>, FileCursor<'p>)> {
    let layout = &context.layout;
    if !layout.is_plain() {
        return None;
    }
    match layout.names_as_text {
        true => item_in::<true>(from, context),
        false => item_in::<false>(from, context),
    }
}

/// Skips the tags and the values of a list, and moves `from` past them. Returns `true` if it also
/// skipped the name that ends the list, and `false` at an item that needs the general decoder.
pub(in super::super) fn pass<'p>(from: &mut FileCursor<'p>, context: &PropertyContext<'p>) -> bool {
    let layout = &context.layout;
    match (layout.is_plain(), layout.names_as_text) {
        (false, _) => false,
        (true, true) => pass_in::<true>(from, context),
        (true, false) => pass_in::<false>(from, context),
    }
}

/// See [`pass`].
pub(super) fn pass_in<'p, const TEXT: bool>(
    from: &mut FileCursor<'p>,
    context: &PropertyContext<'p>,
) -> bool {
    let mut at = *from;
    let is_end = loop {
        let before = at;
        match item_in::<TEXT>(&mut at, context) {
            Some((Item::Tag(tag), _)) if tag.kind != PropertyKind::Unknown => {}
            Some((Item::End, _)) => break true,
            _ => {
                at = before;
                break false;
            }
        }
    };
    *from = at;
    is_end
}

/// Reads the next tag and its value in a file in which names are strings or, if `TEXT` is `false`,
/// indices. Returns `None` if the tag needs the general decoder.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(in super::super) fn item_in<'p, const TEXT: bool>(
    from: &mut FileCursor<'p>,
    context: &PropertyContext<'p>,
) -> Option<(Item<'p>, FileCursor<'p>)> {
    let (item, at) = tag_in::<TEXT>(*from, context)?;
    let size = match &item {
        Item::Tag(tag) => tag.size,
        Item::End => 0,
    };
    let (payload, at) = at.split_window(size)?;
    *from = at;
    Some((item, payload))
}

/// Reads the next tag, and returns the position after it. See [`item_in`].
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn tag_in<'p, const TEXT: bool>(
    at: FileCursor<'p>,
    context: &PropertyContext<'p>,
) -> Option<(Item<'p>, FileCursor<'p>)> {
    let (name, at) = stored_name::<TEXT>(at)?;
    match context.none_or_other(name) {
        NameCode::NONE => return Some((Item::End, at)),
        NameCode::UNKNOWN => return None,
        _ => {}
    }
    let (kind, at) = stored_name::<TEXT>(at)?;
    let kind = context.kind_of(kind)?;
    let ([size, _], parameters) = at.peek::<[U32<LE>; 2]>()?;
    // A size of 2 GiB or more is an error.
    let size = u64::try_from(size.get().cast_signed()).ok()?;
    let (code, bool_value) = (NameCode::UNKNOWN, false);
    let mut tag = PlainTag { name, kind, code, bool_value, size, parameters };
    let at = tag.pass_parameters::<TEXT>(context)?;
    if !context.layout.has_ue4(ue4::PROPERTY_GUID_IN_PROPERTY_TAG) {
        return Some((Item::Tag(tag), at));
    }
    match at.peek::<u8>()? {
        (0, at) => Some((Item::Tag(tag), at)),
        _ => None,
    }
}

impl<'p> PlainTag<'p> {
    /// Reads the fields that depend on the kind, and returns the position after them.
    #[inline(always)]
    fn pass_parameters<const TEXT: bool>(
        &mut self,
        context: &PropertyContext<'p>,
    ) -> Option<FileCursor<'p>> {
        let (at, layout) = (self.parameters, &context.layout);
        let pass = |at: FileCursor<'p>| Some(stored_name::<TEXT>(at)?.1);
        match self.kind {
            PropertyKind::Bool => {
                let (byte, at) = at.peek::<u8>()?;
                self.bool_value = *byte != 0;
                Some(at)
            }
            PropertyKind::Struct => {
                let (name, at) = stored_name::<TEXT>(at)?;
                self.code = context.code(name);
                let guid = if layout.has_ue4(ue4::STRUCT_GUID_IN_PROPERTY_TAG) { 16 } else { 0 };
                Some(at.split(guid)?.1)
            }
            PropertyKind::Byte | PropertyKind::Enum => pass(at),
            kind => match kind.tag_names(layout) {
                0 => Some(at),
                1 => pass(at),
                _ => pass(pass(at)?),
            },
        }
    }
}

/// Reads a name, and checks that the file has it.
#[inline(always)]
pub(super) fn name<'p, const TEXT: bool>(
    at: FileCursor<'p>,
    context: &PropertyContext<'p>,
) -> Option<(NameRef<'p>, FileCursor<'p>)> {
    let (name, at) = stored_name::<TEXT>(at)?;
    context.knows(name).then_some((name, at))
}

/// Reads a name.
#[inline(always)]
fn stored_name<'p, const TEXT: bool>(at: FileCursor<'p>) -> Option<(NameRef<'p>, FileCursor<'p>)> {
    if TEXT {
        let (text, at) = StrRef::narrow_at(at)?;
        return Some((NameRef::Text(text), at));
    }
    let ([index, number], at) = at.peek::<[I32<LE>; 2]>()?;
    Some((NameRef::Index(Name { index: index.get(), number: number.get() }), at))
}
