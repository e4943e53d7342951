"""The classes of the objects that `gamewire.open` returns, one for each kind of file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias, overload, type_check_only

from typing_extensions import Buffer

from gamewire import Packets

__all__ = [
    "Archive",
    "Config",
    "Content",
    "Document",
    "EngineValue",
    "File",
    "Locres",
    "Mappings",
    "Package",
    "Registry",
    "Rems",
    "Save",
    "Values",
    "open",
]

_Path: TypeAlias = str | int | Sequence[str | int]

@type_check_only
class _Readable(Protocol):
    def read(self) -> bytes: ...

class File:
    """A file that `gamewire.open` has opened."""

    format: str
    path: Path | None
    def __init__(self, source: Any) -> None: ...
    @property
    def container(self) -> str | None: ...
    def to_bytes(self) -> bytes: ...
    def save(self, path: str | PathLike[str] | None = None) -> None: ...

class Values(File):
    """Values of Godot."""

    values: list[Any]
    dialect: str
    framing: Literal["little", "big"] | None
    is_guess: bool
    def __init__(self, source: Any, dialect: str, framing: str | None, is_guess: bool) -> None: ...
    @property
    def value(self) -> Any: ...
    @value.setter
    def value(self, value: Any) -> None: ...

class Content(File):
    """The content of a compressed or encrypted file."""

    content: bytes
    def __init__(self, source: Any) -> None: ...

class EngineValue(str):
    """The text of a value that only an engine can read."""

class Config(File):
    """A configuration file of Godot."""

    sections: dict[str, dict[str, Any]]
    dialect: str
    def __init__(self, source: Any, dialect: str | None) -> None: ...
    def __getitem__(self, section: str) -> dict[str, Any]: ...
    def __setitem__(self, section: str, values: dict[str, Any]) -> None: ...
    def __delitem__(self, section: str) -> None: ...
    def __contains__(self, section: object) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def get(self, section: str, key: str, default: Any = None) -> Any: ...

class Document(File):
    """A file whose content is a document."""

    def __init__(self, source: Any, file: Any) -> None: ...
    @property
    def document(self) -> dict[str, Any]: ...
    def get(self, path: _Path, *default: Any) -> Any: ...
    def set(self, path: _Path, value: Any, *, type: str | None = None) -> None: ...
    def remove(self, path: _Path) -> None: ...
    def __getitem__(self, path: _Path) -> Any: ...
    def __setitem__(self, path: _Path, value: Any) -> None: ...
    def __delitem__(self, path: _Path) -> None: ...
    def __contains__(self, path: _Path) -> bool: ...

class Save(Document):
    """A save of Unreal Engine."""

    @property
    def wrapper(self) -> str | None: ...

class Package(Document):
    """A package of Unreal Engine."""

    mappings: Any
    def __init__(self, source: Any, file: Any, exports: bytes | None, mappings: Any) -> None: ...
    @property
    def wrapper(self) -> str | None: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def imports(self) -> list[Any]: ...
    @property
    def exports(self) -> list[dict[str, Any]]: ...
    def export_bytes(self, export: int | str) -> bytes: ...
    def exports_to_bytes(self) -> bytes | None: ...

class Rems(Document):
    """A save of Rem's Engine."""

    def __init__(self, source: Any, era: str | None) -> None: ...
    @property
    def form(self) -> Literal["text", "binary", "container"]: ...
    @property
    def era(self) -> str | None: ...
    @property
    def objects(self) -> list[dict[str, Any]]: ...

class Archive(Mapping[str, bytes]):
    """A pak or an IoStore container of Unreal Engine."""

    format: str
    path: Path | None
    deleted: list[str]
    def __init__(self, source: Path | bytes, format: str, key: bytes | None) -> None: ...
    def __getitem__(self, path: str) -> bytes: ...
    def size(self, path: str) -> int: ...
    def __contains__(self, path: object) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...

class Locres(File, Mapping[str, dict[str, str]]):
    """Localized texts of Unreal Engine."""

    document: dict[str, Any]
    def __init__(self, source: Any) -> None: ...
    def __getitem__(self, namespace: str) -> dict[str, str]: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...

class Registry(File):
    """An asset registry of Unreal Engine."""

    document: dict[str, Any]
    def __init__(self, source: Any) -> None: ...
    @property
    def assets(self) -> list[dict[str, Any]]: ...

class Mappings(File):
    """Mappings of Unreal Engine: the properties of classes and structs, and the values of enums."""

    structs: dict[str, dict[str, Any]]
    enums: dict[str, dict[str, int]]
    versions: str | None
    def __init__(self, source: Any) -> None: ...

def open(
    source: str | PathLike[str] | Buffer | _Readable,
    *,
    name: str | None = None,
    password: str | None = None,
    key: str | bytes | None = None,
    dialect: str | None = None,
    frames: bool | None = None,
    big_endian: bool | None = None,
    mappings: str | PathLike[str] | Buffer | None = None,
    script_objects: str | PathLike[str] | Buffer | None = None,
    declarations: Iterable[str | PathLike[str]] = (),
    exports: str | PathLike[str] | Buffer | None = None,
    engine: str | None = None,
    bytes_as: Literal["list", "hex", "base64"] = "list",
    era: str | None = None,
    methods: str | PathLike[str] | dict[str, Iterable[str]] | None = None,
) -> Values | Config | Content | Save | Package | Rems | Archive | Locres | Registry | Mappings | Packets:
    """Opens a file of any format that the library reads."""
