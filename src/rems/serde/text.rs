//! Deserializer of text: strings, paths, classes and names.

use super::error::{Error, Result};
use super::hint::{Hint, forward_to_visit};
use crate::rems::{ErrorKind, StrRef};
use alloc::borrow::Cow;
use alloc::string::String;
use core::str::from_utf8;
use serde::de::value::{BorrowedStrDeserializer, CowStrDeserializer};
use serde::de::{Deserializer, Visitor};

/// A string, path, class or name. It is deserialized without a copy if it has no escapes.
#[derive(Clone, Copy)]
pub(super) struct Text<'de> {
    pub(super) text: StrRef<'de>,
    pub(super) offset: u64,
}

impl<'de> Text<'de> {
    /// Returns the string, or its bytes as the error if it is not UTF-8.
    fn read(self) -> core::result::Result<Cow<'de, str>, Cow<'de, [u8]>> {
        match self.text.to_bytes() {
            Cow::Borrowed(bytes) => from_utf8(bytes).map(Cow::Borrowed).map_err(|_| bytes.into()),
            Cow::Owned(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Ok(text.into()),
                Err(error) => Err(error.into_bytes().into()),
            },
        }
    }

    #[inline]
    pub(super) fn visit_with<V: Visitor<'de>>(self, hint: Hint, visitor: V) -> Result<V::Value> {
        let bytes = match (self.read(), hint) {
            (_, Hint::Bytes) => self.text.to_bytes(),
            (Ok(Cow::Borrowed(text)), _) => return visitor.visit_borrowed_str(text),
            (Ok(Cow::Owned(text)), _) => return visitor.visit_string(text),
            (Err(_), Hint::Text) => return Err(Error::at(ErrorKind::NotUtf8, self.offset)),
            (Err(bytes), _) => bytes,
        };
        match bytes {
            Cow::Borrowed(bytes) => visitor.visit_borrowed_bytes(bytes),
            Cow::Owned(bytes) => visitor.visit_byte_buf(bytes),
        }
    }

    fn newtype<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn ignored<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }
}

impl<'de> Deserializer<'de> for Text<'de> {
    type Error = Error;

    forward_to_visit!();

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    /// Visits the unit variant with this name.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.read() {
            Ok(Cow::Borrowed(text)) => visitor.visit_enum(BorrowedStrDeserializer::new(text)),
            Ok(text) => visitor.visit_enum(CowStrDeserializer::new(text)),
            Err(_) => Err(Error::at(ErrorKind::NotUtf8, self.offset)),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.ignored(visitor)
    }
}
