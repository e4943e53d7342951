//! Converts the options that callers pass: names of methods, engines and compressions, and
//! conditions of filters.

use super::source::os_error;
use crate::error::raise;
use gamewire::traffic::methods::{MethodNames, Scripts};
use gamewire::traffic::{Engine, Filter};
use gamewire::transport::enet::CompressionMode;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::fs;
use std::path::{Path, PathBuf};

/// Reads the names of methods from a list and from the scripts in folders.
pub(super) fn names(
    list: Option<&Bound<'_, PyAny>>,
    folders: &[Bound<'_, PyAny>],
) -> PyResult<MethodNames> {
    let mut names = methods(list)?;
    for folder in folders {
        let path: PathBuf = folder.extract()?;
        let mut scripts = Scripts::default();
        add_scripts(&path, &mut scripts)?;
        names.add_scripts(&scripts).map_err(|error| {
            raise(folder.py(), &error.to_string(), "TooManyMethods".into(), None, None)
        })?;
    }
    Ok(names)
}

/// Adds the scripts in a folder and its subfolders, in the order of their names. Does not follow
/// links to folders.
fn add_scripts(folder: &Path, to: &mut Scripts) -> PyResult<()> {
    let failed = |error| os_error(&error, folder);
    let entries = fs::read_dir(folder).map_err(failed)?;
    let mut entries = entries.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if entry.file_type().map_err(failed)?.is_dir() {
            add_scripts(&path, to)?;
        } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gd"))
            && path.is_file()
        {
            let source = fs::read(&path).map_err(|error| os_error(&error, &path))?;
            let name = entry.file_name();
            to.add(&name.to_string_lossy(), &String::from_utf8_lossy(&source));
        }
    }
    Ok(())
}

/// Parses a condition of `filter`.
pub(super) fn filter(condition: &Bound<'_, PyAny>) -> PyResult<Filter> {
    let text: String = condition.extract()?;
    text.parse().map_err(|error: String| {
        let message = format!("{text:?}: {error}");
        raise(condition.py(), &message, "BadFilter".into(), None, None)
    })
}

/// Reads names of methods from a dictionary with the names for each path, from text with line
/// feeds, or from the file at a path.
fn methods(methods: Option<&Bound<'_, PyAny>>) -> PyResult<MethodNames> {
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
