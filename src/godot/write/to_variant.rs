//! Types that a [`Writer`](crate::godot::Writer) can put, and their encodings.

use super::encoder::Encoder;
use crate::buffer::Sink;
use crate::godot::read::compact_form::WireForm;
use crate::godot::table::dialect::Width;
use crate::godot::table::layouts::{
    Aabb, Basis, Color, F32, F64, I32, I64, Plane, Projection, Quaternion, RealLayout, Rect2,
    Transform2D, Transform3D, Vector2, Vector3, Vector4,
};
use crate::godot::table::payload::Payload;
use crate::godot::types::node_path;
use crate::godot::types::reals::Real;
use crate::godot::types::text::StrRef;
use crate::godot::{Encoded, Kind, ObjectRef, Result, Signal, VariantRef};

/// A value that a [`Writer`](crate::godot::Writer) can put. Such values are standard Rust types,
/// structs such as [`Vector2`], views, and encoded values ([`Encoded`]). An encoded value is copied
/// unchanged if the target can read every value of its dialect.
///
/// The text of a view is written unchanged. If the target's engine might reject it, check it with
/// [`StrRef::is_accepted_by`] first.
///
/// ```
/// use gamewire::godot::{Color, Dialect, Reader, StringName, Vector2, Writer};
///
/// let mut packet = Vec::new();
/// let mut writer = Writer::new(&mut packet, Dialect::Godot4);
/// writer.put(())?; // null
/// writer.put(0.5)?;
/// writer.put(StringName("jump"))?;
/// writer.put(Vector2 { x: 1, y: 2 })?; // a Vector2i
/// writer.put(Color { r: 1.0_f32, g: 0.5, b: 0.0, a: 1.0 })?;
/// writer.put(&[1_i32, 2, 3][..])?; // a PackedInt32Array
/// let mut reader = Reader::new(&packet, Dialect::Godot4);
/// assert!(reader.read()?.is_nil());
/// assert_eq!(reader.read()?.as_f64(), Some(0.5));
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
pub trait ToVariant {
    /// `true` if the value is always written with a single append.
    #[doc(hidden)]
    const ONE_APPEND: bool = false;

    #[doc(hidden)]
    #[allow(private_interfaces, reason = "hidden: for the types of this crate")]
    fn write<S: Sink>(&self, out: &mut Encoder<'_, S>) -> Result<()>;

    /// Writes the value as part of a larger one, which the caller rolls back after an error.
    #[doc(hidden)]
    #[inline(always)]
    #[allow(private_interfaces, reason = "hidden: for the types of this crate")]
    fn write_inside<S: Sink>(&self, out: &mut Encoder<'_, S>) -> Result<()> {
        self.write(out)
    }

    #[doc(hidden)]
    #[allow(private_interfaces, reason = "hidden: for the types of this crate")]
    fn compact(&self) -> CompactForm<'_> {
        CompactForm::None
    }

    /// Returns a view of the value. Only types whose values can be long, or can contain text that
    /// no engine accepts, provide a view. Returns `None` for all other types.
    #[doc(hidden)]
    fn view(&self) -> Option<VariantRef<'_>> {
        None
    }
}

/// The kind of short encoding that multiplayer packets have for a value.
pub(crate) enum CompactForm<'a> {
    /// No short encoding.
    None,
    Bool(bool),
    Int(i64),
    /// An int that must keep 64 bits.
    WideInt(i64),
    /// A value that is already in its short encoding.
    Compact(&'a [u8]),
    ByteArray(&'a [u8]),
}

/// A StringName, given as a `&str`, a `String` or another text type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StringName<T>(pub T);

/// A NodePath written as text, such as `/root/player:position:x`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodePath<T>(pub T);

/// The instance id of an object. It is only meaningful to the engine that assigned it; 0 is null.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u64);

/// The id of a resource. It is only meaningful to the engine that assigned it, and only Godot 4
/// writes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rid(pub u64);

/// A Callable. On the wire, it has a type but no content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Callable;

/// An int or float that is written in 64 bits even if 32 are enough.
///
/// ```
/// use gamewire::godot::{Dialect, Wide, Writer};
///
/// let mut packet = Vec::new();
/// Writer::new(&mut packet, Dialect::Godot4).put(Wide(5_i64))?;
/// assert_eq!(packet.len(), 12);
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wide<T>(pub T);

macro_rules! to_variant {
    (one append $one:literal; $(
        [$($g:tt)*] $T:ty, |$value:ident, $out:ident| $write:expr $(, $compact:expr $(, $view:expr)?)?;
    )*) => {$(
        impl<$($g)*> ToVariant for $T {
            const ONE_APPEND: bool = $one;

            #[inline(always)]
            #[allow(private_interfaces, reason = "hidden: for the types of this crate")]
            fn write<S: Sink>(&self, $out: &mut Encoder<'_, S>) -> Result<()> {
                let $value = self;
                $write
            }

            $(
                #[allow(private_interfaces, unused_variables, reason = "hidden: for the types of this crate")]
                fn compact(&self) -> CompactForm<'_> {
                    let $value = self;
                    $compact
                }

                $(
                    fn view(&self) -> Option<VariantRef<'_>> {
                        let $value = self;
                        Some($view)
                    }
                )?
            )?
        }
    )*};
}

to_variant! {
    one append true;
    [] (), |_v, out| out.fixed(Kind::Nil, 0, ());
    [] bool, |v, out| v.encode(Kind::Bool, out), CompactForm::Bool(*v);
    [] i8, |v, out| i64::from(*v).encode(Kind::Int, out), CompactForm::Int((*v).into());
    [] i16, |v, out| i64::from(*v).encode(Kind::Int, out), CompactForm::Int((*v).into());
    [] i32, |v, out| i64::from(*v).encode(Kind::Int, out), CompactForm::Int((*v).into());
    [] i64, |v, out| v.encode(Kind::Int, out), CompactForm::Int(*v);
    [] u8, |v, out| i64::from(*v).encode(Kind::Int, out), CompactForm::Int((*v).into());
    [] u16, |v, out| i64::from(*v).encode(Kind::Int, out), CompactForm::Int((*v).into());
    [] u32, |v, out| i64::from(*v).encode(Kind::Int, out), CompactForm::Int((*v).into());
    [] f32, |v, out| f64::from(*v).encode(Kind::Float, out);
    [] f64, |v, out| v.encode(Kind::Float, out);
    [] Wide<i64>, |v, out| wide(&v.0, out), CompactForm::WideInt(v.0);
    [] Wide<f64>, |v, out| wide(&v.0, out);
    ['a] &'a str, |v, out| StrRef::from(*v).encode(Kind::String, out), CompactForm::None, VariantRef::String((*v).into());
    ['a] StrRef<'a>, |v, out| v.encode(Kind::String, out), CompactForm::None, VariantRef::String(*v);
    [T: AsRef<str>] StringName<T>, |v, out| StrRef::from(v.0.as_ref()).encode(Kind::StringName, out), CompactForm::None, VariantRef::StringName(v.0.as_ref().into());
    [] Vector2<i32>, |v, out| v.encode(Kind::Vector2i, out);
    [] Rect2<i32>, |v, out| v.encode(Kind::Rect2i, out);
    [] Vector3<i32>, |v, out| v.encode(Kind::Vector3i, out);
    [] Vector4<i32>, |v, out| v.encode(Kind::Vector4i, out);
}

to_variant! {
    one append false;
    [T: AsRef<str>] NodePath<T>, |v, out| {
        node_path::encode_path(v.0.as_ref().as_bytes(), Kind::NodePath, out)
    };
    [] ObjectId, |v, out| out.object(&ObjectRef::Id(v.0));
    [] Rid, |v, out| Some(v.0).encode(Kind::Rid, out);
    [] Callable, |_v, out| out.fixed(Kind::Callable, 0, ());
    ['a] Signal<StrRef<'a>>, |v, out| v.encode(Kind::Signal, out);
    ['a] VariantRef<'a>, |v, out| v.encode(out), compact_value(v), *v;
    ['a] Encoded<'a>, |v, out| out.copy(*v), compact_encoded(*v), v.decode();
    ['a] &'a [u8], |v, out| v.encode(Kind::PackedByteArray, out), CompactForm::ByteArray(v);
    ['a] &'a [I32], |v, out| v.encode(Kind::PackedInt32Array, out);
    ['a] &'a [I64], |v, out| v.encode(Kind::PackedInt64Array, out);
    ['a] &'a [F32], |v, out| v.encode(Kind::PackedFloat32Array, out);
    ['a] &'a [F64], |v, out| v.encode(Kind::PackedFloat64Array, out);
    ['a] &'a [i32], |v, out| out.native(Kind::PackedInt32Array, v, I32::new);
    ['a] &'a [i64], |v, out| out.native(Kind::PackedInt64Array, v, I64::new);
    ['a] &'a [f32], |v, out| out.native(Kind::PackedFloat32Array, v, F32::new);
    ['a] &'a [f64], |v, out| out.native(Kind::PackedFloat64Array, v, F64::new);
    ['a, 'b] &'a [&'b str], |v, out| {
        out.strings(Kind::PackedStringArray, v.iter().map(|text| text.as_bytes()))
    };
}

fn compact_value<'a>(value: &VariantRef<'a>) -> CompactForm<'a> {
    match *value {
        VariantRef::Bool(value) => CompactForm::Bool(value),
        VariantRef::Int(value) => CompactForm::Int(value),
        VariantRef::PackedByteArray(bytes) => CompactForm::ByteArray(bytes),
        _ => CompactForm::None,
    }
}

/// Returns the short encoding of an encoded value. If the value is already in its short encoding,
/// copies it.
fn compact_encoded(encoded: Encoded<'_>) -> CompactForm<'_> {
    match (encoded.form(), encoded.kind()) {
        (WireForm::Compact, _) => CompactForm::Compact(encoded.as_bytes()),
        (WireForm::Raw, _) | (WireForm::Full, Kind::Bool | Kind::Int | Kind::PackedByteArray) => {
            compact_value(&encoded.decode())
        }
        _ => CompactForm::None,
    }
}

fn wide<'a, T: Payload<'a> + Number, S: Sink>(value: &T, out: &mut Encoder<'_, S>) -> Result<()> {
    let narrow = core::mem::replace(&mut out.wide, true);
    let written = value.encode(T::KIND, out);
    out.wide = narrow;
    written
}

trait Number {
    const KIND: Kind;
}

impl Number for i64 {
    const KIND: Kind = Kind::Int;
}

impl Number for f64 {
    const KIND: Kind = Kind::Float;
}

/// Implements [`ToVariant`] for vectors and similar types. Writes `f32` parts in single precision
/// and `f64` parts in double precision, which Godot 4 marks with header bit 16. Slices of `f32`
/// elements become packed arrays.
macro_rules! reals {
    ($($Name:ident)*; packed $($Element:ident as $Packed:ident)*) => {
        to_variant! {
            one append true;
            $(
                [] $Name<f32>, |v, out| {
                    Real::<$Name>::Single(&v.map(F32::new)).encode(Kind::$Name, out)
                };
                [] $Name<f64>, |v, out| {
                    Real::<$Name>::Double(&v.map(F64::new)).encode(Kind::$Name, out)
                };
            )*
        }

        to_variant! {
            one append false;
            $(
                ['a] &'a [$Element<f32>], |v, out| {
                    packed::<$Element, S, _>(Kind::$Packed, v.iter().map(|v| v.map(F32::new)), out)
                };
            )*
        }
    };
}

reals! {
    Vector2 Rect2 Vector3 Transform2D Vector4 Plane Quaternion Aabb Basis Transform3D Projection
    Color;
    packed Vector2 as PackedVector2Array Vector3 as PackedVector3Array
    Vector4 as PackedVector4Array Color as PackedColorArray
}

fn packed<L: RealLayout, S: Sink, I>(
    kind: Kind,
    elements: I,
    out: &mut Encoder<'_, S>,
) -> Result<()>
where
    I: ExactSizeIterator<Item = L::Single>,
{
    if out.rules().reals == Width::Double {
        let elements = elements.map(|element| L::from_single(&element).to_double());
        return out.elements(kind, 0, elements);
    }
    out.elements(kind, 0, elements)
}
