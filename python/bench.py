"""Measures `loads`, `dumps` and `packets`: python bench.py [--reader MODULE:FUNCTION]… [PACKET]… [CAPTURE]…

PACKET is the name of a file in corpus/bench, without `.bin`. `loads` and `dumps` are compared with orjson and
msgpack on the same content: vectors as lists of numbers, packed arrays as lists. `--reader` adds an
importable function that reads Godot 4's values, such as one written in Python. All candidates run in turn,
in short slices, and the median slice counts.

A capture is read as packets, as packets with their arguments, and as a table. The processor time of all
threads counts. The default is a capture of about 110 MB: copies of a capture of the corpus, each with other
addresses.
"""

import argparse
import gc
import importlib
import statistics
import struct
import tempfile
import time
from pathlib import Path

import msgpack
import orjson
from gamewire import godot, packets

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


def long_capture(path, copies=600):
    """Writes a capture with many connections: each copy has other addresses."""
    data = (CORPUS.parent / "captures/relay.pcap").read_bytes()
    body, starts, at = bytearray(data[24:]), [], 0
    while at < len(body):
        starts.append(at + 16)
        at += 16 + struct.unpack_from("<I", body, at + 8)[0]
    with open(path, "wb") as file:
        file.write(data[:24])
        for copy in range(copies):
            for start in starts:
                # The middle of both addresses, after 14 bytes of Ethernet.
                body[start + 14 + 13] = body[start + 14 + 17] = copy % 256
                body[start + 14 + 14] = body[start + 14 + 18] = copy // 256
            file.write(body)


def measure_capture(path):
    def iterate():
        return sum(1 for _ in packets(path))

    def decode():
        return sum(packet.args is not None for packet in packets(path))

    def table():
        return sum(len(batch) for batch in packets(path).batches())

    rows = table()
    print(f"{path}, {Path(path).stat().st_size:,} bytes")
    for name, read in [("packets", iterate), ("packets with args", decode), ("batches of a table", table)]:
        started = time.process_time()
        read()
        seconds = time.process_time() - started
        print(f"  {name:28} {seconds:8.2f} s  {rows / seconds:12,.0f} packets per second")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--reader", action="append", default=[], metavar="MODULE:FUNCTION")
    parser.add_argument("packet", nargs="*", default=PACKETS)
    arguments = parser.parse_args()
    for path in [name for name in arguments.packet if name.endswith((".pcap", ".pcapng"))]:
        arguments.packet.remove(path)
        measure_capture(path)
    if arguments.packet == PACKETS:
        with tempfile.NamedTemporaryFile(suffix=".pcap") as file:
            long_capture(file.name)
            measure_capture(file.name)
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
