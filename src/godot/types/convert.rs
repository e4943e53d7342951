//! Conversions from views to standard Rust types.

use crate::godot::table::layouts::{F32, F64, I32, I64, narrow};
use crate::godot::{
    Aabb, ArrayRef, Basis, Color, DictionaryRef, Kind, NodePathRef, ObjectRef,
    PackedStringArrayRef, Plane, Projection, Quaternion, Reals, Rect2, StrRef, Transform2D,
    Transform3D, VariantRef, Vector2, Vector3, Vector4,
};
#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};

/// The error of a conversion. Either the value has a different type, or the requested type cannot
/// represent it.
///
/// ```
/// use gamewire::godot::VariantRef;
///
/// let error = u8::try_from(VariantRef::Int(300)).unwrap_err();
/// assert_eq!(error.to_string(), "cannot convert this Int to u8");
/// assert_eq!(i32::try_from(VariantRef::Int(300)), Ok(300));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("cannot convert this {found:?} to {wanted}")]
pub struct ConversionError {
    /// The requested type.
    pub wanted: &'static str,
    /// The type of the value.
    pub found: Kind,
}

impl ConversionError {
    #[cold]
    pub(crate) const fn new(wanted: &'static str, found: Kind) -> Self {
        Self { wanted, found }
    }
}

macro_rules! from_view {
    ($($T:ty, |$view:ident| $get:expr;)*) => {
        from_view! { named $($T = stringify!($T), |$view| $get;)* }
    };
    (named $($T:ty = $name:expr, |$view:ident| $get:expr;)*) => {$(
        impl<'a> TryFrom<VariantRef<'a>> for $T {
            type Error = ConversionError;

            #[inline]
            fn try_from($view: VariantRef<'a>) -> Result<Self, ConversionError> {
                $get.ok_or(ConversionError::new($name, $view.kind()))
            }
        }
    )*};
}

macro_rules! from_int {
    ($($T:ty)*) => {
        from_view! { $($T, |view| view.as_i64().and_then(|int| int.try_into().ok());)* }
    };
}

macro_rules! from_parts {
    (reals $($Name:ident)*; ints $($Ints:ident: $Kind:ident)*) => {
        from_view! {
            named
            $(
                $Name<f64> = concat!(stringify!($Name), "<f64>"), |view| match view {
                    VariantRef::$Name(value) => Some(value.get()),
                    _ => None,
                };
                // Rounds to the nearest `f32`.
                $Name<f32> = concat!(stringify!($Name), "<f32>"), |view| match view {
                    VariantRef::$Name(value) => Some(value.get().map(narrow)),
                    _ => None,
                };
            )*
            $(
                $Ints<i32> = concat!(stringify!($Ints), "<i32>"), |view| match view {
                    VariantRef::$Kind(value) => Some(value),
                    _ => None,
                };
            )*
        }
    };
}

/// Conversions to the payload of one kind, without copying.
macro_rules! from_payload {
    ($($T:ty = $name:literal: $Kind:ident;)*) => {
        from_view! {
            named $($T = $name, |view| match view {
                VariantRef::$Kind(value) => Some(value),
                _ => None,
            };)*
        }
    };
}

from_view! {
    bool, |view| view.as_bool();
    f64, |view| view.as_f64();
    f32, |view| view.as_f64().map(narrow);
}
from_int!(i8 i16 i32 i64 u8 u16 u32 u64 usize);
from_parts! {
    reals Vector2 Rect2 Vector3 Transform2D Vector4 Plane Quaternion Aabb Basis Transform3D
        Projection Color;
    ints Vector2: Vector2i Rect2: Rect2i Vector3: Vector3i Vector4: Vector4i
}
from_view! {
    named
    &'a str = "&str", |view| view.as_str().and_then(|text| text.to_str().ok());
    StrRef<'a> = "StrRef", |view| view.as_str();
}
from_payload! {
    NodePathRef<'a> = "NodePathRef": NodePath;
    ObjectRef<'a> = "ObjectRef": Object;
    DictionaryRef<'a> = "DictionaryRef": Dictionary;
    ArrayRef<'a> = "ArrayRef": Array;
    &'a [u8] = "&[u8]": PackedByteArray;
    &'a [I32] = "&[I32]": PackedInt32Array;
    &'a [I64] = "&[I64]": PackedInt64Array;
    &'a [F32] = "&[F32]": PackedFloat32Array;
    &'a [F64] = "&[F64]": PackedFloat64Array;
    PackedStringArrayRef<'a> = "PackedStringArrayRef": PackedStringArray;
    Reals<'a, Vector2> = "Reals<Vector2>": PackedVector2Array;
    Reals<'a, Vector3> = "Reals<Vector3>": PackedVector3Array;
    Reals<'a, Vector4> = "Reals<Vector4>": PackedVector4Array;
    Reals<'a, Color> = "Reals<Color>": PackedColorArray;
}
#[cfg(feature = "alloc")]
from_view! {
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
