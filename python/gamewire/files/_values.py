"""Values of Godot, and content of compressed and encrypted files that has no other known format."""

from gamewire._error import Error
from gamewire._gamewire import dumps, load_all, loads
from gamewire.files._base import File


class Values(File):
    """Values of Godot, as `gamewire.godot.loads` returns them.

    `values` is the list of all values, which can be edited. `dialect` is their dialect. `framing` is
    the byte order of the length before each value, `little` or `big`, or `None` if there are no
    lengths. A file does not state its dialect and framing. `is_guess` is true if they were guessed
    and others fit as well.

    >>> import gamewire
    >>> save = gamewire.open(gamewire.godot.dumps({"hp": 90, "name": "Ada"}))
    >>> save.value["hp"] += 5
    >>> save.dialect, save.value
    ('godot4', {'hp': 95, 'name': 'Ada'})
    >>> gamewire.godot.loads(save.to_bytes())
    {'hp': 95, 'name': 'Ada'}
    """

    __slots__ = ("values", "dialect", "framing", "is_guess")

    def __init__(self, source, dialect, framing, is_guess):
        super().__init__(source)
        self.dialect = dialect
        self.framing = framing
        self.is_guess = is_guess
        if framing is None:
            self.values = load_all(source.data, dialect)
        else:
            self.values = loads(source.data, dialect, frames=True, big_endian=framing == "big")

    @property
    def value(self):
        """The value of a file that has exactly one."""
        if len(self.values) != 1:
            raise Error(f"the file has {len(self.values)} values: use `values`", "SeveralValues")
        return self.values[0]

    @value.setter
    def value(self, value):
        self.values[:] = [value]

    def _content(self):
        if self.framing is None:
            return b"".join(dumps(value, self.dialect) for value in self.values)
        return dumps(self.values, self.dialect, frames=True, big_endian=self.framing == "big")


class Content(File):
    """The content of a compressed or encrypted file, such as text. `content` can be replaced."""

    __slots__ = ("content",)

    def __init__(self, source):
        super().__init__(source)
        self.content = source.data

    def _content(self):
        return bytes(self.content)
