//! The classes that keep the bytes of their value and decode them on access: paths, ids, callables,
//! signals, and the images and input events of Godot 2.

use crate::python::{reduced, text, with_bytes_of};
use crate::wire::Kept;
use gamewire::godot::{
    self, Dialect, NodePathRef, ObjectRef, Signal as SignalRef, StrRef, ToVariant, VariantRef,
    Writer,
};
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyString, PyTuple};

/// Encodes a value that a script makes.
fn encode(value: impl ToVariant) -> PyResult<Kept> {
    let mut bytes = Vec::new();
    let written = Writer::new(&mut bytes, Dialect::Godot4).put(value);
    written.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(Kept::new(Dialect::Godot4, &bytes))
}

/// Defines a class. `fields` returns the values that are compared, hashed and shown.
macro_rules! class {
    (
        $(#[$doc:meta])* $Name:ident = $python:literal,
        fields |$slf:ident, $py:ident| $fields:expr;
        $($method:item)*
    ) => {
        $(#[$doc])*
        #[pyclass(frozen, name = $python, module = "gamewire.godot")]
        pub(crate) struct $Name(pub Kept);

        #[pymethods]
        impl $Name {
            $($method)*

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                let fields = self.fields(py)?;
                let fields: Vec<String> =
                    fields.iter().map(|field| Ok(field.repr()?.to_string())).collect::<PyResult<_>>()?;
                Ok(format!("{}({})", $python, fields.join(", ")))
            }

            fn __richcmp__(
                &self,
                py: Python<'_>,
                other: &Bound<'_, PyAny>,
                op: CompareOp,
            ) -> PyResult<Py<PyAny>> {
                match (other.cast::<Self>(), op) {
                    (Ok(other), CompareOp::Eq | CompareOp::Ne) => {
                        let equal = self.fields(py)?.eq(other.get().fields(py)?)?;
                        let equal = PyBool::new(py, equal == matches!(op, CompareOp::Eq));
                        Ok(equal.to_owned().into_any().unbind())
                    }
                    _ => Ok(py.NotImplemented()),
                }
            }

            fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
                ($python, self.fields(py)?).into_pyobject(py)?.hash()
            }

            fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
                reduced(py, &self.0.bytes, self.0.dialect)
            }
        }

        impl $Name {
            fn fields<'py>(&self, $py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
                let $slf = self;
                $fields.into_pyobject($py).map_err(PyErr::from)
            }
        }
    };
}

class! {
    /// A path to a node or to one of its properties.
    ///
    /// In a packet: the numbers of names and subnames, flags, and these strings.
    ///
    /// >>> from gamewire.godot import NodePath
    /// >>> path = NodePath("/root/player:position:x")
    /// >>> path.names, path.subnames, path.is_absolute
    /// (('root', 'player'), ('position', 'x'), True)
    /// >>> str(path)
    /// '/root/player:position:x'
    NodePath = "NodePath",
    fields |path, py| (path.__str__(py)?,);

    #[new]
    fn new(path: &Bound<'_, PyString>) -> PyResult<Self> {
        let path = path.to_str()?;
        encode(godot::NodePath(path)).map(Self)
    }

    fn __str__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let pieces = |path: NodePathRef<'_>| path.to_string();
        text(py, self.path().map(pieces).unwrap_or_default().as_bytes())
    }

    /// The names of the nodes.
    #[getter]
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        texts(py, self.path().into_iter().flat_map(|path| path.names()))
    }

    /// The names after colons: a property and its components.
    #[getter]
    fn subnames<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let path = self.path().into_iter();
        texts(py, path.flat_map(|path| path.subnames().chain(path.property())))
    }

    /// True if the path starts at the root.
    #[getter]
    fn is_absolute(&self) -> bool {
        self.path().is_some_and(|path| path.is_absolute())
    }
}

impl NodePath {
    fn path(&self) -> Option<NodePathRef<'_>> {
        self.0.value().as_node_path()
    }
}

fn texts<'py, 'a>(
    py: Python<'py>,
    texts: impl Iterator<Item = StrRef<'a>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let texts: Vec<_> = texts.map(|name| text(py, name.as_bytes())).collect::<PyResult<_>>()?;
    PyTuple::new(py, texts)
}

class! {
    /// The id of a resource of the rendering or physics server. It has a meaning only in the
    /// process that wrote it. Godot 2 and 3 do not write it.
    ///
    /// >>> from gamewire.godot import RID
    /// >>> RID(7).id
    /// 7
    Rid = "RID",
    fields |rid, _py| (rid.id(),);

    #[new]
    #[pyo3(signature = (id = 0))]
    fn new(id: u64) -> PyResult<Self> {
        encode(VariantRef::Rid(Some(id))).map(Self)
    }

    /// The id, or 0.
    #[getter]
    fn id(&self) -> u64 {
        match self.0.value() {
            VariantRef::Rid(id) => id.unwrap_or_default(),
            _ => 0,
        }
    }
}

class! {
    /// The id of an object, which a packet has in place of the object. It has a meaning only in the
    /// process that wrote it.
    ///
    /// >>> from gamewire.godot import ObjectID
    /// >>> ObjectID(7).id
    /// 7
    ObjectId = "ObjectID",
    fields |object, _py| (object.id(),);

    #[new]
    fn new(id: u64) -> PyResult<Self> {
        encode(VariantRef::Object(ObjectRef::Id(id))).map(Self)
    }

    /// The id. 0 is null.
    #[getter]
    fn id(&self) -> u64 {
        match self.0.value() {
            VariantRef::Object(ObjectRef::Id(id)) => id,
            _ => 0,
        }
    }
}

class! {
    /// A callable. Engines do not write what it calls.
    ///
    /// >>> from gamewire.godot import Callable
    /// >>> Callable() == Callable()
    /// True
    Callable = "Callable",
    fields |_callable, py| ();

    #[new]
    fn new() -> PyResult<Self> {
        encode(VariantRef::Callable).map(Self)
    }
}

class! {
    /// A signal: its name and the id of its object.
    ///
    /// >>> from gamewire.godot import Signal
    /// >>> Signal("hit", 7)
    /// Signal('hit', 7)
    Signal = "Signal",
    fields |signal, py| (signal.name(py)?, signal.object());

    #[new]
    #[pyo3(signature = (name, object = 0))]
    fn new(name: &Bound<'_, PyString>, object: u64) -> PyResult<Self> {
        let encode = |name: &[u8]| {
            encode(VariantRef::Signal(SignalRef { name: StrRef::new(name), object }))
        };
        with_bytes_of(name, encode)?.map(Self)
    }

    /// The name.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        match self.0.value() {
            VariantRef::Signal(signal) => text(py, signal.name.as_bytes()),
            _ => text(py, b""),
        }
    }

    /// The id of the object, or 0.
    #[getter]
    fn object(&self) -> u64 {
        match self.0.value() {
            VariantRef::Signal(signal) => signal.object,
            _ => 0,
        }
    }
}

class! {
    /// An image in a packet of Godot 2: format, mipmaps, width and height, and the pixels.
    Image = "Image",
    fields |image, py| (
        image.format(), image.mipmaps(), image.width(), image.height(), image.pixels(py),
    );

    /// The number of the format of the pixels.
    #[getter]
    fn format(&self) -> u32 {
        self.image().map_or(0, |image| image.head.format.get())
    }

    /// The number of mipmaps.
    #[getter]
    fn mipmaps(&self) -> u32 {
        self.image().map_or(0, |image| image.head.mipmaps.get())
    }

    /// The width in pixels.
    #[getter]
    fn width(&self) -> u32 {
        self.image().map_or(0, |image| image.head.width.get())
    }

    /// The height in pixels.
    #[getter]
    fn height(&self) -> u32 {
        self.image().map_or(0, |image| image.head.height.get())
    }

    /// The pixels.
    #[getter]
    fn pixels<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.image().map_or(&[], |image| image.pixels))
    }
}

impl Image {
    fn image(&self) -> Option<godot::Image<'_>> {
        match self.0.value() {
            VariantRef::Image(image) => Some(image),
            _ => None,
        }
    }
}

class! {
    /// An input event in a packet of Godot 2: its type, its device and the bytes that depend on the
    /// type.
    InputEvent = "InputEvent",
    fields |event, py| (event.event(), event.device(), event.body(py));

    /// The number of the type: 1 a key, 3 a mouse button, and so on.
    #[getter]
    fn event(&self) -> u32 {
        self.input_event().map_or(0, |event| event.event())
    }

    /// The number of the device.
    #[getter]
    fn device(&self) -> u32 {
        self.input_event().map_or(0, |event| event.device())
    }

    /// The bytes that depend on the type.
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.input_event().map_or(&[], |event| event.body()))
    }
}

impl InputEvent {
    fn input_event(&self) -> Option<godot::InputEvent<'_>> {
        match self.0.value() {
            VariantRef::InputEvent(event) => Some(event),
            _ => None,
        }
    }
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<NodePath>()?;
    module.add_class::<Rid>()?;
    module.add_class::<ObjectId>()?;
    module.add_class::<Callable>()?;
    module.add_class::<Signal>()?;
    module.add_class::<Image>()?;
    module.add_class::<InputEvent>()
}
