"""Packages and saves of Unreal Engine, and saves of Rem's Engine, as documents."""

import os
from pathlib import Path

from gamewire._error import Error
from gamewire._gamewire import RemsFile, UnrealFile
from gamewire.files import _paths, _rems_paths
from gamewire.files._base import File, replace


class Document(File):
    """A file whose content is a document: dictionaries, lists, strings and numbers, which can be edited.

    `document` is the document that `gamewire json` prints, without the members `stored` of a package
    and `wrapper`. `get`, `set` and `remove` take the paths of `gamewire get`. `file[path]` gets,
    `file[path] = value` sets, and `del file[path]` removes. A path can also be a list of names and
    indices. The file is decoded when the document is first used.

    `to_bytes` returns the bytes of the file. Without edits, they are the bytes that were read.
    """

    __slots__ = ("_file", "_document")

    def __init__(self, source, file):
        super().__init__(source)
        self._file = file
        self._document = None

    @property
    def document(self):
        """The document, which can be edited in place."""
        if self._document is None:
            self._document = self._file.document()
        return self._document

    def _segments(self, path):
        return _paths.parse(path)

    def get(self, path, *default):
        """Returns the value at a path, or the default if one is given and the path does not exist."""
        segments = self._segments(path)
        try:
            return _paths.get(self.document, path, segments)
        except Error as error:
            if default and error.kind == "NoSuchPath":
                return default[0]
            raise

    def set(self, path, value, *, type=None):
        """Sets the value at a path.

        If only the last segment does not exist, adds a property or an entry of a map. `type` is the
        type of a new property. It is needed if the value does not determine the type. The segment `+`
        adds an element to a list.
        """
        _paths.put(self.document, path, self._segments(path), value, type)

    def remove(self, path):
        """Removes a property, an entry of a map or an element of a list."""
        _paths.remove(self.document, path, self._segments(path))

    def __getitem__(self, path):
        return self.get(path)

    def __setitem__(self, path, value):
        self.set(path, value)

    def __delitem__(self, path):
        self.remove(path)

    def __contains__(self, path):
        return self.get(path, _paths.MISSING) is not _paths.MISSING

    def _written(self):
        """Returns the bytes of the file and of its `.uexp`, or `None` if nothing was changed."""
        if self._document is None:
            return None
        try:
            return self._file.write(self._document)
        except Error:
            # If a file can be read only in part, its document does not describe all of it.
            if self._document == self._file.document():
                return None
            raise

    def _content(self):
        written = self._written()
        return written[0] if written else self._original


class Save(Document):
    """A save of Unreal Engine, with or without the wrapper of a game.

    >>> import gamewire
    >>> save = gamewire.open("corpus/unreal/gvas-ue4.27-Slot1.sav")
    >>> save["save_game_class"]
    '/Script/UE4SaveFile.TestSaveGame'
    >>> save["properties.struct_property.test_field"]
    12345
    >>> save.set("properties.Gold", 250)
    >>> len(save.to_bytes()) > len(gamewire.open(save.path).to_bytes())
    True
    """

    __slots__ = ()

    @property
    def wrapper(self):
        """A description of the wrapper that the game has put around the save, or `None`."""
        return self._file.wrapper


class Package(Document):
    """A package of Unreal Engine. `exports`, `imports` and `names` are lists in the document.

    Packages from IoStore containers can only be read. If a package consists of two files, `to_bytes`
    returns the bytes of the first file, `exports_to_bytes` returns those of the `.uexp`, and `save`
    writes both. A path can contain the name of an export or import: `exports.Door.properties`. The
    name that it had when the file was opened also stays valid, unless another one now has this name.

    >>> import gamewire
    >>> package = gamewire.open("corpus/unreal/ue4.27-TestActorBP.uasset")
    >>> package["exports[0].class_name"], package.export_bytes("exports[0]")[:4].hex()
    ('Blueprint', '51000000')
    """

    __slots__ = ("_exports", "mappings")

    def __init__(self, source, file, exports, mappings):
        super().__init__(source, file)
        self._exports = exports
        self.mappings = mappings

    @property
    def wrapper(self):
        """A description of the compression of the package, or `None`."""
        return self._file.wrapper

    @property
    def names(self):
        """The names."""
        return self.document["names"]

    @property
    def imports(self):
        """The imports."""
        return self.document["imports"]

    @property
    def exports(self):
        """The exports, with their properties."""
        return self.document["exports"]

    def _segments(self, path):
        segments = _paths.parse(path)
        if len(segments) > 1 and segments[1].index is None:
            index = self._index_of(segments[0].member, segments[1].text)
            if index is not None:
                segments[1] = _paths.Segment(str(index))
        return segments

    def _index_of(self, table, name):
        """Returns the index of the export or import with a name or path, or `None`."""
        find = {"exports": self._file.find_export, "imports": self._file.find_import}.get(table)
        if find is None:
            return None
        # Objects can have been renamed in the document.
        objects = enumerate((self._document or {}).get(table, []))
        found = [index for index, entry in objects if _paths.has_object_name(entry, name)]
        return found[0] if len(found) == 1 else find(name)

    def export_bytes(self, export):
        """Returns the bytes that an export had when the file was opened.

        `export` is an index, a name, or a path such as `exports[0]` or `exports.Door`. Negative indices
        count from the end.
        """
        *table, segment = self._segments(export) or [None]
        if segment is None or [part.member for part in table] not in ([], ["exports"]):
            message = "an export is given by its index or name, or as `exports[0]` or `exports.NAME`"
            raise Error(message, "BadPath", None, str(export))
        index = segment.index
        if index is None:
            index = self._index_of("exports", segment.text)
        if index is None:
            raise _paths.not_found(export, [_paths.Segment("exports"), segment], 1)
        return self._file.export_bytes(index)

    def exports_to_bytes(self):
        """Returns the bytes of the `.uexp`, or `None` if the package has none."""
        written = self._written()
        return written[1] if written else self._exports

    def save(self, path=None):
        """Writes the package, and its `.uexp` beside it if it has one."""
        path = self._target(path)
        header, exports = self._written() or (self._original, self._exports)
        if exports is not None:
            replace(path.with_suffix(".uexp"), exports)
        replace(path, header)


class Rems(Document):
    """A save of Rem's Engine: text, a binary stream or a container.

    Paths lead through objects, lists and values, and follow pointers, as those of the command line do.
    In the document, an object has `class`, `pointer` (its number), and the list `properties`. Each
    property has `type`, `name` and `value`. If only values of a text save are changed, the rest stays
    byte for byte. After other changes, the whole file is written as the engine writes it.

    >>> import gamewire
    >>> save = gamewire.open(b'[ {"class":"Camera", "i:*ptr":1, "f:fov":60, "v3:position":[0,1.5,0]} ]')
    >>> save["[0].fov"], save["Camera.position.y"]
    (60.0, 1.5)
    >>> save["Camera.position"] = [1, 2, 3]
    >>> save.to_bytes()
    b'[ {"class":"Camera", "i:*ptr":1, "f:fov":60, "v3:position":[1,2,3]} ]'
    """

    __slots__ = ()

    def __init__(self, source, era):
        super().__init__(source, RemsFile(source.data, era))

    @property
    def form(self):
        """`text`, `binary` or `container`."""
        return self._file.form

    @property
    def era(self):
        """The era of the engine that wrote a binary stream, or `None` for text."""
        return self._file.era

    @property
    def objects(self):
        """The objects at the top level of the file. They can contain other objects."""
        return self.document["objects"]

    def get(self, path, *default):
        """Returns the value at a path, or the default if one is given and the path does not exist."""
        segments = self._segments(path)
        try:
            return _rems_paths.get(self.objects, path, segments)
        except Error as error:
            if default and error.kind == "NoSuchPath":
                return default[0]
            raise

    def set(self, path, value, *, type=None):
        """Sets the value at a path. If the object does not have the property, `type`, such as `f` or
        `v3`, adds it with this type."""
        _rems_paths.put(self.objects, path, self._segments(path), value, type)

    def remove(self, path):
        """Removes a property, an element or an object."""
        _rems_paths.remove(self.objects, path, self._segments(path))


def read_given(given):
    """Returns the bytes of a path or of a bytes-like object."""
    if given is None:
        return None
    if isinstance(given, (str, os.PathLike)):
        return Path(given).read_bytes()
    return bytes(memoryview(given))


def mappings_near(path):
    """Returns the path of the mappings in the folder of a package, or in the nearest folder above it
    that contains mappings. Returns `None` if there are none, or several in the same folder."""
    for folder in Path(path).absolute().parents:
        try:
            found = [file for file in folder.iterdir() if file.suffix.lower() == ".usmap" and file.is_file()]
        except OSError:
            continue
        if found:
            return found[0] if len(found) == 1 else None
    return None


def open_unreal(source, options):
    """Opens a package with its companion, or a save."""
    path, exports = source.path, read_given(options["exports"])
    if exports is None and path is not None and (beside := path.with_suffix(".uexp")).is_file():
        if beside != path:
            exports = beside.read_bytes()
    declarations = []
    for other in options["declarations"]:
        beside = Path(other).with_suffix(".uexp")
        declarations.append((Path(other).read_bytes(), beside.read_bytes() if beside.is_file() else None))

    def opened(mappings):
        return UnrealFile(
            source.data,
            exports,
            options["engine"],
            options["bytes_as"],
            read_given(mappings),
            read_given(options["script_objects"]),
            declarations,
            path,
        )

    mappings = options["mappings"]
    file = opened(mappings)
    if file.needs_mappings and path is not None and (near := mappings_near(path)):
        try:
            file = opened(near)
        except Error:
            pass  # The mappings are damaged, or do not belong to the package.
        else:
            mappings = near
    if file.kind == "save":
        return Save(source, file)
    return Package(source, file, exports if file.kind == "package" else None, mappings)
