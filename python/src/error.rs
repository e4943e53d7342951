//! The exception `gamewire.Error`, and the errors that become it.

use crate::python::Classes;
use gamewire::godot::{self, Dialect, ErrorKind};
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
    /// An error below the key or index at the end of `path`. The path is in reverse order.
    At(Box<At>),
}

/// An error, and the keys and indices that lead to the value.
pub(crate) struct At {
    failure: Failure,
    path: Vec<String>,
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
    /// Adds a segment at the front of the path to the value.
    #[cold]
    pub(crate) fn below(self, segment: String) -> Self {
        match self {
            Self::At(mut at) => {
                at.path.push(segment);
                Self::At(at)
            }
            Self::Python(_) => self,
            failure => Self::At(Box::new(At { failure, path: vec![segment] })),
        }
    }

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

    /// Converts the error of writing a value.
    #[cold]
    pub(crate) fn writing(self, py: Python<'_>) -> PyErr {
        let (failure, path) = match self {
            Self::At(at) => (at.failure, at.path),
            failure => (failure, Vec::new()),
        };
        let path: Vec<_> = path.into_iter().rev().collect();
        let path = Some(path.join("/"));
        match failure {
            Self::Format(error) => {
                raise(py, &error.to_string(), kind_name(error.kind()), Some(error.offset()), path)
            }
            Self::Value(kind, message) => raise(py, &message, kind.into(), None, path),
            Self::Python(error) => error,
            Self::At(_) => raise(py, "nested errors", "Internal".into(), None, path),
        }
    }
}

/// Returns the name of the variant.
fn kind_name(kind: &ErrorKind) -> String {
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
