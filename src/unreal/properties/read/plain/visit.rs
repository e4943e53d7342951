//! Visits the properties of plain files.

use super::array::elements;
use super::leaf::leaf;
use super::tag::{Item, PlainTag, item_in, pass_in};
use crate::unreal::format::{FileCursor, Guid, Layout, Result};
use crate::unreal::properties::read::containers::Elements;
use crate::unreal::properties::read::decode::{Decode, ValuePosition};
use crate::unreal::properties::read::list::{ListState, Properties};
use crate::unreal::properties::read::structs::StructEncoding;
use crate::unreal::properties::read::tag::Tag;
use crate::unreal::properties::read::value::PropertyValue;
use crate::unreal::properties::read::visit::{PropertyVisitor, any, inside};
use crate::unreal::properties::types::{
    HintScope, KnownName, NameCode, NativeForm, NativePart, PropertyContext, PropertyKind,
};
use zerocopy::byteorder::{LE, U32};

/// Returns `true` if there is a fast path for properties with tags in this file.
fn is_fast(context: &PropertyContext<'_>) -> bool {
    let layout = &context.layout;
    let is_plain = layout.is_plain() && !layout.unversioned_properties;
    is_plain && context.hints.is_empty() && !cfg!(gamewire_small)
}

/// A value and its tag.
#[derive(Clone, Copy)]
pub(super) struct Site<'p> {
    pub context: &'p PropertyContext<'p>,
    /// Position of the tag.
    pub start: FileCursor<'p>,
    pub payload: FileCursor<'p>,
    /// Remaining nesting depth.
    pub depth_left: u8,
}

impl<'p> Site<'p> {
    /// Returns the state for reading the value.
    fn decode(self) -> Decode<'p> {
        Decode::with(self.context, ValuePosition::Tag, self.depth_left)
    }
}

impl<'p> Properties<'p> {
    /// Visits all properties, and returns the position after the list.
    pub(in super::super) fn visit_to_end<V: PropertyVisitor<'p>>(
        self,
        visitor: &mut V,
    ) -> Result<FileCursor<'p>> {
        let is_fast = self.state == ListState::Tags && is_fast(self.context);
        let Self { at, context, depth_left, .. } = self;
        match (is_fast, context.layout.names_as_text) {
            (false, _) => self.visit_any(visitor),
            (true, true) => list::<true, V>(at, context, depth_left, visitor),
            (true, false) => list::<false, V>(at, context, depth_left, visitor),
        }
    }
}

/// Visits a list of tags, and returns the position after it.
fn list<'p, const TEXT: bool, V: PropertyVisitor<'p>>(
    mut at: FileCursor<'p>,
    context: &'p PropertyContext<'p>,
    depth_left: u8,
    visitor: &mut V,
) -> Result<FileCursor<'p>> {
    loop {
        let start = at;
        match item_in::<TEXT>(&mut at, context) {
            Some((Item::Tag(tag), payload)) => {
                let site = Site { context, start, payload, depth_left };
                if visitor.enter(&Tag::of_plain(&tag, site.start, payload, context, depth_left)) {
                    value::<TEXT, V>(&tag, site, visitor)?;
                }
            }
            Some((Item::End, _)) => return Ok(at),
            None => match visit_one(&mut at, context, depth_left, visitor)? {
                true => {}
                false => return Ok(at),
            },
        }
    }
}

/// Visits one property without the fast path. Returns `false` at the end of the list.
#[inline(never)]
fn visit_one<'p, V: PropertyVisitor<'p>>(
    at: &mut FileCursor<'p>,
    context: &'p PropertyContext<'p>,
    depth_left: u8,
    visitor: &mut V,
) -> Result<bool> {
    match Tag::read(at, context, depth_left, HintScope::NONE)? {
        Some(tag) => any(&tag, visitor).map(|()| true),
        None => Ok(false),
    }
}

/// Visits the value of a tag.
#[inline(always)]
fn value<'p, const TEXT: bool, V: PropertyVisitor<'p>>(
    tag: &PlainTag<'p>,
    site: Site<'p>,
    visitor: &mut V,
) -> Result<()> {
    let Site { context, payload, .. } = site;
    match tag.kind {
        PropertyKind::Struct => structure::<TEXT, V>(tag, site, visitor),
        PropertyKind::Array => array::<TEXT, V>(tag, site, visitor),
        PropertyKind::Bool if payload.is_empty() => {
            visitor.value(&PropertyValue::Bool(tag.bool_value));
            Ok(())
        }
        PropertyKind::Bool => general(site, visitor),
        kind => {
            let is_named = payload.remaining() > 1;
            match leaf::<TEXT, true, V>(kind, is_named, payload, context, visitor) {
                Some(_) => Ok(()),
                None => rare(kind, tag.code, site, visitor),
            }
        }
    }
}

/// Visits a value of a kind that is not a container, or a struct with native serialization.
#[inline(never)]
fn rare<'p, V: PropertyVisitor<'p>>(
    kind: PropertyKind,
    code: NameCode,
    site: Site<'p>,
    visitor: &mut V,
) -> Result<()> {
    let (decode, mut from) = (site.decode(), site.payload);
    let mut value = PropertyValue::Bool(false);
    let read = match kind {
        PropertyKind::Struct => decode.structure(&mut from, code, None, &mut value),
        PropertyKind::Set | PropertyKind::Map | PropertyKind::Optional => {
            return general(site, visitor);
        }
        kind => decode.value(&mut from, kind, None, &mut value),
    };
    match (read, from.is_empty()) {
        (Ok(()), true) => inside(&value, visitor),
        _ => general(site, visitor),
    }
}

/// Visits a value with the general decoder.
#[inline(never)]
fn general<'p, V: PropertyVisitor<'p>>(site: Site<'p>, visitor: &mut V) -> Result<()> {
    let Site { context, mut start, depth_left, .. } = site;
    match Tag::read(&mut start, context, depth_left, HintScope::NONE)? {
        Some(tag) => inside(&tag.value(), visitor),
        None => Ok(()),
    }
}

/// Visits an array. Like [`structure`], this function is inlined, so that the fields of the tag stay
/// in registers: all tags would pass through memory otherwise, which doubles the time of a list.
#[inline(always)]
fn array<'p, const TEXT: bool, V: PropertyVisitor<'p>>(
    tag: &PlainTag<'p>,
    site: Site<'p>,
    visitor: &mut V,
) -> Result<()> {
    match elements::<TEXT>(tag, site) {
        Some(elements) => {
            visitor.value(&PropertyValue::Array(elements));
            elements.visit_plain::<TEXT, V>(visitor)
        }
        None => general(site, visitor),
    }
}

/// Visits a struct.
#[inline(always)]
fn structure<'p, const TEXT: bool, V: PropertyVisitor<'p>>(
    tag: &PlainTag<'p>,
    site: Site<'p>,
    visitor: &mut V,
) -> Result<()> {
    let Site { context, payload, depth_left, .. } = site;
    if let Some(native) = encoding(tag.code, &context.layout) {
        return match (native, payload.peek::<[U32<LE>; 4]>()) {
            (NativeForm::Scalar(NativePart::Guid), Some((words, rest))) if rest.is_empty() => {
                visitor.value(&PropertyValue::Guid(Guid(words.map(|word| word.get()))));
                Ok(())
            }
            _ => rare(tag.kind, tag.code, site, visitor),
        };
    }
    let mut end = payload;
    match depth_left.checked_sub(1) {
        Some(depth_left)
            if tag.code != NameCode::UNKNOWN
                && pass_in::<TEXT>(&mut end, context)
                && end.is_empty() =>
        {
            let properties =
                Properties::checked(payload, context, depth_left, HintScope::NONE, false);
            visitor.value(&PropertyValue::Struct(properties));
            list::<TEXT, V>(payload, context, depth_left, visitor).map(drop)
        }
        _ => general(site, visitor),
    }
}

/// Returns the native form of a struct whose name has this code, or `None` if it is a list of
/// properties.
#[inline(always)]
pub(super) fn encoding(code: NameCode, layout: &Layout) -> Option<NativeForm> {
    match code.word() {
        KnownName::Native(native) if native.is_in(layout) => Some(native.form),
        _ => None,
    }
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
        for _ in 0..self.left {
            let properties =
                Properties::checked(at, decode.context, depth_left, decode.scope, true);
            visitor.value(&PropertyValue::Struct(properties));
            at = list::<TEXT, V>(at, decode.context, depth_left, visitor)?;
        }
        Ok(())
    }
}
