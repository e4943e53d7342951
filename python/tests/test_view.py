"""Views decode only what is asked for."""

import gamewire
import pytest
from gamewire.godot import (
    Object,
    PackedInt32Array,
    PackedStringArray,
    PackedVector2Array,
    StringName,
    Vector2,
    Vector3,
    View,
    dumps,
    loads,
)

STATE = {
    "players": {"p0": {"hp": 90, "pos": Vector3(1, 2, 3)}, "p1": {"hp": 5}},
    "list": [1, [2, 3], "x"],
    7: "seven",
    Vector2(1, 2): "there",
    (1, 2): "tuple",
    StringName("name"): True,
    "a/b": "slash",
    "packed": PackedInt32Array([10, 20]),
    "names": PackedStringArray(["a", "bc"]),
    "node": Object("Node", {"hp": 1}),
}
PACKET = dumps(STATE)
VIEW = View(PACKET)


def test_items():
    assert VIEW["players"]["p0"]["hp"].value() == 90
    assert VIEW["list"][1][-1].value() == 3
    assert VIEW[7].value() == "seven"
    assert VIEW[Vector2(1, 2)].value() == "there"
    assert VIEW[(1, 2)].value() == "tuple"
    assert VIEW["name"].value() is True
    assert VIEW["a/b"].value() == "slash"
    assert VIEW["packed"][1].value() == 20
    assert VIEW["names"][1].value() == "bc"
    assert VIEW["node"]["hp"].value() == 1
    assert VIEW["players"]["p0"]["pos"]["y"].value() == 2.0


def test_paths():
    assert VIEW.at("players/p0/hp").value() == 90
    assert VIEW.at("").value() == STATE
    assert VIEW.at('"a/b"').value() == "slash"
    assert VIEW.at("[#2]").value() == "seven"
    part = VIEW.at("players/p0/pos/y")
    assert (part.value(), part.raw, part.kind) == (2.0, b"\0\0\0\x40", "float")
    assert PACKET[part.offset :][:4] == part.raw
    points = View(dumps([PackedVector2Array([(1, 2), (3, 4)])]))
    for y in (points.at("0/1/y"), points[0][1]["y"]):
        assert (y.value(), y.raw, y.offset) == (4.0, points.raw[-4:], len(points.raw) - 4)
    with pytest.raises(gamewire.Error) as caught:
        VIEW.at("players/p0/mana")
    assert caught.value.kind == "NoSuchPath" and "hp" in str(caught.value)


def test_missing_items():
    for view, key, error in [(VIEW, "x", KeyError), (VIEW["list"], 3, IndexError), (VIEW[7], "x", KeyError)]:
        with pytest.raises(error):
            view[key]
        assert view.get(key) is None and view.get(key, 5) == 5 and key not in view
    assert "players" in VIEW and VIEW.get(7).value() == "seven"


def test_iteration():
    assert len(VIEW) == len(STATE) and list(VIEW) == VIEW.keys() == list(STATE)
    assert {key: view.value() for key, view in VIEW.items()} == STATE
    assert [view.value() for view in VIEW.values()] == list(STATE.values())
    assert [view.value() for view in VIEW["list"]] == [1, [2, 3], "x"]
    assert list(VIEW["packed"]) == [10, 20] and len(VIEW["packed"]) == 2
    assert VIEW["node"].keys() == ["hp"] and bool(View(dumps({})))
    with pytest.raises(TypeError):
        VIEW["list"].keys()
    with pytest.raises(TypeError):
        len(VIEW[7]["x"] if "x" in VIEW[7] else View(dumps(5)))


def test_parts_of_the_packet():
    players = VIEW["players"]
    assert (players.kind, VIEW["list"].kind, VIEW["node"].kind) == ("Dictionary", "Array", "Object")
    assert loads(players.raw) == STATE["players"]
    assert PACKET[players.offset :].startswith(players.raw) and bytes(players) == players.raw
    assert dumps([players, 1]) == dumps([STATE["players"], 1])
    assert dumps(players, "godot3") == dumps(STATE["players"], "godot3")
    assert repr(players) == f"<View of Dictionary: {len(players.raw)} bytes at offset {players.offset}>"


def test_dialects():
    packet = dumps({"a": Vector3(1, 2, 3)}, "godot3")
    view = View(bytearray(packet), "godot3")
    assert view["a"].kind == "Vector3" and view["a"].value() == Vector3(1, 2, 3)
    with pytest.raises(gamewire.Error) as caught:
        View(packet[:-1], "godot3")
    assert (caught.value.kind, caught.value.path) == ("UnexpectedEnd", "a")
