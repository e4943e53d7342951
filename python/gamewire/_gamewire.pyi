import builtins as _builtins
import datetime as _datetime
from collections.abc import Iterable as _Iterable
from os import PathLike as _PathLike
from typing import Any as _Any, Literal as _Literal, Protocol as _Protocol
from typing import final, type_check_only as _type_check_only

from gamewire.godot import (
    AABB as AABB,
    Basis as Basis,
    Callable as Callable,
    Color as Color,
    Image as Image,
    InputEvent as InputEvent,
    NodePath as NodePath,
    ObjectID as ObjectID,
    PackedByteArray as PackedByteArray,
    PackedColorArray as PackedColorArray,
    PackedFloat32Array as PackedFloat32Array,
    PackedFloat64Array as PackedFloat64Array,
    PackedInt32Array as PackedInt32Array,
    PackedInt64Array as PackedInt64Array,
    PackedStringArray as PackedStringArray,
    PackedVector2Array as PackedVector2Array,
    PackedVector3Array as PackedVector3Array,
    PackedVector4Array as PackedVector4Array,
    Plane as Plane,
    Projection as Projection,
    Quaternion as Quaternion,
    RID as RID,
    Rect2 as Rect2,
    Rect2i as Rect2i,
    Signal as Signal,
    Transform2D as Transform2D,
    Transform3D as Transform3D,
    Vector2 as Vector2,
    Vector2i as Vector2i,
    Vector3 as Vector3,
    Vector3i as Vector3i,
    Vector4 as Vector4,
    Vector4i as Vector4i,
    View as View,
    Wire as Wire,
    dumps as dumps,
    iter_frames as iter_frames,
    loads as loads,
)

@final
class FrameIterator:
    """An iterator over the values of a stream."""

    def __iter__(self) -> FrameIterator: ...
    def __next__(self) -> object: ...

@_type_check_only
class _Readable(_Protocol):
    def read(self, size: int, /) -> bytes: ...

def packets(
    source: str | _PathLike[str] | _Readable | list[str | _PathLike[str] | _Readable],
    *,
    port: int | None = None,
    engine: _Literal["godot3", "godot4"] | None = None,
    compressor: _Literal["none", "range-coder", "fastlz", "zlib", "zstd"] | None = None,
    methods: str | _PathLike[str] | dict[str, _Iterable[str]] | None = None,
    scripts: str | _PathLike[str] | list[str | _PathLike[str]] | None = None,
    filter: str | list[str] | None = None,
    all: bool = False,
    name: str | list[str] | None = None,
) -> Packets:
    """Reads the packets of Godot games in a capture (pcap or pcapng)."""

@final
class Packets:
    """The packets of a capture: an iterator of `Packet`, or a table."""

    def __iter__(self) -> Packets: ...
    def __next__(self) -> Packet: ...
    def to_arrow(self) -> _Any:
        """Reads all packets into a `pyarrow.Table`."""
    def batches(self) -> Batches:
        """Returns an iterator over the rows in batches of at most 65,536 packets."""
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class Batches:
    """An iterator over batches of rows."""

    def __iter__(self) -> Batches: ...
    def __next__(self) -> Batch: ...

@final
class Batch:
    """Rows of the table of packets."""

    def __len__(self) -> int: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class Packet:
    """A packet of a game."""

    @property
    def time(self) -> int | None:
        """Time of capture in nanoseconds since 1970 (UTC)."""
    @property
    def datetime(self) -> _datetime.datetime | None:
        """Time of capture in UTC, rounded down to microseconds."""
    @property
    def src(self) -> str:
        """IP address of the sender."""
    @property
    def src_port(self) -> int:
        """Port of the sender."""
    @property
    def dst(self) -> str:
        """IP address of the receiver."""
    @property
    def dst_port(self) -> int:
        """Port of the receiver."""
    @property
    def transport(self) -> str:
        """`enet`, `websocket`, `tcp` or `udp`."""
    @property
    def engine(self) -> str | None:
        """`godot4` or `godot3`, if known."""
    @property
    def guessed(self) -> bool:
        """`True` if the transport or the engine was inferred from the bytes alone."""
    @property
    def channel(self) -> int | None:
        """Channel of ENet."""
    @property
    def delivery(self) -> str | None:
        """`reliable`, `unreliable` or `unsequenced`."""
    @property
    def kind(self) -> str:
        """Kind of the packet, such as `rpc`."""
    @property
    def peer(self) -> int | None:
        """Multiplayer id of the sender, or of the peer that joined or left."""
    @property
    def relay(self) -> int | None:
        """Multiplayer id in the header of a relayed packet."""
    @property
    def path(self) -> str | None:
        """Path of the node."""
    @property
    def node_id(self) -> int | None:
        """Number of the node."""
    @property
    def method(self) -> str | None:
        """Name of the method, or `#` and its number if its name is unknown; in a `set`, of the property."""
    @property
    def net_id(self) -> int | None:
        """Number of the node that the packet spawns or removes."""
    @property
    def size(self) -> int:
        """Number of bytes of the packet, without the headers of the transport."""
    @property
    def frame(self) -> int | None:
        """Number of the captured packet in which this packet ends, counted from 1."""
    @property
    def frame_size(self) -> int | None:
        """Number of bytes of this captured packet on the wire."""
    @property
    def args(self) -> list[_Any] | None:
        """Arguments of a call or state of a spawned node."""
    @property
    def value(self) -> _Any:
        """Value of a packet that is one value, new value in a `set`, or content of a JSON text message."""
    @property
    def text(self) -> str | None:
        """Text message of a WebSocket."""
    @property
    def bytes(self) -> _builtins.bytes | None:
        """Bytes that a script sent, or the whole packet if it is malformed or of the game's own protocol."""
    @property
    def error(self) -> str | None:
        """Reason why the packet is malformed."""
    @property
    def offset(self) -> int | None:
        """Offset of the error, or of the bytes in a TCP stream."""
    @property
    def records(self) -> list[NodeState] | None:
        """The states of nodes in a packet of the kind `sync` or `delta`."""
    @property
    def json(self) -> str:
        """The line of `gamewire packets --json` without time and addresses."""

@final
class NodeState:
    """The state of one node in a packet of the kind `sync` or `delta`."""

    @property
    def net_id(self) -> int | None:
        """Number of the synchronizer."""
    @property
    def node_id(self) -> int | None:
        """Number of the node, for a synchronizer that was not spawned."""
    @property
    def path(self) -> str | None:
        """Path of the node, if its number is known."""
    @property
    def changed(self) -> int | None:
        """Bits of the properties that are present (`delta`)."""
    @property
    def args(self) -> list[_Any]:
        """Values of the properties."""

# Classes and functions that `gamewire.files` uses.

@final
class GodotContainer:
    """A compressed or encrypted file of Godot."""

    def __new__(cls, data: _Any, password: str | None = None, key: bytes | None = None) -> GodotContainer: ...
    @property
    def content(self) -> bytes: ...
    @property
    def form(self) -> str: ...
    def pack(self, content: bytes) -> bytes: ...

@final
class UnrealFile:
    """A package with its companion file, or a save."""

    def __new__(
        cls,
        file: bytes,
        exports: bytes | None = None,
        engine: str | None = None,
        bytes: str = "list",
        mappings: _builtins.bytes | None = None,
        script_objects: _builtins.bytes | None = None,
        declarations: list[tuple[_builtins.bytes, _builtins.bytes | None]] = ...,
        path: _PathLike[str] | None = None,
    ) -> UnrealFile: ...
    @property
    def kind(self) -> str: ...
    @property
    def wrapper(self) -> str | None: ...
    @property
    def needs_mappings(self) -> bool: ...
    @property
    def needed_packages(self) -> list[str]: ...
    def document(self) -> dict[str, _Any]: ...
    def find_export(self, name: str) -> int | None: ...
    def find_import(self, name: str) -> int | None: ...
    def export_bytes(self, index: int) -> _builtins.bytes: ...
    def write(self, document: _Any) -> tuple[_builtins.bytes, _builtins.bytes | None]: ...

@final
class UnrealArchive:
    """An archive whose index is in memory."""

    def __new__(
        cls, path: _PathLike[str] | None, bytes: bytes | None, is_container: bool, key: bytes | None = None
    ) -> UnrealArchive: ...
    def files(self) -> list[tuple[str, int, int | None, bool]]: ...
    def read(self, path: str, chunk: int | None = None) -> bytes | None: ...

@final
class RemsFile:
    """A save of Rem's Engine."""

    def __new__(cls, data: bytes, era: str | None = None) -> RemsFile: ...
    @property
    def form(self) -> _Literal["text", "binary", "container"]: ...
    @property
    def era(self) -> str | None: ...
    def document(self) -> dict[str, _Any]: ...
    def write(self, document: _Any) -> tuple[bytes, None]: ...

def recognise(
    name: str, head: bytes, tail: bytes | None = None
) -> tuple[str, str, tuple[str, bool | None, bool] | None] | None: ...
def parse_path(path: str) -> list[tuple[str, bool, int | None]]: ...
def load_all(data: _Any, dialect: str) -> list[_Any]: ...
def read_config(
    data: bytes, dialect: str | None
) -> tuple[str, list[tuple[str, list[tuple[str, bytes | None, str]]]]]: ...
def edit_config(data: bytes, dialect: str, changes: list[tuple[str, str, bytes | str | None]]) -> bytes: ...
def registry_document(data: bytes) -> dict[str, _Any]: ...
def locres_document(data: bytes) -> dict[str, _Any]: ...
def read_mappings(
    data: bytes,
) -> tuple[dict[str, dict[str, _Any]], dict[str, dict[str, int]], str | None]: ...

__all__ = [
    "AABB",
    "Basis",
    "Batch",
    "Batches",
    "Callable",
    "Color",
    "dumps",
    "edit_config",
    "FrameIterator",
    "GodotContainer",
    "Image",
    "InputEvent",
    "iter_frames",
    "load_all",
    "loads",
    "locres_document",
    "NodePath",
    "NodeState",
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
    "Packet",
    "packets",
    "Packets",
    "parse_path",
    "Plane",
    "Projection",
    "Quaternion",
    "read_config",
    "read_mappings",
    "recognise",
    "Rect2",
    "Rect2i",
    "registry_document",
    "RemsFile",
    "RID",
    "Signal",
    "Transform2D",
    "Transform3D",
    "UnrealArchive",
    "UnrealFile",
    "Vector2",
    "Vector2i",
    "Vector3",
    "Vector3i",
    "Vector4",
    "Vector4i",
    "View",
    "Wire",
]
