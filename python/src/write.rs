//! Writing: the function `dumps`, and the bytes that it appends to.

mod containers;
mod dumper;
mod items;

use crate::error::{Failure, guarded};
use crate::input::Named;
use crate::wire::Kept;
use dumper::Dumper;
use gamewire::godot::frame::Framing;
use gamewire::godot::{Dialect, Error, Kind, Reader, Writer};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The bytes that were written so far.
pub(crate) struct Appender {
    bytes: Vec<u8>,
    dialect: Dialect,
    /// Number of pad bytes that the last value lacks. Readers accept a missing pad at the end of a
    /// packet only.
    missing_pad: usize,
}

impl Appender {
    fn new(dialect: Dialect) -> Self {
        Self { bytes: Vec::with_capacity(256), dialect, missing_pad: 0 }
    }

    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns a writer of the next value.
    #[inline]
    pub(crate) fn writer(&mut self) -> Writer<&mut Vec<u8>> {
        let dialect = self.dialect;
        Writer::new(self.next(), dialect)
    }

    /// Returns the bytes, to which the next value can be appended.
    #[inline]
    pub(crate) fn next(&mut self) -> &mut Vec<u8> {
        if self.missing_pad > 0 {
            self.bytes.resize(self.bytes.len() + self.missing_pad, 0);
            self.missing_pad = 0;
        }
        &mut self.bytes
    }

    /// Appends a value in the bytes that it had, or re-encoded if it had another dialect.
    pub(crate) fn kept(&mut self, kept: &Kept) -> Result<(), Error> {
        self.value(&kept.bytes, kept.dialect)
    }

    /// Appends an encoded value, unchanged if it has the right dialect.
    pub(crate) fn value(&mut self, bytes: &[u8], dialect: Dialect) -> Result<(), Error> {
        if dialect != self.dialect {
            let value = Reader::new(bytes, dialect).read()?;
            return self.writer().put(value);
        }
        self.next().extend_from_slice(bytes);
        if !bytes.len().is_multiple_of(4) {
            // A path in the old form has no pad, even if other values follow it.
            let kind = Reader::new(bytes, dialect).read()?.kind();
            let pad = bytes.len().next_multiple_of(4) - bytes.len();
            self.missing_pad = if kind == Kind::NodePath { 0 } else { pad };
        }
        Ok(())
    }
}

/// Writes a value. A value that `loads` returned is written in the bytes that were read, unless it
/// was changed or the dialect is another one.
///
/// `None`, `bool`, `int`, `float`, `str`, `list`, `tuple`, `dict` and `bytes` are written as an
/// engine writes null, bool, int, float, String, Array, Dictionary and PackedByteArray. If `frames`
/// is true, `value` is an iterable of values, and each is written with its length before it.
///
/// >>> from gamewire.godot import Vector3, dumps, loads
/// >>> packet = dumps({"name": "Ada", "position": Vector3(1, 2, 3)})
/// >>> loads(packet)
/// {'name': 'Ada', 'position': Vector3(1.0, 2.0, 3.0)}
#[pyfunction]
#[pyo3(signature = (value, dialect = Named(Dialect::Godot4), *, frames = false,
    big_endian = false), text_signature =
    "(value, dialect='godot4', *, frames=False, big_endian=False)")]
fn dumps<'py>(
    py: Python<'py>,
    value: &Bound<'py, PyAny>,
    dialect: Named,
    frames: bool,
    big_endian: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    guarded(py, || {
        let bytes = match frames {
            false => one(value, dialect.0)?,
            true => all(value, dialect.0, Framing { big_endian, max_len: u32::MAX })?,
        };
        Ok(PyBytes::new(py, &bytes))
    })
}

/// Encodes a value.
pub(crate) fn one(value: &Bound<'_, PyAny>, dialect: Dialect) -> PyResult<Vec<u8>> {
    let py = value.py();
    let mut dumper = Dumper::new(py, Appender::new(dialect))?;
    if let Err(failure) = dumper.run(value) {
        return Err(failure.writing_at(py, dumper.path()));
    }
    Ok(dumper.out.bytes)
}

/// Encodes values with a length before each.
fn all(values: &Bound<'_, PyAny>, dialect: Dialect, framing: Framing) -> PyResult<Vec<u8>> {
    let mut bytes = Vec::new();
    for value in values.try_iter()? {
        let packet = one(&value?, dialect)?;
        let prefix = framing.prefix(packet.len());
        let prefix = prefix.map_err(|error| Failure::Format(error).writing(values.py()))?;
        bytes.extend_from_slice(&prefix);
        bytes.extend_from_slice(&packet);
    }
    Ok(bytes)
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(dumps, module)?)
}
