//! The bytes of a capture.

use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyMemoryView;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// The state that a source shares with the capture that reads it.
#[derive(Clone, Default)]
pub(super) struct Control(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// The exception that the method `read` or the handler of a signal raised, until the caller
    /// gets it.
    raised: Mutex<Option<PyErr>>,
    is_paused: AtomicBool,
}

impl Control {
    /// Makes each attempt to read fail while `is_paused`. The reader of a capture then returns what
    /// it has instead of waiting for more.
    pub(super) fn pause(&self, is_paused: bool) {
        self.0.is_paused.store(is_paused, Ordering::Relaxed);
    }

    pub(super) fn take_raised(&self) -> Option<PyErr> {
        self.0.raised.lock().ok()?.take()
    }
}

/// A file, or an object with the method `read`.
pub(super) struct Source {
    kind: Kind,
    control: Control,
}

enum Kind {
    File(File),
    Object(Py<PyAny>),
}

/// A capture that is not opened yet.
pub(super) struct Pending {
    name: String,
    place: Place,
}

enum Place {
    Path(PathBuf),
    Opened(Kind),
}

impl Pending {
    /// Creates a capture from a path or a file object.
    pub(super) fn new(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Some(read) = source.getattr_opt("read")? {
            // The attribute is a number if the object was made from a descriptor, such as a pipe.
            let name = source.getattr_opt("name")?.and_then(|name| name.extract().ok());
            let place = Place::Opened(Kind::Object(read.unbind()));
            return Ok(Self { name: name.unwrap_or_default(), place });
        }
        let path: PathBuf = source.extract().map_err(|_| {
            PyTypeError::new_err(
                "a path or a binary file object with the method `read` is required",
            )
        })?;
        Ok(Self { name: path.display().to_string(), place: Place::Path(path) })
    }

    /// Opens the file at a path now, so that a missing file raises an error at once.
    pub(super) fn opened(self) -> PyResult<Self> {
        let Self { name, place } = self;
        Ok(Self { name, place: Place::Opened(place.open()?) })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn with_name(self, name: String) -> Self {
        Self { name, ..self }
    }

    pub(super) fn open(self, control: &Control) -> PyResult<Source> {
        Ok(Source { kind: self.place.open()?, control: control.clone() })
    }
}

impl Place {
    fn open(self) -> PyResult<Kind> {
        match self {
            Self::Path(path) => match File::open(&path) {
                Ok(file) => Ok(Kind::File(file)),
                Err(error) => Err(os_error(&error, &path)),
            },
            Self::Opened(kind) => Ok(kind),
        }
    }
}

/// Returns the exception that Python's `open` raises, such as `FileNotFoundError`.
pub(super) fn os_error(error: &io::Error, path: &Path) -> PyErr {
    match error.raw_os_error().filter(|_| cfg!(unix)) {
        Some(number) => {
            let message = error.to_string();
            let message = message.split(" (os error").next().unwrap_or_default().to_owned();
            PyOSError::new_err((number, message, path.as_os_str().to_owned()))
        }
        None => PyErr::from(io::Error::new(error.kind(), format!("{}: {error}", path.display()))),
    }
}

impl Read for Source {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let Shared { raised, is_paused } = &*self.control.0;
        if is_paused.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let result = match &mut self.kind {
            Kind::File(file) => loop {
                match file.read(to) {
                    // A signal has interrupted the read. If it was Ctrl+C, Python raises an
                    // exception. After any other signal, the read is tried again.
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                        let checked = Python::try_attach(|py| py.check_signals());
                        if let Some(Err(error)) = checked {
                            break Err(error);
                        }
                    }
                    result => return result,
                }
            },
            Kind::Object(read) => Python::try_attach(|py| read_object(read.bind(py), to))
                .unwrap_or_else(|| Err(PyOSError::new_err("Python has ended"))),
        };
        result.map_err(|error| {
            if let Ok(mut raised) = raised.lock() {
                *raised = Some(error);
            }
            io::ErrorKind::Other.into()
        })
    }
}

/// Calls the method `read` of an object.
fn read_object(read: &Bound<'_, PyAny>, to: &mut [u8]) -> PyResult<usize> {
    let data = read.call1((to.len(),))?;
    if let Ok(bytes) = data.cast::<pyo3::types::PyBytes>() {
        return copy(bytes.as_bytes(), to);
    }
    if data.is_none() {
        return Err(PyOSError::new_err("`read` returned None: the file must be in blocking mode"));
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
