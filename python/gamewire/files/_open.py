"""The function `gamewire.open`."""

import binascii
import io
import os
from dataclasses import dataclass
from pathlib import Path

from gamewire._error import Error
from gamewire._gamewire import GodotContainer, packets, recognise
from gamewire.files import _archives, _tables
from gamewire.files._config import Config
from gamewire.files._documents import Rems, open_unreal
from gamewire.files._values import Content, Values

HEAD, TAIL = 64 << 10, 256
"""Numbers of bytes at the start and at the end of a file by which archives and captures are recognised."""


UNKNOWN = (
    "the format of the file is not known (tried: captures; packages, saves, archives, registries, texts and "
    "mappings of Unreal Engine; saves of Rem's Engine; compressed, encrypted and configuration files and "
    "values of Godot)"
)


@dataclass
class Source:
    """The bytes of a file, and what is known about them."""

    data: bytes
    path: object = None
    name: str = ""
    format: str = ""
    container: object = None


class Container:
    """A compressed or encrypted file of Godot."""

    def __init__(self, file, password, key):
        self.file = file
        self._opened = GodotContainer(file, password, key)
        self.content, self.form, self.pack = self._opened.content, self._opened.form, self._opened.pack


def open(
    source,
    *,
    name=None,
    password=None,
    key=None,
    dialect=None,
    frames=None,
    big_endian=None,
    mappings=None,
    script_objects=None,
    declarations=(),
    exports=None,
    engine=None,
    bytes_as="list",
    era=None,
    methods=None,
):
    """Opens a file of any format that the library reads, and returns an object for its content.

    `source` is a path, a bytes-like object, or a binary file object. The format is recognised from the
    content, and from the file name if the content is not enough. `name` is the file name of a `source`
    that is not a path.

    * `password` or `key` opens encrypted files. A key is 32 bytes, or a string with 64 hexadecimal digits
      or base64. The default for the password is the environment variable `GAMEWIRE_PASSWORD`.
    * `dialect` and `frames` state how values of Godot are stored. With a dialect, the default is no
      frames. With `frames=True`, the default dialect is `godot4`. With `frames=False` alone, the dialect
      is guessed. `big_endian=True` states that there are frames with big-endian lengths. `dialect` is
      also the dialect of a configuration file.
    * `mappings` (the path or the bytes of a `.usmap`), `script_objects`, `declarations` (paths of
      packages) and `engine` (such as `"5.4"`) are for packages of Unreal Engine, as for the command line.
      By default, `mappings` is the only `.usmap` in the folder of the package, or in the nearest folder
      above it that has any.
    * `exports` is the `.uexp` of a package that is opened from bytes.
    * `bytes_as` is the form of arrays of bytes in saves and packages: `list`, `hex` or `base64`.
    * `era` is the era of a binary save of Rem's Engine, as for the command line.
    * `methods` has the names of methods for a capture.

    >>> import gamewire
    >>> save = gamewire.open("corpus/unreal/gvas-ue4.27-Slot1.sav")
    >>> save.format, save["properties.u8_test"]
    ('a save of Unreal Engine', 129)
    >>> save["properties.u8_test"] = 77
    >>> gamewire.open(save.to_bytes())["properties.u8_test"]
    77
    """
    key = _key(key)
    options = {
        "mappings": mappings,
        "script_objects": script_objects,
        "declarations": declarations,
        "exports": exports,
        "engine": engine,
        "bytes_as": bytes_as,
        "frames": frames,
    }
    path = None
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        found, size = _ends(path, name or path.name)
        if found == "UnrealPak":
            return _archives.Archive(path, "a pak of Unreal Engine", key)
        if found == "UnrealToc":
            return _archives.Archive(path, "an IoStore container of Unreal Engine", key)
        if found == "Capture" and dialect is None:
            return packets(path, methods=methods)
        data = path.read_bytes()
    elif hasattr(source, "read"):
        data = source.read()
        name = name or getattr(source, "name", None)
        if not isinstance(data, bytes):
            raise TypeError("`read` must return bytes: open the file in binary mode")
    else:
        data = bytes(memoryview(source))
    name = name if isinstance(name, str) else path.name if path else ""
    opened = Source(data, path, name)
    if frames is None and big_endian:
        frames = True
    if dialect is not None or frames:
        return _as_stated(opened, password, key, dialect, frames, big_endian)
    return _recognised(opened, password, key, options, era, methods)


def _as_stated(source, password, key, dialect, frames, big_endian):
    """Opens values or a configuration file of Godot without a guess."""
    found = recognise(source.name, source.data)
    if found and found[0] in ("GodotCompressed", "GodotEncrypted"):
        _unpack(source, password, key)
        found = recognise(source.name, source.data)
    if found and found[0] == "GodotConfig" and not frames:
        source.format = found[1]
        return Config(source, dialect)
    source.format = "values of Godot"
    framing = ("big" if big_endian else "little") if frames else None
    return Values(source, dialect or "godot4", framing, False)


def _recognised(source, password, key, options, era, methods):
    found = recognise(source.name, source.data)
    if found is None:
        if source.container:
            source.format = "other content"
            return Content(source)
        raise Error(UNKNOWN, "UnknownFormat", 0)
    kind, source.format, guess = found
    match kind:
        case "GodotCompressed" | "GodotEncrypted" if source.container is None:
            _unpack(source, password, key)
            return _recognised(source, password, key, options, era, methods)
        case "GodotValues":
            dialect, big_endian, is_unique = guess
            framing = None if big_endian is None else "big" if big_endian else "little"
            if framing and options["frames"] is False:
                dialect, framing = "godot4", None
            return Values(source, dialect, framing, not is_unique)
        case "GodotConfig":
            return Config(source, None)
        case "UnrealPackage" | "UnrealCompressed" | "UnrealSave" | "UnrealZenPackage" | "UnrealWrappedSave":
            return open_unreal(source, options)
        case "Rems":
            return Rems(source, era)
        case "UnrealLocres":
            return _tables.Locres(source)
        case "UnrealRegistry":
            return _tables.Registry(source)
        case "UnrealMappings":
            return _tables.Mappings(source)
        case "Capture":
            return packets(io.BytesIO(source.data), methods=methods)
        case "UnrealPak" | "UnrealToc":
            return _archives.Archive(source.data, source.format, key)
    return Content(source)


def _unpack(source, password, key):
    if password is None and key is None:
        password = os.environ.get("GAMEWIRE_PASSWORD")
    source.container = Container(source.data, password, key)
    source.data = source.container.content


def _ends(path, name):
    """Returns the format of a file, recognised from its first and last bytes, and its size."""
    with io.open(path, "rb") as file:
        head = file.read(HEAD)
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - TAIL))
        found = recognise(name, head, file.read(TAIL))
    return found and found[0], size


def _key(key):
    """Returns the 32 bytes of a key."""
    if key is None or isinstance(key, bytes):
        given = key
    else:
        digits = key.removeprefix("0x")
        try:
            given = binascii.unhexlify(digits) if len(digits) == 64 else binascii.a2b_base64(digits)
        except binascii.Error:
            given = b""
    if given is not None and len(given) != 32:
        raise Error("a key has 32 bytes: 64 hexadecimal digits, or base64", "BadKey")
    return given
