//! The classes of a fixed number of numbers: vectors, matrices, boxes, planes and colours.

use super::numbers::{self, Numbers, Shape, parts_of};
use crate::wire::Kept;
use gamewire::godot::{self, Real, RealLayout, VariantRef, Writer};
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyTuple};

/// Defines a class. The last rows of a definition differ: `reals LAYOUT` names the library's type
/// of the same components, and `ints` has an expression that makes the library's value.
macro_rules! class {
    (
        $(#[$doc:meta])* $Name:ident = $python:literal, $count:literal numbers:
        $($(#[$field_doc:meta])* $field:ident: $Shape:ident = $index:literal,)*
        => $($kind:ident)+ $(|$parts:pat_param| $value:expr)?
    ) => {
        $(#[$doc])*
        #[pyclass(frozen, name = $python, module = "gamewire.godot")]
        pub(crate) struct $Name {
            parts: [f64; $count],
            double: bool,
            kept: Option<Box<Kept>>,
        }

        impl $Name {
            /// Creates an object with the encoding that it had, if that is unusual.
            #[inline]
            pub(crate) fn from_packet<'py>(
                py: Python<'py>,
                parts: [f64; $count],
                double: bool,
                kept: Option<Box<Kept>>,
            ) -> PyResult<Bound<'py, PyAny>> {
                Ok(Bound::new(py, Self { parts, double, kept })?.into_any())
            }
        }

        impl Numbers for $Name {
            const NAME: &'static str = $python;
            const FIELDS: &'static [(&'static str, Shape)] =
                &[$((stringify!($field), Shape::$Shape)),*];
            const INTS: bool = class!(is_ints $($kind)+);

            fn object<'py>(
                py: Python<'py>,
                parts: &[f64],
                double: bool,
            ) -> PyResult<Bound<'py, PyAny>> {
                let parts = parts.try_into().unwrap_or([f64::NAN; $count]);
                Self::from_packet(py, parts, double, None)
            }

            fn parts(&self) -> &[f64] {
                &self.parts
            }

            fn is_double(&self) -> bool {
                self.double
            }

            fn kept(&self) -> Option<&Kept> {
                self.kept.as_deref()
            }

            fn encode(&self, writer: &mut Writer<&mut Vec<u8>>) -> Result<(), godot::Error> {
                class!(encode self writer $($kind)+ $(|$parts| $value)?)
            }
        }

        #[pymethods]
        impl $Name {
            #[classattr]
            fn __match_args__() -> ($(class!(str $field),)*) {
                ($(stringify!($field),)*)
            }

            #[new]
            #[pyo3(signature = (*args, double = false))]
            fn new(args: &Bound<'_, PyTuple>, double: bool) -> PyResult<Self> {
                let double = double && !Self::INTS;
                Ok(Self { parts: parts_of::<$count, Self>(args, double)?, double, kept: None })
            }

            /// True if a packet stores the numbers in 64 bits.
            #[getter]
            fn double(&self) -> bool {
                self.double
            }

            $(
                $(#[$field_doc])*
                #[getter]
                fn $field<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                    numbers::field(py, self, $index)
                }
            )*

            fn __len__(&self) -> usize {
                Self::FIELDS.len()
            }

            fn __getitem__<'py>(
                &self,
                py: Python<'py>,
                index: &Bound<'py, PyAny>,
            ) -> PyResult<Bound<'py, PyAny>> {
                numbers::fields(py, self)?.as_any().get_item(index)
            }

            fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
                numbers::fields(py, self)?.try_iter()
            }

            fn __repr__(&self) -> String {
                let mut out = String::new();
                numbers::repr::<Self>(&mut out, &self.parts, self.double);
                out
            }

            fn __richcmp__<'py>(
                &self,
                py: Python<'py>,
                other: &Bound<'py, PyAny>,
                op: CompareOp,
            ) -> PyResult<Py<PyAny>> {
                let equal = other.cast::<Self>().ok();
                match equal.and_then(|other| numbers::compare(self, other.get(), op)) {
                    Some(equal) => Ok(pyo3::types::PyBool::new(py, equal).to_owned().into_any().unbind()),
                    None => Ok(py.NotImplemented()),
                }
            }

            fn __hash__(&self) -> u64 {
                numbers::hash(self)
            }

            fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
                numbers::reduce(slf.as_any(), slf.get())
            }
        }
    };
    (str $field:ident) => {
        &'static str
    };
    (is_ints reals $Layout:ident) => {
        false
    };
    (is_ints ints) => {
        true
    };
    (encode $self:ident $writer:ident reals $Layout:ident) => {
        {
            let value = <godot::$Layout as RealLayout>::from_parts($self.parts);
            if $self.double {
                $writer.put(VariantRef::$Layout(Real::Double(&value.to_double())))
            } else {
                $writer.put(VariantRef::$Layout(Real::Single(&value.to_single())))
            }
        }
    };
    (encode $self:ident $writer:ident ints |$parts:pat_param| $value:expr) => {
        {
            let $parts = $self.parts.map(|part| part as i32);
            $writer.put($value)
        }
    };
}

class! {
    /// Two reals. In a packet: two 32-bit floats, or two 64-bit floats if `double`.
    ///
    /// >>> from gamewire.godot import Vector2
    /// >>> x, y = Vector2(1, 2.5)
    /// >>> Vector2(1, 2.5)
    /// Vector2(1.0, 2.5)
    Vector2 = "Vector2", 2 numbers:
    x: Real = 0,
    y: Real = 1,
    => reals Vector2
}
class! {
    /// Two 32-bit integers.
    ///
    /// >>> from gamewire.godot import Vector2i
    /// >>> Vector2i(1, 2).y
    /// 2
    Vector2i = "Vector2i", 2 numbers:
    x: Int = 0,
    y: Int = 1,
    => ints |[x, y]| VariantRef::Vector2i(godot::Vector2 { x, y })
}
class! {
    /// A rectangle: position and size, four reals.
    ///
    /// >>> from gamewire.godot import Rect2
    /// >>> Rect2(0, 0, 2, 3).size
    /// Vector2(2.0, 3.0)
    Rect2 = "Rect2", 4 numbers:
    position: Vector2 = 0,
    size: Vector2 = 1,
    => reals Rect2
}
class! {
    /// A rectangle: position and size, four 32-bit integers.
    ///
    /// >>> from gamewire.godot import Rect2i
    /// >>> Rect2i((0, 0), (2, 3)).size
    /// Vector2i(2, 3)
    Rect2i = "Rect2i", 4 numbers:
    position: Vector2i = 0,
    size: Vector2i = 1,
    => ints |[x, y, width, height]| VariantRef::Rect2i(godot::Rect2 {
        position: godot::Vector2 { x, y },
        size: godot::Vector2 { x: width, y: height },
    })
}
class! {
    /// Three reals. In a packet: three 32-bit floats, or three 64-bit floats if `double`.
    ///
    /// Without `double`, numbers are rounded to 32 bits.
    ///
    /// >>> from gamewire.godot import Vector3
    /// >>> Vector3(0.1, 0, 0), Vector3(0.1, 0, 0).x
    /// (Vector3(0.1, 0.0, 0.0), 0.10000000149011612)
    /// >>> Vector3(0.1, 0, 0, double=True).x
    /// 0.1
    Vector3 = "Vector3", 3 numbers:
    x: Real = 0,
    y: Real = 1,
    z: Real = 2,
    => reals Vector3
}
class! {
    /// Three 32-bit integers.
    ///
    /// >>> from gamewire.godot import Vector3i
    /// >>> tuple(Vector3i(1, 2, 3))
    /// (1, 2, 3)
    Vector3i = "Vector3i", 3 numbers:
    x: Int = 0,
    y: Int = 1,
    z: Int = 2,
    => ints |[x, y, z]| VariantRef::Vector3i(godot::Vector3 { x, y, z })
}
class! {
    /// Columns x and y and the origin, six reals.
    ///
    /// >>> from gamewire.godot import Transform2D
    /// >>> Transform2D(1, 0, 0, 1, 5, 6).origin
    /// Vector2(5.0, 6.0)
    Transform2D = "Transform2D", 6 numbers:
    x: Vector2 = 0,
    y: Vector2 = 1,
    origin: Vector2 = 2,
    => reals Transform2D
}
class! {
    /// Four reals.
    ///
    /// >>> from gamewire.godot import Vector4
    /// >>> Vector4(1, 2, 3, 4).w
    /// 4.0
    Vector4 = "Vector4", 4 numbers:
    x: Real = 0,
    y: Real = 1,
    z: Real = 2,
    w: Real = 3,
    => reals Vector4
}
class! {
    /// Four 32-bit integers.
    ///
    /// >>> from gamewire.godot import Vector4i
    /// >>> Vector4i(1, 2, 3, 4)[-1]
    /// 4
    Vector4i = "Vector4i", 4 numbers:
    x: Int = 0,
    y: Int = 1,
    z: Int = 2,
    w: Int = 3,
    => ints |[x, y, z, w]| VariantRef::Vector4i(godot::Vector4 { x, y, z, w })
}
class! {
    /// A plane: normal and distance, four reals.
    ///
    /// >>> from gamewire.godot import Plane
    /// >>> Plane((0, 1, 0), 5).normal
    /// Vector3(0.0, 1.0, 0.0)
    Plane = "Plane", 4 numbers:
    normal: Vector3 = 0,
    d: Real = 1,
    => reals Plane
}
class! {
    /// Four reals.
    ///
    /// >>> from gamewire.godot import Quaternion
    /// >>> Quaternion(0, 0, 0, 1).w
    /// 1.0
    Quaternion = "Quaternion", 4 numbers:
    x: Real = 0,
    y: Real = 1,
    z: Real = 2,
    w: Real = 3,
    => reals Quaternion
}
class! {
    /// A box: position and size, six reals.
    ///
    /// >>> from gamewire.godot import AABB
    /// >>> AABB(0, 0, 0, 1, 2, 3).size
    /// Vector3(1.0, 2.0, 3.0)
    Aabb = "AABB", 6 numbers:
    position: Vector3 = 0,
    size: Vector3 = 1,
    => reals Aabb
}
class! {
    /// Three axes, nine reals. The axes are the columns of the matrix; a packet has its rows.
    ///
    /// >>> from gamewire.godot import Basis
    /// >>> Basis((1, 0, 0), (0, 1, 0), (0, 0, 1)).y
    /// Vector3(0.0, 1.0, 0.0)
    Basis = "Basis", 9 numbers:
    x: Vector3 = 0,
    y: Vector3 = 1,
    z: Vector3 = 2,
    => reals Basis
}
class! {
    /// A basis and an origin, twelve reals.
    ///
    /// >>> from gamewire.godot import Transform3D
    /// >>> Transform3D(((1, 0, 0), (0, 1, 0), (0, 0, 1)), (7, 8, 9)).origin
    /// Vector3(7.0, 8.0, 9.0)
    Transform3D = "Transform3D", 12 numbers:
    basis: Basis = 0,
    origin: Vector3 = 1,
    => reals Transform3D
}
class! {
    /// Four columns of four reals.
    ///
    /// >>> from gamewire.godot import Projection
    /// >>> Projection(*range(16)).y
    /// Vector4(4.0, 5.0, 6.0, 7.0)
    Projection = "Projection", 16 numbers:
    x: Vector4 = 0,
    y: Vector4 = 1,
    z: Vector4 = 2,
    w: Vector4 = 3,
    => reals Projection
}
class! {
    /// Red, green, blue and alpha, which are 32-bit floats in all builds of the engine.
    ///
    /// >>> from gamewire.godot import Color
    /// >>> Color(1, 0.5, 0, 1).g
    /// 0.5
    Color = "Color", 4 numbers:
    r: Real = 0,
    g: Real = 1,
    b: Real = 2,
    a: Real = 3,
    => reals Color
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Vector2>()?;
    module.add_class::<Vector2i>()?;
    module.add_class::<Rect2>()?;
    module.add_class::<Rect2i>()?;
    module.add_class::<Vector3>()?;
    module.add_class::<Vector3i>()?;
    module.add_class::<Transform2D>()?;
    module.add_class::<Vector4>()?;
    module.add_class::<Vector4i>()?;
    module.add_class::<Plane>()?;
    module.add_class::<Quaternion>()?;
    module.add_class::<Aabb>()?;
    module.add_class::<Basis>()?;
    module.add_class::<Transform3D>()?;
    module.add_class::<Projection>()?;
    module.add_class::<Color>()
}
