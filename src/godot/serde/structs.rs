//! Serde support for the engine's fixed-size types. In packets, they keep their own kind and width;
//! in other formats, they are plain structs.

use super::names::KnownName;
use super::raw::{from_ours, is_ours};
use crate::godot::table::layouts::{self, F32, F64, I32, widen};
use crate::godot::{
    Aabb, Basis, Color, Kind, Plane, Projection, Quaternion, Rect2, Transform2D, Transform3D,
    Vector2, Vector3, Vector4,
};
use core::fmt;
use core::marker::PhantomData;
use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use zerocopy::IntoBytes;

/// A component of vectors and similar types: `i32`, `f32` or `f64`.
pub trait Component: Copy + Serialize + for<'de> Parts<'de> {
    #[doc(hidden)]
    const WIDTH: Width;

    #[doc(hidden)]
    type Wire: layouts::Wire;

    #[doc(hidden)]
    fn to_wire(self) -> Self::Wire;
}

/// A component of most types: `f32` or `f64`.
pub trait RealComponent: Component {}

#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Width {
    Int,
    Single,
    Double,
}

macro_rules! components {
    ($($R:ident $Wire:ident $Width:ident)*) => {$(
        impl Component for $R {
            const WIDTH: Width = Width::$Width;
            type Wire = $Wire;

            #[inline(always)]
            fn to_wire(self) -> $Wire {
                $Wire::new(self)
            }
        }
    )*};
}
components!(i32 I32 Int f32 F32 Single f64 F64 Double);

impl RealComponent for f32 {}
impl RealComponent for f64 {}

/// Returns the name of a type whose components are `R`. `real` and `int` are its kinds for reals
/// and for integers.
const fn name<R: Component>(real: Kind, int: Kind) -> &'static str {
    let own = match R::WIDTH {
        Width::Int => KnownName::Value { kind: int, double: false },
        Width::Single => KnownName::Value { kind: real, double: false },
        Width::Double => KnownName::Value { kind: real, double: true },
    };
    own.name()
}

/// A type made of components, which can also be read from a flat list of them. Serde's buffer for
/// values whose type is not known yet (`untagged`, `flatten`) holds such lists.
#[doc(hidden)]
pub trait Parts<'de>: Deserialize<'de> {
    const COUNT: usize;

    /// Reads a value from the numbers of a packet.
    fn from_wire(at: &mut Wire<'_>) -> Self;

    /// Reads the value from `seq`. If `flat` is `false`, the value is one element of `seq`. If
    /// `flat` is `true`, `seq` is a flat list of components, and the value is made of its next few
    /// elements.
    fn take<A: SeqAccess<'de>>(seq: &mut A, flat: bool) -> Result<Self, A::Error>;
}

/// The numbers of a value. Their count has been checked.
#[doc(hidden)]
#[derive(Debug)]
pub struct Wire<'a> {
    rest: &'a [u8],
    double: bool,
}

impl Wire<'_> {
    #[inline(always)]
    fn next<const N: usize>(&mut self) -> [u8; N] {
        let Some((number, rest)) = self.rest.split_first_chunk() else { return [0; N] };
        self.rest = rest;
        *number
    }
}

macro_rules! parts {
    ($($R:ident |$at:ident| $read:expr;)*) => {$(
        impl<'de> Parts<'de> for $R {
            const COUNT: usize = 1;

            #[inline(always)]
            // An `f64` is rounded to the nearest `f32`.
            fn from_wire($at: &mut Wire<'_>) -> Self {
                $read
            }

            #[inline(always)]
            fn take<A: SeqAccess<'de>>(seq: &mut A, _: bool) -> Result<Self, A::Error> {
                element(seq)
            }
        }
    )*};
}
parts! {
    i32 |at| i32::from_le_bytes(at.next());
    f32 |at| match at.double {
        false => f32::from_le_bytes(at.next()),
        true => f64::from_le_bytes(at.next()) as f32,
    };
    f64 |at| match at.double {
        false => widen(F32::from_bytes(at.next())),
        true => f64::from_le_bytes(at.next()),
    };
}

/// The rows of a basis. In a flat list, the axes come one after another.
impl<'de, R: RealComponent> Parts<'de> for [Vector3<R>; 3] {
    const COUNT: usize = 9;

    #[inline(always)]
    fn from_wire(at: &mut Wire<'_>) -> Self {
        [(); 3].map(|()| Parts::from_wire(at))
    }

    #[inline(always)]
    fn take<A: SeqAccess<'de>>(seq: &mut A, flat: bool) -> Result<Self, A::Error> {
        if !flat {
            return element(seq);
        }
        let axes = [Parts::take(seq, true)?, Parts::take(seq, true)?, Parts::take(seq, true)?];
        let [x, y, z] = axes;
        Ok(Basis::from_axes(x, y, z).rows)
    }
}

#[inline(always)]
fn element<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(seq: &mut A) -> Result<T, A::Error> {
    match seq.next_element()? {
        Some(element) => Ok(element),
        None => Err(too_few()),
    }
}

#[cold]
fn too_few<E: de::Error>() -> E {
    E::custom("too few components")
}

/// A field. The first field passes the bytes of the whole struct to this crate's serializer.
struct Field<'a, T> {
    field: &'a T,
    /// Bytes of the whole struct, if this is the first field.
    whole: Option<&'a [u8]>,
}

impl<T: Serialize> Serialize for Field<'_, T> {
    #[inline(always)]
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.whole {
            _ if !is_ours(|| to.is_human_readable()) => self.field.serialize(to),
            Some(whole) => to.serialize_bytes(whole),
            None => to.serialize_unit(),
        }
    }
}

/// A seed that reads a key and returns the field name it matches.
pub(super) struct OneOf(pub(super) &'static [&'static str]);

impl<'de> DeserializeSeed<'de> for OneOf {
    type Value = Option<&'static str>;

    fn deserialize<D: Deserializer<'de>>(self, key: D) -> Result<Self::Value, D::Error> {
        key.deserialize_identifier(self)
    }
}

impl Visitor<'_> for OneOf {
    type Value = Option<&'static str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().copied().find(|field| *field == name))
    }

    fn visit_bytes<E: de::Error>(self, name: &[u8]) -> Result<Self::Value, E> {
        Ok(self.0.iter().copied().find(|field| field.as_bytes() == name))
    }
}

macro_rules! structs {
    ($($Name:ident $(or $Int:ident)? of $R:ident: $Bound:ident { $($field:ident: $T:ty),* })*) => {$(
        const _: () = {
            const FIELDS: &[&str] = &[$(stringify!($field)),*];

            const fn own_name<R: Component>() -> &'static str {
                #[allow(unused, reason = "unused by types that have no kind for integers")]
                let int = Kind::$Name;
                $(let int = Kind::$Int;)?
                name::<R>(Kind::$Name, int)
            }

            impl<$R: $Bound> Serialize for $Name<$R> {
                #[inline]
                fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                    let wire = self.map($R::to_wire);
                    let mut whole = Some(wire.as_bytes());
                    let mut fields = to.serialize_struct(const { own_name::<$R>() }, FIELDS.len())?;
                    $({
                        let field = Field { field: &self.$field, whole: whole.take() };
                        fields.serialize_field(stringify!($field), &field)?;
                    })*
                    fields.end()
                }
            }

            /// A visitor that is not zero-sized, for the reason given in
            /// `Value::deserialize_struct`.
            struct Fields<R> {
                parts: PhantomData<R>,
                _size: u8,
            }

            impl<'de, $R: $Bound> Visitor<'de> for Fields<$R> {
                type Value = $Name<$R>;

                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(concat!("a ", stringify!($Name)))
                }

                #[inline(always)]
                fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                    let flat = seq.size_hint() == Some(<$Name<$R> as Parts>::COUNT);
                    Ok($Name { $($field: Parts::take(&mut seq, flat)?),* })
                }

                /// Reads the struct from a packet.
                #[inline(always)]
                fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
                    let (_, rest) = from_ours(from)?;
                    let count = <$Name<$R> as Parts>::COUNT;
                    if rest.len() == 8 * count {
                        return Ok(Parts::from_wire(&mut Wire { rest, double: true }));
                    }
                    if rest.len() == 4 * count {
                        return Ok(Parts::from_wire(&mut Wire { rest, double: false }));
                    }
                    Err(too_few())
                }

                fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                    $(let mut $field: Option<$T> = None;)*
                    while let Some(name) = map.next_key_seed(OneOf(FIELDS))? {
                        match name {
                            $(Some(stringify!($field)) => {
                                if $field.replace(map.next_value()?).is_some() {
                                    return Err(de::Error::duplicate_field(stringify!($field)));
                                }
                            })*
                            _ => drop(map.next_value::<IgnoredAny>()?),
                        }
                    }
                    Ok($Name {
                        $($field: $field.ok_or_else(|| de::Error::missing_field(stringify!($field)))?),*
                    })
                }
            }

            impl<'de, $R: $Bound> Deserialize<'de> for $Name<$R> {
                #[inline]
                fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                    from.deserialize_struct(const { own_name::<$R>() }, FIELDS, Fields { parts: PhantomData, _size: 0 })
                }
            }

            impl<'de, $R: $Bound> Parts<'de> for $Name<$R> {
                const COUNT: usize = 0 $(+ <$T as Parts>::COUNT)*;

                #[inline(always)]
                fn from_wire(at: &mut Wire<'_>) -> Self {
                    $Name { $($field: Parts::from_wire(at)),* }
                }

                #[inline(always)]
                fn take<A: SeqAccess<'de>>(seq: &mut A, flat: bool) -> Result<Self, A::Error> {
                    if !flat {
                        return element(seq);
                    }
                    Ok($Name { $($field: Parts::take(seq, true)?),* })
                }
            }
        };
    )*};
}

structs! {
    Vector2 or Vector2i of R: Component { x: R, y: R }
    Vector3 or Vector3i of R: Component { x: R, y: R, z: R }
    Vector4 or Vector4i of R: Component { x: R, y: R, z: R, w: R }
    Rect2 or Rect2i of R: Component { position: Vector2<R>, size: Vector2<R> }
    Transform2D of R: RealComponent { x: Vector2<R>, y: Vector2<R>, origin: Vector2<R> }
    Plane of R: RealComponent { normal: Vector3<R>, d: R }
    Quaternion of R: RealComponent { x: R, y: R, z: R, w: R }
    Aabb of R: RealComponent { position: Vector3<R>, size: Vector3<R> }
    Basis of R: RealComponent { rows: [Vector3<R>; 3] }
    Transform3D of R: RealComponent { basis: Basis<R>, origin: Vector3<R> }
    Projection of R: RealComponent { x: Vector4<R>, y: Vector4<R>, z: Vector4<R>, w: Vector4<R> }
    Color of R: RealComponent { r: R, g: R, b: R, a: R }
}
