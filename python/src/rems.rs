//! Saves of Rem's Engine, as documents.
//!
//! `tree` holds the items of a save in memory, `value` writes values of a document, and `edit`
//! writes an edited document. If only values of a text differ, `edit` replaces them in the text.
//! Otherwise, it writes the whole save.

mod edit;
mod tree;
mod value;

use crate::documents::{Fault, FromPython};
use crate::error::{guarded, kind_name, raise};
use edit::{Failure, Form};
use gamewire::rems::json::{Header, Layout, Printer};
use gamewire::rems::{
    BinaryReader, Dialect, Era, Error, FileFormat, ItemSource, Reader, Tables, TextReader,
    compress, decompress_prefix,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::de::Deserialize;
use tree::Tree;

/// Maximum size of a decompressed container: 1 GiB.
const LIMIT: usize = 1 << 30;

/// The zlib compression level that the engine uses.
const LEVEL: u8 = 6;

/// A save of Rem's Engine.
#[pyclass(frozen, module = "gamewire._gamewire")]
struct RemsFile {
    format: FileFormat,
    /// The text or the binary stream.
    content: Vec<u8>,
    /// For a container: the file, and the bytes after the compressed data.
    container: Option<(Vec<u8>, Vec<u8>)>,
    era: Era,
}

#[cold]
fn failed(py: Python<'_>, error: &Error) -> PyErr {
    raise(py, &error.to_string(), kind_name(error.kind()), Some(error.offset()), None)
}

fn era_of(py: Python<'_>, name: &str) -> PyResult<Era> {
    let found = Era::ALL.into_iter().find(|era| era.name() == name);
    found.ok_or_else(|| {
        let names = Era::ALL.map(Era::name).join(", ");
        let message = format!("{name:?} is not an era ({names})");
        raise(py, &message, "UnknownEra".into(), None, None)
    })
}

impl RemsFile {
    fn reader<'t, 'a>(&'a self, tables: &'t mut Tables) -> Reader<'t, 'a> {
        match self.format {
            FileFormat::Text => Reader::Text(TextReader::new(&self.content)),
            _ => Reader::Binary(BinaryReader::new(&self.content, self.era, tables)),
        }
    }

    /// Returns the document as JSON.
    fn json(&self) -> String {
        let mut tables = Tables::new();
        let mut reader = self.reader(&mut tables);
        let items: &mut dyn ItemSource<'_> = &mut reader;
        let mut json = String::new();
        let header = Header { format: self.format, era: self.era };
        // Writing to a string does not fail.
        let _ = Printer::new(&mut json, Layout::Compact).document(header, Ok(items));
        json
    }

    /// Writes the save that a document describes.
    fn written(
        &self,
        original: &serde_json::Value,
        edited: &serde_json::Value,
    ) -> Result<Vec<u8>, Failure> {
        let mut tables = Tables::new();
        let mut reader = self.reader(&mut tables);
        let tree = Tree::read(&mut reader)?;
        let trailing = match &reader {
            Reader::Text(reader) => reader.trailing(),
            Reader::Binary(reader) => reader.trailing(),
        };
        let form = match self.format {
            FileFormat::Text if tree.lacks_numbers() => Form::Text(Dialect::Engine2021),
            FileFormat::Text => Form::Text(Dialect::Engine2026),
            _ => Form::Binary(self.era),
        };
        let mut written = edit::write(&tree, original, edited, form, &self.content)?;
        if written.is_whole {
            written.bytes.extend_from_slice(trailing);
        }
        Ok(written.bytes)
    }
}

#[pymethods]
impl RemsFile {
    #[new]
    #[pyo3(signature = (data, era = None))]
    fn open(py: Python<'_>, data: Vec<u8>, era: Option<&str>) -> PyResult<Self> {
        let era = era.map(|era| era_of(py, era)).transpose()?;
        guarded(py, || {
            let format = FileFormat::detect(&data).unwrap_or(FileFormat::Text);
            let (content, container) = match format {
                FileFormat::Container => {
                    let content = py.detach(|| decompress_prefix(&data, LIMIT));
                    let (content, rest) = content.map_err(|error| failed(py, &error))?;
                    let rest = rest.to_vec();
                    (content, Some((data, rest)))
                }
                _ => (data, None),
            };
            let is_text = format == FileFormat::Text;
            let detect = || Era::detect(&content).filter(|_| !is_text).unwrap_or(Era::October2024);
            let era = era.unwrap_or_else(detect);
            Ok(Self { format, content, container, era })
        })
    }

    /// `text`, `binary` or `container`.
    #[getter]
    fn form(&self) -> &'static str {
        self.format.name()
    }

    /// The era of a binary stream, or `None` for text.
    #[getter]
    fn era(&self) -> Option<&'static str> {
        (self.format != FileFormat::Text).then(|| self.era.name())
    }

    /// Returns the document.
    fn document<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guarded(py, || {
            let json = py.detach(|| self.json());
            py.import("json")?.call_method1("loads", (json,))
        })
    }

    /// Writes the save that a document describes.
    fn write<'py>(
        &self,
        py: Python<'py>,
        document: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyBytes>, Option<()>)> {
        guarded(py, || {
            let value = |object: &Bound<'py, PyAny>| {
                let value = serde_json::Value::deserialize(FromPython::new(object));
                value.map_err(|fault: Fault| fault.raise(py))
            };
            let (original, edited) = (value(&self.document(py)?)?, value(document)?);
            let written = py.detach(|| {
                if original == edited {
                    let file = self.container.as_ref().map_or(&self.content, |(file, _)| file);
                    return Ok(file.clone());
                }
                let written = self.written(&original, &edited)?;
                Ok(match &self.container {
                    Some((_, rest)) => [&compress(&written, LEVEL), &rest[..]].concat(),
                    None => written,
                })
            });
            let written = written.map_err(|failure: Failure| failure.raise(py))?;
            Ok((PyBytes::new(py, &written), None))
        })
    }
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<RemsFile>()
}
