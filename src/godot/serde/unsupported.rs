/// Implements serializer methods that fail with the given result.
macro_rules! unsupported_methods {
    ($error:expr; $($what:ident)*) => {
        $($crate::godot::serde::unsupported::unsupported_method!($what $error);)*
    };
}

macro_rules! unsupported_method {
    (none $error:expr) => { $crate::godot::serde::unsupported::unsupported_method!(@ serialize_none() -> Ok, $error); };
    (unit $error:expr) => { $crate::godot::serde::unsupported::unsupported_method!(@ serialize_unit() -> Ok, $error); };
    (some $error:expr) => { $crate::godot::serde::unsupported::unsupported_method!(@ serialize_some<T>(&T) -> Ok, $error); };
    (bool $error:expr) => { $crate::godot::serde::unsupported::unsupported_method!(@ serialize_bool(bool) -> Ok, $error); };
    (i8 $error:expr) => { $crate::godot::serde::unsupported::unsupported_method!(@ serialize_i8(i8) -> Ok, $error); };
    (i16 $error:expr) => { $crate::godot::serde::unsupported::unsupported_method!(@ serialize_i16(i16) -> Ok, $error); };
    (i32 $error:expr) => { $crate::godot::serde::unsupported::unsupported_method!(@ serialize_i32(i32) -> Ok, $error); };
    (i64 $error:expr) => { $crate::godot::serde::unsupported::unsupported_method!(@ serialize_i64(i64) -> Ok, $error); };
    (i128 $error:expr) => { $crate::godot::serde::unsupported::unsupported_method!(@ serialize_i128(i128) -> Ok, $error); };
    (u8 $error:expr) => { $crate::godot::serde::unsupported::unsupported_method!(@ serialize_u8(u8) -> Ok, $error); };
    (u16 $error:expr) => { $crate::godot::serde::unsupported::unsupported_method!(@ serialize_u16(u16) -> Ok, $error); };
    (u32 $error:expr) => { $crate::godot::serde::unsupported::unsupported_method!(@ serialize_u32(u32) -> Ok, $error); };
    (u64 $error:expr) => { $crate::godot::serde::unsupported::unsupported_method!(@ serialize_u64(u64) -> Ok, $error); };
    (u128 $error:expr) => { $crate::godot::serde::unsupported::unsupported_method!(@ serialize_u128(u128) -> Ok, $error); };
    (f32 $error:expr) => { $crate::godot::serde::unsupported::unsupported_method!(@ serialize_f32(f32) -> Ok, $error); };
    (f64 $error:expr) => { $crate::godot::serde::unsupported::unsupported_method!(@ serialize_f64(f64) -> Ok, $error); };
    (char $error:expr) => { $crate::godot::serde::unsupported::unsupported_method!(@ serialize_char(char) -> Ok, $error); };
    (str $error:expr) => { $crate::godot::serde::unsupported::unsupported_method!(@ serialize_str(&str) -> Ok, $error); };
    (bytes $error:expr) => { $crate::godot::serde::unsupported::unsupported_method!(@ serialize_bytes(&[u8]) -> Ok, $error); };
    (unit_struct $error:expr) => {
        $crate::godot::serde::unsupported::unsupported_method!(@ serialize_unit_struct(&'static str) -> Ok, $error);
    };
    (unit_variant $error:expr) => {
        $crate::godot::serde::unsupported::unsupported_method!(@ serialize_unit_variant(&'static str, u32, &'static str) -> Ok, $error);
    };
    (newtype_struct $error:expr) => {
        $crate::godot::serde::unsupported::unsupported_method!(@ serialize_newtype_struct<T>(&'static str, &T) -> Ok, $error);
    };
    (newtype_variant $error:expr) => {
        $crate::godot::serde::unsupported::unsupported_method!(@ serialize_newtype_variant<T>(&'static str, u32, &'static str, &T) -> Ok, $error);
    };
    (seq $error:expr) => {
        $crate::godot::serde::unsupported::unsupported_method!(@ serialize_seq(Option<usize>) -> SerializeSeq, $error);
    };
    (tuple $error:expr) => { $crate::godot::serde::unsupported::unsupported_method!(@ serialize_tuple(usize) -> SerializeTuple, $error); };
    (tuple_struct $error:expr) => {
        $crate::godot::serde::unsupported::unsupported_method!(@ serialize_tuple_struct(&'static str, usize) -> SerializeTupleStruct, $error);
    };
    (tuple_variant $error:expr) => {
        $crate::godot::serde::unsupported::unsupported_method!(@ serialize_tuple_variant(&'static str, u32, &'static str, usize)
            -> SerializeTupleVariant, $error);
    };
    (map $error:expr) => {
        $crate::godot::serde::unsupported::unsupported_method!(@ serialize_map(Option<usize>) -> SerializeMap, $error);
    };
    (struct $error:expr) => {
        $crate::godot::serde::unsupported::unsupported_method!(@ serialize_struct(&'static str, usize) -> SerializeStruct, $error);
    };
    (struct_variant $error:expr) => {
        $crate::godot::serde::unsupported::unsupported_method!(@ serialize_struct_variant(&'static str, u32, &'static str, usize)
            -> SerializeStructVariant, $error);
    };
    (@ $method:ident $(<$T:ident>)? ($($arg:ty),*) -> $Output:ident, $error:expr) => {
        #[inline]
        fn $method $(<$T: serde::Serialize + ?Sized>)? (
            self,
            $(_: $arg),*
        ) -> core::result::Result<Self::$Output, Self::Error> {
            $error
        }
    };
}

pub(super) use {unsupported_method, unsupported_methods};
