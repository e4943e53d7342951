//! Converts the options that callers pass: names of methods, of engines and of compressions.

use super::source::os_error;
use crate::error::raise;
use gamewire::traffic::Engine;
use gamewire::traffic::methods::MethodNames;
use gamewire::transport::enet::CompressionMode;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::fs;
use std::path::PathBuf;

/// Reads names of methods from a dictionary with the names for each path, from text with line
/// feeds, or from the file at a path.
pub(super) fn methods(methods: Option<&Bound<'_, PyAny>>) -> PyResult<MethodNames> {
    let mut names = MethodNames::default();
    let Some(methods) = methods else { return Ok(names) };
    if let Ok(methods) = methods.cast::<PyDict>() {
        for (owner, methods) in methods.iter() {
            let owner: String = owner.extract()?;
            // A string is also an iterable of strings, but it is not meant as one.
            let methods = match methods.cast::<PyString>() {
                Ok(method) => vec![method.extract::<String>()?],
                Err(_) => {
                    methods.try_iter()?.map(|name| name?.extract()).collect::<PyResult<_>>()?
                }
            };
            names.add(Some(&owner), methods);
        }
        return Ok(names);
    }
    let text = match methods.extract::<String>() {
        Ok(text) if text.contains('\n') => text,
        _ => {
            let path: PathBuf = methods.extract()?;
            fs::read_to_string(&path).map_err(|error| os_error(&error, &path))?
        }
    };
    names.add_list(&text).map_err(|error| {
        raise(methods.py(), &format!("names of methods: {error}"), "BadMethods".into(), None, None)
    })?;
    Ok(names)
}

pub(super) fn engine(py: Python<'_>, name: &str) -> PyResult<Engine> {
    match name {
        "godot3" => Ok(Engine::Godot3),
        "godot4" => Ok(Engine::Godot4),
        _ => {
            let message = format!("{name:?} is not godot3 or godot4");
            Err(raise(py, &message, "UnknownEngine".into(), None, None))
        }
    }
}

pub(super) fn compression(py: Python<'_>, name: &str) -> PyResult<CompressionMode> {
    name.parse().map_err(|_| {
        let message = format!("{name:?} is not none, range-coder, fastlz, zlib or zstd");
        raise(py, &message, "UnknownCompressor".into(), None, None)
    })
}
