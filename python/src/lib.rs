//! The Python package `gamewire`.
//!
//! This crate is the module `gamewire._gamewire`. The folder `gamewire` has the Python part of the
//! package: classes that inherit from `int`, `str`, `list` and `dict`, which the stable interface
//! of Python 3.11 does not allow here, and the type stubs.
//!
//! * `captures` reads captured traffic, as packets or as tables.
//! * `read` builds Python objects from a packet, in one pass of the library's walk.
//! * `write` encodes Python objects.
//! * `classes` has the value classes, such as `Vector3` and `NodePath`.
//! * `packed` has the packed arrays, which share the memory of the packet.
//! * `view` has `View`, which decodes only what a script asks for.
//! * `wire` has the encoding of a value that its Python object does not determine.
//!
//! The only unsafe code is in `packed/buffer.rs`.
#![deny(unsafe_code)]

mod captures;
mod classes;
mod error;
mod input;
mod keys;
mod packed;
mod python;
mod read;
mod view;
mod wire;
mod write;

use pyo3::prelude::*;

/// The compiled part of the package `gamewire`.
#[pymodule]
fn _gamewire(module: &Bound<'_, PyModule>) -> PyResult<()> {
    captures::add_to(module)?;
    classes::add_to(module)?;
    packed::add_to(module)?;
    read::add_to(module)?;
    view::add_to(module)?;
    wire::add_to(module)?;
    write::add_to(module)
}
