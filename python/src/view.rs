//! The class `View`, which decodes only what a script asks for.

use crate::error::{Failure, guarded, raise};
use crate::input::{Named, bytes_of, detached};
use crate::read::load_part;
use crate::write;
use gamewire::godot::path::Found;
use gamewire::godot::{Dialect, Encoded, ObjectRef, Reader, VariantRef, Writer};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyIterator, PyList, PyString};
use std::ops::Range;

/// A value in a packet. Creating it checks the whole packet; after that, only what is asked for is
/// decoded.
///
/// >>> from gamewire.godot import View, dumps
/// >>> view = View(dumps({"players": {"p0": {"hp": 90, "path": [1, 2, 3]}}}))
/// >>> view["players"]["p0"]["hp"].value()
/// 90
/// >>> view.at("players/p0/path/-1").value()
/// 3
/// >>> len(view["players"]["p0"]["path"]), view["players"].kind, list(view)
/// (3, 'Dictionary', ['players'])
#[pyclass(frozen, mapping, module = "gamewire.godot")]
pub(crate) struct View {
    bytes: Py<PyBytes>,
    /// The range of the value in the bytes.
    range: Range<usize>,
    dialect: Dialect,
    /// The value with a header, for a part of a value that has none, such as a component of a
    /// vector.
    part: Option<Box<[u8]>>,
}

impl View {
    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns the bytes of the value, with a header.
    pub(crate) fn encoded_bytes<'a>(&'a self, py: Python<'_>) -> &'a [u8] {
        match &self.part {
            Some(part) => part,
            None => self.bytes.as_bytes(py).get(self.range.clone()).unwrap_or_default(),
        }
    }

    fn encoded<'a>(&'a self, py: Python<'_>) -> PyResult<Encoded<'a>> {
        let bytes = self.encoded_bytes(py);
        let encoded = Reader::new(bytes, self.dialect).read_encoded();
        encoded.map_err(|error| Failure::Format(error).writing(py))
    }

    /// Returns the view of a value inside this one.
    fn child(&self, py: Python<'_>, bytes: &[u8], part: Option<Box<[u8]>>) -> Self {
        let within = |outer: &[u8]| {
            let start = bytes.as_ptr().addr().checked_sub(outer.as_ptr().addr())?;
            let end = start.checked_add(bytes.len())?;
            (end <= outer.len()).then_some(start..end)
        };
        let range = match &self.part {
            None => within(self.bytes.as_bytes(py)),
            // In the input, this view lacks the header that its part has.
            Some(part) => within(part.get(4..).unwrap_or_default())
                .map(|range| self.range.start + range.start..self.range.start + range.end),
        };
        let range = range.unwrap_or(self.range.clone());
        Self { bytes: self.bytes.clone_ref(py), range, dialect: self.dialect, part }
    }

    fn found(&self, py: Python<'_>, found: Found<'_>) -> PyResult<Self> {
        let part = match found.encoded() {
            Some(_) => None,
            None => {
                let mut part = Vec::new();
                let written = Writer::new(&mut part, self.dialect).put(found.value());
                written.map_err(|error| Failure::Format(error).writing(py))?;
                Some(part.into_boxed_slice())
            }
        };
        Ok(self.child(py, found.bytes(), part))
    }

    /// Returns the last value of a dictionary whose key has the same encoding as `key`.
    fn by_key(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let py = key.py();
        let bytes = write::one(key, self.dialect)?;
        let encoded = self.encoded(py)?;
        let VariantRef::Dictionary(dictionary) = encoded.decode() else { return Ok(None) };
        let pairs = dictionary.iter().encoded();
        let pair = pairs.filter(|(key, _)| key.as_bytes() == bytes).last();
        Ok(pair.map(|(_, value)| self.child(py, value.as_bytes(), None)))
    }

    fn lookup(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let py = key.py();
        let path = if let Ok(name) = key.cast::<PyString>() {
            let Ok(name) = name.to_str() else { return self.by_key(key) };
            quoted(name)
        } else if key.is_exact_instance_of::<PyInt>() {
            key.str()?.to_string()
        } else {
            return self.by_key(key);
        };
        match self.encoded(py)?.find(&path) {
            Ok(found) => self.found(py, found).map(Some),
            Err(_) => Ok(None),
        }
    }

    /// Returns the keys of a dictionary as objects, or the names of the properties of an object,
    /// each with the view of its value.
    fn pairs<'py>(&self, py: Python<'py>) -> PyResult<Vec<(Bound<'py, PyAny>, Self)>> {
        let object = |encoded: Encoded<'_>| {
            let view = self.child(py, encoded.as_bytes(), None);
            load_part(self.bytes.bind(py), view.range, self.dialect, true)
        };
        let value = |encoded: Encoded<'_>| self.child(py, encoded.as_bytes(), None);
        match self.encoded(py)?.decode() {
            VariantRef::Dictionary(pairs) => {
                pairs.iter().encoded().map(|(key, of)| Ok((object(key)?, value(of)))).collect()
            }
            VariantRef::Object(ObjectRef::Full(full)) => full
                .properties()
                .encoded()
                .map(|(name, of)| {
                    let name = crate::python::text(py, name.as_bytes())?;
                    Ok((name.into_any(), value(of)))
                })
                .collect(),
            other => Err(PyTypeError::new_err(format!("{:?} has no keys", other.kind()))),
        }
    }

    /// Returns the views of the elements of an array.
    fn elements(&self, py: Python<'_>) -> PyResult<Option<Vec<Self>>> {
        let encoded = self.encoded(py)?;
        match encoded.decode() {
            VariantRef::Array(array) => {
                let items = array.iter().encoded();
                Ok(Some(items.map(|item| self.child(py, item.as_bytes(), None)).collect()))
            }
            _ => Ok(None),
        }
    }
}

#[pymethods]
impl View {
    #[new]
    #[pyo3(signature = (data, dialect = Named(Dialect::Godot4)), text_signature = "(data, dialect='godot4')")]
    fn new(py: Python<'_>, data: &Bound<'_, PyAny>, dialect: Named) -> PyResult<Self> {
        guarded(py, || {
            let (input, dialect) = (bytes_of(data)?, dialect.0);
            let bytes = input.as_bytes();
            let checked = detached(py, bytes, || {
                let mut reader = Reader::new(bytes, dialect);
                reader.skip().and_then(|()| reader.finish())
            });
            checked.map_err(|error| Failure::Format(error).reading(py, bytes, 0, dialect))?;
            let range = 0..bytes.len();
            Ok(Self { bytes: input.unbind(), range, dialect, part: None })
        })
    }

    /// The name of the type in the dialect, such as `Dictionary`.
    #[getter]
    fn kind(&self, py: Python<'_>) -> PyResult<&'static str> {
        let kind = self.encoded(py)?.kind();
        Ok(self.dialect.type_name(kind).unwrap_or_default())
    }

    /// The bytes of the value. A component of a vector and an element of a packed array have no
    /// header.
    #[getter]
    fn raw<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let input = self.bytes.as_bytes(py);
        PyBytes::new(py, input.get(self.range.clone()).unwrap_or_default())
    }

    /// The offset of the value in the packet.
    #[getter]
    fn offset(&self) -> usize {
        self.range.start
    }

    /// Returns the value as `loads` does.
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guarded(py, || match &self.part {
            Some(part) => load_part(&PyBytes::new(py, part), 0..part.len(), self.dialect, false),
            None => load_part(self.bytes.bind(py), self.range.clone(), self.dialect, false),
        })
    }

    /// Returns the view of the value at a path, such as `players/0/position/x`. The paths are those
    /// of the command `gamewire get`.
    fn at(&self, py: Python<'_>, path: &str) -> PyResult<Self> {
        guarded(py, || match self.encoded(py)?.find(path) {
            Ok(found) => self.found(py, found),
            Err(error) => {
                let (message, offset) = (error.to_string(), self.range.start as u64);
                let path = Some(path.to_owned());
                Err(raise(py, &message, "NoSuchPath".into(), Some(offset), path))
            }
        })
    }

    fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Self> {
        guarded(py, || match self.lookup(key)? {
            Some(view) => Ok(view),
            None if matches!(self.encoded(py)?.decode(), VariantRef::Array(_)) => {
                Err(PyIndexError::new_err(key.clone().unbind()))
            }
            None => Err(PyKeyError::new_err(key.clone().unbind())),
        })
    }

    /// Returns the view of the value with this key or index, or `default`.
    #[pyo3(signature = (key, default = None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        key: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        guarded(py, || match self.lookup(key)? {
            Some(view) => Ok(Bound::new(py, view)?.into_any()),
            None => Ok(default.unwrap_or_else(|| py.None().into_bound(py))),
        })
    }

    fn __contains__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        guarded(py, || Ok(self.lookup(key)?.is_some()))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        guarded(py, || match self.encoded(py)?.decode() {
            VariantRef::Dictionary(dictionary) => Ok(dictionary.len()),
            VariantRef::Array(array) => Ok(array.len()),
            VariantRef::Object(ObjectRef::Full(object)) => Ok(object.len()),
            _ => self.value(py)?.len(),
        })
    }

    fn __bool__(&self) -> bool {
        true
    }

    /// Iterates over the keys of a dictionary, the names of the properties of an object, the views
    /// of the elements of an array, or the elements of another value.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        guarded(py, || match self.encoded(py)?.decode() {
            VariantRef::Dictionary(_) | VariantRef::Object(ObjectRef::Full(_)) => {
                self.keys(py)?.try_iter()
            }
            VariantRef::Array(_) => {
                PyList::new(py, self.elements(py)?.unwrap_or_default())?.try_iter()
            }
            _ => self.value(py)?.try_iter(),
        })
    }

    /// Returns the keys of a dictionary, or the names of the properties of an object.
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        guarded(py, || PyList::new(py, self.pairs(py)?.into_iter().map(|(key, _)| key)))
    }

    /// Returns the views of the values of a dictionary, an object or an array.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        guarded(py, || match self.elements(py)? {
            Some(elements) => PyList::new(py, elements),
            None => PyList::new(py, self.pairs(py)?.into_iter().map(|(_, value)| value)),
        })
    }

    /// Returns the keys of a dictionary or object with the views of their values.
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        guarded(py, || PyList::new(py, self.pairs(py)?))
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.raw(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (kind, len) = (self.kind(py)?, self.range.len());
        Ok(format!("<View of {kind}: {len} bytes at offset {}>", self.range.start))
    }
}

/// Returns the segment of a path for a name.
fn quoted(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !name.is_empty()
        && name.chars().all(is_plain)
        && !name.starts_with(|c: char| c.is_ascii_digit())
    {
        return name.to_owned();
    }
    let mut out = String::from("\"");
    for c in name.chars() {
        if matches!(c, '"' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
    out
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<View>()
}
