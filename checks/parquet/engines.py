"""Compares what several programs read from Parquet files of gamewire. Called by `check`."""

import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import duckdb
import pyarrow.compute as compute
import pyarrow.parquet as parquet

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/parquet.md").read_text()
CAPTURES = sorted((ROOT / "corpus").glob("**/*.pcap*"))

def is_installed(module):
    return importlib.util.find_spec(module) is not None


# DuckDB and pyarrow are always installed.
HAS_POLARS = is_installed("polars")
HAS_DATAFUSION = is_installed("datafusion")
HAS_SPARK = is_installed("pyspark")
CONTROL = ["connect", "accept", "disconnect", "ping", "acknowledge", "configure", "lost"]


def gamewire(*args):
    result = subprocess.run(["gamewire", "packets", *map(str, args)], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


def statistics(captures):
    """Returns the number of packets and bytes of each kind, as `--stats --json` counts them."""
    kinds = json.loads(gamewire("--all", "--stats", "--json", *captures))["kinds"]
    return {kind["kind"]: (kind["packets"], kind["bytes"]) for kind in kinds}


def by_kind(rows):
    return {kind: (packets, size) for kind, packets, size in rows}


def readers(path):
    """Returns the figures that each program reads from a file."""
    query = "SELECT kind, count(*), sum(size) FROM {} GROUP BY kind"
    yield "duckdb", duckdb.sql(query.format(f"'{path}'")).fetchall()
    if HAS_POLARS:
        import polars

        frame = polars.read_parquet(path).group_by("kind")
        yield "polars", frame.agg(polars.len(), polars.col("size").sum()).rows()
    if HAS_DATAFUSION:
        from datafusion import SessionContext

        context = SessionContext()
        context.register_parquet("packets", str(path))
        table = context.sql(query.format("packets")).to_arrow_table()
        yield "datafusion", list(zip(*(column.to_pylist() for column in table.columns)))
    table = parquet.read_table(path)
    sums = table.group_by("kind").aggregate([([], "count_all"), ("size", "sum")])
    yield "pyarrow", [(row["kind"], row["count_all"], row["size_sum"]) for row in sums.to_pylist()]


def compare_statistics(folder):
    path = folder / "all.parquet"
    gamewire("--all", "--parquet", path, *CAPTURES)
    expected = statistics(CAPTURES)
    for name, rows in readers(path):
        assert by_kind(rows) == expected, (name, by_kind(rows), expected)
    print(f"{len(CAPTURES)} captures: the programs count the same packets and bytes of {len(expected)} kinds")


def compare_times(folder):
    """Checks that pyarrow, Polars and DuckDB read the time as a timestamp, to the nanosecond."""
    path = folder / "all.parquet"
    lines = gamewire("--all", "--json", *CAPTURES).splitlines()
    texts = [json.loads(line, parse_float=str).get("time") for line in lines]
    times = [int(re.sub(r"\.(\d*)$", lambda match: match[1].ljust(9, "0"), text)) for text in texts if text]
    first, last = min(times), max(times)
    column = parquet.read_table(path)["time"]
    assert str(column.type) == "timestamp[ns, tz=UTC]", column.type
    extremes = compute.min_max(column.cast("int64")).as_py()
    assert (extremes["min"], extremes["max"]) == (first, last)
    assert column.null_count == len(texts) - len(times)
    if HAS_POLARS:
        import polars

        column = polars.read_parquet(path)["time"]
        assert column.dtype == polars.Datetime("ns", "UTC"), column.dtype
        assert (column.dt.epoch("ns").min(), column.dt.epoch("ns").max()) == (first, last)
    described, times = duckdb.sql(f"""
        SELECT typeof(any_value(time)), [epoch_ns(min(time)), epoch_ns(max(time))] FROM '{path}'
    """).fetchall()[0]
    assert "WITH TIME ZONE" in described or "TIMESTAMPTZ" in described, described
    assert times == [first, last], times
    print("times are timestamps in nanoseconds")


def compare_json(folder):
    """Checks that DuckDB reads the JSON of all rows, and that its functions find the typed arguments."""
    path = folder / "all.parquet"
    for column in ["args", "value", "details"]:
        (invalid,) = duckdb.sql(f"SELECT count(*) FROM '{path}' WHERE NOT json_valid({column})").fetchall()[0]
        assert invalid == 0, (column, invalid)
    (different,) = duckdb.sql(f"""
        SELECT count(*) FROM '{path}'
        WHERE starts_with(args->>'$[0]', 'i:') AND args_int[1] IS DISTINCT FROM (args->>'$[0]')[3:]::BIGINT
           OR starts_with(args->>'$[1]', 's:') AND args_text[2] IS DISTINCT FROM (args->>'$[1]')[3:]
    """).fetchall()[0]
    assert different == 0, different
    print("all JSON is valid, and the typed arguments are those of the JSON")


def normalised(rows):
    return [tuple(str(value).replace("T", " ")[:19] if hasattr(value, "year") else value for value in row) for row in rows]


def rows_of(result):
    """Returns the rows of a result of Polars, DataFusion or Spark."""
    if hasattr(result, "rows"):
        return result.rows()
    if hasattr(result, "to_arrow_table"):
        return list(zip(*(column.to_pylist() for column in result.to_arrow_table().columns)))
    return [tuple(row) for row in result.collect()]


def examples(heading):
    """Returns the language and the code of all examples under a heading of the page."""
    section = re.split(r"^## ", PAGE[PAGE.index(f"## {heading}\n"):], flags=re.M)[1]
    code = re.findall(r"^```(\w+)\n(.*?)^```", section, re.M | re.S)
    return [(language, code.replace("corpus/", f"{ROOT}/corpus/")) for language, code in code]


def is_runnable(code):
    needed = {"polars": HAS_POLARS, "datafusion": HAS_DATAFUSION, "pyspark": HAS_SPARK}
    return all(installed for module, installed in needed.items() if re.search(rf"^(from|import) {module}\b", code, re.M))


def run_examples():
    """Runs the examples of the page in their order. Returns the answer to its question."""
    answers, count = [], 0
    for language, code in examples("Examples"):
        if language == "sh":
            subprocess.run(code, shell=True, check=True)
            continue
        if language == "sql":
            rows = normalised(duckdb.sql(code).fetchall())
            assert rows, code
        elif is_runnable(code):
            names = {}
            exec(code, names)
            rows = normalised(rows_of(names["result"]))
        else:
            continue
        count += 1
        if "minute" in code:
            answers.append(rows)
    assert len(answers) == 1 + HAS_POLARS + HAS_DATAFUSION + HAS_SPARK
    assert len(answers[0]) == 10 and all(answer == answers[0] for answer in answers), answers
    print(f"{count} examples ran; {len(answers)} programs give the same answer:")
    for row in answers[0][:3]:
        print("  ", *row)
    return answers[0]


def cut(capture, folder):
    """Divides a capture into three captures."""
    data = (ROOT / "corpus/captures" / capture).read_bytes()
    at, records = 24, []
    while at < len(data):
        end = at + 16 + int.from_bytes(data[at + 8 : at + 12], "little")
        records.append(data[at:end])
        at = end
    folder.mkdir(parents=True)
    third = len(records) // 3 + 1
    for part in range(3):
        packets = records[part * third : (part + 1) * third]
        (folder / f"cap{part}.pcap").write_bytes(data[:24] + b"".join(packets))


def run_many_machines(answer):
    """Runs the examples that read captures with several processes."""
    captures = {"server1": "enet.pcap", "server2": "ws.pcap"}
    for server, capture in captures.items():
        cut(capture, pathlib.Path("series") / server)
    names, results = {}, []
    for language, code in examples("Many machines"):
        if language == "sh":
            subprocess.run(code, shell=True, check=True)
        elif HAS_SPARK:
            exec(code, names)
            results.append(normalised(rows_of(names["result"])))
    whole = [ROOT / "corpus/captures" / capture for capture in captures.values()]
    gamewire("--filter", "kind=rpc", "--parquet", "server1.parquet", whole[0])
    query = "SELECT * EXCLUDE (file, frame, method) FROM '{}'"
    expected, series = (duckdb.sql(query.format(file)).fetchall() for file in ["server1.parquet", "calls.parquet"])
    assert len(expected) > 10 and series == expected
    if not HAS_SPARK:
        return
    methods = ROOT / "corpus/captures/methods.txt"
    gamewire("--filter", "kind=rpc", "--methods", methods, "--parquet", "whole.parquet", *whole)
    sums = "SELECT peer, path, method, sum(size) FROM 'whole.parquet' GROUP BY ALL ORDER BY peer, path, method"
    expected = duckdb.sql(sums).fetchall()
    assert len(expected) > 5 and results == [answer, expected], (results, expected)
    print("Spark runs gamewire on captures and on series of captures: same answers")


def compare_tables():
    """Checks that the tables `values` and `edges` have as many rows as the commands print."""
    values = sorted((ROOT / "corpus/godot4").glob("*.bin"))
    for name, command, line in [
        ("values", ["json", *values], ""),
        ("edges", ["unreal", "deps", ROOT / "corpus/unreal"], "  "),
    ]:
        # Some files are refused. The command reads the others.
        printed = subprocess.run(["gamewire", *command], capture_output=True, text=True).stdout
        subprocess.run(["gamewire", *command, "--parquet", f"{name}.parquet"], capture_output=True)
        lines = [text for text in printed.splitlines() if text.startswith(line)]
        (count,) = duckdb.sql(f"SELECT count(*) FROM '{name}.parquet'").fetchall()[0]
        assert count == len(lines) > 100, (name, count, len(lines))
        assert parquet.read_table(f"{name}.parquet").num_rows == count
    (invalid,) = duckdb.sql("SELECT count(*) FROM 'values.parquet' WHERE NOT json_valid(value)").fetchall()[0]
    assert invalid == 0
    print("the tables of values and of references have all rows")


def compare_partitions():
    """Checks that DuckDB, Polars and pyarrow read the folders of `--partition-by`."""
    query = "SELECT kind, count(*), sum(size) FROM read_parquet('lake/**/*.parquet', hive_partitioning = true) GROUP BY kind"
    captures = (ROOT / "corpus/captures").glob("*.pcap")
    expected = {kind: figures for kind, figures in statistics(captures).items() if kind not in CONTROL}
    assert by_kind(duckdb.sql(query).fetchall()) == expected
    if HAS_POLARS:
        import polars

        lake = polars.scan_parquet("lake/**/*.parquet", hive_partitioning=True)
        rows = lake.group_by("kind").agg(polars.len(), polars.col("size").sum()).collect().rows()
        assert by_kind(rows) == expected
    table = parquet.read_table("lake")
    sums = table.group_by("kind").aggregate([([], "count_all"), ("size", "sum")]).to_pylist()
    assert by_kind([(row["kind"], row["count_all"], row["size_sum"]) for row in sums]) == expected
    print("the programs read partitioned folders")


def main():
    folder = pathlib.Path(sys.argv[1]).resolve() / "files"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.chdir(folder)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["TZ"] = "UTC"  # Spark returns local times
    time.tzset()
    compare_statistics(folder)
    compare_times(folder)
    compare_json(folder)
    answer = run_examples()
    compare_partitions()
    run_many_machines(answer)
    compare_tables()


main()
