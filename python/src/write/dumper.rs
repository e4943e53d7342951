//! Encodes Python objects.

use super::Appender;
use super::items::{Items, Next, Open};
use crate::classes::leaves::{Callable, Image, InputEvent, NodePath, ObjectId, Rid, Signal};
use crate::classes::numbers::Numbers;
use crate::classes::vectors::{
    Aabb, Basis, Color, Plane, Projection, Quaternion, Rect2, Rect2i, Transform2D, Transform3D,
    Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};
use crate::error::Failure;
use crate::packed::{PackedStringArray, packed_of};
use crate::python::{Classes, with_bytes_of};
use crate::view::View;
use crate::wire::Wire;
use gamewire::godot::{StrRef, VariantRef};
use pyo3::buffer::PyBuffer;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyList, PyMemoryView, PyString, PyTuple,
};

pub(super) struct Dumper<'py> {
    pub py: Python<'py>,
    pub classes: &'static Classes,
    pub out: Appender,
    /// The containers around the next value. They are not kept on the stack of the thread, which may
    /// be small.
    pub open: Vec<Open<'py>>,
}

pub(super) type Done = Result<(), Failure>;

impl<'py> Dumper<'py> {
    pub(super) fn new(py: Python<'py>, out: Appender) -> PyResult<Self> {
        Ok(Self { py, classes: Classes::get(py)?, out, open: Vec::new() })
    }

    /// Appends a value with everything in it.
    pub(super) fn run(&mut self, object: &Bound<'py, PyAny>) -> Done {
        self.value(object)?;
        while let Some(open) = self.open.last_mut() {
            match open.next() {
                Next::Value(object) => self.value(&object)?,
                Next::Name(object) => self.name(&object)?,
                Next::End => {
                    open.finish()?;
                    self.open.pop();
                }
            }
        }
        Ok(())
    }

    /// Returns the path of the value that was written last.
    pub(super) fn path(&self) -> String {
        let segments: Vec<_> = self.open.iter().map(Open::segment).collect();
        segments.join("/")
    }

    /// Appends a value, or the start of a container, whose items follow.
    pub(super) fn value(&mut self, object: &Bound<'py, PyAny>) -> Done {
        if let Ok(text) = object.cast_exact::<PyString>() {
            return self.string(text);
        }
        if let Ok(int) = object.cast_exact::<PyInt>() {
            return self.int(int.as_any());
        }
        if let Ok(float) = object.cast_exact::<PyFloat>() {
            return Ok(self.out.writer().put(float.value())?);
        }
        if let Ok(dict) = object.cast_exact::<PyDict>() {
            return self.plain_dictionary(dict);
        }
        if let Ok(list) = object.cast_exact::<PyList>() {
            return self.array(list.len(), Items::List(list.iter()));
        }
        if let Ok(value) = object.cast_exact::<PyBool>() {
            return Ok(self.out.writer().put(value.is_true())?);
        }
        if object.is_none() {
            return Ok(self.out.writer().put(VariantRef::Nil)?);
        }
        if object.get_type().is(self.classes.string_name.bind(self.py)) {
            return self.string_name(object);
        }
        if let Some(result) = self.leaf(object) {
            return result;
        }
        self.other(object)
    }

    #[inline]
    fn string(&mut self, text: &Bound<'py, PyString>) -> Done {
        let out = &mut self.out;
        let put = |text: &[u8]| out.writer().put(VariantRef::String(StrRef::new(text)));
        written(self.py, with_bytes_of(text, put))
    }

    fn string_name(&mut self, object: &Bound<'py, PyAny>) -> Done {
        if let Ok(wire) = object.getattr(intern!(self.py, "_wire"))?.cast::<Wire>() {
            return Ok(self.out.kept(&wire.get().0)?);
        }
        let text = object.cast::<PyString>().map_err(PyErr::from)?;
        let out = &mut self.out;
        let put = |text: &[u8]| out.writer().put(VariantRef::StringName(StrRef::new(text)));
        written(self.py, with_bytes_of(text, put))
    }

    #[inline]
    fn int(&mut self, int: &Bound<'py, PyAny>) -> Done {
        match int.extract::<i64>() {
            Ok(value) => Ok(self.out.writer().put(value)?),
            Err(_) => {
                let message = "the integer does not fit in 64 bits".to_owned();
                Err(Failure::Value("IntTooLarge", message))
            }
        }
    }

    /// Appends an object of a value class.
    fn leaf(&mut self, object: &Bound<'py, PyAny>) -> Option<Done> {
        macro_rules! numbers {
            ($($Class:ident)*) => {$(
                if let Ok(value) = object.cast_exact::<$Class>() {
                    return Some(value.get().append(&mut self.out).map_err(Failure::from));
                }
            )*};
        }
        macro_rules! kept {
            ($($Class:ident)*) => {$(
                if let Ok(value) = object.cast_exact::<$Class>() {
                    return Some(self.out.kept(&value.get().0).map_err(Failure::from));
                }
            )*};
        }
        numbers! { Vector3 Vector2 Color Quaternion Transform3D Vector2i Vector3i Rect2 Rect2i
        Transform2D Vector4 Vector4i Plane Aabb Basis Projection }
        kept! { NodePath Rid ObjectId Callable Signal Image InputEvent }
        if let Some(array) = packed_of(object) {
            let bytes = array.encoded(self.py);
            return Some(self.out.value(bytes, array.dialect).map_err(Failure::from));
        }
        if let Ok(array) = object.cast_exact::<PackedStringArray>() {
            let array = array.get();
            let bytes = array.encoded(self.py);
            return Some(self.out.value(bytes, array.dialect).map_err(Failure::from));
        }
        if let Ok(view) = object.cast_exact::<View>() {
            let view = view.get();
            let bytes = view.encoded_bytes(self.py);
            return Some(self.out.value(bytes, view.dialect()).map_err(Failure::from));
        }
        None
    }

    /// Appends an object of a subclass of Python's types, or of another class.
    #[inline(never)]
    fn other(&mut self, object: &Bound<'py, PyAny>) -> Done {
        let classes = self.classes;
        let py = self.py;
        let is = |class: &Py<pyo3::types::PyType>| object.is_instance(class.bind(py));
        if is(&classes.key)? {
            return self.value(&object.getattr("value")?);
        }
        if is(&classes.object)? {
            return self.object(object);
        }
        if is(&classes.frozen_dictionary)? {
            let dict = object.getattr("_dict")?.cast_into::<PyDict>().map_err(PyErr::from)?;
            return self.typed_dictionary(object, &dict);
        }
        if self.scalar(object)? {
            return Ok(());
        }
        if let Ok(list) = object.cast::<PyList>() {
            return match is(&classes.array)? {
                true => self.typed_array(object, list.len(), Items::List(list.iter())),
                false => self.array(list.len(), Items::List(list.iter())),
            };
        }
        if let Ok(tuple) = object.cast::<PyTuple>() {
            return match is(&classes.frozen_array)? {
                true => self.typed_array(object, tuple.len(), Items::Tuple(tuple.iter())),
                false => self.array(tuple.len(), Items::Tuple(tuple.iter())),
            };
        }
        if let Ok(dict) = object.cast::<PyDict>() {
            return match is(&classes.dictionary)? {
                true => self.typed_dictionary(object, dict),
                false => self.plain_dictionary(dict),
            };
        }
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(self.out.writer().put(VariantRef::PackedByteArray(bytes.as_bytes()))?);
        }
        if object.is_instance_of::<PyByteArray>() || object.is_instance_of::<PyMemoryView>() {
            let bytes = PyBuffer::<u8>::get(object)?.to_vec(self.py)?;
            return Ok(self.out.writer().put(VariantRef::PackedByteArray(&bytes))?);
        }
        self.convertible(object)
    }

    /// Appends an object of a subclass of a scalar type. Returns `false` if it is none.
    fn scalar(&mut self, object: &Bound<'py, PyAny>) -> Result<bool, Failure> {
        let classes = self.classes;
        let py = self.py;
        let is = |class: &Py<pyo3::types::PyType>| object.is_instance(class.bind(py));
        let is_int = is(&classes.int)?;
        let is_float = is(&classes.float)?;
        let is_nil = is(&classes.nil)?;
        let is_bool = is(&classes.bool)?;
        if is(&classes.string_name)? {
            self.string_name(object)?;
            return Ok(true);
        }
        if is_int || is_float || is_nil || is_bool || is(&classes.string)? {
            let wire = object.getattr(intern!(self.py, "_wire"))?;
            if let Ok(wire) = wire.cast::<Wire>() {
                self.out.kept(&wire.get().0)?;
                return Ok(true);
            }
        }
        if is_nil {
            self.out.writer().put(VariantRef::Nil)?;
        } else if is_bool {
            self.out.writer().put(object.extract::<i64>()? != 0)?;
        } else if is_int || is_float {
            let wide = object.getattr("_wide")?.is_truthy()?;
            let mut writer = self.out.writer();
            writer.set_wide(wide);
            match is_int {
                true => writer.put(object.extract::<i64>()?)?,
                false => writer.put(object.extract::<f64>()?)?,
            }
        } else if let Ok(text) = object.cast::<PyString>() {
            self.string(text)?;
        } else if object.is_instance_of::<PyInt>() {
            self.int(object)?;
        } else if let Ok(float) = object.cast::<PyFloat>() {
            self.out.writer().put(float.value())?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Appends an object that converts itself to a number, such as a number of numpy.
    fn convertible(&mut self, object: &Bound<'py, PyAny>) -> Done {
        if let Ok(value) = object.extract::<bool>() {
            return Ok(self.out.writer().put(value)?);
        }
        if !object.hasattr("__len__")? {
            if let Ok(index) = object.call_method0("__index__") {
                return self.int(&index);
            }
            if let Ok(value) = object.extract::<f64>() {
                return Ok(self.out.writer().put(value)?);
            }
        }
        let name = object.get_type().qualname()?;
        Err(Failure::Value(
            "UnsupportedType",
            format!("a value of the class {name} has no encoding"),
        ))
    }
}

/// Converts the error of text that cannot be encoded.
#[inline]
fn written(py: Python<'_>, result: PyResult<Result<(), gamewire::godot::Error>>) -> Done {
    match result {
        Ok(result) => Ok(result?),
        Err(error) => Err(Failure::Value("BadText", error.value(py).to_string())),
    }
}
