//! Type hints of serde.

/// The type that the caller requested from the deserializer. Types that are deserialized in the
/// same way share a variant.
#[derive(Clone, Copy)]
pub(super) enum Hint {
    Any,
    /// A number, which includes UTF-16 code units.
    Number,
    Text,
    Bytes,
    /// A struct with these fields.
    Struct(&'static [&'static str]),
    /// A tuple of this length.
    Tuple(usize),
}

impl Hint {
    /// Returns `true` for a struct with a field of this name.
    pub(super) fn has_field(self, name: &str) -> bool {
        matches!(self, Self::Struct(fields) if fields.contains(&name))
    }
}

/// Implements the methods of `serde::Deserializer`, except those for options, enums and ignored
/// values, for a type that has the methods `visit_with` and `newtype`.
macro_rules! forward_to_visit {
    () => {
        $crate::rems::serde::hint::forward_to_visit! {
            Any: deserialize_any deserialize_bool deserialize_f32 deserialize_f64 deserialize_unit
                deserialize_seq deserialize_map;
            Number: deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
                deserialize_i128 deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
                deserialize_u128;
            Text: deserialize_char deserialize_str deserialize_string deserialize_identifier;
            Bytes: deserialize_bytes deserialize_byte_buf;
        }

        fn deserialize_unit_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            visitor: V,
        ) -> Result<V::Value> {
            self.visit_with(Hint::Any, visitor)
        }

        fn deserialize_newtype_struct<V: Visitor<'de>>(
            self,
            name: &'static str,
            visitor: V,
        ) -> Result<V::Value> {
            self.newtype(name, visitor)
        }

        fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
            self.visit_with(Hint::Tuple(len), visitor)
        }

        fn deserialize_tuple_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            len: usize,
            visitor: V,
        ) -> Result<V::Value> {
            self.visit_with(Hint::Tuple(len), visitor)
        }

        fn deserialize_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            fields: &'static [&'static str],
            visitor: V,
        ) -> Result<V::Value> {
            self.visit_with(Hint::Struct(fields), visitor)
        }
    };
    ($($hint:ident: $($method:ident)*;)*) => {$($(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.visit_with(Hint::$hint, visitor)
        }
    )*)*};
}

pub(super) use forward_to_visit;
