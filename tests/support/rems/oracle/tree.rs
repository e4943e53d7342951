//! The contents of a file as a tree of owned values.

use super::types::{Builtin, Scalar, Shape, Type};

#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    pub class: Vec<u8>,
    /// The number of the object, if the file states one.
    pub pointer: Option<u64>,
    pub properties: Vec<Property>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    pub ty: Type,
    pub name: Vec<u8>,
    pub value: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Null, in place of an object, a string, a list or an array.
    Null,
    Pointer(u64),
    Object(Object),
    /// A list of objects, of strings, or of such lists.
    List(List),
    /// The decoded bytes of a string, which need not be UTF-8.
    Text(Vec<u8>),
    /// One part for a number, several for vectors and matrices, column by column.
    Parts(Vec<Part>),
    /// An array of numbers, vectors, matrices or similar values, or of such arrays.
    Array(Array),
}

/// A list with its declared length, which may be greater than the number of elements.
#[derive(Clone, Debug, PartialEq)]
pub struct List {
    pub ty: Type,
    pub len: u32,
    pub elements: Vec<Value>,
}

/// An array with its declared length. Omitted elements have the value [`Builtin::initial`].
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    pub len: u32,
    pub elements: Vec<Value>,
}

/// A number, a bool or a UTF-16 unit. Floats are stored as their bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part {
    Bool(bool),
    I8(i8),
    Char(u16),
    I16(i16),
    I32(i32),
    I64(i64),
    F32(u32),
    F64(u64),
}

impl Part {
    /// Converts the number to the nearest value of a scalar type, which must not be text.
    pub fn of(scalar: Scalar, number: f64) -> Self {
        match scalar {
            Scalar::Bool => Part::Bool(number != 0.0),
            Scalar::I8 => Part::I8(number as i8),
            Scalar::Char => Part::Char(number as u16),
            Scalar::I16 => Part::I16(number as i16),
            Scalar::I32 | Scalar::Color => Part::I32(number as i32),
            Scalar::I64 => Part::I64(number as i64),
            Scalar::F32 => Part::F32((number as f32).to_bits()),
            Scalar::F64 => Part::F64(number.to_bits()),
            Scalar::Text => panic!("text is no number"),
        }
    }
}

impl Builtin {
    /// Returns the default value of this type with the nesting depth `dim`. Writers omit it at the
    /// end of an array.
    pub fn initial(&self, dim: u8) -> Value {
        if dim > 0 {
            return Value::Array(Array { len: 0, elements: Vec::new() });
        }
        let numbers = match self.shape {
            Shape::One => vec![0.0],
            Shape::Vector(parts) | Shape::Plane(parts) => vec![0.0; parts],
            Shape::Quaternion => vec![0.0, 0.0, 0.0, 1.0],
            Shape::Matrix(columns, rows) => identity(columns, rows),
            Shape::Box => [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]].concat(),
        };
        Value::Parts(numbers.into_iter().map(|number| Part::of(self.scalar, number)).collect())
    }
}

fn identity(columns: usize, rows: usize) -> Vec<f64> {
    let cells = (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row)));
    cells.map(|(column, row)| if column == row { 1.0 } else { 0.0 }).collect()
}
