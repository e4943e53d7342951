//! Serializes documents into Python objects.

use crate::keys::Keys;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};
use serde::ser::{
    Error, Impossible, Serialize, SerializeMap, SerializeSeq, SerializeTuple, Serializer,
};
use std::cell::RefCell;
use std::fmt;

type Object<'py> = Bound<'py, PyAny>;

/// Builds the objects of a document.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    document: &(impl Serialize + ?Sized),
) -> PyResult<Object<'py>> {
    let keys = RefCell::new(Keys::take());
    let object = document.serialize(ToPython { py, keys: &keys });
    keys.into_inner().put_back();
    object.map_err(|Failed(error)| error)
}

/// An exception of Python.
#[derive(Debug)]
struct Failed(PyErr);

impl From<PyErr> for Failed {
    fn from(error: PyErr) -> Self {
        Self(error)
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Failed {}

impl Error for Failed {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(pyo3::exceptions::PyRuntimeError::new_err(message.to_string()))
    }
}

#[derive(Clone, Copy)]
struct ToPython<'k, 'py> {
    py: Python<'py>,
    keys: &'k RefCell<Keys>,
}

impl<'py> ToPython<'_, 'py> {
    fn text(self, text: &str) -> Result<Object<'py>, Failed> {
        Ok(PyString::new(self.py, text).into_any())
    }

    /// Returns the string for a key. Reuses an earlier string if possible.
    fn key(self, text: &str) -> Result<Bound<'py, PyString>, Failed> {
        let make = || Ok(PyString::new(self.py, text));
        Ok(self.keys.borrow_mut().get(self.py, text.as_bytes(), make)?)
    }
}

struct Items<'k, 'py>(ToPython<'k, 'py>, Bound<'py, PyList>);

impl<'py> SerializeSeq for Items<'_, 'py> {
    type Ok = Object<'py>;
    type Error = Failed;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failed> {
        Ok(self.1.append(value.serialize(self.0)?)?)
    }

    fn end(self) -> Result<Object<'py>, Failed> {
        Ok(self.1.into_any())
    }
}

impl<'py> SerializeTuple for Items<'_, 'py> {
    type Ok = Object<'py>;
    type Error = Failed;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failed> {
        SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<Object<'py>, Failed> {
        SerializeSeq::end(self)
    }
}

struct Entries<'k, 'py> {
    to: ToPython<'k, 'py>,
    dict: Bound<'py, PyDict>,
    key: Option<Bound<'py, PyString>>,
}

impl<'py> SerializeMap for Entries<'_, 'py> {
    type Ok = Object<'py>;
    type Error = Failed;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Failed> {
        let key = key.serialize(self.to)?;
        let key = key.cast_into::<PyString>().map_err(PyErr::from)?;
        self.key = Some(self.to.key(key.to_str()?)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failed> {
        let value = value.serialize(self.to)?;
        let key = self.key.take().ok_or_else(|| Failed::custom("a value without a key"))?;
        Ok(self.dict.set_item(key, value)?)
    }

    fn serialize_entry<K: Serialize + ?Sized, T: Serialize + ?Sized>(
        &mut self,
        key: &K,
        value: &T,
    ) -> Result<(), Failed> {
        self.serialize_key(key)?;
        self.serialize_value(value)
    }

    fn end(self) -> Result<Object<'py>, Failed> {
        Ok(self.dict.into_any())
    }
}

/// Returns the `f64` that a parser reads from the shortest decimal form of `value`.
fn decimal(value: f32) -> f64 {
    let wide = f64::from(value);
    // For small multiples of a quarter, the shortest decimal form is exact.
    if wide.abs() < 1e6 && wide * 4.0 == (wide * 4.0).trunc() {
        return wide;
    }
    value.to_string().parse().unwrap_or(wide)
}

macro_rules! integers {
    ($($method:ident($T:ty))*) => {$(
        fn $method(self, value: $T) -> Result<Object<'py>, Failed> {
            Ok(PyInt::new(self.py, value).into_any())
        }
    )*};
}

/// Methods for types that no document contains.
macro_rules! never {
    ($($method:ident($($T:ty),*) -> $Ok:ty;)*) => {$(
        fn $method(self, $(_: $T),*) -> Result<$Ok, Failed> {
            Err(Failed::custom("a value that no document contains"))
        }
    )*};
}

type No<'py> = Impossible<Object<'py>, Failed>;

impl<'k, 'py> Serializer for ToPython<'k, 'py> {
    type Ok = Object<'py>;
    type Error = Failed;
    type SerializeSeq = Items<'k, 'py>;
    type SerializeTuple = Items<'k, 'py>;
    type SerializeTupleStruct = No<'py>;
    type SerializeTupleVariant = No<'py>;
    type SerializeMap = Entries<'k, 'py>;
    type SerializeStruct = No<'py>;
    type SerializeStructVariant = No<'py>;

    integers! {
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64)
    }

    never! {
        serialize_bytes(&[u8]) -> Object<'py>;
        serialize_unit_struct(&'static str) -> Object<'py>;
        serialize_tuple_struct(&'static str, usize) -> No<'py>;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> No<'py>;
        serialize_struct(&'static str, usize) -> No<'py>;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> No<'py>;
    }

    fn serialize_bool(self, value: bool) -> Result<Object<'py>, Failed> {
        Ok(PyBool::new(self.py, value).to_owned().into_any())
    }

    fn serialize_f32(self, value: f32) -> Result<Object<'py>, Failed> {
        self.serialize_f64(decimal(value))
    }

    fn serialize_f64(self, value: f64) -> Result<Object<'py>, Failed> {
        Ok(PyFloat::new(self.py, value).into_any())
    }

    fn serialize_char(self, value: char) -> Result<Object<'py>, Failed> {
        self.text(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, text: &str) -> Result<Object<'py>, Failed> {
        self.text(text)
    }

    fn serialize_none(self) -> Result<Object<'py>, Failed> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Object<'py>, Failed> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Object<'py>, Failed> {
        Ok(self.py.None().into_bound(self.py))
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
    ) -> Result<Object<'py>, Failed> {
        self.text(name)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Object<'py>, Failed> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Object<'py>, Failed> {
        Err(Failed::custom("a value that no document contains"))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'k, 'py>, Failed> {
        Ok(Items(self, PyList::empty(self.py)))
    }

    fn serialize_tuple(self, _: usize) -> Result<Items<'k, 'py>, Failed> {
        self.serialize_seq(None)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries<'k, 'py>, Failed> {
        Ok(Entries { to: self, dict: PyDict::new(self.py), key: None })
    }
}
