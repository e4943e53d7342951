//! Arrays in plain files.

use super::leaf::leaf;
use super::site::{Site, encoding};
use super::tag::{Item, PlainTag, name, pass_in, tag_in};
use crate::unreal::format::{FileCursor, ue4};
use crate::unreal::properties::read::containers::Elements;
use crate::unreal::properties::read::decode::{Decode, ValuePosition};
use crate::unreal::properties::read::value::PropertyValue;
use crate::unreal::properties::read::visit::PropertyVisitor;
use crate::unreal::properties::types::{HintScope, NameCode, PropertyKind, PropertyType};
use zerocopy::byteorder::{I32, LE};

/// Returns the elements of an array. Returns `None` if the array needs the general decoder.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn elements<'p, const TEXT: bool>(
    tag: &PlainTag<'p>,
    payload: FileCursor<'p>,
    site: Site<'p>,
) -> Option<Elements<'p>> {
    let Site { context, depth_left } = site;
    if !context.layout.has_ue4(ue4::ARRAY_PROPERTY_INNER_TAGS) {
        return None;
    }
    let (word, _) = name::<TEXT>(tag.parameters, context)?;
    let mut of = PropertyType::new(context, word, &tag.parameters).ok()?;
    // In files without inner tags, a hint can state the type of structs.
    if !context.layout.arrays_have_inner_tags()
        && (of.kind() == PropertyKind::Struct
            || context.hint_of(tag.kind, tag.name, HintScope::NONE).is_some())
    {
        return None;
    }
    let (count, mut from) = payload.peek::<I32<LE>>()?;
    let count = u32::try_from(count.get()).ok()?;
    if of.kind() == PropertyKind::Struct {
        let (inner, behind) = tag_in::<TEXT>(from, context)?;
        let Item::Tag(inner) = inner else { return None };
        // The array is also valid if the inner tag has another kind, but no engine writes it.
        if inner.kind != PropertyKind::Struct || inner.code == NameCode::UNKNOWN {
            return None;
        }
        of.name_it(name::<TEXT>(inner.parameters, context)?.0);
        from = behind;
    }
    let each = from.remaining().checked_div(count.into()).unwrap_or_default();
    let bytes_are_names = of.kind() == PropertyKind::Byte && each > 1;
    let decode = Decode::with(context, ValuePosition::Element, depth_left.checked_sub(1)?);
    let decode = Decode { bytes_are_names, ..decode };
    let end = end::<TEXT>(from, count, &of, &decode)?;
    end.is_empty().then(|| Elements::unchecked(from, count, of, decode))
}

/// Returns the position after `count` elements. Returns `None` if an element is invalid, or if it
/// needs the general decoder.
#[inline(always)]
fn end<'p, const TEXT: bool>(
    mut at: FileCursor<'p>,
    count: u32,
    of: &PropertyType<'p>,
    decode: &Decode<'p>,
) -> Option<FileCursor<'p>> {
    let (kind, context) = (of.kind(), decode.context);
    if kind == PropertyKind::Struct && encoding(of.code, &context.layout).is_none() {
        decode.depth_left.checked_sub(1)?;
        return (0..count).all(|_| pass_in::<TEXT>(&mut at, context)).then_some(at);
    }
    if let Some(each) = decode.size(of) {
        return Some(at.split(each.checked_mul(count.into())?)?.1);
    }
    for _ in 0..count {
        let is_named = decode.bytes_are_names;
        at = leaf::<TEXT, false, _>(kind, is_named, at, context, &mut NoVisitor)?;
    }
    Some(at)
}

/// A visitor that ignores all values.
struct NoVisitor;

impl<'p> PropertyVisitor<'p> for NoVisitor {
    #[inline(always)]
    fn value(&mut self, _: &PropertyValue<'p>) {}
}
