//! Visits the properties of plain files.

use super::array::elements;
use super::leaf::leaf;
use super::site::{Site, encoding};
use super::tag::{Item, PlainTag, item_in, pass_in};
use crate::unreal::format::{FileCursor, Guid, Result};
use crate::unreal::properties::read::containers::Elements;
use crate::unreal::properties::read::decode::{Decode, ValuePosition};
use crate::unreal::properties::read::list::{ListState, Properties};
use crate::unreal::properties::read::structs::StructEncoding;
use crate::unreal::properties::read::tag::Tag;
use crate::unreal::properties::read::value::PropertyValue;
use crate::unreal::properties::read::visit::{PropertyVisitor, any, inside};
use crate::unreal::properties::types::{
    HintScope, NameCode, NativeForm, NativePart, PropertyContext, PropertyKind,
};
use zerocopy::byteorder::{LE, U32};

/// Returns `true` if there is a fast path for properties with tags in this file.
fn is_fast(context: &PropertyContext<'_>) -> bool {
    let layout = &context.layout;
    let is_plain = layout.is_plain() && !layout.unversioned_properties;
    is_plain && context.hints.is_empty() && !cfg!(gamewire_small)
}

impl<'p> Properties<'p> {
    /// Visits all properties, and returns the position after the list.
    #[inline]
    pub(in super::super) fn visit_to_end<V: PropertyVisitor<'p>>(
        self,
        visitor: &mut V,
    ) -> Result<FileCursor<'p>> {
        let is_fast = self.state == ListState::Tags && is_fast(self.context);
        let Self { at, context, depth_left, .. } = self;
        let site = Site { context, depth_left };
        match (is_fast, context.layout.names_as_text) {
            (false, _) => self.visit_any(visitor),
            (true, true) => list::<true, V>(at.rest(), at.offset(), site, visitor),
            (true, false) => list::<false, V>(at.rest(), at.offset(), site, visitor),
        }
    }
}

/// Visits a list of tags, and returns the position after it.
///
/// Without optimization, each inlined function adds to the stack that a nesting level takes, so the
/// functions with many variables are inlined only without `debug_assertions`.
fn list<'p, const TEXT: bool, V: PropertyVisitor<'p>>(
    rest: &'p [u8],
    offset: u64,
    site: Site<'p>,
    visitor: &mut V,
) -> Result<FileCursor<'p>> {
    let Site { context, depth_left } = site;
    let mut at = FileCursor::new(rest, offset);
    loop {
        let start = at;
        // The position must stay in registers, so no function gets a pointer to it.
        let mut behind = at;
        match item_in::<TEXT>(&mut behind, context) {
            Some((Item::Tag(tag), payload)) => {
                if visitor.enter(&Tag::of_plain(&tag, start, payload, context, depth_left)) {
                    value::<TEXT, V>(&tag, start, payload, site, visitor)?;
                }
                at = behind;
            }
            Some((Item::End, _)) => return Ok(behind),
            None => match visit_one(start.rest(), start.offset(), site, visitor)? {
                (true, behind) => at = behind,
                (false, behind) => return Ok(behind),
            },
        }
    }
}

/// Visits one property without the fast path, and returns the position after it. Returns `false` at
/// the end of the list.
#[inline(never)]
fn visit_one<'p, V: PropertyVisitor<'p>>(
    rest: &'p [u8],
    offset: u64,
    site: Site<'p>,
    visitor: &mut V,
) -> Result<(bool, FileCursor<'p>)> {
    let mut at = FileCursor::new(rest, offset);
    match Tag::read(&mut at, site.context, site.depth_left, HintScope::NONE)? {
        Some(tag) => any(&tag, visitor).map(|()| (true, at)),
        None => Ok((false, at)),
    }
}

/// Visits the value of the tag that begins at `start`.
#[inline(always)]
fn value<'p, const TEXT: bool, V: PropertyVisitor<'p>>(
    tag: &PlainTag<'p>,
    start: FileCursor<'p>,
    payload: FileCursor<'p>,
    site: Site<'p>,
    visitor: &mut V,
) -> Result<()> {
    let is_read = match tag.kind {
        PropertyKind::Struct => structure::<TEXT, V>(tag, payload, site, visitor)?,
        PropertyKind::Array => array::<TEXT, V>(tag, payload, site, visitor)?,
        PropertyKind::Bool if payload.is_empty() => {
            visitor.value(&PropertyValue::Bool(tag.bool_value));
            true
        }
        PropertyKind::Bool | PropertyKind::Set | PropertyKind::Map | PropertyKind::Optional => {
            false
        }
        kind => {
            let is_named = payload.remaining() > 1;
            leaf::<TEXT, true, V>(kind, is_named, payload, site.context, visitor).is_some()
                || rare(kind, tag.code, payload.rest(), payload.offset(), site, visitor)?
        }
    };
    match is_read {
        true => Ok(()),
        false => general(start.rest(), start.offset(), site, visitor),
    }
}

/// Visits a value of a rare kind, or a struct with native serialization. Returns `false` without
/// calling the visitor if the value is invalid.
#[inline(never)]
fn rare<'p, V: PropertyVisitor<'p>>(
    kind: PropertyKind,
    code: NameCode,
    payload: &'p [u8],
    offset: u64,
    site: Site<'p>,
    visitor: &mut V,
) -> Result<bool> {
    let decode = Decode::with(site.context, ValuePosition::Tag, site.depth_left);
    let mut from = FileCursor::new(payload, offset);
    let mut value = PropertyValue::Bool(false);
    let read = match kind {
        PropertyKind::Struct => decode.structure(&mut from, code, None, &mut value),
        kind => decode.value(&mut from, kind, None, &mut value),
    };
    match (read, from.is_empty()) {
        (Ok(()), true) => inside(&value, visitor).map(|()| true),
        _ => Ok(false),
    }
}

/// Visits the value of the tag at the start of `rest` with the general decoder.
#[inline(never)]
fn general<'p, V: PropertyVisitor<'p>>(
    rest: &'p [u8],
    offset: u64,
    site: Site<'p>,
    visitor: &mut V,
) -> Result<()> {
    let mut at = FileCursor::new(rest, offset);
    match Tag::read(&mut at, site.context, site.depth_left, HintScope::NONE)? {
        Some(tag) => inside(&tag.value(), visitor),
        None => Ok(()),
    }
}

/// Visits an array. Returns `false` without calling the visitor if it needs the general decoder.
///
/// Like [`structure`], this function is inlined, so that the fields of the tag stay in registers.
/// All tags would pass through memory otherwise, which doubles the time of a list.
#[inline(always)]
fn array<'p, const TEXT: bool, V: PropertyVisitor<'p>>(
    tag: &PlainTag<'p>,
    payload: FileCursor<'p>,
    site: Site<'p>,
    visitor: &mut V,
) -> Result<bool> {
    let Some(elements) = elements::<TEXT>(tag, payload, site) else { return Ok(false) };
    visitor.value(&PropertyValue::Array(elements));
    elements.visit_plain::<TEXT, V>(visitor).map(|()| true)
}

/// Visits a struct. Returns `false` without calling the visitor if it needs the general decoder.
#[inline(always)]
fn structure<'p, const TEXT: bool, V: PropertyVisitor<'p>>(
    tag: &PlainTag<'p>,
    payload: FileCursor<'p>,
    site: Site<'p>,
    visitor: &mut V,
) -> Result<bool> {
    let Site { context, depth_left } = site;
    if let Some(native) = encoding(tag.code, &context.layout) {
        return match (native, payload.peek::<[U32<LE>; 4]>()) {
            (NativeForm::Scalar(NativePart::Guid), Some((words, rest))) if rest.is_empty() => {
                visitor.value(&PropertyValue::Guid(Guid(words.map(|word| word.get()))));
                Ok(true)
            }
            _ => rare(tag.kind, tag.code, payload.rest(), payload.offset(), site, visitor),
        };
    }
    let Some(depth_left) = depth_left.checked_sub(1) else { return Ok(false) };
    if tag.code == NameCode::UNKNOWN || !is_list::<TEXT>(payload, context) {
        return Ok(false);
    }
    let properties = Properties::checked(payload, context, depth_left, HintScope::NONE, false);
    visitor.value(&PropertyValue::Struct(properties));
    let site = Site { depth_left, ..site };
    list::<TEXT, V>(payload.rest(), payload.offset(), site, visitor).map(|_| true)
}

/// Returns `true` if the bytes are a list of tags that does not need the general decoder.
#[inline(always)]
fn is_list<'p, const TEXT: bool>(mut bytes: FileCursor<'p>, context: &PropertyContext<'p>) -> bool {
    pass_in::<TEXT>(&mut bytes, context) && bytes.is_empty()
}

impl<'p> Elements<'p> {
    /// Visits all values and their contents.
    pub(in super::super) fn visit<V: PropertyVisitor<'p>>(self, visitor: &mut V) -> Result<()> {
        let context = self.decode().context;
        match (is_fast(context), context.layout.names_as_text) {
            (false, _) => self.visit_any(visitor),
            (true, true) => self.visit_plain::<true, V>(visitor),
            (true, false) => self.visit_plain::<false, V>(visitor),
        }
    }

    #[inline(never)]
    fn visit_any<V: PropertyVisitor<'p>>(mut self, visitor: &mut V) -> Result<()> {
        self.try_for_each(|value| inside(&value, visitor))
    }

    fn visit_plain<const TEXT: bool, V: PropertyVisitor<'p>>(
        mut self,
        visitor: &mut V,
    ) -> Result<()> {
        let (kind, decode) = (self.of().kind(), self.decode());
        if kind == PropertyKind::Struct {
            return self.visit_structs::<TEXT, V>(visitor);
        }
        let (is_named, context) = (decode.bytes_are_names, decode.context);
        let mut at = self.from;
        for left in (0..self.left).rev() {
            match leaf::<TEXT, false, V>(kind, is_named, at, context, visitor) {
                Some(behind) => at = behind,
                None => {
                    (self.from, self.left) = (at, left.saturating_add(1));
                    return self.visit_any(visitor);
                }
            }
        }
        Ok(())
    }

    /// Visits structs. The end of a list of properties is found by visiting the list.
    fn visit_structs<const TEXT: bool, V: PropertyVisitor<'p>>(
        self,
        visitor: &mut V,
    ) -> Result<()> {
        let (decode, mut at) = (self.decode(), self.from);
        let depth_left = match (decode.form(self.of().code), decode.depth_left.checked_sub(1)) {
            (StructEncoding::Tagged { .. }, Some(depth_left)) => depth_left,
            _ => return self.visit_any(visitor),
        };
        let site = Site { context: decode.context, depth_left };
        for _ in 0..self.left {
            let properties = Properties::checked(at, site.context, depth_left, decode.scope, true);
            visitor.value(&PropertyValue::Struct(properties));
            at = list::<TEXT, V>(at.rest(), at.offset(), site, visitor)?;
        }
        Ok(())
    }
}
