//! The table of kinds: their names in text files, their ids in binary streams, and the shape of
//! their values. Everything else about kinds is derived from this table.

mod lookup;

use Fill::{Exact, Short};
use Kind::*;
use Scalar as S;

/// Type of a value, without the `[]` of arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
#[rustfmt::skip]
pub enum Kind {
    /// A boolean.
    Bool,
    /// A signed 8-bit integer.
    I8,
    /// A UTF-16 code unit.
    Char,
    /// A signed 16-bit integer.
    I16,
    /// A signed 32-bit integer.
    I32,
    /// A signed 64-bit integer.
    I64,
    /// A single-precision number.
    F32,
    /// A double-precision number.
    F64,
    /// A string.
    String,
    /// The path of a file. A prefix may stand for a folder.
    File,
    /// A colour, `0xAARRGGBB`. Binary streams store it as [`I32`](Kind::I32).
    Color,
    /// x, y.
    Vec2, #[doc = "x, y, z."] Vec3, #[doc = "x, y, z, w."] Vec4,
    /// x, y in double precision.
    Vec2d, #[doc = "x, y, z in double precision."] Vec3d,
    /// x, y, z, w in double precision.
    Vec4d,
    /// x, y as integers.
    Vec2i, #[doc = "x, y, z as integers."] Vec3i, #[doc = "x, y, z, w as integers."] Vec4i,
    /// A quaternion: x, y, z, w.
    Quat, #[doc = "A quaternion in double precision."] Quatd,
    /// A plane: its normal x, y, z, and its distance.
    Plane, #[doc = "A plane in double precision."] Planed,
    /// 2 columns of 2 rows.
    Mat2, #[doc = "3 columns of 2 rows."] Mat3x2, #[doc = "3 columns of 3 rows."] Mat3,
    /// 4 columns of 3 rows.
    Mat4x3, #[doc = "4 columns of 4 rows."] Mat4,
    /// 2 columns of 2 rows in double precision.
    Mat2d, #[doc = "3 columns of 2 rows in double precision."] Mat3x2d,
    /// 3 columns of 3 rows in double precision.
    Mat3d, #[doc = "4 columns of 3 rows in double precision."] Mat4x3d,
    /// 4 columns of 4 rows in double precision.
    Mat4d,
    /// A box: x, y, z of its minimum, then x, y, z of its maximum.
    Aabb, #[doc = "A box in double precision."] Aabbd,
}

/// Type of the components of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// A string or path of any length.
    Text,
    /// A boolean. It takes one byte in a binary stream.
    Bool,
    /// A signed 8-bit integer.
    I8,
    /// A UTF-16 code unit.
    Char,
    /// A signed 16-bit integer.
    I16,
    /// A signed 32-bit integer.
    I32,
    /// A signed 64-bit integer.
    I64,
    /// A single-precision number.
    F32,
    /// A double-precision number.
    F64,
}

impl Scalar {
    /// Returns the size in bytes of one component in a binary stream. Returns 0 for strings and
    /// paths, whose size varies.
    pub const fn size(self) -> usize {
        match self {
            Self::Text => 0,
            Self::Bool | Self::I8 => 1,
            Self::Char | Self::I16 => 2,
            Self::I32 | Self::F32 => 4,
            Self::I64 | Self::F64 => 8,
        }
    }
}

/// Rule for a column that has fewer components in a text file than its kind has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fill {
    /// A column must have all components.
    Exact,
    /// `[x]` stands for a column of equal components. A column of four can also be written as
    /// `[x,w]` or `[x,y,z]`.
    Short,
}

/// Value of an omitted element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Initial {
    Zero,
    /// A matrix with 1 on the diagonal.
    Identity,
    /// The components 0, 0, 0, 1.
    Unit,
    /// A box from +∞ to −∞.
    Empty,
}

/// The three type ids of a kind: of a single value, of an array, and of an array of arrays. The id
/// is 0 if the format has no such type.
pub(crate) type Ids = [u8; 3];

/// A row of the table: all facts about one kind.
#[derive(Debug)]
pub(crate) struct Row {
    kind: Kind,
    /// Name in text files since October 2024.
    pub(crate) name: &'static str,
    /// Name in text files from 2021, or `None` if the engine of 2021 did not have the kind. Outside
    /// of arrays, that engine writes a different name for some kinds.
    pub(crate) name_2021: Option<&'static str>,
    /// Further names that readers accept. By mistake, the engine of 2021 writes `vd4` instead of
    /// `v4d` as the type of a value that is not an array. The other names are accepted by the
    /// readers of some versions of the engine.
    aliases: &'static [&'static str],
    scalar: Scalar,
    columns: u8,
    rows: u8,
    pub(crate) fill: Fill,
    pub(crate) initial: Initial,
    /// Type ids for each [`IdScheme`], the latest scheme first.
    #[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "used with `alloc` only"))]
    ids: [Ids; 4],
}

/// The sets of type ids that binary streams have used.
#[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "used with `alloc` only"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IdScheme {
    Since2022,
    October2021,
    August2021,
    December2020,
}

const NO: Ids = [0; 3];

/// Returns three consecutive ids.
const fn row(id: u8) -> Ids {
    [id, id.wrapping_add(1), id.wrapping_add(2)]
}

/// Returns the letter `id` for a value, and its capital letter for an array.
const fn letter(id: u8) -> Ids {
    [id, id.to_ascii_uppercase(), 0]
}

/// Returns the type ids of a kind. The id of a single value is the digit `id`. The id of an array
/// is the same digit with the top bit set.
const fn digit(id: u8) -> Ids {
    [id, id | 128, 0]
}

/// Returns the type ids of a kind. The id of a single value is the lower-case letter `id`. The id
/// of an array is the corresponding capital letter, and that of an array of arrays is the capital
/// letter with the top bit set.
const fn real(id: u8) -> Ids {
    [id, id.to_ascii_uppercase(), id.to_ascii_uppercase() | 128]
}

impl Row {
    const fn new(kind: Kind, name: &'static str, scalar: Scalar, shape: [u8; 2]) -> Self {
        let [columns, rows] = shape;
        let fill = if columns == 1 && rows == 1 { Exact } else { Short };
        let (name_2021, aliases, initial, ids) = (Some(name), &[] as &[_], Initial::Zero, [NO; 4]);
        Self { kind, name, name_2021, aliases, scalar, columns, rows, fill, initial, ids }
    }

    const fn ids(self, r3: Ids, r2: Ids, r1: Ids, r0: Ids) -> Self {
        Self { ids: [r3, r2, r1, r0], ..self }
    }

    const fn aliases(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    /// Sets the name in text files from 2021, for a kind whose name changed later.
    const fn name_2021(self, name_2021: Option<&'static str>) -> Self {
        Self { name_2021, ..self }
    }

    const fn initial(self, initial: Initial) -> Self {
        Self { initial, ..self }
    }

    const fn exact(self) -> Self {
        Self { fill: Exact, ..self }
    }
}

// Until April 2022, engines that used one of the two schemes of 2021 wrote a single `i16` with the
// id `s`, as in 2020, although they expected the id 16 when they read it. This table contains the
// id that the writers used; `BY_ID` accepts both ids.
#[rustfmt::skip]
pub(crate) static TABLE: [Row; 36] = [
    Row::new(Bool,    "b",       S::Bool, [1, 1]).ids(row(7), row(7), row(7), letter(b'z')).aliases(&["i1"]),
    Row::new(I8,      "B",       S::I8,   [1, 1]).ids(row(10), row(10), row(10), letter(b'b')).aliases(&["i8"]),
    Row::new(Char,    "c",       S::Char, [1, 1]).ids(row(13), row(13), row(13), letter(b'c')),
    Row::new(I16,     "s",       S::I16,  [1, 1]).ids(row(16), [b's', 17, 18], [b's', 17, 18], letter(b's')).aliases(&["i16"]),
    Row::new(I32,     "i",       S::I32,  [1, 1]).ids(row(19), row(19), row(19), letter(b'i')).aliases(&["i32"]),
    Row::new(I64,     "l",       S::I64,  [1, 1]).ids(row(22), row(22), row(22), letter(b'l')).aliases(&["i64", "u64"]),
    Row::new(F32,     "f",       S::F32,  [1, 1]).ids(row(25), row(25), row(25), real(b'f')).aliases(&["f32"]),
    Row::new(F64,     "d",       S::F64,  [1, 1]).ids(row(28), row(28), row(28), real(b'd')).aliases(&["f64"]),
    Row::new(String,  "S",       S::Text, [1, 1]).ids(row(31), row(31), row(31), letter(b'q')),
    Row::new(File,    "R",       S::Text, [1, 1]).ids(row(115), row(91), [53, 54, 0], NO),
    Row::new(Color,   "col",     S::I32,  [1, 1]).name_2021(None),
    Row::new(Vec2,    "v2",      S::F32,  [1, 2]).ids(row(34), row(34), [34, 42, 0], digit(b'2')),
    Row::new(Vec3,    "v3",      S::F32,  [1, 3]).ids(row(37), row(37), [35, 43, 0], digit(b'3')),
    Row::new(Vec4,    "v4",      S::F32,  [1, 4]).ids(row(40), row(40), [36, 44, 0], digit(b'4')),
    Row::new(Vec2d,   "v2d",     S::F64,  [1, 2]).ids(row(43), row(43), [37, 45, 0], digit(b'5')),
    Row::new(Vec3d,   "v3d",     S::F64,  [1, 3]).ids(row(46), row(46), [38, 46, 0], digit(b'6')),
    Row::new(Vec4d,   "v4d",     S::F64,  [1, 4]).ids(row(49), row(49), [39, 47, 0], digit(b'7')).aliases(&["vd4"]),
    Row::new(Vec2i,   "v2i",     S::I32,  [1, 2]).ids(row(58), row(58), [50, 0, 0], NO),
    Row::new(Vec3i,   "v3i",     S::I32,  [1, 3]).ids(row(61), row(61), [51, 0, 0], NO),
    Row::new(Vec4i,   "v4i",     S::I32,  [1, 4]).ids(row(64), row(64), [52, 0, 0], NO),
    Row::new(Quat,    "q4",      S::F32,  [1, 4]).ids(row(52), row(52), [40, 48, 0], NO).aliases(&["q4f"]).initial(Initial::Unit).exact(),
    Row::new(Quatd,   "q4d",     S::F64,  [1, 4]).ids(row(55), row(55), [41, 49, 0], NO).initial(Initial::Unit).exact(),
    Row::new(Plane,   "p4",      S::F32,  [1, 4]).ids(row(109), NO, NO, NO).aliases(&["p4f"]).name_2021(None).exact(),
    Row::new(Planed,  "p4d",     S::F64,  [1, 4]).ids(row(112), NO, NO, NO).name_2021(None).exact(),
    Row::new(Mat2,    "mat2",    S::F32,  [2, 2]).ids(row(67), NO, NO, NO).aliases(&["m2x2"]).name_2021(None).initial(Initial::Identity),
    Row::new(Mat3x2,  "mat3x2",  S::F32,  [3, 2]).ids(row(70), NO, NO, NO).aliases(&["m3x2"]).name_2021(None).initial(Initial::Identity),
    Row::new(Mat3,    "mat3",    S::F32,  [3, 3]).ids(row(76), row(67), NO, NO).name_2021(Some("m3x3")).initial(Initial::Identity),
    Row::new(Mat4x3,  "mat4x3",  S::F32,  [4, 3]).ids(row(79), row(70), NO, NO).name_2021(Some("m4x3")).initial(Initial::Identity),
    Row::new(Mat4,    "mat4",    S::F32,  [4, 4]).ids(row(82), row(73), NO, NO).name_2021(Some("m4x4")).initial(Initial::Identity),
    Row::new(Mat2d,   "mat2d",   S::F64,  [2, 2]).ids(row(85), NO, NO, NO).aliases(&["m2x2d"]).name_2021(None).initial(Initial::Identity),
    Row::new(Mat3x2d, "mat3x2d", S::F64,  [3, 2]).ids(row(88), NO, NO, NO).aliases(&["m3x2d"]).name_2021(None).initial(Initial::Identity),
    Row::new(Mat3d,   "mat3d",   S::F64,  [3, 3]).ids(row(94), row(76), NO, NO).name_2021(Some("m3x3d")).initial(Initial::Identity),
    Row::new(Mat4x3d, "mat4x3d", S::F64,  [4, 3]).ids(row(97), row(79), NO, NO).name_2021(Some("m4x3d")).initial(Initial::Identity),
    Row::new(Mat4d,   "mat4d",   S::F64,  [4, 4]).ids(row(100), row(82), NO, NO).name_2021(Some("m4x4d")).initial(Initial::Identity),
    Row::new(Aabb,    "AABBf",   S::F32,  [2, 3]).ids(row(103), row(85), NO, NO).initial(Initial::Empty),
    Row::new(Aabbd,   "AABBd",   S::F64,  [2, 3]).ids(row(106), row(88), NO, NO).initial(Initial::Empty),
];

impl Kind {
    /// Returns all kinds.
    pub fn all() -> impl ExactSizeIterator<Item = Self> + Clone {
        TABLE.iter().map(|row| row.kind)
    }

    #[inline]
    pub(crate) fn row(self) -> &'static Row {
        let [first, ..] = &TABLE;
        TABLE.get(self as usize).unwrap_or(first) // there is a row for every kind
    }

    /// Returns the name in text files since October 2024.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the name in text files from 2021, or `None` if the engine of 2021 did not have the
    /// kind. `docs/rems.md` lists the values outside of arrays for which that engine writes a
    /// different name.
    pub fn name_2021(self) -> Option<&'static str> {
        self.row().name_2021
    }

    /// Returns the type id of an array with `dim` dimensions, or of a single value if `dim` is 0.
    /// Returns `None` if the scheme has no such id. Colours have the ids of integers.
    #[cfg(feature = "alloc")]
    pub(crate) fn id(self, dim: u8, id_scheme: IdScheme) -> Option<u8> {
        let kind = if self == Color { I32 } else { self };
        let id = *kind.row().ids.get(id_scheme as usize)?.get(usize::from(dim))?;
        if id == 0 { None } else { Some(id) }
    }

    /// Returns the type of the components.
    #[inline(always)]
    pub fn scalar(self) -> Scalar {
        self.shape().scalar
    }

    /// Returns the number of components: columns times rows.
    #[inline(always)]
    pub fn parts(self) -> usize {
        self.shape().parts.into()
    }

    /// Returns the number of columns: two for boxes, two or more for matrices, one for all other
    /// kinds.
    #[inline]
    pub fn columns(self) -> usize {
        self.shape().columns.into()
    }

    /// Returns the number of components of each column.
    #[inline]
    pub fn rows(self) -> usize {
        self.shape().rows.into()
    }

    /// Returns the size in bytes of a value in a binary stream. Returns 0 for strings and paths,
    /// whose size varies.
    #[inline(always)]
    pub fn size(self) -> usize {
        self.shape().size.into()
    }

    /// Returns `true` for text: a string or the path of a file.
    #[inline]
    pub const fn is_text(self) -> bool {
        matches!(self, Self::String | Self::File)
    }

    /// Returns the number of nested pairs of brackets around the components in a text file.
    #[inline(always)]
    pub(crate) fn brackets(self) -> u8 {
        self.shape().brackets
    }
}
