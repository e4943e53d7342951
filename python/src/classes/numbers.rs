//! The behaviour that all classes of a fixed number of numbers share.

use super::vectors::{Basis, Vector2, Vector2i, Vector3, Vector4};
use crate::python::reduced;
use crate::wire::Kept;
use crate::write::Appender;
use gamewire::godot::{self, Dialect, Writer};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt, PyTuple};
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The type of a field.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    Real,
    Int,
    Vector2,
    Vector3,
    Vector4,
    Basis,
    Vector2i,
}

impl Shape {
    const fn len(self) -> usize {
        match self {
            Self::Real | Self::Int => 1,
            Self::Vector2 | Self::Vector2i => 2,
            Self::Vector3 => 3,
            Self::Vector4 => 4,
            Self::Basis => 9,
        }
    }

    fn object<'py>(
        self,
        py: Python<'py>,
        parts: &[f64],
        double: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Real => Ok(PyFloat::new(py, first(parts)).into_any()),
            Self::Int => Ok(PyInt::new(py, first(parts) as i32).into_any()),
            Self::Vector2 => Vector2::object(py, parts, double),
            Self::Vector3 => Vector3::object(py, parts, double),
            Self::Vector4 => Vector4::object(py, parts, double),
            Self::Basis => Basis::object(py, parts, double),
            Self::Vector2i => Vector2i::object(py, parts, double),
        }
    }

    fn repr(self, out: &mut String, parts: &[f64], double: bool) {
        match self {
            Self::Real => number(out, first(parts), double),
            Self::Int => _ = write!(out, "{}", first(parts) as i32),
            Self::Vector2 => repr::<Vector2>(out, parts, double),
            Self::Vector3 => repr::<Vector3>(out, parts, double),
            Self::Vector4 => repr::<Vector4>(out, parts, double),
            Self::Basis => repr::<Basis>(out, parts, double),
            Self::Vector2i => repr::<Vector2i>(out, parts, double),
        }
    }
}

fn first(parts: &[f64]) -> f64 {
    parts.first().copied().unwrap_or_default()
}

/// Appends the shortest decimal number that becomes the same value when it is rounded to 32 bits,
/// or to 64 bits if `double`.
fn number(out: &mut String, value: f64, double: bool) {
    let _ = match (value, double) {
        (value, _) if value.is_nan() => write!(out, "nan"),
        (value, true) => write!(out, "{value:?}"),
        (value, false) => write!(out, "{:?}", value as f32),
    };
}

/// A class of a fixed number of numbers.
pub(crate) trait Numbers: Sized {
    const NAME: &'static str;
    /// Names and types of the fields, in the order in which the constructor takes them.
    const FIELDS: &'static [(&'static str, Shape)];
    /// `true` if the numbers are `i32`, and `false` if they are reals.
    const INTS: bool;

    /// Creates an object. `parts` must have the right length.
    fn object<'py>(py: Python<'py>, parts: &[f64], double: bool) -> PyResult<Bound<'py, PyAny>>;

    /// Returns the numbers.
    fn parts(&self) -> &[f64];

    /// Returns `true` if the reals are stored in 64 bits.
    fn is_double(&self) -> bool;

    /// Returns the encoding in a packet if it is unusual.
    fn kept(&self) -> Option<&Kept>;

    /// Encodes the numbers in the dialect of the writer.
    fn encode(&self, writer: &mut Writer<&mut Vec<u8>>) -> Result<(), godot::Error>;

    /// Encodes the value, in the bytes that it had if these are unusual.
    fn append(&self, out: &mut Appender) -> Result<(), godot::Error> {
        match self.kept() {
            Some(kept) => out.kept(kept),
            None => self.encode(&mut out.writer()),
        }
    }
}

/// Returns the numbers in the arguments of a constructor. An argument is a number, or a sequence
/// of numbers such as a vector.
pub(crate) fn parts_of<const N: usize, T: Numbers>(
    args: &Bound<'_, PyTuple>,
    double: bool,
) -> PyResult<[f64; N]> {
    let mut parts = Vec::with_capacity(N);
    flatten(args.as_any(), T::INTS, 3, &mut parts)?;
    let found = parts.len();
    let mut parts: [f64; N] = parts.try_into().map_err(|_| {
        PyTypeError::new_err(format!("{} takes {N} numbers, but {found} were given", T::NAME))
    })?;
    if !double && !T::INTS {
        parts = parts.map(|part| f64::from(part as f32));
    }
    Ok(parts)
}

/// Appends the numbers in an iterable, and in iterables in it, down to `depth` levels.
pub(crate) fn flatten(
    items: &Bound<'_, PyAny>,
    ints: bool,
    depth: u32,
    parts: &mut Vec<f64>,
) -> PyResult<()> {
    for item in items.try_iter()? {
        let item = item?;
        if let Ok(number) = item.extract::<f64>() {
            parts.push(if ints { f64::from(int(&item)?) } else { number });
        } else if depth > 0 {
            flatten(&item, ints, depth - 1, parts)?;
        } else {
            return Err(PyTypeError::new_err("expected numbers"));
        }
    }
    Ok(())
}

fn int(item: &Bound<'_, PyAny>) -> PyResult<i32> {
    let index = item.call_method0("__index__");
    let index = index.map_err(|_| PyTypeError::new_err("expected an integer"))?;
    index.extract().map_err(|_| PyOverflowError::new_err("the integer does not fit in 32 bits"))
}

/// Returns a field as an object.
pub(crate) fn field<'py, T: Numbers>(
    py: Python<'py>,
    value: &T,
    index: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let start = T::FIELDS.iter().take(index).map(|(_, shape)| shape.len()).sum::<usize>();
    let shape = T::FIELDS.get(index).map_or(Shape::Real, |(_, shape)| *shape);
    let parts = value.parts().get(start..start + shape.len()).unwrap_or_default();
    shape.object(py, parts, value.is_double())
}

/// Returns all fields.
pub(crate) fn fields<'py, T: Numbers>(py: Python<'py>, value: &T) -> PyResult<Bound<'py, PyTuple>> {
    let fields: Vec<_> =
        (0..T::FIELDS.len()).map(|index| field(py, value, index)).collect::<PyResult<_>>()?;
    PyTuple::new(py, fields)
}

/// Appends the call that creates the value.
pub(crate) fn repr<T: Numbers>(out: &mut String, parts: &[f64], double: bool) {
    let _ = write!(out, "{}(", T::NAME);
    let mut rest = parts;
    for (index, (_, shape)) in T::FIELDS.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        let (own, after) = rest.split_at(shape.len().min(rest.len()));
        shape.repr(out, own, double);
        rest = after;
    }
    if double && !T::INTS {
        out.push_str(", double=True");
    }
    out.push(')');
}

/// Compares two values of the same class by their numbers.
pub(crate) fn compare<T: Numbers>(one: &T, other: &T, op: CompareOp) -> Option<bool> {
    match op {
        CompareOp::Eq => Some(one.parts() == other.parts()),
        CompareOp::Ne => Some(one.parts() != other.parts()),
        _ => None,
    }
}

/// Returns a hash of the numbers. 0.0 and -0.0 are equal and have the same hash.
pub(crate) fn hash<T: Numbers>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    T::NAME.hash(&mut hasher);
    value.parts().iter().for_each(|part| (part + 0.0).to_bits().hash(&mut hasher));
    hasher.finish()
}

/// Returns what `__reduce__` returns.
pub(crate) fn reduce<'py, T: Numbers>(
    slf: &Bound<'py, PyAny>,
    value: &T,
) -> PyResult<Bound<'py, PyTuple>> {
    let py = slf.py();
    if let Some(kept) = value.kept() {
        return reduced(py, &kept.bytes, kept.dialect);
    }
    if !value.is_double() {
        return (slf.get_type(), fields(py, value)?).into_pyobject(py);
    }
    // Colours have double precision in one dialect only.
    for dialect in [Dialect::Godot4, Dialect::DocsDouble] {
        let mut bytes = Vec::new();
        if value.encode(&mut Writer::new(&mut bytes, dialect)).is_ok() {
            return reduced(py, &bytes, dialect);
        }
    }
    Err(PyTypeError::new_err("no dialect has this value"))
}
