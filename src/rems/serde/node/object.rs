//! Deserializer of an object: its class, its number, and its properties by name.

use super::Node;
use crate::rems::property_key::{CLASS, NUMBER};
use crate::rems::serde::deserializer::Deserializer;
use crate::rems::serde::error::{Error, Result, unexpected};
use crate::rems::serde::hint::Hint;
use crate::rems::serde::text::Text;
use crate::rems::{Item, ItemSource, Object, StrRef, property_key};
use serde::de::value::U64Deserializer;
use serde::de::{
    DeserializeSeed, Deserializer as _, EnumAccess, IgnoredAny, IntoDeserializer, MapAccess,
    VariantAccess, Visitor,
};

/// The next key.
#[derive(Clone, Copy, PartialEq)]
enum Next {
    Class,
    Number,
    Properties,
    Nothing,
}

/// The value that belongs to the last returned key.
#[derive(Clone, Copy)]
enum Due {
    Nothing,
    Class,
    Number(u64),
    Property,
}

/// An object as a map.
pub(super) struct Fields<'d, 'i, 'de, I> {
    de: &'d mut Deserializer<'i, I>,
    object: Object<'de>,
    hint: Hint,
    next: Next,
    due: Due,
    /// Name of the property whose value is next.
    name: StrRef<'de>,
}

impl<'d, 'i, 'de, I: ItemSource<'de>> Fields<'d, 'i, 'de, I> {
    pub(super) fn new(de: &'d mut Deserializer<'i, I>, object: Object<'de>, hint: Hint) -> Self {
        Self { de, object, hint, next: Next::Class, due: Due::Nothing, name: StrRef::new(&[]) }
    }

    /// Visits the object as a map, and skips the properties that the visitor does not read.
    pub(super) fn visit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let value = visitor.visit_map(&mut self)?;
        if let Due::Property = self.due {
            self.de.items.skip()?;
        }
        if self.next != Next::Nothing {
            self.de.items.skip()?;
        }
        Ok(value)
    }

    /// Returns `true` if the target type requests `key`, which is the key of the class or of the
    /// number. Maps request both; structs request the keys for which they have a field.
    fn is_wanted(&self, key: &str) -> bool {
        !matches!(self.hint, Hint::Struct(_)) || self.hint.has_field(key)
    }

    fn key(key: &'static str) -> Text<'de> {
        Text { text: StrRef::new(key.as_bytes()), offset: 0 }
    }

    fn key_or_end(&mut self) -> Result<Option<Text<'de>>> {
        if self.next == Next::Class {
            self.next = Next::Number;
            if self.is_wanted(CLASS) {
                self.due = Due::Class;
                return Ok(Some(Self::key(CLASS)));
            }
        }
        if self.next == Next::Number {
            self.next = Next::Properties;
            if let (Some(number @ 1..), true) = (self.object.pointer, self.is_wanted(NUMBER)) {
                self.due = Due::Number(number);
                return Ok(Some(Self::key(NUMBER)));
            }
        }
        if self.next == Next::Nothing {
            return Ok(None);
        }
        self.next_property()
    }

    #[inline]
    fn next_property(&mut self) -> Result<Option<Text<'de>>> {
        if let Due::Property = self.due {
            self.de.items.skip()?; // the value was not requested
        }
        let offset = self.de.items.offset();
        self.due = Due::Nothing;
        match self.de.items.next()? {
            Some(Item::Property(property)) => {
                self.due = Due::Property;
                self.name = property.name;
                let text = property_key(property.name);
                Ok(Some(Text { text, offset: property.offset }))
            }
            Some(Item::End) => {
                self.next = Next::Nothing;
                Ok(None)
            }
            _ => {
                self.next = Next::Nothing;
                Err(unexpected(offset))
            }
        }
    }
}

impl<'de, I: ItemSource<'de>> MapAccess<'de> for &mut Fields<'_, '_, 'de, I> {
    type Error = Error;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some(key) = self.key_or_end()? else { return Ok(None) };
        seed.deserialize(key).map(Some).map_err(|error: Error| error.or_at(key.offset))
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        let offset = self.object.offset;
        match core::mem::replace(&mut self.due, Due::Nothing) {
            Due::Property => {
                let value = seed.deserialize(Node::due(self.de));
                value.map_err(|error| error.within(property_key(self.name)))
            }
            Due::Class => {
                let value = seed.deserialize(Text { text: self.object.class, offset });
                value.map_err(|error| error.or_at(offset).within(CLASS))
            }
            Due::Number(number) => {
                let number: U64Deserializer<Error> = number.into_deserializer();
                seed.deserialize(number).map_err(|error| error.or_at(offset).within(NUMBER))
            }
            Due::Nothing => Err(unexpected(offset)),
        }
    }
}

/// An object as an enum variant that is named like the class of the object.
pub(super) struct Variant<'d, 'i, 'de, I> {
    pub(super) node: Node<'d, 'i, 'de, I>,
    pub(super) class: Text<'de>,
}

impl<'d, 'i, 'de, I: ItemSource<'de>> EnumAccess<'de> for Variant<'d, 'i, 'de, I> {
    type Error = Error;
    type Variant = Node<'d, 'i, 'de, I>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant)> {
        let variant = seed.deserialize(self.class);
        Ok((variant.map_err(|error| error.or_at(self.class.offset))?, self.node))
    }
}

impl<'de, I: ItemSource<'de>> VariantAccess<'de> for Node<'_, '_, 'de, I> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        self.deserialize_ignored_any(IgnoredAny).map(|_| ())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_tuple(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_struct("", fields, visitor)
    }
}
