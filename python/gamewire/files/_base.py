"""The base class of all files."""

import os
import tempfile
from pathlib import Path

from gamewire._error import Error


class File:
    """A file that `gamewire.open` has opened.

    `format` is a phrase such as `a save of Unreal Engine`. `path` is the path of the file, or `None`
    if it was opened from bytes.
    """

    __slots__ = ("format", "path", "_original", "_container")

    def __init__(self, source):
        self.format = source.format
        self.path = source.path
        self._original = source.data
        self._container = source.container

    @property
    def container(self):
        """The compression or encryption of a file of Godot, such as `zstd` or `encrypted`, or `None`."""
        return self._container and self._container.form

    def to_bytes(self):
        """Returns the bytes of the file with its edits. Without edits, they are the bytes that were read."""
        content = self._content()
        if content == self._original:
            return self._container.file if self._container else content
        return self._container.pack(content) if self._container else content

    def save(self, path=None):
        """Writes the file, by default to the path from which it was opened.

        Writes a temporary file in the same folder first, so an error leaves the old file as it is.
        """
        replace(self._target(path), self.to_bytes())

    def _target(self, path):
        path = self.path if path is None else path
        if path is None:
            raise Error("the file was opened from bytes: a path is needed", "NoPath")
        return Path(path)

    def _content(self):
        """Returns the bytes, neither compressed nor encrypted."""
        return self._original

    def __repr__(self):
        name = f" {os.fspath(self.path)!r}" if self.path is not None else ""
        return f"<{type(self).__name__}{name}: {self.format}>"


def replace(path, data):
    """Replaces a file: writes a temporary file, and renames it when it is complete."""
    path = Path(os.path.realpath(path))
    handle, name = tempfile.mkstemp(prefix=".gamewire-", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            os.chmod(name, path.stat().st_mode & 0o7777)
        else:
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
