//! Deserializer of a value: the next item and its subtree.

mod object;
mod seq;

pub(super) use seq::{OpenList, Seq, Source};

use super::deserializer::Deserializer;
use super::error::{Error, Result, unexpected};
use super::hint::{Hint, forward_to_visit};
use super::text::Text;
use super::{link, parts};
use crate::rems::{Item, ItemSource, Value};
use object::{Fields, Variant};
use serde::de::{self, Unexpected, Visitor};

/// A value. Its first item either has already been read or is the next item of the reader.
pub(super) struct Node<'d, 'i, 'de, I> {
    de: &'d mut Deserializer<'i, I>,
    item: Option<Item<'de>>,
    offset: u64,
}

impl<'d, 'i, 'de, I: ItemSource<'de>> Node<'d, 'i, 'de, I> {
    /// Creates a node for the value of the property that was read last.
    #[inline]
    pub(super) fn due(de: &'d mut Deserializer<'i, I>) -> Self {
        let offset = de.items.offset();
        Self { de, item: None, offset }
    }

    /// Creates a node for an item that has already been read. `before` is the offset of the reader
    /// before it read the item.
    #[inline]
    pub(super) fn of(de: &'d mut Deserializer<'i, I>, item: Item<'de>, before: u64) -> Self {
        let offset = match &item {
            Item::Value(value) => value.offset(),
            Item::Object(object) => object.offset,
            _ => before,
        };
        Self { de, item: Some(item), offset }
    }

    #[inline]
    fn read(self) -> Result<(Item<'de>, Self)> {
        if let Some(item) = self.item {
            return Ok((item, self));
        }
        match self.de.items.next()? {
            Some(item) => Ok((item, Self::of(self.de, item, self.offset))),
            None => Err(unexpected(self.offset)),
        }
    }

    #[inline]
    fn visit_with<V: Visitor<'de>>(self, hint: Hint, visitor: V) -> Result<V::Value> {
        let (item, Self { de, offset, .. }) = self.read()?;
        let visited = match item {
            Item::Value(value) => Self::value(de, value, hint, visitor),
            Item::Object(object) => de.enter(offset).and_then(|()| {
                let visited = Fields::new(de, object, hint).visit(visitor);
                de.leave();
                visited
            }),
            Item::List(list) => refuse_struct(hint, &visitor).and_then(|()| {
                de.enter(offset)?;
                let visited = Seq::list(de, list, offset).visit(visitor);
                de.leave();
                visited
            }),
            Item::Pointer(number) => visitor.visit_u64(number),
            Item::Null => visitor.visit_unit(),
            Item::Property(_) | Item::End => Err(unexpected(offset)),
        };
        visited.map_err(|error| error.or_at(offset))
    }

    fn value<V: Visitor<'de>>(
        de: &'d mut Deserializer<'i, I>,
        value: Value<'de>,
        hint: Hint,
        visitor: V,
    ) -> Result<V::Value> {
        match value.dim() {
            0 if value.kind().is_text() => text(&value)?.visit_with(hint, visitor),
            0 => parts::visit(&value, hint, visitor),
            _ => {
                refuse_struct(hint, &visitor)?;
                Seq::array(de, value.array()?, value).visit(visitor)
            }
        }
    }

    fn newtype<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        if !link::is_link(name) {
            return visitor.visit_newtype_struct(self);
        }
        let (item, node) = self.read()?;
        match item {
            Item::Null | Item::Pointer(0) => visitor.visit_none(),
            Item::Pointer(number) => visitor.visit_u64(number),
            _ => visitor.visit_some(node),
        }
    }
}

fn text<'de>(value: &Value<'de>) -> Result<Text<'de>> {
    Ok(Text { text: value.text()?, offset: value.offset() })
}

/// Returns an error if the caller requested a struct. The elements of a sequence have no names, and
/// their positions need not match the order of the fields.
pub(super) fn refuse_struct<'de, V: Visitor<'de>>(hint: Hint, visitor: &V) -> Result<()> {
    match hint {
        Hint::Struct(_) => Err(de::Error::invalid_type(Unexpected::Seq, visitor)),
        _ => Ok(()),
    }
}

impl<'de, I: ItemSource<'de>> de::Deserializer<'de> for Node<'_, '_, 'de, I> {
    type Error = Error;

    forward_to_visit!();

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let (item, node) = self.read()?;
        match item {
            Item::Null | Item::Pointer(0) => visitor.visit_none(),
            _ => visitor.visit_some(node),
        }
    }

    /// Deserializes an object as the variant named like its class, and a string as the variant that
    /// it names.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let (item, node) = self.read()?;
        let offset = node.offset;
        let visited = match item {
            Item::Object(object) => {
                let class = Text { text: object.class, offset };
                visitor.visit_enum(Variant { node, class })
            }
            Item::Value(value) if value.dim() == 0 && value.kind().is_text() => {
                text(&value)?.deserialize_enum(name, variants, visitor)
            }
            _ => node.visit_with(Hint::Any, visitor),
        };
        visited.map_err(|error| error.or_at(offset))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if matches!(self.item, None | Some(Item::Object(_) | Item::List(_))) {
            self.de.items.skip()?;
        }
        visitor.visit_unit()
    }
}
