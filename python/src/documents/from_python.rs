//! Reads documents from Python objects.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde::de::{
    DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use std::fmt::{self, Display};

/// Maximum number of lists and dictionaries around a value. The documents of files are never nested
/// as deeply.
const DEPTH: u32 = 400;

/// The reason why a file cannot be written from a document.
#[derive(Debug)]
pub(crate) enum Fault {
    /// A message, and the segments of the path to the value, the innermost first.
    Document(String, Vec<String>),
    /// An exception of Python.
    Python(PyErr),
}

impl Fault {
    /// Adds a segment to the path.
    fn within(mut self, segment: impl FnOnce() -> String) -> Self {
        if let Self::Document(_, path) = &mut self {
            path.push(segment());
        }
        self
    }

    /// Returns the exception.
    pub(crate) fn raise(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Python(error) => error,
            Self::Document(message, mut path) => {
                path.reverse();
                let path = Some(path.join("/"));
                crate::error::raise(py, &message, "BadDocument".into(), None, path)
            }
        }
    }
}

impl From<PyErr> for Fault {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Document(message, _) => f.write_str(message),
            Self::Python(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Fault {}

impl Error for Fault {
    fn custom<T: Display>(message: T) -> Self {
        Self::Document(message.to_string(), Vec::new())
    }
}

/// A deserializer of a Python object.
#[derive(Clone, Copy)]
pub(crate) struct FromPython<'o, 'py> {
    object: &'o Bound<'py, PyAny>,
    depth: u32,
}

impl<'o, 'py> FromPython<'o, 'py> {
    pub(crate) fn new(object: &'o Bound<'py, PyAny>) -> Self {
        Self { object, depth: DEPTH }
    }

    /// Returns the remaining depth for the contents of this container.
    fn inner(self) -> Result<u32, Fault> {
        self.depth.checked_sub(1).ok_or_else(|| Fault::custom("the document is nested too deeply"))
    }

    fn text<'de, V: Visitor<'de>>(
        text: &Bound<'_, PyString>,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match text.to_str() {
            Ok(text) => visitor.visit_str(text),
            Err(_) => Err(Fault::custom("the string has a lone surrogate")),
        }
    }

    fn number<'de, V: Visitor<'de>>(
        number: &Bound<'_, PyAny>,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        if let Ok(value) = number.extract::<u64>() {
            return visitor.visit_u64(value);
        }
        match number.extract::<i64>() {
            Ok(value) => visitor.visit_i64(value),
            Err(_) => Err(Fault::custom("the integer does not fit in 64 bits")),
        }
    }

    /// Reads a float. In a document, infinities and NaN are strings.
    fn float<'de, V: Visitor<'de>>(value: f64, visitor: V) -> Result<V::Value, Fault> {
        match value.is_finite() {
            true => visitor.visit_f64(value),
            false => visitor.visit_str(&value.to_string()),
        }
    }
}

impl<'de> Deserializer<'de> for FromPython<'_, '_> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let object = self.object;
        if let Ok(dict) = object.cast::<PyDict>() {
            return visitor.visit_map(Members::new(dict, self.inner()?));
        }
        if let Ok(text) = object.cast::<PyString>() {
            return Self::text(text, visitor);
        }
        if let Ok(value) = object.cast::<PyBool>() {
            return visitor.visit_bool(value.is_true());
        }
        if object.is_instance_of::<PyInt>() {
            return Self::number(object, visitor);
        }
        if let Ok(value) = object.cast::<PyFloat>() {
            return Self::float(value.value(), visitor);
        }
        if let Ok(list) = object.cast::<PyList>() {
            return visitor.visit_seq(Elements { list, next: 0, depth: self.inner()? });
        }
        if object.is_none() {
            return visitor.visit_unit();
        }
        if let Ok(tuple) = object.cast::<PyTuple>() {
            let list = &tuple.to_list();
            return visitor.visit_seq(Elements { list, next: 0, depth: self.inner()? });
        }
        // The object can be a bool or a number of numpy.
        if let Ok(value) = object.extract::<bool>() {
            return visitor.visit_bool(value);
        }
        if object.extract::<i64>().is_ok() {
            return Self::number(object, visitor);
        }
        if let Ok(value) = object.extract::<f64>() {
            return Self::float(value, visitor);
        }
        let name = object.get_type().qualname()?;
        Err(Fault::custom(format_args!("a document cannot contain a value of the class {name}")))
    }

    /// Reads a string with unpaired surrogates as UTF-8 in which they are encoded like other
    /// characters.
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.object.cast::<PyString>() {
            Ok(text) if text.to_str().is_err() => {
                let encoded = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
                visitor.visit_bytes(encoded.cast::<PyBytes>().map_err(PyErr::from)?.as_bytes())
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.object.is_none() {
            true => visitor.visit_none(),
            false => visitor.visit_some(self),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let text = self.object.cast::<PyString>().map_err(PyErr::from)?;
        visitor.visit_enum(text.to_str()?.into_deserializer())
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string byte_buf
        unit unit_struct seq tuple tuple_struct map struct identifier
    }
}

/// The elements of a list.
struct Elements<'o, 'py> {
    list: &'o Bound<'py, PyList>,
    next: usize,
    depth: u32,
}

impl<'de> SeqAccess<'de> for Elements<'_, '_> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Fault> {
        let index = self.next;
        if index >= self.list.len() {
            return Ok(None);
        }
        self.next += 1;
        let object = &self.list.get_item(index)?;
        let value = seed.deserialize(FromPython { object, depth: self.depth });
        value.map(Some).map_err(|fault| fault.within(|| index.to_string()))
    }
}

/// The members of a dictionary. `value` comes last, because the other members determine how it is
/// written, and a script may have added the members in any order.
struct Members<'py> {
    items: std::vec::IntoIter<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
    value: Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
    depth: u32,
}

impl<'py> Members<'py> {
    fn new(dict: &Bound<'py, PyDict>, depth: u32) -> Self {
        let mut items: Vec<_> = dict.iter().collect();
        let last = items.len().saturating_sub(1);
        let is_value = |key: &Bound<'_, PyAny>| {
            key.cast::<PyString>().is_ok_and(|key| key.to_str().is_ok_and(|key| key == "value"))
        };
        if let Some(at) = items.iter().position(|(key, _)| is_value(key)).filter(|at| *at < last) {
            let value = items.remove(at);
            items.push(value);
        }
        Self { items: items.into_iter(), value: None, depth }
    }
}

impl<'de> MapAccess<'de> for Members<'_> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        let Some((key, value)) = self.items.next() else { return Ok(None) };
        if !key.is_instance_of::<PyString>() {
            return Err(Fault::custom("the keys of a document must be strings"));
        }
        let read = seed.deserialize(FromPython { object: &key, depth: self.depth });
        self.value = Some((key, value));
        read.map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let (key, object) =
            self.value.take().ok_or_else(|| Fault::custom("a value without a key"))?;
        let value = seed.deserialize(FromPython { object: &object, depth: self.depth });
        value.map_err(|fault| fault.within(|| key.to_string()))
    }
}
