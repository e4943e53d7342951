//! The classes of packed arrays of numbers and of vectors.

use super::{buffer, convert};
use crate::classes::numbers::Numbers;
use crate::classes::vectors::{Color, Vector2, Vector3, Vector4};
use crate::python::reduced;
use gamewire::godot::{Dialect, Kind, Leaf, VariantRef};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyInt, PyIterator, PyList, PySlice, PyTuple};
use std::ffi::c_int;
use std::ops::Range;

/// The type of a number in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    U8,
    I32,
    I64,
    F32,
    F64,
}

impl Number {
    pub(crate) const fn size(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::I32 | Self::F32 => 4,
            Self::I64 | Self::F64 => 8,
        }
    }
}

/// The form of the elements of a packed array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Elements {
    pub kind: Kind,
    pub number: Number,
    /// Numbers per element.
    pub each: usize,
}

impl Elements {
    /// Returns the form of the elements of a kind, or `None` if it is not an array of numbers or
    /// vectors. `double` selects the width of vectors and colours.
    pub(crate) const fn of(kind: Kind, double: bool) -> Option<Self> {
        let real = if double { Number::F64 } else { Number::F32 };
        let (number, each) = match kind {
            Kind::PackedByteArray => (Number::U8, 1),
            Kind::PackedInt32Array => (Number::I32, 1),
            Kind::PackedInt64Array => (Number::I64, 1),
            Kind::PackedFloat32Array => (Number::F32, 1),
            Kind::PackedFloat64Array => (Number::F64, 1),
            Kind::PackedVector2Array => (real, 2),
            Kind::PackedVector3Array => (real, 3),
            Kind::PackedVector4Array | Kind::PackedColorArray => (real, 4),
            _ => return None,
        };
        Some(Self { kind, number, each })
    }

    /// Returns the size of an element in bytes.
    pub(crate) const fn size(self) -> usize {
        self.number.size() * self.each
    }

    /// Returns one element, from its bytes.
    fn object<'py>(self, py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        if self.each > 1 {
            return self.vector(py, bytes);
        }
        let int = |value: i64| Ok(PyInt::new(py, value).into_any());
        let float = |value: f64| Ok(PyFloat::new(py, value).into_any());
        match self.number {
            Number::U8 => int(bytes.first().copied().unwrap_or_default().into()),
            Number::I32 => int(i32::from_le_bytes(bytes.try_into().unwrap_or_default()).into()),
            Number::I64 => int(i64::from_le_bytes(bytes.try_into().unwrap_or_default())),
            Number::F32 => float(f32::from_le_bytes(bytes.try_into().unwrap_or_default()).into()),
            Number::F64 => float(f64::from_le_bytes(bytes.try_into().unwrap_or_default())),
        }
    }

    fn vector<'py>(self, py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        let double = self.number == Number::F64;
        let mut parts = [0.0; 4];
        if double {
            let (numbers, _) = bytes.as_chunks();
            parts.iter_mut().zip(numbers).for_each(|(part, own)| *part = f64::from_le_bytes(*own));
        } else {
            let (numbers, _) = bytes.as_chunks();
            let numbers = numbers.iter().map(|own| f64::from(f32::from_le_bytes(*own)));
            parts.iter_mut().zip(numbers).for_each(|(part, own)| *part = own);
        }
        let parts = parts.get(..self.each).unwrap_or_default();
        match self.kind {
            Kind::PackedVector2Array => Vector2::object(py, parts, double),
            Kind::PackedVector3Array => Vector3::object(py, parts, double),
            Kind::PackedColorArray => Color::object(py, parts, double),
            _ => Vector4::object(py, parts, double),
        }
    }
}

/// A packed array of numbers.
pub(crate) struct Packed {
    pub bytes: Py<PyBytes>,
    /// The range of the value, with its header.
    pub value: Range<usize>,
    /// The range of the elements.
    pub data: Range<usize>,
    pub elements: Elements,
    pub dialect: Dialect,
}

impl Packed {
    pub(super) fn from_packet(
        input: &Bound<'_, PyBytes>,
        value: Range<usize>,
        leaf: &Leaf<'_>,
        dialect: Dialect,
    ) -> PyResult<Self> {
        let elements = Elements::of(leaf.value.kind(), leaf.value.is_double());
        let elements = elements.ok_or_else(|| PyTypeError::new_err("unknown type"))?;
        let len = match leaf.value {
            VariantRef::PackedByteArray(items) => items.len(),
            VariantRef::PackedInt32Array(items) => items.len(),
            VariantRef::PackedInt64Array(items) => items.len(),
            VariantRef::PackedFloat32Array(items) => items.len(),
            VariantRef::PackedFloat64Array(items) => items.len(),
            VariantRef::PackedVector2Array(items) => items.len(),
            VariantRef::PackedVector3Array(items) => items.len(),
            VariantRef::PackedVector4Array(items) => items.len(),
            VariantRef::PackedColorArray(items) => items.len(),
            _ => 0,
        };
        // The elements follow the header and the count.
        let start = (value.start + 8).min(value.end);
        let end = (start + len * elements.size()).min(value.end);
        Ok(Self { bytes: input.clone().unbind(), value, data: start..end, elements, dialect })
    }

    /// Creates an array of the elements in `data`.
    fn new(py: Python<'_>, elements: Elements, data: &[u8]) -> PyResult<Self> {
        let is_double = elements.number == Number::F64 && elements.each > 1;
        // Colours have double precision in one dialect only, which has no flag for it.
        let (dialect, flag) = match elements.kind {
            Kind::PackedColorArray if is_double => (Dialect::DocsDouble, 0),
            _ => (Dialect::Godot4, if is_double { 1 << 16 } else { 0 }),
        };
        let header = dialect.id(elements.kind).map_or(0, u32::from) | flag;
        let count = data.len() / elements.size();
        let count = i32::try_from(count)
            .map_err(|_| pyo3::exceptions::PyOverflowError::new_err("too many elements"))?;
        let end = 8 + data.len();
        let mut bytes = Vec::with_capacity(end.next_multiple_of(4));
        bytes.extend_from_slice(&header.to_le_bytes());
        bytes.extend_from_slice(&count.to_le_bytes());
        bytes.extend_from_slice(data);
        bytes.resize(end.next_multiple_of(4), 0);
        let value = 0..bytes.len();
        let bytes = PyBytes::new(py, &bytes).unbind();
        Ok(Self { bytes, value, data: 8..end, elements, dialect })
    }

    /// Returns the bytes of the elements.
    pub(crate) fn data<'a>(&'a self, py: Python<'_>) -> &'a [u8] {
        self.bytes.as_bytes(py).get(self.data.clone()).unwrap_or_default()
    }

    /// Returns the bytes of the value.
    pub(crate) fn encoded<'a>(&'a self, py: Python<'_>) -> &'a [u8] {
        self.bytes.as_bytes(py).get(self.value.clone()).unwrap_or_default()
    }

    pub(crate) fn len(&self) -> usize {
        self.data.len() / self.elements.size()
    }

    fn get<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
        let size = self.elements.size();
        let element = self.data(py).chunks_exact(size).nth(index);
        element.map(|element| self.elements.object(py, element)).transpose()
    }

    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let elements = self.data(py).chunks_exact(self.elements.size());
        let objects: Vec<_> =
            elements.map(|element| self.elements.object(py, element)).collect::<PyResult<_>>()?;
        PyList::new(py, objects)
    }

    fn item<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        if index.is_instance_of::<PySlice>() {
            return self.list(py)?.as_any().get_item(index);
        }
        let position = index.extract::<isize>()?;
        let position = if position < 0 { position + self.len() as isize } else { position };
        let item = usize::try_from(position).ok().map(|index| self.get(py, index)).transpose()?;
        item.flatten().ok_or_else(|| PyIndexError::new_err("packed array index out of range"))
    }

    fn repr(&self, py: Python<'_>, name: &str) -> PyResult<String> {
        let double = self.elements.each > 1 && self.elements.number == Number::F64;
        let double = if double { ", double=True" } else { "" };
        if self.elements.number == Number::U8 {
            return Ok(format!("{name}({})", PyBytes::new(py, self.data(py)).repr()?));
        }
        if self.elements.each == 1 {
            return Ok(format!("{name}({})", self.list(py)?.repr()?));
        }
        // Vectors are shown as tuples of their numbers, which the constructor takes.
        let items: Vec<String> = self
            .list(py)?
            .iter()
            .map(|item| {
                Ok(PyTuple::new(py, item.try_iter()?.collect::<PyResult<Vec<_>>>()?)?
                    .repr()?
                    .to_string())
            })
            .collect::<PyResult<_>>()?;
        Ok(format!("{name}([{}]{double})", items.join(", ")))
    }

    fn compare(&self, py: Python<'_>, other: &Self, op: CompareOp) -> Py<PyAny> {
        let equal = self.elements == other.elements && self.data(py) == other.data(py);
        let result = match op {
            CompareOp::Eq => equal,
            CompareOp::Ne => !equal,
            _ => return py.NotImplemented(),
        };
        PyBool::new(py, result).to_owned().into_any().unbind()
    }
}

macro_rules! classes {
    ($($(#[$doc:meta])* $Name:ident;)*) => {
        $(
            $(#[$doc])*
            #[pyclass(frozen, sequence, module = "gamewire.godot")]
            pub(crate) struct $Name(pub Packed);

            #[pymethods]
            impl $Name {
                #[new]
                #[pyo3(signature = (items = None, *, double = false))]
                fn new(
                    py: Python<'_>,
                    items: Option<&Bound<'_, PyAny>>,
                    double: bool,
                ) -> PyResult<Self> {
                    let elements = Elements::of(Kind::$Name, double)
                        .ok_or_else(|| PyTypeError::new_err("unknown type"))?;
                    let mut data = Vec::new();
                    if let Some(items) = items {
                        convert::append(items, elements, &mut data)?;
                    }
                    Packed::new(py, elements, &data).map(Self)
                }

                /// True if the numbers are 64-bit floats.
                #[getter]
                fn double(&self) -> bool {
                    self.0.elements.number == Number::F64
                }

                /// Returns a list of the elements.
                fn tolist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
                    self.0.list(py)
                }

                fn __len__(&self) -> usize {
                    self.0.len()
                }

                fn __getitem__<'py>(
                    &self,
                    index: &Bound<'py, PyAny>,
                ) -> PyResult<Bound<'py, PyAny>> {
                    self.0.item(index)
                }

                fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
                    self.0.list(py)?.try_iter()
                }

                fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                    self.0.repr(py, stringify!($Name))
                }

                fn __richcmp__(
                    &self,
                    py: Python<'_>,
                    other: &Bound<'_, PyAny>,
                    op: CompareOp,
                ) -> Py<PyAny> {
                    match other.cast::<Self>() {
                        Ok(other) => self.0.compare(py, &other.get().0, op),
                        Err(_) => py.NotImplemented(),
                    }
                }

                fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
                    (stringify!($Name), self.0.data(py)).into_pyobject(py)?.hash()
                }

                fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
                    reduced(py, self.0.encoded(py), self.0.dialect)
                }

                unsafe fn __getbuffer__(
                    slf: Bound<'_, Self>,
                    view: *mut ffi::Py_buffer,
                    flags: c_int,
                ) -> PyResult<()> {
                    let packed = &slf.get().0;
                    let data: *const [u8] = packed.data(slf.py());
                    // SAFETY: Python passes a buffer to fill. `slf` keeps the bytes object alive,
                    // whose memory never changes or moves.
                    unsafe { buffer::fill(view, flags, data, packed.elements, slf.as_any()) }
                }

                unsafe fn __releasebuffer__(&self, view: *mut ffi::Py_buffer) {
                    // SAFETY: `fill` filled the buffer, and Python releases it once.
                    unsafe { buffer::release(view) };
                }
            }
        )*

        impl Packed {
            /// Wraps the array in the class of its kind.
            pub(super) fn object(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
                match self.elements.kind {
                    $(Kind::$Name => Ok(Bound::new(py, $Name(self))?.into_any()),)*
                    _ => Err(PyTypeError::new_err("unknown type")),
                }
            }
        }

        /// Returns the array in an object, or `None` if it is of none of the classes.
        pub(crate) fn packed_of<'a>(object: &'a Bound<'_, PyAny>) -> Option<&'a Packed> {
            $(if let Ok(array) = object.cast_exact::<$Name>() {
                return Some(&array.get().0);
            })*
            None
        }

        pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add_class::<$Name>()?;)*
            Ok(())
        }
    };
}

classes! {
    /// Bytes. Exports a buffer of them.
    ///
    /// >>> from gamewire.godot import PackedByteArray
    /// >>> bytes(PackedByteArray(b"abc"))
    /// b'abc'
    PackedByteArray;
    /// A sequence of 32-bit integers. Exports a buffer of the format `i`.
    ///
    /// >>> from gamewire.godot import PackedInt32Array
    /// >>> PackedInt32Array([1, 2])[-1]
    /// 2
    PackedInt32Array;
    /// A sequence of 64-bit integers. Exports a buffer of the format `q`.
    ///
    /// >>> from gamewire.godot import PackedInt64Array
    /// >>> memoryview(PackedInt64Array([1, 2])).format
    /// 'q'
    PackedInt64Array;
    /// A sequence of 32-bit floats. Exports a buffer of the format `f`.
    ///
    /// >>> from gamewire.godot import PackedFloat32Array
    /// >>> memoryview(PackedFloat32Array([1, 2.5])).tolist()
    /// [1.0, 2.5]
    PackedFloat32Array;
    /// A sequence of 64-bit floats. Exports a buffer of the format `d`.
    ///
    /// >>> from gamewire.godot import PackedFloat64Array
    /// >>> PackedFloat64Array([0.1])
    /// PackedFloat64Array([0.1])
    PackedFloat64Array;
    /// A sequence of Vector2. Exports a buffer of the shape (n, 2), of the format `f`, or `d` if
    /// `double`.
    ///
    /// >>> from gamewire.godot import PackedVector2Array
    /// >>> memoryview(PackedVector2Array([(1, 2), (3, 4)])).shape
    /// (2, 2)
    PackedVector2Array;
    /// A sequence of Vector3. Exports a buffer of the shape (n, 3), of the format `f`, or `d` if
    /// `double`.
    ///
    /// >>> from gamewire.godot import PackedVector3Array
    /// >>> PackedVector3Array([(1, 2, 3)])[0]
    /// Vector3(1.0, 2.0, 3.0)
    PackedVector3Array;
    /// A sequence of Color. Exports a buffer of the shape (n, 4), of the format `f`, or `d` if
    /// `double`.
    ///
    /// >>> from gamewire.godot import PackedColorArray
    /// >>> PackedColorArray([(1, 0, 0, 1)])[0].r
    /// 1.0
    PackedColorArray;
    /// A sequence of Vector4. Exports a buffer of the shape (n, 4), of the format `f`, or `d` if
    /// `double`.
    ///
    /// >>> from gamewire.godot import PackedVector4Array
    /// >>> len(PackedVector4Array([(1, 2, 3, 4)]))
    /// 1
    PackedVector4Array;
}
