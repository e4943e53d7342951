//! The bytes that a caller passes in, and the names of dialects.

use gamewire::godot::Dialect;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Inputs of more bytes than this are checked without the global interpreter lock.
const LONG: usize = 1 << 20;

/// Returns the input as an immutable object. A `bytes` object is used as it is. Any other object
/// that exports a buffer is copied once, because its owner could change or release its memory while
/// packed arrays still share it.
pub(crate) fn bytes_of<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = data.cast::<PyBytes>() {
        return Ok(bytes.clone());
    }
    let py = data.py();
    let view = pyo3::types::PyMemoryView::from(data).map_err(|_| {
        let name = data.get_type().name().map_or_else(|_| "object".into(), |name| name.to_string());
        PyTypeError::new_err(format!("a bytes-like object is required, not '{name}'"))
    })?;
    // `bytes(memoryview)` copies the elements in C order, even if they are not contiguous.
    Ok(py.get_type::<PyBytes>().call1((view,))?.cast_into()?)
}

/// Runs `work`, which looks at `bytes` only. Lets other threads run meanwhile if there are many
/// bytes.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    bytes: &[u8],
    work: impl FnOnce() -> T + Send,
) -> T {
    if bytes.len() > LONG { py.detach(work) } else { work() }
}

/// Returns `true` if [`detached`] lets other threads run.
pub(crate) fn is_long(bytes: &[u8]) -> bool {
    bytes.len() > LONG
}

/// A dialect, given by its name.
#[derive(Clone, Copy)]
pub(crate) struct Named(pub Dialect);

impl<'a, 'py> FromPyObject<'a, 'py> for Named {
    type Error = PyErr;

    fn extract(name: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let text = name.extract::<String>()?;
        let py = name.py();
        text.parse().map(Self).map_err(|error| {
            let names: Vec<_> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
            let message = format!("{error}: {text:?} (dialects: {})", names.join(", "));
            crate::error::raise(py, &message, "UnknownDialect".into(), None, None)
        })
    }
}
