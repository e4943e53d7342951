//! Converts documents of the library to dictionaries, lists, strings and numbers of Python, and
//! back.
//!
//! Numbers are the same as in the JSON of the document: a 32-bit float becomes the Python `float`
//! that is nearest to its shortest decimal form. Members keep their order.

mod from_python;
mod to_python;

pub(crate) use from_python::{Fault, FromPython};
pub(crate) use to_python::to_python;

use crate::error::raise;
use pyo3::prelude::*;

/// A segment of a path: its text, `true` if it was in quotes, and the number after `#`.
type Segment = (String, bool, Option<i32>);

/// Splits a path into segments.
#[pyfunction]
fn parse_path(py: Python<'_>, path: &str) -> PyResult<Vec<Segment>> {
    match gamewire::path::parse(path) {
        Ok(path) => {
            let parts = path.into_iter();
            Ok(parts.map(|part| (part.text.into(), part.quoted, part.array_index)).collect())
        }
        Err(message) => Err(raise(py, &message, "BadPath".into(), None, None)),
    }
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(parse_path, module)?)
}
