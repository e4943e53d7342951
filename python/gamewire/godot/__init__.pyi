"""The values of Godot."""

from collections.abc import ItemsView, Iterable, Iterator, KeysView, ValuesView
from typing import Any, ClassVar, Final, Generic, Literal, Self, SupportsIndex, TypeAlias, TypeVar, final, overload

from typing_extensions import Buffer

__all__ = [
    "AABB",
    "Array",
    "Basis",
    "Bool",
    "Callable",
    "Color",
    "DIALECTS",
    "Dictionary",
    "dumps",
    "Float",
    "FrozenArray",
    "FrozenDictionary",
    "Image",
    "InputEvent",
    "Int",
    "iter_frames",
    "Key",
    "loads",
    "Nil",
    "NodePath",
    "Object",
    "ObjectID",
    "PackedByteArray",
    "PackedColorArray",
    "PackedFloat32Array",
    "PackedFloat64Array",
    "PackedInt32Array",
    "PackedInt64Array",
    "PackedStringArray",
    "PackedVector2Array",
    "PackedVector3Array",
    "PackedVector4Array",
    "Plane",
    "Projection",
    "Quaternion",
    "Rect2",
    "Rect2i",
    "RID",
    "Signal",
    "String",
    "StringName",
    "Transform2D",
    "Transform3D",
    "Vector2",
    "Vector2i",
    "Vector3",
    "Vector3i",
    "Vector4",
    "Vector4i",
    "View",
    "Wire",
]

_T = TypeVar("_T")
_Dialect: TypeAlias = Literal["godot2", "godot3", "godot4", "godot4-docs", "godot4-docs-double"]
_Level: TypeAlias = Literal["structure", "engine", "strict"]
_Numbers: TypeAlias = float | Iterable[float] | Iterable[Iterable[float]]

DIALECTS: Final[tuple[_Dialect, ...]]
"""The names of the dialects."""

def loads(
    data: Buffer,
    dialect: _Dialect = "godot4",
    *,
    frames: bool = False,
    big_endian: bool = False,
    objects: bool = True,
    depth: int = 1024,
    level: _Level = "structure",
) -> Any:
    """Reads one value, or with `frames` a list of values with a length before each."""

def iter_frames(
    data: Buffer,
    dialect: _Dialect = "godot4",
    *,
    big_endian: bool = False,
    objects: bool = True,
    depth: int = 1024,
    level: _Level = "structure",
) -> Iterator[Any]:
    """Iterates over values with a length before each."""

def dumps(
    value: Any, dialect: _Dialect = "godot4", *, frames: bool = False, big_endian: bool = False
) -> bytes:
    """Writes a value, or with `frames` the values of an iterable with a length before each."""

class _Values(Generic[_T]):
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> _T: ...
    @overload
    def __getitem__(self, index: slice, /) -> tuple[_T, ...]: ...
    def __iter__(self) -> Iterator[_T]: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Vector2(_Values[float]):
    """Two reals."""

    __match_args__: ClassVar[tuple[Literal["x"], Literal["y"]]]
    def __new__(cls, *args: _Numbers, double: bool = False) -> Self: ...
    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...
    @property
    def double(self) -> bool: ...

@final
class Rect2(_Values[Vector2]):
    """A rectangle: position and size."""

    __match_args__: ClassVar[tuple[Literal["position"], Literal["size"]]]
    def __new__(cls, *args: _Numbers, double: bool = False) -> Self: ...
    @property
    def position(self) -> Vector2: ...
    @property
    def size(self) -> Vector2: ...
    @property
    def double(self) -> bool: ...

@final
class Vector3(_Values[float]):
    """Three reals."""

    __match_args__: ClassVar[tuple[Literal["x"], Literal["y"], Literal["z"]]]
    def __new__(cls, *args: _Numbers, double: bool = False) -> Self: ...
    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...
    @property
    def z(self) -> float: ...
    @property
    def double(self) -> bool: ...

@final
class Transform2D(_Values[Vector2]):
    """Columns x and y and the origin."""

    __match_args__: ClassVar[tuple[Literal["x"], Literal["y"], Literal["origin"]]]
    def __new__(cls, *args: _Numbers, double: bool = False) -> Self: ...
    @property
    def x(self) -> Vector2: ...
    @property
    def y(self) -> Vector2: ...
    @property
    def origin(self) -> Vector2: ...
    @property
    def double(self) -> bool: ...

@final
class Vector4(_Values[float]):
    """Four reals."""

    __match_args__: ClassVar[tuple[Literal["x"], Literal["y"], Literal["z"], Literal["w"]]]
    def __new__(cls, *args: _Numbers, double: bool = False) -> Self: ...
    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...
    @property
    def z(self) -> float: ...
    @property
    def w(self) -> float: ...
    @property
    def double(self) -> bool: ...

@final
class Plane(_Values[Vector3 | float]):
    """A plane: normal and distance."""

    __match_args__: ClassVar[tuple[Literal["normal"], Literal["d"]]]
    def __new__(cls, *args: _Numbers, double: bool = False) -> Self: ...
    @property
    def normal(self) -> Vector3: ...
    @property
    def d(self) -> float: ...
    @property
    def double(self) -> bool: ...

@final
class Quaternion(_Values[float]):
    """Four reals."""

    __match_args__: ClassVar[tuple[Literal["x"], Literal["y"], Literal["z"], Literal["w"]]]
    def __new__(cls, *args: _Numbers, double: bool = False) -> Self: ...
    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...
    @property
    def z(self) -> float: ...
    @property
    def w(self) -> float: ...
    @property
    def double(self) -> bool: ...

@final
class AABB(_Values[Vector3]):
    """A box: position and size."""

    __match_args__: ClassVar[tuple[Literal["position"], Literal["size"]]]
    def __new__(cls, *args: _Numbers, double: bool = False) -> Self: ...
    @property
    def position(self) -> Vector3: ...
    @property
    def size(self) -> Vector3: ...
    @property
    def double(self) -> bool: ...

@final
class Basis(_Values[Vector3]):
    """Three axes, which are the columns of the matrix."""

    __match_args__: ClassVar[tuple[Literal["x"], Literal["y"], Literal["z"]]]
    def __new__(cls, *args: _Numbers, double: bool = False) -> Self: ...
    @property
    def x(self) -> Vector3: ...
    @property
    def y(self) -> Vector3: ...
    @property
    def z(self) -> Vector3: ...
    @property
    def double(self) -> bool: ...

@final
class Transform3D(_Values[Basis | Vector3]):
    """A basis and an origin."""

    __match_args__: ClassVar[tuple[Literal["basis"], Literal["origin"]]]
    def __new__(cls, *args: _Numbers, double: bool = False) -> Self: ...
    @property
    def basis(self) -> Basis: ...
    @property
    def origin(self) -> Vector3: ...
    @property
    def double(self) -> bool: ...

@final
class Projection(_Values[Vector4]):
    """Four columns of four reals."""

    __match_args__: ClassVar[tuple[Literal["x"], Literal["y"], Literal["z"], Literal["w"]]]
    def __new__(cls, *args: _Numbers, double: bool = False) -> Self: ...
    @property
    def x(self) -> Vector4: ...
    @property
    def y(self) -> Vector4: ...
    @property
    def z(self) -> Vector4: ...
    @property
    def w(self) -> Vector4: ...
    @property
    def double(self) -> bool: ...

@final
class Color(_Values[float]):
    """Red, green, blue and alpha."""

    __match_args__: ClassVar[tuple[Literal["r"], Literal["g"], Literal["b"], Literal["a"]]]
    def __new__(cls, *args: _Numbers, double: bool = False) -> Self: ...
    @property
    def r(self) -> float: ...
    @property
    def g(self) -> float: ...
    @property
    def b(self) -> float: ...
    @property
    def a(self) -> float: ...
    @property
    def double(self) -> bool: ...

@final
class Vector2i(_Values[int]):
    """Two 32-bit integers."""

    __match_args__: ClassVar[tuple[Literal["x"], Literal["y"]]]
    def __new__(cls, *args: _Numbers, double: bool = False) -> Self: ...
    @property
    def x(self) -> int: ...
    @property
    def y(self) -> int: ...
    @property
    def double(self) -> bool: ...

@final
class Rect2i(_Values[Vector2i]):
    """A rectangle: position and size."""

    __match_args__: ClassVar[tuple[Literal["position"], Literal["size"]]]
    def __new__(cls, *args: _Numbers, double: bool = False) -> Self: ...
    @property
    def position(self) -> Vector2i: ...
    @property
    def size(self) -> Vector2i: ...
    @property
    def double(self) -> bool: ...

@final
class Vector3i(_Values[int]):
    """Three 32-bit integers."""

    __match_args__: ClassVar[tuple[Literal["x"], Literal["y"], Literal["z"]]]
    def __new__(cls, *args: _Numbers, double: bool = False) -> Self: ...
    @property
    def x(self) -> int: ...
    @property
    def y(self) -> int: ...
    @property
    def z(self) -> int: ...
    @property
    def double(self) -> bool: ...

@final
class Vector4i(_Values[int]):
    """Four 32-bit integers."""

    __match_args__: ClassVar[tuple[Literal["x"], Literal["y"], Literal["z"], Literal["w"]]]
    def __new__(cls, *args: _Numbers, double: bool = False) -> Self: ...
    @property
    def x(self) -> int: ...
    @property
    def y(self) -> int: ...
    @property
    def z(self) -> int: ...
    @property
    def w(self) -> int: ...
    @property
    def double(self) -> bool: ...

@final
class NodePath:
    """A path to a node or to one of its properties."""

    def __new__(cls, path: str) -> Self: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def subnames(self) -> tuple[str, ...]: ...
    @property
    def is_absolute(self) -> bool: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class RID:
    """The id of a resource of a server of the engine."""

    def __new__(cls, id: int = 0) -> Self: ...
    @property
    def id(self) -> int: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class ObjectID:
    """The id of an object, which a packet has in place of the object."""

    def __new__(cls, id: int) -> Self: ...
    @property
    def id(self) -> int: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Callable:
    """A callable. Engines do not write what it calls."""

    def __new__(cls) -> Self: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Signal:
    """A signal: its name and the id of its object."""

    def __new__(cls, name: str, object: int = 0) -> Self: ...
    @property
    def name(self) -> str: ...
    @property
    def object(self) -> int: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: Any, /) -> bool: ...

@final
class Image:
    """An image in a packet of Godot 2."""

    @property
    def format(self) -> int: ...
    @property
    def mipmaps(self) -> int: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def pixels(self) -> bytes: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class InputEvent:
    """An input event in a packet of Godot 2."""

    @property
    def event(self) -> int: ...
    @property
    def device(self) -> int: ...
    @property
    def body(self) -> bytes: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

class _Packed(Generic[_T]):
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> _T: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[_T]: ...
    def __iter__(self) -> Iterator[_T]: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def tolist(self) -> list[_T]:
        """Returns a list of the elements."""

class _PackedNumbers(_Packed[_T]):
    @property
    def double(self) -> bool:
        """True if the numbers are 64-bit floats."""
    def __buffer__(self, flags: int) -> memoryview: ...

@final
class PackedByteArray(_PackedNumbers[int]):
    """Bytes."""

    def __new__(cls, items: Buffer | Iterable[int] | None = None, *, double: bool = False) -> Self: ...

@final
class PackedInt32Array(_PackedNumbers[int]):
    """A sequence of 32-bit integers."""

    def __new__(cls, items: Buffer | Iterable[int] | None = None, *, double: bool = False) -> Self: ...

@final
class PackedInt64Array(_PackedNumbers[int]):
    """A sequence of 64-bit integers."""

    def __new__(cls, items: Buffer | Iterable[int] | None = None, *, double: bool = False) -> Self: ...

@final
class PackedFloat32Array(_PackedNumbers[float]):
    """A sequence of 32-bit floats."""

    def __new__(cls, items: Buffer | Iterable[float] | None = None, *, double: bool = False) -> Self: ...

@final
class PackedFloat64Array(_PackedNumbers[float]):
    """A sequence of 64-bit floats."""

    def __new__(cls, items: Buffer | Iterable[float] | None = None, *, double: bool = False) -> Self: ...

@final
class PackedVector2Array(_PackedNumbers[Vector2]):
    """A sequence of Vector2, as a buffer of the shape (n, 2)."""

    def __new__(cls, items: Buffer | Iterable[Iterable[float]] | None = None, *, double: bool = False) -> Self: ...

@final
class PackedVector3Array(_PackedNumbers[Vector3]):
    """A sequence of Vector3, as a buffer of the shape (n, 3)."""

    def __new__(cls, items: Buffer | Iterable[Iterable[float]] | None = None, *, double: bool = False) -> Self: ...

@final
class PackedColorArray(_PackedNumbers[Color]):
    """A sequence of Color, as a buffer of the shape (n, 4)."""

    def __new__(cls, items: Buffer | Iterable[Iterable[float]] | None = None, *, double: bool = False) -> Self: ...

@final
class PackedVector4Array(_PackedNumbers[Vector4]):
    """A sequence of Vector4, as a buffer of the shape (n, 4)."""

    def __new__(cls, items: Buffer | Iterable[Iterable[float]] | None = None, *, double: bool = False) -> Self: ...

@final
class PackedStringArray(_Packed[str]):
    """A sequence of strings, decoded on access."""

    def __new__(cls, items: Iterable[str] | None = None) -> Self: ...

@final
class View:
    """A value in a packet, decoded on access."""

    def __new__(cls, data: Buffer, dialect: _Dialect = "godot4") -> Self: ...
    @property
    def kind(self) -> str: ...
    @property
    def raw(self) -> bytes: ...
    @property
    def offset(self) -> int: ...
    def value(self) -> Any:
        """Returns the value as `loads` does."""
    def at(self, path: str) -> View:
        """Returns the view of the value at a path, such as `players/0/position/x`."""
    def get(self, key: Any, default: _T | None = None) -> View | _T | None:
        """Returns the view of the value with this key or index, or `default`."""
    def keys(self) -> list[Any]: ...
    def values(self) -> list[View]: ...
    def items(self) -> list[tuple[Any, View]]: ...
    def __getitem__(self, key: Any, /) -> View: ...
    def __contains__(self, key: Any, /) -> bool: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __bytes__(self) -> bytes: ...

@final
class Wire:
    """The bytes of a value, which `dumps` writes unchanged."""

    def __new__(cls, dialect: _Dialect, data: bytes) -> Self: ...
    @property
    def dialect(self) -> _Dialect: ...
    @property
    def data(self) -> bytes: ...
    def __eq__(self, other: object, /) -> bool: ...

class Nil:
    """Null in an unusual encoding. It is false and equals `None`."""

    def __init__(self, wire: Wire | None = None) -> None: ...
    @property
    def wire(self) -> Wire | None:
        """The bytes that `dumps` writes, or `None`."""
    def __bool__(self) -> Literal[False]: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...

class _Scalar:
    @property
    def wire(self) -> Wire | None:
        """The bytes that `dumps` writes, or `None`."""

class Bool(_Scalar, int):
    """A bool in an unusual encoding."""

class Int(_Scalar, int):
    """An int in an unusual encoding, or one that is written in 64 bits."""

    def __new__(cls, value: Any = 0, *, wide: bool = False) -> Self: ...
    @property
    def wide(self) -> bool: ...

class Float(_Scalar, float):
    """A float in an unusual encoding, or one that is written in 64 bits."""

    def __new__(cls, value: Any = 0.0, *, wide: bool = False) -> Self: ...
    @property
    def wide(self) -> bool: ...

class String(_Scalar, str):
    """A string in an unusual encoding."""

class StringName(_Scalar, str):
    """A StringName of Godot 4."""

class Key:
    """A key of a dictionary that Python holds equal to a later key of the same dictionary."""

    __match_args__: ClassVar[tuple[str, ...]]
    value: Any
    number: int
    def __init__(self, value: Any, number: int = 1) -> None: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...

class Array(list[Any]):
    """An Array that declares the type of its elements, or has an unusual encoding."""

    element_type: str | None
    def __init__(
        self, items: Iterable[Any] = (), element_type: str | None = None, *, shared: bool = False
    ) -> None: ...
    @property
    def shared(self) -> bool: ...

class FrozenArray(tuple[Any, ...]):
    """An `Array` that is a key or a part of a key."""

    @property
    def element_type(self) -> str | None: ...
    @property
    def shared(self) -> bool: ...

class Dictionary(dict[Any, Any]):
    """A Dictionary that declares the types of its keys or values, or has an unusual encoding."""

    key_type: str | None
    value_type: str | None
    def __init__(
        self,
        pairs: Any = (),
        key_type: str | None = None,
        value_type: str | None = None,
        *,
        shared: bool = False,
    ) -> None: ...
    @property
    def shared(self) -> bool: ...

class FrozenDictionary:
    """A Dictionary that is a key or a part of a key."""

    key_type: str | None
    value_type: str | None
    shared: bool
    def __init__(
        self, pairs: Any = (), key_type: str | None = None, value_type: str | None = None
    ) -> None: ...
    def __getitem__(self, key: Any) -> Any: ...
    def __contains__(self, key: object) -> bool: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...
    def get(self, key: Any, default: Any = None) -> Any: ...
    def keys(self) -> KeysView[Any]: ...
    def values(self) -> ValuesView[Any]: ...
    def items(self) -> ItemsView[Any, Any]: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...

class Object:
    """An object with its class and its properties."""

    __match_args__: ClassVar[tuple[str, ...]]
    properties: dict[Any, Any]
    def __init__(self, class_name: str, properties: Any = ()) -> None: ...
    @property
    def class_name(self) -> str: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
