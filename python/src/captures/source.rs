//! The bytes of a capture.

use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyMemoryView;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The exception that the method `read` of an object has raised, until it is raised again.
pub(super) type Raised = Arc<Mutex<Option<PyErr>>>;

/// A file, or an object with the method `read`.
pub(super) enum Source {
    File(File),
    Object { read: Py<PyAny>, raised: Raised },
}

impl Source {
    /// Opens a path, or takes an object. Also returns the name of the capture.
    pub(super) fn open(source: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<(Self, String)> {
        if let Some(read) = source.getattr_opt("read")? {
            // The name of a file is text; the name of a pipe is a number.
            let name = source.getattr_opt("name")?.and_then(|name| name.extract().ok());
            let object = Self::Object { read: read.unbind(), raised: Arc::clone(raised) };
            return Ok((object, name.unwrap_or_default()));
        }
        let path: PathBuf = source.extract().map_err(|_| {
            PyTypeError::new_err(
                "a path or a binary file object with the method `read` is required",
            )
        })?;
        let file = File::open(&path).map_err(|error| os_error(&error, &path))?;
        Ok((Self::File(file), path.display().to_string()))
    }
}

/// Returns the exception that Python's `open` raises, such as `FileNotFoundError`.
pub(super) fn os_error(error: &io::Error, path: &Path) -> PyErr {
    match error.raw_os_error().filter(|_| cfg!(unix)) {
        Some(number) => {
            let message = error.to_string();
            let message = message.split(" (os error").next().unwrap_or_default().to_owned();
            PyOSError::new_err((number, message, path.to_path_buf()))
        }
        None => PyErr::from(io::Error::new(error.kind(), format!("{}: {error}", path.display()))),
    }
}

impl Read for Source {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(to),
            Self::Object { read, raised } => {
                let result = Python::try_attach(|py| read_object(read.bind(py), to));
                let result = result.unwrap_or_else(|| Err(PyOSError::new_err("Python has ended")));
                result.map_err(|error| {
                    if let Ok(mut raised) = raised.lock() {
                        *raised = Some(error);
                    }
                    io::ErrorKind::Other.into()
                })
            }
        }
    }
}

/// Calls the method `read` of an object.
fn read_object(read: &Bound<'_, PyAny>, to: &mut [u8]) -> PyResult<usize> {
    let data = read.call1((to.len(),))?;
    if let Ok(bytes) = data.cast::<pyo3::types::PyBytes>() {
        return copy(bytes.as_bytes(), to);
    }
    if data.is_none() {
        return Err(PyOSError::new_err("`read` returned None: the file must wait for its bytes"));
    }
    let view = PyMemoryView::from(&data).map_err(|_| {
        PyTypeError::new_err("`read` must return bytes: open the file in binary mode")
    })?;
    copy(view.call_method0("tobytes")?.extract()?, to)
}

fn copy(bytes: &[u8], to: &mut [u8]) -> PyResult<usize> {
    let Some(to) = to.get_mut(..bytes.len()) else {
        return Err(PyValueError::new_err("`read` returned more bytes than it was asked for"));
    };
    to.copy_from_slice(bytes);
    Ok(bytes.len())
}
