//! The Python package `gamewire`.
//!
//! This crate is the module `gamewire._gamewire`. The folder `gamewire` has the part of the package
//! that is written in Python, and the type stubs. Classes that inherit from `int`, `str`, `list` or
//! `dict` are there, because the stable interface of Python 3.11 does not allow them in Rust.
//!
//! * `captures` reads captured traffic, as packets or as tables.
//! * `config` reads and edits configuration files of Godot.
//! * `documents` converts documents of the library to and from dictionaries and lists.
//! * `files` recognises files, and opens the compressed and encrypted files of Godot.
//! * `rems` reads and writes saves of Rem's Engine.
//! * `unreal` reads and writes packages and saves of Unreal Engine, and reads its other files.
//! * `read` builds Python objects from a packet.
//! * `write` encodes Python objects.
//! * `classes` has the value classes, such as `Vector3` and `NodePath`.
//! * `packed` has the packed arrays, which share the memory of the packet.
//! * `view` has `View`, which decodes only what a script asks for.
//! * `wire` keeps the bytes of a value if its Python object does not determine them.
//!
//! The only unsafe code is in `packed/buffer.rs`, and where `packed/numbers.rs` calls it.
#![deny(unsafe_code)]

mod captures;
mod classes;
mod config;
mod documents;
mod error;
mod files;
mod input;
mod keys;
mod packed;
mod python;
mod read;
mod rems;
mod unreal;
mod view;
mod wire;
mod write;

use pyo3::prelude::*;

/// The compiled part of the package `gamewire`.
#[pymodule]
fn _gamewire(module: &Bound<'_, PyModule>) -> PyResult<()> {
    captures::add_to(module)?;
    classes::add_to(module)?;
    config::add_to(module)?;
    documents::add_to(module)?;
    files::add_to(module)?;
    packed::add_to(module)?;
    read::add_to(module)?;
    rems::add_to(module)?;
    unreal::add_to(module)?;
    view::add_to(module)?;
    wire::add_to(module)?;
    write::add_to(module)
}
