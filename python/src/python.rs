//! The classes that the package defines in Python.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyString, PyTuple, PyType};

/// The classes, imported once.
pub(crate) struct Classes {
    pub error: Py<PyType>,
    pub nil: Py<PyType>,
    pub bool: Py<PyType>,
    pub int: Py<PyType>,
    pub float: Py<PyType>,
    pub string: Py<PyType>,
    pub string_name: Py<PyType>,
    pub key: Py<PyType>,
    pub array: Py<PyType>,
    pub dictionary: Py<PyType>,
    pub frozen_array: Py<PyType>,
    pub frozen_dictionary: Py<PyType>,
    pub object: Py<PyType>,
    pub loads: Py<PyAny>,
}

static CLASSES: PyOnceLock<Classes> = PyOnceLock::new();

impl Classes {
    #[inline]
    pub(crate) fn get(py: Python<'_>) -> PyResult<&'static Self> {
        match CLASSES.get(py) {
            Some(classes) => Ok(classes),
            None => Self::import(py),
        }
    }

    #[cold]
    fn import(py: Python<'_>) -> PyResult<&'static Self> {
        let values = py.import("gamewire.godot._values")?;
        let class = |name: &str| -> PyResult<Py<PyType>> {
            Ok(values.getattr(name)?.cast_into::<PyType>()?.unbind())
        };
        let error = py.import("gamewire._error")?.getattr("Error")?.cast_into::<PyType>()?;
        let classes = Self {
            error: error.unbind(),
            nil: class("Nil")?,
            bool: class("Bool")?,
            int: class("Int")?,
            float: class("Float")?,
            string: class("String")?,
            string_name: class("StringName")?,
            key: class("Key")?,
            array: class("Array")?,
            dictionary: class("Dictionary")?,
            frozen_array: class("FrozenArray")?,
            frozen_dictionary: class("FrozenDictionary")?,
            object: class("Object")?,
            loads: py.import("gamewire._gamewire")?.getattr("loads")?.unbind(),
        };
        // Another thread may have imported them meanwhile.
        let _ = CLASSES.set(py, classes);
        CLASSES.get(py).ok_or_else(|| pyo3::exceptions::PyImportError::new_err("gamewire.godot"))
    }
}

/// Returns text as a `str`. Bytes that are not UTF-8 become lone surrogates, as in the names of
/// files (`surrogateescape`).
#[inline]
pub(crate) fn text<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    match PyString::from_bytes(py, bytes) {
        Ok(text) => Ok(text),
        Err(_) => {
            let bytes = PyBytes::new(py, bytes);
            PyString::from_encoded_object(&bytes, Some(c"utf-8"), Some(c"surrogateescape"))
        }
    }
}

/// Calls `use_bytes` with the bytes of a `str`, the reverse of [`text`].
#[inline]
pub(crate) fn with_bytes_of<T>(
    text: &Bound<'_, PyString>,
    use_bytes: impl FnOnce(&[u8]) -> T,
) -> PyResult<T> {
    match text.to_str() {
        Ok(text) => Ok(use_bytes(text.as_bytes())),
        Err(_) => {
            let encoded = text.call_method1("encode", ("utf-8", "surrogateescape"))?;
            Ok(use_bytes(encoded.cast::<PyBytes>()?.as_bytes()))
        }
    }
}

/// Returns what `__reduce__` returns for an object that `loads` makes of these bytes.
pub(crate) fn reduced<'py>(
    py: Python<'py>,
    bytes: &[u8],
    dialect: gamewire::godot::Dialect,
) -> PyResult<Bound<'py, PyTuple>> {
    let loads = Classes::get(py)?.loads.bind(py);
    let args = (PyBytes::new(py, bytes), dialect.name());
    (loads, args).into_pyobject(py)
}
