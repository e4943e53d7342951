//! The value classes. They are immutable, and have fields, comparison, hashing and a `repr` in the
//! form of a constructor call.
//!
//! `numbers` has the behaviour of the classes that consist of a fixed number of numbers, and
//! `vectors` lists these classes. `leaves` has the others.

pub(crate) mod leaves;
pub(crate) mod numbers;
pub(crate) mod vectors;

use pyo3::prelude::*;

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    vectors::add_to(module)?;
    leaves::add_to(module)
}
