//! Serde support for packed arrays. The Rust type determines the kind of array, so even an empty
//! array has a kind.

use super::names::KnownName;
use super::raw::is_ours;
use crate::godot::table::layouts::{F32, F64, I32, I64, Wire};
use crate::godot::{Color, Kind, RealLayout, Vector2, Vector3, Vector4};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};
use zerocopy::{FromBytes, IntoBytes};

/// A sequence that is written as a packed array. Without this wrapper, a `Vec`, slice or array is
/// written as an Array. There is one exception: if its elements are `u8` and it is not empty, it is
/// written as a PackedByteArray. In formats other than Godot's, a `Packed` is a plain sequence.
///
/// Elements can be `u8`, `i32`, `i64`, `f32`, `f64`, strings, and `Vector2`, `Vector3`, `Vector4`
/// or `Color` of `f32` or `f64`. A slice of the wire's own types (`&[I32]`, `&[F32]`,
/// `&[Vector3<F32>]` …) is borrowed from the packet.
///
/// ```
/// use gamewire::godot::{self, F32, Packed, Vector3};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize)]
/// struct Mesh {
///     vertices: Packed<Vec<Vector3<f32>>>,
///     weights: Packed<Vec<f32>>,
/// }
///
/// #[derive(Deserialize)]
/// struct Weights<'a> {
///     #[serde(borrow)]
///     weights: Packed<&'a [F32]>,
/// }
///
/// let mesh = Mesh { vertices: Packed(Vec::new()), weights: Packed(vec![0.5, 0.25]) };
/// let packet = godot::to_vec(&mesh)?;
/// let weights: Weights<'_> = godot::from_bytes(&packet)?;
/// assert_eq!(weights.weights.0[1].get(), 0.25); // straight from the packet
/// # Ok::<(), godot::serde::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Packed<T>(pub T);

/// An element type of packed arrays.
pub trait PackedElement: Sized {
    #[doc(hidden)]
    const KIND: Kind;
    #[doc(hidden)]
    const DOUBLE: bool = false;

    /// Returns the elements as their wire bytes, if they have the same layout in memory.
    #[doc(hidden)]
    fn as_wire(_elements: &[Self]) -> Option<&[u8]> {
        None
    }

    #[doc(hidden)]
    fn serialize_all<S: Serializer>(elements: &[Self], to: S) -> Result<S::Ok, S::Error>;
}

/// An element type with the layout of the wire, which can be borrowed from a packet.
pub trait WireElement: PackedElement + Wire {}

macro_rules! elements {
    ($([$($g:tt)*] $T:ty: $Kind:ident $(double $double:literal)? $(, |$wire:ident| $bytes:expr)?;)*) => {$(
        impl<$($g)*> PackedElement for $T {
            const KIND: Kind = Kind::$Kind;
            $(const DOUBLE: bool = $double;)?

            $(fn as_wire($wire: &[Self]) -> Option<&[u8]> {
                $bytes
            })?

            fn serialize_all<S: Serializer>(elements: &[Self], to: S) -> Result<S::Ok, S::Error> {
                to.collect_seq(elements)
            }
        }
    )*};
}

/// Returns native numbers as their wire bytes, or `None` on big-endian machines.
macro_rules! native {
    ($elements:ident) => {
        if cfg!(target_endian = "little") { Some($elements.as_bytes()) } else { None }
    };
}

elements! {
    [] u8: PackedByteArray, |all| Some(all);
    [] i32: PackedInt32Array, |all| native!(all);
    [] i64: PackedInt64Array, |all| native!(all);
    [] f32: PackedFloat32Array, |all| native!(all);
    [] f64: PackedFloat64Array, |all| native!(all);
    [] &str: PackedStringArray;
    [] String: PackedStringArray;
    [] Cow<'_, str>: PackedStringArray;
    [] Vector2<f32>: PackedVector2Array;
    [] Vector2<f64>: PackedVector2Array double true;
    [] Vector3<f32>: PackedVector3Array;
    [] Vector3<f64>: PackedVector3Array double true;
    [] Vector4<f32>: PackedVector4Array;
    [] Vector4<f64>: PackedVector4Array double true;
    [] Color<f32>: PackedColorArray;
    [] Color<f64>: PackedColorArray double true;
}

macro_rules! wire_elements {
    ($([$($g:tt)*] $T:ty: $Kind:ident $double:literal, |$element:ident| $value:expr;)*) => {$(
        impl<$($g)*> PackedElement for $T {
            const KIND: Kind = Kind::$Kind;
            const DOUBLE: bool = $double;

            fn as_wire(elements: &[Self]) -> Option<&[u8]> {
                Some(elements.as_bytes())
            }

            fn serialize_all<S: Serializer>(elements: &[Self], to: S) -> Result<S::Ok, S::Error> {
                to.collect_seq(elements.iter().map(|$element| $value))
            }
        }

        impl<$($g)*> WireElement for $T {}
    )*};
}

wire_elements! {
    [] I32: PackedInt32Array false, |it| it.get();
    [] I64: PackedInt64Array false, |it| it.get();
    [] F32: PackedFloat32Array false, |it| it.get();
    [] F64: PackedFloat64Array false, |it| it.get();
    [] Vector2<F32>: PackedVector2Array false, |it| it.map(F32::get);
    [] Vector2<F64>: PackedVector2Array true, |it| Vector2::from_double(it);
    [] Vector3<F32>: PackedVector3Array false, |it| it.map(F32::get);
    [] Vector3<F64>: PackedVector3Array true, |it| Vector3::from_double(it);
    [] Vector4<F32>: PackedVector4Array false, |it| it.map(F32::get);
    [] Vector4<F64>: PackedVector4Array true, |it| Vector4::from_double(it);
    [] Color<F32>: PackedColorArray false, |it| it.map(F32::get);
}

impl WireElement for u8 {}

const fn name<E: PackedElement>() -> &'static str {
    KnownName::Value { kind: E::KIND, double: E::DOUBLE }.name()
}

/// Elements that are written as raw bytes to packets, and one by one to other formats.
struct All<'a, E>(&'a [E]);

impl<E: PackedElement> Serialize for All<'_, E> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match E::as_wire(self.0) {
            Some(bytes) if is_ours(|| to.is_human_readable()) => to.serialize_bytes(bytes),
            _ => E::serialize_all(self.0, to),
        }
    }
}

macro_rules! packed {
    ($([$($g:tt)*] $T:ty;)*) => {$(
        impl<$($g)*> Serialize for Packed<$T> {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_newtype_struct(const { name::<E>() }, &All(&self.0[..]))
            }
        }
    )*};
}

packed! {
    [E: PackedElement] Vec<E>;
    [E: PackedElement] Box<[E]>;
    [E: PackedElement] &[E];
    [E: PackedElement, const N: usize] [E; N];
}

/// A visitor that reads any sequence of the elements.
struct Sequence<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Sequence<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a packed array")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<T, D::Error> {
        T::deserialize(from)
    }

    /// Reads a sequence. Formats without newtypes pass the sequence itself.
    fn visit_seq<A: de::SeqAccess<'de>>(self, seq: A) -> Result<T, A::Error> {
        T::deserialize(de::value::SeqAccessDeserializer::new(seq))
    }
}

macro_rules! sequences {
    ($($T:ty;)*) => {$(
        impl<'de, E: PackedElement + Deserialize<'de>> Deserialize<'de> for Packed<$T> {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                from.deserialize_newtype_struct(const { name::<E>() }, Sequence(PhantomData)).map(Self)
            }
        }
    )*};
}

sequences! {
    Vec<E>;
    Box<[E]>;
}

impl<'de: 'a, 'a, E: WireElement> Deserialize<'de> for Packed<&'a [E]> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = const { KnownName::Elements { kind: E::KIND, double: E::DOUBLE }.name() };
        from.deserialize_newtype_struct(name, Borrowed(PhantomData)).map(Self)
    }
}

struct Borrowed<E>(PhantomData<E>);

impl<'de, E: WireElement> Visitor<'de> for Borrowed<E> {
    type Value = &'de [E];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a packed array to borrow from a packet")
    }

    fn visit_borrowed_bytes<F: de::Error>(self, bytes: &'de [u8]) -> Result<&'de [E], F> {
        <[E]>::ref_from_bytes(bytes).map_err(|_| F::invalid_length(bytes.len(), &self))
    }
}
