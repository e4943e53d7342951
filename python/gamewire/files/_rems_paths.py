"""Finds values in saves of Rem's Engine by the paths of `gamewire get`."""

from gamewire._error import Error
from gamewire.files._paths import not_found

COMPONENTS = {"x": 0, "y": 1, "z": 2, "w": 3}
CORNERS = {"min": 0, "max": 1}


def is_object(node):
    return isinstance(node, dict) and "class" in node and "properties" in node


def is_pointer(node):
    return isinstance(node, dict) and node.keys() == {"pointer"}


def all_objects(node):
    """Yields all objects, in the order of the file."""
    stack = [node]
    while stack:
        node = stack.pop()
        if isinstance(node, list):
            stack.extend(reversed(node))
        elif is_object(node):
            yield node
            stack.extend(property.get("value") for property in reversed(node["properties"]))


def target(objects, number):
    """Returns the object with a number. If several objects have it, returns the last one, as the engine
    does.

    The engine of 2021 omits numbers of objects. If each number in a file is the position of its object,
    a number that no object has is also taken as a position.
    """
    every = list(all_objects(objects))
    for node in reversed(every):
        if node.get("pointer") == number:
            return node
    are_positions = all(node.get("pointer") in (None, at) for at, node in enumerate(every, 1))
    return every[number - 1] if are_positions and 0 < number <= len(every) else None


def first(objects, segment):
    """Returns the list and index of the object that the first segment selects."""
    text, index = segment.text, segment.index
    if index is not None and -len(objects) <= index < len(objects):
        return objects, index % len(objects)
    if segment.member is not None and text.startswith("*") and text[1:].isdecimal():
        node = target(objects, int(text[1:]))
        return None if node is None else ([node], 0)
    found = [at for at, node in enumerate(objects) if is_object(node) and node["class"] == text]
    return (objects, found[0]) if len(found) == 1 else None


def step(objects, node, segment):
    """Returns the container of the value that a segment selects, and the key of the value in it. Also
    returns the list and index of the property or element, or `None` for a member of an object."""
    if is_pointer(node):
        node = target(objects, node["pointer"])
    if is_object(node):
        found = [at for at, one in enumerate(node["properties"]) if one["name"] == segment.text]
        place = -1 if segment.array_index is None else segment.array_index
        if found and -len(found) <= place < len(found):
            at = found[place]
            return node["properties"][at], "value", (node["properties"], at)
        if segment.member in ("class", "pointer", "offset") and segment.member in node:
            return node, segment.member, None
        return None
    if isinstance(node, list):
        index = segment.index
        if index is None and segment.member is not None:
            is_box = len(node) == 2 and all(isinstance(corner, list) for corner in node)
            index = CORNERS.get(segment.text) if is_box else COMPONENTS.get(segment.text)
        if index is not None and -len(node) <= index < len(node):
            return node, index % len(node), (node, index % len(node))
    return None


def names_in(objects, node):
    if is_pointer(node):
        node = target(objects, node["pointer"])
    return [one["name"] for one in node["properties"]] if is_object(node) else []


def find(objects, path, segments):
    """Returns the container and the key of the value at a path, and its list and index."""
    found = first(objects, segments[0])
    if found is None:
        raise not_found(path, segments, 0, sorted({str(node["class"]) for node in objects if is_object(node)}))
    found = (*found, found)
    for at, segment in enumerate(segments[1:], 1):
        node = found[0][found[1]]
        found = step(objects, node, segment)
        if found is None:
            raise not_found(path, segments, at, names_in(objects, node))
    return found


def get(objects, path, segments):
    """Returns the value at a path."""
    if not segments:
        return objects
    container, key, _ = find(objects, path, segments)
    return container[key]


def put(objects, path, segments, value, type_=None):
    """Sets the value at a path."""
    if not segments:
        raise Error("the path is empty", "BadPath", None, path)
    try:
        container, key, _ = find(objects, path, segments)
    except Error:
        if type_ is None or len(segments) < 2:
            raise
        node = get(objects, path, segments[:-1])
        if is_pointer(node):
            node = target(objects, node["pointer"])
        if not is_object(node):
            raise
        node["properties"].append({"type": type_, "name": segments[-1].text, "value": value})
    else:
        container[key] = value


def remove(objects, path, segments):
    """Removes a property, an element or an object."""
    if not segments:
        raise Error("the path is empty", "BadPath", None, path)
    _, _, place = find(objects, path, segments)
    if place is None:
        raise Error("only a property or an element can be removed", "BadPath", None, path)
    del place[0][place[1]]
