//! The types of vectors, matrices, boxes, planes and colours. The fields of each type are in wire
//! order. The components can be converted between `f32`, `f64` and the bytes in a packet.
//!
//! Each struct is used both on the wire and for values. The parameter `R` is the type of a
//! component: [`F32`], [`F64`] or [`I32`] on the wire, and `f32`, `f64` or `i32` in a value. The
//! size of a struct on the wire follows from its fields.

use crate::godot::VariantRef;
use crate::godot::types::reals::Real;
use core::fmt;
pub use zerocopy::little_endian::{F32, F64, I32, I64, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// A type that can be borrowed from a packet. Such a type is little-endian, has an alignment of 1,
/// and is valid for every bit pattern.
pub trait Wire:
    FromBytes + IntoBytes + KnownLayout + Immutable + Unaligned + Copy + 'static
{
}

impl<T> Wire for T where
    T: FromBytes + IntoBytes + KnownLayout + Immutable + Unaligned + Copy + 'static
{
}

/// A type that consists of reals, which have one of two widths on the wire.
///
/// Implemented for [`Vector2<f64>`](Vector2), [`Basis<f64>`](Basis), [`Color<f64>`](Color) and the
/// other types that consist of reals. `f64` represents both widths exactly.
pub trait RealLayout: Copy + fmt::Debug + PartialEq + 'static {
    /// The wire type with `f32` components.
    type Single: Wire + fmt::Debug;
    /// The wire type with `f64` components.
    type Double: Wire + fmt::Debug;
    /// The array of components that [`parts`](Self::parts) returns.
    type Parts: AsRef<[f64]> + AsMut<[f64]> + Default + fmt::Debug;
    /// `true` if header bit 16 widens this type in Godot 4. The bit does not widen colours.
    const FLAGGED: bool;
    /// Paths of the [components](Self::parts), such as `position/x`.
    const NAMES: &'static [&'static str];

    /// Widens the components without loss.
    fn from_single(wire: &Self::Single) -> Self;
    /// Converts from the wire without loss.
    fn from_double(wire: &Self::Double) -> Self;
    /// Rounds the components to the nearest `f32`.
    fn to_single(self) -> Self::Single;
    /// Converts to the wire without loss.
    fn to_double(self) -> Self::Double;
    /// Returns the components in the order in which a script passes them to the type's constructor.
    /// The components of a basis are therefore listed axis by axis, although a packet contains them
    /// row by row.
    fn parts(self) -> Self::Parts;
    /// Builds a value from its [`parts`](Self::parts).
    fn from_parts(parts: Self::Parts) -> Self;
    /// Wraps a borrowed value of this type in a [`VariantRef`].
    #[doc(hidden)]
    fn value(real: Real<'_, Self>) -> VariantRef<'_>;
}

/// Widens a component exactly. Also keeps the payload of a NaN, which a conversion with `as` may
/// change.
#[inline(always)]
pub(crate) fn widen(part: F32) -> f64 {
    let value = part.get();
    if value.is_nan() { widen_nan(value.to_bits()) } else { f64::from(value) }
}

#[cold]
fn widen_nan(bits: u32) -> f64 {
    let sign = u64::from(bits & (1 << 31)) << 32;
    let payload = u64::from(bits & 0x007F_FFFF) << 29;
    f64::from_bits(sign | 0x7FF0_0000_0000_0000 | payload)
}

/// Rounds to the nearest `f32`. A NaN stays a NaN and keeps the upper bits of its payload.
pub(crate) fn narrow(value: f64) -> f32 {
    if !value.is_nan() {
        return value as f32;
    }
    let bits = value.to_bits();
    let sign = (bits >> 32) as u32 & (1 << 31);
    let payload = (bits >> 29) as u32 & 0x007F_FFFF;
    f32::from_bits(sign | 0x7F80_0000 | if payload == 0 { 1 << 22 } else { payload })
}

macro_rules! layout {
    (
        $Name:ident[$count:literal] $($part:literal)*, flagged $flagged:literal,
        |$value:ident| $parts:expr, |$list:pat_param| $whole:expr
    ) => {
        impl RealLayout for $Name {
            type Single = $Name<F32>;
            type Double = $Name<F64>;
            type Parts = [f64; $count];
            const FLAGGED: bool = $flagged;
            const NAMES: &'static [&'static str] = {
                const NAMES: [&str; $count] = [$($part),*];
                &NAMES
            };

            #[inline]
            fn from_single(wire: &$Name<F32>) -> Self {
                wire.map(widen)
            }

            #[inline]
            fn from_double(wire: &$Name<F64>) -> Self {
                wire.map(F64::get)
            }

            #[inline]
            // Rounds to the nearest `f32`, as the engine does.
            fn to_single(self) -> $Name<F32> {
                self.map(|part| F32::new(part as f32))
            }

            #[inline]
            fn to_double(self) -> $Name<F64> {
                self.map(F64::new)
            }

            fn parts(self) -> [f64; $count] {
                let $value = self;
                $parts
            }

            fn from_parts($list: [f64; $count]) -> Self {
                $whole
            }

            fn value(real: Real<'_, Self>) -> VariantRef<'_> {
                VariantRef::$Name(real)
            }
        }
    };
}

/// Two components: reals, or `i32` for a Vector2i.
///
/// ```
/// use gamewire::godot::{RealLayout, Vector2};
///
/// let point = Vector2 { x: 1.0, y: 2.0 };
/// assert_eq!(point.map(|part| part as i32), Vector2 { x: 1, y: 2 });
/// assert_eq!(point.parts(), [1.0, 2.0]);
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned,
)]
#[repr(C)]
pub struct Vector2<R = f64> {
    /// x.
    pub x: R,
    /// y.
    pub y: R,
}

impl<R: Copy> Vector2<R> {
    /// Converts each component.
    #[inline]
    pub fn map<S: Copy>(self, part: impl Fn(R) -> S + Copy) -> Vector2<S> {
        Vector2 { x: part(self.x), y: part(self.y) }
    }
}

layout!(Vector2[2] "x" "y", flagged true, |v| [v.x, v.y], |[x, y]| Vector2 { x, y });

/// Three components: reals, or `i32` for a Vector3i.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned,
)]
#[repr(C)]
pub struct Vector3<R = f64> {
    /// x.
    pub x: R,
    /// y.
    pub y: R,
    /// z.
    pub z: R,
}

impl<R: Copy> Vector3<R> {
    /// Converts each component.
    #[inline]
    pub fn map<S: Copy>(self, part: impl Fn(R) -> S + Copy) -> Vector3<S> {
        Vector3 { x: part(self.x), y: part(self.y), z: part(self.z) }
    }
}

layout!(Vector3[3] "x" "y" "z", flagged true, |v| [v.x, v.y, v.z], |[x, y, z]| Vector3 { x, y, z });

/// Four components: reals, or `i32` for a Vector4i.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned,
)]
#[repr(C)]
pub struct Vector4<R = f64> {
    /// x.
    pub x: R,
    /// y.
    pub y: R,
    /// z.
    pub z: R,
    /// w.
    pub w: R,
}

impl<R: Copy> Vector4<R> {
    /// Converts each component.
    #[inline]
    pub fn map<S: Copy>(self, part: impl Fn(R) -> S + Copy) -> Vector4<S> {
        Vector4 { x: part(self.x), y: part(self.y), z: part(self.z), w: part(self.w) }
    }
}

layout!(
    Vector4[4] "x" "y" "z" "w",
    flagged true,
    |v| [v.x, v.y, v.z, v.w],
    |[x, y, z, w]| Vector4 { x, y, z, w }
);

/// A rectangle of reals, or of `i32` for a Rect2i.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned,
)]
#[repr(C)]
pub struct Rect2<R = f64> {
    /// The corner with the smallest coordinates, unless a component of `size` is negative.
    pub position: Vector2<R>,
    /// The extent from `position` to the opposite corner.
    pub size: Vector2<R>,
}

impl<R: Copy> Rect2<R> {
    /// Converts each component.
    #[inline]
    pub fn map<S: Copy>(self, part: impl Fn(R) -> S + Copy) -> Rect2<S> {
        Rect2 { position: self.position.map(part), size: self.size.map(part) }
    }
}

layout!(
    Rect2[4] "position/x" "position/y" "size/x" "size/y",
    flagged true,
    |r| [r.position.x, r.position.y, r.size.x, r.size.y],
    |[x, y, width, height]| Rect2 {
        position: Vector2 { x, y },
        size: Vector2 { x: width, y: height },
    }
);

/// A two-dimensional transform: the x axis, the y axis and the origin, as scripts see them.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned,
)]
#[repr(C)]
pub struct Transform2D<R = f64> {
    /// Column x.
    pub x: Vector2<R>,
    /// Column y.
    pub y: Vector2<R>,
    /// The translation.
    pub origin: Vector2<R>,
}

impl<R: Copy> Transform2D<R> {
    /// Converts each component.
    #[inline]
    pub fn map<S: Copy>(self, part: impl Fn(R) -> S + Copy) -> Transform2D<S> {
        Transform2D { x: self.x.map(part), y: self.y.map(part), origin: self.origin.map(part) }
    }
}

layout!(
    Transform2D[6] "x/x" "x/y" "y/x" "y/y" "origin/x" "origin/y",
    flagged true,
    |t| [t.x.x, t.x.y, t.y.x, t.y.y, t.origin.x, t.origin.y],
    |[xx, xy, yx, yy, ox, oy]| Transform2D {
        x: Vector2 { x: xx, y: xy },
        y: Vector2 { x: yx, y: yy },
        origin: Vector2 { x: ox, y: oy },
    }
);

/// A plane: its normal and its distance from the origin.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned,
)]
#[repr(C)]
pub struct Plane<R = f64> {
    /// Normal vector.
    pub normal: Vector3<R>,
    /// Distance from the origin along the normal.
    pub d: R,
}

impl<R: Copy> Plane<R> {
    /// Converts each component.
    #[inline]
    pub fn map<S: Copy>(self, part: impl Fn(R) -> S + Copy) -> Plane<S> {
        Plane { normal: self.normal.map(part), d: part(self.d) }
    }
}

layout!(
    Plane[4] "normal/x" "normal/y" "normal/z" "d",
    flagged true,
    |p| [p.normal.x, p.normal.y, p.normal.z, p.d],
    |[x, y, z, d]| Plane { normal: Vector3 { x, y, z }, d }
);

/// A rotation.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned,
)]
#[repr(C)]
pub struct Quaternion<R = f64> {
    /// x.
    pub x: R,
    /// y.
    pub y: R,
    /// z.
    pub z: R,
    /// w.
    pub w: R,
}

impl<R: Copy> Quaternion<R> {
    /// Converts each component.
    #[inline]
    pub fn map<S: Copy>(self, part: impl Fn(R) -> S + Copy) -> Quaternion<S> {
        Quaternion { x: part(self.x), y: part(self.y), z: part(self.z), w: part(self.w) }
    }
}

layout!(
    Quaternion[4] "x" "y" "z" "w",
    flagged true,
    |q| [q.x, q.y, q.z, q.w],
    |[x, y, z, w]| Quaternion { x, y, z, w }
);

/// An axis-aligned box.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned,
)]
#[repr(C)]
pub struct Aabb<R = f64> {
    /// The corner with the smallest coordinates, unless a component of `size` is negative.
    pub position: Vector3<R>,
    /// The extent from `position` to the opposite corner.
    pub size: Vector3<R>,
}

impl<R: Copy> Aabb<R> {
    /// Converts each component.
    #[inline]
    pub fn map<S: Copy>(self, part: impl Fn(R) -> S + Copy) -> Aabb<S> {
        Aabb { position: self.position.map(part), size: self.size.map(part) }
    }
}

layout!(
    Aabb[6] "position/x" "position/y" "position/z" "size/x" "size/y" "size/z",
    flagged true,
    |a| [a.position.x, a.position.y, a.position.z, a.size.x, a.size.y, a.size.z],
    |[x, y, z, width, height, depth]| Aabb {
        position: Vector3 { x, y, z },
        size: Vector3 { x: width, y: height, z: depth },
    }
);

/// A 3 × 3 matrix.
///
/// A packet contains its rows (observed in 3.2.3 and 4.6.3), although the official documentation
/// names the components column by column. A script sees the columns, which are the axes:
/// [`x`](Self::x), [`y`](Self::y), [`z`](Self::z).
///
/// ```
/// use gamewire::godot::{Basis, Vector3};
///
/// let axis = |x, y, z| Vector3 { x, y, z };
/// let basis = Basis::from_axes(axis(1.0, 2.0, 3.0), axis(4.0, 5.0, 6.0), axis(7.0, 8.0, 9.0));
/// assert_eq!(basis.y(), axis(4.0, 5.0, 6.0));
/// assert_eq!(basis.rows[0], axis(1.0, 4.0, 7.0));
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned,
)]
#[repr(C)]
pub struct Basis<R = f64> {
    /// The rows, as on the wire.
    pub rows: [Vector3<R>; 3],
}

impl<R: Copy> Basis<R> {
    /// Converts each component.
    #[inline]
    pub fn map<S: Copy>(self, part: impl Fn(R) -> S + Copy) -> Basis<S> {
        Basis { rows: self.rows.map(|row| row.map(part)) }
    }

    /// Returns the x axis, the first column.
    #[inline]
    pub fn x(&self) -> Vector3<R> {
        let [first, second, third] = self.rows;
        Vector3 { x: first.x, y: second.x, z: third.x }
    }

    /// Returns the y axis, the second column.
    #[inline]
    pub fn y(&self) -> Vector3<R> {
        let [first, second, third] = self.rows;
        Vector3 { x: first.y, y: second.y, z: third.y }
    }

    /// Returns the z axis, the third column.
    #[inline]
    pub fn z(&self) -> Vector3<R> {
        let [first, second, third] = self.rows;
        Vector3 { x: first.z, y: second.z, z: third.z }
    }

    /// Builds a basis from its axes.
    #[inline]
    pub fn from_axes(x: Vector3<R>, y: Vector3<R>, z: Vector3<R>) -> Self {
        Self {
            rows: [
                Vector3 { x: x.x, y: y.x, z: z.x },
                Vector3 { x: x.y, y: y.y, z: z.y },
                Vector3 { x: x.z, y: y.z, z: z.z },
            ],
        }
    }
}

layout!(
    Basis[9] "x/x" "x/y" "x/z" "y/x" "y/y" "y/z" "z/x" "z/y" "z/z",
    flagged true,
    |b| {
        let [x, y, z] = [b.x(), b.y(), b.z()];
        [x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z]
    },
    |[xx, xy, xz, yx, yy, yz, zx, zy, zz]| Basis::from_axes(
        Vector3 { x: xx, y: xy, z: xz },
        Vector3 { x: yx, y: yy, z: yz },
        Vector3 { x: zx, y: zy, z: zz },
    )
);

/// A three-dimensional transform: a basis and an origin.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned,
)]
#[repr(C)]
pub struct Transform3D<R = f64> {
    /// Rotation and scale.
    pub basis: Basis<R>,
    /// The translation.
    pub origin: Vector3<R>,
}

impl<R: Copy> Transform3D<R> {
    /// Converts each component.
    #[inline]
    pub fn map<S: Copy>(self, part: impl Fn(R) -> S + Copy) -> Transform3D<S> {
        Transform3D { basis: self.basis.map(part), origin: self.origin.map(part) }
    }
}

layout!(
    Transform3D[12]
        "basis/x/x" "basis/x/y" "basis/x/z"
        "basis/y/x" "basis/y/y" "basis/y/z"
        "basis/z/x" "basis/z/y" "basis/z/z"
        "origin/x" "origin/y" "origin/z",
    flagged true,
    |t| {
        let [xx, xy, xz, yx, yy, yz, zx, zy, zz] = t.basis.parts();
        [xx, xy, xz, yx, yy, yz, zx, zy, zz, t.origin.x, t.origin.y, t.origin.z]
    },
    |[xx, xy, xz, yx, yy, yz, zx, zy, zz, x, y, z]| Transform3D {
        basis: Basis::from_parts([xx, xy, xz, yx, yy, yz, zx, zy, zz]),
        origin: Vector3 { x, y, z },
    }
);

/// A 4 × 4 matrix, stored column by column both on the wire and in scripts.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned,
)]
#[repr(C)]
pub struct Projection<R = f64> {
    /// Column x.
    pub x: Vector4<R>,
    /// Column y.
    pub y: Vector4<R>,
    /// Column z.
    pub z: Vector4<R>,
    /// Column w.
    pub w: Vector4<R>,
}

impl<R: Copy> Projection<R> {
    /// Converts each component.
    #[inline]
    pub fn map<S: Copy>(self, part: impl Fn(R) -> S + Copy) -> Projection<S> {
        Projection {
            x: self.x.map(part),
            y: self.y.map(part),
            z: self.z.map(part),
            w: self.w.map(part),
        }
    }
}

layout!(
    Projection[16]
        "x/x" "x/y" "x/z" "x/w"
        "y/x" "y/y" "y/z" "y/w"
        "z/x" "z/y" "z/z" "z/w"
        "w/x" "w/y" "w/z" "w/w",
    flagged true,
    |p| {
        let [x, y, z, w] = [p.x, p.y, p.z, p.w];
        [x.x, x.y, x.z, x.w, y.x, y.y, y.z, y.w, z.x, z.y, z.z, z.w, w.x, w.y, w.z, w.w]
    },
    |[xx, xy, xz, xw, yx, yy, yz, yw, zx, zy, zz, zw, wx, wy, wz, ww]| Projection {
        x: Vector4 { x: xx, y: xy, z: xz, w: xw },
        y: Vector4 { x: yx, y: yy, z: yz, w: yw },
        z: Vector4 { x: zx, y: zy, z: zz, w: zw },
        w: Vector4 { x: wx, y: wy, z: wz, w: ww },
    }
);

/// A colour. Every engine writes its components as `f32`.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned,
)]
#[repr(C)]
pub struct Color<R = f64> {
    /// Red.
    pub r: R,
    /// Green.
    pub g: R,
    /// Blue.
    pub b: R,
    /// Alpha.
    pub a: R,
}

impl<R: Copy> Color<R> {
    /// Converts each component.
    #[inline]
    pub fn map<S: Copy>(self, part: impl Fn(R) -> S + Copy) -> Color<S> {
        Color { r: part(self.r), g: part(self.g), b: part(self.b), a: part(self.a) }
    }
}

layout!(
    Color[4] "r" "g" "b" "a",
    flagged false,
    |c| [c.r, c.g, c.b, c.a],
    |[r, g, b, a]| Color { r, g, b, a }
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_payloads_survive() {
        for bits in [0x7FC0_0000, 0xFFC0_0000, 0x7F80_0001, 0xFFBF_FFFF, 0x7FFF_FFFF_u32] {
            let wide = widen(F32::new(f32::from_bits(bits)));
            let expected = u64::from(bits >> 31) << 63 | 0x7FF << 52;
            assert_eq!(wide.to_bits(), expected | u64::from(bits & 0x7F_FFFF) << 29, "{bits:x}");
            assert_eq!(narrow(wide).to_bits(), bits);
        }
        // The lower bits of the payload are lost, but the result stays a NaN.
        assert_eq!(narrow(f64::from_bits(0x7FF0_0000_0000_0001)).to_bits(), 0x7FC0_0000);
        assert_eq!(narrow(f64::from_bits(0xFFF0_0000_1FFF_FFFF)).to_bits(), 0xFFC0_0000);
        assert_eq!(narrow(f64::from_bits(0x7FF8_0000_2000_0000)).to_bits(), 0x7FC0_0001);
    }
}
