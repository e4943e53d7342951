"""What the classes of all files have in common."""

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
        """What Godot has put around the content: `zstd`, `encrypted` …, or `None`."""
        return self._container and self._container.form

    def to_bytes(self):
        """Returns the bytes of the file: those that were read, but for the edits."""
        content = self._content()
        if content == self._original:
            return self._container.file if self._container else content
        return self._container.pack(content) if self._container else content

    def save(self, path=None):
        """Writes the file, by default to the path from which it was opened.

        The new content first goes to a temporary file in the same folder, so an error leaves the
        old file as it is.
        """
        replace(self._target(path), self.to_bytes())

    def _target(self, path):
        path = self.path if path is None else path
        if path is None:
            raise Error("the file was opened from bytes: a path is needed", "NoPath")
        return Path(path)

    def _content(self):
        """Returns the bytes without the container."""
        return self._original

    def __repr__(self):
        name = f" {os.fspath(self.path)!r}" if self.path is not None else ""
        return f"<{type(self).__name__}{name}: {self.format}>"


def replace(path, data):
    """Writes a file by renaming a complete temporary file."""
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
