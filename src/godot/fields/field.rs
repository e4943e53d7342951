//! The Rust types that a field of a Dictionary can be read as.

use super::by_name::Found;
use super::in_order::At;
use super::{FieldError, FromFields};
use crate::godot::read::fast_path;
use crate::godot::table::dialect::Spec;
use crate::godot::table::layouts::{F32, F64, I32, I64, narrow};
use crate::godot::types::text;
use crate::godot::{
    Aabb, ArrayRef, Basis, Color, DictionaryRef, Kind, NodePathRef, ObjectRef,
    PackedStringArrayRef, Plane, Projection, Quaternion, Reals, Rect2, StrRef, Transform2D,
    Transform3D, VariantRef, Vector2, Vector3, Vector4,
};
#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};
use zerocopy::FromBytes;

/// A Rust type for the value of a [field](super::Fields::get): [`VariantRef`], any type into which
/// a [`VariantRef`] converts, or, for a nested Dictionary, a struct that implements [`FromFields`].
/// An `Option` of any of these types is `None` for null.
pub trait Field<'a>: Sized {
    /// Reads the value after its key. Any error makes the caller look up the fields by name.
    #[doc(hidden)]
    #[allow(private_interfaces, private_bounds, reason = "hidden: for the types of this crate")]
    fn in_order<D: Spec>(value: &'a [u8], at: &mut At<'a, D>) -> Result<Self, FieldError>;

    /// Reads a checked value.
    #[doc(hidden)]
    #[allow(private_interfaces, reason = "hidden: for the types of this crate")]
    fn by_name(found: Found<'a>) -> Result<Self, FieldError>;

    /// Returns the value to use if the key is missing.
    #[doc(hidden)]
    fn missing() -> Option<Self> {
        None
    }
}

impl<'a, T: FromFields<'a>> Field<'a> for T {
    #[inline(always)]
    #[allow(private_interfaces, private_bounds, reason = "hidden: for the types of this crate")]
    fn in_order<D: Spec>(value: &'a [u8], at: &mut At<'a, D>) -> Result<Self, FieldError> {
        at.record(value)
    }

    #[allow(private_interfaces, reason = "hidden: for the types of this crate")]
    fn by_name(found: Found<'a>) -> Result<Self, FieldError> {
        found.record()
    }
}

impl<'a, T: Field<'a>> Field<'a> for Option<T> {
    #[inline(always)]
    #[allow(private_interfaces, private_bounds, reason = "hidden: for the types of this crate")]
    fn in_order<D: Spec>(value: &'a [u8], at: &mut At<'a, D>) -> Result<Self, FieldError> {
        if at.null(value) { Ok(None) } else { T::in_order(value, at).map(Some) }
    }

    #[allow(private_interfaces, reason = "hidden: for the types of this crate")]
    fn by_name(found: Found<'a>) -> Result<Self, FieldError> {
        if found.value.is_nil() { Ok(None) } else { T::by_name(found).map(Some) }
    }

    fn missing() -> Option<Self> {
        Some(None)
    }
}

impl<'a> Field<'a> for VariantRef<'a> {
    #[inline(always)]
    #[allow(private_interfaces, private_bounds, reason = "hidden: for the types of this crate")]
    fn in_order<D: Spec>(value: &'a [u8], at: &mut At<'a, D>) -> Result<Self, FieldError> {
        at.any(value)
    }

    #[allow(private_interfaces, reason = "hidden: for the types of this crate")]
    fn by_name(found: Found<'a>) -> Result<Self, FieldError> {
        Ok(found.value)
    }
}

/// Reads a value of any type with the general decoder.
#[inline(always)]
fn general<'a, D: Spec, T>(value: &'a [u8], at: &mut At<'a, D>) -> Result<T, FieldError>
where
    T: TryFrom<VariantRef<'a>>,
{
    T::try_from(at.any(value)?).map_err(|_| at.fail())
}

/// Implements [`Field`] for types that views convert into, with a fast path for some.
macro_rules! fields {
    ($($T:ty $(, |$from:ident| $fast_path:expr, |$found:pat_param| $then:expr)?;)*) => {$(
        impl<'a> Field<'a> for $T {
            #[inline(always)]
            #[allow(private_interfaces, private_bounds, reason = "hidden: for the types of this crate")]
            fn in_order<D: Spec>(value: &'a [u8], at: &mut At<'a, D>) -> Result<Self, FieldError> {
                $({
                    let $from = value;
                    if let Some(value) = at.take($fast_path, |$found| $then) {
                        return Ok(value);
                    }
                })?
                general(value, at)
            }

            #[allow(private_interfaces, reason = "hidden: for the types of this crate")]
            fn by_name(found: Found<'a>) -> Result<Self, FieldError> {
                found.converted()
            }
        }
    )*};
}

macro_rules! ints {
    ($($T:ty)*) => {
        fields! {
            $($T, |value| fast_path::int::<D>(value), |int| Self::try_from(int).ok();)*
        }
    };
}

/// Implements [`Field`] for vectors and similar types. Most games send vectors with integer or
/// single-precision components. A fast path reads such a vector in one piece.
macro_rules! parts {
    (reals $($Name:ident)*; ints $($Ints:ident: $Kind:ident)*) => {
        fields! {
            $(
                $Name<f64>;
                $Name<f32>, |value| fast_path::numbers::<D>(value, Kind::$Name), |numbers| {
                    let value = $Name::<F32>::read_from_bytes(numbers).ok()?;
                    Some(value.map(F32::get))
                };
            )*
            $(
                $Ints<i32>, |value| fast_path::numbers::<D>(value, Kind::$Kind), |numbers| {
                    let value = $Ints::<I32>::read_from_bytes(numbers).ok()?;
                    Some(value.map(I32::get))
                };
            )*
        }
    };
}

fields! {
    bool, |value| fast_path::bool::<D>(value), |bool| Some(bool);
    f64, |value| fast_path::float::<D>(value), |float| Some(float);
    f32, |value| fast_path::float::<D>(value), |float| Some(narrow(float));
    &'a str, |value| fast_path::text::<D>(value), |text| text::fully_visible_str(text);
    StrRef<'a>, |value| fast_path::text::<D>(value), |text| Some(StrRef::new(text));
    NodePathRef<'a>;
    ObjectRef<'a>;
    DictionaryRef<'a>;
    ArrayRef<'a>;
    &'a [u8];
    &'a [I32];
    &'a [I64];
    &'a [F32];
    &'a [F64];
    PackedStringArrayRef<'a>;
    Reals<'a, Vector2>;
    Reals<'a, Vector3>;
    Reals<'a, Vector4>;
    Reals<'a, Color>;
}
ints!(i8 i16 i32 i64 u8 u16 u32 u64 usize);
parts! {
    reals Vector2 Rect2 Vector3 Transform2D Vector4 Plane Quaternion Aabb Basis Transform3D
        Projection Color;
    ints Vector2: Vector2i Rect2: Rect2i Vector3: Vector3i Vector4: Vector4i
}
#[cfg(feature = "alloc")]
fields! {
    String;
    Vec<u8>;
    Vec<i32>;
    Vec<i64>;
    Vec<f32>;
    Vec<f64>;
}
