//! The exception `gamewire.Error`, and the errors that become it.

use crate::python::Classes;
use gamewire::godot::{self, Dialect};
use pyo3::exceptions::PyRecursionError;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The reason why a value cannot be read or written.
pub(crate) enum Failure {
    /// The library rejects the bytes or the value.
    Format(godot::Error),
    /// A value that cannot be written. Contains the name of the error's kind and a message.
    Value(&'static str, String),
    /// An exception of Python, such as `MemoryError`.
    Python(PyErr),
}

impl From<godot::Error> for Failure {
    fn from(error: godot::Error) -> Self {
        Self::Format(error)
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl Failure {
    /// Converts the error of reading `packet`, which starts at offset `start` of the input.
    #[cold]
    pub(crate) fn reading(
        self,
        py: Python<'_>,
        packet: &[u8],
        start: u64,
        dialect: Dialect,
    ) -> PyErr {
        let Self::Format(error) = self else { return self.writing(py) };
        let within = error.offset().saturating_sub(start);
        let path = godot::path::Path::new(packet, dialect, within).to_string();
        raise(py, &error.to_string(), kind_name(error.kind()), Some(error.offset()), Some(path))
    }

    /// Converts an error that belongs to the outermost value.
    #[cold]
    pub(crate) fn writing(self, py: Python<'_>) -> PyErr {
        self.writing_at(py, String::new())
    }

    /// Converts the error of writing the value at `path`.
    #[cold]
    pub(crate) fn writing_at(self, py: Python<'_>, path: String) -> PyErr {
        let path = Some(path);
        match self {
            Self::Format(error) => {
                raise(py, &error.to_string(), kind_name(error.kind()), Some(error.offset()), path)
            }
            Self::Value(kind, message) => raise(py, &message, kind.into(), None, path),
            // Python compares nested keys with recursion, which it limits.
            Self::Python(error) if error.is_instance_of::<PyRecursionError>(py) => {
                let message = "the containers in a key are nested too deeply for Python";
                raise(py, message, "TooDeep".into(), None, path)
            }
            Self::Python(error) => error,
        }
    }
}

/// Returns the name of the variant.
pub(crate) fn kind_name(kind: &impl std::fmt::Debug) -> String {
    let text = format!("{kind:?}");
    text.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default().to_owned()
}

/// Returns a `gamewire.Error`.
#[cold]
pub(crate) fn raise(
    py: Python<'_>,
    message: &str,
    kind: String,
    offset: Option<u64>,
    path: Option<String>,
) -> PyErr {
    let error = Classes::get(py)
        .and_then(|classes| classes.error.bind(py).call1((message, kind, offset, path)));
    match error {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// Runs `work`. If it panics because of a bug, or because another thread changes a dictionary while
/// it is written, raises `gamewire.Error` instead of PyO3's `PanicException`.
pub(crate) fn guarded<T>(py: Python<'_>, work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result,
        Err(panic) => {
            let message = panic.downcast_ref::<String>().map(String::as_str);
            let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
            let message = message.unwrap_or("an unknown error");
            Err(raise(py, message, "Internal".into(), None, None))
        }
    }
}
