//! To and from Rust's own types.

use super::{Array, Dictionary, LeafBuf, Object, Variant};
use crate::godot::wire::{F32, F64, I32, I64};
use crate::godot::{
    Aabb, Basis, Callable, Color, Kind, NodePath, ObjectId, Plane, Projection, Quaternion, Rect2,
    Rid, Signal, StrRef, StringName, Transform2D, Transform3D, VariantRef, Vector2, Vector3,
    Vector4, Wide,
};
use alloc::string::String;
use alloc::vec::Vec;
use core::num::TryFromIntError;

/// A value of another type than was asked for, or one that the type has no room for.
///
/// ```
/// use gamewire::godot::Variant;
///
/// let error = u8::try_from(&Variant::from(300)).unwrap_err();
/// assert_eq!(error.to_string(), "this Int is no u8");
/// assert_eq!(i32::try_from(&Variant::from(300)), Ok(300));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("this {found:?} is no {wanted}")]
pub struct ConversionError {
    /// The type that was asked for.
    pub wanted: &'static str,
    /// What the value is.
    pub found: Kind,
}

/// What Godot 4 has a type for, and no container.
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

/// Ints that Godot's may have no room for.
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

/// From a view, and from a value that is a leaf.
macro_rules! to_rust {
    ($($T:ty, |$view:ident| $get:expr;)*) => {$(
        impl TryFrom<VariantRef<'_>> for $T {
            type Error = ConversionError;

            fn try_from($view: VariantRef<'_>) -> Result<Self, ConversionError> {
                $get.ok_or(ConversionError { wanted: stringify!($T), found: $view.kind() })
            }
        }

        impl TryFrom<&Variant> for $T {
            type Error = ConversionError;

            fn try_from(value: &Variant) -> Result<Self, ConversionError> {
                match value.leaf() {
                    Some(view) => view.try_into(),
                    None => Err(ConversionError { wanted: stringify!($T), found: value.kind() }),
                }
            }
        }
    )*};
}

macro_rules! to_int {
    ($($T:ty)*) => {
        to_rust! { $($T, |view| view.as_i64().and_then(|int| int.try_into().ok());)* }
    };
}

macro_rules! to_parts {
    (reals $($Name:ident)*; ints $($Ints:ident: $Kind:ident)*) => {
        to_rust! {
            $(
                $Name<f64>, |view| match view {
                    VariantRef::$Name(value) => Some(value.get()),
                    _ => None,
                };
                // To the nearest.
                $Name<f32>, |view| $Name::<f64>::try_from(view).ok().map(|value| {
                    #[allow(clippy::cast_possible_truncation)]
                    value.map(|part| part as f32)
                });
            )*
            $(
                $Ints<i32>, |view| match view {
                    VariantRef::$Kind(value) => Some(value),
                    _ => None,
                };
            )*
        }
    };
}

to_rust! {
    bool, |view| view.as_bool();
    f64, |view| view.as_f64();
    f32, |view| view.as_f64().map(|float| {
        #[allow(clippy::cast_possible_truncation)] // to the nearest
        let float = float as f32;
        float
    });
    String, |view| view.as_str().and_then(|text| text.to_str().ok()).map(String::from);
    Vec<u8>, |view| view.as_bytes().map(Vec::from);
    Vec<i32>, |view| match view {
        VariantRef::PackedInt32Array(ints) => Some(ints.iter().map(|int| int.get()).collect()),
        _ => None,
    };
    Vec<i64>, |view| match view {
        VariantRef::PackedInt64Array(ints) => Some(ints.iter().map(|int| int.get()).collect()),
        _ => None,
    };
    Vec<f32>, |view| match view {
        VariantRef::PackedFloat32Array(reals) => Some(reals.iter().map(|real| real.get()).collect()),
        _ => None,
    };
    Vec<f64>, |view| match view {
        VariantRef::PackedFloat64Array(reals) => Some(reals.iter().map(|real| real.get()).collect()),
        _ => None,
    };
}
to_int!(i8 i16 i32 i64 u8 u16 u32 u64 usize);
to_parts! {
    reals Vector2 Rect2 Vector3 Transform2D Vector4 Plane Quaternion Aabb Basis Transform3D
        Projection Color;
    ints Vector2: Vector2i Rect2: Rect2i Vector3: Vector3i Vector4: Vector4i
}

/// Of a value that is taken apart.
macro_rules! to_container {
    ($($T:ident)*) => {$(
        impl TryFrom<Variant> for $T {
            type Error = ConversionError;

            fn try_from(value: Variant) -> Result<Self, ConversionError> {
                match value {
                    Variant::$T(container) => Ok(container),
                    other => {
                        Err(ConversionError { wanted: stringify!($T), found: other.kind() })
                    }
                }
            }
        }
    )*};
}
to_container!(Array Dictionary Object);
