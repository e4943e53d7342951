//! The bytes of a value or of the start of a container, which are kept if the Python object does
//! not determine them.

use crate::error::raise;
use crate::input::Named;
use gamewire::godot::{Dialect, Reader, VariantRef};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

/// Bytes as they were in a packet, with their dialect. `dumps` writes them unchanged.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    pub dialect: Dialect,
    pub bytes: Box<[u8]>,
}

impl Kept {
    pub(crate) fn new(dialect: Dialect, bytes: &[u8]) -> Self {
        Self { dialect, bytes: bytes.into() }
    }

    /// Decodes the value. The bytes were checked when they were kept, so this does not fail.
    pub(crate) fn value(&self) -> VariantRef<'_> {
        Reader::new(&self.bytes, self.dialect).read().unwrap_or(VariantRef::Nil)
    }

    /// Returns `true` if the bytes are one value, or the start of a container.
    fn is_valid(&self) -> bool {
        let is_value = |bytes: &[u8]| {
            let mut reader = Reader::new(bytes, self.dialect);
            reader.skip().and_then(|()| reader.finish()).is_ok()
        };
        // The start of a container ends with the count of its items.
        let mut empty = self.bytes.to_vec();
        let end = empty.len();
        if let Some(count) = end.checked_sub(4).and_then(|start| empty.get_mut(start..)) {
            count.fill(0);
        }
        is_value(&self.bytes) || is_value(&empty)
    }
}

/// The bytes of a value, or of the start of a container, as they were in a packet. Values in an
/// unusual encoding have such an object, so that `dumps` writes them unchanged.
#[pyclass(frozen, eq, module = "gamewire.godot")]
#[derive(PartialEq)]
pub(crate) struct Wire(pub Kept);

#[pymethods]
impl Wire {
    #[new]
    fn new(py: Python<'_>, dialect: Named, data: &[u8]) -> PyResult<Self> {
        let kept = Kept::new(dialect.0, data);
        if !kept.is_valid() {
            let message = "the bytes are neither a value nor the start of a container";
            return Err(raise(py, message, "BadWire".into(), None, None));
        }
        Ok(Self(kept))
    }

    /// The name of the dialect.
    #[getter]
    fn dialect(&self) -> &'static str {
        self.0.dialect.name()
    }

    /// The bytes.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.bytes)
    }

    fn __repr__(&self) -> String {
        format!("Wire({:?}, bytes.fromhex({:?}))", self.dialect(), hex(&self.0.bytes))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, wire) = (slf.py(), slf.get());
        (slf.get_type(), (wire.dialect(), wire.data(py))).into_pyobject(py)
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Wire>()
}
