//! Deserializer of sequences: arrays, lists, and the objects of a file.

use super::Node;
use crate::rems::serde::deserializer::Deserializer;
use crate::rems::serde::error::{Error, Result, too_many};
use crate::rems::span::Span;
use crate::rems::value::Encoding;
use crate::rems::{self, Array, Item, ItemSource, Kind, List, Type, Value};
use serde::de::{DeserializeSeed, IgnoredAny, SeqAccess, Visitor};

/// Source of the elements that the file contains.
pub(in crate::rems::serde) trait Source<'de, I> {
    fn next(&mut self, items: &mut I) -> Result<Option<Item<'de>>>;
}

/// The items of the reader up to the end of the innermost open list.
pub(in crate::rems::serde) struct OpenList;

impl<'de, I: ItemSource<'de>> Source<'de, I> for OpenList {
    #[inline]
    fn next(&mut self, items: &mut I) -> Result<Option<Item<'de>>> {
        loop {
            match items.next()? {
                Some(Item::Property(_)) => {} // skip it: its value is the element
                Some(Item::End) | None => return Ok(None),
                item => return Ok(item),
            }
        }
    }
}

impl<'de, I> Source<'de, I> for rems::Elements<'de> {
    #[inline]
    fn next(&mut self, _: &mut I) -> Result<Option<Item<'de>>> {
        Ok(Iterator::next(self).transpose()?.map(Item::Value))
    }
}

/// A sequence of the elements that the file contains, followed by the omitted elements.
pub(in crate::rems::serde) struct Seq<'d, 'i, 'de, I, S> {
    de: &'d mut Deserializer<'i, I>,
    source: S,
    /// Declared number of elements, or `None` for the objects of a file.
    len: Option<u32>,
    /// Number of elements that the visitor has read.
    index: u32,
    /// Number of omitted elements that have not been returned; `None` while the source still has
    /// elements.
    missing: Option<u32>,
    /// Value of an omitted element.
    initial: Item<'de>,
    /// `true` if the array has at least one byte for each declared element.
    is_exact: bool,
    offset: u64,
}

impl<'d, 'i, 'de, I: ItemSource<'de>> Seq<'d, 'i, 'de, I, OpenList> {
    /// Creates the sequence of the remaining objects of a file.
    pub(in crate::rems::serde) fn file(de: &'d mut Deserializer<'i, I>) -> Self {
        let offset = de.items.offset();
        Self::of(de, OpenList, None, Item::Null, offset)
    }

    pub(in crate::rems::serde) fn list(
        de: &'d mut Deserializer<'i, I>,
        list: List<'de>,
        offset: u64,
    ) -> Self {
        let initial = match list.ty {
            Type::Kind(kind, dim @ 0..=1) => {
                Item::Value(initial(kind, dim.saturating_sub(1), offset))
            }
            ty if ty.dim() > 1 => Item::Value(initial(Kind::Bool, 1, offset)),
            _ => Item::Null,
        };
        Self::of(de, OpenList, Some(list.len), initial, offset)
    }
}

impl<'d, 'i, 'de, I: ItemSource<'de>> Seq<'d, 'i, 'de, I, rems::Elements<'de>> {
    pub(in crate::rems::serde) fn array(
        de: &'d mut Deserializer<'i, I>,
        array: Array<'de>,
        value: Value<'de>,
    ) -> Self {
        let initial = Item::Value(initial(array.kind(), array.dim(), value.offset()));
        let is_exact = array.len() as usize <= value.raw().len();
        let seq = Self::of(de, array.iter().written(), Some(array.len()), initial, value.offset());
        Self { is_exact, ..seq }
    }
}

/// Returns the value of an omitted element. If the element is an array, it is empty.
fn initial<'de>(kind: Kind, dim: u8, offset: u64) -> Value<'de> {
    Value { kind, dim, encoding: Encoding::Initial, span: Span::default(), count: 0, offset }
}

impl<'d, 'i, 'de, I: ItemSource<'de>, S: Source<'de, I>> Seq<'d, 'i, 'de, I, S> {
    fn of(
        de: &'d mut Deserializer<'i, I>,
        source: S,
        len: Option<u32>,
        initial: Item<'de>,
        offset: u64,
    ) -> Self {
        Self { de, source, len, index: 0, missing: None, initial, is_exact: false, offset }
    }

    /// Visits the sequence. Returns an error if the visitor does not read all elements.
    pub(in crate::rems::serde) fn visit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let value = visitor.visit_seq(&mut self)?;
        let taken = self.index;
        match (&mut self).next_element::<IgnoredAny>()? {
            None => Ok(value),
            Some(_) => Err(too_many(self.len.unwrap_or(self.index), taken)),
        }
    }

    /// Skips the elements without decoding them.
    pub(in crate::rems::serde) fn skip(mut self) -> Result<()> {
        while (&mut self).next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    #[inline]
    fn next(&mut self) -> Result<Option<Item<'de>>> {
        let missing = match self.missing {
            Some(missing) => missing,
            None => match self.source.next(self.de.items)? {
                Some(item) => return Ok(Some(item)),
                None => self.end()?,
            },
        };
        let left = missing.checked_sub(1);
        self.missing = Some(left.unwrap_or(0));
        Ok(left.map(|_| self.initial))
    }

    /// Returns the number of omitted elements, and subtracts it from the number that the limit
    /// still allows.
    #[inline(never)]
    fn end(&mut self) -> Result<u32> {
        let missing = self.len.unwrap_or(0).saturating_sub(self.index);
        self.de.fill(missing, self.offset)?;
        Ok(missing)
    }
}

impl<'de, I: ItemSource<'de>, S: Source<'de, I>> SeqAccess<'de> for &mut Seq<'_, '_, 'de, I, S> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let before = self.de.items.offset();
        let Some(item) = self.next()? else { return Ok(None) };
        let index = self.index;
        self.index = index.saturating_add(1);
        match seed.deserialize(Node::of(self.de, item, before)) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(error.within(index)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        match (self.missing, self.len) {
            (Some(missing), _) => Some(missing as usize),
            (None, Some(len)) if self.is_exact => Some(len.saturating_sub(self.index) as usize),
            _ => None,
        }
    }
}
