"""Configuration files of Godot."""

from gamewire._error import Error
from gamewire._gamewire import dumps, edit_config, loads, read_config
from gamewire.files._base import File


class EngineValue(str):
    """The text of a value that only an engine can read, such as `Resource("res://hero.tres")`."""

    __slots__ = ()

    def __repr__(self):
        return f"EngineValue({str(self)!r})"


class Config(File):
    """A configuration file of Godot, such as `project.godot`.

    `sections` has a dictionary of values for each section. The section `""` has the entries before
    the first section. Values, keys and sections can be changed, added and removed. A value of `None`
    removes its key. Comments and all other bytes stay as they are.

    >>> import gamewire
    >>> config = gamewire.open(b'[player]\\n\\nname="Ada" ; the first\\nhp=5\\n')
    >>> config["player"]["hp"] = 7
    >>> config["player"]["position"] = gamewire.godot.Vector2(1, 2)
    >>> print(config.to_bytes().decode(), end="")
    [player]
    <BLANKLINE>
    name="Ada" ; the first
    hp=7
    position=Vector2(1, 2)
    """

    __slots__ = ("sections", "dialect", "_entries")

    def __init__(self, source, dialect):
        super().__init__(source)
        self.dialect, sections = read_config(source.data, dialect)
        self.sections, self._entries = {}, {}
        for section, entries in sections:
            values = self.sections[section] = {}
            for key, packet, text in entries:
                values[key] = EngineValue(text) if packet is None else loads(packet, self.dialect)
                self._entries[section, key] = self._encoded(values[key], section, key)

    def __getitem__(self, section):
        return self.sections[section]

    def __setitem__(self, section, values):
        self.sections[section] = values

    def __delitem__(self, section):
        del self.sections[section]

    def __contains__(self, section):
        return section in self.sections

    def __iter__(self):
        return iter(self.sections)

    def __len__(self):
        return len(self.sections)

    def get(self, section, key, default=None):
        """Returns the value of a key, or `default` if the file does not have it."""
        return self.sections.get(section, {}).get(key, default)

    def _encoded(self, value, section, key):
        if isinstance(value, EngineValue):
            return str(value)
        try:
            return dumps(value, self.dialect)
        except Error as error:
            path = f"{section}/{key}" + (f"/{error.path}" if error.path else "")
            raise Error(error.args[0], error.kind, error.offset, path) from None

    def _content(self):
        changes, found = [], set()
        for section, values in self.sections.items():
            for key, value in values.items():
                found.add((section, key))
                encoded = None if value is None else self._encoded(value, section, key)
                if self._entries.get((section, key)) != encoded:
                    changes.append((section, key, encoded))
        gone = self._entries.keys() - found
        changes += [(*entry, None) for entry in self._entries if entry in gone]
        return edit_config(self._original, self.dialect, changes) if changes else self._original
