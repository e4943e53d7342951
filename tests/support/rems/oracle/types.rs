//! The types of properties, and the names that they have in texts of all engine versions.

/// Type of a property's value.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// A value, with the nesting depth of its arrays.
    Builtin(&'static Builtin, u8),
    /// Lists of objects of one class, with their nesting depth; or one object, with the depth 0.
    Class(Vec<u8>, u8),
    /// Lists of objects that state their classes, with the nesting depth of the lists.
    Mixed(u8),
    /// An object of unknown class.
    Unknown,
}

/// A built-in type. Its name is the one that engines have used since October 2024.
#[derive(Debug, PartialEq)]
pub struct Builtin {
    pub name: &'static str,
    pub scalar: Scalar,
    pub shape: Shape,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    Bool,
    I8,
    Char,
    I16,
    I32,
    /// An `I32` that texts write as a colour.
    Color,
    I64,
    F32,
    F64,
    Text,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    One,
    Vector(usize),
    Quaternion,
    Plane(usize),
    /// A box: its minimum and maximum corners.
    Box,
    /// A matrix: the numbers of columns and rows.
    Matrix(usize, usize),
}

const fn row(name: &'static str, scalar: Scalar, shape: Shape) -> Builtin {
    Builtin { name, scalar, shape }
}

pub const BUILTINS: [Builtin; 36] = [
    row("b", Scalar::Bool, Shape::One),
    row("B", Scalar::I8, Shape::One),
    row("c", Scalar::Char, Shape::One),
    row("s", Scalar::I16, Shape::One),
    row("i", Scalar::I32, Shape::One),
    row("col", Scalar::Color, Shape::One),
    row("l", Scalar::I64, Shape::One),
    row("f", Scalar::F32, Shape::One),
    row("d", Scalar::F64, Shape::One),
    row("S", Scalar::Text, Shape::One),
    row("R", Scalar::Text, Shape::One),
    row("v2", Scalar::F32, Shape::Vector(2)),
    row("v3", Scalar::F32, Shape::Vector(3)),
    row("v4", Scalar::F32, Shape::Vector(4)),
    row("v2d", Scalar::F64, Shape::Vector(2)),
    row("v3d", Scalar::F64, Shape::Vector(3)),
    row("v4d", Scalar::F64, Shape::Vector(4)),
    row("v2i", Scalar::I32, Shape::Vector(2)),
    row("v3i", Scalar::I32, Shape::Vector(3)),
    row("v4i", Scalar::I32, Shape::Vector(4)),
    row("q4", Scalar::F32, Shape::Quaternion),
    row("q4d", Scalar::F64, Shape::Quaternion),
    row("p4", Scalar::F32, Shape::Plane(4)),
    row("p4d", Scalar::F64, Shape::Plane(4)),
    row("AABBf", Scalar::F32, Shape::Box),
    row("AABBd", Scalar::F64, Shape::Box),
    row("mat2", Scalar::F32, Shape::Matrix(2, 2)),
    row("mat3x2", Scalar::F32, Shape::Matrix(3, 2)),
    row("mat3", Scalar::F32, Shape::Matrix(3, 3)),
    row("mat4x3", Scalar::F32, Shape::Matrix(4, 3)),
    row("mat4", Scalar::F32, Shape::Matrix(4, 4)),
    row("mat2d", Scalar::F64, Shape::Matrix(2, 2)),
    row("mat3x2d", Scalar::F64, Shape::Matrix(3, 2)),
    row("mat3d", Scalar::F64, Shape::Matrix(3, 3)),
    row("mat4x3d", Scalar::F64, Shape::Matrix(4, 3)),
    row("mat4d", Scalar::F64, Shape::Matrix(4, 4)),
];

/// Other names of these types, in other eras.
pub const ALIASES: [(&str, &str); 21] = [
    ("i1", "b"),
    ("i8", "B"),
    ("i16", "s"),
    ("i32", "i"),
    ("i64", "l"),
    ("u64", "l"),
    ("f32", "f"),
    ("f64", "d"),
    ("vd4", "v4d"),
    ("q4f", "q4"),
    ("p4f", "p4"),
    ("m2x2", "mat2"),
    ("m3x2", "mat3x2"),
    ("m3x3", "mat3"),
    ("m4x3", "mat4x3"),
    ("m4x4", "mat4"),
    ("m2x2d", "mat2d"),
    ("m3x2d", "mat3x2d"),
    ("m3x3d", "mat3d"),
    ("m4x3d", "mat4x3d"),
    ("m4x4d", "mat4d"),
];

impl Builtin {
    pub fn named(name: &str) -> Option<&'static Self> {
        let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
        let name = alias.map_or(name, |(_, name)| name);
        BUILTINS.iter().find(|builtin| builtin.name == name)
    }

    pub fn parts(&self) -> usize {
        match self.shape {
            Shape::One => 1,
            Shape::Vector(parts) | Shape::Plane(parts) => parts,
            Shape::Quaternion => 4,
            Shape::Box => 6,
            Shape::Matrix(columns, rows) => columns * rows,
        }
    }
}

impl Type {
    /// Returns the type with this name. If no built-in type has this name, it is the name of a
    /// class.
    pub fn named(name: &[u8]) -> Self {
        let (bare, dim) = match name {
            [bare @ .., b'[', b']', b'[', b']'] => (bare, 2),
            [bare @ .., b'[', b']'] => (bare, 1),
            bare => (bare, 0),
        };
        let builtin = std::str::from_utf8(bare).ok().and_then(Builtin::named);
        match (bare, builtin) {
            (b"" | b"*", _) if dim > 0 => Type::Mixed(dim),
            (b"?", _) if dim == 0 => Type::Unknown,
            (_, Some(builtin)) => Type::Builtin(builtin, dim),
            (class, None) => Type::Class(class.to_vec(), dim),
        }
    }

    /// Returns the type of the elements.
    pub fn inside(&self) -> Self {
        match self {
            Type::Builtin(builtin, dim) => Type::Builtin(builtin, dim - 1),
            Type::Class(class, dim) => Type::Class(class.clone(), dim - 1),
            Type::Mixed(1) => Type::Unknown,
            Type::Mixed(dim) => Type::Mixed(dim - 1),
            Type::Unknown => panic!("there is nothing inside of {self:?}"),
        }
    }

    /// Returns `true` if values of this type begin with a bracket.
    pub fn is_bracketed(&self) -> bool {
        match self {
            Type::Builtin(builtin, dim) => *dim > 0 || builtin.shape != Shape::One,
            Type::Class(_, dim) => *dim > 0,
            Type::Mixed(_) => true,
            Type::Unknown => false,
        }
    }
}
