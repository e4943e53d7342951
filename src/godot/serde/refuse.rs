/// Implements serializer methods that fail with the given result.
macro_rules! other_than_these {
    ($refusal:expr; $($what:ident)*) => {
        $($crate::godot::serde::refuse::refused!($what $refusal);)*
    };
}

macro_rules! refused {
    (none $refusal:expr) => { $crate::godot::serde::refuse::refused!(@ serialize_none() -> Ok, $refusal); };
    (unit $refusal:expr) => { $crate::godot::serde::refuse::refused!(@ serialize_unit() -> Ok, $refusal); };
    (some $refusal:expr) => { $crate::godot::serde::refuse::refused!(@ serialize_some<T>(&T) -> Ok, $refusal); };
    (bool $refusal:expr) => { $crate::godot::serde::refuse::refused!(@ serialize_bool(bool) -> Ok, $refusal); };
    (i8 $refusal:expr) => { $crate::godot::serde::refuse::refused!(@ serialize_i8(i8) -> Ok, $refusal); };
    (i16 $refusal:expr) => { $crate::godot::serde::refuse::refused!(@ serialize_i16(i16) -> Ok, $refusal); };
    (i32 $refusal:expr) => { $crate::godot::serde::refuse::refused!(@ serialize_i32(i32) -> Ok, $refusal); };
    (i64 $refusal:expr) => { $crate::godot::serde::refuse::refused!(@ serialize_i64(i64) -> Ok, $refusal); };
    (i128 $refusal:expr) => { $crate::godot::serde::refuse::refused!(@ serialize_i128(i128) -> Ok, $refusal); };
    (u8 $refusal:expr) => { $crate::godot::serde::refuse::refused!(@ serialize_u8(u8) -> Ok, $refusal); };
    (u16 $refusal:expr) => { $crate::godot::serde::refuse::refused!(@ serialize_u16(u16) -> Ok, $refusal); };
    (u32 $refusal:expr) => { $crate::godot::serde::refuse::refused!(@ serialize_u32(u32) -> Ok, $refusal); };
    (u64 $refusal:expr) => { $crate::godot::serde::refuse::refused!(@ serialize_u64(u64) -> Ok, $refusal); };
    (u128 $refusal:expr) => { $crate::godot::serde::refuse::refused!(@ serialize_u128(u128) -> Ok, $refusal); };
    (f32 $refusal:expr) => { $crate::godot::serde::refuse::refused!(@ serialize_f32(f32) -> Ok, $refusal); };
    (f64 $refusal:expr) => { $crate::godot::serde::refuse::refused!(@ serialize_f64(f64) -> Ok, $refusal); };
    (char $refusal:expr) => { $crate::godot::serde::refuse::refused!(@ serialize_char(char) -> Ok, $refusal); };
    (str $refusal:expr) => { $crate::godot::serde::refuse::refused!(@ serialize_str(&str) -> Ok, $refusal); };
    (bytes $refusal:expr) => { $crate::godot::serde::refuse::refused!(@ serialize_bytes(&[u8]) -> Ok, $refusal); };
    (unit_struct $refusal:expr) => {
        $crate::godot::serde::refuse::refused!(@ serialize_unit_struct(&'static str) -> Ok, $refusal);
    };
    (unit_variant $refusal:expr) => {
        $crate::godot::serde::refuse::refused!(@ serialize_unit_variant(&'static str, u32, &'static str) -> Ok, $refusal);
    };
    (newtype_struct $refusal:expr) => {
        $crate::godot::serde::refuse::refused!(@ serialize_newtype_struct<T>(&'static str, &T) -> Ok, $refusal);
    };
    (newtype_variant $refusal:expr) => {
        $crate::godot::serde::refuse::refused!(@ serialize_newtype_variant<T>(&'static str, u32, &'static str, &T) -> Ok, $refusal);
    };
    (seq $refusal:expr) => {
        $crate::godot::serde::refuse::refused!(@ serialize_seq(Option<usize>) -> SerializeSeq, $refusal);
    };
    (tuple $refusal:expr) => { $crate::godot::serde::refuse::refused!(@ serialize_tuple(usize) -> SerializeTuple, $refusal); };
    (tuple_struct $refusal:expr) => {
        $crate::godot::serde::refuse::refused!(@ serialize_tuple_struct(&'static str, usize) -> SerializeTupleStruct, $refusal);
    };
    (tuple_variant $refusal:expr) => {
        $crate::godot::serde::refuse::refused!(@ serialize_tuple_variant(&'static str, u32, &'static str, usize)
            -> SerializeTupleVariant, $refusal);
    };
    (map $refusal:expr) => {
        $crate::godot::serde::refuse::refused!(@ serialize_map(Option<usize>) -> SerializeMap, $refusal);
    };
    (struct $refusal:expr) => {
        $crate::godot::serde::refuse::refused!(@ serialize_struct(&'static str, usize) -> SerializeStruct, $refusal);
    };
    (struct_variant $refusal:expr) => {
        $crate::godot::serde::refuse::refused!(@ serialize_struct_variant(&'static str, u32, &'static str, usize)
            -> SerializeStructVariant, $refusal);
    };
    (@ $method:ident $(<$T:ident>)? ($($arg:ty),*) -> $Output:ident, $refusal:expr) => {
        #[inline]
        fn $method $(<$T: serde::Serialize + ?Sized>)? (
            self,
            $(_: $arg),*
        ) -> core::result::Result<Self::$Output, Self::Error> {
            $refusal
        }
    };
}

pub(super) use {other_than_these, refused};
