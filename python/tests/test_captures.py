"""Captured traffic as packets and as tables, compared with the command line."""

import collections
import datetime
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading

import gamewire
import pytest
from conftest import CORPUS
from gamewire.godot import Vector2, Vector3

ENET = CORPUS / "captures/enet.pcap"
METHODS = CORPUS / "captures/methods.txt"
CAPTURES = sorted(CORPUS.glob("captures*/*.pcap"))


def command_line():
    """Returns the path of the command line, which `checks/python` builds."""
    path = os.environ.get("GAMEWIRE")
    if not path:
        pytest.skip("GAMEWIRE is not the path of the command line")
    return path


def output(*arguments):
    return subprocess.run([command_line(), "packets", *arguments], capture_output=True, check=False).stdout


def stats():
    """Returns the number of packets and bytes of each kind in all captures."""
    kinds = json.loads(output("--all", "--stats", "--json", *CAPTURES))["kinds"]
    return {kind["kind"]: (kind["packets"], kind["bytes"]) for kind in kinds}


@pytest.mark.parametrize("all", [False, True])
def test_packets_are_those_of_the_command_line(all):
    total = 0
    for path in CAPTURES:
        options = ["--methods", METHODS, *(["--all"] if all else [])]
        lines = output("--json", *options, path).splitlines()
        packets = list(gamewire.packets(path, methods=METHODS, all=all))
        assert len(packets) == len(lines), path
        for packet, line in zip(packets, lines):
            line = json.loads(line)
            seconds, src, dst = line.pop("time"), line.pop("src"), line.pop("dst")
            assert json.loads(packet.json) == line
            assert round(seconds * 1_000_000) == packet.time // 1000
            assert (src, dst) == (f"{packet.src}:{packet.src_port}", f"{packet.dst}:{packet.dst_port}")
            for name in ["transport", "engine", "channel", "delivery", "kind", "peer", "relay", "path"]:
                assert getattr(packet, name) == line.get(name)
            for name in ["node_id", "method", "net_id", "text", "error", "offset"]:
                assert getattr(packet, name) == line.get(name)
            assert packet.guessed == line.get("guessed", False)
            assert (packet.args is None) == ("args" not in line)
            assert packet.args is None or len(packet.args) == len(line["args"])
            assert (packet.records is None) == ("records" not in line)
            assert (packet.bytes is None) == ("bytes" not in line)
            assert packet.bytes is None or packet.bytes.hex() == line["bytes"]
            for state, other in zip(packet.records or [], line.get("records", []), strict=True):
                assert len(state.args) == len(other["args"])
                assert (state.net_id, state.node_id) == (other.get("net_id"), other.get("node_id"))
                assert (state.path, state.changed) == (other.get("path"), other.get("changed"))
            assert packet.kind in repr(packet) and src in repr(packet) and repr(packet.records)
            total += 1
    assert total > 8000


def test_values_are_those_of_loads():
    packets = list(gamewire.packets(ENET, methods=METHODS))
    move = next(packet for packet in packets if packet.method == "move")
    assert move.args == [Vector3(1, 0, 1), Vector3(0.5, 0, -0.5), 1]
    assert move.args is move.args
    sync = next(packet for packet in packets if packet.kind == "sync")
    assert sync.records[0].args == [Vector2(0, 0)] and sync.args is None
    assert move.datetime == datetime.datetime(2026, 11, 21, 1, 34, 40, 608740, datetime.timezone.utc)
    values = [packet.value for packet in gamewire.packets(CORPUS / "captures/tcp.pcap")]
    assert values[:4] == [True, 2, -3, 1.5]
    assert repr(sync).endswith("sync  Main/Sync: Vector2(0.0, 0.0)>")


def test_sources_and_options():
    expected = [packet.json for packet in gamewire.packets(ENET, methods=METHODS)]
    names = {"Main": ["blob", "chat", "move", "no_args", "raw", "small", "state"]}
    for methods in [str(METHODS), METHODS.read_text(), names]:
        for source in [str(ENET), open(ENET, "rb"), io.BytesIO(ENET.read_bytes())]:
            packets = gamewire.packets(source, methods=methods)
            assert [packet.json for packet in packets] == expected
    assert not list(gamewire.packets(ENET, port=1))
    assert len(list(gamewire.packets(ENET, engine="godot4", compressor="none", port=24601))) == len(expected)
    assert len(list(gamewire.packets(ENET, all=True))) > len(expected)
    for arguments in [{"engine": "godot2"}, {"compressor": "gzip"}, {"methods": "no colon\n"}]:
        with pytest.raises(gamewire.Error):
            gamewire.packets(ENET, **arguments)


class Broken:
    def __init__(self, result):
        self.result = result

    def read(self, size):
        if isinstance(self.result, Exception):
            raise self.result
        return self.result(size)


def test_errors():
    def kind(source):
        with pytest.raises(gamewire.Error) as error:
            list(gamewire.packets(source))
        return error.value.kind, error.value.offset

    cut = ENET.read_bytes()[:5000]
    assert kind(io.BytesIO(cut)) == ("CutOff", 4922)
    assert kind(io.BytesIO(b"GDPC1234")) == ("NotACapture", 0)
    assert kind(io.BytesIO(b"")) == ("CutOff", 0)
    # The packets before the error are returned.
    packets, count = gamewire.packets(io.BytesIO(cut)), 0
    with pytest.raises(gamewire.Error):
        for _ in packets:
            count += 1
    assert count > 20
    with pytest.raises(FileNotFoundError) as error:
        gamewire.packets("no such file")
    assert error.value.filename == "no such file"
    for source in [5, b"bytes", None]:
        with pytest.raises(TypeError):
            gamewire.packets(source)
    for result, expected in [
        (RuntimeError("broken"), RuntimeError),
        (lambda size: "x" * size, TypeError),
        (lambda size: None, OSError),
        (lambda size: b"x" * (size + 1), ValueError),
    ]:
        with pytest.raises(expected):
            list(gamewire.packets(Broken(result)))
        with pytest.raises(expected):
            list(gamewire.packets(Broken(result)).batches())


def test_packets_can_be_read_once():
    uses = [list, lambda packets: list(packets.batches()), lambda packets: packets.__arrow_c_stream__()]
    for first in uses:
        for second in uses:
            packets = gamewire.packets(ENET)
            first(packets)
            with pytest.raises(gamewire.Error, match="already read"):
                second(packets)
    packets = gamewire.packets(ENET)
    next(packets), next(iter(packets))
    with pytest.raises(gamewire.Error, match="already read"):
        packets.batches()
    assert len(list(packets)) == 650 and next(packets, None) is None


def test_schema_is_that_of_parquet(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    pyarrow = pytest.importorskip("pyarrow")
    tables = [gamewire.packets(path, methods=METHODS, all=True).to_arrow() for path in CAPTURES]
    table = pyarrow.concat_tables(tables)
    output("--all", "--methods", METHODS, "--parquet", tmp_path / "all.parquet", *CAPTURES)
    if not (tmp_path / "all.parquet").exists():
        pytest.skip("the command line was built without Parquet")
    expected = parquet.read_table(tmp_path / "all.parquet")
    assert table.schema.equals(expected.schema.remove_metadata())
    for name in table.schema.names:
        assert table[name].combine_chunks() == expected[name].combine_chunks(), name


def test_columns_are_those_of_the_documentation():
    pyarrow = pytest.importorskip("pyarrow")
    page = (CORPUS.parent / "docs/parquet.md").read_text().split("## Columns")[1].split("## Storage")[0]
    rows = [line.split("|")[1:4] for line in page.splitlines() if line.startswith("| `")]
    types = {
        "text": pyarrow.string(),
        "bytes": pyarrow.binary(),
        "bool": pyarrow.bool_(),
        "timestamp": pyarrow.timestamp("ns", "UTC"),
        "list of int64": pyarrow.list_(pyarrow.int64()),
        "list of double": pyarrow.list_(pyarrow.float64()),
        "list of text": pyarrow.list_(pyarrow.string()),
    }
    expected = []
    for name, of, null in rows:
        of = types.get(of.strip()) or pyarrow.type_for_alias(of.strip())
        expected.append((name.strip(" `"), of, null.strip() == "yes"))
    fields = pyarrow.schema(gamewire.packets(ENET))
    assert [(field.name, field.type, field.nullable) for field in fields] == expected


def test_tables_have_the_counts_of_stats():
    expected = stats()

    def by_kind(rows):
        counts = collections.Counter()
        for kind, packets, size in rows:
            counts[kind, "packets"] += packets
            counts[kind, "bytes"] += size
        assert {kind: (counts[kind, "packets"], counts[kind, "bytes"]) for kind, _ in counts} == expected

    packets = [packet for path in CAPTURES for packet in gamewire.packets(path, all=True)]
    by_kind((packet.kind, 1, packet.size) for packet in packets)
    ran = 0
    for read in [with_pyarrow, with_polars, with_duckdb, with_pandas]:
        try:
            rows = [row for path in CAPTURES for row in read(gamewire.packets(path, all=True))]
        except ImportError:
            continue
        by_kind(rows)
        ran += 1
    if ran == 0:
        pytest.skip("none of pyarrow, Polars, DuckDB and pandas is installed")


def with_pyarrow(packets):
    import pyarrow

    table = pyarrow.table(packets).group_by("kind").aggregate([([], "count_all"), ("size", "sum")])
    return [(row["kind"], row["count_all"], row["size_sum"]) for row in table.to_pylist()]


def with_polars(packets):
    import polars

    groups = polars.DataFrame(packets).group_by("kind")
    return groups.agg(polars.len(), polars.col("size").sum()).rows()


def with_duckdb(packets):
    import duckdb

    return duckdb.sql("SELECT kind, count(*), sum(size) FROM packets GROUP BY kind").fetchall()


def with_pandas(packets):
    import pandas

    if not hasattr(pandas.DataFrame, "from_arrow"):
        raise ImportError("pandas 3 is required")
    groups = pandas.DataFrame.from_arrow(packets).groupby("kind")["size"]
    return groups.agg(["count", "sum"]).itertuples(name=None)


def test_batches_are_bounded(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    data = (CORPUS / "captures/udp.pcap").read_bytes()
    head, body = data[:24], data[24:]
    path = tmp_path / "long.pcap"
    path.write_bytes(head + body * 3000)
    rows = [len(batch) for batch in gamewire.packets(path).batches()]
    assert max(rows) == 65536 and len(rows) > 1
    reader = pyarrow.RecordBatchReader.from_stream(gamewire.packets(path, name="x" * 10_000))
    sizes = [(batch.num_rows, batch.nbytes) for batch in reader]
    assert sum(count for count, _ in sizes) == sum(rows)
    assert max(size for _, size in sizes) < 25 << 20


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_packets_of_a_pipe_arrive_before_it_ends(tmp_path):
    """Also shows that other threads run while a packet is awaited."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    data = ENET.read_bytes()
    may_end = threading.Event()

    def write():
        with open(pipe, "wb") as file:
            file.write(data[:40_000])
            file.flush()
            may_end.wait()
            file.write(data[40_000:])

    writer = threading.Thread(target=write)
    writer.start()
    packets = gamewire.packets(pipe)
    first = [next(packets) for _ in range(100)]
    may_end.set()
    assert len(first) + len(list(packets)) == 652
    writer.join()


class Endless:
    """A capture that never ends, and that is interrupted after a while."""

    def __init__(self):
        data = (CORPUS / "captures/udp.pcap").read_bytes()
        self.head, self.body = data[:24], data[24:] * 10
        self.calls = 0

    def read(self, size):
        self.calls += 1
        if self.calls == 5:
            signal.raise_signal(signal.SIGINT)
        assert self.calls < 10_000, "the interrupt was lost"
        return self.head if self.calls == 1 else self.body[:size]


@pytest.mark.parametrize("kind", ["iterator", "batches", "stream"])
def test_interrupts_end_long_runs(kind):
    # Python has no handler if SIGINT was ignored at its start, as it is for a job in the background.
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)

    def use(packets):
        if kind == "iterator":
            collections.deque(packets, maxlen=0)
        elif kind == "batches":
            collections.deque(packets.batches(), maxlen=0)
        else:
            pyarrow = pytest.importorskip("pyarrow")
            try:
                pyarrow.RecordBatchReader.from_stream(packets).read_all()
            except pyarrow.ArrowException:
                pass
            for _ in range(1000):
                pass

    try:
        with pytest.raises(KeyboardInterrupt):
            use(gamewire.packets(Endless()))
    finally:
        signal.signal(signal.SIGINT, previous)


WAIT = """
import collections, os, signal, sys, threading
import gamewire

signal.signal(signal.SIGINT, signal.default_int_handler)
pipe, capture, use = sys.argv[1:]
os.mkfifo(pipe)
other_end = os.open(pipe, os.O_RDWR)
os.write(other_end, open(capture, "rb").read()[:10_000])
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
packets = gamewire.packets(pipe)
try:
    collections.deque(packets if use == "iterator" else packets.batches(), maxlen=0)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("use", ["iterator", "batches"])
def test_interrupts_end_the_wait_for_a_pipe(use, tmp_path):
    """A process of its own, because other libraries replace the handlers of signals."""
    command = [sys.executable, "-c", WAIT, tmp_path / "pipe", ENET, use]
    result = subprocess.run(command, capture_output=True, check=True, timeout=60)
    assert result.stdout == b"interrupted\n"


def parts(path, folder, count):
    """Cuts a capture (pcap) into several."""
    data = path.read_bytes()
    order = "little" if data[:1] != b"\xa1" else "big"
    ends, at = [24], 24
    while at < len(data):
        at += 16 + int.from_bytes(data[at + 8 : at + 12], order)
        ends.append(at)
    cuts = [ends[len(ends) * number // count] for number in range(count)] + [len(data)]
    for number, (start, end) in enumerate(zip(cuts, cuts[1:])):
        part = folder / f"part{number}.pcap"
        part.write_bytes(data[:24] + data[start:end])
        yield part


def comparable(packet):
    return packet.time, packet.kind, packet.path, packet.method, packet.json


SMALL = [path for path in CAPTURES if path.stat().st_size < 1 << 20][:8]


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.name)
def test_series(path, tmp_path):
    """The parts of a capture give the same packets as the whole capture."""
    whole = [comparable(packet) for packet in gamewire.packets(path, methods=METHODS, all=True)]
    series = list(parts(path, tmp_path, 3))
    packets = list(gamewire.packets(series, methods=METHODS, all=True))
    assert [comparable(packet) for packet in packets] == whole
    with open(series[2], "rb") as last:
        again = gamewire.packets([series[0], str(series[1]), last], methods=METHODS, all=True)
        rows = [row for batch in again.batches() for row in range(len(batch))]
    assert len(rows) == len(whole)


def test_names_of_series(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    series = list(parts(ENET, tmp_path, 2))
    table = pyarrow.table(gamewire.packets(series, name=["first", "second"]))
    assert set(table["file"].to_pylist()) == {"first", "second"}
    paths = pyarrow.table(gamewire.packets(series))["file"].to_pylist()
    assert set(paths) == {str(path) for path in series}
    for name in ["first", ["first"], ["a", "b", "c"]]:
        with pytest.raises(ValueError):
            gamewire.packets(series, name=name)
    with pytest.raises(FileNotFoundError):
        list(gamewire.packets([ENET, "missing.pcap"]))
    with pytest.raises(gamewire.Error):
        list(gamewire.packets([ENET, io.BytesIO(b"no capture")]))
    assert list(gamewire.packets([])) == []


FILTERS = [["kind=rpc"], ["kind!=sync", "path=Main*"], ["method=chat,blob"], ["kind=ping"], ["transport=tcp"]]


@pytest.mark.parametrize("filters", FILTERS)
def test_filters_are_those_of_the_command_line(filters):
    options = [option for text in filters for option in ("--filter", text)]
    total = 0
    for path in CAPTURES:
        lines = output("--json", "--methods", METHODS, *options, path).splitlines()
        packets = list(gamewire.packets(path, methods=METHODS, filter=filters))
        assert len(packets) == len(lines), path
        assert [packet.kind for packet in packets] == [json.loads(line)["kind"] for line in lines]
        total += len(lines)
    assert total > 0


def test_wrong_filters():
    with pytest.raises(gamewire.Error, match="unknown kind") as caught:
        gamewire.packets(ENET, filter="kind=rcp")
    assert caught.value.kind == "BadFilter"
    with pytest.raises(TypeError):
        gamewire.packets(ENET, filter=5)


def test_scripts():
    folder = CORPUS / "captures-2/project"
    for path in sorted((CORPUS / "captures-2").glob("*.pcap")):
        lines = output("--json", "--scripts", folder, path).splitlines()
        packets = list(gamewire.packets(path, scripts=folder))
        assert [packet.method for packet in packets] == [json.loads(line).get("method") for line in lines]
    with pytest.raises(FileNotFoundError):
        gamewire.packets(ENET, scripts="missing")


def websocket(texts):
    """Returns a capture of a WebSocket with text messages."""

    def ip(payload, number, source, destination):
        tcp = bytes.fromhex(f"{source:04x}{destination:04x}") + number.to_bytes(4, "big") + bytes(4)
        tcp += bytes([0x50, 0x18, 0xFF, 0xFF, 0, 0, 0, 0]) + payload
        head = b"\x45\0" + (20 + len(tcp)).to_bytes(2, "big")
        return head + bytes([0, 0, 0, 0, 64, 6, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]) + tcp

    data = bytearray(bytes.fromhex("d4c3b2a1020004000000000000000000ffff000065000000"))

    def add(payload, number, source, destination):
        packet = ip(payload, number, source, destination)
        data.extend(bytes(8) + len(packet).to_bytes(4, "little") * 2 + packet)

    request = b"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    request += b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    answer = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    answer += b"Sec-WebSocket-Accept: s3pPLMBiTzKhZxcHm3cSeYH0gMM=\r\n\r\n"
    add(request, 1, 4000, 80)
    add(answer, 1, 80, 4000)
    at = 1 + len(answer)
    for text in texts:
        payload = text.encode()
        size = len(payload)
        length = bytes([size]) if size < 126 else b"\x7e" + size.to_bytes(2, "big")
        frame = b"\x81" + length + payload
        for start in range(0, len(frame), 1000):
            add(frame[start : start + 1000], at, 80, 4000)
            at += len(frame[start : start + 1000])
    return bytes(data)


def test_json_text_of_any_depth():
    deep = "[" * 20_000 + '{"a": [1.5, "x\\"]", null], "a": {}}' + "]" * 20_000
    hidden = '{"name": "a\u202eb"}'
    packets = [packet for packet in gamewire.packets(io.BytesIO(websocket([deep, hidden]))) if packet.text]
    assert [packet.text for packet in packets] == [deep, hidden]
    value = packets[0].value
    for _ in range(20_000):
        (value,) = value
    assert value == {"a": {}}
    assert packets[0].kind in repr(packets[0])
    assert packets[1].value == {"name": "a\u202eb"}
    assert "\\u202e" in packets[1].json and "\u202e" not in packets[1].json
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(gamewire.packets(io.BytesIO(websocket([hidden]))))
    assert '{"name":"a\\u202eb"}' in table["value"].to_pylist()


CONTEND = """
import sys, threading
import gamewire

capture, library = sys.argv[1:]
stop = threading.Event()
file = open(capture, "rb")

def contend():
    while not stop.is_set():
        file.peek(1), file.tell()

threads = [threading.Thread(target=contend, daemon=True) for _ in range(3)]
[thread.start() for thread in threads]
for _ in range(5):
    file.seek(0)
    packets = gamewire.packets(file)
    if library == "pyarrow":
        import pyarrow
        rows = pyarrow.table(packets).num_rows
    elif library == "polars":
        import polars
        rows = len(polars.DataFrame(packets))
    else:
        import duckdb
        rows = duckdb.sql("SELECT count(*) FROM packets").fetchall()[0][0]
stop.set()
print(rows)
"""


@pytest.mark.parametrize("library", ["pyarrow", "polars", "duckdb"])
def test_other_threads_may_use_the_file(library):
    """The lock of the file object and the global interpreter lock cause no deadlock."""
    pytest.importorskip(library)
    command = [sys.executable, "-c", CONTEND, ENET, library]
    result = subprocess.run(command, capture_output=True, check=True, timeout=120)
    assert int(result.stdout) == sum(1 for _ in gamewire.packets(ENET))


def test_spark(tmp_path):
    """The example for Spark in the README runs, where Spark and Java are installed."""
    pytest.importorskip("pyspark")
    pytest.importorskip("pyarrow")
    if not shutil.which("java"):
        pytest.skip("needs Java")
    text = (pathlib.Path(__file__).resolve().parents[1] / "README.md").read_text()
    blocks = [block.split("```")[0] for block in text.split("```python\n")[1:]]
    (block,) = [block for block in blocks if "mapInArrow" in block]
    expected = collections.Counter()
    for path in sorted((CORPUS / "captures").glob("*.pcap")):
        for packet in gamewire.packets(path):
            expected[packet.kind] += packet.size
    block = block.replace('.groupBy("kind").sum("size").show()', '.groupBy("kind").sum("size").collect()')
    code = block.replace("captures.mapInArrow", "result = captures.mapInArrow")
    code += "\nimport json\nprint(json.dumps({row[0]: row[1] for row in result}))\n"
    script = tmp_path / "spark.py"
    script.write_text(code)
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    result = subprocess.run(
        [sys.executable, script], capture_output=True, check=True, timeout=300, cwd=CORPUS.parent, env=environment
    )
    assert json.loads(result.stdout.splitlines()[-1]) == expected


def test_memory_is_flat(tmp_path):
    status = pathlib.Path("/proc/self/statm")
    if not status.exists():
        pytest.skip("needs /proc")
    data = (CORPUS / "captures/relay.pcap").read_bytes()
    path = tmp_path / "long.pcap"
    path.write_bytes(data[:24] + data[24:] * 1500)

    def resident():
        return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    before, most = resident(), 0
    for number, _ in enumerate(gamewire.packets(path, all=True)):
        if number % 1000 == 0:
            most = max(most, resident())
    for _ in gamewire.packets(path, all=True).batches():
        most = max(most, resident())
    assert path.stat().st_size > 250 << 20 and most - before < 130 << 20
