//! Access to the items of containers through serde's access traits.
//!
//! Each access type keeps its own copy of the position, so that this copy can stay in a register.
//! It writes the position back only once, after the last item.

use super::leaf::Text;
use super::recursion_budget::RecursionBudget;
use super::value::{Value, cut_off, to_str};
use super::{Error, Result, fast_path};
use crate::buffer::Cursor;
use crate::godot::StrRef;
use crate::godot::table::dialect::Spec;
use crate::godot::table::layouts::U32;
use crate::godot::types::text;
use core::marker::PhantomData;
use serde::de::{DeserializeSeed, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};

/// The unread items of a container.
pub(super) struct UnreadItems<'de> {
    pub window: &'de [u8],
    /// Position of the next item.
    pub pos: usize,
    /// Number of unread elements or pairs.
    pub left: u32,
    pub budget: RecursionBudget,
}

/// The unread items, and a reference to the variable that receives their end position.
struct Rest<'de, 'c, D> {
    unread: UnreadItems<'de>,
    end: &'c mut Option<usize>,
    spec: PhantomData<D>,
}

impl<'de, 'c, D: Spec> Rest<'de, 'c, D> {
    #[inline(always)]
    fn new(unread: UnreadItems<'de>, end: &'c mut Option<usize>) -> Self {
        Self { unread, end, spec: PhantomData }
    }

    #[inline(always)]
    fn at(&self) -> Cursor<'de> {
        Cursor::new_at(self.unread.window, self.unread.pos)
    }

    /// Counts the next item and returns `true`. If there is no next item, stores the end position
    /// and returns `false`.
    #[inline(always)]
    fn more(&mut self) -> bool {
        match self.unread.left.checked_sub(1) {
            Some(left) => self.unread.left = left,
            None => {
                *self.end = Some(self.unread.pos);
                return false;
            }
        }
        true
    }

    #[inline(always)]
    fn value<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        // The position is copied, so that `self.unread.pos` need not be in memory.
        let mut pos = self.unread.pos;
        let value = Value::<D>::new(self.unread.window, &mut pos, self.unread.budget);
        // This `Result` is returned unchanged. A new `Result` would require a copy of the value,
        // which may be a large struct.
        let mut value = seed.deserialize(value);
        if value.is_ok() {
            self.unread.pos = pos;
        } else {
            value = located(value, self.unread.pos);
        }
        value
    }

    /// Reads a value, and stores the end position if it is the last one.
    #[inline(always)]
    fn last_value<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let value = self.value(seed);
        if self.unread.left == 0 {
            *self.end = Some(self.unread.pos);
        }
        value
    }

    /// Deserializes a name that ends at `after`.
    #[inline(always)]
    fn name<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
        name: &'de str,
        after: usize,
    ) -> Result<Option<K::Value>> {
        match seed.deserialize(Text(name)) {
            Ok(key) => {
                self.unread.pos = after;
                Ok(Some(key))
            }
            Err(error) => Err(error.or_at(self.unread.pos as u64)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.unread.left as usize)
    }
}

/// Adds the position to an error that has none.
#[cold]
#[inline(never)]
fn located<T>(value: Result<T>, pos: usize) -> Result<T> {
    value.map_err(|error| error.or_at(pos as u64))
}

/// The items of an array.
pub(super) struct Items<'de, 'c, D>(Rest<'de, 'c, D>);

impl<'de, 'c, D: Spec> Items<'de, 'c, D> {
    #[inline(always)]
    pub(super) fn new(unread: UnreadItems<'de>, end: &'c mut Option<usize>) -> Self {
        Self(Rest::new(unread, end))
    }
}

impl<'de, D: Spec> SeqAccess<'de> for Items<'de, '_, D> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if !self.0.more() {
            return Ok(None);
        }
        self.0.last_value(seed).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

/// The pairs of a dictionary.
pub(super) struct Pairs<'de, 'c, D> {
    rest: Rest<'de, 'c, D>,
    /// Field names of the struct, in declaration order.
    fields: &'static [&'static str],
    /// Index of the field name that is expected next.
    next: usize,
}

impl<'de, 'c, D: Spec> Pairs<'de, 'c, D> {
    #[inline(always)]
    pub(super) fn new(
        unread: UnreadItems<'de>,
        fields: &'static [&'static str],
        end: &'c mut Option<usize>,
    ) -> Self {
        Self { rest: Rest::new(unread, end), fields, next: 0 }
    }

    /// Returns the expected field name and the end of its key, if the next key matches it.
    #[inline(always)]
    fn expected(&self) -> Option<(&'static str, usize)> {
        let name = *self.fields.get(self.next)?;
        let UnreadItems { window, pos, .. } = self.rest.unread;
        Some((name, fast_path::after_key::<D>(window, pos, name)?))
    }

    /// Reads a key that is not the expected one. Returns its name, the index of the field that is
    /// expected after it, and the position of the end of the key. The index is `usize::MAX` if the
    /// struct has no field with this name.
    #[inline(never)]
    fn other(
        unread: &UnreadItems<'de>,
        fields: &'static [&'static str],
    ) -> Result<(&'de str, usize, usize)> {
        let at = Cursor::new_at(unread.window, unread.pos);
        let mut after = at;
        let header = after.read::<U32>().map_err(cut_off)?.get();
        if header != D::STRING && header != D::STRING_NAME {
            let mut pos = unread.pos;
            Value::<D>::new(unread.window, &mut pos, unread.budget).encoded()?;
            return Ok((NO_TEXT, usize::MAX, pos));
        }
        let text = StrRef::new(text::read(&mut after, D::RULES)?);
        let place = fields.iter().position(|field| text == **field);
        Ok(match place.and_then(|place| fields.get(place)) {
            Some(field) => (field, place.unwrap_or_default().wrapping_add(1), after.pos()),
            None => (to_str(text, at)?, usize::MAX, after.pos()),
        })
    }
}

/// The name reported to a struct for a key that is not text. No field has this name. (An int would
/// be mistaken for the index of a field.)
const NO_TEXT: &str = "[a key that is not text]";

impl<'de, D: Spec> MapAccess<'de> for Pairs<'de, '_, D> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if !self.rest.more() {
            return Ok(None);
        }
        if let Some((name, after)) = self.expected() {
            self.next = self.next.wrapping_add(1);
            return self.rest.name(seed, name, after);
        }
        if !self.fields.is_empty() {
            let (name, next, after) = Self::other(&self.rest.unread, self.fields)?;
            if next != usize::MAX {
                self.next = next;
            }
            return self.rest.name(seed, name, after);
        }
        self.rest.value(seed).map(Some)
    }

    #[inline]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        self.rest.last_value(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.rest.size_hint()
    }
}

/// The properties of an object: pairs whose names have no type header.
pub(super) struct Properties<'de, 'c, D>(Rest<'de, 'c, D>);

impl<'de, 'c, D: Spec> Properties<'de, 'c, D> {
    pub(super) fn new(unread: UnreadItems<'de>, end: &'c mut Option<usize>) -> Self {
        Self(Rest::new(unread, end))
    }
}

impl<'de, D: Spec> MapAccess<'de> for Properties<'de, '_, D> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if !self.0.more() {
            return Ok(None);
        }
        let start = self.0.at();
        let mut after = start;
        let name = StrRef::new(text::read(&mut after, D::RULES)?);
        self.0.name(seed, to_str(name, start)?, after.pos())
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        self.0.last_value(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

/// A dictionary of one pair: the name of an enum's variant and its content.
pub(super) struct OnePair<'de, 'c, D>(pub Value<'de, 'c, D>);

impl<'de, 'c, D: Spec> EnumAccess<'de> for OnePair<'de, 'c, D> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self)> {
        let Value { window, pos, budget, .. } = self.0;
        let start = *pos;
        match seed.deserialize(Value::<D>::new(window, pos, budget)) {
            Ok(name) => Ok((name, Self(Value::new(window, pos, budget)))),
            Err(error) => Err(error.or_at(start as u64)),
        }
    }
}

impl<'de, D: Spec> VariantAccess<'de> for OnePair<'de, '_, D> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        self.content(serde::Deserialize::deserialize)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        self.content(|content| seed.deserialize(content))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.content(|content| serde::Deserializer::deserialize_tuple(content, len, visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.content(|content| {
            serde::Deserializer::deserialize_struct(content, "", fields, visitor)
        })
    }
}

impl<'de, 'c, D: Spec> OnePair<'de, 'c, D> {
    fn content<T>(self, read: impl FnOnce(Value<'de, 'c, D>) -> Result<T>) -> Result<T> {
        let start = *self.0.pos;
        read(self.0).map_err(|error| error.or_at(start as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::godot::table::dialect::Godot4;
    use serde::de::IgnoredAny;

    const PAIRS: &[u8] = b"\x04\0\0\0\x01\0\0\0b\0\0\0\x02\0\0\0\x02\0\0\0\
        \x04\0\0\0\x01\0\0\0c\0\0\0\x02\0\0\0\x03\0\0\0\
        \x04\0\0\0\x01\0\0\0x\0\0\0\x02\0\0\0\x09\0\0\0\
        \x04\0\0\0\x01\0\0\0d\0\0\0\x02\0\0\0\x04\0\0\0";

    /// After a field that is out of order, the deserializer expects the field that is declared
    /// after it, even if unknown keys come between the two. If it finds a different key, it looks
    /// up the name, and the result is the same.
    #[test]
    fn fields_behind_each_other_are_expected() {
        let budget = RecursionBudget::new(8, true, false);
        let unread = UnreadItems { window: PAIRS, pos: 0, left: 4, budget };
        let mut end = None;
        let mut pairs = Pairs::<Godot4>::new(unread, &["a", "b", "c", "d"], &mut end);
        for (key, expected) in [("b", false), ("c", true), ("x", false), ("d", true)] {
            assert_eq!(pairs.expected().map(|(name, _)| name), expected.then_some(key));
            assert_eq!(pairs.next_key::<&str>().unwrap(), Some(key));
            pairs.next_value::<IgnoredAny>().unwrap();
        }
        assert_eq!(end, Some(PAIRS.len()));
    }
}
