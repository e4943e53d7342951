"""Archives of Unreal Engine."""

from collections.abc import Mapping
from pathlib import Path

from gamewire._error import Error
from gamewire._gamewire import UnrealArchive


class Archive(Mapping):
    """A pak or an IoStore container of Unreal Engine: a mapping from paths to the bytes of files.

    A file is read, decrypted and decompressed when it is requested. An encrypted archive needs a key.
    If a chunk of a container has no path, its identifier takes the place of the path. `deleted` lists
    the files that a patch removes.

    >>> import gamewire
    >>> pak = gamewire.open("corpus/unreal-paks/v11.pak")
    >>> [path for path in pak if path.endswith(".uasset")]
    ['Content/Tiny.uasset']
    >>> package = gamewire.open(pak["Content/Tiny.uasset"], exports=pak["Content/Tiny.uexp"], engine="5.3")
    >>> package.exports[0]["object_name"]
    'DT_AllProperties'
    """

    __slots__ = ("format", "path", "deleted", "_archive", "_files")

    def __init__(self, source, format, key):
        self.path = source if isinstance(source, Path) else None
        self.format = format
        data = None if self.path else source
        self._archive = UnrealArchive(self.path, data, "container" in format, key)
        self._files, self.deleted = {}, []
        for path, size, chunk, is_deleted in self._archive.files():
            if is_deleted:
                self.deleted.append(path)
            else:
                self._files[path] = (size, chunk)

    def __getitem__(self, path):
        _, chunk = self._files[path]
        data = self._archive.read(path, chunk)
        if data is None:
            raise Error("the index of the archive does not contain the file", "NotFound", None, path)
        return data

    def size(self, path):
        """Returns the size of a file in bytes, without reading it."""
        return self._files[path][0]

    def __contains__(self, path):
        return path in self._files

    def __iter__(self):
        return iter(self._files)

    def __len__(self):
        return len(self._files)

    def __repr__(self):
        name = f" {str(self.path)!r}" if self.path else ""
        return f"<Archive{name}: {self.format}, {len(self)} files>"
