//! Configuration files of Godot.

use crate::error::{guarded, kind_name, raise};
use crate::input::Named;
use gamewire::godot::Dialect;
use gamewire::godot::config::{Config, ConfigEditor, Entry, Error, ErrorKind, detect_dialect};
use gamewire::godot::notation::Reading;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

fn failed(py: Python<'_>, error: &Error) -> PyErr {
    raise(py, &error.to_string(), kind_name(error.kind()), Some(error.offset()), None)
}

fn text_of<'d>(py: Python<'_>, data: &'d [u8]) -> PyResult<&'d str> {
    std::str::from_utf8(data)
        .map_err(|error| failed(py, &Error::new(ErrorKind::NotUtf8, error.valid_up_to() as u64)))
}

/// Returns the value of an entry as a packet, with numbers rounded correctly. If only the engine
/// accepts the value, returns the value that the engine reads.
fn packet(entry: &Entry<'_>, dialect: Dialect) -> Result<Vec<u8>, Error> {
    let value = entry.read().or_else(|error| {
        entry.read_with(Reading::of(dialect).as_the_engine()).map_err(|_| error)
    })?;
    let at_value = |kind| Error::new(ErrorKind::Value(kind), entry.value_offset());
    value.to_bytes(dialect).map_err(|error| at_value(*error.kind()))
}

/// The name of a section, and its entries: the key, the value as a packet, and the text of the
/// value. The packet is `None` if the value cannot be read.
type Section<'py> = (String, Vec<(String, Option<Bound<'py, PyBytes>>, String)>);

/// Reads a configuration file. Returns its dialect and its sections.
#[pyfunction]
fn read_config<'py>(
    py: Python<'py>,
    data: &[u8],
    dialect: Option<Named>,
) -> PyResult<(&'static str, Vec<Section<'py>>)> {
    guarded(py, || {
        let text = text_of(py, data)?;
        let dialect = dialect.map_or_else(|| detect_dialect(text), |Named(dialect)| dialect);
        let config = Config::parse(data, dialect).map_err(|error| failed(py, &error))?;
        let sections = config.sections().map(|section| {
            let entries = section.entries().map(|(key, entry)| {
                let packet = packet(&entry, dialect).ok();
                let packet = packet.map(|packet| PyBytes::new(py, &packet));
                (key.to_owned(), packet, entry.value().to_owned())
            });
            (section.name().to_owned(), entries.collect())
        });
        Ok((dialect.name(), sections.collect()))
    })
}

/// A new value of a key: a packet or text.
#[derive(FromPyObject)]
enum New {
    Packet(Vec<u8>),
    Text(String),
}

/// Changes entries of a configuration file. A change has a section, a key and a new value; `None`
/// removes the key. All other bytes stay as they are.
#[pyfunction]
fn edit_config<'py>(
    py: Python<'py>,
    data: &[u8],
    dialect: Named,
    changes: Vec<(String, String, Option<New>)>,
) -> PyResult<Bound<'py, PyBytes>> {
    guarded(py, || {
        let Named(dialect) = dialect;
        let text = text_of(py, data)?;
        let editor = ConfigEditor::new(text, dialect);
        let mut editor = editor.map_err(|error| failed(py, &error))?;
        for (section, key, new) in changes {
            let changed = match new {
                None => editor.remove(&section, &key).map(|_| ()),
                Some(New::Text(text)) => editor.set_text(&section, &key, &text),
                Some(New::Packet(packet)) => {
                    let value = gamewire::godot::Reader::new(&packet, dialect).read_encoded();
                    match value {
                        Ok(value) => editor.set(&section, &key, value),
                        Err(error) => Err(Error::new(ErrorKind::Value(*error.kind()), 0)),
                    }
                }
            };
            changed.map_err(|error| {
                let (message, kind) = (error.kind().to_string(), kind_name(error.kind()));
                raise(py, &message, kind, None, Some(format!("{section}/{key}")))
            })?;
        }
        Ok(PyBytes::new(py, editor.as_str().as_bytes()))
    })
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(read_config, module)?)?;
    module.add_function(wrap_pyfunction!(edit_config, module)?)
}
