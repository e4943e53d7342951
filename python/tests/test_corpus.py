"""The whole corpus of values is read, and written back byte for byte."""

import copy
import pickle
import random

import gamewire
import pytest
from conftest import CORPUS, listed_packets, packets
from gamewire.godot import View, dumps, iter_frames, loads

PACKETS = list(packets())


def round_trip(name, packet, dialect):
    """Returns False if the packet is refused."""
    try:
        value = loads(packet, dialect)
    except gamewire.Error as error:
        assert error.kind and 0 <= error.offset <= len(packet), name
        assert error.path is not None, name
        with pytest.raises(gamewire.Error):
            View(packet, dialect)
        return False
    assert dumps(value, dialect) == packet, f"{name} in {dialect}"
    view = View(packet, dialect)
    assert dumps(view, dialect) == packet and view.raw == packet, name
    return True


@pytest.mark.parametrize("name, packet, dialect", PACKETS, ids=[name for name, _, _ in PACKETS])
def test_files(name, packet, dialect):
    accepted = round_trip(name, packet, dialect)
    # The files in other folders are valid packets.
    if not name.startswith("hostile") and "/refused/" not in name:
        assert accepted


def test_lists():
    counts = [round_trip(*packet) for packet in listed_packets()]
    assert sum(counts) > 3000


def test_copies_keep_everything():
    for name, packet, dialect in PACKETS:
        if len(packet) > 100_000:
            continue
        try:
            value = loads(packet, dialect)
        except gamewire.Error:
            continue
        try:
            twins = (pickle.loads(pickle.dumps(value)), copy.deepcopy(value))
        except RecursionError:
            continue  # Python itself limits the depth.
        for again in twins:
            assert dumps(again, dialect) == packet, name


def test_damaged_packets():
    """No damage leads to anything but an error or an exact copy."""
    choose = random.Random(1)
    accepted = 0
    for name, packet, dialect in PACKETS:
        if len(packet) > 3000:
            continue
        for _ in range(60):
            damaged = bytearray(packet)
            for _ in range(choose.randrange(1, 4)):
                if damaged:
                    at = choose.randrange(len(damaged))
                    damaged[at] = choose.choice([0, 1, 2, 4, 27, 28, 127, 128, 255, choose.randrange(256)])
            if choose.random() < 0.2:
                del damaged[choose.randrange(len(damaged) + 1) :]
            accepted += round_trip(name, bytes(damaged), dialect)
    assert accepted > 1000


def test_other_dialects():
    """A value of one dialect is written in another, or refused with an error."""
    written = 0
    for name, packet, dialect in PACKETS:
        try:
            value = loads(packet, dialect)
        except gamewire.Error:
            continue
        for other in ["godot2", "godot3", "godot4", "godot4-docs", "godot4-docs-double"]:
            try:
                again = dumps(value, other)
            except gamewire.Error as error:
                assert error.kind, name
            else:
                assert dumps(loads(again, other), other) == again, name
                written += 1
    assert written > 1000


def test_frames():
    stream = (CORPUS / "frames/store_var.dat").read_bytes()
    values = loads(stream, frames=True)
    assert len(values) > 10
    assert dumps(values, frames=True) == stream
    assert dumps(list(iter_frames(stream)), frames=True) == stream
    swapped = dumps(values, frames=True, big_endian=True)
    assert swapped != stream
    assert dumps(loads(swapped, frames=True, big_endian=True), frames=True) == stream


def test_frames_end_with_an_error():
    stream = dumps([1, "a"], frames=True) + b"\x08\0\0\0\x02"
    frames = iter_frames(stream)
    assert [next(frames), next(frames)] == [1, "a"]
    with pytest.raises(gamewire.Error) as caught:
        next(frames)
    assert caught.value.kind == "UnexpectedEnd"
    assert list(frames) == []
    with pytest.raises(gamewire.Error):
        loads(stream, frames=True)
