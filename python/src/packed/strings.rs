//! The class of packed arrays of strings.

use crate::python::{reduced, text, with_bytes_of};
use gamewire::godot::{Dialect, Kind, Reader, VariantRef};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyIndexError, PyOverflowError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyIterator, PyList, PySlice, PyString, PyTuple};
use std::ops::Range;
use std::sync::OnceLock;

/// A sequence of strings. A string is decoded when it is asked for.
///
/// In a packet: a count, then for each string its length, the text, a NUL, and a pad to a multiple
/// of 4 bytes.
///
/// >>> from gamewire.godot import PackedStringArray
/// >>> names = PackedStringArray(["a", "bcd"])
/// >>> names[1], len(names), list(names)
/// ('bcd', 2, ['a', 'bcd'])
#[pyclass(frozen, sequence, module = "gamewire.godot")]
pub(crate) struct PackedStringArray {
    bytes: Py<PyBytes>,
    /// The range of the value, with its header.
    value: Range<usize>,
    pub dialect: Dialect,
    /// The range of each text in the value, found when the texts are first used.
    texts: OnceLock<Vec<Range<u32>>>,
}

impl PackedStringArray {
    pub(super) fn new(bytes: Py<PyBytes>, value: Range<usize>, dialect: Dialect) -> Self {
        Self { bytes, value, dialect, texts: OnceLock::new() }
    }

    /// Returns the bytes of the value.
    pub(crate) fn encoded<'a>(&'a self, py: Python<'_>) -> &'a [u8] {
        self.bytes.as_bytes(py).get(self.value.clone()).unwrap_or_default()
    }

    fn texts(&self, py: Python<'_>) -> &[Range<u32>] {
        self.texts.get_or_init(|| {
            let bytes = self.encoded(py);
            let reader = Reader::new(bytes, self.dialect);
            let value = Reader::new(bytes, self.dialect).read();
            let Ok(VariantRef::PackedStringArray(texts)) = value else { return Vec::new() };
            let range = |text: &[u8]| {
                let range = reader.range_of(text).unwrap_or_default();
                range.start as u32..range.end as u32
            };
            texts.iter().map(|text| range(text.as_bytes())).collect()
        })
    }

    fn text<'py>(&self, py: Python<'py>, range: &Range<u32>) -> PyResult<Bound<'py, PyString>> {
        let range = range.start as usize..range.end as usize;
        text(py, self.encoded(py).get(range).unwrap_or_default())
    }

    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let texts = self.texts(py).iter().map(|range| self.text(py, range));
        PyList::new(py, texts.collect::<PyResult<Vec<_>>>()?)
    }
}

#[pymethods]
impl PackedStringArray {
    #[new]
    #[pyo3(signature = (items = None))]
    fn from_items(py: Python<'_>, items: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let too_long = |_| PyOverflowError::new_err("the count or length does not fit in 31 bits");
        let id = Dialect::Godot4.id(Kind::PackedStringArray).map_or(0, u32::from);
        let mut bytes = id.to_le_bytes().to_vec();
        bytes.extend_from_slice(&[0; 4]);
        let mut count = 0_usize;
        if let Some(items) = items {
            for item in items.try_iter()? {
                count += 1;
                with_bytes_of(item?.cast::<PyString>()?, |text| {
                    // Engines write a NUL after each string and count it.
                    let len = i32::try_from(text.len() + 1).map_err(too_long)?;
                    bytes.extend_from_slice(&len.to_le_bytes());
                    bytes.extend_from_slice(text);
                    bytes.push(0);
                    bytes.resize(bytes.len().next_multiple_of(4), 0);
                    Ok::<_, PyErr>(())
                })??;
            }
        }
        let count = i32::try_from(count).map_err(too_long)?.to_le_bytes();
        bytes.iter_mut().skip(4).zip(count).for_each(|(to, from)| *to = from);
        let value = 0..bytes.len();
        Ok(Self::new(PyBytes::new(py, &bytes).unbind(), value, Dialect::Godot4))
    }

    /// Returns a list of the strings.
    fn tolist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.list(py)
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.texts(py).len()
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        if index.is_instance_of::<PySlice>() {
            return self.list(py)?.as_any().get_item(index);
        }
        let position = index.extract::<isize>()?;
        let texts = self.texts(py);
        let position = if position < 0 { position + texts.len() as isize } else { position };
        match usize::try_from(position).ok().and_then(|index| texts.get(index)) {
            Some(range) => Ok(self.text(py, range)?.into_any()),
            None => Err(PyIndexError::new_err("packed array index out of range")),
        }
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyIterator>> {
        slf.get().list(slf.py())?.try_iter()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("PackedStringArray({})", self.list(py)?.repr()?))
    }

    fn __richcmp__(
        &self,
        py: Python<'_>,
        other: &Bound<'_, PyAny>,
        op: CompareOp,
    ) -> PyResult<Py<PyAny>> {
        match (other.cast::<Self>(), op) {
            (Ok(other), CompareOp::Eq | CompareOp::Ne) => {
                let equal = self.list(py)?.eq(other.get().list(py)?)?;
                let result = equal == matches!(op, CompareOp::Eq);
                Ok(PyBool::new(py, result).to_owned().into_any().unbind())
            }
            _ => Ok(py.NotImplemented()),
        }
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        ("PackedStringArray", self.list(py)?.to_tuple()).into_pyobject(py)?.hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        reduced(py, self.encoded(py), self.dialect)
    }
}

pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PackedStringArray>()
}
