"""Calls the package with damaged packets and odd objects: python fuzz.py [ROUNDS] [SEED]

Each round has 200 packets, a damaged capture, and 10 damaged files of other formats, some of which are edited.
ROUNDS is a number, or a time in seconds such as `600s`. Bugs are an abort of the process, an inexact copy,
and any exception that the script does not expect. `checks/python` runs 500 rounds, always with the same seed.
"""

import faulthandler
import io
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
    """Returns an array or a dictionary of damaged packets, so that many damaged values are nested."""
    parts = [damaged(choose, packets) for _ in range(choose.randrange(1, 4))]
    if choose.random() < 0.5:
        return b"\x1c\0\0\0" + len(parts).to_bytes(4, "little") + b"".join(parts)
    pairs = b"".join(choose.choice(packets)[:64] + part for part in parts)
    return b"\x1b\0\0\0" + len(parts).to_bytes(4, "little") + pairs


def use(choose, value, view):
    """Uses the operators and methods of the classes."""
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


def captures():
    """Returns the start of each capture, which is enough for each kind of packet."""
    return [path.read_bytes()[:20_000] for path in sorted(CORPUS.glob("captures*/*.pcap"))]


def damaged_capture(choose, captures):
    data = bytearray(choose.choice(captures))
    for _ in range(choose.choice([1, 3, 30])):
        at = choose.randrange(24 if choose.random() < 0.98 else 0, len(data) - 4)
        match choose.randrange(8):
            case 0:
                data[at] ^= 1 << choose.randrange(8)
            case 1:
                data[at : at + 4] = choose.choice(INTERESTING).to_bytes(4, "little")
            case 2:
                other = choose.choice(captures)
                start = choose.randrange(24, len(other))
                size = choose.randrange(1, 60)
                data[at : at + size] = other[start : start + size].ljust(size, b"\0")
            case 3 if choose.random() < 0.1:
                del data[at:]
            case _:
                data[at] = choose.randrange(256)
        if len(data) < 64:
            break
    return bytes(data)


def check_capture(choose, data):
    options = {
        "all": choose.random() < 0.8,
        "engine": choose.choice([None, None, "godot3", "godot4"]),
        "methods": choose.choice([None, {"Main": ["chat", "state"]}]),
    }
    count, attributes = 0, [name for name in dir(gamewire.Packet) if not name.startswith("_")]
    try:
        for packet in gamewire.packets(io.BytesIO(data), **options):
            count += 1
            if choose.random() < 0.2:
                repr(packet)
                for name in attributes:
                    getattr(packet, name)
                for state in packet.records or []:
                    repr(state)
    except gamewire.Error as error:
        assert error.kind != "Internal", error
    rows = 0
    try:
        for batch in gamewire.packets(io.BytesIO(data), **options).batches():
            rows += len(batch)
            batch.__arrow_c_array__()
    except gamewire.Error as error:
        assert error.kind != "Internal", error
    assert rows == count, (rows, count)
    return count


FILES = ["config", "frames", "godot-files", "rems", "unreal", "unreal-declared", "unreal-iostore", "unreal-locres"]
FILES += ["unreal-mappings", "unreal-paks", "unreal-registry", "unreal-small", "unreal-zen"]
MAPPINGS = CORPUS / "unreal-mappings/tiny.v4.usmap"


def whole_files():
    """Yields the bytes of each small file in `FILES`, the bytes of its `.uexp`, and its name."""
    for folder in FILES:
        for path in sorted((CORPUS / folder).rglob("*")):
            if path.is_file() and path.stat().st_size < 60_000 and path.suffix not in (".uexp", ".ucas"):
                beside = path.with_suffix(".uexp")
                yield path.read_bytes(), beside.read_bytes() if beside.is_file() else None, path.name


def damaged_file(choose, data, others):
    data = bytearray(data)
    for _ in range(choose.choice([0, 1, 1, 2, 5])):
        at = choose.randrange(len(data) + 1)
        match choose.randrange(7):
            case 0 | 1 if at < len(data):
                data[at] = choose.choice(INTERESTING)
            case 2 if at < len(data):
                data[at] ^= 1 << choose.randrange(8)
            case 3 if at < len(data):
                size = choose.choice([4, 8])
                number = choose.choice([0, 1, 2**31 - 1, 2**32 - 1, len(data)])
                data[at : at + size] = number.to_bytes(8, "little")[:size]
            case 4:
                other, _, _ = choose.choice(others)
                start = choose.randrange(len(other) + 1)
                data[at:at] = other[start : start + choose.randrange(1, 60)]
            case 5:
                del data[at : at + choose.randrange(1, 40)]
            case _ if choose.random() < 0.2:
                del data[at:]
    return bytes(data)


ODD = [None, True, -1, 2**31, 2**63, 2**64, 0.5, float("nan"), 1e300, "", "x", "\ud800", "NaN", [], [1, "a"], {}]
ODD += [{"a": 1}, {"pointer": 1}, {"class": "T", "properties": []}, b"", object()]
ODD += [{"name": "x", "type": "IntProperty", "value": 1}]


def containers(node):
    """Yields the lists and dictionaries of a document."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        parts = node.values() if isinstance(node, dict) else node
        stack.extend(part for part in parts if isinstance(part, (dict, list)))


def edit(choose, node):
    """Changes, removes or duplicates a few values of a document."""
    found = [part for part in containers(node) if part]
    for _ in range(choose.randrange(1, 4)):
        if not found:
            return
        part = choose.choice(found)
        key = choose.choice(list(part)) if isinstance(part, dict) else choose.randrange(len(part))
        value = part[key]
        match choose.randrange(6):
            case 0:
                del part[key]
                found = [part for part in found if part]
            case 1:
                part[key] = choose.choice(ODD)
            case 2 if isinstance(part, list):
                part.insert(key, value)
            case _:
                same = {bool: not value, int: value ^ 1 if isinstance(value, int) else 0, float: 0.25, str: "other"}
                part[key] = same.get(type(value), value)


def check_file(choose, data, exports, name):
    options = {
        "password": choose.choice([None, "hunter2"]),
        "exports": exports,
        "engine": choose.choice([None, "4.27", "5.3"]),
        "mappings": choose.choice([None, MAPPINGS]),
        "bytes_as": choose.choice(["list", "hex", "base64"]),
    }
    try:
        file = gamewire.open(data, name=name, **options)
    except gamewire.Error as error:
        assert error.kind != "Internal", error
        return 0
    if isinstance(file, gamewire.files.Archive):
        for path in list(file)[:20]:
            try:
                file[path]
            except (gamewire.Error, OSError) as error:
                assert getattr(error, "kind", "") != "Internal", error
        return 1
    if not isinstance(file, gamewire.files.File):
        return 1
    assert file.to_bytes() == data
    try:
        document = file.document if hasattr(file, "document") else None
    except gamewire.Error as error:
        assert error.kind != "Internal", error
        return 1
    assert file.to_bytes() == data
    if document is None or not isinstance(file, gamewire.files.Document):
        return 1
    edit(choose, document)
    try:
        changed = file.to_bytes()
    except gamewire.Error as error:
        assert error.kind != "Internal", error
    else:
        try:
            gamewire.open(changed, name=name, **options)
        except gamewire.Error as error:
            assert error.kind != "Internal", error
    return 1


def main(rounds="1000", seed=None):
    faulthandler.enable()
    end = time.monotonic() + float(rounds[:-1]) if rounds.endswith("s") else None
    rounds, seed = sys.maxsize if end else int(rounds), seed and int(seed)
    seed = random.randrange(2**32) if seed is None else seed
    choose, packets, seen = random.Random(seed), seeds(), captures()
    others = list(whole_files())
    total, accepted, decoded, opened = 0, 0, 0, 0
    packet = dialect = None
    try:
        for _ in range(rounds):
            if end and time.monotonic() > end:
                break
            for _ in range(200):
                make = damaged if choose.random() < 0.7 else wrapped
                packet, dialect = make(choose, packets), choose.choice(godot.DIALECTS)
                accepted += check(choose, packet, dialect)
                total += 1
            packet, dialect = damaged_capture(choose, seen), "a capture"
            decoded += check_capture(choose, packet)
            for _ in range(10):
                data, exports, dialect = choose.choice(others)
                packet = damaged_file(choose, data, others)
                opened += check_file(choose, packet, exports, dialect)
    except BaseException:
        print(f"seed {seed}, {dialect}: {packet.hex()}", file=sys.stderr)
        raise
    files = f"{opened} files opened"
    print(f"{total} packets, {accepted} of them valid; {decoded} packets of captures; {files} (seed {seed})")


if __name__ == "__main__":
    main(*sys.argv[1:])
