//! Conversions to and from Rust types.

use super::{Array, Dictionary, LeafBuf, Object, Variant};
use crate::godot::table::layouts::{F32, F64, I32, I64};
use crate::godot::{
    Aabb, Basis, Callable, Color, ConversionError, NodePath, ObjectId, Plane, Projection,
    Quaternion, Rect2, Rid, Signal, StrRef, StringName, Transform2D, Transform3D, VariantRef,
    Vector2, Vector3, Vector4, Wide,
};
use alloc::string::String;
use alloc::vec::Vec;
use core::num::TryFromIntError;

/// Implements `From` for types that become a Godot 4 leaf.
macro_rules! from_leaf {
    ($([$($g:tt)*] $T:ty;)*) => {$(
        impl<$($g)*> From<$T> for Variant {
            fn from(value: $T) -> Self {
                Self::Leaf(LeafBuf::of(value))
            }
        }
    )*};
}

from_leaf! {
    [] ();
    [] bool;
    [] i8;
    [] i16;
    [] i32;
    [] i64;
    [] u8;
    [] u16;
    [] u32;
    [] f32;
    [] f64;
    [] Wide<i64>;
    [] Wide<f64>;
    ['a] &'a str;
    [T: AsRef<str>] StringName<T>;
    [T: AsRef<str>] NodePath<T>;
    [] ObjectId;
    [] Rid;
    [] Callable;
    ['a] Signal<StrRef<'a>>;
    ['a] &'a [u8];
    ['a] &'a [i32];
    ['a] &'a [i64];
    ['a] &'a [f32];
    ['a] &'a [f64];
    ['a, 'b] &'a [&'b str];
    ['a] &'a [I32];
    ['a] &'a [I64];
    ['a] &'a [F32];
    ['a] &'a [F64];
}

macro_rules! from_parts {
    ($($Name:ident<$($R:ty),*>;)*) => {$($(
        impl From<$Name<$R>> for Variant {
            fn from(value: $Name<$R>) -> Self {
                Self::Leaf(LeafBuf::of(value))
            }
        }
    )*)*};
}

from_parts! {
    Vector2<f32, f64, i32>;
    Vector3<f32, f64, i32>;
    Vector4<f32, f64, i32>;
    Rect2<f32, f64, i32>;
    Transform2D<f32, f64>;
    Plane<f32, f64>;
    Quaternion<f32, f64>;
    Aabb<f32, f64>;
    Basis<f32, f64>;
    Transform3D<f32, f64>;
    Projection<f32, f64>;
    Color<f32>;
}

impl From<String> for Variant {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<Array> for Variant {
    fn from(array: Array) -> Self {
        Self::Array(array)
    }
}

impl From<Dictionary> for Variant {
    fn from(dictionary: Dictionary) -> Self {
        Self::Dictionary(dictionary)
    }
}

impl From<Object> for Variant {
    fn from(object: Object) -> Self {
        Self::Object(object)
    }
}

impl From<Vec<Self>> for Variant {
    fn from(items: Vec<Self>) -> Self {
        Self::Array(items.into_iter().collect())
    }
}

/// `None` is null.
impl<T: Into<Self>> From<Option<T>> for Variant {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::NIL, Into::into)
    }
}

/// Implements `TryFrom` for integers that may not fit in an Int.
macro_rules! from_large_int {
    ($($T:ty)*) => {$(
        impl TryFrom<$T> for Variant {
            type Error = TryFromIntError;

            fn try_from(value: $T) -> Result<Self, TryFromIntError> {
                i64::try_from(value).map(Self::from)
            }
        }
    )*};
}
from_large_int!(u64 i128 u128 usize isize);

/// Conversions of an owned value into a container.
macro_rules! to_container {
    ($($T:ident)*) => {$(
        impl TryFrom<Variant> for $T {
            type Error = ConversionError;

            fn try_from(value: Variant) -> Result<Self, ConversionError> {
                match value {
                    Variant::$T(container) => Ok(container),
                    other => {
                        Err(ConversionError::new(stringify!($T), other.kind()))
                    }
                }
            }
        }
    )*};
}
to_container!(Array Dictionary Object);

/// A leaf converts in the same way as its view. A container cannot be converted to any of these
/// types.
macro_rules! leaf_to {
    ($($T:ty;)*) => {$(
        impl TryFrom<&Variant> for $T {
            type Error = ConversionError;

            fn try_from(value: &Variant) -> Result<Self, ConversionError> {
                match value.leaf() {
                    Some(view) => view.try_into(),
                    // Null cannot be converted to any of these types, so this conversion always
                    // returns an error, which names the expected type.
                    None => Self::try_from(VariantRef::Nil)
                        .map_err(|error| ConversionError { found: value.kind(), ..error }),
                }
            }
        }
    )*};
    (vectors $($Name:ident)*) => {
        leaf_to! { $($Name<f64>; $Name<f32>;)* }
    };
}
leaf_to! {
    bool;
    i8;
    i16;
    i32;
    i64;
    u8;
    u16;
    u32;
    u64;
    usize;
    f32;
    f64;
    Vector2<i32>;
    Vector3<i32>;
    Vector4<i32>;
    Rect2<i32>;
    String;
    Vec<u8>;
    Vec<i32>;
    Vec<i64>;
    Vec<f32>;
    Vec<f64>;
}
leaf_to! {
    vectors Vector2 Vector3 Vector4 Rect2 Transform2D Plane Quaternion Aabb Basis Transform3D
        Projection Color
}
