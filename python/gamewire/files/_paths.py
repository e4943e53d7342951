"""Finds values in documents by the paths of `gamewire get`.

A list can consist of entries that have a name or a key, such as the properties of an object. In such a
list, a segment selects the value of the entry with this name or key. If a dictionary has the member
`entries` or `values`, a segment can also select a value in that list.
"""

from gamewire._error import Error
from gamewire._gamewire import parse_path

MISSING = object()


class Segment:
    """A segment of a path."""

    __slots__ = ("text", "quoted", "array_index", "is_name")

    def __init__(self, text, quoted=False, array_index=None, is_name=False):
        self.text, self.quoted, self.array_index, self.is_name = text, quoted, array_index, is_name

    @property
    def index(self):
        """The segment as an index, or `None`."""
        digits = self.text.removeprefix("-")
        is_index = digits.isdecimal() and digits.isascii() and len(digits) < 10
        return int(self.text) if is_index and self.member is not None and not self.is_name else None

    @property
    def member(self):
        """The segment as the name of a member, or `None`."""
        return self.text if not self.quoted and self.array_index is None else None

    def __str__(self):
        index = "" if self.array_index is None else f"[#{self.array_index}]"
        return (f'"{self.text}"' if self.quoted else self.text) + index


def parse(path):
    """Splits a path into segments. A path can also be a list of names and indices."""
    if isinstance(path, str):
        return [Segment(*part) for part in parse_path(path)]
    if isinstance(path, int):
        path = [path]
    return [Segment(str(part), is_name=not isinstance(part, int)) for part in path]


def not_found(path, segments, at, names=None):
    """Returns the error for a segment that does not exist."""
    before = "/".join(map(str, segments[:at]))
    place = f"in `{before}`" if before else "at the top"
    known = f" (there: {', '.join(map(str, names[:10]))}{', …' if len(names) > 10 else ''})" if names else ""
    message = f"no `{segments[at]}` {place}{known}"
    return Error(message, "NoSuchPath", None, "/".join(map(str, segments)) or path)


def is_entry(node):
    """Returns whether a node is an entry with a name or a key, which a segment can select."""
    return isinstance(node, dict) and (
        "key" in node or ("name" in node and ("type" in node or isinstance(node.get("value"), list)))
    )


def has_object_name(entry, name):
    """Returns whether an export or import of a package has a name."""
    own = entry.get("object_name") if isinstance(entry, dict) else None
    return isinstance(own, str) and own.lower() == name.lower()


def key_text(key):
    """Returns the text of a key in a path."""
    if isinstance(key, str):
        return key
    if key is None or isinstance(key, bool):
        return {None: "null", True: "true", False: "false"}[key]
    return str(key)


def is_called(entry, segment):
    """Returns whether a segment is the name or the key of an entry."""
    if isinstance(entry.get("name"), str):
        index = entry.get("array_index", 0)
        return entry["name"].lower() == segment.text.lower() and index == (segment.array_index or 0)
    return has_key(entry, segment)


def has_key(entry, segment):
    """Returns whether a segment is the key of an entry."""
    if not isinstance(entry, dict) or "key" not in entry or segment.array_index is not None:
        return False
    return key_text(entry["key"]).lower() == segment.text.lower()


def step(node, segment):
    """Returns the container of the value that a segment selects, and the key of the value in it. Also
    returns the list and index of the entry or element, or `None` for a member of a dictionary. Returns
    only `None` if the segment selects nothing."""
    if isinstance(node, dict):
        if segment.member is not None and segment.member in node:
            return node, segment.member, None
        for inner in ("entries", "values"):
            if isinstance(node.get(inner), list):
                return step(node[inner], segment)
        return None
    if not isinstance(node, list):
        return None
    index = segment.index
    if index is not None and -len(node) <= index < len(node):
        return node, index % len(node), (node, index % len(node))
    for matches in (lambda entry: is_entry(entry) and is_called(entry, segment), lambda entry: has_key(entry, segment)):
        for at, entry in enumerate(node):
            if matches(entry):
                return entry, "raw" if "value" not in entry and "raw" in entry else "value", (node, at)
    return None


def names_in(node):
    """Returns the names that a segment can select."""
    if isinstance(node, dict):
        inner = node.get("entries")
        return [*node] + (names_in(inner) if isinstance(inner, list) else [])
    if isinstance(node, list):
        return [entry.get("name", key_text(entry.get("key"))) for entry in node if is_entry(entry)]
    return []


def find(root, path, segments):
    """Returns the container and the key of the value at a path, and the list and index of its entry, as
    `step` does."""
    node, found = root, None
    for at, segment in enumerate(segments):
        found = step(node, segment)
        if found is None or found[1] not in found[0] and isinstance(found[0], dict):
            raise not_found(path, segments, at, names_in(node))
        node = found[0][found[1]]
    return found


def get(root, path, segments):
    """Returns the value at a path."""
    if not segments:
        return root
    container, key, _ = find(root, path, segments)
    return container[key]


def guessed_type(value):
    """Returns the type that `gamewire set` guesses for a new property with a value, or `None`."""
    if isinstance(value, bool):
        return "BoolProperty"
    if isinstance(value, int):
        return "IntProperty" if -(2**31) <= value < 2**31 else "Int64Property"
    return {float: "FloatProperty", str: "StrProperty"}.get(type(value))


def put(root, path, segments, value, type_=None):
    """Sets the value at a path. If only the last segment does not exist, adds a property or an entry of
    a map. The segment `+` adds an element to a list."""
    if not segments:
        raise Error("the path is empty", "BadPath", None, path)
    parent = get(root, path, segments[:-1])
    last = segments[-1]
    found = step(parent, last)
    if found is not None:
        container, key, _ = found
        if key == "raw" and last.member != "raw":
            raise Error("its value is only known as bytes; set its `raw`", "OnlyBytes", None, path)
        container[key] = value
        return
    while isinstance(parent, dict):
        inner = next((parent[name] for name in ("entries", "values") if isinstance(parent.get(name), list)), None)
        if inner is None:
            raise not_found(path, segments, len(segments) - 1, names_in(parent))
        parent = inner
    if not isinstance(parent, list):
        raise not_found(path, segments, len(segments) - 1)
    if last.member == "+":
        parent.append(value)
        return
    map_type = map_key_type(root, path, segments[:-1])
    is_map = "key" in parent[0] if parent and isinstance(parent[0], dict) else map_type is not None
    if is_map:
        parent.append({"key": new_key(parent, map_type or "", last.text, path), "value": value})
        return
    if last.index is not None or not (all(map(is_entry, parent))):
        raise not_found(path, segments, len(segments) - 1, names_in(parent))
    type_ = type_ or guessed_type(value)
    if type_ is None:
        raise Error(f"there is no property `{last.text}`; `type` adds one", "NoSuchPath", None, path)
    index = last.array_index or 0
    parent.append({"name": last.text, "type": type_, "array_index": index, "value": value})


def new_key(entries, map_type, text, path):
    """Returns the key for a new entry of a map. The first entry or the type of the map determines whether
    it is a number. In an empty map of bytes, it can also be the name of an enum member."""
    sample = entries[0]["key"] if entries else None
    is_number = isinstance(sample, (int, float)) and not isinstance(sample, bool)
    if not entries:
        is_number = map_type.startswith(("Int", "UInt", "Byte"))
    if not is_number:
        return text
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        if not entries and map_type.startswith("Byte"):
            return text
        raise Error(f"the key `{text}` is not a number", "BadPath", None, path) from None


def map_key_type(root, path, segments):
    """Returns the types of a map, such as `IntProperty, StrProperty)`: the keys first, with the last
    parenthesis. Returns `None` if the path does not lead to a map."""
    if not segments:
        return None
    _, _, entry = find(root, path, segments)
    type_ = entry[0][entry[1]].get("type", "") if entry and isinstance(entry[0][entry[1]], dict) else ""
    return type_.removeprefix("MapProperty(") if type_.startswith("MapProperty(") else None


def remove(root, path, segments):
    """Removes an entry or an element of a list."""
    if not segments:
        raise Error("the path is empty", "BadPath", None, path)
    _, _, entry = find(root, path, segments)
    if entry is None:
        raise Error("only an entry of a list can be removed", "BadPath", None, path)
    del entry[0][entry[1]]
