"""The Python objects: classes, keys, unusual encodings, and editing."""

import copy
import math
import pickle
import struct
import threading

import gamewire
import pytest
from gamewire import godot
from gamewire.godot import (
    AABB,
    RID,
    Array,
    Basis,
    Callable,
    Color,
    Dictionary,
    Float,
    FrozenDictionary,
    Int,
    Key,
    NodePath,
    Object,
    ObjectID,
    Projection,
    Quaternion,
    Rect2,
    Signal,
    StringName,
    Transform2D,
    Transform3D,
    Vector2,
    Vector2i,
    Vector3,
    Vector4,
    Wire,
    dumps,
    loads,
)

ROWS = ((1, 0, 0), (0, 2, 0), (0, 0, 3))
VALUES = [
    None,
    True,
    -5,
    2**40,
    0.1,
    1.5,
    "text",
    "",
    Vector2(1, 2),
    Vector2i(-1, 2),
    Rect2(1, 2, 3, 4),
    godot.Rect2i(1, 2, 3, 4),
    Vector3(1, 2, 3),
    Vector3(0.1, 0.2, 0.3, double=True),
    godot.Vector3i(1, 2, 3),
    Transform2D(1, 0, 0, 1, 5, 6),
    Vector4(1, 2, 3, 4),
    godot.Vector4i(1, 2, 3, 4),
    godot.Plane(0, 1, 0, 5),
    Quaternion(0, 0, 0, 1),
    AABB((0, 0, 0), (1, 1, 1)),
    Basis(*ROWS),
    Transform3D(ROWS, (7, 8, 9)),
    Projection(*range(16)),
    Color(1, 0.5, 0.25, 1),
    StringName("name"),
    NodePath("/root/a:b"),
    RID(5),
    ObjectID(9),
    Callable(),
    Signal("hit", 3),
    Object("Node", {"name": "a"}),
    {"a": 1, 2: "b"},
    [1, [2, {"c": []}]],
    Array([1], "int"),
    Dictionary({"a": 1}, "String", "int"),
    Int(5, wide=True),
    Float(0.5, wide=True),
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_written_values_read_equal(value):
    again = loads(dumps(value))
    assert again == value and type(again) is type(value)
    assert repr(again) == repr(value)
    assert dumps(again) == dumps(value)
    for twin in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert twin == value and type(twin) is type(value) and dumps(twin) == dumps(value)
    if not isinstance(value, (list, dict, Object)):
        assert hash(again) == hash(value)
    if type(value).__module__.startswith("gamewire") and not isinstance(value, (Int, Float)):
        assert eval(repr(value), vars(godot)) == value


def test_fields():
    x, y, z = Vector3(1, 2, 3)
    assert (x, y, z) == (1.0, 2.0, 3.0)
    vector = Vector3(1, 2, 3)
    assert (vector[0], vector[-1], vector[1:], len(vector)) == (1.0, 3.0, (2.0, 3.0), 3)
    with pytest.raises(IndexError):
        vector[3]
    with pytest.raises(AttributeError):
        vector.x = 5
    match vector:
        case Vector3(x, y, z):
            assert z == 3.0
    match Transform3D(ROWS, (7, 8, 9)):
        case Transform3D(Basis(_, y, _), Vector3(x=7.0)):
            assert y == Vector3(0, 2, 0)
    assert Vector2(1, 2) == Vector2(1, 2, double=True) != Vector2i(1, 2) != (1, 2)
    assert hash(Vector2(0.0, 1)) == hash(Vector2(-0.0, 1))
    assert {Vector2(1, 2): "a"}[Vector2(1, 2)] == "a"


def test_numbers_are_rounded_to_single_precision():
    assert Vector2(0.1, 0).x == struct.unpack("f", struct.pack("f", 0.1))[0]
    assert Vector2(0.1, 0, double=True).x == 0.1
    assert repr(Vector2(0.1, 1e20)) == "Vector2(0.1, 1e20)"


def test_wrong_arguments():
    for arguments in [(), (1,), (1, 2, 3), ("a", "b"), (1, None), ((1, 2), 3)]:
        with pytest.raises(TypeError):
            Vector2(*arguments)
    with pytest.raises(TypeError):
        Vector2i(1.5, 2)
    with pytest.raises(OverflowError):
        Vector2i(2**31, 0)


def test_basis_lists_columns():
    packet = dumps(Basis((1, 2, 3), (4, 5, 6), (7, 8, 9)))
    assert struct.unpack("<9f", packet[4:]) == (1, 4, 7, 2, 5, 8, 3, 6, 9)


def test_unusual_encodings():
    cases = {
        "00000100": None,  # null with a flag
        "0100000002000000": True,
        "020001000500000000000000": 5,  # 64 bits
        "03000100000000000000e03f": 0.5,
        "0400000001000000780000ff": "x",  # the pad is not zero
        "1500000001000000780000ff": "x",
        "050002000000803f00000040": Vector2(1, 2),
        "1c0000000100008000000000": [None],  # shared
        "1b00000000000080": {},
    }
    for hexadecimal, value in cases.items():
        packet = bytes.fromhex(hexadecimal)
        read = loads(packet)
        assert read == value
        assert dumps(read) == packet
        assert dumps([read, 1]) == dumps([None, 1])[:8] + packet + dumps(1)
        assert dumps(pickle.loads(pickle.dumps(read))) == packet


def test_nan_payloads():
    for bits in ["000000000000f87f", "010000000000f0ff", "efbeadde0000f87f"]:
        packet = bytes.fromhex("03000100" + bits)
        assert math.isnan(loads(packet)) and type(loads(packet)) is float
        assert dumps(loads(packet)) == packet
    for bits in ["0000c07f", "010080ff"]:
        packet = bytes.fromhex("03000000" + bits)
        assert math.isnan(loads(packet)) and dumps(loads(packet)) == packet
        packet = bytes.fromhex("05000000" + bits + "00000000")
        assert math.isnan(loads(packet).x) and dumps(loads(packet)) == packet


def test_text_that_is_not_utf8():
    packet = bytes.fromhex("0400000004000000ff41fe00")
    assert loads(packet) == "\udcffA\udcfe\0"
    assert dumps(loads(packet)) == packet
    with pytest.raises(gamewire.Error) as caught:
        dumps({"a": ["\ud800"]})
    assert (caught.value.kind, caught.value.path) == ("BadText", "a/0")


def pairs(*items):
    return struct.pack("<II", 27, len(items) // 2) + b"".join(map(dumps, items))


def test_keys_that_python_holds_equal():
    packet = pairs(1, "int", 1.0, "float", True, "bool", "a", 1, "a", 2, StringName("a"), 3)
    value = loads(packet)
    assert list(value.values()) == ["int", "float", "bool", 1, 2, 3]
    assert value[1] == "bool" and value["a"] == 3  # the last one
    assert value[Key(1, 2)] == "int"
    assert dumps(value) == packet
    value["b"] = 4
    assert loads(dumps(value)) == value


def test_keys_that_python_cannot_hash():
    packet = pairs([1, [2, {"a": 1}]], "array", {"x": [1]}, "dictionary", Array([1], "int"), "typed")
    value = loads(packet)
    assert dumps(value) == packet
    assert value[(1, (2, FrozenDictionary({"a": 1})))] == "array"
    assert value[FrozenDictionary({"x": (1,)})] == "dictionary"
    assert dumps(pickle.loads(pickle.dumps(value))) == packet


def test_edited_containers_keep_their_types():
    packet = dumps(Array([Vector3(1, 2, 3)], "Vector3"))
    array = loads(packet)
    assert array.element_type == "Vector3"
    array.append(Vector3(4, 5, 6))
    assert loads(dumps(array)).element_type == "Vector3"
    array.element_type = None
    assert type(loads(dumps(array))) is list
    dictionary = loads(dumps(Dictionary({}, "String", "Node3D")))
    dictionary["a"] = None
    again = loads(dumps(dictionary))
    assert (again.key_type, again.value_type, again) == ("String", "Node3D", {"a": None})
    script = loads(dumps(Array([], "res://a.gd")))
    assert script.element_type == "res://a.gd"
    with pytest.raises(gamewire.Error) as caught:
        dumps({"a": array, "b": Array([], "int")}, "godot3")
    assert (caught.value.kind, caught.value.path) == ("Unrepresentable", "b")


def test_shared_containers_of_godot_2():
    packet = dumps(Array([1], shared=True), "godot2")
    assert packet[7] == 0x80
    array = loads(packet, "godot2")
    assert array.shared and dumps(array, "godot2") == packet
    array.append(2)
    assert dumps(array, "godot2")[4:8] == b"\x02\0\0\x80"


def test_missing_pads_at_the_end():
    packet = bytes.fromhex("1d00000001000000ff")  # a byte array
    value = loads(packet)
    assert bytes(value) == b"\xff" and dumps(value) == packet
    assert loads(dumps([value, 1])) == [value, 1]


def test_objects():
    packet = dumps(Object("Node", {"name": "a", "child": Object("Node")}))
    value = loads(packet)
    assert value.properties["child"] == Object("Node", {})
    value.properties["name"] = "b"
    assert loads(dumps(value)) == value != loads(packet)
    with pytest.raises(gamewire.Error) as caught:
        loads(packet, objects=False)
    assert caught.value.kind == "ObjectNotAllowed"
    with pytest.raises(gamewire.Error) as caught:
        dumps(value, "godot2")
    assert caught.value.kind == "Unrepresentable"


def test_deep_values():
    deep = []
    for _ in range(1024):
        deep = [deep]
    packet = dumps(deep)
    assert dumps(loads(packet)) == packet
    with pytest.raises(gamewire.Error) as caught:
        dumps([[deep]])
    assert caught.value.kind == "TooDeep"
    with pytest.raises(gamewire.Error) as caught:
        loads(struct.pack("<II", 28, 1) * 2000 + bytes(4))
    assert caught.value.kind == "TooDeep"
    with pytest.raises(gamewire.Error):
        loads(packet, depth=10)
    cycle = []
    cycle.append(cycle)
    with pytest.raises(gamewire.Error):
        dumps(cycle)


def test_depth_needs_no_stack():
    packet = struct.pack("<II", 28, 1) * 1024 + dumps([])
    results = []
    threading.stack_size(64 << 10)
    try:
        thread = threading.Thread(target=lambda: results.append(dumps(loads(packet))))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(0)
    assert results == [packet]


def test_deep_keys():
    arrays = struct.pack("<II", 28, 1) * 1000 + dumps(None)
    dictionaries = (struct.pack("<II", 27, 1) + dumps(None)) * 1000 + dumps(None)
    keys = struct.pack("<II", 27, 1) * 1000 + dumps(None) * 1001
    for packet in (pairs_of(arrays), pairs_of(dictionaries), keys):
        assert dumps(loads(packet)) == packet
    # Python refuses to compare keys as deep as these.
    with pytest.raises(gamewire.Error) as caught:
        loads(pairs_of(arrays, arrays))
    assert caught.value.kind == "TooDeep"


def pairs_of(*keys):
    return struct.pack("<II", 27, len(keys)) + b"".join(key + dumps(None) for key in keys)


def test_errors():
    with pytest.raises(gamewire.Error) as caught:
        loads(dumps({"players": [1, 2]})[:-2])
    error = caught.value
    assert (error.kind, error.offset, error.path) == ("UnexpectedEnd", 44, "players/1")
    assert isinstance(error, ValueError) and "players/1" in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.kind, again.offset) == (str(error), error.kind, error.offset)
    for call, kind in [
        (lambda: loads(b"\0\0\0\0\0"), "TrailingBytes"),
        (lambda: loads(b"", "godot5"), "UnknownDialect"),
        (lambda: loads(b"\0\0\0\0", level="odd"), "UnknownLevel"),
        (lambda: loads(bytes.fromhex("0100000002000000"), level="strict"), "NotCanonical"),
        (lambda: loads(bytes.fromhex("0400000004000000ff41fe00"), level="engine"), "BadText"),
        (lambda: dumps(2**63), "IntTooLarge"),
        (lambda: dumps({"a": object()}), "UnsupportedType"),
        (lambda: dumps(Vector2i(1, 2), "godot3"), "NoSuchType"),
        (lambda: Wire("godot4", b"abc"), "BadWire"),
    ]:
        with pytest.raises(gamewire.Error) as caught:
            call()
        assert caught.value.kind == kind
    with pytest.raises(TypeError):
        loads("text")


def test_subclasses_are_written_as_their_base():
    import collections
    import enum

    class Level(enum.IntEnum):
        EASY = 1

    assert dumps(Level.EASY) == dumps(1)
    assert dumps(collections.OrderedDict(a=1)) == dumps({"a": 1})
    assert dumps(collections.namedtuple("Pair", "a b")(1, 2)) == dumps([1, 2])
    assert bytes(loads(dumps(b"abc"))) == bytes(loads(dumps(bytearray(b"abc")))) == b"abc"


def test_a_container_that_changes_while_it_is_written():
    class Odd:
        def __init__(self, container):
            self.container = container

        def __index__(self):
            self.container.clear()
            return 1

    array = [1, 2, 3]
    array.append(Odd(array))
    array.append(4)
    with pytest.raises(gamewire.Error):
        dumps(array)
    dictionary = {}
    dictionary.update(a=Odd(dictionary), b=1, c=2)
    with pytest.raises(gamewire.Error):
        dumps(dictionary)
