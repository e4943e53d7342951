"""The classes that are written in Python, most of which inherit from built-in types.

`loads` returns objects of most of these classes only where a plain object would lose something:
the type of an array, the width of a number, or bytes that no engine writes. `_wire` has the bytes
of the value, or of the start of a container. `dumps` writes them unchanged, except for the count of
a container.
"""


class Nil:
    """Null in an unusual encoding. It is false and equals `None`."""

    __slots__ = ("_wire",)

    def __init__(self, wire=None):
        self._wire = wire

    @classmethod
    def _make(cls, _value, wire):
        return cls(wire)

    @property
    def wire(self):
        """The bytes that `dumps` writes, or `None`."""
        return self._wire

    def __bool__(self):
        return False

    def __eq__(self, other):
        return other is None or isinstance(other, Nil)

    def __hash__(self):
        return hash(None)

    def __repr__(self):
        return "Nil()"

    def __reduce__(self):
        return type(self), (self._wire,)


class _Scalar:
    """The base of the subclasses of `int`, `float` and `str`."""

    _wire = None
    _wide = False

    @classmethod
    def _make(cls, value, wire):
        made = cls(value)
        made._wire = wire
        return made

    @property
    def wire(self):
        """The bytes that `dumps` writes, or `None`."""
        return self._wire


class Bool(_Scalar, int):
    """A bool in an unusual encoding. It is an `int` of 0 or 1, since `bool` has no subclasses."""

    def __repr__(self):
        return f"Bool({int(self)})"


class Int(_Scalar, int):
    """An int in an unusual encoding, or one that is written in 64 bits.

    >>> from gamewire.godot import Int, dumps
    >>> len(dumps(5)), len(dumps(Int(5, wide=True)))
    (8, 12)
    """

    def __new__(cls, value=0, *, wide=False):
        made = super().__new__(cls, value)
        made._wide = wide
        return made

    @property
    def wide(self):
        """True if the int is written in 64 bits even if 32 suffice."""
        return self._wide if self._wire is None else len(self._wire.data) == 12


class Float(_Scalar, float):
    """A float in an unusual encoding, or one that is written in 64 bits.

    >>> from gamewire.godot import Float, dumps
    >>> len(dumps(0.5)), len(dumps(Float(0.5, wide=True)))
    (8, 12)
    """

    def __new__(cls, value=0.0, *, wide=False):
        made = super().__new__(cls, value)
        made._wide = wide
        return made

    @property
    def wide(self):
        """True if the float is written in 64 bits even if 32 suffice."""
        return self._wide if self._wire is None else len(self._wire.data) == 12


class String(_Scalar, str):
    """A string in an unusual encoding."""


class StringName(_Scalar, str):
    """A StringName of Godot 4. It equals a `str` of the same text.

    >>> from gamewire.godot import StringName, loads, dumps
    >>> loads(dumps([StringName("hp")]))
    [StringName('hp')]
    >>> StringName("hp") == "hp"
    True
    """

    def __repr__(self):
        return f"StringName({super().__repr__()})"


class Key:
    """A key of a dictionary that Python holds equal to a later key of the same dictionary.

    Godot tells 1 from 1.0 and from true, and a packet may have a key more than once. The last of
    these keys is a plain key, the others are wrapped in this class. `number` counts the equal keys
    after this one.

    >>> from gamewire.godot import Key
    >>> {Key(1, 1): "an int", 1.0: "a float"}[1]
    'a float'
    """

    __slots__ = ("value", "number")
    __match_args__ = ("value", "number")

    def __init__(self, value, number=1):
        self.value = value
        self.number = number

    def __eq__(self, other):
        if not isinstance(other, Key):
            return NotImplemented
        return (self.value, self.number) == (other.value, other.number)

    def __hash__(self):
        return hash((Key, self.value, self.number))

    def __repr__(self):
        return f"Key({self.value!r}, {self.number})"


class Array(list):
    """An Array that declares the type of its elements, or has an unusual encoding.

    `element_type` is the name of a type, the name of a class, or the path of a script. It stays
    when elements change.

    >>> from gamewire.godot import Array, dumps, loads
    >>> numbers = loads(dumps(Array([1, 2], "int")))
    >>> numbers.append(3)
    >>> loads(dumps(numbers))
    Array([1, 2, 3], 'int')
    """

    __slots__ = ("_element_type", "_shared", "_wire")

    def __init__(self, items=(), element_type=None, *, shared=False):
        super().__init__(items)
        self._element_type = element_type
        self._shared = shared
        self._wire = None

    @classmethod
    def _make(cls, items, element_type, shared, wire):
        made = cls(items, element_type, shared=shared)
        made._wire = wire
        return made

    @property
    def element_type(self):
        """The declared type of the elements, or `None`."""
        return self._element_type

    @element_type.setter
    def element_type(self, element_type):
        self._element_type = element_type
        self._wire = None

    @property
    def shared(self):
        """True if the array is marked as shared, which Godot 2 does."""
        return self._shared

    def __repr__(self):
        declared = "" if self._element_type is None else f", {self._element_type!r}"
        return f"Array({super().__repr__()}{declared})"

    def __reduce__(self):
        return _restored, (type(self), list(self), self._element_type, self._shared, self._wire)


class FrozenArray(tuple):
    """An `Array` that is a key or a part of a key. Plain arrays in keys are tuples."""

    _element_type = None
    _shared = False
    _wire = None

    @classmethod
    def _make(cls, items, element_type, shared, wire):
        made = cls(items)
        made._element_type = element_type
        made._shared = shared
        made._wire = wire
        return made

    @property
    def element_type(self):
        """The declared type of the elements, or `None`."""
        return self._element_type

    @property
    def shared(self):
        """True if the array is marked as shared, which Godot 2 does."""
        return self._shared

    def __reduce__(self):
        return _restored, (type(self), tuple(self), self._element_type, self._shared, self._wire)


class Dictionary(dict):
    """A Dictionary that declares the types of its keys or values, or has an unusual encoding.

    The types stay when pairs change.

    >>> from gamewire.godot import Dictionary, dumps, loads
    >>> loads(dumps(Dictionary({"hp": 90}, "String", "int")))
    Dictionary({'hp': 90}, 'String', 'int')
    """

    __slots__ = ("_key_type", "_value_type", "_shared", "_wire")

    def __init__(self, pairs=(), key_type=None, value_type=None, *, shared=False):
        super().__init__(pairs)
        self._key_type = key_type
        self._value_type = value_type
        self._shared = shared
        self._wire = None

    @classmethod
    def _make(cls, pairs, key_type, value_type, shared, wire):
        made = cls(pairs, key_type, value_type, shared=shared)
        made._wire = wire
        return made

    @property
    def key_type(self):
        """The declared type of the keys, or `None`."""
        return self._key_type

    @key_type.setter
    def key_type(self, key_type):
        self._key_type = key_type
        self._wire = None

    @property
    def value_type(self):
        """The declared type of the values, or `None`."""
        return self._value_type

    @value_type.setter
    def value_type(self, value_type):
        self._value_type = value_type
        self._wire = None

    @property
    def shared(self):
        """True if the dictionary is marked as shared, which Godot 2 does."""
        return self._shared

    def __repr__(self):
        declared = ""
        if self._key_type is not None or self._value_type is not None:
            declared = f", {self._key_type!r}, {self._value_type!r}"
        return f"Dictionary({super().__repr__()}{declared})"

    def __reduce__(self):
        args = (dict(self), self._key_type, self._value_type, self._shared, self._wire)
        return _restored, (type(self), *args)


class FrozenDictionary:
    """A Dictionary that is a key or a part of a key. Its pairs cannot be changed, so it has a hash.

    >>> from gamewire.godot import FrozenDictionary, dumps, loads
    >>> key = FrozenDictionary({"x": 1})
    >>> loads(dumps({key: "here"}))[key]
    'here'
    """

    __slots__ = ("_dict", "_hash", "key_type", "value_type", "shared", "_wire")

    def __init__(self, pairs=(), key_type=None, value_type=None):
        self._dict = dict(pairs)
        # Computed once, so that the hash of nested dictionaries takes linear time and no recursion.
        self._hash = hash((FrozenDictionary, frozenset(self._dict.items())))
        self.key_type = key_type
        self.value_type = value_type
        self.shared = False
        self._wire = None

    @classmethod
    def _make(cls, pairs, key_type, value_type, shared, wire):
        made = cls(pairs, key_type, value_type)
        made.shared = shared
        made._wire = wire
        return made

    def __getitem__(self, key):
        return self._dict[key]

    def __contains__(self, key):
        return key in self._dict

    def __iter__(self):
        return iter(self._dict)

    def __len__(self):
        return len(self._dict)

    def get(self, key, default=None):
        """Returns the value of a key, or `default`."""
        return self._dict.get(key, default)

    def keys(self):
        """Returns the keys."""
        return self._dict.keys()

    def values(self):
        """Returns the values."""
        return self._dict.values()

    def items(self):
        """Returns the pairs."""
        return self._dict.items()

    def __eq__(self, other):
        if isinstance(other, FrozenDictionary):
            return self._dict == other._dict
        return self._dict == other if isinstance(other, dict) else NotImplemented

    def __hash__(self):
        return self._hash

    def __repr__(self):
        return f"FrozenDictionary({self._dict!r})"

    def __reduce__(self):
        args = (self._dict, self.key_type, self.value_type, self.shared, self._wire)
        return _restored, (type(self), *args)


class Object:
    """An object with its class and its properties. Its class cannot be changed.

    >>> from gamewire.godot import Object, dumps, loads
    >>> loads(dumps(Object("Resource", {"hp": 5}))).properties["hp"]
    5
    """

    __slots__ = ("_class_name", "properties", "_wire")
    __match_args__ = ("class_name", "properties")

    def __init__(self, class_name, properties=()):
        self._class_name = class_name
        self.properties = dict(properties)
        self._wire = None

    @classmethod
    def _make(cls, class_name, properties, wire):
        made = cls(class_name)
        made.properties = properties
        made._wire = wire
        return made

    @property
    def class_name(self):
        """The name of the class."""
        return self._class_name

    def __eq__(self, other):
        if not isinstance(other, Object):
            return NotImplemented
        return (self._class_name, self.properties) == (other._class_name, other.properties)

    def __hash__(self):
        return hash((Object, self._class_name))

    def __repr__(self):
        return f"Object({self._class_name!r}, {self.properties!r})"

    def __reduce__(self):
        return _restored, (type(self), self._class_name, self.properties, self._wire)


def _restored(cls, *args):
    """Creates an unpickled object."""
    return cls._make(*args)
