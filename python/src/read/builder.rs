//! The visitor that builds Python objects.
//!
//! Finished objects wait on one stack until their container closes. The container then takes them
//! all, so a list is made with its length, and a dictionary whose keys collide still has all pairs.
//!
//! Most values become plain objects. Where `dumps` would not write the same bytes for the plain
//! object, a subclass keeps the bytes in a `Wire`.

use crate::classes::leaves::{Callable, Image, InputEvent, NodePath, ObjectId, Rid, Signal};
use crate::classes::vectors;
use crate::error::Failure;
use crate::keys::Keys;
use crate::packed;
use crate::python::{Classes, text};
use crate::wire::{Kept, Wire};
use gamewire::godot::{
    Container, Dialect, Kind, Leaf, ObjectRef, Open, Property, Real, RealLayout, Role, StrRef,
    TypeRef, VariantRef, Visitor,
};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

type Object<'py> = Bound<'py, PyAny>;

/// The header bit of numbers in 64 bits.
const WIDE: u32 = 1 << 16;

pub(crate) struct Builder<'i, 'k, 'a, 'py> {
    py: Python<'py>,
    classes: &'static Classes,
    /// The input, whose memory packed arrays share.
    input: &'i Bound<'py, PyBytes>,
    dialect: Dialect,
    keys: &'k mut Keys,
    values: Vec<Object<'py>>,
    frames: Vec<Frame<'a>>,
    /// `true` if the outermost value is a key.
    frozen: bool,
}

/// An open container.
struct Frame<'a> {
    /// Index of its first item on the stack of values.
    start: usize,
    /// `true` for a key and for everything in it, which Python must be able to hash.
    frozen: bool,
    container: Container<'a>,
    head: &'a [u8],
}

impl<'i, 'k, 'py> Builder<'i, 'k, '_, 'py> {
    pub(crate) fn new(
        input: &'i Bound<'py, PyBytes>,
        dialect: Dialect,
        keys: &'k mut Keys,
        frozen: bool,
    ) -> PyResult<Self> {
        let py = input.py();
        let (values, frames) = (Vec::new(), Vec::new());
        Ok(Self { py, classes: Classes::get(py)?, input, dialect, keys, values, frames, frozen })
    }

    /// Returns the outermost value.
    pub(crate) fn finish(mut self) -> PyResult<Object<'py>> {
        self.values.pop().ok_or_else(|| pyo3::exceptions::PyRuntimeError::new_err("no value"))
    }

    /// Returns the entire header of a value that needs no flags.
    fn header(&self, kind: Kind) -> u32 {
        self.dialect.id(kind).map_or(u32::MAX, u32::from)
    }

    #[cold]
    fn wire(&self, bytes: &[u8]) -> PyResult<Bound<'py, Wire>> {
        Bound::new(self.py, Wire(Kept::new(self.dialect, bytes)))
    }

    fn kept(&self, leaf: &Leaf<'_>) -> Kept {
        Kept::new(self.dialect, leaf.encoded.as_bytes())
    }

    /// Makes an object of a class that is defined in Python, with the bytes of the value.
    #[cold]
    fn unusual(
        &self,
        class: &Py<pyo3::types::PyType>,
        value: Object<'py>,
        bytes: &[u8],
    ) -> PyResult<Object<'py>> {
        class.bind(self.py).call_method1("_make", (value, self.wire(bytes)?))
    }

    fn int(&self, value: i64, leaf: &Leaf<'_>) -> PyResult<Object<'py>> {
        let object = PyInt::new(self.py, value).into_any();
        let id = self.header(Kind::Int);
        let is_narrow = i32::try_from(value).is_ok();
        let header = if is_narrow { id } else { id | WIDE };
        if leaf.encoded.header() == header {
            return Ok(object);
        }
        self.unusual(&self.classes.int, object, leaf.encoded.as_bytes())
    }

    fn float(&self, value: f64, leaf: &Leaf<'_>) -> PyResult<Object<'py>> {
        let object = PyFloat::new(self.py, value).into_any();
        let id = self.header(Kind::Float);
        // A NaN takes 64 bits, and its bits stay in the Python object.
        let is_narrow = f64::from(value as f32) == value;
        let header = if is_narrow { id } else { id | WIDE };
        if leaf.encoded.header() == header {
            return Ok(object);
        }
        self.unusual(&self.classes.float, object, leaf.encoded.as_bytes())
    }

    fn string(&mut self, text: StrRef<'_>, leaf: &Leaf<'_>) -> PyResult<Object<'py>> {
        let object = match leaf.role {
            Role::Key => self.name(text.as_bytes())?,
            _ => crate::python::text(self.py, text.as_bytes())?,
        };
        let bytes = leaf.encoded.as_bytes();
        if is_plain_text(bytes, text.as_bytes(), self.header(Kind::String)) {
            return Ok(object.into_any());
        }
        self.unusual(&self.classes.string, object.into_any(), bytes)
    }

    fn string_name(&mut self, text: StrRef<'_>, leaf: &Leaf<'_>) -> PyResult<Object<'py>> {
        let object = self.name(text.as_bytes())?.into_any();
        let bytes = leaf.encoded.as_bytes();
        if is_plain_text(bytes, text.as_bytes(), self.header(Kind::StringName)) {
            return self.classes.string_name.bind(self.py).call1((object,));
        }
        self.unusual(&self.classes.string_name, object, bytes)
    }

    /// Returns a string that is likely to occur again.
    fn name(&mut self, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
        let py = self.py;
        self.keys.get(py, bytes, || text(py, bytes))
    }

    /// Returns the parts of a vector, whether they are doubles, and its bytes if its object does
    /// not determine them.
    fn reals<L: RealLayout>(
        &self,
        real: Real<'_, L>,
        leaf: &Leaf<'_>,
    ) -> (L::Parts, bool, Option<Box<Kept>>) {
        let double = real.is_double();
        let parts = real.get().parts();
        let flag = if double && L::FLAGGED && self.dialect == Dialect::Godot4 { WIDE } else { 0 };
        let is_plain = leaf.encoded.header() == self.header(leaf.value.kind()) | flag
            && !parts.as_ref().iter().any(|part| part.is_nan());
        (parts, double, (!is_plain).then(|| Box::new(self.kept(leaf))))
    }

    fn ints<const N: usize>(
        &self,
        parts: [i32; N],
        leaf: &Leaf<'_>,
    ) -> ([f64; N], bool, Option<Box<Kept>>) {
        let is_plain = leaf.encoded.header() == self.header(leaf.value.kind());
        (parts.map(f64::from), false, (!is_plain).then(|| Box::new(self.kept(leaf))))
    }

    /// Builds any leaf but the most common ones.
    #[inline(never)]
    fn other(&mut self, leaf: &Leaf<'_>) -> PyResult<Object<'py>> {
        macro_rules! reals {
            ($real:expr, $Class:ident) => {{
                let (parts, double, kept) = self.reals($real, leaf);
                vectors::$Class::from_packet(self.py, parts, double, kept)
            }};
        }
        macro_rules! ints {
            ([$($part:expr),*], $Class:ident) => {{
                let (parts, double, kept) = self.ints([$($part),*], leaf);
                vectors::$Class::from_packet(self.py, parts, double, kept)
            }};
        }
        macro_rules! bytes {
            ($Class:ident) => {
                Ok(Bound::new(self.py, $Class(self.kept(leaf)))?.into_any())
            };
        }
        match leaf.value {
            VariantRef::Vector2(real) => reals!(real, Vector2),
            VariantRef::Rect2(real) => reals!(real, Rect2),
            VariantRef::Vector3(real) => reals!(real, Vector3),
            VariantRef::Transform2D(real) => reals!(real, Transform2D),
            VariantRef::Vector4(real) => reals!(real, Vector4),
            VariantRef::Plane(real) => reals!(real, Plane),
            VariantRef::Quaternion(real) => reals!(real, Quaternion),
            VariantRef::Aabb(real) => reals!(real, Aabb),
            VariantRef::Basis(real) => reals!(real, Basis),
            VariantRef::Transform3D(real) => reals!(real, Transform3D),
            VariantRef::Projection(real) => reals!(real, Projection),
            VariantRef::Color(real) => reals!(real, Color),
            VariantRef::Vector2i(v) => ints!([v.x, v.y], Vector2i),
            VariantRef::Rect2i(r) => {
                ints!([r.position.x, r.position.y, r.size.x, r.size.y], Rect2i)
            }
            VariantRef::Vector3i(v) => ints!([v.x, v.y, v.z], Vector3i),
            VariantRef::Vector4i(v) => ints!([v.x, v.y, v.z, v.w], Vector4i),
            VariantRef::StringName(text) => self.string_name(text, leaf),
            VariantRef::NodePath(_) => bytes!(NodePath),
            VariantRef::Rid(_) => bytes!(Rid),
            VariantRef::Object(ObjectRef::Id(_)) => bytes!(ObjectId),
            VariantRef::Callable => bytes!(Callable),
            VariantRef::Signal(_) => bytes!(Signal),
            VariantRef::Image(_) => bytes!(Image),
            VariantRef::InputEvent(_) => bytes!(InputEvent),
            VariantRef::Object(_) => self.nil(leaf),
            _ => packed::from_packet(self.input, leaf, self.dialect),
        }
    }

    #[cold]
    fn nil(&self, leaf: &Leaf<'_>) -> PyResult<Object<'py>> {
        let none = self.py.None().into_bound(self.py);
        self.unusual(&self.classes.nil, none, leaf.encoded.as_bytes())
    }

    #[inline]
    fn object(&mut self, leaf: &Leaf<'_>) -> PyResult<Object<'py>> {
        match leaf.value {
            VariantRef::String(text) => self.string(text, leaf),
            VariantRef::Int(value) => self.int(value, leaf),
            VariantRef::Float(value) => self.float(value, leaf),
            VariantRef::Bool(value) => {
                let bytes = leaf.encoded.as_bytes();
                let object = PyBool::new(self.py, value).to_owned().into_any();
                let header = self.header(Kind::Bool).to_le_bytes();
                match bytes.as_chunks() {
                    ([head, [0 | 1, 0, 0, 0]], []) if *head == header => Ok(object),
                    _ => self.unusual(&self.classes.bool, object, bytes),
                }
            }
            VariantRef::Nil if leaf.encoded.header() == self.header(Kind::Nil) => {
                Ok(self.py.None().into_bound(self.py))
            }
            VariantRef::Nil => self.nil(leaf),
            _ => self.other(leaf),
        }
    }

    fn array(&mut self, frame: &Frame<'_>) -> PyResult<Object<'py>> {
        let py = self.py;
        let items = self.values.drain(frame.start..);
        let (items, class) = match frame.frozen {
            true => (PyTuple::new(py, items)?.into_any(), &self.classes.frozen_array),
            false => (PyList::new(py, items)?.into_any(), &self.classes.array),
        };
        if self.has_plain_head(frame, Kind::Array) {
            return Ok(items);
        }
        let Container::Array { element, shared, .. } = frame.container else { return Ok(items) };
        let types = (self.type_name(element)?, shared, self.wire(frame.head)?);
        class.bind(py).call_method1("_make", (items, types.0, types.1, types.2))
    }

    fn dictionary(&mut self, frame: &Frame<'_>) -> PyResult<Object<'py>> {
        let py = self.py;
        let pairs = self.pairs(frame.start)?.into_any();
        if self.has_plain_head(frame, Kind::Dictionary) && !frame.frozen {
            return Ok(pairs);
        }
        let Container::Dictionary { key, value, shared, .. } = frame.container else {
            return Ok(pairs);
        };
        let wire = match self.has_plain_head(frame, Kind::Dictionary) {
            true => None,
            false => Some(self.wire(frame.head)?),
        };
        let class = match frame.frozen {
            true => &self.classes.frozen_dictionary,
            false => &self.classes.dictionary,
        };
        let (key, value) = (self.type_name(key)?, self.type_name(value)?);
        class.bind(py).call_method1("_make", (pairs, key, value, shared, wire))
    }

    fn full_object(&mut self, frame: &Frame<'_>, class: StrRef<'_>) -> PyResult<Object<'py>> {
        let properties = self.pairs(frame.start)?;
        let id = self.header(Kind::Object);
        let text_end = frame.head.len().saturating_sub(4);
        let (before, count) = frame.head.split_at(text_end);
        let is_plain = is_plain_text(before, class.as_bytes(), id)
            && std::str::from_utf8(class.as_bytes()).is_ok()
            && count == frame.container.len().to_le_bytes();
        let wire = if is_plain { None } else { Some(self.wire(frame.head)?) };
        let name = self.name(class.as_bytes())?;
        self.classes.object.bind(self.py).call_method1("_make", (name, properties, wire))
    }

    /// Takes the pairs from the stack of values.
    fn pairs(&mut self, start: usize) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(self.py);
        let items = self.values.get(start..).unwrap_or_default();
        let (pairs, _) = items.as_chunks::<2>();
        for [key, value] in pairs {
            dict.set_item(key, value)?;
        }
        if dict.len() != pairs.len() {
            return self.colliding_pairs(start);
        }
        self.values.truncate(start);
        Ok(dict)
    }

    /// Takes the pairs if Python holds some of their keys equal, such as 1, 1.0 and `True`. The
    /// last of these keys stays as it is, since an engine keeps the value of the last of several
    /// equal keys. The others are wrapped.
    #[cold]
    fn colliding_pairs(&mut self, start: usize) -> PyResult<Bound<'py, PyDict>> {
        let later = PyDict::new(self.py);
        let key_class = self.classes.key.bind(self.py);
        let items = self.values.get_mut(start..).unwrap_or_default();
        let (pairs, _) = items.as_chunks_mut::<2>();
        for [key, _] in pairs.iter_mut().rev() {
            let number = match later.get_item(&*key)? {
                Some(number) => number.extract::<u64>()? + 1,
                None => 0,
            };
            later.set_item(&*key, number)?;
            if number > 0 {
                *key = key_class.call1((&*key, number))?;
            }
        }
        let dict = PyDict::new(self.py);
        for [key, value] in pairs {
            dict.set_item(&*key, &*value)?;
        }
        self.values.truncate(start);
        Ok(dict)
    }

    /// Returns `true` if the head of a container has no types and no flags.
    fn has_plain_head(&self, frame: &Frame<'_>, kind: Kind) -> bool {
        let (words, _) = frame.head.as_chunks();
        let header = self.header(kind).to_le_bytes();
        let len = frame.container.len().to_le_bytes();
        matches!(words, [own, count] if *own == header && *count == len)
    }

    /// Returns the name of a declared type: a type of the dialect, a class, or the path of a
    /// script.
    fn type_name(&self, declared: TypeRef<'_>) -> PyResult<Option<Bound<'py, PyString>>> {
        match declared {
            TypeRef::Untyped => Ok(None),
            TypeRef::Builtin(kind) => {
                let name = self.dialect.type_name(kind).unwrap_or_default();
                Ok(Some(PyString::new(self.py, name)))
            }
            TypeRef::Class(name) | TypeRef::Script(name) => {
                text(self.py, name.as_bytes()).map(Some)
            }
        }
    }
}

/// Returns `true` if `bytes` are the header, the length, the text and a pad of zeros.
fn is_plain_text(bytes: &[u8], text: &[u8], header: u32) -> bool {
    let end = text.len() + 8;
    bytes.first_chunk() == Some(&header.to_le_bytes())
        && bytes.len() == end.next_multiple_of(4)
        && bytes.get(end..).is_some_and(|pad| pad.iter().all(|byte| *byte == 0))
}

impl<'a> Visitor<'a> for Builder<'_, '_, 'a, '_> {
    type Error = Failure;

    #[inline]
    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Failure> {
        let object = self.object(&leaf)?;
        self.values.push(object);
        Ok(())
    }

    #[inline(never)]
    fn open(&mut self, open: Open<'a>) -> Result<(), Failure> {
        let outer = self.frames.last().map_or(self.frozen, |frame| frame.frozen);
        self.frames.push(Frame {
            start: self.values.len(),
            frozen: outer || open.role == Role::Key,
            container: open.container,
            head: open.head,
        });
        Ok(())
    }

    #[inline(never)]
    fn property(&mut self, property: Property<'a>) -> Result<(), Failure> {
        let name = self.name(property.name.as_bytes())?.into_any();
        // A string value is a header and the bytes that such a name has.
        let header = self.header(Kind::String);
        let value = [&header.to_le_bytes(), property.bytes].concat();
        let name = match is_plain_text(&value, property.name.as_bytes(), header) {
            true => name,
            false => self.unusual(&self.classes.string, name, &value)?,
        };
        self.values.push(name);
        Ok(())
    }

    #[inline(never)]
    fn close(&mut self, _: Kind) -> Result<(), Failure> {
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        let object = match frame.container {
            Container::Array { .. } => self.array(&frame),
            Container::Dictionary { .. } => self.dictionary(&frame),
            Container::Object { class, .. } => self.full_object(&frame, class),
        }?;
        self.values.push(object);
        Ok(())
    }
}
