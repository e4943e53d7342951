"""Measures `loads` and `dumps`: python bench.py [--reader MODULE:FUNCTION]…

Compares them with orjson and msgpack on the same content: vectors as lists of numbers, packed arrays as lists.
`--reader` adds a reader of Godot 4's values to the comparison, such as one written in Python, which must be
importable. All candidates run in turn, in short slices, and the median slice counts.
"""

import argparse
import gc
import importlib
import statistics
import time
from pathlib import Path

import msgpack
import orjson
from gamewire import godot

CORPUS = Path(__file__).resolve().parents[1] / "corpus" / "bench"
PACKETS = ["state_simple", "state", "ints10k", "str10k", "pstr10k", "f32_1m"]
SLICES = 41
SLICE = 0.01


def plain(value):
    """Returns the content in the types that JSON has."""
    match value:
        case None | bool() | int() | float():
            return value
        case str():
            return str(value)
        case dict():
            return {str(key): plain(item) for key, item in value.items()}
        case _ if hasattr(value, "__iter__"):
            return [plain(item) for item in value]
        case _:
            return str(value)


def calls_per_slice(call):
    started, calls = time.perf_counter(), 0
    while time.perf_counter() - started < SLICE:
        call()
        calls += 1
    return max(calls, 1)


def medians(candidates):
    """Returns the median time of each call in seconds."""
    counts = {name: calls_per_slice(call) for name, call in candidates.items()}
    slices = {name: [] for name in candidates}
    gc.disable()
    for _ in range(SLICES):
        for name, call in candidates.items():
            count = counts[name]
            started = time.perf_counter()
            for _ in range(count):
                call()
            slices[name].append((time.perf_counter() - started) / count)
    gc.enable()
    return {name: statistics.median(times) for name, times in slices.items()}


def show(title, results):
    own = results["gamewire"]
    print(title)
    for name, seconds in sorted(results.items(), key=lambda item: item[1]):
        print(f"  {name:28} {seconds * 1e6:12.2f} µs  {seconds / own:8.2f} ×")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--reader", action="append", default=[], metavar="MODULE:FUNCTION")
    parser.add_argument("packet", nargs="*", default=PACKETS)
    arguments = parser.parse_args()
    readers = {}
    for reader in arguments.reader:
        module, function = reader.split(":")
        readers[reader] = getattr(importlib.import_module(module), function)
    for name in arguments.packet:
        packet = (CORPUS / f"{name}.bin").read_bytes()
        value = godot.loads(packet)
        content = plain(value)
        as_json, as_msgpack = orjson.dumps(content), msgpack.packb(content)
        loads = {
            "gamewire": lambda: godot.loads(packet),
            "gamewire View": lambda: godot.View(packet),
            "orjson": lambda: orjson.loads(as_json),
            "msgpack": lambda: msgpack.unpackb(as_msgpack),
        }
        for reader, read in readers.items():
            try:
                read(packet)
            except Exception as error:
                print(f"{reader} cannot read {name}: {error}")
            else:
                loads[reader] = lambda read=read: read(packet)
        dumps = {
            "gamewire": lambda: godot.dumps(value),
            "orjson": lambda: orjson.dumps(content),
            "msgpack": lambda: msgpack.packb(content),
        }
        show(f"{name}, {len(packet):,} bytes: read", medians(loads))
        show(f"{name}: write", medians(dumps))


if __name__ == "__main__":
    main()
