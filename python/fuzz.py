"""Calls the package with damaged packets and odd objects: python fuzz.py [SECONDS] [SEED]

Any exception but `gamewire.Error`, an inexact copy, or an abort of the process is a bug. `checks/python`
runs it for a few seconds.
"""

import faulthandler
import pickle
import random
import sys
import time
from pathlib import Path

import gamewire
from gamewire import godot

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
FOLDERS = ["godot4", "godot4-double", "godot3", "derived", "hostile", "bench"]
INTERESTING = [0, 1, 2, 3, 4, 8, 16, 24, 27, 28, 29, 30, 34, 38, 127, 128, 254, 255]


def seeds():
    paths = sorted(path for folder in FOLDERS for path in (CORPUS / folder).rglob("*.bin"))
    return [data for path in paths if len(data := path.read_bytes()) <= 2000]


def damaged(choose, packets):
    data = bytearray(choose.choice(packets))
    for _ in range(choose.randrange(1, 6)):
        at = choose.randrange(len(data) + 1)
        match choose.randrange(6):
            case 0 | 1 if at < len(data):
                data[at] = choose.choice(INTERESTING)
            case 2 if at < len(data):
                data[at] = choose.randrange(256)
            case 3:  # a part of another packet
                other = choose.choice(packets)
                start = choose.randrange(len(other) + 1) & ~3
                data[at & ~3 : at & ~3] = other[start : start + 4 * choose.randrange(1, 30)]
            case 4:
                del data[at & ~3 : (at & ~3) + 4 * choose.randrange(1, 10)]
            case _ if choose.random() < 0.3:
                del data[at:]
    return bytes(data)


def wrapped(choose, packets):
    """Returns an array or a dictionary of damaged packets, so that many nest."""
    parts = [damaged(choose, packets) for _ in range(choose.randrange(1, 4))]
    if choose.random() < 0.5:
        return b"\x1c\0\0\0" + len(parts).to_bytes(4, "little") + b"".join(parts)
    pairs = b"".join(choose.choice(packets)[:64] + part for part in parts)
    return b"\x1b\0\0\0" + len(parts).to_bytes(4, "little") + pairs


def use(choose, value, view):
    """Calls what the classes offer."""
    hash(value) if not isinstance(value, (list, dict)) else None
    repr(value)
    value == value, value == 5
    try:
        memoryview(value).tobytes()
    except (TypeError, BufferError):
        pass
    try:
        for item in list(value)[:20]:
            repr(item)
    except TypeError:
        pass
    try:
        for key in list(view)[:10]:
            view.get(key) if not isinstance(key, godot.View) else key.value()
        view.at(choose.choice(["", "0", "-1/0", "a/b", '"', "[#0 key]", "[Vector2(1, 2)]", "x", "\\"]))
    except (gamewire.Error, TypeError):
        pass


def check(choose, packet, dialect):
    try:
        value = godot.loads(packet, dialect)
    except gamewire.Error as error:
        assert error.kind != "Internal", error
        return False
    view = godot.View(packet, dialect)
    assert godot.dumps(value, dialect) == packet
    assert godot.dumps(view.value(), dialect) == packet
    if choose.random() < 0.1:
        try:
            assert godot.dumps(pickle.loads(pickle.dumps(value)), dialect) == packet
            use(choose, value, view)
        except RecursionError:
            pass
        try:
            godot.dumps(value, choose.choice(godot.DIALECTS))
        except gamewire.Error as error:
            assert error.kind != "Internal", error
    return True


def main(seconds=10.0, seed=None):
    faulthandler.enable()
    seed = random.randrange(2**32) if seed is None else seed
    choose, packets = random.Random(seed), seeds()
    started, total, accepted = time.monotonic(), 0, 0
    packet = dialect = None
    try:
        while time.monotonic() - started < seconds:
            for _ in range(200):
                make = damaged if choose.random() < 0.7 else wrapped
                packet, dialect = make(choose, packets), choose.choice(godot.DIALECTS)
                accepted += check(choose, packet, dialect)
                total += 1
    except BaseException:
        print(f"seed {seed}, {dialect}: {packet.hex()}", file=sys.stderr)
        raise
    print(f"{total} packets, {accepted} of them valid (seed {seed})")


if __name__ == "__main__":
    main(*(float(argument) if index == 0 else int(argument) for index, argument in enumerate(sys.argv[1:])))
