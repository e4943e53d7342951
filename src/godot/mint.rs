//! Conversions to and from the types of [`mint`], which maths libraries share for interoperability.
//! Libraries such as glam, nalgebra and cgmath convert to and from these types if their own feature
//! `mint` is enabled.
//!
//! ```
//! use gamewire::godot::{Dialect, Quaternion, Reader, Vector3, Writer};
//!
//! let packet = [9, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40]; // Vector3(1, 2, 3)
//! let at = Reader::new(&packet, Dialect::Godot4).read()?.as_vector3().unwrap();
//! let at = mint::Vector3::<f64>::from(at); // and on, as in `glam::DVec3::from(at)`
//! assert_eq!(at, mint::Vector3 { x: 1.0, y: 2.0, z: 3.0 });
//!
//! // In the other direction, in single precision.
//! let mut packet = Vec::new();
//! let mut writer = Writer::new(&mut packet, Dialect::Godot4);
//! let at = mint::Vector3 { x: 1.0_f32, y: 2.0, z: 3.0 }; // or `glam_vector.into()`
//! let turn = mint::Quaternion { v: mint::Vector3 { x: 0.0_f32, y: 0.0, z: 0.0 }, s: 1.0 };
//! writer.put(Vector3::from(at))?;
//! writer.put(Quaternion::from(turn))?;
//! # Ok::<(), gamewire::godot::Error>(())
//! ```

use crate::godot::table::layouts::{
    Basis, Projection, Quaternion, Transform2D, Transform3D, Vector2, Vector3, Vector4,
};
use mint::IntoMint;

/// Implements both conversions, field by field.
macro_rules! mint {
    ($($Name:ident as $Mint:ident: |$value:ident| $to:expr, |$mint:ident| $from:expr;)*) => {$(
        impl<R: Copy> From<$Name<R>> for mint::$Mint<R> {
            fn from($value: $Name<R>) -> Self {
                $to
            }
        }

        impl<R: Copy> From<mint::$Mint<R>> for $Name<R> {
            fn from($mint: mint::$Mint<R>) -> Self {
                $from
            }
        }
    )*};
}

mint! {
    Vector2 as Vector2: |v| Self { x: v.x, y: v.y }, |m| Self { x: m.x, y: m.y };
    Vector2 as Point2: |v| Self { x: v.x, y: v.y }, |m| Self { x: m.x, y: m.y };
    Vector3 as Vector3: |v| Self { x: v.x, y: v.y, z: v.z }, |m| Self { x: m.x, y: m.y, z: m.z };
    Vector3 as Point3: |v| Self { x: v.x, y: v.y, z: v.z }, |m| Self { x: m.x, y: m.y, z: m.z };
    Vector4 as Vector4: |v| Self { x: v.x, y: v.y, z: v.z, w: v.w },
        |m| Self { x: m.x, y: m.y, z: m.z, w: m.w };
    Quaternion as Quaternion: |q| Self { v: mint::Vector3 { x: q.x, y: q.y, z: q.z }, s: q.w },
        |m| Self { x: m.v.x, y: m.v.y, z: m.v.z, w: m.s };
    // The columns are the axes. The wire stores the rows.
    Basis as ColumnMatrix3: |b| Self { x: b.x().into(), y: b.y().into(), z: b.z().into() },
        |m| Self::from_axes(m.x.into(), m.y.into(), m.z.into());
    Basis as RowMatrix3: |b| {
        let [x, y, z] = b.rows.map(Into::into);
        Self { x, y, z }
    }, |m| Self { rows: [m.x, m.y, m.z].map(Into::into) };
    Transform2D as ColumnMatrix2x3: |t| Self { x: t.x.into(), y: t.y.into(), z: t.origin.into() },
        |m| Self { x: m.x.into(), y: m.y.into(), origin: m.z.into() };
    Transform3D as ColumnMatrix3x4: |t| {
        let mint::ColumnMatrix3 { x, y, z } = t.basis.into();
        Self { x, y, z, w: t.origin.into() }
    }, |m| Self {
        basis: mint::ColumnMatrix3 { x: m.x, y: m.y, z: m.z }.into(),
        origin: m.w.into(),
    };
    Projection as ColumnMatrix4: |p| Self {
        x: p.x.into(),
        y: p.y.into(),
        z: p.z.into(),
        w: p.w.into(),
    }, |m| Self { x: m.x.into(), y: m.y.into(), z: m.z.into(), w: m.w.into() };
}

/// Implements [`IntoMint`], which names the default `mint` type of each struct.
macro_rules! into_mint {
    ($($Name:ident as $Mint:ident;)*) => {$(
        impl<R: Copy> IntoMint for $Name<R> {
            type MintType = mint::$Mint<R>;
        }
    )*};
}

into_mint! {
    Vector2 as Vector2;
    Vector3 as Vector3;
    Vector4 as Vector4;
    Quaternion as Quaternion;
    Basis as ColumnMatrix3;
    Transform2D as ColumnMatrix2x3;
    Transform3D as ColumnMatrix3x4;
    Projection as ColumnMatrix4;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with literal numbers, because a round trip would not notice that rows and columns
    /// are swapped.
    #[test]
    fn axes_are_columns() {
        let axis = |x, y, z| Vector3 { x, y, z };
        let basis = Basis::from_axes(axis(1, 2, 3), axis(4, 5, 6), axis(7, 8, 9));
        let columns: [[i32; 3]; 3] = mint::ColumnMatrix3::from(basis).into();
        assert_eq!(columns, [[1, 2, 3], [4, 5, 6], [7, 8, 9]]);
        let rows: [[i32; 3]; 3] = mint::RowMatrix3::from(basis).into();
        assert_eq!(rows, [[1, 4, 7], [2, 5, 8], [3, 6, 9]]);
        assert_eq!(Basis::from(mint::ColumnMatrix3::from(columns)), basis);
        assert_eq!(Basis::from(mint::RowMatrix3::from(rows)), basis);

        let transform = Transform3D { basis, origin: axis(10, 11, 12) };
        let columns: [[i32; 3]; 4] = mint::ColumnMatrix3x4::from(transform).into();
        assert_eq!(columns, [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]]);
        assert_eq!(Transform3D::from(mint::ColumnMatrix3x4::from(columns)), transform);
    }

    #[test]
    fn a_quaternions_scalar_is_w() {
        let turn = Quaternion { x: 1, y: 2, z: 3, w: 4 };
        let mint = mint::Quaternion::from(turn);
        assert_eq!((mint.v.z, mint.s), (3, 4));
        assert_eq!(Quaternion::from(mint), turn);
    }
}
